"""What verbs do that takes more than a name: installations, commands behind a verb, and the odd ones.

Each act turns one verb, with its options and operands, into effects and nested commands. An act `code-NAME`
is
named by a row; all others are the closed set of `shell.programs`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from donewhen.guard.call import Call, File, Nested, Text, Words
from donewhen.guard.effects import (
    Alters,
    Deletes,
    Destroys,
    Effect,
    Fetches,
    Installs,
    Loads,
    Publishes,
    Reads,
    Reveals,
    RunsFetched,
    Unknown,
    Weakens,
    Writes,
)
from donewhen.guard.marks import BELOW, MARKED, WILD, certain
from donewhen.guard.options import read
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.rows import Program, done
from donewhen.guard.programs.verbs import Turn, foreign, outside, own_words, read_verbs
from donewhen.shell.programs import ACTS as NAMED

Found = Iterator[Effect | Nested]
Act = Callable[[Turn], Iterable[Any]]
_ADDRESSES = tuple("git+ git: git@ http: https: github: gitlab: bitbucket: gist: ssh: ftp: hg+ svn+".split())
_SPECIFYING = frozenset(("-e", "--editable", "-r", "--requirement", "-c", "--constraint", "--git"))
# A requirement, a wheel, an archive, an address or a folder of this name; not `donewhen-plugin`.
_OURS = re.compile(r"(?:^|[/=\s])donewhen(?=$|/$|[\[<>=!~;@#,\s]|[-_]\d|\.git\b)", re.IGNORECASE)
_PYTHONS = frozenset("pip pip2 pip3 uv pipx poetry pdm hatch pipenv rye pixi conda mamba micromamba".split())


def read_managed(call: Call, known: Program) -> Found:
    yield from read_verbs(call, known, ACTS)


# installations


def source(words: Iterable[str], shorthand: bool = False) -> str:
    """The first word that is an address rather than a name; also behind `name@`."""
    for word in words:
        low = word.lower()
        if low.startswith(_ADDRESSES) or "://" in low or "@git+" in low or "@github:" in low:
            return word
        if shorthand and word.count("/") == 1 and word[0] not in "@./~":
            return word
    return ""


def _registry(turn: Turn, chosen: Iterable[tuple[str, str]]) -> str:
    """Another registry than the usual ones, when an option names it."""
    named = turn.known.words("registries")
    return next((value for name, value in chosen if name in named and foreign(value)), "")


def _ourselves(turn: Turn) -> Found:
    """Who removes donewhen, or installs another over it, switches off what gates the agent."""
    if turn.call.name.rstrip("0123456789.") in _PYTHONS and any(map(_OURS.search, turn.rest)):
        yield Writes(f"{turn.call.ground.home}/.local/state/donewhen/{turn.verb.replace(' ', '-')}")


def _install(turn: Turn) -> Found:
    """Into the project, unless an option says otherwise."""
    known, call = turn.known, turn.call
    if turn.tried:
        return
    yield from _ourselves(turn)
    given = turn.given
    names = {name for name, _ in given.options}
    where: Literal["project", "user", "system"] = "user" if names & known.words("user") else "project"
    if ("--location", "global") in given.options:
        where = "user"
    if names & known.words("system"):
        where = "system"
    values = [value for name, value in given.options if name in _SPECIFYING]
    fed = next((value for value in values if value.startswith("/dev/")), "")
    address = (
        source((*given.operands, *values), known.flag("shorthand")) or fed or _registry(turn, given.options)
    )
    yield Installs(call.name, where, address)
    yield from _outputs(turn)
    folder = turn.project
    if folder and folder != call.folder:
        yield Writes(f"{folder}/{BELOW}")
    if given.unsure and any(word[:1] in WILD for word in given.operands):
        yield Unknown("guard.unknown_option", call.argv[0])


def _installs(where: Literal["user", "system"]) -> Act:
    def act(turn: Turn) -> Found:
        if not turn.tried:
            yield from _ourselves(turn)
            named = turn.given.value("--git", "--index", "--registry", "--source", "-s") or ""
            yield Installs(turn.call.name, where, source(turn.given.operands) or named)
            yield from _outputs(turn)

    return act


def _outputs(turn: Turn) -> Found:
    """Folders that options name are filled."""
    filled = turn.known.words("fills")
    for name, value in turn.given.options if filled else ():
        if name in filled:
            yield Writes(f"{turn.call.at(value)}/{BELOW}")


def _download(turn: Turn) -> Found:
    if turn.tried:
        return
    folder = turn.given.value("-d", "--dest", "--destination-directory", "-w", "--wheel-dir") or "."
    yield Fetches("packages", f"{turn.call.at(folder)}/{BELOW}")
    if folder != ".":
        yield Writes(f"{turn.call.at(folder)}/{BELOW}")


# commands behind a verb


def _run(turn: Turn) -> Found:
    for words in _behind(turn):
        if _joined(turn) or (len(words) == 1 and " " in words[0]):
            yield Text(" ".join(words), turn.call.name, turn.folder)
        else:
            yield Words(words, turn.call.name, turn.folder, stdin=turn.call.stdin)


def _joined(turn: Turn) -> bool:
    """Is the command behind the verb a text for a shell?"""
    return read(own_words(turn), turn.known.table).has(*turn.known.words("joins"))


def _behind(turn: Turn) -> Iterator[tuple[str, ...]]:
    """The command behind the verb; behind an unknown option also what follows if that took a value."""
    table = turn.known.table
    operands = read(turn.rest, turn.known.first).operands
    if operands:
        yield operands
    front = turn.rest[: len(turn.rest) - len(operands)]
    last = front[-1] if front else ""
    known = last[2:] in _KNOWN_FLAGS or last[2:] in table.long_flags
    if len(operands) > 1 and last[:2] == "--" != last and "=" not in last and not known:
        yield operands[1:]


_KNOWN_FLAGS = frozenset(
    "yes no no-install quiet silent prefer-offline offline verbose parallel recursive workspace-root "
    "frozen locked "
    "isolated no-project no-sync dev no-dev all-extras all-groups all-packages active exact native-tls "
    "no-cache "
    "refresh no-config no-progress no-index no-build no-env-file bun shell-mode all include-workspace-root "
    "if-present sort stream skip-lock system site-packages pypi-only no-default-groups".split()
)


def _run_second(turn: Turn) -> Found:
    """A name comes first: `rustup run nightly cargo test`."""
    operands = read(turn.rest, turn.known.first).operands
    rest = operands[1:] if operands[1:2] != ("--",) else operands[2:]
    if rest:
        yield Words(rest, turn.call.name, turn.folder)


def _again(turn: Turn) -> Found:
    """The words behind are arguments of the manager itself: `yarn workspace web add x`."""
    words = [*turn.rest]
    while words and words[0].startswith("-"):
        words.pop(0)
    if words:
        yield Words((turn.call.argv[0], *words), turn.call.name, turn.folder)


def _again_second(turn: Turn) -> Found:
    if len(turn.rest) > 1:
        yield Words((turn.call.argv[0], *turn.rest[1:]), turn.call.name, turn.folder)


def program_in(spec: str) -> str:
    """The program that a package is likely to bring: `prisma@5` prisma, `@scope/tool@1` tool."""
    scoped = spec.startswith("@")
    name = (spec[1:] if scoped else spec).partition("@")[0]
    return name.rpartition("/")[2] if scoped else name


def _package(turn: Turn) -> Found:
    """`npx [options] package arguments`; with -c a text for a shell."""
    table, call = turn.known.table, turn.call
    given = read(turn.rest, turn.known.first)
    chosen = read(turn.before, table).options + given.options
    for name, value in chosen:
        if name in ("-c", "--call") and value:
            yield Text(value, call.name, turn.folder)
    packages = [value for name, value in chosen if name in ("-p", "--package", "--from", "--with", "--spec")]
    where = source((*packages, *given.operands[:1]), turn.known.flag("shorthand")) or _registry(turn, chosen)
    if where:
        yield Installs(call.name, "project", where)
    for words in _behind(turn):
        if _joined(turn):
            yield Text(" ".join(words), call.name, turn.folder)
        elif words[0].endswith(".py"):
            yield Words(("python", *words), call.name)
        elif "://" not in words[0]:
            yield Words((program_in(words[0]), *words[1:]), call.name, turn.folder, stdin=call.stdin)


def _pipx_run(turn: Turn) -> Found:
    operands = read(turn.rest, turn.known.first).operands
    if operands and operands[0].startswith(("http://", "https://")):
        yield RunsFetched(turn.call.name)
    yield from _package(turn)


# Names that projects give to scripts of their own: no program is meant.
_SCRIPTS = frozenset(
    "build lint format fmt dev start serve test check clean watch typecheck type-check tsc:check release "
    "deploy e2e "
    "preview storybook generate codegen prepare validate verify ci coverage docs bench compile".split()
)


def _script(turn: Turn) -> Found:
    """A word that is no verb: a script of the project, or a program of one of its packages."""
    name = turn.rest[0] if turn.rest else ""
    if name and name not in _SCRIPTS and ":" not in name:
        yield Words(turn.rest, turn.call.name, turn.folder)


# scripts of a project that decide what its checks do

_CHECKS = frozenset("test lint build typecheck type-check check verify ci e2e validate tsc types".split())
_IDLE = frozenset(("", "true", ":", "exit 0", "exit", "/bin/true", "echo", "null", "noop", "{}", '""', "''"))


def _script_of(key: str) -> str | None:
    """The script's name in `scripts.test`, `scripts[test]`; the empty name: all scripts."""
    plain = key.replace("[", ".").replace("]", "").replace('"', "").replace("'", "")
    return "" if plain == "scripts" else plain[8:] if plain.startswith("scripts.") else None


def _is_check(name: str) -> bool:
    return name.split(":")[0].split(".")[0].lower() in _CHECKS


def idle(command: str) -> bool:
    """Does it succeed whatever the project is like?"""
    text = command.strip().strip(";").strip()
    if text.endswith(("|| true", "|| :", "|| exit 0", "; true", "; exit 0", "|| echo")):
        return True
    parts = [part.strip() for part in text.replace("&&", ";").split(";")]
    return all(
        part in _IDLE or part.startswith(("echo ", "printf ", "sleep ", 'node -e ""')) for part in parts
    )


def _set_script(turn: Turn, name: str, command: str) -> Found:
    """A script is judged when it is set: the line that runs it may come later."""
    always = name == "" or name.split(":")[0] == "test"
    if always or (_is_check(name) and (idle(command) or MARKED.search(command))):
        yield Weakens(f"scripts.{name}".rstrip("."))
    else:
        yield Text(command, turn.call.name)


def _package_json(turn: Turn) -> Found:
    if turn.project:
        yield Writes(f"{turn.project}/package.json")


def _pkg_set(turn: Turn) -> Found:
    """`npm pkg set key=value …`."""
    for word in turn.given.operands:
        key, _, value = word.partition("=")
        name = _script_of(key)
        if name is not None:
            yield from _set_script(turn, name, value)
    yield from _package_json(turn)


def _pkg_delete(turn: Turn) -> Found:
    for name in map(_script_of, turn.given.operands):
        if name is not None and (name == "" or _is_check(name)):
            yield Weakens(f"scripts.{name}".rstrip("."))
    yield from _package_json(turn)


def _set_script_verb(turn: Turn) -> Found:
    """`npm set-script test "…"`."""
    operands = turn.given.operands
    if operands:
        yield from _set_script(turn, operands[0], " ".join(operands[1:]))
    yield from _package_json(turn)


# settings

_CREDENTIAL_KEYS = ("auth", "password", "token", "_cert", "secret", "http-basic")


def credential(key: str) -> bool:
    """Does a setting's name say that its value is a credential?"""
    low = key.lower()
    return any(part in low for part in _CREDENTIAL_KEYS) and "auth-type" not in low


def _config_get(turn: Turn) -> Found:
    for key in turn.given.operands:
        if credential(key):
            yield Reveals("credential", key)


def _setting(turn: Turn) -> Found:
    """`poetry config key value`: with a value it is set for the user."""
    given = turn.given
    if (len(given.operands) > 1 or given.has("--unset")) and not given.has("--local"):
        if given.operands[:1] not in (("list",), ("get",)) or given.has("--global"):
            yield Alters(f"{turn.call.name} config {' '.join(given.operands[:1])}".rstrip())
    elif given.has("-g", "--global"):
        yield Alters(f"{turn.call.name} config --global")
    elif len(given.operands) == 1 and credential(given.operands[0]) and not given.has("--unset"):
        yield Reveals("credential", given.operands[0])


def _composer_config(turn: Turn) -> Found:
    given = turn.given
    if given.has("-g", "--global"):
        yield Alters("composer config --global")
    if given.operands:
        name = _script_of(given.operands[0])
        if name is not None:
            yield from _set_script(turn, name, " ".join(given.operands[1:]))
        elif len(given.operands) > 1 and given.operands[0].startswith(("repositories", "repo.")):
            yield Installs("composer", "project", source(given.operands[1:]) or "repository")


def _with(act: str, *flags: str) -> Act:
    """The act, where one of the flags is given."""

    def found(turn: Turn) -> Iterable[Any]:
        return ACTS[act](turn) if turn.given.has(*flags) else ()

    return found


def _without(act: str, *flags: str) -> Act:
    def found(turn: Turn) -> Iterable[Any]:
        return () if turn.given.has(*flags) else ACTS[act](turn)

    return found


def _named_second(act: str) -> Act:
    """The act, where a name follows."""

    def found(turn: Turn) -> Iterable[Any]:
        listing = turn.given.operands[:1] in ((), ("list",), ("ls",))
        return () if listing else ACTS[act](turn)

    return found


# single programs


def _npm_run(turn: Turn) -> Found:
    if turn.given.operands[:1] == ("env",):
        yield Reveals("environment", "npm run env")


def _link(turn: Turn) -> Found:
    """Without a name it registers this project for the whole user; a folder is linked into the project."""
    operands = turn.given.operands
    inside = bool(operands) and all(word.startswith((".", "/")) for word in operands)
    yield Installs(turn.call.name, "project" if inside else "user")


def _into_folder(turn: Turn) -> Found:
    """A folder is named, and filled."""
    for path in turn.given.operands[:1]:
        yield Writes(f"{turn.call.at(path)}/{BELOW}")


def _yarn_plugin(turn: Turn) -> Found:
    where = source(turn.given.operands)
    yield Loads(f"yarn plugin {where}") if where else Installs("yarn", "project")


def _audit(turn: Turn) -> Found:
    if "fix" in turn.given.operands or turn.given.has("--fix"):
        yield from _install(turn)


def _workspaces(turn: Turn) -> Found:
    """`yarn workspaces foreach -A run x`."""
    operands = read(turn.rest, turn.known.first).operands
    if operands:
        yield Words((turn.call.argv[0], *operands), turn.call.name)


def _bun_run(turn: Turn) -> Found:
    """A script or a file of the project; a package's program is judged."""
    operands = read(turn.rest, turn.known.first).operands
    if operands and "." not in operands[0] and "/" not in operands[0]:
        yield from _script(turn._replace(rest=operands))


def _prune(turn: Turn) -> Found:
    """A cache is filled again; a cache folder that is named is deleted all the same."""
    for name, value in turn.given.options:
        if name in ("--cache", "--cache-dir", "--store-dir", "--cache-folder") and value:
            yield Deletes(turn.call.at(value), deep=True)


def _create(turn: Turn) -> Found:
    """`npm create vite app`: a package's start program; with an address it is foreign code."""
    operands = turn.given.operands
    where = source(operands[:1], shorthand=True)
    if where:
        yield Installs(turn.call.name, "project", where)
    if turn.given.unsure:
        yield Unknown("guard.unknown_command", turn.call.argv[0])
    for path in operands[1:2]:
        yield Writes(turn.call.at(path))


def _yarn_node(turn: Turn) -> Found:
    yield Words(("node", *turn.rest), "yarn", turn.folder)


def _uv_run(turn: Turn) -> Found:
    """A program, a module with -m, or a Python file; also one that is fetched first."""
    call, folder = turn.call, turn.folder
    given = read(turn.rest, turn.known.first)
    wanted = [
        value for name, value in given.options if name in ("--with", "--with-editable", "--with-requirements")
    ]
    where = source(wanted) or _registry(turn, given.options)
    if where:
        yield Installs(call.name, "project", where)
    module = given.value("-m", "--module")
    if module is not None:
        yield Words(("python", "-m", module, *given.operands), call.name, folder, stdin=call.stdin)
        return
    for words in _behind(turn):
        python = (
            words[0] == "-"
            or words[0].endswith((".py", ".pyw"))
            or given.has("-s", "--script", "--gui-script")
        )
        if words[0].startswith(("http://", "https://")):
            yield RunsFetched(call.name)
        else:
            yield Words(("python", *words) if python else words, call.name, folder, stdin=call.stdin)


def _hatch_run(turn: Turn) -> Found:
    """`hatch run test:pytest -x`: an environment may stand in front of the program."""
    operands = read(turn.rest, turn.known.first).operands
    if operands:
        program = operands[0].rpartition(":")[2] or operands[0]
        yield Words((program, *operands[1:]), turn.call.name, turn.folder)


def _source_added(turn: Turn) -> Found:
    yield Installs(turn.call.name, "project", source(turn.given.operands) or "registry")


def _conda(turn: Turn) -> Found:
    """An environment of the user, unless it lies in a folder that is named."""
    if turn.tried:
        return
    yield from _ourselves(turn)
    prefix = turn.given.value("-p", "--prefix")
    yield Installs(turn.call.name, "project" if prefix else "user", source(turn.given.operands))
    if prefix:
        yield Writes(f"{turn.call.at(prefix)}/{BELOW}")


def _python_build(turn: Turn) -> Found:
    """Unknown files as build settings are the project's own; only output folders matter."""
    for value in turn.given.all("-o", "--out-dir", "--outdir", "--output", "--output-file"):
        yield Writes(turn.call.at(value))


def _mix_do(turn: Turn) -> Found:
    """Several tasks, separated by `+` or a comma."""
    one: list[str] = []
    for word in (*turn.rest, "+"):
        ends = word == "+" or word.endswith(",")
        if word != "+":
            one.append(word.rstrip(","))
        if ends and one:
            yield Words(("mix", *one), "mix")
            one = []


_LOSING = ("delete_all", "update_all", "Repo.delete", "Repo.query", "drop", "truncate", "Ecto.Migrator")


def _mix_run(turn: Turn) -> Found:
    codes = turn.given.all("-e", "--eval") or (turn.given.operands[:1] if turn.verb == "eval" else ())
    for code in codes:
        if any(name in code for name in _LOSING):
            yield Destroys("database", code[:80], sure=False)
        yield Words(("elixir", "-e", code), "mix")
    if turn.given.has("-r", "--require") or (turn.verb == "eval" and not codes):
        yield Unknown("guard.unknown_code", "mix")


def _ecto(turn: Turn) -> Found:
    yield Destroys("database", f"mix {turn.verb}", sure=turn.call.env.get("MIX_ENV") != "test")


def _dotnet_tool(turn: Turn) -> Found:
    given = turn.given
    if turn.tried:
        return
    where: Literal["user", "project"] = "user" if given.has("-g", "--global") else "project"
    yield Installs("dotnet", where, given.value("--add-source", "--source") or "")
    for path in given.all("--tool-path"):
        yield Writes(f"{turn.call.at(path)}/{BELOW}")


def _dotnet_build(turn: Turn) -> Found:
    """The project is an operand, a file or its folder."""
    yield from _outputs(turn)
    for path in (*turn.given.operands, *turn.given.all("--project")):
        if "/" in path:
            file = path.rpartition(".")[2].endswith(("proj", "sln", "slnx"))
            yield from outside(turn.call, turn.call.at(path.rpartition("/")[0] if file else path))


_CARGO_PROGRAMS = ("runner", "rustc", "wrapper", "linker", "rustdoc", "credential", "alias")


def _cargo(turn: Turn) -> Found:
    """Every verb: output folders, and settings that name programs."""
    yield from _outputs(turn)
    for value in turn.given.all("--config"):
        if "=" not in value or any(word in value for word in _CARGO_PROGRAMS):
            yield Unknown("guard.unknown_option", f"--config {value}")


def _cargo_new(turn: Turn) -> Found:
    yield from _into_folder(turn)
    yield from _cargo(turn)


def _cargo_watch(turn: Turn) -> Found:
    for text in turn.given.all("-s", "--shell"):
        yield Text(text, "cargo")
    for words in turn.given.all("-x", "--exec"):
        yield Words(("cargo", *words.split()), "cargo")
    if "--" in turn.rest:
        yield Words(turn.rest[turn.rest.index("--") + 1 :], "cargo")


def _plugin(turn: Turn) -> Found:
    """`cargo sqlx …` is the program sqlx."""
    yield Words((turn.verb, *turn.rest), "cargo")


_GO_PROGRAMS = ("-exec", "-toolexec")
_GO_FILES = tuple(
    "-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -pkgdir".split()
)


def _go(turn: Turn) -> Found:
    """Go accepts one or two dashes."""
    rest = tuple(word[1:] if word.startswith("--") and len(word) > 2 else word for word in turn.rest)
    for name, value in read(rest, turn.known.table).options:
        if name in _GO_PROGRAMS:
            yield Text(value, "go")
        elif name in ("-vettool", "-overlay", "-modfile", "-gccgo"):
            yield Words(tuple(value.split()), "go") if name == "-vettool" else Loads(f"go {name}")
        elif name in _GO_FILES and value not in ("/dev/null", ""):
            yield Writes(turn.call.at(value))


def _go_install(turn: Turn) -> Found:
    if not turn.tried:
        yield Installs("go", "user")
    yield from _go(turn)


_GO_CACHES = (("-cache", "GOCACHE", ""), ("-modcache", "GOMODCACHE", ""), ("-modcache", "GOPATH", "/pkg/mod"))


def _go_clean(turn: Turn) -> Found:
    """A cache is filled again; a folder that the line calls a cache is deleted all the same."""
    for option, name, below in _GO_CACHES:
        if turn.given.has(option, f"-{option}") and turn.call.env.get(name):
            yield Deletes(f"{turn.call.at(turn.call.env[name])}{below}", deep=True)


def _go_run(turn: Turn) -> Found:
    for path in turn.given.operands[:1]:
        if path.startswith("/dev/"):
            yield File(path, "go")
    yield from _go(turn)


def _apt(turn: Turn) -> Found:
    """Also what its settings would run before and behind (`-o APT::Update::Pre-Invoke::=…`)."""
    given = turn.given
    for value in given.all("-o", "--option"):
        key, _, text = value.partition("=")
        if "invoke" in key.lower() or ("dpkg::options" not in key.lower() and "::run" in key.lower()):
            yield Text(text, turn.call.name)
    for path in given.all("-c", "--config-file"):
        yield Reads(turn.call.at(path))
        yield Alters(f"{turn.call.name} -c")
    if not given.has("-s", "--simulate", "--just-print", "--dry-run", "--print-uris", "--help"):
        yield Installs(turn.call.name, "system", source(given.operands))


_NIX_PATH = re.compile(r"(?<![\w/.:])(?:~|\.{0,2})/[\w./+-]{1,500}")


def _nix(turn: Turn) -> Found:
    """Paths in an expression may be read, or copied to where everybody reads."""
    for text in turn.given.all("--expr", "-E", "--apply"):
        yield from (Reads(turn.call.at(found)) for found in _NIX_PATH.findall(text))


# clusters, clouds and databases

_NAMES_ONLY = ("name", "wide", "")


def _get(turn: Turn) -> Found:
    """Secrets of a cluster, when more than their names is shown."""
    given = turn.given
    shown = given.value("-o", "--output", "--template")
    kinds = [part for word in given.operands[:1] for part in word.lower().split(",")]
    secrets = any(kind.split("/")[0].split(".")[0] in ("secret", "secrets") for kind in kinds)
    raw = given.value("--raw") or ""
    if (secrets and shown not in (None, *_NAMES_ONLY)) or "/secrets" in raw:
        yield Reveals("credential", turn.name)
    elif kinds and not certain(kinds[0]) and shown not in (None, *_NAMES_ONLY):
        yield Reveals("environment", turn.name)


def _reveals_with(*starts: str) -> Act:
    def act(turn: Turn) -> Found:
        if any(word.startswith(starts) and not word.endswith("=false") for word in turn.rest):
            yield Reveals("credential", turn.name)

    return act


def _changes_sure(*words: str) -> Act:
    """Something is changed; with one of the words it is lost for good."""

    def act(turn: Turn) -> Found:
        if not turn.tried and "--sql" not in turn.rest:
            kind = turn.known.text("loses") or "cloud"
            sure = any(word in words for word in turn.rest)
            yield Destroys(kind, turn.name, sure=sure)  # type: ignore[arg-type]

    return act


def _runs_there(turn: Turn) -> Found:
    """A command inside the cluster; words that look like a trial run are that command's."""
    yield Destroys("cluster", turn.name, sure=False)


def _created(turn: Turn) -> Found:
    if turn.given.operands[:1] == ("token",):
        yield Reveals("credential", turn.name)
    elif not turn.tried:
        yield Destroys("cluster", turn.name, sure=False)


def _switched(turn: Turn) -> Found:
    """Without a name it lists; with one, all later commands go elsewhere."""
    if any(word[:1] != "-" or word == "-" for word in turn.rest):
        yield Alters(turn.call.name)


def _plan(turn: Turn) -> Found:
    """Where it is kept; its values may be credentials, but only apply reads them."""
    for word in turn.rest:
        name, equals, value = word.partition("=")
        if name.lstrip("-") == "out" and equals:
            yield Writes(turn.call.at(value))


_FILE_CALL = re.compile(r"""\b(?:file|filebase64|templatefile|fileset)\w*\(\s*"([^"\n]{1,400})\"""")


def _console(turn: Turn) -> Found:
    """Expressions on its input may show files."""
    for path in _FILE_CALL.findall(turn.call.stdin or ""):
        yield Reads(turn.call.at(path))


def _output(turn: Turn) -> Found:
    """One value in the clear."""
    from donewhen.guard.programs.deeds import secret_name

    if any(credential(word) or secret_name(word) for word in turn.given.operands):
        yield Reveals("credential", turn.name)


def _sql(turn: Turn) -> Found:
    """Statements by option, file or input; without --remote they are for the local copy of a platform."""
    given, call = turn.given, turn.call
    local = call.name == "wrangler" and not given.has("--remote")
    program = "sqlite3" if local else "psql" if call.name == "heroku" else call.name
    for path in given.all("-f", "--file", "--filename"):
        yield Reads(call.at(path))
        yield File(call.at(path), "psql")
    texts = given.all("-c", "--command", "-q", "--query", "--sql")
    if call.stdin is not None and not texts:
        texts = [call.stdin]
    for text in texts:
        yield from sql_effects(text, program, turn.name)


def _named(act: str) -> Act:
    def found(turn: Turn) -> Found:
        if not turn.tried or act.startswith("signal"):
            if act == "publish":
                yield Publishes(turn.call.name, turn.verb)
            else:
                yield from done(act, turn.call, turn.known, turn.name)

    return found


ACTS: Mapping[str, Act] = {
    **{act: _named(act) for act in NAMED},
    "install": _install,
    "user": _installs("user"),
    "system": _installs("system"),
    "download": _download,
    "outputs": _outputs,
    "run": _run,
    "run-second": _run_second,
    "again": _again,
    "again-second": _again_second,
    "package": _package,
    "script": _script,
    "sql": _sql,
    "code-npm-run": _npm_run,
    "code-pkg-set": _pkg_set,
    "code-pkg-delete": _pkg_delete,
    "code-set-script": _set_script_verb,
    "code-config-get": _config_get,
    "code-setting": _setting,
    "code-composer-config": _composer_config,
    "code-link": _link,
    "code-into-folder": _into_folder,
    "code-yarn-plugin": _yarn_plugin,
    "code-audit": _audit,
    "code-workspaces": _workspaces,
    "code-env-use": _named_second("user"),
    "code-bun-run": _bun_run,
    "code-prune": _prune,
    "code-create": _create,
    "code-yarn-node": _yarn_node,
    "code-pipx-run": _pipx_run,
    "code-uv-run": _uv_run,
    "code-hatch-run": _hatch_run,
    "code-source-added": _source_added,
    "code-conda": _conda,
    "code-conda-config": _without("alter", "--show", "--show-sources", "--get", "--describe", "--validate"),
    "code-python-build": _python_build,
    "code-mix-do": _mix_do,
    "code-mix-run": _mix_run,
    "code-ecto": _ecto,
    "code-dotnet-tool": _dotnet_tool,
    "code-dotnet-build": _dotnet_build,
    "code-gem-owner": _with("publish", "-a", "-r", "--add", "--remove"),
    "code-gem-sources": _with("alter", "-a", "-r", "-c", "--add", "--remove", "--clear-all"),
    "code-cargo": _cargo,
    "code-cargo-install": _without("user", "--list"),
    "code-cargo-new": _cargo_new,
    "code-cargo-watch": _cargo_watch,
    "code-plugin": _plugin,
    "code-go": _go,
    "code-go-install": _go_install,
    "code-go-clean": _go_clean,
    "code-go-run": _go_run,
    "code-go-env": _with("alter", "-w", "-u"),
    "code-apt": _apt,
    "code-nix": _nix,
    "code-softwareupdate": _with("system", "-i", "-a", "--install", "-r", "-ia", "--all"),
    "code-get": _get,
    "code-view": _reveals_with("--raw"),
    "code-who": _reveals_with("-t", "--show-token"),
    "code-show-secrets": _reveals_with("--show-secrets"),
    "code-forced": _changes_sure("--force", "--prune", "--cascade", "--force=true", "--prune=true"),
    "code-apply": _changes_sure("-destroy", "--destroy", "-destroy=true", "-replace"),
    "code-back": _changes_sure("base", "zero", "0", "--all", "all", "-all"),
    "code-push-forced": _with("lose", "--force-reset", "--accept-data-loss", "--force"),
    "code-migrate-remote": _with("change", "--remote"),
    "code-runs-there": _runs_there,
    "code-created": _created,
    "code-switched": _switched,
    "code-plan": _plan,
    "code-console": _console,
    "code-output": _output,
}
