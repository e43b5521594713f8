"""Where rooms and run workspaces lie: outside any repository, and nobody else's."""

import os
import stat
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.places import inside_repository, places, root_of
from tests.workspace.rooms_scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_everything_lies_in_the_cache_folder_under_the_id_of_the_repository_closed_to_others(scene):
    found = places(scene.repository, scene.env)
    folders = [folder for folder in found if isinstance(folder, Path)]
    assert len(set(folders)) == 6
    for folder in folders:
        assert folder.parent == scene.cache / found.repo_id
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert places(scene.repository, scene.env) == found


def test_a_note_says_whose_the_folders_are_and_when_they_were_last_used(scene):
    note = places(scene.repository, scene.env).rooms.with_name("root")
    assert note.read_bytes() == os.fsencode(scene.root)
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    os.utime(note, (1, 1))
    written = note.stat().st_ino
    assert places(scene.repository, scene.env)
    assert note.stat().st_mtime > 1
    assert note.stat().st_ino == written


@pytest.mark.parametrize("planted", [b"", b"relative", b"/x\0y", b"/" + b"x" * (2 << 20), None])
def test_a_note_that_says_nothing_useful_is_written_anew(scene, planted):
    top = scene.places.rooms.parent
    (top / "root").unlink()
    if planted is None:
        (scene.base / "secret").write_text(str(scene.root))
        (top / "root").symlink_to(scene.base / "secret")
    else:
        (top / "root").write_bytes(planted)
    assert root_of(top) is None
    assert places(scene.repository, scene.env)
    assert root_of(top) == scene.root
    assert not (top / "root").is_symlink()


def test_a_name_that_is_no_text_is_noted_as_it_is(tmp_path):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\nodd"))
    odd.mkdir()
    scene = Scene(odd)
    assert root_of(scene.places.rooms.parent) == scene.root


def test_two_working_trees_of_one_repository_have_places_of_their_own(scene):
    scene.git("worktree", "add", "-q", str(scene.base / "linked"), "feature/one")
    linked = scene.repository._replace(root=scene.base / "linked")
    assert places(linked, scene.env).repo_id != places(scene.repository, scene.env).repo_id


def test_a_link_to_the_repository_is_the_same_repository(scene):
    (scene.base / "link").symlink_to(scene.root)
    linked = scene.repository._replace(root=scene.base / "link")
    assert places(linked, scene.env) == places(scene.repository, scene.env)


@pytest.mark.parametrize(
    "where", ["project/cache", "project/.git/cache", "home/cache", "link/cache", "bare.git/x"]
)
def test_a_cache_folder_inside_a_repository_is_not_used(scene, where):
    (scene.home / ".git").mkdir()
    (scene.base / "link").symlink_to(scene.root)
    scene.git("init", "-q", "--bare", str(scene.base / "bare.git"))
    (scene.base / "temporary").mkdir()
    env = scene.env | {"DONEWHEN_CACHE_DIR": str(scene.base / where), "TMPDIR": str(scene.base / "temporary")}
    before = scene.state()
    found = places(scene.repository, env)
    assert found.rooms == scene.base / f"temporary/donewhen-{os.geteuid()}" / found.repo_id / "rooms"
    assert inside_repository(found.runs) is None
    assert scene.state() == before


@pytest.mark.parametrize("planted", ["link", "file"])
def test_a_temporary_folder_that_somebody_planted_is_refused(scene, planted):
    own = scene.base / f"temporary/donewhen-{os.geteuid()}"
    own.parent.mkdir()
    (scene.base / "elsewhere").mkdir()
    if planted == "link":
        own.symlink_to(scene.base / "elsewhere")
    else:
        own.write_text("")
    env = scene.env | {"DONEWHEN_CACHE_DIR": str(scene.root / "cache"), "TMPDIR": str(own.parent)}
    with pytest.raises(SetupError) as refused:
        places(scene.repository, env)
    assert refused.value.exit_code == 5
    assert not list((scene.base / "elsewhere").iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only the super-user can give a folder away")
def test_a_folder_of_another_user_is_refused(scene):
    found = places(scene.repository, scene.env)
    os.chown(found.rooms, 65534, -1)
    with pytest.raises(SetupError, match="another user"):
        places(scene.repository, scene.env)


def test_a_base_moves_the_run_workspaces_alone(scene):
    found = places(scene.repository, scene.env, scene.base / "fast disk")
    assert found.runs == scene.base / "fast disk" / found.repo_id
    assert found._replace(runs=Path()) == scene.places._replace(runs=Path())


def test_a_base_inside_a_repository_is_refused(scene):
    with pytest.raises(SetupError, match="outside any repository"):
        places(scene.repository, scene.env, scene.base / "project" / "runs")


def test_a_cache_folder_that_can_not_be_made_is_named(scene):
    (scene.base / "file").write_text("")
    with pytest.raises(SetupError, match="file/cache"):
        places(scene.repository, scene.env | {"DONEWHEN_CACHE_DIR": str(scene.base / "file/cache")})
