"""Full outputs, patches and reports: files named by the digest of their content.

Text is redacted before it is kept, so the digest is that of what may be shown. A file that no longer
matches its name is refused, never used.
"""

import os
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import write_whole
from donewhen.core.errors import SetupError
from donewhen.secrets.redact import Redactor
from donewhen.store.faults import mapped

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Stored(NamedTuple):
    digest: str
    size: int
    age: float  # seconds since it was last put


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
            if path.exists():
                os.utime(path)  # young again: gc leaves it until an event refers to it
            else:
                write_whole(path, data)
        return digest

    def get(self, digest: str) -> bytes:
        path = self._path(digest)
        with mapped(path):
            if not path.exists():
                raise SetupError("store.no_artifact", digest=digest, path=self.folder)
            data = path.read_bytes()
        if sha256(data).hexdigest() != digest:
            raise SetupError("store.bad_artifact", digest=digest, path=self.folder)
        return data

    def has(self, digest: str) -> bool:
        return _DIGEST.fullmatch(digest) is not None and self._path(digest).exists()

    def remove(self, digest: str) -> None:
        with mapped(self._path(digest)):
            self._path(digest).unlink(missing_ok=True)

    def all(self) -> Iterator[Stored]:
        now = time.time()
        for path in sorted(self.folder.glob("??/*")):
            digest = path.parent.name + path.name
            if _DIGEST.fullmatch(digest):
                stat = path.stat()
                yield Stored(digest, stat.st_size, now - stat.st_mtime)

    def _redact(self, data: bytes) -> bytes:
        text = data.decode(errors="surrogateescape")
        clean = self._redactor.text(text)
        return data if clean is text or clean == text else clean.encode(errors="surrogateescape")

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise SetupError("store.no_artifact", digest=digest[:80], path=self.folder)
        return self.folder / digest[:2] / digest[2:]
