"""justfiles: the lines of a recipe and of its dependencies; each line has a shell of its own."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Ground, Step, shell_options

_FILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_HEAD = lazy(r"@?(?P<name>[A-Za-z_][\w-]{0,80})(?P<parameters>[^:]{0,400}):(?!=)(?P<needs>.{0,1000})")
_ASSIGN = lazy(r"(?:export )?(?P<name>[A-Za-z_][\w-]{0,80}) *:= *(?P<value>'[^']*'|\"[^\"\\]*\")")
_ALIAS = lazy(r"alias (?P<name>[\w-]{1,80}) *:= *(?P<recipe>[\w-]{1,80})")
_SHELL = lazy(r"set shell *:= *\[(?P<words>.{0,300})\]")
_DEFAULT = lazy(r"[$*+]?([A-Za-z_][\w-]{0,80})=(?:'([^']*)'|\"([^\"\\]*)\")")
_HOLE = lazy(r"\{\{ *([A-Za-z_][\w-]{0,80}) *\}\}")
_WORD = lazy(r"[A-Za-z_][\w-]{0,80}")
_MOST_RECIPES = 40


class _Recipe(NamedTuple):
    needs: tuple[str, ...]
    values: dict[str, str]
    lines: list[str]


class _File(NamedTuple):
    recipes: dict[str, _Recipe]
    values: dict[str, str]
    aliases: dict[str, str]
    options: frozenset[str]
    first: str


def just(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The lines that `just …` would run; None when that is not known."""
    if program_name(words[0])[0] != "just":
        return None
    call = name_call(tuple(Word(word) for word in words))
    if any(each.effect in ("where", "config", "other") for each in call.settings):
        return None
    path = ground.first(folder, _FILES)
    text = ground.text(path) if path else None
    if text is None:
        return None
    file = _read(text)
    wanted = call.operands[0] if call.operands else file.first
    wanted = file.aliases.get(wanted, wanted)
    if wanted not in file.recipes:
        return None
    return tuple(step for name in _ordered(file, wanted) for step in _steps(file, name, path, folder))


def _read(text: str) -> _File:
    recipes: dict[str, _Recipe] = {}
    values: dict[str, str] = {}
    aliases: dict[str, str] = {}
    options: frozenset[str] = frozenset()
    current: _Recipe | None = None
    for line in text.replace("\r\n", "\n").replace("\\\n", " ").split("\n"):
        if current is not None and line[:1] in (" ", "\t"):
            current.lines.append(line.strip())
            continue
        assign, alias, shell, head = (each.match(line) for each in (_ASSIGN, _ALIAS, _SHELL, _HEAD))
        if assign:
            values[assign["name"]] = assign["value"][1:-1]
        elif alias:
            aliases[alias["name"]] = alias["recipe"]
        elif shell:
            options = shell_options(re.findall(r"[\w-]+", shell["words"]))
        elif head and line[:1] != "#":
            defaults = {name: one or two for name, one, two in _DEFAULT.findall(head["parameters"])}
            needs = tuple(_WORD.findall(re.sub(r"\([^)]*\)", _called, head["needs"].partition("#")[0])))
            current = _Recipe(needs, defaults, [])
            recipes.setdefault(head["name"], current)
    return _File(recipes, values, aliases, options, next(iter(recipes), ""))


def _called(group: re.Match[str]) -> str:
    """`(build "debug")` depends on build."""
    found = _WORD.search(group[0])
    return found[0] if found else ""


def _ordered(file: _File, wanted: str) -> list[str]:
    done: dict[str, None] = {}
    stack, entered = [(wanted, False)], set[str]()
    while stack:
        name, left = stack.pop()
        if left:
            done[name] = None
        elif name in file.recipes and name not in entered and len(entered) < _MOST_RECIPES:
            entered.add(name)
            stack.append((name, True))
            stack.extend((need, False) for need in reversed(file.recipes[name].needs))
    return list(done)


def _steps(file: _File, name: str, path: str, folder: str) -> Iterator[Step]:
    recipe = file.recipes[name]
    values = {**file.values, **recipe.values}

    def filled(line: str) -> str:
        return _HOLE.sub(lambda hole: values.get(hole[1], "$" + hole[1].replace("-", "_")), line)

    source = f"{path} {name}"
    lines = [line for line in recipe.lines if line]
    if lines and lines[0].startswith("#!"):
        if re.match(r"#!.{0,60}\b(?:ba|da|k|z)?sh\b", lines[0]):
            yield Step(source, "\n".join(map(filled, lines)), folder, options=shell_options(lines[0].split()))
        else:
            yield Step(source, "", folder, unknown=True)
        return
    for line in lines:
        marks = re.match(r"[@-]*", line)
        taken = marks[0] if marks else ""
        if line[len(taken) :].strip() and not line.startswith("#"):
            yield Step(source, filled(line[len(taken) :].strip()), folder, "-" in taken, file.options)
