"""What a line is by itself, whatever was declared: its program, and whether it tests, and tests all."""

from donewhen.commands.declared import required
from donewhen.commands.invocation import Invocation
from donewhen.commands.lines import invocations
from donewhen.commands.matching import LESS
from donewhen.commands.programs import compare, is_test_command, normalise
from donewhen.core.matches import Described, Match
from donewhen.core.tree import Refused, Tree, Word

_ALL_PACKAGES = ("go", "test", "./...")  # `go test` alone tests one package


def describe(tree: Tree) -> Described:
    parts = () if isinstance(tree, Refused) else required(tree)
    if not parts:
        return Described()
    return Described(
        (normalise(parts[0]) or ("",))[0],
        any(is_test_command(part) for part in parts),
        len(parts) == 1,
        all(part.proven and not part.spoiled and not compare(part, part).masked for part in parts),
    )


def whole_tests(executed: Tree) -> Match:
    """Does the line run all of the project's tests with some runner, and show their status?"""
    if isinstance(executed, Refused):
        return Match(False, reason="commands.unreadable", values={"why": executed.reason})
    best = Match(False, reason="gate.not_run")
    for each in invocations(executed):
        if not each.reached or each.elsewhere or each.folder is None or each.spoiled:
            continue
        found = compare(_bare(each), each) if is_test_command(each) else None
        if found and found.same:
            masked = found.masked or not each.proven
            if not masked:
                return Match(True, same_check=True, reason="commands.proves", values={"declared": "tests"})
            command = " ".join(word.text for word in each.words)[:120]
            values = {"command": command, "detail": found.detail}
            best = Match(False, True, True, reason=found.reason or "commands.masked", values=values)
        elif found and not best.same_check:
            less = best.narrower or (found.reason in LESS and not found.masked and each.proven)
            best = Match(False, narrower=less, reason=found.reason, values={"detail": found.detail})
    return best


def _bare(invocation: Invocation) -> Invocation:
    """The same runner without anything that could narrow it: its first words that are a test run."""
    words = normalise(invocation)
    if words[:2] == _ALL_PACKAGES[:2]:
        return _plain(_ALL_PACKAGES)
    for length in range(1, len(words)):
        if is_test_command(_plain(words[:length])):
            return _plain(words[:length])
    return _plain(words)


def _plain(words: tuple[str, ...]) -> Invocation:
    return Invocation(tuple(Word(word) for word in words))
