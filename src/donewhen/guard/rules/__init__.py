"""All built-in rules, and what they say about effects. Data and one loop; nothing is chosen here."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from donewhen.core.texts import Phrase
from donewhen.guard.decision import Approval, Finding, Found
from donewhen.guard.effects import Effect, Unknown
from donewhen.guard.rules import clients, git, machine, network, paths, work
from donewhen.guard.rules.rule import Rule, Setting
from donewhen.guard.wording import target

BUILT_IN: tuple[Rule, ...] = (
    *clients.RULES,
    *paths.RULES,
    *git.RULES,
    *work.RULES,
    *network.RULES,
    *machine.RULES,
)


_RANKS = {rule.name: number for number, rule in enumerate(BUILT_IN)}


@cache
def _by_effect() -> Mapping[type, tuple[Rule, ...]]:
    kinds = {kind for rule in BUILT_IN for kind in rule.effects}
    return {kind: tuple(rule for rule in BUILT_IN if kind in rule.effects) for kind in kinds}


def findings(effects: Iterable[Found], setting: Setting) -> Iterator[Finding]:
    """Every built-in rule that applies to every effect, each pair once."""
    rules = _by_effect()
    seen: set[tuple[str, Effect, int, bool]] = set()
    for found in effects:
        for rule in rules.get(type(found.effect), ()):
            # an allow rule permits one command, not another with the same effect; argvs are long to compare
            key = rule.name, found.effect, id(found.argv), found.changed
            if rule.in_checkout and not setting.ground.checkout:
                continue
            if key not in seen and rule.applies(found.effect, found, setting):
                seen.add(key)
                yield finding(rule, found, setting)


def finding(rule: Rule, found: Found, setting: Setting) -> Finding:
    approval: Approval = "user" if rule.action == "ask" else rule.approval
    reason = Phrase(rule.reason, {"target": target(found.effect)})
    unread = isinstance(found.effect, Unknown) and not found.effect.what.startswith("guard.")
    instead = None if unread else Phrase(rule.instead)  # why a text was not read says what to do, too
    locked = rule.locked is not None and rule.locked(found.effect, found, setting)
    rank = _RANKS[rule.name]
    return Finding(rule.name, rule.action, approval, reason, found, instead, rank=rank, locked=locked)
