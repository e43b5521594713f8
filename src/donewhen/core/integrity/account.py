"""What became of the base's tests, for the second sitting: whose edit was harmless, whose was not.

Findings say what is wrong; this says what is known about all tests of the changed files, so that a base test
that fails on the new code can be told apart: renamed with the product, changed as asked, or just changed.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

State = Literal["same", "kept", "changed", "gone"]
"""same: not touched, or only moved. kept: edited, with the same demands (a renamed call, another layout).
changed: edited, and it can't be told that it demands the same. gone: no test stands for it."""


class Known(NamedTuple):
    """One test of the base."""

    name: str
    path: str
    state: State
    cases: int = 1  # that the runner counts for it; 0 where nobody knows
    snapshot: bool = False  # nothing of it changed but a recorded output
    reshaped: bool = False  # its form is another, whatever it still demands
    orphaned: bool = False  # it calls what the product no longer has, so its base version can't pass
    asked: str = ""  # the first thing that it asserted
    freed: bool = False  # a marker kept it from running or counting, and does so no more


class Account(NamedTuple):
    tests: tuple[Known, ...] = ()  # of the changed test files at the base
    merged: int = 0  # by how many fewer the runner may count because tests were merged whole
    added: int | None = 0  # tests that the change brought; None where they can't be counted
    remade: frozenset[str] = frozenset()  # test files whose values outside of tests are as before
    data: tuple[str, ...] = ()  # changed fixtures, snapshots and other data of tests
    helpers: tuple[str, ...] = ()  # changed helpers and hooks of tests
    config: tuple[str, ...] = ()  # changed files that say how the exam is run
    gutted: frozenset[str] = frozenset()  # tests that no longer assert anything
    renamed: frozenset[str] = frozenset()  # names of the product that the change took away
    mended: frozenset[str] = (
        frozenset()
    )  # files that no code could pass as they were, and that ask as much now
    apart: frozenset[str] = frozenset()  # of `config`: the exam in them is what it was, the rest as asked

    @property
    def unharmed(self) -> frozenset[str]:
        """Tests of the base that demand the same as ever, wherever and under whatever name."""
        names = frozenset(test.name for test in self.tests if test.state in ("same", "kept"))
        return names - frozenset(test.name for test in self.tests if test.state in ("changed", "gone"))


EMPTY = Account()


def account_data(account: Account) -> dict[str, Any]:
    """As plain data, to be kept."""
    return {
        **account._asdict(),
        "tests": [list(test) for test in account.tests],
        "remade": sorted(account.remade),
        "gutted": sorted(account.gutted),
        "renamed": sorted(account.renamed),
        "mended": sorted(account.mended),
        "apart": sorted(account.apart),
    }


def read_account(data: Mapping[str, Any]) -> Account:
    """What `account_data` wrote; ValueError, KeyError or TypeError where it is none of that."""
    return Account(
        tuple(Known(*test) for test in data["tests"]),
        data["merged"],
        data["added"],
        frozenset(data["remade"]),
        tuple(data["data"]),
        tuple(data["helpers"]),
        tuple(data["config"]),
        frozenset(data["gutted"]),
        frozenset(data["renamed"]),
        frozenset(data["mended"]),
        frozenset(data["apart"]),
    )
