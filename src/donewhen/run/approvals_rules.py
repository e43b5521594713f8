"""`always` as rules of the user's configuration: each allows one command, word by word, and nothing else.

Only what the guard's own rules ask about can be allowed that way, and only where the command is known to its
last character; a rule that would let more through, or would not let through what was asked, is not made.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from donewhen.core.errors import DonewhenError
from donewhen.guard.cases import GROUND
from donewhen.guard.decision import Finding
from donewhen.guard.effects import Unknown
from donewhen.guard.guard import RULE_NAMES, example_matches
from donewhen.guard.marks import certain
from donewhen.guard.own_rules import compiled

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
    if not _exactly_known(argv, tool) or (isinstance(found.effect, Unknown) and len(argv) == 1):
        return None
    text = " ".join(argv)
    rule: dict[str, Any] = {"pattern": rf"\A{re.escape(text)}\Z"}
    if len(argv) == 1 or any(not word or " " in word for word in argv):
        rule["command"] = _quoted(argv)  # joined words alone would not tell `a b` from `'a b'`, or a tool
    digest = sha256("\0".join(rule.values()).encode()).hexdigest()[:8]
    rule = {"name": f"always-{digest}", **rule, "action": "allow", "match": [_quoted(argv)]}
    if "command" not in rule:
        rule["match"] = [text]
    return rule if _does_what_it_says(rule, finding, tool) else None


def _exactly_known(argv: tuple[str, ...], tool: str) -> bool:
    if not argv or argv == (tool,):  # a tool's own arguments are not among its words
        return False
    return all(certain(word) and (word.isprintable() or not word) for word in argv)


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
