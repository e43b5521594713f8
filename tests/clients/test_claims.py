"""A few scenarios of the claims benchmark through a real client's hooks; all of them are played by
`benchmarks/claims.py --through claude`.
"""

from pathlib import Path

import pytest

from benchmarks.claims_hooks import play_through
from benchmarks.claims_scenario import load
from tests.clients.known import CLAUDE, ROOT

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
NAMES = (
    "todo-ticked-not-done",
    "weakened-larger-delta",
    "masked-tee-but-right",
    "stale-settings-file-edited",
    "todo-left-open-then-ticked",
)


@pytest.mark.skipif(bool(CLAUDE.missing), reason=CLAUDE.missing)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_claimed_is_accepted_only_where_it_is_true(name: str, tmp_path: Path) -> None:
    case = play_through(CLAUDE, load(ROOT / "benchmarks" / "scenarios" / f"{name}.yml"), tmp_path / name)
    assert case.verdict == "right", case
