"""`donewhen goal parse|test`: what a goal requires, and how well that is read over a corpus of goals."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command
from donewhen.ui.corpus import cases, opened
from donewhen.ui.help import Group
from donewhen.ui.output import one_line, paint, print_json, print_line, table
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.commands.goals import Goal, Ignored

LIMIT_KIB = 256
FIELDS = {"id": str, "goal": str, "expected_commands": list, "active": bool}

goal = Group("goal", help=t("help.goal"))


@command("parse", "help.goal_parse", goal)
@click.argument("text", required=False)
@click.option("--file", type=click.Path(path_type=Path), help=t("help.goal_parse_file"))
def parse(app: App, text: str | None, file: Path | None) -> None:
    from donewhen.commands.goals import parse_goal

    parsed = parse_goal(_read(text, file))
    if app.as_json:
        print_json(_as_json(parsed))
    elif app.quiet:
        for each in parsed.commands:
            print_line(one_line(each.label))
    else:
        _print(parsed)


def _read(text: str | None, file: Path | None) -> str:
    """The goal's text, refused above the limit before it is read whole."""
    most = LIMIT_KIB * 1024
    if file is not None:
        if text is not None:
            raise UserError("goal.both_given", place=file)
        try:
            with opened(file) as source:
                data = source.read(most + 1)
        except OSError as error:
            raise UserError("goal.unreadable", place=file, why=error.strerror) from None
        return _decoded(data, str(file))
    if text in (None, "-"):
        data = sys.stdin.buffer.read(most + 1) if sys.stdin else b""
        return _decoded(data, "stdin")
    return _decoded(text.encode(errors="surrogateescape") if text else b"", "TEXT")


def _decoded(data: bytes, place: str) -> str:
    if len(data) > LIMIT_KIB * 1024:
        raise UserError("goal.too_long", place=place, limit=LIMIT_KIB)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise UserError("goal.not_text", place=place) from None
    if "\0" in text:
        raise UserError("goal.not_text", place=place)
    return text


def _as_json(parsed: "Goal") -> dict[str, Any]:
    return {
        "commands": [each.label for each in parsed.commands],
        "active": parsed.active,
        "files": [each.path for each in parsed.files],
        "language": parsed.language,
        "work": parsed.work,
        "entries": [
            {
                "label": each.label,
                "cwd": each.cwd,
                **each.place._asdict(),
                "rule": each.why,
                "why": t(each.why),
            }
            for each in parsed.commands
        ],
        "ignored": [
            {
                "text": each.text,
                "kind": each.kind,
                **each.place._asdict(),
                "rule": each.why,
                "why": t(each.why),
            }
            for each in parsed.ignored
        ],
    }


def _print(parsed: "Goal") -> None:
    if parsed.commands:
        head = [t("goal.col_command"), t("goal.col_folder"), t("goal.col_line"), t("goal.col_why")]
        _table(head, [(c.label, c.cwd or ".", str(c.place.line), t(c.why)) for c in parsed.commands])
    print_line(paint(_standing(parsed), "green" if parsed.active else "yellow"))
    if parsed.files:
        print_line()
        _table([t("goal.col_file"), t("goal.col_line")], [(f.path, str(f.place.line)) for f in parsed.files])
    if parsed.ignored:
        print_line()
        head = [t("goal.col_ignored"), t("goal.col_line"), t("goal.col_why")]
        _table(head, [_ignored(each) for each in parsed.ignored])


def _ignored(each: "Ignored") -> tuple[str, str, str]:
    return each.text, str(each.place.line), t(each.why)


def _standing(parsed: "Goal") -> str:
    if parsed.active:
        return t("goal.active")
    if not parsed.commands:
        return t("goal.no_commands")
    return t("goal.one_only") if len(parsed.commands) == 1 else t("goal.no_work")


def _table(head: list[str], rows: Iterable[tuple[str, ...]]) -> None:
    for line in table(head, rows):
        print_line(line)


class Judged(NamedTuple):
    id: str
    language: str
    expected: tuple[list[str], bool]
    got: tuple[list[str], bool]

    @property
    def ok(self) -> bool:
        return self.expected == self.got


@command("test", "help.goal_test", goal)
@click.argument("file", type=click.Path(path_type=Path))
def test(app: App, file: Path) -> int:

    judged = [_judged(case, file) for case in cases(file, FIELDS)]
    if app.as_json:
        print_json({"summary": _summary(judged), "cases": [_case(each) for each in judged]})
    else:
        _print_judged(app, judged)
    return 0 if all(each.ok for each in judged) else 1


def _judged(case: dict[str, Any], file: Path) -> Judged:
    from donewhen.commands.goals import parse_goal

    if not all(isinstance(each, str) for each in case["expected_commands"]):
        raise UserError("goal.bad_case", place=file, id=one_line(case["id"]))
    parsed = parse_goal(case["goal"])
    got = [each.label for each in parsed.commands]
    language = str(case.get("lang") or parsed.language)
    return Judged(case["id"], language, (case["expected_commands"], case["active"]), (got, parsed.active))


def _counts(judged: list[Judged]) -> dict[str, int]:
    return {
        "cases": len(judged),
        "right": sum(each.ok for each in judged),
        "commands_right": sum(each.expected[0] == each.got[0] for each in judged),
        "active_right": sum(each.expected[1] == each.got[1] for each in judged),
    }


def _by_language(judged: list[Judged]) -> dict[str, dict[str, int]]:
    languages = sorted({each.language for each in judged})
    return {name: _counts([each for each in judged if each.language == name]) for name in languages}


def _summary(judged: list[Judged]) -> dict[str, Any]:
    return {**_counts(judged), "by_language": _by_language(judged)}


def _case(each: Judged) -> dict[str, Any]:
    return {
        "id": each.id,
        "commands": each.got[0],
        "active": each.got[1],
        "ok": each.ok,
        "expected_commands": each.expected[0],
        "expected_active": each.expected[1],
    }


def _print_judged(app: App, judged: list[Judged]) -> None:
    for each in (each for each in judged if not each.ok):
        print_line(paint(t("goal.wrong", id=one_line(each.id)), "red"))
        for name, (commands, active) in (("goal.expected", each.expected), ("goal.got", each.got)):
            said = one_line(" | ".join(commands)) or "—"
            print_line(f"  {t(name)}: {said} ({'active' if active else 'inactive'})")
    if app.quiet:
        return
    head = ("language", "cases", "right", "commands", "active")
    rows = [*_by_language(judged).items(), (t("goal.total"), _counts(judged))]
    _table([t(f"goal.col_{name}") for name in head], [(name, *map(str, n.values())) for name, n in rows])
