"""What a shell knows while a line is read: folder, variables, functions, files that the line itself made.

The walker changes it as the shell would. A value is a set of alternatives, each a marked text; where branches
meet, both remain possible. Nothing here reads a disk or runs anything, and no value grows without bound.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.core.tree import Group, Script, Statement
from donewhen.guard.ground import Ground
from donewhen.guard.marks import HOLE, SECRET, STAR, anything
from donewhen.secrets.claims import is_key_like

MAX_ALTERNATIVES = 8
MAX_TEXT = 64 * 1024  # no value and no word grows beyond this; the rest is a hole
MAX_ITEMS = 4096
_WORK = 4_000_000  # characters looked at in all; a line that needs more is not worth knowing
_HOPS = 8
_BLANKS = " \t\n"
_NUMBERS = frozenset(
    "? $ ! - RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS EPOCHREALTIME HOSTNAME OSTYPE "
    "HOSTTYPE MACHTYPE BASH_VERSION BASH_SUBSHELL SHLVL OPTIND OPTERR HISTCMD GROUPS PIPESTATUS "
    "BASH_VERSINFO".split()
)  # numbers and names: whatever they are, no slash is in them
_FIXED = frozenset("UID EUID PPID RANDOM SRANDOM BASHPID EPOCHSECONDS EPOCHREALTIME GROUPS".split())


_SECRETS = frozenset("GH_PAT GITHUB_PAT GITLAB_PAT AZURE_DEVOPS_EXT_PAT AWS_ACCESS_KEY_ID".split())
_NO_SECRETS = frozenset("PWD OLDPWD SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS SUDO_ASKPASS XAUTHORITY".split())


def is_secret(name: str) -> bool:
    """Does a variable of this name hold a credential? Folders, sockets and programs don't."""
    return name in _SECRETS or (name not in _NO_SECRETS and is_key_like(name))


class Value(NamedTuple):
    """Alternatives of a plain value (None: not set), or the items of an array with their keys."""

    texts: tuple[str | None, ...] = ()
    items: tuple[tuple[str, str], ...] | None = None
    keyed: bool = False  # an associative array


_NO_ITEMS = Value((None,), ())


def merged(texts: Iterable[str]) -> str:
    """One marked text for several: what they share at both ends, and a hole for what differs."""
    several = list(dict.fromkeys(texts))
    if len(several) == 1:
        return several[0]
    if not several:
        return HOLE
    low, high = min(several), max(several)
    shortest = min(map(len, several))
    start = next((at for at, char in enumerate(low[:shortest]) if char != high[at]), shortest)
    end = 0
    while end < shortest - start and all(one[-1 - end] == low[-1 - end] for one in several):
        end += 1
    mark = next((mark for mark in "\x05\x06\x04" if any(mark in one for one in several)), HOLE)
    return low[:start] + mark + low[len(low) - end :]


def possible(values: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The alternatives; that it may not be set is covered by one that may be any text."""
    if None in values and (HOLE in values or SECRET in values):
        return tuple(text for text in values if text is not None)
    return values


def bounded(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + HOLE


class State:
    """Mutable; `copy` for a subshell, `join` where branches meet."""

    __slots__ = (
        "_assigned", "_budget", "aliases", "attributes", "descriptors", "exported", "files", "folder",
        "functions", "home", "links", "name", "nested", "options", "positional", "references", "sinks",
        "user", "variables",
    )  # fmt: skip

    def __init__(self, folder: str, home: str, user: str) -> None:
        self.folder = folder
        self.home = home  # of the user, whatever HOME says
        self.user = user
        self.variables: dict[str, Value] = {}
        self.exported: set[str] = set()
        self.functions: dict[str, Statement] = {}
        self.aliases: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.sinks: dict[str, Script] = {}  # `>(…)`: what is written to the path is its input
        self.descriptors: dict[str, tuple[str, str]] = {}  # what `exec 3>…` tied: kind; path, host or text
        self.positional: tuple[str, ...] = ()
        self.name = "bash"
        self.options: set[str] = set()
        self.attributes: dict[str, str] = {}  # letters of `declare`: l, u, c, i, r
        self.references: dict[str, str] = {}  # `declare -n`
        self.nested = 0  # values run as text inside values run as text
        self._assigned: dict[str, set[str]] = {}  # all texts that a variable was ever given, by any copy
        self._budget = [_WORK]

    def copy(self) -> "State":
        other = State.__new__(State)
        for slot in ("folder", "home", "user", "positional", "name", "nested", "_assigned", "_budget"):
            setattr(other, slot, getattr(self, slot))
        for slot in _COPIED:
            setattr(other, slot, getattr(self, slot).copy())
        return other

    def spend(self, work: int) -> bool:
        """Is there still time for it? Shared by all copies, so that no line costs more than it may."""
        self._budget[0] -= work
        return self._budget[0] >= 0

    def move(self, folder: str) -> None:
        """`cd`: OLDPWD is the folder so far."""
        self.variables["OLDPWD"] = Value((self.folder,))
        self.variables.pop("PWD", None)
        self.folder = folder

    def target(self, name: str) -> str:
        """The variable that a name means, `declare -n` followed."""
        for _ in range(_HOPS):
            if name not in self.references:
                break
            name = self.references[name]
        return name

    def values(self, name: str) -> tuple[str | None, ...]:
        """The alternatives of `$name`; None among them: it may not be set."""
        if self.references:
            name = self.target(name)
        value = self.variables.get(name)
        if value is not None:
            if value.items is None:
                return value.texts
            return (next((text for key, text in value.items if key == "0"), None),)
        if name.isdigit():
            return (self._argument(int(name)) if len(name) < 6 else None,)
        if name in _NUMBERS:
            return (STAR,)
        if name == "PWD":
            return (self.folder,)
        if name == "#":
            return (STAR if HOLE in self.positional else str(len(self.positional)),)
        return (SECRET if is_secret(name) else HOLE, None)

    def _argument(self, number: int) -> str | None:
        if number == 0:
            return self.name
        if HOLE in self.positional[:number]:
            return HOLE  # it may be several, or none
        return self.positional[number - 1] if number <= len(self.positional) else None

    def get(self, name: str) -> tuple[str, ...]:
        """The alternatives of `$name` as texts; what is not set is empty."""
        found = self.values(name)
        return (found[0] or "",) if len(found) == 1 else tuple(text or "" for text in possible(found))

    def one(self, name: str) -> str:
        """`$name` as one marked text."""
        found = self.get(name)
        return found[0] if len(found) == 1 else merged(found)

    def items(self, name: str) -> tuple[tuple[str, str], ...] | None:
        """Keys and texts of `${name[@]}`; None when they are not known."""
        value = self.variables.get(self.target(name))
        if value is None:
            return None
        if value.items is not None:
            return value.items
        if value.texts == (None,):
            return ()
        if len(value.texts) != 1 or value.texts[0] is None or anything(value.texts[0]):
            return None
        return (("0", value.texts[0]),)

    def set(self, name: str, text: str, append: bool = False) -> None:
        self.set_all(name, (text,), append)

    def set_all(self, name: str, texts: Sequence[str], append: bool = False) -> None:
        """Any of these texts."""
        name, _, key = self.target(name).partition("[")
        if key:
            self.set_item(name, key.rstrip("]"), merged(texts), append)
            return
        value = self.variables.get(name)
        if value is not None and value.items is not None:
            self.set_item(name, "0", merged(texts), append)
            return
        if append:
            texts = [before + text for before in self.get(name) for text in texts]
        letters = self.attributes.get(name)
        if letters:
            texts = self._formed(name, texts, letters)
        if name in _FIXED:
            return
        texts = tuple(dict.fromkeys(map(bounded, texts)))
        self.variables[name] = Value(texts if len(texts) <= MAX_ALTERNATIVES else (merged(texts),))
        ever = self._assigned.setdefault(name, set())
        if len(ever) <= MAX_ALTERNATIVES:  # more are as good as anything
            ever.update(self.get(name))
        if "allexport" in self.options:
            self.exported.add(name)

    def _formed(self, name: str, texts: Sequence[str], letters: str) -> Sequence[str]:
        if "l" in letters:
            texts = [text.lower() for text in texts]
        elif "u" in letters:
            texts = [text.upper() for text in texts]
        elif "c" in letters:
            texts = [text.capitalize() for text in texts]
        # setting what is read-only fails, and what goes on after that depends on the shell
        return [*self.get(name), *texts] if "r" in letters and name in self.variables else texts

    def unset(self, name: str) -> None:
        name, _, key = self.target(name).partition("[")
        value = self.variables.get(name)
        if key and value is not None and value.items is not None:
            kept = tuple(item for item in value.items if item[0] != key.rstrip("]"))
            self.variables[name] = value._replace(items=kept)
            return
        self.variables[name] = Value((None,))
        self.exported.discard(name)

    def set_array(self, name: str, items: Sequence[str], append: bool = False) -> None:
        name = self.target(name)
        before = self.items(name) if append and name in self.variables else ()
        if before is None:
            self.variables[name] = Value((HOLE,))
            return
        numbered = tuple((str(at), text) for at, text in enumerate(items, _next_index(before)))
        self._put(name, Value((), before + numbered))

    def set_keyed(self, name: str, items: Iterable[tuple[str, str]] = ()) -> None:
        """An associative array."""
        self._put(self.target(name), Value((), tuple(dict(items).items()), True))

    def set_item(self, name: str, key: str, text: str, append: bool = False) -> None:
        name = self.target(name)
        value = self.variables.get(name, _NO_ITEMS)
        items = self.items(name) if name in self.variables else ()
        if items is None or HOLE in key or STAR in key:
            self.variables[name] = Value((HOLE,))
            return
        held = dict(items)
        held[key] = bounded(held.get(key, "") + text if append else text)
        if not value.keyed:
            held = dict(sorted(held.items(), key=_index))
        self._put(name, Value((), tuple(held.items()), value.keyed))

    def _put(self, name: str, value: Value) -> None:
        items = value.items or ()
        if len(items) > MAX_ITEMS or not self.spend(4 * len(items)):
            value = Value((HOLE,))
        self.variables[name] = value
        self._assigned.setdefault(name, set()).add(HOLE)

    def recall(self) -> None:
        """For code that runs at any time: a variable may hold whatever the line ever gives it.

        One that is not set yet is unset till then, if no environment brings it: by its name, or as a number.
        """
        for name, texts in self._assigned.items():
            own = name != name.upper() or texts == {STAR}
            value = self.variables.get(name, _PLAIN if own else None)
            if value is not None and value.items is None:
                several = tuple(dict.fromkeys((*value.texts, *sorted(texts))))
                self.variables[name] = Value(several if len(several) <= MAX_ALTERNATIVES else (HOLE,))

    def declare(self, name: str, letters: str) -> None:
        """Attributes; `-` before a letter is not written, call it with what holds now."""
        self.attributes[name] = letters
        if "A" in letters and name not in self.variables:
            self.set_keyed(name)

    def join(self, other: "State") -> None:
        """Both could be: after this, what holds in one of them is possible, not certain."""
        for name in self.variables.keys() | other.variables.keys():
            mine, theirs = self.variables.get(name), other.variables.get(name)
            if mine != theirs:
                self.variables[name] = self._either(other, name)
        if self.folder != other.folder:
            self.folder = merged((self.folder, other.folder))
        for name, body in other.functions.items():
            mine_body = self.functions.get(name, body)
            self.functions[name] = body if mine_body == body else Statement(Group((mine_body, body)))
        for name, text in other.aliases.items():
            self.aliases[name] = merged((self.aliases.get(name, text), text))
        for path, text in other.files.items():
            mine_text = self.files.get(path, text)
            self.files[path] = text if mine_text == text else bounded(f"{mine_text}\n{text}")
        for path, target in other.links.items():
            self.links[path] = merged((self.links.get(path, target), target))
        self._join_rest(other)

    def _join_rest(self, other: "State") -> None:
        if self.positional != other.positional:
            same = len(self.positional) == len(other.positional)
            pairs = zip(self.positional, other.positional, strict=False)
            self.positional = tuple(merged(pair) for pair in pairs) if same else (HOLE,)
        literal = self.options & other.options & {"noglob"}  # it hides what a glob would reach
        self.options = (self.options | other.options) - {"noglob"} | literal
        self.exported |= other.exported
        self.sinks.update(other.sinks)
        self.descriptors.update(other.descriptors)
        self.references.update(other.references)
        self.attributes.update(other.attributes)

    def _either(self, other: "State", name: str) -> Value:
        if any(side.variables.get(name, _PLAIN).items is not None for side in (self, other)):
            return Value((HOLE,))
        texts = tuple(dict.fromkeys((*self.values(name), *other.values(name))))
        if len(texts) <= MAX_ALTERNATIVES:
            return Value(texts)
        return Value((merged(text for text in texts if text is not None),))


_PLAIN = Value((None,))
_COPIED = tuple(
    "variables exported functions aliases files links sinks options attributes references descriptors".split()
)


def _index(item: tuple[str, str]) -> int:
    return int(item[0]) if item[0].isdigit() else 0


def _next_index(items: Sequence[tuple[str, str]]) -> int:
    return _index(items[-1]) + 1 if items else 0


def start(ground: Ground) -> State:
    """A shell that was just started there, without arguments."""
    state = State(ground.folder, ground.home, ground.user)
    variables = state.variables
    variables.update(_ALWAYS)
    variables["HOME"] = Value((ground.home,))
    variables["USER"] = variables["LOGNAME"] = Value((ground.user,))
    for name, text in ground.variables.items():
        if not is_secret(name):
            variables[name] = Value((bounded(text),))
    variables["IFS"] = _IFS  # a shell does not take it from its environment
    state.exported.update(("HOME", "USER", "PATH", "TMPDIR", "SHELL", *ground.variables))
    return state


_IFS = Value((_BLANKS,))
_ALWAYS = {
    "IFS": _IFS,
    "TMPDIR": Value(("/tmp",)),  # noqa: S108 (a name, not a file)
    "SHELL": Value(("/bin/bash",)),
    "BASH": Value(("/bin/bash",)),
    "PATH": Value((f"/{HOLE}",)),
    "PS4": Value(("+ ",)),
    "OPTIND": Value(("1",)),
}
