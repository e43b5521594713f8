"""Which model reviews, and what becomes of an answer that is none."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from donewhen.agents.models.judging import Chosen, choose_reviewer
from donewhen.config import Config, load_config
from donewhen.core.errors import UserError
from tests.tables import table_test

KEYS = {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "sk-2"}
AUTHOR = "openai:author"


def config(folder: Path, *settings: str) -> Config:
    env = {"DONEWHEN_CONFIG_DIR": str(folder), "HOME": str(folder)}
    return load_config(folder, env=env, flags=settings).config


def chosen(folder: Path, *settings: str, author: str = AUTHOR, env: Mapping[str, str] = KEYS) -> Any:
    return choose_reviewer(config(folder, *settings), env, author)


def test_without_a_model_anywhere_nobody_reviews(tmp_path):
    assert chosen(tmp_path, author="") is None
    assert chosen(tmp_path, "tools.llm.fallback=[openai:spare]", author="") is None


def test_the_author_s_own_model_is_left_out(tmp_path):
    assert chosen(tmp_path) == Chosen(())
    assert chosen(tmp_path, f"verification.semantic.model={AUTHOR}") == Chosen(())


@table_test(
    ("settings", "order"),
    [
        (["tools.llm.roles.review=openai:a"], ("openai:a",)),
        (
            ["tools.llm.roles.review=openai:a", "verification.semantic.model=openai:b"],
            ("openai:b", "openai:a"),
        ),
        (["tools.llm.fallback=[openai:author, anthropic:c]"], ("anthropic:c",)),
        (["tools.llm.fallback=[anthropic:author]"], ("anthropic:author",)),
        (["verification.semantic.model=openai:author", "tools.llm.fallback=[openai:d]"], ("openai:d",)),
    ],
)
def test_another_model_than_the_author_s_is_preferred(tmp_path, settings, order):
    assert chosen(tmp_path, *settings) == Chosen(order)


def test_a_script_s_work_is_reviewed_by_the_model_that_is_named(tmp_path):
    assert chosen(tmp_path, "verification.semantic.model=openai:judge", author="") == Chosen(
        ("openai:judge",)
    )


def test_a_named_reviewer_without_a_key_is_told(tmp_path):
    with pytest.raises(UserError, match="MISTRAL_API_KEY"):
        chosen(tmp_path, "verification.semantic.model=mistral:judge")


def test_a_fallback_without_a_key_is_left_out_and_named(tmp_path):
    found = chosen(tmp_path, "tools.llm.fallback=[mistral:spare, openai:d]")
    assert found.order == ("openai:d",)
    assert [note.values["model"] for note in found.notes] == ["mistral:spare"]
