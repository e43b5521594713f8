"""The words of the test frameworks, as tables: who makes tests, who asserts, and what each demands."""

from donewhen.core.integrity.model import AssertionKind

TESTS = frozenset(("test", "it", "specify", "tap", "tape", "xit", "xtest", "fit", "xspecify", "ftest"))
SUITES = frozenset(
    ("describe", "suite", "context", "xdescribe", "fdescribe", "xcontext", "xsuite", "fcontext", "module")
)
HOOKS = frozenset(
    "before after beforeEach afterEach beforeAll afterAll setup teardown suiteSetup suiteTeardown".split()
)
OFF_WORDS = frozenset(("skip", "todo", "failing", "fails", "fixme", "fail"))
IF_WORDS = {"skipIf": True, "runIf": False}
OFF_NAMES = frozenset(("xit", "xtest", "xdescribe", "xcontext", "xspecify", "xsuite"))
ONLY_NAMES = frozenset(("fit", "fdescribe", "ftest", "fcontext"))
PASSED_WORDS = frozenset(
    "only concurrent sequential serial parallel each for describe test it suite extend step configure cb "
    "macro default context slow shuffle".split()
)  # modifiers of a test or suite that say nothing about whether it runs
OPTIONS_OFF = frozenset(("skip", "todo", "fails", "failing", "pending", "expectFailure"))
IN_BODY_OFF = frozenset(("skip", "todo", "pending", "fixme"))

ASSERT_MODULES = frozenset(
    "assert node:assert assert/strict node:assert/strict chai power-assert uvu/assert should tap tape "
    "@std/assert jsr:@std/assert expect expect.js unexpected must bun:test vitest @jest/globals "
    "@playwright/test node:test test qunit".split()
)
TEST_MODULES = frozenset(
    "node:test test vitest @jest/globals @playwright/test ava tap tape mocha uvu bun:test qunit jasmine "
    "@ava/typescript tap-only lab @japa/runner zora".split()
)

_ASSERTS: dict[AssertionKind, str] = {
    "equal": (
        "equal equals strictEqual deepEqual deepStrictEqual is same strictSame isEqual looseEqual "
        "deepLooseEqual eq eql assertEquals assertStrictEquals sameMembers sameDeepMembers "
        "sameOrderedMembers lengthOf propEqual propertyVal propVal"
    ),
    "unequal": (
        "strictNotSame notEqual notStrictEqual notDeepEqual notDeepStrictEqual not notSame isNot "
        "assertNotEquals notEquals"
    ),
    "true": "ok isOk isTrue true truthy assert",
    "false": "notOk isFalse false falsy isNotOk",
    "null": "isNull isUndefined ifError error notExists",
    "not_null": "isNotNull isDefined exists isNotUndefined",
    "raises": "throws rejects throwsAsync assertThrows assertRejects isRejected raises",
    "contains": (
        "include includes deepInclude like partialDeepStrictEqual hasAllKeys property has "
        "containsAllKeys assertObjectMatch assertStringIncludes"
    ),
    "order": "isAbove isBelow isAtLeast isAtMost",
    "close": "closeTo approximately assertAlmostEquals",
    "type": ("typeOf instanceOf isArray isString isNumber isFunction isObject isBoolean type instance"),
    "matches": "match matches regex",
    "other": (
        "doesNotMatch notRegex doesNotThrow notThrows notThrowsAsync doesNotReject notMatch "
        "doesNotMatchSnapshot fail unreachable pass"
    ),
    "snapshot": "snapshot matchSnapshot",
    "called": (
        "emits called calledOnce calledWith calledOnceWithExactly calledWithExactly notCalled "
        "callCount calledTwice"
    ),
}

_MATCHERS: dict[AssertionKind, str] = {
    "equal": (
        "toBe toEqual toStrictEqual equal equals eql eq deep toHaveLength lengthOf length members "
        "true false toHaveText toHaveValue toHaveCount toHaveTitle toHaveURL status "
        "toHaveReturnedWith toBeTrue toBeFalse"
    ),
    "true": ("toBeTruthy ok toSatisfy satisfy toBeVisible toBeEnabled toBeChecked toBeInTheDocument"),
    "false": "toBeFalsy toBeDisabled toBeHidden",
    "null": "toBeNull toBeUndefined null undefined",
    "not_null": "toBeDefined exist",
    "raises": (
        "toThrow toThrowError throw throws rejected rejectedWith toThrowErrorMatchingInlineSnapshot "
        "toThrowErrorMatchingSnapshot"
    ),
    "contains": (
        "toContain toContainEqual toMatchObject toHaveProperty include includes contain contains "
        "property keys key toContainText oneOf toHaveAttribute toHaveTextContent string"
    ),
    "close": "toBeCloseTo closeTo approximately",
    "order": (
        "toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual above below least "
        "most greaterThan lessThan gt gte lt lte within"
    ),
    "type": "toBeInstanceOf instanceof instanceOf a an toBeTypeOf",
    "matches": "toMatch match matches",
    "snapshot": (
        "toMatchSnapshot toMatchInlineSnapshot toHaveScreenshot toMatchFileSnapshot toMatchImageSnapshot"
    ),
    "called": "called calledOnce calledWith",
}


def _by_word(table: dict[AssertionKind, str]) -> dict[str, AssertionKind]:
    return {word: kind for kind, words in table.items() for word in words.split()}


ASSERTS = _by_word(_ASSERTS)
MATCHERS = _by_word(_MATCHERS)

CHAI_ENDS: dict[str, str] = {
    **{word: word for word in ("true", "false", "null", "undefined", "NaN")},
    **dict.fromkeys(
        "ok exist empty finite called calledOnce calledTwice fulfilled rejected throw sealed frozen "
        "extensible arguments notCalled".split(),
        "",
    ),
}
"""Demands that need no call: `expect(x).to.be.true`."""

BUILT_IN_MATCHERS = frozenset(name for name in MATCHERS if name.startswith("to") and name[2:3].isupper())
NOT: dict[AssertionKind, AssertionKind] = {
    "equal": "unequal",
    "unequal": "equal",
    "true": "false",
    "false": "true",
    "null": "not_null",
    "not_null": "null",
}
VAGUE: dict[str, AssertionKind] = {
    "expect.anything": "not_null",
    "expect.any": "type",
    "expect.objectContaining": "contains",
    "expect.arrayContaining": "contains",
    "expect.stringContaining": "contains",
    "expect.stringMatching": "matches",
    "expect.closeTo": "close",
}
"""Expected values that are satisfied by more than one."""
