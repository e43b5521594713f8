"""find, fd, xargs, parallel: on which paths they act and what they run."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Nested, Text, Words
from donewhen.guard.effects import Deletes, Effect, Reads, Writes
from donewhen.guard.marks import BELOW, HOLE
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

WORKSPACE = GROUND.workspace


def found(line: str, stdin: str | None = None) -> list[Effect | Nested]:
    one = call(line, stdin)
    return list(READERS[one.name](one))


def runs(line: str, stdin: str | None = None) -> list[tuple[str, ...]]:
    return [one.argv for one in found(line, stdin) if isinstance(one, Words)]


def deleted(line: str) -> list[tuple[str, bool]]:
    return [(one.path.removeprefix(WORKSPACE), one.deep) for one in found(line) if isinstance(one, Deletes)]


@table_test(
    ("line", "paths"),
    [
        ("find . -name '*.log' -delete", [(f"/{BELOW}.log", False)]),
        ("find . -name core -delete", [("/core", False), (f"/{BELOW}/core", False)]),
        ("find . ( -name '*.a' -o -name '*.b' ) -delete", [(f"/{BELOW}.a", False), (f"/{BELOW}.b", False)]),
        ("find build -path '*/tmp/*' -delete", [(f"/build/{BELOW}/tmp/{BELOW}", False)]),
        ("find . -newermt yesterday -delete", [(f"/{BELOW}", False)]),
        ("find . -depth -name '*.o' -delete", [(f"/{BELOW}.o", False)]),
        ("find . -path ./x -prune -o -name '*.o' -delete", [(f"/{BELOW}.o", False)]),
    ],
)
def test_a_test_for_names_narrows_what_is_deleted(line: str, paths: list[tuple[str, bool]]) -> None:
    assert deleted(line) == paths


@table_test(
    "line",
    [
        "find . -delete",
        "find -delete",
        "find . -type f -delete",
        "find . -mindepth 1 -maxdepth 2 -delete",
        "find . -name '*' -delete",
        "find . -regex '.*' -delete",
        "find . ! -name keep -delete",
        "find . -not -path './.git/*' -delete",
        "find . ! ( -type f -name keep ) -delete",
        "find . ! ( -name keep -o -name other ) -delete",
        "find . ( -name x -o -true ) -delete",
        "find . -name x -o -delete",
    ],
)
def test_what_leaves_nearly_everything_in_deletes_the_root(line: str) -> None:
    assert deleted(line) == [("", True)]


def test_a_root_that_has_the_wanted_name_is_found_itself() -> None:
    assert ("rm", "-rf", WORKSPACE) in runs(f"find {WORKSPACE} -name feature-x -exec rm -rf {{}} ;")


def test_deleting_only_what_is_empty_loses_nothing() -> None:
    assert found("find . -type d -empty -delete")[1:] == [Writes(f"{WORKSPACE}/{BELOW}")]


@table_test(
    ("line", "argvs"),
    [
        ("find . -name '*.c' -exec rm -f {} +", [("rm", "-f", f"./{BELOW}.c")]),
        ("find ~ -type f -exec rm {} ;", [("rm", "/home/dev")]),
        ("find a b -name '*.c' -exec cc {} ;", [("cc", f"a/{BELOW}.c"), ("cc", f"b/{BELOW}.c")]),
        ("find . -name '*.c' -exec sh -c 'cat $1' _ {} ;", [("sh", "-c", "cat $1", "_", f"./{BELOW}.c")]),
        ("find . -depth -exec rm {} ;", [("rm", ".")]),
        ("find . -name x -exec rm -rf / ;", [("rm", "-rf", "/")]),
        ("find . -exec a ; -ok b {} ;", [("a",), ("b", ".")]),
        ("find . -files0-from list -exec rm {} ;", [("rm", HOLE)]),
        ("fd -e py -x wc -l", [("wc", "-l", f"{BELOW}.py")]),
        ("fd -H . -X rm -rf", [("rm", "-rf", ".")]),
        ("fd -e c . src -x cc {} -o {.}.o", [("cc", f"src/{BELOW}.c", "-o", f"src/{BELOW}.o")]),
    ],
)
def test_commands_get_the_paths_put_in(line: str, argvs: list[tuple[str, ...]]) -> None:
    assert runs(line) == argvs


def test_execdir_runs_below_the_root() -> None:
    [one] = [one for one in found("find src -name '*.c' -execdir rm ../y ;") if isinstance(one, Words)]
    assert (one.argv, one.folder) == (("rm", "../y"), f"{WORKSPACE}/src/{BELOW}")


def test_a_search_for_a_hidden_name_finds_that_name() -> None:
    assert ("cat", ".env*".replace("*", "\x01")) in runs("fd -H .env -x cat")


@table_test(
    ("line", "path"),
    [
        ("find . -fprint /etc/x", "/etc/x"),
        ("find . -fprintf out %p", f"{WORKSPACE}/out"),
        ("find . -fls /x", "/x"),
    ],
)
def test_find_writes_the_files_it_is_told_to(line: str, path: str) -> None:
    assert Writes(path) in found(line)


@table_test(
    ("line", "stdin", "argvs"),
    [
        ("xargs rm", "a b\nc", [("rm", "a", "b", "c")]),
        ("xargs rm", "'a b' c\\ d", [("rm", "a b", "c d")]),
        ("xargs rm", f"src/{BELOW}.o\n", [("rm", f"src/{BELOW}.o")]),
        ("xargs rm", HOLE, [("rm", HOLE)]),
        ("xargs rm", None, [("rm", HOLE)]),
        ("xargs rm", "", [("rm",)]),
        ("xargs -a list rm", "x", [("rm", HOLE)]),
        ("xargs -n1 rm", "a b", [("rm", "a"), ("rm", "b")]),
        ("xargs -L1 mv", "a b\nc d", [("mv", "a", "b"), ("mv", "c", "d")]),
        ("xargs -d , rm", "a,b c", [("rm", "a", "b c")]),
        ("xargs -I{} sh -c 'rm {}'", "~\n", [("sh", "-c", "rm ~")]),
        ("xargs --replace=% rm %", "a b", [("rm", "a b")]),
        ("xargs -i rm {}", "a", [("rm", "a")]),
        ("xargs -J % cp % dir", "a b", [("cp", "a", "b", "dir")]),
        ("xargs -0 sh -c", "true\nrm -rf ~", [("sh", "-c", "true\nrm -rf ~")]),
        ("xargs -0 rm", f"src/{BELOW}\n", [("rm", f"src/{BELOW}")]),
        (
            "xargs -0 rm",
            f"a/{BELOW}\nb/{BELOW}\n",
            [("rm", f"a/{BELOW}", f"b/{BELOW}"), ("rm", f"a/{BELOW}\nb/{BELOW}\n")],
        ),
        ("xargs", "a", [("echo", "a")]),
    ],
)
def test_xargs_makes_arguments_of_its_input(
    line: str, stdin: str | None, argvs: list[tuple[str, ...]]
) -> None:
    assert runs(line, stdin) == argvs


@given(st.lists(st.text("abc/.~ '\"\\\n", min_size=1, max_size=8), max_size=200))
def test_xargs_never_runs_more_than_it_can_say(items: list[str]) -> None:
    argvs = runs("xargs -n1 rm", " ".join(items))
    assert len(argvs) <= 65
    assert len(argvs) < 65 or argvs[-1] == ("rm", HOLE)


@table_test(
    ("line", "stdin", "texts"),
    [
        ("parallel rm -rf ::: a ~", None, ["rm -rf a", "rm -rf /home/dev"]),
        ("parallel ::: 'rm -rf ~' ls", None, ["rm -rf ~", "ls"]),
        ("parallel 'rm {}/x' ::: /etc", None, ["rm /etc/x"]),
        ("parallel echo ::: 'a; rm b'", None, ["echo 'a; rm b'"]),
        ("parallel -j4 gzip", "a\nb\n", ["gzip a", "gzip b"]),
        ("parallel convert {} {.}.png ::: a.jpg", None, ["convert a.jpg a.png"]),
        ("parallel echo {1} {2} ::: a b ::: c", None, ["echo a c", "echo b c"]),
        ("parallel rm -- a b", None, ["rm a", "rm b"]),
        ("parallel :::: list", None, [HOLE]),
        ("parallel --dry-run rm ::: a", None, []),
    ],
)
def test_parallel_makes_lines_for_a_shell(line: str, stdin: str | None, texts: list[str]) -> None:
    assert [one.text for one in found(line, stdin) if isinstance(one, Text)] == texts


def test_parallel_reports_its_own_files_and_hosts() -> None:
    effects = found("parallel --joblog /etc/log -S host uptime :::: list")
    assert effects == [
        Reads(f"{WORKSPACE}/list"),
        Writes("/etc/log"),
        Text(f"uptime {HOLE}", "parallel", elsewhere="host"),
    ]


@table_test(
    "argv",
    [
        ("find", "r" * 30000, "-exec", "echo", "{}" * 15000, ";"),
        ("find", *["r"] * 9000, *["-name", "x"] * 3000, "-delete"),
        ("find", *["r"] * 9000, "-execdir", "echo", "{}", ";"),
        ("parallel", "{}" * 10000, ":::", "a" * 30000),
        ("parallel", "{1}{2}" * 3000, *[":::", "a"] * 5000),
        ("fd", "a", *["b"] * 9000, "-x", "echo", "{}" * 1000),
    ],
)
def test_the_size_of_what_is_run_is_bounded(argv: tuple[str, ...]) -> None:
    one = call("x")._replace(argv=argv)
    nested = [item for item in READERS[argv[0]](one) if isinstance(item, (Words, Text))]
    assert len(nested) < 100
    assert (
        sum(len("".join(item.argv) if isinstance(item, Words) else item.text) for item in nested) < 10_000_000
    )
