"""`.openspec.yaml` and `config.yaml`: markers count only in a sound file, bad fields are left out and named."""

from donewhen.core.texts import Phrase
from donewhen.intake.openspec import Change, Config, Meta, read_config, read_meta, validate_change
from tests.intake.openspec.support import added, change_of, found, requirement
from tests.tables import table_test


def test_the_settings_of_a_change_are_read():
    text = (
        "schema: spec-driven\ncreated: 2026-01-31\ngoal: get in\naffected_areas: [a, b]\n"
        "initiative: {store: s, id: i-1}\nskip_specs: true\nretire_capabilities: true\n"
    )
    assert read_meta(text, "m") == Meta(
        "spec-driven", "2026-01-31", "get in", ("a", "b"), True, True, None, True
    )


@table_test(
    ("text", "trouble", "line"),
    [
        ("skip_specs: true\n", Phrase("openspec.meta_no_schema"), 1),
        ("schema: spec-driven\nskip_specs: yes\n", Phrase("openspec.meta_field", {"name": "skip_specs"}), 2),
        (
            'schema: spec-driven\nskip_specs: "true"\n',
            Phrase("openspec.meta_field", {"name": "skip_specs"}),
            2,
        ),
        ("skip_specs: true\nschema: other\n", Phrase("openspec.meta_schema", {"name": "other"}), 2),
        (
            "schema: spec-driven\ncreated: soon\nskip_specs: true\n",
            Phrase("openspec.meta_field", {"name": "created"}),
            2,
        ),
        ("schema: spec-driven\nskip_specs: true\n\tx: [\n", Phrase("openspec.meta_yaml"), 3),
        ("schema: spec-driven\nskip_specs: true\nskip_specs: true\n", Phrase("openspec.meta_yaml"), 3),
    ],
)
def test_a_marker_in_an_unsound_file_is_an_error(text, trouble, line):
    meta = read_meta(text, "m")
    assert (meta.skip_specs, meta.trouble, meta.wants_skip) == (False, trouble, True)
    change = Change("c", "openspec/changes/c", meta=meta)
    assert found(validate_change(change)) == [("ERROR", "no_deltas", 0), ("ERROR", "skip_unreadable", line)]


@table_test("text", ["", "schema: [\n", "- a\n", "skip_specs: false\n", "# skip_specs: true\n[\n"])
def test_an_unsound_file_without_the_marker_is_only_mentioned(text):
    change = change_of(added(requirement()), meta=read_meta(text, "m"))
    assert [(level, key) for level, key, _ in found(validate_change(change))] == [("INFO", "meta_unused")]


def test_a_workflow_of_the_project_is_known():
    assert read_meta("schema: ours\nskip_specs: true\n", "m", ("ours",)).skip_specs


def test_a_change_without_deltas_says_so_in_its_marker():
    meta = read_meta("schema: spec-driven\nskip_specs: true\n", "m")
    change = Change("c", "openspec/changes/c", meta=meta)
    assert found(validate_change(change)) == [("INFO", "skip_accepted", 0)]
    assert found(validate_change(change._replace(any_spec_file=True))) == [("ERROR", "skip_conflict", 0)]


def test_the_settings_of_a_project_are_read_field_by_field():
    text = (
        "schema: ours\ncontext: |\n  Python shop\nrules:\n  specs: [short, clear]\n"
        "operations:\n  apply: {guidance: [small steps]}\n  archive: {guidance: [ask]}\n"
        "store: 5\nreferences: x\nunknown: kept out\n"
    )
    assert read_config(text, "c") == Config(
        "ours",
        "Python shop\n",
        {"specs": ("short", "clear")},
        ("small steps",),
        ("ask",),
        ("store", "references"),
        None,
        "c",
    )
    assert read_config("context: " + "x" * 60_000, "c").dropped == ("context",)
    assert read_config("rules: {specs: text}\noperations: [a]\n", "c").dropped == ("rules", "operations")
    assert read_config("", "c") == Config(file="c")


def test_what_is_wrong_with_the_projects_settings_is_mentioned():
    wrong = change_of(added(requirement()), config=read_config("schema: 5\n", "openspec/config.yaml"))
    assert [str(issue) for issue in validate_change(wrong)] == [
        "openspec/config.yaml: the field `schema` has the wrong form and is left out; correct it"
    ]
    broken = change_of(added(requirement()), config=read_config("[", "openspec/config.yaml"))
    assert [str(issue) for issue in validate_change(broken)] == [
        "openspec/config.yaml is not used because it is not valid YAML; correct it"
    ]
