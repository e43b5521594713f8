"""Trust by content, and an untrusted project that can only tighten."""

import json
import shutil
import stat
from pathlib import Path

import pytest

from donewhen.config import (
    documented_path,
    is_trusted,
    load_config,
    read_project,
    state_folder,
    trust,
    untrust,
    validate_file,
)
from donewhen.config.files import locked
from donewhen.config.rules import HIGHER, LOWER, judge
from donewhen.core.errors import SetupError, UserError
from tests.tables import table_test


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
    place = {"env": world.env, "folder": world.project}
    assert trust(digest, **place, files=["config.yml"]) is True
    assert trust(digest, **place, files=["config.yml"]) is False
    assert is_trusted(digest, **place)
    assert untrust(**place) is True
    assert untrust(**place) is False
    assert not is_trusted(digest, **place)


def test_taking_trust_back_forgets_every_text_of_that_folder_and_of_no_other(world):
    other = world.project.parent / "other"
    for digest in ("a" * 64, "b" * 64):
        trust(digest, env=world.env, folder=world.project)
        trust(digest, env=world.env, folder=other)
    assert untrust(env=world.env, folder=world.project)
    assert [is_trusted(d * 64, env=world.env, folder=world.project) for d in "ab"] == [False, False]
    assert [is_trusted(d * 64, env=world.env, folder=other) for d in "ab"] == [True, True]


def test_the_same_text_in_another_folder_asks_again(world):
    text = "budget: {total: 20}\n"
    assert world.trusted(text).trusted
    copy = world.project.parent / "copy"
    shutil.copytree(world.project, copy)
    assert not load_config(copy, env=world.env).trusted
    link = world.project.parent / "link"
    link.symlink_to(world.project)
    assert load_config(link, env=world.env).trusted
    assert load_config(world.project, env=world.env, project_text=text).trusted


def test_the_oldest_records_make_room(world):
    path = state_folder(world.env) / "trust.json"
    path.parent.mkdir(parents=True)
    records = [{"digest": f"{n:064}", "folder": f"/{n}", "files": ["x" * 900]} for n in range(2000)]
    path.write_text(json.dumps({"version": 1, "trusted": records}))
    assert path.stat().st_size > 1024 * 1024
    assert is_trusted(f"{0:064}", env=world.env, folder=Path("/0"))
    assert trust("a" * 64, env=world.env, folder=world.project)
    known = [is_trusted(f"{n:064}", env=world.env, folder=Path(f"/{n}")) for n in (0, 1, 1999)]
    assert (known, is_trusted("a" * 64, env=world.env, folder=world.project)) == ([False, True, True], True)


def test_the_record_belongs_to_the_user_alone(world):
    trust("a" * 64, env=world.env, folder=world.project)
    path = state_folder(world.env) / "trust.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o666)
    with pytest.raises(UserError, match="can be written by others and is not believed"):
        is_trusted("a" * 64, env=world.env, folder=world.project)
    path.chmod(0o600)
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")
    with pytest.raises(UserError, match=r"trust.json is not a regular file; replace it"):
        is_trusted("a" * 64, env=world.env, folder=world.project)


def test_a_lock_that_another_process_holds_is_said(tmp_path):
    held = pytest.raises(SetupError, match=r"x.lock is held by another donewhen")
    with locked(tmp_path / "x.lock"), held, locked(tmp_path / "x.lock", wait=0):
        raise AssertionError("held twice")
    with locked(tmp_path / "x.lock", wait=0):
        pass


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"version": 2, "trusted": []}', '{"version": 1, "trusted": {}}', "[" * 100_000,
     '{"version": 1, "trusted": [{"digest": "a", "folder": 1, "files": []}]}', '{"version": 1, "trusted": [1]}'],
)  # fmt: skip
def test_a_damaged_record_is_never_taken_for_trust(world, text):
    path = state_folder(world.env) / "trust.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(UserError, match="is damaged or from a newer version"):
        is_trusted("a" * 64, env=world.env, folder=world.project)


def test_a_state_folder_that_is_a_file_is_said(world):
    folder = state_folder(world.env)
    folder.parent.mkdir(parents=True)
    folder.write_text("")
    with pytest.raises(SetupError, match="can't be written"):
        trust("a" * 64, env=world.env, folder=world.project)


def test_without_a_project_there_is_nothing_to_trust(world):
    loaded = world.load()
    assert (loaded.digest, loaded.trusted, loaded.project_files) == (None, True, ())
    assert read_project(world.project) is None


def ignored_in(world, text: str) -> dict[str, object]:
    """What is ignored by its path; removed and added entries with a mark before the path."""
    mark = {"set": "", "removes": "-", "adds": "+"}
    return {mark[each.kind] + documented_path(each.path): each.value for each in world.load(text).ignored}


def test_what_loosens_is_listed_with_place_and_reason(world):
    (ignored,) = world.load("loop: {}\nbudget:\n  total: 50\n").ignored
    assert (ignored.path, ignored.value) == (("budget", "total"), 50)
    assert str(ignored.origin) == f"project {world.file}:3"
    assert ignored.why("en") == "an untrusted project may only lower it"
    assert ignored.why("zh") == "未受信任的项目只能调低它"
    assert world.load().origins["budget", "total"].layer == "default"


@table_test(
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
        ("sandbox: {network: none, env: [TOKEN]}", {"+sandbox.env": ("TOKEN",)}),
        ("sandbox: {exam_network: full}", {"sandbox.exam_network": "full"}),
        ("hooks: {enabled: [format-on-write]}", {
            "-hooks.enabled": ("prevent-secrets-commit", "log-operations", "enforce-pr-description"),
            "+hooks.enabled": ("format-on-write",)}),
        ("hooks: {on_failure: [cleanup-worktree-on-fail, log-operations], timeout: 1}", {"hooks.timeout": 1}),
        ("verification: {integrity: {a: warn, b: deny}}", {"verification.integrity.a": "warn"}),
        ("verification: {profile: refactor}", {}),
        ("verification: {profile: fix_bug}", {}),
        ("verification: {profile: docs}", {"verification.profile": "docs"}),
        ("verification: {profile: config}", {"verification.profile": "config"}),
        ("verification: {source_extensions: [.env]}", {"verification.source_extensions": (".env",)}),
        ("verification: {execution: {timeout: 1, test_timeout: 1}}", {
            "verification.execution.timeout": 1, "verification.execution.test_timeout": 1}),
        ("verification: {semantic: {continue_on_fail: true, rounds: 20, min_confidence: 0.1}}", {
            "verification.semantic.rounds": 20}),
        ("approvals: {timeout: 1, on_timeout: deny}", {"approvals.timeout": 1}),
        ("runtime: {tool_timeout_sec: 1, background_after_sec: 1, max_missing_completion: 1}", {
            "runtime.tool_timeout_sec": 1, "runtime.background_after_sec": 1}),
        ("context: {max_tokens: 1, include_history: false, budget: {prompt_budget: 1}}", {
            "context.max_tokens": 1, "context.include_history": False, "context.budget.prompt_budget": 1}),
        ("verificationExemptDirs: [src/, tmp/]", {"+verificationExemptDirs": ("src/",)}),
        ("verificationExemptDirs: []", {}),
        ("verification: {execution: {allowed_commands: [pytest], denied_commands: [rm, dd]}}", {
            "-verification.execution.denied_commands": ("sudo", "curl", "wget")}),
        ("evidence: {irrelevant: [docs/], flaky: {passes: 1, of: 3}}", {
            "evidence.irrelevant": ("docs/",), "evidence.flaky.passes": 1, "evidence.flaky.of": 3}),
        ("executionMode: {readonlyToolNames: [read_file], modeLockRounds: 99, forcedMinDwellRounds: 9}", {
            "executionMode.readonlyToolNames": ("read_file",), "executionMode.modeLockRounds": 99}),
        ("project: {name: x, openSpecPath: spec/a}", {}),
        ("project: {openSpecPath: ../../etc}", {"project.openSpecPath": "../../etc"}),
        ("tools: {llm: {max_output: 100, base_url: 'http://u:p@evil/'}}", {
            "tools.llm.max_output": 100, "tools.llm.base_url": "http://***@evil/"}),
        ("tools: {mcp: {m: {command: [x]}}}", {"tools.mcp.m.command": ("x",)}),
        ("agents: {a: {}}", {"agents.a": {}}),
        ("agents: {a: {kind: llm}}", {"agents.a.kind": "llm"}),
        ("notify: {urls: ['https://a/b/c']}", {"notify.urls": ["https://***"]}),
        ("notify: {commands: [[./tell, -x], tell me]}", {"notify.commands": (("./tell", "-x"), ("tell", "me"))}),
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


def test_a_rule_is_raised_and_keeps_all_else(world):
    rule = "name: r, tool: x, reason: mine, match: [x], not_match: [y]"
    world.user(f"guardrails: {{rules: [{{{rule}, action: ask}}]}}\n")
    loaded = world.load("guardrails:\n  rules:\n  - {name: r, tool: x, reason: theirs, action: deny}\n")
    (found,) = loaded.config.guardrails.rules
    assert (found.action, found.reason, found.match, found.not_match) == ("deny", "mine", ("x",), ("y",))
    assert [(documented_path(each.path), each.value) for each in loaded.ignored] == [
        ("guardrails.rules.r.reason", "theirs")
    ]


def test_a_gate_gets_a_shorter_timeout_only_where_it_is_required(world):
    world.user(
        "verification: {quality: {gates: [{name: lint, timeout: 9}, {name: types, timeout: 9, required: false},"
        " {name: coverage, timeout: 9, required: false}]}}\n"
    )
    loaded = world.load(
        "verification: {quality: {gates: [{name: lint, timeout: 5}, {name: types, timeout: 5},"
        " {name: coverage, timeout: 5, required: false}, {name: security, timeout: 5}]}}\n"
    )
    gates = {gate.name: (gate.timeout, gate.required) for gate in loaded.config.verification.quality.gates}
    assert gates == {"lint": (5, True), "types": (5, True), "coverage": (9, False)}
    assert [each.path[-1] for each in loaded.ignored] == ["coverage", "security"]


def test_an_automatic_number_can_not_be_compared():
    assert judge(LOWER, None, 5).refused
    assert judge(HIGHER, None, 5).refused
    assert judge(LOWER, 5, 4) == (4, ())


def test_patterns_that_may_not_matter_are_neither_reordered_nor_dropped(world):
    world.user("evidence: {irrelevant: ['*.md', '!keep.md']}\n")
    for wanted in ("['!keep.md', '*.md']", "['*.md']", "[]"):
        loaded = world.load(f"evidence: {{irrelevant: {wanted}}}\n")
        assert loaded.config.evidence.irrelevant == ("*.md", "!keep.md")
        assert [each.path for each in loaded.ignored] == [("evidence", "irrelevant")]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("budget: {total: 50}", ["budget.total = 50: an untrusted project may only lower it"]),
        (
            "guardrails: {protected_branches: [main, staging, release/*, prod]}",
            ["guardrails.protected_branches: would remove master, dev; an untrusted project may only add"],
        ),
        (
            "hooks: {onFailure: [cleanup-worktree-on-fail, format-on-write]}",
            ["hooks.on_failure: would add format-on-write; only a trusted project may add these"],
        ),
        ("sandbox: {env: [A, B]}", ["sandbox.env: would add A, B; an untrusted project may only remove"]),
        (
            "store: {url: 'postgresql://u:hunter2@h/d'}",
            ["store.url = postgresql://***@h/***: only a trusted project may set it; look at the file, "
             "then run `donewhen trust`"],
        ),
        (
            "guardrails: {rules: [{name: o, tool: x, action: allow}]}",
            ['guardrails.rules.o = {"name": "o", "tool": "x", "action": "allow"}: an untrusted project may only '
             "add deny and ask rules and raise the action of a rule"],
        ),
        (
            'tools: {llm: {fallback: ["a\\eb", "' + "x" * 200 + '"]}}',
            ["tools.llm.fallback = [a\\x1bb, " + "x" * 91 + "…]: only a trusted project may set it; look at the file, "
             "then run `donewhen trust`"],
        ),
    ],
)  # fmt: skip
def test_what_is_ignored_is_said_in_one_short_sentence(world, text, sentences):
    loaded = world.load(text)
    assert [each.sentence() for each in loaded.ignored] == sentences
    assert all("：" in each.sentence("zh") for each in loaded.ignored)


def test_what_would_fail_once_trusted_is_a_problem_now(world):
    text = "agents:\n  x: {kind: acp}\n"
    sentence = ".donewhen/config.yml:2: `agents.x` needs the key `command`; add it"
    assert world.refusal(text) == sentence
    assert [str(problem) for problem in validate_file(world.file)] == [f"{world.project}/{sentence}"]
    assert world.load(DONEWHEN_AGENTS__X__COMMAND="[a]").config.agents["x"].command == ("a",)
    world.user("agents: {x: {command: [mine]}}\n")
    assert world.load().config.agents["x"].kind == "llm"


def test_environment_and_flags_may_loosen(world):
    loaded = world.load("budget: {total: 50}\n", flags=["budget.total=70"], DONEWHEN_SANDBOX="off")
    assert (loaded.config.budget.total, loaded.config.sandbox.mode) == (70, "off")
