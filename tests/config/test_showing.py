"""What people and editors get: every leaf with its origin, the JSON Schema, the documentation."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

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
from donewhen.config.legacy import DROPPED, MOVED
from donewhen.core.texts.config import TEXTS
from tests.config.test_keys import rich
from tests.tables import table_test

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
    assert set_here == {
        "loop.max_turns": (5, f"project {world.file}:1"),
        "guardrails.rules.r": (
            {"name": "r", "tool": "x", "action": "deny"},
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
        "store: {url: 'postgresql://me:hunter2@h/d'}\nnotify: {urls: ['https://tok/en/x', 'http://plain']}\n"
        "telemetry: {endpoint: 'https://u:hunter2@h/x?api_key=hunter2&a=b'}\n"
    )
    loaded = world.trusted(text)
    shown = {leaf.path: leaf.value for leaf in show(loaded)}
    assert shown["store.url"] == "postgresql://***@h/***"
    assert shown["notify.urls"] == ["https://***", "http://***"]
    assert shown["telemetry.endpoint"] == "https://***@h/***"
    assert loaded.config.store.url == "postgresql://me:hunter2@h/d"
    assert "hunter2" not in json.dumps(to_mapping(loaded.config, hide=True))
    assert "hunter2" in json.dumps(to_mapping(loaded.config))


@table_test(
    ("url", "shown"),
    [
        ("user", "user"),
        ("repo", "repo"),
        ("hunter2", "***"),
        ("sqlite:///var/lib/d.db", "sqlite:///var/lib/d.db"),
        ("sqlite:///var/lib/d.db?key=hunter2", "sqlite:///var/lib/d.db?***"),
        ("postgresql://host/db", "postgresql://host/***"),
        ("postgresql://u:hunter2@host:5432/db?a=b", "postgresql://***@host:5432/***"),
        ("postgresql://hunter2@h", "postgresql://***@h"),
        ("postgresql://host:hunter2/db", "postgresql://***"),
        ("https://host", "https://host"),
        ("https://host/", "https://host/"),
        ("https://host/v1/hunter2", "https://host/***"),
        ("https://host#hunter2", "https://host/***"),
        ("https://[::1]:8080/x", "https://[::1]:8080/***"),
        ("https://host/x@hunter2", "https://***"),
    ],
)
def test_of_an_address_only_where_it_leads_is_shown(url, shown):
    assert hide_password(url) == shown


@given(st.text(max_size=20), st.sampled_from(["postgresql", "https"]))
def test_no_password_survives_hiding(password, scheme):
    shown = hide_password(f"{scheme}://user:hunter2{password}@host/hunter2?{password}=hunter2")
    assert "hunter2" not in shown
    assert shown in (f"{scheme}://***@host/***", f"{scheme}://***")


def test_an_entry_shows_only_what_was_set(world):
    loaded = world.trusted(
        "verification:\n  quality: {gates: [unit-test, {name: own, command: [x], timeout: 5.0}]}\n"
        "agents: {a: {model: m}, b: {}}\nloop: {max_total_time: 5}\n"
        "tools: {mcp: {m: {url: 'https://u:p@h/x'}}}\n"
    )
    shown = {leaf.path: leaf.value for leaf in show(loaded)}
    assert shown["verification.quality.gates.tests"] == "tests"
    assert shown["verification.quality.gates.own"] == {"name": "own", "command": ["x"], "timeout": 5}
    assert {path: value for path, value in shown.items() if path.startswith(("agents", "tools.mcp"))} == {
        "agents.a.model": "m",
        "agents.b": {},
        "tools.mcp.m.url": "https://***@h/***",
    }
    assert json.dumps(shown["loop.max_total_time"]) == "5"
    assert (shown["hooks.commands"], shown["guardrails.rules"], shown["triggers"]) == ([], [], [])
    assert (shown["budget.prices"], json.dumps(shown["budget.total"])) == ({}, "10")


def _sample() -> dict[str, Any]:
    """As an editor that reads YAML 1.1 sees it: a bare `on` is the key `true`."""
    mapping: dict[str, Any] = json.loads(json.dumps(yaml.safe_load(SAMPLE.read_text())))
    assert "true" in mapping["notify"]
    return mapping


def _validator() -> jsonschema.Draft202012Validator:
    schema = config_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@table_test(
    "mapping",
    [
        {},
        to_mapping(Config()),
        rich(),
        _sample(),
        {"sandbox": "required", "budget": {"unknown_price": 3}, "workspace": {"setup": ["npm ci"]}},
        {"sandbox": False, "evidence": {"repeat": False}},
        {"budget": None, "agents": None, "extends": "base.yml"},
        {
            "guardrails": {"rules": None, "secret_patterns": None},
            "hooks": {"commands": None, "enabled": None},
        },
        {"verification": {"quality": {"gates": None}}, "triggers": None, "verificationExemptDirs": None},
        {"workspace": {"setup": False}, "executionMode": {"level": False}, "notify": {"true": ["pause"]}},
        {"workspace": {"setup": "npm ci"}, "verification": {"integrity": {"test-removed": "ask"}}},
        {"triggers": [{"name": "t", "true": "webhook", "template": "x"}]},
    ],
)
def test_the_schema_accepts_what_the_loader_accepts(mapping):
    assert [error.message for error in _validator().iter_errors(mapping)] == []


@table_test(
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
        {"sandbox": True},
        {"executionMode": {"level": True}},
        {"verification": {"integrity": {"A b": "ask"}}},
        {"triggers": [{"name": "t", "template": "x"}]},
        {"workspace": {"setup": True}},
        {"guardrails": {"secret_patterns": ["x" * 501]}},
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


def test_the_documentation_names_every_old_key():
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    old = page.partition("## Old files\n")[2].partition("\n## ")[0]
    for where, names in DROPPED.items():
        assert [name for name in names if f"`{'.'.join((*where, name))}`" not in old] == []
    for name, new in MOVED.items():
        assert f"| `context.auto_compact.{name}` | `context.budget.{new}` |" in old


@table_test("name", sorted(TEXTS))
def test_every_sentence_begins_small_and_has_no_full_stop(name):
    english, chinese = TEXTS[name]
    assert not english[0].isupper()
    assert not english.endswith(".")
    assert not chinese.endswith(("。", "."))


def test_the_door_leads_to_every_name():
    assert [name for name in room.__all__ if getattr(room, name, None) is None] == []
    assert dir(room) == sorted(room.__all__)
    with pytest.raises(AttributeError):
        room.nothing  # noqa: B018
