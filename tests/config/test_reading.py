"""Configuration that never misreads: the traps of YAML are refused or mean what was written."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import ConfigError, config_from_mapping, find_project, load_config, validate_file
from tests.tables import table_test

AT = ".donewhen/config.yml"


@table_test(
    ("text", "sentence"),
    [
        ("a: 1\nbudget: {}\na: 2\n", f"{AT}:3: the key `a` is given twice in one mapping, first on line 1"),
        (
            "budget:\n  total: 1\n  total: 2\n",
            f"{AT}:3: the key `total` is given twice in one mapping, first on line 2",
        ),
        (
            "budget:\n\ttotal: 5\n",
            f"{AT}:2:1 is not valid YAML (found character that cannot start any token)",
        ),
        ("budget: [\n", f"{AT}:2:1 is not valid YAML"),
        ("- budget\n", f"{AT}:1: the file must hold `section:` keys at its top level"),
        ("text", f"{AT}:1: the file must hold `section:` keys at its top level"),
        ("budget: {}\n---\nloop: {}\n", f"{AT}:2 starts a second YAML document"),
        ("project: {name: !!python/object:os.system x}\n", f"{AT}:1 has the YAML tag"),
        ("project: &a {name: x}\nloop: {<<: *a}\n", f"{AT}:2 uses the merge key `<<`"),
        ("project: {name: *b}\n", f"{AT}:1 uses the alias `*b` that no earlier anchor defines"),
        ("? [a]\n: b\n", f"{AT}:1 has a key that is not a word"),
        (
            "project:\n  name: 2024-01-31\n",
            f"{AT}:2: `project.name` is written as `2024-01-31`, which YAML reads as a",
        ),
        (
            "project: {name: 010}\n",
            f"{AT}:1: `project.name` is written as `010`, which is no plain decimal number",
        ),
        (
            "loop: {max_turns: 010}\n",
            f"{AT}:1: `loop.max_turns` is written as `010`, which is no plain decimal",
        ),
        ("loop: {max_turns: 1_000}\n", f"{AT}:1: `loop.max_turns` is written as `1_000`"),
        ("loop: {max_turns: 0x10}\n", f"{AT}:1: `loop.max_turns` is written as `0x10`"),
        ("hooks: {timeout: 1:30}\n", f"{AT}:1: `hooks.timeout` is written as `1:30`"),
        ("budget: {total: .inf}\n", f"{AT}:1: `budget.total` is written as `.inf`"),
        ("budget: {total: .nan}\n", f"{AT}:1: `budget.total` is written as `.nan`"),
        ("project: {name: no}\n", f"{AT}:1: `project.name` must be text; put it in quotes"),
        ('project: {name: "a\\0b"}\n', f"{AT}:1: `project.name` holds a NUL character"),
        ("[" * 60, f"{AT}:1 is nested more than 40 levels deep"),
        ("loop: {" + "a: {" * 60, f"{AT}:1 is nested more than 40 levels deep"),
    ],
)
def test_a_trap_is_refused_in_one_sentence_with_its_line(world, text, sentence):
    refusal = world.refusal(text)
    assert refusal.startswith(sentence)
    assert "\n" not in refusal


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "---\n", "null\n", "\ufeff", "budget:\n", "agents: ~\n"]
)
def test_an_empty_file_or_section_sets_nothing(world, text):
    loaded = world.load(text)
    assert {origin.layer for origin in loaded.origins.values()} == {"default"}


@pytest.mark.parametrize("off", ["off", "OFF", '"off"'])
def test_a_bare_off_is_the_word_where_words_are_expected(world, off):
    config = world.trusted(f"sandbox: {off}\nworkspace: {{setup: {off}}}\n").config
    assert (config.sandbox.mode, config.workspace.setup) == ("off", "off")


def test_a_bare_on_is_a_key(world):
    config = world.trusted(
        "notify:\n  on: [pause]\ntriggers:\n  - {name: t, on: webhook, template: fix}\n"
    ).config
    assert (config.notify.on, config.triggers[0].on) == (("pause",), "webhook")


def test_booleans_follow_yaml_where_booleans_are_expected(world):
    config = world.trusted("evidence: {clean_room: yes}\nloop: {deadlock_detection: off}\n").config
    assert (config.evidence.clean_room, config.loop.deadlock_detection) == (True, False)


def test_aliases_are_read_within_limits(world):
    config = world.load("hooks:\n  enabled: &on [log-operations]\n  on_failure: *on\n").config
    assert "log-operations" in config.hooks.on_failure
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
    )
    assert "holds more than 20000 values, counting aliases" in world.refusal(bomb)
    deep = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 100))
    assert "too many levels" in world.refusal(deep)


def test_a_large_file_is_refused(world):
    assert "is larger than 1024 KiB" in world.refusal("#" * (1024 * 1024 + 1))


def test_a_file_that_is_not_utf8_is_refused(world):
    world.configure("")
    world.file.write_bytes(b"budget: {}\nproject: {name: caf\xe9}\n")
    assert world.refusal() == f"{AT}:2 is not UTF-8 text; save the file as UTF-8"
    world.file.write_bytes("budget: {}".encode("utf-16"))
    assert "is not UTF-8 text" in world.refusal()


def test_what_is_no_regular_file_is_refused_without_waiting(world):
    world.file.parent.mkdir()
    os.mkfifo(world.file)
    assert world.refusal() == f"{AT} is not a regular file; replace it by a file or remove it"
    world.file.unlink()
    world.file.mkdir()
    assert "is not a regular file" in world.refusal()
    world.file.rmdir()
    world.file.symlink_to("/dev/zero")
    assert "is not a regular file" in world.refusal()
    world.file.unlink()
    world.file.symlink_to("nowhere")
    assert "is not a regular file" in world.refusal()


def test_hostile_text_is_shown_harmless(world):
    refusal = world.refusal('"\\e[31mevil\\n\\u202e": 1\n')
    assert refusal.startswith(f"{AT}:1: the name `\\x1b[31mevil\\n\\u202e` holds control, direction")


@table_test(
    ("text", "path"),
    [
        ('agents: {"a\\nb": {}}', "agents.a\\nb"),
        ('agents: {"a\\u202eb": {}}', "agents.a\\u202eb"),
        ('tools: {mcp: {"\\e[1m": {url: "http://h"}}}', "tools.mcp.\\x1b[1m"),
        ('verification: {verifiers: {"\\u200b": {command: [x]}}}', "verification.verifiers.\\u200b"),
        ('budget: {prices: {"m\\tx": {}}}', "budget.prices.m\\tx"),
        ('guardrails: {rules: [{name: "a\\eb", tool: x, action: deny}]}', "guardrails.rules[a\\x1bb].name"),
        (
            'hooks: {commands: [{name: "\\u2066", point: run_end, command: [x]}]}',
            "hooks.commands[\\u2066].name",
        ),
        (
            'verification: {quality: {gates: [{name: "a\\rb", command: [x]}]}}',
            "verification.quality.gates[a\\rb].name",
        ),
        ('triggers: [{name: "\\x7f", on: webhook, template: t}]', "triggers[\\x7f].name"),
        ('project: {name: "a\\u2028b"}', "project.name"),
        ('"bud\\u200bget": {}', "bud\\u200bget"),
        ('loop: {"max\\nturns": 1}', "loop.max\\nturns"),
    ],
)
def test_a_name_with_invisible_characters_is_refused_with_its_place(world, text, path):
    assert world.refusal(f"language: en\n{text}\n") == (
        f"{AT}:2: the name `{path}` holds control, direction or other invisible characters; write it without them"
    )


def test_the_name_of_an_integrity_rule_is_plain(world):
    assert world.load("verification: {integrity: {test-removed_2: ask}}\n").ignored
    assert world.refusal("verification:\n  integrity:\n    Test Removed: ask\n") == (
        f"{AT}:3: the rule name in `verification.integrity.Test Removed` is not plain; use only a-z, 0-9, `_` and `-`"
    )


@pytest.mark.parametrize(
    "text",
    [
        "hooks:\n  commands:\n  enabled: # none\n",
        "guardrails:\n  rules: ~\n  secret_patterns:\n",
        "verification:\n  quality:\n    gates:\n    # - tests\n",
        "triggers:\nverificationExemptDirs:\n",
        "sandbox: {env: }\nworkspace: {caches: null}\n",
    ],
)
def test_a_list_with_nothing_after_it_sets_nothing(world, text):
    assert {origin.layer for origin in world.load(text).origins.values()} == {"default"}


def test_a_path_with_a_nul_is_refused(world):
    sentence = f"{AT}:1: `extends` holds a NUL character; remove it"
    assert world.refusal('extends: "a\\0b"\n') == sentence
    assert [str(problem).endswith(sentence) for problem in validate_file(world.file)] == [True]
    world.file.unlink()
    world.user('extends: "/a\\0b"\n')
    assert world.refusal() == "~/.config/donewhen/config.yml:1: `extends` holds a NUL character; remove it"


def test_a_configuration_that_can_not_be_looked_at_is_not_taken_for_absent(world):
    (world.project / ".donewhen").symlink_to(".donewhen")
    assert world.refusal() == f"{AT} can't be read (Too many levels of symbolic links); check its permissions"
    with pytest.raises(ConfigError):
        find_project(world.project)


def test_text_that_is_no_utf8_is_refused_wherever_it_comes_from(world):
    with pytest.raises(ConfigError, match=r"config.yml:2 is not UTF-8 text"):
        load_config(world.project, env=world.env, project_text="budget: {}\nproject: {name: '\udcff'}\n")
    with pytest.raises(ConfigError, match=r"mapping:1 is not UTF-8 text"):
        config_from_mapping({"project": {"name": "\ud800"}})


@pytest.mark.parametrize("text", ["1e3", "1E+3", "-5e-2"])
def test_a_number_with_a_bare_exponent_is_refused_with_the_right_advice(world, text):
    assert world.refusal(f"budget: {{total: {text}}}\n") == (
        f"{AT}:1: `budget.total` is written as `{text}`, which is no plain decimal number; "
        "write the decimal number, or put a text in quotes"
    )
    assert world.load("budget: {total: 1.0e+0}\n").config.budget.total == 1
    assert world.load("project: {name: '1e3'}\n").config.project.name == "1e3"


def test_many_unknown_keys_get_no_endless_suggestions(world):
    problems = validate_file(world.write("c.yml", "".join(f"budgte{n}: 1\n" for n in range(9000))))
    assert [problem.key for problem in problems].count("config.unknown_key") == 200
    assert len(problems) == 9000


def test_a_misspelt_key_is_not_missing_too(world):
    refusal = world.refusal("guardrails:\n  rules:\n  - name: r\n    tool: x\n    acton: deny\n")
    assert refusal == f"{AT}:5: unknown key `guardrails.rules[r].acton`; did you mean: action?"


def test_a_second_configuration_is_told_to_be_unread(world):
    world.write(".gsd/config.yml", "nonsense: 1\n")
    sentence = "is not read because {} is there; move what you need from it and delete it"
    loaded = world.load("")
    assert [str(note) for note in loaded.notes] == [
        f"{world.project}/.gsd/config.yml {sentence.format(world.file)}"
    ]
    texts = {AT: "", ".gsd/config.yml": "x"}
    assert load_config(world.project, env=world.env, project_text=texts).notes == loaded.notes


def test_validate_lists_every_problem_in_order(world):
    path = world.write("c.yml", "budgte: {}\nbudget:\n  total: x\nloop: {max_turns: 0}\nproject: 1\n")
    assert [str(problem.place).rpartition(":")[2] for problem in validate_file(path)] == ["1", "3", "4", "5"]
    assert world.refusal(path.read_text()).endswith("(and 3 more: run `donewhen config validate`)")
    assert validate_file(world.write("ok.yml", "budget: {total: 1}\n")) == []
    assert [problem.key for problem in validate_file(world.project / "none.yml")] == ["config.no_file"]


@given(st.text(max_size=200))
def test_any_text_loads_or_is_refused_in_one_line(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp()
    try:
        load_config(folder, env={"HOME": str(folder)}, project_text=text.encode("utf-8", "replace").decode())
    except ConfigError as error:
        assert "\n" not in str(error)


_WORDS = st.sampled_from(
    [
        "budget",
        "total",
        "guardrails",
        "rules",
        "name",
        "hooks",
        "commands",
        "command",
        "verification",
        "quality",
        "gates",
    ]
)
_VALUES = st.recursive(
    st.sampled_from(["1", "x", "off", "null", "2020-01-01", "'a'", "[", "*a", "&a b", "true", "1.5", "a b"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]")
        | st.dictionaries(_WORDS, inner, max_size=3).map(
            lambda d: "{" + ", ".join(f"{k}: {v}" for k, v in d.items()) + "}"
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(_WORDS, _VALUES, max_size=4))
def test_any_tree_loads_or_is_refused_in_one_line(tmp_path_factory, tree):
    folder = tmp_path_factory.getbasetemp()
    text = "".join(f"{key}: {value}\n" for key, value in tree.items())
    try:
        load_config(folder, env={"HOME": str(folder)}, project_text=text)
    except ConfigError as error:
        assert "\n" not in str(error)
