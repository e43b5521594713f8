"""unittest has no report of its own, so one is kept for it from inside: both ends of that thread.

`RECORDER` runs in the project's interpreters, laid there by the exam's probe. It notes what each test came to
when unittest's own result is told, and which processes set out to run any; it writes one line each, prints
nothing, changes no outcome and never raises. A process in which it can't work leaves no report; that is
unknown, not wrong.
"""

import os

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.places import inside

_OUTCOMES: dict[str, Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "xfailed": "xfailed",
}

# Plain words for every interpreter from 2.7 on; what it needs of `os` is taken before a test can replace it.
RECORDER = """\
def _record(place):
    import os, sys
    if sys.version_info < (3, 5):
        return
    to_open, to_write, to_close, start = os.open, os.write, os.close, os.getcwd()
    absolute, joined = os.path.isabs, os.path.join
    whose, seen = os.getpid, {}
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    paths = sys.modules["_frozen_importlib_external"].PathFinder

    def written_at(case):
        found = getattr(type(case), getattr(case, "_testMethodName", "") or "", None)
        for _ in range(20):
            found = getattr(found, "__wrapped__", found)
        code = getattr(found, "__code__", None)
        if code is None:
            return "", 0
        name = code.co_filename
        return name if absolute(name) else joined(start, name), code.co_firstlineno

    def note(*words):
        text = "\\0".join(words).replace("\\n", " ") + "\\n"
        handle = to_open(place, flags, 0o600)
        try:
            to_write(handle, text.encode("utf-8", "surrogateescape"))
        finally:
            to_close(handle)

    def is_part(test):
        return type(test).__name__ == "_SubTest"

    def said(error):
        if not error:
            return ""
        lines = str(error[1]).strip().split("\\n")  # a file that can't be loaded says why at the end
        line = lines[-1 if "Failed to import" in lines[0] else 0]
        return ("%s: %s" % (error[0].__name__, line)).replace("\\0", "")[:600]

    def tell(outcome, test, error=None):
        try:
            case = test.test_case if is_part(test) else test
            file, line = written_at(case)
            note(outcome, str(case.id()), file, str(line), said(error))
            if seen.get("pid") != whose():
                seen["pid"] = whose()
                note("counted", str(whose()))
        except Exception:
            pass

    def begin():
        if sys.argv[:1] == ["-m"] and "unittest" in getattr(sys, "orig_argv", ["unittest"]):
            note("began", str(whose()))

    def replace(kind, name, outcome):
        old = kind.__dict__.get(name)
        if old is None:
            return

        def method(self, test, *rest, **named):
            told = outcome(test, *rest)
            if told:
                tell(told, test, rest[-1] if told == "failed" and rest else None)
            return old(self, test, *rest, **named)

        for each in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(method, each, getattr(old, each, None))
        setattr(kind, name, method)

    def watch(kind):
        replace(kind, "addSuccess", lambda test: "passed")
        replace(kind, "addFailure", lambda test, *rest: "failed")
        replace(kind, "addError", lambda test, *rest: "failed")
        replace(kind, "addSkip", lambda test, *rest: "" if is_part(test) else "skipped")
        replace(kind, "addExpectedFailure", lambda test, *rest: "xfailed")
        replace(kind, "addUnexpectedSuccess", lambda test: "failed")
        replace(kind, "addSubTest", lambda test, part=None, error=None: "failed" if error else "")

    class Finder(object):
        def find_spec(self, name, path=None, target=None):
            if name != "unittest.result":
                return None
            sys.meta_path[:] = [each for each in sys.meta_path if each is not self]
            spec = paths.find_spec(name, path)
            loader = getattr(spec, "loader", None)
            if loader is None:
                return None
            run = loader.exec_module

            def exec_module(module):
                run(module)
                try:
                    del loader.exec_module
                    watch(module.TestResult)
                    begin()
                except Exception:
                    pass

            try:
                loader.exec_module = exec_module
            except Exception:
                pass
            return spec

    sys.meta_path.insert(0, Finder())


try:
    _record({place!a})
except Exception:
    pass
"""


def read_recorded(data: bytes, root: str = "") -> tuple[Case, ...]:
    """What the processes of one run noted, all together; a line that is cut is left out."""
    cases: list[Case] = []
    for line in data.split(b"\n")[: 4 * MOST_CASES]:
        words = os.fsdecode(line).split("\0")
        outcome = _OUTCOMES.get(words[0])
        if 4 <= len(words) <= 5 and outcome is not None and words[3].isascii() and words[3].isdigit():
            group, _, name = words[1][:600].rpartition(".")
            file = inside(words[2], root)
            at = int(words[3][:9])
            cases.append(
                Case(name[:300], outcome, group, file=file, line=at, message="".join(words[4:])[:600])
            )
    return tuple(cases[:MOST_CASES])


def claims_too_much(data: bytes, executed: int) -> bool:
    """Whether unittest was started, told of no test, and more tests were printed than anybody noted."""
    words = [os.fsdecode(line).split("\0") for line in data.split(b"\n")[: 4 * MOST_CASES]]
    began = {each[1] for each in words if each[0] == "began" and len(each) == 2}
    counted = {each[1] for each in words if each[0] == "counted" and len(each) == 2}
    told = sum(each[0] in _OUTCOMES for each in words)
    return bool(began - counted) and executed > told
