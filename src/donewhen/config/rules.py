"""What an untrusted project file may do to a key: trust rules as data, and one pure judge for them.

A rule compares a wanted value with the value that holds without the project file. What would loosen is
refused, never softened into something the file didn't ask for. The judge knows nothing of files or schemas.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Kind = Literal[
    "free",
    "never",
    "lower",
    "higher",
    "order",
    "superset",
    "subset",
    "allowlist",
    "inside",
    "each",
    "guard",
    "gates",
]


class Rule(NamedTuple):
    kind: Kind
    steps: tuple[tuple[Any, ...], ...] = ()  # loosest first; values in one step are equally strict
    only: frozenset[str] | None = None  # additions to a superset that are harmless


class Verdict(NamedTuple):
    """What holds, and the part that was refused."""

    holds: Any
    loosens: bool = False
    refused: Any = None


FREE = Rule("free")
NEVER = Rule("never")
LOWER = Rule("lower")
HIGHER = Rule("higher")
SUPERSET = Rule("superset")
SUBSET = Rule("subset")
ALLOWLIST = Rule("allowlist")
INSIDE = Rule("inside")
GUARD = Rule("guard")
GATES = Rule("gates")


def order(*steps: Any) -> Rule:
    """From loosest to strictest; a tuple groups values that are equally strict."""
    return Rule("order", tuple(step if isinstance(step, tuple) else (step,) for step in steps))


def each(*steps: Any) -> Rule:
    """The order of every value of a mapping; a name without value counts as strictest."""
    return Rule("each", order(*steps).steps)


TRUE_IS_STRICT = order(False, True)

DESCRIPTIONS: dict[str, str] = {
    "free": "any value",
    "never": "not until trusted",
    "lower": "only lower",
    "higher": "only higher",
    "superset": "may add, not remove",
    "subset": "may remove, not add",
    "allowlist": "may narrow (empty allows all)",
    "inside": "only a path inside the project",
    "guard": "may add `deny` and `ask` rules",
    "gates": "may require built-in gates, no commands",
}


def describe(rule: Rule) -> str:
    """The rule in the words of the documentation."""
    if rule.kind in ("order", "each"):
        steps = " → ".join(" = ".join(_word(value) for value in step) for step in rule.steps)
        return f"only rightwards: {steps}" if rule.kind == "order" else f"each only rightwards: {steps}"
    words = DESCRIPTIONS[rule.kind]
    return words if rule.only is None else f"{words} (adds only {', '.join(sorted(rule.only))})"


def judge(rule: Rule, base: Any, wanted: Any) -> Verdict:
    """What holds when an untrusted file wants `wanted` where `base` holds without it."""
    if wanted == base or rule.kind == "free":
        return Verdict(wanted)
    if rule.kind in ("superset", "subset", "allowlist"):
        return _judge_list(rule, tuple(base or ()), tuple(wanted or ()))
    if _tightens(rule, base, wanted):
        return Verdict(wanted)
    return Verdict(base, True, wanted)


def _tightens(rule: Rule, base: Any, wanted: Any) -> bool:
    if wanted is None:
        return False
    if rule.kind == "lower":
        return base is None or bool(wanted <= base)
    if rule.kind == "higher":
        return base is None or bool(wanted >= base)
    if rule.kind == "order":
        return step_of(rule, wanted) >= step_of(rule, base)
    return rule.kind == "inside" and _inside(str(wanted))


def judge_each(rule: Rule, base: Mapping[str, Any], name: str, wanted: Any) -> Verdict:
    """The same for one name of a mapping of ordered values."""
    known = base.get(name, rule.steps[-1][0])
    ordered = Rule("order", rule.steps)
    return (
        Verdict(wanted)
        if step_of(ordered, wanted) >= step_of(ordered, known)
        else Verdict(known, True, wanted)
    )


def step_of(rule: Rule, value: Any) -> int:
    for number, step in enumerate(rule.steps):
        if value in step:
            return number
    return -1


def _judge_list(rule: Rule, base: tuple[Any, ...], wanted: tuple[Any, ...]) -> Verdict:
    added = tuple(value for value in wanted if value not in base)
    if rule.kind == "superset":
        harmless = tuple(value for value in added if rule.only is None or value in rule.only)
        risky = tuple(value for value in added if rule.only is not None and value not in rule.only)
        refused = tuple(value for value in base if value not in wanted) + risky
        return Verdict(base + tuple(dict.fromkeys(harmless)), True, refused) if refused else Verdict(wanted)
    if rule.kind == "allowlist" and not base:
        return Verdict(wanted)
    kept = tuple(value for value in base if value in wanted)
    if rule.kind == "allowlist" and not kept:  # an empty list would allow everything
        return Verdict(base, True, wanted)
    return Verdict(kept, True, added) if added else Verdict(wanted)


def _inside(path: str) -> bool:
    text = path.replace("\\", "/")
    return not text.startswith(("/", "~")) and ".." not in text.split("/") and ":" not in text.split("/")[0]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
