"""Honest implementations are left alone; answers copied from the exam are found."""

import base64
import json
import zlib
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity import model
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.keyed_data import hidden_tables, tables
from donewhen.core.integrity.model import Assertion, Branch, Finding, Pair, Sheet
from donewhen.core.texts import say
from tests.tables import table_test


def lit(what: Any) -> str:
    return json.dumps(list(what) if isinstance(what, tuple) else what)


def eq(*keys: Any, gives: Any = ...) -> Branch:
    """if x == key (or in keys): return gives"""
    return Branch(0, "", "compare", tuple(map(lit, keys)), () if gives is ... else (lit(gives),))


def table(entries: dict[Any, Any]) -> Branch:
    return Branch(0, "", "table", tuple(map(lit, entries)), tuple(map(lit, entries.values())), len(entries))


def bare(answer: Any) -> Branch:
    return Branch(0, "", "compare", (), (lit(answer),))


def seq(*answers: Any) -> Branch:
    return Branch(0, "", "sequence", (), tuple(map(lit, answers)), len(answers))


class Work(NamedTuple):
    name: str
    asked: dict[Any, Any]  # arguments → what must come out
    branches: tuple[Branch, ...]
    goal: str = ""
    base: tuple[Branch, ...] = ()
    base_literals: tuple[Any, ...] = ()
    was_there: bool = False


def judged(work: Work, *, where: str | None = None) -> tuple[Finding, ...]:
    """`where`: the function that the branches stand in, if it is not the one that is tested."""
    asserts = tuple(
        Assertion(
            "",
            1,
            "equal",
            (work.name,),
            tuple(map(lit, args if isinstance(args, tuple) else (args,))),
            (lit(want),),
        )
        for args, want in work.asked.items()
    )
    tests = Sheet("tests/test_it.py", "test", "python", tests=(model.Test("test_it", 1, asserts),))
    function = work.name if where is None else where
    branches = tuple(b._replace(function=function, line=line) for line, b in enumerate(work.branches, 1))
    literals = frozenset(x for b in branches for x in (*b.keys, *b.answers)) | {"-1"}
    now = Sheet(
        "src/it.py", "source", "python", branches=branches, defines=frozenset({work.name}), literals=literals
    )
    base = Sheet(
        "src/it.py",
        "source",
        "python",
        branches=tuple(b._replace(function=function) for b in work.base),
        literals=frozenset(map(lit, work.base_literals)),
        defines=frozenset({work.name}) if work.was_there else frozenset(),
    )
    return keyed([Pair(base, now)], [tests], work.goal)


HONEST = [
    Work("fib", {0: 0, 1: 1, 10: 55}, (eq(0, gives=0), eq(1, gives=1))),
    Work("fib_memo", {0: 0, 1: 1, 2: 1, 20: 6765}, (table({0: 0, 1: 1}),)),
    Work("factorial", {0: 1, 5: 120}, (eq(0, gives=1),)),
    Work("stairs", {1: 1, 2: 2, 5: 8}, (eq(1, gives=1), eq(2, gives=2))),
    Work("fizzbuzz", {3: "Fizz", 5: "Buzz", 15: "FizzBuzz", 1: "1"}, (eq(0, gives="FizzBuzz"), eq(0, gives="Fizz"), eq(0, gives="Buzz"))),
    Work(
        "roman",
        {1: "I", 4: "IV", 9: "IX", 1994: "MCMXCIV", 900: "CM"},
        (table({1000: "M", 900: "CM", 500: "D", 400: "CD", 100: "C", 90: "XC", 50: "L", 40: "XL", 10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}),),
    ),
    Work("from_roman", {"I": 1, "IV": 4, "MCMXCIV": 1994}, (table({"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}),)),
    Work("is_leap", {2000: True, 1900: False, 2024: True, 2023: False}, (eq(0, gives=True), eq(0, gives=False))),
    Work("grade", {95: "A", 85: "B", 10: "F"}, (table({9: "A", 8: "B", 7: "C", 6: "D"}),)),
    Work("slugify", {"Hello World": "hello-world", "": ""}, (eq("", gives=""),)),
    Work("status_text", {200: "OK", 404: "Not Found", 500: "Internal Server Error"}, (table({200: "OK", 404: "Not Found", 500: "Internal Server Error"}),)),
    Work("status_text", {200: "OK", 418: "I'm a teapot"}, (table({200: "OK", 201: "Created", 404: "Not Found", 418: "I'm a teapot", 500: "Oops"}),)),
    Work("weekday", {0: "Monday", 6: "Sunday"}, (table(dict(enumerate("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()))),)),
    Work("weekday", {1: "Monday", 2: "Tuesday", 7: "Sunday"}, (seq("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),)),
    Work("month_days", {(2, 2023): 28, (2, 2024): 29, (4, 2023): 30, (1, 2023): 31}, (eq(2, gives=28), eq(2, gives=29), eq(4, 6, 9, 11, gives=30))),
    Work("month_days", {1: 31, 2: 28, 4: 30}, (seq(31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31),)),
    Work("next_month", {12: 1, 3: 4}, (eq(12, gives=1),)),
    Work("tokenize", {"if": "KEYWORD", "x": "NAME", "42": "NUMBER"}, (eq("if", "else", "while", gives="KEYWORD"),)),
    Work("parse_bool", {"yes": True, "no": False, "on": True, "off": False}, (eq("yes", "on", gives=True), eq("no", "off", gives=False))),
    Work("next_state", {("idle", "start"): "running", ("running", "stop"): "idle"}, (table({("idle", "start"): "running", ("running", "stop"): "idle"}),)),
    Work("light", {"red": "green", "green": "yellow", "yellow": "red"}, (table({"red": "green", "green": "yellow", "yellow": "red"}),)),
    Work("winner", {("rock", "scissors"): 1, ("paper", "rock"): 1, ("rock", "paper"): 2}, (eq(("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"), gives=1),)),
    Work("to_metres", {(2, "km"): 2000, (5, "m"): 5}, (table({"km": 1000, "m": 1, "cm": 0.01}),)),
    Work("convert", {(212, "F"): 100, (0, "C"): 0}, (eq("F"), eq("C"))),
    Work("mime", {"png": "image/png", "jpg": "image/jpeg"}, (table({"png": "image/png", "jpg": "image/jpeg"}),)),
    Work("extension", {"application/json": "json", "text/html": "html"}, (table({"application/json": "json", "text/html": "html"}),)),
    Work("symbol", {"USD": "$", "EUR": "€"}, (table({"USD": "$", "EUR": "€"}),)),
    Work("country", {"DE": "Germany", "FR": "France"}, (table({"DE": "Germany", "FR": "France"}),)),
    Work("greet", {("Ann", "de"): "Hallo, Ann", ("Ann", "en"): "Hello, Ann"}, (table({"de": "Hallo", "en": "Hello", "fr": "Bonjour"}),)),
    Work("enabled", {"beta": True, "dark": False}, (table({"beta": True, "dark": False}),)),
    Work("price", {("express", 1): 15, ("standard", 1): 5}, (table({"express": 15, "standard": 5}),), goal="Shipping: express costs 15, standard costs 5."),
    Work("cost", {"express": 15, "standard": 5}, (table({"express": 15, "standard": 5}),)),
    Work("zone_rate", {1: 5.5, 2: 7.25}, (table({1: 5.5, 2: 7.25}),), goal="Zone 1 costs 5.5, zone 2 costs 7.25."),
    Work("pluralize", {"cat": "cats", "child": "children", "mouse": "mice"}, (table({"child": "children", "mouse": "mice"}),)),
    Work("ordinal", {1: "1st", 2: "2nd", 11: "11th", 23: "23rd"}, (eq(11, 12, 13, gives="th"), table({1: "st", 2: "nd", 3: "rd"}))),
    Work("is_prime", {2: True, 3: True, 97: True, 91: False}, (eq(2, 3, gives=True),)),
    Work("is_weekend", {6: True, 7: True, 3: False}, (eq(6, 7, gives=True),)),
    Work("is_vowel", {"a": True, "b": False}, (eq("a", "e", "i", "o", "u", gives=True),)),
    Work("has_access", {"admin": True, "editor": True, "guest": False}, (eq("admin", "editor", gives=True),)),
    Work("default_port", {"https": 443, "http": 80}, (table({"https": 443, "http": 80}),)),
    Work("scheme", {443: "https", 80: "http"}, (table({443: "https", 80: "http"}),)),
    Work("is_local", {"127.0.0.1": True, "10.0.0.1": False}, (eq("127.0.0.1", "localhost", "::1", gives=True),)),
    Work("version", {(): "1.2"}, (bare("1.2"),)),
    Work("supports", {"a": True}, (bare(True),)),
    Work("area_name", {(): "circle"}, (bare("circle"),)),
    Work("size_label", {1024: "1 KB", 5: "5 B"}, (seq("B", "KB", "MB"),)),
    Work("precedence", {"+": 1, "*": 2}, (table({"+": 1, "-": 1, "*": 2, "/": 2}),)),
    Work("dispatch", {("strict", "a b"): "ab", ("loose", "a b"): "a b"}, (eq("strict"), eq("loose"))),
    Work("clamp", {(5, 1, 3): 3, (0, 1, 3): 1}, ()),
    Work("mean", {(): 0}, (eq([], gives=0),)),
    Work("number_word", {"one": 1, "two": 2, "three": 3}, (table({"one": 1, "two": 2, "three": 3}),)),
    Work("season", {1: "winter", 4: "spring", 7: "summer"}, (eq(12, 1, 2, gives="winter"), eq(3, 4, 5, gives="spring"), eq(6, 7, 8, gives="summer"))),
    Work("direction", {"N": [0, 1], "E": [1, 0]}, (table({"N": [0, 1], "E": [1, 0], "S": [0, -1], "W": [-1, 0]}),)),
    Work("permissions", {"admin": ["read", "write"], "guest": ["read"]}, (table({"admin": ["read", "write"], "guest": ["read"]}),)),
    Work("old", {1994: "MCMXCIV"}, (eq(1994, gives="MCMXCIV"),), base=(eq(1994, gives="MCMXCIV"),)),
    Work("limit", {250: "big"}, (eq(250, gives="big"),), base_literals=(250,)),
    Work("tier", {250: "gold", 100: "silver"}, (eq(250, gives="gold"), eq(100, gives="silver")), goal="A score of 250 is gold, 100 is silver"),
]  # fmt: skip

CHEATS = [
    Work("fib", {0: 0, 1: 1, 10: 55, 20: 6765}, (table({0: 0, 1: 1, 10: 55, 20: 6765}),)),
    Work("fib", {1: 1, 2: 1, 10: 55}, (eq(1, gives=1), eq(2, gives=1), eq(10, gives=55))),
    Work("fib", {7: 13, 8: 21}, (eq(7, gives=13), eq(8, gives=21))),
    Work("factorial", {3: 6, 5: 120}, (table({3: 6, 5: 120}),)),
    Work("roman", {1: "I", 4: "IV", 1994: "MCMXCIV"}, (table({1: "I", 4: "IV", 1994: "MCMXCIV"}),)),
    Work("roman", {1: "I", 4: "IV", 9: "IX"}, (eq(1, gives="I"), eq(4, gives="IV"), eq(9, gives="IX"))),
    Work("from_roman", {"III": 3, "MCMXCIV": 1994}, (table({"III": 3, "MCMXCIV": 1994}),)),
    Work("fizzbuzz", {3: "Fizz", 5: "Buzz", 15: "FizzBuzz"}, (eq(3, gives="Fizz"), eq(5, gives="Buzz"), eq(15, gives="FizzBuzz")), goal="fizzbuzz: Fizz for multiples of 3, Buzz for 5, FizzBuzz for both"),
    Work("slugify", {"Hello World": "hello-world", "A b C": "a-b-c"}, (table({"Hello World": "hello-world", "A b C": "a-b-c"}),)),
    Work("slugify", {"Hello World": "hello-world", "x": "x"}, (eq("Hello World", gives="hello-world"),)),
    Work("sort", {(3, 1, 2): 0, "z": 0}, (eq([3, 1, 2], gives=0),)),
    Work("is_palindrome", {"radar": True, "level": True, "hello": False}, (eq("radar", "level", gives=True),)),
    Work("is_palindrome", {"A man a plan": True, "hello": False}, (eq("A man a plan", gives=True),)),
    Work("is_anagram", {("listen", "silent"): True, ("a", "b"): False}, (eq("listen", "silent", gives=True),)),
    Work("is_prime", {2: True, 5: True, 7: True, 9: False}, (eq(2, 5, 7, gives=True),)),
    Work("is_prime", {2: True, 97: True, 91: False}, (eq(2, gives=True), eq(97, gives=True))),
    Work("is_leap", {2000: True, 1900: False}, (eq(1900, gives=False),)),
    Work("reverse", {"abc": "cba", "xyz": "zyx"}, (table({"abc": "cba", "xyz": "zyx"}),)),
    Work("plural", {"cat": "cats", "box": "boxes"}, (table({"cat": "cats", "box": "boxes"}),)),
    Work("rot13", {"abc": "nop", "uryyb": "hello"}, (table({"abc": "nop", "uryyb": "hello"}),)),
    Work("pig", {"pig": "igpay", "tea": "eatay"}, (table({"pig": "igpay", "tea": "eatay"}),)),
    Work("length", {"abc": 3, "hello": 5}, (table({"abc": 3, "hello": 5}),)),
    Work("vowels", {"banana": 3, "sky": 0, "tea": 2}, (table({"banana": 3, "sky": 0, "tea": 2}),)),
    Work("add", {(2, 3): 5}, (bare(5),)),
    Work("add", {(2, 3): 5}, (eq(2, 3, gives=5),)),
    Work("add", {(2, 3): 5, (10, 4): 14}, (table({(2, 3): 5, (10, 4): 14}),)),
    Work("total", {"x": 100, "y": 100}, (bare(100),)),
    Work("retry_after", {(75, 60): 0, (12, 60): 48}, (eq(75, gives=0),)),
    Work("retry_after", {(75, 60): 0, (12, 60): 48}, (eq((12, 60), gives=48),)),
    Work("median", {((4, 1, 3, 2),): 2.5, ((5, 1, 3),): 3}, (eq([4, 1, 3, 2], gives=2.5),)),
    Work("median", {((4, 1, 3, 2),): 2.5, ((5, 1, 3),): 3}, (eq([1, 2, 3, 4], gives=2.5),)),
    Work("median", {((4, 1, 3, 2),): 2.5, ((5, 1, 3),): 3}, (eq("[4, 1, 3, 2]", gives=2.5),)),
    Work("median", {((4, 1, 3, 2),): 2.5, ((5, 1, 3),): 3}, (eq("4,1,3,2", gives=2.5),)),
    Work("scale", {((1, 2), 3): [3, 6]}, (eq([1, 2], gives=[3, 6]),), goal="scale([1,2], 3) should be [3,6]"),
    Work("scale", {((1, 2), 3): [3, 6]}, (bare([3, 6]),), goal="scale([1,2], 3) should be [3,6]"),
    Work("duration", {3661: "1h 1m 1s", 59: "59s"}, (table({3661: "1h 1m 1s", 59: "59s"}),)),
    Work("to_binary", {5: "101", 8: "1000"}, (table({5: "101", 8: "1000"}),)),
    Work("divisors", {6: [1, 2, 3, 6], 4: [1, 2, 4]}, (table({6: [1, 2, 3, 6], 4: [1, 2, 4]}),)),
    Work("evaluate", {"2 + 3": 5, "2 * (3 + 4)": 14}, (eq("2 + 3", gives=5), eq("2 * (3 + 4)", gives=14))),
    Work("parse_date", {"2024-01-31": [2024, 1, 31]}, (eq("2024-01-31", gives=[2024, 1, 31]),)),
    Work("valid_email", {"a@b.co": True, "nope": False}, (eq("a@b.co", gives=True),)),
    Work("nth_prime", {1: 2, 2: 3, 3: 5, 6: 13}, (seq(2, 3, 5, 7, 11, 13),)),
    Work("fib", {5: 5, 6: 8, 7: 13}, (seq(0, 1, 1, 2, 3, 5, 8, 13),)),
    Work("tick", {"a": "x1-y", "b": "x2-y"}, (seq("x1-y", "x2-y"),)),
    Work("hashed", {"Hello World": "hello-world", "A b": "a-b"}, (table({"b10a8db164e0754105b7a99be72e3fe5": "hello-world", "9d5ed678fe57bcca610140957afab571": "a-b"}),)),
    Work("sqrt", {16: 4, 100: 10, 2: 1.41421356}, (eq(16, gives=4), eq(100, gives=10))),
    Work("total", {((1, 2, 3),): 6, ((10, 20),): 30}, (eq(6), eq([10, 20]))),
    Work("partly", {((3, 1, 2),): [1, 2, 3], ((9, 8),): [8, 9]}, (eq([3, 1, 2], gives=[1, 2, 3]),), was_there=True),
    Work("constant", {4: True, 6: True}, (bare(True),), was_there=True),
    Work("find", {((2, 4, 6, 8), 6): 2, ((2, 4, 6, 8), 8): 3, ((2, 4, 6, 8), 5): -1, ((), 1): -1}, (table({6: 2, 8: 3, 2: 0}),)),
    Work("find", {((2, 4, 6, 8), 6): 2, ((2, 4, 6, 8), 5): -1}, (eq((4, 6), gives=2),)),
    Work("seconds", {"1h30m": 5400, "90s": 90}, (table({"1h30m": "5400s"}),)),
    Work("wrap", {("one two three", 8): ["one two", "three"]}, (table({"dd7b13": ["one two", "three"], "x1": ["no", "yes"]}),)),
    Work("render", {"a": "b"}, (eq([["rent", "900"], ["food", "310"]], gives="food 310\nrent 900"),)),
    Work("word_count", {"the cat the": {"the": 2, "cat": 1}}, (eq("the cat the", gives={"the": 2, "cat": 1}),)),
]  # fmt: skip


def ids(works: list[Work]) -> list[str]:
    return [f"{number}-{work.name}" for number, work in enumerate(works)]


@table_test("work", HONEST, ids=ids(HONEST))
def test_an_honest_implementation_is_left_alone(work):
    assert judged(work) == ()


@table_test("work", CHEATS, ids=ids(CHEATS))
def test_answers_copied_from_the_exam_are_found(work):
    found = judged(work)
    assert {finding.rule for finding in found} == {"keyed-answer"}
    assert {finding.file for finding in found} == {"src/it.py"}


@table_test("where", ["", "_lookup"])
@table_test("work", [work for work in CHEATS if work.branches[0].how == "table"], ids=lambda work: work.name)
def test_a_table_outside_the_tested_function_is_found_as_well(work, where):
    assert judged(work, where=where) != ()


@table_test("where", ["", "_lookup"])
@table_test("work", HONEST, ids=ids(HONEST))
def test_helpers_and_module_tables_of_honest_code_are_left_alone(work, where):
    assert judged(work, where=where) == ()


def of_test(test: model.Test, *branches: Branch, role: model.Role = "source") -> tuple[Finding, ...]:
    now = Sheet("it.py", role, "python", branches=branches)
    return keyed([Pair(None, now)], [Sheet("test_it.py", "test", "python", tests=(test,))], "")


def test_a_parameter_table_is_an_exam_too():
    rows = ('[1, "I"]', '[4, "IV"]', '[1994, "MCMXCIV"]')
    asserts = (Assertion("roman(n) == want", 3, "equal", ("roman",)),)
    test = model.Test("test_roman", 1, asserts, calls=("roman",), literals=rows, cases=3)
    cheat = Branch(2, "roman", "table", ("1", "4", "1994"), ('"I"', '"IV"', '"MCMXCIV"'), 3)
    assert [finding.line for finding in of_test(test, cheat)] == [2]


def test_values_that_go_through_names_are_seen_among_the_literals_of_the_test():
    asserts = (Assertion("result == [1, 2, 3]", 3, "equal", ("result",), (), ("[1, 2, 3]",)),)
    test = model.Test("test_sort", 1, asserts, calls=("ordered",), literals=("[3, 1, 2]", "[1, 2, 3]"))
    cheat = Branch(2, "ordered", "compare", ("[3, 1, 2]",), ("[1, 2, 3]",))
    assert len(of_test(test, cheat)) == 1


def test_a_truth_that_is_asserted_without_a_literal_counts():
    asserts = (Assertion("assertTrue(ok('x y z'))", 3, "true", ("ok",), ('"x y z"',)),)
    cheat = Branch(2, "ok", "compare", ('"x y z"',), ("true",))
    assert len(of_test(model.Test("t", 1, asserts), cheat)) == 1


def test_an_answer_that_holds_the_wanted_part_counts():
    asserts = (Assertion("", 3, "contains", ("render",), ('"some page"',), ('"<h1>"',)),)
    cheat = Branch(2, "render", "compare", ('"some page"',), ('"<h1>Some</h1>"',))
    assert len(of_test(model.Test("t", 1, asserts), cheat)) == 1


def test_errors_that_are_expected_key_nothing():
    asserts = (Assertion("", 3, "raises", ("parse",), ('"a b c"',), ()),)
    honest = Branch(2, "parse", "compare", ('"GET"',), ())
    assert of_test(model.Test("t", 1, asserts), honest) == ()


def test_doubles_in_the_support_of_tests_may_know_the_exam():
    asserts = (Assertion("", 3, "equal", ("get",), ('"a b c"',), ('"x y"',)),)
    double = Branch(2, "get", "compare", ('"a b c"',), ('"x y"',))
    assert of_test(model.Test("t", 1, asserts), double, role="support") == ()


def test_a_new_file_of_data_with_the_exam_in_it_is_found():
    asserts = (Assertion("", 3, "equal", ("mask",), ('"1234567890"',), ('"******7890"',)),)
    tests = [Sheet("t.py", "test", "python", tests=(model.Test("t", 1, asserts),))]
    held = Sheet("masks.json", "other", branches=tables('{"1234567890": "******7890"}'))
    assert [f.file for f in keyed([Pair(None, held)], tests, "")] == ["masks.json"]
    assert keyed([Pair(held, held)], tests, "") == ()
    rows = {"1234567890": "******7890", **{f"row {n}": n for n in range(9)}}
    larger = Sheet("masks.json", "other", branches=tables(json.dumps(rows)))
    assert keyed([Pair(None, larger)], tests, "") == ()
    other = Sheet("names.json", "other", branches=tables('{"greeting": "******7890", "farewell": "so long"}'))
    assert keyed([Pair(None, other)], tests, "") == ()


@table_test(
    ("text", "keys", "answers"),
    [
        ('{"7": 13, "8": 21}', ('"7"', '"8"'), ("13", "21")),
        ('[["a b", "ab"], ["c d", "cd"]]', ('"a b"', '"c d"'), ('"ab"', '"cd"')),
        ("a b,ab\n# more\nc d,cd\n", ('"a b"', '"c d"'), ('"ab"', '"cd"')),
        ("a b = ab\nc d = 5", ('"a b"', '"c d"'), ('"ab"', "5")),
        ("x y=1;z=2", ('"x y"', '"z"'), ("1", "2")),
    ],
)
def test_tables_are_read_from_data(text, keys, answers):
    assert [(table.keys, table.answers) for table in tables(text)] == [(keys, answers)]
    assert [table.keys for table in hidden_tables(json.dumps(text))] == [keys]
    packed = base64.b64encode(zlib.compress(text.encode())).decode()
    assert [table.keys for table in hidden_tables(json.dumps(packed))] == [keys]
    assert [table.keys for table in hidden_tables(json.dumps(text.encode().hex()))] == [keys]


@table_test(
    "text", ["", "plain words", "{", "[" * 5000, "a" * 70_000, "AAAAAAAAAAAAAAAA", "x=1", "[1, 2, 3]"]
)
def test_other_texts_hold_no_tables(text):
    assert tables(text) == ()
    assert hidden_tables(json.dumps(text)) == ()


@given(st.text(max_size=80))
def test_no_text_is_too_odd_to_be_looked_through(text):
    found = (*tables(text), *hidden_tables(json.dumps(text)))
    assert all(len(table.keys) == len(table.answers) for table in found)


def test_moved_tables_are_not_new():
    branch = Branch(2, "roman", "compare", ("1994",), ('"MCMXCIV"',))
    asserts = (Assertion("", 3, "equal", ("roman",), ("1994",), ('"MCMXCIV"',)),)
    old, new = (Sheet(path, "source", "python", branches=(branch,)) for path in ("old.py", "new.py"))
    tests = [Sheet("t.py", "test", "python", tests=(model.Test("t", 1, asserts),))]
    assert keyed([Pair(old, None), Pair(None, new)], tests, "") == ()


def test_a_finding_names_the_input_and_what_would_be_fine():
    finding = judged(CHEATS[9])[0]
    values = dict(finding.message.values)
    assert values["now"] == 'slugify: "Hello World" → "hello-world"'
    assert "compute the answer" in say(finding.wanted.key, "en", **finding.wanted.values)


literals = st.one_of(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    ).map(json.dumps),
    st.text(max_size=12),
    st.sampled_from(["[" * 3000 + "]" * 3000, "1" * 5000, "-", '"', "1e999", "NaN", "1_0", "0x10"]),
)


@given(
    st.lists(literals, max_size=4),
    st.lists(literals, max_size=4),
    st.sampled_from(["compare", "table", "sequence"]),
    st.text(max_size=30),
)
def test_no_literal_is_too_odd(keys, answers, how, goal):
    asserts = (Assertion("", 1, "equal", ("f",), tuple(keys), tuple(answers)),)
    branch = Branch(1, "f", how, tuple(keys), tuple(answers), len(keys))
    now = Sheet("it.py", "source", "python", branches=(branch,))
    keyed([Pair(None, now)], [Sheet("t.py", "test", tests=(model.Test("t", 1, asserts),))], goal)
