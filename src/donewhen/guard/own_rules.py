"""Rules of the configuration and of plugins: matchers as data, with examples that are checked when they load.

A rule applies where all of its matchers do, to one command or path of the action. `deny` and `ask` add
findings; `allow` permits what would be asked here, never what runs on another machine; what is denied only in
the user's own checkout, and never what is locked.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from donewhen.core.errors import SetupError, UserError
from donewhen.core.paths import Scope
from donewhen.core.texts import Phrase
from donewhen.core.tree import Refused, Simple
from donewhen.guard.decision import Action, Finding, Found
from donewhen.guard.effects import Deletes, Reads, Writes
from donewhen.guard.marks import anything, certain, shown
from donewhen.guard.offered import offered
from donewhen.guard.plain_words import plain_words
from donewhen.shell import parse

GROUP = "donewhen.guard_rules"
LONGEST = 4096  # characters of one text that a pattern is searched in


class RuleData(Protocol):
    """A rule as it is written: `config.sections_guard.GuardRule`."""

    @property
    def name(self) -> str: ...
    @property
    def pattern(self) -> str | None: ...
    @property
    def command(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def tool(self) -> str | None: ...
    @property
    def action(self) -> Action: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def match(self) -> Sequence[str]: ...
    @property
    def not_match(self) -> Sequence[str]: ...


class OwnRule(NamedTuple):
    name: str
    action: Action
    reason: str = ""
    pattern: re.Pattern[str] | None = None
    command: tuple[str, ...] = ()
    path: Scope | None = None
    tool: re.Pattern[str] | None = None
    fixed: str = ""  # the folder that the path's glob surely lies in

    def applies(self, tool: str, found: Found | None, workspace: str) -> bool:
        """To the tool as such (`found` is None) or to one effect of it."""
        path = _path_of(found, workspace)
        argv = plain_words(found.argv) if found else ()
        if self.action == "allow" and found and found.elsewhere:
            return False  # no rule names the machine, and the same words do something else on another one
        if self.tool and not self.tool.fullmatch(tool):
            return False
        if self.command and argv[: len(self.command)] != self.command:
            return False
        if self.path and not self._covers(self.path, path, found):
            return False
        texts = (tool, " ".join(found.argv) if found else "", path)
        return self.pattern is None or any(self._finds(self.pattern, shown(text)) for text in texts if text)

    def _finds(self, pattern: re.Pattern[str], text: str) -> bool:
        """Pieces are searched, so that no length hides anything; a piece is never enough to allow."""
        if self.action == "allow":
            return len(text) <= LONGEST and pattern.search(text) is not None
        starts = range(0, max(1, len(text) - LONGEST // 2), LONGEST // 2)
        return any(pattern.search(text[at : at + LONGEST]) for at in starts)

    def _covers(self, scope: Scope, path: str, found: Found | None) -> bool:
        if self.action == "allow" and anything(path):
            return False  # the unknown part may lead out of it
        return bool(path) and (scope.match(path) or self._takes_along(path, found))

    def _takes_along(self, path: str, found: Found | None) -> bool:
        """Deleting a folder deletes what the rule is about, if that lies in it."""
        deep = found is not None and isinstance(found.effect, Deletes) and found.effect.deep
        return deep and f"{self.fixed}/".startswith(f"{path}/")

    def finding(self, found: Found | None) -> Finding:
        said = Phrase("guard.why_own_rule_said", {"said": self.reason})
        reason = said if self.reason else Phrase("guard.why_own_rule")
        return Finding(self.name, self.action, "user" if self.action == "ask" else "never", reason, found)


def _path_of(found: Found | None, workspace: str) -> str:
    """A path as rules see it: from the workspace's root when it is inside."""
    if found is None or not isinstance(found.effect, Reads | Writes | Deletes):
        return ""
    path = found.effect.path
    if path.startswith(workspace + "/"):
        return path[len(workspace) + 1 :]
    return path.lstrip("/") if certain(path) else ""


Matches = Callable[[OwnRule, str], bool]  # does the rule match this example?


def compiled(
    rules: Iterable[RuleData],
    taken: frozenset[str],
    matches: Matches,
    place: Callable[[str], str] = lambda _: "",
) -> tuple[OwnRule, ...]:
    """The rules ready for use, their examples checked; `place` says where a rule was written."""
    found = []
    for data in rules:
        where = place(data.name)
        said = Phrase("guard.at_place", {"where": where}) if where else ""
        if data.name in taken:
            raise UserError("guard.rule_name_taken", rule=data.name, place=said)
        rule = _compile(data, said)
        _check_examples(rule, data, matches, said)
        found.append(rule)
    return tuple(found)


def _compile(data: RuleData, place: Phrase | str) -> OwnRule:
    return OwnRule(
        data.name,
        data.action,
        data.reason or "",
        re.compile(data.pattern) if data.pattern else None,
        _words(data.name, data.command, place) if data.command else (),
        Scope((data.path.lstrip("/"),)) if data.path else None,
        _glob(data.tool) if data.tool else None,
        re.split(r"[*?\[]", data.path.lstrip("/"), maxsplit=1)[0].rpartition("/")[0] if data.path else "",
    )


def _words(name: str, command: str, place: Phrase | str) -> tuple[str, ...]:
    tree = parse(command)
    if isinstance(tree, Refused):
        why = Phrase(tree.reason, {"detail": tree.detail})
        raise UserError("guard.rule_unreadable", rule=name, why=why, place=place)
    simple = tree[0].command if len(tree) == 1 else None
    if not isinstance(simple, Simple) or not simple.words or not all(word.known for word in simple.words):
        raise UserError("guard.rule_unreadable", rule=name, why=command, place=place)
    return plain_words(tuple(word.text for word in simple.words))


def _glob(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(piece) for piece in re.split(r"\*+", text)), re.DOTALL)


def _check_examples(rule: OwnRule, data: RuleData, matches: Matches, place: Phrase | str) -> None:
    for example in data.match:
        if not matches(rule, example):
            raise UserError("guard.example_not_matched", rule=rule.name, example=example, place=place)
    for example in data.not_match:
        if matches(rule, example):
            raise UserError("guard.example_matched", rule=rule.name, example=example, place=place)


def plugin_rules(validate: Callable[[Mapping[str, Any]], RuleData]) -> list[RuleData]:
    """Rules of installed plugins; each entry point is a list of rules or a function that gives one."""
    found = []
    for entry in offered(GROUP):
        try:
            loaded = entry.load()
            rules = loaded() if callable(loaded) else loaded
            found += [validate(rule) for rule in rules]
        except Exception as error:  # foreign code may raise anything, and a rule must never get lost
            why = f"{type(error).__name__}: {error}"
            raise SetupError("guard.plugin_failed", plugin=entry.name, why=why) from error
    return found
