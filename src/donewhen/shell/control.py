"""Branches and loops of the interpreter: what each makes sure when it is taken.

What is run again until it is green hides a red, so nothing inside an open loop is ever proven. A `for` over
words that are written out is read round by round; any other loop until nothing new comes out, a few times.
"""

import re
from typing import TYPE_CHECKING

from donewhen.core.tree import Case, For, If, Loop, Script, Simple, Substitution, Word
from donewhen.shell.expansion import resolve, value
from donewhen.shell.state import (
    EITHER,
    NOTHING,
    SUCCESS,
    UNKNOWN,
    Ends,
    Facts,
    Flow,
    Shell,
    State,
    Value,
    join,
    join_flows,
    meet,
    plus,
    settle,
    split,
    text_value,
)
from donewhen.shell.variables import overwritten

if TYPE_CHECKING:
    from donewhen.shell.interpreter import Interpreter

MOST_ROUNDS = 16
_ROUNDS = 3
_RANGE = re.compile(r"\{-?[0-9]{1,6}\.\.-?[0-9]{1,6}(?:\.\.-?[0-9]{1,6})?\}|\{[a-z]\.\.[a-z]\}")


def read_if(walk: "Interpreter", command: If, state: State, shell: Shell) -> Flow:
    result = Flow(None, None)
    rest: State | None = state
    for condition, body in command.branches:
        if rest is None:
            walk.unreached((condition, body))
            continue
        asked = walk.script(condition, rest, shell._replace(guarded=True))
        if asked.ok is None:
            walk.unreached(body)
        else:
            result = join_flows(result, walk.script(body, asked.ok, shell))
        rest = asked.fail
    if rest is None:
        walk.unreached(command.otherwise or ())
    elif command.otherwise is None:
        result = join_flows(result, Flow(rest._replace(status=SUCCESS), None))
    else:
        result = join_flows(result, walk.script(command.otherwise, rest, shell))
    return result


def read_case(walk: "Interpreter", command: Case, state: State, shell: Shell) -> Flow:
    state, (word,) = walk.expand((command.word,), state, shell)
    state, _ = walk.expand([each for item in command.items for each in item.patterns], state, shell)
    falls = any(item.operator != ";;" for item in command.items)  # then any body may follow another
    subject = UNKNOWN if falls else value(word, state, bash=shell.bash)
    result, seen = Flow(None, None), list[str]()
    for item in command.items:
        chosen, new, over = _chosen(item.patterns, subject, seen)
        if chosen is None:
            walk.unreached(item.body)
            continue
        flow = walk.script(item.body, state._replace(facts=state.facts | chosen), shell)
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


def read_for(walk: "Interpreter", command: For, state: State, shell: Shell) -> Flow:
    state, given = walk.expand(command.words or (), state, shell)
    if command.kind != "for" or command.words is None:
        return _open(walk, command.name, command.body, walk.calculated(command.source, state), shell)
    words = resolve(given, state)
    if words and all(word.known for word in words) and len(words) <= MOST_ROUNDS:
        start = walk.number
        flow = _rounds(walk, command, words, state, shell)
        walk.rounds.append((start, walk.number))
        return flow
    if not words:
        walk.unreached(command.body)
        return split(state, SUCCESS)
    if not any(word.known or _never_empty(word) for word in words):
        return _open(walk, command.name, command.body, state, shell)
    first = _rounds(walk, command, (Word("", known=False),), state, shell)
    settled = settle(first)
    if settled is None:
        return first
    return _open(walk, command.name, command.body, settled, shell)


def _never_empty(word: Word) -> bool:
    """`{1..5}` and `$(seq 5)` surely give a word."""
    if _RANGE.fullmatch(word.text):
        return True
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Substitution) or len(part.script) != 1:
        return False
    command = part.script[0].command
    if not isinstance(command, Simple) or not 2 <= len(command.words) <= 3 or command.words[0].text != "seq":
        return False
    numbers = [word.text for word in command.words[1:] if word.known and word.text.isdigit()]
    if len(numbers) != len(command.words) - 1 or max(map(len, numbers)) > 6:
        return False
    return int(numbers[0] if len(numbers) == 2 else 1) <= int(numbers[-1])


def _rounds(walk: "Interpreter", command: For, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    result, current = Flow(None, None), state
    for index, word in enumerate(words):
        ends = Ends([], [])
        inside = shell._replace(loops=(*shell.loops, ends))
        known = text_value(word.text) if word.known else UNKNOWN
        begun = overwritten(current, {command.name})
        begun = begun._replace(values={**begun.values, command.name: known})
        flow = walk.script(command.body, begun, inside)
        for each in ends.continued:
            flow = join_flows(flow, Flow(each._replace(status=SUCCESS), None))
        result = join_flows(result, _broken(ends))
        following = settle(flow)
        if following is None or index == len(words) - 1:
            return join_flows(result, flow)
        current = following
    return result


def _broken(ends: Ends) -> Flow:
    flow = Flow(None, None)
    for each in ends.broken:
        flow = join_flows(flow, Flow(each._replace(status=SUCCESS), None))
    return flow


def _open(walk: "Interpreter", name: str, body: Script, state: State, shell: Shell) -> Flow:
    """A loop over something of unknown length."""
    start = walk.number
    head = overwritten(state, {name})
    broken = Flow(None, None)
    for _ in range(_ROUNDS):
        ends = Ends([], [])
        flow = walk.script(body, head, shell._replace(loops=(*shell.loops, ends)))
        broken = join_flows(broken, _broken(ends))
        head, stable = _again(head, settle(flow), ends)
        if stable:
            break
    else:
        head = _widened(head)
        walk.script(body, head, shell._replace(loops=(*shell.loops, Ends([], []))))
    walk.repeated.update(range(start, walk.number))
    return join_flows(split(head, EITHER), broken)


def read_loop(walk: "Interpreter", command: Loop, state: State, shell: Shell) -> Flow:
    """`while` and `until`."""
    start = walk.number
    head, result = state, Flow(None, None)
    for turn in range(_ROUNDS + 1):
        ends = Ends([], [])
        inside = shell._replace(loops=(*shell.loops, ends))
        asked = walk.script(command.condition, head, inside._replace(guarded=True))
        goes_on, stops = asked if command.kind == "while" else (asked.fail, asked.ok)
        if stops is not None:
            result = join_flows(result, split(stops, EITHER))
        result = join_flows(result, _broken(ends))  # `break` in the condition
        if goes_on is None:
            walk.unreached(command.body)
            break
        flow = walk.script(command.body, goes_on, inside)
        result = join_flows(result, _broken(ends))
        head, stable = _again(head, settle(flow), ends)
        if stable:
            break
        head = _widened(head) if turn == _ROUNDS - 1 else head
    walk.repeated.update(range(start, walk.number))
    return result


def _again(head: State, after: State | None, ends: Ends) -> tuple[State, bool]:
    """The state at the head of the next round, and whether another round would tell more."""
    joined: State | None = head
    for each in (after, *ends.continued):
        joined = join(joined, each)
    joined = joined or head
    return joined, _gist(joined) == _gist(head)


def _gist(state: State) -> State:
    return state._replace(status=UNKNOWN, pipe=())


def _widened(state: State) -> State:
    """Nothing is known any more about variables; facts are."""
    return state._replace(values={}, arrays={}, status=EITHER, pipe=(), args=None)
