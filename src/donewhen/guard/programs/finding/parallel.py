"""GNU parallel: its words and its inputs make lines for a shell.

An input is quoted as parallel does it, unless the whole command is the input. What can't be combined within
bounds is a hole.
"""

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Effect, Reads, Writes
from donewhen.guard.marks import HOLE, certain
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.printing.lines import LIMIT, given, lines_of, unknown

_PARALLEL = options(
    "kqXmuvtr0",
    "jaISNnLPCdsE",
    "keep-order quote dry-run dryrun pipe pipepart xargs bar eta progress null tag line-buffer ungroup "
    "verbose no-run-if-empty shuf halt-on-error will-cite resume",
    "jobs arg-file sshlogin sshloginfile max-args max-lines colsep delimiter joblog results tmpdir workdir "
    "wd timeout retries delay halt load memfree block recstart recend arg-sep arg-file-sep env basefile "
    "return nice slf tagstring",
    first=True,
)
_SOURCES = frozenset((":::", ":::+", "::::", "::::+"))
_MOST_RUNS = 64
_MOST_SOURCES = 8
_WRITES = ("--joblog", "--results", "--tmpdir")


class _Input(NamedTuple):
    items: tuple[str, ...]
    files: tuple[str, ...] = ()


def parallel(call: Call) -> Iterator[Effect | Nested]:
    words = call.argv[1:]
    start = next((at for at, word in enumerate(words) if word in _SOURCES), len(words))
    found = read(words[:start], _PARALLEL)
    sources = list(_sources(words[start:]))
    command, old = _moreutils(found.operands)
    files = [*found.all("-a", "--arg-file"), *(path for source in sources for path in source.files)]
    yield from (Reads(call.at(path)) for path in files)
    yield from (Writes(call.at(path)) for name in _WRITES for path in found.all(name))
    if found.has("--dry-run", "--dryrun"):
        return
    where = found.has("-S", "--sshlogin", "--sshloginfile", "--slf")
    moved = found.value("--wd", "--workdir")
    folder = call.at(moved) if moved else ""
    for text in _texts(call, found, command, [source.items for source in sources] or old):
        yield Text(
            text, call.name, "" if folder == call.folder else folder, elsewhere="host" if where else ""
        )


def _moreutils(operands: tuple[str, ...]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The older program of that name: `parallel command -- items`."""
    if "--" not in operands:
        return operands, []
    at = operands.index("--")
    return operands[:at], [operands[at + 1 :]]


def _sources(words: Sequence[str]) -> Iterator[_Input]:
    kind, items = "", list[str]()
    for word in (*words, ":::"):
        if word not in _SOURCES:
            items.append(word)
            continue
        if kind.startswith("::::"):
            yield _Input((HOLE,), tuple(items))
        elif kind:
            yield _Input(tuple(items))
        kind, items = word, []


def _texts(
    call: Call, found: Given, command: tuple[str, ...], sources: Sequence[Sequence[str]]
) -> Iterator[str]:
    if found.has("--pipe", "--pipepart"):
        yield " ".join(command)
        return
    if not sources:
        text = HOLE if found.has("-a", "--arg-file") else given(call)
        sources = [lines_of(text)]
    runs = list(islice(product(*sources), _MOST_RUNS + 1))
    if len(runs) > _MOST_RUNS:
        runs[_MOST_RUNS:] = [(unknown(*(item for source in sources for item in source)),)]
    if len(sources) > _MOST_SOURCES:
        runs = [(unknown(*command),)]
    mark = found.value("-I") or "{}"
    for items in runs:
        yield _line(command, items, mark, found.has("-q", "--quote"))


def _line(command: tuple[str, ...], items: Sequence[str], mark: str, quoted: bool) -> str:
    if not command:
        return " ".join(items)
    line = shlex.join(command) if quoted else " ".join(command)
    if len(line) + line.count("{") * sum(map(len, items)) > LIMIT * 2:
        return unknown(line, *items)
    shown = [_quoted(item) for item in items]
    if not _placed(line, mark):
        return f"{line} {' '.join(shown)}"
    for number, item in enumerate(items, 1):
        for form, text in _forms(item):
            line = line.replace(f"{{{number}{form}}}", _quoted(text))
    for form, text in _forms(items[0] if items else ""):
        line = line.replace(f"{{{form}}}", " ".join(shown) if not form else _quoted(text))
    return line.replace(mark, " ".join(shown)).replace("{#}", "1").replace("{%}", "1")


def _placed(line: str, mark: str) -> bool:
    return mark in line or any(
        f"{{{form}}}" in line for form in ("", ".", "/", "//", "/.", "1", "2", "3", "1.", "1/")
    )


def _forms(item: str) -> list[tuple[str, str]]:
    """What the placeholders {} {.} {/} {//} {/.} take of an item."""
    folder, _, name = item.rpartition("/")
    stem = item.rpartition(".")[0] if "." in name else item
    bare = name.rpartition(".")[0] if "." in name else name
    return [("", item), (".", stem), ("//", folder or "."), ("/.", bare), ("/", name)]


def _quoted(item: str) -> str:
    return shlex.quote(item) if certain(item) or " " in item else item
