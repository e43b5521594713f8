"""What stands behind a name: targets of make and just, environments of tox and nox, scripts, tasks.

Each reader turns the words of a command into the texts that would be run, one `Step` for each shell. Folder
are read, never run, and none outside the project. Conditions are not decided and functions not computed; what
can't be read is said to be unknown.
"""

import ast
import fnmatch
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.commands.calls import Call, name_call, program_name
from donewhen.commands.grammar import Effect
from donewhen.core.lazy import lazy
from donewhen.core.paths import relative
from donewhen.core.tree import Word
from donewhen.project.folder import Folder, read_ini
from donewhen.project.node_package import MANAGERS

_MOST_STEPS = 400  # of one name
_SHELLS = frozenset("sh bash dash ash ksh zsh".split())
_SHEBANG = lazy(
    r"#![ \t]*(?:/\S{0,80}/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?P<shell>\w{1,20})(?P<flags>[^\n]{0,80})"
)


class Step(NamedTuple):
    """A text for a shell of its own, as a runner would start it."""

    source: str
    text: str
    folder: str = ""
    ignored: bool = False  # the runner goes on, and ends well, whatever its status is
    options: frozenset[str] = frozenset()  # of its shell: errexit, pipefail
    unknown: bool = False  # something is run or made here, and nobody can say what


Steps = Sequence[Step] | None  # None: nothing is known to stand behind it


def steps_behind(words: Sequence[str], folder: str, files: Folder) -> Steps:
    """The texts that the command runs, in order; `folder` is below the project's root."""
    program = program_name(words[0])[0]
    if program in _BEFORE:  # `nyc npm run unit` hands the status on
        starts = (at for at, word in enumerate(words) if program_name(word)[0] in (*MANAGERS, *_ALL_OF))
        words = words[next(starts, 0) :]
        program = program_name(words[0])[0]
    if program in _ALL_OF:
        return _scripts_like([word for word in words[1:] if not word.startswith("-")], folder, files)
    call = name_call(tuple(map(Word, words)))
    steps = _READERS[program](call, folder, files) if program in _READERS else None
    if steps is None and program in MANAGERS:
        steps = _npm(call, words, folder, files)
    if steps is None:
        steps = _task(words, folder, files) or _shell_script(words, folder, files)
    return None if steps is None else tuple(dict.fromkeys(steps))[-_MOST_STEPS:]  # what is asked for is last


def join(folder: str, path: str) -> str | None:
    """A path seen from a folder of the project, as a path from its root; None when it leaves the project."""
    if path.startswith(("/", "~")):
        return None
    short = relative(f"{folder or '.'}/{path or '.'}")
    return "" if short == "." else short


def _text(files: Folder, folder: str, name: str) -> str:
    path = join(folder, name)
    return files.text(path).replace("\r\n", "\n") if path else ""


def _table(files: Folder, folder: str, name: str, *keys: str) -> Mapping[str, Any]:
    """A mapping in a JSON or TOML file; empty when there is none."""
    path = join(folder, name)
    return files.table(path, *keys) if path else {}


def _values(call: Call, effect: Effect) -> list[str]:
    return [each.value for each in call.settings if each.effect == effect and each.value]


def _has(call: Call, *effects: Effect) -> bool:
    return any(each.effect in effects for each in call.settings)


def _with_needs(wanted: Sequence[str], needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The names and what they need, each once, needs first."""
    ordered: list[str] = []
    entered: set[str] = set()

    def enter(name: str) -> None:
        if name not in entered and len(entered) < 500:
            entered.add(name)
            for need in needs.get(name, ()):
                enter(need)
            ordered.append(name)

    for name in wanted:
        enter(name)
    return ordered


def _shell_options(words: Sequence[str]) -> frozenset[str]:
    """What the words after a shell's name, or of a `#!` line, switch on."""
    errexit = "errexit" in words or any(re.fullmatch(r"-[a-z]{0,8}e[a-z]{0,8}", word) for word in words)
    return frozenset((["errexit"] if errexit else []) + (["pipefail"] if "pipefail" in words else []))


def _without_marks(line: str) -> tuple[str, bool]:
    """The command without make's or just's own marks, and whether its status is ignored."""
    text = line.lstrip(" \t@+-")
    return text.strip(), "-" in line[: len(line) - len(text)]


def _as_words(text: str) -> str:
    """A command that no shell reads, as a shell would have to write it."""
    try:
        return shlex.join(shlex.split(text, comments=True))
    except ValueError:
        return "unknown-command"


def _shell_script(words: Sequence[str], folder: str, files: Folder) -> Steps:
    """`./run.sh`, `bash ci/run.sh`, `sh -e run.sh`."""
    named = words[0].rpartition("/")[2] in _SHELLS
    rest, flags = list(words[1:] if named else words), list[str]()
    while named and rest and rest[0][:1] in ("-", "+"):
        takes = 2 if rest[0].endswith("o") else 1
        flags, rest = [*flags, *rest[:takes]], rest[takes:]
    path = join(folder, rest[0]) if rest and ("/" in rest[0] or named) else None
    text = _text(files, "", path) if path else ""
    shebang = _SHEBANG.match(text)
    shell = shebang["shell"] if shebang else "sh" if rest and rest[0].endswith((".sh", ".bash")) else ""
    if path is None or not text or "\0" in text or not (named or shell in _SHELLS):
        return None
    if shebang and not named:
        flags = shebang["flags"].split()
    return (Step(path, text, folder, options=_shell_options(flags)),)


# make

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_ASSIGN = lazy(r" *(?:(?:export|override|private) +)*([\w.-]{1,80})[ \t]*(::?:?=|\?=|\+=|=)[ \t]*(.*)")
_RULE = lazy(r"([^\t#=:][^=:]{0,2000}?)[ \t]*::?(?!=)([^;=]{0,4000})(?:;(.*))?")
_INCLUDE = lazy(r" *(-|s)?include[ \t]+(.+)")
_CONDITION = lazy(r" *(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b.*")
_NAME = lazy(r"[\w.-]{1,80}")
_REFERENCE = lazy(r"\$(?:(\$)|[({]([\w.-]{1,80})[)}]|([@<^?*+%]))")
_BUILT_IN = {"MAKE": "make", "CURDIR": ".", "SHELL": "/bin/sh", "RM": "rm -f", "CC": "cc", "CXX": "g++"}
_MAKE_TARGET = lazy(r"[A-Za-z0-9][\w./-]{0,80}")
_IGNORES = lazy(r"--ignore-errors|-?[A-Za-z]{0,8}i[A-Za-z]{0,8}")
_LONGEST = 16_384
_MOST_EXPANSIONS = 2000
_MOST_INCLUDED = 12


class _Makefile:
    """What the makefiles of one folder say, with simple variables filled in."""

    def __init__(self, folder: str, files: Folder, given: Mapping[str, str]) -> None:
        self.folder, self.files, self.given = folder, files, given
        self.variables: dict[str, str] = {**_BUILT_IN, **given}
        self.recipes: dict[str, list[tuple[str, str]]] = {}  # by target: source and text of a line
        self.needs: dict[str, list[str]] = {}
        self.whole = True  # every file was read, and no rule is made up by patterns or functions
        self._targets: list[str] = []
        self._included = self._expanded = 0

    def read(self, name: str) -> None:
        text = _text(self.files, self.folder, name)
        self._included += 1
        if not text or self._included > _MOST_INCLUDED:
            self.whole = False
            return
        self._targets = []
        for line in text.replace("\\\n", "\\\0").split("\n"):
            self._line(line, join(self.folder, name) or name)

    def _line(self, line: str, path: str) -> None:
        if line.startswith("\t") and self._targets:
            self._recipe(line[1:].replace("\\\0", "\\\n"), path)
            return
        plain = line.replace("\\\0", " ").split(" #")[0].rstrip()[:_LONGEST]
        if not plain.strip() or plain.lstrip().startswith("#") or _CONDITION.fullmatch(plain):
            return
        if assign := _ASSIGN.fullmatch(plain):
            self._assign(*assign.groups())
        elif include := _INCLUDE.fullmatch(plain):
            for name in self.expand(include[2]).split()[:_MOST_INCLUDED]:
                if _text(self.files, self.folder, name) or not include[1]:
                    self.read(name)
            self._targets = []
        elif rule := _RULE.fullmatch(plain):
            targets, needed = self.expand(rule[1]), self.expand(rule[2])
            self.whole = self.whole and "%" not in rule[1] and "$(" not in needed + targets
            self._targets = targets.split()[:50]
            for target in self._targets:
                wanted = (each for each in needed.replace("|", " ").split() if not re.search(r"[=$]", each))
                self.needs.setdefault(target, []).extend(wanted)
            if rule[3]:
                self._recipe(rule[3].strip(), path)
        else:  # `define`, of which all is left out
            self.whole, self._targets = False, []

    def _recipe(self, text: str, path: str) -> None:
        for target in self._targets:
            self.recipes.setdefault(target, []).append((f"{path} {target}", text))

    def _assign(self, name: str, operator: str, value: str) -> None:
        known = self.variables.get(name)
        if name in self.given or (operator == "?=" and known is not None):
            return
        if operator == "+=":
            value = f"{known or ''} {value}".strip()[:_LONGEST]
        self.variables[name] = value if operator in ("=", "?=", "+=") else self.expand(value)

    def expand(self, text: str, depth: int = 0) -> str:
        """With simple variables filled in; functions stay as they are written, and what is set nowhere is a
        variable of the shell: an option behind it is no mark of make."""

        def value(found: re.Match[str]) -> str:
            self._expanded += 1
            dollar, name, automatic = found.groups()
            if dollar or automatic:
                return "$" if dollar else "target"
            if name not in self.variables or depth > 8 or self._expanded > _MOST_EXPANSIONS:
                return f"${{{name}}}" if name.isidentifier() else ""
            return self.expand(self.variables[name], depth + 1)

        return _REFERENCE.sub(value, text[:_LONGEST])[:_LONGEST]

    def steps(self, targets: Sequence[str]) -> Iterator[Step]:
        ignoring = self.needs.get(".IGNORE")
        every = ignoring == [] or any(map(_IGNORES.fullmatch, self.variables.get("MAKEFLAGS", "").split()))
        shell = _shell_options(f"{self.variables.get('.SHELLFLAGS', '')} {self.variables['SHELL']}".split())
        for target in targets:
            lines = self.recipes.get(target, ())
            recipe = [(source, *_without_marks(self.expand(text))) for source, text in lines]
            if ".ONESHELL" in self.needs and recipe:
                recipe = [(recipe[0][0], "\n".join(text for _, text, _ in recipe), False)]
            for source, text, dash in recipe:
                if text:
                    ignored = dash or every or target in (ignoring or ())
                    yield Step(source, text, self.folder, ignored, shell)


def make_targets(files: Folder, name: str) -> list[str]:
    """The targets of a makefile at the root that somebody may call."""
    rules = _Makefile("", files, {})
    rules.read(name)
    return [target for target in rules.needs if _MAKE_TARGET.fullmatch(target)]


def _make(call: Call, folder: str, files: Folder) -> Steps:
    at = join(folder, "".join(_values(call, "where")[-1:]))
    if at is None:
        return None
    file = next((each.value for each in call.settings if each.name == "-f" and each.value), "")
    name = file or next((each for each in MAKEFILES if _text(files, at, each)), "")
    if not name:
        return None
    given = {each.name: each.value for each in call.settings if each.value and _NAME.fullmatch(each.name)}
    rules = _Makefile(at, files, given)
    rules.read(name)
    targets = call.operands or tuple(each for each in rules.needs if each[:1] != ".")[:1]
    if not targets or any(target not in rules.needs for target in targets):
        return None
    needed = _with_needs(targets, rules.needs)
    whole = rules.whole and all(target in rules.needs or _text(files, at, target) for target in needed)
    return [*(() if whole else (Step(name, "", at, unknown=True),)), *rules.steps(needed)]


# just

JUSTFILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_JUST_HEAD = lazy(r"@?(?P<name>[A-Za-z_][\w-]{0,80})(?P<parameters>[^:]{0,400}):(?!=)(?P<needs>.{0,1000})")
_NO_RECIPE = ("set", "export", "import", "mod", "alias", "unexport")
_JUST_SHELL = lazy(r"set shell *:= *\[(?P<words>.{0,300})\]")
_JUST_HOLE = lazy(r"\{\{ *([A-Za-z_][\w-]{0,80}) *\}\}")


class _Justfile(NamedTuple):
    recipes: dict[str, list[str]]
    needs: dict[str, list[str]]
    options: frozenset[str]  # of the shell that runs them
    callable: list[str]  # recipes without a parameter that somebody has to give


def _justfile(text: str) -> _Justfile:
    file = _Justfile({}, {}, frozenset(), [])
    current: list[str] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] in (" ", "\t"):
            current += [_JUST_HOLE.sub(r"$\1", line.strip())] if line.strip() else []
        elif shell := _JUST_SHELL.match(line):
            file = file._replace(options=_shell_options(re.findall(r"[\w-]+", shell["words"])))
        elif (head := _JUST_HEAD.match(line)) and head["name"] not in _NO_RECIPE:
            called = re.sub(r"\(\s*([\w-]*)[^)]*\)", r"\1", head["needs"].partition("#")[0])
            file.needs[head["name"]] = re.findall(r"[A-Za-z_][\w-]*", called)
            current = file.recipes.setdefault(head["name"], [])
            if all("=" in word or word.startswith("*") for word in head["parameters"].split()):
                file.callable.append(head["name"])
    return file


def just_recipes(files: Folder, name: str) -> list[str]:
    """The recipes of a justfile at the root that somebody may call without arguments."""
    return [each for each in _justfile(_text(files, "", name)).callable if not each.startswith("_")]


def _just(call: Call, folder: str, files: Folder) -> Steps:
    name = next((each for each in JUSTFILES if _text(files, folder, each)), "")
    if not name or _has(call, "where", "config", "other"):
        return None
    recipes, needs, options, _ = _justfile(_text(files, folder, name))
    wanted = call.operands[0] if call.operands else next(iter(recipes), "")
    steps: list[Step] = []
    for each in _with_needs((wanted,), needs) if wanted in needs else ():
        source, lines = f"{join(folder, name)} {each}", recipes.get(each, [])
        shebang = _SHEBANG.match(lines[0]) if lines else None
        if shebang:
            step = Step(source, "\n".join(lines), folder, options=_shell_options(lines[0].split()))
            steps.append(step._replace(unknown=shebang["shell"] not in _SHELLS))
        else:
            plain = (_without_marks(line) for line in lines if not line.startswith("#"))
            steps += (Step(source, text, folder, dash, options) for text, dash in plain)
    return steps or None


# Scripts of package.json, whichever manager or runner of scripts starts them

_ALL_OF = frozenset(("run-s", "run-p", "npm-run-all", "npm-run-all2", "run-pty"))
_BEFORE = frozenset("npx bunx nyc c8 env-cmd dotenv dotenvx infisical doppler corepack".split())
_BARE = frozenset(("quiet", "strict", "where", "mask"))  # effects after which the script is still this one


def _npm(call: Call, words: Sequence[str], folder: str, files: Folder) -> Steps:
    at = join(folder, "".join(_values(call, "where")[-1:]))
    plain = all(each.effect in _BARE for each in call.settings) and not call.tool and call.grammar == "npm"
    if at is None or not plain or not call.name.startswith("npm "):
        return None
    given = words[list(words).index("--") + 1 :] if "--" in words else ()
    return _script_of(call.name.removeprefix("npm ").removeprefix("run "), at, files, given) or None


def _script_of(name: str, folder: str, files: Folder, given: Sequence[str] = ()) -> tuple[Step, ...]:
    scripts = _table(files, folder, "package.json", "scripts")
    texts = {each: scripts.get(each) for each in (f"pre{name}", name, f"post{name}")}
    if not isinstance(texts[name], str):
        return ()
    texts[name] = f"{texts[name]} {shlex.join(given)}".rstrip()
    source = f"{join(folder, 'package.json')} scripts."
    return tuple(Step(source + each, text, folder) for each, text in texts.items() if isinstance(text, str))


def _scripts_like(patterns: Sequence[str], folder: str, files: Folder) -> Steps:
    """run-s, run-p, npm-run-all: patterns over names; one that fits none may be anything."""
    scripts = _table(files, folder, "package.json", "scripts")
    steps: list[Step] = []
    for pattern in (pattern.split()[0] for pattern in patterns if pattern.strip()):
        found = [
            step for name in fnmatch.filter(scripts, pattern) for step in _script_of(name, folder, files)
        ]
        if not found:
            return None
        steps += found
    return steps or None


# tox runs words, not shell text: `|| true` in a command is an argument there. Sections that others are put
# together from are followed one level; factors are not decided, all their lines may run.

_POSARGS = lazy(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}|\[\]")
_SECTION = lazy(r"\{\[([^\]{}]{1,80})\]([\w-]{1,40})\}")
_FACTOR = lazy(r"[!\w.,{}-]{1,80}: +(?=\S)")
_BRACES = lazy(r"\{([^{}]{0,200})\}")
_MOST_ENVIRONMENTS = 30
_Sections = Mapping[str, Mapping[str, str]]


def _tox(call: Call, folder: str, files: Folder) -> Steps:
    if _has(call, "config", "where"):
        return None
    name, sections = tox_sections(folder, files)
    listed = sections.get("tox", {}).get("envlist") or sections.get("tox", {}).get("env_list", "")
    chosen = [each for value in _values(call, "target") for each in value.split(",")]
    chosen = chosen or re.split(r"[\s,]+", _BRACES.sub(lambda each: each[1].split(",")[0], listed))
    steps: list[Step] = []
    forgiven: list[Step] = []  # of environments whose whole outcome is ignored: others may stand beside them
    for environment in [each for each in dict.fromkeys(chosen) if each][:_MOST_ENVIRONMENTS] or ["py"]:
        own = {**sections.get("testenv", {}), **sections.get(f"testenv:{environment}", {})}
        found = _tox_steps(own.get("commands", ""), sections, f"{join(folder, name)} {environment}", folder)
        ignored = own.get("ignore_outcome", "").strip().lower() in ("true", "1", "yes", "on")
        (forgiven if ignored else steps).extend(found)
    return steps or [step._replace(ignored=True) for step in forgiven] or None


def _tox_steps(commands: str, sections: _Sections, source: str, folder: str) -> Iterator[Step]:
    commands = _SECTION.sub(lambda found: sections.get(found[1], {}).get(found[2], ""), commands)
    for line in map(str.strip, commands.replace("\\\n", " ").splitlines()):
        text = line if line.startswith("-") else _FACTOR.sub("", line, count=1)
        dash = bool(re.match(r"-[ {\w]", text))
        text = _POSARGS.sub(lambda found: found[1] or "", text.removeprefix("-").removeprefix("! ").strip())
        text = text.replace("{envpython}", "python").replace("{envbindir}/", "").replace("{toxinidir}/", "")
        if text and not line.startswith("#"):
            yield Step(source, _as_words(text), folder, dash)


def tox_sections(folder: str, files: Folder) -> tuple[str, _Sections]:
    """Where the settings of tox stand, and the settings as those of an ini."""
    own = files.table(join(folder, "pyproject.toml") or "", "tool", "tox")
    legacy = own.get("legacy_tox_ini")
    for name, sections in (
        ("tox.ini", files.ini(join(folder, "tox.ini") or "")),
        ("setup.cfg", files.ini(join(folder, "setup.cfg") or "")),
        ("pyproject.toml", read_ini(legacy) if isinstance(legacy, str) else {}),
    ):
        found = {each.removeprefix("tox:"): table for each, table in sections.items()}
        if any(each.startswith(("tox", "testenv")) for each in found):
            return name, found
    for name, table in (("tox.toml", _table(files, folder, "tox.toml")), ("pyproject.toml", own)):
        environments = table.get("env")
        tables = {"testenv": table.get("env_run_base")}
        tables |= (
            {f"testenv:{e}": v for e, v in environments.items()} if isinstance(environments, dict) else {}
        )
        if table:
            listed = {"tox": {"envlist": " ".join(map(str, table.get("env_list", ())))}}
            return name, {**listed, **{e: _as_ini(v) for e, v in tables.items() if isinstance(v, dict)}}
    return "", {}


def _as_ini(table: Mapping[str, Any]) -> dict[str, str]:
    found = {key: str(table.get(key, "")) for key in ("ignore_outcome", "change_dir")}
    if isinstance(table.get("commands"), list):
        rows = (each for each in table["commands"] if isinstance(each, list))
        lists = [[word for word in row if isinstance(word, str)] for row in rows]
        marks = ("- " if words[:1] == ["-"] else "" for words in lists)
        found["commands"] = "\n".join(
            mark + shlex.join(word for word in words if word not in ("-", "{posargs}"))
            for mark, words in zip(marks, lists, strict=True)
        )
    return found


# nox: the `session.run` calls of a noxfile, read as Python syntax and never imported

_SESSION_RUNS = frozenset(("run", "run_always", "run_install"))


def _nox(call: Call, folder: str, files: Folder) -> Steps:
    if _has(call, "config", "where", "other"):
        return None
    try:
        tree = ast.parse(_text(files, folder, "noxfile.py"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    source, chosen = join(folder, "noxfile.py"), _values(call, "target")
    sessions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    steps: list[Step] = []
    for session in sessions:
        marks = [ast.unparse(each) for each in session.decorator_list]
        named = next(
            (found[1] for mark in marks if (found := re.search(r"name='(.*?)'", mark))), session.name
        )
        off = any("default=False" in mark for mark in marks)
        if not any("session" in mark for mark in marks) or (named not in chosen if chosen else off):
            continue
        runs = [each for each in ast.walk(session) if isinstance(each, ast.Call)]
        runs = [each for each in runs if getattr(each.func, "attr", "") in _SESSION_RUNS]
        for run in sorted(runs, key=lambda each: (each.lineno, each.col_offset)):
            words = [each.value if isinstance(each, ast.Constant) else None for each in run.args]
            text = " ".join(shlex.quote(each) if isinstance(each, str) else '"$UNKNOWN"' for each in words)
            steps.append(Step(f"{source} {session.name}", text, folder))
    return steps or None


# Tasks that project managers keep by name. A runner that only finds a program (`uv run`) is passed over.

_PYPROJECT = "pyproject.toml"
_TASKS: Mapping[str, tuple[tuple[str, tuple[str, ...], bool], ...]] = {  # file, keys, run by a shell
    "hatch run": ((_PYPROJECT, ("tool", "hatch", "envs", "default", "scripts"), True),),
    "pdm run": ((_PYPROJECT, ("tool", "pdm", "scripts"), False),),
    "pixi run": (("pixi.toml", ("tasks",), True), (_PYPROJECT, ("tool", "pixi", "tasks"), True)),
    "pipenv run": (("Pipfile", ("scripts",), False),),
    "poe": ((_PYPROJECT, ("tool", "poe", "tasks"), False),),
    "task": ((_PYPROJECT, ("tool", "taskipy", "tasks"), True),),
    "composer": (("composer.json", ("scripts",), True),),
    "composer run": (("composer.json", ("scripts",), True),),
    "deno task": (("deno.json", ("tasks",), True), ("deno.jsonc", ("tasks",), True)),
}
_PASSED_OVER = ("uv run", "poetry run", "pdm run", "hatch run", "pipenv run", "pixi run", "uvx")
_SEEN = (*MANAGERS, *_SHELLS, "make", "just", "tox", "nox", "poe", "task")  # others say all by their names
_TASK_TEXTS = ("shell", "cmd", "script", "command", "composite", "sequence", "chain")


def _task(words: Sequence[str], folder: str, files: Folder) -> Steps:
    first = program_name(words[0])[0]
    two = " ".join((first, *words[1:2]))
    runner = two if two in _TASKS or two in _PASSED_OVER else first
    rest = list(words[len(runner.split()) :])
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    for file, keys, shell in _TASKS.get(runner, ()) if rest else ():
        table = _table(files, folder, file, *keys)
        source = f"{join(folder, file)} {'.'.join((*keys, rest[0]))}"
        steps = []
        for text, by_shell in _task_texts(table.get(rest[0]), shell):
            called, plain = text.removeprefix("@"), text.removeprefix("- ").replace("{args}", "")
            if called in table and called != rest[0]:
                plain, by_shell = f"{runner} {called}", False
            steps.append(Step(source, plain if by_shell else _as_words(plain), folder, text.startswith("- ")))
        if steps:
            return steps
    if runner in _PASSED_OVER and rest and (program_name(rest[0])[0] in _SEEN or "/" in rest[0]):
        return (Step(f"{runner} …", shlex.join(rest), folder),)
    return None


def _task_texts(value: object, shell: bool) -> Iterator[tuple[str, bool]]:
    """A task as its lines: a text, a list of them, or a table with one of both."""
    if isinstance(value, str):
        yield value, shell
    elif isinstance(value, list):
        for each in value[:_MOST_STEPS]:
            yield from _task_texts(each, shell) if not isinstance(each, list) else ()
    elif isinstance(value, dict):
        for key in _TASK_TEXTS:
            yield from _task_texts(value.get(key), shell or key == "shell")


_READERS: Mapping[str, Callable[[Call, str, Folder], Steps]] = {
    "make": _make, "just": _just, "tox": _tox, "nox": _nox,
}  # fmt: skip
