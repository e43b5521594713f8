"""What is kept and shown of a command's output."""

import resource
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.redact import Redactor
from donewhen.workspace.processes.output import SHOWN, Sink, cleaned
from tests.tables import table_test

TOKEN = "ghp_" + "a1B2" * 9
KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n" * 20
    + "-----END OPENSSH PRIVATE KEY-----\n"
)


def sink(tmp_path, most=10**7, values=()):
    return Sink(tmp_path, Redactor(values), most)


def filled(tmp_path, *parts, **more):
    made = sink(tmp_path, **more)
    for part in parts:
        made.take(part)
    made.close()
    return made


def test_short_output_is_shown_and_kept_whole(tmp_path):
    made = filled(tmp_path, b"one\n", b"two")
    output = made.output()
    assert (output.text, output.left_out, output.size, output.cut) == ("one\ntwo", 0, 7, 0)
    assert output.file.read_bytes() == b"one\ntwo"
    assert output.file.stat().st_mode & 0o077 == 0


def test_long_output_is_shown_as_head_and_tail_and_kept_whole(tmp_path):
    data = b"".join(b"line %06d\n" % n for n in range(50_000))
    output = filled(tmp_path, data).output()
    assert output.head.startswith("line 000000\n")
    assert output.tail.endswith("line 049999\n")
    assert len(output.text.encode()) <= SHOWN
    assert len(output.head) + len(output.tail) + output.left_out == len(data)
    assert f"[… {output.left_out} bytes left out …]" in output.text
    assert output.file.read_bytes() == data


def test_past_the_cap_the_rest_is_counted_and_the_end_still_shown(tmp_path):
    output = filled(tmp_path, *[b"x" * 99 + b"\n"] * 40_000, b"the end\n", most=100_000).output()
    assert output.file.stat().st_size == 100_000
    assert output.size == 4_000_008
    assert output.cut == output.size - 100_000
    assert output.text.endswith("the end\n")
    assert len(output.head) + len(output.tail) + output.left_out == output.size


def test_a_full_disk_stops_the_file_not_the_command(tmp_path):
    if not hasattr(resource, "prlimit"):
        pytest.skip("a file's size can't be limited for a moment here")
    made = sink(tmp_path)
    before = resource.prlimit(0, resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.prlimit(0, resource.RLIMIT_FSIZE, (4, before[1]))
        made.take(b"hello\nyou\n")
        made.close()
    finally:
        resource.prlimit(0, resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert (made.output().text, made.output().cut) == ("hello\nyou\n", 6)


@table_test("split", range(0, 60, 7))
def test_secrets_are_neither_shown_nor_kept_however_they_arrive(tmp_path, split):
    data = f"before\ntoken {TOKEN} and hunter2-hunter2\nafter\n".encode()
    made = sink(tmp_path, values=["hunter2-hunter2"])
    made.take(data[:split])
    made.settle()
    made.output()
    made.take(data[split:])
    made.close()
    for text in (made.output().text, made.path.read_text()):
        assert TOKEN not in text and "hunter2" not in text
        assert text.startswith("before\n") and text.endswith("after\n")


def test_a_private_key_is_not_cut_in_two(tmp_path):
    made = sink(tmp_path)
    for line in KEY.splitlines(keepends=True):
        made.take(line.encode())
        made.settle()
    made.close()
    assert "b3Blbn" not in made.path.read_text()


def test_an_unfinished_line_is_shown_but_not_yet_kept(tmp_path):
    made = sink(tmp_path)
    made.take(b"ready\npassword: ")
    assert made.read(0).text == "ready\n"
    assert made.output().text == "ready\npassword: "
    made.close()
    assert made.read(6).text == "password: "


def test_reading_by_offset_gives_every_line_once(tmp_path):
    made = sink(tmp_path)
    text = "".join(f"{n} äöü€🙂\n" for n in range(500))
    got, at = "", 0
    for piece in [text[n : n + 97] for n in range(0, len(text), 97)]:
        made.take(piece.encode())
        part = made.read(at, 64)
        got, at = got + part.text, part.next
    made.close()
    while (part := made.read(at, 64)).text:
        got, at = got + part.text, part.next
    assert got == text


@table_test(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b(Bplain\x1b=", "plain"),
        ("a\r\nb", "a\nb"),
        ("10%\r20%\r\r\n", "10%\n20%\n"),
        ("a\x00\x07\x08b", "ab"),
        ("\u202eevil\u2066", "evil"),
        ("tab\tstays", "tab\tstays"),
        ("\x1b", ""),
    ],
)
def test_control_sequences_are_not_shown(raw, shown):
    assert cleaned(raw) == shown


def test_the_file_keeps_control_sequences_and_broken_text(tmp_path):
    made = filled(tmp_path, b"\x1b[31mred\x1b[0m \xff\xfe\n")
    assert made.path.read_bytes() == b"\x1b[31mred\x1b[0m \xff\xfe\n"
    assert made.output().text == "red \ufffd\ufffd\n"


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_how_output_arrives_changes_nothing(tmp_path_factory, parts):
    folder = tmp_path_factory.mktemp("output")
    pieces, whole = filled(folder, *parts), filled(folder, b"".join(parts))
    assert pieces.output()._replace(file=whole.path) == whole.output()
    assert pieces.path.read_bytes() == whole.path.read_bytes()


@table_test("before", [2**20 - 20, 2**20 - 8192 - 20, 2**20 - 2 * 8192 - 20])
def test_a_secret_is_not_cut_in_two_where_a_line_is_too_long(tmp_path, before):
    made = sink(tmp_path)
    for piece in (b"." * before + b" " + TOKEN.encode()[:20], TOKEN.encode()[20:] + b" ", b"." * 2**20):
        made.take(piece)
    made.close()
    kept = made.path.read_text()
    assert TOKEN[:16] not in kept and TOKEN[-16:] not in kept
    assert made.output().cut == 0 and kept.count(".") == before + 2**20


def test_a_place_that_can_not_be_written_stops_the_file_not_the_command(tmp_path):
    (tmp_path / "file").touch()
    made = Sink(tmp_path / "file/below", Redactor(), 100)
    made.take(b"hello\n")
    made.close()
    assert (made.output().text, made.output().cut, made.read(0).text) == ("hello\n", 6, "")


def _halves(tmp_path, parts, in_memory):
    made = Sink(tmp_path, Redactor(["s3cr3t-value"]), 3000, in_memory)
    read = []
    for part in parts:
        made.take(part)
        read.append(made.read(0).text)
    made.close()
    return made, read


@given(
    st.lists(st.one_of(st.binary(max_size=60), st.just(b"s3cr3t-value\n"), st.just(b"x" * 700)), max_size=12),
    st.integers(1, 4000),
)
def test_little_output_in_memory_reads_like_that_in_a_file(tmp_path_factory, parts, in_memory):
    folder = tmp_path_factory.mktemp("output")
    (held, read_held), (filed, read_filed) = _halves(folder, parts, in_memory), _halves(folder, parts, 0)
    assert read_held == read_filed and held.read(3, 50) == filed.read(3, 50)
    assert held.output()._replace(file=filed.path) == filed.output()
    if held.size > in_memory:
        assert held.path.read_bytes() == filed.path.read_bytes()


def test_little_output_makes_no_file(tmp_path):
    made = Sink(tmp_path / "outputs", Redactor(), 100, 10)
    made.take(b"hello\n")
    made.close()
    assert not (tmp_path / "outputs").exists() and made.output().file.read_bytes() == b""
    assert made.output().text == made.read(0).text == "hello\n"


def test_a_file_that_can_not_be_made_later_stops_the_file_not_the_command(tmp_path):
    (tmp_path / "file").touch()
    made = Sink(tmp_path / "file/below", Redactor(), 100, 8)
    for part in (b"hello\n", b"world\n"):
        made.take(part)
        made.settle()
    made.close()
    assert (made.output().text, made.output().cut, made.read(0).text) == ("hello\nworld\n", 12, "")
