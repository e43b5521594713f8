"""The pages of the clients show the everyday table as it is played."""

from tests.clients.known import CLIENTS, ROOT
from tests.clients.test_everyday import HEAD, expected, rows_of


def test_the_pages_show_the_table() -> None:
    for name in CLIENTS:
        page = (ROOT / "docs" / "clients" / f"{name}.md").read_text(encoding="utf-8")
        for line in (HEAD, *map(expected, rows_of(name))):
            assert line in page, f"run: python -m tests.clients.test_everyday {name}"
