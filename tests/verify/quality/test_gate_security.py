"""What the gate `security` wants run, and that our own rules find what they are for and nothing else."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from donewhen.verify.quality.gates import GATES, RULES
from tests.tables import table_test
from tests.verify.quality.gate_projects import (
    INSTALLED,
    laid,
    only,
    program,
    ran,
    scope_of,
    virtual_environment,
)

SECURITY = GATES["security"]
SHELL = "import subprocess\n\n\ndef f(x):\n    assert x\n    subprocess.call(x, shell=True)\n"


def rules_found(root: Path, files: dict[str, str], *names: str) -> list[tuple[str, int, str, str, str]]:
    scope = scope_of(laid(root, files), *names)
    found = [each for ask in SECURITY.plan(scope).asks for each in ran(ask, scope)]
    return sorted((each.file, each.line, each.rule, each.severity, each.level) for each in found)


def test_python_without_a_configuration_gets_ruffs_security_rules_with_their_weight(tmp_path):
    assert rules_found(tmp_path / "p", {"a.py": SHELL}, "a.py") == [
        ("a.py", 5, "S101", "warning", "low"),
        ("a.py", 6, "S602", "error", "high"),
    ]
    assert rules_found(tmp_path / "q", {"a.py": "X = 1\n"}, "a.py") == []


def test_an_assertion_in_a_test_is_no_finding(tmp_path):
    assert rules_found(tmp_path / "p", {"tests/test_a.py": SHELL}, "tests/test_a.py") == [
        ("tests/test_a.py", 6, "S602", "error", "high")
    ]


@table_test("gate", ["security", "lint"])
def test_ruff_tells_what_it_found_by_its_output_alone_and_its_own_trouble_by_its_exit(tmp_path, gate):
    root = laid(tmp_path / "p", {"tests/test_a.py": "def test():\n    assert 1\n"})
    scope = scope_of(root, "tests/test_a.py", env=INSTALLED)
    ask = only(GATES[gate].plan(scope))
    assert "--exit-zero" in ask.argv
    assert ran(ask, scope) == ()
    laid(scope.root, {"ruff.toml": "no-such-setting = 1\n"})
    broken = only(GATES[gate].plan(scope))
    done = subprocess.run(broken.argv, cwd=scope.root, capture_output=True, timeout=60, check=False)
    assert done.returncode == 2


@table_test(
    ("config", "found", "configured"),
    [
        ('[lint]\nselect = ["F"]\n', ["S101", "S602"], False),
        ('[lint]\nselect = ["F"]\nignore = ["S602"]\n', ["S101"], False),
        ('ignore = ["S1", "S602"]\n', [], False),
        ('[lint]\nextend-select = ["S6"]\n', ["S602"], True),
        ('[lint]\nselect = ["ALL"]\nignore = ["S101"]\n', ["S602"], True),
        ('[lint]\nselect = ["S"]\n[lint.per-file-ignores]\n"a.py" = ["S602"]\n', ["S101"], True),
        ('[lint]\nselect = ["SIM"]\n', ["S101", "S602"], False),
    ],
)
def test_the_projects_own_choice_of_rules_and_exceptions_holds(tmp_path, config, found, configured):
    root = tmp_path / "p"
    rules = rules_found(root, {"ruff.toml": config, "a.py": SHELL}, "a.py")
    assert [rule for _, _, rule, _, _ in rules] == found
    assert SECURITY.plan(scope_of(root, "a.py")).configured is configured


def test_exceptions_of_a_configuration_that_is_extended_hold_too(tmp_path):
    files = {"base.toml": '[lint]\nignore = ["S602"]\n', "pkg/ruff.toml": 'extend = "../base.toml"\n'}
    rules = rules_found(tmp_path / "p", {**files, "pkg/a.py": SHELL}, "pkg/a.py")
    assert [rule for _, _, rule, _, _ in rules] == ["S101"]


@table_test(
    ("files", "flags"),
    [
        ({"pyproject.toml": "[tool.bandit]\nskips = []\n"}, ("-c", "./pyproject.toml")),
        ({".bandit": "[bandit]\n"}, ("--ini", "./.bandit")),
        ({"bandit.yaml": ""}, ("-c", "./bandit.yaml")),
    ],
)
def test_bandit_is_taken_where_the_project_configures_it(tmp_path, files, flags):
    virtual_environment(tmp_path / ".venv", bandit="1.8.0")
    planned = SECURITY.plan(scope_of(laid(tmp_path, {**files, "a.py": SHELL}), "a.py"))
    assert planned.configured
    assert only(planned).argv[1:] == ("-f", "json", "-q", *flags, "--", "a.py")


def test_semgrep_is_asked_only_with_rules_of_the_project(tmp_path):
    place = virtual_environment(tmp_path / ".venv", semgrep="1.90.0")
    root = laid(tmp_path, {"a.rb": ""})
    assert SECURITY.plan(scope_of(root, "a.rb")).asks == ()
    laid(root, {".semgrep.yml": "rules: []"})
    planned = SECURITY.plan(scope_of(root, "a.rb"))
    argv = only(planned).argv
    assert planned.configured
    assert argv[0] == str(place / "semgrep")
    assert argv[argv.index("--config") + 1] == "./.semgrep.yml"
    assert "--metrics=off" in argv


def test_without_ast_grep_other_languages_say_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(program(tmp_path / "nowhere/python")))
    planned = SECURITY.plan(scope_of(laid(tmp_path / "p", {"a.js": "eval(x)"}), "a.js"))
    assert planned.asks == ()
    assert [each.install for each in planned.missing] == ["python -m pip install ast-grep-cli"]


BAD = {
    "js-eval-of-text": [
        "eval(input)",
        "new Function('a', body)",
        "setTimeout('go(' + x + ')', 10)",
        "vm.runInNewContext(code)",
    ],
    "js-shell-command-from-text": [
        "cp.exec(`ls ${dir}`)",
        "exec('ls ' + dir, done)",
        "require('node:child_process').execSync(`ls ${x}`, options)",
    ],
    "js-shell-option-with-values": ["spawn(command, [a], {shell: true})"],
    "js-html-from-text": ["el.innerHTML = value", "document.write('<p>' + x)"],
    "js-tls-not-verified": [
        "https.request({rejectUnauthorized: false})",
        "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
    ],
    "js-weak-hash": ["crypto.createHash('md5')", "createHash('SHA1')"],
    "js-key-in-source": ["jwt.sign({a: 1}, 'key')", "jwt.verify(token, `key`, {})"],
    "js-sql-from-text": [
        "db.query('SELECT * FROM t WHERE a = ' + a)",
        "db.query(`DELETE FROM t WHERE a = ${a}`, [])",
    ],
}
GOOD = """
setTimeout(() => go(x), 10);
setTimeout(run, 10);
child_process.execSync('ls');
pattern.exec('a' + b);
spawn('ls', ['-l'], {shell: true});
spawn(command, [a]);
el.innerHTML = '';
el.textContent = value;
crypto.createHash('sha256');
jwt.sign({a: 1}, process.env.KEY);
db.query('SELECT * FROM t WHERE a = ?', [a]);
db.query('SELECT * FROM t ' + 'WHERE a = ?', [a]);
cache.get(`user ${id} selected`);
https.request({rejectUnauthorized: true});
"""


@table_test("file", ["a.js", "a.mjs", "a.jsx", "a.tsx", "a.ts"])
def test_our_rules_find_what_is_dangerous_in_javascript_and_typescript(tmp_path, file):
    lines = [(rule, line) for rule, texts in BAD.items() for line in texts]
    text = "".join(f"{line};\n" for _, line in lines)
    found = rules_found(tmp_path / "p", {file: text}, file)
    prefix = "ts-" if file == "a.ts" else "js-"
    assert [(line, rule) for _, line, rule, _, _ in found] == [
        (number, prefix + rule.removeprefix("js-")) for number, (rule, _) in enumerate(lines, 1)
    ]
    assert {level for *_, level in found} == {"high", "medium"}
    assert rules_found(tmp_path / "q", {file: GOOD}, file) == []


def test_markup_as_a_property_is_found(tmp_path):
    text = "const a = <div dangerouslySetInnerHTML={{__html: x}} />;\n"
    assert [each[2] for each in rules_found(tmp_path / "p", {"a.jsx": text}, "a.jsx")] == [
        "js-html-from-property"
    ]


GO = """package a

import "math/rand"

func NewToken() int { return rand.Intn(10) }
func Dice() int     { return rand.Intn(6) }
func run(x string) {
	exec.Command("sh", "-c", "ls "+x).Run()
	exec.Command("bash", "-c", fmt.Sprintf("ls %s", x)).Run()
	exec.Command("sh", "-c", "ls").Run()
	exec.Command("ls", x).Run()
	_ = &tls.Config{InsecureSkipVerify: true}
	_ = &tls.Config{InsecureSkipVerify: false}
	md5.Sum(x)
	db.Query("SELECT * FROM t WHERE a=" + x)
	db.Query("SELECT * FROM t WHERE a=?", x)
}
"""
RUST = """fn f(x: &str) {
    Command::new("sh").arg("-c").arg(format!("ls {}", x)).spawn();
    Command::new("ls").arg(format!("{}", x)).spawn();
    Client::builder().danger_accept_invalid_certs(true).build();
    q(&format!("SELECT * FROM t WHERE a={}", x));
    println!("selected {} from here", x);
}
"""
JAVA = """class A { void f(String x) throws Exception {
  Runtime.getRuntime().exec("ls " + x);
  Runtime.getRuntime().exec("ls");
  statement.executeQuery("SELECT * FROM t WHERE a=" + x);
  statement.executeQuery("SELECT * FROM t");
  MessageDigest.getInstance("MD5");
  MessageDigest.getInstance("SHA-256");
  connection.setHostnameVerifier((h, s) -> true);
}}
"""


@table_test(
    ("file", "text", "found"),
    [
        (
            "a.go",
            GO,
            {
                5: "go-predictable-random",
                8: "go-shell-command-from-text",
                9: "go-shell-command-from-text",
                12: "go-tls-not-verified",
                14: "go-weak-hash",
                15: "go-sql-from-text",
            },
        ),
        (
            "a.rs",
            RUST,
            {2: "rust-shell-command-from-text", 4: "rust-tls-not-verified", 5: "rust-sql-from-text"},
        ),
        (
            "A.java",
            JAVA,
            {
                2: "java-shell-command-from-text",
                4: "java-sql-from-text",
                6: "java-weak-hash",
                8: "java-tls-not-verified",
            },
        ),
    ],
)
def test_our_rules_find_what_is_dangerous_in_other_languages(tmp_path, file, text, found):
    assert {line: rule for _, line, rule, _, _ in rules_found(tmp_path / "p", {file: text}, file)} == found


def test_a_configuration_in_the_tree_does_not_meddle_with_our_rules(tmp_path):
    files = {
        "sgconfig.yml": "ruleDirs: [nowhere]\ncustomLanguages: {x: {libraryPath: ./x.so}}\n",
        "a.js": "eval(x)",
    }
    assert [each[2] for each in rules_found(tmp_path / "p", files, "a.js")] == ["js-eval-of-text"]


def documents(name: str) -> Iterator[dict[str, Any]]:
    yield from yaml.safe_load_all((RULES.parent / "security" / name).read_text())


@table_test("name", sorted(path.name for path in (RULES.parent / "security").glob("*.yml")))
def test_every_rule_says_what_is_wrong_how_grave_it_is_and_what_to_do(name):
    for rule in documents(name):
        assert rule["message"]
        assert rule["note"]
        assert rule["metadata"]["level"] in ("low", "medium", "high")
        assert rule["severity"] in ("error", "warning")
