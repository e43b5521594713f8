"""What is left of an untrusted project file: it may tighten what holds without it, never loosen.

Each leaf is judged by the trust rule of its key. What would loosen is listed and has no effect. It refuses
to guess: a combination that no rule proves to be stricter is ignored.
"""

from typing import Any, NamedTuple

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.hiding import hidden
from donewhen.config.layers import Layer, leaves
from donewhen.config.places import Origin, Path
from donewhen.config.rules import Rule, judge, judge_each
from donewhen.core.texts import Language, say

_ACTIONS = ("allow", "ask", "deny")
_MATCHERS = ("pattern", "command", "path", "tool")


class Ignored(NamedTuple):
    """A setting of an untrusted project file that has no effect."""

    path: Path
    value: Any
    origin: Origin
    rule: Rule

    def why(self, language: Language = "en") -> str:
        return say(f"config.why_{self.rule.kind}", language)


class _Ledger(NamedTuple):
    """Where refusals are collected while walking."""

    ignored: list[Ignored]
    origins: dict[Path, Origin]

    def refuse(self, path: Path, value: Any, rule: Rule) -> None:
        wanted = path
        while wanted and wanted not in self.origins:
            wanted = wanted[:-1]
        self.ignored.append(Ignored(path, value, self.origins.get(wanted, Origin("project")), rule))


def tighten(base: Layer, wanted: Layer, model: type[Section]) -> tuple[Layer, tuple[Ignored, ...]]:
    """The part of `wanted` that tightens `base`, and the rest."""
    ledger = _Ledger([], wanted.origins)
    data = _section(base.data, wanted.data, model, (), ledger)
    origins = {path: wanted.origins[path] for path, _, _ in leaves(data, complete=False)}
    return Layer(data, origins), tuple(ledger.ignored)


def _section(
    base: dict[str, Any], wanted: dict[str, Any], model: type[Section], path: Path, ledger: _Ledger
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for entry in keys_of(model):
        if entry.attr not in wanted or entry.facts.file_only:
            continue
        below, value = (*path, entry.attr), wanted[entry.attr]
        held = base.get(entry.attr, {} if entry.shape != "leaf" else entry.default)
        if entry.shape == "section" and entry.model is not None:
            out[entry.attr] = _section(held, value, entry.model, below, ledger)
        elif entry.shape == "leaf":
            _leaf(entry, held, value, below, out, ledger)
        else:
            out[entry.attr] = _entries(entry, held, value, below, ledger)
    return out


def _leaf(entry: Key, held: Any, value: Any, path: Path, out: dict[str, Any], ledger: _Ledger) -> None:
    wanted = tuple(dict.fromkeys((*held, *value))) if entry.facts.adds else value
    verdict = judge(entry.facts.rule, held, wanted)
    if verdict.loosens:
        ledger.refuse(path, hidden(verdict.refused, entry), entry.facts.rule)
    if verdict.holds != held:
        out[entry.attr] = verdict.holds


def _entries(
    entry: Key, held: dict[str, Any], value: dict[str, Any], path: Path, ledger: _Ledger
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, wanted in value.items():
        below = (*path, name)
        if entry.shape == "map" and entry.model is not None:
            kept = _section(held.get(name, {}), wanted, entry.model, below, ledger)
            if kept:
                out[name] = kept
            elif not wanted and name not in held:
                ledger.refuse(below, wanted, entry.facts.rule)
        elif _entry_tightens(entry, held, name, wanted):
            out[name] = wanted
        elif held.get(name) != wanted:
            ledger.refuse(below, wanted, entry.facts.rule)
    return out


def _entry_tightens(entry: Key, held: dict[str, Any], name: str, wanted: Any) -> bool:
    kind = entry.facts.rule.kind
    if kind == "each":
        return not judge_each(entry.facts.rule, held, name, wanted).loosens
    if kind == "guard":
        return _rule_tightens(held.get(name), wanted)
    return kind == "gates" and _gate_tightens(held.get(name), wanted)


def _rule_tightens(held: dict[str, Any] | None, wanted: dict[str, Any]) -> bool:
    if wanted["action"] == "allow":
        return False
    if held is None:
        return True
    same = all(held.get(matcher) == wanted.get(matcher) for matcher in _MATCHERS)
    return same and _ACTIONS.index(wanted["action"]) >= _ACTIONS.index(held["action"])


def _gate_tightens(held: dict[str, Any] | None, wanted: dict[str, Any]) -> bool:
    known = held or {}
    if any(wanted.get(name) != known.get(name) for name in ("parser", "pattern")):
        return False
    if tuple(wanted.get("command", ())) != tuple(known.get("command", ())):
        return False
    if wanted.get("required", True) < known.get("required", True) or not (
        held or wanted.get("required", True)
    ):
        return False
    if wanted.get("absolute", False) < known.get("absolute", False):
        return False
    limit, limit_held = wanted.get("timeout"), known.get("timeout")
    return limit is None if limit_held is None else limit is not None and limit <= limit_held
