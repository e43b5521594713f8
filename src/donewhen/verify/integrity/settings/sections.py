"""Which settings of a file belong to which runner: a runner's settings may stand in several files.

Settings are grouped by runner and folder, so that moving them from one file to another is no change.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from donewhen.verify.integrity.settings.formats import (
    read_ini,
    read_toml,
    read_variables,
    read_xml,
    read_yaml_text,
)
from donewhen.verify.integrity.settings.javascript import read_json, read_script
from donewhen.verify.integrity.settings.model import Leaf, Unread

Read = tuple[Leaf, ...] | Unread


class Place(NamedTuple):
    """Settings of one runner in one file."""

    runner: str  # of rules.RULES_OF
    tool: str  # whose settings are one: two files of jest, not jest and mocha
    folder: str
    path: str
    leaves: tuple[Leaf, ...]


class _Kind(NamedTuple):
    files: re.Pattern[str]
    read: Callable[[str, str], Read]
    parts: tuple[tuple[tuple[str, ...], str, str], ...]  # prefix of keys, runner, tool


def _ini(text: str, name: str) -> Read:
    return read_ini(text)


def _toml(text: str, name: str) -> Read:
    return read_toml(text)


def _json(text: str, name: str) -> Read:
    return read_json(text)


def _code(text: str, name: str) -> Read:
    return read_script(text, name.rpartition(".")[2])


def _any(text: str, name: str) -> Read:
    """A name without a format: YAML reads JSON as well."""
    return read_json(text) if text.lstrip().startswith("{") else read_yaml_text(text, name)


def _variables(text: str, name: str) -> Read:
    return read_variables(text)


def _xml(text: str, name: str) -> Read:
    return read_xml(text)


def _kind(files: str, read: Callable[[str, str], Read], *parts: tuple[tuple[str, ...], str, str]) -> _Kind:
    return _Kind(re.compile(files, re.IGNORECASE), read, parts)


_SAME = {"vite": "vitest", "c8": "nyc"}
_JS_TOOLS = "jest|vitest|vite|mocha|ava|karma|playwright|cypress|c8|nyc|tap|wdio|jasmine"
_COVERAGE_INI = tuple(((f"coverage:{part}",), "coverage", "coverage") for part in ("run", "report", "paths"))
_LINT_INI = tuple(((part,), "lint", part) for part in ("flake8", "mypy", "pylint", "pycodestyle", "isort"))
_PACKAGE = tuple(
    ((part,), "js", part) for part in ("jest", "mocha", "c8", "nyc", "ava", "tap", "vitest", "jasmine")
)
_KINDS: tuple[_Kind, ...] = (
    _kind(r"\.?pytest\.ini", _ini, (("pytest",), "pytest", "pytest")),
    _kind(r"\.?pytest\.toml", _toml, (("pytest",), "pytest", "pytest")),
    _kind(
        r"tox\.ini",
        _ini,
        (("pytest",), "pytest", "pytest"),
        *_COVERAGE_INI,
        *_LINT_INI,
        (("testenv*",), "tox", "tox"),
    ),
    _kind(r"setup\.cfg", _ini, (("tool:pytest",), "pytest", "pytest"), *_COVERAGE_INI, *_LINT_INI),
    _kind(
        r"pyproject\.toml",
        _toml,
        (("tool", "pytest", "ini_options"), "pytest", "pytest"),
        (("tool", "pytest"), "pytest", "pytest"),
        (("tool", "coverage"), "coverage", "coverage"),
        *(
            (("tool", part), "lint", part)
            for part in ("ruff", "mypy", "pylint", "flake8", "interrogate", "pyright")
        ),
        (("tool", "tox"), "tox", "tox"),
    ),
    _kind(r"\.coveragerc(?:\.toml)?", _ini, ((), "coverage", "coverage")),
    _kind(r"package\.json", _json, *_PACKAGE, (("eslintConfig",), "lint", "eslint")),
    _kind(
        rf"(?:{_JS_TOOLS})(?:[.-][\w-]{{1,40}})?\.(?:config|conf|workspace)\.[cm]?[jt]s",
        _code,
        ((), "js", ""),
    ),
    _kind(
        rf"(?:{_JS_TOOLS})(?:\.config)?\.json|\.(?:mocharc|nycrc|c8rc|taprc)\.json[c5]?",
        _json,
        ((), "js", ""),
    ),
    _kind(r"\.(?:mocharc|nycrc|c8rc|taprc)\.[cm]?js", _code, ((), "js", "")),
    _kind(r"\.(?:mocharc|nycrc|c8rc|taprc)(?:\.ya?ml)?", _any, ((), "js", "")),
    _kind(r"[jt]sconfig(?:\.[\w.-]{1,40})?\.json|biome\.json|\.eslintrc\.json", _json, ((), "lint", "")),
    _kind(r"eslint\.config\.[cm]?[jt]s|\.eslintrc\.[cm]?js", _code, ((), "lint", "eslint")),
    _kind(r"\.eslintrc(?:\.ya?ml)?|\.golangci\.ya?ml", _any, ((), "lint", "")),
    _kind(r"\.?mypy\.ini|\.flake8|\.?pylintrc", _ini, ((), "lint", "")),
    _kind(r"\.?ruff\.toml|clippy\.toml", _toml, ((), "lint", "ruff")),
    _kind(r"\.?codecov\.ya?ml", _any, ((), "coverage", "codecov")),
    _kind(r"tox\.toml", _toml, ((), "tox", "tox")),
    _kind(r"cargo\.toml|config\.toml", _toml, ((), "cargo", "cargo")),
    _kind(r"pom\.xml|phpunit\.xml(?:\.dist)?", _xml, ((), "maven", "maven")),
    _kind(r"\.npmrc|\.yarnrc", _variables, ((), "npmrc", "npmrc")),
    _kind(r"\.yarnrc\.yml", _any, ((), "npmrc", "yarnrc")),
    _kind(r"\.env(?:\.[\w-]{1,40})?|\.envrc|gradle\.properties", _variables, ((), "env", "env")),
)


def places(path: str, text: str) -> tuple[Place, ...] | Unread:
    """The settings of the file, by runner; unread where its format refuses it."""
    folder, _, name = path.rpartition("/")
    kind = next((each for each in _KINDS if each.files.fullmatch(name)), None)
    if kind is None or (name == "config.toml" and not folder.endswith(".cargo")):
        return ()
    leaves = kind.read(text, name)
    if isinstance(leaves, Unread):
        return leaves
    return tuple(_parts(kind, leaves, path, folder, name))


def is_settings(path: str) -> bool:
    """Whether settings of a runner may stand in the file."""
    name = path.rpartition("/")[2]
    return any(each.files.fullmatch(name) for each in _KINDS)


def is_code(path: str, runner: str = "") -> bool:
    """Whether it is a configuration file that is run; with `runner`, one of its kind."""
    name = path.rpartition("/")[2]
    kinds = (each for each in _KINDS if each.read is _code and each.files.fullmatch(name))
    return any(not runner or each.parts[0][1] == runner for each in kinds)


def _parts(kind: _Kind, leaves: tuple[Leaf, ...], path: str, folder: str, name: str) -> Iterator[Place]:
    left = list(leaves)
    for prefix, runner, tool in kind.parts:
        mine = [leaf for leaf in left if _begins(leaf.key, prefix)]
        left = [leaf for leaf in left if not _begins(leaf.key, prefix)]
        cut = 0 if prefix and prefix[-1].endswith("*") else len(prefix)
        # pytest takes a file of its own for its settings even when nothing stands in it
        if mine or not prefix or "pytest" in name:
            named = tool or re.split(r"[.-]", name.lstrip("."))[0].removesuffix("rc")
            inner = tuple(leaf._replace(key=leaf.key[cut:]) for leaf in mine)
            yield Place(runner, _SAME.get(named, named), folder, path, inner)


def _begins(key: tuple[str, ...], prefix: tuple[str, ...]) -> bool:
    if len(key) <= len(prefix) and prefix:
        return False
    pairs = zip(key, prefix, strict=False)
    return all(
        mine == wanted or (wanted.endswith("*") and mine.startswith(wanted[:-1])) for mine, wanted in pairs
    )
