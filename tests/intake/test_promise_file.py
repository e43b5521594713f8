"""Promise files: what they give, and what is refused with file and line."""

import os

import pytest

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.promise import Condition, Criterion
from donewhen.core.texts import Phrase
from donewhen.intake.parts import Parts, TodoPart
from donewhen.intake.promise_file import promise_file, promise_text
from tests.tables import table_test

WHOLE = """\
objective: Add a discount
id: cp-1794717600000-0a1b
acceptance:
  - id: a1
    description: the discount is applied
    evidence_required: [command]
    evidence_mode: all
checks:
  - kind: Command
    target: npm test
  - {kind: file_exists, target: docs/x.md, required: false, id: docs}
accept:
  - cd web && npm run build
allowed_scope: [src/**]
done_when:
  - {type: acceptance-met, target: a1}
abort_when: []
todos:
  - {id: one, content: do it, owner: null}
"""


def test_every_part_is_read_with_its_line():
    parts = promise_text(WHOLE, parse, "p.yml")
    assert parts == Parts(
        source="p.yml",
        objective="Add a discount",
        criteria=(Criterion("a1", "the discount is applied", ("command",), "all", "p.yml:4"),),
        checks=(
            Check("command_success", "npm test", source="p.yml:9"),
            Check("file_exists", "docs/x.md", required=False, id="docs", source="p.yml:11"),
        ),
        accept=(Accept("npm run build", "npm run build", ("npm", "run", "build"), "web", source="p.yml:13"),),
        todos=(TodoPart({"id": "one", "content": "do it"}, "p.yml:19"),),
        id="cp-1794717600000-0a1b",
        allowed_scope=("src/**",),
        done_when=(Condition("acceptance-met", "a1"),),
        abort_when=(),
        places={
            "objective": "p.yml:1",
            "allowed_scope": "p.yml:14",
            "done_when": "p.yml:15",
            "abort_when": "p.yml:17",
        },
        own_ids=True,
    )


def test_json_is_read_too_with_characters_beyond_the_first_plane():
    text = '{\n  "objective": "ship \\ud83d\\ude80 \\\\ud83d",\n\t"accept": ["pytest"]}'
    parts = promise_text(text, parse, "p.json")
    assert parts.objective == "ship 🚀 \\ud83d"
    assert [(each.label, each.source) for each in parts.accept] == [("pytest", "p.json:3")]


def test_the_same_command_in_two_folders_is_two():
    parts = promise_text("accept:\n- cd a && npm test\n- cd b && npm test\n", parse, "p.yml")
    assert [(each.label, each.cwd) for each in parts.accept] == [("npm test", "a"), ("npm test", "b")]


def test_old_checks_warn_with_their_line():
    parts = promise_text("checks:\n  - npm test\n  - it feels good\n", parse, "p.yml")
    assert [(each.kind, each.target) for each in parts.checks] == [
        ("command_success", "npm test"),
        ("output_only", "it feels good"),
    ]
    (warning,) = parts.warnings
    assert isinstance(warning, Phrase)
    assert (warning.key, warning.values["place"]) == ("checks.proves_nothing", "p.yml:3")


def test_make_targets_of_the_project_decide_what_an_old_check_means():
    text = "checks: [make frobnicate]\n"
    known = promise_text(text, parse, "p.yml", frozenset({"frobnicate"}))
    assert [each.kind for each in known.checks] == ["command_success"]
    assert [each.kind for each in promise_text(text, parse, "p.yml").checks] == ["output_only"]


@table_test(
    ("text", "sentence"),
    [
        ("objectve: a\n", "p.yml:1 has the unknown field 'objectve'"),
        (
            "objective: a\nchecks:\n- kind: command\n  targt: x\n",
            "p.yml:4 (checks[1]) has the unknown field 'targt'",
        ),
        ("acceptance:\n- id: a\n- evidnce: b\n", "p.yml:3 (acceptance[2]) has the unknown field 'evidnce'"),
        ("done_when:\n- {tpe: x}\n", "p.yml:2 (done_when[1]) has the unknown field 'tpe'"),
        ("objective: [1]\n", "p.yml:1 (objective) must be text"),
        ("objective: 2026-01-01\n", "p.yml:1 (objective) must be text"),
        ("a: 1\n", "unknown field 'a'"),
        ("accept: npm test\n", "p.yml:1 (accept) must be a list of texts"),
        ("accept:\n- npm test\n- {npm: test}\n", "p.yml:2 (accept) must be a list of texts"),
        ("allowed_scope: 2026-01-01\n", "p.yml:1 (allowed_scope) must be a list of texts"),
        ("checks:\n- kind: none\n", "p.yml:2 (checks[1]): there is no kind 'none'"),
        ("checks:\n- kind: command\n", "p.yml:2 (checks[1]): command_success needs a target"),
        (
            "checks:\n- {kind: file_exists, target: ../x}\n",
            "p.yml:2 (checks[1]): the target '../x' is not a path",
        ),
        ("checks:\n- pytest\n- kind: command\n", "p.yml:2 (checks[1]) is neither an object"),
        ("answer_only: 'yes'\n", "p.yml:1 (answer_only) must be true or false"),
        ("accept:\n- ''\n", "p.yml:2 names an empty command"),
        ("accept:\n- \"'' x\"\n", "p.yml:2 names an empty command"),
        ("accept:\n- pytest\n- npm test | tail\n", "p.yml:3: 'npm test | tail' needs a shell"),
        ("accept:\n- cd .. && pytest\n", "p.yml:2: 'cd .. && pytest' changes to a folder outside"),
        ("objective: a\nobjective: b\n", "p.yml:2: the key `objective` is given twice"),
        ("todos:\n- id: a\n  content: b\n- content: c\n", "p.yml:4 (todos[2]) has no id"),
        ("todos: 5\n", "p.yml:1 (todos) is not a list of todos"),
        ("todos:\n- {id: a, content: b, dependencies: [c]}\n", "todo a names c under dependencies"),
        ("- a\n", "p.yml:1 is not a promise"),
        ("", "p.yml:1 is not a promise"),
        ("a: [\n", "p.yml:2"),
        ("a: &x [1]\nb: *y\n", "p.yml:2"),
        ("objective: !!python/object:os.system x\n", "p.yml:1"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_file_and_line(text, sentence):
    with pytest.raises(UserError) as caught:
        promise_text(text, parse, "p.yml")
    for language in ("en", "zh"):
        said = caught.value.say(language)
        assert "\n" not in said
        assert "p.yml" in said
    assert sentence in str(caught.value)


def test_a_bomb_of_aliases_is_refused():
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    with pytest.raises(UserError, match="more than 20000 values"):
        promise_text("\n".join(rows), parse, "p.yml")


def test_what_is_no_text_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "latin").write_bytes(b"objective: a\n# caf\xe9\n")
    (tmp_path / "large").write_bytes(b"#" * (1024 * 1024 + 1))
    for name, sentence in {
        "pipe": "pipe is not a regular file",
        ".": ". is not a regular file",
        "latin": "latin:2 is not UTF-8 text",
        "large": "large is larger than 1024 KiB",
        "none": "there is no file none",
    }.items():
        with pytest.raises(UserError) as caught:
            promise_file(tmp_path / name, parse, shown=name)
        assert sentence in str(caught.value)
