"""A tree of two others: the change, with some of its paths as they stood at the base."""

import os
import subprocess
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def files(ground: Ground, tree: str) -> dict[str, str]:
    """Path → mode and id, read with the harness's objects in sight."""
    more = str(ground.fingerprints().objects)
    words = ("ls-tree", "-r", "-z", "--full-tree", tree)
    listed = ground.git(*words, GIT_ALTERNATE_OBJECT_DIRECTORIES=more).split("\0")
    return {path: facts for facts, _, path in (line.partition("\t") for line in listed if line)}


def test_changed_paths_go_back_and_new_ones_go_away(ground):
    ground.write("tests/test_app.py", "strict\n")
    ground.write("tests/gone.py", "was here\n")
    base = ground.commit()
    ground.write("src/app.py", "answer = 42\n")
    ground.write("tests/test_app.py", "weak\n")
    ground.write("tests/test_new.py", "new\n")
    (ground.root / "tests/gone.py").unlink()
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    paths = ("tests/test_app.py", "tests/test_new.py", "tests/gone.py", "never/was.py")
    tree = prints.composed(before, now, paths)
    found, old, new = files(ground, tree), files(ground, before), files(ground, now)
    assert found == {**old, "src/app.py": new["src/app.py"]}
    assert prints.content(tree, "tests/test_app.py") == b"strict\n"


def test_nothing_to_put_back_is_the_change_itself(ground):
    prints = ground.fingerprints()
    now = prints.take().tree
    assert prints.composed(now, now, ()) == now
    assert prints.composed("", now, ("not/there",)) == now


def test_the_same_is_composed_every_time_and_nothing_of_the_users_is_written(ground):
    ground.write("tests/a.py", "one\n")
    base = ground.commit()
    ground.write("tests/a.py", "two\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    objects = sorted(path for path in (ground.root / ".git").rglob("*"))
    index = (ground.root / ".git/index").read_bytes()
    first = prints.composed(before, now, ("tests/a.py",))
    assert ground.fingerprints().composed(before, now, ["tests/a.py"]) == first != now
    assert sorted(path for path in (ground.root / ".git").rglob("*")) == objects
    assert (ground.root / ".git/index").read_bytes() == index
    assert (ground.root / "tests/a.py").read_text() == "two\n"


def test_links_modes_and_odd_names_come_back_as_they_were(ground):
    odd = ['sp ace/"quoted".py', "new\nline.py", "tab\there.py", "ümlaut/ß.py", "-rf", ":(top)x.py", "*.py"]
    for name in odd:
        ground.write(f"t/{name}", f"base of {name!r}\n")
    raw = os.fsdecode(b"t/not-utf8-\xff.py")
    (ground.root / raw).write_text("bytes\n")
    ground.write("t/run.sh", "#!/bin/sh\n").chmod(0o755)
    (ground.root / "t/link").symlink_to("run.sh")
    base = ground.commit()
    for name in odd:
        ground.write(f"t/{name}", "weak\n")
    (ground.root / raw).unlink()
    (ground.root / "t/run.sh").chmod(0o644)
    (ground.root / "t/link").unlink()
    ground.write("t/link", "a file now\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    paths = list(prints.changed(before, now))
    assert raw in paths
    assert prints.composed(before, now, paths) == before


@pytest.mark.parametrize("was_folder", [True, False])
def test_a_file_where_a_folder_was_and_the_other_way_round(ground, was_folder):
    ground.write("spec/one.py" if was_folder else "spec", "base\n")
    base = ground.commit()
    if was_folder:
        (ground.root / "spec/one.py").unlink()
        (ground.root / "spec").rmdir()
        ground.write("spec", "now\n")
    else:
        (ground.root / "spec").unlink()
        ground.write("spec/one.py", "now\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    assert prints.composed(before, now, ["spec/one.py", "spec"]) == before
    assert prints.composed(before, now, ["spec/one.py" if was_folder else "spec"]) == before


def test_a_submodule_goes_back_to_its_commit(ground, tmp_path):
    other = Ground(tmp_path / "other")
    ground.git("submodule", "add", "-q", str(other.root), "sub")
    base = ground.commit()
    inner = other.commit("newer")
    ground.git("-C", "sub", "fetch", "-q")
    ground.git("-C", "sub", "checkout", "-q", inner)
    ground.write("src/app.py", "answer = 43\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    tree = prints.composed(before, now, ["sub"])
    assert files(ground, tree)["sub"] == files(ground, before)["sub"] != files(ground, now)["sub"]


def test_thousands_of_paths_in_one_go(ground):
    for number in range(3000):
        ground.write(f"tests/t{number % 50}/test_{number}.py", f"{number}\n")
    base = ground.commit()
    for number in range(3000):
        ground.write(f"tests/t{number % 50}/test_{number}.py", "pass\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    changed = prints.changed(before, now)
    assert len(changed) == 3000
    assert prints.composed(before, now, changed) == before


def test_a_file_with_a_content_of_its_own(ground):
    prints = ground.fingerprints()
    now = prints.take().tree
    tree = prints.composed(now, now, ["package.json"], {"package.json": b"{}\n", "deep/er.txt": b"x"})
    assert prints.content(tree, "package.json") == b"{}\n"
    assert prints.content(tree, "deep/er.txt") == b"x"
    assert {**files(ground, tree)}.keys() - files(ground, now).keys() == {"package.json", "deep/er.txt"}


def test_a_composed_tree_can_be_laid(ground, tmp_path):
    ground.write("tests/a.py", "one\n")
    base = ground.commit()
    ground.write("tests/a.py", "two\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    tree = prints.composed(before, now, ["tests/a.py"], {"package.json": b"{}"})
    prints.lay(tree, tmp_path / "room")
    assert (tmp_path / "room/tests/a.py").read_text() == "one\n"
    assert (tmp_path / "room/package.json").read_text() == "{}"


def test_other_ids_work_too(tmp_path):
    ground = Ground(tmp_path, format="sha256")
    ground.write("tests/a.py", "one\n")
    base = ground.commit()
    ground.write("tests/a.py", "two\n")
    prints = ground.fingerprints()
    now, before = prints.take().tree, prints.tree(base)
    assert prints.composed(before, now, ["tests/a.py"]) == before


def test_what_is_no_id_is_refused(ground):
    prints = ground.fingerprints()
    with pytest.raises(SetupError):
        prints.composed("--output=x", prints.take().tree, ["a"])


def test_a_base_that_was_altered_behind_its_name_is_refused(ground):
    """Objects are the agent's to write: a forged tree must not bring a weaker exam back."""
    ground.write("tests/a.py", "strict\n")
    base = ground.commit()
    prints = ground.fingerprints()
    before = prints.tree(base)
    folder = ground.git("rev-parse", f"{base}:tests")
    weak = ground.git("hash-object", "-w", str(ground.write("weak.py", "weak\n")))
    made = (
        subprocess.run(
            ["git", "mktree"],
            input=f"100644 blob {weak}\ta.py\n".encode(),
            cwd=ground.root,
            env=ground.env,
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    objects = ground.root / ".git/objects"
    target = objects / folder[:2] / folder[2:]
    target.chmod(0o644)
    target.write_bytes((objects / made[:2] / made[2:]).read_bytes())
    ground.write("tests/a.py", "other\n")
    now = prints.take().tree
    with pytest.raises(SetupError):
        prints.composed(before, now, ["tests/a.py"])
