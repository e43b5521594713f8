"""What a shell knows at one point of a script: variables, folder, functions, and which commands returned 0.

A fact is the number of a command that ran and returned 0. Facts stay true for ever, so a variable that once
took an exit status can give them back much later: `Value` keeps them per text that it may hold. Where paths
meet, only what both are sure of stays. What can't be known is `UNKNOWN`. Nothing here knows the syntax.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.tree import Redirect, Script, Simple, Statement, Word

Facts = frozenset[int]
Folders = tuple[str | None, ...]
NOTHING: Facts = frozenset()
ANSWERED = "commands.answered"  # why: another program may answer than the one that is named
MANY_TEXTS = 8
MANY_FOLDERS = 4


class TooMuch(Exception):
    """The script would need more work than a line is worth."""


class Value(NamedTuple):
    """Per text it may hold: what is then sure. `other` is for all texts not listed; None: there are none."""

    cases: Mapping[str, Facts] = EMPTY
    other: Facts | None = NOTHING
    codes: bool = False  # the other texts are exit statuses from 1 to 255
    job: "Value | None" = None  # it is the id of a background job that ends with this status

    def at(self, text: str) -> Facts | None:
        """What is sure if it holds `text`; None: it can't."""
        if text in self.cases:
            return self.cases[text]
        return None if self.codes and not _is_failure(text) else self.other

    @property
    def zero(self) -> Facts | None:
        return self.at("0")

    @property
    def nonzero(self) -> Facts | None:
        return self.but(("0",))

    def but(self, texts: Iterable[str]) -> Facts | None:
        """What is sure if it holds none of `texts`."""
        left = [facts for text, facts in self.cases.items() if text not in texts]
        return meet(*left, self.other)

    @property
    def only(self) -> str | None:
        """The one text that it holds for certain."""
        return next(iter(self.cases)) if self.other is None and len(self.cases) == 1 else None


UNKNOWN = Value()


def text_value(text: str) -> Value:
    return Value({text: NOTHING}, None)


def code(zero: Facts | None, nonzero: Facts | None) -> Value:
    """An exit status of which only matters whether it is 0."""
    return Value({} if zero is None else {"0": zero}, nonzero, codes=True)


SUCCESS = code(NOTHING, None)
FAILURE = code(None, NOTHING)
EITHER = code(NOTHING, NOTHING)


def _is_failure(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and 0 < int(text) < 256


def meet(*sides: Facts | None) -> Facts | None:
    """What is sure on every possible side; None: no side is possible."""
    possible = [side for side in sides if side is not None]
    return frozenset.intersection(*possible) if possible else None


def plus(facts: Facts | None, more: Facts) -> Facts | None:
    return None if facts is None else facts | more


class State(NamedTuple):
    facts: Facts = NOTHING
    status: Value = SUCCESS  # $?
    pipe: tuple[Value, ...] = ()  # PIPESTATUS
    values: Mapping[str, Value] = EMPTY
    arrays: Mapping[str, tuple[Word, ...]] = EMPTY
    args: tuple[Word, ...] | None = None  # the positional parameters
    env: Mapping[str, Word] = EMPTY  # what programs are given, as far as the script sets it
    folders: Folders = ("",)  # where the shell may be, each relative to its start or absolute; None: anywhere
    back: Folders = (None,)  # where `cd -` would go
    stack: tuple[Folders, ...] = ()  # of pushd
    functions: Mapping[str, Statement | None] = EMPTY  # None: defined on some paths only
    shadowed: frozenset[str] = frozenset()  # names that a function or an alias may answer
    frozen: frozenset[str] = frozenset()  # variables that can't be set any more
    traps: Mapping[str, tuple[Script | None, ...]] = EMPTY  # per event what may be set, None: nothing
    options: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()  # options that are set on some paths only
    job: Value = UNKNOWN  # $!
    jobs: tuple[Value, ...] = ()
    spoiled: str = ""  # why a visitor does not trust what is run from here on
    printed: str | None = None  # what this shell printed so far; None: not known
    root: str | None = None  # absolute path that folders are relative to; None where they are absolute
    top: str | None = None  # absolute path that `git rev-parse --show-toplevel` prints

    @property
    def folder(self) -> str | None:
        """The folder; of several the shallowest inside, so that `cd ..` must not seem to stay inside."""
        first, *others = self.folders
        if not others:
            return first
        if any(each is None or each.startswith("/") for each in self.folders):
            return None
        inside = (each or "" for each in self.folders)
        return min(inside, key=lambda path: (path.count("/") + bool(path), path))


class Flow(NamedTuple):
    """After a command: the state if it returned 0 and if not; None: that can't be."""

    ok: State | None
    fail: State | None


def split(state: State, status: Value) -> Flow:
    """`state` after a command with this status."""

    def side(facts: Facts | None, known: Value) -> State | None:
        return None if facts is None else state._replace(facts=state.facts | facts, status=known)

    known = (code(status.zero, None), status._replace(cases=_without_zero(status)))
    return Flow(side(status.zero, known[0]), side(status.nonzero, known[1]))


def _without_zero(status: Value) -> Mapping[str, Facts]:
    return {text: facts for text, facts in status.cases.items() if text != "0"}


def settle(flow: Flow) -> State | None:
    """One state for both outcomes; what each would make sure is kept in `$?`."""
    return join(flow.ok, flow.fail)


def join_flows(a: Flow, b: Flow) -> Flow:
    return Flow(join(a.ok, b.ok), join(a.fail, b.fail))


def join(a: State | None, b: State | None) -> State | None:
    if a is None or b is None:
        return b if a is None else a
    if a is b:
        return a
    pipes = zip(a.pipe, b.pipe, strict=False)
    return State(
        facts=a.facts & b.facts,
        status=_join_values(a.status, a.facts, b.status, b.facts),
        pipe=tuple(_join_values(x, a.facts, y, b.facts) for x, y in pipes)
        if len(a.pipe) == len(b.pipe)
        else (),
        values={
            name: _join_values(a.values.get(name, UNKNOWN), a.facts, b.values.get(name, UNKNOWN), b.facts)
            for name in {**a.values, **b.values}
        },
        arrays={name: words for name, words in a.arrays.items() if b.arrays.get(name) == words},
        args=a.args if a.args == b.args else None,
        env=_join_env(a.env, b.env),
        folders=_either_folder(a, a.folders, b.folders),
        back=_either_folder(a, a.back, b.back),
        stack=a.stack if a.stack == b.stack else (),
        functions=_join_functions(a.functions, b.functions),
        shadowed=a.shadowed | b.shadowed,
        frozen=a.frozen | b.frozen,
        traps={
            name: tuple(dict.fromkeys(a.traps.get(name, (None,)) + b.traps.get(name, (None,))))
            for name in a.traps.keys() | b.traps.keys()
        },
        options=a.options & b.options,
        doubtful=a.doubtful | b.doubtful | (a.options ^ b.options),
        job=_join_values(a.job, a.facts, b.job, b.facts),
        jobs=a.jobs if a.jobs == b.jobs else (),
        spoiled=a.spoiled or b.spoiled,
        printed=a.printed if a.printed == b.printed else None,
        root=a.root,
        top=a.top,
    )


def forget(state: State, names: set[str]) -> State:
    """These variables may hold anything from now on."""
    if not names:
        return state
    values = {name: each for name, each in state.values.items() if name.split("[")[0] not in names}
    arrays = {name: each for name, each in state.arrays.items() if name not in names}
    return state._replace(values=values, arrays=arrays)


def _join_values(a: Value, a_facts: Facts, b: Value, b_facts: Facts) -> Value:
    if a is b and a_facts == b_facts:
        return a
    texts = dict.fromkeys((*a.cases, *b.cases))
    cases: dict[str, Facts] = {}
    for text in texts:
        both = meet(plus(a.at(text), a_facts), plus(b.at(text), b_facts))
        if both is not None:
            cases[text] = both
    other = meet(plus(a.other, a_facts), plus(b.other, b_facts))
    codes = (a.codes or a.other is None) and (b.codes or b.other is None)
    if len(cases) > MANY_TEXTS:
        zero = {"0": cases.pop("0")} if "0" in cases else {}
        other, cases, codes = meet(*cases.values(), other), zero, False
    return Value(cases, other, codes, a.job if a.job == b.job else None)


def _join_env(a: Mapping[str, Word], b: Mapping[str, Word]) -> Mapping[str, Word]:
    """A variable that is set on one path counts as set; one with two values has none that is known."""
    joined = {**a, **b}
    for name in a.keys() & b.keys():
        if a[name] != b[name]:
            joined[name] = Word(f"{a[name].text[:80]} {b[name].text[:80]}", known=False)
    return joined


def _join_functions(
    a: Mapping[str, Statement | None], b: Mapping[str, Statement | None]
) -> Mapping[str, Statement | None]:
    return {name: a.get(name) if a.get(name) == b.get(name) else None for name in a.keys() | b.keys()}


def _either_folder(state: State, a: Folders, b: Folders) -> Folders:
    if a == b:
        return a
    both = tuple(dict.fromkeys((*a, *b)))
    if len(both) <= MANY_FOLDERS:
        return both
    return (state._replace(folders=both).folder,)


# what surrounds a command: where `exit`, `return` and `break` lead, and who answers


class End(NamedTuple):
    """A way out of a shell or a function, with the status it takes along."""

    status: Value
    state: State


class Ends(NamedTuple):
    """The ways out of one round of a loop."""

    broken: list[State]
    continued: list[State]


class Shell(NamedTuple):
    exits: list[End]
    returns: list[End] | None = None  # None: not in a function
    loops: tuple[Ends, ...] = ()
    local: set[str] | None = None  # variables that end with the function
    guarded: bool = False  # part of a condition: errexit and the ERR trap are off
    elsewhere: bool = False
    direct: bool = True  # this shell itself looks the name up; False: a wrapper starts a program
    functions: bool = True  # False: `command` and `builtin` pass functions by
    bash: bool = True  # False: `[[`, `((` and PIPESTATUS may be missing
    depth: int = 0
    trapped: Value | None = None  # in an EXIT trap: the status before it
    env: Mapping[str, Word] = EMPTY  # set for this command only
    prefix: tuple[Word, ...] = ()  # inside a container: the words that lead there
    by: tuple[str, ...] = ()  # wrappers round it
    forks: int = 0  # pipes and background jobs round it
    stdin: Word | None = None
    redirects: tuple[Redirect, ...] = ()  # of the statement at hand
    source: Simple | None = None  # the command at hand, as it is written


def shell_status(ends: list[End]) -> Value:
    """The status of a shell that ends in one of these ways."""
    zero: Facts | None = meet(*(plus(end.status.zero, end.state.facts) for end in ends))
    nonzero: Facts | None = meet(*(plus(end.status.nonzero, end.state.facts) for end in ends))
    return code(zero, nonzero)


def exit_code(value: Value) -> Value:
    """The status that `exit value` leaves: modulo 256, and 2 for what is no number."""
    zero: list[Facts | None] = []
    nonzero: list[Facts | None] = []
    for text, facts in value.cases.items():
        (zero if _leaves_zero(text) else nonzero).append(facts)
    if value.other is not None:
        nonzero.append(value.other)
        zero += [] if value.codes else [value.other]
    return code(meet(*zero), meet(*nonzero))


def _leaves_zero(text: str) -> bool:
    digits = text.strip().lstrip("+-")
    if not digits.isascii() or not digits.isdigit():
        return digits == ""  # `exit $nothing` is a bare exit: nothing is known
    return len(digits) > 15 or int(digits) % 256 == 0


def ended(flow: Flow) -> list[End]:
    """The ends of a shell that has run to its end."""
    return [End(state.status, state) for state in flow if state is not None]
