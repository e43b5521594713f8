"""Examples of secrets, put together when they are needed.

A shape shows what it matches without the source holding anything that a scanner would flag: an example is
a template, and `{w36}` in it becomes 36 made-up characters. Nothing here was ever valid anywhere.
"""

import re

_ALPHABETS = {
    "w": "k7QzR2mXv9LbT4nWc8YdF3hJp6GsK5rZx1BtN0qVaUeMiPoCgHjDlEfSyAuIwO",  # letters and digits
    "u": "K7Q3RZ5MXV2LBT4NWC6YDFHJPGS",  # upper case and 2-7
    "h": "9e1b7c04d83fa652",  # hexadecimal
    "d": "7391840265",  # digits
    "b": "k7Qz+2mXv9Lb/4nWc8YdF3hJp6GsK5rZx1BtN0qVaUeMiPoCg",  # base64
}
_WORDS = {"pk": "PRIVATE" + " KEY", "begin": "-----" + "BEGIN", "end": "-----" + "END", "at": "@", "nl": "\n"}
_HOLE = re.compile(r"\{([wuhdb])(\d+)\}|\{([a-z]+)\}")


def filler(kind: str, size: int, seed: int = 0) -> str:
    """`size` characters of the alphabet `kind` in an order without a visible period."""
    alphabet, state, out = _ALPHABETS[kind], seed * 7919 + size * 31 + 17, []
    for _ in range(size):
        state = (state * 1103515245 + 12345) % 2147483648
        out.append(alphabet[(state >> 12) % len(alphabet)])
    return "".join(out)


def expand(template: str, seed: int = 0) -> str:
    """The text that a template stands for."""

    def fill(hole: re.Match[str]) -> str:
        if hole[3]:
            return _WORDS[hole[3]]
        return filler(hole[1], int(hole[2]), seed + hole.start())

    return _HOLE.sub(fill, template)
