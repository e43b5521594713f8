"""`if` and `case`: what each branch makes sure when it is taken."""

from typing import TYPE_CHECKING

from donewhen.core.commands.status import (
    NOTHING,
    SUCCESS,
    UNKNOWN,
    Facts,
    Flow,
    State,
    Value,
    join,
    join_flows,
    meet,
    plus,
    settle,
)
from donewhen.core.commands.status_words import value
from donewhen.core.commands.surroundings import Shell
from donewhen.core.tree import Case, If, Word

if TYPE_CHECKING:
    from donewhen.core.commands.reader import Reader


def read_if(reader: "Reader", command: If, state: State, shell: Shell) -> Flow:
    result = Flow(None, None)
    rest: State | None = state
    for condition, body in command.branches:
        if rest is None:
            reader.unreached((condition, body))
            continue
        asked = reader.script(condition, rest, shell._replace(guarded=True))
        if asked.ok is None:
            reader.unreached(body)
        else:
            result = join_flows(result, reader.script(body, asked.ok, shell))
        rest = asked.fail
    if rest is None:
        reader.unreached(command.otherwise or ())
    elif command.otherwise is None:
        result = join_flows(result, Flow(rest._replace(status=SUCCESS), None))
    else:
        result = join_flows(result, reader.script(command.otherwise, rest, shell))
    return result


def read_case(reader: "Reader", command: Case, state: State, shell: Shell) -> Flow:
    state = reader.expand((command.word, *(p for item in command.items for p in item.patterns)), state, shell)
    falls = any(item.operator != ";;" for item in command.items)  # then any body may follow another
    subject = UNKNOWN if falls else value(command.word, state, bash=shell.bash)
    result, seen = Flow(None, None), list[str]()
    for item in command.items:
        chosen, new, over = _chosen(item.patterns, subject, seen)
        if chosen is None:
            reader.unreached(item.body)
            continue
        flow = reader.script(item.body, state._replace(facts=state.facts | chosen), shell)
        result = join_flows(result, flow)
        if falls:
            state = join(state, settle(flow)) or state
        elif over:
            subject = Value({}, None)
        else:
            seen = new
    nothing = subject.but(seen)
    if nothing is not None:
        skipped = state._replace(facts=state.facts | nothing, status=SUCCESS)
        result = join_flows(result, Flow(skipped, None))
    return result


def _chosen(
    patterns: tuple[Word, ...], subject: Value, seen: list[str]
) -> tuple[Facts | None, list[str], bool]:
    """What is sure in a branch of a case, the texts that can't come later, and whether it takes all."""
    if any(word.text == "*" and not word.known for word in patterns):
        return subject.but(seen), seen, True
    if not all(word.known for word in patterns):
        return plus(subject.but(seen), NOTHING), seen, False
    texts = [word.text for word in patterns if word.text not in seen]
    return meet(*(subject.at(text) for text in texts)), seen + texts, False
