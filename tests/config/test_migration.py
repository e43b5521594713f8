"""Old settings are rewritten in place: nothing else changes, nothing is lost."""

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import ConfigError, load_config, migrate, migrate_file

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
        "config.yml:3: `verification.enabled` no longer exists and is dropped.",
        "config.yml:6: `verification.final_intercept` no longer exists and is dropped.",
    ]
    assert len(done.changes) == 11


def test_a_second_run_changes_nothing():
    assert migrate(NEW) == (NEW, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("verification: {enabled: true}\n", "verification: {}\n"),
        ("verification: {enabled: true, profile: docs}\n", "verification: {profile: docs}\n"),
        ("verification: {profile: docs, enabled: true}\n", "verification: {profile: docs}\n"),
        ("verification: {profile: docs, enabled: true, }\n", "verification: {profile: docs, }\n"),
        ("verification: {enabled: true, hooks: [a, b],}\n", "verification: {}\n"),
        (
            "verification: {\n  enabled: true, # x\n  # keep\n  profile: docs\n}\n",
            "verification: {\n  # keep\n  profile: docs\n}\n",
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
        ("", ""),
    ],
)
def test_each_style_is_rewritten(old, new):
    done = migrate(old)
    assert done.text == new
    assert migrate(new) == (new, ())


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text",
    [
        "verification:\n  enabled: &x true\n  semantic: {enabled: *x}\n",
        "? verification\n: enabled: true\n",
        "verification: &v\n  enabled: true\n",
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
    assert loaded.config.context.budget.prompt_budget == 1000
    world.trust()
    assert world.load(OLD).config.verification.profile == "fix_bug"


def test_a_file_gets_a_backup_and_keeps_its_mode(tmp_path):
    path = tmp_path / "config.yml"
    path.write_text(OLD)
    path.chmod(0o640)
    assert migrate_file(path, dry_run=True).text == NEW
    assert path.read_text() == OLD
    done = migrate_file(path)
    assert (path.read_text(), done.backup) == (NEW, tmp_path / "config.yml.bak")
    assert (tmp_path / "config.yml.bak").read_text() == OLD
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = path.stat()
    assert migrate_file(path) == (NEW, (), None)
    assert path.stat() == before
    assert sorted(found.name for found in tmp_path.iterdir()) == ["config.yml", "config.yml.bak"]


def test_an_earlier_backup_is_never_overwritten(tmp_path):
    path = tmp_path / "config.yml"
    for number, backup in enumerate(["config.yml.bak", "config.yml.bak.1", "config.yml.bak.2"]):
        path.write_text(f"verification: {{enabled: {number}}}\n")
        assert migrate_file(path).backup == tmp_path / backup
    assert (tmp_path / "config.yml.bak").read_text() == "verification: {enabled: 0}\n"
    path.write_text("verification: {enabled: 1}\n")
    assert migrate_file(path).backup == tmp_path / "config.yml.bak.1"


def test_a_refused_migration_leaves_the_file(tmp_path):
    path = tmp_path / "config.yml"
    path.write_text("verification:\n  enabled: true\n  semantic: {command: a | b}\n")
    before = path.stat()
    with pytest.raises(ConfigError):
        migrate_file(path)
    assert (path.stat(), list(tmp_path.iterdir())) == (before, [path])


def test_a_context_file_is_migrated_too(tmp_path):
    path = tmp_path / "context.yml"
    path.write_text("auto_compact: {input_token_threshold: 5}\n")
    assert migrate_file(path).text == "budget: {prompt_budget: 5}\n"


_COMMENTS = st.sampled_from(["", "  # note", "   #"])
_ENTRIES = st.sampled_from(
    [
        "enabled: true",
        "profile: docs",
        "hooks: [a,\n    b]",
        "max_retries: 3",
        "maxNoProgress: 'x'",
        "integrity:\n    # inner\n    a: deny",
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
    lines = "".join(f"  {text}{'' if '|' in text else note}\n" for text, note in entries)
    old = ("verification:\n" + lines + tail).replace("\n", newline)
    before = load_config(folder, env=env, project_text=old)
    done = migrate(old)
    after = load_config(folder, env=env, project_text=done.text)
    assert (after.config, after.notes) == (before.config, ())
    assert migrate(done.text) == (done.text, ())
    if not before.notes:
        assert done.text == old


@pytest.mark.parametrize("piece", ["{a", "{", "{,", "a ", "~"])
def test_an_endless_command_is_judged_in_linear_steps(piece):
    text = 'agents: {a: {command: "' + piece * 100_000 + '"}}\n'
    try:
        done = migrate(text)
    except ConfigError as error:
        assert len(str(error)) < 600
    else:
        assert done.changes
