"""A declared command, ready to be compared with what was run."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.matches import Described, Match, Mode, Parse
from donewhen.core.target_looking import as_look, is_apart, looker


class Target(NamedTuple):
    text: str
    mode: Literal["argv", "exact", "prefix", "tests"] = "argv"  # tests: any whole run of the project's tests
    is_test: bool = False
    program: str = ""
    own: tuple[tuple[str, ...], str] | None = None  # argv and folder that the harness itself runs for it


ANY_TESTS = Target("", "tests", is_test=True)


@lru_cache(maxsize=4096)
def target_of(text: str, mode: str, parse: Parse) -> Target:
    facts = describe_line(text, parse)
    return Target(text, cast(Mode, mode), facts.is_test, facts.program)


def check_target(check: Check, parse: Parse) -> Target:
    return target_of(check.target, check.match, parse)


def accept_target(entry: Accept, parse: Parse) -> Target:
    return target_of(entry.text, "argv", parse)._replace(own=(entry.argv, entry.cwd))


def is_foreign(target: Target, argv: tuple[str, ...], cwd: str) -> bool:
    """Whether the harness ran something else: its own runs are judged by their very words and folder."""
    return target.own is not None and bool(argv) and target.own != (argv, cwd)


@lru_cache(maxsize=16_384)
def describe_line(text: str, parse: Parse) -> Described:
    tree = parse(text)
    program = looker(tree)
    return as_look(program) if program else parse.describe(tree)


@lru_cache(maxsize=16_384)
def match_target(target: Target, executed: str, parse: Parse) -> Match:
    if target.mode == "tests":
        return parse.whole_tests(parse(executed))
    return parse.matches(target.text, executed, target.mode)


def is_declared(targets: Iterable[Target], executed: str, parse: Parse) -> bool:
    """Whether a line is the check of any of the targets, if perhaps with a hidden status."""
    program = looker(parse(executed))
    return any(
        match_target(target, executed, parse).same_check
        for target in targets
        if not (program and is_apart(program, target.text))
    )
