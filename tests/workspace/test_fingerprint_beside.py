"""What lies beside the tree is noticed when anybody touches it, so that no old result is used again."""

import os
import shutil
from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.beside import beside as digest_beside
from donewhen.workspace.fingerprint.own import Own
from tests.workspace.git_ground import Ground

PACKAGES = ".venv/lib/python3/site-packages"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = Ground(tmp_path)
    made.write(".gitignore", "*.log\nbuild/\n.venv/\nnode_modules/\n.tox/\n")
    return made


def beside(ground: Ground) -> str:
    fingerprints = ground.fingerprints()
    fingerprints.take()
    return fingerprints.beside()


def alter_and_put_back(file: Path) -> None:
    """Another content for a while; then content and time of before."""
    kept = file.with_name(file.name + ".kept")
    shutil.copy2(file, kept)
    file.write_text("altered\n")
    shutil.copy2(kept, file)
    kept.unlink()


def test_nothing_beside_is_nothing(ground: Ground):
    assert beside(ground) == ""


@pytest.mark.parametrize(
    "path",
    [
        f"{PACKAGES}/runner/__init__.py",
        f"part/{PACKAGES}/runner.py",
        ".tox/py3/lib/python3/site-packages/runner.py",
        "node_modules/runner/index.js",
        "node_modules/.pnpm/runner@1/node_modules/runner/index.js",
        "web/node_modules/runner/index.js",
        "build/generated.py",
        "tmp/local.json",
        "local.log",
    ],
)
def test_a_file_that_was_altered_for_a_while_shows(ground: Ground, path: str):
    for place in (".venv", f"part/{PACKAGES.partition('/')[0]}"):
        ground.write(f"{place}/pyvenv.cfg")
    file = ground.write(path)
    before = beside(ground)
    assert beside(ground) == before
    alter_and_put_back(file)
    assert beside(ground) != before


@pytest.mark.parametrize("folder", [".venv", "venv", "part/env", "node_modules", "web/node_modules"])
def test_an_environment_that_no_rule_ignores_counts_as_well(ground: Ground, folder: str):
    ground.write(".gitignore", "")
    if "node" not in folder:
        ground.write(f"{folder}/pyvenv.cfg")
    file = ground.write(f"{folder}/lib/runner.js")
    before = beside(ground)
    alter_and_put_back(file)
    assert beside(ground) != before


def test_an_environment_behind_a_link_is_looked_into(ground: Ground):
    outside = ground.base / "environment"
    outside.mkdir()
    (outside / "pyvenv.cfg").write_text("")
    (outside / "runner.py").write_text("x")
    (ground.root / ".venv").symlink_to(outside)
    before = beside(ground)
    alter_and_put_back(outside / "runner.py")
    assert beside(ground) != before


@pytest.mark.parametrize(
    "path",
    [
        f"{PACKAGES}/runner/__pycache__/x.pyc",
        "node_modules/.cache/x",
        "node_modules/.vite/deps/x",
        "node_modules/.vite-temp/x",
        ".pytest_cache/x",
        ".tox/py3/log/x",
        "src/app.py",
        "env/source.py",
    ],
)
def test_caches_and_the_tree_itself_are_left_out(ground: Ground, path: str):
    ground.write(".venv/pyvenv.cfg")
    ground.write("node_modules/runner/index.js")
    ground.write("env/source.py")
    before = beside(ground)
    alter_and_put_back(ground.write(path))
    assert beside(ground) == before


def test_a_file_that_a_tracked_link_leads_to_outside_counts(ground: Ground):
    target = ground.base / "settings.json"
    target.write_text("one\n")
    (ground.root / "settings.json").symlink_to(target)
    (ground.root / "inside").symlink_to("src/app.py")
    (ground.root / "nowhere").symlink_to("/nowhere/at/all")
    ground.commit()
    before = beside(ground)
    os.utime(ground.root / "src/app.py")
    assert beside(ground) == before
    alter_and_put_back(target)
    assert beside(ground) != before


def test_too_many_files_are_like_nothing_that_was_seen_before(ground: Ground):
    for number in range(4):
        ground.write(f"build/{number}.py")
    ground.fingerprints().take()
    seen = Own(ground.home, "sha1", ground.env), ground.root, ground.home / "index"
    assert digest_beside(*seen, most=4) == digest_beside(*seen, most=4)
    assert digest_beside(*seen, most=3) != digest_beside(*seen, most=3)


def test_names_that_are_no_text_are_no_obstacle(ground: Ground):
    ground.write(os.fsdecode(b"build/\xff\n.py"))
    before = beside(ground)
    ground.write(os.fsdecode(b"build/\xfe.py"))
    assert beside(ground) != before
