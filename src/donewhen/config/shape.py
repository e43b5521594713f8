"""From the tree of a file to data under canonical names, and the problems found on the way.

Spelling, aliases and short forms end here: what leaves has the schema's attribute names only. Types and
bounds are Pydantic's part; its errors are put back into the file's words and lines here.
"""

from typing import Any, NamedTuple

from donewhen.config.argv import shell_syntax_in
from donewhen.config.fields import Key, Section, keys_of, spellings_of
from donewhen.config.kinds import nearest
from donewhen.config.places import Path, Place, Remark, dotted, harmless
from donewhen.config.schema import Config
from donewhen.config.yamltext import Item, Odd, Pair


class Shaped(NamedTuple):
    """Settings under canonical names, where each stands, and what is wrong with them."""

    data: dict[str, Any]
    places: dict[Path, Place]
    problems: tuple[Remark, ...]


def shape(root: Item | None) -> Shaped:
    """The settings of one file, variable or flag; problems in the order in which they stand."""
    walker = _Walker()
    data = walker.section(root, Config, ()) if root is not None else {}
    problems = [*walker.problems, *_type_problems(data, walker)]
    problems.sort(key=lambda remark: (remark.place.line, remark.place.column))
    return Shaped(data, walker.places, tuple(problems))


class _Walker:
    def __init__(self) -> None:
        self.places: dict[Path, Place] = {}
        self.names: dict[Path, str] = {}
        self.problems: list[Remark] = []

    def problem(self, text: str, place: Place, path: Path, /, **values: object) -> None:
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
            self.problem("not_mapping", item.place, path)
            return {}
        return self._pairs(item, model, path)

    def _pairs(self, item: Item, model: type[Section], path: Path) -> dict[str, Any]:
        known = spellings_of(model)
        seen: dict[str, Pair] = {}
        out: dict[str, Any] = {}
        for pair in item.value:
            entry = known.get(pair.key)
            if entry is None:
                self._unknown(pair, model, path)
            elif entry.attr in seen:
                first = seen[entry.attr]
                values = {"other": first.key, "first": first.key_item.place.line}
                self._about_key("same_key_twice", pair, path, **values)
            else:
                seen[entry.attr] = pair
                below = (*path, entry.attr)
                self.places[below], self.names[below] = pair.key_item.place, pair.key
                self.value(pair.item, entry, below, out)
        return out

    def _unknown(self, pair: Pair, model: type[Section], path: Path) -> None:
        names = [spelling for entry in keys_of(model) for spelling in entry.spellings]
        near = nearest(pair.key, names)
        if near is not None:
            self._about_key("unknown_key", pair, path, hint=near)
        else:
            known = ", ".join(entry.name for entry in keys_of(model))
            self._about_key("unknown_key_here", pair, path, known=known)

    def _about_key(self, text: str, pair: Pair, path: Path, **values: object) -> None:
        name = ".".join(filter(None, (self.shown(path), pair.key)))
        self.problems.append(Remark(f"config.{text}", pair.key_item.place, {"path": name, **values}))

    def value(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        """Puts the value of one key into `out`, unless it is unusable."""
        if entry.shape == "section" and entry.model is not None:
            out[entry.attr] = self.section(item, entry.model, path)
        elif entry.shape == "named" and entry.model is not None:
            self._named(item, entry.model, path, out)
        elif entry.shape in ("map", "leafmap"):
            self._map(item, entry, path, out)
        elif not _is_shell_text(item, entry):
            before = len(self.problems)
            value = self.leaf(item, entry, path)
            if len(self.problems) == before:
                out[entry.attr] = value

    def _named(self, item: Item, model: type[Section], path: Path, out: dict[str, Any]) -> None:
        if item.kind != "list":
            self.problem("not_list", item.place, path)
            return
        entries = []
        first_of: dict[object, Place] = {}
        for number, inner in enumerate(item.value):
            below = (*path, number)
            self.places[below] = inner.place
            entry = self.section(inner, model, below)
            name = entry.get("name")
            if isinstance(name, str):
                self.names[below] = harmless(name, 60)
            if isinstance(name, str) and name in first_of:
                self.problem("same_name_twice", inner.place, below, name=name, first=first_of[name].line)
            elif isinstance(name, str):
                first_of[name] = inner.place
            entries.append(entry)
        out[path[-1]] = tuple(entries)  # type: ignore[index]

    def _map(self, item: Item, entry: Key, path: Path, out: dict[str, Any]) -> None:
        if item.kind == "scalar" and item.value is None:
            return
        if item.kind != "map":
            self.problem("not_mapping", item.place, path)
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


def _type_problems(data: dict[str, Any], walker: _Walker) -> list[Remark]:
    from pydantic import ValidationError

    try:
        Config.model_validate(data)
    except ValidationError as error:
        reported = [_remark(found, walker) for found in error.errors(include_url=False, include_input=False)]
        return [remark for remark in reported if not _said(remark, walker)]
    return []


def _said(remark: Remark, walker: _Walker) -> bool:
    """A key that is missing only because its value was already refused needs no second problem."""
    if remark.key != "config.missing_key":
        return False
    return any(earlier.place.line == remark.place.line for earlier in walker.problems)


_PLAIN = {
    "int_type": "not_integer",
    "int_from_float": "not_integer",
    "float_type": "not_number",
    "finite_number": "not_number",
    "string_type": "not_text",
    "bool_type": "not_boolean",
    "tuple_type": "not_list",
    "list_type": "not_list",
    "dict_type": "not_mapping",
    "mapping_type": "not_mapping",
    "model_type": "not_mapping",
    "string_too_short": "empty_text",
    "string_too_long": "long_text",
    "too_short": "empty_list",
    "string_pattern_mismatch": "bad_name",
    "missing": "missing_key",
}
_BOUNDS = {
    "greater_than_equal": ("too_low", "ge"),
    "greater_than": ("not_above", "gt"),
    "less_than_equal": ("too_high", "le"),
    "less_than": ("too_high", "lt"),
}


def _remark(error: Any, walker: _Walker) -> Remark:
    sort, context = error["type"], error.get("ctx", {})
    path = tuple(part for part in error["loc"] if part != "[key]")
    known = path
    while known and known not in walker.places:
        known = known[:-1]
    place = walker.places.get(known, Place("", 0))
    values: dict[str, object] = {"path": walker.shown(path)}
    if sort.startswith("config."):
        return Remark(sort, place, {**values, **{k: v for k, v in context.items() if k != "name"}})
    if sort in _BOUNDS:
        name, bound = _BOUNDS[sort]
        return Remark(f"config.{name}", place, {**values, "bound": _number(context[bound])})
    if sort == "literal_error":
        choices = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return Remark("config.not_choice", place, {**values, "choices": choices})
    return Remark(f"config.{_PLAIN.get(sort, 'wrong_value')}", place, values)


def _number(bound: Any) -> str:
    return f"{bound:g}" if isinstance(bound, float) and bound < 1e6 else str(int(bound))
