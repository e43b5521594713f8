"""Tests that the goal orders: a change that was told to bring tests has to bring one that can fail.

Asked only where the goal orders tests in plain words, not where it speaks of them. One sound test is enough:
what tests miss is not judged. Where nobody can read what was brought (data, other languages, helpers that do
the asserting) it is believed.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Assertion, Finding, Pair, Sheet, Test
from donewhen.core.integrity.ordered_reach import reaches_product
from donewhen.core.integrity.ordered_words import orders_one_each, orders_tests
from donewhen.core.integrity.roles import role_of
from donewhen.core.integrity.words import last
from donewhen.core.texts import Phrase

_READ = frozenset(("python", "javascript", "typescript", "go", "rust", "java"))
_NAMED = re.compile(r"test|spec|check|assert|verify|exam|fixture|snap|golden|expected|测试", re.IGNORECASE)
_HELPERS = re.compile(r"test|helper|support|util|assert|check|common|spec|fixture|^\.", re.IGNORECASE)
_IMPORTED = re.compile(
    r"^[ \t]{0,20}(?:from[ \t]+([\w.]{1,200})[ \t]+import|import[ \t]+([\w.]{1,200})(?![\w.]|[ \t]+from))"
    r"|(?:from|require\()[ \t]{0,9}[\"'](\.[^\"'\n]{1,200})[\"']",
    re.MULTILINE,
)
_LIBRARIES = re.compile(r"^(?:unittest|pytest|node:|hypothesis|mock)")
_ASSERTING = re.compile(
    r"assert|expect|check|verify|should|must|raises|throws|fail|ensure|equal|same|compare|match|snapshot|"
    r"error|fatal|panic|require|approve",
    re.IGNORECASE,
)
_ASSERTS = re.compile(r"assert|expect|to[A-Z]")
_LOOKS = frozenset("callable hasattr getattr isinstance type isfunction ismodule expect typeof bool".split())
_THERE = frozenset(("not_null", "type", "true"))
_REPLACED = re.compile(
    r"patch\([ \t\n]{0,40}[\"'][\w.]{0,160}?(\w{1,80})[\"']"
    r"|(?:patch\.object|mock\.method|spyOn|stub|replaceProperty|setattr)"
    r"\([ \t\n]{0,40}[\w.]{1,120},[ \t\n]{0,40}[\"'](\w{1,80})[\"']"
    r"|\b\w{1,80}\.(\w{1,80})[ \t]{0,9}=[ \t]{0,9}"
    r"(?:mock\.|unittest\.mock\.|jest\.|vi\.)?(?:Magic|Async)?(?:Mock|fn)\("
)
_SAME_CALL = re.compile(
    r"(?<![\w.])([\w.]{1,80})\([^()]{0,200}\)(?:\)\.to\w{1,20}\(|,[ ]?| ={2,3} )\1\([^()]{0,200}\)\)?$"
)
_MOST_TEXT = 400_000  # characters of a file


def unfulfilled(
    goal: str,
    changed: Iterable[str],
    pairs: Sequence[Pair],
    texts: Mapping[str, str],
    own: Collection[str] = (),
) -> Iterator[Finding]:
    """What is wanting where the goal orders tests; `texts` are the changed files as they are.

    `own`: names of the project's modules.
    """
    order = orders_tests(goal)
    paths = sorted(path for path in changed if path in texts)
    if not order or not paths:
        return
    brought = [pair for pair in pairs if _fresh(pair)]
    if not brought:
        if not any(_could_test(path, texts[path]) for path in paths):
            message = Phrase("comparing.no_tests", {"order": order})
            yield _wanting(paths[0], 1, message)
        return
    if _unreadable(brought, paths, texts):
        return
    tests = [(pair, test) for pair in brought for test in _fresh(pair)]
    mirrors = any(_compares_itself(assertion) for _, test in tests for assertion in test.asserts)
    reaching = [(pair, test) for pair, test in tests if _reaches(pair, texts, own)]
    sound = [test for pair, test in reaching if _is_sound(test, _replaced(texts.get(pair.path, "")), mirrors)]
    skipped = [test for _, test in tests if test.disabled and not test.conditional]
    if sound and len(skipped) <= (0 if orders_one_each(order) else len(sound)):
        return
    pair, test = next(((p, t) for p, t in tests if t in skipped or t not in sound), tests[0])
    yield _wanting(pair.path, test.line, Phrase("comparing.unsound_tests", {"test": test.name}), test.name)


def _wanting(path: str, line: int, message: Phrase, test: str = "") -> Finding:
    wanted = Phrase("comparing.tests_wanted")
    return found("test-hollow", path, line, test=test, message=message, wanted=wanted)


def _fresh(pair: Pair) -> list[Test]:
    """Tests that the base had not, or not like this."""
    had = {test.digest for test in pair.base.tests} if pair.base else set()
    return [test for test in (pair.now.tests if pair.now else ()) if test.digest not in had]


def _could_test(path: str, text: str) -> bool:
    """Whether it might be a test of a kind that no reader knows: by name, or by examples in the text."""
    return role_of(path) in ("test", "support") or bool(_NAMED.search(path)) or ">>> " in text


def _unreadable(brought: Sequence[Pair], paths: Sequence[str], texts: Mapping[str, str]) -> bool:
    """Whether something was brought that may hold the demands and can't be read for them."""
    sheets = [pair.now for pair in brought if pair.now]
    if any(sheet.language not in _READ or sheet.troubles for sheet in sheets):
        return True
    read = {sheet.path for sheet in sheets}
    if any(role_of(path) in ("test", "support") and path not in read for path in paths if _has(path, texts)):
        return True
    return any(_leans_on_helpers(sheet, texts.get(sheet.path, "")) for sheet in sheets)


def _has(path: str, texts: Mapping[str, str]) -> bool:
    """Whether the file is there and says anything: an empty `__init__.py` holds no demand."""
    return bool(texts.get(path, "").strip())


def _leans_on_helpers(sheet: Sheet, text: str) -> bool:
    """A test without assertions that calls what a helper of tests may define."""
    silent = [test for test in sheet.tests if not test.asserts and test.calls and not test.disabled]
    if not silent:
        return False
    names = ["".join(match.groups("")) for match in _IMPORTED.finditer(text[:_MOST_TEXT])]
    own = [name.rpartition("/")[2] if "/" in name else name for name in names if not _LIBRARIES.match(name)]
    return any(_HELPERS.search(name) for name in own) or any(
        _ASSERTING.search(call) for test in silent for call in test.calls
    )


def _reaches(pair: Pair, texts: Mapping[str, str], own: Collection[str]) -> bool:
    if role_of(pair.path) != "test":
        return True  # examples in the product itself
    return pair.now is None or reaches_product(pair.now.language, texts.get(pair.path, ""), own)


def _is_sound(test: Test, replaced: frozenset[str], mirrors: bool) -> bool:
    """`mirrors`: the tests compare calls with themselves; then the type of an answer is not enough."""
    if (test.disabled and not test.conditional) or test.swallows:
        return False
    return any(
        _is_about_product(assertion, test, replaced) and not (mirrors and assertion.kind == "type")
        for assertion in test.asserts
    )


def _compares_itself(assertion: Assertion) -> bool:
    """One call against another of the same function: `slug("A b") == slug("a b")` holds for any constant."""
    return assertion.kind == "equal" and _SAME_CALL.search(assertion.text[-500:]) is not None


def _is_about_product(assertion: Assertion, test: Test, replaced: frozenset[str]) -> bool:
    if assertion.hollow or _compares_itself(assertion):
        return False
    called = {last(name) for name in assertion.subjects}
    if called and called <= replaced:
        return False
    looks = assertion.kind in _THERE or assertion.expected == ('"function"',)
    if not looks or assertion.given:
        return True
    return any(call not in _LOOKS and not _ASSERTS.match(call) for call in test.calls)


def _replaced(text: str) -> frozenset[str]:
    """Names that the file lets answer what it says itself."""
    return frozenset("".join(match.groups("")) for match in _REPLACED.finditer(text[:_MOST_TEXT]))
