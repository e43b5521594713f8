"""How fast redaction is, how often it is wrong on ordinary tool output, and what it finds.

Collects its material on the spot: the repository's own history, installed packages, the standard library,
and made-up lock files, traces and test reports that are the same on every machine. Refuses to judge: it
prints figures; the targets are at least 20 MB/s, at most 1 false redaction in 10,000 lines, and less than
15 µs for an event payload of 0.9 kB.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from donewhen.secrets.examples import expand, filler
from donewhen.secrets.redact import Redactor
from donewhen.secrets.shapes import SHAPES
from donewhen.secrets.spans import find

if TYPE_CHECKING:
    from benchmarks.measure import Figure

HOW = "ordinary output, taken on the spot, in chunks of 64 KiB, best of 3; every redaction counts as false"
ROOT = Path(__file__).resolve().parents[1]
LIMIT = 12_000_000
FORMS = (
    'password = "{}"', "DB_PASSWORD={}", '{{"api_key": "{}"}}', "client_secret: {}", "run --token {} x",
    "X-Api-Key: {}", "Authorization: Bearer {}", "postgres://bob:{}@db.invalid/x", "?access_token={}&x=1",
)  # fmt: skip
HOSTILE = (
    "a",
    "token=",
    "Tok3nToken1=",
    "-----BEGIN ",
    "eyJ",
    "://",
    "password",
    "sk-",
    expand("{begin} {pk}-----"),
    "'key': ",
    "api_key=" + filler("w", 8),
    "apiKey1=",
    "Auth1Cred=",
    "=PwdTokenPwdA",
    "Token" + filler("w", 6) + "=",
    "pwd:pwd9=",
    " -p",
    "Bearer ",
)


def output_of(*command: str) -> str:
    """What a command prints, or nothing where it can't run."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")


def lock_files(count: int = 1500) -> str:
    """Hashes, ids and digests as lock files, git, docker and test data have them."""
    lines = []
    for n in range(count):
        hexes, b64 = filler("h", 64, n), filler("b", 86, n)
        lines += [
            f'    "node_modules/package-{n}": {{',
            f'      "version": "{n % 9}.{n % 31}.{n % 7}",',
            f'      "integrity": "sha512-{b64}==",',
            f"package-{n}=={n % 9}.{n % 31} \\",
            f"    --hash=sha256:{hexes} \\",
            f"commit {hexes[:40]}",
            f"index {hexes[:7]}..{hexes[7:14]} 100644",
            f"image: app/service-{n}@sha256:{hexes}",
            f"request {hexes[:8]}-{hexes[8:12]}-4{hexes[12:15]}-a{hexes[15:18]}-{hexes[18:30]} done",
            f'fixture_{n} = "{filler("b", 120, n)}"',
        ]
    return "\n".join(lines)


def reports(count: int = 1500) -> str:
    """Stack traces, TAP, pytest and compiler output."""
    lines = []
    for n in range(count):
        lines += [
            "Traceback (most recent call last):",
            f'  File "src/app/auth/token_store.py", line {n}, in refresh_token',
            "    token = self.tokens.pop(key_of(user), None) or self.fetch_token(user.password_reset_url)",
            f"KeyError: 'session_key_{n}'",
            f"ok {n} - login rejects a wrong password # time={n % 17}ms",
            f"tests/auth/test_token.py::test_secret_is_hidden[case-{n}] PASSED [{n % 100}%]",
            f"src/auth.ts({n},{n % 80}): error TS2345: 'ApiKey' is not assignable to 'string'.",
            f"prompt_tokens: {n * 37}, completion_tokens: {n * 11}, total_tokens={n * 48}",
            f"authorization: {('allow', 'deny')[n % 2]} user-{n} key=cache:users:{n}:profile",
        ]
    return "\n".join(lines)


def ordinary_output() -> dict[str, str]:
    """Ordinary tool output by kind."""
    library = Path(json.__file__).parents[1]
    sources = "\n".join(path.read_text("utf-8", "replace") for path in sorted(library.glob("*.py")))
    tests = "\n".join(
        path.read_text("utf-8", "replace") for path in sorted(library.glob("test/test_[a-m]*.py"))
    )
    installed = "\n".join(
        path.read_text("utf-8", "replace")
        for path in sorted(Path(sys.prefix).glob("lib/python*/site-packages/*.dist-info/*"))
        if path.name in ("METADATA", "RECORD")
    )
    kinds = {
        "git log": output_of("git", "log", "-p", "--stat", "-n", "200"),
        "pip list": output_of(sys.executable, "-m", "pip", "list"),
        "tests": output_of(sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"),
        "standard library": sources[:LIMIT],
        "standard library tests": tests[:LIMIT],
        "installed packages": installed[:LIMIT],
        "lock files": lock_files(),
        "reports": reports(),
    }
    return {kind: text for kind, text in kinds.items() if text}


def seconds(action: Callable[[], object], repeat: int = 3) -> float:
    """The best of some runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def throughput(kinds: dict[str, str]) -> dict[str, Any]:
    redactor, text = Redactor(), "\n".join(kinds.values())
    chunks = [text[at : at + 65_536] for at in range(0, len(text), 65_536)]  # as outputs come: 64 KiB at most
    size = len(text.encode("utf-8", "replace"))
    spent = seconds(lambda: [redactor.text(chunk) for chunk in chunks])
    floor = seconds(lambda: ["\x00absent" in chunk.lower() for chunk in chunks])
    return {
        "megabytes": round(size / 1e6, 1),
        "mb_per_second": round(size / spent / 1e6, 1),
        "times_the_floor": round(spent / floor, 1),
    }


def false_redactions(kinds: dict[str, str]) -> dict[str, Any]:
    """Every span found in ordinary output counts as false; some examples are shown."""
    count, lines = 0, 0
    samples: list[str] = []
    for kind, text in kinds.items():
        lines += text.count("\n") + 1
        for span in find(text):
            count += 1
            start = text.rfind("\n", 0, span.start) + 1
            if len(samples) < 10:
                samples.append(f"{kind}: {span.rule}: {text[start : span.start][-60:]}…")
    return {
        "lines": lines,
        "false": count,
        "per_10000_lines": round(count / lines * 10_000, 3),
        "samples": samples,
    }


def planted() -> dict[str, Any]:
    """Made-up secrets of every shape and form, among ordinary lines."""
    redactor, total, missed = Redactor(), 0, []
    for seed in range(20):
        cases = [(expand(template, seed), "see {} there") for shape in SHAPES for template in shape.match]
        values = [filler("w", 20 + seed, seed), filler("h", 32, seed), filler("w", 40, seed + 50)]
        cases += [(value, form) for value in values for form in FORMS]
        for secret, form in cases:
            total += 1
            if secret in redactor.text("one line\n" + form.format(secret) + "\nanother"):
                missed.append(form)
    return {"planted": total, "found": total - len(missed), "missed_forms": sorted(set(missed))}


def payload() -> dict[str, Any]:
    """An event payload of about 0.9 kB with ten strings."""
    lines = "src/app/store/sqlite.py:118: note: looks fine, nothing to do here\n" * 5
    return {
        "tool": "run_command",
        "argv": ["python", "-m", "pytest", "-q", "tests/store"],
        "cwd": "/home/u/repo/worktree",
        "exit": 0,
        "fingerprint": filler("h", 40),
        "run": "550e8400-e29b-41d4-a716-446655440000",
        "output": "tests/store/test_append.py ........ [ 40%]\n\n19 passed in 0.42s\n" + lines,
        "reason": "the tests of the store were run on the tree that will be shipped",
        "changed": ["src/app/store/sqlite.py", "tests/store/test_append.py", "CHANGELOG.md"],
        "note": "two files changed, one test added, nothing was deleted by this turn",
    }


def events() -> dict[str, Any]:
    event, rounds = payload(), 2000
    results: dict[str, Any] = {"bytes": len(json.dumps(event))}
    for name, values in (("no_values", 0), ("three_values", 3)):
        redactor = Redactor(filler("w", 24, seed) for seed in range(values))
        redactor.data(event)
        spent = seconds(lambda redactor=redactor: [redactor.data(event) for _ in range(rounds)], 5)  # type: ignore[misc]
        results[f"microseconds_{name}"] = round(spent / rounds * 1e6, 1)
    return results


def hostile() -> dict[str, Any]:
    """Seconds for 1 MB of each repeated piece, and what doubling it costs (2 is linear)."""
    redactor, results = Redactor(), {}
    for unit in HOSTILE:
        one, two = unit * (1_000_000 // len(unit)), unit * (2_000_000 // len(unit))
        first = seconds(lambda one=one: redactor.text(one), 2)  # type: ignore[misc]
        second = seconds(lambda two=two: redactor.text(two), 2)  # type: ignore[misc]
        results[unit] = {"seconds": round(first, 3), "doubling": round(second / first, 2)}
    return results


def import_milliseconds() -> float:
    code = "import re, typing, time; t = time.perf_counter(); import donewhen.secrets.redact; "
    code += "print((time.perf_counter() - t) * 1e3)"
    best = [float(output_of(sys.executable, "-c", code) or "nan") for _ in range(5)]
    return round(min(best), 1)


def figures() -> "list[Figure]":
    """The figures that `make bench` holds against their targets."""
    from benchmarks.measure import Figure, at_least, at_most

    kinds = ordinary_output()
    speed, wrong, found, event = throughput(kinds), false_redactions(kinds), planted(), events()
    cases = hostile().values()
    worst = max(cases, key=lambda case: case["doubling"])
    return [
        at_least(
            "redaction",
            speed["mb_per_second"],
            "MB/s",
            20,
            f"{speed['times_the_floor']} × lower() and one `in`",
        ),
        at_most(
            f"false redactions in {wrong['lines']:,} lines", wrong["per_10000_lines"], "per 10,000 lines", 1
        ),
        at_least("planted secrets found", found["found"] / found["planted"] * 100, "%", 100),
        at_most("event payload of 0.9 kB", event["microseconds_no_values"], "µs", 15),
        Figure("the same with three declared values", event["microseconds_three_values"], "µs"),
        at_most("hostile megabyte", max(case["seconds"] for case in cases), "s", 2),
        at_most("hostile megabyte, cost of doubling it", worst["doubling"], "×", 3),
        at_most("import", import_milliseconds(), "ms", 15),
    ]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    kinds = ordinary_output()
    results = {
        "throughput": throughput(kinds),
        "ordinary": false_redactions(kinds),
        "planted": planted(),
        "event": events(),
        "hostile": hostile(),
        "import_ms": import_milliseconds(),
    }
    if options.json:
        print(json.dumps(results, ensure_ascii=False))
        return 0
    for name, figures in results.items():
        print(f"{name}: {json.dumps(figures, ensure_ascii=False)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
