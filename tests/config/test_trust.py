"""Trust by content, and an untrusted project that can only tighten."""

import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import (
    Config,
    config_from_mapping,
    documented_path,
    is_trusted,
    load_config,
    read_project,
    state_folder,
    to_mapping,
    trust,
    untrust,
)
from donewhen.config.fields import Section, keys_of
from donewhen.core.errors import SetupError, UserError


def test_trust_is_recorded_by_content_and_lost_with_any_edit(world):
    world.write(".gsd/config.yml", "extends: ../base.yml\nbudget: {total: 20}\n")
    world.write(".gsd/context.yml", "max_tokens: 5\n")
    world.write("base.yml", "loop: {max_turns: 5}\n")
    assert not world.load().trusted
    world.trust()
    assert world.load().trusted
    assert world.load().config.budget.total == 20
    for name in (".gsd/config.yml", ".gsd/context.yml", "base.yml"):
        path = world.project / name
        before = path.read_text()
        path.write_text(before + "# edited\n")
        assert not world.load().trusted
        path.write_text(before)
        assert world.load().trusted


def test_trust_can_be_taken_back(world):
    digest = world.load("budget: {total: 20}\n").digest
    assert trust(digest, env=world.env, files=["config.yml"]) is True
    assert trust(digest, env=world.env, files=["config.yml"]) is False
    assert is_trusted(digest, env=world.env)
    assert untrust(digest, env=world.env) is True
    assert untrust(digest, env=world.env) is False
    assert not is_trusted(digest, env=world.env)


def test_the_record_belongs_to_the_user_alone(world):
    trust("a" * 64, env=world.env)
    path = state_folder(world.env) / "trust.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o666)
    with pytest.raises(UserError, match="can be written by others and is not believed"):
        is_trusted("a" * 64, env=world.env)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 2, "trusted": {}}', "[" * 100_000])
def test_a_damaged_record_is_never_taken_for_trust(world, text):
    path = state_folder(world.env) / "trust.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(UserError, match="is damaged or from a newer version"):
        is_trusted("a" * 64, env=world.env)


def test_a_state_folder_that_is_a_file_is_said(world):
    folder = state_folder(world.env)
    folder.parent.mkdir(parents=True)
    folder.write_text("")
    with pytest.raises(SetupError, match="can't be written"):
        trust("a" * 64, env=world.env)


def test_without_a_project_there_is_nothing_to_trust(world):
    loaded = world.load()
    assert (loaded.digest, loaded.trusted, loaded.project_files) == (None, True, ())
    assert read_project(world.project) is None


def ignored_in(world, text: str) -> dict[str, object]:
    return {documented_path(ignored.path): ignored.value for ignored in world.load(text).ignored}


def test_what_loosens_is_listed_with_place_and_reason(world):
    (ignored,) = world.load("loop: {}\nbudget:\n  total: 50\n").ignored
    assert (ignored.path, ignored.value) == (("budget", "total"), 50)
    assert str(ignored.origin) == f"project {world.file}:3"
    assert ignored.why("en") == "an untrusted project may only lower it"
    assert ignored.why("zh") == "未受信任的项目只能调低它"
    assert world.load().origins["budget", "total"].layer == "default"


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("budget: {total: 5}", {}),
        ("budget: {total: 10}", {}),
        ("budget: {total: 10.5}", {"budget.total": 10.5}),
        ("verification: {quality: {thresholds: {coverage: 90, complexity: 5}}}", {}),
        (
            "verification: {archon: {thresholds: {coverage: 70, complexity: 15}}}",
            {
                "verification.quality.thresholds.coverage": 70,
                "verification.quality.thresholds.complexity": 15,
            },
        ),
        ("ship: {mode: merge}", {"ship.mode": "merge"}),
        ("ship: {mode: branch}", {}),
        ("sandbox: required", {}),
        ("sandbox: off", {"sandbox.mode": "off"}),
        ("sandbox: {network: none, env: [TOKEN]}", {"sandbox.env": ("TOKEN",)}),
        ("sandbox: {exam_network: full}", {"sandbox.exam_network": "full"}),
        ("hooks: {enabled: [format-on-write]}", {"hooks.enabled": (
            "prevent-secrets-commit", "log-operations", "enforce-pr-description", "format-on-write")}),
        ("verification: {integrity: {a: warn, b: deny}}", {"verification.integrity.a": "warn"}),
        ("verification: {profile: refactor}", {}),
        ("verification: {profile: fix_bug}", {}),
        ("verification: {profile: docs}", {"verification.profile": "docs"}),
        ("verification: {execution: {allowed_commands: [pytest], denied_commands: [rm, dd]}}", {
            "verification.execution.denied_commands": ("sudo", "curl", "wget")}),
        ("evidence: {irrelevant: [docs/], flaky: {passes: 1, of: 3}}", {
            "evidence.irrelevant": ("docs/",), "evidence.flaky.passes": 1, "evidence.flaky.of": 3}),
        ("executionMode: {readonlyToolNames: [read_file, run_command]}", {
            "executionMode.readonlyToolNames": ("run_command",)}),
        ("project: {name: x, openSpecPath: spec/a}", {}),
        ("project: {openSpecPath: ../../etc}", {"project.openSpecPath": "../../etc"}),
        ("tools: {llm: {max_output: 100, base_url: 'http://u:p@evil/'}}", {"tools.llm.base_url": "http://***@evil/"}),
        ("tools: {mcp: {m: {command: [x]}}}", {"tools.mcp.m.command": ("x",)}),
        ("agents: {a: {}}", {"agents.a": {}}),
        ("notify: {urls: ['slack://a/b/c']}", {"notify.urls": ["slack://***"]}),
        ("workspace: {setup: [make setup]}", {"workspace.setup": (("make", "setup"),)}),
        ("store: {url: repo}", {"store.url": "repo"}),
        ("budget: {unknown_price: 0}", {"budget.unknown_price.input": 0, "budget.unknown_price.output": 0}),
    ],
)  # fmt: skip
def test_each_kind_of_key_follows_its_rule(world, text, ignored):
    assert ignored_in(world, text) == ignored


def test_rules_of_an_untrusted_project_only_forbid(world):
    world.user(
        "guardrails: {rules: [{name: mine, tool: x, action: ask}, {name: hard, tool: y, action: deny}]}\n"
    )
    loaded = world.load(
        "guardrails:\n  rules:\n"
        "  - {name: new, tool: z, action: deny}\n"
        "  - {name: open, tool: z, action: allow}\n"
        "  - {name: mine, tool: x, action: deny}\n"
        "  - {name: hard, tool: never-called, action: deny}\n"
    )
    assert [(rule.name, rule.tool, rule.action) for rule in loaded.config.guardrails.rules] == [
        ("mine", "x", "deny"),
        ("hard", "y", "deny"),
        ("new", "z", "deny"),
    ]
    assert [ignored.path[-1] for ignored in loaded.ignored] == ["open", "hard"]


def test_gates_of_an_untrusted_project_only_demand(world):
    world.user(
        "verification: {quality: {gates: [{name: lint, absolute: true}, {name: types, required: false}]}}\n"
    )
    loaded = world.load(
        "verification:\n  quality:\n    gates:\n    - security\n    - {name: types}\n    - lint\n"
        "    - {name: own, command: [x]}\n    - {name: coverage, required: false}\n"
        "    - {name: tests, command: ['true']}\n"
    )
    assert [
        (g.name, g.required, g.absolute, g.command) for g in loaded.config.verification.quality.gates
    ] == [
        ("lint", True, True, ()),
        ("types", True, False, ()),
        ("security", True, False, ()),
    ]
    assert [ignored.path[-1] for ignored in loaded.ignored] == ["lint", "own", "coverage", "tests"]


def test_environment_and_flags_may_loosen(world):
    loaded = world.load("budget: {total: 50}\n", flags=["budget.total=70"], DONEWHEN_SANDBOX="off")
    assert (loaded.config.budget.total, loaded.config.sandbox.mode) == (70, "off")


def _name(gate) -> str:
    return gate if isinstance(gate, str) else str(gate["name"])


# Random project files: any key with any of a few values that suit its type.

_SAFE, _RISKY, _LAST = "log-operations", "format-on-write", "cleanup-worktree-on-fail"
_POLICIES = st.sampled_from(["warn", "ask", "deny"])
_SPECIAL = {
    "verification.quality.gates": st.lists(
        st.sampled_from(
            ["tests", "lint", {"name": "lint", "required": False}, {"name": "own", "command": ["x"]},
             {"name": "types", "absolute": True}, {"name": "coverage", "timeout": 5}]
        ), max_size=3, unique_by=_name),
    "guardrails.rules": st.lists(
        st.builds(
            lambda name, action, tool: {"name": name, "action": action, "tool": tool},
            st.sampled_from("ab"), st.sampled_from(["allow", "ask", "deny"]), st.sampled_from(["x", "y"]),
        ), max_size=2, unique_by=lambda rule: rule["name"]),
    "hooks.enabled": st.lists(st.sampled_from([_SAFE, _RISKY, "prevent-secrets-commit"]), unique=True),
    "hooks.on_failure": st.lists(st.sampled_from([_SAFE, _LAST]), unique=True),
    "hooks.commands": st.just([{"name": "h", "point": "run_end", "command": ["x"]}]),
    "triggers": st.just([{"name": "t", "on": "webhook", "template": "x"}]),
    "budget.prices": st.just({"m": {"input": 0}}),
    "agents": st.just({"a": {"model": "m"}}),
    "tools.mcp": st.just({"m": {"command": ["x"]}}),
    "tools.llm.by_profile": st.just({"docs": "m"}),
    "verification.verifiers": st.just({"v": {"command": ["x"]}}),
    "verification.integrity": st.dictionaries(st.sampled_from("ab"), _POLICIES),
    "workspace.setup": st.sampled_from(["auto", "off", [["x"]]]),
    "store.url": st.sampled_from(["user", "repo"]),
    "tools.llm.base_url": st.just("http://x"),
    "telemetry.endpoint": st.just("http://x"),
    "notify.on": st.just(["pause"]),
    "sandbox.env": st.lists(st.sampled_from(["A", "B"]), unique=True),
    "evidence.flaky.passes": st.just(0),
    "evidence.flaky.of": st.sampled_from([0, 3]),
    "project.openSpecPath": st.sampled_from(["spec", "/etc", "../x"]),
}  # fmt: skip


def _values(path: str, entry) -> st.SearchStrategy:
    if path in _SPECIAL:
        return _SPECIAL[path]
    if entry.choices:
        return st.sampled_from(sorted(entry.choices))
    default = entry.default
    if isinstance(default, bool):
        return st.booleans()
    if isinstance(default, tuple):
        return st.lists(st.sampled_from([*default, "one", "two"]), max_size=4, unique=True)
    if isinstance(default, float) and default <= 1:
        return st.sampled_from([0.05, default, 0.9, 1])
    if isinstance(default, int | float) or path.endswith(("budget", "tokens", "temperature")):
        return st.sampled_from([1, 2, *([default] if default is not None else [])])
    return st.sampled_from(["x", "y"])


def _section(model: type[Section], path: str = "") -> st.SearchStrategy:
    options = {}
    for entry in keys_of(model):
        below = f"{path}.{entry.name}" if path else entry.name
        if entry.facts.file_only:
            continue
        if entry.shape == "section" and entry.model is not None:
            options[entry.name] = _section(entry.model, below)
        else:
            options[entry.name] = _values(below, entry)
    names = st.lists(st.sampled_from(sorted(options)), max_size=3, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: options[name] for name in chosen}))


def _is_not_looser(base, got, rule) -> bool:
    """An independent reading of the rules: `got` is at most as loose as `base`."""
    steps = {value: number for number, step in enumerate(rule.steps) for value in step}
    return bool(
        {
            "free": lambda: True,
            "never": lambda: got == base,
            "lower": lambda: got == base or (got is not None and (base is None or got < base)),
            "higher": lambda: got == base or (got is not None and (base is None or got > base)),
            "order": lambda: steps[got] >= steps[base],
            "superset": lambda: (
                set(base) <= set(got) and (rule.only is None or set(got) - set(base) <= rule.only)
            ),
            "subset": lambda: set(got) <= set(base),
            "allowlist": lambda: not base or (bool(got) and set(got) <= set(base)),
            "inside": lambda: got == base or not str(got).startswith(("/", "..")),
            "each": lambda: (
                all(steps[got.get(k, "deny")] >= steps[v] for k, v in base.items())
                and all(v == "deny" for k, v in got.items() if k not in base)
            ),
            "guard": lambda: all(r["action"] != "allow" for r in got if r not in base) and _covers(base, got),
            "gates": lambda: (
                all(not g["command"] and g["required"] for g in got if g not in base)
                and {g["name"] for g in base} <= {g["name"] for g in got}
                and all(_gate(got, g)["absolute"] >= g["absolute"] for g in base)
            ),
        }[rule.kind]()
    )


def _covers(base, got) -> bool:
    strict = ["allow", "ask", "deny"]
    found = {(rule["name"], rule["tool"]): rule["action"] for rule in got}
    return all(
        strict.index(found[rule["name"], rule["tool"]]) >= strict.index(rule["action"]) for rule in base
    )


def _gate(gates, wanted):
    return next(gate for gate in gates if gate["name"] == wanted["name"])


def _looser(base: dict, got: dict, model: type[Section], path: str = "") -> list[str]:
    found = []
    for entry in keys_of(model):
        if entry.facts.file_only:
            continue
        below = f"{path}.{entry.name}" if path else entry.name
        if entry.shape == "section" and entry.model is not None:
            found += _looser(base[entry.name], got[entry.name], entry.model, below)
        elif not _is_not_looser(base[entry.name], got[entry.name], entry.facts.rule):
            found.append(below)
    return found


@given(_section(Config), _section(Config))
def test_an_untrusted_project_is_never_looser_than_the_user(tmp_path_factory, user, project):
    home = tmp_path_factory.getbasetemp() / f"home-{os.getpid()}"
    user_file = home / ".config/donewhen/config.yml"
    user_file.parent.mkdir(parents=True, exist_ok=True)
    user_file.write_text(json.dumps(user))
    env = {"HOME": str(home)}
    base = load_config(home, env=env).config
    loaded = load_config(home, env=env, project_text=json.dumps(project))
    assert _looser(to_mapping(base), to_mapping(loaded.config), Config) == []
    if not loaded.ignored:
        assert loaded.config == _plainly_layered(home, env, project)


@given(_section(Config))
def test_a_trusted_project_is_plain_layering(tmp_path_factory, project):
    home = tmp_path_factory.getbasetemp() / f"trusted-{os.getpid()}"
    home.mkdir(exist_ok=True)
    env = {"HOME": str(home)}
    assert _plainly_layered(home, env, project) == config_from_mapping(project)


def _plainly_layered(home, env, project) -> Config:
    digest = load_config(home, env=env, project_text=json.dumps(project)).digest
    assert digest is not None
    trust(digest, env=env)
    try:
        loaded = load_config(home, env=env, project_text=json.dumps(project))
        assert (loaded.trusted, loaded.ignored) == (True, ())
        return loaded.config
    finally:
        untrust(digest, env=env)
