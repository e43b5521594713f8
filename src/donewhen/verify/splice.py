"""Manifests that say what the product needs and how it is examined: the exam of one, the rest of another.

Pure. They are read by key; dependencies are environment and stay as they are now. What can't be put together
without doubt is left to the caller, who can ask whether the exam differs at all.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
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
_HOOKS = ("pre", "post")
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
    except (ValueError, RecursionError, configparser.Error):
        return None
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


def _package(base: str, now: str) -> str | None:
    before, after = json.loads(base), json.loads(now)
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    for block in _NODE_BLOCKS:
        after.pop(block, None)
        if block in before:
            after[block] = before[block]
    return _with_scripts(before, after, "scripts")


def _tasks(key: str) -> Callable[[str, str], str | None]:
    def spliced(base: str, now: str) -> str | None:
        before, after = json.loads(base), json.loads(now)
        return (
            _with_scripts(before, after, key)
            if isinstance(before, dict) and isinstance(after, dict)
            else None
        )

    return spliced


def _with_scripts(before: Mapping[str, Any], after: dict[str, Any], key: str) -> str | None:
    was, has = before.get(key, {}), after.get(key, {})
    if not isinstance(was, dict) or not isinstance(has, dict):
        return None
    found = _scripts(was, has)
    if found or key in before:
        after[key] = found
    return json.dumps(after, indent=2, ensure_ascii=False) + "\n"


def _scripts(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Those that examine as at the base; new ones stay unless they would run round one of the base's."""
    names = {*before, *after}
    exam = {name for name in names if _examines(name, before.get(name)) or _examines(name, after.get(name))}
    hooks = {f"{hook}{name}" for name in before for hook in _HOOKS}
    kept = {
        name: text
        for name, text in after.items()
        if name not in exam or (name not in before and name not in hooks)
    }
    return {name: text for name, text in {**before, **kept}.items() if name in exam or name in after}


def _examines(name: str, text: object) -> bool:
    return bool(_EXAM_NAME.fullmatch(name)) or bool(_RUNS_TESTS.search(text if isinstance(text, str) else ""))


# --- TOML and INI: sections of keys ---


class _Section(NamedTuple):
    name: str
    head: str  # its header line, with what stands before its first key
    keys: list[tuple[str, str]]  # each with its text

    def text(self, wanted: Callable[[Keys], bool] = lambda _: True) -> str:
        return self.head + "".join(text for key, text in self.keys if wanted((self.name, key)))


_TOML_HEADER = re.compile(r"\s*(\[{1,2})\s*([^\]\n]{1,300}?)\s*\]{1,2}\s*(?:#.*)?")
_TOML_KEY = re.compile(r"\s*([\w.\"'-]{1,200}(?:\s*\.\s*[\w\"'-]{1,200}){0,10})\s*=")
_INI_HEADER = re.compile(r"()\[([^\]\n]{1,300})\].*")
_INI_KEY = re.compile(r"([^\s#;\[=:][^=:\n]{0,200}?)\s*[=:]")


def _pyproject(base: str, now: str) -> str | None:
    return _joined_toml(base, now, _is_pyproject_exam)


def _cargo(base: str, now: str) -> str | None:
    return _joined_toml(base, now, _is_cargo_exam)


def _joined_toml(base: str, now: str, is_exam: Callable[[Keys], bool]) -> str | None:
    text = _joined(
        list(_sections(base, _TOML_HEADER, _toml_key)),
        list(_sections(now, _TOML_HEADER, _toml_key)),
        lambda keys: is_exam((*_dotted(keys[0]), *_dotted(keys[1]))),
    )
    before, after, found = (dict(_flat(tomllib.loads(each))) for each in (base, now, text))
    wanted = {keys: value for keys, value in after.items() if not is_exam(keys)}
    wanted |= {keys: value for keys, value in before.items() if is_exam(keys)}
    return text if found == wanted else None  # dotted keys, odd strings


def _is_pyproject_exam(keys: Keys) -> bool:
    if len(keys) < 2 or keys[0] != "tool" or not _ENVIRONMENT.isdisjoint(keys):
        return False
    return keys[1] in _TOML_TABLES or (keys[1] in _TASK_TOOLS and not _TASKS.isdisjoint(keys[2:]))


def _is_cargo_exam(keys: Keys) -> bool:
    if keys[0] in ("test", "bench") or keys[:2] == ("profile", "test"):
        return True
    return keys[0] in ("package", "lib") and keys[-1] in _CARGO_KEYS


def _flat(table: Mapping[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, (*above, key))
        else:
            yield (*above, key), value


def _dotted(name: str) -> Keys:
    return tuple(part.strip().strip("\"'") for part in name.split(".")) if name else ()


def _ini(base: str, now: str) -> str | None:
    text = _joined(
        list(_sections(base, _INI_HEADER, _ini_key)),
        list(_sections(now, _INI_HEADER, _ini_key)),
        _is_ini_exam,
    )
    before, after, found = (_ini_facts(each) for each in (base, now, text))
    wanted = {keys: value for keys, value in after.items() if not _is_ini_exam(keys)}
    wanted |= {keys: value for keys, value in before.items() if _is_ini_exam(keys)}
    return text if found == wanted else None


def _is_ini_exam(keys: Keys) -> bool:
    return bool(_INI_SECTION.fullmatch(keys[0])) and keys[1].lower() not in _ENVIRONMENT


def _ini_facts(text: str) -> dict[Keys, str]:
    reader = configparser.RawConfigParser(strict=False)
    reader.read_string(text)
    return {(name, key): value for name in reader.sections() for key, value in reader[name].items()}


def _joined(base: list[_Section], now: list[_Section], is_exam: Callable[[Keys], bool]) -> str:
    """Section by section; those that only the base has come last."""
    parts: list[str] = []
    left = {section.name: section for section in base}
    repeated = {name for name in left if sum(section.name == name for section in base) > 1}
    repeated |= {each.name for each in now if sum(section.name == each.name for section in now) > 1}
    for section in now:
        if section.name in repeated and is_exam((section.name, "")):
            continue  # tables of a list: all of them are the base's
        old = left.pop(section.name, None)
        lines = section.text(lambda keys: not is_exam(keys))
        if old is not None:
            lines = _ended(lines) + "".join(text for key, text in old.keys if is_exam((old.name, key)))
        if (
            section.keys
            and old is None
            and lines == section.head
            and is_exam((section.name, section.keys[0][0]))
        ):
            continue  # it said nothing else
        parts.append(lines)
    wanted = [section for section in base if section.name in left or section.name in repeated]
    last = [each.text(is_exam) for each in wanted if any(is_exam((each.name, key)) for key, _ in each.keys)]
    return "".join(_ended(part) for part in (*parts, *last))


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n"


def _sections(text: str, header: re.Pattern[str], key_of: Callable[[str, str], str]) -> Iterator[_Section]:
    """`key_of`: the key that a line begins, after the text of the one before it."""
    here = _Section("", "", [])
    for line in text.splitlines(keepends=True):
        value = here.keys[-1][1] if here.keys else ""
        found = header.fullmatch(line.rstrip("\r\n"))
        key = key_of(value, line)
        if found and not key:
            yield here
            here = _Section(found[2].strip(), line, [])
        elif key and key != _INSIDE:
            here.keys.append((key, line))
        elif here.keys:
            here.keys[-1] = (here.keys[-1][0], value + line)
        else:
            here = here._replace(head=here.head + line)
    yield here


_INSIDE = "\0"  # the line goes on with what came before it


def _toml_key(value: str, line: str) -> str:
    if value and not _is_whole(value):
        return _INSIDE
    found = _TOML_KEY.match(line)
    return found[1] if found else ""


def _is_whole(value: str) -> bool:
    if not any(mark in value for mark in ("[", "{", '""' + '"', "''" + "'")):
        return True
    try:
        tomllib.loads(value)
    except ValueError:
        return False
    return True


def _ini_key(value: str, line: str) -> str:
    found = _INI_KEY.match(line)
    return found[1].lower() if found else ""


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
    return "".join(map(_ended, (*first, *kept, *last)))


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
    "package.json": _package,
    "composer.json": _tasks("scripts"),
    "deno.json": _tasks("tasks"),
    "pyproject.toml": _pyproject,
    "cargo.toml": _cargo,
    "setup.cfg": _ini,
    "tox.ini": _ini,
    **dict.fromkeys(("makefile", "gnumakefile", "justfile", ".justfile"), _makefile),
}
_FACTS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("package.json", "composer.json", "deno.json"), json.loads),
    **dict.fromkeys(("pyproject.toml", "cargo.toml"), tomllib.loads),
    **dict.fromkeys(("setup.cfg", "tox.ini"), _ini_facts),
}
