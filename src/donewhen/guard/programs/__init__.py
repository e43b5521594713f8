"""Readers by program name; each module knows one family of programs and is loaded when one of them is met."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from donewhen.guard.call import Output, Reader
from donewhen.guard.programs.index import NAMES


class _Readers(Mapping[str, Reader]):
    def __init__(self) -> None:
        self._homes = {name: module for module, names in NAMES.items() for name in names.split()}
        self._loaded: dict[str, Reader] = {}

    def __getitem__(self, name: str) -> Reader:
        if name not in self._loaded:
            module = import_module(f"{__name__}.{self._homes[name]}")
            self._loaded[name] = module.READERS[name]
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


@cache
def readers() -> Mapping[str, Reader]:
    """Every reader, by the name of its program."""
    return _Readers()


@cache
def outputs() -> Mapping[str, Output]:
    """Programs of which the output can be told from arguments and input."""
    table: Mapping[str, Output] = import_module(f"{__name__}.printing.outputs").OUTPUTS
    return table
