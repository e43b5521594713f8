"""Caches are given back, whatever is in them; what somebody uses or could still need is not."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from donewhen.config.files import locked
from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.caching import KEPT_SECONDS, MOST_ENVIRONMENTS, caches, clean, using
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.workspaces import open_workspace
from tests.workspace.rooms_scene import RUN, Scene, contents, names_in


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def top_of(places: Places) -> Path:
    return places.rooms.parent


def all_of_it(scene: Scene, **how: bool) -> tuple[list[str], list[str]]:
    done = clean(scene.env, 0.0, everything=True, **how)
    return [each.repository for each in done.freed], [each.why.key for each in done.kept]


def environment(places: Places, number: int, ending: str = "") -> Path:
    folder = places.environments / f"{number:032x}{ending}"
    folder.mkdir()
    (folder / "about.json").write_bytes(b"x" * 100)
    os.utime(folder, (1000 + number, 1000 + number))
    return folder


def test_a_cache_that_was_used_lately_stays(scene):
    top = top_of(scene.places)
    assert clean(scene.env, time.time() - KEPT_SECONDS) == ((), ())
    assert top.is_dir()


def test_one_that_was_not_used_since_then_goes_whole(scene):
    places = scene.places
    scene.write("exam/deep/file", "x" * 500, places.rooms)
    (places.rooms / "exam/deep").chmod(0o500)
    os.link(places.rooms / "exam/deep/file", places.rooms / "the same")
    before = scene.state()
    os.utime(top_of(places) / "root", (1000, 1000))
    ((repository, size),) = clean(scene.env, 2000.0).freed
    assert repository == str(scene.root)
    assert 500 <= size < 1000
    assert names_in(scene.cache) == []
    assert scene.state() == before


def test_the_cache_of_a_working_tree_that_is_gone_goes(scene):
    assert scene.places
    scene.root.rename(scene.base / "elsewhere")
    assert [each.repository for each in clean(scene.env, 0.0).freed] == [str(scene.root)]
    assert names_in(scene.cache) == []


def test_a_dry_run_tells_the_same_and_removes_nothing(scene):
    scene.write("file", "x", scene.places.rooms)
    before = contents(scene.cache)
    would = clean(scene.env, 0.0, everything=True, dry_run=True)
    assert contents(scene.cache) == before
    assert clean(scene.env, 0.0, everything=True) == would


def test_a_cache_of_an_older_version_without_a_note_goes_by_what_is_in_it(scene):
    top = top_of(scene.places)
    (top / "root").unlink()
    assert clean(scene.env, time.time() - 60) == ((), ())
    for folder in (top, *top.iterdir()):
        os.utime(folder, (1000, 1000))
    scene.write("exam", "x", top / "rooms")
    os.utime(top / "rooms/exam", (1000, 1000))
    os.utime(top, (1000, 1000))
    assert [each.repository for each in clean(scene.env, 2000.0).freed] == [str(top)]


def test_whoever_has_a_lease_or_a_lock_in_it_keeps_it(scene):
    places = scene.places
    for hold in (
        lambda: lease(places.rooms / "exam"),
        lambda: locked(places.home / "lock"),
        lambda: locked(places.environments / f"{1:032x}.lock"),
        lambda: locked(places.homes / "nested-1/lock"),
        lambda: using(places),
    ):
        with hold():
            assert all_of_it(scene) == ([], ["rooms.cache_held"])
            assert all_of_it(scene, dry_run=True) == ([], ["rooms.cache_held"])
    assert all_of_it(scene) == ([str(scene.root)], [])


def test_several_can_use_a_cache_at_a_time(scene):
    with using(scene.places), using(scene.places):
        assert all_of_it(scene)[1] == ["rooms.cache_held"]


def test_a_process_that_died_holds_nothing(scene):
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom donewhen.workspace.rooms.lease import lease\n"
        "with lease(Path(sys.argv[1])): os._exit(9)\n"
    )
    folder = scene.places.rooms / "exam"
    assert subprocess.run([sys.executable, "-c", code, str(folder)], check=False).returncode == 9
    assert folder.with_name("exam.lease").is_file()
    assert all_of_it(scene) == ([str(scene.root)], [])


def test_whoever_comes_just_after_it_was_removed_is_told_to_try_again(scene):
    places = scene.places
    assert all_of_it(scene)[0]
    with pytest.raises(SetupError), using(places):
        pass


def test_the_cache_of_a_run_workspace_stays_even_when_its_repository_is_gone(scene):
    workspace = open_workspace(scene.repository, RUN, "HEAD", scene.places)
    scene.root.rename(scene.base / "elsewhere")
    assert all_of_it(scene) == ([], ["rooms.cache_of_runs"])
    assert workspace.folder.is_dir()


def test_so_does_that_of_a_run_workspace_elsewhere(scene):
    (scene.places.homes / RUN).mkdir()
    assert all_of_it(scene) == ([], ["rooms.cache_of_runs"])


def test_only_the_newest_environments_of_a_repository_stay(scene):
    places = scene.places
    for number in range(MOST_ENVIRONMENTS + 3):
        environment(places, number)
    with locked(places.environments / f"{1:032x}.lock"):
        assert clean(scene.env, 0.0).freed == ((str(scene.root), 200),)
    left = [int(name, 16) for name in names_in(places.environments) if "." not in name]
    assert left == [1, *range(3, MOST_ENVIRONMENTS + 3)]


def test_halves_of_environments_that_nobody_makes_any_more_go(scene):
    places = scene.places
    for number, ending in ((1, ".new"), (2, ".gone-0a"), (3, ".new")):
        environment(places, number, ending)
    (places.environments / "done").mkdir()
    with locked(places.environments / f"{3:032x}.lock"):
        assert clean(scene.env, 0.0).freed == ((str(scene.root), 200),)
    assert names_in(places.environments) == [f"{3:032x}.lock", f"{3:032x}.new", "done"]


def test_what_an_earlier_cleaning_left_half_removed_goes(scene):
    top = top_of(scene.places)
    top.rename(top.with_name(f"{top.name}.gone-0a1b2c3d"))
    assert len(clean(scene.env, 0.0).freed) == 1
    assert names_in(scene.cache) == []


def test_nothing_that_the_harness_did_not_make_is_touched(scene):
    elsewhere = scene.base / "elsewhere"
    scene.write("rooms/file", "x", elsewhere)
    scene.cache.mkdir()
    (scene.cache / ("a" * 16)).symlink_to(elsewhere)
    scene.write("photos/mine", "x", scene.cache / ("b" * 16))
    scene.write("rooms/file", "x", scene.cache / "notes")
    (scene.cache / ("c" * 16)).mkdir()
    (scene.cache / ("d" * 16)).write_text("a file")
    before = contents(scene.base)
    assert all_of_it(scene) == ([], [])
    assert contents(scene.base) == before


def test_links_inside_go_and_what_they_lead_to_stays(scene):
    places = scene.places
    mine = scene.write("mine/file", "x" * 5000, scene.base)
    (places.rooms / "link").symlink_to(mine.parent)
    places.scratch.rmdir()
    places.scratch.symlink_to(mine.parent)
    (places.rooms / "exam.lease").symlink_to(mine)
    ((_, size),) = clean(scene.env, 0.0, everything=True).freed
    assert size < 5000
    assert mine.is_file()
    assert names_in(scene.cache) == []


def test_what_no_path_can_name_goes_too(scene):
    here = os.open(scene.places.rooms, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("x" * 200, dir_fd=here)
        deeper = os.open("x" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    os.mkfifo(scene.places.rooms / "pipe.lease")
    assert all_of_it(scene) == ([str(scene.root)], [])
    assert names_in(scene.cache) == []


def test_without_a_cache_folder_there_is_nothing_to_clean(scene):
    assert caches(scene.env) == []
    assert all_of_it(scene) == ([], [])
    assert not scene.cache.exists()
