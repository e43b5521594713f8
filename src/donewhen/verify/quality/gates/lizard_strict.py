"""Starts lizard so that no comment excuses code: `lizard forgives` and `GENERATED CODE` say nothing to it.

A program, run by its path with `-P`; it needs lizard and nothing of ours. lizard has no option for this, but
it takes extensions by name, and one of them may rewrite the comments before lizard looks for its words.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

_NAME = "strict"
_MODULE = f"lizard_ext.lizard{_NAME}"
_WORDS = (("lizard forgive", "lizard, forgive"), ("GENERATED CODE", "GENERATED, CODE"))


class Strict:
    """Comments without lizard's words; they keep their lines, and code is never touched."""

    ordering_index = 1  # behind the language's own preparation, before comments are read

    def __call__(self, tokens: Iterable[str], reader: Any) -> Iterator[str]:
        for token in tokens:
            told = any(word in token for word, _ in _WORDS)
            yield _plain(token) if told and reader.get_comment_from_token(token) is not None else token


def _plain(comment: str) -> str:
    for word, other in _WORDS:
        comment = comment.replace(word, other)
    return comment


def main(arguments: list[str]) -> int:
    lizard = import_module("lizard")

    extension = ModuleType(_MODULE)
    extension.__dict__["LizardExtension"] = Strict
    sys.modules[_MODULE] = extension
    ended: int | None = lizard.main(["lizard", "-E", _NAME, *arguments])
    return ended or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
