"""What messages claim: two hundred of them, read by the patterns, and played as receipts in true and false worlds."""

from pathlib import Path

import pytest

from donewhen.integrations.receipt.claims import Claim, read_claims
from tests.helpers import Cli
from tests.integrations.receipt.worlds import Row, claude_log, rows, world

GATES = False
KINDS = {"tests", "lint", "build", "made", "deleted", "committed", "pushed", "answers", "key", "dependency"}


def name_of(claim: Claim) -> str:
    place = f"@{claim.place}" if claim.place else ""
    subject = f":{claim.subject}" if claim.subject else ""
    return f"{claim.kind}{subject}{place}{'?' if claim.partial else ''}"


def test_each_message_claims_what_a_reader_says() -> None:
    wrong = {row.text: (found, row.claims) for row in rows() if (found := _found(row)) != set(row.claims)}
    assert not wrong


def _found(row: Row) -> set[str]:
    return {name_of(claim) for claim in read_claims(row.text)}


def test_the_messages_are_enough_to_show_something() -> None:
    listed = rows()
    written_before = [row for row in listed if row.part == "before"]
    assert len(listed) >= 120 and len(written_before) >= 60
    assert {claim.partition(":")[0].rstrip("?") for row in listed for claim in row.claims} == KINDS
    assert sum(not row.claims for row in listed) >= 80


def play(cli: Cli, folder: Path, row: Row, *, true: bool) -> dict[str, set[str]]:
    """The kinds of claim that a receipt calls true, false or unknown."""
    repo = world(folder, row, true=true)
    home = folder / "home"
    claude_log(home, repo, row.text)
    done = cli("receipt", "--json", cwd=repo, HOME=str(home))
    lines = done.json["claims"]
    assert done.exit == (1 if any(line["state"] == "fails" for line in lines) else 0), done
    found: dict[str, set[str]] = {"holds": set(), "fails": set(), "unknown": set()}
    for line in lines:
        found[line["state"]].add(line["kind"])
    return found


def _played(cli: Cli, tmp_path: Path, listed: list[Row]) -> tuple[int, int]:
    """How many false claims there were, and how many were found; no accusation where nothing false was said."""
    false = seen = 0
    for number, row in enumerate(listed):
        kinds = {claim.partition(":")[0] for claim in row.plain}
        for true in (True, False):
            folder = tmp_path / f"{number}-{true}"
            folder.mkdir()
            if true and "answers" in kinds:
                continue  # nobody listens in either world; see test_receipt.py
            found = play(cli, folder, row, true=true)
            allowed = set() if true else kinds
            assert found["fails"] <= allowed, (row.text, true, found)
            false += len(allowed)
            seen += len(found["fails"])
    return false, seen


@pytest.mark.integrity
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(8))
def test_no_false_accusation_and_few_misses(part: int, cli: Cli, tmp_path: Path) -> None:
    claiming = [row for row in rows(port=9) if row.plain]
    false, seen = _played(cli, tmp_path, claiming[part::8])
    assert seen >= 0.9 * false, (seen, false)


@pytest.mark.runs
def test_some_of_them(cli: Cli, tmp_path: Path) -> None:
    claiming = [row for row in rows(port=9) if row.plain]
    false, seen = _played(cli, tmp_path, claiming[5::30])
    assert seen >= 0.9 * false, (seen, false)
