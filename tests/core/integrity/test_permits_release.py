"""A version may change in tests where the goal orders that very release, and where nothing else changes."""

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.permits import permit
from tests.tables import table_test

VERSION = ('assertEqual(pkg.__version__, "1.3.2")', 'assertEqual(pkg.__version__, "1.4.0")')
RELEASES = [
    ("release 1.4.0", *VERSION, True),
    ("Release v1.4.0", *VERSION, True),
    ("Release version 1.4.0 of the package.", *VERSION, True),
    ("Prepare the 1.4.0 release", *VERSION, True),
    ("Prepare release 1.4.0: move the changelog entries", *VERSION, True),
    ("Please cut a new release: 1.4.0", *VERSION, True),
    ("Publish pkg 1.4.0", *VERSION, True),
    ("Bump the version to 1.4.0", *VERSION, True),
    ("version 1.4.0", *VERSION, True),
    ("Update the changelog and release 1.4.0", *VERSION, True),
    ("发布 1.4.0", *VERSION, True),
    ("发布新版本 1.4.0", *VERSION, True),
    ("v1.4.0 release", *VERSION, True),
    ("准备 1.4.0 发布", *VERSION, True),
    ("chore(release): 1.4.0", *VERSION, True),
    ("Release 1.3.3, not 1.4.0", *VERSION, False),
    ("发布1.4.0版本", *VERSION, True),
    ("版本号升到 1.4.0", *VERSION, True),
    ("release 1.4.0", "equal(require('./package.json').version, '1.3.2')", "equal(require('./package.json').version, '1.4.0')", True),
    ("release 1.4.0", 'assertEqual(run("--version"), "tool 1.3.2\\n")', 'assertEqual(run("--version"), "tool 1.4.0\\n")', True),
    ("release 1.4.0", "assert VERSION == (1, 3, 2)", "assert VERSION == (1, 4, 0)", True),
    ("release 2.0.0rc1", 'assert version() == "1.9.4"', 'assert version() == "2.0.0rc1"', True),
    ("release 1.4.1", *VERSION, False),
    ("release 1.4", *VERSION, False),
    ("release 1.4.0", 'assert version() == "1.3.2"', "assert version()", False),
    ("release 1.4.0", 'assert version() == "1.3.2"', 'assert "1.4.0" in version()', False),
    ("release 1.4.0", "assert total([1]) == 1.3", "assert total([1]) == 1.4", False),
    ("release 1.4.0", 'assert next_version("1.3.2") == "1.3.3"', 'assert next_version("1.3.2") == "1.4.0"', False),
    ("release 1.4.0", 'assertEqual(run("--version"), "tool 1.3.2")', 'assertEqual(run("--version"), "1.4.0")', False),
    ("release 1.4.0 broke the version, it must be 1.3.2", *VERSION, False),
    ("version() gives 1.4.0 instead of 1.3.2", *VERSION, False),
    ("Files written since release 1.4.0 can be read", *VERSION, False),
    ("Release 1.4.0 files can be read", *VERSION, False),
    ("Since release 1.4.0 the cart is slow", *VERSION, False),
    ("Fix the crash that release 1.4.0 has", *VERSION, False),
    ("release 1.4.0, but don't touch the tests", *VERSION, False),
]  # fmt: skip


@table_test(("goal", "before", "now", "allowed"), RELEASES)
def test_a_release_is_the_version_asked_for(goal, before, now, allowed):
    finding = found("expected-changed", "tests/test_pkg.py", 3, before=before, now=now, test="T.test_it")
    assert bool(permit([finding], goal=goal)[0].permitted) == allowed
