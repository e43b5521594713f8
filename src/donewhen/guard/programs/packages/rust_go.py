"""cargo, rustup and go.

Building and testing the project is ordinary whatever its build files do; publishing, and programs that
options name (`go test -exec`), are not.
"""

from collections.abc import Mapping

from donewhen.guard.call import File, Reader, Text, Words
from donewhen.guard.effects import (
    Alters,
    Deletes,
    Installs,
    Loads,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW
from donewhen.guard.options import read
from donewhen.guard.programs.packages.acts import ACTS, helps, install
from donewhen.guard.programs.packages.engine import Act, Found, Turn, manager, reader, verbs

_CARGO_PROGRAMS = ("runner", "rustc", "wrapper", "linker", "rustdoc", "credential", "alias")


def cargo(turn: Turn) -> Found:
    """Every verb: output folders, and settings that name programs."""
    for name, value in turn.given.options:
        if name == "--target-dir" or name in ("--out-dir", "--artifact-dir"):
            yield Writes(f"{turn.call.at(value)}/{BELOW}")
        elif name == "--config" and ("=" not in value or any(word in value for word in _CARGO_PROGRAMS)):
            yield Unknown("guard.unknown_option", f"--config {value}")


def cargo_install(turn: Turn) -> Found:
    given = turn.given
    if helps(turn) or given.has("--list"):
        return
    yield Installs("cargo", "user", given.value("--git", "--index", "--registry") or "")
    for root in given.all("--root"):
        yield Writes(f"{turn.call.at(root)}/{BELOW}")


def cargo_add(turn: Turn) -> Found:
    if not helps(turn):
        yield Installs("cargo", "project", turn.given.value("--git", "--registry") or "")


def cargo_new(turn: Turn) -> Found:
    """A folder is named, and filled."""
    for path in turn.given.operands[:1]:
        yield Writes(f"{turn.call.at(path)}/{BELOW}")
    yield from cargo(turn)


def cargo_watch(turn: Turn) -> Found:
    given = turn.given
    for text in given.all("-s", "--shell"):
        yield Text(text, "cargo")
    for words in given.all("-x", "--exec"):
        yield Words(("cargo", *words.split()), "cargo")
    if "--" in turn.rest:
        yield Words(turn.rest[turn.rest.index("--") + 1 :], "cargo")


def cargo_plugin(turn: Turn) -> Found:
    """`cargo sqlx …` is the program sqlx."""
    yield Words((turn.verb, *turn.rest), "cargo")


_GO_PROGRAMS = ("-exec", "-toolexec")
_GO_FILES = (
    "-o",
    "-coverprofile",
    "-cpuprofile",
    "-memprofile",
    "-blockprofile",
    "-mutexprofile",
    "-trace",
    "-outputdir",
    "-pkgdir",
)


def go(turn: Turn) -> Found:
    """Go accepts one or two dashes."""
    rest = tuple(word[1:] if word.startswith("--") and len(word) > 2 else word for word in turn.rest)
    given = read(rest, turn.manager.options)
    for name, value in given.options:
        if name in _GO_PROGRAMS:
            yield Text(value, "go")
        elif name in ("-vettool", "-overlay", "-modfile", "-gccgo"):
            yield Words(tuple(value.split()), "go") if name == "-vettool" else Loads(f"go {name}")
        elif name in _GO_FILES and value not in ("/dev/null", ""):
            yield Writes(turn.call.at(value))


def go_install(turn: Turn) -> Found:
    if not helps(turn):
        yield Installs("go", "user")
    yield from go(turn)


_GO_CACHES = (("-cache", "GOCACHE", ""), ("-modcache", "GOMODCACHE", ""), ("-modcache", "GOPATH", "/pkg/mod"))


def go_clean(turn: Turn) -> Found:
    """A cache is filled again; a folder that the line calls a cache is deleted all the same."""
    for option, name, below in _GO_CACHES:
        if turn.given.has(option, f"-{option}") and turn.call.env.get(name):
            yield Deletes(f"{turn.call.at(turn.call.env[name])}{below}", deep=True)


def go_run(turn: Turn) -> Found:
    for path in turn.given.operands[:1]:
        if path.startswith("/dev/"):
            yield File(path, "go")
    yield from go(turn)


def go_env(turn: Turn) -> Found:
    if turn.given.has("-w", "-u"):
        yield Alters("go env -w")


_ACTS: Mapping[str, Act] = {
    **ACTS,
    "cargo": cargo,
    "cargo_install": cargo_install,
    "cargo_add": cargo_add,
    "cargo_new": cargo_new,
    "cargo_watch": cargo_watch,
    "plugin": cargo_plugin,
    "go": go,
    "go_install": go_install,
    "go_env": go_env,
    "go_clean": go_clean,
    "go_run": go_run,
    "install_here": install,
}
_CARGO = manager(
    values="-p -j -F -C -Z -x -s -w --package --features --manifest-path --target --target-dir "
    "--profile --config --color "
    "--bin --test --example --bench --git --registry --index --root --path --version "
    "--branch --tag --rev --token --out-dir "
    "--artifact-dir --message-format --jobs --exclude --shell --exec --watch --rename",
    folders=("-C",),
    manifests=("--manifest-path",),
    dry="--dry-run -n",
    verbs={
        **verbs(
            publish="publish yank owner release",
            alter="login logout",
            cargo_install="install binstall uninstall install-update",
            cargo_new="new init vendor",
            cargo_add="add remove rm update fetch generate-lockfile upgrade",
            cargo="run r test t build b check c clippy fmt doc d bench clean tree metadata search info "
            "version nextest "
            "expand fix rustc rustdoc package read-manifest locate-project verify-project pkgid "
            "report audit deny outdated "
            "llvm-cov tarpaulin hack machete udeps miri insta mutants make xtask help careful "
            "criterion fuzz bloat asm",
            cargo_watch="watch",
            plugin="sqlx diesel",
        ),
        "workspaces": verbs(publish="publish", _="list changed version init"),
        "ws": verbs(publish="publish", _="list changed version init"),
        "smart-release": "publish",
    },
)
_RUSTUP = manager(
    values="--profile -c -t --component --target --toolchain",
    verbs={
        **verbs(
            user="update install uninstall default set",
            skip_one_and_run="run",
            _="show which doc check man completions help",
        ),
        **dict.fromkeys(
            ("toolchain", "target", "component", "override"),
            verbs(user="install add remove uninstall link set unset", _="list"),
        ),
        "self": verbs(user="update uninstall upgrade-data"),
    },
)
_GO = manager(
    values="-C -o -p -run -bench -count -timeout -coverprofile -covermode -coverpkg -cpuprofile "
    "-memprofile -blockprofile "
    "-mutexprofile -trace -outputdir -tags -ldflags -gcflags -asmflags -mod -modfile "
    "-overlay -pkgdir -exec -toolexec -vettool "
    "-parallel -cpu -benchtime -fuzz -fuzztime -skip -list -f -buildmode -compiler "
    "-installsuffix -shuffle -gccgo -gccgoflags -pgo",
    flags="-v -x -n -a -race -msan -json -short -failfast -cover -benchmem -trimpath -work -u "
    "-t -m -i -cache -testcache -modcache",
    folders=("-C",),
    verbs={
        **verbs(
            go_install="install",
            install_here="get",
            go_run="run",
            go_clean="clean",
            go="build test vet generate list",
            go_env="env",
            _="fmt doc version fix tool mod work bug help telemetry",
        ),
    },
)
READERS: Mapping[str, Reader] = {
    name: reader(table, _ACTS) for name, table in (("cargo", _CARGO), ("rustup", _RUSTUP), ("go", _GO))
}
