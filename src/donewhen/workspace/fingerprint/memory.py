"""What is remembered of a working tree between two fingerprints, so that an unchanged one costs little.

Every value can be found again; what can't be read is forgotten.
"""

import contextlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.workspace.fingerprint.own import put

_FORM = 1
_MOST_ANSWERS = 200


class Memory(NamedTuple):
    kept: str = ""  # the own index that `tree` is of
    tree: str = ""  # of plain files; repositories inside are not in it
    user: str = ""  # the state of the user's index that `tracked` was read from
    links: tuple[tuple[str, str], ...] = ()  # repositories inside that are tracked, with their commits
    sparse: tuple[str, ...] = ()  # tracked files that a sparse checkout may leave out
    absent: tuple[str, ...] = ()  # those of them that are not there
    found: tuple[str, ...] = ()  # repositories inside that are not tracked
    left_out: tuple[str, ...] = ()  # folders that no entry of the index is in
    environments: tuple[str, ...] = ()  # folders of Python environments that no rule ignores
    unread: int = 0  # entries of the own index that are to be read again
    forced: str = ""  # digest of the tracked files that an ignore rule matches
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what was worked out for a tree

    def answer(self, question: str) -> tuple[str, ...] | None:
        return dict(self.answers).get(question)

    def learnt(self, question: str, answer: tuple[str, ...]) -> "Memory":
        kept = [pair for pair in self.answers if pair[0] != question][-_MOST_ANSWERS:]
        return self._replace(answers=(*kept, (question, answer)))


def recall(file: Path) -> Memory:
    with contextlib.suppress(OSError, ValueError, TypeError):
        kept = json.loads(file.read_bytes())
        if kept.pop("form") == _FORM:
            return Memory(**{name: _frozen(value) for name, value in kept.items()})
    return Memory()


def remember(file: Path, memory: Memory) -> None:
    put(file, json.dumps({"form": _FORM, **memory._asdict()}).encode())


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value
