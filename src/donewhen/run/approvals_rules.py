"""`always` as rules of the user's configuration: each allows one command, word by word, and nothing else.

Only what the guard's own rules ask about can be allowed that way, and only where the command is known to its
last character, holds no secret and would be asked about by its words alone: what comes from a redirection,
from other variables or from the machine that it runs on can't be named. A rule that would let more through,
or would not let through what was asked, is not made.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from donewhen.core.errors import DonewhenError
from donewhen.guard.actions import SHELL_TOOL
from donewhen.guard.cases import GROUND
from donewhen.guard.decision import Finding, Found
from donewhen.guard.effects import Unknown
from donewhen.guard.guard import RULE_NAMES, Guard, example_matches
from donewhen.guard.marks import certain
from donewhen.guard.own_rules import compiled
from donewhen.secrets.redact import Redactor

_REDACTOR = Redactor()
_PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")

Rule = Mapping[str, Any]


def lasting_rules(findings: Sequence[Finding], tool: str) -> tuple[Rule, ...]:
    """Rules that would answer the question from now on; none when not all of it can be answered so."""
    rules: dict[str, Rule] = {}
    for finding in findings:
        rule = _rule(finding, tool)
        if rule is None:
            return ()
        rules[str(rule["name"])] = rule
    return tuple(rules.values())


def _rule(finding: Finding, tool: str) -> Rule | None:
    found = finding.found
    if found is None or finding.action != "ask" or finding.rule not in RULE_NAMES:
        return None
    argv = found.argv
    if not _exactly_known(argv, tool) or isinstance(found.effect, Unknown):
        return None  # what nobody could read may be something else the next time
    text, line = " ".join(argv), _quoted(argv)
    if _REDACTOR.text(text) != text or _REDACTOR.text(line) != line:
        return None
    # joined words would not tell `a b` from `'a b'`, first words not `a b` from `a b c`: together they do
    rule = {"tool": tool, "command": line, "pattern": rf"\A{re.escape(text)}\Z"}
    digest = sha256("\0".join(rule.values()).encode()).hexdigest()[:8]
    made: Rule = {"name": f"always-{digest}", **rule, "action": "allow", "match": [line]}
    return made if _by_its_words(finding, line) and _does_what_it_says(made, finding, tool) else None


def _exactly_known(argv: tuple[str, ...], tool: str) -> bool:
    if not argv or tool != SHELL_TOOL or argv == (tool,):  # other tools have arguments beside the words
        return False
    return all(certain(word) and (word.isprintable() or not word) for word in argv)


def _by_its_words(finding: Finding, line: str) -> bool:
    """Would the same be asked about the command alone, here and with nothing around it?"""
    asked = [one for one in Guard(GROUND).command(line).findings if one.rule == finding.rule and one.found]
    return any(one.action == "ask" and _essence(one.found) == _essence(finding.found) for one in asked)


def _essence(found: Found | None) -> tuple[object, ...]:
    """What an effect is, wherever the workspace lies."""
    if found is None:
        return ()
    facts = found.effect._asdict()
    if isinstance(facts.get("path"), str):
        facts["path"] = facts["path"].rpartition("/")[2]
    return type(found.effect), facts, found.argv, found.elsewhere, found.changed


def _quoted(argv: tuple[str, ...]) -> str:
    first = argv[0] if _PLAIN.fullmatch(argv[0]) else "'" + argv[0].replace("'", "'\"'\"'") + "'"
    return " ".join((first, *map(shlex.quote, argv[1:])))


def _does_what_it_says(rule: Rule, finding: Finding, tool: str) -> bool:
    from pydantic import ValidationError

    from donewhen.config.sections_guard import GuardRule

    try:
        data = GuardRule.model_validate({**rule, "match": tuple(rule["match"])})
        (made,) = compiled([data], RULE_NAMES, lambda own, text: example_matches(own, text, GROUND))
    except (ValidationError, DonewhenError):
        return False
    return made.applies(tool, finding.found, "/")
