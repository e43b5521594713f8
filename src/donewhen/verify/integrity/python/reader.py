"""A Python file as a sheet: its tests, marks and branches. Reads any bytes; what it can't read it says."""

from donewhen.core.integrity.model import Mark, Role, Sheet, Test, Trouble
from donewhen.core.texts import Phrase
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python.branches import branches
from donewhen.verify.integrity.python.decoding import decode
from donewhen.verify.integrity.python.doctests import doctests
from donewhen.verify.integrity.python.marks_detection import detection_marks
from donewhen.verify.integrity.python.marks_exits import exit_marks
from donewhen.verify.integrity.python.marks_hooks import hook_marks
from donewhen.verify.integrity.python.marks_misc import misc_marks
from donewhen.verify.integrity.python.marks_pytest import pytest_marks
from donewhen.verify.integrity.python.page import Page
from donewhen.verify.integrity.python.restating import first_error, restated
from donewhen.verify.integrity.python.scripts import script_marks, script_tests
from donewhen.verify.integrity.python.testing import Tester
from donewhen.verify.integrity.python.tree import Light, grow

_LARGE = 40_000  # bytes; broken files are not read beyond
_MOST_TROUBLES = 5  # of one kind; more say nothing new


def read(path: str, data: bytes, role: Role) -> Sheet:
    """What the Python file says about the exam."""
    decoded = decode(data)
    light, lines = _grown(decoded.data)
    troubles = _troubles(decoded.wrong, lines, light)
    try:
        return _sheet(Page(path, role, decoded.data, light), troubles)
    finally:
        light.fell()


def _grown(data: bytes) -> tuple[Light, tuple[int, ...]]:
    """The tree, and the lines where it was guessed although nobody could have read them."""
    lost: tuple[int, ...] = ()
    if len(data) > _LARGE and (line := first_error(data)):
        # guessing takes the square of the time that reading does
        data, lost = data[: data.rfind(b"\n", 0, _LARGE) + 1], (line,)
    tree = syntax.parse("python", data)
    light = grow(tree, data)
    lines = syntax.errors(tree)
    plain = restated(data) if lines and not lost and not light.deep else None
    again = syntax.parse("python", plain.data) if plain is not None else None
    if plain is None or again is None or syntax.errors(again):
        return light, lines or lost
    other = grow(again, plain.data)
    other.comments = light.comments
    other.moved(plain.lines)
    light.fell()
    return other, ()


def _sheet(page: Page, troubles: list[Trouble]) -> Sheet:
    tests, marks = _exam(page)
    asked = page.role in ("source", "support")
    if page.crowded:
        troubles = [*troubles, Trouble(0, Phrase("integrity.too_large", {"size": len(page.data)}))]
    return Sheet(
        page.path,
        page.role,
        "python",
        tuple(sorted(tests, key=lambda test: test.line)),
        tuple(marks),
        tuple(branches(page)) if asked else (),
        frozenset(page.literals_in(page.light.root)),
        _defines(page),
        page.flat.whole(),
        tuple(troubles),
    )


def _exam(page: Page) -> tuple[list[Test], list[Mark]]:
    """The tests that the file holds, and the marks; plain scripts count their own way."""
    tests = Tester(page).tests()
    if page.role not in ("test", "support", "config"):
        tests = [test for test in tests if "." in test.name or test.asserts]
    scripted: list[Test] = []
    if not tests and page.role in ("test", "config"):
        scripted = script_tests(page)
    ends = script_marks(page, scripted) if scripted else exit_marks(page, bool(tests))
    hard = exit_marks(page, False) if scripted else []
    marks = [*ends, *(mark for mark in hard if "_exit" in mark.text), *hook_marks(page), *pytest_marks(page)]
    marks += [*detection_marks(page), *misc_marks(page)]
    return [*tests, *scripted, *doctests(page)], sorted(dict.fromkeys(marks), key=lambda mark: mark.line)


def _defines(page: Page) -> frozenset[str]:
    names: set[str] = set(page.module.values)
    for function in page.outline.functions:
        if not function.in_function:
            names.update((function.name, function.qual))
    for each in page.outline.classes:
        names.update((each.name, each.qual))
    return frozenset(names)


def _troubles(wrong: str, lines: tuple[int, ...], light: Light) -> list[Trouble]:
    out = [Trouble(1, Phrase("integrity.encoding", {"encoding": wrong}))] if wrong else []
    out.extend(
        Trouble(line, Phrase("integrity.syntax", {"line": line, "language": "Python"}))
        for line in lines[:_MOST_TROUBLES]
    )
    out.extend(Trouble(line, Phrase("integrity.too_deep")) for line in sorted(set(light.deep))[:1])
    return out
