"""Local programs that run others in ways of their own: env -S, xargs, find, parallel, script, flock, nix ….

Each reader follows the program's manual for where its command begins and for what its status says.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from donewhen.core.tree import Assign, Inner, Simple, Text, Word
from donewhen.shell.feed import NOTHING, Feed
from donewhen.shell.frames import after_dashes, behind, fed_shell, joined, leading_assigns, wrapped
from donewhen.shell.nest import Nest
from donewhen.shell.options import Options, read_options
from donewhen.shell.words import splits
from donewhen.shell.wrappers import wrapper

_Reader = Callable[[str, tuple[Word, ...], Feed, Nest], tuple[Inner, ...]]
_MAX_CLAUSES = 32
_REPLACED = frozenset(("-I", "-J", "-i", "--replace"))
_FIND = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_FD = frozenset(("-x", "--exec", "-X", "--exec-batch"))
_SPLIT = re.compile(r"-[iv0]*S|--split-string(?:=|$)|--s[plit-]*=")
_TMUX = frozenset(
    "new new-session neww new-window splitw split-window run run-shell popup respawn-pane".split()
)


def _env(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """With -S the words of a text come first, and all that follows belongs to them."""
    at = _split_option(words)
    if at is None:
        searched = read_options(words[1:], wrapper("env").options).values(frozenset(("-P",)))
        places = tuple(Assign("PATH", word) for word in searched)
        found = wrapped(name, words[1:], wrapper("env"), feed, nest)
        return tuple(one._replace(assigns=one.assigns + places) for one in found) if places else found
    text, rest = _split_text(words, at)
    script = nest.script(text.text) if text is not None and text.known else None
    if not script or len(script) != 1 or script[0].redirects or not isinstance(script[0].command, Simple):
        return (Inner(name, None, False),)
    command = script[0].command
    if not all(word.known for word in command.words):
        return (Inner(name, None, False),)
    if command.words and command.words[0].text.startswith("-"):
        return nest.unwrap((words[0], *command.words, *rest), feed)
    assigns, following = ((), rest) if command.words else leading_assigns(rest)
    inner = Inner(name, None, assigns=command.assigns + assigns)
    return behind(inner, (*command.words, *following), feed, nest)


def _split_option(words: tuple[Word, ...]) -> int | None:
    """Where -S stands, if it does among the options."""
    for at, word in enumerate(words[1:_MAX_CLAUSES], 1):
        if _SPLIT.match(word.text) and not read_options(words[1:at], wrapper("env").options).rest:
            return at
    return None


def _split_text(words: tuple[Word, ...], at: int) -> tuple[Word | None, tuple[Word, ...]]:
    attached = _SPLIT.sub("", words[at].text, count=1)
    if attached:
        return Word(attached, words[at].known), words[at + 1 :]
    return (words[at + 1] if at + 1 < len(words) else None), words[at + 2 :]


def _xargs(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """It appends what it reads, or puts it in place of a word: neither is known."""
    given = read_options(words[1:], wrapper("xargs").options)
    if given.has(wrapper("xargs").idle_with) or not given.rest:
        return ()
    marks = [value.text or "{}" for value in given.values(_REPLACED)]
    rest = with_holes(given.rest, marks)
    return behind(Inner(name, None, False), rest, Feed(None, not marks), nest, given.sure)


def with_holes(words: Sequence[Word], marks: Sequence[str]) -> tuple[Word, ...]:
    """The words; those with a place that the wrapper fills are not known."""
    return tuple(
        Word(word.text, False, word.parts or (Text(word.text, True),))
        if any(mark in word.text for mark in marks)
        else word
        for word in words
    )


def _find(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Each -exec clause is a command of its own, up to `;`, or to `+` behind `{}`."""
    names = _FIND if name == "find" else _FD
    found: list[Inner] = []
    at = 1
    while at < len(words):
        if not words[at].known or words[at].text not in names:
            at += 1
            continue
        if len(found) >= _MAX_CLAUSES:
            return (*found, Inner(name, None, False))
        end = at + 1
        while end < len(words) and not _clause_ends(words, at + 1, end):
            end += 1
        command = with_holes(words[at + 1 : end], ("{}", "{/}", "{//}", "{.}", "{/.}"))
        found += behind(Inner(name, None, False), command, feed, nest)
        at = end + 1
    return tuple(found)


def _clause_ends(words: Sequence[Word], start: int, at: int) -> bool:
    text = words[at].text
    return words[at].known and (text == ";" or (text == "+" and at > start and words[at - 1].text == "{}"))


def _parallel(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """The command is one text, filled with arguments; without one the arguments are the commands."""
    given = read_options(words[1:], wrapper("parallel").options)
    texts = [word.text if word.known else "" for word in given.rest]
    cut = next((at for at, text in enumerate(texts) if text.startswith(":::")), len(texts))
    elsewhere = given.has(frozenset(("-S", "--sshlogin")))
    inner = Inner(name, None, False, elsewhere, own_shell=True)
    if cut:
        return joined(inner, with_holes(given.rest[:cut], ("{",)), Feed(None, True), nest)
    sources = [word for word in given.rest if not (word.known and word.text.startswith(":::"))]
    if not sources or any(text.startswith("::::") for text in texts):
        return (inner,)
    return tuple(one for word in sources[:_MAX_CLAUSES] for one in nest.text(word, inner)) + (
        (inner,) if len(sources) > _MAX_CLAUSES else ()
    )


def _script(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """It returns its child's status only when told to; on macOS the command stands behind the file."""
    operands: list[Word] = []
    rest: Sequence[Word] = words[1:]
    keeps, sure = False, True
    texts: list[Word] = []
    while rest and len(operands) < 2:
        given = read_options(rest, wrapper("script").options)
        keeps = keeps or given.has(frozenset(("-e", "--return")))
        texts += given.values(frozenset(("-c", "--command")))
        sure = sure and given.sure
        if operands and given.rest:
            return behind(Inner(name, None, False), given.rest, feed, nest, sure)
        operands += given.rest[:1]
        rest = given.rest[1:]
    inner = Inner(name, None, keeps, own_shell=True)
    return nest.text(texts[-1], inner) if texts else fed_shell(inner, feed, nest)


def _flock(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """A conflict gives another status, unless that was set to something else."""
    given = read_options(words[1:], wrapper("flock").options)
    keeps = not given.has(frozenset(("-E", "--conflict-exit-code")))
    rest = given.rest[1:]
    sure = given.sure and not any(map(splits, given.rest[:1]))
    inner = Inner(name, None, keeps)
    if len(rest) > 1 and rest[0].text in ("-c", "--command"):
        return nest.text(rest[1], inner._replace(own_shell=True))
    return behind(inner, rest, feed, nest, sure)


def _nix(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """nix-shell takes a text, `nix develop` and `nix shell` words behind -c."""
    for at, word in enumerate(words[:-1]):
        if name == "nix-shell" and word.text in ("--run", "--command"):
            return nest.text(words[at + 1], Inner(name, None, own_shell=True))
        if (
            name == "nix"
            and word.text in ("-c", "--command")
            and words[1].text in ("develop", "shell", "env")
        ):
            return behind(Inner(name, None), words[at + 1 :], feed, nest)
    starts = name == "nix-shell" or (len(words) > 1 and words[1].text in ("develop", "shell"))
    return fed_shell(Inner(name, None, own_shell=True), feed, nest) if starts else ()


def _tmux(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """A session of its own runs it later; where the command begins is guessed, so it is never sure."""
    flags, values = (
        ("dDiLmnqrRsSxXUvh", "cehpStTX") if name == "screen" else ("AdDEPXabhkvIZfC", "ceFnstxyLlS")
    )
    rest: Sequence[Word] = words[1:]
    if name == "tmux":
        at = next((n for n, word in enumerate(rest) if word.known and word.text in _TMUX), None)
        if at is None:
            return ()
        rest = rest[at + 1 :]
    given = read_options(rest, Options(flags, values))
    inner = Inner(name, None, False, own_shell=True)
    if not given.rest:
        return ()
    if name == "screen":
        return behind(inner, given.rest, NOTHING, nest, False)
    return (*joined(inner, given.rest, NOTHING, nest), inner)


def _dashed(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Programs whose command surely stands behind `--`."""
    rest = after_dashes(words)
    return () if rest is None else behind(Inner(name, None, name in _KEEP), rest, feed, nest)


def _arch(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """On macOS it runs a program as one of another machine; its options are names of these."""
    at = 1
    assigns: list[Word] = []
    while at < len(words) and words[at].known and words[at].text.startswith("-"):
        if words[at].text == "-e":
            assigns += words[at + 1 : at + 2]
        at += 2 if words[at].text in _ARCH_VALUES else 1
    return behind(Inner(name, None, assigns=leading_assigns(assigns)[0]), words[at:], feed, nest)


_ARCH_VALUES = frozenset(("-arch", "-e", "-d"))


def _npx(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Only where it starts one of the programs that set variables and pass on the rest."""
    given = read_options(words[1:], wrapper("npx").options)
    named = given.rest[0].text if given.sure and given.rest and given.rest[0].known else ""
    return nest.unwrap(tuple(given.rest), feed) if named in _SETTERS else ()


_SETTERS = frozenset(("cross-env", "cross-env-shell", "dotenv", "env-cmd"))
_KEEP = frozenset(("devbox", "flox", "tilt"))
READERS: Mapping[str, _Reader] = {
    "env": _env,
    "genv": _env,
    "xargs": _xargs,
    "gxargs": _xargs,
    "find": _find,
    "gfind": _find,
    "fd": _find,
    "fdfind": _find,
    "parallel": _parallel,
    "script": _script,
    "flock": _flock,
    "nix-shell": _nix,
    "nix": _nix,
    "tmux": _tmux,
    "screen": _tmux,
    "arch": _arch,
    **dict.fromkeys(("npx", "bunx"), _npx),
    **dict.fromkeys(("devbox", "flox", "watchexec", "hyperfine"), _dashed),
}
