"""What people and editors get: every leaf with its origin, the JSON Schema, the documentation."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import donewhen.config as room
from donewhen.config import (
    Config,
    config_schema,
    every_key,
    hide_password,
    reference_table,
    show,
    to_mapping,
)
from tests.config.test_keys import rich

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "samples" / "gsd" / "config.yml"


def test_show_gives_every_leaf_in_documented_order_with_its_origin(world):
    world.configure("loop: {maxTurns: 5}\nguardrails:\n  rules:\n    - {name: r, tool: x, action: deny}\n")
    shown = show(world.load(DONEWHEN_EXECUTION_MODE__LEVEL="strict"))
    assert [leaf.path for leaf in shown[:5]] == [
        "language",
        "project.name",
        "project.openSpecPath",
        "project.targetBranch",
        "loop.max_total_time",
    ]
    set_here = {leaf.path: (leaf.value, str(leaf.origin)) for leaf in shown if leaf.origin.layer != "default"}
    rule = {"name": "r", "pattern": None, "command": None, "path": None, "tool": "x", "action": "deny"}
    assert set_here == {
        "loop.max_turns": (5, f"project {world.file}:1"),
        "guardrails.rules.r": (
            {**rule, "reason": None, "match": [], "not_match": []},
            f"project {world.file}:4",
        ),
        "executionMode.level": ("strict", "environment DONEWHEN_EXECUTION_MODE__LEVEL"),
    }
    json.dumps([leaf.value for leaf in shown])


def test_show_names_exactly_the_documented_leaves(world):
    documented = {path for path, entry in every_key() if "[]" not in path and "*" not in path}
    assert {leaf.path for leaf in show(world.load())} == documented - {"extends"}


def test_passwords_and_tokens_are_hidden_from_show_but_kept_in_the_config(world):
    text = (
        "store: {url: 'postgresql://me:hunter2@h/d'}\nnotify: {urls: ['slack://tok/en/x', plain]}\n"
        "telemetry: {endpoint: 'https://u:hunter2@h/x?api_key=hunter2&a=b'}\n"
    )
    loaded = world.trusted(text)
    shown = {leaf.path: leaf.value for leaf in show(loaded)}
    assert shown["store.url"] == "postgresql://***@h/d"
    assert shown["notify.urls"] == ["slack://***", "***"]
    assert shown["telemetry.endpoint"] == "https://***@h/x?api_key=***&a=b"
    assert loaded.config.store.url == "postgresql://me:hunter2@h/d"
    assert "hunter2" not in json.dumps(to_mapping(loaded.config, hide=True))
    assert "hunter2" in json.dumps(to_mapping(loaded.config))


@pytest.mark.parametrize("password", ["a", "a@b", "a/b", "a?b", "p#q@", "p:q"])
def test_no_password_survives_hiding(password):
    assert hide_password(f"postgresql://user:{password}@host/db") == "postgresql://***@host/db"


def _sample() -> dict[str, Any]:
    mapping: dict[Any, Any] = yaml.safe_load(SAMPLE.read_text())
    mapping["notify"]["on"] = mapping["notify"].pop(True)  # editors read a bare `on` as the word
    return mapping


def _validator() -> jsonschema.Draft202012Validator:
    schema = config_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        to_mapping(Config()),
        rich(),
        _sample(),
        {"sandbox": "required", "budget": {"unknown_price": 3}, "workspace": {"setup": ["npm ci"]}},
        {"sandbox": False, "evidence": {"baseTests": True}},
        {"budget": None, "agents": None, "extends": "base.yml"},
    ],
)
def test_the_schema_accepts_what_the_loader_accepts(mapping):
    assert [error.message for error in _validator().iter_errors(mapping)] == []


@pytest.mark.parametrize(
    "mapping",
    [
        {"budgte": {}},
        {"budget": {"totl": 1}},
        {"budget": {"total": "1"}},
        {"loop": {"max_turns": 0}},
        {"ship": {"mode": "push"}},
        {"guardrails": {"rules": [{"name": "r", "tool": "x"}]}},
        {"agents": {"a": {"kind": "human"}}},
        {"hooks": {"commands": [{"name": "h", "point": "run_end", "command": []}]}},
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(mapping):
    assert list(_validator().iter_errors(mapping))


def test_the_schema_names_no_host_and_describes_every_key():
    schema = config_schema()
    assert schema["$id"] == "urn:donewhen:config:1"
    for section in (schema, *(part["anyOf"][0] for part in schema["$defs"].values())):
        assert section["additionalProperties"] is False
        assert all(body["description"] for body in section["properties"].values())


def test_the_documentation_holds_the_table_of_all_keys():
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    begin, end = "<!-- keys: begin -->\n", "<!-- keys: end -->"
    assert page.partition(begin)[2].partition(end)[0].strip() == reference_table().strip()


def test_the_door_leads_to_every_name():
    assert [name for name in room.__all__ if getattr(room, name, None) is None] == []
    assert dir(room) == sorted(room.__all__)
    with pytest.raises(AttributeError):
        room.nothing  # noqa: B018
