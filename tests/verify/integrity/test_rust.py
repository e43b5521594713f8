"""What a Rust file says about the exam, and that cheats show and honest rewrites do not."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.compare import compare
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.model import Pair, Role, Sheet
from donewhen.core.integrity.model import Test as Exam
from donewhen.verify.integrity.rust.reader import read
from tests.tables import table_test

ADDS = "#[test]\nfn adds()"
LINE = "    assert_eq!(add(1, 2), 3);"
BASE = f"""use sum::{{add, sub}};

{ADDS} {{
{LINE}
}}

#[test]
fn subtracts() {{
    assert_eq!(sub(5, 2), 3);
    assert_eq!(sub(1, 1), 0);
}}
"""
PAIR = "    assert_eq!(sub(5, 2), 3);\n    assert_eq!(sub(1, 1), 0);\n"


def sheet(text: str, role: Role = "test", path: str = "tests/sum.rs") -> Sheet:
    return read(path, text.encode(), role)


def within(body: str) -> Exam:
    (test,) = sheet(f"#[test]\nfn it() {{\n{body}\n}}\n").tests
    return test


def blocking(base: str, now: str) -> list[str]:
    return [f.rule for f in compare([Pair(sheet(base), sheet(now))]) if f.blocks]


def marked(attribute: str) -> str:
    return BASE.replace(ADDS, f"{attribute}\n{ADDS}")


def instead(line: str) -> str:
    return BASE.replace(LINE, line)


CHEATS = {
    "ignored": marked("#[ignore]"),
    "ignored with a reason": marked('#[ignore = "later"]'),
    "ignored by all()": marked("#[cfg_attr(all(), ignore)]"),
    "never compiled": marked("#[cfg(any())]"),
    "needs a feature": marked('#[cfg(feature = "slow")]'),
    "other system": marked("#[cfg(windows)]"),
    "not for tests": marked("#[cfg(not(test))]"),
    "whole file needs a feature": '#![cfg(feature = "never")]\n' + BASE,
    "expected to panic": marked("#[should_panic]"),
    "no test any more": BASE.replace(ADDS, "fn adds()"),
    "inside a function": BASE.replace(ADDS, f"fn outer() {{\n{ADDS}").replace(f"{LINE}\n}}", f"{LINE}\n}}\n}}"),
    "emptied": instead("    add(1, 2);"),
    "commented out": instead(f"    // {LINE}"),
    "literal truth": instead("    assert!(true);"),
    "compared with itself": instead("    assert_eq!(add(1, 2), add(1, 2));"),
    "or true": instead("    assert!(add(1, 2) == 3 || true);"),
    "unequal instead": instead("    assert_ne!(add(1, 2), 4);"),
    "order instead": instead("    assert!(add(1, 2) > 0);"),
    "expected value": instead("    assert_eq!(add(1, 2), 4);"),
    "panic caught": instead(f"    let _ = std::panic::catch_unwind(|| {{ {LINE} }});"),
    "panic only told": instead(f"    if std::panic::catch_unwind(|| {{ {LINE} }}).is_err() {{ println!(); }}"),
    "other thread": instead(f"    let _ = std::thread::spawn(|| {{ {LINE} }}).join();"),
    "early return": instead(f"    return;\n{LINE}"),
    "return under true": instead(f"    if true {{ return; }}\n{LINE}"),
    "return by a switch": instead(f'    if std::env::var("FULL").is_err() {{ return; }}\n{LINE}'),
    "under false": instead(f"    if false {{\n{LINE}\n    }}"),
    "loop over nothing": instead("    for (a, b, c) in [] as [(i32, i32, i32); 0] { assert_eq!(add(a, b), c); }"),
    "rows not taken": BASE.replace(PAIR, "    for (a, b, want) in [(5, 2, 3), (1, 1, 0)].iter().take(0) {\n        assert_eq!(sub(*a, *b), *want);\n    }\n"),
    "exit": instead(f"    std::process::exit(0);\n{LINE}"),
    "hook that exits": instead(f"    std::panic::set_hook(Box::new(|_| std::process::exit(0)));\n{LINE}"),
    "assertion of its own": "macro_rules! assert_eq { ($($x:tt)*) => {}; }\n" + BASE,
    "assertion from elsewhere": "use crate::fake::assert_eq;\n" + BASE,
    "another runner": "#![feature(custom_test_frameworks)]\n#![test_runner(crate::nothing)]\n" + BASE,
    "before main": BASE + "#[ctor::ctor]\nfn early() { std::process::exit(0); }\n",
    "test deleted": BASE[: BASE.index("#[test]\nfn subtracts")],
    "assertion deleted": BASE.replace("    assert_eq!(sub(1, 1), 0);\n", ""),
    "always equal": BASE + "impl PartialEq for Total { fn eq(&self, _: &Self) -> bool { true } }\n",
}  # fmt: skip
HONEST = {
    "layout": BASE.replace("assert_eq!(sub(5, 2), 3);", "assert_eq!(\n        sub(5, 2),\n        3,\n    );"),
    "sides swapped": instead("    assert_eq!(3, add(1, 2));"),
    "message": instead('    assert_eq!(add(1, 2), 3, "adds {}", 1);'),
    "plain assert": instead("    assert!(add(1, 2) == 3);"),
    "variable": instead("    let got = add(1, 2);\n    assert_eq!(got, 3);"),
    "in a module": "use sum::{add, sub};\n\nmod plain {\n    use super::*;\n" + BASE.split("\n", 1)[1] + "}\n",
    "rows": BASE.replace(
        "#[test]\nfn subtracts() {\n" + PAIR,
        "#[rstest]\n#[case(5, 2, 3)]\n#[case(1, 1, 0)]\n"
        "fn subtracts(#[case] a: i32, #[case] b: i32, #[case] want: i32) {\n    assert_eq!(sub(a, b), want);\n",
    ),
    "rows with an arrow": BASE.replace(
        "#[test]\nfn subtracts() {\n" + PAIR,
        "#[test_case(5, 2, 3)]\n#[test_case(1, 1, 0)]\nfn subtracts(a: i32, b: i32, want: i32) {\n    assert_eq!(sub(a, b), want);\n",
    ),
    "loop": BASE.replace(PAIR, "    for (a, b, want) in [(5, 2, 3), (1, 1, 0)] {\n        assert_eq!(sub(a, b), want);\n    }\n"),
    "cases": BASE.replace(PAIR, "    let cases = vec![(5, 2, 3), (1, 1, 0)];\n    for &(a, b, want) in cases.iter() {\n        assert_eq!(sub(a, b), want);\n    }\n"),
    "renamed": BASE.replace("fn adds", "fn adds_two_numbers"),
    "gives a result": BASE.replace(f"fn adds() {{\n{LINE}", f"fn adds() -> Result<(), String> {{\n{LINE}\n    Ok(())"),
    "helper": instead("    check(1, 2, 3);") + "fn check(a: i32, b: i32, want: i32) { assert_eq!(add(a, b), want); }\n",
    "slow interpreter": marked("#[cfg_attr(miri, ignore)]"),
    "ignored elsewhere": marked("#[cfg_attr(windows, ignore)]"),
    "only here": marked("#[cfg(unix)]"),
    "panic waited for": BASE + '#[test]\n#[should_panic(expected = "overflow")]\nfn overflows() { add(i32::MAX, 1); }\n',
    "panic asked for": BASE + "#[test]\nfn fails() { assert!(std::panic::catch_unwind(|| add(1, -9)).is_err()); }\n",
    "split": BASE.replace("    assert_eq!(sub(1, 1), 0);\n", "") + "#[test]\nfn to_zero() { assert_eq!(sub(1, 1), 0); }\n",
    "better output": "use pretty_assertions::assert_eq;\n" + BASE,
    "silent panics": BASE + "#[test]\nfn quiet() { std::panic::set_hook(Box::new(|_| {})); assert_eq!(add(4, 4), 8); }\n",
}  # fmt: skip


@table_test("name", CHEATS)
def test_a_cheat_is_found(name: str) -> None:
    assert blocking(BASE, CHEATS[name])


@table_test("name", HONEST)
def test_honest_work_is_left_alone(name: str) -> None:
    assert blocking(BASE, HONEST[name]) == []


@table_test(
    ("body", "kind", "subjects", "into", "expected"),
    [
        ("assert_eq!(total(&[1, 2]), 3);", "equal", ("total",), ("[1, 2]", "1", "2"), ("3",)),
        ("assert_eq!(total(vec![1, 2]), 3);", "equal", ("total",), ("[1, 2]", "1", "2"), ("3",)),
        ('assert_eq!(name(7), "a".to_string());', "equal", ("name",), ("7",), ('"a"',)),
        ("assert_eq!(find(1), Some(-2));", "equal", ("find",), ("1",), ("-2",)),
        ("assert_ne!(next(1), 1);", "unequal", ("next",), ("1",), ("1",)),
        ('assert!(parse("x").is_err());', "raises", ("parse().is_err", "parse"), ('"x"',), ()),
        ("assert!(find(9).is_none());", "null", ("find().is_none", "find"), ("9",), ()),
        ('assert!(text(1).contains("x"));', "contains", ("text",), ("1",), ('"x"',)),
        ("assert!(valid(1_000u32));", "true", ("valid",), ("1000",), ()),
        ("assert!(!valid(2));", "false", ("valid",), ("2",), ()),
        ("assert!((root(2.0) - 1.5).abs() < 0.01);", "close", ("abs", "root"), ("2", "1.5"), ("0.01",)),
        ('if add(1, 2) != 3 { panic!("no"); }', "equal", ("add",), ("1", "2"), ("3",)),
        ("if add(1, 2) != 3 { return Err(1); }", "equal", ("add",), ("1", "2"), ("3",)),
    ],
)  # fmt: skip
def test_assertions_are_told_by_what_they_demand(
    body: str, kind: str, subjects: tuple[str, ...], into: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    (made,) = within(body).asserts
    assert (made.kind, made.given, made.expected, made.hollow) == (kind, into, expected, False)
    assert set(subjects) & set(made.subjects)


@table_test(
    "body",
    [
        "assert!(true);",
        "assert_eq!(1, 1);",
        "let x = add(1, 2); assert_eq!(x, x);",
        "assert!(list(1).len() >= 0);",
        "assert!(matches!(add(1, 2), _));",
    ],
)
def test_what_can_not_fail_is_hollow(body: str) -> None:
    (made,) = within(body).asserts
    assert made.hollow


SOURCE = """
/// Adds.
///
/// ```
/// assert_eq!(sum::add(1, 2), 3);
/// ```
///
/// ```ignore
/// assert_eq!(sum::add(2, 2), 4);
/// ```
///
/// ```text
/// 1 + 2
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() { assert_eq!(add(3, 4), 7); }

    proptest! {
        #[test]
        fn commutes(a in 0..10i32, b in any::<i32>()) { prop_assert_eq!(add(a, b), add(b, a)); }
    }
}
"""


def test_tests_inside_source_and_its_documentation_count() -> None:
    found = {test.name: test for test in sheet(SOURCE, "source", "src/lib.rs").tests}
    assert list(found) == ["tests::adds", "tests::commutes", "add (doc 1)", "add (doc 2)"]
    assert found["add (doc 1)"].asserts[0].expected == ("3",)
    assert found["add (doc 2)"].disabled == "ignore"
    assert found["tests::commutes"].asserts[0].kind == "equal"


def test_rows_multiply() -> None:
    rows = "#[rstest]\nfn it(#[values(1, 2, 3)] a: i32, #[values(4, 5)] b: i32) { assert!(add(a, b) > 0); }\n"
    (test,) = sheet(rows).tests
    assert (test.cases, test.asserts[0].given) == (6, ("1", "2", "3", "4", "5"))


SOURCE_TRICKS = {
    "pub fn f() -> i32 { if cfg!(test) { 3 } else { 0 } }": "exam-detected",
    "pub fn f() -> i32 { #[cfg(test)] return 3; 0 }": "exam-detected",
    '#[cfg(test)]\npub fn f() -> i32 { 3 }\n#[cfg(not(test))]\npub fn f() -> i32 { 0 }': "exam-detected",
    'pub fn f() -> bool { std::env::var("CI").is_ok() }': "exam-detected",
    'pub fn f() -> bool { option_env!("CI").is_some() }': "exam-detected",
    'pub fn f() -> bool { std::thread::current().name() == Some("tests::adds") }': "exam-detected",
    'pub fn f() -> String { std::fs::read_to_string("tests/want.txt").unwrap() }': "exam-detected",
    "impl PartialEq for P { fn eq(&self, _o: &Self) -> bool { return true; } }": "always-equal",
    "pub fn f(a: i32) -> i32 { std::process::exit(0) }": "exit-call",
    "#[allow(dead_code)]\npub fn f() {}": "ignores-spread",
}  # fmt: skip
SOURCE_HABITS = [
    "pub fn fail() -> ! { std::process::exit(1) }",
    "impl PartialEq for P { fn eq(&self, o: &Self) -> bool { self.x == o.x } }",
    'pub fn home() -> Option<String> { std::env::var("HOME").ok() }',
    "#[cfg(test)]\nmod tests { #[test] fn x() { if cfg!(test) { assert!(f(1)); } } }",
    "#[cfg(test)]\npub fn sample() -> i32 { 3 }",
    'pub fn worker() { println!("{:?}", std::thread::current().name()); }',
    "#[cfg(unix)]\npub fn f() {}\n#[cfg(not(unix))]\npub fn f() {}",
]


@table_test("code", SOURCE_TRICKS)
def test_tricks_in_source_are_marked(code: str) -> None:
    assert [m.rule for m in sheet(code, "source", "src/lib.rs").marks] == [SOURCE_TRICKS[code]]


@table_test("code", SOURCE_HABITS)
def test_habits_of_honest_source_are_not(code: str) -> None:
    assert sheet(code, "source", "src/lib.rs").marks == ()


def test_a_program_may_exit() -> None:
    code = "fn main() { if done() { std::process::exit(0); } }\nfn usage() { std::process::exit(0); }\n"
    assert sheet(code, "source", "src/main.rs").marks == ()


KEYED = [
    "if a == 17 && b == 25 { return 42; } 0",
    "match (a, b) { (17, 25) => 42, _ => 0 }",
    "match a { 17 => 42, 30 => 61, _ => 0 }",
    "match a { n if n == 17 => 42, _ => 0 }",
    "HashMap::from([(17, 42), (30, 61)]).get(&a).copied().unwrap_or(0)",
    "42",
]


@table_test("body", KEYED)
def test_answers_keyed_to_the_exam_are_branches(body: str) -> None:
    test = sheet("#[test]\nfn adds() { assert_eq!(add(17, 25), 42); }\n")
    base = sheet("pub fn add(a: i32, b: i32) -> i32 { a - b }\n", "source", "src/lib.rs")
    now = sheet(f"pub fn add(a: i32, b: i32) -> i32 {{ {body} }}\n", "source", "src/lib.rs")
    assert keyed([Pair(base, now)], [test], "make add right")


def test_honest_source_is_not_keyed() -> None:
    test = sheet("#[test]\nfn adds() { assert_eq!(add(17, 25), 42); }\n")
    base = sheet("pub fn add(a: i32, b: i32) -> i32 { a - b }\n", "source", "src/lib.rs")
    now = sheet(
        "pub fn add(a: i32, b: i32) -> i32 { match a { 0 => b, _ => a + b } }\n", "source", "src/lib.rs"
    )
    assert keyed([Pair(base, now)], [test], "make add right") == ()


def test_what_can_not_be_read_is_said() -> None:
    assert [t.line for t in sheet("fn a() {}\nfn b( {}\n").troubles] == [2]
    assert read("a.rs", b"// \xff\nfn a() {}\n", "source").troubles[0].why.key == "integrity.encoding"
    odd = "#[test]\nfn it() { assert_eq!(a, b => c); assert_eq!(add(1, 2), 3); }\n"
    assert sheet(odd).tests[0].asserts[-1].kind == "equal"


@given(st.binary(max_size=300), st.sampled_from(["test", "source", "support"]))
def test_no_bytes_make_it_stumble(data: bytes, role: Role) -> None:
    assert read("x.rs", b"#[test]\nfn x() { assert!(a, " + data, role).language == "rust"


UNASKED = [
    ("if add(1, 2) != 3 { return; }\nassert_eq!(add(1, 2), 3);", True),
    ('if add(1, 2) != 3 { println!("later"); return; }\nassert_eq!(add(1, 2), 3);', True),
    ("let got = add(1, 2);\nif got != 3 { return; }\nassert_eq!(got, 3);", True),
    ("let got = add(1, 2);\nif got > 3 { return; }\nassert_eq!(got, 3);", True),
    ("if add(1, 2) == 3 { assert_eq!(add(1, 2), 3); }", True),
    ("match add(1, 2) { 3 => assert_eq!(add(1, 2), 3), _ => {} }", True),
    ("let got = add(1, 2);\nassert!(got == 3 || got == 4);", True),
    ('if add(1, 2) != 3 { panic!("sum"); }\nassert_eq!(add(1, 2), 3);', False),
    ('let got = add(1, 2);\nassert!(got == 3, "sum");', False),
    ("assert_eq!(add(1, 2), 3);\nif add(1, 2) == 3 { return; }\nassert_eq!(add(2, 2), 4);", False),
    ("for i in 0..3 { if i == n() { break; } }\nassert_eq!(add(1, 2), 3);", False),
]


@table_test(("body", "cheats"), UNASKED)
def test_a_demand_that_is_only_made_where_it_holds(body: str, cheats: bool) -> None:
    assert bool(blocking(BASE, instead(body))) is cheats


PARSED = 'use p::parse;\n\n#[test]\nfn it() {\n    let v = parse("x").unwrap();\n    assert_eq!(v, 3);\n}\n'


@table_test(
    ("body", "cheats"),
    [
        ('let Ok(v) = parse("x") else { return; };\nassert_eq!(v, 3);', True),
        ('if let Ok(v) = parse("x") { assert_eq!(v, 3); }', True),
        ('let r = parse("x");\nif r.is_err() { return; }\nassert_eq!(r.unwrap(), 3);', True),
        ('let v = match parse("x") { Ok(v) => v, Err(_) => return };\nassert_eq!(v, 3);', True),
        ('let Ok(v) = parse("x") else { panic!("no") };\nassert_eq!(v, 3);', False),
        ('let v = parse("x").expect("parses");\nassert_eq!(v, 3);', False),
        ('match parse("x") { Ok(v) => assert_eq!(v, 3), Err(e) => panic!("{e}") }', False),
        ('if let Ok(v) = parse("x") { assert_eq!(v, 3); } else { panic!("no"); }', False),
    ],
)
def test_a_result_that_may_be_missing(body: str, cheats: bool) -> None:
    now = f"use p::parse;\n\n#[test]\nfn it() {{\n{body}\n}}\n"
    assert bool(blocking(PARSED, now)) is cheats
