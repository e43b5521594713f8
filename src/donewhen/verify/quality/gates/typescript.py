"""Types of TypeScript: tsc with the configuration that a changed file belongs to, writing nothing.

A project of several configurations is not built (that writes files): each configuration that holds a changed
file is checked from its sources instead, through one of ours that extends it and refers to no other.
"""

import hashlib
import json
import posixpath
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import UserError
from donewhen.core.paths import Scope as Globs
from donewhen.core.quality.scoping import in_languages, language_of
from donewhen.verify.quality.gates.planning import Part, Wanted, part
from donewhen.verify.quality.gates.project import Project, join, upward, words
from donewhen.verify.quality.model import Scope

_NAME = "tsconfig.json"
_MOST_REFERENCES = 50
_LONGEST_CHAIN = 5
_ENDS = frozenset((0, 1, 2))


def typescript_types(scope: Scope, project: Project) -> list[Part]:
    found: Counter[str] = Counter()
    for path in in_languages(scope.files, "typescript", "javascript", fresh=scope.fresh):
        found.update(_configs_of(project, path))
    return [_part(scope, project, config, count) for config, count in sorted(found.items())]


def _configs_of(project: Project, path: str) -> list[str]:
    """The nearest configuration, or those it only refers to; plain JavaScript counts where it is checked."""
    config = next((found for each in upward(path) if project.has(found := join(each, _NAME))), "")
    plain = language_of(path) != "typescript"
    if not config or (plain and _option(project, config, "checkJs") is not True):
        return []
    data, refers = project.data(config), list(_references(project, config))
    if not refers or data.get("files") != [] or data.get("include"):
        return [config]
    return [each for each in refers if _holds(project, each, path)] or refers


def _part(scope: Scope, project: Project, config: str, files: int) -> Part:
    composite = _option(project, config, "composite") is True
    flags: tuple[str, ...]
    if scope.caches is not None and any(_references(project, config)):
        flags = ("-p", str(_extending(scope, scope.caches, project, config)), "--pretty", "false")
    else:
        flags = ("-p", f"./{config}", "--noEmit", "--pretty", "false", "--incremental", "false")
        flags += ("--composite", "false", "--declaration", "true") if composite else ()
    near = config.rpartition("/")[0]
    return part(scope, Wanted("types", "tsc", flags, files, None, near=near, ok=_ENDS))


def _extending(scope: Scope, caches: Path, project: Project, config: str) -> Path:
    """A configuration outside of the tree: what is extended brings everything but its references."""
    folder = config.rpartition("/")[0]
    place = scope.root / folder
    options: dict[str, object] = {"composite": False, "incremental": False, "noEmit": True}
    options["rootDir"] = str(scope.root)
    if _option(project, config, "composite") is True:
        options["declaration"] = True
    if _option(project, config, "typeRoots") is None:  # looked for beside the configuration, so said here
        roots = [scope.root / each / "node_modules" / "@types" for each in upward(config)]
        options["typeRoots"] = [str(root) for root in roots if root.is_dir()]
    told: dict[str, object] = {
        "extends": str(scope.root / config),
        "references": [],
        "compilerOptions": options,
    }
    if all(_setting(project, config, name) is None for name in ("files", "include")):
        told["include"] = [f"{place}/**/*"]
        if _setting(project, config, "exclude") is None:
            out = _option(project, config, "outDir")
            more = [str(place / out)] if isinstance(out, str) and out else []
            told["exclude"] = [f"{place}/**/node_modules", *more]
    text = json.dumps(told)
    file = caches / "types" / "tsc" / f"{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:20]}.json"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(text)
    return file


def _references(project: Project, config: str) -> Iterator[str]:
    references = project.data(config).get("references")
    for entry in references[:_MOST_REFERENCES] if isinstance(references, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else None
        if isinstance(path, str) and path:
            target = posixpath.normpath(join(config.rpartition("/")[0], path))
            target = target if target.endswith(".json") else posixpath.normpath(f"{target}/{_NAME}")
            if project.has(target):
                yield target


def _holds(project: Project, config: str, path: str) -> bool:
    folder, data = config.rpartition("/")[0], project.data(config)
    start = f"{folder}/" if folder else ""
    named = [each for key in ("files", "include") for each in words(data.get(key))]
    if not path.startswith(start) or not named:
        return path.startswith(start)
    try:
        return Globs(each.removeprefix("./") for each in named).match(path[len(start) :])
    except UserError:  # a pattern beyond measure: tsc will say what it means
        return True


def _option(project: Project, config: str, name: str) -> object:
    return _setting(project, config, "compilerOptions", name)


def _setting(project: Project, config: str, *keys: str) -> object:
    """What the file says under these keys, or one that it extends inside of the tree."""
    for _ in range(_LONGEST_CHAIN):
        value = project.under(config, *keys[:-1]).get(keys[-1])
        more = project.data(config).get("extends")
        more = more[-1] if isinstance(more, list) and more else more
        if value is not None or not isinstance(more, str) or not more.startswith("."):
            return value
        config = posixpath.normpath(join(config.rpartition("/")[0], more))
        config = config if config.endswith(".json") else f"{config}.json"
    return None
