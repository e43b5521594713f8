"""config, trust and untrust as a user types them."""

import json
from pathlib import Path

import pytest

from tests.helpers import Cli


def project(cli: Cli, text: str | bytes, name: str = ".donewhen/config.yml") -> Path:
    path = cli.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def user(cli: Cli, text: str) -> None:
    cli.config.mkdir(exist_ok=True)
    (cli.config / "config.yml").write_text(text)


def test_every_value_is_shown_with_its_origin(cli: Cli):
    user(cli, "budget: {total: 5}\n")
    project(cli, "budget:\n  total: 2.5\nloop: {max_turns: 30}\n")
    done = cli("config", "show", "--set", "language=en", DONEWHEN_RUNTIME__PARALLEL_TOOLS="2")
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in done.out.splitlines() if line}
    assert rows["budget.total"] == "2.5 project .donewhen/config.yml:2"
    assert rows["loop.max_turns"] == "30 project .donewhen/config.yml:3"
    assert rows["runtime.parallel_tools"] == "2 environment DONEWHEN_RUNTIME__PARALLEL_TOOLS"
    assert rows["language"] == '"en" flag --set language'
    assert rows["correction.max_retries"] == "3 default"
    changed = cli("config", "show", "--changed", "--json").json
    assert set(changed["values"]) == {"budget.total", "loop.max_turns"}
    assert changed["files"] == [str(cli.config / "config.yml"), str(cli.folder / ".donewhen/config.yml")]
    assert cli("config", "show", "--changed", "-q").out == "loop.max_turns = 30\nbudget.total = 2.5\n"


def test_nothing_changed_is_said(cli: Cli):
    assert cli("config", "show", "--changed") == (0, "", "nothing differs from the defaults\n")


def test_what_an_untrusted_project_would_loosen_is_told_ignored_and_taken_by_trust(cli: Cli):
    project(cli, "budget: {total: 50}\nguardrails: {protected_branches: [main, trunk]}\n")
    done = cli("config", "show", "--changed")
    assert "budget.total = 50: an untrusted project may only lower it (.donewhen/config.yml:1)" in done.out
    assert "would remove master, dev, staging, release/*" in done.out
    assert "some" not in cli("config", "validate").out
    assert "until `donewhen trust`: 2" in cli("config", "validate").err
    assert cli("doctor").exit == 0
    taken = cli("trust")
    assert "now_in_effect" in cli("trust", "--json").json
    assert "budget.total = 50" in taken.out
    values = cli("config", "show", "--json").json
    assert (values["trusted"], values["ignored"]) == (True, [])
    assert values["values"]["budget.total"]["value"] == 50
    assert values["values"]["guardrails.protected_branches"]["value"] == ["main", "trunk"]


def test_any_edit_and_any_other_place_ends_trust(cli: Cli, tmp_path: Path):
    path = project(cli, "budget: {total: 50}\n")
    cli("trust")
    assert cli("config", "show", "--json").json["trusted"] is True
    other = tmp_path / "copy"
    (other / ".donewhen").mkdir(parents=True)
    (other / ".donewhen" / "config.yml").write_text("budget: {total: 50}\n")
    assert cli("config", "show", "--json", cwd=other).json["trusted"] is False
    path.write_text("budget: {total: 51}\n")
    assert cli("config", "show", "--json").json["trusted"] is False
    path.write_text("budget: {total: 50}\n")
    assert "no longer trusted" in cli("untrust").out
    assert cli("config", "show", "--json").json["trusted"] is False
    assert "was not trusted" in cli("untrust").out


def test_a_wrong_file_is_not_trusted(cli: Cli):
    project(cli, "budgt: {total: 2}\n")
    done = cli("trust")
    assert done.exit == 2
    assert "did you mean: budget?" in done.err
    assert cli("trust", cwd=cli.state.parent).exit == 2


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("budget: [\n", "config.yml:"),
        ("nonsense: 1\n", "config.yml:1"),
        ("budget:\n  total: lots\n", "config.yml:2"),
        (b"# caf\xe9\nstore:\n  url: postgresql://u:hunter2secret@db/x\n", "config.yml"),
    ],
)
def test_a_bad_file_is_one_sentence_everywhere_and_never_shown(cli: Cli, text, place):
    project(cli, text)
    for words in (["list"], ["config", "show"], ["config", "validate"], ["config", "migrate"], ["trust"]):
        done = cli(*words)
        assert done.exit == 2, (words, done)
        if words != ["config", "migrate"]:  # which first says that it has nothing to rewrite
            assert (done.out, done.err.count("\n")) == ("", 1)
        assert place in done.err
        assert "hunter2" not in done.out + done.err


def test_validate_lists_every_problem(cli: Cli):
    path = project(cli, "a: 1\nb: 2\nbudget: {total: x}\n")
    done = cli("config", "validate")
    assert done.exit == 2
    assert done.err.count("\n") == 3
    assert cli("config", "validate", str(path), "--json").json["ok"] is False
    assert cli("config", "validate", "none.yml").exit == 2


def test_nothing_in_a_file_reaches_the_terminal_raw(cli: Cli):
    project(cli, 'project: {name: "\\e]0;pwned\\a\\e[2Jx\\nsandbox.mode  required"}\n')
    for words in (
        ["config", "show"],
        ["config", "show", "--changed", "-q"],
        ["config", "validate"],
        ["doctor"],
    ):
        done = cli(*words)
        assert "\x1b" not in done.out + done.err
        assert "\nsandbox.mode  required" not in done.out


def test_a_folder_with_a_hostile_name_is_shown_harmlessly(cli: Cli, tmp_path: Path):
    folder = tmp_path / "\x1b[31mred\nforged line"
    (folder / ".donewhen").mkdir(parents=True)
    (folder / ".donewhen" / "config.yml").write_text("budget: {total: 1}\n")
    for words in (["config", "validate"], ["trust"], ["untrust"], ["config", "migrate"], ["doctor"]):
        done = cli(*words, cwd=folder)
        assert done.exit == 0
        assert "\x1b" not in done.out + done.err
        assert "\nforged" not in done.out


OLD = "# top\nverification:\n  enabled: true  # keep me\n  profile: docs\ncontext:\n  auto_compact: {reserve_tokens: 5}\n"


def test_migration_rewrites_old_keys_and_keeps_comments_and_a_backup(cli: Cli):
    path = project(cli, OLD)
    dry = cli("config", "migrate", "--dry-run")
    assert "-  enabled: true  # keep me" in dry.out
    assert path.read_text() == OLD
    done = cli("config", "migrate")
    assert done.exit == 0
    assert "config.yml.bak" in done.out
    text = path.read_text()
    assert "# keep me" in text
    assert "enabled" not in text
    assert "budget: {reserve_tokens: 5}" in text
    assert (path.parent / "config.yml.bak").read_text() == OLD
    assert "needs no migration" in cli("config", "migrate").out
    assert cli("config", "validate").exit == 0


def test_migration_of_two_files_is_all_or_nothing(cli: Cli):
    config = project(cli, "verification: {enabled: true}\n", ".gsd/config.yml")
    project(cli, "auto_compact: {reserve_tokens: 5}\nbudget: {reserve_tokens: 6}\n", ".gsd/context.yml")
    done = cli("config", "migrate")
    assert done.exit == 2
    assert config.read_text() == "verification: {enabled: true}\n"
    assert sorted(path.name for path in config.parent.iterdir()) == ["config.yml", "context.yml"]


def test_migration_tells_what_is_still_wrong(cli: Cli):
    project(cli, "verification: {enabled: true}\nnonsense: 1\n", ".gsd/config.yml")
    done = cli("config", "migrate")
    assert done.exit == 2
    assert "unknown key `nonsense`" in done.err


def test_without_a_file_there_is_nothing_to_migrate(cli: Cli):
    assert "name the FILE" in cli("config", "migrate").err


def test_the_schema_is_json(cli: Cli):
    schema = json.loads(cli("config", "schema").out)
    assert schema["additionalProperties"] is False
    assert "budget" in schema["properties"]


def test_both_kinds_of_project_file_are_noted(cli: Cli):
    project(cli, "budget: {total: 1}\n")
    project(cli, "budget: {total: 2}\n", ".gsd/config.yml")
    assert ".gsd" in cli("config", "show", "--changed").err


def test_passwords_are_hidden(cli: Cli):
    user(
        cli,
        "store: {url: 'postgresql://u:hunter2@db/x'}\nnotify: {urls: ['https://hooks.invalid/SECRETPATH']}\n",
    )
    for words in (["config", "show"], ["config", "show", "--json"], ["config", "show", "-q"]):
        out = cli(*words).out
        assert "hunter2" not in out
        assert "SECRETPATH" not in out
    done = cli("list", "--set", "store.url postgresql://u:hunter2@db/x")
    assert done.exit == 2
    assert "hunter2" not in done.err


def test_a_file_with_another_ending_is_noted(cli: Cli):
    project(cli, "budget: {total: 1}\n", ".donewhen/config.yaml")
    assert "rename it to config.yml" in cli("config", "validate").err
    assert len(cli("config", "validate", "--json").json["notes"]) == 1


def test_trust_says_what_holds_from_now_on(cli: Cli):
    project(cli, "budget: {total: 50}\nguardrails: {protected_branches: [main]}\n")
    out = cli("trust").out
    assert "  budget.total = 50\n" in out
    assert "  guardrails.protected_branches without" in out
