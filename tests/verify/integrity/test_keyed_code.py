"""Keyed answers in real code: what the readers see is enough to tell copied answers from honest ones."""

from textwrap import dedent

from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.model import Finding, Pair
from donewhen.verify.integrity.reading import read_sheet
from tests.tables import table_test
from tests.verify.integrity.keyed_code import Code
from tests.verify.integrity.keyed_others import JS_CHEATS as JS_SHORT_CHEATS
from tests.verify.integrity.keyed_others import JS_HONEST as JS_SHORT_HONEST
from tests.verify.integrity.keyed_others import OTHERS
from tests.verify.integrity.keyed_python_basic import BASIC
from tests.verify.integrity.keyed_python_cheats import CHEATS
from tests.verify.integrity.keyed_python_steps import STEP_CHEATS, STEPS
from tests.verify.integrity.keyed_python_tables import TABLES
from tests.verify.integrity.keyed_written import WRITTEN_CHEATS, WRITTEN_HONEST
from tests.verify.integrity.keyed_written_js import JS_WRITTEN_CHEATS, JS_WRITTEN_HONEST

PY_HONEST = [*BASIC, *TABLES, *STEPS, *WRITTEN_HONEST]
JS_HONEST = [*JS_SHORT_HONEST, *JS_WRITTEN_HONEST]
JS_CHEATS = [*JS_SHORT_CHEATS, *JS_WRITTEN_CHEATS]
PY_CHEATS = [*CHEATS, *STEP_CHEATS, *WRITTEN_CHEATS]
HEADS = {
    "py": "import unittest\nfrom it import *\nclass ItTest(unittest.TestCase):\n    def test_it(self):\n",
    "js": 'import test from "node:test";\nimport assert from "node:assert/strict";\nimport * as it from "./it.js";\ntest("it", () => {\n',
    "go": 'package it\nimport "testing"\nfunc TestIt(t *testing.T) {\n',
    "rs": "use it::*;\n#[test]\nfn works() {\n",
    "java": "import static org.junit.Assert.*;\npublic class ItTest {\n@org.junit.Test public void works() {\n",
}
PATHS = {
    "py": ("it.py", "test_it.py"),
    "js": ("it.js", "it.test.js"),
    "go": ("it.go", "it_test.go"),
    "rs": ("src/it.rs", "tests/works.rs"),
    "java": ("src/main/java/It.java", "src/test/java/ItTest.java"),
}
TAILS = {"py": "", "js": "});\n", "go": "}\n", "rs": "}\n", "java": "}\n}\n"}


def judged(language: str, code: Code) -> tuple[Finding, ...]:
    path, test_path = PATHS[language]
    body = dedent(code.test).strip().replace("\n", "\n        ")
    test = f"{HEADS[language]}        {body}\n{TAILS[language]}"
    now = read_sheet(path, dedent(code.source).encode(), "source")
    base = read_sheet(path, dedent(code.base).encode(), "source") if code.base else None
    tests = read_sheet(test_path, test.encode(), "test")
    assert not tests.troubles and not now.troubles, (tests.troubles, now.troubles)
    assert tests.tests, test
    return keyed([Pair(base, now)], [tests], code.goal)


def named(codes: list[Code]) -> list[str]:
    return [code.name for code in codes]


@table_test("code", PY_HONEST, ids=named(PY_HONEST))
def test_honest_python_is_left_alone(code):
    assert judged("py", code) == ()


@table_test("code", PY_CHEATS, ids=named(PY_CHEATS))
def test_copied_answers_in_python_are_found(code):
    assert judged("py", code) != ()


@table_test("code", JS_HONEST, ids=named(JS_HONEST))
def test_honest_javascript_is_left_alone(code):
    assert judged("js", code) == ()


@table_test("code", JS_CHEATS, ids=named(JS_CHEATS))
def test_copied_answers_in_javascript_are_found(code):
    assert judged("js", code) != ()


@table_test(("language", "code", "copied"), OTHERS, ids=[f"{o[0]}-{o[1].name}" for o in OTHERS])
def test_other_languages_are_told_apart_as_well(language, code, copied):
    assert bool(judged(language, code)) == copied
