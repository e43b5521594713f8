"""What each language's own tools are asked: mypy, pyright, ty and ruff for Python, tsc for TypeScript.

A TypeScript project of several configurations is not built (that writes files): each one that holds a changed
file is checked from its sources instead, through one of ours that extends it and refers to no other.
"""

import hashlib
import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from donewhen.core.errors import UserError
from donewhen.core.paths import Scope as Globs
from donewhen.core.quality.model import Level, Violation
from donewhen.core.quality.scoping import in_languages, is_test, language_of
from donewhen.verify.quality.gates.planning import (
    Part,
    Project,
    Wanted,
    as_advice,
    cache,
    grouped,
    join,
    part,
    sources,
    upward,
    words,
)
from donewhen.verify.quality.model import Scope, Tool
from donewhen.verify.quality.tool_output import Reader, reader_of
from donewhen.verify.quality.tools import python_of

_MYPY = (
    "--show-column-numbers",
    "--show-error-codes",
    "--no-pretty",
    "--no-color-output",
    "--no-error-summary",
)
_BY_ITSELF = (
    "--config-file=",
    "--ignore-missing-imports",
    "--follow-imports=silent",
    "--explicit-package-bases",
)
_IMPORTS = frozenset(("import-not-found", "import-untyped", "import"))
_RUFF = ("check", "--exit-zero", "--output-format", "json", "--no-fix", "--no-fix-only", "--force-exclude")
_ALONE = ("--isolated", "--target-version", "py312")  # nobody else's configuration; the newest that all know
_RUFF_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")
_LONGEST_CHAIN = 5  # of files that extend each other
_RULE = re.compile(r"S\d{0,4}")
_LOW = frozenset("S101 S105 S106 S107 S110 S112 S311 S603 S606 S607 S703".split())  # the scale is bandit's
_HIGH = frozenset("S201 S202 S324 S501 S502 S505 S507 S602 S605 S701 S702".split())


def mypy(scope: Scope, wanted: Wanted, settings: Mapping[str, Any]) -> Part:
    """As the project configures it; without any configuration, about its changed files and as advice.

    A mypy from elsewhere looks at the interpreter of the project's environment; that a library is missing
    nobody can say who does not see what is installed.
    """
    python = "" if "python_executable" in settings else python_of(scope, wanted.cwd)
    plain = all(folder.isidentifier() for path in wanted.files or () for folder in path.split("/")[:-1])
    kept = (
        cache(scope, "types", "mypy") if wanted.configured or plain else ""
    )  # elsewhere names of modules clash
    mine = () if wanted.configured else _BY_ITSELF

    def flags(tool: Tool) -> tuple[str, ...]:
        told = ("--python-executable", python) if python and tool.origin != "project" else ()
        return (*_MYPY, *told, "--cache-dir", kept or "/dev/null", *mine)

    env = {"MYPYPATH": "src"} if not wanted.configured and (scope.root / "src").is_dir() else {}
    found = part(scope, wanted._replace(flags=flags, ok=frozenset((0, 1, 2)), env=env))  # 2: it can't parse
    sees = "python_executable" in settings or python
    read = reader_of("mypy")
    asks = (
        ask if sees or ask.tool.origin == "project" else ask._replace(read=as_advice(read, _IMPORTS))
        for ask in found.asks
    )
    return found._replace(asks=tuple(asks))


def told_python(scope: Scope, wanted: Wanted) -> Part:
    """pyright and ty, told which interpreter is the project's; both pyrights print the same."""
    python = python_of(scope, wanted.cwd)
    option = "--python" if wanted.tool == "ty" else "--pythonpath"
    flags = wanted.flags if isinstance(wanted.flags, tuple) else ()
    read = reader_of(wanted.tool.removeprefix("based"))
    return part(scope, wanted._replace(flags=(*flags, *((option, python) if python else ())), read=read))


def ruff_lint(scope: Scope, project: Project, *, alone: bool) -> list[Part]:
    """`alone`: the project configures no other linter for Python, so that ruff's small set advises."""
    groups = grouped(sources(scope, "python"), lambda path: str(bool(_ruff_file(project, path))))
    flags = (*_RUFF, *_ruff_cache(scope, "lint"))
    own, rest = groups.get("True", []), [path for names in groups.values() for path in names]
    if own:
        return [part(scope, Wanted("lint", "ruff", flags, 0, own))]
    wanted = Wanted("lint", "ruff", (*flags, *_ALONE), 0, rest, configured=False)
    return [part(scope, wanted)] if rest and alone else []


def python_security(scope: Scope, project: Project) -> list[Part]:
    """ruff's S rules with the project's own exceptions."""
    groups = grouped(sources(scope, "python"), lambda path: _ruff_file(project, path))
    return [_ruff_security(scope, project, config, names) for config, names in groups.items()]


def _ruff_security(scope: Scope, project: Project, file: str, names: list[str]) -> Part:
    """Our `--select S` outranks a project's list of ignored rules, so that list is read and passed along."""
    selected, ignored = _security_rules(project, file)
    flags = (*_RUFF, *_ruff_cache(scope, "security"), "--select", ",".join(selected or ("S",)))
    flags = (*flags, *(("--ignore", ",".join(ignored)) if ignored else ()), *(() if file else _ALONE))
    read = partial(_levelled, reader_of("ruff"), bool(selected))
    return part(scope, Wanted("security", "ruff", flags, 0, names, read=read, configured=bool(selected)))


def _ruff_cache(scope: Scope, gate: str) -> tuple[str, ...]:
    kept = cache(scope, gate, "ruff")
    return ("--cache-dir", kept) if kept else ("--no-cache",)


def _ruff_file(project: Project, path: str) -> str:
    """The configuration that ruff would take for a file; empty when there is none inside of the tree."""
    for folder in upward(path):
        for name in _RUFF_FILES:
            file = join(folder, name)
            if project.has(file) if name != "pyproject.toml" else "ruff" in project.under(file, "tool"):
                return file
    return ""


def _security_rules(project: Project, file: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The security rules that the project turns on and off, in the file and in those that it extends."""
    selected: list[str] = []
    ignored: list[str] = []
    for _ in range(_LONGEST_CHAIN):
        is_shared = file.endswith("pyproject.toml")
        top = project.under(file, "tool", "ruff") if is_shared else project.data(file)
        for table in (top, top.get("lint", {})):
            if isinstance(table, Mapping):
                selected += words(table.get("select")) + words(table.get("extend-select"))
                ignored += words(table.get("ignore")) + words(table.get("extend-ignore"))
        more = top.get("extend")
        if not isinstance(more, str) or not more:
            break
        file = posixpath.normpath(join(file.rpartition("/")[0], more))
    chosen = ["S"] if "ALL" in selected else [rule for rule in selected if _RULE.fullmatch(rule)]
    return tuple(sorted(set(chosen))), tuple(sorted({rule for rule in ignored if _RULE.fullmatch(rule)}))


def _levelled(read: Reader, chosen: bool, text: str, folder: str) -> tuple[Violation, ...]:
    """With how grave a rule is; `chosen`: the project turned it on, so even the lightest one counts."""
    found: list[Violation] = []
    for each in read(text, folder):
        level: Level = "low" if each.rule in _LOW else "high" if each.rule in _HIGH else "medium"
        level = "low" if each.rule.startswith("S4") else level
        light = level == "low" and not chosen
        if not (each.rule == "S101" and is_test(each.file)):  # an assertion is what a test is made of
            known = each.rule.startswith("S") and each.rule[1:].isdigit()
            one = each._replace(level=level if known else "")
            found.append(one._replace(severity="warning") if light and known else one)
    return tuple(found)


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
