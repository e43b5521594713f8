"""What the goal's words permit of broken base tests: two cases, and running decides both.

*Gone*: the goal orders a removal, the test uses the name and fails for want of it, or was deleted and nothing
of the product that it called is left. *Edited as the goal says*: the base test, with only the stated literal
replaced, the new name for the old one, what is gone no longer imported, passes on the new code.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import NamedTuple

from donewhen.core.base_tests import Broken, test_name
from donewhen.core.texts import Phrase
from donewhen.project.roles import exam_side, role_of
from donewhen.verify.base_exam import BaseExam, no_room, run_edited
from donewhen.verify.exam_files import Sides, trees_of
from donewhen.verify.exam_run import ExamCommand
from donewhen.verify.inspecting import GitTree
from donewhen.verify.order_words import (
    Orders,
    Result,
    bare,
    is_literal,
    names_something_gone,
    plain,
    read_orders,
    tokens,
)
from donewhen.verify.permits import plain_name
from donewhen.verify.rerun import ExamContext
from donewhen.verify.test_functions import read_test_functions

_MOST_FILES = 3000  # of the product
_NAME = re.compile(r"--[A-Za-z][\w-]*|[A-Za-z_]\w*(?:[./-]\w+)*")
_DEFINED = re.compile(
    r"\b(?:def|class|function\*?|func(?:[ \t]*\([^)\n]*\))?|fn|interface|struct|enum|trait|type|static)[ \t]+"
    r"([A-Za-z_]\w*)|^(?:export[ \t]+)?(?:default[ \t]+)?(?:(?:const|let|var|val|pub)[ \t]+)?([A-Za-z_]\w*)"
    r"[ \t]*(?::[^=\n]{1,80})?=(?!=)|^[ \t]+(?:[a-z]+[ \t]+){0,3}([A-Za-z_]\w*)\([^)\n]*\)"
    r"[^;\n]{0,80}\{[ \t]*$",
    re.MULTILINE,
)
_KEYWORDS = frozenset("if for while switch catch return function def class with self this".split())
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>\S+)[ \t]+import[ \t]+(?:\([^)]*\)|[^\n]*)"
    r"|import[ \t]*\{[^}]*\}[^\n]*|(?:const|let|var)[ \t]*\{[^}]*\}[ \t]*=[ \t]*require[^\n]*"
    r"|use[ \t]+[^;]*;|import[ \t]+[^\n{]*)\n?",
    re.MULTILINE,
)
_ASSERTION = re.compile(r"^\s*(?:AssertionError|assert\b|AssertionFailed|expect)")


class Test(NamedTuple):
    """A broken test with its text at the base and as it is now."""

    broken: Broken
    path: str
    before: str
    now: str  # "" where it is gone


async def permitted_by_goal(
    context: ExamContext, commands: Sequence[ExamCommand], exam: BaseExam, sides: Sides, goal: str
) -> dict[Broken, Phrase]:
    """The broken tests that the goal permits, with a sentence for each."""
    orders = read_orders(goal)
    asked = [each for each in exam.broken if not no_room(sides, each)]
    if not asked or not (orders.removals or orders.renames or orders.results):
        return {}
    change = _Change(context, orders)
    tests = [test for each in asked if (test := change.test(each, (*sides.laid, *sides.inside))) is not None]
    gone = {test.broken: name for test in tests if (name := change.gone_for(test, exam.said))}
    edited = change.edited(tests, gone, sides)
    passing = await _passing(context, commands, sides, edited) if edited else frozenset()
    found = {}
    for each in asked:
        if each in gone:
            found[each] = Phrase("permits.removed", {"test": each.name, "name": gone[each]})
        elif not passing.isdisjoint((plain_name(each.name), plain_name(change.renamed(each.name)))):
            found[each] = Phrase("permits.edited", {"test": each.name})
    return found


async def _passing(
    context: ExamContext, commands: Sequence[ExamCommand], sides: Sides, edited: Mapping[str, bytes]
) -> frozenset[str]:
    """Tests that pass with these files of the base's exam, without the rows of their tables."""
    laid = await run_edited(context, sides, edited)
    ran = laid.commands if laid is not None else commands  # the change edits them in just this way
    cases = [case for each in ran for case in each.result.cases]
    passed = {plain_name(test_name(case)) for case in cases if case.outcome == "passed"}
    return frozenset(passed - {plain_name(test_name(case)) for case in cases if case.outcome == "failed"})


class _Change:
    """Both sides of a change, read as far as orders need it."""

    def __init__(self, context: ExamContext, orders: Orders) -> None:
        self.base, self.tree = trees_of(context)
        self.changed = context.looked.change.changed
        product = [path for path in self.changed if role_of(path) in ("source", "other")]
        self.was = "\n".join(_text(data) for data in self.base.read(product).values())
        self.now = "\n".join(_text(data) for data in self.tree.read(product).values())
        kept = {part for path in self.tree.paths() for part in _parts(path)}
        deleted = (path for path in product if self.changed[path] == "deleted")
        self.deleted = {part for path in deleted for part in _parts(path)} - kept
        self.orders = orders._replace(renames=tuple(self._real(orders.renames)))

    def _real(self, renames: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Only those that happened: words around them may have looked like names."""
        for old, new in renames:
            path = self._path(new)
            if path or "." not in old or "/" in old:
                one, other = old, new
            else:
                one, other = old.rpartition(".")[2], new.rpartition(".")[2]
            if path or (self._is_gone(one) and _count(other, self.now) > _count(other, self.was)):
                yield one, other

    def test(self, broken: Broken, laid: Iterable[str]) -> Test | None:
        """None where no reader finds its text."""
        paths = (
            [broken.file] if broken.file else [path for path in laid if role_of(path) in ("test", "source")]
        )
        texts = [(path, _function(data, broken, path)) for path, data in self.base.read(paths).items()]
        path, before = next(((path, text) for path, text in texts if text), ("", ""))
        others = [path, *(each for each in self.changed if exam_side(each) and each != path)]
        now = (_function(data, broken, each) for each, data in self.tree.read(others).items())
        return Test(broken, path, before, next(filter(None, now), "")) if before else None

    def gone_for(self, test: Test, said: str) -> str:
        """The name that a test uses and that is gone by order; "" where it fails for another reason."""
        parts = (re.split(r"[./]", name) for name in _NAME.findall(test.before))
        used: set[str] = {part for each in parts for part in (*each, ".".join(each))} - _KEYWORDS
        why, renamed = test.broken.why or said, dict(self.orders.renames)
        for name in sorted(used - renamed.keys(), key=len, reverse=True):
            if self._is_gone(name) and self.orders.names(name) and self._fails_for(name, why):
                return name
        if test.broken.now != "absent" or not self.orders.removals:
            return ""
        title = re.split(r"::| > ", plain_name(test.broken.name))[-1]
        about: list[str] = [one for one in re.findall(r"[a-z]{3,}", title.lower()) if one != "test"]
        for name in about:
            if self._is_gone(name) and self.orders.names(name):
                return name
        before, now = self._definitions
        called = used & before.keys()
        named = [name for name in called if self._names_one(name, before[name])]
        return min(named) if named and not called & now.keys() else ""

    def _is_gone(self, name: str) -> bool:
        return name in self.deleted or _count(name, self.was) > _count(name, self.now)

    def _fails_for(self, name: str, why: str) -> bool:
        lines = [line for line in why.splitlines() if _count(name, line)]
        sure = not _count(name, self.now)
        return any((sure and _ASSERTION.match(line)) or names_something_gone(line) for line in lines)

    def _names_one(self, name: str, files: Iterable[str]) -> bool:
        parts = {part for path in files for part in _parts(path)} & self.deleted
        return any(self.orders.names(one) for one in (name, *parts))

    @cached_property
    def _definitions(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Names that the product defines, with the files that do, before and now."""
        return _defined(self.base), _defined(self.tree)

    def edited(self, tests: Sequence[Test], gone: Mapping[Broken, str], sides: Sides) -> dict[str, bytes]:
        """Files of the base's exam, edited only as the goal says, where it concerns them."""
        found = {}
        for path, data in self.base.read(sides.laid).items():
            here = [test for test in tests if test.path == path]
            if role_of(path) not in ("test", "support") or not (here or self.orders.renames):
                continue
            before = text = _text(data)
            for test in here:
                left = _no_test(test) if test.broken in gone else self._with_results(test)
                text = text.replace(test.before, left, 1)
            text = self.renamed(_IMPORT.sub(self._import, text))
            if text != before:
                found[path] = text.encode()
        return found

    def _with_results(self, test: Test) -> str:
        """The test with the literals replaced whose new value the goal states, and nothing else."""
        fitting = [each for each in self.orders.results if self._is_about(each, test)]
        was, now = tokens(test.before), tokens(test.now)
        new = list(was)
        for how, i, i_end, j, j_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
            if how == "replace" and i_end - i == j_end - j:
                for at, value in enumerate(now[j:j_end], i):
                    both = is_literal(was[at]) and is_literal(value)
                    if both and any(each.fits(was[at], value) for each in fitting):
                        new[at] = value
        if new == was:
            stated = {each.old: min(each.new) for each in fitting if each.old and len(each.new) == 1}
            new = [_swapped(token, stated) for token in was]
        return "".join(new)

    def _is_about(self, result: Result, test: Test) -> bool:
        if result.given:
            return result.given in plain(test.before)
        sentence = Orders((result.sentence,), (), ())
        names = set(_NAME.findall(test.before)) - _KEYWORDS
        return bool(result.old) or any(sentence.names(name) and _count(name, self.was) for name in names)

    def _import(self, found: re.Match[str]) -> str:
        """An import without what is gone by order, and with what was moved taken from its new place."""
        span, words = found[0], re.findall(r"\w+", found[0])
        places = {old: path for old, new in self.orders.renames if (path := self._path(new))}
        moved = [name for name in words if name in places]
        others = set(words) - {part for old, _ in self.orders.renames for part in (old, *_parts(old))}
        gone = {name for name in others if self._is_gone(name) and self.orders.names(name)}
        left = _without(span, {*gone, *moved}) if gone or moved else span
        return left + "".join(_imported(found, name, places[name]) for name in moved)

    def _path(self, name: str) -> str:
        """The file that a goal means by `sums.py`, `pkg/sums` or `pkg.sums`."""
        if not re.search(r"[./]", name):
            return ""
        stem = name if "/" in name or re.search(r"\.\w{1,4}$", name) else name.replace(".", "/")
        fitting = (path for path in self.tree.paths() if role_of(path) == "source")
        return next((p for p in fitting if f"/{p}".endswith((f"/{stem}", f"/{stem}.py", f"/{stem}.js"))), "")

    def renamed(self, text: str) -> str:
        for old, new in self.orders.renames:
            if not self._path(new):
                text = _with_word(text, old, new)
            elif re.search(r"[./]", old):  # a file: in imports it is written in other ways
                text = _with_word(text, old, new)
                for was, now in zip(_modules(old), _modules(new), strict=True):
                    text = _IMPORT.sub(partial(_with_word_in, old=was, new=now), text)
        return text


def _function(data: bytes, broken: Broken, path: str) -> str:
    """The text of the test function that a broken test is."""
    title = re.split(r"::| > ", plain_name(broken.name))[-1]
    names = {title, title.rpartition(".")[2]}
    lines = _text(data).splitlines(keepends=True)
    for each in read_test_functions(path, data):
        if {each.name, re.split(r" > |::|[./]", each.name)[-1]} & names:
            return "".join(lines[each.first - 1 : each.last])
    return ""


def _no_test(test: Test) -> str:
    """What stands where a test stood: its class must not be empty."""
    indent = re.match(r"[ \t]*", test.before)
    return f"{indent[0] if indent else ''}pass\n" if test.path.endswith(".py") else "\n"


def _swapped(token: str, stated: Mapping[str, str]) -> str:
    value = bare(token) if is_literal(token) else ""
    return token.replace(value, stated[value], 1) if value and value in stated else token


def _without(span: str, names: Iterable[str]) -> str:
    """An import without these names; nothing where nothing is left of it, or where it is one of a module."""
    one = rf"\b(?:{'|'.join(map(re.escape, names))})\b"
    whole = r"(\{)([^}]*)(\}.*)" if "{" in span else r"(from\s+\S+\s+import\s*\(?)([^)]*)(\)?\s*)$"
    found = re.search(whole, span, re.DOTALL)
    if found is None or re.search(one, span[: found.start(2)]):
        return ""
    left = re.sub(rf"{one}(?:\s+as\s+\w+)?\s*,?[ \t]*", "", found[2])
    return span[: found.start(2)] + left.rstrip(", ") + found[3] if re.search(r"\w", left) else ""


def _imported(found: re.Match[str], name: str, path: str) -> str:
    """The import of one name from its new file."""
    if found["module"] is not None:
        return f"from {_modules(path)[0]} import {name}\n"
    stem = path.rpartition("/")[2].rpartition(".")[0]
    place = re.sub(r"(['\"])([^'\"]*/)[^'\"/.]+", rf"\1\2{stem}", found[0])
    return re.sub(r"\{[^}]*\}", f"{{ {name} }}", place)


def _modules(path: str) -> tuple[str, str]:
    """How imports write a file: with dots, and with slashes."""
    stem = re.sub(r"\.\w{1,4}$", "", path).removeprefix("src/")
    return stem.replace("/", "."), stem


def _with_word(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", lambda _: new, text)


def _with_word_in(found: re.Match[str], old: str, new: str) -> str:
    return _with_word(found[0], old, new)


def _parts(path: str) -> set[str]:
    """Folders and the name of a file without its ending, as imports have them."""
    return {*path.split("/")[:-1], path.rpartition("/")[2].partition(".")[0], _modules(path)[0]} - {""}


def _defined(tree: GitTree) -> dict[str, set[str]]:
    paths = [path for path in tree.paths() if role_of(path) == "source"][:_MOST_FILES]
    found: dict[str, set[str]] = {}
    for path, data in tree.read(paths).items():
        for names in _DEFINED.findall(_text(data)):
            for name in {*names} - _KEYWORDS - {""}:
                found.setdefault(name, set()).add(path)
    return found


def _count(name: str, text: str) -> int:
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)) if name in text else 0


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
