"""Words whose value the line itself makes certain: `$1`, `"$@"`, `$CMD` set before, `$?`, `$PWD`.

A word that is not certain stays as it is. No text is expanded by globs, and nothing is taken from outside.
"""

from collections.abc import Sequence

from donewhen.core.commands.folders import START
from donewhen.core.commands.status import UNKNOWN, State, Value, text_value
from donewhen.core.commands.status_tests import arithmetic_value
from donewhen.core.tree import Arithmetic, Part, Simple, Substitution, Text, Variable, Word

_ALIVE = frozenset(
    "RANDOM SRANDOM SECONDS LINENO BASHPID EPOCHSECONDS EPOCHREALTIME HISTCMD OPTIND OPTARG REPLY _ PPID "
    "BASH_COMMAND BASH_SUBSHELL FUNCNAME GROUPS DIRSTACK COMP_WORDS MAPFILE COPROC".split()
)
_DEFAULTS = (":-", "-", ":?", "?", ":=", "=")
_GLOB = frozenset("*?[]{}~")
_LONG = 4096


def variable(part: Variable, state: State, *, bash: bool = True) -> Value:
    key = part.key.text if part.key is not None and part.key.known else None
    if part.name == "PIPESTATUS":
        return _pipe_status(part, key, state) if bash and not part.operator else UNKNOWN
    if part.key is not None:
        name = f"{part.name}[{key}]"
        return state.values.get(name, UNKNOWN) if bash and key and not part.operator else UNKNOWN
    value = _named(part.name, state)
    if not part.operator or (part.operator in _DEFAULTS and value.at("") is None):
        return value
    return UNKNOWN


def _pipe_status(part: Variable, key: str | None, state: State) -> Value:
    index = (
        0
        if part.key is None
        else int(key)
        if key and key.isascii() and key.isdigit() and len(key) < 4
        else -1
    )
    return state.pipe[index] if 0 <= index < len(state.pipe) else UNKNOWN


def _named(name: str, state: State) -> Value:
    if name == "?":
        return state.status
    if name == "!":
        return state.job
    if name == "PWD" and name not in state.env and state.folder is not None:
        return text_value(f"{START}/{state.folder}")
    if name.isdigit():
        args = state.args or ()
        known = name != "0" and len(name) < 3 and int(name) <= len(args) and args[int(name) - 1].known
        return text_value(args[int(name) - 1].text) if known else UNKNOWN
    return UNKNOWN if name in _ALIVE else state.values.get(name, UNKNOWN)


def value(word: Word, state: State, *, bash: bool = True) -> Value:
    """What a word stands for, without splitting."""
    if word.known:
        return text_value(word.text)
    if len(word.parts) == 1:
        return _part(word.parts[0], state, bash=bash)
    texts = [_part(part, state, bash=bash).only for part in word.parts]
    known = [text for text in texts if text is not None]
    joined = "".join(known)
    certain = texts and len(known) == len(texts) and len(joined) <= _LONG and START not in joined[1:]
    return text_value(joined) if certain else UNKNOWN


def _part(part: Part, state: State, *, bash: bool) -> Value:
    if isinstance(part, Text):
        return UNKNOWN if not part.quoted and _GLOB & set(part.text) else text_value(part.text)
    if isinstance(part, Variable):
        return variable(part, state, bash=bash)
    if isinstance(part, Arithmetic):
        return arithmetic_value(part.source, lambda name: _named(name, state))
    return _output(part, state)


def _output(part: Substitution, state: State) -> Value:
    """What a few commands print that everyone uses to find their way."""
    if part.kind != "$(" or len(part.script) != 1 or not isinstance(part.script[0].command, Simple):
        return UNKNOWN
    words = tuple(word.text if word.known else "" for word in part.script[0].command.words)
    if words[:1] == ("mktemp",):
        return text_value("/tmp/made-by-mktemp")  # noqa: S108 - a name that stands for it, never opened
    if words == ("git", "rev-parse", "--show-toplevel"):
        return text_value(START)
    if words == ("pwd",) and state.folder is not None:
        return text_value(f"{START}/{state.folder}")
    return UNKNOWN


def resolve(words: Sequence[Word], state: State) -> tuple[Word, ...]:
    """The words as the program gets them, where the line makes that certain."""
    found: list[Word] = []
    for word in words:
        found.extend((word,) if word.known else _resolved(word, state))
    return tuple(found)


def _resolved(word: Word, state: State) -> tuple[Word, ...]:
    single = word.parts[0] if len(word.parts) == 1 else None
    if isinstance(single, Variable) and not single.operator:
        listed = _list(single, state)
        if listed is not None:
            return listed
    if any(isinstance(part, Substitution) for part in word.parts):
        return (word,)
    text = value(word, state).only
    if text is None:
        return (word,)
    if text.startswith(START):
        inside = text[1:].lstrip("/")
        return (Word(inside or "."),) if not state.folder else (word,)
    if isinstance(single, Variable) and not single.quoted:
        return tuple(map(Word, text.split())) if not _GLOB & set(text) else (word,)
    quoted = all(isinstance(part, Text) or part.quoted for part in word.parts) or not set(text) & set(
        " \t\n*?["
    )
    return (Word(text),) if quoted else (word,)


def _list(part: Variable, state: State) -> tuple[Word, ...] | None:
    """`"$@"` and `"${cmd[@]}"`."""
    if part.name in ("@", "*"):
        words = state.args
    else:
        every = part.key is not None and part.key.text in ("@", "*")
        words = state.arrays.get(part.name) if every else None
    if words is None or (part.quoted and (part.name == "*" or (part.key and part.key.text == "*"))):
        return None
    plain = part.quoted or all(word.known and not set(word.text) & set(" \t\n*?[") for word in words)
    return words if plain else None
