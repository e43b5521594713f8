"""A change from disk: found by folder, file or id, read within limits, refused when it is hostile or wrong."""

import os
from pathlib import Path

import pytest

from donewhen.core.errors import UserError
from donewhen.intake.openspec import ChangeRefused, change_ids, open_change, validate_change
from tests.intake.openspec.support import added, found, modified, removed, requirement, spec

GOOD = added(requirement())


def opened(project, **more):
    return open_change(project.change, **more)


def refusal(project, path: Path | None = None, **more) -> str:
    with pytest.raises(UserError) as caught:
        open_change(path or project.change, **more)
    assert caught.value.exit_code == 2
    for language in ("en", "zh"):
        assert "\n" not in caught.value.say(language)
    return str(caught.value)


def test_a_change_is_read_whole(project):
    project.write("specs/auth/spec.md", modified(requirement()))
    project.write("specs/platform/session/spec.md", GOOD)
    project.write("specs/auth/notes.md", "just notes\n")
    project.write("specs/.hidden/spec.md", "nothing")
    project.write("proposal.md", "# Add login\n")
    project.write("tasks.md", "- [ ] 1.1 a\n")
    project.write(".openspec.yaml", "schema: ours\n")
    project.write("/openspec/schemas/ours/schema.yaml", "name: ours\n")
    project.write("/openspec/config.yml", "schema: ours\n")
    project.write("/openspec/specs/auth/spec.md", spec(requirement()))
    change = opened(project)
    assert (change.id, change.place) == ("add-login", "openspec/changes/add-login")
    assert [(each.capability, each.file, each.main_file, each.main is None) for each in change.specs] == [
        ("auth", "openspec/changes/add-login/specs/auth/spec.md", "openspec/specs/auth/spec.md", False),
        (
            "platform/session",
            "openspec/changes/add-login/specs/platform/session/spec.md",
            "openspec/specs/platform/session/spec.md",
            True,
        ),
    ]
    assert change.proposal and change.tasks and change.meta and change.config
    assert (change.proposal.title, change.meta.trouble, change.config.schema) == ("Add login", None, "ours")
    assert validate_change(change) == []


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ("openspec/changes/add-login", "."),
        ("add-login", "."),
        ("add-login", "src/deep"),
        ("openspec/changes/add-login", "src/deep"),
        ("changes/add-login", "src"),
        ("openspec/changes/add-login/tasks.md", "src"),
        ("openspec/changes/add-login/specs/auth/spec.md", "."),
        ("openspec/changes/add-login/specs", "."),
        ("../openspec/changes/add-login", "src"),
        ("openspec", "."),
        ("openspec/changes", "."),
        (".", "."),
        (".", "openspec/changes/add-login"),
        ("specs", "openspec/changes/add-login"),
    ],
)
def test_a_change_is_found_from_where_one_stands(project, given, start):
    project.write("specs/auth/spec.md", GOOD)
    project.write("tasks.md", "- [ ] a\n")
    project.write("/src/deep/x", "")
    project.write("/openspec/changes/archive/2026-01-01-old/specs/a/spec.md", GOOD)
    change = open_change(Path(given), start=project.folder / start)
    assert (change.id, change.place) == ("add-login", "openspec/changes/add-login")


def test_an_id_wins_over_a_folder_of_that_name(project):
    project.write("specs/auth/spec.md", GOOD)
    project.write("/add-login/x.py", "")
    assert open_change(Path("add-login"), start=project.folder).specs


def test_a_change_may_stand_alone(tmp_path):
    folder = tmp_path / "loose"
    (folder / "specs" / "auth").mkdir(parents=True)
    (folder / "specs" / "auth" / "spec.md").write_text(GOOD)
    change = open_change(folder)
    assert (change.id, change.place, change.specs[0].file) == ("loose", "loose", "loose/specs/auth/spec.md")


@pytest.mark.parametrize("given", ["nope", "openspec/changes/nope", "no\x00pe", "openspec/specs"])
def test_a_change_that_is_not_there_is_refused_with_those_that_are(project, given):
    project.write("specs/auth/spec.md", GOOD)
    project.write("/openspec/specs/auth/spec.md", spec(requirement()))
    said = refusal(project, Path(given), start=project.folder)
    assert said.startswith("there is no OpenSpec change ")
    assert said.endswith("; give the folder or the id of one: add-login")


def test_without_any_project_an_example_is_given(tmp_path):
    with pytest.raises(
        UserError, match="there is no OpenSpec change x; give a folder such as openspec/changes/"
    ):
        open_change(Path("x"), start=tmp_path)


def test_several_changes_need_a_choice(project):
    project.write("specs/auth/spec.md", GOOD)
    project.write("/openspec/changes/fix-cart/tasks.md", "")
    project.write("/openspec/changes/.draft/tasks.md", "")
    assert change_ids(project.folder / "openspec") == ["add-login", "fix-cart"]
    said = refusal(project, project.folder)
    assert said == f"{project.folder} holds several changes; give one of them: add-login, fix-cart"


def test_a_project_without_changes_says_so(project):
    project.write("/openspec/changes/archive/x", "")
    assert refusal(project, project.folder / "openspec").endswith("create one under openspec/changes/ first")


def test_an_archived_change_is_done(project):
    project.write("/openspec/changes/archive/2026-01-01-old/specs/a/spec.md", GOOD)
    said = refusal(project, project.folder / "openspec/changes/archive/2026-01-01-old")
    assert "is archived, so its work is done" in said


def test_a_change_with_errors_is_refused_with_all_of_them(project):
    project.write("specs/auth/spec.md", added(requirement("A", ""), requirement("B", "")))
    project.write("specs/spec.md", GOOD)
    with pytest.raises(ChangeRefused) as caught:
        opened(project)
    error = caught.value
    assert found(list(error.errors)) == [
        ("ERROR", "root_spec", 1),
        ("ERROR", "no_statement", 3),
        ("ERROR", "no_statement", 10),
    ]
    assert str(error) == (
        "openspec/changes/add-login/specs/spec.md:1 belongs to no capability, so no merge reads it; "
        "move it to specs/<capability>/spec.md (and 2 more: `donewhen plan` lists all of them)"
    )
    assert error.say("zh").endswith("（另有 2 个问题：`donewhen plan` 会全部列出）")
    assert (error.exit_code, error.again().issues) == (2, error.issues)
    assert opened(project, strict=False).root_spec


@pytest.mark.parametrize(
    ("path", "issues"),
    [
        ("specs/spec.md", [("ERROR", "root_spec", 1)]),
        ("specs/auth.md", [("ERROR", "unread_delta", 1)]),
        ("specs/auth/delta.MD", [("ERROR", "unread_delta", 1)]),
        ("proposal.md", [("ERROR", "no_deltas", 0)]),
    ],
)
def test_a_delta_where_no_merge_looks_is_an_error(project, path, issues):
    project.write(path, GOOD)
    assert found(validate_change(opened(project, strict=False))) == issues


def test_a_folder_named_spec_md_is_a_capability(project):
    project.write("specs/spec.md/spec.md", GOOD)
    assert [each.capability for each in opened(project).specs] == ["spec.md"]


def test_capabilities_come_in_the_order_of_their_ids(project):
    for name in ("b", "a/c", "a-b", "B"):
        project.write(f"specs/{name}/spec.md", GOOD)
    assert [each.capability for each in opened(project).specs] == ["B", "a-b", "a/c", "b"]


def test_skip_specs_allows_no_file_but_dot_files(project):
    project.write(".openspec.yaml", "schema: spec-driven\nskip_specs: true\n")
    project.write("specs/.gitkeep", "")
    assert found(validate_change(opened(project))) == [("INFO", "skip_accepted", 0)]
    project.write("specs/note.txt", "")
    assert found(validate_change(opened(project, strict=False))) == [("ERROR", "skip_conflict", 0)]


def test_a_retired_capability_is_marked_in_the_change(project):
    project.write("specs/auth/spec.md", removed("Login"))
    project.write("/openspec/specs/auth/spec.md", spec(requirement()))
    assert found(validate_change(opened(project))) == [("WARNING", "empties", 1)]
    project.write(".openspec.yaml", "schema: spec-driven\nretire_capabilities: true\n")
    assert found(validate_change(opened(project))) == []


def test_a_folder_name_that_is_no_id_is_mentioned(project):
    project.write("/openspec/changes/My_Change/specs/a/spec.md", GOOD)
    change = open_change(project.folder / "openspec/changes/My_Change")
    assert found(validate_change(change)) == [("INFO", "change_id", 0)]


# hostile folders


@pytest.mark.parametrize(
    "name", ["specs/auth/spec.md", "proposal.md", "tasks.md", ".openspec.yaml", "specs/x/notes.md"]
)
def test_a_link_that_leaves_its_folder_is_refused(project, name):
    project.write("specs/auth/other/spec.md", GOOD)
    outside = project.write("/secret.md", GOOD)
    link = project.change / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    assert refusal(project) == (
        f"openspec/changes/add-login/{name} is a link that leads out of its folder; put the file itself there"
    )


def test_a_main_spec_that_leads_out_of_the_specs_is_refused(project):
    project.write("specs/auth/spec.md", GOOD)
    project.write("/elsewhere/spec.md", spec(requirement()))
    (project.folder / "openspec/specs").mkdir(parents=True)
    (project.folder / "openspec/specs/auth").symlink_to(project.folder / "elsewhere")
    assert "openspec/specs/auth/spec.md is a link that leads out" in refusal(project)


def test_a_link_inside_the_folder_is_read_and_a_dangling_one_is_not(project):
    real = project.write("specs/auth/real.txt", GOOD)
    (real.parent / "spec.md").symlink_to("real.txt")
    project.write("specs/shop/x.txt", "")
    (project.change / "specs/shop/spec.md").symlink_to("gone.md")
    assert [each.capability for each in opened(project).specs] == ["auth"]


def test_links_to_folders_are_not_followed_but_mentioned(project):
    project.write("specs/auth/spec.md", GOOD)
    (project.change / "specs/loop").symlink_to(project.change)
    (project.change / "specs/self").symlink_to("self")
    change = opened(project)
    assert [each.capability for each in change.specs] == ["auth"]
    assert next(str(issue) for issue in validate_change(change)).startswith(
        "openspec/changes/add-login/specs/loop is a link to a folder and is not followed"
    )


@pytest.mark.parametrize("given", ["openspec/changes/add-login", "add-login"])
def test_a_change_that_is_a_link_is_refused(project, given):
    project.write("/elsewhere/specs/auth/spec.md", GOOD)
    project.change.parent.mkdir(parents=True)
    project.change.symlink_to(project.folder / "elsewhere")
    assert "is a symbolic link, and links to folders are not followed" in refusal(
        project, Path(given), start=project.folder
    )


def test_specs_that_is_a_link_is_refused(project):
    project.write("/elsewhere/auth/spec.md", GOOD)
    project.change.mkdir(parents=True)
    (project.change / "specs").symlink_to(project.folder / "elsewhere")
    assert "openspec/changes/add-login/specs is a link that leads out" in refusal(project)


def test_text_that_is_no_utf_8_is_refused_with_its_line(project):
    project.write("specs/auth/spec.md", b"## ADDED Requirements\n\xff\n")
    assert refusal(project).startswith("openspec/changes/add-login/specs/auth/spec.md:2 is not UTF-8 text")


def test_a_file_that_is_too_large_is_refused(project):
    project.write("specs/auth/spec.md", b"x" * (1024 * 1024 + 1))
    assert "spec.md is larger than 1024 KiB" in refusal(project)


def test_too_much_in_all_is_refused(project):
    for n in range(17):
        project.write(f"specs/c{n}/spec.md", b"x" * (1024 * 1024))
    assert "takes the change past 16384 KiB in all; split the change" in refusal(project)


def test_a_pipe_is_refused_and_not_waited_for(project):
    project.write("specs/auth/other.txt", "")
    os.mkfifo(project.change / "specs/auth/spec.md")
    assert "specs/auth/spec.md is not a regular file" in refusal(project)


def test_a_folder_in_place_of_a_file_is_refused(project):
    project.write("specs/auth/spec.md", GOOD)
    (project.change / "tasks.md").mkdir()
    assert "tasks.md is not a regular file" in refusal(project)


def test_depth_and_number_are_limited(project):
    project.write("/".join(["specs", *"abcdefghijklmnopq", "spec.md"]), GOOD)
    assert "is nested more than 16 folders deep" in refusal(project)


def test_too_many_specs_are_refused(project):
    for n in range(501):
        project.write(f"specs/c{n}/spec.md", "")
    assert refusal(project) == (
        "openspec/changes/add-login/specs holds more than 500 entries; split the change"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_can_not_be_listed_is_refused(project):
    project.write("specs/auth/spec.md", GOOD)
    (project.change / "specs/auth").chmod(0)
    try:
        assert "specs/auth can't be listed (Permission denied)" in refusal(project)
    finally:
        (project.change / "specs/auth").chmod(0o700)


def test_a_name_with_a_line_end_stays_on_its_line(project):
    project.write("specs/a\nb\x1b[2J/spec.md", "")
    assert "specs/a\\nb\\x1b[2J/spec.md:1: the file has no delta section" in refusal(project)
