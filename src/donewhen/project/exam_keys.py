"""Manifests that say what the product needs and how it is examined: the exam of one, the rest of another; and
the coverage thresholds in them.

Pure. They are read by key; dependencies are environment and stay as they are now. What can't be put together
without doubt is left to the caller, who can ask whether the exam differs at all.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from itertools import zip_longest
from typing import Any, NamedTuple

_LARGEST = 1024 * 1024
Keys = tuple[str, ...]  # from the outermost table to the key
_ENVIRONMENT = frozenset(
    "deps dependencies dependency_groups dependency-groups extra-dependencies extras features requires "
    "requires-python basepython base_python python usedevelop package wheel_build_env".split()
)
_EXAM_NAME = re.compile(
    r"(?:pre|post)?(?:.{0,80}[-_.:/])?(?:tests?|checks?|specs?|ci|verify|cover(?:age)?|cov|unit|integration|e2e|lint)"
    r"(?:[-_.:/].{0,80})?"
)
_RUNS_TESTS = re.compile(
    r"\b(?:pytest|py\.test|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|tap|tape|uvu|jasmine|karma|cypress"
    r"|playwright|ctest|rspec|bats|phpunit|coverage|c8|nyc|doctest|nextest)\b|\bnode\b.{0,80}--test\b"
    r"|\b(?:go|cargo|npm|yarn|pnpm|bun|deno|make|mvn|gradle|gradlew|dotnet|swift|mix|rake)"
    r"(?: -\S{1,40}){0,5}(?: run)? (?:tests?|vet|check)\b"
)
_TOML_TABLES = frozenset("pytest coverage tox nox poe taskipy interrogate mutmut".split())
_TASKS = frozenset(("scripts", "tasks"))  # of hatch, pdm, rye and pixi
_TASK_TOOLS = frozenset(("hatch", "pdm", "rye", "pixi"))
_CARGO_KEYS = frozenset("autotests autobenches test doctest harness bench".split())
_INI_SECTION = re.compile(r"(?:tool:)?pytest|coverage(?::.*)?|aliases|tox(?::.*)?|testenv(?::.*)?|unittest")
_NODE_BLOCKS = ("jest", "mocha", "ava", "c8", "nyc", "tap", "vitest", "jasmine", "tape")
# lines of what has no reader here (pom.xml, build.gradle, .env, …) that are about the exam, no dependencies
_EXAM_LINE = re.compile(
    r"tests?\b|surefire|failsafe|jacoco|junit|script-shell|ignore-scripts|node-options|NODE_OPTIONS|PYTEST|exclude",
    re.IGNORECASE,
)
_NO_EXAM = frozenset(("go.mod", "go.work", "pipfile"))
_DEPENDENCY = re.compile(
    r"version|artifactId|groupId|<scope>|\w*(?:implementation|RuntimeOnly|CompileOnly)\b", re.I
)


def splice(path: str, base: bytes, now: bytes) -> bytes | None:
    """`now` with what `base` says about the exam; None where that can't be told apart."""
    if len(base) > _LARGEST or len(now) > _LARGEST:
        return None
    how = _HOW.get(path.rpartition("/")[2].lower())
    try:
        text = how(base.decode(), now.decode()) if how else None
    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):
        return None  # no such file, or a table on one side is a value on the other
    return text.encode() if text is not None else None


def exam_differs(path: str, base: bytes, now: bytes) -> bool:
    """Whether the two say anything else about the exam; yes where nobody can read them."""
    name = path.rpartition("/")[2].lower()
    if name in _HOW:
        spliced = splice(path, base, now)
        return spliced is None or not _same(name, spliced, now)
    if name in _NO_EXAM:
        return False
    lines = [
        sorted(filter(_is_exam_line, data.decode(errors="replace").splitlines())) for data in (base, now)
    ]
    return lines[0] != lines[1]


def rest_differs(path: str, base: bytes, now: bytes) -> bool:
    """Whether anything but the exam differs."""
    name = path.rpartition("/")[2].lower()
    spliced = splice(path, base, now)
    return spliced is None or not _same(name, spliced, base)


def _same(name: str, one: bytes, other: bytes) -> bool:
    """Whether they say the same, in whatever form."""
    if one == other:
        return True
    read = _FACTS.get(name)
    try:
        texts = [data.decode() for data in (one, other)]
        return (
            read(texts[0]) == read(texts[1]) if read else sorted(texts[0].split()) == sorted(texts[1].split())
        )
    except (ValueError, RecursionError, configparser.Error):
        return False


def _is_exam_line(line: str) -> bool:
    return bool(_EXAM_LINE.search(line)) and not _DEPENDENCY.search(line)


# --- JSON ---


def _json(key: str, *blocks: str) -> Callable[[str, str], str | None]:
    """`key`: where scripts stand; `blocks`: settings of runners."""

    def spliced(base: str, now: str) -> str | None:
        before, after = json.loads(base), json.loads(now)
        was, has = (each.get(key, {}) if isinstance(each, dict) else None for each in (before, after))
        if not isinstance(was, dict) or not isinstance(has, dict):
            return None
        for block in blocks:
            after.pop(block, None)
            if block in before:
                after[block] = before[block]
        found = _scripts(was, has)
        if found or key in before:
            after[key] = found
        return json.dumps(after, indent=2, ensure_ascii=False) + "\n"

    return spliced


def _scripts(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Those that examine as at the base; new ones stay unless they would run round one of the base's."""
    names = {*before, *after}
    exam = {name for name in names if _examines(name, before.get(name)) or _examines(name, after.get(name))}
    hooks = {f"{hook}{name}" for name in before for hook in ("pre", "post")}
    kept = {
        name: text
        for name, text in after.items()
        if name not in exam or (name not in before and name not in hooks)
    }
    return {name: text for name, text in {**before, **kept}.items() if name in exam or name in after}


def _examines(name: str, text: object) -> bool:
    return bool(_EXAM_NAME.fullmatch(name)) or bool(_RUNS_TESTS.search(text if isinstance(text, str) else ""))


# --- TOML and INI: what they say is put together by key and written anew, without comments ---

Facts = dict[Keys, Any]


def _by_key(
    read: Callable[[str], Facts], is_exam: Callable[[Keys], bool], write: Callable[[Facts], str]
) -> Callable[[str, str], str | None]:
    def spliced(base: str, now: str) -> str | None:
        before, after = read(base), read(now)
        wanted = {keys: value for keys, value in after.items() if not is_exam(keys)}
        wanted |= {keys: value for keys, value in before.items() if is_exam(keys)}
        text = write(wanted)
        return text if read(text) == wanted else None  # odd strings

    return spliced


def _toml_facts(text: str) -> Facts:
    return dict(_flat(tomllib.loads(text)))


def _flat(table: Mapping[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, (*above, key))
        else:
            yield (*above, key), value


def _toml_text(facts: Facts) -> str:
    whole: dict[str, Any] = {}
    for keys, value in facts.items():
        table = whole
        for key in keys[:-1]:
            table = table.setdefault(key, {})
        table[keys[-1]] = value
    return _toml_table(whole)


def _toml_table(table: Mapping[str, Any], above: Keys = ()) -> str:
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{_quoted(key)} = {_toml_value(value)}\n" for key, value in plain.items()]
    if above and (plain or not table):
        lines.insert(0, f"\n[{'.'.join(map(_quoted, above))}]\n")
    lines += [_toml_table(value, (*above, key)) for key, value in table.items() if isinstance(value, dict)]
    return "".join(lines)


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(key)} = {_toml_value(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False)
    return str(value)  # numbers and dates


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)


def _is_pyproject_exam(keys: Keys) -> bool:
    if len(keys) < 2 or keys[0] != "tool" or not _ENVIRONMENT.isdisjoint(keys):
        return False
    return keys[1] in _TOML_TABLES or (keys[1] in _TASK_TOOLS and not _TASKS.isdisjoint(keys[2:]))


def _is_cargo_exam(keys: Keys) -> bool:
    if keys[0] in ("test", "bench") or keys[:2] == ("profile", "test"):
        return True
    return keys[0] in ("package", "lib") and keys[-1] in _CARGO_KEYS


def _ini_reader() -> configparser.RawConfigParser:
    reader = configparser.RawConfigParser(strict=False, default_section="\0")
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    return reader


def _ini_facts(text: str) -> Facts:
    reader = _ini_reader()
    reader.read_string(text)
    sections = {name: reader[name] or {"": ""} for name in reader.sections()}  # an empty one says something
    return {(name, key): value for name, section in sections.items() for key, value in section.items()}


def _ini_text(facts: Facts) -> str:
    reader, text = _ini_reader(), StringIO()
    for (name, key), value in facts.items():
        if not reader.has_section(name):
            reader.add_section(name)
        if key:
            reader.set(name, key, value)
    reader.write(text)
    return text.getvalue()


def _is_ini_exam(keys: Keys) -> bool:
    return bool(_INI_SECTION.fullmatch(keys[0])) and keys[1].lower() not in _ENVIRONMENT


# --- Makefiles and justfiles: rules and variables ---


class _Block(NamedTuple):
    kind: str  # rule, variable or other
    names: frozenset[str]
    text: str
    inside: bool  # a condition


_RULE = re.compile(r"([^\t\s#=:][^=:#]{0,500}?)\s*:(?![=:]*=)(.*)", re.DOTALL)
_VARIABLE = re.compile(r"\s*(export\s+|override\s+)?([\w.-]{1,80})\s*(?:[:?+!]|::)?=")
_SETTING = re.compile(r"set\s+([\w-]{1,40})\b")  # of just
_OPENS, _CLOSES = re.compile(r"\s*(?:ifn?eq|ifn?def|define)\b"), re.compile(r"\s*(?:endif|endef)\b")
_USED = re.compile(r"\$[({]([\w.-]{1,80})[)}]|\{\{\s*([\w-]{1,80})")
_RULING = frozenset(
    "SHELL .SHELLFLAGS MAKEFLAGS .IGNORE .ONESHELL .DEFAULT_GOAL .SILENT .POSIX shell".split()
)


def _makefile(base: str, now: str) -> str | None:
    before, after = list(_blocks(base)), list(_blocks(now))
    targets = {name for block in (*before, *after) if _is_exam_rule(block) for name in block.names}
    used = _used(targets, (*before, *after))

    def is_exam(block: _Block) -> bool:
        if block.kind == "variable":
            exported = block.text.lstrip().startswith("export")
            return exported or not (used | _RULING).isdisjoint(block.names)
        return block.kind == "rule" and not (targets | _RULING).isdisjoint(block.names)

    old, new = [block for block in before if is_exam(block)], [block for block in after if is_exam(block)]
    if [block.text.strip() for block in old] == [block.text.strip() for block in new]:
        return now
    if any(block.inside for block in (*old, *new)):
        return None
    known = {name for block in old for name in block.names}
    kept = [
        block.text
        for block in after
        if not is_exam(block) or (block.kind == "rule" and (known | _RULING).isdisjoint(block.names))
    ]
    first = [block.text for block in old if block.kind == "variable"]
    last = [block.text for block in old if block.kind == "rule"]
    return "".join(each if each.endswith("\n") else f"{each}\n" for each in (*first, *kept, *last))


def _is_exam_rule(block: _Block) -> bool:
    if block.kind != "rule" or ".PHONY" in block.names:
        return False
    return any(_EXAM_NAME.fullmatch(name) for name in block.names) or bool(_RUNS_TESTS.search(block.text))


def _used(targets: set[str], blocks: Iterable[_Block]) -> set[str]:
    """Variables that these rules use, and those that stand in their values."""
    blocks = list(blocks)
    found: set[str] = set()
    for _ in range(10):
        texts = [b.text for b in blocks if not (targets if b.kind == "rule" else found).isdisjoint(b.names)]
        more = {name for text in texts for pair in _USED.findall(text) for name in pair if name}
        if more <= found:
            break
        found |= more
    return found


def _blocks(text: str) -> Iterator[_Block]:
    depth = 0
    here: _Block | None = None
    goes_on = False
    for line in text.splitlines(keepends=True):
        if here is not None and (
            goes_on or (here.kind == "rule" and (line[:1] in "\t " or not line.strip()))
        ):
            here = here._replace(text=here.text + line)
            goes_on = line.rstrip().endswith("\\")
            continue
        if here is not None:
            yield here
        opens, closes = bool(_OPENS.match(line)), bool(_CLOSES.match(line))
        here = _block(line, inside=depth > 0 or opens)
        depth = max(0, depth + opens - closes)
        goes_on = line.rstrip().endswith("\\")
    if here is not None:
        yield here


def _block(line: str, *, inside: bool) -> _Block:
    if found := _SETTING.match(line):
        return _Block("variable", frozenset((found[1],)), line, inside)
    if found := _VARIABLE.match(line):
        return _Block("variable", frozenset((found[2],)), line, inside)
    if not line.startswith("#") and (found := _RULE.match(line)):
        return _Block("rule", frozenset(found[1].split()), line, inside)
    return _Block("other", frozenset(), line, inside)


_HOW: Mapping[str, Callable[[str, str], str | None]] = {
    "package.json": _json("scripts", *_NODE_BLOCKS),
    "composer.json": _json("scripts"),
    "deno.json": _json("tasks"),
    "pyproject.toml": _by_key(_toml_facts, _is_pyproject_exam, _toml_text),
    "cargo.toml": _by_key(_toml_facts, _is_cargo_exam, _toml_text),
    **dict.fromkeys(("setup.cfg", "tox.ini"), _by_key(_ini_facts, _is_ini_exam, _ini_text)),
    **dict.fromkeys(("makefile", "gnumakefile", "justfile", ".justfile"), _makefile),
}
_FACTS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("package.json", "composer.json", "deno.json"), json.loads),
    **dict.fromkeys(("pyproject.toml", "cargo.toml"), tomllib.loads),
    **dict.fromkeys(("setup.cfg", "tox.ini"), _ini_facts),
}


# --- Coverage thresholds in settings, scripts and commands: read as numbers, compared, switched off ---

_OPTION = (
    r"--cov-fail-under|--fail-under(?:-lines|-functions|-regions)?|--minimum-coverage|fail_under|fail-under|cov_fail_under"
    r"|minimum_coverage|min_coverage"
)
_KIND = r"lines|branches|functions|statements"  # of nyc, c8, jest and vitest
_LIMIT = r"[\"']?\s{0,5}[=:\s]\s{0,5}[\"']?(-?\d{1,9}(?:\.\d{1,9})?)"
_OF_OPTION = re.compile(rf"(?<![\w-])({_OPTION}){_LIMIT}")
_OF_KIND = re.compile(rf"(?<![\w.])((?:--)?(?:{_KIND})){_LIMIT}")
_SPEAKS_OF_KINDS = re.compile(
    r"coverageThreshold|thresholds?\b|\bnyc\b|\bc8\b|check-?coverage", re.IGNORECASE
)


class Lowered(NamedTuple):
    """A threshold that is less than it was; `now` is None where it is gone."""

    key: str
    was: float
    now: float | None


def lowered(base: Iterable[str], now: Iterable[str]) -> tuple[Lowered, ...]:
    """All texts of a side together, so that a threshold may move from one file to another."""
    before, after = _thresholds(base), _thresholds(now)
    found = []
    for key, values in before.items():
        pairs = zip_longest(values, after.get(key, [])[: len(values)])
        less = next((pair for pair in pairs if pair[1] is None or pair[1] < pair[0]), None)
        if less is not None:
            found.append(Lowered(key, *less))
    return tuple(found)


def without_thresholds(text: str) -> str:
    """The same with 0 for every threshold."""
    for match in sorted(_limits(text), key=lambda each: -each.start(2)):
        text = f"{text[: match.start(2)]}0{text[match.end(2) :]}"
    return text


def _thresholds(texts: Iterable[str]) -> Mapping[str, list[float]]:
    """By name, the highest first."""
    found: dict[str, list[float]] = {}
    for match in (match for text in texts for match in _limits(text)):
        name = match[1].strip("-").replace("-", "_").replace("cov_fail", "fail")
        found.setdefault(name, []).append(float(match[2]))
    return {name: sorted(values, reverse=True) for name, values in found.items()}


def _limits(text: str) -> list[re.Match[str]]:
    if len(text) > _LARGEST:
        return []
    shapes = (_OF_OPTION, _OF_KIND) if _SPEAKS_OF_KINDS.search(text) else (_OF_OPTION,)
    return [match for shape in shapes for match in shape.finditer(text)]
