"""A look from inside: what the Python processes of an exam imported, and what unittest's tests came to.

A `sitecustomize` of ours, put before all others, notes at the end of each process where the project's own
packages came from, and on the way the outcomes of unittest, which has no report of its own. It stays silent,
changes no outcome, never makes a process fail, and loads the one it stands before. A process that leaves no
note (killed, `os._exit`, an interpreter that ignores PYTHONPATH) is unknown, not wrong. The notes are written
by code that we do not trust: they can only take away trust, as where the exam imported another checkout.

It also says which compiled files are used. One beside a source is trusted by time and size alone: after an
edit within the same second, or when it was planted, the exam would test other code than the tree holds. So
PYTHONPYCACHEPREFIX moves them to a folder of the exam, but for those of the interpreter and its installed
packages, which would else be compiled by every exam.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from donewhen.core.shown import visible
from donewhen.core.texts import Phrase

_MOST_NOTES = 5000
_LARGEST_NOTE = 64 * 1024
# Runs in the project's interpreters, 2.7 to the newest: plain words, and nothing imported that is not loaded.
# Plain words for every interpreter from 2.7 on; what it needs of `os` is taken before a test can replace it.
_RECORDER = """\
def _record(place):
    import os, sys
    if sys.version_info < (3, 5):
        return
    to_open, to_write, to_close, start = os.open, os.write, os.close, os.getcwd()
    absolute, joined = os.path.isabs, os.path.join
    whose, seen = os.getpid, {}
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT

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

    def begin_watching(module):
        watch(module.TestResult)
        begin()

    _after_import("unittest.result", begin_watching)


try:
    _record({place!a})
except Exception:
    pass
"""
_TEXT = """\
# Written by donewhen for one exam; see where the project's own packages are loaded from.
def _after_import(wanted, act):
    import sys
    paths = sys.modules["_frozen_importlib_external"].PathFinder

    class Finder(object):
        def find_spec(self, name, path=None, target=None):
            if name != wanted:
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
                    act(module)
                except Exception:
                    pass

            try:
                loader.exec_module = exec_module
            except Exception:
                pass
            return spec

    sys.meta_path.insert(0, Finder())


def _look(notes, names):
    import atexit, os, sys
    start = os.getcwd()

    def places(module):
        found = [getattr(module, "__file__", None) or ""]
        try:
            found += list(getattr(module, "__path__", None) or ())
        except Exception:
            pass
        return [os.path.join(start, each) for each in found if each]

    def note():
        try:
            seen = [(name, place) for name in names for place in places(sys.modules.get(name))]
            if seen:
                words = [(getattr(sys, "argv", None) or [""])[0]]
                for pair in seen:
                    words.extend(pair)
                path = os.path.join(notes, "%d-%x" % (os.getpid(), id(words)))
                with open(path, "wb") as file:
                    file.write("\\0".join(words).encode("utf-8", "surrogateescape"))
        except BaseException:
            pass

    atexit.register(note)


try:
    _look({notes!a}, {names!a})
except Exception:
    pass
"""
_COMPILED = """

def _use_compiled():
    import sys
    from importlib import _bootstrap_external as loading
    plain, tag = loading.cache_from_source, sys.implementation.cache_tag
    level = "" if sys.flags.optimize == 0 else ".opt-%d" % sys.flags.optimize
    places = ("/lib", "/local/lib")
    installed = tuple(each + place for each in (sys.prefix, sys.base_prefix) for place in places)

    def cache_from_source(path, *words, **named):
        if words or named or not isinstance(path, str) or not path.startswith(installed):
            return plain(path, *words, **named)
        folder, _, name = path.rpartition("/")
        return "%s/__pycache__/%s.%s%s.pyc" % (folder, name.rpartition(".")[0] or name, tag, level)

    def watch(module):
        own = module.get_cache_dir

        def get_cache_dir(path):
            return path.parent / "__pycache__" if str(path).startswith(installed) else own(path)

        module.get_cache_dir = get_cache_dir

    loading.cache_from_source = cache_from_source
    _after_import("_pytest.assertion.rewrite", watch)


try:
    _use_compiled()
except Exception:
    pass
"""
STEP_ASIDE = """

def _step_aside():
    import os, sys
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if each != here]
    sys.path_importer_cache.pop(here, None)
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        if own is not None:
            sys.modules.setdefault("sitecustomize", own)


_step_aside()
"""
"""Ends every sitecustomize that we lay: loads the one that it stands before."""


class Note(NamedTuple):
    """What one process loaded: its program, and (module, place) pairs."""

    program: str
    places: tuple[tuple[str, str], ...]


class Probe(NamedTuple):
    folder: Path  # goes first in PYTHONPATH
    notes: Path


def lay_probe(scratch: Path, names: Iterable[str], record: Path | None = None) -> Probe:
    """Write the probe for these modules into a folder of its own below `scratch`.

    `record` is the file that unittest's outcomes go to.
    """
    probe = Probe(scratch / "probe", scratch / "notes")
    probe.folder.mkdir(parents=True)
    probe.notes.mkdir()
    text = _TEXT.replace("{notes!a}", ascii(str(probe.notes))).replace("{names!a}", ascii(sorted(names)))
    if record is not None:
        text += f"\n\n{_RECORDER.replace('{place!a}', ascii(str(record)))}"
    (probe.folder / "sitecustomize.py").write_text(text + _COMPILED + STEP_ASIDE, encoding="ascii")
    return probe


def read_notes(probe: Probe) -> tuple[Note, ...]:
    """What the processes left; whatever can't be read is left out."""
    found: list[Note] = []
    with suppress(OSError), os.scandir(probe.notes) as entries:
        for entry in islice(entries, _MOST_NOTES):
            if entry.is_file(follow_symlinks=False):
                note = _note(Path(entry.path))
                if note is not None:
                    found.append(note)
    return tuple(found)


def _note(path: Path) -> Note | None:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_NOTE)
    except OSError:
        return None
    program, *words = os.fsdecode(data).split("\0")
    return Note(program, tuple(zip(words[::2], words[1::2], strict=False)))


# Was it this tree? A process that said nothing proves nothing; installers and runners that work on
# environments of their own are not asked.

# Programs that load packages of their own, not of what they install or test.
_INSTALLERS = re.compile(
    r"(?:tox|nox|pip[\d.]*|uv|poetry|pdm|hatch|hatchling|pipenv|virtualenv|venv|build|pre-commit|meson|cmake"
    r"|ensurepip|_in_process|pyproject_hooks|wheel|setuptools|conda|rye|flit|twine)(?:\.py|\.exe)?"
)
_RUNNER_FOLDERS = frozenset((".tox", ".nox", ".hatch"))  # filled from this tree by the run itself
_INSTALLED = frozenset(("site-packages", "dist-packages"))


class Elsewhere(NamedTuple):
    package: str
    path: str


def imported_elsewhere(notes: Iterable[Note], folder: Path, packages: Iterable[str]) -> tuple[Elsewhere, ...]:
    """Own packages that were loaded, and by no process from this tree."""
    own = frozenset(packages)
    root = os.path.realpath(folder)
    inside: set[str] = set()
    outside: dict[str, str] = {}
    for note in notes:
        if _INSTALLERS.fullmatch(_program(note.program)):
            continue
        for name, place in note.places:
            if name in own and _is_inside(os.path.realpath(place), root):
                inside.add(name)
            elif name in own:
                outside.setdefault(name, place)
    return tuple(Elsewhere(name, path) for name, path in sorted(outside.items()) if name not in inside)


def _program(path: str) -> str:
    """`…/bin/tox` is tox, `…/pip/__main__.py` is pip."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and parts[-1] == "__main__.py":
        return parts[-2]
    return parts[-1] if parts else ""


def _is_inside(path: str, root: str) -> bool:
    """In the tree; a copy that was installed somewhere in it is not what the tree holds."""
    if path != root and not path.startswith(f"{root.rstrip('/')}/"):
        return False
    parts = path[len(root) :].split("/")
    return not _INSTALLED.intersection(parts) or bool(_RUNNER_FOLDERS.intersection(parts))


def wrong_tree(found: tuple[Elsewhere, ...]) -> Phrase | None:
    if not found:
        return None
    return Phrase(
        "exam.wrong_tree", {"package": visible(found[0].package), "path": visible(found[0].path, 400)}
    )
