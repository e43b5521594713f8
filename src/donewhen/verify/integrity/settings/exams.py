"""The commands that a project keeps by name: scripts, targets, environments, recipes, tasks, CI steps.

One file gives the names that stand in it, each with its line; what a name comes to is followed elsewhere.
"""

import ast
import re
import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.tree import Word
from donewhen.verify.behind_make import Rules
from donewhen.verify.behind_model import Ground, Step
from donewhen.verify.behind_naming import is_exam
from donewhen.verify.integrity.settings.formats import read_toml, read_yaml_text
from donewhen.verify.integrity.settings.javascript import read_json
from donewhen.verify.integrity.settings.model import Leaf, Unread, spelt

_MAKEFILES = ("gnumakefile", "makefile")
_RECIPE = re.compile(r"@?(?P<name>[A-Za-z_][\w-]{0,80})[^:=\n]{0,400}:(?!=).{0,1000}")
_TASKS = {
    "pyproject.toml": (
        (("tool", "poe", "tasks"), "poe"),
        (("tool", "taskipy", "tasks"), "task"),
        (("tool", "pdm", "scripts"), "pdm run"),
        (("tool", "hatch", "envs", "default", "scripts"), "hatch run"),
        (("tool", "rye", "scripts"), "rye run"),
        (("tool", "pixi", "tasks"), "pixi run"),
    ),
    "hatch.toml": ((("envs", "default", "scripts"), "hatch run"),),
    "pixi.toml": ((("tasks",), "pixi run"),),
    "pipfile": ((("scripts",), "pipenv run"),),
    "composer.json": ((("scripts",), "composer run-script"),),
    "deno.json": ((("tasks",), "deno task"),),
    "deno.jsonc": ((("tasks",), "deno task"),),
}
_CI = re.compile(
    r"(?:.{0,200}/)?(?:\.github/(?:workflows|actions)/.{1,200}\.ya?ml|\.gitlab-ci\.yml|\.circleci/config\.yml"
    r"|\.travis\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|appveyor\.yml|\.drone\.yml|\.cirrus\.yml|\.buildkite/.{1,80}\.ya?ml)",
    re.DOTALL,
)
_RUNS = frozenset(
    "run script before_script after_script command commands cmd cmds bash test_script steps".split()
)
_MOST = 300
_MOST_LINES = 20_000


class Exam(NamedTuple):
    """A command with a name. `key` is the same for the same name at the base and now."""

    key: tuple[str, ...]
    path: str
    line: int
    steps: tuple[Step, ...]
    named: bool  # its name promises a test, so all that it does is part of it
    own: str = ""  # what stands under the name, where that is one text

    @property
    def name(self) -> str:
        return self.key[-1]

    @property
    def folder(self) -> str:
        return self.steps[0].folder if self.steps else ""


def exams(path: str, text: str, ground: Ground) -> tuple[Exam, ...]:
    """All commands with a name in the file."""
    folder, _, file = path.rpartition("/")
    small = file.lower()
    reader = _READERS.get(small)
    if reader is None:
        reader = _ci if is_ci(path) else _script if _is_shell(small, text) else None
    found = list(reader(path, folder, text, ground)) if reader else []
    if small in _TASKS:
        read = read_json(text) if small.endswith(("json", "jsonc")) else read_toml(text)
        for keys, runner in _TASKS[small]:
            found += _tasks(path, folder, read, keys, runner)
    return tuple(found[:_MOST])


def holds_commands(path: str) -> bool:
    """Whether commands may stand in the file, or be called from one where they do."""
    small = path.rpartition("/")[2].lower()
    scripts = small.endswith((".sh", ".bash", ".mk")) or "." not in small
    return scripts or small in _READERS or small in _TASKS or is_ci(path)


def is_ci(path: str) -> bool:
    return bool(_CI.fullmatch(path))


def _is_shell(small: str, text: str) -> bool:
    return small.endswith((".sh", ".bash")) or bool(re.match(r"#!.{0,60}\b(?:ba|da|z|k)?sh\b", text))


def _is_exam(*words: str) -> bool:
    return is_exam(Invocation(tuple(Word(word) for word in words)))


def _named(path: str, folder: str, line: int, words: tuple[str, ...]) -> Exam:
    step = Step(f"{path} {words[-1]}", shlex.join(words), folder)
    return Exam((words[0], folder, words[-1]), path, line, (step,), _is_exam(*words))


def _package(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    for leaf in _settings(read_json(text), ("scripts",)):
        name = leaf.key[1]
        if not any(name == f"{part}test" for part in ("pre", "post")):
            yield _named(path, folder, leaf.line, ("npm", "run", name))._replace(own=spelt(leaf.value))


def _makefile(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    rules = Rules(folder, ground)
    rules.read(path)
    lines = _targets(text)
    most = max(20, _MOST_LINES // max(1, len(lines)))  # every target costs a reading of the whole
    wanted = [each for each in rules.needs if re.fullmatch(r"[\w/-][\w./-]{0,80}", each)]
    for target in sorted(wanted, key=lambda each: not _is_exam("make", each))[:most]:
        own = repr((rules.needs[target], [each.text for each in rules.recipes.get(target, [])]))
        yield _named(path, folder, lines.get(target, 1), ("make", target))._replace(own=own)
    if rules.first:
        yield _named(path, folder, lines.get(rules.first, 1), ("make",))


def _targets(text: str) -> dict[str, int]:
    """The first line of each target."""
    found: dict[str, int] = {}
    for at, line in enumerate(text.split("\n"), 1):
        head, colon, rest = line.partition(":")
        if colon and line[:1] not in ("\t", "#", ".") and "=" not in head and not rest.startswith("="):
            for target in head.split()[:50]:
                found.setdefault(target, at)
    return found


def _tox(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    yield _named(path, folder, 1, ("tox",))
    for at, line in enumerate(text.split("\n"), 1):
        head = re.fullmatch(r"\[(?:testenv:([\w.-]{1,80})|env\.([\w.-]{1,80}))\]\s*", line)
        if head:
            yield _named(path, folder, at, ("tox", "-e", head[1] or head[2]))


def _nox(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            yield _named(path, folder, node.lineno, ("nox", "-s", node.name))


def _just(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    for at, line in enumerate(text.split("\n"), 1):
        head = _RECIPE.fullmatch(line)
        if head and not line.startswith(("set ", "alias ", "export ")):
            yield _named(path, folder, at, ("just", head["name"]))


def _taskfile(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    grouped: dict[str, list[Leaf]] = {}
    for leaf in _settings(read_yaml_text(text, path), ("tasks",)):
        if leaf.key[-1] in ("cmds", "cmd", "sh") or "cmds" in leaf.key:
            grouped.setdefault(leaf.key[1], []).append(leaf)
    for name, leaves in grouped.items():
        exam = _named(path, folder, leaves[0].line, ("task", name))
        yield exam._replace(steps=tuple(_texts(leaves, path, folder)))


def _ci(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    """All steps of a file are one exam: jobs may be split and joined."""
    leaves = read_yaml_text(text, path)
    if isinstance(leaves, Unread):
        return
    runs = [leaf for leaf in leaves if any(part in _RUNS for part in leaf.key[-2:])]
    yield Exam(("ci", path), path, runs[0].line if runs else 1, tuple(_texts(runs, path, "")), False)


def _texts(leaves: list[Leaf], path: str, folder: str) -> Iterator[Step]:
    for leaf in leaves:
        values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
        for value in values:
            if isinstance(value, str) and value.strip():
                yield Step(f"{path} {leaf.name}", value, folder, options=frozenset(("errexit",)))


def _script(path: str, folder: str, text: str, ground: Ground) -> Iterator[Exam]:
    exam = _named(path, "", 1, ("bash", path))
    yield exam._replace(key=("script", path))


def _tasks(
    path: str, folder: str, read: tuple[Leaf, ...] | Unread, keys: tuple[str, ...], runner: str
) -> Iterator[Exam]:
    seen: set[str] = set()
    for leaf in _settings(read, keys):
        name = leaf.key[len(keys)]
        if name not in seen:
            seen.add(name)
            yield _named(path, folder, leaf.line, (*runner.split(), name))


def _settings(leaves: tuple[Leaf, ...] | Unread, keys: tuple[str, ...]) -> Iterator[Leaf]:
    if not isinstance(leaves, Unread):
        yield from (
            leaf
            for leaf in leaves
            if leaf.key[: len(keys)] == keys and len(leaf.key) > len(keys) and spelt(leaf.value)
        )


_READERS: dict[str, Callable[[str, str, str, Ground], Iterator[Exam]]] = {
    "package.json": _package,
    **dict.fromkeys(_MAKEFILES, _makefile),
    "tox.ini": _tox,
    "tox.toml": _tox,
    "noxfile.py": _nox,
    "justfile": _just,
    ".justfile": _just,
    **dict.fromkeys(("taskfile.yml", "taskfile.yaml", "taskfile.dist.yml"), _taskfile),
}
