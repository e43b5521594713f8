"""Readers by program name: code where a row can't say it, loaded when one is met, else the program's row."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any

from donewhen.guard.call import Call, Output, Reader
from donewhen.guard.programs.index import NAMES
from donewhen.shell.programs import programs, row_of


class _Readers(Mapping[str, Reader]):
    def __init__(self) -> None:
        self._homes = {name: module for module, names in NAMES.items() for name in names.split()}
        self._loaded: dict[str, Reader] = {}

    def __getitem__(self, name: str) -> Reader:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Reader:
        if name in self._homes:
            reader: Reader = import_module(f"{__name__}.{self._homes[name]}").READERS[name]
            return reader
        if row_of(name) is None:
            raise KeyError(name)
        return partial(by_row, name)

    def __contains__(self, name: object) -> bool:
        return name in self._homes or (isinstance(name, str) and row_of(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._homes, **dict.fromkeys(programs())})

    def __len__(self) -> int:
        return len({*self._homes, *programs()})


def by_row(name: str, call: Call) -> Iterable[Any]:
    """What the program's row says."""
    from donewhen.guard.programs.rows import program_of, read_row

    known = program_of(name)
    if known is None:
        return ()
    if known.verbs:
        from donewhen.guard.programs.acts import read_managed

        return read_managed(call, known)
    return read_row(call, known)


@cache
def readers() -> Mapping[str, Reader]:
    """Every reader, by the name of its program."""
    return _Readers()


@cache
def outputs() -> Mapping[str, Output]:
    """Programs of which the output can be told from arguments and input."""
    table: Mapping[str, Output] = import_module(f"{__name__}.printing.outputs").OUTPUTS
    return table
