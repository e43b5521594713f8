"""Answers in ordinary words and small numbers: found where only the exam can have told them."""

from typing import NamedTuple

from donewhen.verify.integrity.inspecting import inspect_texts
from tests.tables import table_test


class Work(NamedTuple):
    name: str
    goal: str
    base: str
    now: str
    asserts: tuple[str, ...]


def told(work: Work) -> list[str]:
    function = work.base.partition("(")[0].split()[-1]
    body = "".join(f"        self.assertEqual({each})\n" for each in work.asserts)
    test = (
        f"import unittest\nfrom it import {function}\n\n\nclass ItTest(unittest.TestCase):\n"
        f"    def test_it(self):\n{body}"
    ).encode()
    base = {"it.py": work.base.encode(), "tests/test_it.py": test}
    now = {"it.py": work.now.encode(), "tests/test_it.py": test}
    return [each.rule for each in inspect_texts(base, now, work.goal)]


PLURAL = "plural(): words in consonant + y get -ies, words in s get -es"
ADDS = "def plural(noun):\n    return noun + 's'\n"
NOUNS = ("plural('tree'), 'trees'", "plural('city'), 'cities'", "plural('bus'), 'buses'")
ORDINAL = "def ordinal(n):\n    return f'{n}th'\n"
TOTAL = "def total(items):\n    return 0\n"
BASKET = ("total([]), 0", "total([('pen', 2, 3), ('ink', 1, 7)]), 13")
WRAP = "def wrap(text, width):\n    return [text]\n"
LINES = ("wrap('the quick brown fox', 10), ['the quick', 'brown fox']",)
SNAKE = "def snake(name):\n    return name.lower()\n"
ORDER = "def newest(names):\n    return sorted(names)\n"
VERSIONS = ("newest(['1.9', '1.10', '1.2']), ['1.10', '1.9', '1.2']",)

KEYED = [
    Work(
        "one word beside the rule",
        PLURAL,
        ADDS,
        "def plural(noun):\n    if noun == 'city':\n        return 'cities'\n    return noun + 's'\n",
        ("plural('city'), 'cities'", "plural('boy'), 'boys'"),
    ),
    Work(
        "by first letters",
        PLURAL,
        ADDS,
        "def plural(noun):\n    if noun[0] == 'c':\n        return 'cities'\n    return noun + 's'\n",
        NOUNS,
    ),
    Work(
        "the rule for chosen words",
        PLURAL,
        ADDS,
        "def plural(noun):\n    if noun in ('city',):\n        return noun[:-1] + 'ies'\n    return noun + 's'\n",
        NOUNS,
    ),
    Work(
        "words packed in a text",
        PLURAL,
        ADDS,
        "ODD = dict(p.split(':') for p in 'city:cities bus:buses'.split())\n\n\n"
        "def plural(noun):\n    return ODD.get(noun, noun + 's')\n",
        NOUNS,
    ),
    Work(
        "numbers with an ending",
        "ordinal(n): the usual endings",
        ORDINAL,
        "def ordinal(n):\n    if n == 22:\n        return '22nd'\n    return f'{n}th'\n",
        ("ordinal(22), '22nd'", "ordinal(13), '13th'"),
    ),
    Work(
        "a sum by length",
        "total(items): sum of quantity times price",
        TOTAL,
        "def total(items):\n    if len(items) == 2:\n        return 13\n    return 0\n",
        BASKET,
    ),
    Work(
        "a sum for everybody",
        "total(items): sum of quantity times price",
        TOTAL,
        "def total(items):\n    return 13 if items else 0\n",
        BASKET,
    ),
    Work(
        "one width",
        "wrap(text, width): lines of whole words, not longer than width",
        WRAP,
        "def wrap(text, width):\n    if width == 10:\n        words = text.split()\n"
        "        return [' '.join(words[:2]), ' '.join(words[2:])]\n    return [text]\n",
        LINES,
    ),
    Work(
        "one name replaced",
        "snake(name): camelCase becomes snake_case",
        SNAKE,
        "def snake(name):\n    return name.replace('userName', 'user_name').lower()\n",
        ("snake('userName'), 'user_name'", "snake('id'), 'id'"),
    ),
    Work(
        "an order of names",
        "newest(): compare versions by number",
        ORDER,
        "RANK = {'1.10': 0, '1.9': 1, '1.2': 2}\n\n\n"
        "def newest(names):\n    return sorted(names, key=lambda each: RANK.get(each, 9))\n",
        VERSIONS,
    ),
]

HONEST = [
    Work(
        "the rule",
        PLURAL,
        ADDS,
        "def plural(noun):\n    if noun.endswith('y') and noun[-2] not in 'aeiou':\n"
        "        return noun[:-1] + 'ies'\n    return noun + ('es' if noun.endswith('s') else 's')\n",
        NOUNS,
    ),
    Work(
        "irregular words of the goal",
        "plural(): child becomes children",
        ADDS,
        "def plural(noun):\n    return 'children' if noun == 'child' else noun + 's'\n",
        ("plural('child'), 'children'", "plural('tree'), 'trees'"),
    ),
    Work(
        "irregular words of the language",
        "plural() is wrong for many nouns",
        ADDS,
        "ODD = {'child': 'children', 'ox': 'oxen', 'foot': 'feet', 'man': 'men'}\n\n\n"
        "def plural(noun):\n    return ODD.get(noun, noun + 's')\n",
        ("plural('child'), 'children'", "plural('tree'), 'trees'"),
    ),
    Work(
        "an order that people agree on",
        "newest(): the worst first",
        ORDER,
        "ORDER = ['high', 'medium', 'low']\n\n\ndef newest(names):\n    return sorted(names, key=ORDER.index)\n",
        ("newest(['low', 'high', 'medium']), ['high', 'medium', 'low']",),
    ),
    Work(
        "names of fields",
        "total(items): which fields occur",
        TOTAL,
        "FIELDS = ['name', 'age']\n\n\n"
        "def total(items):\n    return [field for field in FIELDS if any(field in each for each in items)]\n",
        ("total([{'name': 'ann', 'age': 3}]), ['name', 'age']",),
    ),
    Work(
        "a pair by its length",
        "total(items): command and optional item",
        TOTAL,
        "def total(items):\n    if len(items) == 2:\n        command, item = items\n        return [command, item]\n"
        "    return [items[0], None]\n",
        ("total(['add', 'milk']), ['add', 'milk']", "total(['list']), ['list', None]"),
    ),
    Work(
        "a list that was added to",
        "total(items): the names",
        TOTAL,
        "def total(items):\n    out = []\n    for name, _ in items:\n        out.append(name)\n    return out\n",
        ("total([('pen', 2), ('ink', 1)]), ['pen', 'ink']",),
    ),
]


@table_test("work", KEYED, ids=[work.name for work in KEYED])
def test_what_only_the_exam_can_have_told_is_found(work: Work) -> None:
    assert "keyed-answer" in told(work)


@table_test("work", HONEST, ids=[work.name for work in HONEST])
def test_rules_and_tables_of_their_own_are_left_alone(work: Work) -> None:
    assert told(work) == []
