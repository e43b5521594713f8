"""What integrity compares: what files say about the exam, and what is found between base and change.

Data only. A reader (one per language, elsewhere) turns a file into a `Sheet`; everything here and beside it
is pure. Texts of code are normalised by the reader: comments gone, one blank where blanks stand, quotes as
they are written in `literals` (see `Assertion`), so that formatting never is a difference.
"""

from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase

Role = Literal["test", "support", "config", "source", "other"]
"""test: holds tests. support: conftest, test helpers, fixtures, snapshots. config: says how the exam is run
or judged (package.json, Makefile, tox.ini, pytest.ini, CI files). source: product code. other: the rest."""

Policy = Literal["deny", "ask", "warn"]

AssertionKind = Literal[
    "equal", "unequal", "true", "false", "null", "not_null", "raises", "contains", "close", "order", "type",
    "matches", "snapshot", "called", "other",
]  # fmt: skip


class Assertion(NamedTuple):
    """One thing that a test demands.

    Literals are canonical across languages: strings as JSON has them, numbers in shortest form (`1`, `2.5`),
    `true`, `false`, `null`; a list, tuple, set or map of literals also as one (`[1, 2]`, `{"a": 1}`).
    """

    text: str  # normalised source
    line: int
    kind: AssertionKind
    subjects: tuple[str, ...] = ()  # what is called or read in it: "overlap", "cart.total"
    given: tuple[str, ...] = ()  # literals that go into the subject
    expected: tuple[str, ...] = ()  # literals that it is compared with
    hollow: bool = False  # can't fail: assert True, x == x, expect(1).toBe(1), len(x) >= 0


class Test(NamedTuple):
    name: str  # "OverlapTest.test_inside", "cart > adds", "TestSum", "tests::adds"; as the runner shows it
    line: int
    asserts: tuple[Assertion, ...] = ()  # also those of helpers in the same file that it calls
    disabled: str = ""  # keeps it from running or counting: '@unittest.skip("later")', "it.skip", xfail
    conditional: bool = False  # `disabled` depends on something that may not hold: skipIf(sys.platform …)
    focused: str = ""  # what leaves the others out: "it.only"
    swallows: str = ""  # what catches its failures: "except AssertionError: pass"
    calls: tuple[str, ...] = ()  # names that it calls, in order
    literals: tuple[str, ...] = ()  # all literals in it and in its parameter table
    cases: int = 1  # rows of its parameter table; 0 where they can't be counted
    digest: str = ""  # of its normalised text without its name
    frame: str = ""  # digest of its text with names and literals taken out: same form, other values


class Mark(NamedTuple):
    """Something that no exam should meet anew; what the base had with the same text is not new."""

    rule: str  # of RULES
    line: int
    text: str  # normalised


class Branch(NamedTuple):
    """A place where source decides or answers by literals."""

    line: int
    function: str  # around it, "" at module level
    how: Literal["compare", "table", "sequence"]  # n == 7; {7: 13}[n], match/switch; [13, 21][i]
    keys: tuple[str, ...]  # literals that an argument is compared or looked up with
    answers: tuple[str, ...] = ()  # literals that are returned there
    size: int = 1  # entries of the table


class Trouble(NamedTuple):
    """Why a file, or a part of it, could not be read."""

    line: int
    why: Phrase


class Sheet(NamedTuple):
    """What one file says about the exam."""

    path: str
    role: Role
    language: str = ""  # python, javascript, typescript, go, rust, java, "" where nobody knows
    tests: tuple[Test, ...] = ()
    marks: tuple[Mark, ...] = ()
    branches: tuple[Branch, ...] = ()
    literals: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()  # functions, methods, classes and constants that it defines
    digest: str = ""  # of its whole normalised text: equal means formatting and comments alone
    troubles: tuple[Trouble, ...] = ()


class Pair(NamedTuple):
    """One changed path: as it was at the base and as it is; None where it is not there."""

    base: Sheet | None
    now: Sheet | None

    @property
    def path(self) -> str:
        sheet = self.now or self.base
        return sheet.path if sheet else ""

    @property
    def role(self) -> Role:
        sheet = self.now or self.base
        return sheet.role if sheet else "other"


class Finding(NamedTuple):
    """One way in which the change made its exam easier, or may have."""

    rule: str
    file: str
    line: int  # where it is now; of something that is gone, where it was
    message: Phrase
    wanted: Phrase  # what would be acceptable
    before: str = ""  # what was there before
    test: str = ""  # the test that it is about
    policy: Policy = "deny"
    permitted: Phrase | None = None  # why it is allowed all the same
    vouched: bool = False  # the base's tests pass on the new code, so nothing was gained by it

    @property
    def blocks(self) -> bool:
        """Whether it is more than a warning, and nobody permitted it."""
        return self.policy != "warn" and self.permitted is None

    @property
    def asks(self) -> bool:
        return self.policy == "ask" and self.permitted is None

    @property
    def refuses(self) -> bool:
        return self.policy == "deny" and self.permitted is None


class Rerun(NamedTuple):
    """How one sitting of the exam went, to compare: on the change, with the base's tests, or at the base."""

    green: bool
    executed: int | None = None  # tests; None where nobody counted
    failed: tuple[str, ...] = ()  # names of tests, as far as they are known
    why: Phrase | None = None  # could not be sat: nothing else here counts


RULES: dict[str, Policy] = {
    "test-deleted": "deny",
    "test-uncollected": "deny",  # still there, but no runner finds it any more
    "test-skipped": "deny",
    "test-focused": "deny",
    "test-emptied": "deny",  # fewer or weaker assertions
    "test-hollow": "deny",  # assertions that can't fail
    "test-swallowed": "deny",  # failures caught inside the test
    "expected-changed": "deny",
    "fewer-tests": "deny",  # the exam executes fewer tests than the base's would
    "base-tests-failed": "deny",
    "command-weakened": "deny",
    "threshold-lowered": "deny",
    "coverage-excluded": "deny",
    "shim": "deny",  # a file that answers for the runner or the standard library
    "startup-hook": "deny",  # sitecustomize, .pth, NODE_OPTIONS, plugins loaded by configuration
    "exam-hook": "deny",  # conftest hooks, load_tests, patched assertions that force success
    "exit-call": "deny",
    "exam-detected": "deny",  # code that asks whether it is being tested
    "path-trick": "deny",
    "always-equal": "deny",  # objects that are equal to everything
    "keyed-answer": "ask",
    "test-aware": "ask",
    "excluded": "ask",
    "hidden-work": "deny",  # the exam needs what would not be shipped
    "flaky-exam": "deny",
    "not-compared": "ask",
    "ignored-more": "warn",
    "ignores-spread": "warn",  # lint, type and coverage ignores in code
}
"""Every rule with how sure its reader is. A verification asks about what is denied here; it refuses where the
user's configuration says `deny`."""
