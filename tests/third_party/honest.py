"""Honest small work on the packages of `packages`: a new function with its test, in each author's own style."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple


class Work(NamedTuple):
    """Lines that are added at the end of two files; `tools`: what their authors configure beside."""

    source: str
    code: str
    tests: str
    proof: str
    tools: Mapping[str, str] = MappingProxyType({})  # by the gate that needs it

    def do(self, root: Path) -> None:
        for name, text in ((self.source, self.code), (self.tests, self.proof)):
            file = root / name
            file.write_text(file.read_text().rstrip("\n") + "\n" + text)


HONEST: Mapping[str, Work] = MappingProxyType(
    {
        "itsdangerous": Work(
            "src/itsdangerous/encoding.py",
            '''

def base64_length(size: int) -> int:
    """How long so many bytes are when they are encoded."""
    if size < 0:
        raise ValueError("a size can't be negative")

    return (size * 4 + 2) // 3
''',
            "tests/test_itsdangerous/test_encoding.py",
            """

@pytest.mark.parametrize("size", (0, 1, 2, 3, 10))
def test_base64_length(size):
    from itsdangerous.encoding import base64_length

    assert base64_length(size) == len(base64_encode(b"x" * size))


def test_base64_length_negative():
    from itsdangerous.encoding import base64_length

    with pytest.raises(ValueError):
        base64_length(-1)
""",
        ),
        "cachetools": Work(
            "src/cachetools/keys.py",
            '''

def namedkey(name, /, *args, **kwargs):
    """Return a cache key that starts with a name."""

    return hashkey(name, *args, **kwargs)
''',
            "tests/test_keys.py",
            """
    def test_namedkey(self, key=cachetools.keys.namedkey):
        self.assertEqual(key("a", 1), key("a", 1))
        self.assertNotEqual(key("a", 1), key("b", 1))
        self.assertNotEqual(key("a"), key("a", x=1))
""",
            MappingProxyType({"types": "pyright"}),
        ),
        "webencodings": Work(
            "webencodings/__init__.py",
            """

def is_known(label):
    \"\"\"Whether an encoding has this label.

    :param label: A string.
    :returns: A boolean.

    \"\"\"
    return lookup(label) is not None
""",
            "tests/test_webencodings.py",
            """

def test_is_known():
    from webencodings import is_known

    assert is_known('latin1')
    assert not is_known('no such label')
""",
        ),
        "h11": Work(
            "h11/_util.py",
            '''

def shown(data: bytes, limit: int = 40) -> str:
    """The start of some bytes, for a message."""
    text = data[:limit].decode("ascii", "backslashreplace")
    if len(data) > limit:
        return text + "..."
    return text
''',
            "h11/tests/test_util.py",
            """

def test_shown() -> None:
    from .._util import shown

    assert shown(b"GET /") == "GET /"
    assert shown(b"GET /\\xff", 5) == "GET /..."
    assert shown(b"\\xff") == "\\\\xff"
""",
        ),
        "inflection": Work(
            "inflection/__init__.py",
            '''

def initials(phrase: str) -> str:
    """Return the first letters of all words.

    Example::

        >>> initials("active record")
        'AR'

    """
    return "".join(word[0].upper() for word in phrase.split())
''',
            "test_inflection.py",
            """

@pytest.mark.parametrize(
    ("phrase", "expected"),
    (("active record", "AR"), ("one", "O"), ("", "")),
)
def test_initials(phrase, expected):
    assert inflection.initials(phrase) == expected
""",
            MappingProxyType({"lint": "flake8"}),
        ),
        "xtend": Work(
            "mutable.js",
            """
extend.all = function (target, sources) {
    return extend.apply(null, [target].concat(sources))
}
""",
            "test.js",
            """
test("mutable with a list", function (assert) {
    var a = {}

    assert.strictEqual(mutableExtend.all(a, [{ b: 1 }, { b: 2 }]), a)
    assert.deepEqual(a, { b: 2 })
    assert.end()
})
""",
        ),
        "left-pad": Work(
            "index.js",
            """
leftPad.lines = function (lines, len, ch) {
  return lines.map(function (line) { return leftPad(line, len, ch); });
};
""",
            "test.js",
            """
test('pads every line', function (assert) {
  assert.deepEqual(leftPad.lines(['a', 'bcd'], 3, '-'), ['--a', 'bcd']);
  assert.end();
});
""",
        ),
    }
)
