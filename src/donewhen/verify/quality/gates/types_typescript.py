"""Types of TypeScript: tsc with the configuration that a changed file belongs to, writing nothing.

A project of several configurations is not built (that writes files): each configuration that holds a changed
file is checked from its sources instead, through one of ours that extends it and refers to no other.
"""

import hashlib
import json
import posixpath
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import UserError
from donewhen.core.paths import Scope as Globs
from donewhen.core.quality.scoping import in_languages, language_of
from donewhen.verify.quality.gates.parts import Part, Run, grouped, whole
from donewhen.verify.quality.gates.project import Project, join, upward, words
from donewhen.verify.quality.model import Missing, Scope, Tool
from donewhen.verify.quality.reading import tsc
from donewhen.verify.quality.tools import find

_NAME = "tsconfig.json"
_MOST_REFERENCES = 50
_LONGEST_CHAIN = 5
_ENDS = frozenset((0, 1, 2))
_QUIET = ("--noEmit", "--pretty", "false")


def typescript_types(scope: Scope, project: Project) -> list[Part]:
    files = in_languages(scope.files, "typescript", "javascript", fresh=scope.fresh)
    groups = grouped(files, lambda path: _config_of(project, path))
    found: dict[str, int] = {}
    for config, names in groups.items():
        for each in _holding(project, config, names):
            found[each] = found.get(each, 0) + len(names)
    return [_part(scope, project, config, count) for config, count in sorted(found.items())]


def _config_of(project: Project, path: str) -> str | None:
    """The nearest tsconfig.json; plain JavaScript counts where that one has it checked."""
    for folder in upward(path):
        config = join(folder, _NAME)
        if project.has(config):
            checked = (
                language_of(path) == "typescript"
                or _setting(project, config, "compilerOptions", "checkJs") is True
            )
            return config if checked else None
    return None


def _part(scope: Scope, project: Project, config: str, files: int) -> Part:
    folder = config.rpartition("/")[0]
    tool = find("tsc", scope, "types", folder)
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    return Part((whole(_run(scope, project, tool, config), files),), configured=True)


def _run(scope: Scope, project: Project, tool: Tool, config: str) -> Run:
    if scope.caches is not None and any(_references(project, config)):
        ours = _extending(scope, scope.caches, project, config)
        return Run(tool, ("-p", str(ours), "--pretty", "false"), tsc.read, ok=_ENDS)
    alone: tuple[str, ...] = ("--incremental", "false")
    if _setting(project, config, "compilerOptions", "composite") is True:
        alone = (*alone, "--composite", "false", "--declaration", "true")
    return Run(tool, ("-p", f"./{config}", *_QUIET, *alone), tsc.read, ok=_ENDS)


def _extending(scope: Scope, caches: Path, project: Project, config: str) -> Path:
    """A configuration outside of the tree: what is extended brings everything but its references."""
    path = scope.root / config
    options: dict[str, object] = {
        "composite": False,
        "incremental": False,
        "noEmit": True,
        "rootDir": str(scope.root),
    }
    if _setting(project, config, "compilerOptions", "composite") is True:
        options["declaration"] = True
    if (
        _setting(project, config, "compilerOptions", "typeRoots") is None
    ):  # looked for beside the configuration, so said here
        roots = [scope.root / folder / "node_modules" / "@types" for folder in upward(config)]
        options["typeRoots"] = [str(root) for root in roots if root.is_dir()]
    told = {
        "extends": str(path),
        "references": [],
        "compilerOptions": options,
        **_reach(scope, project, config),
    }
    text = json.dumps(told)
    folder = caches / "types" / "tsc"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / f"{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:20]}.json"
    if not file.exists():
        file.write_text(text)
    return file


def _reach(scope: Scope, project: Project, config: str) -> dict[str, list[str]]:
    """What a configuration that names no files means by that: everything beside it, said from elsewhere."""
    if any(_setting(project, config, name) is not None for name in ("files", "include")):
        return {}
    folder = scope.root / config.rpartition("/")[0]
    found = {"include": [f"{folder}/**/*"]}
    if _setting(project, config, "exclude") is None:
        out = _setting(project, config, "compilerOptions", "outDir")
        more = [str(folder / out)] if isinstance(out, str) and out else []
        found["exclude"] = [f"{folder}/**/node_modules", *more]
    return found


def _holding(project: Project, config: str, files: list[str]) -> list[str]:
    """The configurations that hold the files: the nearest one, or those that it only refers to."""
    data = project.data(config)
    refers = list(_references(project, config))
    only_refers = data.get("files") == [] and not data.get("include")  # without either, it holds everything
    if not refers or not only_refers:
        return [config]
    holding = [each for each in refers if any(_holds(project, each, path) for path in files)]
    return holding or refers


def _references(project: Project, config: str) -> Iterator[str]:
    references = project.data(config).get("references")
    folder = config.rpartition("/")[0]
    for entry in references[:_MOST_REFERENCES] if isinstance(references, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else None
        if isinstance(path, str) and path:
            target = posixpath.normpath(join(folder, path))
            target = target if target.endswith(".json") else posixpath.normpath(f"{target}/{_NAME}")
            if project.has(target):
                yield target


def _holds(project: Project, config: str, path: str) -> bool:
    folder = config.rpartition("/")[0]
    start = f"{folder}/" if folder else ""
    if not path.startswith(start):
        return False
    data = project.data(config)
    named = [*_list(data.get("files")), *_list(data.get("include"))]
    if not named:
        return True
    try:
        return Globs(each.removeprefix("./") for each in named).match(path[len(start) :])
    except UserError:  # a pattern beyond measure: tsc will say what it means
        return True


def _list(value: object) -> tuple[str, ...]:
    return words(value) if isinstance(value, list) else ()


def _setting(project: Project, config: str, *keys: str) -> object:
    """What the file says under these keys, or one that it extends inside of the tree."""
    at = config
    for _ in range(_LONGEST_CHAIN):
        value = project.under(at, *keys[:-1]).get(keys[-1])
        if value is not None:
            return value
        more = project.data(at).get("extends")
        more = more[-1] if isinstance(more, list) and more else more
        if not isinstance(more, str) or not more.startswith("."):
            return None
        at = posixpath.normpath(join(at.rpartition("/")[0], more))
        at = at if at.endswith(".json") else f"{at}.json"
    return None
