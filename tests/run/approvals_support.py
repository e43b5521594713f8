"""What the tests of questions to a human share."""

import asyncio

from donewhen.core.events import facts
from donewhen.core.protocols import EventStore
from donewhen.core.texts import Phrase
from donewhen.guard.decision import Finding, Found, decide
from donewhen.guard.effects import Publishes
from donewhen.run.approvals import Answer, Approvals, Question
from tests.helpers import RUN

ASK = "0a1b2c-1"
WHY = "it would publish (npm)"
TOKEN = "ghp_" + "A1b2C3d4" * 4 + "E5f6"


def finding(*argv: str, rule: str = "publish", **changes) -> Finding:
    reason = Phrase(f"guard.why_{rule.replace('-', '_')}", {"target": argv[0]})
    instead = Phrase(f"guard.instead_{rule.replace('-', '_')}")
    found = Found(Publishes(argv[0], *argv[1:2]), argv)
    return Finding(rule, "ask", "user", reason, found, instead)._replace(**changes)


def question(action: str = "npm publish", *findings: Finding) -> Question:
    return Question(decide(findings or (finding(*action.split()),)), action, "run_command")


def ask(store: EventStore, asker, *questions: Question, **more) -> list[Answer]:
    async def all_of_them() -> list[Answer]:
        approvals = Approvals(store, RUN, asker, **more)
        return [await approvals.ask(each) for each in questions]

    return asyncio.run(all_of_them())


def bodies(store: EventStore) -> list[object]:
    return [event.body for event in store.read(RUN)][1:]


def asked(ask: str = ASK, action: str = "npm publish", why: str = WHY, rule: str = "publish") -> facts.Asked:
    return facts.Asked(ask, f"{why}\n{action}", "run_command", rule)


def denied(command: str = "npm publish") -> facts.Denied:
    return facts.Denied("run_command", "publish", WHY, command, "npm")
