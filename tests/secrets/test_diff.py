"""Diffs of real repositories: nothing in them derails the reader, and what can't be read is said."""

import subprocess
from pathlib import Path

import pytest

from donewhen.secrets.examples import expand
from donewhen.secrets.finding import Finding
from donewhen.secrets.scan import GIT_DIFF_ARGUMENTS, scan_diff
from tests.tables import table_test

TOKEN = expand("ghp_{w36}")
FOUND = "x = '[redacted:github]'"
SECRET = f"x = '{TOKEN}'\n"
BINARY = bytes(range(256)) + b"\n" + SECRET.encode()


def git(folder: Path, *args: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c", "core.autocrlf=false", *args]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("one\ntwo\n")
    (tmp_path / "old.bin").write_bytes(bytes(range(256)))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "base")
    return tmp_path


def staged(repo: Path, *flags: str) -> str:
    git(repo, "add", "-A")
    return git(repo, "diff", "--cached", *flags)


def unread(path: str, line: int = 0) -> Finding:
    return Finding(path, line, "unread", "")


@pytest.mark.parametrize("flags", [(), ("--binary",)])
@pytest.mark.parametrize("name", ["blob.bin", "a b and c.bin", 'q"ü\t.bin'])
def test_a_new_binary_file_is_said_to_be_unread(repo: Path, flags: tuple[str, ...], name: str):
    (repo / name).write_bytes(BINARY)
    (repo / "z.py").write_text(SECRET)
    assert scan_diff(staged(repo, *flags)) == (unread(name), Finding("z.py", 1, "github", FOUND))


@pytest.mark.parametrize("flags", [(), ("--binary",)])
def test_a_binary_file_that_goes_away_adds_nothing(repo: Path, flags: tuple[str, ...]):
    (repo / "old.bin").unlink()
    assert scan_diff(staged(repo, *flags)) == ()


@pytest.mark.parametrize("flags", [(), ("--binary",)])
def test_a_changed_binary_file_that_moved_is_named_as_it_is_now(repo: Path, flags: tuple[str, ...]):
    (repo / "old.bin").rename(repo / "new name.bin")
    with (repo / "new name.bin").open("ab") as file:
        file.write(b"more")
    assert scan_diff(staged(repo, "-M", *flags)) == (unread("new name.bin"),)


def test_with_our_arguments_git_shows_what_the_repository_would_hide(repo: Path):
    (repo / ".gitattributes").write_text("*.py binary\n*.txt diff=hide\n")
    (repo / "blob.bin").write_bytes(BINARY)
    (repo / "k.py").write_text(SECRET)
    (repo / "k.txt").write_text(SECRET)
    settings = ("diff.hide.textconv=true", "diff.noprefix=true", "color.ui=always", "diff.external=true")
    git(repo, "add", "-A")
    hiding = [word for setting in settings for word in ("-c", setting)]
    shown = git(repo, *hiding, "diff", "--cached", *GIT_DIFF_ARGUMENTS)
    assert [(f.path, f.rule) for f in scan_diff(shown)] == [
        ("blob.bin", "github"),
        ("k.py", "github"),
        ("k.txt", "github"),
    ]


@pytest.mark.parametrize(
    "message",
    [
        "@@ -1,400 +1,400 @@",
        "@@@ -1,400 -1,400 +1,400 @@@",
        "+++ b/other.py\n@@ -1,400 +1,400 @@",
        "Binary files a/x and b/x differ",
        "GIT binary patch",
    ],
)
def test_a_commit_message_that_looks_like_a_diff_hides_nothing(repo: Path, message: str):
    for number in (1, 2):
        (repo / f"k{number}.py").write_text(SECRET)
        git(repo, "add", ".")
        git(repo, "commit", "-qm", f"subject\n\n{message}\n\nmore")
    expected = (Finding("k1.py", 1, "github", FOUND), Finding("k2.py", 1, "github", FOUND))
    assert scan_diff(git(repo, "format-patch", "--stdout", "-2")) == expected
    assert scan_diff(git(repo, "log", "-p", "--reverse", "-2")) == expected


def test_a_whole_file_header_in_a_message_hides_nothing_and_is_said_to_be_unread(repo: Path):
    (repo / "k.py").write_text(SECRET)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "subject\n\n--- a/f.py\n+++ b/f.py\n@@ -1,400 +1,400 @@\n text")
    findings = scan_diff(git(repo, "format-patch", "--stdout", "-1"))
    assert [(f.path, f.rule) for f in findings] == [("f.py", "unread"), ("k.py", "github")]


def test_a_hunk_that_ends_before_its_counts_is_said_to_be_unread(repo: Path):
    (repo / "k.py").write_text(f"{SECRET}a\nb\nc\n")
    whole = staged(repo)
    assert scan_diff(whole) == (Finding("k.py", 1, "github", FOUND),)
    for lost in (1, 2):
        cut = "".join(whole.splitlines(keepends=True)[:-lost])
        expected = (Finding("k.py", 1, "github", FOUND), unread("k.py", 5 - lost))
        assert scan_diff(cut) == scan_diff(cut.rstrip("\n")) == expected


@table_test("hunk", ["@@ -0,0 +1 @@\n+a\n+b", "@@ broken @@\n+a", "@@@ -0,0 -0,0 +1 @@@\n++a"])
def test_lines_that_no_hunk_announced_are_said_to_be_unread(hunk: str):
    findings = scan_diff(f"diff --git a/k.py b/k.py\n--- /dev/null\n+++ b/k.py\n{hunk}\n")
    assert [(f.path, f.rule) for f in findings] == [("k.py", "unread")]


def test_a_merge_of_binary_files_is_said_to_be_unread(repo: Path):
    git(repo, "checkout", "-qb", "side")
    (repo / "old.bin").write_bytes(BINARY + b"side")
    git(repo, "commit", "-qam", "side")
    git(repo, "checkout", "-q", "-")
    (repo / "old.bin").write_bytes(BINARY + b"main")
    git(repo, "commit", "-qam", "main")
    subprocess.run(["git", "merge", "side"], cwd=repo, capture_output=True, check=False)
    (repo / "old.bin").write_bytes(BINARY + b"both")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "merged")
    assert scan_diff(git(repo, "show", "--cc", "HEAD")) == (unread("old.bin"),)


@table_test(
    "piece",
    [
        "Binary files a and b ",
        'diff --git "\\"',
        "@",
        "@@ -1 ",
        " and ",
        "@@ -1 +1 @@\n",
        "diff --cc x\n",
        "+++ b/x\n--- a/x\n",
    ],
)
def test_a_hostile_diff_is_read_to_its_end(piece: str):
    header = "diff --git a/k b/k\n"
    body = f"--- /dev/null\n+++ b/k.py\n@@ -0,0 +1 @@\n+{SECRET}"
    expected = ("k.py", 1, "github")
    findings = scan_diff(f'{header}{piece * 20_000} differ"\ndiff --git a/k.py b/k.py\n{body}')
    assert expected in [finding[:3] for finding in findings]
