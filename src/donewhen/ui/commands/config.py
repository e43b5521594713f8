"""`donewhen config show|validate|schema|migrate`."""

import difflib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.help import Group
from donewhen.ui.output import complain, one_line, paint, print_json, print_line, table
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.config import Loaded, MigratedFile, Origin, Remark, Shown

config = Group("config", help=t("help.config"))


@command("show", "help.config_show", config)
@click.option("--changed", is_flag=True, help=t("help.config_show_changed"))
def show_(app: App, changed: bool) -> None:
    from donewhen.config import show

    loaded = app.config()
    rows = [row for row in show(loaded) if not changed or row.origin.layer != "default"]
    if app.as_json:
        print_json(_shown(loaded, rows))
    elif app.quiet:
        for row in rows:
            print_line(f"{one_line(row.path)} = {_value(row.value)}")
    elif rows:
        head = [t("cli.col_key"), t("cli.col_value"), t("cli.col_origin")]
        for line in table(head, [(row.path, _value(row.value), _origin(row.origin)) for row in rows]):
            print_line(line)
    else:
        app.note(t("cli.nothing_changed"))
    if not app.as_json:
        print_ignored(loaded)
        print_notes(app, loaded)


def _shown(loaded: "Loaded", rows: Iterable["Shown"]) -> dict[str, Any]:
    from donewhen.config import documented_path

    return {
        "values": {row.path: {"value": row.value, "origin": str(row.origin)} for row in rows},
        "ignored": [
            {
                "path": documented_path(each.path),
                "kind": each.kind,
                "value": each.value,
                "origin": str(each.origin),
                "why": each.why(language()),
            }
            for each in loaded.ignored
        ],
        "notes": [note.say(language()) for note in loaded.notes],
        "trusted": loaded.trusted,
        "files": loaded.files,
    }


def print_ignored(loaded: "Loaded") -> None:
    """What an untrusted project file would loosen, and where it says so."""
    if loaded.ignored:
        print_line(f"\n{paint(t('cli.ignored'), 'yellow')}")
        for each in loaded.ignored:
            print_line(f"  {one_line(each.sentence(language()))} ({_place(each.origin)})")


def print_notes(app: App, loaded: "Loaded") -> None:
    if loaded.notes and not app.quiet:
        complain(f"\n{t('cli.notes')}")
        for note in loaded.notes:
            complain(f"  {one_line(note.say(language()))}")


def _value(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False))


def _origin(origin: "Origin") -> str:
    layer = t(f"cli.layer_{origin.layer}")
    return f"{layer} {_place(origin)}".rstrip()


def _place(origin: "Origin") -> str:
    """Where a value stands, as short as it is clear from the working folder."""
    text = str(origin.place)
    return one_line(text.removeprefix(f"{here()}/"))


@command("validate", "help.config_validate", config)
@click.argument("file", required=False, type=click.Path(path_type=Path))
def validate(app: App, file: Path | None) -> int:
    from donewhen.config import ConfigError, validate_file

    loaded: Loaded | None = None
    try:
        problems = validate_file(file) if file else []
        loaded = None if file else app.config()
    except ConfigError as error:
        problems = list(error.problems)
    files = list(loaded.files) if loaded else [str(file)] if file else _places(problems)
    sentences = [problem.say(language()) for problem in problems] + (refused(loaded) if loaded else [])
    if app.as_json:
        notes = [note.say(language()) for note in loaded.notes] if loaded else []
        ignored = len(loaded.ignored) if loaded else 0
        print_json(
            {"ok": not sentences, "problems": sentences, "files": files, "notes": notes, "ignored": ignored}
        )
        return 2 if sentences else 0
    for sentence in sentences:
        complain(f"donewhen: {one_line(sentence)}")
    if not sentences and not app.quiet:
        print_line(t("cli.config_ok", files=one_line(", ".join(files)) or t("cli.defaults_only")))
    if loaded and loaded.ignored:
        app.note(t("cli.some_ignored", count=len(loaded.ignored)))
    if loaded:
        print_notes(app, loaded)
    return 2 if sentences else 0


def refused(loaded: "Loaded") -> list[str]:
    """What a run here would be refused for, a sentence each."""
    from donewhen.run.engine.starting import refusals

    return [error.say(language()) for error in refusals(loaded, here(), os.environ)]


def _places(problems: Iterable["Remark"]) -> list[str]:
    return list(dict.fromkeys(problem.place.source for problem in problems))


@command("schema", "help.config_schema", config)
def schema(app: App) -> None:
    from donewhen.config import config_schema

    print_line(json.dumps(config_schema(), indent=2))


@command("migrate", "help.config_migrate", config)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help=t("help.dry_run"))
def migrate(app: App, file: Path | None, dry_run: bool) -> int:
    from donewhen.config import migrate_files

    done = migrate_files([file] if file else _migratable(), dry_run=dry_run)
    if app.as_json:
        print_json({"dry_run": dry_run, "files": [_migrated(each) for each in done]})
    else:
        for each in done:
            _print_migrated(app, each, dry_run=dry_run)
    return 2 if any(each.problems for each in done) else 0


def _migrated(each: "MigratedFile") -> dict[str, Any]:
    return {
        "file": str(each.path),
        "changes": [change.say(language()) for change in each.changes],
        "backup": str(each.backup) if each.backup else None,
        "problems": [problem.say(language()) for problem in each.problems],
    }


def _print_migrated(app: App, each: "MigratedFile", *, dry_run: bool) -> None:
    path = one_line(each.path)
    if not app.quiet:
        for change in each.changes:
            print_line(one_line(change.say(language())))
    if dry_run and each.changes:
        before, after = each.before.splitlines(), each.text.splitlines()
        for line in difflib.unified_diff(before, after, path, path, lineterm=""):
            print_line(one_line(line) if not line.strip() else line.replace("\x1b", ""))
    if not app.quiet:
        key = "nothing" if not each.changes else "would" if dry_run else "done"
        print_line(t(f"cli.migrate_{key}", path=path, backup=each.backup and one_line(each.backup.name)))
    if each.problems:
        complain(t("cli.migrate_problems"))
    for problem in each.problems:
        complain(f"donewhen: {one_line(problem.say(language()))}")


def _migratable() -> list[Path]:
    from donewhen.config import find_project, user_file

    project = find_project(here())
    if project:
        beside = project.parent / "context.yml"
        return [project, beside] if project.parent.name == ".gsd" and beside.is_file() else [project]
    if user_file(os.environ).is_file():
        return [user_file(os.environ)]
    raise UserError("cli.no_config", folder=here())
