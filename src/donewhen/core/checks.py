"""Accept checks: the executable form of the criteria, read from data that anyone may have written.

A list of objects is the format; a list of plain strings, an older one, is migrated by `old_checks`. What
is wrong is an error that names the entry, also in an optional check: a check nobody understands would
silently prove nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.paths import relative
from donewhen.core.patterns import endless_repeats, trouble_with
from donewhen.core.spelling import check_spelling
from donewhen.core.texts import Phrase

KINDS = (
    "output_only",
    "workspace_change",
    "command_success",
    "file_exists",
    "content_contains",
    "tool_fact",
    "quality_gate",
    "scenario",
)
MODES = ("argv", "exact", "prefix")
FACTS = ("tool_fact", "quality_gate")  # kinds that ask for a verifier's word
_FIELDS = ("id", "kind", "target", "match", "required", "params")
_PARAMS: Mapping[str, tuple[str, ...]] = {
    "content_contains": ("contains", "regex"),
    "file_exists": ("nonempty",),
    "tool_fact": ("tool", "scope"),
    "quality_gate": ("scope",),
    "scenario": ("scenarios",),
}  # by kind, those that mean anything
_MOST_ENDLESS = 2  # repeats without end in one pattern
_ALIASES = {"command": "command_success"}


class Check(NamedTuple):
    kind: str
    target: str = ""
    match: str = "argv"
    required: bool = True
    params: Mapping[str, str] = EMPTY
    id: str = ""
    source: str = ""
    by: str = "user"  # who asked for it: user, spec, goal, project, agent

    @property
    def name(self) -> str:
        return self.id or f"{self.kind}:{self.target}"

    @property
    def verifier(self) -> str:
        """Whose word it asks for; empty where it is none's."""
        return (self.params.get("tool") or self.target) if self.kind in FACTS else ""

    @property
    def identity(self) -> tuple[object, ...]:
        """Two checks with the same one are the same check."""
        return self.kind, self.target, self.match, tuple(sorted(self.params.items())), self.required


def scenarios_of(check: Check) -> tuple[str, ...]:
    """The scenarios that a check of that kind names, each once."""
    listed = (check.target, *check.params.get("scenarios", "").splitlines())
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def promised_scenarios(checks: Iterable[Check]) -> tuple[str, ...]:
    """Those that the checks of a promise list, each once."""
    named = (name for check in checks if check.kind == "scenario" for name in scenarios_of(check))
    return tuple(dict.fromkeys(named))


class Checks(NamedTuple):
    checks: tuple[Check, ...]
    warnings: tuple[Phrase, ...] = ()  # entries that prove nothing


def read_checks(
    data: object,
    parse: Parse,
    *,
    place: str = "checks",
    targets: Iterable[str] = (),
    source: str = "",
    by: str = "user",
    stored: bool = False,
) -> Checks:
    """Checks of a plan; `targets` are the project's own make and just targets.

    A key that means nothing for its kind is refused, unless they are `stored`: those were read once.
    """
    if data is None:
        return Checks(())
    if not isinstance(data, list | tuple):
        raise UserError("checks.not_a_list", place=place)
    if data and all(isinstance(entry, str) for entry in data):
        from donewhen.core.old_checks import migrate

        found, warnings = migrate(data, parse, frozenset(targets), place)
    else:
        found, warnings = [], list[Phrase]()
        for number, entry in enumerate(data, 1):
            check = _read_one(entry, f"{place}[{number}]")
            if check and not stored:
                _refuse_dead_keys(check, entry, f"{place}[{number}]")
            if check:
                found.append(check)
    return Checks(dedupe(check._replace(source=source, by=by) for check in found), tuple(warnings))


def dedupe(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Each check once; the first wins and order stays."""
    kept: dict[tuple[object, ...], Check] = {}
    for check in checks:
        kept.setdefault(check.identity, check)
    return tuple(kept.values())


def _read_one(entry: object, place: str) -> Check | None:
    if not isinstance(entry, Mapping):
        raise UserError("checks.not_an_object", place=place)
    check_spelling(entry, _FIELDS, place)
    kind = _text(entry, "kind", place).strip().lower()
    target = _text(entry, "target", place).strip()
    name = _text(entry, "id", place).strip()
    mode = _text(entry, "match", place).strip().lower() or "argv"
    params = _params(entry, place)
    required = entry.get("required", True)
    if type(required) is not bool:
        raise UserError("checks.required_not_bool", place=place)
    if not kind and not target and not params:
        return None
    if not kind:
        raise UserError("checks.no_kind", place=place)
    kind = _ALIASES.get(kind, kind)
    if kind not in KINDS:
        raise UserError("checks.unknown_kind", place=place, kind=kind, known=", ".join(KINDS))
    if mode not in MODES:
        raise UserError("checks.unknown_match", place=place, match=mode, known=", ".join(MODES))
    check = Check(kind, target, mode, required, params, name)
    return _RULES[kind](check, place)


def _refuse_dead_keys(check: Check, entry: Mapping[str, Any], place: str) -> None:
    known = _PARAMS.get(check.kind, ())
    dead = [f"params.{key}" for key in check.params if key not in known]
    dead += ["match"] if check.match != "argv" and check.kind != "command_success" else []
    if dead:
        takes = ", ".join(f"params.{key}" for key in known) or "-"
        raise UserError("checks.dead_key", place=place, kind=check.kind, key=dead[0], known=takes)


def _text(entry: Mapping[str, Any], key: str, place: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError("checks.not_text", place=place, key=key)
    return value


def _params(entry: Mapping[str, Any], place: str) -> Mapping[str, str]:
    params = entry.get("params")
    if params is None:
        return EMPTY
    if not isinstance(params, Mapping):
        raise UserError("checks.params_not_object", place=place)
    for key, value in params.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise UserError("checks.not_text", place=place, key=f"params.{key}")
    return dict(params)


def _any(check: Check, place: str) -> Check:
    return check


def _command(check: Check, place: str) -> Check:
    if not check.target:
        raise UserError("checks.no_command", place=place)
    return check


def _path(check: Check, place: str) -> Check:
    if not check.target:
        raise UserError("checks.no_target", place=place, kind=check.kind)
    path = relative(check.target)
    if path is None:
        raise UserError("checks.outside", place=place, target=check.target)
    return check


def _content(check: Check, place: str) -> Check:
    _path(check, place)
    if ("contains" in check.params) == ("regex" in check.params):
        raise UserError("checks.contains_or_regex", place=place)
    trouble = trouble_with(check.params["regex"]) if "regex" in check.params else None
    if trouble and trouble.name == "bad_regex":
        raise UserError("checks.bad_regex", place=place, problem=dict(trouble.values)["cause"])
    if trouble or endless_repeats(check.params.get("regex", "")) > _MOST_ENDLESS:
        raise UserError("checks.costly_regex", place=place)
    return check


def _fact(check: Check, place: str) -> Check:
    if not (check.params.get("tool") or check.target):
        raise UserError("checks.no_tool", place=place)
    return check


def _named(check: Check, place: str) -> Check:
    if not (check.target or check.params.get("scenarios", "").strip()):
        raise UserError("checks.no_target", place=place, kind=check.kind)
    return check


_RULES = {
    "output_only": _any,
    "workspace_change": _any,
    "command_success": _command,
    "file_exists": _path,
    "content_contains": _content,
    "tool_fact": _fact,
    "quality_gate": _named,
    "scenario": _named,
}
