"""Every gate that asks tools: which ones a project's own files choose (`tools.toml`), and what is asked
without any. Nothing is run here.

Names of files go behind `--` or `./`, in portions that fit into a command line. Where the project configures
one tool, what is run beside it for another language advises and no more, also where the gate must pass.
`build` stands apart: it writes, so it runs only where somebody asked for it.
"""

import hashlib
import json
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.config.files import write_whole
from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.model import Level, Unreadable, Violation
from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder, join, upward
from donewhen.project.languages import (
    MEASURED,
    grouped,
    in_languages,
    is_test,
    present,
    sources,
    words,
)
from donewhen.project.node_package import node_manager
from donewhen.project.recipes import MAKEFILES, make_targets
from donewhen.project.tools import KNOWN, Missing, Scope, Tool, at_least, find, python_of
from donewhen.project.typescript import configs_of, option, references, setting
from donewhen.verify.quality.model import Ask, Gate, Planned, Stream
from donewhen.verify.quality.tool_output import Reader, reader_of, tool_data

MOST_BYTES = 100_000  # of one command line
RULES = Path(__file__).parent / "rules" / "sgconfig.yml"  # names the folders with rules
_RULED = ("javascript", "typescript", "go", "rust", "java")  # languages that our rules know
_WORKED = frozenset(range(126))  # 126 and 127: it was not found or not started; above: a signal


class Row(NamedTuple):
    """A tool that runs where the project configures it: in a file, or under keys of one (`x*`: a start).

    `places`: "root" of the tree alone, the "nearest" folder of each file or the "outermost" one. `names`:
    keys that say what is looked at; then all of it is, because an error may show far from its cause.
    """

    gate: str
    tool: str
    languages: Sequence[str]  # none: all that are measured
    marks: Sequence[str]  # "file", "file:key.key"
    flags: Sequence[str] = ()
    places: str = "root"
    names: Sequence[str] = ()
    ok: Sequence[int] = (0, 1)
    divider: str = "--"
    keeps: Mapping[str, str] = MappingProxyType({})  # variables with a file or folder of its cache
    option: Mapping[str, str] = MappingProxyType({})  # before the file that configures it, by its name
    python: str = ""  # the option before the project's interpreter
    locked: bool = False  # a lock file of cargo must not be written anew
    whole: bool = False  # it always looks at everything
    stream: Stream = "stdout"
    reader: str = ""  # where it is not called like the tool
    also: str = ""  # another program that must be there
    configured: bool = True  # False: these files are no word about the tool


_ROWS = [Row(**row) for row in tool_data()["row"]]


def _row(tool: str) -> Row:
    return next(row for row in _ROWS if row.tool == tool)


def _plan(
    scope: Scope,
    row: Row,
    files: Sequence[str] | None,
    *flags: str,
    asked: int = 0,
    cwd: str = "",
    near: str = "",
    env: Mapping[str, str] = MappingProxyType({}),
    read: Reader | None = None,
) -> Planned:
    """`files` from the root; None: all that its configuration names, on account of so many changed ones
    (`asked`). `near`: where the tool is looked for, where that is not `cwd`; `read`: not by the row's reader.
    """
    tool = find(row.tool, scope, row.gate, near or cwd)
    if _is_nobodys_choice(row, tool, scope):
        return Planned()
    if isinstance(tool, Missing):
        return Planned(missing=(tool,), configured=row.configured)
    if row.tool == "eslint" and row.places == "nearest" and at_least(tool.version, "9.0"):
        flags = ("--no-warn-ignored", *flags)
    head = (*tool.argv, *row.flags, *flags)
    kept = _cache(scope, row)
    env = {**({name: f"{kept}{end}" for name, end in row.keeps.items()} if kept else {}), **env}
    read = read or reader_of(row.reader or row.tool)
    ask = Ask(tool, head, read, cwd, frozenset(row.ok), row.stream, env, asked, whole=True)
    if files is None:
        return Planned((ask,), configured=row.configured)
    head = (*head, row.divider) if row.divider else head
    names = [_operand(path.removeprefix(f"{cwd}/" if cwd else "")) for path in files]
    asks = (
        ask._replace(argv=(*head, *portion), files=len(portion), whole=False)
        for portion in _portions(names, MOST_BYTES - _size(head))
    )
    return Planned(tuple(asks), configured=row.configured)


def _cache(scope: Scope, row: Row) -> str:
    """A folder for what a tool keeps, apart for each gate: they run at once; empty when there is no place."""
    return str(scope.caches / row.gate / row.tool) if scope.caches is not None else ""


def _is_nobodys_choice(row: Row, tool: Tool | Missing, scope: Scope) -> bool:
    """Whether a linter or type checker is neither configured nor installed, and no gate must pass."""
    if row.configured or scope.required or row.gate not in ("lint", "types"):
        return False
    return KNOWN[row.tool].home == "python" and (isinstance(tool, Missing) or tool.origin == "ours")


def _joined(parts: Iterable[Planned], why: str) -> Planned:
    """The parts as one plan; `why` is said when there is nothing to do."""
    kept = [each for each in parts if each.asks or each.missing]
    configured = any(each.configured for each in kept)
    asks: list[Ask] = []
    missing: list[Missing] = []
    for each in kept:
        if configured and not each.configured:
            asks += (ask._replace(read=partial(_softened, ask.read, frozenset())) for ask in each.asks)
        else:
            asks += each.asks
            missing += each.missing
    return Planned(tuple(asks), tuple(missing), configured, None if asks or missing else Phrase(why))


def _softened(read: Reader, rules: AbstractSet[str], text: str, folder: str) -> tuple[Violation, ...]:
    """With warnings instead of errors; with `rules`, of these alone."""
    return tuple(
        each._replace(severity="warning")
        if each.severity == "error" and (not rules or each.rule in rules)
        else each
        for each in read(text, folder)
    )


def _operand(name: str) -> str:
    """A name that no tool takes for an option or for a list of arguments."""
    return f"./{name}" if name[:1] in ("-", "@", "+", "!", "#", "~") else name


def _portions(names: Sequence[str], room: int) -> Iterator[tuple[str, ...]]:
    portion: list[str] = []
    used = 0
    for name in names:
        if portion and used + _size((name,)) > room:
            yield tuple(portion)
            portion, used = [], 0
        portion.append(name)
        used += _size((name,))
    if portion:
        yield tuple(portion)


def _size(argv: Iterable[str]) -> int:
    return sum(len(os.fsencode(each)) + 1 for each in argv)


# --- rows ---


def _rows(gate: str, scope: Scope, project: Folder) -> Iterator[tuple[Planned, list[str]]]:
    """What the rows of a gate want, with the files that each answers for; types have one checker a file."""
    taken: set[tuple[str, str]] = set()
    for row in (each for each in _ROWS if each.gate == gate):
        files = in_languages(scope.files, *(row.languages or MEASURED), fresh=scope.fresh)
        kind = gate if gate == "types" else row.tool
        left = [path for path in files if (kind, path) not in taken]
        for folder, names in grouped(left, partial(_home, row, project)).items():
            taken.update((kind, path) for path in names)
            yield _configured(row, scope, project, folder, names), names


def _home(row: Row, project: Folder, path: str) -> str | None:
    """The folder whose configuration counts for a file."""
    folders = list(upward(path)) if row.places != "root" else [""]
    marked = [each for each in folders if _mark(row, project, each)]
    if not marked:
        return None
    rivals = [each for each in _ROWS if each[0] == "types" == row.gate and each.tool != row.tool]
    nearer = folders[: folders.index(marked[0])]
    if any(_mark(each, project, one) for each in rivals if each.languages == row.languages for one in nearer):
        return None
    return marked[-1] if row.places == "outermost" else marked[0]


def _mark(row: Row, project: Folder, folder: str) -> str:
    """The file there that configures the tool; a section without any line does as well."""
    for mark in row.marks:
        name, _, keys = mark.partition(":")
        file, (*above, last) = join(folder, name), keys.split(".")
        there = project.table(file, *above) if keys else ()
        starts = last.removesuffix("*")
        if last in there or (last != starts and any(each.startswith(starts) for each in there)):
            return mark
        if not keys and project.has(file):
            return mark
    return ""


def _configured(row: Row, scope: Scope, project: Folder, folder: str, names: list[str]) -> Planned:
    other = find(row.also, scope, row.gate) if row.also else None
    if isinstance(other, Missing):
        return Planned(missing=(other,), configured=row.configured)
    name, _, keys = _mark(row, project, folder).partition(":")
    settings = project.table(join(folder, name), *(keys.split(".") if keys else ()))
    python = python_of(scope, folder) if row.python and "python_executable" not in settings else ""
    flags = [row.python, python] if python else []
    if row.locked and project.above(join(folder, "-"), "Cargo.lock"):
        flags.append("--locked")
    if row.option:
        flags += (row.option.get(name, row.option[""]), f"./{name}")
    files: Sequence[str] | None = present(scope, names)
    if row.gate == "types":
        files = [path for path in files or () if not is_test(path)]
    if row.whole or any(settings.get(each) for each in row.names):
        files = None
    sees = row.tool != "mypy" or python or "python_executable" in settings
    read = None if sees else partial(_softened, reader_of("mypy"), _IMPORTS)
    # before version 9 a flat configuration of eslint was one of two ways
    env = {"ESLINT_USE_FLAT_CONFIG": str(row.places == "nearest").lower()} if row.tool == "eslint" else {}
    return _plan(scope, row, files, *flags, asked=len(names), cwd=folder, env=env, read=read)


# --- what each gate asks ---


def _types(scope: Scope) -> Planned:
    project = Folder(scope.root)
    rows = list(_rows("types", scope, project))
    placed = {path for _, names in rows for path in names}
    rest = [path for path in sources(scope, "python") if path not in placed]
    found = [plan for plan, _ in rows]
    mypy = [_bare_mypy(scope, rest)] if rest else []
    return _joined([*mypy, *found, *_typescript(scope, project)], "gates.no_types")


_IMPORTS = frozenset(("import-not-found", "import-untyped", "import"))
_BY_ITSELF = ("--config-file=", "--ignore-missing-imports", "--follow-imports=silent")


def _bare_mypy(scope: Scope, files: Sequence[str]) -> Planned:
    """An installed mypy that nobody configured, about the changed files alone."""
    row, python = _row("mypy")._replace(configured=False), python_of(scope)
    plain = all(folder.isidentifier() for path in files for folder in path.split("/")[:-1])
    env = {} if plain and scope.caches else {"MYPY_CACHE_DIR": "/dev/null"}  # names of modules clash
    env |= {"MYPYPATH": "src"} if (scope.root / "src").is_dir() else {}
    flags = (*((row.python, python) if python else ()), *_BY_ITSELF, "--explicit-package-bases")
    read = None if python else partial(_softened, reader_of("mypy"), _IMPORTS)
    return _plan(scope, row, files, *flags, env=env, read=read)


_ALONE = ("--isolated", "--target-version", "py312")  # nobody else's configuration; the newest that all know


def _lint(scope: Scope) -> Planned:
    """Where no linter for Python is configured, an installed ruff's small set advises."""
    project = Folder(scope.root)
    rows = list(_rows("lint", scope, project))
    rest = () if any(path.endswith((".py", ".pyi")) for _, names in rows for path in names) else ("python",)
    files = sources(scope, *rest)
    ruff = [_plan(scope, _row("ruff")._replace(configured=False), files, *_ALONE)] if files else []
    return _joined([*ruff, *(plan for plan, _ in rows), *_go_lint(scope, project)], "gates.no_linter")


_GOLANGCI = tuple(f".golangci.{ending}" for ending in ("yml", "yaml", "toml", "json"))
_SECOND = re.compile(r"""["']?version["']?\s{0,9}[:=]\s{0,9}["']?2\b""")


def _go_lint(scope: Scope, project: Folder) -> Iterator[Planned]:
    """golangci-lint in the words of its version, about the packages that changed."""
    files = grouped(sources(scope, "go"), lambda path: project.above(path, "go.mod") or None)
    for module, names in files.items():
        folder, config = module.rpartition("/")[0], project.above(module, *_GOLANGCI)
        if not config:
            continue
        second = _SECOND.search(project.text(config))
        form = ("--output.json.path", "stdout", "--show-stats=false") if second else ("--out-format", "json")
        start = f"{folder}/" if folder else ""
        packages = sorted({path.removeprefix(start).rpartition("/")[0] for path in names})
        asked = tuple(f"./{package}" if package else "." for package in packages)
        yield _plan(scope, _row("golangci-lint"), None, *form, *asked, asked=len(names), cwd=folder)


def _security(scope: Scope) -> Planned:
    project = Folder(scope.root)
    parts = [plan for plan, _ in _rows("security", scope, project)]
    if not any(_mark(row, project, "") for row in _ROWS if row.tool == "bandit"):
        groups = grouped(sources(scope, "python"), lambda path: _ruff_file(project, path))
        parts += [_ruff_security(scope, project, config, names) for config, names in groups.items()]
    files = sources(scope, *_RULED)
    if files:
        parts.append(_plan(scope, _row("ast-grep"), files, "--config", str(_rules(scope))))
    if scope.required:  # whoever asks for it asks for all languages
        parts = [each._replace(configured=True) for each in parts]
    return _joined(parts, "gates.no_files")


def _rules(scope: Scope) -> Path:
    """The configuration of ast-grep with our rules; those for JavaScript hold for TypeScript as well."""
    if scope.caches is None:  # nothing will be run
        return RULES
    ours, made = RULES.parent / "security", scope.caches / "rules"
    (made / "typescript").mkdir(parents=True, exist_ok=True)
    text = (ours / "javascript.yml").read_text(encoding="utf-8")
    text = text.replace("id: js-", "id: ts-").replace("language: Tsx", "language: TypeScript")
    write_whole(made / "typescript" / "security.yml", text.encode())
    folders = f"ruleDirs: {json.dumps([str(ours), 'typescript'])}"
    config = RULES.read_text(encoding="utf-8").replace("ruleDirs: [security]", folders)
    write_whole(made / RULES.name, config.encode())
    return made / RULES.name


_RULE = re.compile(r"S\d{0,4}")
_LOW = frozenset("S101 S105 S106 S107 S110 S112 S311 S603 S606 S607 S703".split())  # the scale is bandit's
_HIGH = frozenset("S201 S202 S324 S501 S502 S505 S507 S602 S605 S701 S702".split())
_LONGEST_CHAIN = 5  # of files that extend each other


def _ruff_security(scope: Scope, project: Folder, file: str, names: list[str]) -> Planned:
    """ruff's S rules; our `--select` outranks what the project ignores, so that is read and passed along."""
    selected, ignored = _security_rules(project, file)
    chosen = bool(selected)
    flags = ("--select", ",".join(selected or ("S",)), *(("--ignore", ",".join(ignored)) if ignored else ()))
    row, read = _row("ruff")._replace(gate="security", configured=chosen), partial(_levelled, chosen)
    return _plan(scope, row, names, *flags, *(() if file else _ALONE), read=read)


def _ruff_file(project: Folder, path: str) -> str:
    """The configuration that ruff would take for a file; empty when there is none inside of the tree."""
    marks = ((folder, _mark(_row("ruff"), project, folder)) for folder in upward(path))
    return next((join(folder, mark.partition(":")[0]) for folder, mark in marks if mark), "")


def _security_rules(project: Folder, file: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The security rules that the project turns on and off, in the file and in those that it extends."""
    selected: list[str] = []
    ignored: list[str] = []
    for _ in range(_LONGEST_CHAIN):
        top = project.table(file, *(("tool", "ruff") if file.endswith("pyproject.toml") else ()))
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


def _levelled(chosen: bool, text: str, folder: str) -> tuple[Violation, ...]:
    """With how grave a rule is; `chosen`: the project turned it on, so even the lightest one counts."""
    found: list[Violation] = []
    for each in reader_of("ruff")(text, folder):
        known = each.rule.startswith("S") and each.rule[1:].isdigit()
        level: Level = "low" if each.rule in _LOW or each.rule.startswith("S4") else "medium"
        level = "high" if each.rule in _HIGH else level
        if known and not (
            each.rule == "S101" and is_test(each.file)
        ):  # an assertion is what a test is made of
            light = level == "low" and not chosen
            found.append(each._replace(level=level, severity="warning" if light else each.severity))
        elif not known:
            found.append(each)
    return tuple(found)


def _complexity(scope: Scope) -> Planned:
    """Every function of the changed files; thresholds are applied elsewhere, and its own must not end it."""
    files = sources(scope, *MEASURED)
    return _joined([_plan(scope, _row("lizard"), files)] if files else [], "gates.no_files")


def _build(scope: Scope) -> Planned:
    """The command that a project itself calls its build; how it ends is all that it says."""
    project, argv = Folder(scope.root), tuple[str, ...]()
    script = project.table("package.json", "scripts").get("build")
    makefile = project.first(*MAKEFILES)
    if isinstance(script, str) and script.strip():
        argv = (node_manager(project)[0], "run", "build")
    elif makefile and "build" in make_targets(project, makefile):
        argv = ("make", "build")
    if not argv:
        return Planned(why=Phrase("gates.no_build"))
    row = Row("build", argv[0], (), (), argv[1:], ok=tuple(_WORKED), stream="both")
    return _plan(scope, row, None, asked=len(scope.files), read=lambda text, folder: ())


# --- TypeScript ---


def _typescript(scope: Scope, project: Folder) -> list[Planned]:
    """tsc once for each configuration that holds a changed file.

    A project of several configurations is not built (that writes files): each is checked from its sources
    instead, through one of ours that extends it and refers to no other.
    """
    found: Counter[str] = Counter()
    for path in in_languages(scope.files, "typescript", "javascript", fresh=scope.fresh):
        found.update(configs_of(project, path))
    return [_tsc(scope, project, config, count) for config, count in sorted(found.items())]


def _tsc(scope: Scope, project: Folder, config: str, files: int) -> Planned:
    flags: tuple[str, ...]
    if scope.caches is not None and references(project, config):
        flags = ("-p", str(_extending(scope, scope.caches, project, config)), "--pretty", "false")
    else:
        composite = option(project, config, "composite") is True
        flags = ("-p", f"./{config}", "--noEmit", "--pretty", "false", "--incremental", "false")
        flags += ("--composite", "false", "--declaration", "true") if composite else ()
    return _plan(scope, _row("tsc"), None, *flags, asked=files, near=config.rpartition("/")[0])


def _extending(scope: Scope, caches: Path, project: Folder, config: str) -> Path:
    """A configuration outside of the tree: what is extended brings everything but its references."""
    place = scope.root / config.rpartition("/")[0]
    options: dict[str, object] = {"composite": False, "incremental": False, "noEmit": True}
    options["rootDir"] = str(scope.root)
    if option(project, config, "composite") is True:
        options["declaration"] = True
    if option(project, config, "typeRoots") is None:  # looked for beside the configuration, so said here
        roots = [scope.root / each / "node_modules" / "@types" for each in upward(config)]
        options["typeRoots"] = [str(root) for root in roots if root.is_dir()]
    told: dict[str, object] = {
        "extends": str(scope.root / config),
        "references": [],
        "compilerOptions": options,
    }
    if all(setting(project, config, name) is None for name in ("files", "include")):
        told["include"] = [f"{place}/**/*"]
        if setting(project, config, "exclude") is None:
            out = option(project, config, "outDir")
            told["exclude"] = [f"{place}/**/node_modules", *(str(place / each) for each in words(out))]
    text = json.dumps(told)
    name = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:20]
    file = caches / "types" / "tsc" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(text)
    return file


# --- the gates ---


_PLANS = {"complexity": _complexity, "types": _types, "security": _security, "lint": _lint}
GATES: Mapping[str, Gate] = {name: Gate(name, plan) for name, plan in _PLANS.items()}
BUILD = Gate("build", _build)


def own_gate(entry: GateConfig) -> Gate:
    """A gate of the user's own: any command, whose output one of the declared parsers reads."""
    argv = tuple(entry.command)
    stream: Stream = "stdout" if entry.parser in ("json", "sarif", "junit") else "both"
    tool = Tool(argv[0].rpartition("/")[2], argv[:1])
    ask = Ask(tool, argv, partial(_read_own, entry), ok=_WORKED, stream=stream, whole=True)
    return Gate(entry.name, lambda scope: Planned((ask,), configured=True), entry)


def _read_own(entry: GateConfig, text: str, folder: str) -> tuple[Violation, ...]:
    try:
        return reader_of(entry.parser, entry.pattern)(text, folder) if entry.parser else ()
    except Unreadable as error:  # people know their command, not our reader
        raise Unreadable(error.key, **{**error.values, "tool": " ".join(entry.command)}) from None


def is_own(entry: GateConfig) -> bool:
    """A command of the user's with findings to read, a price, or one that may fail; others are the exam's."""
    return bool(entry.command) and (entry.parser is not None or not entry.required or entry.cost > 0)
