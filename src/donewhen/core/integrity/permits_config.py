"""Rules about how the exam is run: the goal must name the file, setting, number or mechanism, and order it.

"Add a lint target to the Makefile" is no leave to change its test target: what is new must be named itself.
"""

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.permits_reading import Clause, pattern
from donewhen.core.texts import Phrase

_LONGEST = 120
_SHORTEST = 2
_WORD = re.compile(r"(?<!\w)--?[a-z][\w-]*|[a-z_][\w./-]*[\w/]|\d+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_IDLE = frozenset(
    """true false exit echo ok set -e -c -m -q -s -v run npm npx node python python3 sh bash make test
    tests the and or if then fi do done in is to of a an with for all cd src lib scripts""".split()
)
_PICKS = re.compile(
    r"(?<!\S)(?:-k|-t|-g|--grep|--deselect|--ignore|--test-name-pattern|--filter|--exclude)(?![\w-])"
)
_ONLY = (
    r"\b(?:only|just|subset|narrow|deselect|exclude|skip|limit|without|except|leave out|fast|unit|slow)\b"
    r"|-k\b|--\w|只|排除|跳过"
)
_FORCED = re.compile(
    r"makereport|sessionfinish|exitstatus|exit_code|exitcode|unconfigure|_testfailed|outcome|__eq__"
)
_TESTLIKE = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|"
    r"spec)\.\w+$|_test\.\w+$"
)


class Need(NamedTuple):
    """What a clause must have, besides an order: all of it."""

    words: str = ""  # a pattern
    file: bool = False  # this very file
    news: bool = False  # something that is new in what was found
    number: bool = False  # the new number


_LOOSER = (
    r"\brules?\b|settings?\b|\bconfig|\bignor|\bexclud|\brelax|\bloosen|\bdisabl|\bstrict|line.?length"
    r"|规则|设置|配置|放宽"
)
_TOOLS = (
    r"\b(?:ruff|mypy|pyright|eslint|flake8|pylint|tsc|tsconfig|bandit|clippy|golangci)\b"
    r"|\blint(?:er|ing)?\b|\btype.?check\w*|静态检查|代码检查"
)
_NEEDS: dict[str, tuple[Need, ...]] = {
    "command-weakened": (
        Need(
            r"\btests?\b|\bmake\b|\bnpm\b|\byarn\b|\bscripts?\b|\bcommands?\b|\brun(?:s|ner)?\b|\bci\b|pipeline"
            r"|workflow|makefile|package\.json|\btox\b|\bnox\b|测试|命令|脚本|运行|流水线",
            news=True,
        ),
    ),
    "threshold-lowered": (
        Need(
            r"threshold|coverage|minimum|maximum|limit|fail[-_ ]under|max[-_ ]|min[-_ ]|warnings|complexity"
            r"|percent|%|覆盖率|阈值|限值",
            number=True,
        ),
    ),
    "coverage-excluded": (Need(r"coverage|pragma|no cover|omit|exclud|istanbul|c8|覆盖率", news=True),),
    "shim": (Need(file=True),),
    "startup-hook": (
        Need(file=True),
        Need(r"hook|preload|require|import|loader|plugin|start-?up|setup|bootstrap|插件|钩子", news=True),
    ),
    "exam-hook": (
        Need(r"hook|plugin|collect|skip|--run|--slow|\bload_tests\b|marker|钩子|插件|收集", file=True),
        Need(r"hook|plugin|collect|skip|--run|--slow|\bload_tests\b|钩子|插件|收集", news=True),
    ),
    "exit-call": (
        Need(r"\bexit(?:s|ed|ing)?\b|\bexit[- ]?(?:code|status)|\bstatus (?:code )?\d|\bquits?\b|退出"),
    ),
    "exam-detected": (Need(news=True),),
    "ignored-more": (Need(r"ignore|忽略", news=True), Need(r"\.gitignore", news=True)),
    "ignores-spread": (
        Need(r"noqa|type: ?ignore|eslint-disable|ts-ignore|suppress|silence|pragma|nolint|屏蔽|忽略"),
        Need(_LOOSER, file=True),
        Need(f"(?:{_TOOLS}).{{0,80}}(?:{_LOOSER})|(?:{_LOOSER}).{{0,80}}(?:{_TOOLS})"),
    ),
}


def named(finding: Finding, clauses: Sequence[Clause]) -> Phrase | None:
    """Why the goal allows it: a clause that orders it and names it."""
    needs = _NEEDS.get(finding.rule, ())
    for clause in clauses:
        ordered = pattern(words.ORDERS).search(clause.text) is not None
        if ordered and any(_meets(need, finding, clause) for need in needs):
            flat = " ".join(clause.raw.split())
            return Phrase("permits.goal_names", {"words": flat[:_LONGEST]})
    return None


def _meets(need: Need, finding: Finding, clause: Clause) -> bool:
    values = finding.message.values
    now = str(values.get("now", "")).lower()
    before = str(values.get("before", "") or finding.before).lower()
    text = clause.text
    if finding.rule == "exam-hook" and _FORCED.search(now) and not _said(_FORCED.findall(now), text):
        return False
    if finding.rule == "command-weakened" and _narrower(now, before) and not pattern(_ONLY).search(text):
        return False
    if finding.rule == "exit-call" and _TESTLIKE.search(finding.file):
        return False
    checks = (
        not need.words or pattern(need.words).search(text) is not None,
        not need.file or _names_file(finding.file, text),
        not need.news or _said(_news(now, before), text),
        not need.number or _said(_numbers(now, before), text),
    )
    return all(checks)


def _narrower(now: str, before: str) -> bool:
    """An option that picks tests is new."""
    return any(option not in before.split() for option in _PICKS.findall(now))


def _names_file(file: str, text: str) -> bool:
    name = posixpath.basename(file).lower()
    stem = name.split(".")[0] if name.startswith("conftest") else name
    return any(
        re.search(rf"(?<![\w/.-]){re.escape(each)}(?!\w)", text) for each in (file.lower(), name, stem)
    )


def _news(now: str, before: str) -> list[str]:
    """Telling words that stand in what is there now and not in what was there before; else the other way."""
    had, has = _telling(before), _telling(now)
    fresh = [word for word in has if word not in had]
    return fresh or [word for word in had if word not in has]


def _telling(text: str) -> list[str]:
    """Words, options and paths, and the parts of dotted names."""
    whole = [word.strip("./") for word in _WORD.findall(text)]
    parts = [part for word in whole if "." in word and "/" not in word for part in word.split(".")]
    return [word for word in (*whole, *parts) if word not in _IDLE and len(word) > _SHORTEST]


def _numbers(now: str, before: str) -> list[str]:
    return [number for number in _NUMBER.findall(now) if number not in _NUMBER.findall(before)]


def _said(found: Sequence[str], text: str) -> bool:
    return any(re.search(rf"(?<![\w.-]){re.escape(each)}(?![\w-]|\.\d)", text) for each in found)
