"""A refused call: written to the ledger, then told to the agent; refused as well when it can't be written."""

import os

from donewhen.core.errors import DonewhenError
from donewhen.core.events.facts import Asked, Denied
from donewhen.core.texts import say
from donewhen.guard.decision import Decision
from donewhen.integrations.hook import dialects
from donewhen.integrations.hook.ancestry import can_ask
from donewhen.integrations.hook.compiled import Compiled
from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.judging import reason_of
from donewhen.integrations.hook.ledger import Ledger, denied, open_ledger, shortened
from donewhen.integrations.hook.payload import Payload

PATIENCE = 5.0  # seconds for the ledger's lock


def refusal(
    course: Course, payload: Payload, run: str, config: Compiled, decision: Decision
) -> dialects.Answer:
    asks = decision.action == "ask" and can_ask(course.client, course.env)
    key = "hooked.asks" if asks else "hooked.needs_human" if decision.action == "ask" else "hooked.denied"
    reason = reason_of(decision, config.language, key)
    try:
        patience = min(PATIENCE, course.left / 2)
        ledger = open_ledger(config.store, config.heads, course.env, config.secret_names, patience)
        fact = _fact(payload, ledger, run, decision, config, asks=asks)
        ledger.append(run, *denied(payload, ledger.redactor, fact))
    except DonewhenError as error:
        why = error.say(config.language)
        return dialects.deny(course.client, reason + say("hooked.not_recorded", config.language, why=why))
    return dialects.ask(course.client, reason) if asks else dialects.deny(course.client, reason)


def _fact(
    payload: Payload, ledger: Ledger, run: str, decision: Decision, config: Compiled, *, asks: bool
) -> Asked | Denied:
    tool = payload.text("tool_name", 200)
    action = shortened(_action(payload), ledger.redactor)
    reason = say(decision.reason.key, config.language, **decision.reason.values)
    if asks:
        ask = f"{run.rpartition('-')[2]}-{os.urandom(3).hex()}"
        return Asked(ask, f"{' '.join(reason.split())}\n{action}", tool, decision.rule)
    target = decision.reason.values.get("target", "")
    return Denied(
        tool, decision.rule, reason, action, target if isinstance(target, str) else "", decision.approval
    )


def _action(payload: Payload) -> str:
    """The one argument that says most: a command, else a path."""
    args = payload.data.get("tool_input")
    if not isinstance(args, dict):
        return ""
    for name in ("command", "file_path", "filePath", "path", "notebook_path", "absolute_path"):
        value = args.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return " ".join(str(word) for word in value[:200])
    return ""
