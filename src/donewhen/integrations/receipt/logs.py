"""The last message of an agent, from the logs that Claude Code, Codex, Gemini CLI and opencode keep on disk.

Only read, from the end and never more than a part of it. Lines that are half written, too long or of an
unknown form are passed over: a log says something, or nothing.
"""

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.errors import SetupError, UserError

NAMES = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "opencode": "opencode"}
_END, _START = 16 * 2**20, 2**20  # bytes of a log that are read, from its end and its start
_LONGEST = 4 * 2**20  # characters of one line
_LOGS = 300  # of one client that are looked at, newest first
_WHOLE = 64 * 2**20  # bytes of a log that is one JSON document


class Message(NamedTuple):
    """What an agent said last in a conversation."""

    text: str
    client: str = ""  # empty: given by hand
    log: str = ""
    folder: str = ""  # where the agent worked
    at: float = 0.0  # when it was said; 0: unknown
    since: float = 0.0  # when the conversation began


def newest_message(root: Path, env: Mapping[str, str]) -> Message:
    """The one of the newest conversation about this folder, whoever's it is."""
    found: list[Message] = []
    unread: list[Path] = []
    for client, logs in _CLIENTS.items():
        for path in islice(logs(_home(client, env), root), _LOGS):
            message = _read(client, path, root)
            if message is None:
                continue
            if message.text:
                found.append(message)
                break
            unread.append(path)
    if found:
        return max(found, key=lambda message: message.at)
    if unread:
        raise SetupError("receipt.unreadable", path=unread[0])
    raise SetupError("receipt.no_logs", folder=root)


def message_in(path: Path, root: Path) -> Message:
    """The last one in a log that somebody names."""
    if not path.is_file():
        raise UserError("receipt.no_such_log", path=path)
    for client in NAMES:
        message = _read(client, path, None)
        if message is not None and message.text:
            if message.folder and not _is_about(message.folder, root):
                raise UserError("receipt.other_folder", path=path, folder=message.folder)
            return message
    raise SetupError("receipt.unreadable", path=path)


# -- where they are ------------------------------------------------------------------------------------


def _home(client: str, env: Mapping[str, str]) -> Path:
    home = Path(env.get("HOME") or Path.home())
    if client == "claude":
        return Path(env.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    if client == "codex":
        return Path(env.get("CODEX_HOME") or home / ".codex") / "sessions"
    if client == "gemini":
        return Path(env.get("GEMINI_CLI_HOME") or home) / ".gemini" / "tmp"
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"


def _claude_logs(home: Path, root: Path) -> Iterator[Path]:
    """Its folders are called by the path of the project; very long names are cut."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))[:200]
    yield from _newest(
        path for folder in _listed(home) if folder.name.startswith(slug) for path in _listed(folder)
    )


def _codex_logs(home: Path, root: Path) -> Iterator[Path]:
    """By year, month and day; a conversation of an earlier day may go on today."""
    yield from _newest(path for path in home.glob("*/*/*/rollout-*.jsonl"))


def _gemini_logs(home: Path, root: Path) -> Iterator[Path]:
    own = [folder for folder in _listed(home) if _is_gemini_folder(folder, root)]
    yield from _newest(path for folder in own for path in _listed(folder / "chats"))


def _is_gemini_folder(folder: Path, root: Path) -> bool:
    with suppress(OSError):
        return _is_about((folder / ".project_root").read_text(errors="replace").strip(), root)
    return folder.name in (sha256(str(root).encode()).hexdigest(), root.name)


def _opencode_logs(home: Path, root: Path) -> Iterator[Path]:
    if (home / "opencode.db").is_file():
        yield home / "opencode.db"
    yield from _newest((home / "storage" / "session").glob("*/ses_*.json"))


_CLIENTS: Mapping[str, Callable[[Path, Path], Iterator[Path]]] = {
    "claude": _claude_logs,
    "codex": _codex_logs,
    "gemini": _gemini_logs,
    "opencode": _opencode_logs,
}


def _listed(folder: Path) -> list[Path]:
    with suppress(OSError):
        return list(folder.iterdir())
    return []


def _newest(paths: Iterable[Path]) -> list[Path]:
    aged = [(_mtime(path), path) for path in paths if path.suffix in (".jsonl", ".json")]
    return [path for _, path in sorted(aged, reverse=True)]


def _mtime(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _is_about(folder: str, root: Path) -> bool:
    place = Path(os.path.realpath(folder.removeprefix("file://")))
    return place == root or root in place.parents


# -- what they say -------------------------------------------------------------------------------------


def _read(client: str, path: Path, root: Path | None) -> Message | None:
    """What a log says last, without text where nothing is understood; None: about another folder."""
    with suppress(OSError, ValueError, sqlite3.Error, RecursionError):
        if client == "opencode":
            return _of_database(path, root) if path.suffix == ".db" else _of_storage(path, root)
        fields = _FIELDS[client]
        head = [*islice(_records(_lines(path, _START)), 40)]
        folder = next((place for each in head if (place := fields.folder(each))), "")
        since = next((at for each in head if (at := _time(each))), 0.0)
        if client == "gemini" and not folder:  # it only says so beside its chats
            with suppress(OSError):
                folder = (path.parent.parent / ".project_root").read_text(errors="replace").strip()
        if root is not None and folder and not _is_about(folder, root):
            return None
        for record in _records(_lines_from_end(path)):
            text = fields.text(record)
            if text and text.strip():
                at = _time(record) or _mtime(path)
                return Message(text, client, str(path), fields.folder(record) or folder, at, since)
        return Message("", client, str(path), folder) if folder or client != "codex" else None
    return None


class _Fields(NamedTuple):
    """How one client writes a message, and the folder it works in."""

    text: Callable[[Mapping[str, Any]], str]
    folder: Callable[[Mapping[str, Any]], str]


def _claude_text(record: Mapping[str, Any]) -> str:
    if record.get("type") != "assistant" or record.get("isSidechain") or record.get("isApiErrorMessage"):
        return ""
    return _text_of(_dict(record.get("message")).get("content"))


def _codex_text(record: Mapping[str, Any]) -> str:
    payload = _dict(record.get("payload")) or record
    kind = payload.get("type")
    if kind == "task_complete":
        return _string(payload.get("last_agent_message"))
    if kind == "agent_message":
        return _string(payload.get("message"))
    if kind == "message" and payload.get("role") == "assistant":
        return _text_of(payload.get("content"))
    return ""


def _codex_folder(record: Mapping[str, Any]) -> str:
    payload = _dict(record.get("payload")) or record
    if isinstance(payload.get("source"), dict):  # of a sub-agent
        return "/dev/null"
    return _string(payload.get("cwd"))


def _gemini_text(record: Mapping[str, Any]) -> str:
    if isinstance(record.get("messages"), list):  # one document
        return next(filter(None, map(_gemini_text, map(_dict, reversed(record["messages"])))), "")
    if isinstance(record.get("$set"), dict):
        return _gemini_text(record["$set"])
    return _text_of(record.get("content")) if record.get("type") in ("gemini", "model") else ""


_FIELDS = {
    "claude": _Fields(_claude_text, lambda record: _string(record.get("cwd"))),
    "codex": _Fields(_codex_text, _codex_folder),
    "gemini": _Fields(_gemini_text, lambda _: ""),
}


def _text_of(content: Any) -> str:
    """Text, or the blocks of it."""
    if isinstance(content, str):
        return content
    blocks = [_dict(block) for block in content] if isinstance(content, list) else []
    texts = [
        block.get("text") for block in blocks if block.get("type", "text") in ("text", "output_text", "Text")
    ]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(record: Mapping[str, Any]) -> float:
    for name in ("timestamp", "startTime"):
        value = record.get(name)
        if isinstance(value, int | float):
            return value / 1000 if value > 1e11 else float(value)
        with suppress(ValueError, TypeError):
            return datetime.fromisoformat(str(value)).timestamp()
    return 0.0


def _records(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict):
                yield record


def _lines(path: Path, most: int) -> Iterator[bytes]:
    with path.open("rb") as stream:
        data = stream.read(most)
    yield from data.splitlines()


def _lines_from_end(path: Path) -> Iterator[bytes]:
    """The newest line first; a document on many lines is one."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        if path.suffix == ".json":
            stream.seek(0)
            yield stream.read(_WHOLE)
            return
        at, rest = size, b""
        while at > max(0, size - _END):
            step = min(2**18, at)
            at -= step
            stream.seek(at)
            first, *lines = (stream.read(step) + rest).split(b"\n")
            yield from (line for line in reversed(lines) if line and len(line) <= _LONGEST)
            rest = first if len(first) <= _LONGEST else b""
        if at == 0:
            yield rest


def _of_database(path: Path, root: Path | None) -> Message | None:
    """opencode since 1.2: sessions, messages and their parts are rows."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=2)) as store:
        rows = store.execute(
            "select id, directory, time_created, time_updated from session where parent_id is null"
            " order by time_updated desc limit ?",
            (_LOGS,),
        )
        for session, folder, created, updated in rows.fetchall():
            if root is not None and not _is_about(str(folder), root):
                continue
            parts = store.execute(
                "select p.data from part p join message m on m.id = p.message_id where p.session_id = ?"
                " and json_extract(m.data, '$.role') = 'assistant'"
                " and json_extract(p.data, '$.type') = 'text'"
                " and length(p.data) < ? order by p.time_created desc, p.id desc limit 1",
                (session, _LONGEST),
            ).fetchall()
            text = _string(_dict(json.loads(parts[0][0])).get("text")) if parts else ""
            return Message(text, "opencode", str(path), str(folder), updated / 1000, created / 1000)
    return None


def _of_storage(path: Path, root: Path | None) -> Message | None:
    """opencode before that: files."""
    session = next(_records(_lines_from_end(path)), {})
    folder, times = _string(session.get("directory")), _dict(session.get("time"))
    if session.get("parentID") or not folder or (root is not None and not _is_about(folder, root)):
        return None
    storage = path.parents[2]
    at = float(times.get("updated", 0)) / 1000 or _mtime(path)
    since = float(times.get("created", 0)) / 1000
    said = list(_newest((storage / "message" / path.stem).glob("msg_*.json")))
    for message in sorted(said, key=lambda each: each.name, reverse=True):
        if next(_records(_lines_from_end(message)), {}).get("role") != "assistant":
            continue
        parts = sorted((storage / "part" / message.stem).glob("prt_*.json"))
        texts = [next(_records(_lines_from_end(part)), {}) for part in parts]
        text = "\n\n".join(_string(each.get("text")) for each in texts if each.get("type") == "text")
        if text.strip():
            return Message(text, "opencode", str(path), folder, at, since)
    return Message("", "opencode", str(path), folder, at, since)
