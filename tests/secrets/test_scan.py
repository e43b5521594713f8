"""Scanning of texts and diffs: right places, no way to silence it, and never the secret itself."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.examples import expand, filler
from donewhen.secrets.finding import Finding
from donewhen.secrets.scan import scan_diff, scan_text
from donewhen.secrets.shapes import SHAPES
from tests.tables import table_test

TOKEN = expand("ghp_{w36}")
OTHER = expand("glpat-{w20}")
FOUND = "x = '[redacted:github]'"


def git(folder: Path, *args: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c", "core.autocrlf=false", *args]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout.decode(
        errors="replace"
    )


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("".join(f"line {n}\n" for n in range(1, 21)))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "base")
    return tmp_path


def staged(repo: Path, *flags: str) -> str:
    git(repo, "add", "-A")
    return git(repo, "diff", "--cached", *flags)


def test_a_text_is_scanned_with_line_numbers():
    assert scan_text("a.py", f"one\n\nx = '{TOKEN}'\n") == (Finding("a.py", 3, "github", FOUND),)


@table_test("template", [t for shape in SHAPES for t in shape.match])
def test_no_finding_carries_the_secret(template: str):
    secret = expand(template)
    findings = scan_text("f", f"a {secret} b {secret}")
    assert findings
    assert [f for f in findings if secret in "".join(map(str, f))] == []


def test_the_same_secret_on_a_line_is_one_finding_and_on_two_lines_two():
    text = f"{TOKEN} {TOKEN}\n{TOKEN} {OTHER}\n"
    assert [(f.line, f.rule) for f in scan_text("f", text)] == [(1, "github"), (2, "github"), (2, "gitlab")]


def test_a_secret_that_only_the_library_knows_is_found_and_hidden():
    secret = filler("h", 32) + "-us" + "12"
    assert scan_text("f.py", f"mailchimp = '{secret}'") == (
        Finding("f.py", 1, "mailchimp", "mailchimp = '[redacted:mailchimp]'"),
    )


def test_a_secret_beyond_the_first_window_of_a_long_line_is_found():
    secret = filler("h", 32) + "-us" + "12"
    findings = scan_text("f.py", "x " * 5000 + secret + " y" * 5000)
    assert [(f.line, f.rule) for f in findings] == [(1, "mailchimp")]


@table_test("comment", ["pragma: allowlist secret", "nosecret", "gitleaks:allow", "noqa"])
def test_a_comment_silences_nothing(comment: str):
    text = f"# pragma: allowlist nextline secret\nx = '{TOKEN}'  # {comment}"
    assert [(f.line, f.rule) for f in scan_text("a.py", text)] == [(2, "github")]


def test_a_key_block_is_one_finding_at_its_first_line():
    body = "\n".join(filler("b", 64, n) for n in range(4))
    text = "a\n" + expand("{begin} {pk}-----\n") + body + expand("\n{end} {pk}-----\n")
    assert scan_text("k", text) == (Finding("k", 2, "pem", "[redacted:pem]"),)


def test_lock_files_ids_and_digests_give_no_findings():
    lock = "\n".join(
        f'"node_modules/p{n}": {{"version": "1.{n}.0", "integrity": "sha512-{filler("b", 86, n)}=="}},\n'
        f"p{n}==1.{n} --hash=sha256:{filler('h', 64, n)}\ncommit {filler('h', 40, n)}\n"
        f"image: r/p@sha256:{filler('h', 64, n)}"
        for n in range(200)
    )
    assert scan_text("package-lock.json", lock) == ()


def test_only_added_lines_of_a_diff_count_with_their_new_numbers(repo: Path):
    lines = (repo / "a.py").read_text().splitlines()
    lines[4:4] = ["new", f"x = '{TOKEN}'"]
    lines[15] = f"x = '{OTHER}'"
    (repo / "a.py").write_text("\n".join(lines))
    assert scan_diff(staged(repo)) == (
        Finding("a.py", 6, "github", FOUND),
        Finding("a.py", 16, "gitlab", "x = '[redacted:gitlab]'"),
    )
    git(repo, "commit", "-qm", "with")
    (repo / "a.py").write_text("line 1\n")
    assert scan_diff(staged(repo)) == ()


def test_new_files_renames_and_odd_names_are_named_as_on_disk(repo: Path):
    (repo / 'ünï cödé\t".py').write_text(f"x = '{TOKEN}'")
    (repo / "with space.py").write_text(f"\nx = '{TOKEN}'\n")
    (repo / "b").mkdir()
    (repo / "a.py").rename(repo / "b" / "moved.py")
    with (repo / "b" / "moved.py").open("a") as file:
        file.write(f"x = '{TOKEN}'\n")
    assert sorted(scan_diff(staged(repo, "-M"))) == [
        Finding("b/moved.py", 21, "github", FOUND),
        Finding("with space.py", 2, "github", FOUND),
        Finding('ünï cödé\t".py', 1, "github", FOUND),
    ]


def test_a_folder_named_like_a_prefix_keeps_its_name_without_prefixes(repo: Path):
    (repo / "b").mkdir()
    (repo / "b" / "new.py").write_text(f"x = '{TOKEN}'\n")
    expected = (Finding("b/new.py", 1, "github", FOUND),)
    assert scan_diff(staged(repo, "--no-prefix")) == scan_diff(staged(repo)) == expected


def test_windows_line_ends_are_read_right(repo: Path):
    (repo / "crlf.txt").write_bytes(f"a\r\nx = '{TOKEN}'\r\n".encode())
    assert scan_diff(staged(repo)) == (Finding("crlf.txt", 2, "github", FOUND),)


@pytest.mark.parametrize(
    "flags", [("-U0",), ("-U3",), ("--no-prefix",), ("--src-prefix=i/", "--dst-prefix=w/")]
)
def test_lines_that_look_like_headers_do_not_fool_the_reader(repo: Path, flags: tuple[str, ...]):
    tricks = [
        "++ b/other.py",
        "-- a/other.py",
        "@ -1 +1 @@",
        "diff --git a/x b/x",
        "\\ No newline",
        "+++ /dev/null",
    ]
    (repo / "t.py").write_text("\n".join([*tricks, f"x = '{TOKEN}'", *tricks]) + "\n")
    lines = (repo / "a.py").read_text().splitlines()
    (repo / "a.py").write_text("\n".join([*lines[:3], *lines[5:]]) + "\n")
    assert scan_diff(staged(repo, *flags)) == (Finding("t.py", 7, "github", FOUND),)


def test_what_a_merge_adds_is_found(repo: Path):
    git(repo, "checkout", "-qb", "side")
    (repo / "a.py").write_text("side\n")
    git(repo, "commit", "-qam", "side")
    git(repo, "checkout", "-q", "-")
    (repo / "a.py").write_text("main\n")
    git(repo, "commit", "-qam", "main")
    subprocess.run(["git", "merge", "side"], cwd=repo, capture_output=True, check=False)
    (repo / "a.py").write_text(f"main\nx = '{TOKEN}'\nside\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "merged")
    assert scan_diff(git(repo, "show", "--cc", "HEAD")) == (Finding("a.py", 2, "github", FOUND),)


def test_the_library_is_left_as_it_was_found():
    from detect_secrets.settings import get_settings

    before = get_settings().json()
    scan_text("a.py", f"x = '{TOKEN}'")
    assert get_settings().json() == before


@given(st.text(max_size=200))
def test_any_text_can_be_scanned_as_a_diff(text: str):
    assert isinstance(scan_diff(text), tuple)
    assert isinstance(scan_diff(f"+++ b/x\n@@ -0,0 +1,9 @@\n{text}"), tuple)


def test_our_own_source_and_tests_hold_nothing_that_a_scan_finds():
    root = Path(__file__).parents[2]
    files = [*root.glob("src/donewhen/secrets/*.py"), *root.glob("tests/secrets/*.py")]
    files.append(root / "benchmarks" / "redaction.py")
    found = [f for file in files if file.exists() for f in scan_text(file.name, file.read_text())]
    assert found == []
