"""Statements and compound commands: everything that can run is walked, in order.

An over-approximation: both branches, every case, loop bodies again for what they carry over. Whether a
condition holds is never decided; where ways meet, what either did remains possible.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from donewhen.core import tree
from donewhen.core.lazy import lazy
from donewhen.core.tree import Script, Simple, Statement
from donewhen.guard.effects import Exhausts
from donewhen.guard.expand import expand
from donewhen.guard.marks import HOLE, STAR, certain
from donewhen.guard.state import State
from donewhen.guard.walk.base import Defined, Frame, Walk, bounded, either, keep_files, origins
from donewhen.guard.walk.builtins import CHANGING
from donewhen.guard.walk.live import tested
from donewhen.guard.walk.redirects import settle, tie
from donewhen.guard.walk.simple import declare, simple

_MANY = 16  # more numbers than this are taken as one that is not known
_MAX_LINES = 64
_ASSIGNED = lazy(
    r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)"
)
_CONDITIONS = frozenset("[ test false grep egrep which command type hash cmp diff pgrep expr let".split())
_PAUSES = frozenset("sleep wait read break exit return".split())


def script(walk: Walk, statements: Script, state: State, frame: Frame) -> str:
    """What the statements print, one after the other."""
    if len(statements) == 1:
        return statement(walk, statements[0], state, frame)
    printed = [statement(walk, one, state, frame) for one in statements if not walk.spent]
    return bounded("".join(printed)) if frame.wants else ""


def statement(walk: Walk, one: Statement, state: State, frame: Frame) -> str:
    if one.background:
        return _background(walk, one, state, frame)
    command = one.command
    if isinstance(command, Simple):
        return simple(walk, command, one.redirects, state, frame)
    if walk.spent:
        return HOLE
    walking = _COMMANDS[type(command)]
    if not one.redirects:
        return walking(walk, command, state, frame)
    tied = tie(walk, one.redirects, state, frame, ())
    wants = frame.wants or bool(tied.targets or tied.hosts)
    printed = walking(walk, command, state, frame._replace(stdin=tied.stdin, wants=wants))
    return settle(walk, tied, printed, state, frame, ())


def _background(walk: Walk, one: Statement, state: State, frame: Frame) -> str:
    own = state.copy()
    printed = statement(walk, one._replace(background=False), own, frame._replace(forks=frame.forks + 1))
    keep_files(own, state)
    return printed


def _pipeline(walk: Walk, command: tree.Pipeline, state: State, frame: Frame) -> str:
    last = len(command.parts) - 1
    stdin, printed = frame.stdin, ""
    inside = frame._replace(forks=frame.forks + 1)
    for at, part in enumerate(command.parts):
        own = state.copy() if changes(part, state) else state
        printed = statement(walk, part, own, inside._replace(stdin=stdin, wants=frame.wants or at < last))
        if own is not state:
            keep_files(own, state)
            if at == last and "lastpipe" in state.options:
                walk.join(state, own)
        stdin = printed
    return printed


def changes(one: Statement, state: State) -> bool:
    """May it change the shell's own state, besides files?"""
    command = one.command
    if not isinstance(command, Simple) or not command.words:
        return True
    first = command.words[0]
    return not first.known or first.text in CHANGING or first.text in state.functions or bool(state.aliases)


def _chain(walk: Walk, command: tree.AndOr, state: State, frame: Frame) -> str:
    printed = [statement(walk, command.first, state, frame)]
    before: State | None = None  # how it was where the chain may have ended
    doubtful = _is_condition(command.first)
    for operator, one in command.rest:
        if walk.spent:
            break
        if changes(one, state):
            if before is None:
                before = state.copy()
            elif operator == "||":
                walk.join(before, state)
        printed.append(statement(walk, one, state, frame))
        doubtful = doubtful or operator == "||" or _is_condition(one)
    if before is not None:
        if not doubtful:
            before.folder = state.folder  # commands mostly succeed, and so does the `cd` behind them
        walk.join(state, before)
    return bounded("".join(printed)) if frame.wants else ""


def _is_condition(one: Statement) -> bool:
    """A command that is run to see whether it fails."""
    command = one.command
    if one.negated or isinstance(command, tree.Test | tree.Calculation):
        return True
    return isinstance(command, Simple) and bool(command.words) and command.words[0].text in _CONDITIONS


def _subshell(walk: Walk, command: tree.Subshell, state: State, frame: Frame) -> str:
    own = state.copy()
    printed = script(walk, command.body, own, frame)
    keep_files(own, state)
    return printed


def _group(walk: Walk, command: tree.Group, state: State, frame: Frame) -> str:
    return script(walk, command.body, state, frame)


def _if(walk: Walk, command: tree.If, state: State, frame: Frame) -> str:
    ends: list[State] = []
    outputs: list[str] = []
    for condition, body in command.branches:
        conditional = script(walk, condition, state, frame)
        branch = state.copy()
        outputs.append(conditional + script(walk, body, branch, frame))
        ends.append(branch)
    if command.otherwise is not None:
        outputs.append(script(walk, command.otherwise, state, frame))
    for end in ends:
        walk.join(state, end)
    return either(outputs) if frame.wants else ""


def _case(walk: Walk, command: tree.Case, state: State, frame: Frame) -> str:
    walk.one(command.word, state, frame)
    before = state.copy()
    outputs: list[str] = []
    for item in command.items:
        for pattern in item.patterns:
            if not pattern.known:
                walk.one(pattern, state, frame)
        # an item may be entered by itself or from the one before it (`;&`)
        branch = before.copy()
        outputs.append(script(walk, item.body, branch, frame))
        walk.join(state, branch)
    return either(outputs) if frame.wants else ""


def _loop(walk: Walk, command: tree.Loop, state: State, frame: Frame) -> str:
    if _endless(command) and _spawns(command.body):
        walk.report(Exhausts(command.kind), (), frame)
    before = state.copy()
    printed: list[str] = []
    for stdin in _rounds(command.condition, frame.stdin):
        if walk.spent:
            break
        once = frame._replace(stdin=stdin)
        printed.append(script(walk, command.condition, state, once))
        printed.append(script(walk, command.body, state, once))
    walk.join(state, before)
    return bounded("".join(printed)) if frame.wants else ""


def _rounds(condition: Script, stdin: str | None) -> Sequence[str | None]:
    """The input of each round: `while read` takes a line each time."""
    if stdin is None or not _reads(condition):
        return (stdin, stdin)
    lines = stdin.splitlines(keepends=True)
    if len(lines) > _MAX_LINES:
        return [*("".join(lines[at:]) for at in range(_MAX_LINES)), HOLE + origins(stdin)]
    return ["".join(lines[at:]) for at in range(len(lines))] * (2 if len(lines) == 1 else 1) or [""]


def _reads(condition: Script) -> bool:
    return any(
        isinstance(one.command, Simple) and any(word.text == "read" for word in one.command.words[:2])
        for one in condition
    )


def _endless(loop: tree.Loop) -> bool:
    last = loop.condition[-1].command if loop.condition else None
    if isinstance(last, Simple) and last.words:
        texts = [word.text for word in last.words]
        if loop.kind == "until":
            return texts[0] in ("false", "/bin/false")
        return texts[0] in ("true", ":", "/bin/true") or texts in (["[", "1", "]"], ["test", "1"])
    return isinstance(last, tree.Calculation) and last.source.strip("() \t") == "1"


def _spawns(body: Script) -> bool:
    """Starts something in the background again and again, and never waits."""
    waiting = [one.command for one in body if not one.background and isinstance(one.command, Simple)]
    names = [command.words[0].text for command in waiting if command.words]
    return any(one.background for one in body) and _PAUSES.isdisjoint(names)


def _for(walk: Walk, command: tree.For, state: State, frame: Frame) -> str:
    if command.kind == "arithmetic":
        return _counted(walk, command, state, frame)
    items = _items(walk, command, state, frame)
    before = None if items and all(map(certain, items)) else state.copy()
    if len(items) > _MANY and all(item.isdigit() for item in items):
        items = [STAR]
    if len(items) == 1:
        items *= 2  # what the body carries over to its next round
    printed = []
    for item in items:
        if walk.spent:
            break
        state.set(command.name, item)
        printed.append(script(walk, command.body, state, frame))
    if before is not None:
        walk.join(state, before)
    if not items:  # nothing to go through, as far as we know; the body is judged all the same
        script(walk, command.body, state.copy(), frame)
    return bounded("".join(printed)) if frame.wants else ""


def _items(walk: Walk, command: tree.For, state: State, frame: Frame) -> list[str]:
    if command.words is None:
        return [walk.restored(text) for text in state.positional] or [HOLE]
    if all(word.known for word in command.words):
        found: list[str] = [word.text for word in command.words]
    else:
        alternatives = expand.expand(command.words, state, walk.runner(frame))
        found = [text for words in alternatives for text in words]
    return (
        [HOLE] if command.kind == "select" and not found else list(dict.fromkeys(map(walk.restored, found)))
    )


def _counted(walk: Walk, command: tree.For, state: State, frame: Frame) -> str:
    for word in command.words or ():
        walk.one(word, state, frame)
    if command.source.strip("() \t").replace(" ", "") == ";;" and _spawns(command.body):
        walk.report(Exhausts("for"), (), frame)
    if not command.words:
        for piece in command.source.strip("() \t").split(";"):
            expand.calculate(piece, (), state, walk.runner(frame))
    _set_numbers(command.source, state)
    before = state.copy()
    printed = script(walk, command.body, state, frame) + script(walk, command.body, state, frame)
    walk.join(state, before)
    return bounded(printed)


def _set_numbers(source: str, state: State) -> None:
    """Variables that arithmetic sets hold some number afterwards."""
    for plain, stepped in _ASSIGNED.findall(source):
        state.set(plain or stepped, STAR)


def _function(walk: Walk, command: tree.Function, state: State, frame: Frame) -> str:
    state.functions[command.name] = command.body
    if id(command.body) not in walk.defined:
        walk.defined[id(command.body)] = Defined(command.name, command.body, state, frame)
    return ""


def _test(walk: Walk, command: tree.Test, state: State, frame: Frame) -> str:
    tested(walk, command.words, state, frame)
    return ""


def _calculation(walk: Walk, command: tree.Calculation, state: State, frame: Frame) -> str:
    expand.calculate(command.source, command.parts, state, walk.runner(frame))
    return ""


def _coprocess(walk: Walk, command: tree.Coprocess, state: State, frame: Frame) -> str:
    statement(
        walk, command.body, state.copy(), frame._replace(forks=frame.forks + 1, stdin=HOLE, wants=False)
    )
    return ""


def _timed(walk: Walk, command: tree.Timed, state: State, frame: Frame) -> str:
    return "" if command.body is None else statement(walk, command.body, state, frame)


_COMMANDS: Mapping[type, Callable[[Walk, Any, State, Frame], str]] = {
    tree.Declare: declare,
    tree.Pipeline: _pipeline,
    tree.AndOr: _chain,
    tree.Subshell: _subshell,
    tree.Group: _group,
    tree.If: _if,
    tree.Loop: _loop,
    tree.For: _for,
    tree.Case: _case,
    tree.Function: _function,
    tree.Test: _test,
    tree.Calculation: _calculation,
    tree.Coprocess: _coprocess,
    tree.Timed: _timed,
}
