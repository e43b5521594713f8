"""What a project says of itself, read once when a run starts.

Every name is opened from the folder above it and no link is followed, so nothing outside the workspace can
be read; pipes, devices, binary files and files whose names say that they hold a credential are passed over.
What is read is bounded and is the repository's word, never an instruction of the user's.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from donewhen.core.paths import is_ours, relative
from donewhen.secrets.names import is_secret_name

DOCUMENTS = (
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "CONVENTIONS.md",
)
LARGEST = 256 * 1024  # bytes that are read of a file
_MOST_FILES = 10
_MOST_WORDS = 2000  # of a goal that are looked at
_MOST_NAMES = 4000  # of a folder
_SHOWN_TOP = 40
_SHOWN_BELOW = 12
_NOISE = frozenset(
    (
        ".git .idea .vscode .donewhen node_modules .cache .tmp tmp build dist out target coverage .next "
        ".nuxt .turbo .parcel-cache .vite vendor bin obj __pycache__ .venv venv .mypy_cache .pytest_cache "
        ".ruff_cache .tox"
    ).split()
)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe without a writer would wait
_PATH = re.compile(
    r"(?<![/~\w.])(?:[\w.@+-]+(?:/[\w.@+-]+)*\.\w{1,12}|[\w.@+-]+(?:/[\w.@+-]+)+|[A-Z]\w+file\b)"
)

Secret = Callable[[str], bool]


class Document(NamedTuple):
    path: str
    text: str
    unread: int = 0  # bytes behind what was read


class Facts(NamedTuple):
    documents: tuple[Document, ...] = ()  # what the project tells agents
    commands: tuple[str, ...] = ()  # as they were detected: `test: npm test`
    layout: tuple[str, ...] = ()
    files: tuple[Document, ...] = ()  # that the goal names
    unread: tuple[str, ...] = ()  # named as well, and not shown


def read_facts(
    root: Path, goal: str = "", commands: Iterable[str] = (), secret: Secret | None = None
) -> Facts:
    """Of the folder `root`; `secret` tells which relative paths are never shown."""
    hidden = secret or (lambda path: is_secret_name(path) is not None)
    try:
        top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return Facts(commands=tuple(commands))
    try:
        documents = _distinct(read_document(top, name, hidden) for name in DOCUMENTS)
        named = [path for path in paths_in(goal) if _is_file(top, path)]
        read = [(path, read_document(top, path, hidden)) for path in named[:_MOST_FILES]]
        shown = {document.path for document in documents}
        return Facts(
            documents,
            tuple(commands),
            _layout(top),
            tuple(document for path, document in read if document and path not in shown),
            (*(path for path, document in read if document is None), *named[_MOST_FILES:]),
        )
    finally:
        os.close(top)


def paths_in(text: str) -> tuple[str, ...]:
    """Words of a text that could be paths of files, each once, in their order."""
    found: dict[str, None] = {}
    for number, match in enumerate(_PATH.finditer(text)):
        if number >= _MOST_WORDS:
            break
        path = relative(match.group().rstrip("."))
        if path is not None and path != "." and not is_ours(path):
            found[path] = None
    return tuple(found)


def read_document(top: int, path: str, secret: Secret) -> Document | None:
    """A text file below an open folder; None when there is none, it is no text, or may not be shown."""
    if secret(path):
        return None
    try:
        with _opened(top, path, _FILE) as handle:
            facts = os.fstat(handle)
            data = _read(handle) if stat.S_ISREG(facts.st_mode) else b"\0"
    except OSError:
        return None
    if b"\0" in data:
        return None
    unread = max(facts.st_size - len(data), 0)
    try:
        text = data.decode("utf-8", "ignore" if unread else "strict").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None
    return Document(path, text, unread)


def _read(handle: int) -> bytes:
    data = b""
    while len(data) < LARGEST and (more := os.read(handle, LARGEST - len(data))):
        data += more
    return data


def _is_file(top: int, path: str) -> bool:
    try:
        with _opened(top, path, _FILE) as handle:
            return stat.S_ISREG(os.fstat(handle).st_mode)
    except OSError:
        return False


@contextmanager
def _opened(top: int, path: str, flags: int) -> Iterator[int]:
    """A handle of what `path` names, with no link on the way; OSError as it comes."""
    *folders, last = path.split("/")
    handle = os.dup(top)
    try:
        for name in folders:
            inner = os.open(name, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        found = os.open(last, flags, dir_fd=handle)
    finally:
        os.close(handle)
    try:
        yield found
    finally:
        os.close(found)


def _distinct(found: Iterable[Document | None]) -> tuple[Document, ...]:
    """Each text once: projects keep copies of it under the names that different agents look for."""
    kept: dict[str, Document] = {}
    for document in found:
        if document is not None and document.text.strip():
            kept.setdefault(document.text.strip(), document)
    return tuple(kept.values())


def _layout(top: int) -> tuple[str, ...]:
    """The names at the root, and what is in each of its folders."""
    folders, files = _names(top)
    lines = []
    for name in folders[:_SHOWN_TOP]:
        try:
            with _opened(top, name, _FOLDER) as handle:
                inner, leaves = _names(handle)
        except OSError:
            continue
        lines.append(f"{name}/: {_some([*(f'{each}/' for each in inner), *leaves], _SHOWN_BELOW)}")
    if files:
        lines.append(_some(files, _SHOWN_TOP))
    return tuple(lines)


def _names(handle: int) -> tuple[list[str], list[str]]:
    folders: list[str] = []
    files: list[str] = []
    with os.scandir(handle) as entries:
        for number, entry in enumerate(entries):
            if number >= _MOST_NAMES:
                break
            if entry.name in _NOISE or not entry.name.isprintable():
                continue
            (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
    return sorted(folders), sorted(files)


def _some(names: Sequence[str], most: int) -> str:
    more = f", … (+{len(names) - most})" if len(names) > most else ""
    return ", ".join(names[:most]) + more
