"""A `sitecustomize` that has coverage.py watch every Python process of a test run, without a word to anyone.

It goes first in PYTHONPATH, starts coverage.py with the project's own settings where the interpreter has it,
and loads the sitecustomize that it stands before. Data goes to a folder of ours, one file per process. It
prints nothing and never makes a process fail; where it can't work there is no data, which is not a pass.
"""

from pathlib import Path

from donewhen.verify.exam.probe import STEP_ASIDE

# Runs in the project's interpreters, old ones too: plain words, nothing imported that coverage.py needs not.
_TEXT = """\
# Written by donewhen for one test run; has coverage.py watch the processes of it.
def _measure(settings, folder, data):
    import os, sys
    if sys.version_info < (3, 6) or getattr(sys.flags, "isolated", 0):
        return
    try:
        import coverage
    except ImportError:
        return
    watch = coverage.Coverage(
        data_file=data, data_suffix=True, auto_data=True, config_file=settings or False
    )
    quiet = "already-imported couldnt-parse dynamic-conflict include-ignored module-not-imported"
    quiet += " module-not-measured module-not-python no-ctracer no-data-collected no-sysmon trace-changed"
    watch.set_option("run:disable_warnings", quiet.split())
    watch.set_option("run:dynamic_context", None)
    sources = watch.get_option("run:source") or []
    places = [os.path.join(folder, each) for each in sources]
    pairs = zip(places, sources)
    watch.set_option("run:source", [place if os.path.isdir(place) else each for place, each in pairs] or None)
    try:
        kept = list(watch.get_option("run:patch") or [])
        watch.set_option("run:patch", [each for each in kept if each != "subprocess"] + ["_exit"])
    except Exception:
        pass
    for name in ("_warn_no_data", "_warn_unimported_source", "_warn_preimported_source"):
        setattr(watch, name, False)
    watch.start()


try:
    _measure({settings!a}, {folder!a}, {data!a})
except Exception:
    pass"""


def lay_starter(folder: Path, settings: str, project: Path, data: Path) -> None:
    """Write it into `folder`; `settings` is the project's own file, if any, `data` names our files."""
    folder.mkdir(parents=True, exist_ok=True)
    text = _TEXT + STEP_ASIDE
    for name, value in (("settings", settings), ("folder", str(project)), ("data", str(data))):
        text = text.replace(f"{{{name}!a}}", ascii(value))
    (folder / "sitecustomize.py").write_text(text, encoding="ascii")
