"""Words at the end of runs and verifications: in the reader's language, within his columns, without false advice."""

import pytest

from donewhen.core.errors import UserError
from donewhen.core.quality.model import GateResult
from donewhen.core.reasons import name_of_cause, next_step
from donewhen.core.summary import Summary
from donewhen.core.texts import Phrase, say
from donewhen.core.texts.causes import TEXTS
from donewhen.tools.commands import command_tools
from donewhen.ui.commands import runs
from donewhen.ui.finding_names import full_name, usual_name
from donewhen.ui.output import width
from donewhen.verify import review as review_model


def test_causes_have_a_name_in_each_language():
    assert all(english == key for key, (english, _) in TEXTS.items())
    assert name_of_cause("review_rounds", "zh") == "评审次数已用完"
    assert name_of_cause("something else", "zh") == "something else"


def test_a_run_that_is_over_is_not_resumed():
    assert "resume" in next_step("escalated")
    assert "resume" not in next_step("escalated", over=True)


def test_tools_that_run_commands_are_described_in_the_language_of_the_run():
    for english, chinese in zip(command_tools("en"), command_tools("zh"), strict=True):
        assert english.description.isascii() and not chinese.description.isascii()


def test_a_provider_alone_is_its_usual_model_for_reviews_too():
    assert usual_name("anthropic") == full_name("anthropic")
    assert usual_name("anthropic:some-model") == "" == usual_name("m1")
    with pytest.raises(UserError):
        usual_name("custom")


def test_a_model_that_fails_a_verification_advises_no_resume():
    values = {"model": "custom:m", "endpoint": "http://127.0.0.1:9", "detail": "refused"}
    failed = Phrase("models.failed_unreachable", values)
    gate = GateResult(
        "semantic", "could_not_run", why=Phrase("semantic.judge_failed", {"judge": "m", "why": failed})
    )
    why = review_model._for_verify(gate).why
    assert why is not None
    said = say(why.key, "en", **why.values)
    assert "--reviewer" in said and "resume" not in said


def test_a_list_fits_into_eighty_columns(monkeypatch, capsys):
    monkeypatch.setattr(runs, "room", lambda taken, least=24: max(least, 80 - taken))
    row = Summary(
        "r-20261115043751-ffffff", "fail", stop_reason="verification_execution_denied", goal="g" * 99
    )
    runs._print(
        [row._replace(created="2026-11-15T04:37:51Z", updated="2026-11-15T04:37:51Z")],
        {},
        wide=False,
    )
    lines = capsys.readouterr().out.splitlines()
    assert max(map(width, lines)) <= 80
