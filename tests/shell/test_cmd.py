"""Lines for cmd.exe, as far as evidence needs them."""

from typing import Any

from donewhen.core.tree import (
    AndOr,
    Assign,
    Declare,
    Group,
    If,
    Inner,
    Pipeline,
    Redirect,
    Refused,
    Simple,
    Statement,
    Text,
    Variable,
    Word,
)
from tests.shell.support import read, typed
from tests.tables import table_test


def stmt(command, **fields) -> Statement:
    words = tuple(map(Word, command.split())) if isinstance(command, str) else ()
    return Statement(Simple(words) if isinstance(command, str) else command, **fields)


NPM: Any = stmt("npm test")
STATUS = Word("%errorlevel%", False, (Variable("?"),))
OLD_STATUS = Word("%errorlevel%", False, (Variable("errorlevel"),))


def failed(operator: str, number: str, status: Word = STATUS) -> Statement:
    return Statement(Simple((Word("["), status, Word(operator), Word(number), Word("]"))))


EXIT_1 = stmt("exit 1")
LINES = {
    "cd /d C:\\x && npm test": (stmt(AndOr(stmt("cd /d C:\\x"), (("&&", NPM),))),),
    "set A=1&& npm test": (stmt(AndOr(stmt(Declare("export", (), (Assign("A", Word("1")),))), (("&&", NPM),))),),
    'set "A=b c" & npm test': (stmt(Declare("export", (), (Assign("A", Word("b c")),))), NPM),
    "call npm test": (stmt(Simple((Word("call"), *NPM.command.words), inner=(Inner("call", (NPM,)),))),),
    "npm.cmd test >nul 2>&1": (
        stmt("npm.cmd test", redirects=(Redirect(">", Word("nul")), Redirect(">&", Word("1"), "2"))),
    ),
    "npm test & echo x": (NPM, stmt("echo x")),
    "npm test | more": (stmt(Pipeline((NPM, stmt("more")))),),
    "a || b && c": (stmt(AndOr(stmt("a"), (("||", stmt(Group((stmt(AndOr(stmt("b"), (("&&", stmt("c")),))),)))),))),),
    "a && b || c": (stmt(AndOr(stmt("a"), (("&&", stmt("b")), ("||", stmt("c"))))),),
    "(npm test & echo x) > f": (stmt(Group((NPM, stmt("echo x"))), redirects=(Redirect(">", Word("f")),)),),
    'echo a^&b "c d"': (stmt(Simple((Word("echo"), Word("a&b"), Word("c d")))),),
    "echo %PATH%x": (
        stmt(Simple((Word("echo"), Word("%PATH%x", False, (Variable("PATH"), Text("x")))))),
    ),
    "@npm test\nrem & x\n:: y\nnpm test": (NPM, NPM),
    "npm test\nexit /b %errorlevel%": (NPM, stmt(Simple((Word("exit"), STATUS)))),
    "npm test & exit /b %errorlevel%": (NPM, stmt(Simple((Word("exit"), OLD_STATUS)))),
    "npm test & if errorlevel 1 exit /b 1": (NPM, stmt(If((((failed("-ge", "1"),), (EXIT_1,)),)))),
    "npm test\nif %ERRORLEVEL% NEQ 0 exit /b %errorlevel%": (NPM, stmt(If((((failed("-ne", "0"),), (EXIT_1,)),)))),
    "npm test & if %errorlevel% neq 0 exit /b 1": (
        NPM,
        stmt(If((((failed("-ne", "0", OLD_STATUS),), (EXIT_1,)),))),
    ),
    "npm test\nif %errorlevel%==0 (echo a) else (exit /b 1)": (
        NPM,
        stmt(If((((failed("-eq", "0"),), (stmt(Group((stmt("echo a"),))),)),), (stmt(Group((EXIT_1,))),))),
    ),
    "start npm test": (stmt(Simple(tuple(map(Word, ("start", "npm", "test"))), inner=(Inner("start", (NPM,), False),))),),
    'start "" /b npm test': (
        stmt(Simple(tuple(map(Word, ("start", "", "/b", "npm", "test"))), inner=(Inner("start", (NPM,), False),))),
    ),
    r"path C:\x": (stmt(Simple((Word("export"), Word(r"PATH=C:\x")))),),
    "D:": (stmt(Simple((Word("cd"), Word("D:")))),),
    "call evil.bat": (stmt(Simple((Word("source"), Word("evil.bat")))),),
    r".venv\Scripts\activate": (stmt(Simple((Word("source"), Word(r".venv\Scripts\activate")))),),
}  # fmt: skip


@table_test("line", LINES)
def test_a_line_of_cmd(line):
    tree = read(line, "cmd")
    assert _without_source(typed(tree)) == _without_source(typed(LINES[line]))


def _without_source(tree):
    """`%ERRORLEVEL%` and `%errorlevel%` are the same variable."""
    if isinstance(tree, str):
        return tree.lower() if "errorlevel" in tree.lower() else tree
    return tuple(map(_without_source, tree)) if isinstance(tree, tuple) else tree


REFUSED = [
    "for %i in (a) do b",
    "goto end",
    ":end",
    "if exist x npm test",
    "set /a x=1",
    "set /p x=y",
    "call :sub",
    "echo %1",
    "echo %%a",
    'echo "a',
    "echo a^",
    "(npm test",
    "npm test)) & (",
    "&& a",
    "a &&",
    "a | ",
    "()",
    "(" * 100 + "a" + ")" * 100,
]


@table_test("line", REFUSED)
def test_everything_else_is_refused(line):
    assert isinstance(read(line, "cmd"), Refused)
