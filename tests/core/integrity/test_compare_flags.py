"""Tests that are switched off, that leave others out, or that catch their own failures."""

from donewhen.core.integrity.compare import compare
from tests.core.integrity.sheets import HOLLOW, case, edited, eq
from tests.tables import table_test

PATH = "tests/test_shop.py"
PLAIN = case("test_adds", eq("total", ("1", "2"), "3"))


def told(before, now):
    return [(f.rule, f.policy) for f in compare([edited(PATH, before, now)])]


def off(marker, conditional=False, **more):
    return PLAIN._replace(disabled=marker, conditional=conditional, **more)


@table_test(
    "marker",
    [
        '@unittest.skip("later")',
        "@pytest.mark.xfail",
        "@unittest.expectedFailure",
        "it.skip",
        "it.todo",
        "#[ignore]",
        "t.Skip()",
        "@Disabled",
    ],
)
@table_test("name", ["test_adds", "test_adds_up"])
def test_a_test_that_was_on_and_is_off_is_found(marker, name):
    assert told([PLAIN], [off(marker, name=name)]) == [("test-skipped", "deny")]


HONEST = [
    '@unittest.skipIf(sys.platform == "win32", "no fork")',
    '@unittest.skipIf(sys.platform.startswith("darwin"), "")',
    '@unittest.skipUnless(sys.platform == "linux", "")',
    '@pytest.mark.skipif(sys.platform != "linux", reason="")',
    '@pytest.mark.skipif(os.name == "nt", reason="")',
    "@pytest.mark.skipif(sys.version_info < (3, 12), reason='')",
    "@unittest.skipUnless(sys.version_info >= (3, 12), '')",
    'pytest.importorskip("numpy")',
    "@unittest.skipUnless(HAS_NUMPY, '')",
    "@unittest.skipIf(not HAS_NUMPY, '')",
    'it.skipIf(process.platform === "win32")',
    'if runtime.GOOS == "windows" { t.Skip() }',
    "@DisabledOnOs(OS.WINDOWS)",
    "@EnabledOnOs(OS.LINUX)",
    "if testing.Short() { t.Skip() }",
    '#[cfg_attr(target_os = "windows", ignore)]',
]
SWITCHES = [
    '@unittest.skipIf(os.environ.get("CI"), "")',
    "@unittest.skipUnless(os.getenv('FULL'), '')",
    "@unittest.skipIf(True, '')",
    "@unittest.skipIf(1 < 2, '')",
    '@unittest.skipIf(sys.platform.startswith("linux"), "")',
    '@unittest.skipUnless(sys.platform == "win32", "")',
    '@pytest.mark.skipif(os.name == "posix", reason="")',
    '@pytest.mark.skipif(sys.platform != "win32", reason="")',
    "@pytest.mark.skipif(sys.version_info >= (3, 8), reason='')",
    "@unittest.skipIf(HAS_NUMPY, '')",
    "it.skipIf(process.env.CI)",
    'if os.Getenv("X") == "" { t.Skip() }',
    "@DisabledOnOs(OS.LINUX)",
    "@pytest.mark.skipif(not Path('x').exists(), reason='')",
]


@table_test("marker", HONEST)
def test_a_condition_that_elsewhere_keeps_an_honest_test_from_running_only_warns(marker):
    assert told([PLAIN], [off(marker, conditional=True)]) == [("test-skipped", "warn")]


@table_test("marker", SWITCHES)
def test_a_condition_that_holds_here_or_that_anyone_can_set_is_a_switch(marker):
    assert told([PLAIN], [off(marker, conditional=True)]) == [("test-skipped", "deny")]


def test_a_test_that_was_off_may_stay_so_or_be_switched_on():
    was = off('@unittest.skip("later")')
    assert told([was], [was._replace(line=9)]) == []
    assert told([was], [PLAIN]) == []
    assert told([was], [off("@unittest.skipIf(sys.platform == 'win32', '')", conditional=True)]) == []


def test_a_condition_must_not_fall_away():
    was = off('@unittest.skipIf(sys.platform == "win32", "")', conditional=True)
    assert told([was], [off('@unittest.skip("")')]) == [("test-skipped", "deny")]


def test_a_test_that_is_born_off_only_warns_but_takes_no_other_ones_place():
    born = off("it.skip", name="test_new")._replace(digest="x", asserts=(), calls=("other",))
    assert told([PLAIN], [PLAIN, born]) == [("test-skipped", "warn")]
    double = off("it.skip", name="test_other")
    assert told([PLAIN], [double]) == [("test-skipped", "deny")]


@table_test("fields", [{"focused": "it.only"}, {"swallows": "except AssertionError: pass"}])
def test_focus_and_swallowed_failures_are_found_wherever_they_are_new(fields):
    rule = "test-focused" if "focused" in fields else "test-swallowed"
    bad = PLAIN._replace(**fields)
    assert told([PLAIN], [bad]) == [(rule, "deny")]
    assert told([bad], [bad._replace(line=7)]) == []
    assert told([PLAIN], [PLAIN, case("test_new", eq("total", "7", "9"), **fields)]) == [(rule, "deny")]


def test_a_new_test_that_only_says_what_cant_fail_is_hollow():
    assert told([PLAIN], [PLAIN, case("test_new", HOLLOW)]) == [("test-hollow", "deny")]
    assert told([PLAIN], [PLAIN, case("test_new", HOLLOW, eq("total", "4", "4"))]) == []


def test_what_cant_fail_beside_all_that_was_demanded_is_no_loss():
    assert told([PLAIN], [case("test_adds", *PLAIN.asserts, HOLLOW)]) == []
