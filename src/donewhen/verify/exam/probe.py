"""A look from inside: where the Python processes of an exam loaded the project's own packages from.

A `sitecustomize` of ours, put before all others, notes at the end of each process where named modules came
from, and on the way what unittest's tests came to. It stays silent, never makes a process fail, and loads the
one it stands before.

It also says which compiled files are used. One beside a source is trusted by time and size alone: after an
edit within the same second, or when it was planted, the exam would test other code than the tree holds. So
PYTHONPYCACHEPREFIX moves them to a folder of the exam, but for those of the interpreter and its installed
packages (pytest's rewritten plugins too), which would else be compiled by every exam.

A process that leaves no note (killed, `os._exit`, an
interpreter that ignores PYTHONPATH) is unknown, not wrong. The notes are written by code that we don't trust:
they can only take away trust.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from donewhen.verify.reports.recorded import RECORDER

_MOST_NOTES = 5000
_LARGEST_NOTE = 64 * 1024
# Runs in the project's interpreters, 2.7 to the newest: plain words, and nothing imported that is not loaded.
_TEXT = """\
# Written by donewhen for one exam; see where the project's own packages are loaded from.
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

    class Finder(object):
        def find_spec(self, name, path=None, target=None):
            if name != "_pytest.assertion.rewrite":
                return None
            sys.meta_path[:] = [each for each in sys.meta_path if each is not self]
            spec = loading.PathFinder.find_spec(name, path)
            loader = getattr(spec, "loader", None)
            if loader is None:
                return None
            run = loader.exec_module

            def exec_module(module):
                run(module)
                try:
                    del loader.exec_module
                    watch(module)
                except Exception:
                    pass

            loader.exec_module = exec_module
            return spec

    loading.cache_from_source = cache_from_source
    sys.meta_path.insert(0, Finder())


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
        text += f"\n\n{RECORDER.replace('{place!a}', ascii(str(record)))}"
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
