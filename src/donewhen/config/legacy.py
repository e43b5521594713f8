"""Old settings: which are dropped, which moved, and which string commands become argv.

A plan is a list of edits on the tree of one file. Loading applies it in memory; migration.py applies the
same plan to the text. Nothing is changed that the plan doesn't name.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.config.argv import shell_syntax_in, split_plain
from donewhen.config.fields import Section, snake, spellings_of
from donewhen.config.kinds import SETUP_WORDS
from donewhen.config.places import Place, Remark, dotted, harmless
from donewhen.config.yamltext import Item, Pair, name_in, pairs_of

DROPPED: dict[tuple[str, ...], frozenset[str]] = {
    ("verification",): frozenset(
        {"enabled", "final_intercept", "default_task_policy", "max_retries", "hooks", "max_no_progress"}
    ),
    ("verification", "verifiers", "*"): frozenset({"enabled", "required", "fail_open", "fail_closed"}),
    ("runtime",): frozenset({"max_no_progress_streak"}),
}
MOVED = {
    "input_token_threshold": "prompt_budget",
    "fallback_input_token_threshold": "fallback_prompt_budget",
}


class Drop(NamedTuple):
    """Remove one entry of a mapping."""

    parent: Item
    pair: Pair
    path: str
    why: str = "dropped"


class Rename(NamedTuple):
    """Give a key its new name; `path` and `now` are where it stood and stands."""

    pair: Pair
    name: str
    path: str
    now: str


class Argv(NamedTuple):
    """Write a plain string command as a list of words, or as the one entry of a list of commands."""

    item: Item
    words: tuple[str, ...]
    path: str
    listed: bool = False


Edit = Drop | Rename | Argv


class Plan(NamedTuple):
    edits: tuple[Edit, ...]
    problems: tuple[Remark, ...]

    def notes(self) -> tuple[Remark, ...]:
        """What loading says about a file that could be migrated."""
        return tuple(_remark(edit, "note") for edit in self.edits)

    def changes(self) -> tuple[Remark, ...]:
        """What migration says it did."""
        return tuple(_remark(edit, "change") for edit in self.edits)

    def old_keys(self) -> tuple[Remark, ...]:
        """What is said about a variable or flag, where a plain command is nothing old."""
        return tuple(_remark(edit, "change") for edit in self.edits if not isinstance(edit, Argv))


def plan(root: Item | None, model: type[Section], at: tuple[str, ...] = ()) -> Plan:
    """What the old settings in a file become; `at` is the section that the file holds (a context.yml)."""
    edits: list[Edit] = []
    problems: list[Remark] = []
    for path, parent in _mappings(root, at):
        edits += _drops(path, parent)
        if path == ("context",):
            _plan_auto_compact(parent, edits, problems)
    dropped = {id(edit.pair.item) for edit in edits if isinstance(edit, Drop)}
    for command in _commands(root, model, at, dropped):
        shell = shell_syntax_in(command.item.text)
        if shell is not None:
            values = {"path": command.path, "syntax": shell}
            problems.append(Remark("config.shell_command", command.item.place, values))
        elif command.item.text.strip():
            edits.append(command._replace(words=split_plain(command.item.text)))
    return Plan(tuple(edits), tuple(problems))


def apply(root: Item | None, edits: tuple[Edit, ...]) -> Item | None:
    """The tree with the edits done."""
    if root is None or not edits:
        return root
    gone = {id(edit.pair) for edit in edits if isinstance(edit, Drop)}
    names = {id(edit.pair): edit.name for edit in edits if isinstance(edit, Rename)}
    commands = {id(edit.item): edit for edit in edits if isinstance(edit, Argv)}

    def rebuilt(item: Item) -> Item:
        if id(item) in commands:
            return _as_list(item, commands[id(item)])
        if item.kind == "list":
            return item._replace(value=tuple(rebuilt(inner) for inner in item.value))
        if item.kind != "map":
            return item
        kept = (pair for pair in item.value if id(pair) not in gone)
        return item._replace(
            value=tuple(Pair(names.get(id(p), p.key), p.key_item, rebuilt(p.item)) for p in kept)
        )

    return rebuilt(root)


def place_of(edit: Edit) -> Place:
    return edit.item.place if isinstance(edit, Argv) else edit.pair.key_item.place


def _as_list(item: Item, command: Argv) -> Item:
    words = tuple(item._replace(value=word, text=word) for word in command.words)
    argv = item._replace(kind="list", value=words, flow=True)
    return argv._replace(value=(argv,)) if command.listed else argv


def _drops(path: tuple[str, ...], parent: Item) -> Iterator[Drop]:
    if path == ("verification", "verifiers"):
        yield from _verifier_drops(path, parent)
        return
    if path == ("tools", "git"):
        yield from _workspaces_inside(path, parent)
    old = DROPPED.get(path, frozenset())
    for pair in pairs_of(parent):
        if snake(pair.key) in old:
            yield Drop(parent, pair, ".".join((*path, pair.key)))


def _workspaces_inside(path: tuple[str, ...], parent: Item) -> Iterator[Drop]:
    """A folder below the project, where old files had their workspaces: runs have a place of their own."""
    for pair in pairs_of(parent):
        text = pair.item.value
        if snake(pair.key) == "worktree_base" and isinstance(text, str) and text.strip()[:1] not in ("", "/"):
            yield Drop(parent, pair, ".".join((*path, pair.key)), "inside")


def _verifier_drops(path: tuple[str, ...], verifiers: Item) -> Iterator[Drop]:
    """Old keys of each verifier; one that held nothing else was a switch, and goes as a whole."""
    old = DROPPED[(*path, "*")]
    for entry in pairs_of(verifiers):
        pairs = pairs_of(entry.item)
        if pairs and all(snake(pair.key) in old for pair in pairs):
            yield Drop(verifiers, entry, ".".join((*path, entry.key)))
            continue
        for pair in pairs:
            if snake(pair.key) in old:
                yield Drop(entry.item, pair, ".".join((*path, entry.key, pair.key)))


def _plan_auto_compact(context: Item, edits: list[Edit], problems: list[Remark]) -> None:
    by_name = {snake(pair.key): pair for pair in pairs_of(context)}
    old, new = by_name.get("auto_compact"), by_name.get("budget")
    if old is None:
        return
    if new is not None:
        values = {"first": new.key_item.place.line}
        problems.append(Remark("config.auto_compact_and_budget", old.key_item.place, values))
        edits.append(Drop(context, old, f"context.{old.key}"))  # it has had its problem
        return
    edits.append(Rename(old, "budget", f"context.{old.key}", "context.budget"))
    for pair in pairs_of(old.item):
        name = MOVED.get(snake(pair.key))
        if name is not None:
            edits.append(Rename(pair, name, f"context.{old.key}.{pair.key}", f"context.budget.{name}"))


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
        if name == "tools":
            yield from (((name, "git"), below.item) for below in pairs_of(pair.item) if below.key == "git")
        if name == "verification":
            inner = (below for below in pairs_of(pair.item) if below.key == "verifiers")
            yield from (((name, "verifiers"), below.item) for below in inner)


def _commands(
    root: Item | None, model: type[Section], at: tuple[str, ...], dropped: set[int], where: str = ""
) -> Iterator[Argv]:
    """Every string that stands where a command is expected, its words not yet split."""
    if root is None or at:
        return
    for pair in pairs_of(root):
        entry = spellings_of(model).get(pair.key)
        if entry is None or id(pair.item) in dropped:
            continue
        item, path = pair.item, dotted((where, pair.key)) if where else pair.key
        listed = entry.facts.argv == "many" and item.kind != "list"
        candidates = item.value if entry.facts.argv == "many" and item.kind == "list" else (item,)
        if entry.facts.argv:
            yield from (Argv(one, (), path, listed) for one in candidates if _is_command(one, listed))
        if entry.model is not None:
            for inner, name in _entries(item, entry.shape):
                yield from _commands(inner, entry.model, (), dropped, dotted((path, *name)))


def _is_command(item: Item, listed: bool) -> bool:
    if item.kind != "scalar" or not isinstance(item.value, str):
        return False
    return not (listed and item.value in SETUP_WORDS)


def _entries(item: Item, shape: str) -> Iterator[tuple[Item, tuple[str, ...]]]:
    if shape == "section":
        yield item, ()
    elif shape == "map":
        yield from ((pair.item, (pair.key,)) for pair in pairs_of(item))
    elif item.kind == "list":
        for number, inner in enumerate(item.value):
            yield inner, (f"[{harmless(name_in(inner) or str(number), 60)}]",)


def _remark(edit: Edit, sort: str) -> Remark:
    if isinstance(edit, Drop):
        return Remark(f"config.{sort}_{edit.why}", edit.pair.key_item.place, {"path": edit.path})
    if isinstance(edit, Rename):
        values = {"path": edit.path, "name": edit.now}
        return Remark(f"config.{sort}_renamed", edit.pair.key_item.place, values)
    words = "[" + ", ".join(edit.words) + "]"
    return Remark(f"config.{sort}_argv", edit.item.place, {"path": edit.path, "words": words})
