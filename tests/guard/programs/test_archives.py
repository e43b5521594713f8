"""What packing, unpacking and compressing would read, write, delete and run."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Connects, Deletes, Effect, Fetches, Reads, Sends, Writes
from donewhen.guard.marks import BELOW, HOLE, NETWORK, STAR
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

W, H = GROUND.workspace, GROUND.home
OUT = Writes(f"{W}/{BELOW}")


def told(text: str, stdin: str | None = None, **env: str) -> list[Effect | Nested]:
    one = call(text, stdin, **env)
    return list(READERS[one.name](one))


TAR_OUT = [
    "tar xzf a.tgz -C ~/x",
    "tar -xzf a.tgz -C ~/x",
    "tar xfC a.tgz ~/x",
    "tar --extract --file=a.tgz --directory=/home/dev/x",
    "tar --ext --file a.tgz --dir ~/x",
    "tar -C ~ -xf a.tgz -C x",
    "tar -C ~/x --get -f a.tgz",
    "bsdtar -xvf a.tgz -C ~/x",
]


@table_test("text", TAR_OUT)
def test_tar_unpacks_into_its_folder_in_every_spelling(text: str) -> None:
    assert told(text) == [Reads(f"{W}/a.tgz"), Writes(f"{H}/x/{BELOW}")]


TAR = [
    ("tar tzf a.tgz", [Reads(f"{W}/a.tgz")]),
    ("tar xf a .git/config", [Reads(f"{W}/a"), OUT, Writes(f"{W}/.git/config")]),
    ("tar xOf a.tgz", [Reads(f"{W}/a.tgz")]),
    ("tar xPf a.tgz", [Reads(f"{W}/a.tgz"), OUT, Writes(HOLE)]),
    ("tar xf a --one-top-level=../q", [Reads(f"{W}/a"), Writes(f"/home/dev/wt/q/{BELOW}")]),
    ("tar czf /tmp/a.tgz -C ~ .ssh", [Writes("/tmp/a.tgz"), Reads(f"{H}/.ssh")]),
    ("tar -cf ~/a.tar src", [Writes(f"{H}/a.tar"), Reads(f"{W}/src")]),
    ("tar cf - .env", [Reads(f"{W}/.env")]),
    ("tar cf a.tar --remove-files ~/x", [Writes(f"{W}/a.tar"), Reads(f"{H}/x"), Deletes(f"{H}/x", True)]),
    ("tar cf a.tar --exclude .env --exclude=k.pem src", [Writes(f"{W}/a.tar"), Reads(f"{W}/src")]),
    ("tar cf dev@host:/x src", [Sends("host", "content"), Reads(f"{W}/src")]),
    ("tar xf host:/x", [Connects("host"), Fetches("host"), OUT]),
    ("tar xf a --to-command='sh -c id'", [Text("sh -c id", "tar"), Reads(f"{W}/a")]),
    ("tar xf a -I 'sh -c id'", [Text("sh -c id", "tar"), Reads(f"{W}/a"), OUT]),
    ("tar xf a --use-comp=zstd", [Text("zstd", "tar"), Reads(f"{W}/a"), OUT]),
    (
        "tar cf a src --checkpoint=1 --checkpoint-action=exec='rm -rf x'",
        [Text("rm -rf x", "tar"), Writes(f"{W}/a"), Reads(f"{W}/src")],
    ),
    ("tar cf a src --checkpoint-action=dot", [Writes(f"{W}/a"), Reads(f"{W}/src")]),
    ("tar cMf a src -F ./s", [Text("./s", "tar"), Writes(f"{W}/a"), Reads(f"{W}/src")]),
    ("tar tf h:a --rsh-command=./s", [Text("./s", "tar"), Connects("h"), Fetches("h")]),
    ("tar cf a -g ~/snap src", [Writes(f"{W}/a"), Writes(f"{H}/snap"), Reads(f"{W}/src")]),
]
ZIP = [
    ("zip -r o.zip src", [Writes(f"{W}/o.zip"), Reads(f"{W}/src")]),
    ("zip -r o.zip . -x .env '*.pem'", [Writes(f"{W}/o.zip"), Reads(W)]),
    ("zip - .env", [Reads(f"{W}/.env")]),
    ("zip -m o.zip ~/x", [Writes(f"{W}/o.zip"), Reads(f"{H}/x"), Deletes(f"{H}/x", True)]),
    ("zip o.zip a -T -TT 'sh -c id'", [Text("sh -c id", "zip"), Writes(f"{W}/o.zip"), Reads(f"{W}/a")]),
    ("zip o.zip a -T --unzip-command=id", [Text("id", "zip"), Writes(f"{W}/o.zip"), Reads(f"{W}/a")]),
    ("zip -qTTid o.zip a", [Text("id", "zip"), Writes(f"{W}/o.zip"), Reads(f"{W}/a")]),
    ("unzip a.zip", [Reads(f"{W}/a.zip"), OUT]),
    ("unzip -qo a.zip -d ~/x", [Reads(f"{W}/a.zip"), Writes(f"{H}/x/{BELOW}")]),
    ("unzip a.zip -x y -d ../x", [Reads(f"{W}/a.zip"), Writes(f"/home/dev/wt/x/{BELOW}")]),
    ("unzip -d../x a.zip", [Reads(f"{W}/a.zip"), Writes(f"/home/dev/wt/x/{BELOW}")]),
    ("unzip a.zip '.git/*'", [Reads(f"{W}/a.zip"), OUT, Writes(f"{W}/.git/{STAR}")]),
    ("unzip -l a.zip", [Reads(f"{W}/a.zip")]),
    ("unzip -p a.zip x", [Reads(f"{W}/a.zip")]),
    ("unzip -: a.zip", [Reads(f"{W}/a.zip"), OUT, Writes(HOLE)]),
    ("7z x a.7z -o../x -y", [Reads(f"{W}/a.7z"), Writes(f"/home/dev/wt/x/{BELOW}")]),
    ("7z x -spf a.7z", [Reads(f"{W}/a.7z"), OUT, Writes(HOLE)]),
    ("7za a -sdel o.7z ~/x", [Writes(f"{W}/o.7z"), Reads(f"{H}/x"), Deletes(f"{H}/x", True)]),
    ("7z l a.7z", [Reads(f"{W}/a.7z")]),
    ("7z x -so a.7z", [Reads(f"{W}/a.7z")]),
    ("unrar x a.rar ../x/", [Reads(f"{W}/a.rar"), Writes(f"/home/dev/wt/x/{BELOW}")]),
    ("unar -o ~/x a.rar", [Reads(f"{W}/a.rar"), Writes(f"{H}/x/{BELOW}")]),
]
OTHERS = [
    ("gzip a.log", [Reads(f"{W}/a.log"), Writes(f"{W}/a.log.gz"), Writes(f"{W}/a.log")]),
    ("gzip -k ~/a", [Reads(f"{H}/a"), Writes(f"{H}/a.gz")]),
    ("gzip -c .env", [Reads(f"{W}/.env")]),
    ("gzip -dc a.gz", [Reads(f"{W}/a.gz")]),
    ("gzip -r .", [Reads(W), OUT]),
    ("gunzip a.log.gz", [Reads(f"{W}/a.log.gz"), Writes(f"{W}/a.log"), Writes(f"{W}/a.log.gz")]),
    ("xz -T 0 a", [Reads(f"{W}/a"), Writes(f"{W}/a.xz"), Writes(f"{W}/a")]),
    ("zstd -19 a -o ~/b", [Reads(f"{W}/a"), Writes(f"{H}/b")]),
    ("zstd --rm a", [Reads(f"{W}/a"), Writes(f"{W}/a.zst"), Writes(f"{W}/a")]),
    ("zstd a --output-dir-flat ../x", [Reads(f"{W}/a"), Writes("/home/dev/wt/x/a.zst")]),
    ("brotli -q 5 a", [Reads(f"{W}/a"), Writes(f"{W}/a.br")]),
    ("ar rcs ../lib.a x.o", [Writes("/home/dev/wt/lib.a"), Reads(f"{W}/x.o")]),
    ("ar x lib.a --output=../q", [Reads(f"{W}/lib.a"), Writes(f"/home/dev/wt/q/{BELOW}")]),
    ("ar -t lib.a", [Reads(f"{W}/lib.a")]),
    ("cpio -idmv -D ~/x", [Writes(f"{H}/x/{BELOW}")]),
    ("cpio -it -F a.cpio", [Reads(f"{W}/a.cpio")]),
    ("jar cf o.jar src", [Writes(f"{W}/o.jar"), Reads(f"{W}/src")]),
    ("jar tf o.jar", [Reads(f"{W}/o.jar")]),
    ("jar xf o.jar", [Reads(f"{W}/o.jar"), OUT]),
    ("jar --create --file o.jar src", [Writes(f"{W}/o.jar"), Reads(f"{W}/src")]),
    ("pax -rw src ~/x", [Writes(f"{H}/x/{BELOW}"), Reads(f"{W}/src")]),
    ("pax -r -f a.tar", [Reads(f"{W}/a.tar"), OUT]),
    ("dpkg-deb -x a.deb ../x", [Reads(f"{W}/a.deb"), Writes(f"/home/dev/wt/x/{BELOW}")]),
]


@table_test(("text", "effects"), [*TAR, *ZIP, *OTHERS])
def test_a_program_is_read_as_it_takes_its_arguments(text: str, effects: list[Effect | Nested]) -> None:
    assert told(text) == effects
    assert [type(one) for one in told(text)] == [type(one) for one in effects]


@table_test("text", ["tar xz", "tar xzf -", "tar -x -z -f -", "cpio -i", "bsdtar -xf-"])
def test_what_is_unpacked_from_the_network_is_fetched(text: str) -> None:
    assert told(text, NETWORK) == [Fetches("", f"{W}/{BELOW}"), OUT]


def test_options_of_the_environment_count() -> None:
    assert told("tar cf a src", TAR_OPTIONS="--checkpoint-action=exec=id")[0] == Text("id", "tar")
    assert told("zip o a", ZIPOPT="-TT sh")[0] == Text("sh", "zip")


@table_test("text", ["cpio -o", "cpio -p /tmp/x", "zip -@ o.zip", "tar c -T -", "pax -w"])
def test_names_on_the_input_are_read(text: str) -> None:
    assert Reads(f"{H}/.ssh/{BELOW}") in told(text, f"{H}/.ssh/{BELOW}\na\n")


def test_tar_with_more_moves_than_anyone_needs_is_not_known() -> None:
    assert set(told("tar cf a " + "-C d f " * 9_000)) == {Writes(f"{W}/a"), Reads(f"{HOLE}/f")}


_WORDS = st.lists(st.sampled_from(
    ["-x", "x", "cf", "xzf", "-C", "a", "../b", "/", "..", "a/", "-f", "-d", "-o", "-", "--", "--output", "-TT", "rcs", HOLE, STAR, "", "-r", "@x", "-T", "--dir"]
), max_size=7)  # fmt: skip


@given(st.sampled_from(sorted(READERS)), _WORDS)
def test_no_arguments_make_a_reader_fail_and_every_path_is_from_the_root(name: str, words: list[str]) -> None:
    for one in READERS[name](Call((name, *words), GROUND, GROUND.folder, stdin="a\n")):
        if isinstance(one, (Reads, Writes, Deletes)):
            assert one.path[:1] in ("/", HOLE) and "//" not in one.path
