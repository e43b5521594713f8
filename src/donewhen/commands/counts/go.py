"""go test: a line per package; single tests only with -v or -json.

`ok` without single tests means that some ran, `(cached)` too. Subtests are parts of their test.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from donewhen.commands.counts.text import Lines
from donewhen.core.counts import Counts, add_up

_PACKAGE = re.compile(
    r"(?P<verdict>ok|FAIL)\s{1,8}(?!\d+\s)(?P<name>\S{1,300})\s{1,8}"
    r"(?:(?P<time>\d{1,9}\.\d{1,9}s)|\(cached\)|(?P<broken>\[(?:build|setup) failed\]))(?P<rest>\s.{0,200})?"
)
_NO_FILES = re.compile(
    r"\?\s{1,8}\S{1,300}\s{1,8}\[no test files\]|\s{1,8}\S{1,300}\s{1,8}coverage: 0\.0% of statements"
)
_TEST = re.compile(r"--- (?P<verdict>PASS|FAIL|SKIP): (?P<name>\S{1,300})(?: \([\d.]{1,12}s\))?")
_NONE = Counts(0, 0, runner="go")
_WARNING = "testing: warning: no tests to run"
_RUN = re.compile(r"=== RUN\s{1,8}\S{1,300}")
_VERDICTS = {"pass": "PASS", "fail": "FAIL", "skip": "SKIP"}


def read_go(lines: Lines) -> list[Counts]:
    parts: list[Counts] = []
    verdicts: list[str] = []
    verbose = none = False
    for line in lines:
        if found := _TEST.match(line):
            verdicts.append(found["verdict"])
            verbose = verbose or found["verdict"] != "FAIL"
        elif _RUN.fullmatch(line):
            verbose = True
        elif line == _WARNING:
            none = True
        elif found := _PACKAGE.fullmatch(line):
            parts.append(_NONE if none else _package(found, verdicts, verbose))
            verdicts, verbose, none = [], False, False
        elif _NO_FILES.fullmatch(line):
            parts.append(_NONE)
    if verdicts:
        parts.append(_tests(verdicts, verbose))
    elif none:
        parts.append(_NONE)
    whole = add_up(parts)
    return [whole] if whole else []


def _package(found: re.Match[str], verdicts: list[str], verbose: bool) -> Counts:
    if found["broken"]:
        return Counts(0, 0, errors=1, runner="go")
    if found["verdict"] == "ok" and "[no tests to run]" in (found["rest"] or ""):
        return Counts(0, 0, seconds=found["time"], runner="go")
    counts = _tests(verdicts, verbose)._replace(seconds=found["time"])
    # it panicked or left with an exit status of its own
    return counts._replace(errors=1) if found["verdict"] == "FAIL" and not counts.failed else counts


def _tests(verdicts: list[str], verbose: bool) -> Counts:
    passed, failed, skipped = (verdicts.count(verdict) for verdict in ("PASS", "FAIL", "SKIP"))
    if verbose and verdicts:
        return Counts(passed + failed, passed, failed, skipped=skipped, runner="go")
    return Counts(None, None, failed, runner="go")


def read_go_json(lines: Lines) -> list[Counts]:
    """`go test -json`: an object a line; the verdict on a package decides where no test is named."""
    verdicts: list[str] = []
    packages: list[str] = []
    tested: set[str] = set()
    for event in _events(lines):
        verdict, package, test = (str(event.get(key, "")) for key in ("Action", "Package", "Test"))
        if verdict not in _VERDICTS:
            continue
        if not test:
            packages.append(f"{verdict} {package}")
        elif "/" not in test:
            verdicts.append(_VERDICTS[verdict])
            tested.add(package)
    parts = [_tests(verdicts, True)] if verdicts else []
    parts += [_NONE for name in packages if name.startswith("skip ")]
    untested = [name for name in packages if name.partition(" ")[2] not in tested]
    parts += [Counts(0, 0, errors=1, runner="go") for name in untested if name.startswith("fail ")]
    if not verdicts and any(name.startswith("pass ") for name in untested):
        parts.append(_NONE)
    whole = add_up(parts)
    return [whole] if whole else []


def _events(lines: Lines) -> Iterable[dict[str, Any]]:
    for line in lines:
        if line.startswith(('{"Time":', '{"Action":')):
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event
