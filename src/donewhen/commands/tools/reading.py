"""Words to a `Call`: program, subcommand, settings with their effect, operands, and what is handed on.

Reads as the programs do: bundled short flags, attached values, `--`, options after operands. A word that
only the shell could tell stays a setting of its own; nothing is dropped.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.commands.tools.grammar import Effect, Grammar, Rule, Takes
from donewhen.commands.tools.programs import folds, grammar_of, grammars, tables, with_subcommands
from donewhen.core.tree import Word

_DEEPEST = 3  # commands within commands within containers
_LETTERS = 32  # in one bundle
_NUMBERS = frozenset({"auto", "all", "true", "false", "max", "logical"})
# Options that take a name, or a file whose code is then run.
_LOADERS = frozenset("--reporter --reporters -R -f --format --formatter --test-reporter -r".split())
_CODE = re.compile(r"(?:\.\.?/|/|~|file:).*|.*\.(?:[cm]?[jt]sx?|rb|py)", re.DOTALL)
_NEGATED: dict[Effect, Effect] = {  # what switching an option off means, where it isn't simply harmless
    "strict": "weaker",
    "widen": "weaker",
    "other": "other",
    "config": "config",
    "weaker": "strict",
    "aside": "other",
}


class Setting(NamedTuple):
    name: str
    value: str | None
    effect: Effect
    takes: Takes = ""
    written: str = ""  # the alias that stood there, when it is not `name`

    @property
    def text(self) -> str:
        name = self.written or self.name
        return name if self.value is None else f"{name}={self.value}"


class Call(NamedTuple):
    name: str  # program and subcommands, as in the tables: `cargo test`
    grammar: str  # the table its options were read with
    settings: tuple[Setting, ...] = ()
    operands: tuple[str, ...] = ()
    rest: "Call | None" = None  # what follows `--`, a script's arguments, a container's command
    handed: tuple[Word, ...] = ()  # not read yet: a command of its own
    runners: tuple["Call", ...] = ()  # what started it, where that had options that matter
    trail: tuple[str, ...] = ()  # where options are in no list: those and the operands, in their order
    tool: str = ""  # the very tool behind a name that stands for several (`npm test`)


class _Reader:
    """One pass over the words; mutable inside, a frozen Call at the end."""

    def __init__(self, name: str, words: Sequence[Word]) -> None:
        self.name = name
        self.words = words
        self.at = 0
        self.ended = False  # by `--`
        self.settings: list[Setting] = []
        self.operands: list[Word] = []
        self.trail: list[str] = []  # operands and options in no list, in order: a value may belong to either

    @property
    def grammar(self) -> Grammar:
        return grammar_of(self.name)

    def run(self, stop: int = -1) -> None:
        """Up to `--`, to the end, to `stop` operands; 0 stops before the first one."""
        while self.at < len(self.words) and not self.ended and (stop < 1 or len(self.operands) < stop):
            word = self.words[self.at]
            if word.known and not self.is_setting(word.text) and stop == 0 and word.text != "--":
                return
            self.at += 1
            if not word.known:
                self.settings.append(Setting(word.text, None, "unclear"))
            elif word.text == "--":
                self.ended = True
            elif not self.is_setting(word.text):
                self.operands.append(word)
                self.trail.append(word.text)
            elif word.text[0] in "-+/":
                self.option(word.text)
            else:
                name, _, value = word.text.partition("=")
                self.add(find(self.name, name) or Rule(name, "unknown", "="), value)

    def is_setting(self, text: str) -> bool:
        if text[:1] in ("-", "+"):
            return len(text) > 1 and not _is_number(text)
        if self.grammar.variables and "=" in text:
            return True
        return text[:1] == "/" and text.startswith(self.grammar.prefixes or "-")

    def option(self, text: str) -> None:
        text = _property(text, self.grammar.prefixes)
        name, equals, value = text.partition("=")
        rule = find(self.name, name)
        if rule is None and not self.grammar.long and self.bundle(text):
            return
        if rule is None and (self.attached(text) or self.after_colon(text)):
            return
        if rule is None:
            self.settings.append(_negated(self.name, name) or Setting(text, None, "unknown"))
            self.trail += [text] if self.settings[-1].effect == "unknown" else []
        elif equals:
            self.add(rule, value, written=name)
        else:
            self.take(rule, name)

    def bundle(self, text: str) -> bool:
        """`-xvs`, `-n4`: letters, the last of which may have its value attached."""
        if text[0] != "-" or text[1] == "-":
            return False
        found: list[tuple[Rule, str | None]] = []
        for place, letter in enumerate(text[1:], 2):
            rule = find(self.name, "-" + letter)
            if rule is None or place > _LETTERS:
                return False
            if place < len(text) and _takes_tail(rule, text, place):
                found.append((rule, text[place:].removeprefix("=")))
                break
            found.append((rule, None))
        for rule, value in found[:-1]:
            self.add(rule, value)
        rule, value = found[-1]
        if value is None:
            self.take(rule)
        else:
            self.add(rule, value)
        return True

    def attached(self, text: str) -> bool:
        """`-j8` of a program without bundles."""
        rule = find(self.name, text[:2])
        if text[:2] == "--" or rule is None or rule.takes not in ("=", "#") or len(text) < 3:
            return False
        if rule.takes == "#" and not _is_number(text[2:]):
            return False
        self.add(rule, text[2:])
        return True

    def after_colon(self, text: str) -> bool:
        """`--logger:trx` of dotnet."""
        name, colon, value = text.partition(":")
        rule = find(self.name, name) if colon and self.grammar.colons else None
        if rule is None:
            return False
        self.add(rule, value, written=name)
        return True

    def take(self, rule: Rule, written: str = "") -> None:
        following = self.words[self.at] if self.at < len(self.words) else None
        plain = following is not None and not (
            following.known and following.text[:1] == "-" and len(following.text) > 1
        )
        if rule.takes == "+":
            self.take_all(rule)
        elif following is not None and (
            rule.takes == "="
            or (rule.takes == "*" and plain)
            or (rule.takes == "#" and following.known and _is_number(following.text))
        ):
            self.at += 1
            self.add(rule, following.text, following.known, written)
        else:
            self.add(rule, "" if rule.takes == "=" else None, written=written)

    def take_all(self, rule: Rule) -> None:
        start = self.at
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.known and word.text[:1] == "-":
                break
            self.at += 1
            self.add(rule, word.text, word.known)
        if self.at == start:
            self.add(rule, "")

    def add(self, rule: Rule, value: str | None, known: bool = True, written: str = "") -> None:
        setting = (
            _setting(self.name, rule, value) if known else Setting(rule.name, value, "unclear", rule.takes)
        )
        self.settings.append(setting._replace(written=written if written != rule.name else ""))


def read(name: str, words: Sequence[Word], depth: int = 0) -> Call:
    """The call of the program `name` with these words after it; `handed` is left to whoever can name it."""
    reader = _Reader(name, words)
    while reader.name in with_subcommands() and not reader.ended:
        before = len(reader.operands)
        reader.run(before + 1)
        if len(reader.operands) == before or not _deeper(reader):
            break
    grammar = reader.grammar
    reader.run(grammar.inner)
    left = tuple(words[reader.at :])
    rest = None
    if grammar.inner < 0 and left:
        rest, left = _after(reader, grammar, left, depth), ()
    operands = tuple(word.text for word in reader.operands)
    unknown = any(each.effect == "unknown" and each.value is None for each in reader.settings)
    trail = tuple(reader.trail) if unknown else ()
    return Call(reader.name, reader.name, tuple(reader.settings), operands, rest, handed=left, trail=trail)


def head(name: str, words: Sequence[Word]) -> tuple[tuple[Setting, ...], tuple[Word, ...]]:
    """The options of `name` that stand before its first operand, and everything from there on."""
    reader = _Reader(name, words)
    reader.run(0)
    return tuple(reader.settings), tuple(words[reader.at :])


def one_option(name: str, words: Sequence[Word]) -> tuple[tuple[Setting, ...], int]:
    """The option at the start of `words`, and how many words it takes."""
    reader = _Reader(name, words)
    reader.at = 1
    reader.option(words[0].text)
    return tuple(reader.settings), reader.at


def _deeper(reader: _Reader) -> bool:
    """Is the last operand a subcommand, and may another follow?"""
    if any(each.isspace() for each in reader.operands[-1].text):
        return False
    longer = f"{reader.name} {reader.operands[-1].text}"
    folded = folds().get(longer, longer)
    if folded not in grammars() and folded not in with_subcommands():
        return False
    reader.operands.pop()
    reader.trail.pop()
    deeper = reader.name != folded
    reader.name = folded
    return deeper


def _after(reader: _Reader, grammar: Grammar, left: tuple[Word, ...], depth: int) -> Call | None:
    if grammar.after == "=":
        reader.ended = False
        reader.run()
        return None
    if grammar.after and depth < _DEEPEST:
        return read(grammar.after, left, depth + 1)
    reader.trail.append("--")
    for word in left:
        if word.known:
            reader.operands.append(word)
            reader.trail.append(word.text)
        else:
            reader.settings.append(Setting(word.text, None, "unclear"))
    return None


def plain(words: Sequence[Word]) -> Call:
    """The call of a program that is not known: its words, in order, and nothing else."""
    unclear = tuple(Setting(word.text, None, "unclear") for word in words[1:] if not word.known)
    name = words[0].text if words else ""
    return Call(name, "", unclear, tuple(word.text for word in words[1:]))


@lru_cache(maxsize=4096)
def find(name: str, option: str) -> Rule | None:
    folded = option.lower() if grammar_of(name).folded else option
    spellings: tuple[str, ...] = (folded,)
    if grammar_of(name).long:
        spellings = (folded, folded[1:] if folded[:2] == "--" else "-" + folded)
    for rules in tables(name):
        for spelling in spellings:
            if spelling in rules.names:
                return rules.names[spelling]
    return None


def _setting(name: str, rule: Rule, value: str | None) -> Setting:
    effect = rule.effect
    if value is not None and rule.name in _LOADERS and any(map(_CODE.fullmatch, value.split(","))):
        return Setting(rule.name, value, "other", rule.takes)
    if value is not None:
        for rules in tables(name):
            for start, meaning in rules.values.get(rule.name, ()):
                if value == start or (
                    start[-1] == "*" and value.startswith(start[:-1]) and ".." not in value
                ):
                    return Setting(rule.name, value, meaning, rule.takes)
        if rule.takes in ("", "?", "#") and value.lower() in ("false", "no", "off"):
            return Setting(rule.name, value, _NEGATED.get(effect, "quiet"), rule.takes)
        if rule.takes in ("", "?", "#") and value.lower() == "true":
            value = None
    return Setting(rule.name, value, effect, rule.takes)


def _negated(name: str, option: str) -> Setting | None:
    """`--no-foo` where only `--foo` is known."""
    if not option.startswith("--no-"):
        return None
    rule = find(name, "--" + option[5:])
    return None if rule is None else Setting(option, None, _NEGATED.get(rule.effect, "quiet"))


def _property(text: str, prefixes: tuple[str, ...]) -> str:
    """`/p:Name=x` and `--property:Name=x` are `-p:Name=x`."""
    for prefix in prefixes:
        if text.startswith(prefix) and prefix.endswith(":"):
            return prefixes[0] + text[len(prefix) :]
    return text


def _takes_tail(rule: Rule, text: str, place: int) -> bool:
    return rule.takes == "=" or (rule.takes in ("#", "?", "*") and _is_number(text[place:]))


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit() or text in _NUMBERS
