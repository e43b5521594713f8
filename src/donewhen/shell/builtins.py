"""What the shell's own commands do to the state: exit, return, break, cd, set, trap, wait, test …

A table of readers. A built-in command that is missing here counts as a program: it may succeed or fail and
changes nothing that matters; those that could change it are named and make the rest of the line unsure.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from donewhen.core.tree import Script, Simple, Substitution, Text, Variable, Word
from donewhen.shell.conditions import judge_words
from donewhen.shell.expansion import START, entered, value
from donewhen.shell.state import (
    ANSWERED,
    EITHER,
    FAILURE,
    NOTHING,
    SUCCESS,
    UNKNOWN,
    End,
    Facts,
    Flow,
    Folders,
    Shell,
    State,
    Value,
    code,
    exit_code,
    forget,
)
from donewhen.shell.variables import names_in, overwritten
from donewhen.shell.words import simples

if TYPE_CHECKING:
    from donewhen.shell.interpreter import Interpreter

Words = tuple[Word, ...]
Builtin = Callable[["Interpreter", Simple, Words, State, Shell, Facts], Flow]


# ways out


def _exit(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    if len(words) > 2:
        return walk.after(state, FAILURE)
    walk.leave(End(_status_word(command, words, state, shell), state), shell)
    return Flow(None, None)


def _status_word(command: Simple, words: Words, state: State, shell: Shell) -> Value:
    if len(words) == 1 and len(command.words) == 1:
        return shell.trapped if shell.trapped is not None else state.status
    found = value(command.words[1], state, bash=shell.bash)
    if not shell.bash and not all(each.isdigit() for each in found.cases):  # zsh calculates what it is given
        return EITHER
    return exit_code(found)


def _return(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    if shell.returns is None and shell.bash:
        return walk.after(state, FAILURE)
    if shell.returns is None:  # other shells take it for `exit`, but a `!` around it still holds
        if shell.guarded:
            walk.unsure(state, shell)
        return _exit(walk, command, words[:2], state, shell, _)
    status = _status_word(command, words, state, shell._replace(trapped=None))
    shell.returns.append(End(status, state))
    return Flow(None, None)


def _leave_loop(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts
) -> Flow:
    if not shell.loops:
        return walk.after(state, EITHER)
    text = words[1].text if len(words) > 1 and words[1].known else "1"
    if (len(words) > 1 and not words[1].known) or not (text.isascii() and text.isdigit()) or len(text) > 3:
        walk.unsure(state, shell)
        return walk.after(state, EITHER)
    ends = shell.loops[-min(max(int(text), 1), len(shell.loops))]
    (ends.broken if words[0].text == "break" else ends.continued).append(state)
    return Flow(None, None)


# status


def _constant(status: Value) -> Builtin:
    def read(
        walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
    ) -> Flow:
        zero = None if status.zero is None else number
        return walk.after(state, code(zero, status.nonzero))

    return read


def _test(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    asked = command.words[1:]
    if command.words[0].text == "[":
        if not asked or asked[-1].text != "]":
            return walk.after(state, FAILURE)
        asked = asked[:-1]
    if not shell.bash and any(word.text == "==" for word in asked):
        return walk.after(state, code(number, NOTHING))
    verdict = judge_words(asked, lambda word: value(word, state, bash=shell.bash))
    return walk.after(state, code(None if verdict.true is None else verdict.true | number, verdict.false))


def _wait(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    rest = command.words[1:]
    if not rest:
        return walk.after(state, SUCCESS)
    last = rest[-1]
    if any(word.text.startswith("-") and word.text != "-f" for word in rest):
        return walk.after(overwritten(state, names_in(rest)), EITHER)
    job: Value | None
    if last.known and last.text[:1] == "%":
        number = last.text[1:]
        known = (
            number.isascii() and number.isdigit() and len(number) < 4 and 0 < int(number) <= len(state.jobs)
        )
        job = state.jobs[int(number) - 1].job if known else None
    else:
        job = value(last, state, bash=shell.bash).job
    return walk.after(state, EITHER if job is None else code(job.zero, NOTHING))


# folders


def _cd(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    skipped = ("-L", "-P", "-e", "-@", "--")
    found = [word for word in command.words[1:] if not (word.known and word.text in skipped)]
    if len(found) == 2 and found[0].text.lower() == "/d":
        found = found[1:]
    there = (None,) if any(_searched(word, state, shell) for word in found) else _there(found, state)
    return _moved(walk, state, there, number)


def _searched(word: Word, state: State, shell: Shell) -> bool:
    """With CDPATH a name without a leading dot may be found anywhere."""
    places = {**state.env, **shell.env}.get("CDPATH")
    if places is None or (places.known and set(places.text.split(":")) <= {"", "."}):
        return False
    return not (value(word, state).only or "").startswith((".", "/", START))


def _there(found: list[Word], state: State) -> Folders:
    if not found:
        return entered(state.folders, state.values.get("HOME", UNKNOWN).only, state.root)
    if len(found) != 1:
        return (None,)
    if found[0].known and found[0].text == "-":
        return state.back
    target = value(found[0], state)
    if target.only is None and target.cases and target.other is None:
        several = [each for text in target.cases for each in entered(state.folders, text, state.root)]
        return tuple(dict.fromkeys(several))
    return entered(state.folders, target.only, state.root)


def _moved(walk: "Interpreter", state: State, there: Folders, number: Facts) -> Flow:
    flow = walk.after(state, code(number, NOTHING))
    return Flow(flow.ok and flow.ok._replace(folders=there, back=state.folders), flow.fail)


def _pushd(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    flow = _moved(walk, state, _there(list(command.words[1:]), state), number)
    return Flow(flow.ok and flow.ok._replace(stack=(*state.stack, state.folders)), flow.fail)


def _popd(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    there = state.stack[-1] if state.stack and len(words) == 1 else (None,)
    flow = _moved(walk, state, there, number)
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


def _set(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    options, index = set(state.options), 1
    while index < len(words):
        text = words[index].text
        if not words[index].known:
            walk.unsure(state, shell)
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
            walk.leave(End(EITHER, state), shell)
            return Flow(None, None)
        options = options | (_TRACKED & set(names)) if text[0] == "-" else options - set(names)
        if not set(names) <= _TRACKED | _HARMLESS_LETTERS | _HARMLESS_NAMES:
            walk.unsure(state, shell)
        index += 1
    gone = state.doubtful - set(options) - {_LETTERS.get(c, c) for w in words[1:] for c in w.text}
    return walk.after(state._replace(options=frozenset(options), doubtful=gone), SUCCESS)


def _shopt(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text for word in words[1:] if not word.text.startswith("-")}
    flags = "".join(word.text[1:] for word in words[1:] if word.text.startswith("-"))
    if "o" in flags or not names <= _HARMLESS_SHOPTS:
        walk.unsure(state, shell)
    if not shell.bash:
        return walk.after(state, EITHER)
    changed = state.options | (names & {"inherit_errexit"}) if "s" in flags else state.options - names
    return walk.after(state._replace(options=changed), EITHER)


# traps


def _trap(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    rest = [word for word in words[1:] if word.text != "--"]
    if not rest or rest[0].text in ("-l", "-p", "-P"):
        return walk.after(state, EITHER)
    if not all(word.known for word in rest[1:]):
        walk.unsure(state, shell)
        return walk.after(state, EITHER)
    names = {_signal(word.text) for word in rest[1:]} or {_signal(rest[0].text)}
    script: Script | None = command.inner[0].script if command.inner else None
    if not _is_settled(command, words, state):
        script = None
    none = len(rest) == 1 or (rest[0].known and rest[0].text in ("", "-"))
    if script is None and not none:
        walk.unsure(state, shell)
        return walk.after(state, EITHER)
    traps = {**state.traps, **dict.fromkeys(names & {"EXIT"}, (script,))}
    if "ERR" in names:
        traps["ERR"] = (script,) if shell.bash else (None, script)  # not every shell has it
    if not none and names - {"EXIT", "ERR"}:
        _interrupt(walk, script or (), names, state, shell)
    return walk.after(state._replace(traps=traps), EITHER)


_NUMBERS = frozenset("LINENO SECONDS RANDOM UID EUID PPID ? $ ! #".split())
_PLAIN = re.compile(r"[\w./@%+=:,-]*")
_WAYS_OUT = frozenset("exit return exec eval . source kill set".split())


def _is_settled(command: Simple, words: Words, state: State) -> bool:
    """Is a trap in double quotes the same whenever it is expanded? Then it ends no shell by itself."""
    text = next((word for word in words[1:] if word.text != "--"), Word(""))
    if text.known:
        return True
    for part in text.parts:
        if isinstance(part, Variable) and (part.name in _NUMBERS and not part.operator):
            continue
        known = None if isinstance(part, Substitution) else value(Word("", False, (part,)), state).only
        if not isinstance(part, Text) and (known is None or not _PLAIN.fullmatch(known)):
            return False
    inner = command.inner[0].script if command.inner else None
    return inner is not None and not any(each.words[0].text in _WAYS_OUT for each in simples(inner))


def _interrupt(walk: "Interpreter", script: Script, names: set[str], state: State, shell: Shell) -> None:
    """A signal may come at any time from now on."""
    if names & {"DEBUG", "RETURN"}:
        walk.unsure(state, shell)
    walk.script(script, state._replace(status=EITHER), shell._replace(guarded=True, returns=None, loops=()))


def _signal(name: str) -> str:
    return "EXIT" if name == "0" else name.upper().removeprefix("SIG")


# names and variables


def _alias(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text.partition("=")[0] for word in words[1:] if "=" in word.text}
    return walk.after(state._replace(shadowed=state.shadowed | names), EITHER)


def _unset(walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, _: Facts) -> Flow:
    names = {word.text.partition("[")[0] for word in words[1:] if not word.text.startswith("-")}
    if not all(word.known for word in words):
        return _forgets_all(walk, command, words, state, shell, NOTHING)
    functions = {name: body for name, body in state.functions.items() if name not in names}
    env = {name: word for name, word in state.env.items() if name not in names}
    if "PATH" in names:
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    state = forget(state, names)._replace(functions=functions, env=env)
    return walk.after(state, EITHER)


def _assigns_names(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """`read`, `mapfile`, `getopts`, and declarations that the parser saw as plain words."""
    if not all(word.known for word in words):
        state = state._replace(spoiled=state.spoiled or ANSWERED)  # it may be PATH that is set
        return _forgets_all(walk, command, words, state, shell, number)
    state = overwritten(state, names_in(words[1:]))
    set_here = {w.text.partition("=")[0]: Word(w.text.partition("=")[2]) for w in words[1:] if "=" in w.text}
    state = state._replace(env={**state.env, **set_here})
    return walk.after(state, code(number, NOTHING))


def _forgets_all(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    return walk.after(state._replace(values={}, arrays={}), code(number, NOTHING))


def _printf(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    if any(word.text.startswith("-v") or not word.known for word in words[1:2]):
        state = overwritten(state, names_in(words[1:3]))
        if not all(word.known for word in words[1:3]):
            state = state._replace(spoiled=state.spoiled or ANSWERED)
        return _forgets_all(walk, command, words, state, shell, number)
    return walk.after(state, code(number, NOTHING))


def _shift(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    args = state.args[1:] if state.args and len(words) == 1 else None
    return walk.after(state._replace(args=args), code(number, NOTHING))


def _replaces(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """`hash -p`, `enable -f`: another program answers from here on."""
    if len(words) > 1 and words[1].text != "-r":
        state = state._replace(spoiled=state.spoiled or ANSWERED)
        walk.unsure(state, shell)
    return walk.after(state, code(number, NOTHING))


def _source(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    """A file that only sets up tools, as the visitor knows; any other may do anything."""
    script = command.inner[0].script if command.inner else None
    if script is not None:
        return walk.script(script, state, shell)
    if len(command.words) != 2 or not walk.visitor.trusts(command.words[1], state):
        walk.unsure(state, shell, "source")
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    return walk.after(state._replace(values={}, arrays={}), code(number, NOTHING))


def _unsure(
    walk: "Interpreter", command: Simple, words: Words, state: State, shell: Shell, number: Facts
) -> Flow:
    walk.unsure(state, shell)
    return walk.after(state, code(number, NOTHING))


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
