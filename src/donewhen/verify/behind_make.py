"""Makefiles: the recipe lines of a target and of all that it needs, with simple variables filled in.

Conditions are not decided and functions not computed: what depends on them stays as it is written, which a
shell reader takes for unknown. Nothing is run, and no file outside the project is read.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Ground, Step, join, shell_options

_FILES = ("GNUmakefile", "makefile", "Makefile")
_ASSIGN = lazy(r" *(?:(?:export|override|private) +)*([\w.-]{1,80})[ \t]*(::?:?=|\?=|\+=|!=|=)[ \t]*(.*)")
_RULE = lazy(r"([^\t#=:][^=:]{0,2000}?)[ \t]*(::?)(?!=)([^;=]{0,4000})(?:;(.*))?")
_INCLUDE = lazy(r" *(-|s)?include[ \t]+(.+)")
_CONDITION = lazy(r" *(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b.*")
_NAME = lazy(r"[\w.-]{1,80}")
_MOST_STEPS = 200  # from either end: what is asked for comes last
_BUILT_IN = {
    "MAKE": "make", "CURDIR": ".", "SHELL": "/bin/sh", "RM": "rm -f", "CC": "cc", "CXX": "g++", "AR": "ar",
    "LD": "ld", "AS": "as", "CPP": "cc -E", "FC": "f77", "LEX": "lex", "YACC": "yacc", "INSTALL": "install",
}  # fmt: skip
_UNSET = lazy(r"(?P<marks>[ \t@+-]*)\$[({](?P<name>[A-Za-z_]\w{0,79})[)}](?P<rest>.*)", re.DOTALL)
_MOST_FILES = 12
_MOST_EXPANSIONS = 2000
_LONGEST = 16_384


class Recipe(NamedTuple):
    source: str
    text: str


class Rules:
    """What the makefiles of one folder say."""

    def __init__(self, folder: str, ground: Ground) -> None:
        self.folder, self.ground = folder, ground
        self.variables: dict[str, str] = dict(_BUILT_IN)
        self.recipes: dict[str, list[Recipe]] = {}
        self.needs: dict[str, list[str]] = {}
        self.whole = True  # every file was read, and no rule is made up by patterns or functions
        self.first = ""
        self._targets: list[str] = []
        self._files = 0
        self._budget = _MOST_EXPANSIONS

    def read(self, path: str) -> None:
        text = self.ground.text(path)
        self._files += 1
        if text is None or self._files > _MOST_FILES:
            self.whole = False
            return
        self._targets = []
        defining = False
        for line in text.replace("\r\n", "\n").replace("\\\n", "\\\0").split("\n"):
            defining = self._defining(line, defining)
            if not defining:
                self._line(line, path)

    def _defining(self, line: str, defining: bool) -> bool:
        word = line.split(maxsplit=1)[0] if line.strip() and not line.startswith("\t") else ""
        if word in ("define", "endef"):
            self.whole = False
        return word == "define" or (defining and word != "endef")

    def _line(self, line: str, path: str) -> None:
        prefix = self.variables.get(".RECIPEPREFIX", "\t")[:1] or "\t"
        if line.startswith(prefix) and self._targets:
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
            self.recipes.setdefault(target, []).append(Recipe(f"{path} {target}", text))

    def _assign(self, name: str, operator: str, value: str) -> None:
        if operator == "!=":
            self.variables[name] = f"$(shell {value})"
        elif operator == "+=":
            self.variables[name] = f"{self.variables.get(name, '')} {value}".strip()[:_LONGEST]
        elif operator != "?=" or name not in self.variables:
            self.variables[name] = value if operator in ("=", "?=") else self.expand(value)

    def _include(self, names: str, optional: bool) -> None:
        for name in self.expand(names).split()[:_MOST_FILES]:
            path = join(self.folder, name)
            if path is not None and self.ground.is_file(path):
                self.read(path)
            elif not optional or path is None:
                self.whole = False
        self._targets = []

    def _rule(self, rule: re.Match[str], path: str) -> None:
        targets, needed = self.expand(rule[1]).split(), self.expand(rule[3])
        if "%" in rule[1] or "$(" in needed or "$(" in " ".join(targets):
            self.whole = False
        self._targets = targets[:50]
        for target in self._targets:
            self.first = self.first or (target if target[:1] != "." else "")
            wanted = [each for each in needed.replace("|", " ").split() if "=" not in each]
            self.needs.setdefault(target, []).extend(wanted)
        if rule[4]:
            self._recipe(rule[4].strip(), path)

    def expand(self, text: str, depth: int = 0) -> str:
        """The text with simple variables filled in; `$$` is the shell's own dollar."""
        out: list[str] = []
        at = 0
        while at < len(text) and sum(map(len, out)) < _LONGEST:
            dollar = text.find("$", at)
            if dollar < 0 or dollar + 1 >= len(text):
                out.append(text[at:])
                break
            out.append(text[at:dollar])
            part, at = self._reference(text, dollar + 1, depth)
            out.append(part)
        return "".join(out)[:_LONGEST]

    def _reference(self, text: str, at: int, depth: int) -> tuple[str, int]:
        self._budget -= 1
        letter = text[at]
        if letter == "$":
            return "$", at + 1
        if letter not in "({":
            return ("target" if letter in "@<^?*+" else self.variables.get(letter, "")), at + 1
        end = _closing(text, at)
        inner = text[at + 1 : end]
        if not _NAME.fullmatch(inner) or depth > 8 or self._budget < 0:
            return f"$({inner})", end + 1  # a function: for the shell it is a text that nobody knows
        return self.expand(self.variables.get(inner, ""), depth + 1), end + 1


def make(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The recipe lines that `make …` would run, prerequisites first; None when that is not known."""
    if program_name(words[0])[0] != "make":
        return None
    call = name_call(tuple(Word(word) for word in words))
    where = [each.value for each in call.settings if each.effect == "where" and each.value]
    file = next((each.value for each in call.settings if each.name == "-f" and each.value), "")
    at = join(folder, where[-1]) if where else folder
    path = None if at is None else join(at, file) if file else ground.first(at, _FILES)
    if at is None or not path:
        return None
    rules = Rules(at, ground)
    for setting in call.settings:
        if _NAME.fullmatch(setting.name) and setting.value is not None:
            rules.variables[setting.name] = setting.value
    given = dict(rules.variables)
    rules.read(path)
    rules.variables |= {name: value for name, value in given.items() if _BUILT_IN.get(name) != value}
    targets = call.operands or ((rules.first,) if rules.first else ())
    if not targets or any(target not in rules.needs for target in targets):
        return None
    steps = tuple(dict.fromkeys(_steps(rules, targets)))
    if len(steps) > 2 * _MOST_STEPS:
        left_out = Step(path, "", at, left_out=True)
        steps = (*steps[:_MOST_STEPS], left_out, *steps[-_MOST_STEPS:])
    if rules.whole and not any(_implicit(rules, target) for target in _ordered(rules, targets)):
        return steps
    unknown = Step(path, "", at, unknown=True)
    if rules.recipes.get(targets[-1]):  # what nobody wrote is made before
        return (unknown, *steps)
    return (*steps, unknown) if steps else None


def _steps(rules: Rules, targets: Sequence[str]) -> Iterator[Step]:
    ignoring = _ignored(rules)
    for target in _ordered(rules, targets):
        recipes = rules.recipes.get(target, [])
        ignored = target in ignoring or "" in ignoring
        if ".ONESHELL" in rules.needs and recipes:
            text = "\n".join(_line(rules, each.text)[0] for each in recipes)
            yield Step(recipes[0].source, text, rules.folder, ignored, _options(rules))
            continue
        for recipe in recipes:
            text, dash = _line(rules, recipe.text)
            if text:
                yield Step(recipe.source, text, rules.folder, ignored or dash, _options(rules))


def _ordered(rules: Rules, targets: Sequence[str]) -> list[str]:
    """The targets and what they need, each once, needs first."""
    done: dict[str, None] = {}
    stack = [(target, False) for target in reversed(targets)]
    entered: set[str] = set()
    while stack:
        target, left = stack.pop()
        if left:
            done[target] = None
        elif target not in entered and len(entered) < 500:
            entered.add(target)
            stack.append((target, True))
            stack.extend((need, False) for need in reversed(rules.needs.get(target, [])))
    return list(done)


def _implicit(rules: Rules, target: str) -> bool:
    """Is it made by a rule that stands nowhere in these files?"""
    path = join(rules.folder, target)
    return target not in rules.needs and not (path and rules.ground.is_file(path))


def _ignored(rules: Rules) -> set[str]:
    """Targets whose errors are ignored; an empty name: all of them."""
    names = set(rules.needs.get(".IGNORE", ())) or ({""} if ".IGNORE" in rules.needs else set())
    flags = rules.variables.get("MAKEFLAGS", "").split()
    bundled = any(re.fullmatch(r"-?[A-Za-z]{1,8}", flag) and "i" in flag for flag in flags)
    return names | {""} if bundled or "--ignore-errors" in flags else names


def _line(rules: Rules, line: str) -> tuple[str, bool]:
    """The command without make's own marks, and whether its status is ignored.

    A program that only the environment names stays a variable: without it an option would come first, and its
    `-` would look like a mark.
    """
    unset = _UNSET.fullmatch(line)
    if unset and unset["name"] not in rules.variables:
        dash = "-" in unset["marks"]
        return f"${{{unset['name']}}}{rules.expand(unset['rest'])}", dash
    return _taken(rules.expand(line))


def _taken(line: str) -> tuple[str, bool]:
    marks = re.match(r"[ \t@+-]*", line)
    taken = marks[0] if marks else ""
    return line[len(taken) :].strip(), "-" in taken


def _options(rules: Rules) -> frozenset[str]:
    return shell_options(f"{rules.variables.get('.SHELLFLAGS', '-c')} {rules.variables['SHELL']}".split())


def _closing(text: str, at: int) -> int:
    opening, closing, depth = text[at], ")" if text[at] == "(" else "}", 0
    for position in range(at, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if not depth:
            return position
    return len(text)
