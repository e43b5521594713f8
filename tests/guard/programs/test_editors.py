"""sed, awk, make and their like: what their texts run, read and write."""

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.guard.call import Call, File, Nested, Text, Words
from donewhen.guard.effects import (
    Deletes,
    Destroys,
    Effect,
    Installs,
    Loads,
    Reads,
    Reveals,
    RunsFetched,
    Unknown,
    Writes,
)
from donewhen.guard.marks import HOLE, NETWORK
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

HERE = GROUND.workspace
REMOVE = "rm -rf ~"


def found(line: str, stdin: str | None = None) -> list[Effect | Nested]:
    one = call(line, stdin)
    return list(READERS[one.name](one))


def typed(effects: list[Effect | Nested]) -> list[tuple[type, Effect | Nested]]:
    """Two kinds of effect with the same content are equal as tuples."""
    return [(type(one), one) for one in effects]


def acts(effects: list[Effect | Nested]) -> list[Effect | Nested]:
    return [one for one in effects if not isinstance(one, Reads)]


@table_test(
    "script",
    [
        "s/sudo //g",
        "s/w /x/;/pattern with e/d",
        "10,60p",
        "/^foo/,/^bar/{s/x/y/;p}",
        r"s/([a-z]+)[/]x/\1/; $!N; P; D",
        r"/x/a\ hello w /etc/passwd",
        "/x/i r .env",
        "s/[^/]*$//",
        r":a;N;$!ba;s/\n/ /g",
        "y/abc/wre/",
        "$d",
        "2,$ s/^/  /",
        r"s/\//x/g;s,a,b,",
        "/[/]/d",
        "1~2d",
        "/a/,+3d",
        "0,/x/s//y/",
        "s|rm -rf|x|w",
        "=",
        "5q",
        "# e rm -rf ~",
        r"\,x,d",
        "",
    ],
)
def test_ordinary_sed_scripts_only_print(script: str) -> None:
    effects = acts(found(f'sed -n "{script}" a' if "'" in script else f"sed -n '{script}' a"))
    assert effects in (
        [],
        [Writes(HERE)],
    )  # `w` without a name is the folder itself, which is refused elsewhere


@table_test(
    ("line", "effects"),
    [
        ("sed '1e rm -rf ~' a", [Text(REMOVE, "sed")]),
        ("sed -n '1!{/x/e rm -rf ~\n}' a", [Text(REMOVE, "sed")]),
        ("sed 's/.*/rm -rf ~/e' a", [Text(REMOVE, "sed")]),
        ("sed 's/x/date/e' a", [Text("date", "sed"), Unknown("guard.unknown_text", "sed e")]),
        ("sed e a", [Unknown("guard.unknown_text", "sed e")]),
        ("sed -n 'w /srv/out' a", [Writes("/srv/out")]),
        ("sed 's|a|b|gw /srv/x' a", [Writes("/srv/x")]),
        ("sed -i 's/a/b/' a", [Writes(f"{HERE}/a")]),
        ("sed -i.bak -e 's/a/b/' a", [Writes(f"{HERE}/a")]),
        ("sed -ni 's/a/b/p' ~/.bashrc", [Writes("/home/dev/.bashrc")]),
        ("sed -i '' 's/a/b/' ~/.bashrc", [Writes("/home/dev/.bashrc")]),
        ("sed --in-place=.bak 's/a/b/' ../x", [Writes("/home/dev/wt/x")]),
        ("sed --expression='e rm -rf ~' a", [Text(REMOVE, "sed")]),
        ("sed -e 's/a/b/' -e 'e rm -rf ~' a", [Text(REMOVE, "sed")]),
        ("sed --sandbox 'e rm -rf ~' a", []),
        ("sed -f a.sed b", [File(f"{HERE}/a.sed", "sed")]),
        ("sed 's/a' b", [Unknown("guard.unknown_code", "s/a")]),
    ],
)
def test_sed_commands_that_act(line: str, effects: list[Effect | Nested]) -> None:
    assert typed(acts(found(line))) == typed(effects)


def test_sed_reads_files_named_in_its_script() -> None:
    assert (type(Reads(f"{HERE}/.env")), Reads(f"{HERE}/.env")) in typed(found("sed 'r .env' a"))
    assert (type(Reads(f"{HERE}/.env")), Reads(f"{HERE}/.env")) in typed(found("sed -n p .env"))


@table_test(
    "program",
    [
        "{print $1}",
        "$3 > 100 {print $1}",
        "{print ($1 > 5)}",
        "/rm -rf/ {n++} END {print n}",
        "{ if ($1 > max) max = $1 } END { print max }",
        "NR==FNR{a[$1]=$2;next} $1 in a{print a[$1]/2}",
        '{sum+=$1} END{printf "%.2f\\n", sum/NR}',
        '{ print $0 > "/dev/stderr" }',
        '{print "system(rm -rf ~)"}',
        "a || b {print}",
        "# system(x)",
    ],
)
def test_ordinary_awk_programs_only_print(program: str) -> None:
    assert typed(acts(found(f"awk '{program}' a"))) == typed([])


@table_test(
    ("line", "effects"),
    [
        ("""awk 'BEGIN{system("rm -rf ~")}' """, [Text(REMOVE, "awk")]),
        ("""awk 'BEGIN{a = "rm"; b = a " -rf ~"; system(b)}' """, [Text(REMOVE, "awk")]),
        ("""awk -v c='rm -rf ~' 'BEGIN{system(c)}' """, [Text(REMOVE, "awk")]),
        ("""awk '"rm -rf ~" | getline x' """, [Text(REMOVE, "awk")]),
        ("""awk '{system($1)}' a""", [Unknown("guard.unknown_code")]),
        ("""awk '{print | "sh"}' a""", [Words(("sh",), "awk", stdin=HOLE)]),
        ("""awk 'BEGIN{print "rm x" | "sh"}' """, [Words(("sh",), "awk", stdin="rm x")]),
        ("""awk '{print $1 > "/srv/x"}' a""", [Writes("/srv/x")]),
        ("""awk '{print >> "out.txt"}' a""", [Writes(f"{HERE}/out.txt")]),
        ("""awk 'BEGIN{print ENVIRON["API_TOKEN"]}' """, [Reveals("variable", "API_TOKEN")]),
        ("""awk 'BEGIN{for(k in ENVIRON) print k, ENVIRON[k]}' """, [Reveals("environment")]),
        ("gawk -i inplace '{print}' ../x", [Writes("/home/dev/wt/x")]),
        ("awk -f a.awk b", [File(f"{HERE}/a.awk", "awk")]),
    ],
)
def test_awk_programs_that_act(line: str, effects: list[Effect | Nested]) -> None:
    assert typed(acts(found(line))) == typed(effects)


def test_awk_reads_operands_and_getline_files_but_not_assignments() -> None:
    effects = found("""awk 'BEGIN { while ((getline l < ".env") > 0) print l }' x=1 b""")
    assert effects == [Reads(f"{HERE}/.env"), Reads(f"{HERE}/b")]


@table_test(
    ("line", "stdin", "commands"),
    [
        ("make -f -", "all:\n\trm -rf ~\n", [REMOVE]),
        ("make -f -", "D = ~\nall: ; @rm -rf $(D)\n", [REMOVE]),
        ("make -f -", "all:\n\t-@echo $$HOME\n", ["echo $HOME"]),
        ("make -f -", "x := $(shell rm -rf ~)\n", [REMOVE]),
        ("make -f -", "x != rm -rf ~\n", [REMOVE]),
        ("make -f -", "a: b\n\tcp $< $@\n", ["cp b a"]),
        ("make X='$(shell rm -rf ~)'", None, [REMOVE]),
        ("make --eval='$(shell rm -rf ~)'", None, [REMOVE]),
        ("make CC='cc; rm -rf ~'", None, ["cc; rm -rf ~"]),
        ("make CFLAGS='-O2 -g' -j4 all", None, []),
        ("make test", None, []),
    ],
)
def test_recipes_and_shell_functions_are_shell_texts(
    line: str, stdin: str | None, commands: list[str]
) -> None:
    assert [one.text for one in found(line, stdin) if isinstance(one, Text)] == commands


def test_make_runs_the_makefile_of_the_folder_it_is_sent_to() -> None:
    assert typed(found("make -C sub clean")) == typed([File(f"{HERE}/sub/Makefile", "make", ("clean",))])
    assert typed(found("make -C /srv/x clean")) == typed(
        [Unknown("guard.unknown_path", "/srv/x"), File("/srv/x/Makefile", "make", ("clean",))]
    )
    assert typed(found("make -f a.mk")) == typed([File(f"{HERE}/a.mk", "make", ())])
    assert typed(found("make SHELL=/tmp/x")[1:]) == typed([Loads("SHELL=/tmp/x")])


@table_test("line", ["make -f -", "sed -f -", "awk -f -", "gdb", "m4"])
def test_texts_from_the_network_that_would_run(line: str) -> None:
    assert (type(RunsFetched(line.split()[0])), RunsFetched(line.split()[0])) in typed(found(line, NETWORK))


@table_test(
    ("line", "effects"),
    [
        ("cmake -E rm -rf /srv/x", [Deletes("/srv/x", True)]),
        ("cmake -E remove_directory build", [Deletes(f"{HERE}/build", True)]),
        ("cmake -E copy a /srv/x", [Reads(f"{HERE}/a"), Writes("/srv/x")]),
        ("cmake -E env A=1 rm x", [Words(("env", "A=1", "rm", "x"), "cmake")]),
        ("cmake -E chdir /srv rm x", [Words(("rm", "x"), "cmake", "/srv")]),
        ("cmake -P a.cmake", [File(f"{HERE}/a.cmake", "cmake")]),
        ("cmake -S . -B build -DX=1", [Reads(HERE), Writes(f"{HERE}/build")]),
        ("cmake --build build -j4", []),
        ("cmake --install build", [Installs("cmake", "system")]),
        ("cmake --install build --prefix /srv", [Writes("/srv")]),
    ],
)
def test_cmake(line: str, effects: list[Effect | Nested]) -> None:
    assert typed(found(line)) == typed(effects)


@table_test(
    ("line", "stdin", "effects"),
    [
        ("vim -c ':!rm -rf ~' -c q", None, [Text(REMOVE, "vim")]),
        ("vim -c 'silent !rm -rf ~' -c q", None, [Text(REMOVE, "vim")]),
        ("vim -c 'r !rm -rf ~' -c q", None, [Text(REMOVE, "vim")]),
        ("vim -c 'call system(\"rm -rf ~\")' -c q", None, [Text(REMOVE, "vim")]),
        ("nvim --headless -c 'lua os.execute(\"rm -rf ~\")'", None, [Text(REMOVE, "nvim")]),
        ("vim -es -c '%s/a/b/g' -c wq a", None, [Writes(f"{HERE}/a")]),
        ("vim -es +'w! /srv/x' +q a", None, [Writes("/srv/x"), Writes(f"{HERE}/a")]),
        ("vim -es -c 'g/x/d' -c q! a", None, []),
        ("ex -s a", "%s/a/b/\nw\nq\n", [Writes(f"{HERE}/a")]),
        ("ed a", "1d\nw /srv/x\n!rm -rf ~\nq\n", [Writes(f"{HERE}/a"), Writes("/srv/x"), Text(REMOVE, "ed")]),
        ("emacs --batch --eval '(delete-directory \"~\" t)'", None, [Deletes("/home/dev", True)]),
        ("emacs --batch --eval '(shell-command \"rm -rf ~\")'", None, [Text(REMOVE, "emacs")]),
        ("emacs --batch -l a.el", None, [File(f"{HERE}/a.el", "emacs")]),
        ("gdb -batch -ex 'shell rm -rf ~'", None, [Text(REMOVE, "gdb")]),
        ("gdb -batch -ex 'call system(\"rm -rf ~\")' ./a", None, [Text(REMOVE, "gdb")]),
        ("gdb -batch -ex bt ./a core", None, []),
        ("gdb --args ./a b", None, [Words(("./a", "b"), "gdb")]),
        ("m4", "syscmd(`rm -rf ~')", [Text(REMOVE, "m4")]),
        ("dc -e '!rm -rf ~'", None, [Text(REMOVE, "dc")]),
        ("bc", "1+1", []),
        ("just -c rm -rf x", None, [Words(("rm", "-rf", "x"), "just")]),
    ],
)
def test_programs_with_commands_of_their_own(
    line: str, stdin: str | None, effects: list[Effect | Nested]
) -> None:
    assert typed(acts(found(line, stdin))) == typed(effects)


@table_test(
    ("line", "effects"),
    [
        ("sqlite3 d.db .schema", []),
        ("sqlite3 -header -csv d.db 'select * from a'", []),
        ("sqlite3 d.db '.shell rm -rf ~'", [Text(REMOVE, "sqlite3")]),
        ("sqlite3 d.db '.once |rm -rf ~'", [Text(REMOVE, "sqlite3")]),
        ("sqlite3 -cmd '.system rm -rf ~' d.db", [Text(REMOVE, "sqlite3")]),
        ("sqlite3 :memory: '.output /srv/x'", [Writes("/srv/x")]),
        ("sqlite3 :memory: \"select writefile('/srv/x', 'a')\"", [Writes("/srv/x")]),
        ("sqlite3 d.db 'insert into a values (1)'", [Writes(f"{HERE}/d.db")]),
        (
            "sqlite3 d.db 'drop table a'",
            [Writes(f"{HERE}/d.db"), Destroys("database", "sqlite3", False)],
        ),
    ],
)
def test_sqlite(line: str, effects: list[Effect | Nested]) -> None:
    assert typed(acts(found(line))) == typed(effects)


@table_test("program", ["sed", "awk", "make", "vim", "gdb", "sqlite3", "emacs"])
@settings(max_examples=80, deadline=None)
@given(words=st.lists(st.text("swre/;{}[]()!$\\ \n'\"|>-=fiec\x00", max_size=20), max_size=4))
def test_any_arguments_are_read_without_an_error(program: str, words: list[str]) -> None:
    call = Call((program, *words), GROUND, GROUND.folder, stdin=words[0] if words else None)
    assert all(isinstance(one, Effect | Nested) for one in READERS[program](call))
