"""Old settings are rewritten in place: nothing else changes, nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import ConfigError, config_from_mapping, load_config, migrate
from tests.tables import table_test

OLD = """\
# our settings
verification:   # how we verify
  enabled: true  # always
  # the profile we like
  profile: fix_bug
  final_intercept: {a: 1,
    b: 2}
  verifiers:
    unit:
      command: "pytest -q"   # quick
      required: true
      fail_open: false
      timeout: 30
  hooks:
    - one
    - two

  # kept comment
  maxNoProgress: 3
  max_retries: 4
runtime:
  max_no_progress_streak: 5
context:
  auto_compact:
    input_token_threshold: 1000  # tokens
    reserve_tokens: 10
budget: {total: 5}
"""
NEW = """\
# our settings
verification:   # how we verify
  # always
  # the profile we like
  profile: fix_bug
  verifiers:
    unit:
      command: ["pytest", "-q"]   # quick
      timeout: 30

  # kept comment
runtime: {}
context:
  budget:
    prompt_budget: 1000  # tokens
    reserve_tokens: 10
budget: {total: 5}
"""


def test_old_settings_are_rewritten_and_all_else_is_kept():
    done = migrate(OLD)
    assert done.text == NEW
    assert [str(change) for change in done.changes][:2] == [
        "config.yml:3: `verification.enabled` no longer exists and is left out",
        "config.yml:6: `verification.final_intercept` no longer exists and is left out",
    ]
    assert len(done.changes) == 11


def test_a_second_run_changes_nothing():
    assert migrate(NEW) == (NEW, (), ())


@table_test(
    ("old", "new"),
    [
        ("verification: {enabled: true}\n", "verification: {}\n"),
        ("verification: {enabled: true, profile: docs}\n", "verification: {profile: docs}\n"),
        ("verification: {profile: docs, enabled: true}\n", "verification: {profile: docs}\n"),
        ("verification: {profile: docs, enabled: true, }\n", "verification: {profile: docs, }\n"),
        ("verification: {enabled: true, hooks: [a, b],}\n", "verification: {}\n"),
        (
            "verification: {\n  enabled: true, # x\n  # keep\n  profile: docs\n}\n",
            "verification: {\n  # x\n  # keep\n  profile: docs\n}\n",
        ),
        ("verification:\n  enabled: true", "verification: {}\n"),
        ("verification: # why\n  enabled: true\nloop: {}\n", "verification: {} # why\nloop: {}\n"),
        (
            "verification:\n  defaultTaskPolicy: |\n    a\n    b\n\nloop: {}\n",
            "verification: {}\n\nloop: {}\n",
        ),
        ("verification:\n  enabled:\n  profile: docs\n", "verification:\n  profile: docs\n"),
        (
            "runtime:\r\n  maxNoProgressStreak: 3\r\n  parallel_tools: 2\r\n",
            "runtime:\r\n  parallel_tools: 2\r\n",
        ),
        (
            "verification:\n  'enabled': true\n  \"hooks\": []\n  profile: docs\n",
            "verification:\n  profile: docs\n",
        ),
        ("context: {autoCompact: {reserveTokens: 3}}\n", "context: {budget: {reserveTokens: 3}}\n"),
        (
            "verification: {superpowers: {command: review --fast}}\n",
            'verification: {superpowers: {command: ["review", "--fast"]}}\n',
        ),
        (
            "workspace:\n  setup:\n    - npm ci\n    - [a, b]\n",
            'workspace:\n  setup:\n    - ["npm", "ci"]\n    - [a, b]\n',
        ),
        (
            "hooks:\n  commands:\n    - name: h\n      point: run_end\n      command: >\n        ./run it\n",
            'hooks:\n  commands:\n    - name: h\n      point: run_end\n      command: ["./run", "it"]\n',
        ),
        (
            "\ufeffverification:\n  enabled: é\n  profile: docs # ü\n",
            "\ufeffverification:\n  profile: docs # ü\n",
        ),
        ("# only\n", "# only\n"),
        # comments of what goes stay
        ("verification:\n  enabled: true # a\n", "verification: {}\n  # a\n"),
        (
            "verification:\n  # 1\n  hooks: # 2\n    # 3\n    - x # 4\n    - 'y # no'\n  profile: docs # 5\n",
            "verification:\n  # 1\n  # 2\n  # 3\n  # 4\n  profile: docs # 5\n",
        ),
        (
            "verification:\n  default_task_policy: | # why\n    # text\n    a\n  profile: docs\n",
            "verification:\n  # why\n  profile: docs\n",
        ),
        (
            "verification: {profile: docs, # 1\n  hooks: [a, # 2\n  b]} # 3\n",
            "verification: {profile: docs # 1\n                            # 2\n                            } # 3\n",
        ),
        (
            "verification: {enabled: # 1\n  true, profile: docs}\n",
            "verification: { # 1\n               profile: docs}\n",
        ),
        ("verification: { # 1\n  enabled: true } # 2\n", "verification: { # 1\n               } # 2\n"),
        (
            "verification: {superpowers: {command: review --fast}, enabled: 1, hooks: 2}\n",
            'verification: {superpowers: {command: ["review", "--fast"]}}\n',
        ),
        (
            "verification: {enabled: 1, hooks: 2, profile: docs, max_retries: 3}\n",
            "verification: {profile: docs}\n",
        ),
        (
            "verification:\n  semantic:\n    command: | # why\n      review --fast\n",
            'verification:\n  semantic:\n    command: ["review", "--fast"]  # why\n',
        ),
        (
            "verification:\r  enabled: 1 # a\r  profile: docs # b\r",
            "verification:\r  # a\r  profile: docs # b\r",
        ),
        (
            "verification:\u2028  enabled: 1 # a\u2028  profile: docs # b\x85",
            "verification:\u2028  # a\u2028  profile: docs # b\x85",
        ),
        ("verification:\x85  enabled: 1 # a\x85loop: {}", "verification: {}\x85  # a\x85loop: {}"),
        # a verifier that was nothing but a switch goes as a whole
        (
            "verification:\n  verifiers:\n    tests: {enabled: true, required: true} # a\n    own: {command: [x]}\n",
            "verification:\n  verifiers:\n    # a\n    own: {command: [x]}\n",
        ),
        (
            "verification:\n  verifiers:\n    tests:\n      failOpen: true\n",
            "verification:\n  verifiers: {}\n",
        ),
        ("workspace: {setup: npm ci} # x\n", 'workspace: {setup: [["npm", "ci"]]} # x\n'),
        ("", ""),
    ],
)
def test_each_style_is_rewritten(old, new):
    done = migrate(old)
    assert done.text == new
    assert migrate(new)[:2] == (new, ())


@table_test(
    "command",
    ["'a b' c", 'say "x"', "a | b", "a && b", "a || b", "a; b", "a > f", "a < f", "a $(b)", "a `b`", "a\nb",
     "a $HOME",     "X=1 a", "a *.py", "a & b", "~/a", "a \\b"],
)  # fmt: skip
def test_a_command_with_shell_syntax_is_refused_with_advice(command):
    text = "agents:\n  a:\n    kind: command\n    command: " + repr(command).replace("\\'", "''") + "\n"
    if "\n" in command or "\\" in command or '"' in command or "'" in command:
        text = "agents:\n  a:\n    kind: command\n    command: |-\n" + "".join(
            f"      {x}\n" for x in command.split("\n")
        )
    with pytest.raises(
        ConfigError, match=r"config.yml:4: the command `agents.a.command` uses shell syntax .* or put the"
    ):
        migrate(text)


def test_both_names_of_the_context_budget_are_refused():
    with pytest.raises(
        ConfigError, match=r"config.yml:3: `context.auto_compact` is the old name of .* line 2 sets too"
    ):
        migrate("context:\n  budget: {}\n  auto_compact: {}\n")


@table_test(
    "text",
    [
        "verification:\n  enabled: &x true\n  semantic: {enabled: *x}\n",
        "? verification\n: enabled: true\n",
        "verification: &v\n  enabled: true\n",
        "verification:\n  default_task_policy: &p | # lost\n    a\n",
        "verification:\n  semantic:\n    command: &c | # lost\n      review --fast\n",
        "verification: {enabled: &e true, profile: docs}\n",
    ],
)
def test_what_cannot_be_rewritten_safely_is_refused(text):
    with pytest.raises(ConfigError, match="change it by hand"):
        migrate(text)


def test_loading_reads_old_settings_the_same_way(world):
    loaded = world.load(OLD)
    assert [note.key for note in loaded.notes].count("config.note_dropped") == 8
    assert len(loaded.notes) == 11
    assert loaded.config == world.load(NEW).config
    assert world.trusted(OLD).config == world.trusted(NEW).config
    assert world.load().config.context.budget.prompt_budget == 1000


def _comments(text: str) -> list[str]:
    """No text in these files holds a `#` of its own."""
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]


_COMMENTS = st.sampled_from(["", "  # note", "   #"])
_ENTRIES = st.sampled_from(
    [
        "enabled: true",
        "profile: docs",
        "hooks: [a,\n    b]",
        "max_retries: 3",
        "maxNoProgress: 'x'",
        "integrity:\n    # inner\n    a: deny",
        "verifiers:\n    # one\n    one: {enabled: true} # switch\n    two:\n      command: a b # words\n      required: true # old",
        "execution: {timeout: 5, # five\n    test_timeout: 6}",
        "final_intercept:\n    deep:\n      - 1\n    # tail",
        "semantic: {rounds: 3}",
        "default_task_policy: |\n    text\n      more",
        "quality:\n    gates: [tests]",
        "# a comment line",
        "",
    ]
)


@given(
    st.lists(st.tuples(_ENTRIES, _COMMENTS), min_size=1, max_size=8, unique_by=lambda e: e[0]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "loop: {max_turns: 5}\n", "# end\n"]),
)
def test_migration_reads_the_same_and_is_a_fixed_point(tmp_path_factory, entries, newline, tail):
    folder = tmp_path_factory.getbasetemp()
    env = {"HOME": str(folder)}
    lines = "".join(f"  {(text + ('' if '|' in text else note)).strip()}\n" for text, note in entries)
    old = ("verification:\n" + lines + tail).replace("\n", newline)
    before = load_config(folder, env=env, project_text=old)
    done = migrate(old)
    after = load_config(folder, env=env, project_text=done.text)
    assert (after.config, after.notes) == (before.config, ())
    assert migrate(done.text)[:2] == (done.text, ())
    assert sorted(_comments(done.text)) == sorted(_comments(old))
    if not before.notes:
        assert done.text == old


@table_test("piece", ["{a", "{", "{,", "a ", "~"])
def test_an_endless_command_is_judged_in_linear_steps(piece):
    text = 'agents: {a: {command: "' + piece * 100_000 + '"}}\n'
    try:
        done = migrate(text)
    except ConfigError as error:
        assert len(str(error)) < 600
    else:
        assert done.changes


_FLOW = st.sampled_from(
    ["enabled: true", "profile: docs", "hooks: [a, # inner\n b]", "max_retries: # deep\n 3", "maxNoProgress: 'x # no'",
     "semantic: {rounds: 3}", "integrity: {a: deny} # after", "final_intercept: {}"]
)  # fmt: skip


@given(
    st.lists(
        st.tuples(_FLOW, st.sampled_from([", ", ",", ",\n  ", ", # note\n", " # odd\n , "])),
        unique_by=lambda e: e[0],
    ),
    st.sampled_from(["", ",", " # last\n", "\n"]),
    st.sampled_from(["\n", "\r\n", "\r", "\x85", "\u2028"]),
)
def test_a_flow_mapping_keeps_its_comments_and_its_commas_tidy(entries, tail, newline):
    inside = "".join(text + ("\n" if "after" in text else "") + gap for text, gap in entries[:-1])
    last = "".join(text + "\n" for text, _ in entries[-1:])
    old = ("verification: {" + inside + last + (tail if entries else "") + "}\n").replace("\n", newline)
    done = migrate(old)
    assert migrate(done.text)[:2] == (done.text, ())
    kept = [
        line.partition("#")[2].strip() for line in old.replace("'x # no'", "").split(newline) if "#" in line
    ]
    told = [line.partition("#")[2].strip() for line in done.text.split(newline) if "#" in line]
    assert sorted(told) == sorted(kept)


def test_what_a_file_holds_only_for_old_readers_does_not_stop_a_trusted_project(world):
    text = "verification:\n  verifiers:\n    tests: {enabled: true, required: true}\n"
    loaded = world.trusted(text)
    assert loaded.config.verification.verifiers == {}
    assert [str(note).partition(": ")[2] for note in loaded.notes] == [
        "`verification.verifiers.tests` no longer exists and is left out; `donewhen config migrate` rewrites the file"
    ]
    assert world.trusted(migrate(text).text).notes == ()


def test_a_shell_command_is_one_problem_in_one_spelling(world):
    text = "hooks:\n  commands:\n    - {name: a, point: run_end, command: a | b}\n"
    sentence = (
        "the command `hooks.commands[a].command` uses shell syntax (|) and no shell runs it; "
        "write a list of words like [pytest, -q], or put the line in a script file and name that"
    )
    assert world.refusal(text) == f".donewhen/config.yml:3: {sentence}"
    with pytest.raises(ConfigError) as caught:
        migrate(text)
    assert str(caught.value) == f"config.yml:3: {sentence}"


def test_both_names_of_the_context_budget_are_one_problem(world):
    refusal = world.refusal("context:\n  budget: {}\n  auto_compact: {}\n")
    assert refusal.endswith("which line 2 sets too; remove `auto_compact`")


@table_test(
    ("text", "words"),
    [("a\tb  c", ("a", "b", "c")), ("a\u00a0b", ("a\u00a0b",)), ("a\u2003b\x1fc d", ("a\u2003b\x1fc", "d"))],
)
def test_only_blanks_and_tabs_part_words(text, words):
    config = config_from_mapping({"verification": {"semantic": {"command": text}}})
    assert config.verification.semantic.command == words


def test_a_plain_set_up_line_is_one_command(world):
    assert world.trusted("workspace: {setup: npm ci}\n").config.workspace.setup == (("npm", "ci"),)
    assert world.trusted("workspace: {setup: auto}\n").config.workspace.setup == "auto"
    assert "uses shell syntax" in world.refusal("workspace: {setup: npm ci && make}\n")


def test_text_without_a_place_reads_no_other_file():
    text = "extends: base.yml\nverification: {enabled: true, verifiers: {v: {timeout: 5}}}\n"
    assert migrate(text).problems == ()
    assert [problem.key for problem in migrate(text.partition("\n")[2]).problems] == ["config.needs_key"]
