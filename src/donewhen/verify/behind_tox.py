"""tox: the commands of its environments, from tox.ini, setup.cfg, tox.toml or pyproject.toml.

tox runs words, not shell text: `|| true` in a command is an argument there. Sections that other sections are
put together from are followed one level; factors and platforms are not decided, all their lines may run.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Ground, Step, join

if TYPE_CHECKING:
    from configparser import RawConfigParser

_POSARGS = lazy(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}|\[\]")
_REFERENCE = lazy(r"\{\[([^\]{}]{1,80})\]([\w-]{1,40})\}")
_FACTOR = lazy(r"[!\w.,{}-]{1,80}: +(?=\S)")
_BRACES = lazy(r"\{([^{}]{0,200})\}")
_MOST_ENVIRONMENTS = 30
_TRUE = ("true", "1", "yes", "on")


class _Environment(NamedTuple):
    name: str
    commands: tuple[tuple[str, bool], ...]  # text, and whether its status is ignored
    ignored: bool  # the outcome of the whole environment is


class _Project(NamedTuple):
    path: str
    environments: tuple[_Environment, ...]


def tox(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The commands that `tox …` would run; None when that is not known."""
    if program_name(words[0])[0] != "tox":
        return None
    call = name_call(tuple(Word(word) for word in words))
    if any(each.effect in ("config", "where") for each in call.settings):
        return None
    chosen = [
        name for each in call.settings if each.effect == "target" for name in (each.value or "").split(",")
    ]
    found = _ini(folder, ground, chosen) or _toml(folder, ground, chosen)
    if found is None:
        return None
    told = [each for each in found.environments if not each.ignored]
    steps: list[Step] = []
    for environment in told or found.environments:  # one that may fail stands beside those that may not
        source = f"{found.path} {environment.name}"
        steps += [
            Step(source, text, folder, dash or environment.ignored) for text, dash in environment.commands
        ]
    return tuple(steps) or None


def _ini(folder: str, ground: Ground, chosen: Sequence[str]) -> _Project | None:
    import configparser

    for (
        name,
        own,
    ) in (("tox.ini", "tox"), ("setup.cfg", "tox:tox")):
        path = join(folder, name)
        text = ground.text(path) if path else None
        if path is None or text is None:
            continue
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(text)
        except (configparser.Error, ValueError):
            return None
        if any(section.startswith(("tox", "testenv")) for section in parser.sections()):
            return _Project(path, tuple(_ini_environments(parser, own, chosen)))
    legacy = toml_table(folder, ground, "pyproject.toml", "tool", "tox").get("legacy_tox_ini")
    if not isinstance(legacy, str):
        return None
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(legacy)
    except (configparser.Error, ValueError):
        return None
    return _Project(join(folder, "pyproject.toml") or "", tuple(_ini_environments(parser, "tox", chosen)))


def _ini_environments(parser: "RawConfigParser", own: str, chosen: Sequence[str]) -> Iterator[_Environment]:
    def value(section: str, key: str) -> str:
        return (parser.get(section, key, fallback="") or "") if parser.has_section(section) else ""

    listed = value(own, "envlist") or value(own, "env_list")
    names = chosen or re.split(r"[\s,]+", _BRACES.sub(lambda each: each[1].split(",")[0], listed))
    for name in [each for each in dict.fromkeys(names) if each][:_MOST_ENVIRONMENTS] or ["py"]:
        section = f"testenv:{name}" if parser.has_section(f"testenv:{name}") else "testenv"
        commands = value(section, "commands") or value("testenv", "commands")
        commands = _REFERENCE.sub(lambda found: value(found[1], found[2]), commands)
        outcome = value(section, "ignore_outcome") or value("testenv", "ignore_outcome")
        yield _Environment(name, tuple(_lines(commands)), outcome.strip().lower() in _TRUE)


def _lines(commands: str) -> Iterator[tuple[str, bool]]:
    for line in commands.replace("\\\n", " ").splitlines():
        text = _FACTOR.sub("", line.strip(), count=1) if not line.strip().startswith("-") else line.strip()
        if not text or text.startswith("#"):
            continue
        ignored = bool(re.match(r"-[ {\w]", text))
        yield _words(text.removeprefix("-").removeprefix("! ").strip()), ignored


def _words(text: str) -> str:
    """The command as a shell would have to write it, arguments that are handed on left out."""
    plain = _POSARGS.sub(lambda found: found[1] or "", text)
    plain = plain.replace("{envpython}", "python").replace("{envbindir}/", "").replace("{toxinidir}/", "")
    try:
        return shlex.join(shlex.split(plain, comments=True))
    except ValueError:
        return "unknown-command"


def _toml(folder: str, ground: Ground, chosen: Sequence[str]) -> _Project | None:
    for name, keys in (("tox.toml", ()), ("pyproject.toml", ("tool", "tox"))):
        table = toml_table(folder, ground, name, *keys)
        base = table.get("env_run_base")
        if not isinstance(base, dict) and not isinstance(table.get("env"), dict):
            continue
        listed = table.get("env_list")
        names = chosen or [
            each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, str)
        ]
        own = table.get("env") if isinstance(table.get("env"), dict) else {}
        made = [
            _toml_environment(each, own or {}, base or {}) for each in names[:_MOST_ENVIRONMENTS] or ["py"]
        ]
        return _Project(join(folder, name) or "", tuple(made))
    return None


def _toml_environment(name: str, own: Mapping[str, Any], base: Mapping[str, Any]) -> _Environment:
    mine = own.get(name)
    settings = {**base, **(mine if isinstance(mine, dict) else {})}
    commands = settings.get("commands")
    lines: list[tuple[str, bool]] = []
    for command in commands if isinstance(commands, list) else ():
        words = [each for each in command if isinstance(each, str)] if isinstance(command, list) else []
        ignored = words[:1] == ["-"]
        kept = [word for word in words[1 if ignored else 0 :] if word != "{posargs}"]
        lines += [(shlex.join(kept), ignored)] if kept else []
    return _Environment(name, tuple(lines), settings.get("ignore_outcome") is True)


def toml_table(folder: str, ground: Ground, name: str, *keys: str) -> dict[str, Any]:
    """A table of a TOML file of the project; empty when there is none."""
    path = join(folder, name)
    text = (ground.text(path) if path else None) or ""
    if any(line.count(".") > 200 for line in text.splitlines()):  # a key of many parts costs their square
        return {}
    try:
        data: Any = tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}
