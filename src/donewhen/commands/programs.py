"""The knowledge of programs: is an executed command the declared one, or more than it?

`compare` decides on words, never on substrings, and fails closed on what no row knows. It does not look at
the shell around a command (pipes, `|| true`): that is said by the line it stands in.
"""

from donewhen.commands.calls import Call, name_call
from donewhen.commands.comparison import Finding, differences, environment, settle
from donewhen.commands.invocation import Comparison, Invocation
from donewhen.commands.spelling import render
from donewhen.commands.test_runs import is_test_call
from donewhen.core.tree import Word

_ROUNDS = 12  # a line of a thousand runners in a row is not worth more

_ONLY_PRINT = frozenset(("gofmt", "goimports", "git", "docker", "node", "python"))


def compare(declared: Invocation, executed: Invocation) -> Comparison:
    """Is `executed` what was declared, or more? The reason names the first difference that decides."""
    if executed.elsewhere != declared.elsewhere or (executed.folder is None and declared.folder is not None):
        return Comparison(False, reason="tools.other_place", detail=_text(executed))
    ours, theirs = _call(declared), _call(executed)
    findings = [*differences(ours, theirs), *environment(declared.env, executed.env)]
    masked = any(each.masks for each in findings)
    less = next((each for each in findings if not each.masks), None)
    decides = less or next(iter(findings), Finding("", ""))
    return Comparison(less is None, masked, decides.reason, decides.detail)


def normalise(invocation: Invocation) -> tuple[str, ...]:
    """The canonical words: runners, spellings and mere output taken off; the key of a command.

    Taken to its end: the canonical form of what is canonical is itself, also where a nonsense line would go
    round between two spellings.
    """
    words = render(_call(invocation))
    seen = [words]
    for _ in range(_ROUNDS):
        words = render(_call(Invocation(tuple(Word(word) for word in words))))
        if words in seen:
            return min(seen[seen.index(words) :])
        seen.append(words)
    return words


def is_test_command(invocation: Invocation) -> bool:
    """Does it run the project's tests, as far as its name tells?"""
    return is_test_call(_call(invocation))


def has_verdict(invocation: Invocation) -> bool:
    """Is it a tool that judges the project, so that its own status must count?"""
    call = _call(invocation)
    return is_test_call(call) or (bool(call.grammar) and call.name.partition(" ")[0] not in _ONLY_PRINT)


def _call(invocation: Invocation) -> Call:
    return settle(name_call(invocation.words), invocation.folder)


def _text(invocation: Invocation) -> str:
    return " ".join(word.text for word in invocation.words)
