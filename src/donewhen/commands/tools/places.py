"""Folder options (`make -C`, `npm --prefix`): noise while they stay inside the workspace.

Paths are judged as text, from the folder the command starts in; an absolute one counts as outside.
"""

from donewhen.commands.tools.reading import Call, Setting


def settle(call: Call, folder: str | None) -> Call:
    """The call without the folder options that stay inside; what leads outside remains and tells."""
    kept = tuple(each for each in call.settings if not _stays(each, folder))
    runners = tuple(each for runner in call.runners if (each := settle(runner, folder)).settings)
    rest = settle(call.rest, folder) if call.rest else None
    return call._replace(settings=kept, runners=runners, rest=rest)


def _stays(setting: Setting, folder: str | None) -> bool:
    value = setting.value or ""
    return setting.effect == "where" and not _other_file(value) and not leaves(value, folder or "")


def _other_file(path: str) -> bool:
    """Where a build file may stand for its folder, only the usual one does (`mvn -f web/pom.xml`)."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.endswith(".xml") and name != "pom.xml"


def leaves(path: str, folder: str = "") -> bool:
    """Does the path lead out, taken from `folder` of the workspace?"""
    if path.startswith(("/", "~", "\\")) or path[1:2] == ":":
        return True
    depth = 0
    for part in f"{folder}/{path}".replace("\\", "/").split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False
