"""`donewhen doctor`: is everything here that donewhen needs, and what to do where it is not."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from donewhen import __version__
from donewhen.core.errors import DonewhenError
from donewhen.ui.app import App, command
from donewhen.ui.output import clean, paint, print_json, print_line
from donewhen.ui.words import language, t

LEAST_GIT = (2, 30)
LEAST_SQLITE = (3, 37)


class Check(NamedTuple):
    name: str
    status: str  # ok, warning, failed
    found: str


@command("doctor", "help.doctor")
def doctor(app: App) -> int:
    checks = [_guarded(name, check, app) for name, check in CHECKS.items()]
    failed = any(check.status == "failed" for check in checks)
    if app.as_json:
        print_json(
            {"ok": not failed, "donewhen": __version__, "checks": [check._asdict() for check in checks]}
        )
    else:
        marks = {"ok": paint("✓", "green"), "warning": paint("!", "yellow"), "failed": paint("✗", "red")}
        for check in checks:
            if not app.quiet or check.status != "ok":
                print_line(f"{marks[check.status]} {check.name}: {clean(check.found)}")
    return 5 if failed else 0


def _guarded(name: str, check: Callable[[App], tuple[str, str]], app: App) -> Check:
    try:
        return Check(name, *check(app))
    except DonewhenError as error:
        return Check(name, "failed", error.say(language()))


def _python(_: App) -> tuple[str, str]:
    return "ok", f"{sys.version.split()[0]} ({sys.executable})"


def _sqlite(_: App) -> tuple[str, str]:
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        return "failed", t("doctor.sqlite_old", found=sqlite3.sqlite_version, least=_dotted(LEAST_SQLITE))
    return "ok", sqlite3.sqlite_version


def _git(_: App) -> tuple[str, str]:
    git = shutil.which("git")
    if not git:
        return "failed", t("doctor.git_missing", least=_dotted(LEAST_GIT))
    try:
        out = subprocess.run(
            [git, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
        version = tuple(int(part) for part in out.split()[2].split(".")[:2])
    except (OSError, subprocess.SubprocessError, IndexError, ValueError):
        return "failed", t("doctor.git_broken", path=git)
    if version < LEAST_GIT:
        return "failed", t("doctor.git_old", found=_dotted(version), least=_dotted(LEAST_GIT))
    return "ok", out.split()[2]


def _config(app: App) -> tuple[str, str]:
    loaded = app.config()
    files = ", ".join(loaded.project_files) or t("cli.defaults_only")
    if loaded.ignored:
        return "warning", t("doctor.untrusted", files=files, count=len(loaded.ignored))
    return "ok", files


def _state(_: App) -> tuple[str, str]:
    from donewhen.config.paths import state_folder

    folder = state_folder(os.environ)
    if not folder.exists():
        parent = next(each for each in folder.parents if each.exists())
        if not os.access(parent, os.W_OK):
            return "failed", t("doctor.not_writable", path=parent)
        return "ok", t("doctor.not_yet", path=folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        return "failed", t("doctor.not_writable", path=folder)
    free = shutil.disk_usage(folder).free
    if free < 100 * 10**6:
        return "warning", t("doctor.little_space", path=folder, free=free // 10**6)
    return "ok", str(folder)


def _store(app: App) -> tuple[str, str]:
    from donewhen.store.faults import mapped

    with app.open() as opened:
        if not opened.path.exists():
            return "ok", t("doctor.not_yet", path=opened.path)
        with mapped(opened.path):
            db = sqlite3.connect(opened.path)
            try:
                problems = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
            finally:
                db.close()
        if problems != ["ok"]:
            return "failed", t("store.corrupt", path=opened.path, why=problems[0])
        runs = len(opened.store.runs())
    if stat.S_IMODE(Path(opened.path).stat().st_mode) & 0o077:
        return "warning", t("doctor.open_to_others", path=opened.path)
    return "ok", t("doctor.store_ok", path=opened.path, runs=runs)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


CHECKS: dict[str, Callable[[App], tuple[str, str]]] = {
    "python": _python,
    "sqlite": _sqlite,
    "git": _git,
    "config": _config,
    "state": _state,
    "store": _store,
}
