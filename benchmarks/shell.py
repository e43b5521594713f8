"""Shell trees: the fast path, the parser behind it, and texts seen before."""

from itertools import count

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.commands import parse
from donewhen.shell.nest import Nest
from donewhen.shell.reading import read_with_parser
from donewhen.shell.unwrapping import unwrap

HOW = (
    "each text made new by a number in it, so that the cache never answers except where said; medians of 9 rounds "
    "of 300 texts (parser: 30); the parser is one process a text"
)
ROUNDS = 9


def figures() -> list[Figure]:
    number = count()

    def fresh(pattern: str, texts: int) -> None:
        for _ in range(texts):
            parse(pattern.format(next(number)))

    def again() -> None:
        for _ in range(300):
            parse("npm test -- --coverage")

    def parser() -> None:
        for _ in range(30):
            read_with_parser(f"echo $x && npm test {next(number)}", Nest(lambda *_: (), unwrap))

    times = interleaved(
        {
            "plain": lambda: fresh("npm test -- --coverage {}", 300),
            "chain": lambda: fresh("cd web && npm ci && npm test {} 2>&1 | tail -5", 300),
            "wrapped": lambda: fresh("sudo env A=1 timeout 600 npm test {}", 300),
            "text": lambda: fresh("bash -c 'npm test {} | tail -5'", 300),
            "again": again,
            "parser": parser,
        },
        ROUNDS,
    )
    micros = {name: taken / (30 if name == "parser" else 300) * 1e6 for name, taken in times.items()}
    return [
        at_most("parse: a plain command", micros["plain"], "µs", 50),
        Figure("parse: a chain of four with a pipe", micros["chain"], "µs"),
        Figure("parse: three wrappers round a command", micros["wrapped"], "µs"),
        Figure("parse: a text in `bash -c`", micros["text"], "µs"),
        Figure("parse: a text seen before", micros["again"], "µs"),
        Figure("parse: a text with a variable, by the parser", micros["parser"] / 1000, "ms"),
    ]
