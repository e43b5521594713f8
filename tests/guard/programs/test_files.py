"""What programs that handle files would delete, write and read, in all their spellings."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Call, Nested, Text, Words
from donewhen.guard.effects import (
    Deletes,
    Destroys,
    Effect,
    Exhausts,
    Fetches,
    Raises,
    Reads,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.marks import ANY, BELOW, HOLE, NETWORK, STAR
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

W, H = GROUND.workspace, GROUND.home


def told(
    text: str, stdin: str | None = None, folder: str = GROUND.folder, **env: str
) -> list[Effect | Nested]:
    one = call(text.replace("…", HOLE).replace("*", STAR), stdin, folder, **env)
    return list(READERS[one.name](one))


DELETING = [
    ("rm -rf ~", [Deletes(H, True)]),
    ("rm -rf /", [Deletes("/", True)]),
    ("rm -rf -- -x", [Deletes(f"{W}/-x", True)]),
    ("rm x -r", [Deletes(f"{W}/x", True)]),
    ("rm --rec --fo ~/x", [Deletes(f"{H}/x", True)]),
    ("rm -fr --no-preserve-root /", [Deletes("/", True)]),
    ("rm -i a b", [Deletes(f"{W}/a"), Deletes(f"{W}/b")]),
    ("rm -rf *", [Deletes(f"{W}/{STAR}", True)]),
    ("rm …", [Deletes(HOLE, True)]),
    ("rm -rf ''", []),
    ("/bin/rm -r ../x/", [Deletes("/home/dev/wt/x", True)]),
    ("unlink ../shared/config.json", [Deletes("/home/dev/wt/shared/config.json")]),
    ("rmdir -p empty_dir", [Deletes(f"{W}/empty_dir")]),
    ("shred -u ~/x", [Writes(f"{H}/x"), Deletes(f"{H}/x")]),
    ("shred -n 3 /dev/sda", [Destroys("disk", "/dev/sda")]),
    ("trash ~/x", [Deletes(f"{H}/x", True)]),
    ("gio trash ~/x", [Deletes(f"{H}/x", True)]),
    ("gio info .env", [Reads(f"{W}/.env", True)]),
    ("trash-empty", [Deletes(f"{H}/.local/share/Trash", True)]),
    ("rimraf dist", [Deletes(f"{W}/dist", True)]),
    ("shx rm -rf ~", [Words(("rm", "-rf", H), "shx")]),
]
MOVING = [
    ("mv a b", [Deletes(f"{W}/a", True, moved=True), Writes(f"{W}/b")]),
    ("mv a /tmp", [Deletes(f"{W}/a", True, moved=True), Writes("/tmp/a")]),
    ("mv a ..", [Deletes(f"{W}/a", True, moved=True), Writes("/home/dev/wt/a")]),
    (
        "mv -t out a b/",
        [
            Deletes(f"{W}/a", True, moved=True),
            Writes(f"{W}/out/a"),
            Deletes(f"{W}/b", True, moved=True),
            Writes(f"{W}/out/b"),
        ],
    ),
    ("mv --target=out a", [Deletes(f"{W}/a", True, moved=True), Writes(f"{W}/out/a")]),
    ("mv .env x.txt", [Reads(f"{W}/.env"), Deletes(f"{W}/.env", True, moved=True), Writes(f"{W}/x.txt")]),
    ("mv certs/a.key config/", [Deletes(f"{W}/certs/a.key", True, moved=True), Writes(f"{W}/config/a.key")]),
    ("mv …", []),
    ("cp a b", [Reads(f"{W}/a"), Writes(f"{W}/b")]),
    ("cp -r ~/.ssh .", [Reads(f"{H}/.ssh"), Writes(f"{W}/.ssh")]),
    ("cp -r /tmp/x/. .", [Reads("/tmp/x"), Writes(f"{W}/{BELOW}")]),
    ("cp … /tmp/", [Reads(HOLE), Writes(f"/tmp/{STAR}")]),
    ("cp -T a /tmp", [Reads(f"{W}/a"), Writes("/tmp")]),
    ("cp hook .git/hooks/pre-commit", [Reads(f"{W}/hook"), Writes(f"{W}/.git/hooks/pre-commit")]),
    ("cp --parents src/a out", [Reads(f"{W}/src/a"), Writes(f"{W}/{BELOW}")]),
    ("ln -s ~/.ssh/id_rsa k", [Reads(f"{H}/.ssh/id_rsa"), Writes(f"{W}/k", "link")]),
    ("ln -sf ../x sub/y", [Reads(f"{W}/x"), Writes(f"{W}/sub/y", "link")]),
    ("ln -s ~/.netrc", [Reads(f"{H}/.netrc"), Writes(f"{W}/.netrc", "link")]),
    ("ln a ~/b", [Reads(f"{W}/a"), Writes(f"{H}/b", "link"), Writes(f"{W}/a", "link")]),
    ("link .env x", [Reads(f"{W}/.env"), Writes(f"{W}/x", "link"), Writes(f"{W}/.env", "link")]),
    ("install -m 755 build/app ~/bin/app", [Reads(f"{W}/build/app"), Writes(f"{H}/bin/app")]),
    ("install -d out/a", [Writes(f"{W}/out/a", "folder")]),
    ("install -D -t out a", [Reads(f"{W}/a"), Writes(f"{W}/out/a")]),
    ("install -m4755 a b", [Raises("setuid"), Reads(f"{W}/a"), Writes(f"{W}/b")]),
    (
        "install --strip-program=./evil a b",
        [Words(("./evil",), "install"), Reads(f"{W}/a"), Writes(f"{W}/b")],
    ),
    ("rename s/a/b/ x.txt", [Writes(f"{W}/x.txt"), Writes(f"{W}/{STAR}")]),
    ("rename .htm .html x.htm", [Writes(f"{W}/x.htm"), Writes(f"{W}/{STAR}")]),
    ("rename 's|^|/etc/|' x", [Writes(f"{W}/x"), Writes(HOLE)]),
    ("rename 's/a/b/g; ' x", [Writes(f"{W}/x"), Writes(f"{W}/{STAR}")]),
    ("rename -n s/a/b/ x", []),
    (
        "rename 's/a/system(1)/e' x",
        [Unknown("guard.unknown_code", "s/a/system(1)/e"), Writes(f"{W}/x"), Writes(f"{W}/{STAR}")],
    ),
]
MAKING = [
    ("mkdir -p src/new ~/x", [Writes(f"{W}/src/new", "folder"), Writes(f"{H}/x", "folder")]),
    ("mkdir -p /tmp .", []),
    ("mkdir -m 700 x", [Writes(f"{W}/x", "folder")]),
    ("touch -t 202001010000 ~/.bashrc", [Writes(f"{H}/.bashrc")]),
    ("truncate -s 0 ../x", [Writes("/home/dev/wt/x")]),
    ("fallocate -l 10G x", [Writes(f"{W}/x")]),
    ("fallocate -l 2TiB x", [Writes(f"{W}/x"), Exhausts("fallocate")]),
    ("mknod p p", [Writes(f"{W}/p")]),
    ("mkfifo ~/p", [Writes(f"{H}/p")]),
    ("dd if=.env", [Reads(f"{W}/.env")]),
    ("dd if=a of=/dev/sda bs=1M", [Reads(f"{W}/a"), Destroys("disk", "/dev/sda")]),
    ("dd if=/dev/zero of=x bs=1M count=10", [Reads("/dev/zero"), Writes(f"{W}/x")]),
    ("dd if=/dev/zero of=x", [Reads("/dev/zero"), Writes(f"{W}/x"), Exhausts("dd")]),
    ("dd if=/dev/zero of=x bs=1G count=900", [Reads("/dev/zero"), Writes(f"{W}/x"), Exhausts("dd")]),
    ("dd if=/dev/zero of=/dev/null", [Reads("/dev/zero"), Writes("/dev/null")]),
    ("mktemp -d", []),
    ("mktemp -p ~ aXXX", [Writes(f"{H}/aXXX")]),
    ("mktemp ../aXXX", [Writes("/home/dev/wt/aXXX")]),
    ("patch -p1 -i a.patch", [Reads(f"{W}/a.patch"), Writes(f"{W}/{BELOW}")]),
    ("patch -d ~/repo -p1", [Writes(f"{H}/repo/{BELOW}")]),
    ("patch --dry-run -p1 -i a.patch", [Reads(f"{W}/a.patch")]),
    ("patch -o ~/x a.c a.patch", [Reads(f"{W}/a.patch"), Writes(f"{H}/x"), Writes(f"{W}/a.c")]),
    ("df -h /", []),
    ("sync", []),
]
MODES = [
    ("chmod +x scripts/run.sh", [Writes(f"{W}/scripts/run.sh", "mode")]),
    ("chmod -x .git/hooks/pre-push", [Writes(f"{W}/.git/hooks/pre-push", "mode")]),
    ("chmod -R -w ~/x", [Writes(f"{H}/x", "mode")]),
    ("chmod -R 777 /", [Writes("/", "mode")]),
    ("chmod --recursive u+rw a", [Writes(f"{W}/a", "mode")]),
    ("chmod --reference=a b", [Writes(f"{W}/b", "mode")]),
    ("chmod u+s a", [Raises("setuid"), Writes(f"{W}/a", "mode")]),
    ("chmod a+r,u=rws a", [Raises("setuid"), Writes(f"{W}/a", "mode")]),
    ("chmod 04755 a", [Raises("setuid"), Writes(f"{W}/a", "mode")]),
    ("chmod 1777 a", [Writes(f"{W}/a", "mode")]),
    ("chmod g-s a", [Writes(f"{W}/a", "mode")]),
    ("chmod … a", [Unknown("guard.unknown_option", HOLE), Writes(f"{W}/a", "mode")]),
    ("chown -R dev:dev /etc/x", [Writes("/etc/x", "owner")]),
    ("chown --reference=a b", [Writes(f"{W}/b", "owner")]),
    ("chgrp staff a", [Writes(f"{W}/a", "owner")]),
    ("chattr +i ~/x", [Writes(f"{H}/x", "mode")]),
    ("chattr -R -i a", [Writes(f"{W}/a", "mode")]),
    ("setfacl -m u:x:rwx a", [Writes(f"{W}/a", "mode")]),
    ("setfacl --restore=acl", [Reads(f"{W}/acl"), Writes(HOLE, "mode")]),
    ("xattr -d com.apple.quarantine a", [Writes(f"{W}/a", "mode")]),
    ("xattr -l a", [Reads(f"{W}/a", True)]),
    ("getfacl .env", [Reads(f"{W}/.env", True)]),
]
SYNCING = [
    ("rsync -a src/ out/", [Reads(f"{W}/src"), Writes(f"{W}/out/{BELOW}")]),
    ("rsync -a src out", [Reads(f"{W}/src"), Writes(f"{W}/out/src")]),
    ("rsync -a --delete e/ .", [Reads(f"{W}/e"), Writes(f"{W}/{BELOW}"), Deletes(W, True)]),
    ("rsync -a --del src out", [Reads(f"{W}/src"), Writes(f"{W}/out/src"), Deletes(f"{W}/out/src", True)]),
    ("rsync -an --delete e/ ~", [Reads(f"{W}/e", True)]),
    ("rsync --remove-source-files a ~/b", [Reads(f"{W}/a"), Deletes(f"{W}/a", True), Writes(f"{H}/b/a")]),
    ("rsync -az . dev@host.example:/srv", [Reads(W), Sends("host.example", "content")]),
    ("rsync -az --delete . host:/srv", [Reads(W), Sends("host", "content"), Destroys("remote", "host", False)]),
    ("rsync host:/srv/x .", [Fetches("host", f"{W}/x"), Writes(f"{W}/x")]),
    ("rsync rsync://host:873/m/x .", [Fetches("host", f"{W}/x"), Writes(f"{W}/x")]),
    ("rsync host::m/ ~/x", [Fetches("host", f"{H}/x/{BELOW}"), Writes(f"{H}/x/{BELOW}")]),
    ("rsync host:/srv", []),
    ("rsync -a src/ localhost:x/", [Reads(f"{W}/src"), Writes(f"{H}/x/{BELOW}")]),
    ("rsync -a --delete e/ dev@127.0.0.1:/", [Reads(f"{W}/e"), Writes(f"/{BELOW}"), Deletes("/", True)]),
    ("rsync -e 'sh -c id' a host:b", [Text("sh -c id host rsync --server", "rsync"), Reads(f"{W}/a"), Sends("host", "content")]),
    ("rsync --rsync-path='rm x; rsync' host:", [Text("rm x; rsync", "rsync", elsewhere="host")]),
    ("rsync --log-file=~x a b", [Writes(f"{W}/~x"), Reads(f"{W}/a"), Writes(f"{W}/b/a")]),
    ("rsync --exclude .env -a a/ b/", [Reads(f"{W}/a"), Writes(f"{W}/b/{BELOW}")]),
]  # fmt: skip


@table_test(("text", "effects"), [*DELETING, *MOVING, *MAKING, *MODES, *SYNCING])
def test_a_program_is_read_as_it_takes_its_arguments(text: str, effects: list[Effect | Nested]) -> None:
    assert told(text) == effects
    assert [type(one) for one in told(text)] == [type(one) for one in effects]


def test_rimraf_expands_quoted_globs_itself() -> None:
    one = Call(("rimraf", "**/x.?s", "*"), GROUND, GROUND.folder)
    assert list(READERS["rimraf"](one)) == [
        Deletes(f"{W}/{BELOW}/x.{ANY}s", True),
        Deletes(f"{W}/{STAR}", True),
    ]


def test_the_folder_it_runs_in_is_the_base() -> None:
    assert told("rm -rf tmp", folder="/") == [Deletes("/tmp", True)]


def test_a_patch_from_the_network_is_fetched() -> None:
    assert told("patch -p1", NETWORK) == [Fetches("", f"{W}/{BELOW}"), Writes(f"{W}/{BELOW}")]


def test_the_shell_of_rsync_may_come_from_the_environment() -> None:
    assert told("rsync host:x .", RSYNC_RSH="evil")[0] == Text("evil host rsync --server", "rsync")


_WORDS = st.lists(st.sampled_from(
    ["-r", "-rf", "--", "-t", "a", "../b", "/", "..", "a/", "~/x", "-m", "u+s", "-T", "host:x", "if=a", "of=b", HOLE, STAR, "", "-e", "s/a/b/", "--delete", "-"]
), max_size=7)  # fmt: skip


@given(st.sampled_from(sorted(READERS)), _WORDS)
def test_no_arguments_make_a_reader_fail_and_every_path_is_from_the_root(name: str, words: list[str]) -> None:
    for one in READERS[name](Call((name, *words), GROUND, GROUND.folder)):
        if isinstance(one, (Reads, Writes, Deletes)):
            assert one.path[:1] in ("/", HOLE) and "//" not in one.path


@given(st.permutations(["-r", "-f", "x", "../y"]))
def test_rm_deletes_the_same_wherever_its_options_stand(words: list[str]) -> None:
    found = set(READERS["rm"](Call(("rm", *words), GROUND, GROUND.folder)))
    assert found == {Deletes(f"{W}/x", True), Deletes("/home/dev/wt/y", True)}
