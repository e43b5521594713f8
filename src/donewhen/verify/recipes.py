"""What stands behind a name: make targets, just recipes, tox and nox, scripts of package.json, tasks, scripts.

Each reader turns the words of a command into the texts that would be run, one `Step` for each shell. Files are
read, never run, and none outside the project. Conditions are not decided and functions not computed; what can't
be read is said to be unknown.
"""

import ast
import fnmatch
import json
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from donewhen.config.files import read_regular
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
        """The first of the names that is a file in the folder."""
        return next((name for name in names if self.is_file(folder, name)), "")

    def is_file(self, folder: str, name: str) -> bool:
        found = self._inside(join(folder, name) or "")
        try:
            return found is not None and stat.S_ISREG(found.stat().st_mode)
        except (OSError, ValueError):
            return False

    def json(self, folder: str, name: str) -> dict[str, Any]:
        try:
            data = json.loads(self.text(folder, name) or "null")
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}

    def toml(self, folder: str, name: str) -> dict[str, Any]:
        text = self.text(folder, name)
        if any(line.count(".") > 200 for line in text.splitlines()):  # a key of many parts costs their square
            return {}
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError):
            return {}

    def _inside(self, path: str) -> Path | None:
        short = relative(path)
        try:
            real = Path(os.path.realpath(self.root / short)) if short else None
        except (OSError, ValueError):
            return None
        return real if real is not None and real.is_relative_to(self._real) else None

    def _read(self, path: str) -> str:
        found = self._inside(path)
        try:
            read = found and read_regular(found, path, largest=_LARGEST_FILE, follow=False)
        except DonewhenError:
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
    return next((steps for read in _READERS if (steps := read(words, folder, files)) is not None), None)


def _call(words: Sequence[str]) -> Call:
    return name_call(tuple(Word(word) for word in words))


def _at(table: object, keys: Sequence[str]) -> dict[str, Any]:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _with_needs(wanted: Sequence[str], needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The names and what they need, each once, needs first."""
    done: dict[str, None] = {}
    entered: set[str] = set()
    stack = [(name, False) for name in reversed(wanted)]
    while stack:
        name, left = stack.pop()
        if left:
            done[name] = None
        elif name not in entered and len(entered) < 500:
            entered.add(name)
            stack.append((name, True))
            stack.extend((need, False) for need in reversed(needs.get(name, ())))
    return list(done)


def shell_options(words: Sequence[str]) -> frozenset[str]:
    """What the words after a shell's name, or of a `#!` line, switch on."""
    errexit = "errexit" in words or any(re.fullmatch(r"-[a-z]{0,8}e[a-z]{0,8}", word) for word in words)
    return frozenset((["errexit"] if errexit else []) + (["pipefail"] if "pipefail" in words else []))


# Shell scripts of the repository

_SHELLS = frozenset("sh bash dash ash ksh zsh".split())
_SHEBANG = lazy(
    r"#![ \t]*(?:/\S{0,80}/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?P<shell>\w{1,20})(?P<flags>[^\n]{0,80})"
)


def _script(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
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
    """The options of the shell, and the file; no file where the text comes from elsewhere."""
    flags: list[str] = []
    rest = list(words)
    while rest and rest[0][:1] in ("-", "+"):
        flags.append(rest.pop(0))
        if re.fullmatch(r"-[a-z]*[cs][a-z]*", flags[-1]):
            return flags, ""
        if re.fullmatch(r"[-+][a-z]*o", flags[-1]) and rest:
            flags.append(rest.pop(0))
    return flags, rest[0] if rest else ""


# make

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_ASSIGN = lazy(r" *(?:(?:export|override|private) +)*([\w.-]{1,80})[ \t]*(::?:?=|\?=|\+=|!=|=)[ \t]*(.*)")
_RULE = lazy(r"([^\t#=:][^=:]{0,2000}?)[ \t]*(::?)(?!=)([^;=]{0,4000})(?:;(.*))?")
_INCLUDE = lazy(r" *(-|s)?include[ \t]+(.+)")
_CONDITION = lazy(r" *(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b.*")
_NAME = lazy(r"[\w.-]{1,80}")
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
        defining = False
        for line in text.replace("\\\n", "\\\0").split("\n"):
            word = line.split(maxsplit=1)[0] if line.strip() and not line.startswith("\t") else ""
            self.whole = self.whole and word != "define"
            defining = word == "define" or (defining and word != "endef")
            if not defining and word != "endef":
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
        else:
            self.whole = False

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
            if self.files.is_file(self.folder, name):
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
        """With simple variables filled in; `$$` is the shell's own dollar, and so is who is set nowhere."""
        out: list[str] = []
        at = 0
        while at < len(text) and sum(map(len, out)) < _LONGEST:
            dollar = text.find("$", at)
            if dollar < 0 or dollar + 1 >= len(text):
                out.append(text[at:])
                break
            part, end = self._reference(text, dollar + 1, depth)
            out += text[at:dollar], part
            at = end
        return "".join(out)[:_LONGEST]

    def _reference(self, text: str, at: int, depth: int) -> tuple[str, int]:
        self._budget -= 1
        letter = text[at]
        if letter == "$":
            return "$", at + 1
        if letter not in "({":
            return ("target" if letter in "@<^?*+" else self.variables.get(letter, "")), at + 1
        end = _closing(text, at)
        name = text[at + 1 : end]
        if not _NAME.fullmatch(name) or depth > 8 or self._budget < 0:
            return f"$({name})", end + 1  # a function: for the shell it is a text that nobody knows
        if name not in self.variables:
            return f"${{{name}}}" if name.isidentifier() else "", end + 1
        return self.expand(self.variables[name], depth + 1), end + 1

    def steps(self, targets: Sequence[str]) -> Iterator[Step]:
        flags = self.variables.get("MAKEFLAGS", "").split()
        every = "--ignore-errors" in flags or any(re.fullmatch(r"-?[A-Za-z]{0,8}i\w{0,8}", f) for f in flags)
        ignoring = self.needs.get(".IGNORE")
        every = every or ignoring == []
        shell = f"{self.variables.get('.SHELLFLAGS', '-c')} {self.variables['SHELL']}"
        for target in targets:
            recipe = [
                (source, *_without_marks(self.expand(text))) for source, text in self.recipes.get(target, ())
            ]
            if ".ONESHELL" in self.needs and recipe:
                recipe = [(recipe[0][0], "\n".join(text for _, text, _ in recipe), False)]
            for source, text, dash in recipe:
                ignored = dash or every or target in (ignoring or ())
                if text:
                    yield Step(source, text, self.folder, ignored, shell_options(shell.split()))


def _make(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    if program_name(words[0])[0] != "make":
        return None
    call = _call(words)
    where = [each.value for each in call.settings if each.effect == "where" and each.value]
    file = next((each.value for each in call.settings if each.name == "-f" and each.value), "")
    at = join(folder, where[-1]) if where else folder
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
    if rules.whole and all(target in rules.needs or files.is_file(at, target) for target in needed):
        return tuple(steps)
    # what nobody wrote is made before the recipe that was asked for, if that is there
    return (Step(name, "", at, unknown="built" if rules.recipes.get(targets[-1]) else "run"), *steps)


def _without_marks(line: str) -> tuple[str, bool]:
    """The command without make's or just's own marks, and whether its status is ignored."""
    text = line.lstrip(" \t@+-")
    return text.strip(), "-" in line[: len(line) - len(text)]


def _closing(text: str, at: int) -> int:
    opening, closing, depth = text[at], ")" if text[at] == "(" else "}", 0
    for position in range(at, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if not depth:
            return position
    return len(text)


# just

_JUSTFILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_JUST_HEAD = lazy(r"@?(?P<name>[A-Za-z_][\w-]{0,80})(?P<parameters>[^:]{0,400}):(?!=)(?P<needs>.{0,1000})")
_JUST_VALUE = lazy(r"(?:export )?(?P<name>[A-Za-z_][\w-]{0,80}) *:= *(?P<value>'[^']*'|\"[^\"\\]*\")")
_JUST_ALIAS = lazy(r"alias (?P<name>[\w-]{1,80}) *:= *(?P<recipe>[\w-]{1,80})")
_JUST_SHELL = lazy(r"set shell *:= *\[(?P<words>.{0,300})\]")
_JUST_DEFAULT = lazy(r"[$*+]?([A-Za-z_][\w-]{0,80})=(?:'([^']*)'|\"([^\"\\]*)\")")
_JUST_HOLE = lazy(r"\{\{ *([A-Za-z_][\w-]{0,80}) *\}\}")


def _just(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    if program_name(words[0])[0] != "just":
        return None
    call = _call(words)
    name = files.first(folder, _JUSTFILES)
    if not name or any(each.effect in ("where", "config", "other") for each in call.settings):
        return None
    recipes: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    options: frozenset[str] = frozenset()
    current: list[str] = []
    for line in files.text(folder, name).replace("\\\n", " ").split("\n"):
        assign, alias, shell, head = (
            each.match(line) for each in (_JUST_VALUE, _JUST_ALIAS, _JUST_SHELL, _JUST_HEAD)
        )
        if line[:1] in (" ", "\t"):
            current.append(line.strip())
        elif assign:
            values[assign["name"]] = assign["value"][1:-1]
        elif alias:
            needs[alias["name"]] = [alias["recipe"]]
        elif shell:
            options = shell_options(re.findall(r"[\w-]+", shell["words"]))
        elif head and line[:1] != "#":
            values |= {each: one or two for each, one, two in _JUST_DEFAULT.findall(head["parameters"])}
            called = re.sub(r"\(\s*([\w-]*)[^)]*\)", r"\1", head["needs"].partition("#")[0])
            needs[head["name"]] = re.findall(r"[A-Za-z_][\w-]*", called)
            current = recipes.setdefault(head["name"], [])
    wanted = call.operands[0] if call.operands else next(iter(recipes), "")
    if wanted not in needs:
        return None

    def filled(line: str) -> str:
        return _JUST_HOLE.sub(lambda hole: values.get(hole[1], "$" + hole[1].replace("-", "_")), line)

    steps: list[Step] = []
    for each in _with_needs((wanted,), needs):
        source = f"{join(folder, name)} {each}"
        lines = [line for line in recipes.get(each, ()) if line]
        shebang = _SHEBANG.match(lines[0]) if lines else None
        if shebang:
            known = shebang["shell"] in _SHELLS
            text = "\n".join(map(filled, lines)) if known else ""
            steps.append(
                Step(
                    source,
                    text,
                    folder,
                    options=shell_options(lines[0].split()),
                    unknown="" if known else "run",
                )
            )
            continue
        for text, dash in (_without_marks(line) for line in lines if not line.startswith("#")):
            steps.append(Step(source, filled(text), folder, dash, options))
    return tuple(steps[:_MOST_STEPS])


# Scripts of package.json, whichever manager or runner of scripts starts them

_ALL_OF = frozenset(("run-s", "run-p", "npm-run-all", "npm-run-all2", "run-pty"))
_BEFORE = frozenset("npx bunx nyc c8 env-cmd dotenv dotenvx infisical doppler corepack".split())
_BARE = frozenset(("quiet", "strict", "where", "mask"))  # effects after which the script is still this one


def _node(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    if program_name(words[0])[0] in _BEFORE:  # `nyc npm run unit` hands the status on
        starts = (at for at, word in enumerate(words) if program_name(word)[0] in (*MANAGERS, *_ALL_OF))
        words = words[next(starts, 0) :]
    program = program_name(words[0])[0]
    if program in _ALL_OF:
        return _scripts_like([word for word in words[1:] if not word.startswith("-")], folder, files)
    call = _call(words)
    if program not in MANAGERS or call.tool or call.grammar != "npm" or not call.name.startswith("npm "):
        return None
    where = [each.value for each in call.settings if each.effect == "where" and each.value]
    at = join(folder, where[-1]) if where else folder
    if at is None or any(each.effect not in _BARE for each in call.settings):
        return None
    script = call.name.removeprefix("npm ").removeprefix("run ")
    return _script_of(script, at, files, _given(words, script)) or None


def _given(words: Sequence[str], script: str) -> Sequence[str]:
    """What the script is given: after `--` with npm, after its name with the others."""
    if "--" in words:
        return words[list(words).index("--") + 1 :]
    if program_name(words[0])[0] == "npm":
        return ()
    named = [at for at, word in enumerate(words) if at and word in (script, "t", "tst")]
    return words[named[0] + 1 :] if named else ()


def _script_of(name: str, folder: str, files: ProjectFiles, given: Sequence[str] = ()) -> tuple[Step, ...]:
    scripts = _at(files.json(folder, "package.json"), ("scripts",))
    source = f"{join(folder, 'package.json')} scripts."
    texts = {each: scripts.get(each) for each in (f"pre{name}", name, f"post{name}")}
    if not isinstance(texts[name], str):
        return ()
    texts[name] = f"{texts[name]} {shlex.join(given)}".rstrip()
    return tuple(Step(source + each, text, folder) for each, text in texts.items() if isinstance(text, str))


def _scripts_like(patterns: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    """run-s, run-p, npm-run-all: patterns over names."""
    steps: list[Step] = []
    scripts = _at(files.json(folder, "package.json"), ("scripts",))
    for pattern in (pattern.split()[0] for pattern in patterns if pattern.strip()):
        names = [name for name in scripts if fnmatch.fnmatchcase(name, pattern)]
        if not names:
            return None  # a name that is not there: we don't know what this runner does
        steps += (step for name in names for step in _script_of(name, folder, files))
    return tuple(steps[:_MOST_STEPS]) or None


# tox runs words, not shell text: `|| true` in a command is an argument there. Sections that others are put
# together from are followed one level; factors are not decided, all their lines may run.

_POSARGS = lazy(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}|\[\]")
_REFERENCE = lazy(r"\{\[([^\]{}]{1,80})\]([\w-]{1,40})\}")
_FACTOR = lazy(r"[!\w.,{}-]{1,80}: +(?=\S)")
_BRACES = lazy(r"\{([^{}]{0,200})\}")
_MOST_ENVIRONMENTS = 30
_TRUE = ("true", "1", "yes", "on")


def _tox(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    if program_name(words[0])[0] != "tox":
        return None
    call = _call(words)
    if any(each.effect in ("config", "where") for each in call.settings):
        return None
    targets = [each.value or "" for each in call.settings if each.effect == "target"]
    chosen = [name for target in targets for name in target.split(",")]
    steps = [*_tox_ini(folder, files, chosen)] or [*_tox_toml(folder, files, chosen)]
    told = [
        step for step, ignored in steps if not ignored
    ]  # one that may fail stands beside those that may not
    return tuple(told or (step._replace(ignored=True) for step, _ in steps)) or None


def _tox_ini(folder: str, files: ProjectFiles, chosen: Sequence[str]) -> Iterator[tuple[Step, bool]]:
    """The commands of each environment, and whether the outcome of the whole environment is ignored."""
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


def _tox_section(
    parser: "RawConfigParser", name: str, source: str, folder: str
) -> Iterator[tuple[Step, bool]]:
    section = f"testenv:{name}" if parser.has_section(f"testenv:{name}") else "testenv"
    commands = _option(parser, section, "commands") or _option(parser, "testenv", "commands")
    commands = _REFERENCE.sub(lambda found: _option(parser, found[1], found[2]), commands)
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


def _tox_toml(folder: str, files: ProjectFiles, chosen: Sequence[str]) -> Iterator[tuple[Step, bool]]:
    for name, keys in (("tox.toml", ()), ("pyproject.toml", ("tool", "tox"))):
        table = _at(files.toml(folder, name), keys)
        listed = table.get("env_list")
        names = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
        for environment in _environments(chosen or names) if table else ():
            settings = {**_at(table, ("env_run_base",)), **_at(table, ("env", environment))}
            commands = settings.get("commands")
            for command in commands if isinstance(commands, list) else ():
                words = (
                    [each for each in command if isinstance(each, str)] if isinstance(command, list) else []
                )
                text = shlex.join(word for word in words if word not in ("-", "{posargs}"))
                source = f"{join(folder, name)} {environment}"
                if text:
                    yield (
                        Step(source, text, folder, words[0] == "-"),
                        settings.get("ignore_outcome") is True,
                    )


# nox: the `session.run` calls of a noxfile, read as Python syntax and never imported

_SESSION_RUNS = frozenset(("run", "run_always", "run_install"))


def _nox(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    if program_name(words[0])[0] != "nox":
        return None
    call = _call(words)
    if any(each.effect in ("config", "where", "other") for each in call.settings):
        return None
    try:
        tree = ast.parse(files.text(folder, "noxfile.py"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    chosen = {each.value for each in call.settings if each.effect == "target" and each.value}
    source = join(folder, "noxfile.py")
    sessions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_session(node, chosen)]
    return (
        tuple(
            Step(f"{source} {session.name}", _session_text(call), folder, _forgives(call))
            for session in sessions
            for call in _session_runs(session)
        )
        or None
    )


def _is_session(node: ast.FunctionDef, chosen: set[str]) -> bool:
    for each in node.decorator_list:
        function, keywords = (each.func, each.keywords) if isinstance(each, ast.Call) else (each, [])
        if ast.unparse(function) in ("nox.session", "session", "nox_uv.session"):
            given = {keyword.arg: _literal(keyword.value) for keyword in keywords}
            named = given.get("name") or node.name
            return named in chosen if chosen else given.get("default") is not False
    return False


def _session_runs(session: ast.FunctionDef) -> list[ast.Call]:
    calls = (node for node in ast.walk(session) if isinstance(node, ast.Call))
    runs = (
        each for each in calls if isinstance(each.func, ast.Attribute) and each.func.attr in _SESSION_RUNS
    )
    return sorted(runs, key=lambda node: (node.lineno, node.col_offset))


def _session_text(call: ast.Call) -> str:
    words = [_literal(each) for each in call.args if not isinstance(each, ast.Starred)]
    return " ".join(shlex.quote(each) if isinstance(each, str) else '"$UNKNOWN"' for each in words)


def _forgives(call: ast.Call) -> bool:
    codes = next((_literal(each.value) for each in call.keywords if each.arg == "success_codes"), None)
    return isinstance(codes, list | tuple) and 1 in codes


def _literal(node: ast.AST) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


# Tasks that project managers keep by name. A runner that only finds a program (`uv run`) is passed over.

_TASKS: Mapping[str, tuple[tuple[str, tuple[str, ...], bool], ...]] = {  # file, keys, run by a shell
    "hatch run": (
        ("pyproject.toml", ("tool", "hatch", "envs", "default", "scripts"), True),
        ("hatch.toml", ("envs", "default", "scripts"), True),
    ),
    "pdm run": (("pyproject.toml", ("tool", "pdm", "scripts"), False),),
    "rye run": (("pyproject.toml", ("tool", "rye", "scripts"), False),),
    "pixi run": (("pixi.toml", ("tasks",), True), ("pyproject.toml", ("tool", "pixi", "tasks"), True)),
    "pipenv run": (("Pipfile", ("scripts",), False),),
    "poe": (("pyproject.toml", ("tool", "poe", "tasks"), False),),
    "task": (("pyproject.toml", ("tool", "taskipy", "tasks"), True),),
    "composer": (("composer.json", ("scripts",), True),),
    "composer run": (("composer.json", ("scripts",), True),),
    "composer run-script": (("composer.json", ("scripts",), True),),
    "deno task": (("deno.json", ("tasks",), True), ("deno.jsonc", ("tasks",), True)),
}
_PASSED_OVER = ("uv run", "poetry run", "pdm run", "hatch run", "rye run", "pipenv run", "pixi run", "uvx")
_TASK_TEXTS = ("shell", "cmd", "script", "command", "composite", "sequence", "chain")


def _tasks(words: Sequence[str], folder: str, files: ProjectFiles) -> tuple[Step, ...] | None:
    first = program_name(words[0])[0]
    two = " ".join((first, *words[1:2]))
    runner = two if two in _TASKS or two in _PASSED_OVER else first
    rest = list(words[len(runner.split()) :])
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    for file, keys, shell in _TASKS.get(runner, ()) if rest else ():
        data = files.json(folder, file) if ".json" in file else files.toml(folder, file)
        table = _at(data, keys)
        source = f"{join(folder, file)} {'.'.join(keys)}."
        texts = _task(rest[0], table, shell)
        steps = tuple(Step(source + name, text, folder, ignored) for name, text, ignored in texts)
        if steps:
            return steps[:_MOST_STEPS]
    if runner in _PASSED_OVER and rest and (_is_looked_into(rest[0]) or "/" in rest[0]):
        return (Step(f"{runner} …", shlex.join(rest), folder),)
    return None


def _is_looked_into(program: str) -> bool:
    """A plain program says all by its own name."""
    return program_name(program)[0] in (*MANAGERS, *_SHELLS, "make", "just", "tox", "nox", "poe", "task")


def _task(
    name: str, table: Mapping[str, Any], shell: bool, depth: int = 0
) -> Iterator[tuple[str, str, bool]]:
    """Name, text and whether the status is ignored of each line; tasks that call others are followed."""
    for text, by_shell in _task_texts(table.get(name), shell):
        called = text.removeprefix("@")
        if called in table and called != name and depth < 4:
            yield from _task(called, table, shell, depth + 1)
            continue
        plain = text.removeprefix("- ").replace("{args}", "").replace("{env:", "{")
        yield name, plain if by_shell else _as_words(plain), text.startswith("- ")


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


_READERS: tuple[Callable[[Sequence[str], str, ProjectFiles], tuple[Step, ...] | None], ...] = (
    _node, _make, _just, _tox, _nox, _tasks, _script,
)  # fmt: skip
