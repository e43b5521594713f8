"""A look behind a command of a small project."""

from pathlib import Path

from donewhen.commands import parse
from donewhen.core.accept import Accept, read_accept
from donewhen.core.texts import say
from donewhen.project.behind import Behind, behind


def entry(text: str) -> Accept:
    (only,) = read_accept(text, parse)
    return only


def look(folder: Path, command: str, **files: str) -> Behind:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return behind(entry(command), folder)


def reason(found: Behind) -> str:
    phrase = found.trouble
    return say(phrase.key, "en", **phrase.values) if phrase else ""
