"""What must not be committed: by name, by content, and what only looks like it."""

import subprocess
from pathlib import Path

import pytest

from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from tests.hooks.ground import Ground

TOKEN = "ghp_" + "kQzRmXvLbTnWcYdFhJpGsKrZxBtNqVaUeM12"


@pytest.fixture
def commit(ground: Ground):
    """Write files (None deletes) over a base, and ask about the commit that this would be."""
    ground.user(enabled=["prevent-secrets-commit"])

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *words],
            cwd=ground.workspace,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode(errors="surrogateescape")

    def ask(files: dict[str, str | None], base: dict[str, str] | None = None, **more):
        git("init", "-q")
        _write(ground.workspace, base or {"README": "x\n"})
        git("add", "-A", "-f")
        git("commit", "-qm", "base")
        _write(ground.workspace, files)
        git("add", "-A", "-f")
        diff = git("diff", "--cached", "-M", "-U0", *GIT_DIFF_ARGUMENTS, "HEAD")
        names = [name for name in git("diff", "--cached", "--name-only", "-z", "HEAD").split("\0") if name]
        return ground.call("before_commit", files=names, diff=diff, **more)

    return ask


def _write(root: Path, files) -> None:
    for name, text in files.items():
        file = root / name
        if text is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({".env": "A=1\n"}, ".env (env-file)"),
        ({"deploy/id_rsa": "x\n"}, "deploy/id_rsa (ssh-key)"),
        ({"credentials.json": "{}\n"}, "credentials.json (credentials)"),
        ({"my_password.txt": "x\n"}, "my_password.txt (pattern password)"),
        ({"app.py": f"import os\n\nTOKEN = '{TOKEN}'\n"}, "app.py:3 (github)"),
        ({"we ird\nname.py": f"T = '{TOKEN}'\n"}, "we ird\\nname.py:1 (github)"),
        ({"-rf.py": f"T = '{TOKEN}'\n"}, "-rf.py:1 (github)"),
        ({"data.bin": f"\0\0{TOKEN}\n"}, "data.bin:1 (github)"),
    ],
)
def test_a_secret_is_refused_with_its_place_and_never_repeated(commit, files, found):
    verdict = commit(files)
    assert verdict.by == "prevent-secrets-commit" and found in verdict.blocked
    assert TOKEN not in verdict.blocked and TOKEN[8:] not in verdict.blocked


@pytest.mark.parametrize(
    ("base", "files"),
    [
        (None, {"app.py": "x = 1\n"}),
        (None, {"password_reset.py": "def reset(): ...\n"}),
        (None, {"src/secret_santa.ts": "export {}\n"}),
        (None, {".env.example": "TOKEN=\n"}),
        (None, {"docs/api_key.md": "How to get a key\n"}),
        ({".env": "A=1\n", "b": "x\n"}, {".env": None}),
        ({"app.py": f"T = '{TOKEN}'\n"}, {"app.py": "import os\nT = os.environ['T']\n"}),
        ({"app.py": f"a = 1\nT = '{TOKEN}'\n"}, {"app.py": f"a = 2\nT = '{TOKEN}'\n"}),
    ],
)
def test_what_holds_no_new_secret_may_be_committed(commit, base, files):
    assert commit(files, base).blocked == ""


def test_a_file_renamed_to_a_secrets_name_is_refused(commit):
    text = "".join(f"line {n}\n" for n in range(30))
    assert "id_ed25519" in commit({"a.txt": None, "id_ed25519": text}, {"a.txt": text, "b": "x"}).blocked


def test_patterns_of_the_user_count(ground: Ground, commit):
    ground.env["DONEWHEN_GUARDRAILS__SECRET_PATTERNS"] = '["^customers"]'
    assert "customers.csv (pattern ^customers)" in commit({"customers.csv": "a,b\n"}).blocked


def test_many_findings_are_counted_not_listed(commit):
    verdict = commit({f"f{n}.py": f"T = '{TOKEN[:-2]}{n:02}'\n" for n in range(15)})
    assert verdict.blocked.count("(github)") == 10 and "and 5 more" in verdict.blocked


def test_what_the_gate_let_pass_is_not_refused_here(commit):
    files = {"app.py": f"A = '{TOKEN}'\nB = '{TOKEN[:-2]}zz'\n"}
    assert "app.py:1" not in (said := commit(files, allowed=[["app.py", 1]]).blocked) and "app.py:2" in said


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"files": ["a"]},
        {"diff": ""},
        {"files": "a", "diff": ""},
        {"files": [1], "diff": ""},
        {"files": [], "diff": None},
    ],
)
def test_a_commit_that_is_not_shown_is_refused(ground: Ground, data):
    ground.user(enabled=["prevent-secrets-commit"])
    assert "not shown what would be committed" in ground.call("before_commit", **data).blocked


def test_a_part_of_a_diff_that_cannot_be_read_is_refused(ground: Ground):
    ground.user(enabled=["prevent-secrets-commit"])
    diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ nonsense @@\n+a\n"
    assert "x (it can't be read" in ground.call("before_commit", files=["x"], diff=diff).blocked


def test_an_empty_commit_passes(ground: Ground):
    ground.user(enabled=["prevent-secrets-commit"])
    assert ground.call("before_commit", files=[], diff="").blocked == ""
