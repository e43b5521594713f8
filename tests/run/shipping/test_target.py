"""Which branch accepted work is merged into, and what is told before a run starts."""

from collections.abc import Sequence

import pytest

from donewhen.config import Loaded, load_config
from donewhen.core.errors import UserError
from donewhen.run.shipping.target import check_target, find_target
from donewhen.workspace.git.repository import find_repository
from tests.run.shipping.yard import Yard
from tests.tables import table_test

OPEN = ("ship.to_protected=true",)


def loaded(yard: Yard, *settings: str) -> Loaded:
    return load_config(yard.repository.root, env=yard.env, flags=(*OPEN, *settings))


def refused(yard: Yard, *settings: str, branch: str = "", flags: Sequence[str] = OPEN) -> str:
    config = load_config(yard.repository.root, env=yard.env, flags=(*flags, *settings))
    with pytest.raises(UserError) as error:
        find_target(find_repository(yard.repository.root, yard.env), config, branch)
    return error.value.say("en")


def test_the_usual_branch_is_taken_where_it_is_there(yard: Yard):
    yard.git("branch", "-M", "main")
    yard.git("switch", "-q", "-c", "topic")
    found = find_target(find_repository(yard.repository.root, yard.env), loaded(yard))
    assert (found.name, found.note) == ("main", None)


def test_without_it_the_branch_of_the_user_is_taken_and_said(yard: Yard):
    yard.git("branch", "-M", "trunk")
    found = find_target(find_repository(yard.repository.root, yard.env), loaded(yard))
    assert found.name == "trunk"
    assert found.note is not None
    assert found.note.values == {"default": "main", "branch": "trunk"}


def test_a_named_branch_must_be_there(yard: Yard):
    yard.git("branch", "-M", "trunk")
    assert "there is no branch main" in refused(yard, "project.targetBranch=main")


def test_a_tag_an_alias_and_the_runs_own_branch_are_none(yard: Yard):
    yard.git("branch", "-M", "main")
    yard.git("tag", "v1")
    yard.git("symbolic-ref", "refs/heads/short", "refs/heads/main")
    assert "is a tag" in refused(yard, "project.targetBranch=v1")
    assert "another name for main" in refused(yard, "project.targetBranch=short")
    assert "can't be both" in refused(yard, "project.targetBranch=main", branch="main")


def test_a_head_that_is_on_no_branch_names_none(yard: Yard):
    yard.git("branch", "-M", "trunk")
    yard.git("checkout", "-q", "--detach")
    assert "HEAD in" in refused(yard)


def test_a_protected_branch_needs_a_word(yard: Yard):
    yard.git("branch", "-M", "main")
    assert "ship.to_protected: true" in refused(yard, flags=())
    check_target(find_repository(yard.repository.root, yard.env), "main", loaded(yard).config)


@table_test(
    "name", ["-f", "a b", "a..b", "a\nb", "$(touch x)", "x" * 100_000, "a\0b", "refs heads", "", "a~1"]
)
def test_names_that_are_none_are_refused(yard: Yard, name: str):
    config = loaded(yard).config
    with pytest.raises(UserError):
        check_target(yard.repository, name, config)
    assert not (yard.repository.root / "x").exists()
