"""Projects in which everything that the messages claim is true, or nothing; and logs as the clients write them."""

import json
import os
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.projects import BUG, UNITTEST, git, repository, write

ROOT = Path(__file__).parents[3]
SINCE, AT = "2026-11-01T10:00:00.000Z", "2099-11-01T10:05:00.000Z"  # after all that tests write
CHECK = """\
if [ -e broken ]; then echo "$1: 3 problems"; exit 1; fi
echo "$1: fine"
"""
MAKEFILE = """\
lint:
\tsh check.sh lint ruff eslint mypy npm

build:
\tsh check.sh build npm

test:
\t@: pytest npm
\tpython3 -m unittest
"""
PROJECT = {
    **UNITTEST,
    "Makefile": MAKEFILE,
    "check.sh": CHECK,
    "requirements.txt": "\n",
    "package.json": "{}\n",
    "pyproject.toml": '[project]\nname = "cart"\nversion = "1"\n',
    ".gitignore": ".env\n__pycache__/\n",
    ".env": "OTHER=1\n",
}


class Row(NamedTuple):
    text: str
    claims: tuple[str, ...]
    part: str

    def claimed(self, kind: str) -> list[tuple[str, str]]:
        """Subject and place of what is claimed of this kind."""
        found = [claim.partition(":")[2] for claim in self.claims if claim.partition(":")[0] == kind]
        return [(subject, place) for subject, _, place in (each.partition("@") for each in found)]

    @property
    def plain(self) -> set[str]:
        """What can be false."""
        return {claim for claim in self.claims if not claim.endswith("?")}


def rows(port: int = 8123) -> list[Row]:
    data = yaml.safe_load((ROOT / "tests" / "data" / "agent_messages.yml").read_text(encoding="utf-8"))
    return [
        Row(
            each["text"].replace("{port}", str(port)),
            tuple(claim.replace("{port}", str(port)) for claim in each.get("claims", ())),
            part,
        )
        for part, listed in data.items()
        for each in listed
    ]


def world(folder: Path, row: Row, *, true: bool) -> Path:
    """A repository in which all that a message claims is true, or nothing of it."""
    repo = repository(folder / "repo", {k: v for k, v in PROJECT.items() if k != ".env"})
    write(repo, {".env": PROJECT[".env"]})
    bare = folder / "origin.git"
    git(folder, "clone", "-q", "--bare", str(repo), str(bare))
    git(repo, "remote", "add", "origin", str(bare))
    git(repo, "fetch", "-q", "origin")
    if true:
        write(repo, {path: "made\n" for path, _ in row.claimed("made") if not path.startswith("/")})
        for key, place in row.claimed("key"):
            _add(repo / place, f"{key}=abc123\n")
        for name, place in row.claimed("dependency"):
            _add(
                repo / (place or "requirements.txt"), f"# {name}\n" if "json" not in place else f'"{name}"\n'
            )
        _commit(repo, "2026-11-01T10:03:00Z")
        git(repo, "push", "-q", "origin", "main")
        return repo
    write(repo, {path: "there\n" for path, _ in row.claimed("deleted")})
    _commit(repo, "2026-10-01T10:00:00Z")
    write(repo, {"cart.py": BUG, "broken": "yes\n"})
    return repo


def _add(path: Path, text: str) -> None:
    path.write_text((path.read_text() if path.exists() else "") + text)


def _commit(repo: Path, date: str) -> None:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", "Work", GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)


# -- logs ----------------------------------------------------------------------------------------------


def jsonl(path: Path, records: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records))
    return path


def claude_log(home: Path, repo: Path, text: str, name: str = "one") -> Path:
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(repo))
    every = {"isSidechain": False, "cwd": str(repo), "sessionId": name, "version": "2.1.325"}
    return jsonl(
        folder / f"{name}.jsonl",
        [
            {"type": "queue-operation", "operation": "enqueue", "timestamp": SINCE, "sessionId": name},
            {**every, "type": "user", "message": {"role": "user", "content": "Go on."}, "timestamp": SINCE},
            {
                **every,
                "type": "assistant",
                "timestamp": AT,
                "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
            },
            {"type": "last-prompt", "lastPrompt": "Go on.", "sessionId": name},
        ],
    )


def codex_log(home: Path, repo: Path, text: str) -> Path:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    meta = {"id": "one", "cwd": str(repo), "cli_version": "0.166.0", "source": "exec"}
    ended = {"type": "task_complete", "last_agent_message": text}
    return jsonl(
        home / ".codex" / "sessions" / "2026" / "11" / "01" / "rollout-2026-11-01T10-00-00-one.jsonl",
        [
            {"timestamp": SINCE, "type": "session_meta", "payload": meta},
            {"timestamp": AT, "type": "response_item", "payload": said},
            {"timestamp": AT, "type": "event_msg", "payload": ended},
        ],
    )


def gemini_log(home: Path, repo: Path, text: str) -> Path:
    folder = home / ".gemini" / "tmp" / sha256(str(repo).encode()).hexdigest()
    return jsonl(
        folder / "chats" / "session-2026-11-01T10-00-one.jsonl",
        [
            {"sessionId": "one", "startTime": SINCE, "kind": "main"},
            {"type": "user", "timestamp": SINCE, "content": [{"text": "Go on."}]},
            {"type": "gemini", "timestamp": AT, "content": text, "thoughts": []},
            {"$set": {"lastUpdated": AT}},
        ],
    )


def gemini_document(home: Path, repo: Path, text: str) -> Path:
    """As earlier versions wrote them: one document, in a folder whose project is said beside it."""
    folder = home / ".gemini" / "tmp" / "cart"
    path = folder / "chats" / "session-2026-11-01T10-00-one.json"
    path.parent.mkdir(parents=True)
    (folder / ".project_root").write_text(str(repo))
    said = [{"type": "user", "content": "Go on."}, {"type": "gemini", "timestamp": AT, "content": text}]
    path.write_text(json.dumps({"sessionId": "one", "startTime": SINCE, "messages": said}, indent=2))
    return path


def opencode_log(home: Path, repo: Path, text: str) -> Path:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as store:
        store.executescript(
            "create table session (id, parent_id, directory, time_created, time_updated);"
            "create table message (id, session_id, time_created, data);"
            "create table part (id, message_id, session_id, time_created, data);"
        )
        store.execute("insert into session values ('s', null, ?, 1793527200000, 1793527500000)", (str(repo),))
        store.execute("insert into message values ('m', 's', 1, ?)", (json.dumps({"role": "assistant"}),))
        said = json.dumps({"type": "text", "text": text})
        store.execute("insert into part values ('p', 'm', 's', 1, ?)", (said,))
    store.close()
    return path


def opencode_storage(home: Path, repo: Path, text: str) -> Path:
    """As earlier versions wrote them: a file for each session, message and part."""
    storage = home / ".local" / "share" / "opencode" / "storage"
    times = {"created": 1793527200000, "updated": 1793527500000}
    path = storage / "session" / "project" / "ses_one.json"
    write(
        storage,
        {
            "session/project/ses_one.json": json.dumps(
                {"id": "ses_one", "directory": str(repo), "time": times}
            ),
            "message/ses_one/msg_1.json": json.dumps({"id": "msg_1", "role": "assistant"}),
            "part/msg_1/prt_1.json": json.dumps({"type": "text", "text": text}),
        },
    )
    return path


LOGS = {
    "claude": claude_log,
    "codex": codex_log,
    "gemini": gemini_log,
    "gemini, earlier": gemini_document,
    "opencode": opencode_log,
    "opencode, earlier": opencode_storage,
}


def age(path: Path, seconds: float) -> None:
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - seconds))
