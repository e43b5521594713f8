"""Files are migrated whole or not at all, with a copy of what they were."""

import os
import stat

import pytest

from donewhen.config import ConfigError, migrate_file, migrate_files, validate_file
from donewhen.config.migrating import plan_file, write_planned
from tests.config.test_migration import NEW, OLD
from tests.tables import table_test


def test_a_file_gets_a_backup_and_keeps_its_mode(tmp_path):
    path = tmp_path / "config.yml"
    path.write_text(OLD)
    path.chmod(0o640)
    assert migrate_file(path, dry_run=True)[:3] == (path, OLD, NEW)
    assert path.read_text() == OLD
    done = migrate_file(path)
    assert (path.read_text(), done.backup) == (NEW, tmp_path / "config.yml.bak")
    assert (tmp_path / "config.yml.bak").read_text() == OLD
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = path.stat()
    assert migrate_file(path) == (path, NEW, NEW, (), (), None)
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
    os.mkfifo(tmp_path / "config.yml.bak.3")
    (tmp_path / "config.yml.bak.4").symlink_to("config.yml")
    path.write_text("verification: {enabled: 5}\n")
    assert migrate_file(path).backup == tmp_path / "config.yml.bak.5"


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


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_several_files_are_written_only_when_all_of_them_can_be(tmp_path):
    good, bad = tmp_path / "config.yml", tmp_path / "context.yml"
    good.write_text(OLD)
    bad.write_text("auto_compact: {}\nbudget: {}\n")
    with pytest.raises(ConfigError, match="context.yml:1: `context.auto_compact` is the old name"):
        migrate_files((good, bad))
    assert (good.read_text(), names(tmp_path)) == (OLD, ["config.yml", "context.yml"])
    bad.write_text("auto_compact: {}\n")
    done = migrate_files((good, bad))
    assert [(each.path, each.backup) for each in done] == [
        (good, tmp_path / "config.yml.bak"),
        (bad, tmp_path / "context.yml.bak"),
    ]
    assert (good.read_text(), bad.read_text()) == (NEW, "budget: {}\n")


def test_a_file_that_was_edited_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "config.yml"
    path.write_text(OLD)
    planned = plan_file(path)
    path.write_text("budget: {total: 1}\n")
    with pytest.raises(ConfigError, match=r"config.yml was changed while it was migrated .* again"):
        write_planned(planned)
    assert (path.read_text(), names(tmp_path)) == ("budget: {total: 1}\n", ["config.yml"])


def test_a_link_out_of_its_folder_is_not_followed(tmp_path):
    outside = tmp_path / "dotfiles.yml"
    outside.write_text(OLD)
    folder = tmp_path / "p"
    folder.mkdir()
    link = folder / "config.yml"
    link.symlink_to("../dotfiles.yml")
    for dry_run in (True, False):
        with pytest.raises(ConfigError, match=f"is a link to {outside} outside its folder; name that file"):
            migrate_file(link, dry_run=dry_run)
    assert (outside.read_text(), names(folder)) == (OLD, ["config.yml"])
    link.unlink()
    (folder / "real.yml").write_text(OLD)
    link.symlink_to("real.yml")
    assert migrate_file(link).backup == folder / "real.yml.bak"
    assert link.is_symlink()
    assert link.read_text() == NEW


@table_test("kind", ["absent", "folder", "loop", "pipe", "large", "bytes"])
def test_what_validate_refuses_migrate_refuses_in_the_same_words(tmp_path, kind):
    path = tmp_path / "config.yml"
    if kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(3 * 1024**3)
    elif kind == "bytes":
        path.write_bytes(b"a: \xff\n")
    with pytest.raises(ConfigError) as caught:
        migrate_file(path, dry_run=True)
    assert list(caught.value.problems) == validate_file(path)


def test_the_problems_that_remain_are_told(tmp_path):
    path = tmp_path / "config.yml"
    path.write_text(
        "verification: {enabled: true, verifiers: {v: {required: true, timeout: 5}}}\nbudgte: {}\n"
    )
    done = migrate_file(path)
    assert [str(problem).partition(": ")[2] for problem in done.problems] == [
        "unknown key `budgte`; did you mean: budget?"
    ]
    assert list(done.problems) == validate_file(path)


def test_a_file_is_judged_with_the_file_it_extends(tmp_path):
    (tmp_path / "base.yml").write_text("verification: {verifiers: {v: {command: [x]}}}\n")
    path = tmp_path / "config.yml"
    path.write_text("extends: base.yml\nverification: {verifiers: {v: {required: true, timeout: 5}}}\n")
    assert migrate_file(path).problems == ()
    path.write_text("verification: {verifiers: {v: {required: true, timeout: 5}}}\n")
    assert [problem.key for problem in migrate_file(path).problems] == ["config.needs_key"]
