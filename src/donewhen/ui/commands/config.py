"""`donewhen config show|validate|schema|migrate`."""

import difflib
import json
import os
from pathlib import Path
from typing import Any

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command
from donewhen.ui.help import Group
from donewhen.ui.output import clean, paint, print_json, print_line, table
from donewhen.ui.words import language, t

config = Group("config", help=t("help.config"))


@command("show", "help.config_show", config)
@click.option("--changed", is_flag=True, help=t("help.config_show_changed"))
def show_(app: App, changed: bool) -> None:
    from donewhen.config import documented_path, show

    loaded = app.config()
    rows = [row for row in show(loaded) if not changed or row.origin.layer != "default"]
    ignored = [
        (documented_path(each.path), each.value, each.origin, each.why(language())) for each in loaded.ignored
    ]
    if app.as_json:
        print_json(
            {
                "values": {row.path: {"value": row.value, "origin": str(row.origin)} for row in rows},
                "ignored": [
                    {"path": path, "value": value, "origin": str(origin), "why": why}
                    for path, value, origin, why in ignored
                ],
                "notes": [note.say(language()) for note in loaded.notes],
                "trusted": loaded.trusted,
                "project_files": loaded.project_files,
            }
        )
        return
    for line in table(
        [t("cli.col_key"), t("cli.col_value"), t("cli.col_origin")],
        [(row.path, _value(row.value), clean(row.origin)) for row in rows],
    ):
        print_line(line)
    if ignored:
        print_line(f"\n{paint(t('cli.ignored'), 'yellow')}")
        for path, value, origin, why in ignored:
            print_line(f"  {clean(path)} = {_value(value)}  ({clean(origin.place)}): {why}")
    for note in loaded.notes:
        app.note(note.say(language()))


def _value(value: Any) -> str:
    return clean(json.dumps(value, ensure_ascii=False))


@command("validate", "help.config_validate", config)
@click.argument("file", required=False, type=click.Path(path_type=Path))
def validate(app: App, file: Path | None) -> int:
    from donewhen.config import ConfigError, validate_file

    try:
        problems = validate_file(file) if file else []
        if not file:
            loaded = app.config()
            checked = list(loaded.project_files)
        else:
            checked = [str(file)]
    except ConfigError as error:
        problems, checked = list(error.problems), []
    sentences = [problem.say(language()) for problem in problems]
    if app.as_json:
        print_json({"ok": not problems, "problems": sentences, "files": checked})
    else:
        for sentence in sentences:
            app.note(f"donewhen: {sentence}")
        if not problems and not app.quiet:
            print_line(t("cli.config_ok", files=", ".join(checked) or t("cli.defaults_only")))
    return 2 if problems else 0


@command("schema", "help.config_schema", config)
def schema(app: App) -> None:
    from donewhen.config import config_schema

    print_line(json.dumps(config_schema(), indent=2))


@command("migrate", "help.config_migrate", config)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help=t("help.dry_run"))
def migrate(app: App, file: Path | None, dry_run: bool) -> None:
    from donewhen.config import migrate_file

    done = []
    for path in [file] if file else _migratable():
        before = path.read_text() if path.is_file() else ""
        result = migrate_file(path, dry_run=dry_run)
        done.append((path, before, result))
    if app.as_json:
        print_json(
            {
                "dry_run": dry_run,
                "files": [
                    {
                        "file": str(path),
                        "changes": [change.say(language()) for change in result.changes],
                        "backup": str(result.backup) if result.backup else None,
                    }
                    for path, _, result in done
                ],
            }
        )
        return
    for path, before, result in done:
        for change in result.changes:
            print_line(clean(change.say(language())))
        if dry_run and result.changes:
            after = result.text.splitlines(keepends=True)
            for line in difflib.unified_diff(before.splitlines(keepends=True), after, str(path), str(path)):
                print_line(clean(line.rstrip("\r\n")))
        if not app.quiet:
            key = (
                "cli.migrate_nothing"
                if not result.changes
                else "cli.migrate_would"
                if dry_run
                else "cli.migrated"
            )
            print_line(t(key, path=path, backup=result.backup))


def _migratable() -> list[Path]:
    from donewhen.config import find_project, user_file

    project = find_project(Path.cwd())
    if project:
        beside = project.parent / "context.yml"
        return [project, beside] if project.parent.name == ".gsd" and beside.is_file() else [project]
    if user_file(os.environ).is_file():
        return [user_file(os.environ)]
    raise UserError("cli.no_config", folder=Path.cwd())
