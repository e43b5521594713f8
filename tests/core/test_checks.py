"""Accept checks as data: reading, the old list of strings, revisions by the agent, acceptance commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check, dedupe, read_checks
from donewhen.core.errors import UserError
from donewhen.core.revising import revise
from tests.tables import table_test


def read(*entries, **more):
    return read_checks(list(entries), parse, **more).checks


def test_kind_target_and_match_are_tidied():
    found = read({"kind": " Command ", "target": " npm test ", "match": " EXACT "})
    assert found == (Check("command_success", "npm test", "exact"),)


def test_empty_checks_go_and_equal_ones_merge_into_the_first():
    contains = {"kind": "content_contains", "target": "a.md", "params": {"contains": "x"}}
    found = read({}, {"kind": ""}, contains, contains | {"id": "second"}, contains | {"required": False})
    assert [(check.required, check.id) for check in found] == [(True, ""), (False, "")]


@table_test(
    ("entry", "sentence"),
    [
        (5, "checks[1] is neither an object nor part of a list of plain texts"),
        ({"target": "x"}, "checks[1] has no kind"),
        ({"kind": "hope", "target": "x"}, "checks[1]: there is no kind 'hope'"),
        ({"kind": 1}, "checks[1]: kind must be text"),
        ({"kind": "command", "target": ""}, "checks[1]: command_success needs a target"),
        ({"kind": "command", "target": "a", "match": "like"}, "checks[1]: there is no match 'like'"),
        ({"kind": "command", "target": "a", "required": "yes"}, "checks[1]: required must be true or false"),
        ({"kind": "command", "target": "a", "params": []}, "checks[1]: params must be an object"),
        ({"kind": "command", "target": "a", "params": {"n": 1}}, "checks[1]: params.n must be text"),
        ({"kind": "file_exists"}, "checks[1]: file_exists needs a target"),
        ({"kind": "file_exists", "target": "../x"}, "checks[1]: the target '../x' is not a path inside"),
        ({"kind": "file_exists", "target": "/etc/passwd"}, "checks[1]: the target '/etc/passwd' is not"),
        ({"kind": "content_contains", "target": "a"}, "checks[1]: content_contains needs exactly one"),
        (
            {"kind": "content_contains", "target": "a", "params": {"contains": "x", "regex": "x"}},
            "checks[1]: content_contains needs exactly one",
        ),
        (
            {"kind": "content_contains", "target": "a", "params": {"regex": "("}},
            "checks[1]: params.regex is no valid pattern",
        ),
        (
            {"kind": "content_contains", "target": "a", "params": {"regex": "(a+)+$"}},
            "checks[1]: params.regex is too long or could take too much time",
        ),
        ({"kind": "tool_fact", "params": {"scope": "src"}}, "checks[1]: tool_fact needs params.tool"),
        ({"kind": "scenario"}, "checks[1]: scenario needs a target"),
        ({"kind": "hope", "required": False}, "checks[1]: there is no kind 'hope'"),
    ],
)
def test_a_wrong_entry_is_named_also_when_it_is_optional(entry, sentence):
    with pytest.raises(UserError) as refused:
        read(entry)
    assert str(refused.value).startswith(sentence)


def test_a_list_that_mixes_strings_and_objects_is_refused():
    with pytest.raises(UserError, match=r"checks\[1\] is neither"):
        read("npm test", {"kind": "output_only"})
    with pytest.raises(UserError, match="checks must be a list"):
        read_checks("npm test", parse)


@table_test(
    ("text", "checks"),
    [
        ("npm test", ["command_success:npm test"]),
        ("pytest", ["command_success:pytest"]),
        ("tox", ["command_success:tox"]),
        ("make", ["command_success:make"]),
        ("make test", ["command_success:make test"]),
        ("make -j4", ["command_success:make -j4"]),
        ("make frobnicate", ["command_success:make frobnicate"]),
        ("make sure it works", ["output_only:make sure it works"]),
        ("go test ./...", ["command_success:go test ./..."]),
        ("go live on Monday", ["output_only:go live on Monday"]),
        ("just do it", ["output_only:just do it"]),
        ("python -m pytest", ["command_success:python -m pytest"]),
        ("python tools/check.py", ["command_success:python tools/check.py"]),
        ("python is installed", ["output_only:python is installed"]),
        ("npx vitest run", ["command_success:npx vitest run"]),
        ("./gradlew test", ["command_success:./gradlew test"]),
        ("./scripts/check.sh --all", ["command_success:./scripts/check.sh --all"]),
        ("npm ci && npm test", ["command_success:npm ci", "command_success:npm test"]),
        ("cd web && npm test", ["command_success:npm test"]),
        ("CI=1 npm test", ["command_success:CI=1 npm test"]),
        ("npm", ["output_only:npm"]),
        ("Makefile", ["file_exists:Makefile"]),
        ("Dockerfile", ["file_exists:Dockerfile"]),
        ("LICENSE", ["file_exists:LICENSE"]),
        ("justfile", ["file_exists:justfile"]),
        ("pytest.ini", ["file_exists:pytest.ini"]),
        (".gitignore", ["file_exists:.gitignore"]),
        ("docs/guide.md", ["file_exists:docs/guide.md"]),
        ("src/", ["file_exists:src/"]),
        ("go.mod", ["file_exists:go.mod"]),
        ("1.2.3", ["output_only:1.2.3"]),
        ("v2.0", ["output_only:v2.0"]),
        ("https://example.org/a", ["output_only:https://example.org/a"]),
        ("the page looks nice", ["output_only:the page looks nice"]),
        ("  ", []),
    ],
)
def test_old_strings_become_commands_paths_or_a_warning(text, checks):
    found = read_checks([text], parse, targets=["frobnicate"])
    assert [check.name for check in found.checks] == checks
    assert bool(found.warnings) == any(name.startswith("output_only") for name in checks)


def test_an_old_path_outside_the_workspace_is_refused():
    with pytest.raises(UserError, match="is not a path inside the workspace"):
        read_checks(["../secrets.md"], parse)


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_list_of_strings_migrates_or_is_refused_and_order_stays(entries):
    try:
        found = read_checks(entries, parse)
    except UserError:
        return
    assert dedupe(found.checks) == found.checks
    targets = [check.target for check in found.checks if check.kind != "command_success"]
    assert targets == [t for t in dict.fromkeys(entry.strip() for entry in entries) if t in targets]


checks = st.builds(
    Check,
    st.sampled_from(["output_only", "file_exists", "command_success"]),
    st.sampled_from(["npm test", "a.md"]),
    st.sampled_from(["argv", "exact", "prefix"]),
    st.booleans(),
    st.just({}),
    st.sampled_from(["", "a", "b"]),
)


@given(st.lists(checks, max_size=8))
def test_dedupe_keeps_order_and_is_idempotent(many):
    once = dedupe(many)
    assert dedupe(once) == once
    assert [check.identity for check in once] == list(dict.fromkeys(check.identity for check in many))


TESTS = Check("command_success", "pytest tests", id="t")


@table_test(
    ("proposed", "kept"),
    [
        (TESTS, TESTS),
        (TESTS._replace(match="exact"), TESTS._replace(match="exact")),
        (TESTS._replace(target="pytest"), TESTS._replace(target="pytest")),
        (TESTS._replace(target="pytest tests/one"), TESTS),
        (TESTS._replace(match="prefix"), TESTS),
        (TESTS._replace(required=False), TESTS),
        (TESTS._replace(kind="output_only"), TESTS),
        (TESTS._replace(target="ruff check ."), TESTS),
    ],
)
def test_a_revision_tightens_a_check_or_leaves_it(proposed, kept):
    revision = revise((TESTS,), (proposed,), parse)
    assert revision.checks == (kept,)
    assert bool(revision.refused) == (kept == TESTS != proposed)


@table_test(
    ("held", "proposed", "kept"),
    [
        (Check("file_exists", "a.md", id="f"), Check("file_exists", "b.md", id="f"), "held"),
        (
            Check("tool_fact", params={"tool": "mypy"}, id="m"),
            Check("tool_fact", params={"tool": "ty"}, id="m"),
            "held",
        ),
        (
            Check("tool_fact", params={"tool": "mypy"}, id="m"),
            Check("tool_fact", id="m", target="mypy"),
            "held",
        ),
        (
            Check("tool_fact", params={"tool": "mypy"}, id="m"),
            Check("tool_fact", params={"tool": "mypy", "scope": "docs"}, id="m"),
            "held",
        ),
        (
            Check("command_success", "pytest tests", "exact", id="t"),
            Check("command_success", "pytest", "exact", id="t"),
            "held",
        ),
        (
            Check("command_success", "pytest tests", "prefix", id="t"),
            Check("command_success", "pytest", "exact", id="t"),
            "held",
        ),
        (Check("file_exists", "a.md"), Check("file_exists", "a.md", id="new"), "held"),
        (Check("file_exists", "a.md", id="old"), Check("file_exists", "a.md"), "held"),
        (Check("file_exists", "a.md", id="old"), Check("file_exists", "a.md", id="new"), "both"),
    ],
)
def test_a_revision_speaks_of_the_check_with_its_id_or_of_its_kind_and_target(held, proposed, kept):
    revised = revise((held,), (proposed,), parse).checks
    assert revised[0] == held
    assert len(revised) == (1 if kept == "held" else len(dedupe((held, proposed))))


def test_an_optional_check_that_stays_optional_is_not_refused():
    optional = TESTS._replace(required=False)
    assert revise((optional,), (optional,), parse).refused == ()
    required = revise((optional,), (TESTS,), parse)
    assert (required.checks, required.refused) == ((TESTS,), ())


def test_a_revision_adds_and_never_drops():
    extra = Check("file_exists", "a.md", id="f")
    revision = revise((TESTS,), (extra,), parse)
    assert revision.checks == (TESTS, extra._replace(by="agent"))
    assert [phrase.key for phrase in revision.refused] == ["gate.drop_refused"]


def test_longer_content_and_more_scenarios_are_stricter():
    held = Check("content_contains", "a.md", params={"contains": "ready"}, id="c")
    more = held._replace(params={"contains": "ready to go"})
    assert revise((held,), (more,), parse).checks == (more,)
    assert revise((more,), (held,), parse).checks == (more,)
    one = Check("scenario", "", params={"scenarios": "a/b/c"}, id="s")
    two = one._replace(params={"scenarios": "a/b/d\na/b/c"})
    assert revise((one,), (two,), parse).checks == (two,)
    assert revise((two,), (one,), parse).checks == (two,)


@given(st.lists(checks, max_size=4), st.lists(checks, max_size=4))
def test_no_revision_makes_a_required_check_disappear(active, proposed):
    active = dedupe(active)
    revised = revise(active, dedupe(proposed), parse).checks
    kinds = {(check.kind, check.id) for check in revised if check.required}
    assert {(check.kind, check.id) for check in active if check.required} <= kinds


def test_acceptance_commands_know_their_folder_and_variables():
    assert read_accept("cd web && CI=1 yarn test --run", parse, "goal") == (
        Accept("npm test", "CI=1 yarn test --run", ("yarn", "test", "--run"), "web", (("CI", "1"),), "goal"),
    )
    assert [entry.label for entry in read_accept("npm ci && npm test", parse)] == ["npm ci", "npm test"]
    assert read_accept("pytest -q", parse)[0].label == "pytest -q"


@table_test(
    ("command", "sentence"),
    [
        ("", "--accept names an empty command"),
        ("npm test | tail", "--accept: 'npm test | tail' needs a shell"),
        ("npm test || true", "--accept: 'npm test || true' needs a shell"),
        ("npm test; ls", "--accept: the command 'npm test; ls' can't be read as one shell line"),
        ("npm test > log", "--accept: 'npm test > log' needs a shell"),
        ("$CMD", "--accept: '$CMD' needs a shell"),
        ("echo $(id)", "--accept: 'echo $(id)' needs a shell"),
        ("npm test &", "--accept: 'npm test &' needs a shell"),
        ("! npm test", "--accept: '! npm test' needs a shell"),
        ("npm 'test", "--accept: the command \"npm 'test\" can't be read"),
        ("cd web", "--accept: 'cd web' only changes the folder"),
        ("cd .. && npm test", "--accept: 'cd .. && npm test' changes to a folder outside"),
        ("cd /tmp && npm test", "--accept: 'cd /tmp && npm test' changes to a folder outside"),
        ("cd ~ && npm test", "--accept:"),
    ],
)
def test_a_command_that_the_harness_could_not_run_plainly_is_refused(command, sentence):
    with pytest.raises(UserError) as refused:
        read_accept(command, parse)
    assert str(refused.value).startswith(sentence)
