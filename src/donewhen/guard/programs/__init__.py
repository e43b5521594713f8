"""Readers by program name; each module knows one family of programs. The tables are joined when first used."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from donewhen.guard.call import Output, Reader

_MODULES = "files archives finding git forge network packages machine data containers donewhen texts interpreters editors".split()


@cache
def readers() -> Mapping[str, Reader]:
    """Every reader, by the name of its program."""
    found: dict[str, Reader] = {}
    for name in _MODULES:
        found.update(import_module(f"{__name__}.{name}").READERS)
    return found


@cache
def outputs() -> Mapping[str, Output]:
    """Programs of which the output can be told from arguments and input."""
    table: Mapping[str, Output] = import_module(f"{__name__}.printing").OUTPUTS
    return table
