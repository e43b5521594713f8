"""Whoever can write in the repository can neither hide an edit nor have a program run."""

import os
from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def edit_is_seen(ground: Ground, fingerprints: Fingerprints) -> bool:
    before = fingerprints.take()
    ground.write("src/app.py", "answer = 42\n")
    ground.write("src/hidden.py", "more\n")
    changed = fingerprints.changed(before.tree, fingerprints.take().tree)
    return changed == {"src/app.py": "modified", "src/hidden.py": "added"}


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_of_the_users_index_hide_nothing(ground: Ground, flag: str):
    ground.git("update-index", flag, "src/app.py")
    fingerprints = ground.fingerprints()
    assert edit_is_seen(ground, fingerprints)
    assert fingerprints.take().tree == ground.fresh()


def test_a_flag_set_later_hides_nothing(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.take()
    ground.git("update-index", "--assume-unchanged", "src/app.py")
    assert edit_is_seen(ground, fingerprints)


def test_the_exclude_file_of_the_repository_hides_no_tracked_file(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.take()
    (ground.root / ".git/info").mkdir(exist_ok=True)
    (ground.root / ".git/info/exclude").write_text("*\n")
    assert edit_is_seen(ground, fingerprints)


def test_attributes_of_the_repository_directory_have_no_influence(ground: Ground):
    program = ground.program()
    ground.git("config", "filter.planted.clean", str(program))
    (ground.root / ".git/info").mkdir(exist_ok=True)
    (ground.root / ".git/info/attributes").write_text("* filter=planted\n")
    assert edit_is_seen(ground, ground.fingerprints())
    assert not ground.marker.exists()


SETTINGS = {
    "fsmonitor": {"core.fsmonitor": "{program}"},
    "clean": {"filter.planted.clean": "{program}", "filter.planted.required": "true"},
    "process": {"filter.planted.process": "{program}", "filter.planted.required": "true"},
    "smudge": {"filter.planted.smudge": "{program}"},
    "hooks": {"core.hooksPath": "{hooks}"},
    "work tree": {"core.worktree": "/"},
    "bare": {"core.bare": "true"},
    "excludes": {"core.excludesFile": "{everything}"},
    "attributes": {"core.attributesFile": "{attributes}", "filter.planted.clean": "{program}"},
    "diff": {"diff.external": "{program}", "diff.planted.textconv": "{program}"},
    "trust": {"core.trustctime": "false", "core.checkStat": "minimal", "core.fileMode": "false"},
    "sparse": {"core.sparseCheckout": "true", "core.sparseCheckoutCone": "true"},
    "alias": {"alias.add": "!{program}", "alias.ls-files": "!{program}", "core.pager": "{program}"},
    "submodules": {"submodule.recurse": "true", "diff.ignoreSubmodules": "all"},
}


@pytest.mark.parametrize("included", [False, True], ids=["set", "included"])
@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_the_repository_neither_run_nor_hide_anything(ground: Ground, name: str, included: bool):
    hooks = ground.base / "hooks"
    hooks.mkdir()
    for hook in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction"):
        ground.program(f"hooks/{hook}")
    (ground.base / "everything").write_text("*\n")
    (ground.base / "attributes").write_text("* filter=planted diff=planted\n")
    places = {key: str(ground.base / key) for key in ("hooks", "everything", "attributes")}
    places["program"] = str(ground.program())
    ground.write(".gitattributes", "*.py filter=planted diff=planted\n")
    target = ["--file", str(ground.base / "more")] if included else []
    if included:
        ground.git("config", "include.path", str(ground.base / "more"))
    for key, value in SETTINGS[name].items():
        ground.git("config", *target, key, value.format(**places))
    fingerprints = ground.fingerprints()
    assert fingerprints.take().tree
    assert edit_is_seen(ground, fingerprints)
    fingerprints.lay(fingerprints.take().tree, ground.base / "harness/room")
    assert not ground.marker.exists()


def test_hooks_in_the_repository_do_not_run(ground: Ground):
    fingerprints = ground.fingerprints()
    for hook in ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc"):
        planted = ground.program(f"work/.git/hooks/{hook}")
        assert os.access(planted, os.X_OK)
    before = fingerprints.take()
    assert edit_is_seen(ground, fingerprints)
    fingerprints.keep("one", before.tree)
    fingerprints.restore(before.tree)
    assert not ground.marker.exists()


def test_a_filter_inside_a_submodule_does_not_run(ground: Ground):
    inner = ground.root / "inner"
    inner.mkdir()
    ground.git("init", "-q", cwd=inner)
    ground.write("inner/code.py", "one\n")
    ground.commit(cwd=inner)
    fingerprints = ground.fingerprints()
    fingerprints.take()
    ground.git("config", "filter.planted.clean", str(ground.program()), cwd=inner)
    ground.git("config", "core.fsmonitor", str(ground.program()), cwd=inner)
    ground.write("inner/.gitattributes", "* filter=planted\n")
    ground.write("inner/code.py", "two\n")
    ground.git(
        "-c",
        "advice.addEmbeddedRepo=false",
        "update-index",
        "--add",
        "--cacheinfo",
        f"160000,{'1' * 40},inner",
    )
    before = fingerprints.take()
    ground.write("inner/code.py", "six\n")
    assert fingerprints.take().relevant != before.relevant
    assert not ground.marker.exists()


def test_filters_of_the_user_are_used(ground: Ground):
    program = ground.program(then="tr a-z A-Z")
    (ground.user / ".gitconfig").write_text(
        f'[filter "loud"]\n\tclean = "{program}"\n\tsmudge = tr A-Z a-z\n'
    )
    ground.write(".gitattributes", "*.txt filter=loud\n")
    ground.write("note.txt", "quiet\n")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    assert fingerprints.content(tree, "note.txt") == b"QUIET\n"
    assert ground.marker.exists()
    fingerprints.lay(tree, ground.base / "harness/room")
    assert (ground.base / "harness/room/note.txt").read_text() == "quiet\n"


def test_a_filter_of_the_user_that_fails_leaves_what_the_tree_has(ground: Ground):
    (ground.user / ".gitconfig").write_text(
        '[filter "store"]\n\tclean = cat\n\tsmudge = false\n\trequired = true\n'
    )
    ground.write(".gitattributes", "*.bin filter=store\n")
    ground.write("large.bin", "version 1\noid sha256:00\nsize 1\n")
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, ground.base / "harness/room")
    assert (ground.base / "harness/room/large.bin").read_text().startswith("version 1\n")


def test_what_the_user_ignores_everywhere_is_ignored(ground: Ground):
    (ground.user / "everywhere").write_text(".idea/\n")
    (ground.user / ".gitconfig").write_text("[core]\n\texcludesFile = ~/everywhere\n")
    ground.write(".idea/state.xml")
    assert ground.fingerprints().take().tree == ground.head()


def test_line_ends_follow_the_user(ground: Ground):
    (ground.user / ".gitconfig").write_text("[core]\n\tautocrlf = input\n")
    ground.write("README.md", "read me\r\n")
    assert ground.fingerprints().take().tree == ground.head()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_COUNT"]
)
def test_variables_of_the_environment_have_no_influence(
    ground: Ground, name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name, "/nowhere")
    ground.env[name] = "/nowhere"
    fingerprints = ground.fingerprints()
    fingerprints.take()
    assert edit_is_seen(ground, fingerprints)
    assert not Path("/nowhere").exists()
