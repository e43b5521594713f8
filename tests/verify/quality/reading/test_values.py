"""Places, numbers and texts of tools: bounded, cleaned, and relative to where the tool ran."""

import posixpath

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.quality.tool_output import number, placed, said
from tests.tables import table_test

PARTS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8).filter(
        lambda part: part not in (".", "..") and "://" not in part and not part.endswith(":")
    ),
    min_size=1,
    max_size=4,
)


@table_test(
    ("path", "folder", "expected"),
    [
        ("/proj/a.py", "/proj", "a.py"),
        ("/proj/./src//a.py", "/proj/", "src/a.py"),
        ("./a.py", "/proj", "a.py"),
        ("src/../a.py", "/proj", "a.py"),
        ("/project/a.py", "/proj", "/project/a.py"),
        ("/etc/passwd", "/proj", "/etc/passwd"),
        ("../other/a.py", "/proj", "../other/a.py"),
        ("/proj/../secret.py", "/proj", "/proj/../secret.py"),
        ("file:///proj/a%20b.py", "/proj", "a b.py"),
        ("file:///proj/%FF.py", "/proj", "\udcff.py"),
        ("a\nb -x.py", "/proj", "a\nb -x.py"),
        ("a\\b.py", "/proj", "a\\b.py"),
        ("https://example.com/a.py", "/proj", "https://example.com/a.py"),
        ("a\ud800.py", "/proj", "a?.py"),
        ("/a.py", "/", "a.py"),
        ("x" * 5000, "/proj", ""),
        (None, "/proj", ""),
        (7, "/proj", ""),
    ],
)
def test_a_path_is_told_relative_to_the_folder(path: object, folder: str, expected: str) -> None:
    assert placed(path, folder) == expected


@given(PARTS, PARTS)
def test_every_file_inside_of_a_folder_is_told_by_its_relative_path(
    folder: list[str], file: list[str]
) -> None:
    inside = "/" + "/".join(folder)
    assert placed(posixpath.join(inside, *file), inside) == "/".join(file)


@table_test(
    ("value", "shift", "expected"),
    [
        (3, 0, 3),
        ("12", 0, 12),
        (0, 1, 1),
        (-1, 1, 0),
        (-5, 0, 0),
        (True, 0, 0),
        (2.0, 0, 2),
        (float("nan"), 0, 0),
        (float("inf"), 0, 0),
        (10**12, 0, 0),
        ("²", 0, 0),
        (None, 1, 0),
    ],
)
def test_a_number_of_a_line_is_never_negative_or_endless(value: object, shift: int, expected: int) -> None:
    assert number(value, shift) == expected


def test_texts_lose_what_moves_a_terminal_and_what_is_too_long() -> None:
    assert said("\x1b[31mred\x1b[0m\x07 a\xa0b\ud800") == "red a b?"
    assert len(said("x" * 9000)) == 2000
