"""From the tree of a file to data under canonical names, and the problems found on the way.

Spelling, aliases and short forms end here: what leaves has the schema's attribute names only. Types and
bounds are Pydantic's part (complaints.py); a value gets one problem, not two.
"""

from typing import Any, NamedTuple

from donewhen.config.argv import shell_syntax_in
from donewhen.config.complaints import type_problems
from donewhen.config.fields import Key, Section, keys_of, spellings_of
from donewhen.config.kinds import nearest
from donewhen.config.places import Path, Place, Remark, dotted, harmless
from donewhen.config.schema import Config
from donewhen.config.yamltext import Item, Odd, Pair, name_in
from donewhen.core.patterns import MOST, MOST_TEXT

_MOST_SUGGESTIONS = 200  # a file of nothing but unknown keys must not cost minutes


class Shaped(NamedTuple):
    """Settings under canonical names, where each stands, and what is wrong with them."""

    data: dict[str, Any]
    places: dict[Path, Place]
    problems: tuple[Remark, ...]


def shape(root: Item | None) -> Shaped:
    """The settings of one file, variable or flag; problems in the order in which they stand."""
    walker = _Walker()
    data = walker.section(root, Config, ()) if root is not None else {}
    problems = [*walker.problems, *type_problems(data, walker.places, walker.refused, walker.shown)]
    problems.sort(key=lambda remark: (remark.place.line, remark.place.column))
    return Shaped(data, walker.places, tuple(problems))


class _Walker:
    def __init__(self) -> None:
        self.places: dict[Path, Place] = {}
        self.names: dict[Path, str] = {}
        self.problems: list[Remark] = []
        self.refused: set[Path] = set()
        self._suggestions = 0
        self._pattern_text = 0

    def problem(self, text: str, place: Place, path: Path, /, **values: object) -> None:
        self.refused.add(path)
        self.problems.append(Remark(f"config.{text}", place, {"path": self.shown(path), **values}))

    def shown(self, path: Path) -> str:
        """The path in the words of the file."""
        parts = ((self.names.get(path[: n + 1], part), part) for n, part in enumerate(path))
        return dotted(tuple(f"[{name}]" if isinstance(part, int) else name for name, part in parts))

    def section(self, item: Item, model: type[Section], path: Path) -> dict[str, Any]:
        if item.kind == "scalar" and item.value is None:
            return {}
        if item.kind == "scalar" and model.short:
            by_attr = {entry.attr: entry for entry in keys_of(model)}
            out: dict[str, Any] = {}
            for attr in model.short:
                self.places[(*path, attr)] = item.place
                self.value(item, by_attr[attr], (*path, attr), out)
            return out
        if item.kind != "map":
            self._not_mapping(item, path, ", ".join(entry.name for entry in keys_of(model)))
            return {}
        return self._pairs(item, model, path)

    def _not_mapping(self, item: Item, path: Path, known: str) -> None:
        if item.place.line:
            self.problem("not_mapping", item.place, path)
        else:  # a variable or flag has no lines below it
            self.problem("not_one_key", item.place, path, known=known)

    def _pairs(self, item: Item, model: type[Section], path: Path) -> dict[str, Any]:
        known = spellings_of(model)
        seen: dict[str, Pair] = {}
        meant: list[str | None] = []
        out: dict[str, Any] = {}
        for pair in item.value:
            entry = known.get(pair.key)
            if entry is None:
                meant.append(self._unknown(pair, model, path))
            elif entry.attr in seen:
                first = seen[entry.attr]
                values = {"other": first.key, "first": first.key_item.place.line}
                self._about_key("same_key_twice", pair, path, **values)
            else:
                seen[entry.attr] = pair
                below = (*path, entry.attr)
                self.places[below], self.names[below] = pair.key_item.place, pair.key
                self.value(pair.item, entry, below, out)
        # not missing, only misspelt
        self.refused |= {(*path, attr) for attr in meant if attr is not None and attr not in seen}
        return out

    def _unknown(self, pair: Pair, model: type[Section], path: Path) -> str | None:
        """Complains about a key; gives the attribute that was probably meant."""
        if not pair.key.isprintable():
            self._about_key("odd_name", pair, path)
            return None
        self._suggestions += 1
        names = [spelling for entry in keys_of(model) for spelling in entry.spellings]
        near = nearest(pair.key, names) if self._suggestions <= _MOST_SUGGESTIONS else None
        if near is not None:
            self._about_key("unknown_key", pair, path, hint=near)
            return spellings_of(model)[near].attr
        known = ", ".join(entry.name for entry in keys_of(model))
        self._about_key("unknown_key_here", pair, path, known=known)
        return None

    def _about_key(self, text: str, pair: Pair, path: Path, **values: object) -> None:
        name = ".".join(filter(None, (self.shown(path), pair.key)))
        self.problems.append(Remark(f"config.{text}", pair.key_item.place, {"path": name, **values}))

    def value(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        """Puts the value of one key into `out`, unless it is unusable or not set."""
        if entry.shape == "section" and entry.model is not None:
            out[entry.attr] = self.section(item, entry.model, path)
        elif entry.shape != "leaf" or isinstance(entry.default, tuple):
            if item.kind == "scalar" and item.value is None:
                return  # a key with nothing after it sets nothing
            self._collection(item, entry, path, out)
        else:
            self._leaf(item, entry, path, out)

    def _collection(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        if entry.shape == "named" and entry.model is not None:
            self._named(item, entry.model, path, out)
        elif entry.shape == "leaf":
            self._leaf(item, entry, path, out)
        else:
            self._map(item, entry, path, out)

    def _leaf(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        if _is_shell_text(item, entry):
            self.refused.add(path)  # legacy.py has said how to rewrite it
            return
        before = len(self.problems)
        value = self.leaf(item, entry, path)
        if entry.facts.regex:
            self._count_patterns(item, value, path)
        if len(self.problems) == before and path not in self.refused:
            out[entry.attr] = value
        else:
            self.refused.add(path)

    def _count_patterns(self, item: Item, value: Any, path: Path) -> None:
        texts = [text for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str)]
        if len(texts) > MOST:
            self.problem("too_many_patterns", item.place, path, most=MOST)
        allowed = self._pattern_text <= MOST_TEXT
        self._pattern_text += sum(map(len, texts))
        if self._pattern_text > MOST_TEXT:
            self.refused.add(path)
            if allowed:
                self.problem("too_much_pattern_text", item.place, path, most=MOST_TEXT // 1024)

    def _named(self, item: Item, model: type[Section], path: Path, out: dict[str, Any]) -> None:
        if item.kind != "list":
            self.problem("not_list", item.place, path)
            return
        entries = []
        first_of: dict[object, Place] = {}
        for number, inner in enumerate(item.value):
            below = (*path, number)
            self.places[below] = inner.place
            written = name_in(inner)
            if written is not None:
                self.names[below] = harmless(written, 60)
            entry = self.section(inner, model, below)
            name = entry.get("name")
            if isinstance(name, str) and name in first_of:
                self.problem("same_name_twice", inner.place, below, name=name, first=first_of[name].line)
            elif isinstance(name, str):
                first_of[name] = inner.place
            entries.append(entry)
        out[path[-1]] = tuple(entries)  # type: ignore[index]

    def _map(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        if item.kind != "map":
            self._not_mapping(item, path, "NAME")
            return
        found: dict[str, Any] = {}
        for pair in item.value:
            below = (*path, pair.key)
            self.places[below] = pair.key_item.place
            if entry.model is not None:
                found[pair.key] = self.section(pair.item, entry.model, below)
            else:
                found[pair.key] = self.leaf(pair.item, entry, below)
        out[entry.attr] = found

    def leaf(self, item: Item, entry: Key, path: Path) -> Any:
        if item.kind == "list":
            return tuple(self.leaf(inner, entry, (*path, n)) for n, inner in enumerate(item.value))
        if item.kind == "map":
            self.problem("unexpected_mapping", item.place, path)
            return None
        value = item.value
        if isinstance(value, Odd):
            self.problem(f"odd_{value.sort}", item.place, path, text=value.text)
            return None
        if value is None and entry.default is not None:
            self.problem("no_value", item.place, path)
            return None
        if isinstance(value, bool) and item.text.lower() in entry.choices:
            return item.text.lower()  # `off` and `on` mean the words where words are expected
        if isinstance(value, str):
            if "\0" in value:
                self.problem("nul", item.place, path)
            return entry.facts.words.get(value, value)
        return value


def _is_shell_text(item: Item, entry: Key) -> bool:
    """A command that legacy.py has already refused needs no second problem."""
    candidates = item.value if item.kind == "list" and entry.facts.argv == "many" else (item,)
    texts = (one.value for one in candidates if one.kind == "scalar" and isinstance(one.value, str))
    return bool(entry.facts.argv) and any(shell_syntax_in(text) is not None for text in texts)
