"""Full outputs, patches and reports: files named by the digest of their content.

Text is redacted before it is kept, so the digest is that of what may be shown. A file that no longer
matches its name is refused, never used. Putting content makes it young; only old files are ever discarded,
so what was put for an event that is about to be written stays.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import write_whole
from donewhen.core.errors import SetupError
from donewhen.secrets.redact import Redactor
from donewhen.store.faults import mapped

GRACE_SECONDS = 3600.0  # an artifact is put before the event that names it
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Stored(NamedTuple):
    digest: str
    size: int
    age: float  # seconds since it was last put


def is_digest(text: str) -> bool:
    return _DIGEST.fullmatch(text) is not None


def _encoding(data: bytes) -> tuple[str, str]:
    """How to read bytes as text: UTF-16 shows by its mark, or by a NUL at every other place."""
    head = data[:4096]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        little = head.startswith(b"\xff")
    elif len(head) >= 16 and max(head[::2].count(0), head[1::2].count(0)) > len(head) * 0.35:
        little = head[1::2].count(0) > head[::2].count(0)
    else:
        return "utf-8", "surrogateescape"
    return ("utf-16-le" if little else "utf-16-be"), "surrogatepass"


class Artifacts:
    def __init__(self, folder: Path, redactor: Redactor | None = None) -> None:
        self.folder = folder
        self._redactor = redactor or Redactor()

    def put(self, data: bytes) -> str:
        """Keep `data` and return its digest; the same content is kept once."""
        return self.put_clean(self._redact(data))

    def put_clean(self, data: bytes) -> str:
        """Keep bytes that were redacted before (an import, where the digest is already known)."""
        digest = sha256(data).hexdigest()
        path = self._path(digest)
        with mapped(path):
            try:
                os.utime(path)  # young again: nobody discards it until an event refers to it
                whole = path.is_file() and path.read_bytes() == data
            except FileNotFoundError:
                whole = False
            if not whole:
                write_whole(path, data)
        return digest

    def get(self, digest: str) -> bytes:
        path = self._path(digest)
        with mapped(path):
            if not path.exists():
                raise SetupError("store.no_artifact", digest=digest, path=self.folder)
            if not path.is_file():
                raise SetupError("store.bad_artifact", digest=digest, path=self.folder)
            data = path.read_bytes()
        if sha256(data).hexdigest() != digest:
            raise SetupError("store.bad_artifact", digest=digest, path=self.folder)
        return data

    def has(self, digest: str) -> bool:
        return is_digest(digest) and self._path(digest).exists()

    def discard(self, digest: str) -> bool:
        """Remove an old file; one that was put meanwhile comes back."""
        path = self._path(digest)
        aside = path.with_name(f".new-{digest}")
        try:
            path.rename(aside)
        except FileNotFoundError:
            return False
        if time.time() - aside.stat().st_mtime <= GRACE_SECONDS:
            aside.rename(path)
            return False
        aside.unlink()
        return True

    def all(self) -> Iterator[Stored]:
        now = time.time()
        for path in sorted(self.folder.glob("??/*")):
            digest = path.parent.name + path.name
            if is_digest(digest):
                with suppress(FileNotFoundError):  # another process may be cleaning up too
                    stat = path.stat()
                    yield Stored(digest, stat.st_size, now - stat.st_mtime)

    def sweep(self) -> None:
        """Remove half-written files that a killed process left."""
        for path in self.folder.glob("??/.new-*"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > GRACE_SECONDS:
                    path.unlink()

    def _redact(self, data: bytes) -> bytes:
        encoding, errors = _encoding(data)
        try:
            text = data.decode(encoding, errors)
        except UnicodeDecodeError:  # it only looked like UTF-16
            encoding, errors = "utf-8", "surrogateescape"
            text = data.decode(encoding, errors)
        clean = self._redactor.text(text)
        return data if clean == text else clean.encode(encoding, errors)

    def _path(self, digest: str) -> Path:
        if not is_digest(digest):
            raise SetupError("store.no_artifact", digest=digest[:80], path=self.folder)
        return self.folder / digest[:2] / digest[2:]
