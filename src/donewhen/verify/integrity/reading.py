"""Which reader a file goes to, and why some go to none: too large, no text, no language that we know.

What can't be read is said as a trouble of its sheet; nothing is passed over in silence.
"""

from importlib import import_module
from pathlib import PurePosixPath

from donewhen.core.integrity.model import Role, Sheet, Trouble
from donewhen.core.texts import Phrase

LARGEST = 256 * 1024  # bytes; what people write is far smaller, what is larger was generated
LANGUAGES = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "javascript",
    "tsx": "javascript",
    "mts": "javascript",
    "cts": "javascript",
    "go": "go",
    "rs": "rust",
    "java": "java",
}  # suffix → room of the reader
SOURCES = {"sh": "shellscript", "bash": "shellscript", "bats": "shellscript"}  # product code and tests alone


def read_sheet(path: str, data: bytes, role: Role) -> Sheet:
    """What the file at `path` says about the exam."""
    suffix = PurePosixPath(path).suffix[1:].lower()
    room = LANGUAGES.get(suffix) or (SOURCES.get(suffix) if role in ("source", "test") else None)
    if len(data) > LARGEST:
        return _unread(path, role, Phrase("integrity.too_large", {"size": len(data)}))
    if b"\0" in data:
        return _unread(path, role, Phrase("integrity.binary"))
    if room is None:
        return _unread(path, role, Phrase("integrity.unknown_language", {"suffix": f".{suffix}"}))
    read = import_module(f"donewhen.verify.integrity.{room}.reader").read
    sheet: Sheet = read(path, data, role)
    return sheet


def _unread(path: str, role: Role, why: Phrase) -> Sheet:
    return Sheet(path, role, troubles=(Trouble(0, why),))
