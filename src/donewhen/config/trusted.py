"""Which project files the user trusts: by the digest of their content and the folder they lie in.

One JSON file in the user's state folder, readable and writable by the user alone. A file that others could
have written is refused, and so is one that can't be read: trust is never assumed. The same text elsewhere is
another project and asks again.
"""

import contextlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.files import locked, read_regular, write_whole
from donewhen.config.paths import state_folder
from donewhen.config.places import Place, refuse
from donewhen.core.errors import SetupError

VERSION = 1
LARGEST = 8 * 1024 * 1024
MOST = 2000  # the oldest go first


class _Record(NamedTuple):
    """One act of trust; the list of them is in the order in which they were given."""

    digest: str
    folder: str
    files: tuple[str, ...]


def is_trusted(digest: str, *, env: Mapping[str, str], folder: Path) -> bool:
    """Whether the user trusts project files of exactly this content in this folder."""
    where = _name(folder)
    return any(known.digest == digest and known.folder == where for known in _read(_file(env)))


def trusts_any(*, env: Mapping[str, str], folder: Path) -> bool:
    """Whether the user trusts project files of some content in this folder."""
    where = _name(folder)
    return any(known.folder == where for known in _read(_file(env)))


def last_trusted(*, env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The texts that the user trusted last in this folder, by their path in it; empty when not known."""
    where = _name(folder)
    records = [known for known in _read(_file(env)) if known.folder == where]
    if not records:
        return {}
    path = _kept(env, records[-1].digest)
    found = read_regular(path, str(path), largest=LARGEST, follow=False)
    try:
        texts = json.loads(found.data) if found else {}
    except (ValueError, RecursionError):
        return {}
    whole = isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
    return texts if whole else {}


def trust(
    digest: str,
    *,
    env: Mapping[str, str],
    folder: Path,
    files: Sequence[str] = (),
    texts: Mapping[str, str] | None = None,
) -> bool:
    """Record trust; False when it was there already. `texts` are kept, so that a change can't lose them."""
    record = _Record(digest, _name(folder), tuple(files))
    if texts:
        _keep(_kept(env, digest), json.dumps(dict(texts)).encode())
    with _changing(env) as known:
        same = [old for old in known if old[:2] == record[:2]]
        for old in same:
            known.remove(old)
        known.append(record)
        del known[:-MOST]
    return not same


def untrust(*, env: Mapping[str, str], folder: Path) -> bool:
    """Forget every content that was ever trusted in this folder; False when there was none."""
    where = _name(folder)
    with _changing(env) as known:
        kept = [record for record in known if record.folder != where]
        found = len(kept) < len(known)
        known[:] = kept
    return found


def _file(env: Mapping[str, str]) -> Path:
    return state_folder(env) / "trust.json"


def _kept(env: Mapping[str, str], digest: str) -> Path:
    return state_folder(env) / "trusted" / f"{digest}.json"


def _keep(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise SetupError("config.trust_unwritable", place=str(Place(str(path))), cause=cause) from None


def _name(folder: Path) -> str:
    return os.path.realpath(folder)


def _read(path: Path) -> list[_Record]:
    found = read_regular(path, str(path), largest=LARGEST, follow=False)
    if found is None:
        return []
    if found.facts.st_uid != os.geteuid() or stat.S_IMODE(found.facts.st_mode) & 0o022:
        raise refuse("config.trust_not_yours", Place(str(path)))
    try:
        content = json.loads(found.data)
    except (ValueError, RecursionError):
        content = None
    records = _records(content)
    if records is None:
        raise refuse("config.trust_broken", Place(str(path)))
    return records


def _records(content: Any) -> list[_Record] | None:
    if not isinstance(content, dict) or content.get("version") != VERSION:
        return None
    listed = content.get("trusted")
    if not isinstance(listed, list) or not all(map(_is_whole, listed)):
        return None
    return [_Record(each["digest"], each["folder"], tuple(each["files"])) for each in listed]


def _is_whole(each: Any) -> bool:
    if not isinstance(each, dict) or not isinstance(each.get("files"), list):
        return False
    return all(isinstance(text, str) for text in (each.get("digest"), each.get("folder"), *each["files"]))


@contextlib.contextmanager
def _changing(env: Mapping[str, str]) -> Iterator[list[_Record]]:
    """The records, to be changed by the caller; written back at the end, one process at a time."""
    path = _file(env)
    try:
        with locked(path.with_suffix(".lock")):
            known = _read(path)
            before = list(known)
            yield known
            if known != before:
                listed = [record._asdict() for record in known]
                text = json.dumps({"version": VERSION, "trusted": listed}, indent=1)
                write_whole(path, text.encode() + b"\n")
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise SetupError("config.trust_unwritable", place=str(Place(str(path))), cause=cause) from None
