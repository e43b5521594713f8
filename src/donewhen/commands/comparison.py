"""What makes one call less than another, or a different one: every difference is a finding.

Fails closed: a difference that no row explains is a difference that counts.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, cast

from donewhen.commands.calls import Call, Setting, matters, read
from donewhen.commands.grammar import Effect, Operands, grammar_of
from donewhen.commands.words import pairs, pattern, word_list, word_set
from donewhen.core.codec import EMPTY
from donewhen.core.tree import Word

Values = tuple[str | None, ...]
_EVERYTHING = frozenset({"--workspace", "-r", "--workspaces", "--all-packages"})


class Finding(NamedTuple):
    reason: str  # a key of the catalogue
    detail: str

    @property
    def masks(self) -> bool:
        return self.reason == "tools.mask"


# The configuration may ask for something too: a bound that is added counts only when it can't ask for less.
_LOOSEST: dict[Effect, Values] = {"at_most": ("0",), "at_least": ("1",)}
REASONS: dict[Effect, str] = {  # of an extra option, and of one whose value differs
    "limit": "tools.narrower",
    "exclude": "tools.narrower",
    "select": "tools.narrower",
    "pick": "tools.narrower",
    "target": "tools.narrower",
    "mask": "tools.mask",
    "norun": "tools.not_run",
    "watch": "tools.watch",
    "weaker": "tools.weaker",
    "config": "tools.other_config",
    "aside": "tools.other_command",
    "where": "tools.other_place",
    "other": "tools.other_command",
    "unknown": "tools.unknown_option",
    "unclear": "tools.unclear",
}
_MISSING: dict[Effect, str] = {  # of a declared option that the executed command lacks
    "strict": "tools.weaker",
    "widen": "tools.narrower",
    "at_most": "tools.weaker",
    "at_least": "tools.weaker",
    "target": "tools.other_command",
    "norun": "tools.other_command",
    "watch": "tools.other_command",
    "config": "tools.other_config",
    "aside": "tools.other_command",
    "other": "tools.other_command",
    "unknown": "tools.other_command",
    "unclear": "tools.unclear",
    "where": "tools.other_place",
}


def differences(declared: Call, executed: Call) -> Iterator[Finding]:
    """All that makes `executed` less than `declared`, or another command."""
    if declared.name != executed.name or bool(declared.grammar) != bool(executed.grammar):
        yield Finding("tools.other_command", executed.name)
        return
    if declared.tool and executed.tool and declared.tool != executed.tool:
        yield Finding("tools.other_command", executed.tool)
    yield from compare_settings(_all_settings(declared), _all_settings(executed))
    if declared.trail != executed.trail:
        yield Finding("tools.unknown_option", " ".join(executed.trail or declared.trail))
    yield from _operands(declared, executed)
    yield from _rests(declared, executed)


def _all_settings(call: Call) -> list[Setting]:
    kept = [each for each in call.settings if matters(each)]
    for runner in call.runners:
        kept += [each._replace(name=f"{runner.name} {each.name}") for each in runner.settings]
    return kept


def _operands(declared: Call, executed: Call) -> Iterator[Finding]:
    kind = grammar_of(declared.grammar).operands
    ours, theirs = tidy(kind, declared.operands), tidy(kind, executed.operands)
    if covers(kind, ours, theirs):
        return
    reason = "tools.other_command" if kind in ("exact", "targets", "tasks", "phases") else "tools.narrower"
    yield Finding(reason, " ".join(theirs or ours))


def _rests(declared: Call, executed: Call) -> Iterator[Finding]:
    ours, theirs = declared.rest, executed.rest
    if ours is None and theirs is None:
        return
    if grammar_of(declared.grammar).inner > 0 and (ours is None or theirs is None):
        yield Finding("tools.other_command", (theirs or executed).name)
        return
    ours = ours or Call((theirs or declared).name, (theirs or declared).grammar)
    theirs = theirs or Call(ours.name, ours.grammar)
    if _is_script(declared):  # its arguments may have been read with another tool's table
        ours = ours._replace(name=theirs.name, grammar=theirs.grammar)
    yield from differences(ours, theirs)


def _is_script(call: Call) -> bool:
    return call.grammar == "npm" and call.name.startswith("npm ")


def compare_settings(declared: Iterable[Setting], executed: Iterable[Setting]) -> Iterator[Finding]:
    ours, theirs = list(declared), list(executed)
    checking = _checks(ours) and _checks(theirs)
    if _unclear(ours) != _unclear(theirs):
        yield Finding("tools.unclear", " ".join(_unclear(theirs) or _unclear(ours)))
    yield from _picks(ours, theirs)
    asked, given = _grouped(ours), _grouped(theirs)
    for key in dict.fromkeys((*asked, *given)):
        effect = key[1]
        if effect in ("unclear", "pick", "quiet") or (effect == "aside" and checking):
            continue
        reason = _verdict(effect, _values(asked, key), _values(given, key))
        if reason and not (effect == "target" and key not in given and _takes_all(theirs)):
            yield Finding(reason, (given.get(key) or asked[key])[0].text)


def _verdict(effect: Effect, ours: Values, theirs: Values) -> str:
    """The reason why `theirs` is not enough for `ours`, or nothing."""
    if ours == theirs:
        return ""
    if effect in ("at_most", "at_least"):
        asked = ours or _LOOSEST[effect]
        return "" if _stricter(effect, asked, theirs) else _MISSING[effect]
    if effect in ("strict", "widen"):
        return "" if set(ours) <= set(theirs) else _MISSING[effect]
    if not theirs:
        return _MISSING.get(effect, "")
    if effect in ("select", "target"):
        return "" if ours and _split(ours) <= _split(theirs) else REASONS[effect]
    if effect in ("exclude", "mask", "weaker"):
        return "" if set(theirs) <= set(ours) else REASONS[effect]
    return REASONS[effect]


def _stricter(effect: Effect, ours: Values, theirs: Values) -> bool:
    try:
        asked, given = [float(each or "") for each in ours], [float(each or "") for each in theirs]
    except ValueError:
        return False
    if not given or any(each != each for each in (*asked, *given)):
        return False
    if effect == "at_most":
        return min(given) >= 0 and (min(asked) < 0 or max(given) <= min(asked))
    return min(given) >= max(asked)


def _picks(ours: list[Setting], theirs: list[Setting]) -> Iterator[Finding]:
    asked = {(each.name, each.value) for each in ours if each.effect == "pick"}
    given = {(each.name, each.value) for each in theirs if each.effect == "pick"}
    if given and (not asked or not asked <= given):
        yield Finding("tools.narrower", " ".join(sorted(name for name, _ in given)))


def _grouped(settings: list[Setting]) -> dict[tuple[str, Effect], list[Setting]]:
    groups: dict[tuple[str, Effect], list[Setting]] = {}
    for each in settings:
        groups.setdefault((each.name, each.effect), []).append(each)
    return groups


def _values(groups: dict[tuple[str, Effect], list[Setting]], key: tuple[str, Effect]) -> Values:
    return tuple(each.value for each in groups.get(key, ()))


def _takes_all(settings: list[Setting]) -> bool:
    """Does it run every part there is, so that none needs naming?"""
    return any(each.effect == "widen" and each.name in _EVERYTHING for each in settings)


def _split(values: Values) -> set[str]:
    return {part for value in values for part in (value or "").split(",")}


def _unclear(settings: list[Setting]) -> tuple[str, ...]:
    return tuple(each.text for each in settings if each.effect == "unclear")


def _checks(settings: list[Setting]) -> bool:
    return any(each.effect == "other" and each.name.lstrip("-") in ("check", "c") for each in settings)


# operands: do the executed ones cover the declared? Paths are compared as text

Names = tuple[str, ...]
_PLAIN_TARGET = re.compile(r"[\w.:/%+@-]+")
_LONGEST = 4096  # characters of a path that is looked into


def covers(kind: Operands, declared: Names, executed: Names) -> bool:
    if declared == executed:
        return True
    if kind in ("all", "config", "packages") and _takes_out(executed) - _takes_out(declared):
        return False
    return _RULES[kind](declared, executed)


def _takes_out(operands: Names) -> set[str]:
    """`!src` leaves something out, `@file` may hold any option."""
    return {each for each in operands if each[:1] in ("!", "@")}


def tidy(kind: Operands, operands: Names) -> Names:
    """The shortest spelling: no `./`, no slash at the end, the whole as the program's own default."""
    if kind in ("exact", "targets", "tasks", "phases"):
        return operands
    short = tuple(dict.fromkeys(_path(each, kind) for each in operands))
    if kind == "all" and "." in short:
        return tuple(each for each in short if each[:1] in ("!", "@"))
    return () if kind == "packages" and short == (".",) else short


def _path(text: str, kind: Operands) -> str:
    parts = [part for part in text.split("/") if part != "."]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    short = "/".join(parts)
    if kind != "packages":
        return short or "."
    return f"./{short}" if text.startswith("./") and short else short or "."


def _exact(declared: Names, executed: Names) -> bool:
    return declared == executed


def _all(declared: Names, executed: Names) -> bool:
    return (
        not executed
        or not set(executed) - _takes_out(executed)
        or (bool(declared) and _inside(declared, executed))
    )


def _config(declared: Names, executed: Names) -> bool:
    return (not declared and not executed) or (
        bool(declared) and bool(executed) and _inside(declared, executed)
    )


def _inside(declared: Names, executed: Names) -> bool:
    if "." in executed:
        return all(each[:1] != "/" and each.partition("/")[0] != ".." for each in declared)
    wide = frozenset(executed)
    return all(_lies_in(each, wide) for each in declared)


def _lies_in(path: str, wide: frozenset[str]) -> bool:
    """Is the path, or a folder or file above it, in `wide`?"""
    if path in wide:
        return True
    if len(path) > _LONGEST:
        return False
    ends = [place for place, letter in enumerate(path) if letter == "/" or path.startswith("::", place)]
    return ".." not in path and any(path[:end] in wide for end in ends)


def _packages(declared: Names, executed: Names) -> bool:
    """Go's patterns: `./a/...` is the package ./a and all below it; none is the one right here."""
    wide = frozenset(executed or (".",))
    return all(each in wide or any(up in wide for up in _patterns(each)) for each in declared or (".",))


def _patterns(package: str) -> list[str]:
    if len(package) > _LONGEST or (package != "." and not package.startswith("./")):
        return [package + "/..."]
    path = package.removesuffix("/...")
    parts = path.split("/")
    above = ["/".join(parts[:end]) + "/..." for end in range(1, len(parts) + 1)]
    return [] if ".." in parts else above


def _targets(declared: Names, executed: Names) -> bool:
    """More targets may be made, but no settings given (`sbt 'set Test / skip := true' test`)."""
    plain = all(_PLAIN_TARGET.fullmatch(each) for each in set(executed) - set(declared))
    return plain and set(declared) <= set(executed) if declared else not executed


def _tasks(declared: Names, executed: Names) -> bool:
    """A task named without its project runs in every project."""
    done = set(executed).union(*(pairs("gradle_tasks").get(each, "").split() for each in executed))
    whole = (each in done or (each[:1] == ":" and each.rpartition(":")[2] in done) for each in declared)
    return all(whole) if declared else not executed


def _phases(declared: Names, executed: Names) -> bool:
    """A phase of the lifecycle runs those before it; goals and `clean` must be there by name."""
    phases = word_list("maven_phases")
    last = max((phases.index(each) for each in executed if each in phases), default=-1)
    done = set(executed) | set(phases[: last + 1])
    return set(declared) <= done if declared else not executed


_RULES: dict[Operands, Callable[[Names, Names], bool]] = {
    "exact": _exact,
    "all": _all,
    "config": _config,
    "packages": _packages,
    "targets": _targets,
    "tasks": _tasks,
    "phases": _phases,
}


# variables that a line sets: one in no table is harmless when added, and part of the command when declared

_OFF = frozenset({"", "0", "false", "no", "off"})
_SWITCHES = frozenset({"mask", "norun", "exclude", "weaker"})  # a variable of these that is off says nothing


def environment(declared: Mapping[str, Word], executed: Mapping[str, Word]) -> Iterator[Finding]:
    """What the variables of the executed line change, compared with the declared ones."""
    ours, theirs = _named(declared), _named(executed)
    for name in sorted(ours.keys() | theirs.keys()):
        asked, given = ours.get(name), theirs.get(name)
        if asked and given and (asked.text, asked.known) == (given.text, given.known):
            continue
        if (
            name in pairs("option_variables")
            and (asked is None or asked.known)
            and (given is None or given.known)
        ):
            yield from _options(name, asked, given)
        elif not _harmless(name, given):
            yield from _one(name, asked, given)


def _named(variables: Mapping[str, Word]) -> dict[str, Word]:
    return {_canonical(name): word for name, word in (variables or EMPTY).items()}


def _canonical(name: str) -> str:
    return (
        name.lower().replace("-", "_") if name.lower().startswith(("npm_config_", "pnpm_config_")) else name
    )


def _harmless(name: str, given: Word | None) -> bool:
    if name.startswith("npm_config_") and name.removeprefix("npm_config_") in word_set("quiet_npm"):
        return True
    if name in word_set("test_modes") and given is not None and given.known and given.text == "test":
        return True
    if given is not None and given.known and given.text == pairs("variable_defaults").get(name):
        return True
    return name in word_set("harmless_variables") or bool(pattern("harmless_shapes").fullmatch(name))


def _one(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    if name in pairs("option_variables"):  # what it holds can't be read
        yield Finding("tools.unclear", name)
        return
    effect = effect_of(name)
    if asked is not None and (given is None or effect is None):
        yield Finding("tools.environment", name)
    elif given is not None and effect is not None:
        if effect in _SWITCHES and given.known and given.text.lower() in _OFF:
            return
        reason = "tools.environment" if effect == "other" else REASONS[effect]
        yield Finding(reason, f"{name}={given.text}")
    elif name in word_set("test_modes"):
        yield Finding("tools.environment", name)


def _options(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    table = pairs("option_variables")[name]
    try:
        ours, theirs = (_option_words(name, each) for each in (asked, given))
    except ValueError:  # an open quote
        yield Finding("tools.unclear", name)
        return
    for finding in differences(read(table, ours), read(table, theirs)):
        yield finding._replace(detail=f"{name}: {finding.detail}")


def _option_words(name: str, word: Word | None) -> tuple[Word, ...]:
    parts = shlex.split(word.text) if word else []
    if (
        parts
        and name in ("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS")
        and not parts[0].startswith("-")
        and "=" not in parts[0]
    ):
        parts[0] = "-" + parts[0]
    return tuple(Word(part) for part in parts if part)


def effect_of(name: str) -> Effect | None:
    """What setting a variable means; None: nothing that a table knows.

    A tool reads its own prefix (`TOX_…`, `CARGO_…`), and most of what it reads can make a check smaller:
    every name with such a prefix counts unless it is listed as harmless.
    """
    known = pairs("variable_effects").get(name)
    if known is not None:
        return cast(Effect, known)
    if pattern("harmless_shapes").fullmatch(name):
        return None
    if pattern("rewriting_variables", re.IGNORECASE).fullmatch(name):
        return "mask"
    if pattern("tool_variables").fullmatch(name):
        return "other"
    return "exclude" if name.startswith("SKIP_") else None


# folder options (`make -C`, `npm --prefix`): noise while they stay inside the workspace


def settle(call: Call, folder: str | None) -> Call:
    """The call without the folder options that stay inside; what leads outside remains and tells."""
    kept = tuple(each for each in call.settings if not _stays(each, folder))
    runners = tuple(each for runner in call.runners if (each := settle(runner, folder)).settings)
    rest = settle(call.rest, folder) if call.rest else None
    return call._replace(settings=kept, runners=runners, rest=rest)


def _stays(setting: Setting, folder: str | None) -> bool:
    value = setting.value or ""
    return setting.effect == "where" and not _other_file(value) and not leaves(value, folder or "")


def _other_file(path: str) -> bool:
    """Where a build file may stand for its folder, only the usual one does (`mvn -f web/pom.xml`)."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.endswith(".xml") and name != "pom.xml"


def leaves(path: str, folder: str = "") -> bool:
    """Does the path lead out, taken from `folder` of the workspace?"""
    if path.startswith(("/", "~", "\\")) or path[1:2] == ":":
        return True
    depth = 0
    for part in f"{folder}/{path}".replace("\\", "/").split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False
