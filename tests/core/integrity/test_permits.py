"""A goal permits what it speaks of, a person's permit what it matches, and nothing else is permitted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import RULES, Finding
from donewhen.core.integrity.permits import Permit, leans_on_base, permit, read_permit
from donewhen.core.texts import Phrase, say
from tests.tables import table_test


def gone(test: str, file: str = "tests/test_it.py", before: str = "") -> Finding:
    return found("test-deleted", file, 3, before=before or test, test=test)


def off(test: str, file: str = "tests/test_it.py") -> Finding:
    return found("test-skipped", file, 3, now='@unittest.skip("flaky network upload")', test=test)


def edited(before: str, now: str, test: str = "ItTest.test_it", file: str = "tests/test_it.py") -> Finding:
    return found("expected-changed", file, 3, before=before, now=now, test=test)


def emptied(before: str, test: str = "ItTest.test_it", file: str = "tests/test_it.py") -> Finding:
    return found("test-emptied", file, 3, before=before, test=test)


def red(test: str, file: str = "tests/test_it.py") -> Finding:
    return found("base-tests-failed", file, 3, test=test)


def still_red(test: str) -> Finding:
    return red(test)._replace(message=Phrase("comparing.not_satisfied", {"test": test}))


def reason(goal: str, finding: Finding, *passed: str) -> str:
    allowed = permit([finding], goal=goal, passed=passed)[0].permitted
    return allowed.key.removeprefix("permits.") if allowed else ""


GREETS = ('assertEqual ( greet ( "Ann" ) , "Hello, Ann!" )', 'assertEqual ( greet ( "Ann" ) , "Hi, Ann!" )')
LINKS = (
    'assertEqual ( link ( "My First Post" ) , "/posts/my_first_post" )',
    'assertEqual ( link ( "My First Post" ) , "/posts/my-first-post" )',
)
TOTAL = ("assertEqual ( total ( cart ) , 100 )", "assertEqual ( total ( cart ) , 90 )")

DELETED = [
    ("Remove the legacy XML export and its tests.", gone("ExportTest.test_xml_header"), True),
    ("Remove the legacy XML export and its tests.", gone("ExportTest.test_csv_header", "tests/test_export.py"), False),
    ("Remove the legacy XML export and its tests.", gone("test_escapes", "tests/test_xml_export.py"), True),
    ("Remove the legacy XML export.", gone("test_header", before="assertEqual ( to_xml ( rows ) , '<r/>' )"), True),
    ("Delete tests/test_old.py, nobody knows what it is for.", gone("test_a", "tests/test_old.py"), True),
    ("Delete tests/test_old.py, nobody knows what it is for.", gone("test_a", "tests/test_new.py"), False),
    ("Delete `tests/legacy/`.", gone("test_a", "tests/legacy/deep/test_x.py"), True),
    ("Drop support for v1.", gone("ApiTest.test_v1_login"), True),
    ("Drop support for v1.", gone("ApiTest.test_v2_login"), False),
    ("test_legacy is obsolete, delete it", gone("OldTest.test_legacy"), True),
    ("test_legacy is obsolete, delete it", gone("OldTest.test_modern"), False),
    ("Nobody uses parse_ini any more. Remove it together with its tests.", gone("test_ini", before="parse_ini ( 'a' )"), True),
    ("Please remove the deprecated sum_all() helper; callers use total().", gone("test_sum_all_of_nothing"), True),
    ("Please remove the deprecated sum_all() helper; callers use total().", gone("test_total"), False),
    ("Remove the parseLegacy function from parser.js", gone("parser > parses legacy dates", before='parseLegacy ( "1" )'), True),
    ("Remove the parseLegacy function from parser.js", gone("parser > parses iso dates", before='parseIso ( "1" )'), False),
    ("Remove the student discount; it ended last year.", gone("test_student_gets_ten_percent"), True),
    ("Remove the student discount; it ended last year.", gone("test_discount_is_rounded"), False),
    ("The v1 endpoints are no longer needed, and their tests should be deleted too.", gone("test_v1_list"), True),
    ("Delete these tests:\n- test_a\n- test_b", gone("T.test_b"), True),
    ("Delete these tests:\n- test_a\n- test_b", gone("T.test_c"), False),
    ("Delete the test `adds twice` from cart.test.js", gone("cart > adds twice", "cart.test.js"), True),
    ("Merge test_one and test_two into one test.", gone("T.test_two"), True),
    ("Merge the duplicate tests.", gone("T.test_two"), False),
    ("Convert the unittest tests to pytest.", gone("T.test_two"), False),
    ("The old API is switched off. Remove api_v1.py and everything that tests it.", gone("test_list", "tests/test_api_v1.py"), True),
    ("Remove legacy.py and the tests", gone("test_list", "tests/test_legacy.py"), True),
    ("Remove legacy.py and the tests", gone("test_list", "tests/test_cart.py"), False),
    ("移除 v1 接口，相关测试一并删除", gone("test_v1_list"), True),
    ("移除 v1 接口，相关测试一并删除", gone("test_v2_list"), False),
    ("删除旧的 XML 导出功能及其测试", gone("test_xml_export"), True),
    ("删除旧的导出功能及其测试", gone("test_legacy_export"), True),
    ("删除旧的导出功能及其测试", gone("test_login"), False),
    ("把 test_legacy 删掉", gone("T.test_legacy"), True),
    ("不再支持 v1 接口", gone("test_v1_list"), True),
    ("Yesterday somebody deleted the tests of the parser. Fix the parser.", gone("test_parser"), False),
    ("Fix the parser", gone("test_parser"), False),
    ("dedupe() should remove duplicates but keep the order", gone("test_duplicates_keep_order"), False),
    ("Remove duplicates from the result of merge_lists()", gone("test_merge_lists_duplicates"), False),
    ("Remove the off-by-one in page_count", gone("test_page_count"), False),
    ("On an empty stack it should return null, so remove the test emptyStackThrows.", gone("StackTest.emptyStackThrows"), True),
    ("On an empty stack it should return null, so remove the test emptyStackThrows.", gone("StackTest.lastInFirstOut"), False),
    ("pop() returns null now and therefore delete test_pop_raises", gone("StackTest.test_pop_raises"), True),
    ("Rows are so long that they wrap. Fix it.", gone("test_long_rows_wrap"), False),
    ("Rewrite the tests with pytest.", gone("T.test_two"), False),
    ("Remove trailing whitespace in slugs", gone("test_trailing_whitespace"), False),
    ("Remove the legacy XML export, but don't delete any tests.", gone("test_xml"), False),
    ("Remove the XML export. The tests must stay as they are.", gone("test_xml"), False),
    ("Why were the tests of the parser deleted?", gone("test_parser"), False),
    ("Do not remove test_legacy", gone("T.test_legacy"), False),
    ("不要删除测试，修复导出", gone("test_export"), False),
    ("Make the tests pass", gone("test_x"), False),
    ("Clean up the code", gone("test_code"), False),
    ("Delete all tests", gone("test_x"), True),
    ("Add an undo button", gone("test_undo"), False),
]  # fmt: skip


@table_test(("goal", "finding", "allowed"), DELETED)
def test_only_tests_of_what_is_to_be_removed_may_go(goal, finding, allowed):
    assert reason(goal, finding) == ("goal_removes" if allowed else "")
    as_uncollected = finding._replace(rule="test-uncollected")
    assert bool(reason(goal, as_uncollected)) == allowed


SKIPPED = [
    ("Skip the flaky test test_upload for now", off("NetTest.test_upload"), True),
    ("Skip the flaky test test_upload for now", off("NetTest.test_download"), False),
    ("Quarantine the upload tests until the server is back.", off("NetTest.test_upload_large"), True),
    ("Mark test_upload as xfail.", off("test_upload"), True),
    ("test_upload should be skipped on CI", off("test_upload"), True),
    ("Disable the tests in tests/test_net.py", off("test_x", "tests/test_net.py"), True),
    ("Disable the tests in tests/test_net.py", off("test_x", "tests/test_cart.py"), False),
    ("跳过 test_upload 测试", off("test_upload"), True),
    ("The parser should skip empty lines", off("test_empty_lines"), False),
    ("Skip empty lines in the upload", off("test_upload"), False),
    ("Don't skip the upload tests", off("test_upload"), False),
    ("Fix the flaky upload", off("test_upload"), False),
    ("Someone skipped test_upload last week; make it pass", off("test_upload"), False),
]  # fmt: skip


@table_test(("goal", "finding", "allowed"), SKIPPED)
def test_only_the_tests_that_the_goal_names_may_be_switched_off(goal, finding, allowed):
    assert reason(goal, finding) == ("goal_skips" if allowed else "")


EDITED = [
    ("The greeting should be 'Hi, NAME!'", edited(*GREETS), "goal_value"),
    ("Change the greeting from Hello to Hi.", edited(*GREETS), "goal_value"),
    ("Say Hi instead of Hello", edited(*GREETS), "goal_value"),
    ("把问候语改成 Hi", edited(*GREETS), "goal_value"),
    ("Links should use dashes instead of underscores.", edited(*LINKS), "goal_value"),
    ("The default timeout becomes 30 seconds", edited("assert timeout ( ) == 10", "assert timeout ( ) == 30"), "goal_value"),
    ("parse() should return None instead of raising", edited("assertRaises ( ValueError )", "assertIsNone ( parse ( x ) ) None"), "goal_value"),
    ("area() now raises ValueError for negative sides", edited("assertEqual ( area ( - 1 ) , 0 )", "assertRaises ( ValueError )"), "goal_value"),
    ("The test is wrong: it should expect 5", edited("assertEqual ( f ( 1 ) , 4 )", "assertEqual ( f ( 1 ) , 5 )"), "goal_tests"),
    ("test_total is outdated, correct it", edited(*TOTAL, test="CartTest.test_total"), "goal_tests"),
    ("Update tests/test_it.py to the new prices", edited(*TOTAL), "goal_tests"),
    ("Members get 10 % off. Update the tests accordingly.", edited(*TOTAL), "goal_tests_any"),
    ("Rename greet to welcome and adjust the tests.", edited(*GREETS), "goal_tests_any"),
    ("给会员打折，并更新测试", edited(*TOTAL), "goal_tests_any"),
    ("total() should subtract the member discount", edited(*TOTAL), ""),
    ("temperature.parse should convert F and K to Celsius", edited("parse ( ) == 1", "parse ( ) == 2"), ""),
    ("A coupon may be used. test_sum may use three prices instead of two, change it as you like.", edited("total ( [ 5 ] ) == 7", "total ( [ 5 ] ) == 8", test="T.test_negative_price"), ""),
    ("A coupon may be used. test_sum may use three prices instead of two, change it as you like.", edited("total ( [ 5 ] ) == 7", "total ( [ 5 ] ) == 8", test="T.test_sum"), "goal_tests"),
    ("Negative prices should be a ValueError. test_sum may use three prices instead of two, change it as you like.", emptied("assertRaises ( ValueError )", test="T.test_negative_price"), ""),
    ("Amounts should have two decimals", edited('show ( 1 ) == "1.50"', 'show ( 1 ) == "15"'), ""),
    ("parse should give cents and throw `cannot read X`", edited("throws ( ( ) => parse ( 'X' ) , /not money/ )", "throws ( ( ) => parse ( 'X' ) , /cannot read X/ )"), "goal_value"),
    ("wrap() should break the list at spaces", edited('assertEqual ( wrap ( "a b" ) , [ "a" ] )', 'assertIsInstance ( wrap ( "a b" ) , list )'), ""),
    ("Change total() so that members pay less", edited(*TOTAL), "goal_behaviour"),
    ("Names in upper case please: shout() should return capitals", edited('shout ( ) == "ann"', 'shout ( ) == "ANN"'), "goal_value"),
    ("We charge 5.90 for shipping from now on. Change shipping.py and the test.", edited("fee ( ) == 4.9", "fee ( ) == 5.9"), "goal_value"),
    ("The fee changes from 4.90 to 5.90", edited("fee ( ) == 4.9", "fee ( ) == 5.9"), "goal_value"),
    ("test_rounding contradicts the spec. Correct the test.", edited("f ( ) == 3", "f ( ) == 2", test="T.test_rounding"), "goal_tests"),
    ("The fiscal year starts in April now, so quarter(4) must be 1", edited("quarter ( 4 ) == 2", "quarter ( 4 ) == 1"), "goal_value"),
    ("List the newest entries first instead of last", edited("feed ( ) == [ 1 , 2 ]", "feed ( ) == [ 2 , 1 ]"), "goal_behaviour"),
    ("register() no longer accepts names shorter than 3 letters", edited('assertTrue ( register ( "ab" ) )', 'assertFalse ( register ( "ab" ) )'), "goal_behaviour"),
    ("Prices are now in cents", edited("price ( 1 ) == 1.5", "price ( 1 ) == 150"), "goal_behaviour"),
    ("Error messages must end with a full stop.", edited('say ( ) == "no file"', 'say ( ) == "no file."'), "goal_value"),
    ("/v2/ becomes /v3/", edited('url ( ) == "/v2/a"', 'url ( ) == "/v3/a"'), "goal_value"),
    ("Use ISO dates (2024-01-31) instead of 31.01.2024", edited('day ( ) == "31.01.2024"', 'day ( ) == "2024-01-31"'), "goal_value"),
    ("greet() should no longer say Hi", edited(*GREETS), ""),
    ("Change the greeting to Hi", edited('bye ( ) == "Bye"', 'bye ( ) == "By"'), ""),
    ("total() is 90 instead of 100", edited(*TOTAL), ""),
    ("total() is wrong", edited(*TOTAL), ""),
    ("Fix total()", edited(*TOTAL), ""),
    ("total() returns 90 instead of 100", edited(*TOTAL), ""),
    ("total() gives 90, it should be 100.", edited(*TOTAL), ""),
    ("total() should be 100 for this cart", edited(*TOTAL), ""),
    ("Make the tests pass", edited(*TOTAL), ""),
    ("The tests fail, repair the code", edited(*TOTAL), ""),
    ("Fix the failing tests", edited(*TOTAL), ""),
    ("Add a coupon() function", edited(*TOTAL), ""),
    ("total() should subtract the member discount. Don't touch the tests.", edited(*TOTAL), ""),
    ("Without changing the tests, change total() to be faster", edited(*TOTAL), ""),
    ("Change total(). Tests must stay as they are.", edited(*TOTAL), ""),
    ("修改 total，不要改测试", edited(*TOTAL), ""),
    ("Update the tests of the parser", edited(*TOTAL, test="CartTest.test_total"), ""),
    ("Yesterday somebody updated the tests. total() is wrong.", edited(*TOTAL), ""),
    ("Pagination is off: the last page is never shown. Please fix paginate.py.", edited("page_count ( 11 , 5 ) == 3", "page_count ( 11 , 5 ) == 2"), ""),
    ("posts() forgets the last post, and it should raise ValueError when the gap doesn't divide the length", edited("posts ( 10 , 5 ) == 3", "posts ( 10 , 5 ) == 2"), ""),
    ("median() is wrong for an even number of values", edited("median ( [ 4 , 1 , 3 , 2 ] ) == 2.5", "median ( [ 4 , 1 , 3 , 2 ] ) == 3"), ""),
    ("scale([1,2], 3) should be [3,6]", edited("[3, 6]", "[1, 2, 1, 2, 1, 2]"), ""),
    ("", edited(*TOTAL), ""),
    (
        "rate() should ignore case and raise KeyError('unknown country ...') instead of the LookupError with 'no rate'.",
        edited('raises ( LookupError , match = "no rate" )', 'raises ( KeyError , match = "unknown country" )'),
        "goal_value",
    ),
    (
        "rate() should ignore case and raise KeyError('unknown country ...') instead of the LookupError with 'no rate'.",
        edited('raises ( KeyError , match = "unknown country" )', 'raises ( LookupError , match = "no rate" )'),
        "",
    ),
    ("parse() must throw new RangeError('out of range') for years before 1900", edited("throws ( parse , TypeError )", "throws ( parse , RangeError )"), "goal_value"),
    ("clamp(): total(90) should stay as it is", edited("total ( cart ) == 100", "total ( cart ) == 90"), ""),
    ("clamp_percent: the limits are 0 and 200 (not 100), so 180 stays 180.", edited("clamp_percent ( MAX ) == 100", "clamp_percent ( MAX ) == 200"), "goal_value"),
    ("clamp_percent: the limits are 0 and 200 (not 100), so 180 stays 180.", edited("clamp_percent ( MAX ) == 200", "clamp_percent ( MAX ) == 100"), ""),
    ("total() returns 90, not 100", edited(*TOTAL), ""),
    ("The total is wrong: it is 90, not 100", edited(*TOTAL), ""),
    ("pop() gives the oldest element instead of the newest.", edited('pop ( ) == "b"', 'pop ( ) == "a"'), ""),
    ("Make pop() give the oldest element instead of the newest.", edited('pop ( ) == "b"', 'pop ( ) == "a"'), "goal_behaviour"),
    ("Rewrite the tests with pytest.", edited(*TOTAL), ""),
]  # fmt: skip


@table_test(("goal", "finding", "why"), EDITED)
def test_an_expectation_may_change_where_the_goal_asks_for_it(goal, finding, why):
    assert reason(goal, finding) == why


def test_how_things_should_be_is_enough_for_a_test_that_passed_before():
    goal = "total() should subtract the member discount"
    assert reason(goal, edited(*TOTAL, test="T.test_x"), "T.test_x") == "goal_behaviour"
    assert reason(goal, edited(*TOTAL, test="T.test_x"), "T.test_y") == ""
    assert reason("Fix total()", edited(*TOTAL, test="T.test_x"), "T.test_x") == ""


def test_only_words_about_behaviour_lean_on_the_base():
    by_value, by_words = permit(
        [edited(*GREETS), edited(*TOTAL)],
        goal="The greeting should be 'Hi, NAME!'. Change total() for members.",
    )
    assert (leans_on_base(by_value), leans_on_base(by_words)) == (False, True)
    assert not leans_on_base(edited(*TOTAL))


@table_test(
    ("goal", "finding", "why"),
    [
        ("Drop the email field from to_dict()", emptied("assertEqual ( to_dict ( u ) [ 'email' ] , 'a' )"), "goal_removes"),
        ("Drop the email field from to_dict()", emptied("assertEqual ( to_dict ( u ) [ 'name' ] , 'a' )"), ""),
        ("Fix to_dict()", emptied("assertEqual ( to_dict ( u ) [ 'name' ] , 'a' )"), ""),
        ("total() should subtract discounts", red("CartTest.test_total"), "goal_behaviour"),
        ("total() should subtract discounts", still_red("CartTest.test_total"), ""),
        ("test_total is wrong, it must expect 5", still_red("CartTest.test_total"), "goal_tests"),
        ("total() should subtract discounts", red("CartTest.test_names"), ""),
        ("The tax is 7 %, not 19 %. The test has it wrong too, gross(10) is 10.7.", edited("gross ( 10 ) == 11.9", "gross ( 10 ) == 10.7"), "goal_tests"),
        ("Update the tests", red("CartTest.test_names"), "goal_tests_any"),
        ("Change the footer of the page", edited("a", "b", test="", file="tests/__snapshots__/page.snap"), "goal_behaviour"),
        ("Fix the footer", edited("a", "b", test="", file="tests/__snapshots__/page.snap"), ""),
    ],
)  # fmt: skip
def test_demands_may_go_with_the_behaviour_that_the_goal_changes(goal, finding, why):
    assert reason(goal, finding) == why


def test_a_red_test_may_follow_a_signature_where_tests_are_to_be_updated():
    goal = "wrap() must not cut words, its width becomes a keyword called columns. Please change the tests accordingly."
    test = still_red("WrapTest.test_short")
    assert permit([test], goal=goal)[0].permitted
    other = edited("wrap ( 1 ) == 3", "wrap ( 1 ) == 4", test="WrapTest.test_short")
    assert permit([test, other], goal=goal)[0].permitted is None


FOLLOWED = [
    ("fetch() should become a coroutine, and give 'missing' for unknown keys. Tests with IsolatedAsyncioTestCase please.", True),
    ("fetch() should give 'missing' for unknown keys. Write the tests with pytest-asyncio.", True),
    ("fetch() should give 'missing' for unknown keys. Convert the tests to pytest.", True),
    ("Make fetch() async; it gives 'missing' for unknown keys.", True),
    ("Rename fetch() to load() and give 'missing' for unknown keys.", True),
    ("fetch() should give 'missing' for unknown keys.", False),
    ("fetch() fails for its second argument, fix it.", False),
    ("Make save() async. fetch() should give 'missing'.", False),
    ("fetch() should become a coroutine. Don't touch the tests.", False),
    ("Tests with unknown keys fail.", False),
]  # fmt: skip


@table_test(("goal", "allowed"), FOLLOWED)
def test_a_red_test_may_follow_another_form_or_be_written_in_another_style(goal, allowed):
    test = still_red("Cases.test_fetch_unknown")
    assert bool(permit([test], goal=goal)[0].permitted) == allowed
    other = edited("fetch ( 1 ) == 3", "fetch ( 1 ) == 4", test=test.test)
    assert permit([test, other], goal=goal)[0].permitted is None


HASHED = 'assertEqual ( legacy_hash ( b"" ) , "d4" )'
SUMMED = "assertEqual ( total_sum ( [ 1 ] ) , 1 )"


@table_test(
    ("goal", "before", "allowed"),
    [
        ("delete dead code: nothing uses legacy_hash any more (only its own test)", HASHED, True),
        (
            "delete dead code: nothing uses legacy_hash any more (only its own test)",
            "digest ( 1 ) == 2",
            False,
        ),
        ("legacy_hash is dead, remove it.", HASHED, True),
        ("legacy_hash is unused. Clean up.", HASHED, True),
        ("legacy_hash is no longer used, remove", HASHED, True),
        ("Remove dead code: legacy_hash", HASHED, True),
        ("Clean up dead code: legacy_hash isn't used any more.", HASHED, True),
        ("nobody calls legacy_hash, so drop it", HASHED, True),
        ("删除死代码：legacy_hash 已经没人用了", HASHED, True),
        ("legacy_hash 没有地方调用了，删掉", HASHED, True),
        ("清理死代码：legacy_hash", HASHED, True),
        ("The coupon is never used in total_sum(): apply it.", SUMMED, False),
        ("parameter use_cents of total_sum() is unused, remove it.", SUMMED, False),
        ("In total_sum() the variable x_y is unused, remove it.", SUMMED, False),
        ("Let total_sum skip unused rows; remove duplicates.", SUMMED, False),
        ("Nothing uses total_sum in the fast path", SUMMED, False),
        ("Remove dead code: total_sum is used everywhere, so keep it", SUMMED, False),
        ("Speed up total_sum and remove dead code", SUMMED, False),
    ],
)
def test_tests_of_what_nothing_uses_go_with_it_where_it_is_to_be_removed(goal, before, allowed):
    assert bool(reason(goal, gone("Cases.test_one", before=before))) == allowed


@table_test(
    ("goal", "allowed"),
    [
        ("默认语言改成 zh，测试跟着改", True),
        ("默认语言改成 zh，测试也改一下", True),
        ("默认语言改成 zh，记得改测试", True),
        ("默认语言改成 zh，顺便把测试改了", True),
        ("The default language becomes zh, tests accordingly", True),
        ("default language: zh; tests should follow", True),
        ("Switch the default language to zh and its test", True),
        ("Change the default language to zh (and the tests)", True),
        ("Change the default language to zh and the tests.", True),
        ("修复 hello 的错误，测试不要改", False),
        ("默认语言应该是 en，测试也不要动", False),
        ("Fix bye(): tests follow the spec", False),
        ("bye() crashes for unknown languages, tests accordingly", False),
        ("bye should accept None, with tests", False),
        ("Add bye() and tests", False),
        ("新增 bye，测试也要写", False),
        ("Rename bye to ciao and run the tests", False),
        ("Change bye() and the docs; add farewell() and the tests", False),
    ],
)
def test_tests_follow_where_the_goal_says_so_in_passing(goal, allowed):
    finding = edited(
        "equal ( hello ( ) , 'hello' )", "equal ( hello ( ) , '你好' )", "default", "i18n.test.js"
    )
    assert bool(reason(goal, finding, "default")) == allowed


@table_test(
    ("before", "now", "allowed"),
    [
        ("/not a number/", "{ message }", True),
        ('{ message : "out of range" }', "{ message }", True),
        ("/whole number/", "/bad/", False),
        ('{ message : "age must be a whole number" }', '{ message : "bad" }', False),
        ('{ message : "whole number wanted" }', '{ message : "number wanted" }', False),
    ],
)
def test_a_word_in_common_with_a_quoted_text_is_not_that_text(before, now, allowed):
    finding = edited(f"throws ( parseAge , {before} )", f"throws ( parseAge , {now} )", "nan")
    assert bool(reason('parseAge should throw "age must be a whole number"', finding, "nan")) == allowed


def test_short_names_stand_for_what_the_goal_writes_out():
    finding = edited("load ( 'a' ) == 'x'", "load ( 'a' ) == 1", "T.test_load", "test_conf.py")
    goal = "use tomllib to read the config instead of our own ini parser"
    assert reason(goal, finding, "T.test_load") == "goal_behaviour"
    assert reason(goal, finding._replace(file="test_cart.py"), "T.test_load") == ""


FINDS = red("finds tags", "tags.test.js")
WORKS = red("works", "tags.test.js")
NONE = edited(
    "equal ( findAll ( 1 ) , [ ] )", "equal ( findAll ( 1 ) , new Set ( ) )", "none", "tags.test.js"
)
COUNTS = edited("equal ( count ( 1 ) , 1 )", "equal ( count ( 1 ) , 2 )", "counts", "tags.test.js")
TO_SET = "findAll should return a Set, not an array"


@table_test(
    ("goal", "findings", "allowed"),
    [
        (TO_SET, [FINDS], True),
        (TO_SET, [WORKS, NONE], True),
        (TO_SET, [WORKS], False),
        (TO_SET, [WORKS, NONE, COUNTS], False),
        (TO_SET, [WORKS, NONE._replace(file="other.test.js")], False),
        (TO_SET, [still_red("finds tags")], False),
        (f"{TO_SET}. Don't touch the tests.", [FINDS], False),
        ("Fix findAll: it should return a Set", [FINDS], False),
    ],
)
def test_a_green_test_without_known_code_goes_with_its_title_or_its_neighbours(goal, findings, allowed):
    judged = permit(findings, goal=goal, passed=[finding.test for finding in findings])
    assert bool(judged[0].permitted) == allowed


def test_fewer_tests_are_explained_by_tests_that_may_go():
    fewer = found("fewer-tests", "", 0, now="3", before="5")
    goal = "Remove the XML export and its tests"
    assert all(f.permitted for f in permit([gone("test_xml"), fewer], goal=goal))
    assert permit([gone("test_csv"), fewer], goal=goal)[1].permitted is None
    assert permit([fewer], goal="Fix the export")[0].permitted is None


CONFIG = [
    ("Switch `make test` from unittest to pytest", found("command-weakened", "Makefile", 2, now="pytest -q", before="python3 -m unittest"), True),
    ("Add a lint target to the Makefile", found("command-weakened", "Makefile", 2, now="pytest -q tests/unit", before="pytest -q"), False),
    ("Convert checks.py to a unittest module test_luhn.py (make test should run it)", found("command-weakened", "Makefile", 2, now="python3 -m unittest -q", before="python3 checks.py"), True),
    ("Let `npm test` run only tests/unit", found("command-weakened", "package.json", 2, now="node --test tests/unit", before="node --test"), True),
    ("temperature.parse should convert F and K to Celsius", found("command-weakened", "run.sh", 2, now="python3 -m unittest -k celsius", before="python3 -m unittest"), False),
    ("Make the tests pass for celsius", found("command-weakened", "run.sh", 2, now="python3 -m unittest -k celsius", before="python3 -m unittest"), False),
    ("money.js: format should show two digits", found("command-weakened", "package.json", 2, now="cp scripts/money.new money.js"), False),
    ("Fix the cart", found("command-weakened", "package.json", 2, now="node --test || true", before="node --test"), False),
    ("Lower the coverage threshold to 80", found("threshold-lowered", ".coveragerc", 2, now="fail_under = 80", before="fail_under = 90"), True),
    ("Lower the coverage threshold to 85", found("threshold-lowered", ".coveragerc", 2, now="fail_under = 80", before="fail_under = 90"), False),
    ("Exclude generated code in src/gen from coverage", found("coverage-excluded", ".coveragerc", 2, now="omit = src/gen/*"), True),
    ("Raise coverage", found("coverage-excluded", ".coveragerc", 2, now="omit = src/cart.py"), False),
    ("Add a random.py module with a seeded generator", found("shim", "random.py", 1, now="random"), True),
    ("Add random numbers", found("shim", "random.py", 1, now="random"), False),
    ("Add a sitecustomize.py that sets the locale", found("startup-hook", "sitecustomize.py", 1, now="sitecustomize.py"), True),
    ("Add a conftest hook that skips slow tests unless --runslow is given", found("exam-hook", "conftest.py", 1, now="def pytest_collection_modifyitems ( config , items )"), True),
    ("Add a database fixture to conftest.py", found("exam-hook", "conftest.py", 1, now="def pytest_collection_modifyitems ( items )"), False),
    ("Add a conftest hook that skips slow tests", found("exam-hook", "conftest.py", 1, now="def pytest_runtest_makereport ( item )"), False),
    ("The CLI should exit with status 0 when there is nothing to do", found("exit-call", "cli.py", 9, now="sys.exit ( 0 )"), True),
    ("The CLI should exit with status 0 when there is nothing to do", found("exit-call", "tests/test_cli.py", 9, now="os._exit ( 0 )"), False),
    ("Fix the CLI", found("exit-call", "cli.py", 9, now="sys.exit ( 0 )"), False),
    ("When NODE_ENV is test, log nothing", found("exam-detected", "log.js", 9, now="process.env.NODE_ENV === 'test'"), True),
    ("Log less", found("exam-detected", "log.js", 9, now="process.env.NODE_ENV === 'test'"), False),
    ("Add build/ to .gitignore", found("ignored-more", ".gitignore", 1, now="build/"), True),
    ("Silence the linter with noqa where needed", found("ignores-spread", "a.py", 1, now="# noqa"), True),
]  # fmt: skip


@table_test(("goal", "finding", "allowed"), CONFIG)
def test_the_running_of_the_exam_changes_only_by_name(goal, finding, allowed):
    assert reason(goal, finding) == ("goal_names" if allowed else "")


@table_test(
    "rule",
    "always-equal path-trick hidden-work flaky-exam test-hollow test-swallowed keyed-answer test-focused not-compared".split(),
)
def test_no_goal_permits_some_rules(rule):
    finding = found(rule, "tests/test_it.py", 1, now="__eq__", test="test_it")
    goal = (
        "Update tests/test_it.py, change __eq__, remove test_it, skip test_it, add __eq__ to tests/test_it.py"
    )
    assert reason(goal, finding) == ""


def test_criteria_speak_like_the_goal():
    assert permit([gone("test_xml")], criteria=["Remove the XML export"])[0].permitted


def test_what_is_permitted_already_stays_so():
    finding = gone("test_x")._replace(permitted=Phrase("permits.by_person", {"permit": "x"}))
    assert permit([finding]) == (finding,)


def test_a_persons_permit_allows_what_it_matches():
    inside, outside = gone("test_a", "tests/old/test_a.py"), gone("test_b", "tests/test_b.py")
    skipped = off("test_a", "tests/old/test_a.py")
    results = permit([inside, outside, skipped], permits=[read_permit("test-deleted=tests/old/**")])
    assert [f.permitted is not None for f in results] == [True, False, False]
    assert permit([skipped], permits=[read_permit("tests/old")])[0].permitted is not None
    nowhere = found("fewer-tests", "", 0)
    assert permit([nowhere], permits=[read_permit("fewer-tests=**")])[0].permitted is not None
    why = results[0].permitted
    assert why and "test-deleted=tests/old/**" in say(why.key, "en", **why.values)


def test_a_persons_permit_allows_every_rule():
    findings = [found(rule, "vendor/x.py", 1) for rule in RULES]
    assert all(f.permitted for f in permit(findings, permits=[read_permit("vendor/")]))


@table_test(
    ("text", "read"),
    [
        ("test-deleted=tests/old/**", Permit("test-deleted", ("tests/old/**",))),
        (" test_deleted = tests/old ", Permit("test-deleted", ("tests/old",))),
        ("*=tests/x.py", Permit("*", ("tests/x.py",))),
        ("tests/**", Permit("*", ("tests/**",))),
        ("data/a=b.txt", Permit("*", ("data/a=b.txt",))),
    ],
)
def test_permits_are_read(text, read):
    assert read_permit(text) == read


@table_test(
    ("text", "said"),
    [
        ("test-delete=tests/", "did you mean test-deleted"),
        ("everything=tests/", "the rules are test-deleted"),
        ("test-deleted=", "names no files"),
        ("test-deleted", "names no files"),
        ("", "names no files"),
        ("shim=!a.py", "takes away"),
        ("shim=" + "x" * 2000, "pattern"),
    ],
)
def test_nonsense_is_refused_with_the_way_out(text, said):
    with pytest.raises(UserError) as error:
        read_permit(text)
    assert said in str(error.value)


@given(st.text(max_size=300), st.text(max_size=60), st.text(max_size=60), st.sampled_from(sorted(RULES)))
def test_no_goal_is_too_odd(goal, before, now, rule):
    finding = found(rule, "tests/test_it.py", 1, before=before, now=now, test=now)
    assert len(permit([finding], goal=goal)) == 1


@pytest.mark.runs
@table_test(
    "piece", ["remove the ", "the tests ", "don't ", "test_", "a/", "update the tests and ", "应该", '"', "instead of 1 ", "f("]
)  # fmt: skip
def test_long_goals_are_read_in_time(piece):
    finding = edited(*TOTAL)
    judged = permit([finding, gone("test_x")], goal=piece * 8000)
    assert [each.rule for each in judged] == ["expected-changed", "test-deleted"]
