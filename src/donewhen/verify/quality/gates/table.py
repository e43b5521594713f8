"""Every gate: which tools a project's own files choose, as rows, and what is asked without any.

`build` stands apart: it writes, so it runs only where somebody asked for it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.model import Unreadable, Violation
from donewhen.core.quality.scoping import MEASURED, in_languages, is_test
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.languages import (
    mypy,
    python_security,
    ruff_lint,
    told_python,
    typescript_types,
)
from donewhen.verify.quality.gates.planning import (
    Part,
    Project,
    Wanted,
    cache,
    grouped,
    join,
    part,
    planned,
    present,
    sources,
    upward,
    words,
)
from donewhen.verify.quality.model import Ask, Gate, Missing, Planned, Scope, Tool
from donewhen.verify.quality.tool_output import reader_of, tool_data
from donewhen.verify.quality.tools import at_least, find

RULES = Path(__file__).parent.parent / "rules" / "sgconfig.yml"
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


_ROWS = [Row(**row) for row in tool_data()["row"]]


def _rows(gate: str, scope: Scope, project: Project) -> Iterator[tuple[Part, list[str]]]:
    """What the rows of a gate want, with the files that each answers for; types have one checker a file."""
    taken: set[tuple[str, str]] = set()
    for row in (each for each in _ROWS if each.gate == gate):
        files = in_languages(scope.files, *(row.languages or MEASURED), fresh=scope.fresh)
        kind = gate if gate == "types" else row.tool
        found = _homes(row, project, [path for path in files if (kind, path) not in taken])
        for folder, names in found.items():
            taken.update((kind, path) for path in names)
            yield _configured(row, scope, project, folder, names), names


def _homes(row: Row, project: Project, files: list[str]) -> dict[str, list[str]]:
    """Files by the folder whose configuration counts for them."""

    def home(path: str) -> str | None:
        folders = list(upward(path)) if row.places != "root" else [""]
        marked = [each for each in folders if _mark(row, project, each) is not None]
        if row.gate == "types" and marked and _nearer(row, project, folders[: folders.index(marked[0])]):
            return None
        return None if not marked else marked[-1] if row.places == "outermost" else marked[0]

    return grouped(files, home)


def _nearer(row: Row, project: Project, folders: list[str]) -> bool:
    others = [each for each in _ROWS if each.gate == row.gate and each.tool != row.tool]
    return any(_mark(each, project, folder) is not None for each in others for folder in folders)


def _mark(row: Row, project: Project, folder: str) -> str | None:
    """The file there that configures the tool; a section without any line does as well."""
    for mark in row.marks:
        name, _, keys = mark.partition(":")
        file, (*above, last) = join(folder, name), keys.split(".") if keys else [""]
        there = project.under(file, *above) if keys else ()
        starts = last.removesuffix("*")
        if last in there or (last != starts and any(each.startswith(starts) for each in there)):
            return mark
        if not keys and project.has(file):
            return mark
    return None


def _configured(row: Row, scope: Scope, project: Project, folder: str, names: list[str]) -> Part:
    mark = _mark(row, project, folder) or ""
    name, _, keys = mark.partition(":")
    settings = project.under(join(folder, name), *(keys.split(".") if keys else ()))
    option = (row.option.get(name, row.option[""]), f"./{name}") if row.option else ()
    kept = cache(scope, row.gate, row.tool)
    files = present(scope, names)
    wanted = Wanted(
        row.gate,
        row.tool,
        (*row.flags, *option),
        len(names),
        None if any(settings.get(each) for each in row.names) else files,
        folder,
        ok=frozenset(row.ok),
        env={name: f"{kept}{end}" for name, end in row.keeps.items()} if kept else {},
        divider=row.divider,
    )
    if row.gate == "types":
        asked = [path for path in files if not is_test(path)]
        wanted = wanted._replace(files=None if wanted.files is None else asked)
        return mypy(scope, wanted, settings) if row.tool == "mypy" else told_python(scope, wanted)
    return part(scope, _flat_or_not(wanted, row) if row.tool == "eslint" else wanted)


def _flat_or_not(wanted: Wanted, row: Row) -> Wanted:
    """Before version 9 a flat configuration was one of two ways."""
    flat = row.places == "nearest"
    env = {"ESLINT_USE_FLAT_CONFIG": str(flat).lower()}

    def flags(tool: Tool) -> tuple[str, ...]:
        return (*row.flags, *(("--no-warn-ignored",) if flat and at_least(tool.version, "9.0") else ()))

    return wanted._replace(flags=flags, env=env)


def _module_homes(scope: Scope, project: Project, language: str, mark: str) -> dict[str, list[str]]:
    """The changed files of a language by the nearest folder that holds `mark`."""
    return grouped(
        in_languages(scope.files, language, fresh=scope.fresh),
        lambda path: next((each for each in upward(path) if project.has(join(each, mark))), None),
    )


def _above(project: Project, folder: str, names: tuple[str, ...]) -> str:
    """The nearest of these files, in the folder or above it."""
    return next((found for each in upward(join(folder, "-")) if (found := project.first(each, names))), "")


def _go_env(scope: Scope, gate: str) -> dict[str, str]:
    kept = cache(scope, gate, "go-build")
    return {"GOCACHE": kept} if kept else {}


def _cargo(
    scope: Scope, project: Project, gate: str, folder: str, words_: tuple[str, ...], files: int
) -> Part:
    """With a lock file, cargo must not write another one."""
    kept = cache(scope, gate, "cargo")
    locked = ("--locked",) if _above(project, folder, ("Cargo.lock",)) else ()
    flags = (*words_, "--all-targets", "--message-format", "json", *locked)
    env = {"CARGO_TARGET_DIR": kept, "CARGO_TERM_COLOR": "never"} if kept else {}
    ends = frozenset((0, 101))
    return part(
        scope, Wanted(gate, "cargo", flags, files, None, folder, ok=ends, env=env, configured=gate == "lint")
    )


def _toolchains(scope: Scope, project: Project) -> Iterator[Part]:
    """Types of Go and Rust: what their toolchains say of the module or package that a changed file is in."""
    for folder, files in _module_homes(scope, project, "go", "go.mod").items():
        wanted = Wanted(
            "types", "go", ("vet", "./..."), len(files), None, folder, stream="both", configured=False
        )
        yield part(scope, wanted._replace(env=_go_env(scope, "types"), read=reader_of("go vet")))
    for folder, files in _module_homes(scope, project, "rust", "Cargo.toml").items():
        yield _cargo(scope, project, "types", folder, ("check",), len(files))


_GOLANGCI = tuple(f".golangci.{ending}" for ending in ("yml", "yaml", "toml", "json"))
_SECOND = re.compile(r"""["']?version["']?\s{0,9}[:=]\s{0,9}["']?2\b""")


def _go_lint(scope: Scope, project: Project) -> Iterator[Part]:
    for folder, names in _module_homes(scope, project, "go", "go.mod").items():
        config, files = _above(project, folder, _GOLANGCI), present(scope, names)
        if not config or not files:
            continue
        second = _SECOND.search(project.files.text(config))
        form = ("--output.json.path", "stdout", "--show-stats=false") if second else ("--out-format", "json")
        start = f"{folder}/" if folder else ""
        packages = sorted({path.removeprefix(start).rpartition("/")[0] for path in files})
        asked = tuple(f"./{package}" if package else "." for package in packages)
        kept = cache(scope, "lint", "golangci")
        env = {**_go_env(scope, "lint"), **({"GOLANGCI_LINT_CACHE": kept} if kept else {})}
        flags = ("run", *form, "--issues-exit-code", "1", "--allow-parallel-runners", *asked)
        yield part(scope, Wanted("lint", "golangci-lint", flags, len(files), None, folder, env=env))


def _rust_lint(scope: Scope, project: Project) -> Iterator[Part]:
    for folder, files in _module_homes(scope, project, "rust", "Cargo.toml").items():
        lints = project.under(join(folder, "Cargo.toml"), "lints")
        above = (join(each, "Cargo.toml") for each in upward(join(folder, "-")))
        shared = lints.get("workspace") is True and any(
            project.under(file, "workspace", "lints", "clippy") for file in above
        )
        if lints.get("clippy") or shared or _above(project, folder, ("clippy.toml", ".clippy.toml")):
            clippy = find("cargo-clippy", scope, "lint")
            yield (
                Part(missing=(clippy,), configured=True)
                if isinstance(clippy, Missing)
                else _cargo(scope, project, "lint", folder, ("clippy",), len(files))
            )


def _types(scope: Scope) -> Planned:
    project = Project(scope.root)
    rows = list(_rows("types", scope, project))
    placed = {path for _, names in rows for path in names}
    rest = [path for path in sources(scope, "python") if path not in placed]
    ours = [mypy(scope, Wanted("types", "mypy", (), 0, rest, configured=False), {})] if rest else []
    parts = [
        *(each for each, _ in rows),
        *ours,
        *typescript_types(scope, project),
        *_toolchains(scope, project),
    ]
    return planned(parts, Phrase("gates.no_types"))


def _lint(scope: Scope) -> Planned:
    project = Project(scope.root)
    rows = list(_rows("lint", scope, project))
    python = any(path.endswith((".py", ".pyi")) for _, names in rows for path in names)
    parts = [*ruff_lint(scope, project, alone=not python), *(each for each, _ in rows)]
    parts += [*_go_lint(scope, project), *_rust_lint(scope, project)]
    return planned(parts, Phrase("gates.no_linter"))


def _security(scope: Scope) -> Planned:
    project = Project(scope.root)
    rows = list(_rows("security", scope, project))
    bandit = any(_mark(row, project, "") for row in _ROWS if row.tool == "bandit")
    parts = [each for each, _ in rows] + ([] if bandit else python_security(scope, project))
    files = sources(scope, *_RULED)
    if files:
        flags = ("scan", "--config", str(RULES), "--json=compact", "--include-metadata")
        parts.append(part(scope, Wanted("security", "ast-grep", flags, 0, files, configured=False)))
    if scope.required:  # whoever asks for it asks for all languages
        parts = [each._replace(configured=True) for each in parts]
    return planned(parts, Phrase("gates.no_files"))


def _complexity(scope: Scope) -> Planned:
    """Every function of the changed files; thresholds are applied elsewhere, and its own must not end it."""
    files = sources(scope, *MEASURED)
    flags = ("-w", "-C", "0", "-i", "-1", "--whitelist", "/dev/null")
    ok = frozenset((0,))
    found = part(scope, Wanted("complexity", "lizard", flags, 0, files, ok=ok, configured=False))
    return planned([found] if files else [], Phrase("gates.no_files"))


_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_TARGET = re.compile(r"^build[ \t]*::?(?!=)", re.MULTILINE)


def _build(scope: Scope) -> Planned:
    """The command that a project itself calls its build; how it ends is all that it says."""
    project, words_ = Project(scope.root), tuple[str, ...]()
    script = project.under("package.json", "scripts").get("build")
    makefile = project.first("", ("GNUmakefile", "makefile", "Makefile"))
    if isinstance(script, str) and script.strip():
        named = "".join(words(project.data("package.json").get("packageManager"))).partition("@")[0]
        locked = next((manager for lock, manager in _LOCKS.items() if project.has(lock)), "npm")
        words_ = (named if named in _MANAGERS else locked, "run", "build")
    elif makefile and _TARGET.search(project.files.text(makefile)):
        words_ = ("make", "build")
    if not words_:
        return Planned(why=Phrase("gates.no_build"))
    wanted = Wanted("build", words_[0], words_[1:], len(scope.files), None, ok=_WORKED, stream="both")
    return planned([part(scope, wanted._replace(read=_says_nothing))], Phrase("gates.no_build"))


def _says_nothing(text: str, folder: str) -> tuple[Violation, ...]:
    return ()


class _Planner(NamedTuple):
    name: str
    plan: Callable[[Scope], Planned]


GATES: Mapping[str, Gate] = MappingProxyType(
    {
        "complexity": _Planner("complexity", _complexity),
        "types": _Planner("types", _types),
        "security": _Planner("security", _security),
        "lint": _Planner("lint", _lint),
    }
)
BUILD: Gate = _Planner("build", _build)


class OwnGate(NamedTuple):
    """A gate of the user's own: any command, whose output one of the declared parsers reads."""

    entry: GateConfig

    @property
    def name(self) -> str:
        return self.entry.name

    def plan(self, scope: Scope) -> Planned:
        del scope
        tool = Tool(self.entry.command[0].rpartition("/")[2], self.entry.command[:1])
        alone = self.entry.parser in ("json", "sarif", "junit")
        ask = Ask(
            tool, tuple(self.entry.command), self._read, ok=_WORKED, stream="stdout" if alone else "both"
        )
        return Planned((ask._replace(whole=True),), configured=True)

    def _read(self, text: str, folder: str) -> tuple[Violation, ...]:
        if self.entry.parser is None:
            return ()
        try:
            return reader_of(self.entry.parser, self.entry.pattern)(text, folder)
        except Unreadable as error:  # people know their command, not our reader
            raise Unreadable(error.key, **{**error.values, "tool": " ".join(self.entry.command)}) from None

    def silent_failure(self, exit: int | None) -> Phrase | None:
        """Why an exit that its parser can't explain is no pass."""
        if not exit:
            return None
        values = {"command": " ".join(self.entry.command), "exit": exit, "parser": self.entry.parser}
        return Phrase("quality.exit_unread" if self.entry.parser else "quality.exit", values)


def is_own(entry: GateConfig) -> bool:
    """A command of the user's with findings to read, or one that may fail; others are part of the exam."""
    return bool(entry.command) and (entry.parser is not None or not entry.required)
