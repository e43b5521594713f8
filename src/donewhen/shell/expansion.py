"""Words whose value the script itself makes certain: `$1`, `"$@"`, `$CMD` set before, `${x%.py}`, `{a,b}`.

What is not certain stays as it was written, part by part. No glob is matched, nothing is taken from outside.
"""

import re
from collections.abc import Sequence
from fnmatch import translate
from itertools import product

from donewhen.core.lazy import lazy
from donewhen.core.tree import Arithmetic, Part, Simple, Substitution, Text, Variable, Word
from donewhen.shell.conditions import arithmetic_value
from donewhen.shell.state import NOTHING, UNKNOWN, Folders, State, Value, text_value
from donewhen.shell.words import make_word

START = "\0"  # stands for the folder in which the script started; no text from a shell can hold it
_MOST_VARIANTS = 8
_MOST_WORDS = 64
_DEEP = 100
_LONG = 4096
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
_ALIVE = frozenset(
    "RANDOM SRANDOM SECONDS LINENO BASHPID EPOCHSECONDS EPOCHREALTIME HISTCMD OPTIND OPTARG REPLY _ PPID "
    "BASH_COMMAND BASH_SUBSHELL FUNCNAME GROUPS DIRSTACK COMP_WORDS MAPFILE COPROC".split()
)
_DEFAULTS = frozenset((":-", "-", ":?", "?", ":=", "="))
_GLOB = frozenset("*?[]{}~")
_BLANK = frozenset(" \t\n")
_PATTERNS = frozenset("*?[\\&'\"$#%")
_BRACE = lazy(r"\{([^{}]*)\}")
_RANGE = lazy(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})(?:\.\.(-?[0-9]{1,6}))?|([a-z])\.\.([a-z])")
_SLICE = lazy(r"\s*(-?[0-9]{1,4})\s*(?::\s*(-?[0-9]{1,4})\s*)?")


# folders


def enter(folder: str | None, target: str, root: str | None) -> str | None:
    """The folder after `cd target` in `folder`: relative to the start where it can be, else absolute."""
    if target.startswith(START):
        return _walked("", target[1:])
    if target.startswith("~"):
        return None
    if _DRIVE.match(target) and not (root and _DRIVE.match(root)):
        return "" if ".." not in target and len(target) > 2 else None  # another root only if we know ours
    if target.startswith(("/", "\\")) or _DRIVE.match(target):
        return _below(root, target) if root else _absolute("/", target)
    if folder is None:
        return None
    if folder.startswith("/"):
        there = _absolute(folder, target)
        return _below(root, there) if root and there else there
    return _walked(folder, target)


def _below(root: str, target: str) -> str | None:
    """Relative to the root when it lies in there."""
    drive = bool(_DRIVE.match(root))
    home, there = (_walked("", path.lower() if drive else path) for path in (root, target))
    if home is None or there is None:
        return None
    parts, inside = home.split("/") if home else [], there.split("/") if there else []
    return "/".join(inside[len(parts) :]) if inside[: len(parts)] == parts else f"/{there}"


def _absolute(folder: str, path: str) -> str | None:
    parts = [] if path.startswith(("/", "\\")) else folder.strip("/").split("/")
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(filter(None, parts)) if len(parts) <= _DEEP else None


def _walked(folder: str, path: str) -> str | None:
    parts = folder.split("/") if folder else []
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) if len(parts) <= _DEEP else None


def entered(folders: Folders, target: str | None, root: str | None) -> Folders:
    if target is None:
        return (None,)
    return tuple(dict.fromkeys(enter(folder, target, root) for folder in folders))


def _place(state: State, folder: str | None) -> Value:
    if folder is None:
        return UNKNOWN
    return text_value(folder if folder.startswith("/") else f"{START}/{folder}")


# values


def value(word: Word, state: State, *, bash: bool = True) -> Value:
    """What a word stands for, without splitting."""
    if word.known:
        return text_value(word.text)
    if len(word.parts) == 1:
        return _part_value(word.parts[0], state, bash=bash, first=True)
    texts: list[str] = []
    for at, part in enumerate(word.parts):
        text = _part_value(part, state, bash=bash, first=at == 0).only
        if text is None:
            return UNKNOWN
        texts.append(text)
    joined = "".join(texts)
    return text_value(joined) if texts and len(joined) <= _LONG and START not in joined[1:] else UNKNOWN


def _part_value(part: Part, state: State, *, bash: bool, first: bool = False) -> Value:
    if isinstance(part, Text):
        if part.quoted or _GLOB.isdisjoint(part.text):
            return text_value(part.text)
        home = _tilde(part.text, state) if first else None
        return UNKNOWN if home is None else text_value(home)
    if isinstance(part, Variable):
        return variable(part, state, bash=bash)
    if isinstance(part, Arithmetic):
        return arithmetic_value(part.source, lambda name: _named(name, state))
    return _output(part, state)


def _tilde(text: str, state: State) -> str | None:
    """`~/x` where HOME is known."""
    home = state.values.get("HOME", UNKNOWN).only
    if home is None or (text != "~" and not text.startswith("~/")) or not _GLOB.isdisjoint(text[1:]):
        return None
    return home + text[1:]


def variable(part: Variable, state: State, *, bash: bool = True) -> Value:
    key = part.key.text if part.key is not None and part.key.known else None
    if part.name == "PIPESTATUS":
        return _pipe_status(part, key, state) if bash and not part.operator else UNKNOWN
    if part.key is not None:
        name = f"{part.name}[{key}]"
        return state.values.get(name, UNKNOWN) if bash and key and not part.operator else UNKNOWN
    found = _named(part.name, state)
    return _operated(part, found, state, bash=bash) if part.operator else found


def _pipe_status(part: Variable, key: str | None, state: State) -> Value:
    if part.key is None:
        index = 0
    else:
        index = int(key) if key and key.isascii() and key.isdigit() and len(key) < 4 else -1
    return state.pipe[index] if 0 <= index < len(state.pipe) else UNKNOWN


def _named(name: str, state: State) -> Value:
    if name == "?":
        return state.status
    if name == "!":
        return state.job
    if name == "PWD" and name not in state.env and state.folder is not None:
        return _place(state, state.folder)
    if name.isdigit():
        args = state.args or ()
        known = name != "0" and len(name) < 3 and int(name) <= len(args) and args[int(name) - 1].known
        return text_value(args[int(name) - 1].text) if known else UNKNOWN
    return UNKNOWN if name in _ALIVE else state.values.get(name, UNKNOWN)


def _operated(part: Variable, found: Value, state: State, *, bash: bool) -> Value:
    operator = part.operator
    if operator in _DEFAULTS and found.at("") is None:
        return found
    argument = part.argument if part.argument is not None else Word("")
    if operator in (":+", "+") and found.at("") is None:
        return value(argument, state, bash=bash)
    text = found.only
    if text is None or not bash:
        return UNKNOWN
    if operator in _DEFAULTS:
        return value(argument, state, bash=bash) if operator[0] == ":" else found
    made = _changed(text, operator, argument, state)
    return UNKNOWN if made is None else text_value(made)


def _changed(text: str, operator: str, argument: Word, state: State) -> str | None:
    """`${x%.py}`, `${x/a/b}`, `${x:1:2}`, `${x^^}` of a text that is known, by arguments that are."""
    if operator == "#" and not argument.text:
        return str(len(text))
    if operator in ("^^", ",,") and not argument.text:
        return text.upper() if operator == "^^" else text.lower()
    if operator in ("^", ",") and not argument.text:
        return (text[:1].upper() if operator == "^" else text[:1].lower()) + text[1:]
    if operator == ":":
        found = _SLICE.fullmatch(argument.text)
        if found is None:
            return None
        start, length = int(found[1]), None if found[2] is None else int(found[2])
        rest = text[start:] if start >= 0 or -start <= len(text) else ""
        return rest if length is None else rest[:length]
    if operator in ("/", "//"):
        pattern, slash, put = argument.text.partition("/")
        live = not all(isinstance(part, Text) for part in argument.parts)
        if live or not _PATTERNS.isdisjoint(argument.text) or not pattern or pattern[0] in "#%":
            return None
        return text.replace(pattern, put if slash else "", 1 if operator == "/" else -1)
    if operator in ("#", "##", "%", "%%"):
        return _trimmed(text, operator, argument)
    return None


def _trimmed(text: str, operator: str, argument: Word) -> str | None:
    parts = argument.parts or (Text(argument.text, True),)
    if not all(isinstance(part, Text) for part in parts) or "(" in argument.text or len(text) > _LONG // 4:
        return None
    texts = [part for part in parts if isinstance(part, Text)]
    glob = "".join(re.sub(r"([*?\[])", r"[\1]", each.text) if each.quoted else each.text for each in texts)
    match = re.compile(translate(glob)).match
    ends = range(len(text) + 1)
    cuts = [at for at in ends if match(text[:at] if operator[0] == "#" else text[len(text) - at :])]
    if not cuts:
        return text
    cut = cuts[-1] if len(operator) == 2 else cuts[0]
    return text[cut:] if operator[0] == "#" else text[: len(text) - cut]


def _output(part: Substitution, state: State) -> Value:
    """What a few commands print that everyone uses to find their way."""
    if part.kind != "$(" or len(part.script) != 1 or not isinstance(part.script[0].command, Simple):
        return UNKNOWN
    words = tuple(word.text if word.known else "" for word in part.script[0].command.words)
    if words[:1] == ("mktemp",):
        return text_value("/tmp/made-by-mktemp")  # noqa: S108 - a name that stands for it, never opened
    if words == ("git", "rev-parse", "--show-toplevel"):
        return text_value(state.top or START)
    return _place(state, state.folder) if words == ("pwd",) else UNKNOWN


# words


def resolve(words: Sequence[Word], state: State) -> tuple[Word, ...]:
    """The words as the program gets them, where the script makes that certain."""
    if all(word.known for word in words):
        return tuple(words)
    found: list[Word] = []
    for word in words:
        found.extend((word,) if word.known else _resolved(word, state))
    return tuple(found)


def _resolved(word: Word, state: State) -> tuple[Word, ...]:
    braced = _braced(word)
    if braced is not None:
        return tuple(each for one in braced for each in ((one,) if one.known else _resolved(one, state)))
    single = word.parts[0] if len(word.parts) == 1 else None
    if isinstance(single, Variable) and not single.operator:
        listed = _list(single, state)
        if listed is not None:
            return listed
    return _fields(word, state)


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


def _fields(word: Word, state: State) -> tuple[Word, ...]:
    """The words that it splits into, with what is known of each in its place."""
    whole = value(word, state).only
    if whole is not None and whole.startswith(START):
        inside = whole[1:].lstrip("/") or "."
        return (word,) if state.folder or _substitutes(word) else (Word(inside),)
    fields: list[list[Part]] = [[]]
    for at, part in enumerate(word.parts):
        text = _tilde(part.text, state) if isinstance(part, Text) and not part.quoted and not at else None
        if text is not None:
            fields[-1].append(Text(text, True))
            continue
        text = None if isinstance(part, Text) else _part_value(part, state, bash=True).only
        if text is None or START in text or len(text) > _LONG:
            fields[-1].append(part)
        elif part.quoted:
            fields[-1].append(Text(text, True))
        elif not _BLANK.isdisjoint(text) and "IFS" in state.values:
            return (word,)
        else:
            _split_into(fields, text)
    made = [_made(parts, word) for parts in fields if parts]
    return tuple(made) if len(made) <= _MOST_WORDS else (word,)


def _substitutes(word: Word) -> bool:
    return any(isinstance(part, Substitution) for part in word.parts)


def _split_into(fields: list[list[Part]], text: str) -> None:
    pieces = re.split(r"[ \t\n]+", text)
    for at, piece in enumerate(pieces):
        if at and fields[-1]:
            fields.append([])
        if piece:
            fields[-1].append(Text(piece, _GLOB.isdisjoint(piece)))


def _made(parts: list[Part], word: Word) -> Word:
    made = make_word(parts, word.text)
    return made if made.known else made._replace(text=word.text)


def _braced(word: Word) -> tuple[Word, ...] | None:
    """`{a,b}` and `{1..3}` written out; None where there are none, or too many."""
    for at, part in enumerate(word.parts):
        if not isinstance(part, Text) or part.quoted or "{" not in part.text:
            continue
        found = next((each for each in _BRACE.finditer(part.text) if _choices(each[1])), None)
        if found is None:
            continue
        choices = _choices(found[1]) or ()
        before, after = word.parts[:at], word.parts[at + 1 :]
        left, right = part.text[: found.start()], part.text[found.end() :]
        made = []
        for choice in choices:
            parts = (*before, Text(left + choice + right), *after)
            text = word.text.replace(found[0], choice, 1)
            made.append(make_word([each for each in parts if each != Text("")] or [Text("")], text))
        return tuple(made)
    return None


def _choices(inside: str) -> tuple[str, ...] | None:
    if "," in inside:
        choices = tuple(inside.split(","))
        return choices if len(choices) <= _MOST_WORDS else None
    found = _RANGE.fullmatch(inside)
    if found is None:
        return None
    if found[4]:
        low, high = sorted((ord(found[4]), ord(found[5])))
        return tuple(map(chr, range(low, high + 1)))
    start, end, step = int(found[1]), int(found[2]), abs(int(found[3] or 1)) or 1
    if abs(end - start) // step >= _MOST_WORDS:
        return None
    numbers = range(start, end + 1, step) if start <= end else range(start, end - 1, -step)
    return tuple(map(str, numbers))


def variants(words: Sequence[Word], state: State) -> tuple[tuple[Word, ...], ...]:
    """The words by each text that a variable in them may hold; one reading where there is one."""
    names: dict[str, list[str]] = {}
    for word in words:
        for part in word.parts:
            if isinstance(part, Variable) and part.key is None and part.name not in names:
                held = state.values.get(part.name, UNKNOWN)
                if len(held.cases) + (held.other is not None) > 1 and held.cases:
                    names[part.name] = list(held.cases)
    readings = [resolve(words, state)]
    for chosen in product(*([*texts, None] for texts in names.values())):
        picked = {n: Value({t: NOTHING}, None) for n, t in zip(names, chosen, strict=True) if t is not None}
        one = resolve(words, state._replace(values={**state.values, **picked})) if picked else None
        if one is not None and one not in readings:
            readings.append(one)
        if len(readings) > _MOST_VARIANTS:
            break
    return tuple(readings)
