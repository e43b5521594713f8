"""Variables that a line sets for its command: do they change what runs?

A variable in no table is harmless when added, and part of the command when declared. Loader, interpreter
and PATH variables are judged elsewhere: with them another program may answer.
"""

import shlex
from collections.abc import Iterator, Mapping

from donewhen.commands.tools.comparing import REASONS, Finding, differences
from donewhen.commands.tools.reading import read
from donewhen.commands.tools.variables import (
    DEFAULTS,
    HARMLESS,
    HARMLESS_SHAPES,
    OPTIONS,
    QUIET_NPM,
    TEST_MODES,
    effect_of,
)
from donewhen.core.codec import EMPTY
from donewhen.core.tree import Word

_OFF = frozenset({"", "0", "false", "no", "off"})
_SWITCHES = frozenset({"mask", "norun", "exclude", "weaker"})  # a variable of these that is off says nothing


def environment(declared: Mapping[str, Word], executed: Mapping[str, Word]) -> Iterator[Finding]:
    """What the variables of the executed line change, compared with the declared ones."""
    ours, theirs = _named(declared), _named(executed)
    for name in sorted(ours.keys() | theirs.keys()):
        asked, given = ours.get(name), theirs.get(name)
        if asked and given and (asked.text, asked.known) == (given.text, given.known):
            continue
        if name in OPTIONS and (asked is None or asked.known) and (given is None or given.known):
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
    if name.startswith("npm_config_") and name.removeprefix("npm_config_") in QUIET_NPM:
        return True
    if name in TEST_MODES and given is not None and given.known and given.text == "test":
        return True
    if given is not None and given.known and given.text == DEFAULTS.get(name):
        return True
    return name in HARMLESS or bool(HARMLESS_SHAPES.fullmatch(name))


def _one(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    if name in OPTIONS:  # what it holds can't be read
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
    elif name in TEST_MODES:
        yield Finding("tools.environment", name)


def _options(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    table = OPTIONS[name]
    try:
        ours, theirs = (_split(name, each) for each in (asked, given))
    except ValueError:  # an open quote
        yield Finding("tools.unclear", name)
        return
    for finding in differences(read(table, ours), read(table, theirs)):
        yield finding._replace(detail=f"{name}: {finding.detail}")


def _split(name: str, word: Word | None) -> tuple[Word, ...]:
    parts = shlex.split(word.text) if word else []
    if (
        parts
        and name in ("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS")
        and not parts[0].startswith("-")
        and "=" not in parts[0]
    ):
        parts[0] = "-" + parts[0]
    return tuple(Word(part) for part in parts if part)
