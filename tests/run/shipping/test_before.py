"""The last look before shipping: still the accepted tree, no secret, no protected branch."""

import shutil

import pytest

from donewhen.config import Config
from donewhen.core.errors import SetupError
from donewhen.run.shipping.before import change_for_hooks, pre_ship
from tests.run.shipping.yard import KEY, SECRET, said


def issues(site, tree="", config=None) -> list[str]:
    found = pre_ship(site, tree or site.fingerprints.take().tree, config or Config())
    assert KEY not in said(*found)
    return [phrase.key.removeprefix("shipping.") for phrase in found]


def test_honest_work_passes(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    yard.write("password_reset.py", "def reset(): ...\n", site.folder)
    assert issues(site) == []


def test_a_folder_that_moved_on_is_told_with_the_names(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    tree = site.fingerprints.take().tree
    yard.write("late.py", "late\n", site.folder)
    found = pre_ship(site, tree, Config())
    assert "late.py" in said(*found)
    assert issues(site, tree) == ["moved_on"]


@pytest.mark.parametrize(("name", "text"), [("deep/app.py", SECRET), (".env", "PORT=1\n"), ("id_rsa", "x\n")])
def test_a_secret_in_content_or_name_is_told(yard, name, text):
    site = yard.open()
    yard.write(name, text, site.folder)
    assert issues(site) == ["secret"]
    assert name in said(*pre_ship(site, site.fingerprints.take().tree, Config()))


@pytest.mark.parametrize("name", [f"docs/{KEY}.md", f"{KEY}/x.txt"])
def test_a_secret_that_is_a_name_is_told_and_not_repeated(yard, name):
    site = yard.open()
    yard.write(name, "x\n", site.folder)
    assert issues(site) == ["secret"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_secret_in_wide_text_is_told(yard, encoding):
    site = yard.open()
    yard.write("wide.txt", "", site.folder)
    (site.folder / "wide.txt").write_bytes(f"first\r\nsecond {SECRET}".encode(encoding))
    assert issues(site) == ["secret"]


def test_a_secret_that_the_base_had_is_not_this_changes(yard):
    yard.write("old.py", SECRET)
    yard.write(".env", "PORT=1\n")
    yard.commit("old")
    site = yard.open()
    yard.write(".env", "PORT=2\n", site.folder)
    yard.write("new.py", "new\n", site.folder)
    assert issues(site) == []


def test_a_branch_that_became_protected_is_told(yard):
    site = yard.open(branch="stable")
    strict = Config.model_validate({"guardrails": {"protected_branches": ("main", "sta*")}})
    assert issues(site, config=strict) == ["protected"]


def test_a_repository_inside_at_a_commit_of_its_own_is_told(tmp_path, yard):
    yard.git("init", "-q", "-b", "main", str(tmp_path / "inner"), cwd=tmp_path)
    yard.write("inner.py", "inner\n", tmp_path / "inner")
    yard.commit("inner", tmp_path / "inner")
    yard.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "lib")
    yard.commit("with lib")
    site = yard.open()
    assert issues(site) == []
    yard.write("lib/inner.py", "changed\n", site.folder)
    yard.commit("by the agent", site.folder / "lib")
    assert issues(site) == ["nested_only_here"]


def test_a_folder_that_is_gone_is_told_with_what_is_kept(yard):
    site = yard.open()
    shutil.rmtree(site.folder)
    with pytest.raises(
        SetupError, match="is gone; the ledger of the run is kept, and in your repository refs/"
    ):
        pre_ship(site, site.base_tree, Config())


def test_hooks_are_told_files_and_diff(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    yard.write("a\nb", "text\n", site.folder)
    files, diff = change_for_hooks(site, site.fingerprints.take().tree)
    assert files == ("a\nb", "app.py")
    assert "+one = 2\n" in diff
    assert change_for_hooks(site, site.base_tree) == ((), "")
