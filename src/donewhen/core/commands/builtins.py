"""What the shell's own commands do to the state: exit, return, break, cd, set, trap, wait, test …

A table of readers. A built-in command that is missing here counts as a program: it may succeed or fail and
changes nothing that matters; those that could change it are named and make the rest of the line unsure.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from donewhen.core.commands.folders import START, enter
from donewhen.core.commands.sourcing import sets_up
from donewhen.core.commands.spoiling import ANSWERED
from donewhen.core.commands.status import (
    EITHER,
    FAILURE,
    NOTHING,
    SUCCESS,
    Facts,
    Flow,
    State,
    Value,
    code,
    forget,
)
from donewhen.core.commands.status_tests import judge_words
from donewhen.core.commands.status_words import value
from donewhen.core.commands.surroundings import End, Shell, exit_code
from donewhen.core.commands.traps import settled
from donewhen.core.commands.variables import names_in, overwritten
from donewhen.core.tree import Script, Simple, Word

if TYPE_CHECKING:
    from donewhen.core.commands.reader import Reader

Words = tuple[Word, ...]
Builtin = Callable[["Reader", Simple, Words, State, Shell, Facts], Flow]


# ways out


def _exit(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    if len(words) > 2:
        return reader.after(state, FAILURE)
    reader.leave(End(_status_word(command, words, state, shell), state), shell)
    return Flow(None, None)


def _status_word(command: Simple, words: Words, state: State, shell: Shell) -> Value:
    if len(words) == 1 and len(command.words) == 1:
        return shell.trapped if shell.trapped is not None else state.status
    found = value(command.words[1], state, bash=shell.bash)
    if not shell.bash and not all(each.isdigit() for each in found.cases):  # zsh calculates what it is given
        return EITHER
    return exit_code(found)


def _return(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    if shell.returns is None and shell.bash:
        return reader.after(state, FAILURE)
    if shell.returns is None:  # other shells take it for `exit`, but a `!` around it still holds
        if shell.guarded:
            reader.unsure(state, shell)
        return _exit(reader, command, words[:2], state, shell, _)
    status = _status_word(command, words, state, shell._replace(trapped=None))
    shell.returns.append(End(status, state))
    return Flow(None, None)


def _leave_loop(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts
) -> Flow:
    if not shell.loops:
        return reader.after(state, EITHER)
    text = words[1].text if len(words) > 1 and words[1].known else "1"
    if (len(words) > 1 and not words[1].known) or not (text.isascii() and text.isdigit()) or len(text) > 3:
        reader.unsure(state, shell)
        return reader.after(state, EITHER)
    ends = shell.loops[-min(max(int(text), 1), len(shell.loops))]
    (ends.broken if words[0].text == "break" else ends.continued).append(state)
    return Flow(None, None)


# status


def _constant(status: Value) -> Builtin:
    def read(
        reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
    ) -> Flow:
        zero = None if status.zero is None else number
        return reader.after(state, code(zero, status.nonzero))

    return read


def _test(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts) -> Flow:
    asked = command.words[1:]
    if command.words[0].text == "[":
        if not asked or asked[-1].text != "]":
            return reader.after(state, FAILURE)
        asked = asked[:-1]
    if not shell.bash and any(word.text == "==" for word in asked):
        return reader.after(state, code(number, NOTHING))
    verdict = judge_words(asked, lambda word: value(word, state, bash=shell.bash))
    return reader.after(state, code(None if verdict.true is None else verdict.true | number, verdict.false))


def _wait(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    rest = command.words[1:]
    if not rest:
        return reader.after(state, SUCCESS)
    last = rest[-1]
    if any(word.text.startswith("-") and word.text != "-f" for word in rest):
        return reader.after(overwritten(state, names_in(rest)), EITHER)
    job: Value | None
    if last.known and last.text[:1] == "%":
        number = last.text[1:]
        known = (
            number.isascii() and number.isdigit() and len(number) < 4 and 0 < int(number) <= len(state.jobs)
        )
        job = state.jobs[int(number) - 1].job if known else None
    else:
        job = value(last, state, bash=shell.bash).job
    return reader.after(state, EITHER if job is None else code(job.zero, NOTHING))


# folders


def _cd(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts) -> Flow:
    found = [
        word for word in command.words[1:] if not (word.known and word.text in ("-L", "-P", "-e", "-@", "--"))
    ]
    if len(found) == 2 and found[0].text.lower() == "/d":
        found = found[1:]
    there = _there(found, state, reader.root)
    if any(_searched(word, state, shell) for word in found):
        there = None
    return _moved(reader, state, there, number)


def _searched(word: Word, state: State, shell: Shell) -> bool:
    """With CDPATH a name without a leading dot may be found anywhere."""
    places = {**state.env, **shell.env}.get("CDPATH")
    if places is None or (places.known and set(places.text.split(":")) <= {"", "."}):
        return False
    return not (value(word, state).only or "").startswith((".", "/", START))


def _there(found: list[Word], state: State, root: str | None) -> str | None:
    if len(found) != 1:
        return None
    if found[0].known and found[0].text == "-":
        return state.back
    target = value(found[0], state).only
    return None if target is None else enter(state.folder, target, root)


def _moved(reader: "Reader", state: State, there: str | None, number: Facts) -> Flow:
    flow = reader.after(state, code(number, NOTHING))
    moved = flow.ok and flow.ok._replace(folder=there, back=state.folder)
    return Flow(moved, flow.fail)


def _pushd(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    there = _there(list(command.words[1:]), state, reader.root)
    flow = _moved(reader, state, there, number)
    return Flow(flow.ok and flow.ok._replace(stack=(*state.stack, state.folder)), flow.fail)


def _popd(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts) -> Flow:
    there = state.stack[-1] if state.stack and len(words) == 1 else None
    flow = _moved(reader, state, there, number)
    return Flow(flow.ok and flow.ok._replace(stack=state.stack[:-1]), flow.fail)


# options

_LETTERS = {"e": "errexit", "a": "allexport", "E": "errtrace"}
_TRACKED = frozenset((*_LETTERS.values(), "pipefail"))
_HARMLESS_LETTERS = frozenset("xvubhfCBHPTm")
_HARMLESS_NAMES = frozenset(
    "xtrace verbose nounset notify hashall noglob noclobber braceexpand histexpand physical functrace "
    "monitor vi emacs history ignoreeof interactive-comments nolog".split()
)
_HARMLESS_SHOPTS = frozenset(
    "globstar nullglob extglob dotglob nocaseglob nocasematch inherit_errexit checkwinsize histappend "
    "globasciiranges globskipdots".split()
)


def _set(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    options, index = set(state.options), 1
    while index < len(words):
        text = words[index].text
        if not words[index].known:
            reader.unsure(state, shell)
            break
        if text in ("--", "-") or text[:1] not in "-+" or text == "":
            rest = words[index + 1 :] if text in ("--", "-") else words[index:]
            state = state._replace(args=rest)
            break
        names = [_LETTERS.get(letter, letter) for letter in text[1:] if letter != "o"]
        if "o" in text[1:]:
            index += 1
            names.append(words[index].text if index < len(words) and words[index].known else "")
        if {"n", "noexec"} & set(names) and text[0] == "-":  # nothing is run any more
            reader.leave(End(EITHER, state), shell)
            return Flow(None, None)
        options = options | (_TRACKED & set(names)) if text[0] == "-" else options - set(names)
        if not set(names) <= _TRACKED | _HARMLESS_LETTERS | _HARMLESS_NAMES:
            reader.unsure(state, shell)
        index += 1
    gone = state.doubtful - set(options) - {_LETTERS.get(c, c) for w in words[1:] for c in w.text}
    return reader.after(state._replace(options=frozenset(options), doubtful=gone), SUCCESS)


def _shopt(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text for word in words[1:] if not word.text.startswith("-")}
    flags = "".join(word.text[1:] for word in words[1:] if word.text.startswith("-"))
    if "o" in flags or not names <= _HARMLESS_SHOPTS:
        reader.unsure(state, shell)
    if not shell.bash:
        return reader.after(state, EITHER)
    changed = state.options | (names & {"inherit_errexit"}) if "s" in flags else state.options - names
    return reader.after(state._replace(options=changed), EITHER)


# traps


def _trap(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    rest = [word for word in words[1:] if word.text != "--"]
    if not rest or rest[0].text in ("-l", "-p", "-P"):
        return reader.after(state, EITHER)
    if not all(word.known for word in rest[1:]):
        reader.unsure(state, shell)
        return reader.after(state, EITHER)
    names = {_signal(word.text) for word in rest[1:]} or {_signal(rest[0].text)}
    script: Script | None = command.inner[0].script if command.inner else None
    if not settled(command, state):
        script = None
    none = len(rest) == 1 or (rest[0].known and rest[0].text in ("", "-"))
    if script is None and not none:
        reader.unsure(state, shell)
        return reader.after(state, EITHER)
    traps = {**state.traps, **dict.fromkeys(names & {"EXIT"}, (script,))}
    if "ERR" in names:
        traps["ERR"] = (script,) if shell.bash else (None, script)  # not every shell has it
    if not none and names - {"EXIT", "ERR"}:
        _interrupt(reader, script or (), names, state, shell)
    return reader.after(state._replace(traps=traps), EITHER)


def _interrupt(reader: "Reader", script: Script, names: set[str], state: State, shell: Shell) -> None:
    """A signal may come at any time from now on."""
    if names & {"DEBUG", "RETURN"}:
        reader.unsure(state, shell)
    reader.script(script, state._replace(status=EITHER), shell._replace(guarded=True, returns=None, loops=()))


def _signal(name: str) -> str:
    return "EXIT" if name == "0" else name.upper().removeprefix("SIG")


# names and variables


def _alias(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text.partition("=")[0] for word in words[1:] if "=" in word.text}
    return reader.after(state._replace(shadowed=state.shadowed | names), EITHER)


def _unset(reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text.partition("[")[0] for word in words[1:] if not word.text.startswith("-")}
    if not all(word.known for word in words):
        return _forgets_all(reader, command, words, state, shell, NOTHING)
    functions = {name: body for name, body in state.functions.items() if name not in names}
    env = {name: word for name, word in state.env.items() if name not in names}
    if "PATH" in names:
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    state = forget(state, names)._replace(functions=functions, env=env)
    return reader.after(state, EITHER)


def _assigns_names(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """`read`, `mapfile`, `getopts`, and declarations that the parser saw as plain words."""
    if not all(word.known for word in words):
        state = state._replace(spoiled=state.spoiled or ANSWERED)  # it may be PATH that is set
        return _forgets_all(reader, command, words, state, shell, number)
    state = overwritten(state, names_in(words[1:]))
    set_here = {w.text.partition("=")[0]: Word(w.text.partition("=")[2]) for w in words[1:] if "=" in w.text}
    state = state._replace(env={**state.env, **set_here})
    return reader.after(state, code(number, NOTHING))


def _forgets_all(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    return reader.after(state._replace(values={}, arrays={}), code(number, NOTHING))


def _printf(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    if any(word.text.startswith("-v") or not word.known for word in words[1:2]):
        state = overwritten(state, names_in(words[1:3]))
        if not all(word.known for word in words[1:3]):
            state = state._replace(spoiled=state.spoiled or ANSWERED)
        return _forgets_all(reader, command, words, state, shell, number)
    return reader.after(state, code(number, NOTHING))


def _shift(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    args = state.args[1:] if state.args and len(words) == 1 else None
    return reader.after(state._replace(args=args), code(number, NOTHING))


def _replaces(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """`hash -p`, `enable -f`: another program answers from here on."""
    if len(words) > 1 and words[1].text != "-r":
        state = state._replace(spoiled=state.spoiled or ANSWERED)
        reader.unsure(state, shell)
    return reader.after(state, code(number, NOTHING))


def _source(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """The project's own environment and the user's start-up files; any other file may do anything."""
    script = command.inner[0].script if command.inner else None
    if script is not None:
        return reader.script(script, state, shell)
    if len(command.words) != 2 or not sets_up(command.words[1], state):
        reader.unsure(state, shell)
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    return reader.after(state._replace(values={}, arrays={}), code(number, NOTHING))


def _unsure(
    reader: "Reader", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    reader.unsure(state, shell)
    return reader.after(state, code(number, NOTHING))


BUILTINS: dict[str, Builtin] = {
    "exit": _exit,
    "return": _return,
    "break": _leave_loop,
    "continue": _leave_loop,
    **dict.fromkeys(("true", ":", "echo"), _constant(SUCCESS)),
    "false": _constant(FAILURE),
    "test": _test,
    "[": _test,
    "wait": _wait,
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "set": _set,
    "shopt": _shopt,
    "trap": _trap,
    "alias": _alias,
    "unset": _unset,
    **dict.fromkeys(
        ("read", "mapfile", "readarray", "getopts", "export", "declare", "typeset", "local", "readonly"),
        _assigns_names,
    ),
    "printf": _printf,
    "shift": _shift,
    "let": _forgets_all,
    "hash": _replaces,
    "enable": _replaces,
    "source": _source,
    ".": _source,
    **dict.fromkeys(
        "fg suspend logout bind complete fc history setopt unsetopt emulate zmodload autoload".split(),
        _unsure,
    ),
}
