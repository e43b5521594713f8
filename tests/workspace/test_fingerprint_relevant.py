"""What evidence is compared with: the tree without what can't matter."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.paths import Exempt, Patterns
from donewhen.workspace.fingerprint.files import LARGEST, files_of
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


EXEMPT = [
    ".scratch/note.py",
    "deep/.temp/x.py",
    "tmp/x.py",
    "a.tmp",
    "deep/b.bak",
    "c~",
    ".venv/lib/x.py",
    "fixtures/gen/x.py",
]
COUNTING = ["deep/tmp/x.py", "scratch/x.py", "old.bak/x.py", "x.tmpl", ".scratchy", "gen/x.py"]


@pytest.mark.parametrize("path", EXEMPT)
def test_exempt_paths_are_in_the_tree_but_not_relevant(ground: Ground, path: str):
    fingerprints = ground.fingerprints(exempt=("fixtures/gen",))
    before = fingerprints.take()
    ground.write(path, "one\n")
    after = fingerprints.take()
    assert after.relevant == before.relevant
    assert fingerprints.changed(before.tree, after.tree) == {path: "added"}
    assert Exempt(("fixtures/gen",)).match(path)
    ground.write(path, "two\n")
    ground.write("src/app.py", "answer = 42\n")
    assert fingerprints.take().relevant != before.relevant


@pytest.mark.parametrize("path", COUNTING)
def test_paths_that_only_look_like_it_count(ground: Ground, path: str):
    fingerprints = ground.fingerprints(exempt=("fixtures/gen",))
    before = fingerprints.take()
    ground.write(path)
    assert fingerprints.take().relevant != before.relevant
    assert not Exempt(("fixtures/gen",)).match(path)


def test_declared_globs_are_not_relevant(ground: Ground):
    fingerprints = ground.fingerprints(irrelevant=("docs/", "*.md", "!src/*.md"))
    before = fingerprints.take()
    assert before.relevant != before.tree
    for path in ("docs/page.py", "README.md", "deep/note.md"):
        ground.write(path, "other\n")
        assert fingerprints.take().relevant == before.relevant
    ground.write("src/design.md")
    assert fingerprints.take().relevant != before.relevant


def test_the_first_and_the_hundredth_fingerprint_agree(ground: Ground):
    kept = ground.fingerprints(irrelevant=("docs/", "*.md"))
    for number in range(6):
        ground.write(f"docs/page{number}.txt", "x\n")
        ground.write(f"tmp/part{number}.py")
        ground.write(f"src/part{number}.py")
        if number % 2:
            (ground.root / f"docs/page{number - 1}.txt").unlink()
            (ground.root / f"tmp/part{number - 1}.py").unlink()
        fresh = ground.fingerprints(ground.base / f"harness/fresh{number}", irrelevant=("docs/", "*.md"))
        assert kept.take() == fresh.take()


def test_other_globs_give_another_answer(ground: Ground):
    plain = ground.fingerprints()
    tree = plain.take()
    assert ground.fingerprints(irrelevant=("src/",)).take().relevant != tree.relevant
    assert plain.take() == tree


NAMES = st.sampled_from(["a", "b", "tmp", "docs", "x.md", "y.bak", "node_modules", ".scratch", "z.tmp"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@pytest.mark.runs
@settings(max_examples=30)
@given(st.lists(PATHS, min_size=1, max_size=12))
def test_git_and_the_gate_agree_about_what_matters(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str]
):
    globs = ("docs/", "*.md", "!b/*.md", "a/**/x.md")
    ground = Ground(tmp_path_factory.mktemp("ground"), commit=False)
    written = []
    for path in paths:
        place = ground.root / path
        blocked = any(above.is_file() for above in place.parents) or place.is_dir()
        if not blocked:
            ground.write(path)
            written.append(path)
    fingerprints = ground.fingerprints(irrelevant=globs)
    taken = fingerprints.take()
    left = set(fingerprints.changed("", taken.relevant))
    exempt, irrelevant = Exempt(), Patterns(globs)
    assert left == {path for path in written if not exempt.match(path) and not irrelevant.match(path)}


def test_files_are_read_bounded_and_never_through_a_link_that_leaves(ground: Ground):
    (ground.base / "secret").write_text("secret\n")
    (ground.root / "out").symlink_to(ground.base)
    (ground.root / "leak").symlink_to("../secret")
    (ground.root / "inside").symlink_to("src")
    (ground.root / "loop").symlink_to("loop")
    with (ground.root / "huge").open("wb") as file:
        file.write(b"start")
        file.truncate(LARGEST + 10)
    ground.write("latin.txt", b"caf\xe9")
    files = files_of(ground.root)
    assert files.text("src/app.py") == files.text("./inside/app.py") == "answer = 41\n"
    for path in ("out/secret", "leak", "loop", "../secret", "/etc/passwd", "src", "none", "", ".", "a\0b"):
        assert files.text(path) is None
    assert len(files.text("huge") or "") == LARGEST
    assert files.text("latin.txt") == "caf\ufffd"


def test_a_folder_holds_a_file_or_does_not(ground: Ground):
    (ground.root / "empty/deeper").mkdir(parents=True)
    files = files_of(ground.root)
    assert files.holds("src") and files.holds("") and files.holds(".")
    assert not any(files.holds(folder) for folder in ("empty", "none", "..", "/etc"))
    ground.write("empty/deeper/file")
    assert files.holds("empty")
