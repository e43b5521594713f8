"""Files of coding agents: their settings, by name or as they lie in a folder now, and their own notes."""

from fnmatch import fnmatchcase

from donewhen.guard.globs import matches, unbounded
from donewhen.guard.ground import Disk, Ground
from donewhen.guard.marks import anything, certain, lead

_WHOLE = (".codex", ".opencode")  # every file in there can name hooks or load code
_PARTLY = (".claude", ".gemini")  # of these the settings alone
_NAMES = ("settings.json", "settings.local.json")
# the last names servers, whose tools may do anything
_FILES = ("opencode.json", "opencode.jsonc", ".mcp.json")
# Plans, memory and todo lists: a client has them written by its own agent. Below a home folder.
_NOTES = (
    ".claude/plans", ".claude/todos", ".claude/tasks", ".claude/projects/*/memory", ".claude/agent-memory",
    ".codex/memories",
    ".gemini/tmp/*/plans", ".gemini/tmp/*/*/plans", ".gemini/tmp/*/memory", ".gemini/GEMINI.md",
    ".opencode/plan", ".opencode/plans", ".local/share/opencode/plans",
)  # fmt: skip
_NOTES_OF_PROJECTS = (".opencode/plan", ".opencode/plans")
_SURE = 4  # letters that a glob must spell out to be about a file of such a plain name


def are_settings(path: str) -> bool:
    names = path.lower().split("/")
    for at, name in enumerate(names):
        behind = names[at + 1 :]
        if any(_could_be(name, folder) for folder in _WHOLE) or (
            name == "opencode" and names[at - 1] == ".config"
        ):
            return True
        if any(_could_be(name, folder) for folder in _PARTLY) and (not behind or _named(behind[0])):
            return True
    last = names[-1]
    return any(last == one or (len(lead(last)) >= _SURE and matches(last, one)) for one in _FILES)


def are_notes(path: str, ground: Ground) -> bool:
    """Is it surely one of a client's own plans, memory or todo files, and leads to no other place?"""
    if not certain(path):
        return False
    known = [(ground.home, one) for one in _NOTES]
    known += [(ground.workspace, one) for one in _NOTES_OF_PROJECTS]
    # a client may be told to keep its folder elsewhere, under any name
    known += [(folder, one.partition("/")[2]) for folder in ground.client_folders for one in _NOTES]
    for base, notes in known:
        rest = path[len(base) + 1 :] if path.startswith(f"{base}/") else ""
        names = rest.split("/")
        depth = notes.count("/") + 1
        if rest and len(names) >= depth and _fits(names[:depth], notes.split("/")):
            top = "/".join((base, *names[:depth]))
            real, usual = ground.disk.real(top), "/".join((ground.disk.real(base), *names[:depth]))
            within = f"{ground.disk.real(path)}/".startswith(f"{real}/")
            return within and (real == usual or not are_settings(real))
    return False


def _fits(names: list[str], pattern: list[str]) -> bool:
    return all(map(fnmatchcase, names, pattern))


def hold_settings(name: str) -> bool:
    """Is it the name of a folder or file of theirs, at the top of a project?"""
    return name.lower() in (*_WHOLE, *_PARTLY, *_FILES)


def settings_in(folder: str, disk: Disk) -> list[str]:
    """The settings that are there; without those that are not known."""
    tops = [f"{folder}/{name}" for name in disk.names(folder) or () if hold_settings(name)]
    below = [f"{top}/{name}" for top in tops for name in disk.names(top) or ()]
    files = [top for top in tops if top.rpartition("/")[2].lower() in _FILES]
    return [one for one in (*files, *below) if are_settings(one)]


def _named(name: str) -> bool:
    if certain(name):
        return name.startswith("settings") and name.endswith(".json")
    return any(matches(name, one) for one in _NAMES)


def _could_be(name: str, value: str) -> bool:
    """By a glob that says something of it; what may hold anything is not taken for it."""
    if name == value:
        return True
    return name[:1] == "." and not anything(name) and not unbounded(name) and matches(name, value)
