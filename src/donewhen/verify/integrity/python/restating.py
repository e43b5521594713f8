"""Python that this interpreter reads and the grammar does not: said again in the plainest form.

The grammar has gaps (starred values in a bare tuple, some soft keywords). Where it had to guess but the
interpreter did not, the program is written anew from the interpreter's own tree and read once more, with the
lines that it had. Comments are not in it; they are taken from the first reading.
"""

import ast
import warnings
from typing import NamedTuple


class Restated(NamedTuple):
    data: bytes
    lines: dict[int, int]  # line of a statement in `data` → line in the file


def first_error(data: bytes) -> int:
    """The line where the interpreter gives up, 0 if it reads all of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(data)
        except SyntaxError as error:
            return max(error.lineno or 1, 1)
        except (ValueError, RecursionError, MemoryError):
            return 1
    return 0


def restated(data: bytes) -> Restated | None:
    """None where the interpreter does not read it either, or it is nested too deeply to be written anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
            plain = ast.unparse(tree)
            again = ast.parse(plain)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    lines = {
        new.lineno: old.lineno
        for old, new in zip(ast.walk(tree), ast.walk(again), strict=False)
        if isinstance(old, ast.stmt) and isinstance(new, ast.stmt)
    }
    return Restated(plain.encode(errors="replace"), lines)
