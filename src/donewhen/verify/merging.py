"""A file that says both what the product needs and how it is examined: the exam of one, the rest of another.

Only what can be put together without doubt is; everything else is left to the caller. Pure.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

_LARGEST = 1024 * 1024
_SCRIPTS = "scripts"
# what package.json says about tests beside its scripts
_NODE_BLOCKS = ("jest", "mocha", "ava", "c8", "nyc", "tap", "vitest", "jasmine", "tape")
_HOOKS = ("pre", "post")
# tables of pyproject.toml and sections of setup.cfg that are about the exam
_TOML_TABLES = ("pytest", "coverage", "tox", "nox", "poe", "taskipy", "interrogate", "mutmut")
_INI_SECTION = re.compile(r"tool:pytest|pytest|coverage(?::.*)?|aliases|tox(?::.*)?|testenv(?::.*)?|unittest")
_TOML_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]\n]{1,300}?)\s*\]{1,2}\s*(?:#.*)?")
_INI_HEADER = re.compile(r"\[([^\]\n]{1,300})\]\s*")


def merged(path: str, base: bytes, now: bytes) -> bytes | None:
    """`now` with what `base` says about the exam; None where that can't be told apart."""
    how = _HOW.get(path.rpartition("/")[2].lower())
    if how is None or len(base) > _LARGEST or len(now) > _LARGEST:
        return None
    try:
        text = how(base.decode(), now.decode())
    except (ValueError, RecursionError, configparser.Error):
        return None
    return text.encode() if text is not None else None


def _package(base: str, now: str) -> str | None:
    before, after = json.loads(base), json.loads(now)
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    for block in _NODE_BLOCKS:
        after.pop(block, None)
        if block in before:
            after[block] = before[block]
    scripts = before.get(_SCRIPTS, {}), after.get(_SCRIPTS, {})
    if not all(isinstance(each, dict) for each in scripts):
        return None
    both = _scripts(*scripts)
    if both or _SCRIPTS in before:
        after[_SCRIPTS] = both
    return json.dumps(after, indent=2, ensure_ascii=False) + "\n"


def _scripts(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The base's; new ones stay unless they would run round one of the base's."""
    hooks = {f"{hook}{name}" for name in before for hook in _HOOKS}
    new = {name: text for name, text in after.items() if name not in before and name not in hooks}
    return {**before, **new}


def _pyproject(base: str, now: str) -> str | None:
    wanted = _without(tomllib.loads(now), tomllib.loads(base))
    text = _joined(base, now, _TOML_HEADER, _is_exam_table, quotes=('"""', "'''"))
    return text if tomllib.loads(text) == wanted else None  # dotted keys, tables in arrays, odd strings


def _without(after: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    tools = {name: tool for name, tool in after.get("tool", {}).items() if name not in _TOML_TABLES}
    tools |= {name: tool for name, tool in before.get("tool", {}).items() if name in _TOML_TABLES}
    rest = {name: value for name, value in after.items() if name != "tool"}
    return {**rest, "tool": tools} if tools else rest


def _is_exam_table(name: str) -> bool:
    parts = [part.strip().strip("\"'") for part in name.split(".")]
    return len(parts) > 1 and parts[0] == "tool" and parts[1] in _TOML_TABLES


def _setup_cfg(base: str, now: str) -> str | None:
    text = _joined(base, now, _INI_HEADER, lambda name: bool(_INI_SECTION.fullmatch(name)))
    read, before, after = (configparser.RawConfigParser(strict=False) for _ in range(3))
    read.read_string(text)
    before.read_string(base)
    after.read_string(now)
    for name in read.sections():
        source = before if _INI_SECTION.fullmatch(name) else after
        if not source.has_section(name) or dict(read[name]) != dict(source[name]):
            return None
    return text


def _joined(
    base: str, now: str, header: re.Pattern[str], is_exam: Callable[[str], bool], quotes: tuple[str, ...] = ()
) -> str:
    kept = [text for name, text in _parts(now, header, quotes) if not is_exam(name)]
    kept += [text for name, text in _parts(base, header, quotes) if is_exam(name)]
    return "".join(text if text.endswith("\n") or not text else f"{text}\n" for text in kept)


def _parts(text: str, header: re.Pattern[str], quotes: tuple[str, ...]) -> list[tuple[str, str]]:
    """The text cut before each header line; no line inside a string of several lines is one."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    inside = ""
    for line in text.splitlines(keepends=True):
        found = None if inside else header.fullmatch(line.rstrip("\r\n"))
        if found:
            parts.append((found[1], []))
        parts[-1][1].append(line)
        for quote in quotes:
            if inside in ("", quote) and line.count(quote) % 2:
                inside = "" if inside else quote
                break
    return [(name, "".join(lines)) for name, lines in parts]


_HOW: Mapping[str, Callable[[str, str], str | None]] = {
    "package.json": _package,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
}
