"""Which files are settings of coding agents: by name, and those that lie in a folder now."""

from donewhen.guard.globs import matches, unbounded
from donewhen.guard.ground import Disk
from donewhen.guard.marks import anything, certain, lead

_WHOLE = (".codex", ".opencode")  # every file in there can name hooks or load code
_PARTLY = (".claude", ".gemini")  # of these the settings alone
_NAMES = ("settings.json", "settings.local.json")
# the last names servers, whose tools may do anything
_FILES = ("opencode.json", "opencode.jsonc", ".mcp.json")
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
