"""The pictures of the README: there, small, and without a trace of the machine that made them."""

from pathlib import Path
from xml.etree import ElementTree

from tests.tables import table_test

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


@table_test("name", ["report.png", "live.svg"])
def test_it_is_there_and_small(name):
    assert 0 < (PICTURES / name).stat().st_size <= 300_000


def test_the_live_view_is_an_inert_drawing_without_paths():
    text = (PICTURES / "live.svg").read_text(encoding="utf-8")
    tags = {each.tag.rpartition("}")[2] for each in ElementTree.fromstring(text).iter()}
    assert tags == {"svg", "title", "rect", "circle", "g", "text"}
    assert not [word for word in ("/tmp", "/home", "/root", "https://") if word in text]
    assert "proving" in text


def test_the_report_is_a_png():
    assert (PICTURES / "report.png").read_bytes().startswith(b"\x89PNG\r\n")
