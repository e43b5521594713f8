"""--spec: which kind of spec it is, and what it gives."""

from pathlib import Path

import pytest

from donewhen.commands import parse
from donewhen.core.errors import UserError
from donewhen.intake.openspec import ChangeRefused
from donewhen.intake.spec import read_spec
from tests.tables import table_test

DELTA = """\
## ADDED Requirements

### Requirement: Log in
The system SHALL let users log in.

#### Scenario: right password
- **WHEN** the password is right
- **THEN** the user is in

#### Scenario: wrong password
- **THEN** the user is out
"""


@pytest.fixture
def change(tmp_path: Path) -> Path:
    folder = tmp_path / "openspec" / "changes" / "add-login"
    (folder / "specs" / "auth").mkdir(parents=True)
    (folder / "specs" / "auth" / "spec.md").write_text(DELTA)
    (folder / "proposal.md").write_text("# Change: Add a login\n\n## Why\nPeople wait.\n")
    (folder / "tasks.md").write_text("## 1. Work\n- [x] 1.1 first\n- [ ] 1.2 second\n")
    return tmp_path


@pytest.mark.parametrize(
    "given",
    [
        "add-login",
        "openspec/changes/add-login",
        "openspec/changes/add-login/tasks.md",
        "openspec/changes/add-login/specs/auth/spec.md",
    ],
)
def test_a_change_is_known_by_its_id_its_folder_or_a_file_in_it(change, given):
    parts = read_spec(given, change, parse)
    assert parts.source == "openspec/changes/add-login (OpenSpec)"
    assert parts.objective == "Add a login"
    (criterion,) = parts.criteria
    assert criterion.id == "auth/log-in"
    assert criterion.evidence_required == ("check:auth/log-in",)
    assert criterion.source == "openspec/changes/add-login/specs/auth/spec.md:3"
    assert "right password" in criterion.description
    (check,) = parts.checks
    assert (check.kind, check.id, check.by) == ("scenario", "auth/log-in", "spec")
    assert check.params["scenarios"].split() == ["auth/log-in/right-password", "auth/log-in/wrong-password"]
    assert [(each.data["id"], each.data["status"]) for each in parts.todos] == [
        ("1.1", "completed"),
        ("1.2", "pending"),
    ]


def test_a_broken_change_is_refused_with_all_its_errors(change):
    spec = change / "openspec/changes/add-login/specs/auth/spec.md"
    spec.write_text("## ADDED Requirements\n### Requirement: A\n### Requirement: B\nIt SHALL.\n")
    with pytest.raises(ChangeRefused) as caught:
        read_spec("add-login", change, parse)
    assert len(caught.value.errors) > 1
    assert all(issue.line for issue in caught.value.errors)


def test_a_spec_that_is_no_change_requires_what_it_says(tmp_path):
    folder = tmp_path / "openspec" / "specs" / "auth"
    folder.mkdir(parents=True)
    text = DELTA.replace(
        "## ADDED Requirements",
        "# Auth\n\n## Purpose\n" + "Who may come in, and how. " * 3 + "\n\n## Requirements",
    )
    (folder / "spec.md").write_text(text)
    parts = read_spec("openspec/specs/auth/spec.md", tmp_path, parse)
    assert (parts.source, parts.objective) == ("openspec/specs/auth/spec.md (OpenSpec)", "Auth")
    assert [each.id for each in parts.criteria] == ["auth/log-in"]
    (folder / "spec.md").write_text("## Requirements\n### Requirement: A\n")
    with pytest.raises(ChangeRefused):
        read_spec("openspec/specs/auth/spec.md", tmp_path, parse)


OPENAPI = "openapi: 3.0.0\npaths: {/a: {get: {}}}\n"
MARKDOWN = "# T\n\n## Acceptance\n- one\n"


@table_test(
    ("name", "text", "kind"),
    [
        ("a.yml", OPENAPI, "OpenAPI 3.0.0"),
        ("a.JSON", '{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}', "OpenAPI 3.0.0"),
        ("a.txt", "# comment\n---\n" + OPENAPI, "OpenAPI 3.0.0"),
        ("api", '{\n  "swagger": "2.0", "paths": {"/a": {"get": {}}}}', "OpenAPI 2.0"),
        ("a.md", MARKDOWN, "Markdown"),
        ("a.md", "\ufeff" + MARKDOWN, "Markdown"),
        ("spec", MARKDOWN, "Markdown"),
        ("a.md", MARKDOWN + "\n```yaml\nopenapi: 3.0.0\n```\n", "Markdown"),
    ],
)
def test_the_content_decides(tmp_path, name, text, kind):
    (tmp_path / name).write_text(text)
    assert read_spec(name, tmp_path, parse).source == f"{name} ({kind})"


@table_test(
    ("given", "sentence"),
    [
        ("", "--spec names nothing"),
        ("a\0b", "--spec names nothing"),
        ("none.md", "there is no file none.md"),
        ("none", "none"),
        ("empty", "empty"),
        ("promise.yml", "promise.yml:1 is no OpenAPI document.*--promise"),
        ("latin.md", "latin.md:1 is not UTF-8"),
    ],
)
def test_what_is_no_spec_is_one_sentence(tmp_path, given, sentence):
    (tmp_path / "empty").mkdir()
    (tmp_path / "promise.yml").write_text("objective: x\n")
    (tmp_path / "latin.md").write_bytes(b"\xe9\n")
    with pytest.raises(UserError, match=sentence):
        read_spec(given, tmp_path, parse)


def test_a_name_that_no_file_can_have_is_one_sentence(tmp_path):
    for given in ("a" * 5000, "a" * 5000 + ".md"):
        with pytest.raises(UserError):
            read_spec(given, tmp_path, parse)
