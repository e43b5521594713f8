"""What pytest prints of its failures: a short summary with names, and a section for each with the story."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.counts.text import Lines
from donewhen.verify.reports.model import LONGEST_MESSAGE, LONGEST_NAME, MOST_FAILURES, Failure, cut
from donewhen.verify.reports.places import Place, inside, place_in

_SUMMARY = re.compile(
    r"(?P<kind>FAILED|ERROR) (?P<name>[^\s:]+\.\w+(?:::.*?)?|\S+::.*?)(?: - (?P<message>.*))?"
)
_SECTION = re.compile(r"_{2,} (?P<name>.+?) _{2,}")
_END = re.compile(r"={3,} .* ={3,}|={20,}")
_PREFIX = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) ")
_CAUSE = re.compile(r"E {2,}(?P<text>\S.*)")
_RAISED = re.compile(
    r"(?:E {3})?(?P<text>[A-Za-z_][\w.]{0,200}(?:Error|Exception|Warning|Exit|Interrupt|Failed)(?:: .*)?)"
)
_LONGEST_SECTION = 400


class _Section(NamedTuple):
    name: str
    lines: tuple[str, ...]
    error: bool

    @property
    def cause(self) -> str:
        if self.error:
            return raised(self.lines)
        return next((found["text"] for line in self.lines if (found := _CAUSE.fullmatch(line))), "")


def raised(lines: Sequence[str]) -> str:
    """What was raised at last, of a story that pytest tells: an import, or what a set-up broke off with."""
    for pattern in (_RAISED, _CAUSE):
        found = [match["text"] for line in lines if (match := pattern.fullmatch(line))]
        if found:
            return found[-1][:LONGEST_MESSAGE]
    return ""


def pytest_failures(lines: Lines, root: str) -> list[Failure]:
    sections = _sections(lines)
    named = [found for line in lines if (found := _SUMMARY.fullmatch(line))][:MOST_FAILURES]
    if not named:
        told = [section for section in sections if section.cause]
        return [_failure(each.name, "", each, each.error, root) for each in told[:MOST_FAILURES]]
    left = list(sections)
    failures = []
    for found in named:
        section = _of(found["name"], left)
        if section is not None:
            left.remove(section)
        failures.append(
            _failure(found["name"], found["message"] or "", section, found["kind"] == "ERROR", root)
        )
    return failures


def _sections(lines: Lines) -> list[_Section]:
    sections: list[_Section] = []
    name, body = "", list[str]()
    for line in (*lines, "=" * 20):
        header = _SECTION.fullmatch(line)
        if (header or _END.fullmatch(line)) and name:
            error = bool(_PREFIX.match(name))
            sections.append(_Section(_PREFIX.sub("", name), tuple(body), error))
            name = ""
        if header and line.count("_") > 6 and len(sections) < 4 * MOST_FAILURES:
            name, body = header["name"], []
        elif name and len(body) < _LONGEST_SECTION:
            body.append(line)
    return sections


def _of(name: str, sections: Sequence[_Section]) -> _Section | None:
    """The section of a test: its header has the name without the file, with points between."""
    file, _, inner = name.partition("::")
    wanted = {inner.replace("::", "."), inner.rpartition("::")[2], file}
    return next((section for section in sections if section.name in wanted), None)


def _failure(name: str, message: str, section: _Section | None, error: bool, root: str) -> Failure:
    text = "\n".join(section.lines) if section else ""
    place = place_in(text, root)
    file = inside(name.partition("::")[0], root) if "::" in name or name.endswith(".py") else ""
    place = place or Place(file, 0)
    cause = message or (section.cause if section else "")
    return Failure(
        name[:LONGEST_NAME],
        place.file,
        place.line,
        cause[:LONGEST_MESSAGE],
        cut(text),
        "error" if error else "failed",
    )
