"""Builtins that change the shell: folder, variables, arguments, functions, aliases; and those that run text.

A builtin answers with what it prints, or with None where the program of its name is to be judged as well.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.guard import programs
from donewhen.guard.call import Call
from donewhen.guard.effects import Loads, Reveals
from donewhen.guard.marks import ANY, ENVIRONMENT, HOLE, STAR, anything
from donewhen.guard.options import options, read
from donewhen.guard.state import State
from donewhen.guard.walk_base import Frame, Walk, inner_path, origins
from donewhen.guard.walk_env import watched
from donewhen.guard.walk_files import located
from donewhen.guard.walk_nested import follow_setting, run_file, text
from donewhen.secrets.claims import is_key_like

Builtin = Callable[[Walk, tuple[str, ...], State, Frame], str | None]
_STACK = "DIRSTACK"
_READ = options(flags="ersE", values="adinNptu", first=True)
_MAPFILE = options(flags="t", values="dnOsuCc", first=True)
_MAX_ITEMS = 256
LOCAL = frozenset(("local", "declare", "typeset"))  # in a function these make variables of its own


def _cd(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    operands = [word for word in argv[1:] if not (word.startswith("-") and len(word) > 1)]
    state.move(_folder(operands[0] if operands else state.one("HOME"), state))
    return ""


def _folder(word: str, state: State) -> str:
    if word == "-":
        return state.one("OLDPWD") if "OLDPWD" in state.variables else HOLE
    if "CDPATH" in state.variables and not word.startswith(("/", ".")):
        return HOLE
    return located(word, state) if word else state.folder


def _pushd(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    operands = [word for word in argv[1:] if word != "-n" and word != "--"]
    stack = _stacked(state)
    if operands and operands[0][:1] in ("+", "-") and operands[0][1:].isdigit():
        target = HOLE
    elif operands:
        target = _folder(operands[0], state)
    else:
        target = stack.pop() if stack else HOLE
    state.set_array(_STACK, [*stack, state.folder])
    state.move(target)
    return ""


def _popd(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    stack = _stacked(state)
    state.move(stack.pop() if stack and len(argv) == 1 else HOLE)
    state.set_array(_STACK, stack)
    return ""


def _stacked(state: State) -> list[str]:
    return [text for _, text in state.items(_STACK) or ()]


def _export(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """`export` and its kin where they are reached as plain words."""
    names = [word for word in argv[1:] if not word.startswith("-")]
    own = argv[0] in LOCAL and "-g" not in argv
    if not names and "-f" not in argv:
        walk.report(Reveals("environment"), argv, frame)
        return ENVIRONMENT
    for word in names:
        name, equals, value = word.partition("=")
        if own:
            walk.hide(name, state)
        if equals:
            if watched(name):
                follow_setting(walk, name, value, state, frame)
            state.set(name.removesuffix("+"), value, append=name.endswith("+"))
        elif "-p" in argv and is_key_like(name):
            walk.report(Reveals("variable", name), argv, frame)
        if argv[0] == "export" or "-x" in argv:
            state.exported.add(name)
    return ""


def _unset(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    for name in argv[1:]:
        if name.startswith("-"):
            continue
        if "-v" not in argv:
            state.functions.pop(name, None)
        if "-f" not in argv:
            state.unset(name)
    return ""


def _set(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str | None:
    if len(argv) == 1:
        walk.report(Reveals("environment"), argv, frame)
        return ENVIRONMENT
    at = 1
    while at < len(argv) and argv[at][:1] in ("-", "+") and argv[at] != "--":
        letters, on = argv[at][1:], argv[at][0] == "-"
        at += 1
        named = [_LETTERS[letter] for letter in letters if letter in _LETTERS]
        if "o" in letters and at < len(argv):
            named.append(argv[at])
            at += 1
        (state.options.update if on else state.options.difference_update)(named)
    if at < len(argv):
        state.positional = argv[at + (argv[at] == "--") :]
    return ""


_LETTERS = {"f": "noglob", "a": "allexport", "e": "errexit", "u": "nounset"}


def _shopt(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    names = [word for word in argv[1:] if not word.startswith("-")]
    if "-s" in argv:
        state.options.update(names)
    elif "-u" in argv:
        state.options.difference_update(names)
    return ""


def _shift(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    count = argv[1] if len(argv) > 1 else "1"
    if not count.isdigit() or len(count) > 4:
        state.positional = (HOLE,)
    elif HOLE not in state.positional[: int(count)]:
        state.positional = state.positional[int(count) :]
    return ""


class _Line(NamedTuple):
    text: str
    wild: bool


def _read(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """Sets its names from a line of the input; from a person's when there is none in the line."""
    given = read(argv[1:], _READ)
    line = _line(frame, given.value("-u"), state, bool(given.all("-d")))
    array = given.value("-a")
    if array is not None:
        state.set_array(array, [line.text] if line.wild else line.text.split())
        return ""
    names = given.operands or ("REPLY",)
    if line.wild and len(names) > 1:
        for name in names:
            state.set(name, HOLE + origins(line.text))
        return ""
    for name, value in zip(
        names, _fields(line.text, len(names), frame.env.get("IFS", state.one("IFS"))), strict=False
    ):
        state.set(name, value)
    return ""


def _line(frame: Frame, descriptor: str | None, state: State, whole: bool) -> _Line:
    source = state.files.get(f"/dev/fd/{descriptor}", HOLE) if descriptor is not None else frame.stdin
    if source is None:
        return _Line(HOLE, True)
    first = source if whole else source.partition("\n")[0]
    # a hole may hold line ends: what follows it in the text may be a line of its own
    return _Line(HOLE + origins(source), True) if HOLE in first else _Line(first, anything(first))


def _fields(line: str, count: int, separators: str) -> list[str]:
    if count == 1:
        return [line.strip() if separators.strip() != separators else line]
    other = separators.strip()
    fields = line.split(other[0], count - 1) if other else line.split(None, count - 1)
    return [*fields, *[""] * (count - len(fields))]


def _mapfile(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    given = read(argv[1:], _MAPFILE)
    for source in given.all("-C"):
        text(walk, source, argv[0], state, inner_path(frame, argv[0]))
    line = _line(frame, given.value("-u"), state, True)
    names = given.operands or ("MAPFILE",)
    lines = [line.text] if HOLE in line.text else line.text.splitlines()
    state.set_array(names[0], lines if len(lines) <= _MAX_ITEMS else [HOLE])
    return ""


def _getopts(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if len(argv) > 2:
        state.set(argv[2], ANY)
    arguments = argv[3:] or state.positional
    state.set_all("OPTARG", list(dict.fromkeys(arguments))[:8] or [""])
    state.set("OPTIND", STAR)
    return ""


def _printf(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str | None:
    """With -v it sets a variable."""
    if len(argv) < 3 or argv[1] != "-v":
        return None
    printed = programs.outputs().get("printf")
    call = Call((argv[0], *argv[3:]), walk.ground, state.folder)
    state.set(argv[2], printed(call) if printed is not None else HOLE)
    return ""


def _eval(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    words = argv[1:]
    while words and words[0] in ("--", "eval"):
        words = words[1:]
    return text(walk, " ".join(words), "eval", state, inner_path(frame, "eval")._replace(plain=False))


def _trap(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    words = argv[2:] if argv[1:2] == ("--",) else argv[1:]
    if len(words) > 1 and words[0] not in ("", "-") and words[0][:2] not in ("-p", "-l", "-P"):
        text(
            walk, words[0], "trap", state.copy(), inner_path(frame, "trap")._replace(stdin=None, wants=False)
        )
    return ""


def _source(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    words = argv[2:] if argv[1:2] == ("--",) else argv[1:]
    if not words:
        return ""
    outer, name = state.positional, state.name
    printed = run_file(walk, words[0], argv[0], words[1:] or outer, state, inner_path(frame, "source"))
    state.positional, state.name = outer, name
    return printed


def _alias(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    for word in argv[1:]:
        name, equals, value = word.partition("=")
        if equals:
            state.aliases[name] = value
    return ""


def _hash(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if "-p" in argv:
        walk.report(Loads("hash -p"), argv, frame)
    return ""


def _enable(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if "-f" in argv:
        walk.report(Loads("enable -f"), argv, frame)
    return ""


BUILTINS: Mapping[str, Builtin] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    **dict.fromkeys(("export", "declare", "typeset", "local", "readonly"), _export),
    "unset": _unset,
    "set": _set,
    "shopt": _shopt,
    "setopt": _shopt,
    "shift": _shift,
    "read": _read,
    **dict.fromkeys(("mapfile", "readarray"), _mapfile),
    "getopts": _getopts,
    "printf": _printf,
    "eval": _eval,
    "trap": _trap,
    **dict.fromkeys((".", "source"), _source),
    "alias": _alias,
    "hash": _hash,
    "enable": _enable,
}
HARMLESS = frozenset(
    "true false : exit return break continue wait jobs fg bg disown times umask ulimit type dirs let unalias "
    "caller bind complete compgen compopt suspend logout history help fc test [ exec command builtin".split()
)
# After these the shell may be another; what runs behind a wrapper may be one of them too.
CHANGING = frozenset((*BUILTINS, "command", "builtin", "exec", "unalias", "let", "time")) - {"printf", "trap"}
