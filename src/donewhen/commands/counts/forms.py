"""Summaries that differ only in their form: `counts.toml`. One line, a list in a line, a block of lines.

Only whole lines of a known form are read, and only words that runners use for numbers; anything else is no
summary: prose about tests must not be read as counts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from donewhen.commands.counts.text import Lines
from donewhen.core.counts import Counts
from donewhen.shell.tables import Place, beside, check_pattern, load_tables

# `ran`: executed, but neither passed nor failed. `aside`: no count of tests, or of tests in no other number.
Role = Literal["passed", "failed", "errors", "skipped", "ran", "total", "aside"]
Pair = tuple[int, str]
_TABLE = beside(__file__, "counts.toml")
_PATTERNS = ("lines", "lists", "blocks", "nothing", "failure", "names")
_TEXTS = ("words", "hides", "separators", "cumulative")
_NUMBER = r"\d{1,9}"
_TIME = r"(?P<time>[\d.:]{1,20} ?(?:ms|µs|us|ns|s|m|h|min|secs?|seconds?|minutes?)?)"
_BLOCK_TIME = r"(?: \((?P<time>[\d.]{1,12} ?(?:ms|s|m|h))\))?"
_PAIR = re.compile(r"(\d{1,9}) ([a-z][a-z ]{0,60})")
_ASIDE = re.compile(r" \(\d{1,9} (?:steps?|slow|leaky|flaky)[^()]{0,60}\)")
_TOTALS = ("tests", "total", "total tests", "found")
_MOST_NAMES = 5
_LONGEST_NAME = 200


def written_out(form: str) -> str:
    plain = form.replace("<T>", _TIME).replace("<N>", _NUMBER).replace("<B>", _BLOCK_TIME)
    return re.sub(r"(?<!\?P)<([a-z_0-9]+)>", rf"(?P<\1>{_NUMBER})".replace("\\d", r"\\d"), plain)


def check_row(place: Place, row: Any) -> dict[str, Any]:
    """Texts by their name, or patterns by their runner, written out."""
    if place.name not in (*_PATTERNS, *_TEXTS, "opens") or not isinstance(row, dict):
        raise place.error("", f"{place.name} is no kind of form")
    checked: dict[str, Any] = {}
    for name, value in row.items():
        if place.name in _TEXTS:
            if not isinstance(value, str):
                raise place.error(name, f"{name} is a text")
            checked[name] = value
            continue
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise place.error(name, f"{name} is a list of texts")
        checked[name] = value
        if place.name in _PATTERNS:
            checked[name] = [written_out("".join(each.split("\n"))) for each in value]
            for each in checked[name]:
                check_pattern(place, name, each)
    return checked


@cache
def table(name: str) -> Mapping[str, Any]:
    return dict(load_tables(_TABLE, check_row)[name])


@cache
def _roles() -> Mapping[str, str]:
    return {word.strip(): role for role, text in table("words").items() for word in text.split(",")}


_compiled = cache(re.compile)


def pairs_in(text: str, separator: str = ", ") -> list[Pair] | None:
    """`1 failed, 2 passed` as pairs; None when any part is something else."""
    pairs = []
    for part in text.split(separator):
        found = _PAIR.fullmatch(part.strip().lower())
        if not found or found[2].strip() not in _roles():
            return None
        pairs.append((int(found[1]), found[2].strip()))
    return pairs


def counted(
    runner: str, pairs: Iterable[Pair], files: int | None = None, seconds: str | None = None
) -> Counts:
    """Counts from pairs of number and word. A total includes what was skipped."""
    sums: dict[str, int] = {}
    for number, word in pairs:
        role = _roles()[word.lower()]
        sums[role] = sums.get(role, 0) + number
    failed, errors, skipped = sums.get("failed", 0), sums.get("errors", 0), sums.get("skipped", 0)
    ran = sums.get("passed", 0) + failed + sums.get("ran", 0)
    executed = max(0, sums["total"] - skipped) if "total" in sums else ran
    passed = sums.get("passed", max(0, executed - failed - errors - sums.get("ran", 0)))
    return Counts(executed, passed, failed, errors, skipped, files, seconds, runner=runner)


def _forms(name: str) -> Iterator[tuple[str, str]]:
    return ((runner, form) for runner, forms in table(name).items() for form in forms)


def read_lines(lines: Lines) -> list[Counts]:
    return _collected("lines", filter(None, map(_of_line, lines)))


def read_lists(lines: Lines) -> list[Counts]:
    return _collected("lists", filter(None, map(_of_list, lines)))


def _collected(kind: str, found: Iterable[Counts]) -> list[Counts]:
    """A cumulative runner's last summary replaces those before it."""
    cumulative = table("cumulative").get(kind, "").split()
    parts: list[Counts] = []
    for counts in found:
        if counts.runner in cumulative:
            parts = [part for part in parts if part.runner != counts.runner]
        parts.append(counts)
    return parts


def _of_line(line: str) -> Counts | None:
    for runner, form in _forms("lines"):
        found = _compiled(form).fullmatch(line)
        if found:
            groups = found.groupdict()
            time, files = groups.pop("time", None), groups.pop("files", None)
            pairs = [(int(n), word.rstrip("12").replace("_", " ")) for word, n in groups.items() if n]
            return counted(runner, pairs, int(files) if files else None, time)
    return None


def _of_list(line: str) -> Counts | None:
    if not any(character.isdigit() for character in line[:80]):
        return None
    line = _ASIDE.sub("", line)
    for runner, form in _forms("lists"):
        found = _compiled(form).fullmatch(line)
        pairs = pairs_in(found["list"], table("separators").get(runner, ", ")) if found else None
        if found and pairs:
            return counted(runner, pairs, seconds=found.groupdict().get("time"))
    return None


def read_said(lines: Lines) -> list[Counts]:
    """Single lines that say everything; one about nothing adds nothing to what other summaries count."""
    nothing = [Counts(0, 0, runner=runner) for runner in _heard("nothing", lines)]
    return nothing + [Counts(0, 0, errors=1, runner=runner) for runner in _heard("failure", lines)]


def _heard(kind: str, lines: Lines) -> list[str]:
    forms = list(_forms(kind))
    heard = (runner for line in lines for runner, form in forms if _compiled(form).fullmatch(line))
    return list(dict.fromkeys(heard))


class _Block(NamedTuple):
    numbers: dict[str, int]  # by word; the first one said counts
    texts: dict[str, str]  # time and files, as printed


def read_blocks(lines: Lines) -> list[Counts]:
    opens = [each for words in table("opens").values() for each in words]
    forms = zip(_forms("blocks"), opens, strict=True)
    return [counts for (runner, form), word in forms for counts in _blocks(runner, form, word, lines)]


def _blocks(runner: str, form: str, opens: str, lines: Lines) -> list[Counts]:
    blocks: list[_Block] = []
    for line in lines:
        found = _compiled(form).fullmatch(line)
        if not found:
            continue
        groups = found.groupdict()
        word = next(groups[name] for name in ("word", "odd", "head") if groups.get(name)).lower()
        if word == opens or (not opens and (not blocks or word in blocks[-1].numbers)):
            blocks.append(_Block({}, {}))
        if not blocks:
            continue
        if groups["n"]:
            blocks[-1].numbers.setdefault(word, int(groups["n"]))
        for name in ("time", "ms", "files"):
            if groups.get(name):
                blocks[-1].texts.setdefault(name, groups[name])
    return [_of_block(runner, block) for block in blocks if block.numbers]


def _of_block(runner: str, block: _Block) -> Counts:
    """Where the passes are said, a total adds nothing: it may or may not include what was left out."""
    named = any(word in block.numbers for word in ("pass", "passed", "passing", "succeeded", "successful"))
    pairs = [(n, word) for word, n in block.numbers.items() if not (named and word in _TOTALS)]
    files = block.texts.get("files")
    time = f"{block.texts['ms']}ms" if "ms" in block.texts else block.texts.get("time")
    return counted(runner, pairs, int(files) if files else None, time)


def failed_names(runner: str, lines: Lines) -> tuple[str, ...]:
    """The first few failed tests, each once."""
    forms = [_compiled(form) for form in table("names").get(runner, ())]
    names: dict[str, None] = {}
    for line in lines:
        for form in forms:
            found = form.fullmatch(line[: 2 * _LONGEST_NAME])
            if found:
                names.setdefault(found["name"].strip()[:_LONGEST_NAME])
        if len(names) >= _MOST_NAMES:
            break
    return tuple(names)[:_MOST_NAMES]
