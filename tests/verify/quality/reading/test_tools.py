"""Habits of single tools: what they leave out, count from zero, repeat, or hide."""

import json
from typing import Any

from donewhen.core.quality.model import Violation
from tests.verify.quality.reading.sampling import read

V = Violation
DONE = '{"reason":"build-finished","success":true}'


def test_old_ruff_has_no_code_for_a_syntax_error() -> None:
    rows = [
        {
            "code": None,
            "message": "SyntaxError: bad",
            "filename": "/proj/a.py",
            "location": {"row": 1, "column": 2},
        },
        {
            "code": "F401",
            "message": "m",
            "filename": "n.ipynb",
            "cell": 3,
            "location": {"row": 1, "column": 1},
        },
    ]
    assert read("ruff", json.dumps(rows)) == (
        V("invalid-syntax", "SyntaxError: bad", "a.py", 1, 2),
        V("F401", "m", "n.ipynb", 1, 1),
    )


def test_mypys_notes_belong_to_the_error_before_them() -> None:
    text = (
        'n.py:7: error: No overload variant of "f"  [call-overload]\n'
        "n.py:7: note: Possible overload variants:\n"
        "n.py:7: note:     def f(a: int) -> int\n"
        'n.py:8: note: Revealed type is "int"\n'
        "Found 1 error in 1 file (checked 1 source file)\n"
    )
    assert read("mypy", text) == (
        V(
            "call-overload",
            'No overload variant of "f"',
            "n.py",
            7,
            fix="Possible overload variants:\ndef f(a: int) -> int",
        ),
        V("misc", 'Revealed type is "int"', "n.py", 8, severity="note"),
    )


def test_a_file_with_colons_and_brackets_in_its_name_is_read_as_text() -> None:
    assert read("mypy", "a:b (1).py:3:4: error: bad  [x]\n") == (V("x", "bad", "a:b (1).py", 3, 4),)
    assert read("tsc", "a(1).ts(3,4): error TS1: bad\n") == (V("TS1", "bad", "a(1).ts", 3, 4),)


def test_an_option_that_tsc_does_not_know_is_a_violation_because_tsc_goes_on() -> None:
    text = "tsconfig.json(1,49): error TS5023: Unknown compiler option 'bogus'.\n"
    assert read("tsc", text) == (V("TS5023", "Unknown compiler option 'bogus'.", "tsconfig.json", 1, 49),)


def test_a_file_that_eslint_ignores_is_no_complaint() -> None:
    ignored = {"ruleId": None, "fatal": False, "severity": 1, "message": "File ignored because of a pattern."}
    assert read("eslint", json.dumps([{"filePath": "/proj/d.js", "messages": [ignored]}])) == ()


def _cargo(message: dict[str, Any], manifest: str = "/proj/Cargo.toml") -> str:
    return json.dumps({"reason": "compiler-message", "manifest_path": manifest, "message": message})


def _span(file: str, line: int = 1, **more: Any) -> dict[str, Any]:
    return {"file_name": file, "line_start": line, "column_start": 2, "is_primary": True, **more}


def test_cargo_repeats_a_complaint_for_each_target_and_macros_print_between() -> None:
    one = _cargo({"level": "warning", "message": "m", "code": {"code": "c"}, "spans": [_span("src/a.rs")]})
    total = _cargo({"level": "warning", "message": "1 warning emitted", "code": None, "spans": []})
    text = f"from a macro\n{one}\n{one}\n{total}\n{{not json\n{DONE}\n"
    assert read("cargo", text) == (V("c", "m", "src/a.rs", 1, 2, "warning"),)


def test_cargo_points_at_the_call_and_not_into_the_macro_of_a_library() -> None:
    inner = _span("/rustc/1/library/core/src/macros/mod.rs", 40, expansion={"span": _span("src/a.rs", 9)})
    text = _cargo({"level": "error", "message": "m", "code": None, "spans": [inner]})
    assert read("cargo", f"{text}\n{DONE}\n") == (V("rustc", "m", "src/a.rs", 9, 2),)


def test_cargos_files_count_from_the_workspace_wherever_it_ran() -> None:
    told = {"level": "error", "message": "m", "code": None, "spans": [_span("crates/one/src/lib.rs")]}
    text = f"{_cargo(told, '/proj/crates/one/Cargo.toml')}\n{DONE}\n"
    folders = {
        "/proj": "crates/one/src/lib.rs",
        "/proj/crates/one": "src/lib.rs",
        "/proj/crates/two": "../one/src/lib.rs",
    }
    assert {folder: read("cargo", text, folder)[0].file for folder in folders} == folders


def test_both_versions_of_golangci_lint_are_read() -> None:
    place = {"Filename": "msg.go", "Offset": 4, "Line": 16, "Column": 3}
    first = {
        "FromLinter": "gofmt",
        "Text": "File is not formatted",
        "Severity": "",
        "Replacement": {},
        "Pos": place,
    }
    second = {
        "FromLinter": "gosec",
        "Text": "G404: weak",
        "Severity": "high",
        "SuggestedFixes": [{"Message": "use crypto/rand"}],
        "Pos": place,
    }
    assert read("golangci-lint", json.dumps({"Issues": [first, second], "Report": {"Linters": []}})) == (
        V("gofmt", "File is not formatted", "msg.go", 16, 3),
        V("gosec", "G404: weak", "msg.go", 16, 3, level="high"),
    )


def test_what_semgrep_was_told_to_ignore_is_left_out_and_its_new_words_are_known() -> None:
    def row(severity: str, **extra: Any) -> dict[str, Any]:
        return {
            "check_id": "r",
            "path": "/proj/a.py",
            "start": {"line": 1, "col": 2},
            "extra": {"message": "m", "severity": severity, **extra},
        }

    rows = [row("ERROR", is_ignored=True), row("CRITICAL"), row("MEDIUM"), row("INFO")]
    found = read("semgrep", json.dumps({"results": rows}))
    assert [(one.severity, one.level) for one in found] == [
        ("error", "high"),
        ("warning", "medium"),
        ("note", "low"),
    ]


def test_ast_greps_rules_may_say_how_grave_they_are() -> None:
    row = {"file": "a.js", "range": {"start": {"line": 0, "column": 0}}, "severity": "hint", "ruleId": "r"}
    text = json.dumps([{**row, "message": "m", "metadata": {"level": "high"}}])
    assert read("ast-grep", text) == (V("r", "m", "a.js", 1, 1, "note", level="high"),)


def test_at_most_ten_thousand_are_kept() -> None:
    assert len(read("tsc", "a.ts(1,1): error TS1: m\n" * 10_050)) == 10_000
    assert len(read("json", json.dumps([{"message": "m"}] * 10_050))) == 10_000
    assert len(read("mypy", "a.py:1: error: m  [x]\n" * 10_050)) == 10_000


def test_lines_beyond_twenty_megabytes_are_not_read() -> None:
    line = "a.ts(1,1): error TS1: " + "m" * 9_000 + "\n"
    text = line * (20 * 2**20 // len(line) + 1)
    assert 2_000 < len(read("tsc", text + "never read\n")) < 2_400
