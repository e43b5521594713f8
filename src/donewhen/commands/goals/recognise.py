"""Is this text a command? Strict for bare words in prose, looser for what the user put in quotes.

It only reads names and shapes, from `programs`; whether the command is required is not asked here.
"""

import re
from collections.abc import Mapping
from functools import cache

from donewhen.commands.words import pairs, phrase_list, word_set
from donewhen.core.lazy import lazy

_ALONE = word_set("goal_alone")
_LOCAL_BINARIES = word_set("goal_local_binaries")
_NAMESPACED = word_set("goal_namespaced")
_RUNS_FILES = word_set("goal_runs_files")
_SCRIPTED = word_set("goal_scripted")
_SCRIPTS = word_set("goal_scripts")
_WORDLIKE = word_set("goal_wordlike")

ASSIGNMENT = lazy(r"(?:\$env:)?[A-Za-z_][A-Za-z0-9_]*=\S*;?$")
_SCRIPT_PATH = lazy(
    r"(?:\.{1,2}[/\\])[\w./\\@+-]*\w$|[\w.@+-]+(?:/[\w.@+-]+)*\.(?:sh|bash|zsh|ps1|bat|cmd)$"
    r"|(?:[\w.@+-]+/)*(?:\.?bin|scripts|tools|hack|dev|ci)/[\w.@+-]+$"
)
_DATA_FILE = lazy(
    r"\.(?:md|txt|json|ya?ml|toml|csv|tsv|html?|css|xml|ini|cfg|lock|rst|adoc|png|svg|log|tsx?|"
    r"jsx?|mjs|cjs|go|rs|rb|java|kt"
    r"|c|h|cpp|cs|php|sql|proto|tf|ex|exs|swift|dart|vue|svelte|pdf|env|conf|graphql|ipynb|scss|less|py)$",
    re.IGNORECASE,
)
_NAME = lazy(r"[a-z][a-z0-9]*(?:[._+-][a-z0-9]+)*$")
_TARGET = lazy(r"[A-Za-z0-9][\w.]*(?:[-:_/][\w.*{},-]+)+$")
_PROGRAM_TAIL = lazy(r"(?:\.exe|\.cmd|\.bat)$")


@cache
def subcommands() -> Mapping[str, frozenset[str]]:
    """Programs that need a further word, and the words that can follow."""
    return {name: frozenset(words.split()) for name, words in pairs("goal_subcommands").items()}


@cache
def wrappers() -> frozenset[tuple[str, str]]:
    """What runs what follows: program and sub-command, or the program alone."""
    return frozenset((name, sub) for name, _, sub in (e.partition(" ") for e in phrase_list("goal_wrappers")))


@cache
def wrapping() -> frozenset[str]:
    return frozenset(program for program, _ in wrappers())


def program_of(words: list[str]) -> tuple[str, list[str]]:
    """The program and its arguments, behind leading assignments."""
    at = 0
    while at < len(words) and ASSIGNMENT.match(words[at]):
        quote = words[at].partition("=")[2][:1]
        open_ = quote in ("'", '"') and words[at].count(quote) % 2 == 1
        at += 1
        while open_ and at < len(words):
            open_ = quote not in words[at]
            at += 1
    if at >= len(words):
        return "", []
    return _PROGRAM_TAIL.sub("", words[at]), words[at + 1 :]


def is_script(word: str) -> bool:
    return bool(_SCRIPT_PATH.match(word)) and not _DATA_FILE.search(word) and not word.endswith("/")


def is_file_name(word: str) -> bool:
    return bool(_DATA_FILE.search(word)) or ("/" in word and not is_script(word))


def is_known(text: str) -> bool:
    """A program that we know with arguments that make sense, or a script by its path."""
    words = text.split()
    for _ in range(6):
        program, rest = program_of(words)
        if not program:
            return False
        if _complete(program, rest):
            return True
        inner = _wrapped(program, rest)
        if inner is None:
            return False
        words = inner
    return False


def _complete(program: str, rest: list[str]) -> bool:
    if program in _ALONE or (is_script(program) and (rest or not program.endswith("/"))):
        return True
    if program.rsplit("/", 1)[-1] in _ALONE and "/" in program:
        return True
    if not rest:
        return program in ("make", "just", "yarn", "ruff")
    return _fits(program, rest[0]) or (program == "./manage.py")


def _fits(program: str, word: str) -> bool:
    if (program, word) in wrappers():
        return False
    if word in subcommands().get(program, ()):
        return True
    if program in _SCRIPTED and (word in _SCRIPTS or _TARGET.match(word)):
        return True
    if program in _NAMESPACED and re.fullmatch(r"[\w-]+(?:[.:][\w-]+)+", word):
        return True
    if program in _LOCAL_BINARIES and (word in _ALONE or word in subcommands()):
        return True
    if program in _RUNS_FILES and re.search(r"\.\w{1,4}$|/", word):
        return True
    wordlike = program in _WORDLIKE and program not in _SCRIPTED
    return program in subcommands() and not wordlike and word.startswith("-") and len(word) > 1


def _wrapped(program: str, rest: list[str]) -> list[str] | None:
    """What a wrapper runs; None when this is none or nothing follows. Its own options are skipped."""
    if program not in wrapping():
        return None
    if (program, "") in wrappers():
        return _plain_or_known(rest)
    if rest and (program, rest[0]) in wrappers():
        return _plain_or_known(rest[1:])
    return None


def _plain_or_known(words: list[str]) -> list[str] | None:
    at = 0
    while at < len(words) and (words[at].startswith("-") or words[at].isdigit()):
        at += 1
    if at >= len(words):
        return None
    # A wrapper says that what follows is a program: its name alone is enough.
    return ["pytest"] if re.match(r"[\w./@:+$\"'{}()~=,-]+$", words[at]) else None


def is_plausible(text: str) -> bool:
    """May be a command of a program that we don't know: a lower-case name with arguments."""
    words = text.split()
    program, rest = program_of(words)
    if not program or not rest or len(words) > 40:
        return False
    return bool(_NAME.match(program)) or is_script(program) or "/" in program


def is_named(text: str) -> bool:
    """A program that we know with a word that we don't: enough where the user marked it as code."""
    program, rest = program_of(text.split())
    acts = program == "git"  # its words change things; those that check are in the tables
    return (
        bool(rest)
        and not acts
        and (program in _SCRIPTED or (program in subcommands() and program not in _WORDLIKE))
    )


def is_lone_name(text: str) -> bool:
    """One lower-case word that might be a program of the user's own."""
    return bool(_NAME.match(text)) and not is_file_name(text)
