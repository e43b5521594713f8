"""Is one call the other, or more than it? Every difference becomes a finding; none means the same.

Fails closed: a difference that no table explains is a difference that counts.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from donewhen.commands.tools.grammar import Effect
from donewhen.commands.tools.naming import matters
from donewhen.commands.tools.operands import covers, tidy
from donewhen.commands.tools.programs import grammar_of
from donewhen.commands.tools.reading import Call, Setting

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
