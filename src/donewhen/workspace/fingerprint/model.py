"""What a fingerprint is, as plain data."""

from typing import NamedTuple

from donewhen.core.texts import Phrase


class Fingerprint(NamedTuple):
    tree: str  # id of the tree that would be shipped: tracked and untracked files, ignored ones not
    relevant: str  # the same up to paths that can't matter; what evidence is compared with
    absent: int = 0  # files that a sparse checkout leaves out; they stand in `tree` as the index has them
    notes: tuple[Phrase, ...] = ()
    whole: str = ""  # `tree` with the files of repositories inside instead of their commits
