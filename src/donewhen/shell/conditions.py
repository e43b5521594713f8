"""What a condition tells: `[ $rc -eq 0 ]`, `[[ … ]]`, `((…))`, and sums of exit statuses.

Only comparisons of one variable with one text are understood; everything else may be true or false and
tells nothing. Never an exception, never a guess.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.tree import Word
from donewhen.shell.state import NOTHING, UNKNOWN, Facts, Value, code, meet, plus


class Verdict(NamedTuple):
    """What is sure if the condition holds, and if not; None: that can't be."""

    true: Facts | None = NOTHING
    false: Facts | None = NOTHING


MAYBE = Verdict()
_CODES = tuple(map(str, range(1, 256)))
_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__,
    "!=": int.__ne__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "<": int.__lt__,
    "<=": int.__le__,
}
_SPELT = {"-eq": "==", "-ne": "!=", "-gt": ">", "-ge": ">=", "-lt": "<", "-le": "<="}
_NUMBER = lazy(r"-?(?:0|[1-9][0-9]{0,8})")
_NAME = r"(?:\$?\{?([A-Za-z_]\w*(?:\[[0-9]{1,3}\])?|\?)\}?)"
_COMPARISON = lazy(rf"\s*(!?)\s*{_NAME}\s*(?:(==|!=|<=|>=|<|>)\s*([0-9]{{1,9}}))?\s*")
_TERM = lazy(rf"\s*(?:{_NAME}|([0-9]{{1,6}}))\s*")
_SETS = lazy(
    r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:\+\+|--|(?:<<|>>|[-+*/%&|^])?=(?!=))|(?:\+\+|--)\s*([A-Za-z_]\w*)"
)


def flip(verdict: Verdict) -> Verdict:
    return Verdict(verdict.false, verdict.true)


def _both(a: Verdict, b: Verdict) -> Verdict:
    """`a && b`."""
    if a.true is None:
        return a
    true = None if b.true is None else a.true | b.true
    return Verdict(true, meet(a.false, plus(b.false, a.true)))


def _either(a: Verdict, b: Verdict) -> Verdict:
    return flip(_both(flip(a), flip(b)))


def _decide(value: Value, holds: Callable[[str], bool | None]) -> Verdict:
    """Ask every text that the value may hold; None from `holds` means that it can't be told."""
    true: list[Facts | None] = []
    false: list[Facts | None] = []
    for text, facts in value.cases.items():
        answer = holds(text)
        true += [facts] if answer is not False else []
        false += [facts] if answer is not True else []
    if value.other is not None:
        answers = {holds(each) for each in _CODES if each not in value.cases} if value.codes else {None}
        true += [value.other] if answers - {False} else []
        false += [value.other] if answers - {True} else []
    return Verdict(meet(*true), meet(*false))


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _compare(value: Value, operator: str, text: str) -> Verdict:
    """`value OPERATOR text` for numbers."""
    wanted, compare = _number(text), _NUMERIC[operator]
    if wanted is None:
        return MAYBE

    def holds(each: str) -> bool | None:
        number = _number(each)
        return None if number is None else compare(number, wanted)

    return _decide(value, holds)


def judge_words(words: Sequence[Word], value_of: Callable[[Word], Value]) -> Verdict:
    """The expression of `test`, `[` or `[[`, without the brackets."""
    if any(word.text in ("(", ")") for word in words):
        return MAYBE
    result: Verdict | None = None
    for choice in _cut(words, ("-o", "||")):
        whole: Verdict | None = None
        for part in _cut(choice, ("-a", "&&")):
            atom = _atom(part, value_of)
            whole = atom if whole is None else _both(whole, atom)
        assert whole is not None  # a cut has at least one part
        result = whole if result is None else _either(result, whole)
    return result or MAYBE


def _cut(words: Sequence[Word], operators: tuple[str, ...]) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.known and word.text in operators and parts[-1]:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _atom(words: Sequence[Word], value_of: Callable[[Word], Value]) -> Verdict:
    turned = False
    while len(words) > 1 and words[0].known and words[0].text == "!":
        words, turned = words[1:], not turned
    found = _plain_atom(words, value_of)
    return flip(found) if turned else found


def _plain_atom(words: Sequence[Word], value_of: Callable[[Word], Value]) -> Verdict:
    if len(words) == 1:
        return _decide(value_of(words[0]), lambda text: text != "")
    if len(words) == 2 and words[0].known and words[0].text in ("-n", "-z"):
        wanted = words[0].text == "-n"
        return _decide(value_of(words[1]), lambda text: (text != "") is wanted)
    if len(words) != 3 or not words[1].known:
        return MAYBE
    left, right, operator = value_of(words[0]), value_of(words[2]), words[1].text
    if right.only is None:
        if left.only is None or operator not in ("=", "==", "!=", "-eq", "-ne"):
            return MAYBE
        left, right = right, left
    text = right.only or ""
    if operator in _SPELT:
        return _compare(left, _SPELT[operator], text)
    if operator in ("=", "=="):
        return _decide(left, lambda each: each == text)
    return _decide(left, lambda each: each != text) if operator == "!=" else MAYBE


def _bare(source: str) -> str:
    """An expression without what stands round it in the text."""
    text = source.strip().removeprefix("$")
    for opening, closing in (("((", "))"), ("[", "]")):
        if text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)]
    return text.removeprefix("let ").strip("\"' ")


def judge_arithmetic(source: str, value_of: Callable[[str], Value]) -> Verdict:
    """`((source))`: it holds when the result is not 0."""
    source = _bare(source)
    if len(source) > 200 or "(" in source:
        return MAYBE
    result: Verdict | None = None
    for choice in source.split("||"):
        whole: Verdict | None = None
        for part in choice.split("&&"):
            atom = _arithmetic_atom(part, value_of)
            whole = atom if whole is None else _both(whole, atom)
        assert whole is not None  # a split has at least one part
        result = whole if result is None else _either(result, whole)
    return result or MAYBE


def _arithmetic_atom(source: str, value_of: Callable[[str], Value]) -> Verdict:
    found = _COMPARISON.fullmatch(source)
    if found is None:
        return MAYBE
    negation, name, operator, number = found.groups()
    if negation and operator:  # `!a == b` compares `!a`
        return MAYBE
    verdict = _compare(value_of(name), operator or "!=", number or "0")
    return flip(verdict) if negation else verdict


def arithmetic_value(source: str, value_of: Callable[[str], Value]) -> Value:
    """`$((source))`: one variable, a sum of statuses, a count, or a comparison."""
    source = _bare(source)
    if len(source) > 200:
        return UNKNOWN
    for operator in ("||", "|", "+"):
        terms = [_TERM.fullmatch(each) for each in source.split(operator)]
        if all(terms):
            return _sum([each.groups() for each in terms if each], operator, value_of)
    verdict = _arithmetic_atom(source, value_of)
    if verdict == MAYBE:
        return UNKNOWN
    return Value({"0": verdict.false} if verdict.false is not None else {}, verdict.true, codes=True)


def _sum(terms: list[tuple[str | None, ...]], operator: str, value_of: Callable[[str], Value]) -> Value:
    values = [value_of(name) for name, _ in terms if name]
    added = sum(int(number) for _, number in terms if number)
    if len(terms) == 1 and values:
        return values[0]
    if not all(_is_status(value) for value in values):
        return UNKNOWN
    if added == 0:
        zeros = [value.zero for value in values]
        zero = None if None in zeros else frozenset().union(*(each for each in zeros if each))
        return code(zero, meet(*(value.nonzero for value in values)))
    if operator == "+" and len(values) == 1:
        cases = {str(int(text) + added): facts for text, facts in values[0].cases.items()}
        return Value(cases, values[0].other)
    return UNKNOWN


def _is_status(value: Value) -> bool:
    """Never negative, so that a sum is 0 only if each is."""
    plain = all(_number(text) is not None and text[0] != "-" for text in value.cases)
    return plain and (value.codes or value.other is None)


def names_set(source: str) -> set[str]:
    """Variables that an arithmetic expression assigns to."""
    return {first or second for first, second in _SETS.findall(source[:2000])}
