"""npm, pnpm, yarn, bun and their runners.

A script of the project (`npm run build`) is the project's own code and ordinary; a package's program
(`npx rimraf /`, `pnpm exec …`, `yarn rimraf /`) is judged as if it were called by itself.
"""

from collections.abc import Mapping

from donewhen.guard.call import Text, Words
from donewhen.guard.effects import Alters, Deletes, Installs, Loads, Reveals, Unknown, Writes
from donewhen.guard.marks import BELOW
from donewhen.guard.options import read
from donewhen.guard.programs.packages.acts import (
    ACTS,
    behind,
    credential,
    helps,
    install,
    joined,
    registry_of,
    source,
)
from donewhen.guard.programs.packages.engine import Act, Found, Turn
from donewhen.guard.programs.packages.scripts import delete_script, script_of, set_script


def program_of(spec: str) -> str:
    """The program that a package is likely to bring: `prisma@5` prisma, `@scope/tool@1` tool."""
    scoped = spec.startswith("@")
    name = spec[1:] if scoped else spec
    name = name.partition("@")[0]
    return name.rpartition("/")[2] if scoped else name


def runner(turn: Turn) -> Found:
    """`npx [options] package arguments`; with -c a text for a shell."""
    table = turn.manager.options
    given = read(turn.rest, table._replace(first=True))
    chosen = read(turn.before, table).options + given.options
    for name, value in chosen:
        if name in ("-c", "--call") and value:
            yield Text(value, turn.call.name, turn.folder)
    packages = [value for name, value in chosen if name in ("-p", "--package", "--from", "--with", "--spec")]
    where = source((*packages, *given.operands[:1]), turn.manager.shorthand) or registry_of(turn, chosen)
    if where:
        yield Installs(turn.call.name, "project", where)
    for words in behind(turn):
        if joined(turn):
            yield Text(" ".join(words), turn.call.name, turn.folder)
        elif "://" not in words[0]:
            yield Words(
                (program_of(words[0]), *words[1:]), turn.call.name, turn.folder, stdin=turn.call.stdin
            )


# Names that projects give to scripts of their own: no program is meant.
_SCRIPTS = frozenset(
    "build lint format fmt dev start serve test check clean watch typecheck type-check "
    "tsc:check release deploy e2e "
    "preview storybook generate codegen prepare validate verify ci coverage docs bench "
    "compile".split()
)


def script(turn: Turn) -> Found:
    """A word that is no verb: a script of the project, or a program of one of its packages."""
    name = turn.rest[0] if turn.rest else ""
    if name and name not in _SCRIPTS and ":" not in name:
        yield Words(turn.rest, turn.call.name, turn.folder)


def npm_run(turn: Turn) -> Found:
    if turn.given.operands[:1] == ("env",):
        yield Reveals("environment", "npm run env")


def pkg_set(turn: Turn) -> Found:
    """`npm pkg set key=value …`."""
    for word in turn.given.operands:
        key, _, value = word.partition("=")
        name = script_of(key)
        if name is not None:
            yield from _set(turn, name, value)
    yield from _elsewhere(turn)


def _set(turn: Turn, name: str, command: str) -> Found:
    """A script is judged when it is set: the line that runs it may come later."""
    weakened = list(set_script(name, command))
    yield from weakened
    if not weakened:
        yield Text(command, turn.call.name)


def pkg_delete(turn: Turn) -> Found:
    for key in turn.given.operands:
        name = script_of(key)
        if name is not None:
            yield from delete_script(name)
    yield from _elsewhere(turn)


def set_script_verb(turn: Turn) -> Found:
    """`npm set-script test "…"`."""
    operands = turn.given.operands
    if operands:
        yield from _set(turn, operands[0], " ".join(operands[1:]))
    yield from _elsewhere(turn)


def _elsewhere(turn: Turn) -> Found:
    if turn.project:
        yield Writes(f"{turn.project}/package.json")


def config_get(turn: Turn) -> Found:
    for key in turn.given.operands:
        if credential(key):
            yield Reveals("credential", key)


def link(turn: Turn) -> Found:
    """Without a name it registers this project for the whole user; a folder is linked into the project."""
    operands = turn.given.operands
    if operands and all(word.startswith((".", "/")) for word in operands):
        yield Installs(turn.call.name, "project")
    else:
        yield Installs(turn.call.name, "user")


def deploy_folder(turn: Turn) -> Found:
    """`pnpm deploy DIR` copies a package there."""
    for path in turn.given.operands[:1]:
        yield Writes(f"{turn.call.at(path)}/{BELOW}")


def yarn_plugin(turn: Turn) -> Found:
    where = source(turn.given.operands)
    yield Loads(f"yarn plugin {where}") if where else Installs("yarn", "project")


def audit_fix(turn: Turn) -> Found:
    if "fix" in turn.given.operands or turn.given.has("--fix"):
        yield from install(turn)


def workspaces(turn: Turn) -> Found:
    """`yarn workspaces foreach -A run x`, `yarn workspaces run x`."""
    operands = read(turn.rest, turn.manager.options._replace(first=True)).operands
    if operands:
        yield Words((turn.call.argv[0], *operands), turn.call.name)


def env_use(turn: Turn) -> Found:
    if not helps(turn) and turn.given.operands[:1] not in ((), ("list",), ("ls",)):
        yield Installs(turn.call.name, "user")


def bun_run(turn: Turn) -> Found:
    """A script or a file of the project; a package's program is judged."""
    operands = read(turn.rest, turn.manager.options._replace(first=True)).operands
    if operands and "." not in operands[0] and "/" not in operands[0]:
        yield from script(turn._replace(rest=operands))


def prune_cache(turn: Turn) -> Found:
    """A cache is filled again; a cache folder that is named is deleted all the same."""
    for name, value in turn.given.options:
        if name in ("--cache", "--cache-dir", "--store-dir", "--cache-folder") and value:
            yield Deletes(turn.call.at(value), deep=True)


def run_config(turn: Turn) -> Found:
    if not helps(turn):
        yield Alters(f"{turn.call.name} {turn.verb} {' '.join(turn.given.operands[:1])}".rstrip())


def create(turn: Turn) -> Found:
    """`npm create vite app`: a package's start program; with an address it is foreign code."""
    operands = turn.given.operands
    where = source(operands[:1], shorthand=True)
    if where:
        yield Installs(turn.call.name, "project", where)
    if turn.given.unsure:
        yield Unknown("guard.unknown_command", turn.call.argv[0])
    for path in operands[1:2]:
        yield Writes(turn.call.at(path))


def yarn_node(turn: Turn) -> Found:
    yield Words(("node", *turn.rest), "yarn", turn.folder)


JS_ACTS: Mapping[str, Act] = {
    **ACTS,
    "runner": runner,
    "script": script,
    "npm_run": npm_run,
    "pkg_set": pkg_set,
    "pkg_delete": pkg_delete,
    "set_script": set_script_verb,
    "config_get": config_get,
    "config": run_config,
    "link": link,
    "deploy_folder": deploy_folder,
    "yarn_plugin": yarn_plugin,
    "audit_fix": audit_fix,
    "workspaces": workspaces,
    "env_use": env_use,
    "bun_run": bun_run,
    "prune": prune_cache,
    "create": create,
    "yarn_node": yarn_node,
}
