"""Settings of coding agents that are on the disk: nothing takes them along unseen."""

import pytest

from donewhen.guard import Guard
from donewhen.guard.disk import ground_at
from tests.projects import git
from tests.tables import table_test


@pytest.fixture
def guard(tmp_path):
    repo, home = tmp_path / "repo", tmp_path / "home"
    home.mkdir()
    (repo / ".claude").mkdir(parents=True)
    (repo / "sub").mkdir()
    git(repo, "init", "-q", "-b", "work")
    (repo / ".claude" / "settings.json").write_text("{}")
    git(repo, "add", ".claude/settings.json")
    (repo / ".claude" / "settings.local.json").write_text("{}")
    return Guard(ground_at(str(repo), {"HOME": str(home)}))


TAKEN = (
    "find . -name 'settings*.json' -delete",
    "find . -iname 'SETT*' -delete",
    "find . -name '*.json' | xargs rm",
    "find . -name settings.json -exec rm {} +",
    "ln .claude/settings.json other",
    "cp -l .claude/settings.json other",
    "git clean -fdx",
    "git clean -fdx -e other",
)
LEFT = (
    "find . -name '*.pyc' -delete",
    "find sub -name '*.json' -delete",
    "rm .*.json",
    "ln -s .claude/settings.json other",
    "cp .claude/settings.json other",
    "ln sub/a sub/b",
    "git clean -fdx sub",
    "git clean -fdx -e .claude",
    "git clean -ndx",
)


@pytest.mark.parametrize("line", TAKEN)
def test_settings_are_not_taken_along(guard, line):
    decision = guard.command(line)
    assert (decision.action, decision.rule) == ("deny", "client-settings")


@table_test("line", LEFT)
def test_what_leaves_them_alone_passes(guard, line):
    assert guard.command(line).action == "allow"
