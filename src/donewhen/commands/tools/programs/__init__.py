"""Every program that is known, by name and subcommand; compiled per program when first asked for.

Each module beside this one holds the tables of one ecosystem and nothing else.
"""

from functools import cache
from importlib import import_module

from donewhen.commands.tools.grammar import Grammar, Rules, compile_rules

ECOSYSTEMS: tuple[str, ...] = (
    *("runners", "node", "scripts", "python", "pylint", "rust", "go", "jvm", "dotnet", "make", "ruby"),
    *("linters", "containers", "others"),
)
PLAIN = Grammar()


@cache
def grammars() -> dict[str, Grammar]:
    """All tables, by `program subcommand`."""
    every: dict[str, Grammar] = {}
    for name in ECOSYSTEMS:
        every |= import_module(f"{__name__}.{name}").GRAMMARS
    return every


@cache
def folds() -> dict[str, str]:
    """Other spellings of a subcommand: `cargo t` is `cargo test`."""
    every: dict[str, str] = {}
    for name in ECOSYSTEMS:
        every |= getattr(import_module(f"{__name__}.{name}"), "FOLDS", {})
    return every


@cache
def with_subcommands() -> frozenset[str]:
    """Names after which the next operand may be a subcommand."""
    return frozenset(name.rpartition(" ")[0] for name in (*grammars(), *folds()) if " " in name)


@cache
def tables(name: str) -> tuple[Rules, ...]:
    """The options known to `name`: its own, its bases', then those of the commands above it."""
    every = grammars()
    names = [name]
    for each in names:  # grows while it is walked: bases of bases
        names += [base for base in every.get(each, PLAIN).base if base not in names]
    above = name
    while " " in above:
        above = above.rpartition(" ")[0]
        names.append(above)
    return tuple(compile_rules(every[each]) for each in dict.fromkeys(names) if each in every)


def grammar_of(name: str) -> Grammar:
    return grammars().get(name, PLAIN)
