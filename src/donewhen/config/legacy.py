"""Old settings: which are dropped, which moved, and which string commands become argv.

A plan is a list of edits on the tree of one file. Loading applies it in memory; migration.py applies the
same plan to the text. Nothing is changed that the plan doesn't name.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.config.argv import shell_syntax_in, split_plain
from donewhen.config.fields import Section, snake, spellings_of
from donewhen.config.places import Place, Remark
from donewhen.config.yamltext import Item, Pair, pairs_of

_DROPPED: dict[tuple[str, ...], frozenset[str]] = {
    ("verification",): frozenset(
        {"enabled", "final_intercept", "default_task_policy", "max_retries", "hooks", "max_no_progress"}
    ),
    ("verification", "verifiers", "*"): frozenset({"enabled", "required", "fail_open", "fail_closed"}),
    ("runtime",): frozenset({"max_no_progress_streak"}),
}
_MOVED_INSIDE = {
    "input_token_threshold": "prompt_budget",
    "fallback_input_token_threshold": "fallback_prompt_budget",
}


class Drop(NamedTuple):
    """Remove one entry of a mapping."""

    parent: Item
    pair: Pair
    path: str


class Rename(NamedTuple):
    """Give a key its new name."""

    pair: Pair
    name: str
    path: str


class Argv(NamedTuple):
    """Write a plain string command as a list of words."""

    item: Item
    words: tuple[str, ...]
    path: str


Edit = Drop | Rename | Argv


class Plan(NamedTuple):
    edits: tuple[Edit, ...]
    problems: tuple[Remark, ...]

    def notes(self) -> tuple[Remark, ...]:
        return tuple(_note(edit) for edit in self.edits)


def plan(root: Item | None, model: type[Section], at: tuple[str, ...] = ()) -> Plan:
    """What the old settings in a file become; `at` is the section that the file holds (a context.yml)."""
    edits: list[Edit] = []
    problems: list[Remark] = []
    for path, parent in _mappings(root, at):
        old = _DROPPED.get(_general(path), frozenset())
        for pair in pairs_of(parent):
            if snake(pair.key) in old:
                edits.append(Drop(parent, pair, ".".join((*path, pair.key))))  # noqa: PERF401
        if path == ("context",):
            _plan_auto_compact(parent, edits, problems)
    dropped = {id(edit.pair.item) for edit in edits if isinstance(edit, Drop)}
    for item, where in _commands(root, model, at, dropped):
        shell = shell_syntax_in(item.text)
        if shell is not None:
            problems.append(
                Remark("config.shell_command", item.place, {"path": ".".join(where), "syntax": shell})
            )
        elif item.text.strip():
            edits.append(Argv(item, split_plain(item.text), ".".join(where)))
    return Plan(tuple(edits), tuple(problems))


def apply(root: Item | None, edits: tuple[Edit, ...]) -> Item | None:
    """The tree with the edits done."""
    if root is None or not edits:
        return root
    gone = {id(edit.pair) for edit in edits if isinstance(edit, Drop)}
    names = {id(edit.pair): edit.name for edit in edits if isinstance(edit, Rename)}
    words = {id(edit.item): edit.words for edit in edits if isinstance(edit, Argv)}

    def rebuilt(item: Item) -> Item:
        if id(item) in words:
            parts = tuple(item._replace(value=word, text=word) for word in words[id(item)])
            return item._replace(kind="list", value=parts, flow=True)
        if item.kind == "list":
            return item._replace(value=tuple(rebuilt(inner) for inner in item.value))
        if item.kind != "map":
            return item
        kept = (pair for pair in item.value if id(pair) not in gone)
        return item._replace(
            value=tuple(Pair(names.get(id(p), p.key), p.key_item, rebuilt(p.item)) for p in kept)
        )

    return rebuilt(root)


def _plan_auto_compact(context: Item, edits: list[Edit], problems: list[Remark]) -> None:
    by_name = {snake(pair.key): pair for pair in pairs_of(context)}
    old, new = by_name.get("auto_compact"), by_name.get("budget")
    if old is None:
        return
    if new is not None:
        values = {"first": new.key_item.place.line}
        problems.append(Remark("config.auto_compact_and_budget", old.key_item.place, values))
        return
    edits.append(Rename(old, "budget", f"context.{old.key}"))
    for pair in pairs_of(old.item):
        name = _MOVED_INSIDE.get(snake(pair.key))
        if name is not None:
            edits.append(Rename(pair, name, f"context.{old.key}.{pair.key}"))


def _mappings(root: Item | None, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Item]]:
    """The mappings that may hold old settings, with their paths in canonical names."""
    if root is None:
        return
    if at:
        yield at, root
        if at == ("context",):
            yield from ((at, pair.item) for pair in pairs_of(root) if pair.key == "context")
        return
    for pair in pairs_of(root):
        name = snake(pair.key)
        if name in ("verification", "runtime", "context"):
            yield (name,), pair.item
        if name == "verification":
            for inner in pairs_of(pair.item):
                if inner.key == "verifiers":
                    yield from (
                        ((name, "verifiers", entry.key), entry.item) for entry in pairs_of(inner.item)
                    )


def _general(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path[:2], "*") if len(path) == 3 else path


def _commands(
    root: Item | None, model: type[Section], at: tuple[str, ...], dropped: set[int]
) -> Iterator[tuple[Item, tuple[str, ...]]]:
    """Every string that stands where a command is expected."""
    if root is None or at:
        return
    for pair in pairs_of(root):
        entry = spellings_of(model).get(pair.key)
        if entry is None or id(pair.item) in dropped:
            continue
        item, where = pair.item, (pair.key,)
        candidates: tuple[Item, ...] = ()
        if entry.facts.argv == "one":
            candidates = (item,)
        elif entry.facts.argv == "many" and item.kind == "list":
            candidates = item.value
        yield from ((one, where) for one in candidates if _is_command_text(one))
        if entry.model is not None:
            for inner, name in _entries(item, entry.shape):
                for found, rest in _commands(inner, entry.model, (), dropped):
                    yield found, (*where, *name, *rest)


def _is_command_text(item: Item) -> bool:
    return item.kind == "scalar" and isinstance(item.value, str)


def _entries(item: Item, shape: str) -> Iterator[tuple[Item, tuple[str, ...]]]:
    if shape == "section":
        yield item, ()
    elif shape == "map":
        yield from ((pair.item, (pair.key,)) for pair in pairs_of(item))
    elif item.kind == "list":
        yield from ((inner, (str(number),)) for number, inner in enumerate(item.value))


def _note(edit: Edit) -> Remark:
    if isinstance(edit, Drop):
        return Remark("config.note_dropped", edit.pair.key_item.place, {"path": edit.path})
    if isinstance(edit, Rename):
        return Remark("config.note_renamed", edit.pair.key_item.place, {"path": edit.path, "name": edit.name})
    return Remark("config.note_argv", edit.item.place, {"path": edit.path, "words": " ".join(edit.words)})


def place_of(edit: Edit) -> Place:
    return edit.item.place if isinstance(edit, Argv) else edit.pair.key_item.place
