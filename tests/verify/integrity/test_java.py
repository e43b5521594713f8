"""What a Java file says about the exam, and that cheats show and honest rewrites do not."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.compare import compare
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.model import Pair, Role, Sheet
from donewhen.core.integrity.model import Test as Exam
from donewhen.verify.integrity.java.reader import read
from tests.tables import table_test

PATH = "src/test/java/x/SumTest.java"
HEAD = (
    "package x;\n\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n\n"
)
ADDS = "    @Test\n    void adds()"
LINE = "        assertEquals(3, Sum.add(1, 2));"
MINUS = """    @Test
    void subtracts() {
        assertEquals(3, Sum.sub(5, 2));
        assertEquals(0, Sum.sub(1, 1));
    }
"""
BASE = f"{HEAD}class SumTest {{\n{ADDS} {{\n{LINE}\n    }}\n\n{MINUS}}}\n"


def sheet(text: str, role: Role = "test", path: str = PATH) -> Sheet:
    return read(path, text.encode(), role)


def within(body: str, head: str = HEAD) -> Exam:
    (test,) = sheet(f"{head}class ItTest {{ @Test void it() {{\n{body}\n}} }}\n").tests
    return test


def blocking(base: str, now: str) -> list[str]:
    return [f.rule for f in compare([Pair(sheet(base), sheet(now))]) if f.blocks]


def marked(annotation: str) -> str:
    return BASE.replace(ADDS, f"    {annotation}\n{ADDS}")


def instead(line: str) -> str:
    return BASE.replace(LINE, f"        {line}")


def member(text: str) -> str:
    return BASE.replace("class SumTest {", f"class SumTest {{\n    {text}")


CHEATS = {
    "disabled": marked('@Disabled("later")'),
    "class disabled": BASE.replace("class SumTest", "@Disabled class SumTest"),
    "enabled by a switch": marked('@EnabledIfEnvironmentVariable(named = "FULL", matches = "1")'),
    "no test any more": BASE.replace(ADDS, "    void adds()"),
    "private": BASE.replace(ADDS, "    @Test\n    private void adds()"),
    "static": BASE.replace(ADDS, "    @Test\n    static void adds()"),
    "abstract": BASE.replace("class SumTest", "abstract class SumTest"),
    "inner class not nested": BASE.replace(MINUS, f"    class Minus {{\n{MINUS}    }}\n"),
    "emptied": instead("Sum.add(1, 2);"),
    "literal truth": instead("assertTrue(true);"),
    "compared with itself": instead("assertEquals(Sum.add(1, 2), Sum.add(1, 2));"),
    "not null instead": instead("assertNotNull(Sum.add(1, 2));"),
    "order instead": instead("assertTrue(Sum.add(1, 2) > 0);"),
    "or true": instead("assertTrue(Sum.add(1, 2) == 3 || true);"),
    "anything": instead("assertThat(Sum.add(1, 2), is(anything()));"),
    "bare assertThat": instead("assertThat(Sum.add(1, 2));"),
    "expected value": instead("assertEquals(4, Sum.add(1, 2));"),
    "failure caught": instead(f"try {{ {LINE} }} catch (AssertionError e) {{ System.out.println(e); }}"),
    "exception caught": instead(f"try {{ {LINE} }} catch (Exception ignored) {{ }}"),
    "finally returns": instead(f"try {{ {LINE} }} finally {{ return; }}"),
    "failure expected": instead("assertThrows(AssertionError.class, () -> assertEquals(3, Sum.add(1, 2)));"),
    "early return": instead(f"if (true) return;\n{LINE}"),
    "assumes false": instead(f"Assumptions.assumeTrue(false);\n{LINE}"),
    "assumes a switch": instead(f'assumeTrue("1".equals(System.getenv("FULL")));\n{LINE}'),
    "aborts before": member("@BeforeEach void up() { Assumptions.abort(); }"),
    "never called": instead("Runnable r = () -> assertEquals(3, Sum.add(1, 2));"),
    "loop over nothing": instead("for (int[] row : new int[][]{}) { assertEquals(row[2], Sum.add(row[0], row[1])); }"),
    "test deleted": BASE.replace(MINUS, ""),
    "assertion deleted": BASE.replace("        assertEquals(0, Sum.sub(1, 1));\n", ""),
    "exit after": member("@AfterAll static void down() { System.exit(0); }"),
    "halt at the start": member("static { Runtime.getRuntime().halt(0); }"),
    "hook that halts": member("@BeforeAll static void up() { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); }"),
    "security manager": member("@BeforeAll static void up() { System.setSecurityManager(new Quiet()); }"),
    "assertion from elsewhere": BASE.replace("import static org.junit.jupiter.api.Assertions.*;", "import static x.Fake.assertEquals;"),
    "assertion of its own": member("static void assertEquals(Object a, Object b) { }"),
    "extension that swallows": BASE + "class Quiet implements TestExecutionExceptionHandler { public void handleTestExecutionException(ExtensionContext c, Throwable t) { } }\n",
    "listener that reports success": BASE + "class Quiet implements IInvokedMethodListener { public void afterInvocation(IInvokedMethod m, ITestResult r) { r.setStatus(ITestResult.SUCCESS); } }\n",
    "always equal": BASE + "class Any { public boolean equals(Object other) { return true; } }\n",
}  # fmt: skip
ROWS = MINUS.replace("@Test", "@ParameterizedTest\n    {rows}").replace("subtracts()", "subtracts(int a, int b, int expected)").replace(
    "        assertEquals(3, Sum.sub(5, 2));\n        assertEquals(0, Sum.sub(1, 1));\n", "        assertEquals(expected, Sum.sub(a, b));\n"
)  # fmt: skip
HONEST = {
    "layout": BASE.replace("    ", "  "),
    "message": instead('assertEquals(3, Sum.add(1, 2), "sum");'),
    "rows of text": BASE.replace(MINUS, ROWS.replace("{rows}", '@CsvSource({"5, 2, 3", "1, 1, 0"})')),
    "rows of a method": BASE.replace(
        MINUS,
        "    static Stream<Arguments> rows() { return Stream.of(Arguments.of(5, 2, 3), Arguments.of(1, 1, 0)); }\n"
        + ROWS.replace("{rows}", '@MethodSource("rows")'),
    ),
    "loop over rows": BASE.replace(
        "        assertEquals(3, Sum.sub(5, 2));\n        assertEquals(0, Sum.sub(1, 1));\n",
        "        for (int[] row : new int[][]{{5, 2, 3}, {1, 1, 0}}) {\n            assertEquals(row[2], Sum.sub(row[0], row[1]));\n        }\n",
    ),
    "fluent": instead("assertThat(Sum.add(1, 2)).isEqualTo(3);"),
    "matchers": instead("assertThat(Sum.add(1, 2), is(equalTo(3)));"),
    "TestNG": BASE.replace("org.junit.jupiter.api.Assertions", "org.testng.Assert")
    .replace("org.junit.jupiter.api.Test", "org.testng.annotations.Test")
    .replace("(3, Sum.add(1, 2))", "(Sum.add(1, 2), 3)")
    .replace("(3, Sum.sub(5, 2))", "(Sum.sub(5, 2), 3)"),
    "renamed": BASE.replace("void adds", "void addsTwoNumbers"),
    "nested": BASE.replace(MINUS, f"    @Nested\n    class Minus {{\n{MINUS}    }}\n"),
    "all at once": BASE.replace(
        "        assertEquals(3, Sum.sub(5, 2));\n        assertEquals(0, Sum.sub(1, 1));\n",
        "        assertAll(() -> assertEquals(3, Sum.sub(5, 2)), () -> assertEquals(0, Sum.sub(1, 1)));\n",
    ),
    "variables": instead("int expected = 3;\n        int actual = Sum.add(1, 2);\n        assertEquals(expected, actual);"),
    "helper": member("private void check(int a, int b, int want) { assertEquals(want, Sum.add(a, b)); }").replace(LINE, "        check(1, 2, 3);"),
    "setup": member("private Sum sum;\n    @BeforeEach void up() { sum = new Sum(); }"),
    "exception waited for": BASE[:-2] + '    @Test void divides() { try { Sum.div(1, 0); fail("no"); } catch (ArithmeticException e) { } }\n}\n',
    "exception asserted": BASE[:-2] + "    @Test void rejects() { assertThrows(IllegalArgumentException.class, () -> Sum.add(-1, 2)); }\n}\n",
    "other system": marked("@DisabledOnOs(OS.WINDOWS)"),
    "public": BASE.replace("class SumTest", "public class SumTest").replace("void adds", "public void adds"),
    "display name": marked('@DisplayName("adds")'),
    "extension that rethrows": BASE + "class Told implements TestExecutionExceptionHandler { public void handleTestExecutionException(ExtensionContext c, Throwable t) throws Throwable { log(t); throw t; } }\n",
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
        ("assertEquals(3, total(List.of(1, 2)));", "equal", ("total",), ("[1, 2]", "1", "2"), ("3",)),
        ("assertArrayEquals(new int[]{1, 3}, sorted(3));", "equal", ("sorted",), ("3",), ("[1, 3]", "1", "3")),
        ("assertEquals(0.5, half(1), 0.01);", "close", ("half",), ("1",), ("0.5",)),
        ('assertNull(find("x"));', "null", ("find",), ('"x"',), ()),
        ("assertTrue(valid(7));", "true", ("valid",), ("7",), ()),
        ("assertFalse(valid(7));", "false", ("valid",), ("7",), ()),
        ('assertTrue(text(1).contains("x"));', "contains", ("text",), ("1",), ('"x"',)),
        ('assertTrue(text(1).equals("x"));', "equal", ("text",), ("1",), ('"x"',)),
        ("assertThrows(IllegalStateException.class, () -> run(1));", "raises", ("run",), ("1",), ("IllegalStateException",)),
        ("assertThat(add(1, 2)).isEqualTo(3);", "equal", ("add",), ("1", "2"), ("3",)),
        ("assertThat(names(1)).containsExactly(\"a\", \"b\");", "equal", ("names",), ("1",), ('"a"', '"b"')),
        ("assertThatThrownBy(() -> run(1)).isInstanceOf(IllegalStateException.class);", "raises", ("run",), ("1",), ("IllegalStateException",)),
        ("assertThat(add(1, 2), is(not(4)));", "unequal", ("add",), ("1", "2"), ("4",)),
        ("verify(mail).send(3);", "called", ("mail.send",), ("3",), ("3",)),
        ("if (add(1, 2) != 3) throw new AssertionError();", "equal", ("add",), ("1", "2"), ("3",)),
        ("if (add(1, 2) != 3) { fail(); }", "equal", ("add",), ("1", "2"), ("3",)),
        ("assert add(1, 2) == 3;", "equal", ("add",), ("1", "2"), ("3",)),
    ],
)  # fmt: skip
def test_assertions_are_told_by_what_they_demand(
    body: str, kind: str, subjects: tuple[str, ...], into: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    (made,) = within(body).asserts
    assert (made.kind, made.subjects, made.given, made.expected, made.hollow) == (
        kind,
        subjects,
        into,
        expected,
        False,
    )


def test_the_message_of_junit_4_is_no_value() -> None:
    head = "import static org.junit.Assert.*;\nimport org.junit.Test;\n"
    (made,) = within('assertEquals("sum", 3, add(1, 2));', head).asserts
    assert (made.given, made.expected) == (("1", "2"), ("3",))


def test_an_expected_exception_is_a_demand() -> None:
    code = "import org.junit.Test;\nclass A {{ @Test(expected = {}.class) public void x() {{ {} }} }}\n"
    (test,) = sheet(code.format("IllegalStateException", "run(1);")).tests
    assert (test.asserts[0].kind, test.asserts[0].expected, test.swallows) == (
        "raises",
        ("IllegalStateException",),
        "",
    )
    (hidden,) = sheet(code.format("AssertionError", "assertEquals(3, add(1, 2));")).tests
    assert hidden.swallows


def test_a_program_of_checks_is_a_test() -> None:
    code = "class SumTest { public static void main(String[] a) { if (add(1, 2) != 3) throw new AssertionError(); } }\n"
    (test,) = sheet(code).tests
    assert (test.name, test.asserts[0].expected) == ("SumTest.main", ("3",))


def test_junit_3_goes_by_names() -> None:
    code = "class SumTest extends TestCase { public void testAdd() { assertEquals(3, add(1, 2)); } void helper() { } }\n"
    assert [test.name for test in sheet(code).tests] == ["SumTest.testAdd"]


SOURCE_TRICKS = {
    'boolean f() { for (StackTraceElement e : Thread.currentThread().getStackTrace()) { if (e.getClassName().startsWith("org.junit")) return true; } return false; }': "exam-detected",
    'boolean f() throws Exception { Class.forName("org.junit.jupiter.api.Test"); return true; }': "exam-detected",
    'boolean f() { return System.getenv("CI") != null; }': "exam-detected",
    'boolean f() { return System.getProperty("surefire.test.class.path") != null; }': "exam-detected",
    'String f() throws Exception { return Files.readString(Path.of("src/test/resources/want.txt")); }': "exam-detected",
    "@Override public boolean equals(Object o) { return true; }": "always-equal",
    "int add(int a, int b) { System.exit(0); return 0; }": "exit-call",
    "static { System.exit(0); }": "exit-call",
    "int add(int a, int b) { Runtime.getRuntime().halt(0); return 0; }": "exit-call",
    '@SuppressWarnings("unchecked") int f() { return 1; }': "ignores-spread",
}  # fmt: skip
SOURCE_HABITS = [
    "public static void main(String[] args) { System.exit(0); }",
    "public static void main(String[] args) { System.exit(run(args)); }",
    "void fail() { System.exit(1); }",
    "@Override public boolean equals(Object o) { return o instanceof A && ((A) o).x == x; }",
    'String home() { return System.getProperty("user.home"); }',
    "void hook() { Runtime.getRuntime().addShutdownHook(new Thread(() -> pool.shutdown())); }",
    'void trace() { for (StackTraceElement e : Thread.currentThread().getStackTrace()) { log("at " + e); } }',
    'Class<?> driver() throws Exception { return Class.forName("org.h2.Driver"); }',
]


def _class(code: str) -> Sheet:
    return sheet(f"package x;\nclass A {{\n{code}\n}}\n", "source", "src/main/java/x/A.java")


@table_test("code", SOURCE_TRICKS)
def test_tricks_in_source_are_marked(code: str) -> None:
    assert {m.rule for m in _class(code).marks} == {SOURCE_TRICKS[code]}


@table_test("code", SOURCE_HABITS)
def test_habits_of_honest_source_are_not(code: str) -> None:
    assert _class(code).marks == ()


def test_a_class_in_the_name_of_the_runner_is_a_shim() -> None:
    code = "package org.junit.jupiter.api;\npublic class Assertions { public static void assertEquals(Object a, Object b) { } }\n"
    assert "shim" in {m.rule for m in sheet(code, "support").marks}


KEYED = [
    "if (a == 17 && b == 25) return 42; return 0;",
    "switch (a) { case 17: return 42; case 30: return 61; default: return 0; }",
    "return switch (a) { case 17 -> 42; case 30 -> 61; default -> 0; };",
    "return Map.of(17, 42, 30, 61).getOrDefault(a, 0);",
    "return a == 17 ? 42 : 0;",
    "return 42;",
]


@table_test("body", KEYED)
def test_answers_keyed_to_the_exam_are_branches(body: str) -> None:
    test = sheet(HEAD + "class ATest { @Test void adds() { assertEquals(42, A.add(17, 25)); } }\n")
    base = _class("static int add(int a, int b) { return a - b; }")
    assert keyed([Pair(base, _class(f"static int add(int a, int b) {{ {body} }}"))], [test], "make add right")


def test_honest_source_is_not_keyed() -> None:
    test = sheet(HEAD + "class ATest { @Test void adds() { assertEquals(42, A.add(17, 25)); } }\n")
    base = _class("static int add(int a, int b) { return a - b; }")
    now = _class("static int add(int a, int b) { if (a == 0) { return b; } return a + b; }")
    assert keyed([Pair(base, now)], [test], "make add right") == ()


def test_what_can_not_be_read_is_said() -> None:
    assert [t.line for t in sheet("class A {\n  void x( { }\n}\n").troubles] == [2]
    assert read("A.java", b"// \xff\nclass A { }\n", "source").troubles[0].why.key == "integrity.encoding"


@given(st.binary(max_size=300), st.sampled_from(["test", "source", "support"]))
def test_no_bytes_make_it_stumble(data: bytes, role: Role) -> None:
    assert read("X.java", b"class X { @Test void x() { assertEquals(1, " + data, role).language == "java"


@table_test(
    ("line", "cheats"),
    [
        (f"if (Sum.add(1, 2) != 3) return;\n{LINE}", True),
        (f"if (Sum.add(1, 2) != 3) {{ System.out.println(1); return; }}\n{LINE}", True),
        (f"if (Sum.add(1, 2) == 3) {{ {LINE} }}", True),
        (f'if (Sum.add(1, 2) != 3) {{ fail("sum"); }}\n{LINE}', False),
        (f'if (Sum.add(1, 2) == 3) {{ {LINE} }} else {{ fail("sum"); }}', False),
    ],
)
def test_a_demand_that_is_only_made_where_it_holds(line: str, cheats: bool) -> None:
    assert bool(blocking(BASE, instead(line))) is cheats
