"""`donewhen receipt` as a user calls it: logs of four clients, each kind of claim, and bad input."""

import json
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.helpers import Cli, Result
from tests.integrations.receipt.worlds import AT, LOGS, SINCE, age, claude_log, codex_log, jsonl
from tests.projects import BUG, UNITTEST, git, repository, write

GATES = False
SAID = "I created `docs/usage.md`."


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def lines(done: Result) -> list[tuple[str, str]]:
    return [(line["mark"], line["kind"]) for line in done.json["claims"]]


def said(cli: Cli, repo: Path, text: str) -> Result:
    return cli("receipt", "--json", "-", stdin=text.encode(), cwd=repo)


# -- where messages come from --------------------------------------------------------------------------


@pytest.mark.parametrize("client", LOGS)
def test_the_last_message_of_each_client(client: str, cli: Cli, repo: Path, home: Path) -> None:
    log = LOGS[client](home, repo, SAID)
    done = cli("receipt", "--json", cwd=repo, HOME=str(home))
    assert (done.exit, lines(done)) == (1, [("✗", "made")])
    assert (done.json["client"], done.json["log"]) == (client.partition(",")[0], str(log))
    write(repo, {"docs/usage.md": "Usage\n"})
    assert cli("receipt", cwd=repo, HOME=str(home)).exit == 0


@pytest.mark.runs
def test_watching_gives_a_receipt_for_each_new_message(cli: Cli, repo: Path, home: Path) -> None:
    claude_log(home, repo, SAID)
    watching = subprocess.Popen(
        [sys.executable, "-m", "donewhen", "receipt", "--watch", "-q"],
        cwd=repo,
        env=cli.env | {"HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert watching.stdout is not None
        assert watching.stdout.readline().startswith("✗ docs/usage.md was made")
        assert "I created" in watching.stdout.readline()
        claude_log(home, repo, "I deleted `old.py`.")
        assert watching.stdout.readline().startswith("✓ old.py was deleted")
        watching.send_signal(signal.SIGINT)
        assert watching.wait() == 130
    finally:
        watching.kill()
        watching.wait()


def test_a_log_by_its_path_and_from_a_folder_below(cli: Cli, repo: Path, home: Path) -> None:
    log = codex_log(home, repo, SAID)
    (repo / "sub").mkdir()
    assert cli("receipt", str(log), cwd=repo / "sub").exit == 1
    assert cli("receipt", cwd=repo / "sub", HOME=str(home)).exit == 1


def test_the_newest_conversation_counts(cli: Cli, repo: Path, home: Path) -> None:
    claude_log(home, repo, SAID)
    old = claude_log(home, repo, "What should I do next?", name="old")
    old.write_text(old.read_text().replace(AT, "2026-10-01T10:05:00Z"))
    age(old, 3600)
    assert lines(cli("receipt", "--json", cwd=repo, HOME=str(home))) == [("✗", "made")]


@pytest.mark.runs
def test_other_homes_of_clients(cli: Cli, repo: Path, home: Path) -> None:
    claude_log(home, repo, SAID)
    assert cli("receipt", cwd=repo, HOME=str(home / "x")).exit == 5
    assert cli("receipt", cwd=repo, CLAUDE_CONFIG_DIR=str(home / ".claude")).exit == 1


# -- bad input: one sentence, no accusation ------------------------------------------------------------


def one_sentence(done: Result, exit: int, words: str) -> None:
    assert (done.exit, done.out) == (exit, ""), done
    assert words in done.err and done.err.count("\n") == 1, done


def test_no_logs(cli: Cli, repo: Path, home: Path) -> None:
    one_sentence(cli("receipt", cwd=repo, HOME=str(home)), 5, "no conversation of Claude Code")


def test_a_log_of_another_folder(cli: Cli, repo: Path, home: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"a.py": "\n"})
    log = claude_log(home, other, SAID)
    one_sentence(cli("receipt", cwd=repo, HOME=str(home)), 5, "no conversation")
    one_sentence(cli("receipt", str(log), cwd=repo), 2, str(other))


def test_a_log_of_a_newer_client(cli: Cli, repo: Path, home: Path) -> None:
    log = claude_log(home, repo, SAID)
    jsonl(log, [{"kind": "turn", "who": "agent", "words": SAID}, {"v": 9}])
    one_sentence(cli("receipt", cwd=repo, HOME=str(home)), 5, "no message of an agent")
    one_sentence(cli("receipt", str(log), cwd=repo), 5, "no message of an agent")


def test_half_written_lines_are_passed_over(cli: Cli, repo: Path, home: Path) -> None:
    log = claude_log(home, repo, SAID)
    whole = log.read_bytes()
    log.write_bytes(
        b'{"half\n\xff\xfe\n[1]\n"text"\n' + whole + b'{"type": "assistant", "message": {"content": [{"te'
    )
    assert lines(cli("receipt", "--json", cwd=repo, HOME=str(home))) == [("✗", "made")]
    for client, write_log in LOGS.items():
        cut = write_log(home / client, repo, SAID)
        cut.write_bytes(cut.read_bytes()[:-40])
        assert cli("receipt", str(cut), cwd=repo).exit in (1, 5)


@pytest.mark.runs
def test_a_huge_log_is_read_from_its_end(cli: Cli, repo: Path, home: Path) -> None:
    log = claude_log(home, repo, SAID)
    last = log.read_bytes()
    with log.open("wb") as stream:  # sparse: 200 MB that take no room
        stream.write(last.splitlines(keepends=True)[1])
        stream.truncate(200 * 2**20)
        stream.seek(0, 2)
        stream.write(b"\n" + last)
    assert lines(cli("receipt", "--json", cwd=repo, HOME=str(home))) == [("✗", "made")]


def test_other_languages_and_plain_questions_claim_nothing(cli: Cli, repo: Path) -> None:
    for text in ("Alle Tests sind grün.", "Shall I commit this?", "/clear", "Tests should pass now."):
        done = cli("receipt", "-", stdin=text.encode(), cwd=repo)
        assert (done.exit, done.out.splitlines()[-1]) == (0, "nothing was claimed that can be checked"), text


def test_bad_usage(cli: Cli, repo: Path) -> None:
    one_sentence(cli("receipt", "-", stdin=b" \n", cwd=repo), 2, "empty")
    one_sentence(cli("receipt", "nowhere.jsonl", cwd=repo), 2, "nowhere.jsonl")
    one_sentence(cli("receipt", "--watch", "-", cwd=repo), 2, "--watch")


# -- each kind of claim --------------------------------------------------------------------------------


def test_tests_that_pass_and_that_fail(cli: Cli, repo: Path) -> None:
    done = cli("receipt", "-", stdin=b"All tests pass.", cwd=repo)
    assert (done.exit, done.out.splitlines()) == (
        0,
        ["the message that you gave", "✓ tests pass  python -m unittest: 1 test passed"],
    )
    write(repo, {"cart.py": BUG})
    done = cli("receipt", "-", stdin=b"All tests pass.", cwd=repo)
    assert done.exit == 1
    assert "✗ tests pass  python -m unittest: 1 failing: test_adds_up" in done.out
    assert said(cli, repo, "The new parser tests pass.").exit == 0  # of a part nobody knows


def test_a_failure_for_want_of_the_surroundings_is_no_lie(cli: Cli, repo: Path) -> None:
    write(
        repo,
        {
            "cart.py": "import os\nHOST = os.environ['DATABASE_HOST']\n\n\ndef total(prices):\n    return sum(prices)\n"
        },
    )
    done = said(cli, repo, "All tests pass.")
    assert (done.exit, lines(done)) == (0, [("⚠", "tests")])


def test_no_command_of_a_message_is_run(cli: Cli, repo: Path) -> None:
    done = said(
        cli, repo, "`make lint` passes. `npm run build` succeeds. `touch owned` passes. All tests pass."
    )
    assert (done.exit, lines(done)) == (0, [("⚠", "lint"), ("⚠", "build"), ("✓", "tests")])
    assert not (repo / "owned").exists()
    write(repo, {"Makefile": "lint:\n\tfalse\n"})
    done = said(cli, repo, "`make lint` passes.")
    assert (done.exit, lines(done)) == (1, [("✗", "lint")])
    assert lines(said(cli, repo, "`ruff check` passes.")) == [("⚠", "lint")]  # not what `make lint` runs


def test_files(cli: Cli, repo: Path) -> None:
    text = "I created `a/b.py` and deleted `cart.py`. I wrote the notes to `/etc/notes.md`."
    assert lines(said(cli, repo, text)) == [("✗", "made"), ("✗", "deleted"), ("⚠", "made")]
    (repo / "cart.py").unlink()
    write(repo, {"src/a/b.py": "\n"})  # said from a folder below
    assert lines(said(cli, repo, text)) == [("✓", "made"), ("✓", "deleted"), ("⚠", "made")]


def test_commits_and_pushes(cli: Cli, repo: Path, home: Path, tmp_path: Path) -> None:
    claude_log(home, repo, "I committed the change and pushed it to origin.")

    def found() -> list[tuple[str, str]]:
        return lines(cli("receipt", "--json", cwd=repo, HOME=str(home)))

    write(repo, {"cart.py": BUG})
    assert found() == [("✗", "committed"), ("✗", "pushed")]
    bare = tmp_path / "origin.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    git(repo, "remote", "add", "origin", str(bare))
    git(repo, "commit", "-qam", "Bug", GIT_COMMITTER_DATE=SINCE)
    assert found() == [("✓", "committed"), ("✗", "pushed")]
    git(repo, "config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    assert found() == [("✓", "committed"), ("⚠", "pushed")]  # what it pushed elsewhere would not show here
    git(repo, "push", "-q", "origin", "main")
    assert found() == [("✓", "committed"), ("✓", "pushed")]


def test_a_commit_of_nobody_knows_when(cli: Cli, repo: Path) -> None:
    write(repo, {"cart.py": BUG})
    assert lines(said(cli, repo, "All changes are committed.")) == [("⚠", "committed")]


class _Server(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.runs
def test_addresses_of_this_machine(cli: Cli, repo: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    text = f"The app is running at http://localhost:{server.server_port}/x?secret=1."
    assert lines(said(cli, repo, text)) == [("✓", "answers")]
    server.shutdown()
    server.server_close()
    assert lines(said(cli, repo, text)) == [("✗", "answers")]
    assert (
        lines(said(cli, repo, "The app is running at http://203.0.113.1:80/ and https://example.org/.")) == []
    )


@pytest.mark.runs
def test_a_port_that_speaks_no_http(cli: Cli, repo: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = f"Up at http://127.0.0.1:{server.getsockname()[1]}/."
        assert lines(said(cli, repo, text)) == [("✓", "answers")]


def test_keys_are_named_and_their_values_never_shown(cli: Cli, repo: Path) -> None:
    text = "I set `STRIPE_API_KEY` in `.env`. I set `STRIPE_API_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc` there."
    assert lines(said(cli, repo, text)) == [("✗", "key")]
    for content, mark in (("STRIPE_API_KEY=\n", "⚠"), ("STRIPE_API_KEY=your-key\n", "⚠"), ("A=1\n", "✗")):
        write(repo, {".env": content})
        assert lines(said(cli, repo, text)) == [(mark, "key")], content
    write(repo, {".env": "export STRIPE_API_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc\n"})
    done = said(cli, repo, text)
    assert lines(done) == [("✓", "key")]
    assert "sk_live" not in done.out + done.err


@pytest.mark.runs
def test_dependencies(cli: Cli, repo: Path) -> None:
    write(
        repo,
        {
            "requirements.txt": "flask\nTyping_Extensions>=4\n",
            "package.json": '{"dependencies": {"zod": "3"}}',
        },
    )
    text = "Added `{}` to {}."
    for name, place, mark in (
        ("typing-extensions", "requirements.txt", "✓"),
        ("flask", "requirements.txt", "✓"),
        ("flas", "requirements.txt", "✗"),
        ("zod", "`package.json`", "✓"),
        ("react", "`package.json`", "✗"),
        ("serde", "`Cargo.toml`", "✗"),
    ):
        assert lines(said(cli, repo, text.format(name, place))) == [(mark, "dependency")], name


@pytest.mark.runs
def test_outside_of_git(cli: Cli, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    write(plain, UNITTEST)
    done = said(cli, plain, "Committed and pushed. All tests pass. I created `cart.py`.")
    assert (done.exit, {mark for mark, _ in lines(done)}) == (0, {"⚠", "✓"})


def test_tests_that_fail_once_somebody_changed_files_accuse_nobody(cli: Cli, repo: Path, home: Path) -> None:
    log = claude_log(home, repo, "All tests pass. I created `gone.py`.")
    log.write_text(log.read_text().replace(AT, "2026-11-01T10:05:00Z"))
    write(repo, {"cart.py": BUG})
    done = cli("receipt", "--json", cwd=repo, HOME=str(home))
    assert lines(done) == [("⚠", "tests"), ("✗", "made")]
    assert "cart.py" in done.json["claims"][0]["evidence"]


def test_it_needs_nothing_and_leaves_no_run_behind(cli: Cli, repo: Path) -> None:
    assert said(cli, repo, "All tests pass.").exit == 0
    assert json.loads(cli("list", "--json", cwd=repo).out)["runs"] == []
    done = cli("verify", "--json", cwd=repo)
    assert (done.exit, git(repo, "status", "--porcelain")) == (0, "")


@pytest.mark.runs
def test_in_chinese(cli: Cli, repo: Path) -> None:
    done = cli("receipt", "-", stdin="所有测试都通过了。".encode(), cwd=repo, DONEWHEN_LANGUAGE="zh")
    assert done.exit == 0 and "✓ 测试通过" in done.out
