"""What is left of an untrusted project file: it may tighten what holds without it, never loosen.

Each leaf is judged by the trust rule of its key. What would loosen is listed and has no effect. It refuses
to guess: a combination that no rule proves to be stricter is ignored.
"""

import json
from typing import Any, NamedTuple

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.hiding import hidden
from donewhen.config.layers import Layer, leaves
from donewhen.config.naming import as_data, documented_path
from donewhen.config.places import Origin, Path, harmless
from donewhen.config.rules import Change, Rule, judge, judge_each
from donewhen.core.texts import Language, Phrase, say

_ACTIONS = ("allow", "ask", "deny")
_MATCHERS = ("pattern", "command", "path", "tool")
_ABSENT: Any = object()  # equal to no value that a file can hold


class Ignored(NamedTuple):
    """A setting of an untrusted project file that has no effect.

    `value` is what would have been set, or the entries that would have been removed or added.
    """

    path: Path
    value: Any
    origin: Origin
    rule: Rule
    kind: Change = "set"

    def why(self, language: Language = "en") -> str:
        return say(self._reason(), language)

    def sentence(self, language: Language = "en") -> str:
        """What was wanted and why it does not hold, short and harmless."""
        path = harmless(documented_path(self.path))
        value = _short(self.value)
        if self.kind == "set" and isinstance(self.value, tuple | list):
            value = f"[{value}]"
        why = Phrase(self._reason())
        return say(f"config.ignored_{self.kind}", language, path=path, value=value, why=why)

    def _reason(self) -> str:
        added = self.kind == "adds" and self.rule.kind == "superset"
        return "config.why_superset_adds" if added else f"config.why_{self.rule.kind}"


class _Ledger(NamedTuple):
    """Where refusals are collected while walking."""

    ignored: list[Ignored]
    origins: dict[Path, Origin]

    def refuse(self, path: Path, value: Any, rule: Rule, kind: Change = "set") -> None:
        wanted = path
        while wanted and wanted not in self.origins:
            wanted = wanted[:-1]
        self.ignored.append(Ignored(path, value, self.origins.get(wanted, Origin("project")), rule, kind))


def tighten(base: Layer, wanted: Layer, model: type[Section]) -> tuple[Layer, tuple[Ignored, ...]]:
    """The part of `wanted` that tightens `base`, and the rest."""
    ledger = _Ledger([], wanted.origins)
    data = _section(base.data, wanted.data, model, (), ledger)
    origins = {path: wanted.origins[path] for path, _, _ in leaves(data, complete=False)}
    return Layer(data, origins), tuple(ledger.ignored)


def _section(
    base: dict[str, Any] | None, wanted: dict[str, Any], model: type[Section], path: Path, ledger: _Ledger
) -> dict[str, Any]:
    """`base` is None for an entry that does not exist without the project file."""
    out: dict[str, Any] = {}
    for entry in keys_of(model):
        if entry.attr not in wanted or entry.facts.file_only:
            continue
        below, value = (*path, entry.attr), wanted[entry.attr]
        if entry.shape == "section" and entry.model is not None:
            out[entry.attr] = _section((base or {}).get(entry.attr, {}), value, entry.model, below, ledger)
        elif entry.shape == "leaf":
            held = _ABSENT if base is None else base.get(entry.attr, entry.default)
            _leaf(entry, held, value, below, out, ledger)
        else:
            out[entry.attr] = _entries(entry, (base or {}).get(entry.attr, {}), value, below, ledger)
    return out


def _leaf(entry: Key, held: Any, value: Any, path: Path, out: dict[str, Any], ledger: _Ledger) -> None:
    rule = entry.facts.rule
    if entry.facts.adds:
        added = tuple(dict.fromkeys(item for item in value if item not in held))
        if added:
            ledger.refuse(path, hidden(added, entry), rule, "adds")
        return
    verdict = judge(rule, held, value)
    for change, refused in verdict.refused:
        ledger.refuse(path, hidden(refused, entry), rule, change)
    if verdict.holds != held:
        out[entry.attr] = verdict.holds


def _entries(
    entry: Key, held: dict[str, Any], value: dict[str, Any], path: Path, ledger: _Ledger
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, wanted in value.items():
        below = (*path, name)
        if entry.shape == "map" and entry.model is not None:
            kept = _section(held.get(name), wanted, entry.model, below, ledger)
            if kept:
                out[name] = kept
            elif not wanted and name not in held:
                ledger.refuse(below, wanted, entry.facts.rule)
        elif entry.facts.rule.kind == "guard":
            _guard_rule(entry, held.get(name), wanted, below, out, ledger)
        elif _entry_tightens(entry, held, name, wanted):
            out[name] = wanted
        elif held.get(name) != wanted:
            ledger.refuse(below, wanted, entry.facts.rule)
    return out


def _entry_tightens(entry: Key, held: dict[str, Any], name: str, wanted: Any) -> bool:
    kind = entry.facts.rule.kind
    if kind == "each":
        return not judge_each(entry.facts.rule, held, name, wanted).refused
    return kind == "gates" and _gate_tightens(held.get(name), wanted)


def _guard_rule(
    entry: Key,
    held: dict[str, Any] | None,
    wanted: dict[str, Any],
    path: Path,
    out: dict[str, Any],
    ledger: _Ledger,
) -> None:
    """A new rule that forbids, or the held rule with a stricter action and all else as it was."""
    name, rule = str(path[-1]), entry.facts.rule
    if held is None and wanted["action"] != "allow":
        out[name] = wanted
        return
    if held is None or not _may_raise(held, wanted):
        if held != wanted:
            ledger.refuse(path, wanted, rule)
        return
    if held["action"] != wanted["action"]:
        out[name] = {**held, "action": wanted["action"]}
    for attr, value in wanted.items():
        if attr != "action" and value != held.get(attr):
            ledger.refuse((*path, attr), value, rule)


def _may_raise(held: dict[str, Any], wanted: dict[str, Any]) -> bool:
    same = all(held.get(matcher) == wanted.get(matcher) for matcher in _MATCHERS)
    return same and _ACTIONS.index(wanted["action"]) >= _ACTIONS.index(held["action"])


def _gate_tightens(held: dict[str, Any] | None, wanted: dict[str, Any]) -> bool:
    known = held or {}
    if any(wanted.get(name) != known.get(name) for name in ("parser", "pattern")):
        return False
    if tuple(wanted.get("command", ())) != tuple(known.get("command", ())):
        return False
    required = wanted.get("required", True)
    if required < known.get("required", True) or not (held or required):
        return False
    if wanted.get("absolute", False) < known.get("absolute", False):
        return False
    return _limit_tightens(known.get("timeout"), wanted.get("timeout"), required)


def _limit_tightens(held: float | None, wanted: float | None, required: bool) -> bool:
    """A gate that ran out of time could not run, which blocks only where the gate is required."""
    if held == wanted:
        return True
    return required and held is not None and wanted is not None and wanted < held


def _short(value: Any) -> str:
    if isinstance(value, tuple | list):
        text = ", ".join(_short(item) for item in value)
    else:
        text = value if isinstance(value, str) else json.dumps(as_data(value), ensure_ascii=False)
    return harmless(text, 100)
