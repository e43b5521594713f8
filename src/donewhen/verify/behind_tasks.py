"""Tasks that project managers keep by name: hatch, pdm, poe, taskipy, pipenv, rye, pixi, composer, deno.

A runner that only finds a program (`uv run`, `poetry run`) is passed over.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.verify.behind_model import Ground, Step, join
from donewhen.verify.behind_node import manifest
from donewhen.verify.behind_tox import toml_table


class Store(NamedTuple):
    """Where a runner keeps its tasks."""

    file: str
    keys: tuple[str, ...]
    shell: bool  # the text is run by a shell, not split into words


_STORES: Mapping[str, tuple[Store, ...]] = {
    "hatch run": (
        Store("pyproject.toml", ("tool", "hatch", "envs", "default", "scripts"), True),
        Store("hatch.toml", ("envs", "default", "scripts"), True),
    ),
    "pdm run": (Store("pyproject.toml", ("tool", "pdm", "scripts"), False),),
    "rye run": (Store("pyproject.toml", ("tool", "rye", "scripts"), False),),
    "pixi run": (
        Store("pixi.toml", ("tasks",), True),
        Store("pyproject.toml", ("tool", "pixi", "tasks"), True),
    ),
    "pipenv run": (Store("Pipfile", ("scripts",), False),),
    "poe": (Store("pyproject.toml", ("tool", "poe", "tasks"), False),),
    "task": (Store("pyproject.toml", ("tool", "taskipy", "tasks"), True),),
    "composer": (Store("composer.json", ("scripts",), True),),
    "composer run": (Store("composer.json", ("scripts",), True),),
    "composer run-script": (Store("composer.json", ("scripts",), True),),
    "deno task": (Store("deno.json", ("tasks",), True), Store("deno.jsonc", ("tasks",), True)),
}
_PASSED_OVER = ("uv run", "poetry run", "pdm run", "hatch run", "rye run", "pipenv run", "pixi run", "uvx")
_TEXTS = ("shell", "cmd", "script", "command")
_LISTS = ("composite", "sequence", "chain")
_MOST_STEPS = 60


def tasks(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The lines of the named task, or what a mere runner starts; None when neither is known."""
    if not words:
        return None
    first = program_name(words[0])[0]
    two = f"{first} {words[1]}" if len(words) > 1 else first
    runner = two if two in _STORES or two in _PASSED_OVER else first
    rest = [*words[len(runner.split()) :]]
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    if not rest:
        return None
    for store in _STORES.get(runner, ()):
        steps = tuple(_task(rest[0], store, folder, ground))
        if steps:
            return steps[:_MOST_STEPS]
    if runner in _PASSED_OVER and not rest[0].startswith("-"):
        return (Step(f"{runner} …", shlex.join(rest), folder),) if _has_more(rest[0]) else None
    return None


def _has_more(program: str) -> bool:
    """Only what is looked into: a plain program says all by its own name."""
    name = program_name(program)[0]
    return (
        name in ("make", "just", "tox", "nox", "npm", "pnpm", "yarn", "bash", "sh", "poe", "task")
        or "/" in name
    )


def _task(name: str, store: Store, folder: str, ground: Ground, depth: int = 0) -> Iterator[Step]:
    if store.file.endswith((".json", ".jsonc")):
        table: Mapping[str, Any] = manifest(folder, ground, store.file, store.keys[0])
    else:
        table = toml_table(folder, ground, store.file, *store.keys)
    if name not in table or depth > 4:
        return
    source = f"{join(folder, store.file)} {'.'.join((*store.keys, name))}"
    for text, shell in _texts(table[name], store.shell):
        called = text.removeprefix("@").split()
        if len(called) == 1 and called[0] in table and called[0] != name:
            yield from _task(called[0], store, folder, ground, depth + 1)
            continue
        ignored = text.startswith("- ")
        yield Step(source, _shown(text.removeprefix("- "), shell), folder, ignored)


def _texts(value: object, shell: bool) -> Iterator[tuple[str, bool]]:
    """A task as its lines: a text, a list of them, or a table with one of both."""
    if isinstance(value, str):
        yield value, shell
    elif isinstance(value, list):
        for each in value[:_MOST_STEPS]:
            if isinstance(each, str):
                yield each, shell
            elif isinstance(each, dict):
                yield from _texts(each, shell)
    elif isinstance(value, dict):
        for key in (*_TEXTS, *_LISTS):
            if key in value:
                yield from _texts(value[key], shell or key == "shell")


def _shown(text: str, shell: bool) -> str:
    plain = text.replace("{args}", "").replace("{env:", "{")
    if shell:
        return plain
    try:
        return shlex.join(shlex.split(plain))
    except ValueError:
        return plain
