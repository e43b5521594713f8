"""The bridge to shfmt, a real parser of bash: text in, its syntax tree as JSON out.

The program is the one that was installed with donewhen, never one from PATH: a repository could put its own
there. Size, operators, time and output are bounded, because its JSON grows with the square of a chain.
"""

import json
import os
import sys
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from donewhen.core.lazy import lazy
from donewhen.shell.nest import Unreadable

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

MAX_OPERATORS = 200
MAX_LINES = 1200
MAX_OUTPUT = 16 * 2**20
_MAX_INDENT = b"\n" + b"\t" * 480  # its JSON is indented by one tab a level, and the JSON reader recurses
_PROGRAM = "shfmt"
_DISTRIBUTION = "shfmt-py"
_OPERATOR = lazy(rb"&&|\|\||[|;&]")
_GOES_ON = lazy(rb"(?:&&|\|\||\||\\)[ \t]*$")
_COMPLAINT = lazy(r"(?:<standard input>:)?(\d+:\d+: .*)")


def syntax(text: bytes, seconds: float) -> dict[str, Any]:
    """The syntax tree of a bash text; Unreadable when there is none, or none within the limits."""
    if _longest_chain(text) > MAX_OPERATORS or text.count(b"\n") > MAX_LINES:
        raise Unreadable("shell.too_many_operators", str(MAX_OPERATORS))
    if seconds <= 0:
        raise Unreadable("shell.too_slow")
    output = answer([program(), "--to-json", "-ln", "bash"], text, seconds)
    if _MAX_INDENT in output:
        raise Unreadable("shell.too_deep", "shfmt")
    try:
        tree = json.loads(output)
    except RecursionError:
        raise Unreadable("shell.too_deep", "shfmt") from None
    except ValueError:
        raise Unreadable("shell.no_answer", _PROGRAM) from None
    if not isinstance(tree, dict):
        raise Unreadable("shell.no_answer", _PROGRAM)
    return tree


def _longest_chain(text: bytes) -> int:
    """The most operators in one line, with the lines that go on in the next.

    Each line is looked at alone, because here-documents and quoted texts have as many as they like. One that
    begins with a bar is no shell, unless the line before was broken: it is a row of a table.
    """
    longest = chain = 0
    broken = False
    for line in text.split(b"\n"):
        table, broken = not broken and line.lstrip().startswith(b"|"), line.endswith(b"\\")
        if table:
            chain = 0
            continue
        chain += sum(1 for _ in _OPERATOR.finditer(line))
        longest = max(longest, chain)
        if _GOES_ON.search(line) is None:
            chain = 0
    return longest


def answer(argv: list[str], text: bytes, seconds: float) -> bytes:
    """What a program prints for `text` within the time; it is killed after that."""
    import subprocess  # most texts never need it

    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"LC_ALL": "C"},
            close_fds=True,
        )
    except OSError as error:
        raise Unreadable("shell.no_answer", error.strerror or _PROGRAM) from None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        output, complaint = _exchange(process, text)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
    if late.is_set():
        raise Unreadable("shell.too_slow")
    if len(output) > MAX_OUTPUT:
        raise Unreadable("shell.too_large", str(MAX_OUTPUT // 2**20))
    if complaint or not output:
        raise Unreadable("shell.syntax_error", _first_line(complaint))
    return output


def _exchange(process: "subprocess.Popen[bytes]", text: bytes) -> tuple[bytes, bytes]:
    """It reads everything before it answers, so writing first can't lock up; the output is cut at the cap."""
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    assert stdin is not None and stdout is not None and stderr is not None
    with stdin, stdout, stderr:
        try:
            stdin.write(text)
            stdin.close()
        except BrokenPipeError:
            return b"", stderr.read(4096)
        output = stdout.read(MAX_OUTPUT + 1)
        return output, b"" if len(output) > MAX_OUTPUT else stderr.read(4096)


def _first_line(complaint: bytes) -> str:
    line = complaint.decode("utf-8", "replace").partition("\n")[0][:200]
    found = _COMPLAINT.match(line)
    return found[1] if found else line


@cache
def program() -> str:
    """Its path; only a found one is remembered, so that installing it helps at once."""
    beside = f"{os.path.dirname(sys.executable)}/{_PROGRAM}"  # noqa: PTH120 - looked at in every hook
    if os.access(beside, os.X_OK):
        return beside
    import sysconfig
    from pathlib import Path

    return located([Path(sysconfig.get_path("scripts"))], _DISTRIBUTION)


def located(folders: "list[Path]", distribution: str) -> str:
    """The program in one of the folders, or where its distribution was installed."""
    from pathlib import Path

    for folder in folders:
        if os.access(folder / _PROGRAM, os.X_OK):
            return str(folder / _PROGRAM)
    from importlib import metadata  # takes longer to load than the parser to parse

    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.name == _PROGRAM and os.access(path, os.X_OK):
            return str(path.resolve())
    raise Unreadable("shell.no_parser", distribution)
