"""What a goal orders in plain words (`order_words.toml`): removals, renames, results, tests. Pure.

Nothing here allows anything: the words only say what `goal_permits` and `new_tests` check by running, so they
may be read loosely. What no word says is not looked for.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_LONGEST = 20_000  # characters of a goal
_LITERAL = (
    r"(?:`[^`\n]{1,200}`|\"[^\"\n]{0,200}\"|(?<!\w)'[^'\n]{0,200}'(?!\w)|“[^”\n]{0,200}”|「[^」\n]{0,200}」"
    r"|\[[^\]\n]{0,200}\]|\{[^}\n]{0,200}\}|(?<![\w.])-?\d+(?:\.\d+)?(?![\w-]|\.\d)"
    r"|\b(?:True|False|None|true|false|null|nil|undefined|[A-Z]\w{0,60}(?:Error|Exception|Warning))\b)"
)
_THING = r"[`\"'“]?([A-Za-z_][\w./:-]{1,120}?)(?:\(\))?[`\"'”]?"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[。！？；;\n]+")
_TOKEN = re.compile(
    r"[bfru]{0,2}(?:'''.*?'''|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"
    r"|(?:(?<=[(\[{,=:])|(?<=[,=:]\s)|(?<=return\s))-\d[\w.]*|\d[\w.]*|\w+|\s+|[^\w\s]",
    re.DOTALL,
)
_WORDS = frozenset(("True", "False", "None", "true", "false", "null", "nil", "undefined"))
_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning)")
_QUOTES = "\"'`“”「」"
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Result(NamedTuple):
    """A value that the goal states, the one it replaces where it says so, and the sentence."""

    new: frozenset[str]  # literals without their quotes; several where it is a list
    old: str
    sentence: str
    given: str = ""  # the arguments of the call that it is the result of, as `plain` has them

    def fits(self, before: str, now: str) -> bool:
        """Whether one literal of a test became the other by this order."""
        was, value = bare(before), bare(now)
        if self.old and was != self.old:
            return any(was.replace(self.old, new) == value for new in self.new) and self.old in was
        return value in self.new


class Orders(NamedTuple):
    removals: tuple[str, ...]  # sentences
    renames: tuple[tuple[str, str], ...]
    results: tuple[Result, ...]

    def names(self, name: str) -> bool:
        """Whether a sentence that orders a removal names this: as it is written, or by its words."""
        written = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        parts = {_singular(part.lower()) for part in _PART.findall(name)} - _small()
        return any(written.search(one) or (parts and parts <= _words_of(one)) for one in self.removals)


@cache
def order_words() -> Mapping[str, Any]:
    return tomllib.loads(files("donewhen.verify").joinpath("order_words.toml").read_text(encoding="utf-8"))


def read_orders(goal: str) -> Orders:
    sentences = [one.strip() for one in _SENTENCE.split(goal[:_LONGEST]) if one and one.strip()]
    removals = tuple(one for one in sentences if _orders(_any(_all("removal")), one))
    renames = tuple(dict.fromkeys(pair for one in sentences for pair in _renames(one)))
    return Orders(removals, renames, tuple(found for one in sentences for found in _results(one)))


def orders_tests(goal: str) -> bool:
    """Whether it orders tests to be written; to speak of tests is no order."""
    words = order_words()["tests"]
    kinds, chinese_kinds = _any(words["kinds"]), _any(words["chinese_kinds"])
    stop = rf"(?!\s*(?:{_any(words['not_before'])}))"
    english = rf"{_any(words['verbs'])}\s+(?:{kinds}[\s-]+){{0,6}}{_any(words['nouns'])}(?![-\w/.]){stop}"
    chinese = rf"{_any(words['chinese_verbs'])}(?:{chinese_kinds}){{0,4}}{_any(words['chinese_nouns'])}{stop}"
    sentences = _SENTENCE.split(goal[:_LONGEST])
    return any(_orders(rf"(?:{english}|{chinese})", one) for one in sentences if one)


def keeps_behaviour(goal: str) -> bool:
    """Whether it says that what the product does stays as it is."""
    return re.search(_any(order_words()["tests"]["same"]), goal[:_LONGEST].lower()) is not None


def names_something_gone(text: str) -> bool:
    """Whether a failure is one for want of something."""
    low = text.lower()
    return any(phrase in low for phrase in order_words()["gone"]["phrases"])


def tokens(code: str) -> list[str]:
    """Strings, numbers, words, signs and the blanks between them: together the whole text."""
    return _TOKEN.findall(code)


def is_literal(token: str) -> bool:
    return token[:1].isdigit() or (token[:1] == "-" and len(token) > 1) or token in _WORDS or (
        token[-1:] in ("'", '"', "`") and len(token) > 1
    ) or _ERROR.fullmatch(token) is not None  # fmt: skip


def bare(literal: str) -> str:
    """Without its quotes."""
    text = literal.strip()
    return text.strip(_QUOTES) if text[-1:] in _QUOTES else text


def plain(code: str) -> str:
    """Without blanks, one kind of quotes: to look for a call as the goal writes it."""
    return re.sub(r"\s+", "", code).replace("'", '"').replace("`", "")


def _renames(sentence: str) -> Iterator[tuple[str, str]]:
    words = order_words()["rename"]
    few = r"(?:[A-Za-z]{1,20}\s+){0,3}?(?!(?:the|a|an|new|name)\b)"
    end = r"(?=$|[\s,;:)，。；]|\.(?:\s|$))"
    to, english, chinese = (_any(words[key]) for key in ("to", "english", "chinese"))
    from_ = rf"(?:\s+(?:from|in|of)\s+{few}\S+)?"
    shapes = (
        rf"{english}\s+{few}{_THING}{from_}\s+{to}\s+{few}{_THING}{end}",
        rf"{_THING}\s+(?:is|are|was|been|be|gets)?\s*{english}\s+{to}\s+{few}{_THING}{end}",
        rf"{_THING}\s*(?:这个|函数|方法|类|模块|文件|参数|选项)?\s*{chinese}\s*{_THING}(?:{end}|(?=[\u4e00-\u9fff]))",
    )
    for shape in shapes:
        for found in re.finditer(shape, sentence, re.IGNORECASE):
            if found[1] != found[2] and not _is_negated(sentence, found.start()):
                yield found[1].rstrip(".:"), found[2].rstrip(".:")


def _results(sentence: str) -> Iterator[Result]:
    words = order_words()["result"]
    result, old = _any(_all("result")), _any(words["old"])
    between = rf"\s*[:：]?\s*(?:{_any(words['between'])}\s*){{0,4}}"
    units = "|".join(map(re.escape, words["units"]))
    end = rf"(?=\s*(?:$|[.,;:!?)，。；：！）、]|{_any(words['behind'])}|(?!{units})[\u4e00-\u9fff]))"
    behind = rf"{result}{between}({_LITERAL}){end}(?:\s*[,，]?\s*{old}{between}({_LITERAL})(?!\s*\w))?"
    beside = rf"({_LITERAL})\s*[,，]?\s*{old}{between}({_LITERAL}){end}"
    way = rf"(?:{_any(words['from'])})\s*({_LITERAL})\s*(?:{_any(words['until'])})\s*({_LITERAL}){end}"
    for shape, new, was in ((behind, 1, 2), (beside, 1, 2), (way, 2, 1)):
        for found in re.finditer(shape, sentence, re.IGNORECASE):
            if not _is_negated(sentence, found.start()):
                before = found[was] or ""
                yield Result(_values(found[new]), bare(before), sentence, _given(sentence[: found.start()]))


def _given(before: str) -> str:
    """The arguments of the last call that is written before a result."""
    calls = re.findall(r"\w\(([^()\n]{1,200}|[^()\n]{0,100}\([^()\n]{0,100}\)[^()\n]{0,100})\)", before)
    return plain(calls[-1]) if calls else ""


def _values(literal: str) -> frozenset[str]:
    inner = bare(literal)
    found = [bare(token) for token in tokens(inner) if is_literal(token)]
    return frozenset((inner, *found) if literal[:1] in "[{`" else (inner,))


def _orders(shape: str, sentence: str) -> bool:
    found = re.finditer(shape, sentence, re.IGNORECASE)
    return any(not _is_negated(sentence, each.start()) for each in found)


def _is_negated(sentence: str, at: int) -> bool:
    words = order_words()["negation"]
    english = rf"{_any(words['english'])}(?:\s+\w+){{0,2}}\s*$"
    before = sentence[max(0, at - 40) : at]
    return re.search(rf"(?i:{english})|{_any(words['chinese'])}[\u4e00-\u9fff]{{0,2}}$", before) is not None


def _all(section: str) -> list[str]:
    words = order_words()[section]
    return [*words["english"], *words["chinese"]]


def _any(words: Iterable[str]) -> str:
    """One pattern for these words, the longest first."""
    return _pattern(tuple(words))


@cache
def _pattern(words: tuple[str, ...]) -> str:
    return "(?:" + "|".join(map(_word, sorted(words, key=len, reverse=True))) + ")"


def _word(word: str) -> str:
    text = re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
    if not word[0].isascii() or not word[0].isalnum():
        return text
    return rf"(?<![\w-]){text}(?![\w-])"


@cache
def _small() -> frozenset[str]:
    return frozenset(order_words()["names"]["small"])


@cache
def _words_of(sentence: str) -> frozenset[str]:
    return frozenset(_singular(part.lower()) for part in _PART.findall(sentence))


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
