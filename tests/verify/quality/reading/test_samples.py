"""Every tool's own output, as it really printed it, becomes violations with the right file and line."""

from donewhen.core.quality.model import Violation
from tests.tables import table_test
from tests.verify.quality.reading.sampling import read, sample

V = Violation
_NOT_INT = 'Incompatible return value type (got "int", expected "str")'
_NOT_STR = 'Argument 1 to "f" has incompatible type "str"; expected "int"'
_PRINTF = 'fmt.Printf format %d has arg "s" of wrong type string'
_NEWLINE = "fmt.Println arg list ends with redundant newline"
_EVAL = V("no-eval", "eval runs text", "d.js", 2, 33, fix="use a parser")

SAMPLES = {
    ("ruff", "ruff.json"): (
        V("F401", "`os` imported but unused", "a.py", 1, 8, fix="Remove unused import: `os`"),
        V("S602", "`subprocess` call with `shell=True` identified, security issue", "a.py", 6, 5),
        V("invalid-syntax", "Expected a parameter or the end of the parameter list", "my dir/b.py", 1, 12),
    ),
    ("mypy", "mypy.txt"): (
        V("return-value", _NOT_INT, "a.py", 7, 12),
        V("no-untyped-def", "Function is missing a type annotation", "a.py", 10, 1),
        V("no-untyped-def", "Function is missing a type annotation", "a.py", 18, 5),
        V("arg-type", _NOT_STR, "a.py", 19, 18),
    ),
    ("pyright", "pyright.json"): (
        V(
            "reportReturnType",
            'Type "int" is not assignable to return type "str"\n  "int" is not assignable to "str"',
            "a.py",
            7,
            12,
        ),
        V("syntax", '"(" was not closed', "my dir/b.py", 1, 11),
    ),
    ("tsc", "tsc.txt"): (
        V("TS2322", "Type 'string' is not assignable to type 'number'.", "c.ts", 1, 7),
        V("TS7006", "Parameter 'a' implicitly has an 'any' type.", "c.ts", 2, 12),
        V(
            "TS2353",
            "Object literal may only specify known properties, and 'b' does not exist in type '{ a: number; }'.",
            "c.ts",
            3,
            35,
        ),
        V(
            "TS2322",
            "Type '(x: number) => void' is not assignable to type '(x: string) => void'.\n"
            "  Types of parameters 'x' and 'x' are incompatible.\n"
            "    Type 'string' is not assignable to type 'number'.",
            "c.ts",
            9,
            66,
        ),
    ),
    ("eslint", "eslint.json"): (
        V("no-var", "Unexpected var, use let or const instead.", "d.js", 1, 1),
        V(
            "no-unused-vars",
            "'unused' is assigned a value but never used.",
            "d.js",
            1,
            5,
        ),
        V(
            "no-unused-vars",
            "'h' is defined but never used.",
            "d.js",
            2,
            10,
        ),
        V(
            "eqeqeq",
            "Expected '===' and instead saw '=='.",
            "d.js",
            2,
            20,
            "warning",
        ),
        V("no-eval", "`eval` can be harmful.", "d.js", 2, 33),
        V("syntax", "Parsing error: Unexpected token =", "e.js", 1, 9),
    ),
    ("lizard", "lizard.txt"): tuple(
        V(
            "complexity",
            f"{name} has a cyclomatic complexity of {n}",
            file,
            line,
            subject=name,
            value=float(n),
        )
        for name, n, file, line in (
            ("f", 1, "a.py", 5),
            ("g", 6, "a.py", 10),
            ("(anonymous)", 1, "my dir/c.ts", 2),
        )
    ),
    ("go vet", "vet.txt"): (
        V("vet", _PRINTF, "sub/s.go", 6, 2),
        V("vet", _PRINTF, "main.go", 6, 2),
        V("vet", _NEWLINE, "main.go", 7, 2),
    ),
    ("cargo", "clippy.jsonl"): (
        V("dead_code", "function `unused` is never used", "src/main.rs", 1, 4, "warning"),
        V(
            "clippy::needless_return",
            "unneeded `return` statement",
            "src/main.rs",
            1,
            22,
            "warning",
            fix="remove `return`",
        ),
        V(
            "clippy::useless_vec",
            "useless use of `vec!`",
            "src/main.rs",
            4,
            13,
            "warning",
            fix="you can use an array directly",
        ),
    ),
    ("cargo", "cargo_check.jsonl"): (
        V("E0308", "mismatched types", "src/main.rs", 7, 22, fix="try using a conversion method"),
    ),
    ("bandit", "bandit.json"): (
        V(
            "B404",
            "Consider possible security implications associated with the subprocess module.",
            "a.py",
            2,
            1,
            "warning",
            level="low",
        ),
        V(
            "B602",
            "subprocess call with shell=True identified, security issue.",
            "a.py",
            6,
            5,
            level="high",
        ),
        V(
            "B307",
            "Use of possibly insecure function - consider using safer ast.literal_eval.",
            "a.py",
            14,
            12,
            level="medium",
        ),
        V("not-read", "syntax error while parsing AST from file", "my dir/b.py"),
    ),
    ("ast-grep", "astgrep.json"): (_EVAL,),
    ("semgrep", "semgrep.json"): (V("no-eval", "eval runs text", "a.py", 14, 12, level="high"),),
    ("semgrep", "semgrep_not_parsed.json"): (
        V(
            "not-read",
            "Syntax error at line br.js:1:\n `function f( { eval(x)\n if (` was unexpected",
            "br.js",
            severity="warning",
        ),
    ),
}


@table_test(("tool", "name"), SAMPLES, ids=[name for _, name in SAMPLES])
def test_what_a_tool_printed_is_read_in_full(tool: str, name: str) -> None:
    assert read(tool, sample(name)) == SAMPLES[tool, name]


@table_test(
    ("tool", "text"),
    [
        ("ruff", "[]"),
        ("mypy", "\n"),
        ("mypy", "Success: no issues found in 1 source file\n"),
        ("mypy", "setup.cfg: note: unused section(s): [mypy-legacy.*]\n"),
        ("mypy", "pyproject.toml: note: unused section(s): module = ['legacy.*']\n"),
        ("mypy", "conf/mypy.ini: note: unused section(s): [mypy-a], [mypy-b]\n"),
        ("pyright", '{"generalDiagnostics": [], "summary": {"filesAnalyzed": 1}}'),
        ("tsc", ""),
        ("eslint", '[{"filePath": "/proj/a.js", "messages": []}]'),
        ("lizard", ""),
        ("go vet", ""),
        ("go vet", "go: downloading example.com/y v1.0.0\n# example.com/x\n"),
        ("cargo", '{"reason":"build-finished","success":true}\n'),
        ("golangci-lint", '{"Issues":null,"Report":{"Linters":[]}}'),
        ("bandit", '{"errors": [], "results": []}'),
        ("ast-grep", "[]\n"),
        ("semgrep", '{"results": [], "errors": []}'),
        ("sarif", '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": []}]}'),
        ("junit", '<?xml version="1.0" encoding="utf-16"?><testsuites><testsuite/></testsuites>'),
        ("json", "[]"),
        ("json", '{"issues": null}'),
    ],
)
def test_a_clean_tree_gives_nothing(tool: str, text: str) -> None:
    assert read(tool, text) == ()
