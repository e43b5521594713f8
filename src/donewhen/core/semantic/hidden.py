"""Text in a change that no editor shows, or shows in another order than a program reads it.

A reviewer who is a person does not see it and one who is a model does, so it is a finding whatever it says.
Single unseen characters are left alone: languages and emojis need them.
"""

import re
import unicodedata
from typing import NamedTuple

_FLAGS = re.compile(  # England, Scotland, Wales: the tags that fonts know
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")  # one for each byte, by a known trick
_ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{8,}")  # the same with bits
_OVERRIDES = re.compile("[\u202d\u202e]")
_EMBEDDED = re.compile("[\u202a\u202b\u2066-\u2068]")
_TAG = 0xE0000


class Hidden(NamedTuple):
    """`sure`: nobody needs it for anything else."""

    text: str
    sure: bool = True


def hidden(line: str) -> Hidden | None:
    """What is hidden in a line, as far as it can be told."""
    if line.isascii():
        return None
    plain = _FLAGS.sub("", line)
    tags = "".join(_TAGS.findall(plain))
    if tags:
        said = "".join(chr(ord(each) - _TAG) for each in tags)
        return Hidden("".join(each if each.isprintable() else "·" for each in said))
    for pattern in (_OVERRIDES, _SELECTORS, _ZERO_WIDTH):
        found = pattern.search(plain)
        if found:
            return Hidden(_named(found[0]))
    embedded = _EMBEDDED.search(plain)
    if embedded and not any(unicodedata.bidirectional(each) in ("R", "AL") for each in plain):
        return Hidden(_named(embedded[0]), sure=False)
    return None


def _named(text: str) -> str:
    shown = " ".join(f"U+{ord(each):04X}" for each in text[:4])
    return shown if len(text) <= 4 else f"{shown} …"
