"""A review that a person wrote as one page: each stage is given its part of it, as often as it is asked for.

What it does not say is not filled in: a criterion without an answer makes it no review.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from donewhen.core.semantic.model import Stage
from donewhen.core.semantic.prompt import asks_about, stage_of

_FINDING = re.compile(r"finding-[0-9]{1,9}")


class WrittenReview:
    """Findings go to the stage that they name, the first where they name none."""

    model = ""
    cost = 0.0

    def __init__(self, review: Mapping[str, Any], name: str) -> None:
        self.name = name
        self._review = review

    async def review(self, prompt: str) -> str:
        stage = stage_of(prompt) or "spec"
        reply = dict(self._review)
        for key, belongs in (("criteria", _answers), ("findings", _is_of)):
            entries = reply.get(key, [])
            if isinstance(entries, list):
                reply[key] = [each for each in entries if belongs(each, stage, prompt)]
        return json.dumps(reply, ensure_ascii=False)


def _answers(entry: Any, stage: Stage, prompt: str) -> bool:
    """Earlier findings are answered where they are asked about; all else belongs to the first stage."""
    name = entry.get("criterion") if isinstance(entry, dict) else None
    if isinstance(name, str) and _FINDING.fullmatch(name):
        return asks_about(prompt, name)
    return stage == "spec"


def _is_of(entry: Any, stage: Stage, _: str) -> bool:
    named = entry.get("stage") if isinstance(entry, dict) else None
    return (named == "robustness") is (stage == "robustness")
