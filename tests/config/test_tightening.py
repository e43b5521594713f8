"""Random project files: an untrusted one is never looser than the user, a trusted one is plain layering."""

import json
import os
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import (
    Config,
    config_from_mapping,
    every_key,
    load_config,
    to_mapping,
    trust,
    untrust,
)
from donewhen.config.fields import Section, keys_of


def _name(gate) -> str:
    return gate if isinstance(gate, str) else str(gate["name"])


# Any key with any of a few values that suit its type.

_SAFE, _RISKY, _LAST = "log-operations", "format-on-write", "cleanup-worktree-on-fail"
_POLICIES = st.sampled_from(["warn", "ask", "deny"])
_SPECIAL = {
    "verification.quality.gates": st.lists(
        st.sampled_from(
            ["tests", "lint", {"name": "lint", "required": False}, {"name": "own", "command": ["x"]},
             {"name": "types", "absolute": True}, {"name": "coverage", "timeout": 5},
             {"name": "coverage", "timeout": 3}, {"name": "coverage", "timeout": 3, "required": False},
             {"name": "coverage", "timeout": 5, "required": False}]
        ), max_size=3, unique_by=_name),
    "guardrails.rules": st.lists(
        st.builds(
            lambda name, action, tool, reason: {"name": name, "action": action, "tool": tool, "reason": reason},
            st.sampled_from("ab"), st.sampled_from(["allow", "ask", "deny"]), st.sampled_from(["x", "y"]),
            st.sampled_from(["because", "so"]),
        ), max_size=2, unique_by=lambda rule: rule["name"]),
    "hooks.enabled": st.lists(st.sampled_from([_SAFE, _RISKY, "prevent-secrets-commit"]), unique=True),
    "hooks.on_failure": st.lists(st.sampled_from([_SAFE, _LAST]), unique=True),
    "evidence.irrelevant": st.lists(st.sampled_from(["docs/", "!docs/a", "*.md"]), unique=True),
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
    "ship.api_url": st.just("http://x"),
    "telemetry.endpoint": st.just("http://x"),
    "notify.on": st.just(["pause"]),
    "notify.urls": st.just(["https://chat.example/x"]),
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


# What a project may do to each key, written down a second time: `=` nothing, `<` only lower, `>` only higher,
# `*` anything, `+` only add, `-` only remove, or the pairs (from, to) of a choice that tighten.
_UP = frozenset({(False, True)})
_MAY: dict[str, object] = {
    "language": "*", "project.name": "*", "project.openSpecPath": "path",
    "loop.max_total_time": "<", "loop.max_state_cycles": "<", "loop.max_turns": "<", "loop.max_tool_calls": "<",
    "loop.deadlock_detection": _UP,
    "loop.on_deadlock": {("escalate_to_human", "pause"), ("escalate_to_human", "fail"), ("pause", "fail")},
    "budget.total": "<", "budget.warn_threshold": ">", "budget.stop_on_exhausted": _UP, "budget.floor": ">",
    "budget.unknown_price.input": ">", "budget.unknown_price.output": ">",
    "guardrails.protected_branches": "+", "guardrails.danger_patterns": "+", "guardrails.secret_patterns": "+",
    "guardrails.rules": "rules", "hooks.enabled": "hooks", "hooks.on_failure": "hooks",
    "correction.max_retries": "<", "correction.max_total_attempts": "<", "correction.escalate_on": "+",
    "correction.escalate_action": {("create_pr", "notify"), ("create_pr", "pause"), ("notify", "pause")},
    "verification.profile": {
        *(("task_only", other) for other in ("create_file", "docs", "config", "edit_code", "fix_bug", "refactor")),
        ("create_file", "docs"), ("docs", "create_file"), ("create_file", "config"), ("docs", "config"),
        ("edit_code", "fix_bug"), ("fix_bug", "edit_code"), ("edit_code", "refactor"), ("fix_bug", "refactor")},
    "verification.semantic.enabled": _UP, "verification.semantic.continue_on_fail": _UP,
    "verification.semantic.min_confidence": "<", "verification.quality.enabled": _UP,
    "verification.quality.gates": "gates", "verification.quality.thresholds.coverage": ">",
    "verification.quality.thresholds.complexity": "<", "verification.execution.allowed_commands": "allow",
    "verification.execution.denied_commands": "+", "verification.integrity": "integrity",
    "executionMode.level": {("off", "adaptive"), ("off", "strict"), ("adaptive", "strict")},
    "executionMode.pendingStepsEnterThreshold": "<", "executionMode.writeTargetsEnterThreshold": "<",
    "executionMode.diffLinesEnterThreshold": "<", "executionMode.stableRoundsExitThreshold": ">",
    "executionMode.forcedMinDwellRounds": ">", "evidence.clean_room": _UP,
    "evidence.base_exam": {("never", "auto"), ("never", "always"), ("auto", "always")},
    "evidence.known_tests": {("off", "auto")},
    "evidence.repeat": {("off", "auto")}, "evidence.strength": {("off", "auto")}, "stats.least_runs": "*",
    "runtime.max_repeat_cycle_streak": "<", "runtime.max_accept_continues": "<", "runtime.parallel_tools": "<",
    "runtime.max_missing_completion": "<", "runtime.max_thinking_only": "<",
    "workspace.kind": {("worktree", "clone")}, "workspace.caches": "-",
    "sandbox.mode": {("off", "auto"), ("off", "required"), ("auto", "required")},
    "sandbox.network": {("full", "registries"), ("full", "none"), ("registries", "none")},
    "sandbox.exam_network": {("full", "none")}, "sandbox.env": "-",
    "ship.mode": {("merge", "pr"), ("merge", "branch"), ("pr", "branch")},
    "approvals.on_timeout": {("pause", "deny")}, "subagents.max_concurrency": "<",
    "subagents.on_error": {("continue_on_error", "fail_fast")},
}  # fmt: skip
_STRICT = ["allow", "ask", "deny"]


def test_every_named_key_of_the_second_list_exists():
    assert set(_MAY) <= {path for path, _ in every_key()}


def _is_not_looser(base, got, may) -> bool:
    if got == base or may == "*":
        return True
    if not isinstance(may, str):
        return (base, got) in may
    judged: dict[str, Callable[[], bool]] = {
        "=": lambda: False,
        "<": lambda: base is not None and got is not None and got < base,
        ">": lambda: base is not None and got is not None and got > base,
        "+": lambda: got[: len(base)] == base,
        "-": lambda: set(got) <= set(base),
        "hooks": lambda: got[: len(base)] == base and not {_RISKY, _LAST} & set(got[len(base) :]),
        "allow": lambda: not base or (bool(got) and set(got) <= set(base)),
        "path": lambda: base is None and not str(got).startswith(("/", "..")),
        "integrity": lambda: _integrity(base, got),
        "rules": lambda: _rules(base, got),
        "gates": lambda: _gates(base, got),
    }
    return judged[may]()


def _integrity(base, got) -> bool:
    policies = ["warn", "ask", "deny"]
    known = {**dict.fromkeys(got, "deny"), **base}
    return set(base) <= set(got) and all(policies.index(got[k]) >= policies.index(known[k]) for k in got)


def _rules(base, got) -> bool:
    known = {rule["name"]: rule for rule in base}
    if not set(known) <= {rule["name"] for rule in got}:
        return False
    return all(_rule(known.get(rule["name"]), rule) for rule in got)


def _rule(known, rule) -> bool:
    if known is None:
        return bool(rule["action"] != "allow")
    same = {**known, "action": None} == {**rule, "action": None}
    return bool(same) and _STRICT.index(rule["action"]) >= _STRICT.index(known["action"])


def _gates(base, got) -> bool:
    known = {gate["name"]: gate for gate in base}
    if not set(known) <= {gate["name"] for gate in got}:
        return False
    return all(_gate(known.get(gate["name"]), gate) for gate in got)


def _gate(known, gate) -> bool:
    if known is None:
        return bool(gate["required"] and not gate["command"] and gate["timeout"] is None)
    same = all(gate[name] == known[name] for name in ("command", "parser", "pattern"))
    limit, before = gate["timeout"], known["timeout"]
    timely = limit == before or (gate["required"] and None not in (limit, before) and limit < before)
    return bool(
        same and timely and gate["required"] >= known["required"] and gate["absolute"] >= known["absolute"]
    )


def _looser(base: dict, got: dict, model: type[Section], path: str = "") -> list[str]:
    found = []
    for entry in keys_of(model):
        if entry.facts.file_only:
            continue
        below = f"{path}.{entry.name}" if path else entry.name
        if entry.shape == "section" and entry.model is not None:
            found += _looser(base[entry.name], got[entry.name], entry.model, below)
        elif not _is_not_looser(base[entry.name], got[entry.name], _MAY.get(below, "=")):
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
        assert _as_sets(to_mapping(loaded.config)) == _as_sets(
            to_mapping(_plainly_layered(home, env, project))
        )


@given(_section(Config))
def test_a_trusted_project_is_plain_layering(tmp_path_factory, project):
    home = tmp_path_factory.getbasetemp() / f"trusted-{os.getpid()}"
    home.mkdir(exist_ok=True)
    env = {"HOME": str(home)}
    assert _plainly_layered(home, env, project) == config_from_mapping(project)


def _as_sets(value):
    """The mapping with lists of words as sets: a list that only adds keeps the order of the user's."""
    if isinstance(value, dict):
        return {name: _as_sets(item) for name, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return frozenset(value)
    return value


def _plainly_layered(home, env, project) -> Config:
    digest = load_config(home, env=env, project_text=json.dumps(project)).digest
    assert digest is not None
    trust(digest, env=env, folder=home)
    try:
        loaded = load_config(home, env=env, project_text=json.dumps(project))
        assert (loaded.trusted, loaded.ignored) == (True, ())
        return loaded.config
    finally:
        untrust(env=env, folder=home)
