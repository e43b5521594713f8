"""Readers of what stands behind a name: make, just, tox, nox, package.json, tasks of managers, shell scripts.

Each turns the words of a command into the texts that would be run, one `Step` for each shell. Files are read,
never run, and none outside the project. Conditions are not decided and functions not computed; what can't be
read is said to be unknown.
"""

import ast
import fnmatch
import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.commands.tools.grammar import Effect
from donewhen.core.commands.tools.names import MANAGERS, program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.commands.tools.reading import Call
from donewhen.core.errors import DonewhenError
from donewhen.core.lazy import lazy
from donewhen.core.paths import relative
from donewhen.core.tree import Word

if TYPE_CHECKING:
    from configparser import RawConfigParser

_LARGEST_FILE = 512 * 1024
_MOST_STEPS = 200  # of one name


class Step(NamedTuple):
    """A text for a shell of its own, as a runner would start it."""

    source: str
    text: str
    folder: str = ""
    ignored: bool = False  # the runner goes on, and ends well, whatever its status is
    options: frozenset[str] = frozenset()  # of its shell: errexit, pipefail
    unknown: Literal["", "run", "built"] = ""  # something is run or made here, and nobody can say what


class ProjectFiles:
    """The files of a project, read only below its root, never through a link that leads out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real = Path(os.path.realpath(root))
        self._texts: dict[str, str] = {}

    def text(self, folder: str, name: str) -> str:
        """The text of a file; empty when there is none that may be read."""
        path = join(folder, name)
        if path is None:
            return ""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def first(self, folder: str, names: Sequence[str]) -> str:
        """The first of the names that is a file with a text in the folder."""
        return next((name for name in names if self.text(folder, name)), "")

    def table(self, folder: str, name: str, keys: Sequence[str]) -> dict[str, Any]:
        """A mapping in a JSON or TOML file; empty when there is none."""
        text = self.text(folder, name)
        if any(line.count(".") > 200 for line in text.splitlines()):  # a key of many parts costs their square
            return {}
        try:
            found = json.loads(text or "null") if ".json" in name else tomllib.loads(text)
        except (ValueError, RecursionError):
            return {}
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def _read(self, path: str) -> str:
        try:
            real = Path(os.path.realpath(self.root / path))
            inside = path and real.is_relative_to(self._real)
            read = read_regular(real, path, largest=_LARGEST_FILE, follow=False) if inside else None
        except (DonewhenError, OSError, ValueError):
            return ""
        text = read.data.decode("utf-8", "replace").removeprefix("\ufeff") if read else ""
        return text.replace("\r\n", "\n")


def join(folder: str, path: str) -> str | None:
    """A path seen from a folder of the project, as a path from its root; None when it leaves the project."""
    if path.startswith(("/", "~")):
        return None
    short = relative(f"{folder or '.'}/{path or '.'}")
    return "" if short == "." else short


def steps_behind(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    """The texts that the command runs, in order; None when nothing is known to stand behind it."""
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
    return None if steps is None else tuple(steps[: 2 * _MOST_STEPS])


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


def shell_options(words: Sequence[str]) -> frozenset[str]:
    """What the words after a shell's name, or of a `#!` line, switch on."""
    errexit = "errexit" in words or any(re.fullmatch(r"-[a-z]{0,8}e[a-z]{0,8}", word) for word in words)
    return frozenset((["errexit"] if errexit else []) + (["pipefail"] if "pipefail" in words else []))


# Shell scripts of the repository

_SHELLS = frozenset("sh bash dash ash ksh zsh".split())
_SHEBANG = lazy(
    r"#![ \t]*(?:/\S{0,80}/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?P<shell>\w{1,20})(?P<flags>[^\n]{0,80})"
)


def _shell_script(words: Sequence[str], folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    """`./run.sh`, `bash ci/run.sh`, `sh -e run.sh`."""
    named = words[0].rpartition("/")[2] in _SHELLS
    flags, file = _operand(words[1:]) if named else ([], words[0])
    path = join(folder, file) if file and ("/" in file or named) else None
    text = files.text("", path) if path else ""
    shebang = _SHEBANG.match(text)
    shell = shebang["shell"] if shebang else "sh" if file.endswith((".sh", ".bash")) else ""
    if path is None or not text or "\0" in text or not (named or shell in _SHELLS):
        return None
    if shebang and not named:
        flags = shebang["flags"].split()
    return (Step(path, text, folder, options=shell_options(flags)),)


def _operand(words: Sequence[str]) -> tuple[list[str], str]:
    """The options of the shell, and the file."""
    flags, rest = list[str](), list(words)
    while rest and rest[0][:1] in ("-", "+"):
        flags.append(rest.pop(0))
        if flags[-1].endswith("o") and rest:
            flags.append(rest.pop(0))
    return flags, rest[0] if rest else ""


# make

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_ASSIGN = lazy(r" *(?:(?:export|override|private) +)*([\w.-]{1,80})[ \t]*(::?:?=|\?=|\+=|!=|=)[ \t]*(.*)")
_RULE = lazy(r"([^\t#=:][^=:]{0,2000}?)[ \t]*(::?)(?!=)([^;=]{0,4000})(?:;(.*))?")
_INCLUDE = lazy(r" *(-|s)?include[ \t]+(.+)")
_CONDITION = lazy(r" *(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b.*")
_NAME = lazy(r"[\w.-]{1,80}")
_REFERENCE = lazy(r"\$(?:(\$)|[({]([\w.-]{1,80})[)}]|([@<^?*+%]))")
_BUILT_IN = {"MAKE": "make", "CURDIR": ".", "SHELL": "/bin/sh", "RM": "rm -f", "CC": "cc", "CXX": "g++"}
_MOST_FILES = 12
_MOST_EXPANSIONS = 2000
_LONGEST = 16_384


class _Makefiles:
    """What the makefiles of one folder say, with simple variables filled in."""

    def __init__(self, folder: str, files: ProjectFiles, given: Mapping[str, str]) -> None:
        self.folder, self.files, self.given = folder, files, given
        self.variables: dict[str, str] = {**_BUILT_IN, **given}
        self.recipes: dict[str, list[tuple[str, str]]] = {}  # by target: source and text of a line
        self.needs: dict[str, list[str]] = {}
        self.whole = True  # every file was read, and no rule is made up by patterns or functions
        self.first = ""
        self._targets: list[str] = []
        self._read = 0
        self._budget = _MOST_EXPANSIONS

    def read(self, name: str) -> None:
        text = self.files.text(self.folder, name)
        self._read += 1
        if not text or self._read > _MOST_FILES:
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
        assign, include, rule = _ASSIGN.fullmatch(plain), _INCLUDE.fullmatch(plain), _RULE.fullmatch(plain)
        if assign:
            self._assign(assign[1], assign[2], assign[3])
        elif include:
            self._include(include[2], optional=bool(include[1]))
        elif rule:
            self._rule(rule, path)
        else:  # `define`, of which all is left out
            self.whole, self._targets = False, []

    def _recipe(self, text: str, path: str) -> None:
        for target in self._targets:
            self.recipes.setdefault(target, []).append((f"{path} {target}", text))

    def _assign(self, name: str, operator: str, value: str) -> None:
        if name in self.given:
            return
        if operator == "!=":
            self.variables[name] = f"$(shell {value})"
        elif operator == "+=":
            self.variables[name] = f"{self.variables.get(name, '')} {value}".strip()[:_LONGEST]
        elif operator != "?=" or name not in self.variables:
            self.variables[name] = value if operator in ("=", "?=") else self.expand(value)

    def _include(self, names: str, optional: bool) -> None:
        for name in self.expand(names).split()[:_MOST_FILES]:
            if self.files.text(self.folder, name):
                self.read(name)
            elif not optional:
                self.whole = False
        self._targets = []

    def _rule(self, rule: re.Match[str], path: str) -> None:
        targets, needed = self.expand(rule[1]), self.expand(rule[3])
        self.whole = self.whole and "%" not in rule[1] and "$(" not in needed + targets
        self._targets = targets.split()[:50]
        for target in self._targets:
            self.first = self.first or (target if target[:1] != "." else "")
            wanted = (each for each in needed.replace("|", " ").split() if not re.search(r"[=$]", each))
            self.needs.setdefault(target, []).extend(wanted)
        if rule[4]:
            self._recipe(rule[4].strip(), path)

    def expand(self, text: str, depth: int = 0) -> str:
        """With simple variables filled in; functions stay as they are written.

        What is set nowhere is a variable of the shell: an option behind it is no mark of make.
        """

        def value(found: re.Match[str]) -> str:
            self._budget -= 1
            dollar, name, automatic = found.groups()
            if dollar or automatic:
                return "$" if dollar else "target"
            if name not in self.variables or depth > 8 or self._budget < 0:
                return f"${{{name}}}" if name.isidentifier() else ""
            return self.expand(self.variables[name], depth + 1)

        return _REFERENCE.sub(value, text[:_LONGEST])[:_LONGEST]

    def steps(self, targets: Sequence[str]) -> Iterator[Step]:
        flags, ignoring = self.variables.get("MAKEFLAGS", "").split(), self.needs.get(".IGNORE")
        every = any(re.fullmatch(r"--ignore-errors|-?[A-Za-z]{0,8}i[A-Za-z]{0,8}", each) for each in flags)
        every = every or ignoring == []
        shell = f"{self.variables.get('.SHELLFLAGS', '-c')} {self.variables['SHELL']}"
        for target in targets:
            lines = self.recipes.get(target, ())
            recipe = [(source, *_without_marks(self.expand(text))) for source, text in lines]
            if ".ONESHELL" in self.needs and recipe:
                recipe = [(recipe[0][0], "\n".join(text for _, text, _ in recipe), False)]
            for source, text, dash in recipe:
                ignored = dash or every or target in (ignoring or ())
                if text:
                    yield Step(source, text, self.folder, ignored, shell_options(shell.split()))


def _make(call: Call, folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    at = join(folder, "".join(_values(call, "where")[-1:]))
    file = next((each.value for each in call.settings if each.name == "-f" and each.value), "")
    name = (file or files.first(at, _MAKEFILES)) if at is not None else ""
    if at is None or not name:
        return None
    given = {each.name: each.value for each in call.settings if each.value and _NAME.fullmatch(each.name)}
    rules = _Makefiles(at, files, given)
    rules.read(name)
    targets = call.operands or ((rules.first,) if rules.first else ())
    if not targets or any(target not in rules.needs for target in targets):
        return None
    needed = _with_needs(targets, rules.needs)
    steps = list(dict.fromkeys(rules.steps(needed)))[-_MOST_STEPS:]  # what is asked for comes last
    if rules.whole and all(target in rules.needs or files.text(at, target) for target in needed):
        return steps
    # what nobody wrote is made before the recipe that was asked for, if that is there
    return [Step(name, "", at, unknown="built" if rules.recipes.get(targets[-1]) else "run"), *steps]


def _without_marks(line: str) -> tuple[str, bool]:
    """The command without make's or just's own marks, and whether its status is ignored."""
    text = line.lstrip(" \t@+-")
    return text.strip(), "-" in line[: len(line) - len(text)]


# just

_JUSTFILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_JUST_HEAD = lazy(r"@?(?P<name>[A-Za-z_][\w-]{0,80})(?P<parameters>[^:]{0,400}):(?!=)(?P<needs>.{0,1000})")
_JUST_SHELL = lazy(r"set shell *:= *\[(?P<words>.{0,300})\]")
_JUST_HOLE = lazy(r"\{\{ *([A-Za-z_][\w-]{0,80}) *\}\}")


def _just(call: Call, folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    name = files.first(folder, _JUSTFILES)
    if not name or _has(call, "where", "config", "other"):
        return None
    recipes: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {}
    options: frozenset[str] = frozenset()
    current: list[str] = []
    for line in files.text(folder, name).replace("\\\n", " ").split("\n"):
        shell, head = _JUST_SHELL.match(line), _JUST_HEAD.match(line)
        if line[:1] in (" ", "\t"):
            current += [line.strip()] if line.strip() else []
        elif shell:
            options = shell_options(re.findall(r"[\w-]+", shell["words"]))
        elif head:
            called = re.sub(r"\(\s*([\w-]*)[^)]*\)", r"\1", head["needs"].partition("#")[0])
            needs[head["name"]] = re.findall(r"[A-Za-z_][\w-]*", called)
            current = recipes.setdefault(head["name"], [])
    wanted = call.operands[0] if call.operands else next(iter(recipes), "")
    if wanted not in needs:
        return None
    steps: list[Step] = []
    for each in _with_needs((wanted,), needs):
        source = f"{join(folder, name)} {each}"
        lines = [_JUST_HOLE.sub(r"$\1", line) for line in recipes.get(each, ())]
        shebang = _SHEBANG.match(lines[0]) if lines else None
        if shebang:
            known = shebang["shell"] in _SHELLS
            step = Step(source, "\n".join(lines), folder, unknown="" if known else "run")
            steps.append(step._replace(options=shell_options(lines[0].split())))
            continue
        plain = (_without_marks(line) for line in lines if not line.startswith("#"))
        steps += (Step(source, text, folder, dash, options) for text, dash in plain)
    return steps


# Scripts of package.json, whichever manager or runner of scripts starts them

_ALL_OF = frozenset(("run-s", "run-p", "npm-run-all", "npm-run-all2", "run-pty"))
_BEFORE = frozenset("npx bunx nyc c8 env-cmd dotenv dotenvx infisical doppler corepack".split())
_BARE = frozenset(("quiet", "strict", "where", "mask"))  # effects after which the script is still this one


def _npm(call: Call, words: Sequence[str], folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    at = join(folder, "".join(_values(call, "where")[-1:]))
    plain = all(each.effect in _BARE for each in call.settings) and not call.tool and call.grammar == "npm"
    if at is None or not plain or not call.name.startswith("npm "):
        return None
    given = words[list(words).index("--") + 1 :] if "--" in words else ()
    return _script_of(call.name.removeprefix("npm ").removeprefix("run "), at, files, given) or None


def _script_of(name: str, folder: str, files: ProjectFiles, given: Sequence[str]) -> tuple[Step, ...]:
    scripts = files.table(folder, "package.json", ("scripts",))
    source = f"{join(folder, 'package.json')} scripts."
    texts = {each: scripts.get(each) for each in (f"pre{name}", name, f"post{name}")}
    if not isinstance(texts[name], str):
        return ()
    texts[name] = f"{texts[name]} {shlex.join(given)}".rstrip()
    return tuple(Step(source + each, text, folder) for each, text in texts.items() if isinstance(text, str))


def _scripts_like(patterns: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    """run-s, run-p, npm-run-all: patterns over names."""
    steps: list[Step] = []
    scripts = files.table(folder, "package.json", ("scripts",))
    for pattern in (pattern.split()[0] for pattern in patterns if pattern.strip()):
        names = [name for name in scripts if fnmatch.fnmatchcase(name, pattern)]
        if not names:
            return None  # a name that is not there: we don't know what this runner does
        steps += (step for name in names for step in _script_of(name, folder, files, ()))
    return tuple(steps) or None


# tox runs words, not shell text: `|| true` in a command is an argument there. Sections that others are put
# together from are followed one level; factors are not decided, all their lines may run.

_POSARGS = lazy(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}|\[\]")
_SECTION = lazy(r"\{\[([^\]{}]{1,80})\]([\w-]{1,40})\}")
_FACTOR = lazy(r"[!\w.,{}-]{1,80}: +(?=\S)")
_BRACES = lazy(r"\{([^{}]{0,200})\}")
_MOST_ENVIRONMENTS = 30
_Told = tuple[Step, bool]  # a command, and whether the outcome of its whole environment is ignored
_TRUE = ("true", "1", "yes", "on")


def _tox(call: Call, folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    if _has(call, "config", "where"):
        return None
    chosen = [name for value in _values(call, "target") for name in value.split(",")]
    steps = [*_tox_ini(folder, files, chosen)] or [*_tox_toml(folder, files, chosen)]
    told = [step for step, ignored in steps if not ignored]  # these stand beside others that may fail
    return told or [step._replace(ignored=True) for step, _ in steps] or None


def _tox_ini(folder: str, files: ProjectFiles, chosen: Sequence[str]) -> Iterator[_Told]:
    import configparser

    for name, own in (("tox.ini", "tox"), ("setup.cfg", "tox:tox")):
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(files.text(folder, name))
        except (configparser.Error, ValueError):
            return
        if any(section.startswith(("tox", "testenv")) for section in parser.sections()):
            listed = _option(parser, own, "envlist") or _option(parser, own, "env_list")
            names = chosen or re.split(r"[\s,]+", _BRACES.sub(lambda each: each[1].split(",")[0], listed))
            for environment in _environments(names):
                yield from _tox_section(parser, environment, f"{join(folder, name)} {environment}", folder)
            return


def _environments(names: Sequence[str]) -> list[str]:
    return [each for each in dict.fromkeys(names) if each][:_MOST_ENVIRONMENTS] or ["py"]


def _option(parser: "RawConfigParser", section: str, key: str) -> str:
    return (parser.get(section, key, fallback="") or "") if parser.has_section(section) else ""


def _tox_section(parser: "RawConfigParser", name: str, source: str, folder: str) -> Iterator[_Told]:
    section = f"testenv:{name}" if parser.has_section(f"testenv:{name}") else "testenv"
    commands = _option(parser, section, "commands") or _option(parser, "testenv", "commands")
    commands = _SECTION.sub(lambda found: _option(parser, found[1], found[2]), commands)
    outcome = _option(parser, section, "ignore_outcome") or _option(parser, "testenv", "ignore_outcome")
    for line in map(str.strip, commands.replace("\\\n", " ").splitlines()):
        text = line if line.startswith("-") else _FACTOR.sub("", line, count=1)
        dash = bool(re.match(r"-[ {\w]", text))
        text = _POSARGS.sub(lambda found: found[1] or "", text.removeprefix("-").removeprefix("! ").strip())
        text = text.replace("{envpython}", "python").replace("{envbindir}/", "").replace("{toxinidir}/", "")
        if text and not line.startswith("#"):
            yield Step(source, _as_words(text), folder, dash), outcome.strip().lower() in _TRUE


def _as_words(text: str) -> str:
    """The command as a shell would have to write it."""
    try:
        return shlex.join(shlex.split(text, comments=True))
    except ValueError:
        return "unknown-command"


def _tox_toml(folder: str, files: ProjectFiles, chosen: Sequence[str]) -> Iterator[_Told]:
    for name, keys in (("tox.toml", ()), ("pyproject.toml", ("tool", "tox"))):
        table = files.table(folder, name, keys)
        listed = table.get("env_list")
        names = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
        for environment in _environments(chosen or names) if table else ():
            own = files.table(folder, name, (*keys, "env", environment))
            settings = {**files.table(folder, name, (*keys, "env_run_base")), **own}
            commands = settings.get("commands")
            for command in commands if isinstance(commands, list) else ():
                listed = command if isinstance(command, list) else []
                words = [each for each in listed if isinstance(each, str)]
                text = shlex.join(word for word in words if word not in ("-", "{posargs}"))
                if text:
                    step = Step(f"{join(folder, name)} {environment}", text, folder, words[0] == "-")
                    yield step, settings.get("ignore_outcome") is True


# nox: the `session.run` calls of a noxfile, read as Python syntax and never imported

_SESSION_RUNS = frozenset(("run", "run_always", "run_install"))


def _nox(call: Call, folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    if _has(call, "config", "where", "other"):
        return None
    try:
        tree = ast.parse(files.text(folder, "noxfile.py"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    source, chosen = join(folder, "noxfile.py"), _values(call, "target")
    steps: list[Step] = []
    for session in tree.body:
        if not isinstance(session, ast.FunctionDef) or not _is_session(session, chosen):
            continue
        calls = (node for node in ast.walk(session) if isinstance(node, ast.Call))
        runs = [each for each in calls if getattr(each.func, "attr", "") in _SESSION_RUNS]
        runs.sort(key=lambda node: (node.lineno, node.col_offset))
        name = f"{source} {session.name}"
        steps += (Step(name, _session_text(run), folder, _forgives(run)) for run in runs)
    return steps or None


def _is_session(node: ast.FunctionDef, chosen: Sequence[str]) -> bool:
    for each in node.decorator_list:
        function, keywords = (each.func, each.keywords) if isinstance(each, ast.Call) else (each, [])
        if ast.unparse(function) in ("nox.session", "session", "nox_uv.session"):
            given = {keyword.arg: _constant(keyword.value) for keyword in keywords}
            return (given.get("name") or node.name) in chosen if chosen else given.get("default") is not False
    return False


def _session_text(call: ast.Call) -> str:
    words = [_constant(each) for each in call.args if not isinstance(each, ast.Starred)]
    return " ".join(shlex.quote(each) if isinstance(each, str) else '"$UNKNOWN"' for each in words)


def _forgives(call: ast.Call) -> bool:
    codes = [each.value for each in call.keywords if each.arg == "success_codes"]
    return any(_constant(each) == 1 for code in codes for each in getattr(code, "elts", ()))


def _constant(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None


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
_TASK_TEXTS = ("shell", "cmd", "script", "command", "composite", "sequence", "chain")


def _task(words: Sequence[str], folder: str, files: ProjectFiles) -> Sequence[Step] | None:
    first = program_name(words[0])[0]
    two = " ".join((first, *words[1:2]))
    runner = two if two in _TASKS or two in _PASSED_OVER else first
    rest = list(words[len(runner.split()) :])
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    for file, keys, shell in _TASKS.get(runner, ()) if rest else ():
        table = files.table(folder, file, keys)
        source = f"{join(folder, file)} {'.'.join((*keys, rest[0]))}"
        steps = []
        for text, by_shell in _task_texts(table.get(rest[0]), shell):
            called, plain = text.removeprefix("@"), text.removeprefix("- ").replace("{args}", "")
            if called in table and called != rest[0]:
                plain, by_shell = f"{runner} {called}", False
            steps.append(Step(source, plain if by_shell else _as_words(plain), folder, text.startswith("- ")))
        if steps:
            return steps
    seen = (*MANAGERS, *_SHELLS, "make", "just", "tox", "nox", "poe", "task")  # others say all by their names
    if runner in _PASSED_OVER and rest and (program_name(rest[0])[0] in seen or "/" in rest[0]):
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


_Reader = Callable[[Call, str, ProjectFiles], Sequence[Step] | None]
_READERS: Mapping[str, _Reader] = {"make": _make, "just": _just, "tox": _tox, "nox": _nox}
