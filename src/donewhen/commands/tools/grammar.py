"""How the options of programs are written down: one line of text per effect, compiled when first needed.

A `Grammar` is data: it says what each option does to the meaning of a command, not what the command does.
It refuses to guess: what is in no list has no effect we know of, and the comparison fails closed on it.

Notation, names parted by blanks: `-k|--keyword` aliases, the first is canonical; `--cov=` takes a value;
`--cov?` may have one attached by `=`; `-j#` may have a number (or auto, all, true, false) as next word;
`--cov*` takes the next word unless it is an option; `-s+` takes all words up to the next option;
`-p=no:cache*` is this option with a value that starts so.
"""

from typing import Literal, NamedTuple

Effect = Literal[
    "quiet",  # changes what is shown or how fast, never what is checked: may come and go
    "strict",  # asks more: may be added, never left out
    "widen",  # runs more: may be added, never left out
    "at_most",  # a number, lower is stricter
    "at_least",  # a number, higher is stricter
    "limit",  # runs less: equal to what was declared, or absent
    "exclude",  # leaves something out: no more than was declared
    "select",  # names a part of the whole; several add up; none is the whole
    "pick",  # like select, but differently named options add up too (cargo --lib --bins)
    "target",  # names what to run; several add up; none is the project's own choice
    "mask",  # returns 0 whatever happens, or rewrites what it checks
    "norun",  # shows something instead of running
    "watch",  # does not end by itself
    "weaker",  # asks less
    "config",  # another configuration
    "aside",  # harmless beside --check, a mode of its own without it
    "where",  # the folder to run in
    "other",  # changes what the command is
    "unknown",  # in no list
    "unclear",  # a word that only the shell that ran it knows
]
Takes = Literal["", "=", "?", "#", "*", "+"]
Operands = Literal["exact", "all", "config", "packages", "targets", "tasks", "phases"]


class Grammar(NamedTuple):
    quiet: str = ""
    strict: str = ""
    widen: str = ""
    at_most: str = ""
    at_least: str = ""
    limit: str = ""
    exclude: str = ""
    select: str = ""
    pick: str = ""
    target: str = ""
    mask: str = ""
    norun: str = ""
    watch: str = ""
    weaker: str = ""
    config: str = ""
    aside: str = ""
    where: str = ""
    other: str = ""
    base: tuple[str, ...] = ()  # grammars whose options are known here too, after its own
    operands: Operands = "exact"
    long: bool = False  # one dash starts a long name (go, tsc): no bundles of letters
    folded: bool = False  # upper and lower case are the same in names
    prefixes: tuple[str, ...] = ()  # -Dname=value: the name belongs to the option
    colons: bool = False  # `--name:value` too (dotnet)
    variables: bool = False  # NAME=value words are settings (make, rake)
    after: str = ""  # the grammar of what follows `--`; "=" is the same one; empty: operands
    inner: int = -1  # operands from this one on are a command of their own


class Rule(NamedTuple):
    name: str  # the canonical alias
    effect: Effect
    takes: Takes = ""


class Rules(NamedTuple):
    names: dict[str, Rule]
    values: dict[str, list[tuple[str, Effect]]]  # canonical name -> start of a value, what it means


EFFECTS: tuple[Effect, ...] = (
    "quiet",
    "strict",
    "widen",
    "at_most",
    "at_least",
    "limit",
    "exclude",
    "select",
    "pick",
    "target",
    "mask",
    "norun",
    "watch",
    "weaker",
    "config",
    "aside",
    "where",
    "other",
)


def compile_rules(grammar: Grammar) -> Rules:
    """The grammar's own options, without those of its bases."""
    rules = Rules({}, {})
    for effect in EFFECTS:
        for token in getattr(grammar, effect).split():
            _add(rules, token, effect, grammar.folded)
    return rules


def _add(rules: Rules, token: str, effect: Effect, folded: bool) -> None:
    names, equals, value = token.partition("=")
    if equals and value and not value.startswith("|"):
        rules.values.setdefault(names, []).append((value, effect))
        rules.names.setdefault(names, Rule(names, "other", "="))
        return
    takes: Takes = ""
    aliases: list[str] = []
    for alias in token.split("|"):
        suffix = alias[-1] if alias != "-?" else ""
        match suffix:
            case "=" | "?" | "#" | "*" | "+":
                takes = suffix
                aliases.append(alias[:-1])
            case _:
                aliases.append(alias)
    for alias in aliases:
        rules.names[alias.lower() if folded else alias] = Rule(aliases[0], effect, takes)
