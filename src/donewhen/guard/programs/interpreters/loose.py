"""Interpreters of languages that have no reader of their own: where their code is."""

from collections.abc import Iterable, Iterator

from donewhen.guard.call import Call, File, Nested, Reader
from donewhen.guard.effects import Effect, Reads, RunsFetched
from donewhen.guard.programs.interpreters.readers import code

_PROGRAMS = (
    "erl ocaml utop ghci runhaskell nim crystal swipl gprolog gnuplot gforth kotlin kotlinc scala "
    "scala-cli amm jshell matlab csharp csharprepl rust-script evcxr clisp ecl csi chez petite gosh janet "
    "fennel rexx gst picat wolframscript maxima sage gap maple coffee fsharpi scheme mit-scheme "
    "planck lumo cljs factor hy pike"
).split()
_CODE = frozenset(
    "-e -E -c -g -t -x -r -s --eval -eval --execute -batch --expr --expression --command -code --goal "
    "eval".split()
)
_FILES = frozenset("-f -l --load -load --script -script".split())
_TELLS = frozenset("--version -version -v -V --help -help -h".split())


def _reader(call: Call) -> Iterable[Effect | Nested]:
    words = call.argv[1:]
    codes, files, operands = _sorted(words)
    for text in codes:
        yield from code("loose", text, call)
    for path in (*files, *(() if codes else operands[:1])):
        yield from _file(call, path)
    for word in operands:
        yield Reads(call.at(word))
    if call.stdin is not None and not codes and not operands and not _TELLS.intersection(words):
        yield from code("loose", call.stdin, call)


def _file(call: Call, path: str) -> Iterator[Effect | Nested]:
    if path.startswith(("http://", "https://")):
        yield RunsFetched(call.name)
    elif path == "-":
        if call.stdin is not None:
            yield from code("loose", call.stdin, call)
    elif "/" in path or "." in path:
        yield File(call.at(path), call.name)


def _sorted(words: tuple[str, ...]) -> tuple[list[str], list[str], list[str]]:
    """Code, files of code, and the rest; options that are not known are passed over."""
    codes: list[str] = []
    files: list[str] = []
    operands: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, value = _attached(word)
        if name in _CODE or name in _FILES:
            if value is None:
                value = words[at] if at < len(words) else ""
                at += 1
            (codes if name in _CODE else files).append(value)
        elif word.startswith("("):
            codes.append(word)
        elif not word.startswith("-") or word == "-":
            operands.append(word)
    return codes, files, operands


def _attached(word: str) -> tuple[str, str | None]:
    """`--eval=code`, `--eval:code`."""
    if not word.startswith("--"):
        return word, None
    for sign in "=:":
        name, found, value = word.partition(sign)
        if found and name in _CODE | _FILES:
            return name, value
    return word, None


READERS: dict[str, Reader] = dict.fromkeys(_PROGRAMS, _reader)
