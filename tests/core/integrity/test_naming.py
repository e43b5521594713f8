"""Which test a runner means by a name."""

from donewhen.core.integrity.account import Known
from donewhen.core.integrity.naming import meant
from tests.tables import table_test

TESTS = [
    Known("parse > reads ${line}", "test/a.test.js", "same"),
    Known("parse > refuses an open quote", "test/a.test.js", "same"),
    Known("adds %i and %i", "test/a.test.js", "same"),
    Known("${all}", "test/a.test.js", "same"),
]


@table_test(
    ("name", "test"),
    [
        ("parse › refuses an open quote", "parse > refuses an open quote"),
        ("refuses an open quote", "parse > refuses an open quote"),
        ('parse › reads "a,b",c', "parse > reads ${line}"),
        ("adds 1 and 2", "adds %i and %i"),
        ("parse › writes a", ""),
        ("unknown", ""),
    ],
)
def test_titles_with_holes_are_met_by_their_rows(name, test):
    assert [known.name for known in meant(name, TESTS)] == ([test] if test else [])
