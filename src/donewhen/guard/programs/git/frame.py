"""Where one call of git acts and with which settings: global options, environment, the verb and its
arguments.

Every verb's reader starts from this frame, so that `-C`, `--work-tree`, `GIT_DIR` and settings given by
`-c` or by the environment count in the same way for all of them. It reads no repository: what lies in a
config file is not known here.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Text, Words
from donewhen.guard.effects import Connects, Effect, Rewrites, Sends, Unknown, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import BELOW, HOLE, STAR, WILD, anything, certain, shown
from donewhen.guard.options import Given

Found = Iterator[Effect | Nested]

_VALUED = frozenset(
    ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source")
)
# git stops at these and prints something; words behind them are no verb
_PRINTING = frozenset(
    ("--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path", "--exec-path")
)
_LOCAL_SCHEMES = ("file://",)
_KNOWN_HELPERS = frozenset(("http", "https", "ftp", "ftps", "ssh", "git", "file", "fd"))


class Frame(NamedTuple):
    call: Call
    folder: str  # where it acts, after -C
    git_dir: str = ""  # absolute; empty: found from the folder
    work_tree: str = ""
    settings: tuple[tuple[str, str], ...] = ()  # names in lower case, in order
    lead: tuple[str, ...] = ()  # the program and its global options, as given
    verb: str = ""
    args: tuple[str, ...] = ()

    def at(self, path: str) -> str:
        return absolute(path, self.folder)

    def inside(self, path: str) -> bool:
        """Surely in the workspace?"""
        root = self.call.ground.workspace
        return (path == root or path.startswith(root + "/")) and not anything(path)

    @property
    def tree(self) -> str:
        """The work tree's root, as far as it can be told."""
        if self.work_tree:
            return self.work_tree
        return self.call.ground.workspace if self.inside(self.folder) else self.folder

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty when that is not known, as in another repository."""
        own = self.inside(self.git_dir or self.folder) and self.call.elsewhere != "host"
        return self.call.ground.branch if own else ""

    def setting(self, name: str) -> str | None:
        found = [value for key, value in self.settings if key == name]
        return found[-1] if found else None


Verb = Callable[[Frame], Found]


def frame_of(call: Call) -> Frame:
    """The frame; `verb` is empty when git would only print something about itself."""
    argv, folder = call.argv, call.folder
    git_dir, work_tree = call.env.get("GIT_DIR", ""), call.env.get("GIT_WORK_TREE", "")
    given = environment_settings(call.env) if call.env else []
    at = 1
    while at < len(argv) and argv[at].startswith("-"):
        name, equals, value = argv[at].partition("=")
        at += 1
        if name in _PRINTING and not equals:
            return Frame(call, folder, lead=argv)
        if name in _VALUED and not (equals and name.startswith("--")):
            value = argv[at] if at < len(argv) else ""
            at += 1
        if name == "-C":
            folder = absolute(value, folder) if value else folder
        elif name == "--git-dir":
            git_dir = value
        elif name == "--work-tree":
            work_tree = value
        elif name == "-c":
            given.append(_pair(value))
        elif name == "--config-env":
            given.append(_from_variable(value, call))
    settings = tuple(given)
    work_tree = work_tree or next((value for key, value in settings if key == "core.worktree"), "")
    git_dir = absolute(git_dir, folder) if git_dir else ""
    work_tree = absolute(work_tree, folder) if work_tree else ""
    verb = argv[at] if at < len(argv) else ""
    return Frame(call, folder, git_dir, work_tree, settings, argv[:at], verb, argv[at + 1 :])


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return name.lower(), value if equals else "true"


def _from_variable(text: str, call: Call) -> tuple[str, str]:
    name, _, variable = text.rpartition("=")
    return name.lower(), call.env.get(variable, call.ground.variables.get(variable, HOLE))


def environment_settings(env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Settings that variables bring: the numbered pairs and the quoted list."""
    found = [
        (value.lower(), env.get("GIT_CONFIG_VALUE_" + name[15:], ""))
        for name, value in env.items()
        if name.startswith("GIT_CONFIG_KEY_")
    ]
    try:
        listed = shlex.split(env.get("GIT_CONFIG_PARAMETERS", ""))
    except ValueError:
        listed = [HOLE]
    return found + [_pair(word) for word in listed]


def doubts(frame: Frame, given: Given) -> Found:
    """Arguments that may be options of any kind."""
    strange = [name for name, _ in given.options if not certain(name)]
    strange += [word for word in given.operands if word[:1] in WILD] if given.unsure else []
    for word in strange:
        yield Unknown("guard.unknown_option", f"git {frame.verb} {shown(word)}")


def touched(frame: Frame) -> Found:
    """The work tree and the repository change: worth saying when they are not this workspace's own."""
    tree = frame.work_tree or frame.folder
    if not frame.inside(tree):
        yield Writes(f"{tree}/{BELOW}")
    if frame.git_dir and not frame.inside(frame.git_dir):
        yield Writes(frame.git_dir)


def placed(frame: Frame, path: str) -> Found:
    """Files come to be in this folder."""
    if not frame.inside(path):
        yield Writes(f"{path}/{BELOW}")
    elif path != frame.call.ground.workspace:
        yield Writes(path)


def branch_name(ref: str, frame: Frame) -> str:
    """A branch without `refs/heads/`, HEAD as the branch it stands for, other refs in full."""
    if ref in ("HEAD", "@"):
        return frame.branch or HOLE
    for prefix in ("refs/heads/", "heads/"):
        if ref.startswith(prefix):
            return ref[len(prefix) :]
    if ref.startswith("tags/"):
        return "refs/" + ref
    return HOLE if "@{" in ref or ref == "-" else ref


def is_protected(name: str, frame: Frame) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in frame.call.ground.protected)


def every_branch(frame: Frame) -> tuple[str, ...]:
    """Names that stand for all branches: each protected one (or its pattern)."""
    return frame.call.ground.protected


def spread(ref: str, frame: Frame) -> tuple[str, ...]:
    """The branches that a wildcard takes in: the protected ones by name, then the pattern itself."""
    ref = ref.replace(BELOW, HOLE)  # some name that another program printed
    if "*" not in ref and STAR not in ref:
        return (branch_name(ref, frame),)
    full = (ref if ref.startswith("refs/") else "refs/heads/" + ref).replace(STAR, "*")
    head, _, tail = full.partition("*")
    # git takes one star; where there are more, or a part is not known, all may be meant
    every = "*" in tail or anything(full)
    hit = tuple(name for name in every_branch(frame) if every or _fits("refs/heads/" + name, head, tail))
    return (*hit, branch_name(full.replace("*", BELOW), frame))


def _fits(name: str, head: str, tail: str) -> bool:
    return name.startswith(head) and name.endswith(tail) and len(name) >= len(head) + len(tail)


def rewrites(frame: Frame, ref: str, how: str, commits: tuple[str, ...] = ()) -> Found:
    """A local branch loses commits or goes; nothing is said about a HEAD that is on no known branch.

    `commits`: those that are rewritten, as `git rev-list` takes them.
    """
    if ref in ("HEAD", "@") and not frame.branch:
        return
    for name in spread(ref, frame):
        if anything(name):
            yield Unknown("guard.unknown_ref", f"git {frame.verb} {shown(ref)}")
        yield Rewrites(name, how, commits, "" if frame.git_dir else frame.folder)


def address(remote: str) -> tuple[str, str]:
    """(host, path) of a remote: a host for an address, a path for a local repository, neither for a name."""
    if remote.startswith(_LOCAL_SCHEMES):
        return "", remote[7:]
    scheme, found, rest = remote.partition("://")
    if found:
        place = rest.partition("/")[0].rpartition("@")[2]
        return place.partition("]")[0] + "]" if place.startswith("[") else place.partition(":")[
            0
        ] or scheme, ""
    before, colon, _ = remote.partition(":")
    if colon and "/" not in before:
        return before.rpartition("@")[2], ""
    return "", remote if "/" in remote or remote in (".", "..") or remote.startswith("~") else ""


def _helped(frame: Frame, text: str) -> Found:
    """A command as a remote: split at blanks without quotes, `% ` for a blank inside a word.

    Quotes would not do what their writer meant; that is judged all the same.
    """
    if "'" in text or '"' in text:
        yield Text(text, "git", frame.folder)
    text = text.replace("% ", "\t").replace("%%", "%")
    words = tuple(word.replace("\t", " ") for word in text.split(" ") if word and word not in ("%S", "%s"))
    if words:
        yield Words(words, "git", frame.folder)


def transport(frame: Frame, remote: str) -> Found:
    """A remote that is a command (`ext::`), or one for which a helper program would be looked up."""
    helper, found, rest = remote.partition("::")
    if not found or "/" in helper:
        return
    if helper == "ext":
        yield from _helped(frame, rest)
    elif helper not in _KNOWN_HELPERS:
        yield Unknown("guard.unknown_command", f"git-remote-{shown(helper)}")


def reached(frame: Frame, remote: str) -> Found:
    """Something is got from a remote."""
    yield from transport(frame, remote)
    host, path = address(remote)
    if host or not path:
        yield Connects(host or remote or frame.call.ground.remote)


def delivered(frame: Frame, remote: str) -> Found:
    """Commits go to a remote: ordinary for the workspace's own, content that leaves for any other."""
    yield from transport(frame, remote)
    host, path = address(remote)
    if path and not frame.inside(frame.at(path)):
        yield Writes(f"{frame.at(path)}/{BELOW}")
    elif host or (not path and remote != frame.call.ground.remote):
        yield Sends(host or remote, "content")
    elif not path:
        yield Connects(remote)


def commands(frame: Frame, given: Given, *names: str) -> Found:
    """Options whose value is run by a shell."""
    for text in given.all(*names):
        if text:
            yield Text(text, "git", frame.folder)
