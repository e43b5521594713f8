"""Runs some test functions of a Python project again and again, each time with a mutant of the product.

A plugin of pytest, and a program in the place of `python -m unittest`. The project is loaded once; every
round is a child process of its own, in which the mutant's code takes the place of the function's. So no file
is written, and a round that hangs is only killed.

It is copied beside a run and loaded in the environments of projects: standard library only, any Python from
3.7 on. DONEWHEN_STRENGTH names a JSON file with `root`, `select` (file → names), `trace` (files whose lines
are noted in the first round), `mutants` (a file and its text for each), `out` (a folder; one file of JSON
rows for each round), `first` and `seconds` (limits of the first round and of all). Round 0 is without a
mutant, then each mutant is a round, and one more without any comes last.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

VARIABLE = "DONEWHEN_STRENGTH"
_REAL = os.path.realpath  # tests may replace it
FUNCTION = type(lambda: None)


class Selection:
    def __init__(self, place: str) -> None:
        with open(place, encoding="utf-8") as file:  # noqa: PTH123
            told = json.load(file)
        self.root = _REAL(told["root"])
        self.select = {path: set(names) for path, names in told["select"].items()}
        self.traced = {os.path.join(self.root, path): path for path in told["trace"]}  # noqa: PTH118
        self.mutants: list[list[str]] = told["mutants"]
        self.out = told["out"]
        self.first = told["first"]
        self.seconds = told["seconds"]
        self.failed: set[str] = set()
        self.lines: dict[str, set[int]] = {}
        self._known: dict[str, str] = {}
        self._stream: Any = None
        self._pid = 0

    def rounds(self, run: Any) -> None:
        """Call `run` in a child for each round; one that takes too long is killed."""
        ends = time.monotonic() + self.seconds
        sys.stdout.flush()
        start = time.monotonic()
        self._round(0, run, self.first)
        limit = max(1.0, 5 * (time.monotonic() - start))
        for number in range(1, len(self.mutants) + 2 if self.mutants else 1):
            if ends - time.monotonic() < limit:
                return
            self._round(number, run, limit)

    def _round(self, number: int, run: Any, limit: float) -> None:
        pid = os.fork()
        if not pid:
            self._child(number, run)
        if not _wait(pid, limit):
            self._begin(number)
            self.tell("killed", "")
        os.rename(self._place(number), self._place(number)[:-1])  # noqa: PTH104 - from .jsonl to .json: whole

    def _place(self, number: int) -> str:
        return os.path.join(self.out, f"{number}.jsonl")  # noqa: PTH118

    def _child(self, number: int, run: Any) -> None:
        try:
            self._begin(number)
            mutant = self.mutants[number - 1] if 0 < number <= len(self.mutants) else None
            if number:
                self.traced = {}
            if mutant is None or replace_code(os.path.join(self.root, mutant[0]), mutant[1]):  # noqa: PTH118
                run()
                self.finish()
            else:
                self.tell("not placed", "")
            self._stream.flush()
        finally:
            os._exit(0)

    def _begin(self, number: int) -> None:
        self._stream = open(self._place(number), "a", encoding="utf-8")  # noqa: PTH123, SIM115
        self._pid = os.getpid()

    def tell(self, *row: object) -> None:
        if os.getpid() == self._pid:  # a test may fork as well
            self._stream.write(json.dumps(row) + "\n")
            self._stream.flush()

    def key(self, file: str, names: str) -> str:
        """`file::name` where it is one of the functions asked for, else nothing."""
        path = os.path.relpath(_REAL(file), self.root)
        parts = names.split("[")[0].split(".")
        if "<locals>" in parts:
            parts = parts[-1:]
        for start in range(len(parts)):
            name = ".".join(parts[start:])
            if name in self.select.get(path, ()):
                return path + "::" + name
        return ""

    def of_function(self, function: Any) -> str:
        """By where it is written: a method of a mixin is run by classes of other files."""
        for _ in range(20):
            function = getattr(function, "__wrapped__", function)
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        name = getattr(function, "__qualname__", "")
        return self.key(code.co_filename, name) if code is not None else ""

    def start(self, key: str) -> None:
        self.tell("start", key)
        if self.traced:
            threading.settrace(self.trace)
            sys.settrace(self.trace)

    def stop(self) -> None:
        if self.traced:
            sys.settrace(None)
            threading.settrace(None)

    def end(self, key: str, outcome: str) -> None:
        if outcome == "failed":
            self.failed.add(key)
        self.tell(outcome, key)

    def finish(self) -> None:
        self.tell("finished", "")
        for path, lines in sorted(self.lines.items()):
            self.tell("lines", path, sorted(lines))

    def trace(self, frame: FrameType, event: str, value: object) -> Any:
        name = frame.f_code.co_filename
        path = self._known.get(name)
        if path is None:
            path = self._known[name] = self.traced.get(_REAL(name), "")
        if not path or frame.f_code.co_name == "<module>":
            return None
        seen = self.lines.setdefault(path, set())

        def line(frame: FrameType, event: str, value: object) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return line

        return line


class Plugin:
    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.keys: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        kept = []
        for item in items:
            key = self.selection.of_function(getattr(item, "function", None) or getattr(item, "obj", None))
            file, _, rest = item.nodeid.partition("::")
            rest = rest.partition("[")[0].replace("::", ".")
            place = str(getattr(item, "path", None) or getattr(item, "fspath", file))
            key = key or self.selection.key(place, rest)
            if key:
                self.keys[item.nodeid] = key
                kept.append(item)
        items[:] = kept

    def pytest_runtest_setup(self, item: Any) -> None:
        import pytest

        if self.keys.get(item.nodeid, "") in self.selection.failed:
            pytest.skip("one of its rows failed")

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.selection.start(self.keys.get(nodeid, ""))

    def pytest_runtest_logreport(self, report: Any) -> None:
        key = self.keys.get(report.nodeid, "")
        if not key:
            return
        if report.outcome == "failed":
            self.selection.end(key, "failed")
        elif report.outcome == "skipped" or hasattr(report, "wasxfail"):
            self.selection.end(key, "skipped")
        elif report.when == "call":
            self.selection.end(key, "passed")

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.selection.stop()

    def pytest_runtestloop(self, session: Any) -> bool:
        def run() -> None:
            for number, item in enumerate(session.items):
                following = session.items[number + 1] if number + 1 < len(session.items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

        if session.items:
            self.selection.rounds(run)
        return True


def pytest_load_initial_conftests(early_config: Any, parser: Any, args: list[str]) -> None:
    """What the project's settings ask for beside the tests themselves is switched off, where it is there."""
    for options, off in _BESIDE:
        if any(each.startswith(options) for each in args):
            args.append(off)


_BESIDE = (
    (("--cov",), "--no-cov"),
    (("-n", "--numprocesses"), "-n0"),
    (("--reruns",), "--reruns=0"),
    (("-x", "--exitfirst", "--maxfail"), "--maxfail=100000"),
)


def pytest_configure(config: Any) -> None:
    place = os.environ.get(VARIABLE, "")
    if place and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Plugin(Selection(place)), "donewhen-strength")


def run_unittest(words: list[str]) -> None:
    import unittest

    selection = Selection(os.environ[VARIABLE])
    run = unittest.TestCase.run

    def run_selected(self: Any, result: Any = None) -> Any:
        key = selection.of_function(getattr(self, getattr(self, "_testMethodName", ""), None))
        if not key or key in selection.failed or result is None:
            return result
        before = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
        skipped = len(result.skipped) + len(result.expectedFailures)
        selection.start(key)
        try:
            return run(self, result)
        finally:
            selection.stop()
            failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses) > before
            ran = len(result.skipped) + len(result.expectedFailures) == skipped
            selection.end(key, "failed" if failed else "passed" if ran else "skipped")

    class Rounds:
        def run(self, suite: Any) -> Any:
            selection.rounds(lambda: unittest.TextTestRunner().run(suite))
            return unittest.TestResult()

    unittest.TestCase.run = run_selected  # type: ignore[method-assign]
    sys.path[0] = os.getcwd()  # noqa: PTH109
    unittest.main(module=None, argv=["python -m unittest", *words], testRunner=Rounds(), exit=False)


def _wait(pid: int, limit: float) -> bool:
    ends = time.monotonic() + limit
    pause = 0.001
    while True:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        if time.monotonic() > ends:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def replace_code(place: str, text: str) -> int:
    """Give the functions of a loaded file the code that they have in `text`; how many got another one."""
    real = _REAL(place)
    known: dict[str, bool] = {}
    functions = []
    for each in gc.get_objects():
        if type(each) is FUNCTION:
            name = each.__code__.co_filename
            if name not in known:
                known[name] = _REAL(name) == real
            if known[name]:
                functions.append(each)
    if not functions:
        return 0
    new: dict[tuple[str, int], Any] = {}
    waiting = [compile(text, functions[0].__code__.co_filename, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        new[code.co_name, code.co_firstlineno] = code
        waiting += [each for each in code.co_consts if type(each) is type(code)]
    placed = 0
    for function in functions:
        old = function.__code__
        found = new.get((old.co_name, old.co_firstlineno))
        if found is not None and found != old and found.co_freevars == old.co_freevars:
            function.__code__ = found
            placed += 1
    return placed


if __name__ == "__main__":
    run_unittest(sys.argv[1:])
