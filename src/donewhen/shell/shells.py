"""Shells and builtins that run text: `bash -c`, `eval`'s kin, `su -c`, `source`, `trap`, cmd and PowerShell.

A shell gets its text from `-c`, from a file, or from its input; only text that the line itself shows is
read. Shells of another language than bash's are never guessed at.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.tree import Assign, Inner, Text, Word
from donewhen.shell.feed import Feed
from donewhen.shell.frames import as_text, behind, fed_shell
from donewhen.shell.nest import Nest
from donewhen.shell.options import Options, read_options
from donewhen.shell.words import prefix, splits
from donewhen.shell.wrappers import wrapper

_Reader = Callable[[str, tuple[Word, ...], Feed, Nest], tuple[Inner, ...]]
_POSIX = "bash sh zsh dash ksh ksh93 mksh ash rbash rksh yash bash5 zsh5".split()
_FOREIGN = "fish csh tcsh nu elvish xonsh pwsh powershell rc es".split()
_STDIN = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_LONG_VALUES = frozenset(("--rcfile", "--init-file", "--emulate"))
_NOTHING_RUN = frozenset(("--help", "--version", "--dump-strings", "--dump-po-strings"))
_MAX_OPERANDS = 8
_SU_LOGIN = frozenset(("-", "-l", "--login"))
_SU_TEXT = frozenset(("-c", "--command", "--session-command", "-C"))


class _Start(NamedTuple):
    """How a shell was started; `rest` are its operands."""

    letters: str
    settings: frozenset[str]
    rest: tuple[Word, ...]
    runs: bool = True
    sure: bool = True
    first: tuple[Word, ...] = ()  # files that it runs before its text


def _shell(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    start = _started(words[1:])
    if not start.runs or set("nD") & set(start.letters) or "noexec" in start.settings:
        return ()
    inner = Inner(
        name,
        None,
        own_shell=True,
        errexit="e" in start.letters or "errexit" in start.settings,
        pipefail="pipefail" in start.settings,
        assigns=tuple(Assign("BASH_ENV", file) for file in _read_first(start)),
    )
    rest = start.rest
    if "c" in start.letters:
        if not rest:
            return (inner,)
        found = nest.text(rest[0], inner._replace(assigns=inner.assigns + _positional(rest[1:])))
        if start.sure or found[-1].script is None:
            return found
        return tuple(one._replace(keeps_status=False) for one in (*found, inner))
    if not rest or "s" in start.letters or (rest[0].known and rest[0].text in _STDIN):
        return (inner,) if feed.open_end else fed_shell(inner, feed, nest)
    return (inner._replace(file=rest[0], assigns=inner.assigns + _positional(rest)),)


def _read_first(start: _Start) -> tuple[Word, ...]:
    """What a shell for people reads before anything else is like what BASH_ENV names."""
    return start.first or ((Word("~/.bashrc", False, (Text("~/.bashrc"),)),) if "i" in start.letters else ())


def _started(words: Sequence[Word]) -> _Start:
    letters: list[str] = []
    settings: set[str] = set()
    first: list[Word] = []
    runs = sure = True
    at = 0
    while at < len(words):
        text = prefix(words[at])
        if splits(words[at]) and any(prefix(word)[:1] in ("-", "+") for word in words[at + 1 : at + 2]):
            # Options in a variable: they may be anything, so what follows is only likely.
            at, sure = at + 1, False
            continue
        if not words[at].known or len(text) < 2 or text[0] not in "-+":
            at += text == "-"
            break
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            runs = runs and text not in _NOTHING_RUN
            named = words[at : at + (text in _LONG_VALUES)]
            first += named
            at += len(named)
            continue
        for letter in text[1:]:
            if letter in "oO" and at < len(words):
                _switch(settings, words[at].text, text[0] == "-")
                at += 1
            elif text[0] == "-":
                letters.append(letter)
            elif letter in letters:
                letters.remove(letter)
    return _Start("".join(letters), frozenset(settings), tuple(words[at:]), runs, sure, tuple(first))


def _switch(settings: set[str], name: str, on: bool) -> None:
    (settings.add if on else settings.discard)(name.lower().replace("_", ""))


def _positional(words: Sequence[Word]) -> tuple[Assign, ...]:
    """`$0`, `$1` … that a shell is given with its text."""
    return tuple(Assign(str(number), word) for number, word in enumerate(words))


def _foreign(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    if len(words) == 2 and words[1].text in ("--version", "-v", "--help", "-h"):
        return ()
    return (Inner(name, None, own_shell=True),)


def _cmd(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """`cmd /c text`; Git Bash users write `//c`, and switches may come before."""
    inner = Inner("cmd", None, own_shell=True)
    for at, word in enumerate(words[1:], 1):
        switch = word.text.lower().lstrip("/")
        if not word.known or not word.text.startswith("/"):
            break
        if switch[:1] in ("c", "r") and at + 1 < len(words):
            text = as_text(words[at + 1 :])
            return (inner._replace(script=nest.script(text.text, "cmd") if text.known else None),)
    return (inner,)


def _su(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """su, runuser and sg; options may stand on both sides of the user."""
    texts: list[Word] = []
    rest: Sequence[Word] = words[1:]
    operands: list[Word] = []
    sure, login = True, False
    while rest and len(operands) < _MAX_OPERANDS:
        given = read_options(rest, wrapper("su").options)
        sure = sure and given.sure
        texts += given.values(_SU_TEXT)
        login = login or given.has(_SU_LOGIN)
        if name == "runuser" and given.has(frozenset(("-u", "--user"))):
            return behind(Inner(name, None), given.rest, feed, nest, sure)
        operands += given.rest[:1]
        rest = given.rest[1:]
    inner = Inner(name, None, folder=Word("~") if login else None, own_shell=True)
    if name == "sg" and not texts and len(operands) > 1:
        texts = operands[1:2]
    if texts:
        return nest.text(texts[-1], inner)
    return (inner,) if feed.open_end else fed_shell(inner, feed, nest)


def _source(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    rest = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    if not rest:
        return (Inner(name, None),) if feed.open_end else ()
    if rest[0].known and rest[0].text in _STDIN and rest[0].text != "-":
        return fed_shell(Inner(name, None), feed, nest)
    return (Inner(name, None, file=rest[0], assigns=_positional(rest) if len(rest) > 1 else ()),)


def _trap(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    rest = words[1:]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    if len(rest) < 2 or (
        rest[0].known and (rest[0].text in ("", "-") or rest[0].text[:2] in ("-p", "-l", "-P"))
    ):
        return ()
    return nest.text(rest[0], Inner(name, None, False))


def _callback(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """`mapfile -C text` and `compgen -C text` run it."""
    given = read_options(words[1:], Options("tabcdefgjksuvD", "CdnOsucAGWFXPSoV"))
    return tuple(
        inner
        for text in given.values(frozenset(("-C",)))
        for inner in nest.text(text, Inner(name, None, False))
    )


READERS: Mapping[str, _Reader] = {
    **dict.fromkeys(_POSIX, _shell),
    **dict.fromkeys(_FOREIGN, _foreign),
    **dict.fromkeys(("su", "runuser", "sg"), _su),
    **dict.fromkeys((".", "source"), _source),
    **dict.fromkeys(("mapfile", "readarray", "compgen"), _callback),
    "trap": _trap,
    "cmd": _cmd,
}
