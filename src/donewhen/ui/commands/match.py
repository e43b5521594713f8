"""`donewhen match DECLARED EXECUTED`: does this line prove that command? `match test FILE`: over a corpus.

The first word `test` with a file asks for the corpus; to declare a command that is just `test`, quote it
with a space before it.
"""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, paint, print_json, print_line, table
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.core.matches import Match

Shell = Literal["bash", "cmd"]
FIELDS = {
    "id": str,
    "declared": str,
    "executed": str,
    "match": bool,
    "exit_masked": bool,
    "same_check": bool,
}
KINDS = ("match", "masked", "other")


@command("match", "help.match")
@click.argument("declared")
@click.argument("executed", metavar="EXECUTED|FILE")
@click.option("--shell", type=click.Choice(["bash", "cmd"]), default="bash", help=t("help.match_shell"))
def match(app: App, declared: str, executed: str, shell: Shell) -> int:
    if declared == "test":
        return _test(app, executed)
    found = _match(declared, executed, shell, str(here()))
    if app.as_json:
        print_json(_data(found))
    else:
        mark = paint("✓", "green") if found.match else paint("✗", "red")
        print_line(f"{mark} {t(f'match.{_kind(found)}')}: {_explanation(found)}")
    return 0 if found.match else 1


def _match(declared: str, executed: str, shell: Shell, root: str | None = None) -> "Match":
    from donewhen.commands import parse
    from donewhen.commands.matching import match as decide
    from donewhen.core.errors import UserError

    if not declared.strip(" \t\n'\""):
        raise UserError("accept.empty", source="DECLARED")
    return decide(parse(declared, shell), parse(executed, shell), root)


def _explanation(found: "Match") -> str:
    return one_line(t(found.reason, **found.values))


def _kind(found: "Match") -> str:
    return "match" if found.match else "masked" if found.masked else "other"


def _data(found: "Match") -> dict[str, Any]:
    return {
        "match": found.match,
        "masked": found.masked,
        "same_check": found.same_check,
        "narrower": found.narrower,
        "reason": found.reason,
        "explanation": _explanation(found),
    }


class Judged(NamedTuple):
    case: dict[str, Any]
    found: "Match"

    @property
    def expected(self) -> str:
        return "match" if self.case["match"] else "masked" if self.case["exit_masked"] else "other"

    @property
    def got(self) -> str:
        return _kind(self.found)

    @property
    def ok(self) -> bool:
        wanted = (self.case["match"], self.case["exit_masked"], self.case["same_check"])
        return wanted == (self.found.match, self.found.masked, self.found.same_check)


def _test(app: App, file: str) -> int:
    from donewhen.ui.corpus import cases

    judged = [_judged(case, file) for case in cases(file, FIELDS)]
    if app.as_json:
        print_json({"summary": _summary(judged), "cases": [_case(each) for each in judged]})
    else:
        _print(app, judged)
    return 0 if all(each.ok for each in judged) else 1


def _judged(case: dict[str, Any], file: str) -> Judged:
    shell = case.get("shell", "bash")
    if shell not in ("bash", "cmd"):
        raise UserError("match.unknown_shell", place=f"{file}, {one_line(case['id'])}", shell=one_line(shell))
    return Judged(case, _match(case["declared"], case["executed"], shell))


def _case(each: Judged) -> dict[str, Any]:
    expected = {name: each.case[name] for name in ("match", "exit_masked", "same_check")}
    return {"id": each.case["id"], **_data(each.found), "ok": each.ok, "expected": expected}


def _confusion(judged: list[Judged]) -> dict[str, dict[str, int]]:
    return {
        expected: {got: sum((each.expected, each.got) == (expected, got) for each in judged) for got in KINDS}
        for expected in KINDS
    }


def _summary(judged: list[Judged]) -> dict[str, Any]:
    right = sum(each.ok for each in judged)
    return {
        "cases": len(judged),
        "right": right,
        "wrong": len(judged) - right,
        "false_proofs": sum(each.found.match and not each.case["match"] for each in judged),
        "missed_proofs": sum(each.case["match"] and not each.found.match for each in judged),
        "kinds": {kind: _counts(judged, kind) for kind in KINDS},
        "confusion": _confusion(judged),
    }


def _counts(judged: list[Judged], kind: str) -> dict[str, int]:
    own = [each for each in judged if each.expected == kind]
    right = sum(each.ok for each in own)
    return {"cases": len(own), "right": right, "wrong": len(own) - right}


def _print(app: App, judged: list[Judged]) -> None:
    for each in (each for each in judged if not each.ok):
        place = one_line(each.case["id"])
        expected, got = t(f"match.{each.expected}"), t(f"match.{each.got}")
        print_line(paint(t("match.wrong", id=place, expected=expected, got=got), "red"))
        print_line(f"  {one_line(each.case['declared'])}  ←  {one_line(each.case['executed'])}")
        print_line(f"  {_explanation(each.found)}")
    if app.quiet:
        return
    heads = ["kind", "cases", "right", "wrong"]
    rows = [(t(f"match.{kind}"), *map(str, _counts(judged, kind).values())) for kind in KINDS]
    for line in table([t(f"match.col_{head}") for head in heads], rows):
        print_line(line)
    print_line()
    confusion = [(t(f"match.{kind}"), *map(str, row.values())) for kind, row in _confusion(judged).items()]
    for line in table([t("match.col_confusion"), *(t(f"match.{kind}") for kind in KINDS)], confusion):
        print_line(line)
    print_line()
    summary = _summary(judged)
    print_line(t("match.score", **{name: summary[name] for name in ("cases", "right", "false_proofs")}))
