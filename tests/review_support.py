"""Replies of a reviewer for tests, and what a run kept of a review."""

import json
from collections.abc import Mapping
from typing import Any

from donewhen.core.events import facts
from donewhen.testing import Call
from donewhen.verify.review import JudgeError
from tests.llm_support import Played

LINE = "return sum(prices)"
JUDGE: dict[str, Any] = {"verification": {"semantic": {"model": "openai:judge"}}}
QUOTE = {"file": "cart.py", "line": 2, "text": LINE}


def finding(**more: Any) -> dict[str, Any]:
    return {
        "severity": "high",
        "file": "cart.py",
        "line": 2,
        "message": "an empty cart is not handled",
        "suggestion": "return 0 for it",
        "confidence": 0.9,
        "rule": "empty-cart",
        **more,
    }


def judged(criterion: str, verdict: str, *quotes: dict[str, Any], confidence: float = 1) -> dict[str, Any]:
    return {
        "criterion": criterion,
        "verdict": verdict,
        "reason": "I read it",
        "confidence": confidence,
        "quotes": list(quotes),
    }


def reply(*findings: dict[str, Any], criteria: tuple[dict[str, Any], ...] = ()) -> str:
    """What a reviewer answers at one stage."""
    told = {"findings": list(findings)}
    return json.dumps({"criteria": list(criteria), **told} if criteria else told)


FINE = reply()
MET = reply(criteria=(judged("c1", "met", QUOTE),))
AGREES = (MET, FINE)  # one reply for each stage
OBJECTS = (MET, reply(finding()))
MENDED = (MET, reply(criteria=(judged("finding-1", "met", QUOTE),)))
STILL_OPEN = (MET, reply(criteria=(judged("finding-1", "unmet"),)))
TOUCH = Call("edit_file", {"path": "cart.py", "edits": [{"old": LINE, "new": f"{LINE}  # exact"}]})


def reviews(played: Played) -> list[facts.Reviewed]:
    return [each for each in played.bodies if isinstance(each, facts.Reviewed)]


def semantic(played: Played) -> facts.Verified:
    """The last word of the reviewer, as the gate knows it."""
    found = [each for each in played.bodies if isinstance(each, facts.Verified)]
    return [each for each in found if each.verifier == "semantic"][-1]


def models(played: Played) -> list[str]:
    return [each.body["model"] for each in played.asked]


def told(played: Played) -> str:
    """What the harness said to the agent."""
    return "\n".join(each.text for each in played.bodies if isinstance(each, facts.AgentTold))


class ScriptedJudge:
    """Gives its replies, texts or reviews, in order."""

    name, model, cost = "scripted", "", 0.0

    def __init__(self, replies: list[str]) -> None:
        self.prompts: list[str] = []
        self._left = replies

    async def review(self, prompt: str, stage: str = "") -> str:
        self.prompts.append(prompt)
        if not self._left:
            raise JudgeError("semantic.nobody")
        return self._left.pop(0)


def in_order(*replies: str | Mapping[str, Any]) -> ScriptedJudge:
    return ScriptedJudge([each if isinstance(each, str) else json.dumps(each) for each in replies])
