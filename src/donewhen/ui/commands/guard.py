"""`donewhen guard check|rules|test`: what the guard says to a command, by which rules, and how well."""

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.help import Group
from donewhen.ui.output import one_line, paint, print_json, print_line, table
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.guard import Decision, Finding
    from donewhen.guard.own_rules import OwnRule

FIELDS = {"id": str, "command": str, "expect": str}
ACTIONS = ("allow", "ask", "deny")
MOST_BYTES = 2**20
EXITS = {"allow": 0, "ask": 4, "deny": 1}
_PARTLY_LOCKED = ("delete-workspace", "rewrite-protected", "write-outside", "data-loss")
STYLES = {"allow": ("✓", "green"), "ask": ("?", "yellow"), "deny": ("✗", "red")}

guard = Group("guard", help=t("help.guard"))


@command("check", "help.guard_check", guard)
@click.argument("text", metavar="COMMAND")
@click.option("--cwd", default="", help=t("help.guard_check_cwd"))
@click.option("--run", "in_run", is_flag=True, help=t("help.guard_check_run"))
def check(app: App, text: str, cwd: str, in_run: bool) -> int:
    from donewhen.guard.configured import guard_at

    asked = _read() if text == "-" else _readable(text)
    guard = guard_at(str(here()), app.config(), os.environ, checkout=not in_run)
    decision = guard.command(asked, cwd)
    if app.as_json:
        print_json(as_data(decision))
    else:
        _print_decision(app, decision)
    return EXITS[decision.action]


def _read() -> str:
    """A command from stdin; what is too long for any shell reader is cut where that no longer matters."""
    data = sys.stdin.buffer.read(MOST_BYTES) if sys.stdin else b""
    return data.decode("utf-8", "surrogateescape").removesuffix("\n")


def _readable(text: str) -> str:
    """Bytes that are no text become a character that the shell reader refuses."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def as_data(decision: "Decision") -> dict[str, Any]:
    from donewhen.guard.marks import shown
    from donewhen.guard.wording import data

    return {
        "decision": decision.action,
        "rule": decision.rule,
        "reason": one_line(t(decision.reason.key, **decision.reason.values)),
        "approval": decision.approval,
        "findings": [_finding_data(each) for each in decision.findings],
        "effects": [
            {
                **data(each.effect),
                "command": [shown(word) for word in each.argv],
                "through": list(each.by),
                "elsewhere": each.elsewhere,
            }
            for each in decision.effects
        ],
    }


def _finding_data(each: "Finding") -> dict[str, Any]:
    from donewhen.guard.marks import shown
    from donewhen.guard.wording import data

    return {
        "rule": each.rule,
        "action": each.action,
        "approval": each.approval,
        "reason": one_line(t(each.reason.key, **each.reason.values)),
        "instead": one_line(t(each.instead.key)) if each.instead else "",
        "allowed_by": each.allowed_by,
        "effect": data(each.found.effect) if each.found else None,
        "command": [shown(word) for word in each.found.argv] if each.found else [],
    }


def _print_decision(app: App, decision: "Decision") -> None:
    mark, colour = STYLES[decision.action]
    reason = one_line(t(decision.reason.key, **decision.reason.values))
    print_line(
        f"{paint(mark, colour)} {t('guard.head', action=t(f'guard.{decision.action}'), reason=reason)}"
    )
    if app.quiet:
        return
    for number, each in enumerate(decision.findings):
        if number == 1:
            print_line(f"\n{t('guard.heading_more')}")
        for line in _finding_lines(each, number):
            print_line(f"  {line}")
    lines = list(dict.fromkeys(_effect_lines(decision)))
    if lines:
        print_line(f"\n{t('guard.heading_effects')}")
    for line in lines:
        print_line(f"  {line}")


def _finding_lines(each: "Finding", number: int) -> Iterator[str]:
    from donewhen.guard.wording import clean

    if number:
        yield f"{STYLES[each.action][0]} {one_line(t(each.reason.key, **each.reason.values))}"
    indent = "  " if number else ""
    yield indent + t(
        "guard.line_rule", rule=each.rule, action=t(f"guard.{each.action}"), approval=each.approval
    )
    if each.found and each.found.argv:
        yield indent + t("guard.line_command", command=one_line(clean(" ".join(each.found.argv))))
        if each.found.by:
            yield indent + t("guard.line_by", by=" → ".join(each.found.by))
    if each.instead and not each.allowed_by:
        yield indent + t("guard.line_instead", instead=t(each.instead.key))


def _effect_lines(decision: "Decision") -> Iterator[str]:
    from donewhen.guard.effects import Reads
    from donewhen.guard.wording import phrase

    judged = {id(each.found) for each in decision.findings}
    for each in decision.effects:
        # a bare word given to a program may be a file; saying so of every sub-command helps nobody
        if isinstance(each.effect, Reads) and id(each) not in judged and not _tells(each.effect.path):
            continue
        said = phrase(each.effect)
        where = f" ({t(f'guard.elsewhere_{each.elsewhere}')})" if each.elsewhere else ""
        yield one_line(t(said.key, **said.values)) + where


def _tells(path: str) -> bool:
    return "." in path.rpartition("/")[2]


@command("rules", "help.guard_rules", guard)
def rules(app: App) -> None:
    """Every rule, what it decides, and what lifts that in the user's own checkout."""
    from donewhen.guard.configured import rules_of

    rows = [*_own_rows(rules_of(app.config())), *_built_in_rows()]
    if app.as_json:
        print_json({"rules": [row._asdict() for row in rows]})
        return
    heads = [t(f"guard.col_{name}") for name in ("rule", "decision", "lifted_by", "what")]
    for line in table(heads, [_shown_row(row) for row in rows]):
        print_line(line)
    if not app.quiet:
        print_line()
        print_line(t("guard.rules_locked"))
        for row in rows:
            if row.locked:
                print_line(f"  {row.rule}: {row.locked}")


class RuleRow(NamedTuple):
    rule: str
    decision: str
    what: str
    lifted: bool  # an allow rule of the user lifts it in his own checkout
    locked: str = ""  # what nothing lifts; empty: nothing of it
    where: str = "everywhere"  # or `checkout`
    own: bool = False


def _own_rows(rules: "tuple[OwnRule, ...]") -> Iterator[RuleRow]:
    for rule in rules:
        said = rule.reason or t("guard.why_own_rule")
        yield RuleRow(rule.name, rule.action, one_line(said), False, own=True)


def _built_in_rows() -> Iterator[RuleRow]:
    from donewhen.guard.guard import TOOL_DENIALS, TOOL_RULES
    from donewhen.guard.rules import BUILT_IN

    for rule in BUILT_IN:
        key = rule.name.replace("-", "_")
        locked = t(f"guard.locked_{key}") if rule.locked else ""
        lifted = not rule.locked or rule.name in _PARTLY_LOCKED
        where = "checkout" if rule.in_checkout else "everywhere"
        yield RuleRow(rule.name, rule.action, _what(key), lifted, locked, where)
    for name in sorted(TOOL_RULES):
        key = name.replace("-", "_")
        denies, locked = name in TOOL_DENIALS, t("guard.locked_bad_arguments") * (name == "bad-arguments")
        yield RuleRow(name, "deny" if denies else "ask", _what(key), not locked, locked)


def _what(key: str) -> str:
    return one_line(t(f"guard.why_{key}", target="…"))


def _shown_row(row: RuleRow) -> tuple[str, str, str, str]:
    kind = "own" if row.own else "part" if row.lifted and row.locked else "allow" if row.lifted else "nothing"
    where = t("guard.in_checkout") if row.where == "checkout" else ""
    return row.rule, t(f"guard.{row.decision}"), t(f"guard.lifted_{kind}"), f"{row.what}{where}"


class Judged(NamedTuple):
    case: dict[str, Any]
    decision: "Decision"

    @property
    def got(self) -> str:
        return self.decision.action

    @property
    def expected(self) -> str:
        return str(self.case["expect"])

    @property
    def ok(self) -> bool:
        return self.got == self.expected or self.got in self.case.get("also_ok", ())


@command("test", "help.guard_test", guard)
@click.argument("file")
def test(app: App, file: str) -> int:
    from donewhen.ui.corpus import cases

    judged = [_judged(case, file) for case in cases(file, FIELDS)]
    if app.as_json:
        print_json({"summary": _summary(judged), "cases": [_case(each) for each in judged]})
    else:
        _print_cases(app, judged)
    return 0 if all(each.ok for each in judged) else 1


def _judged(case: dict[str, Any], file: str) -> Judged:
    """A case on its fixed ground: neither this folder nor its configuration has a say."""
    from donewhen.guard import Guard
    from donewhen.guard.cases import KNOWN, BadContext, ground_of

    place = f"{file}, {one_line(case['id'])}"
    also = case.get("also_ok", [])
    if case["expect"] not in ACTIONS:
        raise UserError("guard.bad_expectation", field="expect", place=place)
    if not isinstance(also, list) or not all(each in ACTIONS for each in also):
        raise UserError("guard.bad_alternatives", place=place)
    context = case.get("context", {})
    try:
        ground = ground_of(context if isinstance(context, dict) else {"context": context})
    except BadContext as error:
        name = one_line(str(error))
        raise UserError("guard.bad_context", name=name, place=place, known=", ".join(KNOWN)) from None
    return Judged(case, Guard(ground).command(case["command"]))


def _case(each: Judged) -> dict[str, Any]:
    return {
        "id": each.case["id"],
        "expect": each.expected,
        "also_ok": each.case.get("also_ok", []),
        "decision": each.got,
        "rule": each.decision.rule,
        "reason": one_line(t(each.decision.reason.key, **each.decision.reason.values)),
        "ok": each.ok,
    }


def _confusion(judged: list[Judged]) -> dict[str, dict[str, int]]:
    return {
        expected: {
            got: sum((each.expected, each.got) == (expected, got) for each in judged) for got in ACTIONS
        }
        for expected in ACTIONS
    }


def _summary(judged: list[Judged]) -> dict[str, Any]:
    right = sum(each.ok for each in judged)
    return {
        "cases": len(judged),
        "right": right,
        "wrong": len(judged) - right,
        "percent": round(100 * right / len(judged), 1),
        "holes": sum((each.expected, each.got) == ("deny", "allow") for each in judged),
        "false_alarms": sum(each.expected == "allow" and not each.ok for each in judged),
        "confusion": _confusion(judged),
    }


def _print_cases(app: App, judged: list[Judged]) -> None:
    for each in (each for each in judged if not each.ok):
        words = {"expected": t(f"guard.{each.expected}"), "got": t(f"guard.{each.got}")}
        rule = each.decision.rule or t("guard.no_rule")
        print_line(paint(t("guard.wrong_case", id=one_line(each.case["id"]), rule=rule, **words), "red"))
        print_line(f"  {one_line(each.case['command'])}")
    if app.quiet:
        return
    rows = [(t(f"guard.{kind}"), *map(str, row.values())) for kind, row in _confusion(judged).items()]
    for line in table([t("guard.col_expected"), *(t(f"guard.{kind}") for kind in ACTIONS)], rows):
        print_line(line)
    print_line()
    summary = _summary(judged)
    named = ("cases", "right", "percent", "holes", "false_alarms")
    print_line(t("guard.score", **{name: summary[name] for name in named}))
