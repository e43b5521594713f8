"""Scans: what they look at, what they leave out and say so, and that they end when they are told to."""

import asyncio
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import AgentError
from donewhen.tools.files.grep import looked_through
from donewhen.tools.files.searching import Order
from donewhen.tools.files.wildcards import matcher
from donewhen.tools.files.working import Stop, Stopped
from tests.tables import table_test
from tests.tools.files.bench import Bench


def globbed(bench: Bench, pattern: str = "**", **args: str) -> set[str]:
    result = bench("glob", pattern=pattern, **args)
    assert result.ok, result.error
    return {line for line in result.output.splitlines() if not line.startswith("(")}


BASE = {"src/app.py", "README.md", ".gitignore"}


def test_noise_and_ignored_files_are_left_out_but_tracked_ones_never(bench: Bench):
    for path in ("node_modules/m.js", "a/dist/x.js", "build/made", "x.log", "tmp/t", "seen.txt", "out"):
        bench.write(path)
    assert globbed(bench) == BASE | {"seen.txt", "out"}
    bench.ground.git("add", "-f", "node_modules/m.js", "build/made", "x.log")
    assert globbed(bench) == BASE | {"seen.txt", "out", "node_modules/m.js", "build/made", "x.log"}


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("node_modules", {"node_modules/m/dist/i.js"}),
        ("node_modules/m/dist", {"node_modules/m/dist/i.js"}),
        ("build", {"build/made"}),
        ("private", {"private/p.txt"}),
        ("inner", {"inner/i.txt"}),
        ("src", {"src/app.py"}),
        ("-odd *[x]", {"-odd *[x]/f"}),
    ],
)
def test_a_folder_that_one_asks_for_is_searched(bench: Bench, folder, expected):
    for path in (
        "node_modules/m/dist/i.js",
        "build/made",
        "private/p.txt",
        "inner/i.txt",
        "-odd *[x]/f",
        "-odd y/f",
    ):
        bench.write(path)
    bench.write(".gitignore", "build/\nprivate/\n")
    bench.ground.git("init", "-q", str(bench.root / "inner"))
    assert globbed(bench, path=folder) == expected
    lines = bench("grep", pattern="[te]", path=folder).output.splitlines()
    assert {line.partition(":")[0] for line in lines} == expected


def test_a_repository_inside_is_searched_without_its_git_directory(bench: Bench):
    bench.ground.git("init", "-q", str(bench.root / "inner"))
    bench.write("inner/i.txt")
    bench.write("inner/node_modules/n.js")
    assert globbed(bench) == BASE | {"inner/i.txt"}


def test_what_was_deleted_is_not_found(bench: Bench):
    (bench.root / "src/app.py").unlink()
    assert globbed(bench) == BASE - {"src/app.py"}
    assert bench("grep", pattern="answer").output.startswith("(no line matches")


def test_list_dir_names_what_it_leaves_out(bench: Bench):
    for path in ("node_modules/m.js", "x.log", "vendor/kept.go", "empty/.keep"):
        bench.write(path)
    bench.ground.git("add", "-f", "vendor/kept.go")
    output = bench("list_dir").output.splitlines()
    assert output[:3] == ["empty/", "src/", "vendor/"]
    assert "README.md  8" in output
    assert output[-1].startswith("(2 left out as noise or ignored by git: node_modules, x.log;")
    assert bench("list_dir", path="node_modules").output == "m.js  5"
    (bench.root / "hollow").mkdir()
    assert "nothing to show" in bench("list_dir", path="hollow").output
    assert not any(".git/" in line for line in output)


def test_grep_shows_context_and_gaps(bench: Bench):
    bench.write("f.txt", "".join(f"{n}\n" for n in range(1, 21)))
    result = bench("grep", pattern="^(5|15)$", glob="*.txt", context=1)
    assert result.output.splitlines() == [
        "--",
        "f.txt-4- 4",
        "f.txt:5: 5",
        "f.txt-6- 6",
        "--",
        "f.txt-14- 14",
        "f.txt:15: 15",
        "f.txt-16- 16",
    ]
    assert "f.txt:5: 5" in bench("grep", pattern="^5$", path="f.txt").output
    assert bench("grep", pattern="ANSWER", ignore_case=True).metadata["hits"] == 1
    assert bench("grep", pattern="swer = 4").metadata["hits"] == 1
    assert bench("grep", pattern="swer = .").metadata["hits"] == 1


def test_credentials_large_and_binary_files_are_passed_over_and_said(bench: Bench):
    bench.write(".env", "needle\n")
    bench.write("bin", b"needle\0")
    bench.write("large", b"needle\n" * 1_500_000)
    bench.write("plain", "needle\n")
    (bench.outside / "f").write_text("needle\n")
    (bench.root / "link").symlink_to(bench.outside / "f")
    lines = bench("grep", pattern="needle").output.splitlines()
    assert lines == [
        "plain:1: needle",
        "(1 files not searched, because their names say that they hold credentials: .env)",
        "(1 files over 10 MB not searched)",
        "(1 binary files not searched)",
    ]
    assert "credential" in bench("grep", pattern="needle", path=".env").error


def test_many_hits_and_long_lines_are_cut(bench: Bench):
    bench.write("many", "needle\n" * 3000)
    result = bench("grep", pattern="needle")
    assert result.metadata["hits"] == 500
    assert "stopped after 500" in result.output
    (bench.root / "many").unlink()
    bench.write("long", "x" * 15_000 + "needle" + "y" * 50_000)
    shown = bench("grep", pattern="needle").output
    assert "needle" in shown and len(shown) < 700


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a+)+$", "too many ways"),
        ("(unclosed", "no Python regular expression"),
        ("x" * 600, "longer than 500"),
        ("*", "no Python regular expression"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_with_the_reason(bench: Bench, pattern, words):
    result = bench("grep", pattern=pattern)
    assert (result.ok, result.error_class) == (False, "bad_arguments")
    assert words in result.error


class Telling(Stop):
    """Says when it stands over a program."""

    def __init__(self) -> None:
        super().__init__()
        self.standing = threading.Event()

    @contextmanager
    def over(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        with super().over(process):
            self.standing.set()
            yield


ENDLESS = "[ab]*[ac]*[ad]*x"  # takes years on such lines, but not exponentially many


def test_a_search_that_takes_for_ever_is_killed_when_it_is_stopped(bench: Bench):
    bench.write("slow", ("a" * 15_000 + "\n") * 20)
    stop = Telling()
    ended = []

    def search() -> None:
        order = Order(str(bench.root), ENDLESS, False, 0, 10, 1000, ["slow"])
        try:
            looked_through(order, stop)
        except Stopped:
            ended.append("stopped")

    thread = threading.Thread(target=search)
    thread.start()
    assert stop.standing.wait(60)
    stop.ask()
    thread.join(60)
    assert ended == ["stopped"]


def test_a_cancelled_search_is_over_when_the_call_is(bench: Bench):
    bench.write("slow", ("a" * 15_000 + "\n") * 20)

    async def cancelled() -> None:
        task = asyncio.create_task(bench.acall("grep", pattern=ENDLESS))
        for _ in range(50):  # the loop goes on meanwhile
            await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_a_cancelled_write_is_made_or_not_but_never_later(bench: Bench):
    async def cancelled() -> bool:
        task = asyncio.create_task(bench.acall("write_file", path="f", content="x"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return (bench.root / "f").exists()

    assert asyncio.run(cancelled()) is (bench.root / "f").exists()


def test_names_that_are_no_text_are_found(bench: Bench):
    name = os.fsdecode(b"caf\xe9")
    (bench.root / name).write_text("needle\n")
    assert "caf\\udce9:1: needle" in bench("grep", pattern="needle").output
    assert "caf\\udce9" in bench("glob", pattern="caf*").output


@table_test(
    ("pattern", "path", "means"),
    [
        ("*.py", "a/b/c.py", True),
        ("*.py", "a.pyc", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("**/test_*.py", "test_a.py", True),
        ("./src/*.py", "src/a.py", True),
        ("/README.md", "README.md", True),
        ("/README.md", "docs/README.md", False),
        ("src/", "src/a/b", True),
        ("src/**", "src/a/b", True),
        ("src/**", "lib/a", False),
        ("*.{ts,tsx}", "x.tsx", True),
        ("*.{ts,tsx}", "x.js", False),
        ("{src,lib}/**/*.{a,b}", "lib/x/y.b", True),
        ("{alone}", "{alone}", True),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("a?c", "abc", True),
    ],
)
def test_patterns_of_names(pattern, path, means):
    assert matcher(pattern)(path) is means


@table_test("pattern", ["", " ", "x" * 2000, "{a,b}" * 12, "a\0b"])
def test_patterns_without_measure_are_refused(pattern):
    with pytest.raises(AgentError):
        matcher(pattern)


def test_many_stars_take_no_time():
    assert not matcher("**/" * 200 + "*a" * 100 + "b")("/".join(["a" * 200] * 50))


@given(st.lists(st.text(alphabet="ab.", min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_path_is_meant_by_itself_and_by_stars(names):
    path = "/".join(names)
    if any(name in (".", "..") for name in names):
        return
    assert matcher("/" + path)(path)
    assert matcher("**")(path)
    assert matcher("/".join("*" for _ in names) if len(names) > 1 else "*")(path)
