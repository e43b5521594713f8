"""The page that lists what models are told names keys that exist, and leaves none of them out."""

import re
from importlib import import_module
from pathlib import Path

from tests.tables import table_test

PAGE = Path(__file__).parents[2] / "docs" / "prompts.md"
WHOLE = ("context", "desk", "owntools", "codegen", "correction", "feedback", "mode")  # rooms for models alone
NOT_TOLD = re.compile(  # to the agent that works, or to people: errors
    r"context\.(too_large|not_compressed)|codegen\.(?!about|instructions|.*_head|path_)"
)


def texts(room: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = import_module(f"donewhen.core.texts.{room}").TEXTS
    return found


def named() -> list[str]:
    return re.findall(r"`([a-z]+\.[a-z_*]+)`", PAGE.read_text())


def pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name).replace(r"\*", "[a-z_]+"))


@table_test("name", [each for each in named() if not each.startswith(("tools.",))])
def test_every_key_of_the_page_exists(name: str):
    room = name.partition(".")[0]
    assert any(pattern(name).fullmatch(f"{room}.{key}") for key in texts(room))


@table_test("room", WHOLE)
def test_every_key_that_a_model_is_told_is_on_the_page(room: str):
    keys = [f"{room}.{key}" for key in texts(room) if not NOT_TOLD.match(f"{room}.{key}")]
    patterns = [pattern(name) for name in named()]
    assert [key for key in keys if not any(each.fullmatch(key) for each in patterns)] == []
