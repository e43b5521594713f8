"""Names in tests: what of them belongs to the runner, and what is left when a name is taken apart.

Tables as data. Calls of the runner's own words say nothing about what a test exercises.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_SPLIT = re.compile(r"[^\w$]+")
_RUNNER = re.compile(
    r"(assert|expect|to(Be|Equal|Have|Throw|Match|Contain|Strict|Return|Resolve)|not_?to|should|verify)\w*$|"
    r"_?(describe|it|test|suite|context|before|after|each|beforeEach|afterEach|beforeAll|afterAll|only|skip|todo|"
    r"subTest|parametrize|mark|fixture|raises|warns|approx|fail|ok|equal|equals|notEqual|deepEqual|strictEqual|"
    r"deepStrictEqual|notStrictEqual|throws|rejects|doesNotThrow|match|that|is|isEqualTo|be|have|include|Run|Error|"
    r"Errorf|Fatal|Fatalf|Log|Logf|Helper|Parallel|require|import|super|len|range|str|int|float|bool|list|dict|set|"
    r"tuple|sorted|repr|type|isinstance|print|println|printf|enumerate|zip|String|Number|Boolean|Array|stringify|"
    r"assert_eq|assert_ne|panic|unwrap|expect_err|unwrap_err|clone|to_string|into|vec|format|map|forEach|then|catch|"
    r"append|push)$",
)
_HELPER = re.compile(r"_?(assert|check|expect|verify|should|ensure|must|require|validate)", re.IGNORECASE)
_PATCHER = frozenset(
    """patch setattr setitem spyOn doMock mock stub replace mockReturnValue mockImplementation
    mockResolvedValue method returns thenReturn when unstable_mockModule module""".split()
)
_PREFIX = re.compile(
    r"(_+|x(?=_?test)|no_?|dont_?|skip(ped)?_?|disabled?_?|old_?|test_*|check_*|should_*|it_+)*", re.I
)


@lru_cache(maxsize=65536)
def last(name: str) -> str:
    """The last part of a dotted or scoped name: `total` of `cart.total`."""
    found = [part for part in _SPLIT.split(name) if part]
    return found[-1] if found else name


def leaf(name: str) -> str:
    """A test's own name, without class, module or group: titles may hold dots and blanks."""
    for between in (" > ", "::"):
        if between in name:
            return name.rpartition(between)[2]
    return name if " " in name else name.rpartition(".")[2]


def core_of(name: str) -> str:
    """What is left of a test's name without the words that make it one: `_test_x`, `check_x` → `x`."""
    found = _PREFIX.match(name)
    rest = name[found.end() :] if found else name
    return rest.strip("_").lower()


def tokens(name: str) -> frozenset[str]:
    """The words of a name, in whatever case it is written."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)) - {
        "test",
        "tests",
    }


@lru_cache(maxsize=65536)
def of_runner(name: str) -> bool:
    """Whether it is a word of the runner or of the language, not of the product."""
    return _RUNNER.match(name) is not None


def demanding(calls: Iterable[str]) -> frozenset[str]:
    """Calls that may assert something that lies in another file: assert_total(…), checkOrder(…)."""
    return frozenset(last(call) for call in calls if _HELPER.match(last(call)))


def patches(calls: Iterable[str]) -> frozenset[str]:
    """Calls that put something else in a name's place."""
    return frozenset(call for call in calls if not _PATCHER.isdisjoint(_SPLIT.split(call)))
