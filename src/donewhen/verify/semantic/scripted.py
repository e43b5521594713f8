"""A judge whose replies stand in a file: for tests, for demos, and for people who write a review by hand.

The file, YAML or JSON, is a list of replies, given one after the other; or such a list for each stage; or one
review (`criteria`, `findings`), see `written`. It invents nothing: when the
replies are used up, it could not review.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from donewhen.config.files import read_bytes
from donewhen.config.places import ConfigError, harmless
from donewhen.config.yamltext import Odd, decode, plain, read_yaml
from donewhen.core.errors import UserError
from donewhen.core.semantic.model import STAGES
from donewhen.core.semantic.prompt import stage_of
from donewhen.core.texts import Phrase
from donewhen.verify.semantic.judge import JudgeError
from donewhen.verify.semantic.written import WrittenReview

_ANY = ""
_REVIEW = frozenset(("criteria", "findings"))


class ScriptedJudge:
    """Replies in order; those for a stage, where the script has some, else those for any."""

    model = ""
    cost = 0.0

    def __init__(self, replies: Mapping[str, Sequence[str]], name: str = "scripted") -> None:
        self.name = name
        self.prompts: list[str] = []
        self._replies = {stage: tuple(texts) for stage, texts in replies.items()}
        self._given: dict[str, int] = {}

    async def review(self, prompt: str) -> str:
        self.prompts.append(prompt)
        stage = stage_of(prompt) or _ANY
        key = stage if stage in self._replies else _ANY
        texts = self._replies.get(key, ())
        given = self._given.get(key, 0)
        if given >= len(texts):
            raise JudgeError("semantic.script_at_end", stage=stage or "-", given=given)
        self._given[key] = given + 1
        return texts[given]


def in_order(*replies: str | Mapping[str, Any]) -> ScriptedJudge:
    """A judge of these replies, texts or reviews."""
    return ScriptedJudge({_ANY: [_text(reply) for reply in replies]})


def scripted_judge(path: Path) -> ScriptedJudge | WrittenReview:
    """The judge that a file is; UserError when it can't be read."""
    name = harmless(str(path))
    try:
        data = read_bytes(path, str(path))
        found = None if data is None else _load(decode(data, str(path)), str(path))
    except ConfigError as error:
        raise _unreadable(name, Phrase(error.key, error.values)) from None
    if data is None:
        raise _unreadable(name, Phrase("semantic.script_absent"))
    if isinstance(found, dict) and found and _REVIEW.issuperset(found):
        return WrittenReview(found, path.name)
    return ScriptedJudge(_replies(found, name), path.name)


def _load(text: str, source: str) -> Any:
    """JSON is tried first: it may be indented by tabs, which YAML refuses."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return _written(plain(read_yaml(text, source)))


def _written(value: Any) -> Any:
    """Dates and odd numbers as they are written; depth is bounded by the reader."""
    if isinstance(value, Odd):
        return value.text
    if isinstance(value, dict):
        return {key: _written(inner) for key, inner in value.items()}
    return [_written(inner) for inner in value] if isinstance(value, list) else value


def _replies(found: Any, name: str) -> dict[str, list[str]]:
    if isinstance(found, list):
        return {_ANY: _texts(found, name)}
    if not isinstance(found, dict) or not found:
        raise _unreadable(name, Phrase("semantic.script_shape"))
    for key in found:
        if key not in STAGES:
            values = {"name": harmless(key), "known": ", ".join(STAGES)}
            raise _unreadable(name, Phrase("semantic.script_stage", values))
    return {key: _texts(found[key], name) for key in found}


def _texts(found: Any, name: str) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(each, str | dict) for each in found):
        raise _unreadable(name, Phrase("semantic.script_shape"))
    return [_text(each) for each in found]


def _text(reply: str | Mapping[str, Any]) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def _unreadable(name: str, why: Phrase) -> UserError:
    return UserError("semantic.script_unreadable", file=name, why=why)
