"""Programs that run lines given as words, and what wrappers write besides what they run.

One row a program. The commands that a wrapper runs are unwrapped elsewhere; here is what it does itself.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.guard.call import Call, File, Nested, Reader, Text, Words
from donewhen.guard.effects import Effect, Reads, Writes
from donewhen.guard.marks import STAR
from donewhen.guard.options import Options, options, read
from donewhen.guard.programs.finding.multiplexers import READERS as MULTIPLEXERS


class _Row(NamedTuple):
    table: Options
    texts: tuple[str, ...] = ()  # options with a line for a shell
    writes: tuple[str, ...] = ()  # options with a file that is written
    lines: bool = False  # every operand is a line for a shell
    file: bool = False  # its first operand is a file that is written


_ROWS: Mapping[str, _Row] = {
    "hyperfine": _Row(
        options(
            "iNh",
            "wmMrscpCSnPLDu",
            "ignore-failure show-output",
            "warmup min-runs max-runs runs setup cleanup prepare conclude shell command-name parameter-scan "
            "parameter-list export-json export-csv export-markdown style reference input output time-unit",
        ),
        ("-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference"),
        ("--export-json", "--export-csv", "--export-markdown"),
        lines=True,
    ),
    "concurrently": _Row(
        options("krhgi", "nclmsp", "kill-others raw", "names prefix-colors prefix success max-processes"),
        lines=True,
    ),
    "nodemon": _Row(
        options("qVLIC", "xweds", "quiet verbose", "exec watch ext delay signal ignore"), ("-x", "--exec")
    ),
    "strace": _Row(
        options("fcCqrtTvxyk", "oespaEbIOPSuUX", "", "output trace", first=True), (), ("-o", "--output")
    ),
    "ltrace": _Row(options("fcCirStTV", "oespanluxF", "", "output", first=True), (), ("-o", "--output")),
    "valgrind": _Row(options("qv", "", "", "tool", first=True), (), ("--log-file", "--xml-file")),
    "time": _Row(
        options("apvVq", "fo", "append verbose portability quiet", "format output", first=True),
        (),
        ("-o", "--output"),
    ),
    "perf": _Row(options("adgvqB", "oeFpCcr", "", "output event"), (), ("-o", "--output")),
    "script": _Row(
        options("aefqU", "cEIOBTotm", "append flush quiet", "command log-in log-out log-io log-timing"),
        (),
        ("-I", "-O", "-B", "-T", "--log-in", "--log-out", "--log-io", "--log-timing"),
        file=True,
    ),
    "flock": _Row(
        options(
            "sxeunoFh", "wEc", "shared exclusive unlock nonblock close no-fork", "timeout wait", first=True
        ),
        file=True,
    ),
}


_PIPED = ("|", "!")  # what comes out goes into a command


def _reader(row: _Row) -> Reader:
    def effects(call: Call) -> Iterator[Effect | Nested]:
        given = read(call.argv[1:], row.table)
        for name, value in given.options:
            if name in row.texts:
                yield Text(value, call.name)
            elif name in row.writes and value[:1] in _PIPED and call.name == "strace":
                yield Text(value[1:], call.name)
            elif name in row.writes and value:
                yield Writes(call.at(value))
        if row.lines:
            yield from (Text(line, call.name) for line in given.operands)
        if row.file:
            yield from (Writes(call.at(path)) for path in given.operands[:1] if not path.isdigit())

    return effects


def _capsh(call: Call) -> Iterator[Effect | Nested]:
    """What stands behind `--` or `==` is for a shell."""
    for mark in ("--", "=="):
        if mark in call.argv:
            yield Words(("bash", *call.argv[call.argv.index(mark) + 1 :]), call.name)


def _run_parts(call: Call) -> Iterator[Effect | Nested]:
    """Every program of a folder is run."""
    given = read(
        call.argv[1:], options("v", "au", "test list report reverse exit-on-error", "arg umask regex")
    )
    idle = given.has("--test", "--list")
    for folder in given.operands:
        path = f"{call.at(folder).rstrip('/')}/{STAR}"
        yield Reads(path, names=True) if idle else File(path, "sh", tuple(given.all("-a", "--arg")))


READERS: Mapping[str, Reader] = {
    **{name: _reader(row) for name, row in _ROWS.items()},
    "capsh": _capsh,
    "run-parts": _run_parts,
    **MULTIPLEXERS,
}
