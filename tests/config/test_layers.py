"""Layers, their origins, and where files are found."""

import os

import pytest

from donewhen.config import find_project, load_config, trust
from donewhen.config.places import Origin, Place
from tests.tables import table_test

AT = ".donewhen/config.yml"


def test_each_layer_lies_over_the_one_below(world):
    world.user("budget: {total: 9, floor: 0.2}\nloop: {max_turns: 80}\n")
    world.configure("budget: {total: 7}\nloop:\n  max_turns: 70\n  max_tool_calls: 700\n")
    loaded = world.load(DONEWHEN_BUDGET__TOTAL="20", flags=["loop.max_turns=95"])
    config, user, project = loaded.config, str(world.user_file), str(world.file)
    assert (config.budget.total, config.budget.floor) == (20, 0.2)
    assert (config.loop.max_turns, config.loop.max_tool_calls) == (95, 700)
    assert {path: origin for path, origin in loaded.origins.items() if origin.layer != "default"} == {
        ("budget", "total"): Origin("environment", Place("DONEWHEN_BUDGET__TOTAL")),
        ("budget", "floor"): Origin("user", Place(user, 1, 20)),
        ("loop", "max_turns"): Origin("flag", Place("--set loop.max_turns")),
        ("loop", "max_tool_calls"): Origin("project", Place(project, 4, 3)),
    }


def test_lists_are_replaced_and_named_entries_add_up(world):
    world.user(
        "guardrails:\n  protected_branches: [main]\n  rules:\n"
        "  - {name: a, tool: x, action: deny}\n  - {name: b, tool: x, action: deny}\n"
        "verification: {quality: {gates: [lint]}}\nverificationExemptDirs: [mine/]\n"
        "agents: {x: {kind: command, command: [x]}}\n"
    )
    config = world.trusted(
        "guardrails:\n  protected_branches: [prod]\n  rules:\n"
        "  - {name: c, tool: x, action: deny}\n  - {name: b, tool: y, action: allow}\n"
        "verification: {quality: {gates: [types]}}\nverification_exempt_dirs: [theirs/]\n"
        "agents: {x: {model: m}, y: {}}\n"
    ).config
    assert config.guardrails.protected_branches == ("prod",)
    assert [(r.name, r.tool, r.action) for r in config.guardrails.rules] == [
        ("a", "x", "deny"),
        ("b", "y", "allow"),
        ("c", "x", "deny"),
    ]
    assert [gate.name for gate in config.verification.quality.gates] == ["lint", "types"]
    assert config.verification_exempt_dirs == (".scratch", ".temp", "tmp/", "mine/", "theirs/")
    agents = {name: (agent.kind, agent.command, agent.model) for name, agent in config.agents.items()}
    assert agents == {"x": ("command", ("x",), "m"), "y": ("llm", (), None)}


@pytest.mark.parametrize(
    ("name", "value", "path", "expected"),
    [
        ("DONEWHEN_EXECUTIONMODE__LEVEL", "strict", "execution_mode.level", "strict"),
        ("DONEWHEN_EXECUTION_MODE__LEVEL", "off", "execution_mode.level", "off"),
        (
            "DONEWHEN_VERIFICATION__ARCHON__THRESHOLDS__COVERAGE",
            "70",
            "verification.quality.thresholds.coverage",
            70,
        ),
        (
            "DONEWHEN_VERIFICATIONEXEMPTDIRS",
            "[x/]",
            "verification_exempt_dirs",
            (".scratch", ".temp", "tmp/", "x/"),
        ),
        ("DONEWHEN_BUDGET", "{total: 3}", "budget.total", 3),
        ("DONEWHEN_SANDBOX", "off", "sandbox.mode", "off"),
        ("DONEWHEN_SANDBOX__EXAM_NETWORK", "full", "sandbox.exam_network", "full"),
        (
            "DONEWHEN_VERIFICATION__SEMANTIC__COMMAND",
            "review --now",
            "verification.semantic.command",
            ("review", "--now"),
        ),
    ],
)
def test_a_variable_sets_its_key(world, name, value, path, expected):
    found: object = world.load(**{name: value}).config
    for part in path.split("."):
        found = getattr(found, part)
    assert found == expected


def test_a_variable_reaches_into_a_mapping_of_names(world):
    loaded = world.load(DONEWHEN_AGENTS__MINE__MODEL="m", DONEWHEN_TOOLS__LLM__BY_PROFILE__DOCS="small")
    assert (loaded.config.agents["mine"].model, loaded.config.tools.llm.by_profile) == (
        "m",
        {"docs": "small"},
    )


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        (
            {"DONEWHEN_BUDGET__TOTL": "5"},
            "the environment variable DONEWHEN_BUDGET__TOTL names no setting; "
            "did you mean: DONEWHEN_BUDGET__TOTAL?",
        ),
        (
            {"DONEWHEN_BUDGE": "5"},
            "the environment variable DONEWHEN_BUDGE names no setting; did you mean: DONEWHEN_BUDGET?",
        ),
        (
            {"DONEWHEN_BUDGET__TOTAL__X": "5"},
            "the environment variable DONEWHEN_BUDGET__TOTAL__X names no setting; "
            "did you mean: DONEWHEN_BUDGET__TOTAL?",
        ),
        (
            {"DONEWHEN_EXECUTIONMODE__LEVEL": "off", "DONEWHEN_EXECUTION_MODE__LEVEL": "off"},
            "the environment variables DONEWHEN_EXECUTIONMODE__LEVEL and "
            "DONEWHEN_EXECUTION_MODE__LEVEL set the same key; unset one of them",
        ),
        (
            {"DONEWHEN_BUDGET__TOTAL": "x"},
            "DONEWHEN_BUDGET__TOTAL: `budget.total` must be a number; write it in digits",
        ),
        ({"DONEWHEN_BUDGET__TOTAL": ""}, "DONEWHEN_BUDGET__TOTAL is given without a value; give"),
        ({"DONEWHEN_BUDGET__TOTAL": "["}, "DONEWHEN_BUDGET__TOTAL is not valid YAML"),
        (
            {"DONEWHEN_EXTENDS": "x.yml"},
            "DONEWHEN_EXTENDS: `extends` can only be set in a file; write it there",
        ),
    ],
)
def test_a_wrong_variable_is_refused_by_name(world, env, sentence):
    assert world.refusal(**env).startswith(sentence)


def test_variables_that_are_no_settings_are_left_alone(world):
    names = ("DEBUG", "RUN", "TEST_ANYTHING", "TEST_")
    assert world.load(**{f"DONEWHEN_{name}": "x" for name in names}, DONEWHENX="y", OTHER="z").notes == ()


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        ("budget.totl=5", "--set budget.totl: unknown key `budget.totl`; did you mean: total?"),
        (
            "budget.total",
            "--set needs `KEY=VALUE`; write for example `--set budget.total=5`",
        ),
        ("=5", "--set needs `KEY=VALUE`"),
        ("budget.total=-1", "--set budget.total: `budget.total` must be at least 0; raise it"),
        ("extends=x", "--set extends: `extends` can only be set in a file; write it there"),
    ],
)
def test_a_wrong_flag_is_refused(world, flag, sentence):
    assert world.refusal(flags=[flag]).startswith(sentence)


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        (
            {"DONEWHEN_BUGDET__TOTAL": "5"},
            "the environment variable DONEWHEN_BUGDET__TOTAL names no setting; did you mean: DONEWHEN_BUDGET__TOTAL?",
        ),
        (
            {"DONEWHEN_FOO": "1"},
            "the environment variable DONEWHEN_FOO names no setting; "
            "unset it, or see `donewhen config show` for the names",
        ),
        (
            {"DONEWHEN_LANGUAGE": ""},
            "DONEWHEN_LANGUAGE is given without a value; give it one or leave it out",
        ),
        (
            {"DONEWHEN_HOOKS__ENABLED": ""},
            "DONEWHEN_HOOKS__ENABLED is given without a value; give it one or leave it out",
        ),
        (
            {"DONEWHEN_STORE__URL": "postgresql://u:hunter2\udcffsecret@db/x"},
            "DONEWHEN_STORE__URL holds bytes that are not UTF-8 text; give its value again in UTF-8",
        ),
        (
            {"DONEWHEN_SHIP": "5"},
            "DONEWHEN_SHIP: `ship` is a group of keys; name one of them after a dot (or `__` in a variable): mode, to_protected, remote, forge, api_url, token_env",
        ),
    ],
)
def test_what_is_said_fits_a_variable(world, env, sentence):
    assert world.refusal(**env) == sentence


@table_test(
    ("flag", "sentence"),
    [
        ("=5", "--set needs `KEY=VALUE`; write for example `--set budget.total=5`"),
        (
            "store.url postgresql://u:hunter2@h/x?sslmode=1",
            "--set needs `KEY=VALUE`; write for example `--set budget.total=5`",
        ),
        (
            "store.url:postgresql://u:hunter2@h/x",
            "--set needs `KEY=VALUE`; write for example `--set budget.total=5`",
        ),
        (
            "project.name=\udcff",
            "--set project.name holds bytes that are not UTF-8 text; give its value again in UTF-8",
        ),
        ("\udcff=1", "--set needs `KEY=VALUE`; write for example `--set budget.total=5`"),
        (
            "ship=5",
            "--set ship: `ship` is a group of keys; name one of them after a dot (or `__` in a variable): mode, to_protected, remote, forge, api_url, token_env",
        ),
        (
            "agents=5",
            "--set agents: `agents` is a group of keys; name one of them after a dot (or `__` in a variable): NAME",
        ),
        ("budget.total=", "--set budget.total is given without a value; give it one or leave it out"),
        ("budget.total=~", "--set budget.total is given without a value; give it one or leave it out"),
    ],
)
def test_what_is_said_fits_a_flag(world, flag, sentence):
    assert world.refusal(flags=[flag]) == sentence


def test_a_plain_command_in_a_variable_is_nothing_old(world):
    assert world.load(DONEWHEN_VERIFICATION__SEMANTIC__COMMAND="review --now").notes == ()
    (note,) = world.load(flags=["verification.enabled=true"]).notes
    assert str(note) == "--set verification.enabled: `verification.enabled` no longer exists and is left out"


def test_the_last_flag_wins_and_both_spellings_work(world):
    config = world.load(
        flags=["loop.maxTurns=5", "loop.max_turns=6", "agents.a.model='1'", "sandbox=off"]
    ).config
    assert (config.loop.max_turns, config.agents["a"].model, config.sandbox.mode) == (6, "1", "off")


def test_the_nearest_folder_wins_and_ours_comes_before_gsd(world):
    inner = world.project / "a" / "b"
    inner.mkdir(parents=True)
    assert find_project(inner) is None
    outer = world.write(".donewhen/config.yml", "")
    assert find_project(inner) == outer
    other = world.write("a/.gsd/config.yml", "")
    assert find_project(inner) == other
    ours = world.write("a/.donewhen/config.yml", "")
    assert find_project(inner) == ours


def test_a_context_file_may_hold_its_keys_at_the_top_or_under_context(world):
    world.write(".gsd/config.yml", "context: {max_tokens: 9000, max_history_turns: 9}\n")
    for text in ("max_tokens: 8000\n", "context:\n  maxTokens: 8000\n"):
        world.write(".gsd/context.yml", text)
        world.trust()
        context = world.load().config.context
        assert (context.max_tokens, context.max_history_turns) == (8000, 9)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "budget: {total: 1}\n",
            ".gsd/context.yml:1: unknown key `context.budget.total`; remove it or use one of: pro",
        ),
        ("context: {}\nloop: {}\n", ".gsd/context.yml:2: unknown key `loop`; did you mean: context?"),
        ("max_token: 1\n", ".gsd/context.yml:1: unknown key `context.max_token`; did you mean: max_tokens?"),
    ],
)
def test_a_context_file_holds_nothing_else(world, text, sentence):
    world.write(".gsd/config.yml", "")
    world.write(".gsd/context.yml", text)
    assert world.refusal().startswith(sentence)


def test_a_context_file_beside_our_own_config_is_not_read(world):
    world.write(".gsd/context.yml", "nonsense: 1\n")
    assert world.load("").config.context.max_tokens == 64000


def test_an_extended_file_lies_below_the_file_that_names_it(world):
    world.write("shared/base.yml", "budget: {total: 4, floor: 0.5}\n")
    loaded = world.load("extends: ../shared/base.yml\nbudget: {total: 3}\n")
    assert (loaded.config.budget.total, loaded.config.budget.floor) == (3, 0.5)
    assert str(loaded.origins["budget", "floor"].place).endswith("shared/base.yml:1")
    assert [os.path.basename(name) for name in loaded.project_files] == ["config.yml", "base.yml"]  # noqa: PTH119


def test_an_extended_file_may_not_extend_again(world):
    world.write("base.yml", "budget: {}\nextends: more.yml\n")
    assert world.refusal("extends: ../base.yml\n").endswith(
        "base.yml:2: an extended file may not extend another one; move the settings into one file"
    )


def test_a_missing_extended_file_is_refused(world):
    assert world.refusal("budget: {}\nextends: base.yml\n").startswith(
        f"{AT}:2: the extended file base.yml does not exist; correct the path, which is"
    )


def test_the_user_file_may_extend_any_file(world):
    shared = world.write("team.yml", "budget: {total: 50}\n")
    world.user(f"extends: {shared}\n")
    assert world.load().config.budget.total == 50


def test_an_untrusted_project_may_not_extend_a_file_outside(world):
    outside = world.project.parent / "outside.yml"
    outside.write_text("budget: {total: 1}\nsecret line\n")
    (world.project / "link.yml").symlink_to(outside)
    for wanted in (str(outside), "../../outside.yml", "../link.yml", "/dev/zero", "/nowhere"):
        loaded = world.load(f"extends: {wanted}\n")
        assert loaded.config.budget.total == 10
        assert [(ignored.path, ignored.value) for ignored in loaded.ignored] == [(("extends",), wanted)]


def test_a_trusted_project_may_extend_a_file_outside(world):
    outside = world.project.parent / "outside.yml"
    outside.write_text("budget: {total: 20}\n")
    assert world.trusted(f"extends: {outside}\n").config.budget.total == 20
    outside.write_text("budget: {total: 30}\n")
    assert not world.load().trusted


def test_the_text_of_a_base_commit_replaces_the_files(world):
    world.configure("budget: {total: 1}\n")
    env = world.env
    assert load_config(world.project, env=env, project_text="budget: {total: 2}\n").config.budget.total == 2
    files = {
        ".gsd/config.yml": "extends: ../base.yml\nloop: {max_turns: 5}\n",
        ".gsd/context.yml": "max_tokens: 99\n",
        "base.yml": "loop: {max_turns: 6, max_tool_calls: 7}\n",
    }
    digest = load_config(world.project, env=env, project_text=files).digest
    assert digest is not None
    trust(digest, env=env, folder=world.project)
    loaded = load_config(world.project, env=env, project_text=files)
    config = loaded.config
    assert (config.loop.max_turns, config.loop.max_tool_calls, config.context.max_tokens) == (5, 7, 99)
    assert loaded.origins["context", "max_tokens"].place.line == 1
    assert load_config(world.project, env=env, project_text={}).digest is None


def test_text_and_files_of_the_same_content_have_the_same_digest(world):
    text = "budget: {total: 2}\n"
    assert load_config(world.project, env=world.env, project_text=text).digest == world.load(text).digest
