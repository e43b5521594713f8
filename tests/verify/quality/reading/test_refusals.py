"""What is not a tool's output is an error with a reason, never an empty list that would pass for a pass."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.tool_output import READ_TOOLS as READERS
from tests.tables import table_test
from tests.verify.quality.reading.sampling import read, sample

CRASH = 'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nKeyError: 1\n'
HTML = "<!doctype html>\n<html><body>502 Bad Gateway</body></html>\n"
PROMISED = tuple(
    name for name in READERS if name not in ("mypy", "tsc", "lizard", "go vet", "flake8", "pylint", "ty")
)


@table_test("tool", READERS)
@table_test("text", [CRASH, HTML, "Segmentation fault (core dumped)\n", "[" * 100_000, '"x"', "{"])
def test_other_text_is_refused_by_every_reader(tool: str, text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tool, text)
    assert refused.value.values["tool"]
    assert refused.value.say("en") != refused.value.say("zh")


@table_test("tool", PROMISED)
@table_test("text", ["", " \n\n", "\ufeff"])
def test_silence_is_refused_where_output_is_promised(tool: str, text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tool, text)
    assert refused.value.key == "toolreading.nothing"


@table_test(
    ("tool", "name"),
    [
        ("ruff", "ruff.json"),
        ("pyright", "pyright.json"),
        ("eslint", "eslint.json"),
        ("cargo", "clippy.jsonl"),
        ("bandit", "bandit.json"),
        ("ast-grep", "astgrep.json"),
        ("semgrep", "semgrep.json"),
        ("json", "ruff.json"),
    ],
)
def test_output_that_was_cut_is_refused(tool: str, name: str) -> None:
    whole = sample(name).rstrip()
    with pytest.raises(Unreadable):
        read(tool, whole[: len(whole) - 7])


@table_test(
    ("tool", "text"),
    [
        ("mypy", "Found 1 error in 1 file (errors prevented further checking)\n"),
        ("mypy", "setup.py: error: Source file found twice under different module names\n"),
        ("mypy", "a.py:3: error: INTERNAL ERROR -- please report a bug\n"),
        ("pyright", '{"generalDiagnostics": [], "summary": {"filesAnalyzed": 0}}'),
        ("tsc", "error TS2688: Cannot find type definition file for 'jest'.\n  Entry point of a library\n"),
        ("tsc", "error TS18003: No inputs were found in config file 'tsconfig.json'.\n"),
        ("tsc", "tsconfig.json(1,49): error TS5102: Option 'outFile' has been removed.\n"),
        ("go vet", "sub/s.go:3:8: cannot find module providing package example.com/no: lookup disabled\n"),
        ("go vet", "pattern ./...: directory prefix . does not contain main module\n"),
        ("cargo", '{"reason":"build-finished","success":false}\n'),
        ("golangci-lint", '{"Issues":[],"Report":{"Error":"can\'t load packages"}}'),
        ("semgrep", sample("semgrep_bad_rule.json")),
        (
            "sarif",
            json.dumps(
                {
                    "version": "2.1.0",
                    "runs": [{"invocations": [{"executionSuccessful": False}], "results": []}],
                }
            ),
        ),
    ],
)
def test_a_tool_that_did_not_look_at_the_code_could_not_run(tool: str, text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tool, text)
    assert refused.value.key == "toolreading.gave_up"


@table_test(
    ("tool", "text"),
    [
        ("ruff", "{}"),
        ("ruff", '[{"code": "F401"}]'),
        ("ruff", "[7]"),
        ("eslint", '[{"filePath": "/a.js"}]'),
        ("eslint", '[{"messages": []}]'),
        ("pyright", '{"summary": {}}'),
        ("bandit", '{"errors": []}'),
        ("semgrep", '{"errors": []}'),
        ("semgrep", '{"results": [{"check_id": "x", "path": "a.py"}]}'),
        ("golangci-lint", '{"Report": {}}'),
        ("golangci-lint", '{"Issues": [{"Text": "x"}]}'),
        ("ast-grep", '[{"file": "a.js"}]'),
        ("sarif", '{"version": "2.1.0"}'),
        ("sarif", '{"version": "2.1.0", "runs": []}'),
        ("sarif", '{"version": "2.1.0", "runs": [{"tool": {}}]}'),
        ("json", '{"total": 3}'),
        ("json", '{"results": {"a": 1}}'),
        ("json", '["text"]'),
        ("json", '[{"file": "a.py", "line": 3}]'),
    ],
)
def test_json_of_another_shape_is_refused_with_its_place(tool: str, text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tool, text)
    assert refused.value.key == "toolreading.shape"
    assert "$" in str(refused.value.values["place"])


@table_test("tool", ["ruff", "json", "sarif"])
def test_more_than_is_read_is_refused(tool: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tool, "[" + " " * (20 * 2**20) + "]")
    assert refused.value.key == "toolreading.too_long"


def test_a_digit_run_without_end_is_refused() -> None:
    with pytest.raises(Unreadable):
        read("ruff", f'[{{"message": "x", "location": {{"row": {"9" * 5000}}}}}]')


@given(
    tool=st.sampled_from(sorted(READERS)),
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    "results errors runs tool driver rules message text file line range start location extra path "
                    "locations physicalLocation artifactLocation uri index version Issues Pos suppressions fixes "
                    "generalDiagnostics messages filePath invocations ruleIndex arguments spans code level reason".split()
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=30,
    ),
)
def test_no_json_breaks_a_reader(tool: str, data: object) -> None:
    """It is read or refused; whatever else a hostile tool prints, nothing else is raised."""
    try:
        found = read(tool, json.dumps(data))
    except Unreadable as refused:
        assert refused.say("en")
    else:
        assert all(one.message and one.rule and one.line >= 0 and one.column >= 0 for one in found)


@given(tool=st.sampled_from(sorted(READERS)), text=st.text(max_size=200))
def test_no_text_breaks_a_reader(tool: str, text: str) -> None:
    try:
        found = read(tool, text)
    except Unreadable as refused:
        assert refused.say("zh")
    else:
        assert isinstance(found, tuple)
