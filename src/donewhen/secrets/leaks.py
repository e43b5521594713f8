"""Values of credential files in the lines that a change adds, in whatever spelling people write them. Pure.

Looked for plain, quoted, percent-encoded, in base64 at any alignment, in hexadecimal, backwards and with the
letters shifted by thirteen; also where lines, quotes or blanks cut the spelling into pieces. Findings carry
the place and never the value.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from donewhen.secrets.declared import Declared
from donewhen.secrets.diff import Added
from donewhen.secrets.finding import Finding

RULE = "credential-value"
_JOINTS = re.compile(r"[\"'`][ \t]{0,40}[+.\\]?[ \t]{0,40}\n?[ \t]{0,200}[+.]?[ \t]{0,40}[\"'`]")
_GAPS = re.compile(r"[\s\"'`,;:\\]")
_BYTES = re.compile(r"\\x|0x|[^0-9a-f]", re.IGNORECASE)  # round the digits of hexadecimal numbers
_MOST_VALUES = 400


class Leaks:
    """The spellings of some values, made once."""

    def __init__(self, values: Iterable[str]) -> None:
        given = tuple(values)[:_MOST_VALUES]
        backwards = (value[::-1] for value in given)
        shifted = (codecs.encode(value, "rot13") for value in given)
        self._spellings = Declared({*given, *backwards, *shifted})

    def find(self, added: Iterable[Added]) -> tuple[Finding, ...]:
        """One finding a line, or one a file for what only shows when its pieces are put together."""
        return tuple(finding for each in added for finding in self._in_file(each))

    def _in_file(self, added: Added) -> Iterator[Finding]:
        text = "\n".join(text for _, text in added.lines)
        spans = self._spellings.find(text)
        if spans:
            starts, at = [], 0
            for _, line in added.lines:
                starts.append(at)
                at += len(line) + 1
            places = {bisect_right(starts, span.start) - 1 for span in spans}
            yield from (Finding(added.path, added.lines[place][0], RULE, "") for place in sorted(places))
        elif added.lines and any(self._spellings.find(each) for each in _put_together(text)):
            yield Finding(added.path, added.lines[0][0], RULE, "")


def _put_together(text: str) -> Iterator[str]:
    yield _JOINTS.sub("", text)
    yield _GAPS.sub("", text)
    yield _BYTES.sub("", text).lower()
