"""What an action would do: a closed set of effects, each with the facts that a rule may ask for.

Paths are absolute, texts may hold marks (`marks`). An effect says nothing about right or wrong; rules do.
What can't be told is an effect of its own, `Unknown`: nothing is left out silently.
"""

from typing import Literal, NamedTuple


class Executes(NamedTuple):
    """A program is started; `path` when it is named by one."""

    program: str
    path: str = ""


class Reads(NamedTuple):
    path: str
    names: bool = False  # only whether it is there, how it is called, how large it is
    used: bool = False  # its values go to programs, nothing prints them


class Writes(NamedTuple):
    path: str
    # folder: an empty one is made; back: what git has at HEAD is put there again
    how: Literal["content", "mode", "owner", "link", "folder", "back"] = "content"


class Deletes(NamedTuple):
    path: str
    deep: bool = False  # with everything below
    unknown: bool = False  # only what git does not track
    moved: bool = False  # the content lives on under another name


class Pushes(NamedTuple):
    """To a branch of a remote; `ref` is the branch's name without `refs/heads/`, or a full other ref."""

    remote: str
    ref: str
    force: bool = False
    delete: bool = False


class Rewrites(NamedTuple):
    """A branch of this repository (by the forge's interface: of the remote) loses commits or is deleted."""

    ref: str
    how: str
    commits: tuple[str, ...] = ()  # those it rewrites, as `git rev-list` takes them; empty: not known
    folder: str = ""  # where git can be asked about them


class Loses(NamedTuple):
    """Work that git keeps nowhere is thrown away; without a path all there is of it."""

    what: Literal["changes", "untracked", "stash"]
    path: str = ""


class SkipsHooks(NamedTuple):
    """Hooks are passed by, replaced or switched off."""

    how: str


class Connects(NamedTuple):
    host: str


class Sends(NamedTuple):
    """Data leaves this machine."""

    host: str
    what: Literal["data", "content", "secret", "environment"]  # content: files of the workspace


class Fetches(NamedTuple):
    """Data from the network is written to files; `path` may be empty when its name is not given."""

    host: str
    path: str = ""


class RunsFetched(NamedTuple):
    """Text from the network reaches a shell or another interpreter."""

    program: str


class Installs(NamedTuple):
    manager: str
    where: Literal["project", "user", "system"]
    source: str = ""  # an address, when it is not the usual registry


class Publishes(NamedTuple):
    manager: str
    what: str = ""


class Signals(NamedTuple):
    target: Literal["own", "process", "named", "everything"]
    name: str = ""


class Raises(NamedTuple):
    """Other rights are taken: sudo, doas, su, a setuid bit."""

    by: str


class Reveals(NamedTuple):
    """Values that may be credentials are printed."""

    what: Literal["variable", "filtered", "environment", "credential"]
    name: str = ""


class Destroys(NamedTuple):
    """Data elsewhere is lost for good: databases, clusters, cloud, containers, disks."""

    what: Literal["database", "cluster", "cloud", "container", "disk", "remote"]
    target: str
    sure: bool = True  # False: it changes such a thing and may lose data


class Persists(NamedTuple):
    """Something would run after the command: cron, systemd, launchd, at, login files."""

    how: str


class Alters(NamedTuple):
    """The machine's state changes: accounts, mounts, firewall, power, kernel, clock."""

    what: str


class HostAccess(NamedTuple):
    """A container gets the host: its root or home folder, its docker socket, all privileges."""

    how: str


class Loads(NamedTuple):
    """Other code is put into programs: LD_PRELOAD, a changed PATH, NODE_OPTIONS, GIT_SSH_COMMAND."""

    by: str


class Exhausts(NamedTuple):
    """A fork bomb, or a file that fills the disk."""

    how: str


class Disguises(NamedTuple):
    """Characters that look like others or hide text."""

    text: str


class Weakens(NamedTuple):
    """A check of the project would no longer check: a test script replaced by nothing."""

    what: str


class Unknown(NamedTuple):
    """What can't be told. `what` is a key of the catalogue (guard.unknown_…), `detail` the text at hand."""

    what: str
    detail: str = ""


Effect = (
    Executes
    | Reads
    | Writes
    | Deletes
    | Pushes
    | Rewrites
    | Loses
    | SkipsHooks
    | Connects
    | Sends
    | Fetches
    | RunsFetched
    | Installs
    | Publishes
    | Signals
    | Raises
    | Reveals
    | Destroys
    | Persists
    | Alters
    | HostAccess
    | Loads
    | Exhausts
    | Disguises
    | Weakens
    | Unknown
)
