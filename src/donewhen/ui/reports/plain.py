"""Foreign text made fit for a report: valid Unicode without controls, and never longer than asked for.

Every report passes what a repository, a tool or an agent wrote through here before it escapes it for its own
format. What is cut ends with an ellipsis; nothing is dropped silently.
"""

import re

from donewhen.ui.output import clean

LONGEST_LINE = 400  # a message
LONGEST_BLOCK = 4000  # details, the end of an output

_NO_CHARACTERS = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029]")


def block(text: object, longest: int = LONGEST_BLOCK) -> str:
    """Several lines, ended by `\\n`; what is not Unicode is shown as an escape."""
    raw = str(text)
    cut = raw[: 4 * longest]  # controls go away below: read somewhat more than is kept
    plain = clean(_LINE_ENDS.sub("\n", _NO_CHARACTERS.sub(_escaped, cut)))
    short = plain[:longest]
    return short + "…" if len(plain) > longest or len(raw) > len(cut) else short


def line(text: object, longest: int = LONGEST_LINE) -> str:
    """One line: white space collapsed."""
    joined = " ".join(block(text, 4 * longest).split())
    return joined if len(joined) <= longest else joined[: longest - 1] + "…"


def tail(text: object, longest: int = LONGEST_BLOCK) -> str:
    """The end of an output, which says more than its beginning."""
    raw = str(text).rstrip()
    return block(raw, longest) if len(raw) <= longest else "…" + block(raw[-longest:], longest)


def _escaped(found: re.Match[str]) -> str:
    """A byte of a file name that is no UTF-8 as `\\xff`, as shells show it; anything else by its number."""
    code = ord(found[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
