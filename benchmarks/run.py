"""`make bench`: take every figure, print it, and write benchmarks/RESULTS.md."""

import platform
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import (
    fingerprint,
    gate,
    gates,
    guard,
    hooks,
    integrity,
    ledger,
    live,
    models,
    processes,
    redaction,
    report,
    resuming,
    seeing,
    shell,
    startup,
    turns,
    verify,
)
from benchmarks.measure import Figure

PARTS = {
    "Start-up": startup,
    "Ledger": ledger,
    "Redaction": redaction,
    "Shell": shell,
    "Gate": gate,
    "Guard": guard,
    "Hooks of other agents": hooks,
    "Processes": processes,
    "Fingerprints": fingerprint,
    "Verify": verify,
    "Integrity": integrity,
    "Quality gates": gates,
    "Turns": turns,
    "Models": models,
    "Live view": live,
    "Seeing runs": seeing,
    "Reports": report,
    "Going on": resuming,
}


def line(figure: Figure) -> str:
    value = (
        f"{figure.value:,.0f}"
        if figure.value >= 100
        else f"{figure.value:.2g}"
        if figure.value < 1
        else f"{figure.value:.1f}"
    )
    met = "" if figure.met is None else "yes" if figure.met else "**no**"
    return f"| {figure.name} | {value} {figure.unit} | {figure.target} | {met} | {figure.ratio} |"


def machine() -> str:
    import os

    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}"
    )


def main() -> int:
    out = [
        "# Results",
        "",
        f"Written by `make bench` on {machine()}. Machines are noisy: read the ratios.",
        "",
    ]
    missed = []
    for title, part in PARTS.items():
        figures = part.figures()
        missed += [figure.name for figure in figures if figure.met is False]
        out += [
            f"## {title}",
            "",
            f"How: {part.HOW}.",
            "",
            "| what | figure | target | met | ratio |",
            "|---|---|---|---|---|",
        ]
        out += [*map(line, figures), ""]
    text = "\n".join(out)
    print(text)
    (Path(__file__).parent / "RESULTS.md").write_text(text)
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
