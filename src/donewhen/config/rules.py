"""What an untrusted project file may do to a key: trust rules as data, and one pure judge for them.

A rule compares a wanted value with the value that holds without the project file. What would loosen is
refused, never softened into something the file didn't ask for; what can't be compared counts as looser. The
judge knows nothing of files or schemas.
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
Chain = tuple[tuple[Any, ...], ...]  # loosest first; values in one step are equally strict
Change = Literal["set", "removes", "adds"]


class Rule(NamedTuple):
    kind: Kind
    chains: tuple[Chain, ...] = ()  # values that share no chain can't be compared
    only: frozenset[str] | None = None  # additions to a superset that are harmless


class Refused(NamedTuple):
    """A part of what was wanted: an assigned value, or the entries that would go or come."""

    change: Change
    value: Any


class Verdict(NamedTuple):
    """What holds, and the parts that were refused."""

    holds: Any
    refused: tuple[Refused, ...] = ()


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


def chain(*steps: Any) -> Chain:
    """From loosest to strictest; a tuple groups values that are equally strict."""
    return tuple(step if isinstance(step, tuple) else (step,) for step in steps)


def order(*steps: Any) -> Rule:
    """One chain that holds every value."""
    return Rule("order", (chain(*steps),))


def branches(*chains: Chain) -> Rule:
    """Several chains; only values on a common one can be compared."""
    return Rule("order", chains)


def each(*steps: Any) -> Rule:
    """The order of every value of a mapping; a name without value counts as strictest."""
    return Rule("each", (chain(*steps),))


TRUE_IS_STRICT = order(False, True)

DESCRIPTIONS: dict[str, str] = {
    "free": "any value",
    "never": "not until trusted",
    "lower": "only lower",
    "higher": "only higher",
    "superset": "may add, not remove",
    "subset": "may remove, not add",
    "allowlist": "may narrow (empty allows all)",
    "inside": "only where none is set, and inside the project",
    "guard": "may add `deny` and `ask` rules, and raise the action of a rule",
    "gates": "may require built-in gates, without commands; a shorter timeout only for required ones",
}


def describe(rule: Rule) -> str:
    """The rule in the words of the documentation."""
    if rule.kind in ("order", "each"):
        lines = (" → ".join(" = ".join(map(_word, step)) for step in steps) for steps in rule.chains)
        return f"{'each ' if rule.kind == 'each' else ''}only rightwards: {', or '.join(lines)}"
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
    return Verdict(base, (Refused("set", wanted),))


def judge_each(rule: Rule, base: Mapping[str, Any], name: str, wanted: Any) -> Verdict:
    """The same for one name of a mapping of ordered values."""
    known = base.get(name, rule.chains[0][-1][0])
    return Verdict(wanted) if _rises(rule, known, wanted) else Verdict(known, (Refused("set", wanted),))


def _tightens(rule: Rule, base: Any, wanted: Any) -> bool:
    if wanted is None:
        return False
    if rule.kind == "inside":
        return base is None and _inside(str(wanted))
    if base is None:  # automatic: whether a number is lower than that can't be known
        return False
    if rule.kind == "lower":
        return bool(wanted <= base)
    if rule.kind == "higher":
        return bool(wanted >= base)
    return rule.kind == "order" and _rises(rule, base, wanted)


def _rises(rule: Rule, base: Any, wanted: Any) -> bool:
    """Whether some chain leads from `base` to `wanted`."""
    steps = ((_step(steps, base), _step(steps, wanted)) for steps in rule.chains)
    return any(start is not None and end is not None and start <= end for start, end in steps)


def _step(steps: Chain, value: Any) -> int | None:
    return next((number for number, step in enumerate(steps) if value in step), None)


def _judge_list(rule: Rule, base: tuple[Any, ...], wanted: tuple[Any, ...]) -> Verdict:
    added = tuple(dict.fromkeys(value for value in wanted if value not in base))
    if rule.kind == "superset":
        return _judge_superset(rule, base, wanted, added)
    if rule.kind == "allowlist" and not base:
        return Verdict(wanted)
    kept = tuple(value for value in base if value in wanted)
    if rule.kind == "allowlist" and not kept:  # an empty list would allow everything
        return Verdict(base, (Refused("set", wanted),))
    return Verdict(kept, (Refused("adds", added),) if added else ())


def _judge_superset(
    rule: Rule, base: tuple[Any, ...], wanted: tuple[Any, ...], added: tuple[Any, ...]
) -> Verdict:
    removed = tuple(value for value in base if value not in wanted)
    risky = tuple(value for value in added if rule.only is not None and value not in rule.only)
    refused = [Refused("removes", removed)] if removed else []
    refused += [Refused("adds", risky)] if risky else []
    return Verdict(base + tuple(value for value in added if value not in risky), tuple(refused))


def _inside(path: str) -> bool:
    text = path.replace("\\", "/")
    return not text.startswith(("/", "~")) and ".." not in text.split("/") and ":" not in text.split("/")[0]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
