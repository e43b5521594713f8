"""What one walk carries: the effects found so far, what is left of its budget, and the ways down.

A line is walked by several modules that need each other (a command holds a script, a script holds commands);
they meet here, so that none imports another in a circle. Nothing in here looks at a command.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.tree import Part, Script, Statement, Text, Variable, Word
from donewhen.guard.call import NO_VARIABLES, Where
from donewhen.guard.decision import Found
from donewhen.guard.effects import Effect, Reveals, Unknown
from donewhen.guard.expand import expand
from donewhen.guard.ground import Ground
from donewhen.guard.marks import (
    BELOW,
    CARRIED,
    ENVIRONMENT,
    HOLE,
    MARKED,
    NETWORK,
    RESTORED,
    SECRET,
    anything,
)
from donewhen.guard.state import State, Value, merged

MAX_STEPS = 4_000
MAX_TEXTS = 48  # nested texts that are parsed
MAX_LAYERS = 24  # texts, files and functions inside each other
MAX_DEPTH = 32  # scripts inside scripts of whatever kind
MAX_OUTPUT = 16_384
MAX_PLACES = 4
TRACE = "xtrace"  # the option of a shell that prints what it runs
MAX_CHARACTERS = 2**20  # of arguments and texts in all, so that doubling a variable ends
ORIGINS = (NETWORK, SECRET, ENVIRONMENT)
UNSURE = frozenset((HOLE, BELOW, *ORIGINS))  # may hold characters that a shell would act on


class Frame(NamedTuple):
    """What surrounds a command."""

    stdin: str | None = None  # what it would read; None: the terminal
    wants: bool = False  # somebody reads what it prints
    by: tuple[str, ...] = ()
    elsewhere: Where = ""
    env: Mapping[str, str] = NO_VARIABLES  # set for it alone, by prefixes and wrappers
    calls: tuple[tuple[str, int], ...] = ()  # functions and files being run, and `forks` when they began
    forks: int = 0  # pipes and background jobs round it
    plain: bool = False  # functions and aliases don't apply (`command`, `env`, `sudo`)


class Defined(NamedTuple):
    """A function that nothing has called yet."""

    name: str
    body: Statement
    state: State
    frame: Frame


class Trap(NamedTuple):
    """Code that runs later, in whatever state is then."""

    source: str
    state: State
    frame: Frame
    later: State | None = None  # the state that goes on; what the line sets in it is what it sets


class Ways(NamedTuple):
    """The ways down; each returns what is printed."""

    script: "Callable[[Walk, Script, State, Frame], str]"
    command: "Callable[[Walk, tuple[str, ...], State, Frame], str]"
    text: "Callable[[Walk, str, str, State, Frame], str]"


class Walk:
    __slots__ = (
        "_argv", "_argvs", "_depth", "_number", "_places", "_seen", "_steps", "_texts", "_ways", "asides",
        "built", "characters", "configured", "copies", "defined", "followed", "found", "ground", "hidden",
        "hosts", "marked", "spent", "traps",
    )  # fmt: skip

    def __init__(self, ground: Ground, ways: Ways) -> None:
        self.ground = ground
        self.found: list[Found] = []
        self.defined: dict[int, Defined] = {}
        self.built: set[str] = set()  # programs that the line compiled
        self.asides: set[tuple[str, str]] = set()  # folders and texts that were tried
        self.copies: dict[str, str] = {}  # files that the line copied, and what of
        self.configured: dict[str, str] = {}  # git's settings that the line made
        self.characters = 0
        self.followed: set[tuple[str, str]] = set()  # settings of variables that were looked at
        self.traps: list[Trap] = []
        self.hosts: dict[str, None] = {}  # that something was fetched from
        self.hidden: list[dict[str, Value | None]] = []  # what `local` hides, of each function being run
        self.marked = False  # marks were carried through the parser
        self.spent = False
        self._ways = ways
        self._seen: set[tuple[object, ...]] = set()
        self._argv: tuple[str, ...] | None = None
        self._argvs: dict[tuple[str, ...], int] = {}
        self._number = 0
        self._depth = 0
        self._steps = 0
        self._texts = 0
        self._places: dict[str, tuple[str, ...]] = {}

    def script(self, script: Script, state: State, frame: Frame) -> str:
        if self._depth >= MAX_DEPTH:
            self.report(Unknown("guard.too_much"), (), Frame())
            return HOLE
        self._depth += 1
        printed = self._ways.script(self, script, state, frame)
        self._depth -= 1
        return printed

    def command(self, argv: tuple[str, ...], state: State, frame: Frame) -> str:
        return self._ways.command(self, argv, state, frame)

    def text(self, text: str, by: str, state: State, frame: Frame) -> str:
        return self._ways.text(self, text, by, state, frame)

    def report(self, effect: Effect, argv: tuple[str, ...], frame: Frame) -> None:
        if argv is not self._argv:  # one command reports many effects, and its words may be thousands
            self._argv = argv
            self._number = self._argvs.setdefault(argv, len(self._argvs))
        # effects of two kinds may be equal as tuples
        key = (type(effect), effect, self._number, frame.by, frame.elsewhere, not frame.env)
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(Found(effect, argv, frame.by, frame.elsewhere, bool(frame.env)))

    def keep_sure(self, mark: int) -> None:
        """Drops what is open of the effects found since: whoever calls it knows better, or later."""
        dropped = [one for one in self.found[mark:] if not _sure(one)]
        self.found[mark:] = [one for one in self.found[mark:] if _sure(one)]
        for one in dropped:
            number = self._argvs[one.argv]
            self._seen.discard((type(one.effect), one.effect, number, one.by, one.elsewhere, not one.changed))

    def step(self) -> bool:
        """One command more; False when the budget is spent."""
        self._steps += 1
        if self._steps > MAX_STEPS or self.characters > MAX_CHARACTERS:
            self.stop()
        return not self.spent

    def aside(self) -> "Walk":
        """Another walk at the expense of this one; what it finds counts only for whoever asked."""
        other = Walk(self.ground, self._ways)
        other.followed = self.followed.copy()
        other.asides = self.asides
        other.marked, other._depth = self.marked, self._depth
        other.repay(self)
        return other

    def repay(self, other: "Walk") -> None:
        """What the other spent is gone here too."""
        self._steps, self._texts, self.characters = other._steps, other._texts, other.characters

    def deeper(self, frame: Frame) -> bool:
        """One more inside the others; False, and said, when they are too many."""
        if len(frame.by) < MAX_LAYERS:
            return True
        self.report(Unknown("guard.too_much"), (), Frame())
        return False

    def stop(self) -> None:
        """Nothing further is looked at."""
        if not self.spent:
            self.spent = True
            self.report(Unknown("guard.too_much"), (), Frame())

    def join(self, state: State, other: State) -> None:
        """Both could be. The folders are remembered; the state itself holds only what they share."""
        self.characters += 16 * len(state.variables)
        folders = (*self.places(state), *self.places(other))
        state.join(other)
        self.meet(state, folders)

    def places(self, state: State) -> tuple[str, ...]:
        """The folders that the shell may be in."""
        return self._places.get(state.folder) or (state.folder,) if self._places else (state.folder,)

    def meet(self, state: State, folders: Sequence[str]) -> None:
        distinct = tuple(dict.fromkeys(folders))
        state.folder = merged(distinct)
        if 1 < len(distinct) <= MAX_PLACES:
            known = self._places.get(state.folder, ())
            self._places[state.folder] = tuple(dict.fromkeys((*known, *distinct)))[:MAX_PLACES]

    def hide(self, name: str, state: State) -> None:
        """A variable becomes one of the function's own."""
        if self.hidden:
            self.hidden[-1].setdefault(name, state.variables.get(name))

    def take_text(self, size: int) -> bool:
        """One nested text more."""
        self._texts += 1
        self.characters += 4 * size
        if self._texts > MAX_TEXTS or self.characters > MAX_CHARACTERS:
            self.stop()
        return not self.spent

    def runner(self, frame: Frame) -> expand.Run:
        """How a substitution is judged, and what it prints."""

        def run(script: Script, state: State) -> str:
            inside = state.copy()
            printed = self.script(script, inside, frame._replace(wants=True, plain=False))
            keep_files(inside, state)
            return printed

        return run

    def one(self, word: Word, state: State, frame: Frame) -> list[str]:
        """The values that a word may have where it stays one word."""
        if word.known:
            return [self.restored(word.text)]
        word = named_by(word, state)
        return [self.restored(text) for text in expand.expand_one(word, state, self.runner(frame))]

    def target(self, word: Word, state: State, frame: Frame) -> list[str]:
        """The files that a redirection may name."""
        if word.known:
            return [self.restored(word.text)]
        return [self.restored(text) for text in expand.expand_target(word, state, self.runner(frame))]

    def restored(self, text: str) -> str:
        return text.translate(RESTORED) if self.marked and not text.isascii() else text

    def carried(self, text: str) -> str:
        """The text with its marks as characters that the parser takes for letters."""
        if MARKED.search(text) is None:
            return text
        self.marked = True
        return text.translate(CARRIED)


def trace(walk: Walk, texts: Iterable[str], frame: Frame) -> None:
    """`set -x`: what is expanded is printed."""
    if any(SECRET in text for text in texts):
        walk.report(Reveals("variable"), ("set", "-x"), frame)


def named_by(word: Word, state: State) -> Word:
    """`${!name}` of a name that is not known may be any variable of the environment."""
    if "${!" not in word.text:
        return word
    parts: list[Part] = []
    for part in word.parts:
        parts.append(part)
        if isinstance(part, Variable) and part.operator[:1] == "!" and _names_any(part, state):
            parts.append(Text(ENVIRONMENT, True))
    return word._replace(parts=tuple(parts))


def _names_any(part: Variable, state: State) -> bool:
    listing = part.operator in ("!@", "!*") and part.argument is None
    if listing or part.key is not None or part.name in state.references:
        return False
    return any(map(anything, state.get(part.name)))


def keep_files(own: State, state: State) -> None:
    """What another process wrote is on the disk."""
    if own.files:
        state.files.update(own.files)
    if own.links:
        state.links.update(own.links)


def _sure(found: Found) -> bool:
    if isinstance(found.effect, Unknown):
        return not found.argv  # a limit of the walk itself
    texts = (one for one in found.effect if isinstance(one, str))
    return not any(map(anything, texts))


def origins(text: str) -> str:
    """Where parts of the text came from, as marks."""
    return "".join(mark for mark in ORIGINS if mark in text)


def either(outputs: list[str]) -> str:
    """One of these is printed, or several: all of them, and unlike ones with a hole between."""
    different = list(dict.fromkeys(text for text in outputs if text))
    return bounded(HOLE.join(different))


def bounded(text: str) -> str:
    return text if len(text) <= MAX_OUTPUT else text[:MAX_OUTPUT] + HOLE + origins(text)


def inner_path(frame: Frame, by: str) -> Frame:
    return frame._replace(by=(*frame.by, by))
