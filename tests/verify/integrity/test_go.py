"""What a Go file says about the exam, and that cheats show and honest rewrites do not."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.compare import compare
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.model import Pair, Role, Sheet
from donewhen.core.integrity.model import Test as Exam
from donewhen.verify.integrity.go.reader import read
from tests.tables import table_test

HEAD = 'package sum\n\nimport "testing"\n\n'
ADD = """func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add(1, 2) = %d, want 3", got)
	}
}
"""
SUB = """
func TestSub(t *testing.T) {
	if got := Sub(5, 2); got != 3 {
		t.Errorf("Sub = %d", got)
	}
	if got := Sub(1, 1); got != 0 {
		t.Errorf("Sub = %d", got)
	}
}
"""
TABLE = """
func TestSub(t *testing.T) {
	tests := []struct {
		name       string
		a, b, want int
	}{
		{"plain", 5, 2, 3},
		{"zero", 1, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sub(tt.a, tt.b); got != tt.want {
				t.Errorf("Sub() = %v, want %v", got, tt.want)
			}
		})
	}
}
"""
BASE = HEAD + ADD + SUB
OPEN = "func TestAdd(t *testing.T) {"


def sheet(text: str, role: Role = "test", path: str = "sum_test.go") -> Sheet:
    return read(path, text.encode(), role)


def only(body: str, head: str = HEAD) -> Exam:
    (test,) = sheet(head + body).tests
    return test


def within(body: str) -> Exam:
    return only(f"func TestIt(t *testing.T) {{\n{body}\n}}\n")


def blocking(base: str, now: str) -> list[str]:
    return [f.rule for f in compare([Pair(sheet(base), sheet(now))]) if f.blocks]


def first(text: str) -> str:
    """The test file with something put first into TestAdd."""
    return BASE.replace(OPEN, f"{OPEN}\n\t{text}")


CHEATS = {
    "skip": first('t.Skip("flaky")'),
    "skip by a switch": first('if os.Getenv("FULL") == "" { t.Skip() }'),
    "return by a switch": first('if os.Getenv("FULL") == "" { return }'),
    "early return": first("return"),
    "return under true": first("if true { return }"),
    "told, not failed": BASE.replace('t.Errorf("Add', 't.Logf("Add'),
    "expected value": BASE.replace('3 {\n\t\tt.Errorf("Add', '4 {\n\t\tt.Errorf("Add'),
    "weaker condition": BASE.replace('!= 3 {\n\t\tt.Errorf("Add', '< 0 {\n\t\tt.Errorf("Add'),
    "easier input": BASE.replace("Add(1, 2)", "Add(0, 3)"),
    "compared with itself": BASE.replace("got := Add(1, 2); got != 3", "got := Add(1, 2); got != got"),
    "wanted is what came": BASE.replace(
        "got := Add(1, 2); got != 3", "got := Add(1, 2); got != want"
    ).replace(OPEN, f"{OPEN}\n\twant := Add(1, 2)\n\tgot := want\n\t_ = got"),
    "never holds": BASE.replace("; got != 3", "; false && got != 3"),
    "under false": HEAD
    + ADD.replace("\tif got", "\tif false {\n\tif got").replace("\t}\n}", "\t}\n\t}\n}")
    + SUB,
    "test deleted": HEAD + ADD,
    "assertion deleted": BASE.replace(
        '\tif got := Sub(1, 1); got != 0 {\n\t\tt.Errorf("Sub = %d", got)\n\t}\n', ""
    ),
    "not collected by name": BASE.replace("func TestSub", "func testSub"),
    "not collected by case": BASE.replace("func TestSub", "func Testsub"),
    "build ignore": "//go:build ignore\n\n" + BASE,
    "tag of its own": "//go:build integration\n\n" + BASE,
    "old tag": "// +build never\n\n" + BASE,
    "other system": "//go:build windows\n\n" + BASE,
    "TestMain says 0": BASE + "\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n",
    "TestMain runs nothing": BASE + "\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
    "TestMain forgets": BASE + "\nfunc TestMain(m *testing.M) { code := m.Run(); code = 0; os.Exit(code) }\n",
    "init ends it": BASE + "\nfunc init() { os.Exit(0) }\n",
    "variable ends it": BASE + "\nvar _ = func() int { os.Exit(0); return 0 }()\n",
    "flags of the runner": BASE + '\nfunc init() { flag.Set("test.run", "^$") }\n',
    "T of its own": first("t = &testing.T{}"),
    "panics are swallowed": first("defer func() { _ = recover() }()"),
    "panics are only told": first("defer func() { if r := recover(); r != nil { t.Log(r) } }()"),
    "another testing": BASE.replace('import "testing"', 'import testing "example.com/sum/quiet"'),
    "row left out": BASE.replace(
        SUB,
        TABLE.replace("t.Run(tt.name", 'if tt.name == "zero" {\n\t\t\tcontinue\n\t\t}\n\t\tt.Run(tt.name'),
    ),
    "table cut short": BASE.replace(SUB, TABLE.replace("range tests", "range tests[:0]")),
    "row deleted": BASE.replace(SUB, TABLE.replace('\t\t{"zero", 1, 1, 0},\n', "")),
    "always equal": BASE + "\nfunc (v Value) Equal(other Value) bool { return true }\n",
    "comparer that agrees": first("opt := cmp.Comparer(func(a, b int) bool { return true })\n\t_ = opt"),
}
HONEST = {
    "layout": BASE.replace("\n\tif", "\n\n    if"),
    "comments": BASE.replace("\tif got := Add", "\t// adds\n\tif got := Add"),
    "table": HEAD + ADD + TABLE,
    "table by name": HEAD + ADD + """
type subCase struct{ a, b, want int }

func TestSub(t *testing.T) {
	for name, tt := range map[string]subCase{"plain": {a: 5, b: 2, want: 3}, "zero": {1, 1, 0}} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, Sub(tt.a, tt.b)) })
	}
}
""",
    "parts": HEAD + """func TestSum(t *testing.T) {
	t.Run("add", func(t *testing.T) {
		if got := Add(1, 2); got != 3 { t.Errorf("got %d", got) }
	})
	t.Run("sub", func(t *testing.T) {
		if got := Sub(5, 2); got != 3 { t.Fatalf("got %d", got) }
		if got := Sub(1, 1); got != 0 { t.Fatal(got) }
	})
}
""",
    "testify": 'package sum\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\n'
    "func TestAdd(t *testing.T) { assert.Equal(t, 3, Add(1, 2)) }\n"
    "func TestSub(t *testing.T) {\n\tassert.Equal(t, 3, Sub(5, 2))\n\tassert.Equal(t, 0, Sub(1, 1))\n}\n",
    "helper": HEAD + """func equal(t *testing.T, got, want int) {
	t.Helper()
	if got != want { t.Errorf("got %d, want %d", got, want) }
}
func TestAdd(t *testing.T) { equal(t, Add(1, 2), 3) }
func TestSub(t *testing.T) { equal(t, Sub(5, 2), 3); equal(t, Sub(1, 1), 0) }
""",
    "closure": HEAD + ADD + """
func TestSub(t *testing.T) {
	check := func(a, b, want int) {
		if got := Sub(a, b); got != want { t.Errorf("got %d", got) }
	}
	check(5, 2, 3)
	check(1, 1, 0)
}
""",
    "test added": BASE + '\nfunc TestMul(t *testing.T) { if Mul(2, 3) != 6 { t.Error("mul") } }\n',
    "panic waited for": BASE + '\nfunc TestDiv(t *testing.T) {\n\tdefer func() { if r := recover(); r == nil { t.Error("no panic") } }()\n\tDiv(1, 0)\n}\n',
    "renamed": BASE.replace("TestSub", "TestSubtract"),
    "parallel": first("t.Parallel()"),
    "short runs": first('if testing.Short() { t.Skip("slow") }'),
    "TestMain with setup": BASE + "\nfunc TestMain(m *testing.M) { setup(); code := m.Run(); teardown(); os.Exit(code) }\n",
    "TestMain plain": BASE + "\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n",
    "leaks are watched": BASE + "\nfunc TestMain(m *testing.M) { goleak.VerifyTestMain(m) }\n",
    "names for values": BASE.replace("if got := Add(1, 2); got != 3 {", "want := 3\n\tgot := Add(1, 2)\n\tif got != want {"),
    "difference": BASE.replace("got := Add(1, 2); got != 3", 'got := cmp.Diff(3, Add(1, 2)); got != ""'),
    "fake program": first('t.Setenv("PATH", t.TempDir())'),
    "child process": BASE + '\nfunc TestHelperProcess(t *testing.T) {\n\tif os.Getenv("GO_WANT_HELPER_PROCESS") != "1" { return }\n\tos.Exit(0)\n}\n',
    "library of others": BASE.replace('import "testing"', 'import (\n\t"testing"\n\tassert "github.com/alecthomas/assert/v2"\n)'),
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
        ("if Total([]int{1, 2}) != 3 { t.Fatal() }", "equal", ("Total",), ("[1, 2]", "1", "2"), ("3",)),
        ("if got := Total(4); got == 5 { t.Fatal() }", "unequal", ("Total",), ("4",), ("5",)),
        ("if !reflect.DeepEqual(Keys(1), []string{\"a\"}) { t.Error() }", "equal", ("Keys",), ("1",), ('["a"]', '"a"')),
        ("if !strings.Contains(Text(7), \"x\") { t.Error() }", "contains", ("Text",), ("7",), ('"x"',)),
        ("_, err := Parse(\"x\")\nif err != nil { t.Fatal(err) }", "null", ("Parse",), ('"x"',), ()),
        ("_, err := Parse(\"y\")\nif err == nil { t.Fatal() }", "raises", ("Parse",), ('"y"',), ()),
        ("if !Valid(9) { t.Error() }", "true", ("Valid",), ("9",), ()),
        ("if Valid(9) { t.Error() }", "false", ("Valid",), ("9",), ()),
        ("if Count(3) < 10 { t.Error() }", "order", ("Count",), ("3",), ("10",)),
        ("if math.Abs(Root(2)-1.414) > 0.01 { t.Error() }", "close", ("math.Abs", "Root"), ("2", "1.414"), ("0.01",)),
        ("if Name() == \"a\" { t.Log(1) } else { t.Error() }", "equal", ("Name",), (), ('"a"',)),
        ("switch { case Add(1, 2) != 3: t.Error() }", "equal", ("Add",), ("1", "2"), ("3",)),
        ("require.NoError(t, Save(1))", "null", ("Save",), ("1",), ()),
        ("assert.Len(t, Split(\"a,b\"), 2)", "equal", ("Split",), ('"a,b"',), ("2",)),
        ("assert.InDelta(t, 0.5, Half(1), 0.1)", "close", ("Half",), ("1",), ("0.5",)),
        ("assert.ErrorIs(t, Load(1), ErrGone)", "raises", ("Load",), ("1",), ()),
        ("Expect(Add(1, 2)).To(Equal(3))", "equal", ("Add",), ("1", "2"), ("3",)),
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


@table_test(
    "body",
    [
        "assert.True(t, true)",
        "assert.Equal(t, 1, 1)",
        "x := Add(1, 2)\nassert.Equal(t, x, x)",
        "if len(List(1)) < 0 { t.Error() }",
        "assert.Equal(new(testing.T), 3, Add(1, 2))",
        "assert.True(t, Add(1, 2) == 3 || true)",
    ],
)
def test_what_can_not_fail_is_hollow(body: str) -> None:
    (made,) = within(body).asserts
    assert made.hollow


def test_each_part_that_must_hold_is_an_assertion() -> None:
    assert [a.kind for a in within("if a(1) != 2 || b(3) == nil { t.Error() }").asserts] == [
        "equal",
        "not_null",
    ]


def test_an_example_runs_only_with_its_output() -> None:
    example = "func ExampleAdd() {\n\tfmt.Println(Add(1, 2))\n\t// Output: 3\n}\n"
    (made,) = only(example).asserts
    assert (made.kind, made.subjects, made.given, made.expected) == ("equal", ("Add",), ("1", "2"), ('"3"',))
    assert sheet(HEAD + example.replace("\t// Output: 3\n", "")).tests == ()


def test_rows_of_tables_and_seeds_are_counted() -> None:
    assert within("for _, n := range []int{1, 2, 3} { if F(n) != n { t.Error() } }").cases == 3
    assert (
        only(
            'func FuzzX(f *testing.F) { f.Add("a"); f.Add("b"); f.Fuzz(func(t *testing.T, s string) {}) }'
        ).cases
        == 2
    )


def test_parts_carry_the_skip_of_the_whole() -> None:
    (part,) = sheet(
        HEAD
        + 'func TestA(t *testing.T) { t.Skip(); t.Run("b c", func(t *testing.T) { if F() != 1 { t.Error() } }) }'
    ).tests
    assert (part.name, part.disabled) == ("TestA/b_c", "t.Skip()")


def test_a_suite_has_its_methods_for_tests() -> None:
    head = 'package a\nimport "github.com/stretchr/testify/suite"\n'
    test = only("func (s *CartSuite) TestTotal() { s.Equal(3, Total(1, 2)) }\n", head)
    assert (test.name, test.asserts[0].expected) == ("CartSuite/TestTotal", ("3",))


SOURCE_TRICKS = {
    'func F() bool { return flag.Lookup("test.v") != nil }': "exam-detected",
    "func F() bool { return testing.Testing() }": "exam-detected",
    'func F() bool { return os.Getenv("CI") != "" }': "exam-detected",
    'func F() bool { return os.Getenv("APP_ENV") == "test" }': "exam-detected",
    'func F() bool { return strings.HasSuffix(os.Args[0], ".test") }': "exam-detected",
    'func F() bool { _, file, _, _ := runtime.Caller(1); return strings.HasSuffix(file, "_test.go") }': "exam-detected",
    'func F() []byte { data, _ := os.ReadFile("testdata/want.json"); return data }': "exam-detected",
    "func (p Point) Equal(other Point) bool { return true }": "always-equal",
    "func (e Err) Is(target error) bool { return true }": "always-equal",
    "func Add(a, b int) int { os.Exit(0); return 0 }": "exit-call",
    "func init() { syscall.Exit(0) }": "exit-call",
    "func F() { x() //nolint:errcheck\n}": "ignores-spread",
}  # fmt: skip
SOURCE_HABITS = [
    "func main() { os.Exit(run(os.Args)) }",
    "func fail() { os.Exit(1) }",
    'func home() string { return os.Getenv("HOME") }',
    'func where() string { _, file, line, _ := runtime.Caller(1); return fmt.Sprint(file, ":", line) }',
    "func (p Point) Equal(other Point) bool { return p.x == other.x }",
    'func verbose() bool { return flag.Lookup("v") != nil }',
    'func load() ([]byte, error) { return os.ReadFile("config/app.json") }',
    "func (p Point) Valid() bool { return true }",
]


@table_test("code", SOURCE_TRICKS)
def test_tricks_in_source_are_marked(code: str) -> None:
    assert [m.rule for m in sheet(f"package lib\n{code}\n", "source", "lib.go").marks] == [
        SOURCE_TRICKS[code]
    ]


@table_test("code", SOURCE_HABITS)
def test_habits_of_honest_source_are_not(code: str) -> None:
    assert sheet(f"package lib\n{code}\n", "source", "lib.go").marks == ()


def test_a_program_may_exit() -> None:
    code = "package main\nfunc main() { if x { os.Exit(0) } }\nfunc usage() { fmt.Println(1); os.Exit(0) }\n"
    assert sheet(code, "source", "main.go").marks == ()


KEYED = [
    "if a == 17 && b == 25 { return 42 }\n\treturn 0",
    "switch a {\n\tcase 17: return 42\n\tcase 30: return 61\n\t}\n\treturn 0",
    "return map[int]int{17: 42, 30: 61}[a]",
    "answers := map[int]int{17: 42, 30: 61}\n\tif v, ok := answers[a]; ok { return v }\n\treturn 0",
    'return map[string]int{"17,25": 42, "30,31": 61}[fmt.Sprintf("%d,%d", a, b)]',
    "return 42",
]


@table_test("body", KEYED)
def test_answers_keyed_to_the_exam_are_branches(body: str) -> None:
    test = sheet(HEAD + "func TestAdd(t *testing.T) {\n\tif Add(17, 25) != 42 { t.Error() }\n}\n")
    base = sheet("package sum\nfunc Add(a, b int) int { return a - b }\n", "source", "sum.go")
    now = sheet(f"package sum\nfunc Add(a, b int) int {{\n\t{body}\n}}\n", "source", "sum.go")
    assert now.branches
    assert keyed([Pair(base, now)], [test], "make Add right")


def test_honest_source_is_not_keyed() -> None:
    test = sheet(HEAD + "func TestAdd(t *testing.T) {\n\tif Add(17, 25) != 42 { t.Error() }\n}\n")
    base = sheet("package sum\nfunc Add(a, b int) int { return a - b }\n", "source", "sum.go")
    now = sheet(
        "package sum\nfunc Add(a, b int) int {\n\tif a == 0 { return b }\n\treturn a + b\n}\n",
        "source",
        "sum.go",
    )
    assert keyed([Pair(base, now)], [test], "make Add right") == ()


def test_layout_and_comments_leave_the_digest() -> None:
    other = BASE.replace("\tif", "\t// why\n\t\tif").replace("got := Add(1, 2)", "got := Add(\n1,\n2,\n)")
    assert sheet(BASE).digest == sheet(other).digest
    assert sheet(BASE).digest != sheet("//go:build linux\n\n" + BASE).digest


def test_what_can_not_be_read_is_said() -> None:
    assert [t.line for t in sheet("package a\n\nfunc TestX(t *testing.T) { if }\n").troubles] == [3]
    assert read("a.go", b"package a\n// \xff\n", "source").troubles[0].why.key == "integrity.encoding"
    deep = "package a\nvar x = " + "(" * 5000 + "1" + ")" * 5000 + "\n"
    assert sheet(deep, "source").troubles == ()


@given(st.binary(max_size=300), st.sampled_from(["test", "source", "support"]))
def test_no_bytes_make_it_stumble(data: bytes, role: Role) -> None:
    assert read("x_test.go", b"package a\nfunc TestX(t *testing.T) {" + data, role).language == "go"


PARSED = (
    'got, err := Parse("x")\nif err != nil {\n\tt.Fatal(err)\n}\nif got != 3 {\n\tt.Errorf("got %d", got)\n}'
)
TABLE = (
    'tests := []struct{in string; want int; wantErr bool}{{"x", 3, false}, {"", 0, true}}\n'
    "for _, tt := range tests {\n\tgot, err := Parse(tt.in)\n"
    '\tif (err != nil) != tt.wantErr {\n\t\tt.Errorf("err %v", err)\n\t}\n'
    '\tif got != tt.want {\n\t\tt.Errorf("got %d", got)\n\t}\n}'
)
LAST, ROW = "if got != 3 {", "\tif got != tt.want {"


@table_test(
    ("base", "now", "cheats"),
    [
        (PARSED, PARSED.replace(LAST, f"if got != 3 {{\n\treturn\n}}\n{LAST}"), True),
        (PARSED, PARSED.replace(LAST, f'if got != 3 {{\n\tt.Log("later")\n\treturn\n}}\n{LAST}'), True),
        (PARSED, PARSED.replace(LAST, "if got == 3 {\n" + LAST) + "\n}", True),
        (PARSED, PARSED.replace("t.Fatal(err)", "return"), True),
        (PARSED, PARSED.replace("t.Fatal(err)", "t.Error(err)\n\treturn"), False),
        (PARSED, PARSED.replace("got)\n}", "got)\n\treturn\n}"), False),
        (TABLE, TABLE.replace(ROW, f"\tif tt.wantErr {{\n\t\tcontinue\n\t}}\n{ROW}"), False),
        (TABLE, TABLE.replace(ROW, f"\tif err != nil {{\n\t\tcontinue\n\t}}\n{ROW}"), False),
        (TABLE, TABLE.replace(ROW, f"\tif got != tt.want {{\n\t\tcontinue\n\t}}\n{ROW}"), True),
    ],
)
def test_a_demand_that_is_only_made_where_it_holds(base: str, now: str, cheats: bool) -> None:
    wrapped = [f"{HEAD}func TestParse(t *testing.T) {{\n{body}\n}}\n" for body in (base, now)]
    assert bool(blocking(wrapped[0], wrapped[1])) is cheats
