"""Loops. What is run again until it is green hides a red, so nothing inside an open loop is ever proven.

A `for` over words that are written out is read round by round; any other loop is read until nothing new
comes out, at most a few times.
"""

import re
from typing import TYPE_CHECKING

from donewhen.core.commands.status import (
    EITHER,
    SUCCESS,
    UNKNOWN,
    Flow,
    State,
    join,
    join_flows,
    settle,
    split,
    text_value,
)
from donewhen.core.commands.status_words import resolve
from donewhen.core.commands.surroundings import Ends, Shell
from donewhen.core.commands.variables import overwritten
from donewhen.core.tree import For, Loop, Script, Simple, Substitution, Word

if TYPE_CHECKING:
    from donewhen.core.commands.reader import Reader

MOST_ROUNDS = 16
_ROUNDS = 3
_RANGE = re.compile(r"\{-?[0-9]{1,6}\.\.-?[0-9]{1,6}(?:\.\.-?[0-9]{1,6})?\}|\{[a-z]\.\.[a-z]\}")


def read_for(reader: "Reader", command: For, state: State, shell: Shell) -> Flow:
    state = reader.expand(command.words or (), state, shell)
    if command.kind != "for" or command.words is None:
        return _open(reader, command.name, command.body, reader.calculated(command.source, state), shell)
    words = resolve(command.words, state)
    if words and all(word.known for word in words) and len(words) <= MOST_ROUNDS:
        start = len(reader.found)
        flow = _rounds(reader, command, words, state, shell)
        reader.rounds.append((start, len(reader.found)))
        return flow
    if not words:
        reader.unreached(command.body)
        return split(state, SUCCESS)
    if not any(word.known or _never_empty(word) for word in words):
        return _open(reader, command.name, command.body, state, shell)
    first = _rounds(reader, command, (Word("", known=False),), state, shell)
    settled = settle(first)
    if settled is None:
        return first
    return _open(reader, command.name, command.body, settled, shell)


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


def _rounds(reader: "Reader", command: For, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    result, current = Flow(None, None), state
    for index, word in enumerate(words):
        ends = Ends([], [])
        inside = shell._replace(loops=(*shell.loops, ends))
        known = text_value(word.text) if word.known else UNKNOWN
        begun = overwritten(current, {command.name})
        begun = begun._replace(values={**begun.values, command.name: known})
        flow = reader.script(command.body, begun, inside)
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


def _open(reader: "Reader", name: str, body: Script, state: State, shell: Shell) -> Flow:
    """A loop over something of unknown length."""
    start = len(reader.found)
    head = overwritten(state, {name})
    broken = Flow(None, None)
    for _ in range(_ROUNDS):
        ends = Ends([], [])
        flow = reader.script(body, head, shell._replace(loops=(*shell.loops, ends)))
        broken = join_flows(broken, _broken(ends))
        head, stable = _again(head, settle(flow), ends)
        if stable:
            break
    else:
        head = _widened(head)
        reader.script(body, head, shell._replace(loops=(*shell.loops, Ends([], []))))
    reader.repeated.update(range(start, len(reader.found)))
    return join_flows(split(head, EITHER), broken)


def read_loop(reader: "Reader", command: Loop, state: State, shell: Shell) -> Flow:
    """`while` and `until`."""
    start = len(reader.found)
    head, result = state, Flow(None, None)
    for turn in range(_ROUNDS + 1):
        ends = Ends([], [])
        inside = shell._replace(loops=(*shell.loops, ends))
        asked = reader.script(command.condition, head, inside._replace(guarded=True))
        goes_on, stops = asked if command.kind == "while" else (asked.fail, asked.ok)
        if stops is not None:
            result = join_flows(result, split(stops, EITHER))
        result = join_flows(result, _broken(ends))  # `break` in the condition
        if goes_on is None:
            reader.unreached(command.body)
            break
        flow = reader.script(command.body, goes_on, inside)
        result = join_flows(result, _broken(ends))
        head, stable = _again(head, settle(flow), ends)
        if stable:
            break
        head = _widened(head) if turn == _ROUNDS - 1 else head
    reader.repeated.update(range(start, len(reader.found)))
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
