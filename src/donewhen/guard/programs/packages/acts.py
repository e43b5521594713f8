"""What verbs of package managers do: the acts that the tables of all managers share.

Each act turns one verb, with its options and operands, into effects and nested commands.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from donewhen.guard.call import Text, Words
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Installs,
    Publishes,
    Reveals,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW, WILD
from donewhen.guard.options import read
from donewhen.guard.programs.packages.engine import Act, Found, Turn, foreign, own_words


def helps(turn: Turn) -> bool:
    """Asked for help or for a trial run; a switch that is set back does not count."""
    words = turn.before + turn.rest
    if any(word in ("--help", "-h") for word in words):
        return True
    tried = [at for at, word in enumerate(words) if word in turn.manager.dry]
    undone = any(word.startswith(("--no-dry", "--dry-run=")) for word in words)
    return bool(tried) and not undone and words[tried[-1] + 1 : tried[-1] + 2] != ("false",)


# Addresses of code that are not names in a registry.
_ADDRESSES = (
    "git+",
    "git:",
    "git@",
    "http:",
    "https:",
    "github:",
    "gitlab:",
    "bitbucket:",
    "gist:",
    "ssh:",
    "ftp:",
    "hg+",
    "svn+",
)


def source(words: Iterable[str], shorthand: bool = False) -> str:
    """The first word that is an address rather than a name; also behind `name@`."""
    for word in words:
        low = word.lower()
        if low.startswith(_ADDRESSES) or "://" in low or "@git+" in low or "@github:" in low:
            return word
        if shorthand and word.count("/") == 1 and word[0] not in "@./~":
            return word
    return ""


def registry_of(turn: Turn, chosen: Iterable[tuple[str, str]]) -> str:
    """Another registry than the usual ones, when an option names it."""
    named = turn.manager.registries
    return next((value for name, value in chosen if name in named and foreign(value)), "")


_SPECIFYING = frozenset(("-e", "--editable", "-r", "--requirement", "-c", "--constraint", "--git"))


def install(turn: Turn) -> Found:
    """Into the project, unless an option says otherwise."""
    table, call = turn.manager, turn.call
    given = turn.given
    if helps(turn):
        return
    names = {name for name, _ in given.options}
    where: Literal["project", "user", "system"] = "user" if names & table.user_flags else "project"
    if ("--location", "global") in given.options:
        where = "user"
    if names & table.system_flags:
        where = "system"
    values = [value for name, value in given.options if name in _SPECIFYING]
    fed = next((value for value in values if value.startswith("/dev/")), "")
    address = source((*given.operands, *values), table.shorthand) or fed or registry_of(turn, given.options)
    yield Installs(call.name, where, address)
    for name, value in given.options:
        if name in table.targets:
            yield Writes(f"{call.at(value)}/{BELOW}")
    folder = turn.project
    if folder and folder != call.folder:
        yield Writes(f"{folder}/{BELOW}")
    if given.unsure and any(word[:1] in WILD for word in given.operands):
        yield Unknown("guard.unknown_option", call.argv[0])


def installs_user(turn: Turn) -> Found:
    if not helps(turn):
        yield Installs(turn.call.name, "user", source(turn.given.operands))


def installs_system(turn: Turn) -> Found:
    if not helps(turn):
        yield Installs(turn.call.name, "system", source(turn.given.operands))


def publish(turn: Turn) -> Found:
    if not helps(turn):
        yield Publishes(turn.call.name, turn.verb)


def erase(turn: Turn) -> Found:
    """What others use is taken back."""
    if not helps(turn):
        yield Destroys("remote", f"{turn.call.name} {turn.verb}", sure=False)


def destroy(turn: Turn) -> Found:
    """What runs elsewhere is taken down for good."""
    if not helps(turn):
        yield Destroys("cloud", f"{turn.call.name} {turn.verb}")


def drop(turn: Turn) -> Found:
    if not helps(turn):
        yield Destroys("database", f"{turn.call.name} {turn.verb}")


def alter(turn: Turn) -> Found:
    """Accounts, settings of the user, things that stay after the run."""
    if not helps(turn):
        yield Alters(f"{turn.call.name} {turn.verb}".strip())


def reveal(turn: Turn) -> Found:
    if not helps(turn):
        yield Reveals("credential", f"{turn.call.name} {turn.verb}")


_CREDENTIAL_KEYS = ("auth", "password", "token", "_cert", "secret", "http-basic")


def credential(key: str) -> bool:
    """Does a setting's name say that its value is a credential?"""
    low = key.lower()
    return any(part in low for part in _CREDENTIAL_KEYS) and "auth-type" not in low


def run(turn: Turn) -> Found:
    """The words behind are a command."""
    for words in behind(turn):
        if joined(turn) or (len(words) == 1 and " " in words[0]):
            yield Text(" ".join(words), turn.call.name, turn.folder)
        else:
            yield Words(words, turn.call.name, turn.folder, stdin=turn.call.stdin)


def joined(turn: Turn) -> bool:
    """Is the command behind the verb a text for a shell?"""
    return read(own_words(turn), turn.manager.options).has(*turn.manager.joins)


def behind(turn: Turn) -> Iterator[tuple[str, ...]]:
    """The command behind the verb; behind an unknown option also what follows if that took a value."""
    table = turn.manager.options
    operands = read(turn.rest, table._replace(first=True)).operands
    if operands:
        yield operands
    front = turn.rest[: len(turn.rest) - len(operands)]
    last = front[-1] if front else ""
    known = last[2:] in _KNOWN_FLAGS or last[2:] in table.long_flags
    if len(operands) > 1 and last[:2] == "--" != last and "=" not in last and not known:
        yield operands[1:]


_KNOWN_FLAGS = frozenset(
    "yes no no-install quiet silent prefer-offline offline verbose parallel recursive "
    "workspace-root frozen locked isolated "
    "no-project no-sync dev no-dev all-extras all-groups all-packages active exact "
    "native-tls no-cache refresh no-config "
    "no-progress no-index no-build no-env-file bun shell-mode all include-workspace-root "
    "if-present sort stream "
    "skip-lock system site-packages pypi-only no-default-groups".split()
)


def skip_one_and_run(turn: Turn) -> Found:
    """A name comes first: `rustup run nightly cargo test`."""
    operands = read(turn.rest, turn.manager.options._replace(first=True)).operands
    rest = operands[1:] if operands[1:2] != ("--",) else operands[2:]
    if rest:
        yield Words(rest, turn.call.name, turn.folder)


def again(turn: Turn) -> Found:
    """The words behind are arguments of the manager itself: `yarn workspace web add x`."""
    if turn.rest:
        yield Words((turn.call.argv[0], *turn.rest), turn.call.name, turn.folder)


def workspace(turn: Turn) -> Found:
    """As `again`, behind the name of a workspace."""
    if len(turn.rest) > 1:
        yield Words((turn.call.argv[0], *turn.rest[1:]), turn.call.name, turn.folder)


def outputs(turn: Turn) -> Found:
    """Folders that options name are filled."""
    for name, value in turn.given.options:
        if name in turn.manager.targets:
            yield Writes(f"{turn.call.at(value)}/{BELOW}")


ACTS: Mapping[str, Act] = {
    "install": install,
    "user": installs_user,
    "system": installs_system,
    "publish": publish,
    "erase": erase,
    "destroy": destroy,
    "drop": drop,
    "alter": alter,
    "reveal": reveal,
    "run": run,
    "skip_one_and_run": skip_one_and_run,
    "again": again,
    "workspace": workspace,
    "outputs": outputs,
}
