"""Commands that stand in prose without any quotes, found by grammar: a program, its words, then an end.

English is full of "make", "go" and "just": a word that prose could use is a command only when what follows
is a known sub-command and the sentence does not simply go on behind it.
"""

import re
from collections.abc import Iterator

from donewhen.commands.goals.needed import looked
from donewhen.commands.goals.recognise import is_known, subcommands, wrapping
from donewhen.commands.words import word_set
from donewhen.core.lazy import lazy

_ALONE = word_set("goal_alone")
_FOLDERS = word_set("goal_folders")
_MANY_TASKS = word_set("goal_many_tasks")
_NOUNS = word_set("goal_nouns")
_PROSE = word_set("goal_prose")
_RUNNERS = word_set("goal_runners")
_RUNS_FILES = word_set("goal_runs_files")
_SCRIPTED = word_set("goal_scripted")
_SCRIPTS = word_set("goal_scripts")
_TAKES_ANY = word_set("goal_takes_any")
_TASKED = word_set("goal_tasked")
_VALUED = word_set("goal_valued")
_WORDLIKE = word_set("goal_wordlike")

_NAMES = sorted(
    {*_ALONE, *subcommands(), *wrapping()} - {"kind", "act", "R", "time", "env", "ty", "prove"},
    key=len,
    reverse=True,
)
_PROGRAM = looked(
    r"(?<![A-Za-z0-9_./@\\$\x01-])((?:cd[ \t]+[^\s;&|,]{1,200}[ \t]*&&[ "
    r"\t]*)?(?:[A-Z_][A-Z0-9_]{0,60}=[^\s,;]{0,200}[ \t]+){0,6})"
    r"("
    + "|".join(map(re.escape, _NAMES))
    + r"|\./[\w./-]{1,200}|(?:scripts|bin|tools|hack|ci)/[\w.-]{1,100})(?![A-Za-z0-9_@-]|\.\w|/\w|"
    r":[A-Za-z0-9])"
)
_TOKEN = lazy(
    r"[ \t]+((?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\$\([^()\s]{1,60}\)|[^\s\"'`;；,，、。：）)（(→➜⇒›»|"
    r"&<>？！?「」『』“”\x01\u3400-\u9fff]){1,300})"
)
_COMMA_INSIDE = lazy(r",[A-Za-z0-9_./*-]+")
_REDIRECT = lazy(r"[ \t]+(?:\d?>&\d|&?\d?>>?[ \t]*[^\s;&|,，。]{1,200})")
_DISPLAY = lazy(
    r"[ \t]*\|[ \t]*(?:tee|tail|head|cat|less|more|grep)\b(?:[ \t]+[^\s;&|,，。；、→]{1,200}){0,6}"
)
_SHAPED = lazy(r"-|.*[./:=@*\\{}\[\]\"']|\+")
_CONTAINERS = frozenset("docker docker-compose podman".split())
_TAKES_FOLDERS = frozenset("check format pytest mypy ruff".split())
_CLOSERS = lazy(
    r"[ \t]*(?:$|[\n.,;:!?)\]，。；：！？）、→➜⇒›»|&\"'”’」』*_~\x01\u2014\u2013\u3400-\u9fff(（<>=+/#-])"
)
_LIMIT = lazy(r"[ \t]*(?:&&|-{1,2}>|={1,2}>|[→➜⇒⟶,，;；、。\n)）]|\.(?=\s|$)|\s(?:and|then|[-–—])\s|$)")
_OPENED = lazy(r"(?:^|[:：,，;；、(（→➜⇒⟶>&\n.。)]|\band|\bthen|和|与)$")
_FOREIGN = lazy(r"^[^\w\"'-]+$|[\x01`\"'|<>:：？！?\u3400-\u9fff]$|[\x01`\"'|<>？！\u3400-\u9fff]")
_AVOID = lazy(
    r"(?:\b(?:use|uses|in|into|from|of|to|for|by|our|the|a|an|no|some|like|add|adopt|install|"
    r"introduce|migrate|called|named)|用|使用|的|从|到|把|将|引入|改用|基于)\s*$",
    re.I,
)


def bare_commands(text: str) -> Iterator[tuple[int, int]]:
    """Where bare commands stand in `text`."""
    at = 0
    while True:
        found = _PROGRAM.search(text, at)
        if not found:
            return
        end = max(_end(text, found.end(), found[2]), _delimited(text, found))
        command = text[found.start(2) : end]
        if end and _stands_alone(text, found.start(), end, command, found[2]):
            tail = _DISPLAY.match(text, end)
            at = tail.end() if tail else end
            yield found.start(), at
        else:
            at = found.end()


def _stands_alone(text: str, start: int, end: int, command: str, program: str) -> bool:
    if not is_known(command):
        return False
    lone = " " not in command
    if lone and (
        program in ("make", "just", "yarn", "ruff") or _AVOID.search(text[max(0, start - 20) : start])
    ):
        return False
    if _CLOSERS.match(text, end) or text[max(0, start - 8) : start].rstrip().endswith("&&"):
        return True
    word = re.match(r"[ \t]+([A-Za-z']+)", text[end : end + 40])
    if not word:
        return True
    if word[1].lower() not in _PROSE:
        return False
    if (
        program in _WORDLIKE
        and command.split()[-1] in _NOUNS
        and word[1].lower() in ("pass", "green", "work", "succeed", "clean")
    ):
        return False
    return not (
        program in _WORDLIKE
        and word[1].lower() in ("it", "the", "a", "an", "this", "that", "them", "for", "with")
    )


def _delimited(text: str, found: re.Match[str]) -> int:
    """The end of a command that fills all between two separators; 0 when none does."""
    limit = _LIMIT.search(text, found.end(), found.end() + 200)
    before = text[max(0, found.start() - 8) : found.start()].rstrip(" \t")
    if not limit or not _OPENED.search(before):
        return 0
    words = text[found.end() : limit.start()].split()
    if not 2 <= len(words) <= 12 or any(
        w.lower() in _PROSE or _FOREIGN.search(w) for w in words[1:] if w != "all"
    ):
        return 0
    if not is_known(text[found.start(2) : limit.start()]):
        return 0
    if words[-1].isdigit() and limit[0].strip() in ("、", ")", "）", "."):
        return 0
    chained = limit[0].strip() == "&&" or before.endswith("&&")
    if not chained and found[2] in _WORDLIKE and not all(map(_is_argument, words)):
        return 0
    return limit.start()


def _is_argument(word: str) -> bool:
    return bool(_SHAPED.match(word)) or word in _SCRIPTS or word in _FOLDERS or word in ("run", "all")


def _end(text: str, at: int, program: str) -> int:
    """Where the command ends: arguments by shape, the first word by what the program knows."""
    end, before, count = at, program, 0
    wrapped = program in wrapping() or program in (
        "docker",
        "docker-compose",
        "podman",
        "bundle",
        "make",
        "mvn",
        "gradle",
        "./gradlew",
        "./mvnw",
    )
    while count < 40:
        redirect = _REDIRECT.match(text, end)
        if redirect:
            end = redirect.end()
            continue
        token = _TOKEN.match(text, end)
        if not token:
            break
        word, stop = _trimmed(text, token)
        numbers = word.isdigit() and text[stop : stop + 1] in (")", "）", "、", ".")
        if (
            not word
            or numbers
            or _is_arrow(text, token)
            or not _belongs(word, before, program, count, wrapped)
        ):
            break
        valued = before in _VALUED
        end, before, count = stop, word, count + 1
        if stop < token.end():
            break
        inside = _COMMA_INSIDE.match(text, end)
        if inside and (valued or _SHAPED.match(word)):
            end = inside.end()
    return end


def _is_arrow(text: str, token: re.Match[str]) -> bool:
    """The shaft of `-->` or `==>`."""
    return not token[1].strip("-=") and text.startswith(">", token.end())


def _trimmed(text: str, token: re.Match[str]) -> tuple[str, int]:
    """The token without the punctuation of the sentence around it."""
    word = token[1]
    ends_text = (
        token.end() >= len(text)
        or text[token.end()] in " \t\n\x01；;,，、。：）)（(→？！?」』”|&"
        or text[token.end()] > "\u2e7f"
    )
    kept = word.rstrip("]") if "[" not in word else word
    if ends_text:
        kept = kept.rstrip(":!*_") if not kept.endswith("...") else kept
        if kept.endswith(".") and len(kept) > 1 and (not kept.endswith("..") or kept.endswith("....")):
            kept = kept[:-1]
    return kept, token.start(1) + len(kept)


def _belongs(word: str, before: str, program: str, count: int, wrapped: bool) -> bool:
    lower = word.lower()
    if before in _VALUED and lower not in (
        "must",
        "passes",
        "pass",
        "and",
        "is",
        "are",
        "should",
        "then",
        "has",
        "have",
    ):
        return True
    if count == 0 and (word in subcommands().get(program, ()) or (program in _TASKED and word in _SCRIPTS)):
        return True
    if word == program:
        return False
    composed = program in _CONTAINERS and word in subcommands()[program]
    if composed or (word in subcommands().get(before, ()) and before not in _WORDLIKE):
        return True
    if lower in _PROSE and not (before == "compose" or (program == "golangci-lint" and word == "run")):
        return False
    if word in ("->", "=>", "-", "/", "+", "=") or re.fullmatch(r"\d+[.)]", word):
        return False
    if _SHAPED.match(word) or (word.isdigit() and before.startswith("-")):
        return True
    if count == 0:
        scripted = word in _SCRIPTS or not _SCRIPTS.isdisjoint(lower.split("-"))
        named = (program in _SCRIPTED and scripted) or (program in _ALONE and word in _FOLDERS)
        return named or program in _TAKES_ANY
    return _second(word, before, program, wrapped)


def _second(word: str, before: str, program: str, wrapped: bool) -> bool:
    if before in _RUNNERS or word in subcommands().get(before, ()) or program in _CONTAINERS:
        return True
    if (wrapped and word in _ALONE) or (word in _FOLDERS and (wrapped or before.startswith("-"))):
        return True
    if program in _MANY_TASKS:
        return word in _SCRIPTS or word in subcommands().get(program, ())
    if (
        program in subcommands()
        and program not in _WORDLIKE
        and before in subcommands()[program]
        and word in subcommands()[program]
    ):
        return True
    if program in _ALONE or before in _TAKES_FOLDERS:
        return word in _FOLDERS
    return program in _RUNS_FILES and word in _SCRIPTS
