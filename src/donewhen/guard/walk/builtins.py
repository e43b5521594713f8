"""Builtins that change the shell: folder, variables, arguments, functions, aliases; and those that run text.

A builtin answers with what it prints, or with None where the program of its name is to be judged as well.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.guard import programs
from donewhen.guard.call import Call
from donewhen.guard.effects import Loads, Reveals
from donewhen.guard.marks import ANY, ENVIRONMENT, HOLE, STAR, anything, certain
from donewhen.guard.options import options, read
from donewhen.guard.state import State
from donewhen.guard.walk.base import TRACE, Frame, Trap, Walk, inner_path, origins
from donewhen.guard.walk.env import watched
from donewhen.guard.walk.files import located
from donewhen.guard.walk.nested import follow_setting, run_file, text
from donewhen.secrets.claims import is_key_like

Builtin = Callable[[Walk, tuple[str, ...], State, Frame], str | None]
_STACK = "DIRSTACK"
_READ = options(flags="ersE", values="adinNptu", first=True)
_MAPFILE = options(flags="t", values="dnOsuCc", first=True)
_MAX_ITEMS = 256
_MOST_TRAPS = 16
_BETWEEN = frozenset("DEBUG ERR RETURN debug err return SIGDEBUG SIGERR".split())  # other commands follow
_FORMING = frozenset("luciAa")
LOCAL = frozenset(("local", "declare", "typeset"))  # in a function these make variables of its own


def _cd(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    operands = [word for word in argv[1:] if not (word.startswith("-") and len(word) > 1)]
    if "CDPATH" in frame.env:
        state.set("CDPATH", frame.env["CDPATH"])
    state.move(_folder(operands[0] if operands else state.one("HOME"), state))
    return ""


def _folder(word: str, state: State) -> str:
    if word == "-":
        return state.one("OLDPWD") if "OLDPWD" in state.variables else HOLE
    if "cdable_vars" in state.options and word in state.variables:
        return HOLE
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
    if "-n" in argv:
        state.set_array(_STACK, [*stack, target])
        return ""
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


def form(name: str, letters: str, state: State) -> None:
    """Attributes that change what a variable holds when it is set."""
    given = "".join(letter for letter in letters if letter in _FORMING)
    if given:
        state.declare(name, state.attributes.get(name, "") + given)


def refer(name: str, target: str, state: State) -> None:
    """`declare -n`: the name stands for another one."""
    if target and certain(target):
        state.references[name] = target
    else:
        state.set(name, HOLE)


def _export(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """`export` and its kin where they are reached as plain words."""
    names = [word for word in argv[1:] if not word.startswith("-")]
    letters = "".join(word for word in argv[1:] if word.startswith("-"))
    own = argv[0] in LOCAL and "-g" not in argv
    if not names and "-f" not in argv:
        walk.report(Reveals("environment"), argv, frame)
        return ENVIRONMENT
    for word in names:
        name, equals, value = word.partition("=")
        if own:
            walk.hide(name, state)
        form(name, letters, state)
        if "n" in letters and argv[0] != "export":
            refer(name, value, state)
        elif equals:
            if watched(name):
                follow_setting(walk, name, value, state, frame)
            state.set(name.removesuffix("+"), value, append=name.endswith("+"))
        elif "-p" in argv and is_key_like(name):
            walk.report(Reveals("variable", name), argv, frame)
        if argv[0] == "export" or "-x" in argv:
            state.exported.add(name)
    return HOLE if "p" in letters else ""


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


_LETTERS = {"f": "noglob", "a": "allexport", "e": "errexit", "u": "nounset", "x": TRACE}


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
        if line.wild:
            state.set(array, line.text)
        else:
            between = frame.env.get("IFS", state.one("IFS")).strip()
            state.set_array(array, line.text.split(between[0]) if between else line.text.split())
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
    first = given.value("-O") or "0"
    lines = [""] * (int(first) if first.isdigit() and len(first) < 3 else 0) + line.text.splitlines()
    if HOLE in line.text or len(lines) > _MAX_ITEMS:
        state.set(names[0], HOLE + origins(line.text))
    else:
        state.set_array(names[0], lines)
    return ""


def _getopts(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if len(argv) > 2:
        state.set(argv[2], ANY)
    arguments = argv[3:] or state.positional
    attached = [word[2:] for word in arguments if word[:1] == "-" and len(word) > 2]
    state.set_all("OPTARG", list(dict.fromkeys((*attached, *arguments)))[:8] or [""])
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


def _emulate(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str | None:
    """`emulate sh -c TEXT` of zsh."""
    if "-c" not in argv[:-1]:
        return None
    source = argv[argv.index("-c") + 1]
    return text(walk, source, "emulate", state, inner_path(frame, "emulate")._replace(plain=False))


def _trap(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    words = argv[2:] if argv[1:2] == ("--",) else argv[1:]
    if len(words) > 1 and words[0] not in ("", "-") and words[0][:2] not in ("-p", "-l", "-P"):
        inside = inner_path(frame, "trap")._replace(stdin=None, wants=False)
        own, mark = state.copy(), len(walk.found)
        text(walk, words[0], "trap", own, inside)
        if not _BETWEEN.isdisjoint(words[1:]):
            walk.join(state, own)
        else:
            walk.keep_sure(mark)  # what it names may be set only later
        walk.traps += [Trap(words[0], state.copy(), inside, state), Trap(words[0], state, inside)]
        return ""
    return HOLE if words[:1] == ("-p",) else ""


def _exit(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> None:
    """Traps run here, in the state of now: what the line sets behind it is not set."""
    for source, inside in {trap.source: trap.frame for trap in walk.traps}.items():
        if len(walk.traps) < _MOST_TRAPS:
            walk.traps.append(Trap(source, state.copy(), inside))


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
    return HOLE


def _hash(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if any(word.startswith("-p") for word in argv[1:]):
        walk.report(Loads("hash -p"), argv, frame)
    return HOLE if len(argv) > 1 else ""


def _enable(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    if any(word.startswith("-f") for word in argv[1:]):
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
    "emulate": _emulate,
    "trap": _trap,
    "exit": _exit,
    **dict.fromkeys((".", "source"), _source),
    "alias": _alias,
    "hash": _hash,
    "enable": _enable,
}
HARMLESS = frozenset(
    "true false : exit return break continue wait jobs fg bg disown times umask ulimit type dirs let unalias "
    "caller bind complete compgen compopt suspend logout history help fc test [ exec command builtin".split()
)
PRINTING = frozenset("dirs type jobs times caller help bind complete compgen fc history".split())
# After these the shell may be another; what runs behind a wrapper may be one of them too.
CHANGING = frozenset((*BUILTINS, *"command builtin exec unalias let time".split())) - {
    "printf",
    "trap",
    "exit",
}
