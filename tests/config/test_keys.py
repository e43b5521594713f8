"""Spelling, types and bounds: a wrong key or value is refused with its place and a suggestion."""

import pytest

from donewhen.config import Config, ConfigError, config_from_mapping, every_key, to_mapping
from donewhen.config.fields import Section, camel, keys_of, spellings_of
from tests.tables import table_test

AT = ".donewhen/config.yml"


@table_test(
    ("text", "sentence"),
    [
        ("budgte: {total: 1}\n", f"{AT}:1: unknown key `budgte`; did you mean: budget?"),
        ("loop:\n  maxturns: 1\n", f"{AT}:2: unknown key `loop.maxturns`; did you mean: max_turns?"),
        ("ship: {zzz: 1}\n", f"{AT}:1: unknown key `ship.zzz`; remove it or use one of: mode"),
        (
            "loop:\n  max_turns: 1\n  maxTurns: 2\n",
            f"{AT}:3: `loop.maxTurns` is the same key as `max_turns` on line 2; keep one of them",
        ),
        (
            "verification:\n  archon: {}\n  quality: {}\n",
            f"{AT}:3: `verification.quality` is the same key as `archon` on line 2; keep one of them",
        ),
        ("budget: 5\n", f"{AT}:1: `budget` must be a mapping of keys; write `key: value` lines below it"),
        ("loop: {max_turns: true}\n", f"{AT}:1: `loop.max_turns` must be a whole number; write it in digits"),
        ('loop: {max_turns: "9"}\n', f"{AT}:1: `loop.max_turns` must be a whole number; write it in digits"),
        ("loop: {max_turns: 1.5}\n", f"{AT}:1: `loop.max_turns` must be a whole number; write it in digits"),
        ("loop: {max_turns: 0}\n", f"{AT}:1: `loop.max_turns` must be at least 1; raise it"),
        (
            "loop: {max_turns: 9999999999}\n",
            f"{AT}:1: `loop.max_turns` must be at most 1000000000; lower it",
        ),
        ("loop: {max_turns: }\n", f"{AT}:1: `loop.max_turns` has no value; write one or leave the key out"),
        ("loop: {max_turns: [1]}\n", f"{AT}:1: `loop.max_turns` must be a whole number"),
        ("loop: {max_turns: {a: 1}}\n", f"{AT}:1: `loop.max_turns` takes a value, not a mapping"),
        ("budget: {total: -0.5}\n", f"{AT}:1: `budget.total` must be at least 0; raise it"),
        ("budget: {total: true}\n", f"{AT}:1: `budget.total` must be a number; write it in digits"),
        ("budget: {total: 1e3}\n", f"{AT}:1: `budget.total` is written as `1e3`, which is no plain decimal"),
        ("budget: {warn_threshold: 20}\n", f"{AT}:1: `budget.warn_threshold` must be at most 1; lower it"),
        ("evidence: {clean_room: 1}\n", f"{AT}:1: `evidence.clean_room` must be `true` or `false`"),
        ('evidence: {clean_room: "yes"}\n', f"{AT}:1: `evidence.clean_room` must be `true` or `false`"),
        (
            "runtime:\n  max_repeat_cycle_streak: 0\n",
            f"{AT}:2: `runtime.max_repeat_cycle_streak` must be at least 1",
        ),
        (
            "runtime: {tool_timeout_sec: 0}\n",
            f"{AT}:1: `runtime.tool_timeout_sec` must be more than 0; raise it",
        ),
        ("ship: {mode: push}\n", f"{AT}:1: `ship.mode` must be one of: branch, merge, pr; choose one"),
        ("sandbox: maybe\n", f"{AT}:1: `sandbox.mode` must be one of: auto, required, off; choose one"),
        (
            "verification: {profile: edit}\n",
            f"{AT}:1: `verification.profile` must be one of: task_only, create_file,",
        ),
        (
            "evidence: {irrelevant: docs}\n",
            f"{AT}:1: `evidence.irrelevant` must be a list; write it like `[a, b]`",
        ),
        (
            "evidence: {irrelevant: [1]}\n",
            f"{AT}:1: `evidence.irrelevant[0]` must be text; put it in quotes",
        ),
        ('evidence: {irrelevant: [""]}\n', f"{AT}:1: `evidence.irrelevant[0]` is empty; write a text"),
        ("sandbox: {env: [A-B]}\n", f"{AT}:1: `sandbox.env[0]` must be the name of an environment variable"),
        (
            "verification:\n  quality:\n    gates:\n      - tets\n",
            f"{AT}:4: `verification.quality.gates[tets]` names the unknown gate `tets` and gives no command; "
            "did you mean: tests?",
        ),
        (
            "verification: {quality: {gates: [{command: [x]}]}}\n",
            f"{AT}:1: `verification.quality.gates[0].name` is miss",
        ),
        (
            "verification: {quality: {gates: [{name: x, command: [x], parser: regex}]}}\n",
            f"{AT}:1: `x` needs a `pattern` with the parser regex and only with it",
        ),
        (
            "hooks: {enabled: [log-operation]}\n",
            f"{AT}:1: `hooks.enabled[0]` names `log-operation`, a hook neither built in nor installed; "
            "did you mean: log-operations?",
        ),
        (
            "hooks:\n  commands:\n    - {name: h, point: before_toll, command: [x]}\n",
            f"{AT}:3: `hooks.commands[h].point` must be one of: run_start, run_end,",
        ),
        (
            "hooks: {commands: [{name: h, point: run_end, command: []}]}\n",
            f"{AT}:1: `hooks.commands[h].command` must not",
        ),
        (
            "hooks: {commands: [{name: h, point: run_end, command: ['']}]}\n",
            f"{AT}:1: `hooks.commands[h].command` has no",
        ),
        (
            "guardrails:\n  rules:\n    - name: r\n      pattern: '('\n      action: deny\n",
            f"{AT}:4: `guardrails.rules[r].pattern` is no regular expression (missing ), unter",
        ),
        ("guardrails: {rules: [{name: r, action: deny}]}\n", f"{AT}:1: the guard rule `r` matches nothing"),
        (
            "guardrails: {rules: [{name: r, pattern: x}]}\n",
            f"{AT}:1: `guardrails.rules[r].action` is missing; add it",
        ),
        (
            "guardrails:\n  rules:\n"
            "  - {name: r, tool: a, action: deny}\n  - {name: r, tool: b, action: deny}\n",
            f"{AT}:4: `guardrails.rules[r]` has the name `r` that the entry on line 3 has; rename",
        ),
        (
            "guardrails: {secret_patterns: ['[']}\n",
            f"{AT}:1: `guardrails.secret_patterns[0]` is no regular expression",
        ),
        (
            "verification: {integrity: {skips: maybe}}\n",
            f"{AT}:1: `verification.integrity.skips` must be one of: deny,",
        ),
        (
            "tools: {llm: {by_profile: {speed: m}}}\n",
            f"{AT}:1: `tools.llm.by_profile.speed` must be one of: task_only",
        ),
        (
            "workspace: {setup: [[]]}\n",
            f"{AT}:1: `workspace.setup` must be auto, off, a command or a list of",
        ),
        (
            "workspace: {setup: [1]}\n",
            f"{AT}:1: `workspace.setup` must be auto, off, a command or a list of",
        ),
        (
            "triggers: [{name: n, on: schedule, template: t}]\n",
            f"{AT}:1: the trigger `n` on schedule needs a `filter`",
        ),
        (
            "telemetry: {endpoint: collector}\n",
            f"{AT}:1: `telemetry.endpoint` must be an http:// or https:// address",
        ),
        ("language: de\n", f"{AT}:1: `language` must be one of: auto, en, zh; choose one"),
    ],
)
def test_a_wrong_setting_is_refused_with_place_and_next_step(world, text, sentence):
    assert world.refusal(text).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("agents:\n  x: {kind: acp}\n", f"{AT}:2: `agents.x` needs the key `command`; add it"),
        ("agents: {x: {kind: scripted}}\n", f"{AT}:1: `agents.x` needs the key `script`; add it"),
        (
            "verification: {verifiers: {v: {scope: s}}}\n",
            f"{AT}:1: `verification.verifiers.v` needs the key `command`",
        ),
        (
            "verification: {verifiers: {v: {command: [x], pattern: a}}}\n",
            f"{AT}:1: `v` needs a `pattern` with the pars",
        ),
        ("tools: {mcp: {m: {timeout: 3}}}\n", f"{AT}:1: the MCP server `m` needs either a command or a url"),
        ("evidence: {flaky: {passes: 3, of: 2}}\n", f"{AT}:1: `evidence.flaky` asks for 3 passes of 2 runs"),
    ],
)
def test_what_the_layers_together_leave_incomplete_is_refused(world, text, sentence):
    world.configure(text)
    world.trust()
    assert world.refusal().startswith(sentence)


@pytest.mark.parametrize(
    "url", ["mysql://u:hunter2@h/d", "sqlite://rel.db", "sqlite:///../x", "sqlite:///", "hunter2"]
)
def test_a_wrong_store_is_refused_without_showing_its_password(world, url):
    refusal = world.refusal(f"store:\n  url: '{url}'\n")
    assert refusal.startswith(
        f"{AT}:2: `store.url` must be user, repo, sqlite:///absolute/path or postgresql://"
    )
    assert "hunter2" not in refusal


@pytest.mark.parametrize(
    "url", ["user", "repo", "sqlite:///var/lib/d.db", "postgresql://u:p@h/d", "postgres://h/d"]
)
def test_every_kind_of_store_is_read(world, url):
    assert world.trusted(f"store: {{url: '{url}'}}").config.store.url == url


def test_an_integer_is_fine_where_a_number_is_expected(world):
    assert world.load("budget: {total: 5}").config.budget.total == 5.0


def test_a_number_stands_for_both_prices(world):
    price = world.load("budget: {unknown_price: 100}").config.budget.unknown_price
    assert (price.input, price.output) == (100.0, 100.0)


def _all_models(model: type[Section]) -> list[type[Section]]:
    found = [model]
    for entry in keys_of(model):
        if entry.model is not None:
            found += _all_models(entry.model)
    return found


def test_every_key_has_a_rule_a_meaning_and_both_spellings():
    for model in _all_models(Config):
        for entry in keys_of(model):
            assert entry.facts.rule.kind
            assert entry.about.endswith((".", "…"))
            assert {entry.attr, camel(entry.attr), entry.name} <= set(spellings_of(model))


def test_no_two_keys_of_a_section_share_a_spelling():
    for model in _all_models(Config):
        spelled = [spelling for entry in keys_of(model) for spelling in entry.spellings]
        assert len(spelled) == len(set(spelled))


def _respelled(mapping: dict[str, object], model: type[Section]) -> dict[str, object]:
    """The same mapping with every key in its other spelling."""
    out: dict[str, object] = {}
    for entry in keys_of(model):
        if entry.name not in mapping:
            continue
        value = mapping[entry.name]
        if entry.model is not None and isinstance(value, list):
            value = [_respelled(item, entry.model) for item in value]
        elif entry.model is not None and entry.shape == "map" and isinstance(value, dict):
            value = {name: _respelled(item, entry.model) for name, item in value.items()}
        elif entry.model is not None and isinstance(value, dict):
            value = _respelled(value, entry.model)
        out[entry.attr if entry.name != entry.attr else camel(entry.attr)] = value
    return out


def rich() -> dict[str, object]:
    """A mapping with an entry in every list and every mapping of the schema."""
    mapping = to_mapping(Config())
    mapping["guardrails"]["rules"] = [{"name": "r", "tool": "x*", "action": "ask", "not_match": ["y"]}]
    mapping["hooks"]["commands"] = [{"name": "h", "point": "run_end", "command": ["x"], "fail_open": True}]
    mapping["verification"]["quality"]["gates"] = [
        "lint",
        {"name": "own", "command": ["x"], "parser": "sarif"},
    ]
    mapping["verification"]["verifiers"] = {"v": {"command": ["x", "y z"]}}
    mapping["verification"]["integrity"] = {"skips": "ask"}
    mapping["tools"]["mcp"] = {"m": {"url": "https://h/x"}}
    mapping["tools"]["llm"]["by_profile"] = {"docs": "small"}
    mapping["budget"]["prices"] = {"some-model": {"input": 1, "output": 2}}
    mapping["agents"] = {"a": {"kind": "scripted", "script": "s.yml"}}
    mapping["triggers"] = [{"name": "t", "on": "path", "filter": "x/*", "template": "fix", "budget": 1.5}]
    mapping["workspace"]["setup"] = [["npm", "ci"]]
    return mapping


def test_both_spellings_of_every_key_mean_the_same():
    mapping = to_mapping(config_from_mapping(rich()))
    assert config_from_mapping(_respelled(mapping, Config)) == config_from_mapping(mapping)


def test_a_mapping_survives_loading_and_writing():
    config = config_from_mapping(rich())
    assert config_from_mapping(to_mapping(config)) == config


@table_test("path", [path for path, _ in every_key()])
def test_an_unknown_key_beside_each_key_is_refused(path):
    mapping = rich()
    place: object = mapping
    for part in path.replace("[]", ".0").split(".")[:-1]:
        if isinstance(place, list):
            place = place[-1]
        elif isinstance(place, dict):
            place = place.get(part) if part != "*" else next(iter(place.values()))
    if not isinstance(place, dict):
        return
    place["no_such_key"] = 1
    with pytest.raises(ConfigError) as caught:
        config_from_mapping(mapping)
    assert "no_such_key" in str(caught.value)
