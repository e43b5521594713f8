"""What each statement of a shell test is there for: to demand, to prepare, to steer; and what hides failures.

A statement that only prepares or steers is told as an assertion that can't fail, so that base and change are
compared statement by statement. What a checker of the script's own does is not followed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from donewhen.core.integrity.model import Assertion, AssertionKind, Mark
from donewhen.verify.integrity.shellscript.scanning import Word
from donewhen.verify.integrity.shellscript.stating import Statement, written

_BRACKETS = frozenset(("[", "[[", "test"))
_COMPARES = frozenset(("=", "==", "!=", "-eq", "-ne", "-le", "-ge"))
_CHECKER = re.compile(
    r"(?:assert|expect|check|should|must|verify|refute|ensure)(?:[_-]?\w{0,60})?|ok|is|isnt|same|like|test_\w{1,80}"
)
_EVERYTHING = frozenset(("", ".", ".*", "^", "$", "^.*$", ".+", "^.*"))
_NOTHING = frozenset(("true", ":", "/bin/true"))
_LEAVES = frozenset(("exit", "return", "break", "continue"))
_STEERS = frozenset("if elif while until for case select function".split())
_COUNTER = r"(?:\w{0,40}_)?(?:fail(?:ed|s|ures?|count)?|errs?|errors?|bad|wrong|broken|nok)(?:_\w{0,40})?"
_COUNTED = re.compile(rf"\b{_COUNTER}\b(?!\s*(?:=(?!=)|\+))", re.IGNORECASE)
_COUNTS = re.compile(
    rf"(?:^|[\s;|&{{(]){_COUNTER}(?:\+=|\+\+|=(?!0\b|\s|$|''|\"\"|\"?\$\((?!\()))", re.IGNORECASE
)
_VERDICT = re.compile(r"(?:^|[|&{(; ])(?:exit|return|test|if|\[\[?|\(\()(?= |$)|^\(|^!")


def told(
    statement: Statement, checkers: frozenset[str], values: Mapping[int, Sequence[Assertion]]
) -> Assertion:
    """The statement as an assertion; `values`: what is known of comparisons, by line."""
    kind = demand(statement, checkers)
    if kind is None:
        return Assertion(statement.text, statement.line, "other", hollow=True)
    known = next(iter(values.get(statement.line, ())), None)
    bare = Assertion(statement.text, statement.line, kind, hollow=_cannot_fail(statement))
    if known is None:
        return bare
    return bare._replace(subjects=known.subjects, given=known.given, expected=known.expected)


def demand(statement: Statement, checkers: frozenset[str]) -> AssertionKind | None:
    """The kind of what it demands; None where it demands nothing."""
    first, *rest = _parts(statement)
    if not first or first[0].operator or first[0].text in _STEERS or _defines(first):
        return None
    if any(sign == "&&" and _leaves(part) for sign, part in rest_signs(statement)):
        return None
    if rest and (_hides(statement) or _ends_well(statement)):
        return None
    words = first[1:] if first[0].text == "!" and len(first) > 1 else first
    name = words[0].text
    if name in _BRACKETS:
        unlike = any(word.text in ("!=", "-ne") for word in words)
        return "unequal" if unlike else "equal"
    if name in ("diff", "cmp") or (name == "grep" and _has_option(words, "q")):
        return "matches" if name == "grep" else "equal"
    if name in checkers or _CHECKER.fullmatch(name):
        return "equal"
    return "true" if _ends_badly(statement) else None


def _defines(words: Sequence[Word]) -> bool:
    return len(words) > 2 and words[1].operator and words[1].text == "("


def rest_signs(statement: Statement) -> Iterator[tuple[str, list[Word]]]:
    """What stands behind each `&&` and `||`."""
    sign, here = "", list[Word]()
    for word in statement.words:
        if word.operator and word.text in ("&&", "||"):
            if sign:
                yield sign, here
            sign, here = word.text, []
        else:
            here.append(word)
    if sign:
        yield sign, here


def _parts(statement: Statement) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in statement.words:
        if word.operator and word.text in ("&&", "||", "|"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _leaves(part: Sequence[Word]) -> bool:
    return bool(part) and part[0].text in _LEAVES


def _hides(statement: Statement) -> bool:
    """`|| true`: whatever it asked, it does not count."""
    behind = [part for sign, part in rest_signs(statement) if sign == "||"]
    return any(len(part) == 1 and part[0].text in _NOTHING for part in behind)


def _ends_well(statement: Statement) -> bool:
    """`|| exit 0`: a reason to leave, not a failure."""
    behind = [" ".join(word.text for word in part) for sign, part in rest_signs(statement) if sign == "||"]
    return any(re.search(r"\b(?:exit|return) 0\b", part) for part in behind)


def _ends_badly(statement: Statement) -> bool:
    for sign, part in rest_signs(statement):
        if sign != "||":
            continue
        names = [word.text for word in part]
        if any(re.fullmatch(r"(?:fail|die|bail|err)\w{0,40}", name) for name in names):
            return True
        for at, name in enumerate(names[:-1]):
            if name in ("exit", "return") and names[at + 1] != "0":
                return True
    return False


def _has_option(words: Sequence[Word], letter: str) -> bool:
    return any(re.fullmatch(r"-[A-Za-z]{1,8}", word.text) and letter in word.text for word in words) or any(
        word.text == "--quiet" for word in words
    )


def _cannot_fail(statement: Statement) -> bool:
    words = _parts(statement)[0]
    name = words[0].text if words else ""
    if name in _BRACKETS:
        return (
            len(words) > 3
            and words[2].text in ("=", "==", "-eq", "-le", "-ge")
            and _alike(words[1], words[3])
        )
    plain = [word for word in words[1:] if not (word.text.startswith("-") and not word.quoted)]
    if name in ("diff", "cmp"):
        return len(plain) == 2 and not any(w.operator for w in words) and _alike(plain[0], plain[1])
    if name == "grep":
        return (
            "-v" not in [w.text for w in words]
            and bool(plain)
            and plain[0].plain
            and plain[0].text in _EVERYTHING
        )
    return False


def _alike(one: Word, other: Word) -> bool:
    return written(one) == written(other) and not one.runs


def marks(found: Sequence[Statement], checkers: frozenset[str]) -> Iterator[Mark]:
    """What hides failures: of one check, of all that follow, of the whole script."""
    depth = 0
    asked = [at for at, each in enumerate(found) if demand(each, checkers) is not None]
    last = asked[-1] if asked else -1
    outside: list[bool] = []  # whether the script itself asks, outside of its functions
    for at, each in enumerate(found):
        depth += _depth(each)
        outside.append(depth <= 0 and at in asked)
        early = depth <= 0 and at < last and each.text in ("exit 0", "exit")
        if early or _is_hidden_check(each, checkers) or _is_soft_trap(each):
            yield Mark("test-swallowed", each.line, each.text)
    if any(outside) and _uncounted(found):
        yield Mark("test-swallowed", found[-1].line, found[-1].text)


def _depth(statement: Statement) -> int:
    if statement.text == "{" or statement.first in ("if", "while", "until", "for", "case", "select"):
        return 1
    return -1 if statement.text in ("}", "fi", "done", "esac") else 0


def _is_hidden_check(statement: Statement, checkers: frozenset[str]) -> bool:
    if not _hides(statement):
        return False
    words = _parts(statement)[0]
    name = words[0].text if words and not words[0].operator else ""
    asks = name in _BRACKETS and any(word.text in _COMPARES for word in words)
    return (
        asks or re.fullmatch(r"(?:assert|expect)\w{0,60}", name) is not None or name in (checkers - {"run"})
    )


def _is_soft_trap(statement: Statement) -> bool:
    words = [word.text for word in statement.words]
    if statement.first != "trap" or len(words) < 3 or not {"EXIT", "0", "ERR"}.intersection(words[2:]):
        return False
    return re.search(r"(?:^|[;&|{ ])exit 0\b", words[1]) is not None


def _uncounted(found: Sequence[Statement]) -> bool:
    """Failures are counted, and nothing ever looks at the count."""
    shared = any(each.first in (".", "source") for each in found)  # somebody else may look
    if shared or not any(_COUNTS.search(each.text) for each in found):
        return False
    return not any(_COUNTED.search(each.text) and _VERDICT.search(each.text) for each in found)
