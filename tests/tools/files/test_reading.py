"""Reading: ranges, limits, encodings, and what is told instead of a content."""

import asyncio
import os

import pytest

from tests.tools.files.bench import Bench


def test_lines_are_numbered_and_ranges_are_inclusive(bench: Bench):
    bench.write("f", "".join(f"line {n}\n" for n in range(1, 11)))
    assert bench("read_file", path="f").output.splitlines()[2] == "     3\tline 3"
    part = bench("read_file", path="f", start=3, end=4)
    assert part.output == "     3\tline 3\n     4\tline 4\n(lines 3 to 4 of 10)"
    assert bench("read_file", path="f", start=9).output.endswith("(lines 9 to 10 of 10)")
    assert bench("read_file", path="f", end=1).output.startswith("     1\tline 1\n")


@pytest.mark.parametrize(
    ("args", "words", "kind"),
    [
        ({"path": "f", "start": 4, "end": 2}, "comes after", "bad_arguments"),
        ({"path": "f", "start": 99}, "has 2 lines", "not_found"),
        ({"path": "nothing"}, "there is no `nothing`", "not_found"),
        ({"path": "src/App.py"}, "`src/app.py`", "not_found"),
        ({"path": "src"}, "is a folder", "refused"),
        ({"path": "."}, "root itself", "refused"),
        ({"path": "f/x"}, "no folder", "refused"),
        ({"path": "bin.dat"}, "binary", "binary"),
        ({"path": "pipe"}, "pipe, socket or device", "refused"),
        ({"path": "big"}, "`start` and `end`", "too_large"),
        ({"path": "huge", "start": 1}, "at most 50 MB", "too_large"),
        ({"path": "x" * 300}, "too long", "refused"),
    ],
)
def test_what_cannot_be_read_is_said_with_a_reason(bench: Bench, args, words, kind):
    bench.write("f", "one\ntwo\n")
    bench.write("bin.dat", b"a\0b")
    os.mkfifo(bench.root / "pipe")
    with bench.write("big").open("wb") as file:
        file.truncate(3 * 1024 * 1024)
    with bench.write("huge").open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    result = bench("read_file", **args)
    assert (result.ok, result.error_class) == (False, kind)
    assert words in result.error


def test_a_part_of_a_large_file_can_be_read(bench: Bench):
    bench.write("big", "x" * 99 + "\n" + "y" * 99 + "\n" + ("z" * 99 + "\n") * 30_000)
    result = bench("read_file", path="big", start=2, end=2)
    assert result.output == f"     2\t{'y' * 99}\n(lines 2 to 2 of 30002)"


def test_an_empty_file_is_said_to_be_empty(bench: Bench):
    bench.write("f", "")
    result = bench("read_file", path="f")
    assert (result.ok, result.metadata) == (True, {"path": "f", "empty": True, "whole": True})
    assert "empty" in result.output
    assert bench("file_info", path="f").metadata["empty"] is True
    assert bench("file_info", path="src/app.py").metadata["empty"] is False


def test_what_cannot_be_seen_is_spelled_out(bench: Bench):
    bench.write("f", b"\x1b[31mred\r\n\xe2\x80\xaetrick\n\xff\xfebytes\n\xe4\xb8\xad\xc2\xa0ok\n")
    lines = bench("read_file", path="f").output.splitlines()
    assert lines == [
        "     1\t\\x1b[31mred",
        "     2\t\\u202etrick",
        "     3\t\\udcff\\udcfebytes",
        "     4\t中\u00a0ok",
    ]


def test_a_long_file_keeps_head_and_tail(bench: Bench):
    bench.write("f", "".join(f"line {n} {'é' * 50}\n" for n in range(10_000)))
    output = bench("read_file", path="f").output
    assert len(output.encode()) <= 64 * 1024
    lines = output.splitlines()
    assert lines[0].endswith("line 0 " + "é" * 50)
    assert lines[-1].endswith("line 9999 " + "é" * 50)
    assert sum("left out" in line for line in lines) == 1
    assert all("line" in line and line.endswith("é" * 50) for line in lines if "left out" not in line)


def test_secrets_are_taken_out_of_what_is_shown(tmp_path):
    bench = Bench(tmp_path, secrets=("correct-horse-battery",))
    bench.write("f", "password is correct-horse-battery\n")
    for result in (bench("read_file", path="f"), bench("grep", pattern="password")):
        assert "correct-horse-battery" not in result.output
        assert "password is" in result.output


def test_file_info_tells_kinds(bench: Bench):
    bench.write("crlf", b"\xef\xbb\xbfa\r\nb\r\n")
    (bench.root / "link").symlink_to("crlf")
    crlf = bench("file_info", path="crlf").output
    assert "line_ends: crlf" in crlf and "bom: yes" in crlf and "lines: 2" in crlf
    assert "target: crlf" in bench("file_info", path="link").output
    assert "kind: folder" in bench("file_info", path=".").output
    bench.write("bin", b"\0")
    assert "content: binary" in bench("file_info", path="bin").output


def test_a_name_with_a_line_break_does_not_read_as_lines_of_ours(bench: Bench):
    bench.write("a\nb -> c", "x\n")
    assert "a\\nb -> c" in bench("list_dir").output
    assert "a\\nb -> c" in bench("glob", pattern="a*").output
    assert "a\\nb -> c:1: x" in bench("grep", pattern="^x$").output


def test_many_reads_at_once(bench: Bench):
    bench.write("big", "word\n" * 200_000)

    async def all_of_them():
        return await asyncio.gather(*(bench.acall("read_file", path="big") for _ in range(8)))

    assert all(result.ok for result in asyncio.run(all_of_them()))
