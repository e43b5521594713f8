"""The settings that a project keeps for coverage.py: where they are, and which files they leave out.

Read as text, as coverage.py finds them: `.coveragerc`, then `setup.cfg`, `tox.ini`, `pyproject.toml`. Nothing
is imported. Settings that can't be read leave nothing out.
"""

import configparser
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.paths import Patterns
from donewhen.verify.exam.files import small_text

PLACES = (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml")
_MOST = 500
_LONGEST = 300


class Settings(NamedTuple):
    """One file's settings; `file` empty: there are none."""

    file: str = ""
    source: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    omit: tuple[str, ...] = ()

    def leaves_out(self, path: str) -> bool:
        """Whether they keep a file, by its path from their folder, out of what is measured."""
        if any(_matches(path, pattern) for pattern in self.omit):
            return True
        if self.source or self.packages:
            return not any(_is_below(path, each) for each in self.source) and not any(
                _is_in_package(path, each) for each in (*self.packages, *self.source)
            )
        return bool(self.include) and not any(_matches(path, pattern) for pattern in self.include)


def settings_of(folder: Path) -> Settings:
    for name in PLACES:
        text = small_text(folder / name)
        sections = _toml(text) if name.endswith(".toml") else _ini(text, name == PLACES[0])
        if sections or (name == PLACES[0] and text):
            return _settings(name, sections)
    return Settings()


def _toml(text: str) -> Mapping[str, Mapping[str, Any]]:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
    tool = data.get("tool")
    found = tool.get("coverage") if isinstance(tool, dict) else None
    known = found if isinstance(found, dict) else {}
    return {name: section for name, section in known.items() if isinstance(section, dict)}


def _ini(text: str, ours: bool) -> Mapping[str, Mapping[str, Any]]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for name in parser.sections():
        if name.startswith("coverage:") or ours:
            found[name.removeprefix("coverage:")] = dict(parser.items(name))
    return found


def _settings(file: str, sections: Mapping[str, Mapping[str, Any]]) -> Settings:
    run, report = sections.get("run", {}), sections.get("report", {})
    return Settings(
        file,
        _list(run.get("source")),
        _list(run.get("source_pkgs")),
        (*_list(run.get("include")), *_list(report.get("include"))),
        (*_list(run.get("omit")), *_list(report.get("omit"))),
    )


def _list(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        words: Sequence[object] = value.replace(",", "\n").split("\n")
    else:
        words = value if isinstance(value, list) else ()
    texts = (word.strip() for word in words[:_MOST] if isinstance(word, str))
    return tuple(text for text in texts if text and len(text) <= _LONGEST)


def _matches(path: str, pattern: str) -> bool:
    """As coverage.py matches: a pattern starts at the root, unless it starts with a star."""
    text = pattern.removeprefix("./")
    if text.startswith("*/"):
        return Patterns((f"**/{text[2:]}",)).match(path)
    return Patterns((text if text.startswith("*") else f"/{text.lstrip('/')}",)).match(path)


def _is_below(path: str, folder: str) -> bool:
    name = folder.removeprefix("./").rstrip("/")
    return name in ("", ".") or path.startswith(f"{name}/")


def _is_in_package(path: str, package: str) -> bool:
    """Whether the file is of the package, wherever its folder is: below `src`, `lib` or the root."""
    inner = package.replace(".", "/")
    return f"/{path}".endswith(f"/{inner}.py") or f"/{inner}/" in f"/{path}"
