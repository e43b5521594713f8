"""What each option of a program does to the meaning of a check: the rows of `shell/programs/checks`.

A row says what an option means, not what the program does. It refuses to guess: what is in no list has no
effect we know of, and the comparison fails closed on it.

Notation, names parted by blanks: `-k|--keyword` aliases, the first is canonical; `--cov=` takes a value;
`--cov?` may have one attached by `=`; `-j#` may have a number (or auto, all, true, false) as next word;
`--cov*` takes the next word unless it is an option; `-s+` takes all words up to the next option;
`-p=no:cache*` is this option with a value that starts so.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, cast, get_args

from donewhen.shell.tables import Place, Rows, beside, load_tables

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
EFFECTS: tuple[Effect, ...] = get_args(Effect)[:-2]
_TABLES = beside(beside(__file__), "shell", "programs", "checks")
_SUFFIXES = frozenset(("=", "?", "#", "*", "+"))


class Grammar(NamedTuple):
    """A row, but for its options."""

    part: bool = False  # no program: what a program hands on
    base: tuple[str, ...] = ()  # rows whose options are known here too, after its own
    operands: Operands = "exact"
    long: bool = False  # one dash starts a long name (go, tsc): no bundles of letters
    folded: bool = False  # upper and lower case are the same in names
    prefixes: tuple[str, ...] = ()  # -Dname=value: the name belongs to the option
    colons: bool = False  # `--name:value` too (dotnet)
    variables: bool = False  # NAME=value words are settings (make, rake)
    after: str = ""  # the row of what follows `--`; "=" is the same one; empty: operands
    inner: int = -1  # operands from this one on are a command of their own


class Rule(NamedTuple):
    name: str  # the canonical alias
    effect: Effect
    takes: Takes = ""


class Rules(NamedTuple):
    names: dict[str, Rule]
    values: dict[str, list[tuple[str, Effect]]]  # canonical name -> start of a value, what it means


PLAIN = Grammar()


def check_row(place: Place, row: Any) -> dict[str, Any]:
    """A row with keys that are known and values of their kind."""
    if not isinstance(row, dict):
        raise place.error("", "a row is a table")
    for key, value in row.items():
        if key in EFFECTS or key == "like":
            kind: type = str
        elif key == "also":
            kind = list
        elif key in Grammar._fields:
            kind = type(getattr(PLAIN, key))
            kind = list if kind is tuple else kind
        else:
            raise place.error(key, f"unknown key {key}")
        if type(value) is not kind:
            raise place.error(key, f"{key} has a value of another kind")
        if key == "operands" and value not in get_args(Operands):
            raise place.error(key, f"operands are one of {', '.join(get_args(Operands))}")
    _check_options(place, {key: value for key, value in row.items() if key in EFFECTS})
    return row


def _check_options(place: Place, effects: dict[str, str]) -> None:
    """An option means one thing; only its values may mean others."""
    seen: dict[str, str] = {}
    for effect, text in effects.items():
        for token in text.split():
            for alias in () if "=" in token[:-1] and "|" not in token else token.split("|"):
                name = alias[:-1] if alias[-1:] in _SUFFIXES and alias != "-?" else alias
                if not name or seen.setdefault(name, effect) != effect:
                    raise place.error(effect, f"{name or token} means {seen.get(name)} already")


def _filled(rows: Rows, places: Mapping[str, Place]) -> Rows:
    """Each row with what the one that it is like says."""
    for name, row in rows.items():
        if row.get("like", name) not in rows:
            raise places[name].error("like", f"there is no row {row['like']}")
    shared = {name: {k: v for k, v in row.items() if k != "also"} for name, row in rows.items()}
    return {name: {**shared[row["like"]], **row} if "like" in row else row for name, row in rows.items()}


@cache
def _rows() -> Rows:
    return load_tables(_TABLES, check_row, _filled)


@cache
def folds() -> dict[str, str]:
    """Other spellings of a subcommand: `cargo t` is `cargo test`."""
    return {alias: name for name, row in _rows().items() for alias in row.get("also", ())}


@cache
def with_subcommands() -> frozenset[str]:
    """Names after which the next operand may be a subcommand."""
    named = (name for name, row in _rows().items() if not row.get("part"))
    return frozenset(name.rpartition(" ")[0] for name in (*named, *folds()) if " " in name)


def grammar_names() -> frozenset[str]:
    return frozenset(_rows())


def has_grammar(name: str) -> bool:
    return name in _rows()


@cache
def grammar_of(name: str) -> Grammar:
    row = _rows().get(name, {})
    made: dict[str, Any] = {k: tuple(value) if isinstance(value, list) else value for k, value in row.items()}
    return Grammar(**{key: value for key, value in made.items() if key in Grammar._fields})


def is_program(name: str) -> bool:
    """Is there a row for it? Some rows are only for what programs hand on."""
    if any(each.isspace() for each in name):  # one quoted word: nothing is called so
        return False
    return (has_grammar(name) and not grammar_of(name).part) or name in with_subcommands()


@cache
def tables(name: str) -> tuple[Rules, ...]:
    """The options known to `name`: its own, its bases', then those of the commands above it."""
    names = [name]
    for each in names:  # grows while it is walked: bases of bases
        names += [base for base in grammar_of(each).base if base not in names]
    above = name
    while " " in above:
        above = above.rpartition(" ")[0]
        names.append(above)
    return tuple(_rules(each) for each in dict.fromkeys(names) if has_grammar(each))


@cache
def _rules(name: str) -> Rules:
    """The row's own options, without those of its bases."""
    rules, row = Rules({}, {}), _rows()[name]
    for effect in EFFECTS:
        for token in row.get(effect, "").split():
            _add(rules, token, effect, bool(row.get("folded")))
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
        if alias[-1] in _SUFFIXES and alias != "-?":
            takes, alias = cast(Takes, alias[-1]), alias[:-1]
        aliases.append(alias)
    for alias in aliases:
        rules.names[alias.lower() if folded else alias] = Rule(aliases[0], effect, takes)


@lru_cache(maxsize=4096)
def find(name: str, option: str) -> Rule | None:
    grammar = grammar_of(name)
    folded = option.lower() if grammar.folded else option
    spellings: tuple[str, ...] = (folded,)
    if grammar.long:
        spellings = (folded, folded[1:] if folded[:2] == "--" else "-" + folded)
    for rules in tables(name):
        for spelling in spellings:
            if spelling in rules.names:
                return rules.names[spelling]
    return None
