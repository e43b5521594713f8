"""Guard decisions: plain commands, tangled ones, nested texts, and the worst that can be sent."""

import subprocess
import sys
from itertools import count

from benchmarks.measure import Figure, at_least, at_most, interleaved
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND

HOW = (
    "whole decisions (parse, walk, rules) on the fixed ground of corpora, each text made new by a number in it so that "
    "no cache answers; medians of 9 rounds; worst: the slowest of a list of hostile texts, once each"
)
ROUNDS = 9
PLAIN = (
    "npm test -- --run {}",
    "git status && git diff --stat HEAD~{}",
    "grep -rn 'rm -rf' src | head -{}",
    "pytest -q tests/test_{}.py > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt",
    "git push -f origin main{}",
    "rm -rf build/{} dist",
)
WORST = (
    "true && " * 3000 + "rm -rf ~",
    "; ".join(["x=a$x"] * 150),
    "rm " + " ".join(f"{{a,b}}{{c,d}}{{e,f}}{n}" for n in range(400)),
    "x=aaaaaaaaaa; " + "x=$x$x; " * 150 + "eval $x",
    "f() { f | f & }; f",
    "python3 -c '" + "(" * 5000 + ")" * 5000 + "'",
    "cat " + "*" * 5000,
    "echo " + "$(echo " * 30 + "x" + ")" * 30,
    "bash -c 'bash -c \"eval rm\"'; " * 90,
    "for a in 1 2 3 4 5 6; do " * 8 + "rm $a;" + " done;" * 8,
    "sed '" + "s/a/b/;" * 5000 + "' x",
    "echo '" + "A" * 60000 + "' | base64 -d | base64 -d | sh",
    "x" * 1_000_000,
    ("echo $x " + "a " * 10 + "\n") * 1150,
    "a|b|c $x\n" * 1150,
)


def figures() -> list[Figure]:
    guard, number = Guard(GROUND), count()

    def fresh(patterns: tuple[str, ...], rounds: int) -> None:
        for _ in range(rounds):
            for pattern in patterns:
                guard.command(pattern.format(next(number)))

    times = interleaved(
        {
            "plain": lambda: fresh(PLAIN, 50),
            "variable": lambda: fresh(("B=main; git push -f origin $B{}",), 20),
            "nested": lambda: fresh(("bash -c 'npm test {} $X'",), 20),
        },
        ROUNDS,
    )
    plain = 300 / times["plain"]
    slowest = max(_once(guard, text) for text in WORST)
    return [
        at_least("decisions on the fast path", plain, "/s", 5000),
        at_most("a text for the parser", times["variable"] / 20 * 1000, "ms", 6),
        at_most("a text for the parser in `bash -c`", times["nested"] / 20 * 1000, "ms", 11),
        at_most("the slowest of the hostile texts", slowest, "s", 1.5),
        at_most("peak memory for the hostile texts, parser included", _memory(), "MB", 200),
    ]


def _memory() -> float:
    """In a process of its own, because a process never gives its peak back."""
    done = subprocess.run([sys.executable, "-c", _ALONE], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


_ALONE = """
import resource
from pathlib import Path
from benchmarks.guard import WORST
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
for text in WORST:
    Guard(GROUND).command(text)
# what getrusage says of this process includes the one that started it
own = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(own.split()[1]) + resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _once(guard: Guard, text: str) -> float:
    from time import perf_counter

    start = perf_counter()
    guard.command(text)
    return perf_counter() - start
