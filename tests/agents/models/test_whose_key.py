"""A key goes to its own provider's address, also where the configuration names an address and nobody."""

from pathlib import Path
from typing import Any, cast

import pytest

from donewhen.agents.llm import llm_agent
from donewhen.agents.models.naming import find_source, make_model
from donewhen.config.schema import Config, Llm
from donewhen.core.errors import UserError
from tests.tables import table_test

ENV = {"OPENAI_API_KEY": "key-of-openai", "ANTHROPIC_API_KEY": "key-of-anthropic", "PLAIN": "key-of-box"}
BOX = "https://box.example/v1"


@table_test("other", ["openai:second", "claude-x"])
def test_an_address_without_a_name_is_the_first_models_alone(other):
    settings = Llm(base_url=BOX, key_env="PLAIN", protocol="responses")
    mine = find_source("custom:mine", settings, ENV, "custom:mine")
    assert (mine.url, mine.key, mine.speech) == (BOX, "key-of-box", "responses")
    source = find_source(other, settings, ENV, "custom:mine")
    assert source == find_source(other, Llm(), ENV)
    assert "box" not in source.url + source.key


def test_a_key_without_an_address_goes_to_no_other_provider():
    source = find_source("openai:second", Llm(key_env="PLAIN"), ENV, "claude-x")
    assert source.key == "key-of-openai"


def test_an_address_beside_a_configured_role_is_not_that_of_a_model_asked_for_by_name():
    settings = Llm.model_validate({"base_url": BOX, "roles": {"execute": "custom:mine"}})
    assert find_source("claude-x", settings, ENV, "claude-x").url == "https://api.anthropic.com"
    assert find_source("custom:mine", settings, ENV, "claude-x").url == BOX


def test_a_fallback_never_sees_the_address_of_the_model_that_was_asked_for():
    config = Config.model_validate(
        {"tools": {"llm": {"base_url": BOX, "key_env": "PLAIN", "fallback": ("openai:second",)}}}
    )
    made = llm_agent(config, ENV, Path("/nowhere"), model="custom:mine")
    means = made._means
    assert means.order["execute"] == ("custom:mine", "openai:second")
    where = [cast(Any, means.make(each)).where for each in means.order["execute"]]
    assert [(each.url, each.key_name) for each in where] == [
        (BOX, "PLAIN"),
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    ]
    with pytest.raises(UserError):
        llm_agent(config, {}, Path("/nowhere"), model="custom:mine")


def test_a_library_model_names_the_variable_of_its_own_provider():
    pytest.importorskip("google.genai")
    settings = Llm(key_env="PLAIN", protocol="library")
    env = {**ENV, "GEMINI_API_KEY": "key-of-google"}
    made = make_model("google:gemini-3", settings, env, "custom:mine")
    assert (
        cast(Any, made).where.key_name
        == find_source("google:gemini-3", settings, env, "custom:mine").key_name
    )
    assert cast(Any, made).where.key_name != "PLAIN"
