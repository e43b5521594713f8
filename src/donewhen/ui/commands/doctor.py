"""`donewhen doctor`: is everything here that donewhen needs, and what to do where it is not."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from donewhen import __version__
from donewhen.core.errors import DonewhenError, UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, paint, print_json, print_line
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.integrations.install.installing import Ground

_WORSE = ("ok", "warning", "failed")
LEAST_GIT = (2, 30)
LEAST_SQLITE = (3, 37)


class Check(NamedTuple):
    name: str
    status: str  # ok, warning, failed
    found: str


@command("doctor", "help.doctor")
@click.option("--online", is_flag=True, help=t("models_found.opt_online"))
def doctor(app: App, online: bool) -> int:
    checks = [_guarded(name, check, app) for name, check in CHECKS.items()]
    checks += _clients(app)
    if online:
        checks.append(_guarded("endpoint", _endpoint, app))
    failed = {check.name for check in checks if check.status == "failed"}
    if app.as_json:
        shown = [check._asdict() for check in checks]
        print_json({"ok": not failed, "donewhen": __version__, "checks": shown})
    else:
        marks = {"ok": paint("✓", "green"), "warning": paint("!", "yellow"), "failed": paint("✗", "red")}
        for check in checks:
            if not app.quiet or check.status != "ok":
                print_line(f"{marks[check.status]} {check.name}: {one_line(check.found)}")
    return 0 if not failed else 2 if failed == {"config"} else 5


def _guarded(name: str, check: Callable[[App], tuple[str, str]], app: App) -> Check:
    try:
        return Check(name, *check(app))
    except DonewhenError as error:
        return Check(name, "failed", error.say(language()))
    except OSError as error:
        return Check(name, "failed", t("cli.os_error", path=error.filename, why=error.strerror))


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


def _shell(_: App) -> tuple[str, str]:
    from donewhen.commands import parse
    from donewhen.core.tree import Refused

    tree = parse("echo $HOME")  # needs the parser: the fast path takes no variables
    if isinstance(tree, Refused):
        return "failed", t(tree.reason, detail=tree.detail)
    return "ok", "shfmt"


def _sandbox(app: App) -> tuple[str, str]:
    """What commands of a run would be confined by here, and what stays open."""
    from donewhen.config.paths import state_folder
    from donewhen.workspace.sandbox.confinement import confine
    from donewhen.workspace.sandbox.describe import describe
    from donewhen.workspace.sandbox.support import probe

    try:
        wish = app.config().config.sandbox
    except UserError:
        return "warning", t("doctor.config_first")
    state = state_folder(os.environ)
    some = Path(tempfile.gettempdir()) / "workspace"
    asked = confine(
        some,
        state / "scratch",
        os.environ,
        mode=wish.mode,
        network=wish.network,
        temp=wish.temp,
        hide=[state],
    )
    lines = describe(probe(), asked)
    said = "; ".join(t(phrase.key, **phrase.values) for _, phrase in lines)
    standings = {standing for standing, _ in lines}
    if "missing" in standings:
        refused = wish.mode == "required" or wish.network == "registries"
        return "failed" if refused else "warning", said
    return "warning" if "warning" in standings else "ok", said


def _config(app: App) -> tuple[str, str]:
    from donewhen.ui.commands.config import refused

    loaded = app.config()
    wrong = refused(loaded)
    if wrong:
        return "failed", "; ".join(wrong)
    idle = [str(note.values["path"]) for note in loaded.notes if note.key == "config.note_idle"]
    files = ", ".join(loaded.files) or t("cli.defaults_only")
    if loaded.ignored:
        return "warning", t("doctor.untrusted", files=files, count=len(loaded.ignored))
    if idle:
        return "warning", t("doctor.idle", files=files, keys=", ".join(idle))
    return "ok", files


def _state(_: App) -> tuple[str, str]:
    from donewhen.config.paths import state_folder

    folder = state_folder(os.environ)
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    why = _why_not_writable(nearest)
    if why:
        return "failed", t("doctor.not_writable", path=nearest, why=why)
    if nearest != folder:
        return "ok", t("doctor.not_yet", path=folder)
    if folder.stat().st_mode & 0o022:
        return "warning", t("doctor.open_to_others", path=folder)
    free = shutil.disk_usage(folder).free
    if free < 100 * 10**6:
        return "warning", t("doctor.little_space", path=folder, free=free // 10**6)
    return "ok", str(folder)


def _why_not_writable(folder: Path) -> str:
    """The system's reason why nothing can be made in a folder; empty when something can."""
    try:
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=folder):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def _store(app: App) -> tuple[str, str]:
    try:
        opened = app.open()
    except UserError:
        return "warning", t("doctor.config_first")
    with opened:
        if not opened.exists:
            why = _why_not_writable(next(each for each in opened.path.parents if each.exists()))
            if why:
                return "failed", t("doctor.not_possible", path=opened.path, why=why)
            return "ok", t("doctor.not_yet", path=opened.path)
        damage = opened.store.damage()
        if damage:
            return "failed", t("store.corrupt", path=opened.path, why=", ".join(damage))
        return "ok", t("doctor.store_ok", path=opened.path, runs=len(opened.store.runs()))


def _models(app: App) -> tuple[str, str]:
    """A warning at most: without a model everything but `run` works."""
    from donewhen.ui.finding import look_around

    found = look_around(os.environ)
    keys = [offer.found for offer in found.offers if offer.found]
    parts = [t("models_found.doctor_installed" if found.installed else "models_found.package")]
    if keys:
        parts.append(t("models_found.doctor_keys", names=", ".join(keys)))
    usable = [choice.name for choice in found.usable]
    parts.append(
        t("models_found.doctor_ok", models=", ".join(usable)) if usable else t("models_found.doctor_none")
    )
    return "ok" if usable else "warning", "; ".join(parts)


def _endpoint(app: App) -> tuple[str, str]:
    """Whether the model that a run would use answers; asked only when somebody wants it."""
    from donewhen.ui.finding_online import ask_endpoint

    try:
        config = app.config().config
    except UserError:
        return "warning", t("doctor.config_first")
    return ask_endpoint(config, os.environ)


def _clients(app: App) -> list[Check]:
    """Each client that is here or gated, one line; whether sessions in this folder are checked, one more."""
    from concurrent.futures import ThreadPoolExecutor

    from donewhen.integrations.install.clients import CLIENTS

    def check(name: str) -> Check:
        return _guarded(name, lambda _: _client(name), app)

    with ThreadPoolExecutor(len(CLIENTS)) as pool:  # a program that hangs must not hold up the others
        found = [each for each in pool.map(check, CLIENTS) if each.found]
    if not found:
        return [Check("clients", "ok", t("install.doctor_none"))]
    return [*found, _guarded("gated", _gated, app), *_gaps()]


def _gaps() -> list[Check]:
    """Sessions of clients that went on while donewhen could not start."""
    from donewhen.integrations.hook.gaps import gaps

    count = len(gaps(str(_ground().state)))
    return [Check("gaps", "warning", t("hooked.past_gaps", count=count))] if count else []


def _client(name: str) -> tuple[str, str]:
    from donewhen.integrations.install.looking import look

    findings = look(name, _ground()).findings
    worst = max((finding.standing for finding in findings), key=_WORSE.index, default="ok")
    return worst, "; ".join(t(said.key, **said.values) for _, said in findings)


def _gated(_: App) -> tuple[str, str]:
    from donewhen.integrations.install.arming import why_gated

    ground = _ground()
    reason = why_gated(ground.state, ground.folder)
    if reason is None:
        return "ok", t("install.doctor_here_not")
    return "ok", t(f"install.doctor_here_{reason.kind}", path=reason.path)


def _ground() -> "Ground":
    from donewhen.config.paths import state_folder
    from donewhen.integrations.install.installing import Ground

    return Ground(state_folder(os.environ), os.environ, here())


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


CHECKS: dict[str, Callable[[App], tuple[str, str]]] = {
    "python": _python,
    "sqlite": _sqlite,
    "git": _git,
    "shell": _shell,
    "sandbox": _sandbox,
    "config": _config,
    "state": _state,
    "store": _store,
    "models": _models,
}
