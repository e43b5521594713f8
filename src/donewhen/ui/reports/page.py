"""The frame of a page that stands alone: no script, nothing loaded, one style whose digest the policy names.

Everything that is handed in is escaped already.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from donewhen.core.texts import Language

_LOCALES: Mapping[Language, str] = {"en": "en", "zh": "zh-CN"}


class Frame(NamedTuple):
    language: Language
    title: str
    css: str
    skip: str  # the words of the link to the main part
    contents: str
    footer: str


def framed(frame: Frame, header: Iterable[str], links: str, sections: Iterable[str]) -> str:
    """The page, with a line end."""
    lines = [
        "<!doctype html>",
        f'<html lang="{_LOCALES[frame.language]}">',
        *_head(frame),
        "<body>",
        f'<a class="skip" href="#main">{frame.skip}</a>',
        "<header>",
        *header,
        f'<nav aria-label="{frame.contents}"><ul>{links}</ul></nav>',
        "</header>",
        '<main id="main">',
        *sections,
        "</main>",
        f"<footer><p>{frame.footer}</p></footer>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _head(frame: Frame) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha256(frame.css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{frame.title}</title>"
    yield f"<style>{frame.css}</style>"
    yield "</head>"
