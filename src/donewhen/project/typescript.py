"""What tsconfig.json files say: which of them holds a file, and what they set, themselves or by extending."""

import posixpath

from donewhen.core.errors import UserError
from donewhen.core.paths import Scope as Globs
from donewhen.project.folder import Folder, join
from donewhen.project.languages import language_of, words

_TSCONFIG = "tsconfig.json"
_LONGEST_CHAIN = 5  # of files that extend each other


def configs_of(project: Folder, path: str) -> list[str]:
    """The nearest configuration, or those it only refers to; plain JavaScript counts where it is checked."""
    config = project.above(path, _TSCONFIG)
    plain = language_of(path) != "typescript"
    if not config or (plain and option(project, config, "checkJs") is not True):
        return []
    data, refers = project.table(config), references(project, config)
    if not refers or data.get("files") != [] or data.get("include"):
        return [config]
    return [each for each in refers if _holds(project, each, path)] or refers


def references(project: Folder, config: str) -> list[str]:
    found: list[str] = []
    told = project.table(config).get("references")
    for entry in told[:50] if isinstance(told, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else None
        if isinstance(path, str) and path:
            target = posixpath.normpath(join(config.rpartition("/")[0], path))
            found.append(target if target.endswith(".json") else posixpath.normpath(f"{target}/{_TSCONFIG}"))
    return [each for each in found if project.has(each)]


def _holds(project: Folder, config: str, path: str) -> bool:
    folder, data = config.rpartition("/")[0], project.table(config)
    start = f"{folder}/" if folder else ""
    named = [each for key in ("files", "include") for each in words(data.get(key))]
    if not path.startswith(start) or not named:
        return path.startswith(start)
    try:
        return Globs(each.removeprefix("./") for each in named).match(path[len(start) :])
    except UserError:  # a pattern beyond measure: tsc will say what it means
        return True


def option(project: Folder, config: str, name: str) -> object:
    return setting(project, config, "compilerOptions", name)


def setting(project: Folder, config: str, *keys: str) -> object:
    """What the file says under these keys, or one that it extends inside of the tree."""
    for _ in range(_LONGEST_CHAIN):
        value = project.table(config, *keys[:-1]).get(keys[-1])
        more = project.table(config).get("extends")
        more = more[-1] if isinstance(more, list) and more else more
        if value is not None or not isinstance(more, str) or not more.startswith("."):
            return value
        config = posixpath.normpath(join(config.rpartition("/")[0], more))
        config = config if config.endswith(".json") else f"{config}.json"
    return None
