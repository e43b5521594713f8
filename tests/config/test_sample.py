"""A full configuration of the older layout means exactly what it says."""

import shutil
from pathlib import Path

from donewhen.config import Config, documented_path, to_mapping

SAMPLE = Path(__file__).parent / "samples" / "gsd"
GATE: dict[str, object] = {
    "command": [],
    "parser": None,
    "pattern": None,
    "required": True,
    "absolute": False,
    "timeout": None,
    "cost": 0,
}


def expected() -> dict[str, object]:
    mapping = to_mapping(Config())
    mapping["project"] = {
        "name": "shop",
        "openSpecPath": "openspec/changes/discounts",
        "targetBranch": "develop",
    }
    mapping["loop"] |= {
        "max_total_time": 1800,
        "max_state_cycles": 8,
        "on_deadlock": "pause",
        "max_turns": 60,
    }
    mapping["context"] = {
        "max_tokens": 32000,
        "relevance_threshold": 0.8,
        "compression_method": "sliding-window",
        "include_history": False,
        "max_history_turns": 5,
        "file_relevance_cache_ttl": 600,
        "budget": {"prompt_budget": 20000, "reserve_tokens": 4000, "fallback_prompt_budget": 9000},
    }
    mapping["budget"] |= {"total": 4.5, "warn_threshold": 0.3, "stop_on_exhausted": False}
    mapping["guardrails"] = {
        "protected_branches": ["main", "release/*", "prod"],
        "danger_patterns": ["delete", "destroy"],
        "secret_patterns": [r"\.env$", r"\.pem$"],
        "rules": [
            {
                "name": "no-prod-deploy",
                "pattern": "deploy .*prod",
                "command": None,
                "path": None,
                "tool": None,
                "action": "deny",
                "reason": None,
                "match": [],
                "not_match": [],
            }
        ],
    }
    mapping["hooks"] = {
        "enabled": ["prevent-secrets-commit", "format-on-write"],
        "on_failure": [],
        "commands": [
            {
                "name": "licence",
                "point": "before_commit",
                "command": ["./tools/licence", "--check"],
                "timeout": 10,
                "fail_open": True,
                "priority": 5,
            }
        ],
        "timeout": 60,
    }
    mapping["correction"] |= {
        "max_retries": 2,
        "escalate_on": ["security", "licence"],
        "escalate_action": "notify",
    }
    verification = mapping["verification"]
    verification["profile"] = "fix_bug"
    verification["semantic"] |= {"continue_on_fail": True}
    verification["quality"] = {
        "enabled": True,
        "gates": [
            {"name": "tests", **GATE},
            {"name": "types", **GATE},
            {
                "name": "docs",
                **GATE,
                "command": ["make", "docs"],
                "parser": "regex",
                "pattern": r"(?P<file>\S+):(?P<line>\d+): (?P<message>.*)",
                "required": False,
            },
        ],
        "thresholds": {"coverage": 90, "complexity": 8},
    }
    verification["verifiers"] = {
        "smoke": {"command": ["./smoke.sh"], "timeout": 30, "scope": "api", "parser": None, "pattern": None}
    }
    mapping["tools"]["llm"] |= {"provider": "anthropic", "model": "some-model", "temperature": 0}
    mapping["executionMode"] = {
        "level": "adaptive",
        "pendingStepsEnterThreshold": 3,
        "writeTargetsEnterThreshold": 2,
        "diffLinesEnterThreshold": 100,
        "stableRoundsExitThreshold": 4,
        "modeLockRounds": 5,
        "forcedMinDwellRounds": 6,
        "readonlyToolNames": ["read_file"],
    }
    mapping["verificationExemptDirs"] = [".scratch", ".temp", "tmp/", "generated/"]
    mapping["runtime"] |= {"max_repeat_cycle_streak": 4, "tool_timeout_sec": 90, "max_accept_continues": 2}
    mapping["sandbox"] |= {"mode": "off"}
    mapping["store"] = {"url": "repo"}
    mapping["agents"] = {
        "helper": {
            "kind": "command",
            "command": ["helper-cli", "-p"],
            "provider": None,
            "model": None,
            "script": None,
            "env": [],
            "timeout": None,
        }
    }
    mapping["notify"] = {"urls": ["https://example.invalid/hook"], "commands": [], "on": ["pause"]}
    mapping["telemetry"] |= {"enabled": True, "endpoint": "http://127.0.0.1:4318"}
    return mapping


def test_a_trusted_sample_means_exactly_what_it_says(world):
    shutil.copytree(SAMPLE, world.project / ".gsd")
    world.trust()
    loaded = world.load()
    assert to_mapping(loaded.config) == expected()
    assert loaded.ignored == ()
    assert [Path(name).name for name in loaded.project_files] == ["config.yml", "context.yml"]
    places = {path: str(origin.place).rpartition("/")[2] for path, origin in loaded.origins.items()}
    assert places["context", "max_tokens"] == "context.yml:1"
    assert places["context", "relevance_threshold"] == "config.yml:14"
    assert places["context", "budget", "prompt_budget"] == "context.yml:3"
    assert places["guardrails", "rules", "no-prod-deploy"] == "config.yml:28"
    assert places["sandbox", "mode"] == "config.yml:86"


def test_the_same_sample_untrusted_only_tightens(world):
    shutil.copytree(SAMPLE, world.project / ".gsd")
    loaded = world.load()
    assert not loaded.trusted
    assert loaded.config.budget.total == 4.5
    assert loaded.config.sandbox.mode == "auto"
    assert loaded.config.agents == {}
    assert {documented_path(ignored.path) for ignored in loaded.ignored} == {
        "project.targetBranch",
        "context.max_tokens",
        "context.relevance_threshold",
        "context.compression_method",
        "context.include_history",
        "context.max_history_turns",
        "context.file_relevance_cache_ttl",
        "context.budget.prompt_budget",
        "context.budget.reserve_tokens",
        "context.budget.fallback_prompt_budget",
        "budget.stop_on_exhausted",
        "guardrails.protected_branches",
        "guardrails.danger_patterns",
        "guardrails.secret_patterns",
        "hooks.enabled",
        "hooks.on_failure",
        "hooks.commands.licence",
        "correction.escalate_on",
        "verification.quality.gates.docs",
        "verification.verifiers.smoke.command",
        "verification.verifiers.smoke.timeout",
        "verification.verifiers.smoke.scope",
        "tools.llm.provider",
        "tools.llm.model",
        "tools.llm.temperature",
        "executionMode.pendingStepsEnterThreshold",
        "executionMode.writeTargetsEnterThreshold",
        "executionMode.modeLockRounds",
        "executionMode.readonlyToolNames",
        "verificationExemptDirs",
        "runtime.max_repeat_cycle_streak",
        "runtime.tool_timeout_sec",
        "sandbox.mode",
        "store.url",
        "agents.helper.kind",
        "agents.helper.command",
        "notify.urls",
        "notify.on",
        "telemetry.enabled",
        "telemetry.endpoint",
    }
