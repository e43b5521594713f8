"""The guard: one action in, one decision out. A pure function of action, ground, bounds and rules.

It never runs anything and never changes what it judges; only `ground.disk` may look at the machine.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from donewhen.core.texts import Phrase
from donewhen.core.tree import AndOr, Refused, Script, Simple, Statement, Word
from donewhen.guard import foreign
from donewhen.guard import rules as built_in
from donewhen.guard.actions import (
    FREE_TOOLS,
    SHELL_TOOL,
    BadArguments,
    ToolCall,
    file_effects,
    git_words,
)
from donewhen.guard.bounds import UNBOUND, Bounds
from donewhen.guard.decision import Action, Approval, Decision, Finding, Found, decide
from donewhen.guard.effects import Reads, Unknown, Writes
from donewhen.guard.ground import Ground, absolute
from donewhen.guard.own_rules import OwnRule
from donewhen.guard.patience import Patient
from donewhen.guard.rules.machine import named_dangerous
from donewhen.guard.rules.rule import Setting
from donewhen.guard.walk.walk import walk
from donewhen.guard.wording import clean
from donewhen.shell import parse, unwrap

MOST_COMMANDS = 1000  # of one text; more is a script that somebody should look at


class Guard(NamedTuple):
    ground: Ground
    bounds: Bounds = UNBOUND
    rules: tuple[OwnRule, ...] = ()

    def command(self, text: str, folder: str = "") -> Decision:
        """A shell text, as `run_command` would run it."""
        return self._decided(SHELL_TOOL, self._shell(text, folder), [])

    def argv(self, words: tuple[str, ...], folder: str = "") -> Decision:
        """A program with arguments, without a shell."""
        return self._decided(SHELL_TOOL, self._walked(_script(words), folder), [])

    def tool(self, call: ToolCall) -> Decision:
        """Any tool call."""
        try:
            found = self._effects(call)
        except (BadArguments, foreign.TooMuch):
            return self._decided(
                call.tool, (), [*self._about(call), _finding("bad-arguments", "deny", call.tool)]
            )
        return self._decided(call.tool, found, list(self._about(call)))

    def _shell(self, text: str, folder: str) -> tuple[Found, ...]:
        tree = parse(text)
        if isinstance(tree, Refused):
            return (Found(Unknown(tree.reason, tree.detail), (text[:200],)),)
        found = self._walked(tree, folder)
        if len(tree) > MOST_COMMANDS or _chained(tree) > MOST_COMMANDS:
            return (*found, Found(Unknown("guard.too_much", f"> {MOST_COMMANDS}"), (text[:200],)))
        return found

    def _walked(self, script: Script, folder: str) -> tuple[Found, ...]:
        ground = self.ground._replace(folder=absolute(folder, self.ground.folder)) if folder else self.ground
        try:
            return walk(script, ground)
        except Exception as error:  # a mistake in one of many readers must neither pass nor end the run
            detail = f"{type(error).__name__}: {error}"
            return (Found(Unknown("guard.broken", detail), ()),)

    def _effects(self, call: ToolCall) -> tuple[Found, ...]:
        if call.tool == SHELL_TOOL and not call.foreign:
            text, folder = call.args.get("command"), call.args.get("cwd") or ""
            if not isinstance(text, str) or not isinstance(folder, str):
                raise BadArguments("command")
            return self._shell(text, folder)
        if call.foreign:
            return tuple(self._foreign(call))
        words = git_words(call)
        if words:
            return self._walked(_script(words), "")
        return tuple(Found(effect, (call.tool,)) for effect in file_effects(call, self.ground))

    def _foreign(self, call: ToolCall) -> Iterator[Found]:
        for one in foreign.told(call.args):
            if one.kind == "command" or (one.kind == "line" and call.writes):
                found = (
                    each for folder in foreign.folders(call.args) for each in self._shell(one.text, folder)
                )
                yield from (each for each in found if one.kind == "command" or not _untold(each))
            if one.kind == "command":
                continue
            for path in foreign.paths(one, self.ground):
                yield Found(Reads(path), (call.tool,))
                if call.writes and foreign.written(one, path, self.ground):
                    yield Found(Writes(path), (call.tool,))

    def _about(self, call: ToolCall) -> Iterator[Finding]:
        """What the tool is, whatever it is asked to do."""
        if self.bounds.exhausted and call.tool not in FREE_TOOLS:
            yield _finding("budget-floor", "deny", call.tool, approval_user=True)
        if call.dangerous:
            yield _finding("dangerous-tool", "ask", call.tool)
        if call.requires_permission:
            yield _finding("tool-permission", "ask", call.tool)
        if call.typed:
            yield _finding("typed-text", "ask", call.tool)
        if call.foreign and named_dangerous(call.tool, self.ground.danger_patterns):
            yield _finding("tool-name", "ask", call.tool)

    def _decided(self, tool: str, found: tuple[Found, ...], about: list[Finding]) -> Decision:
        ground = self.ground
        if self.bounds.scoped or self.bounds.kept:
            ground = ground._replace(disk=Patient(ground.disk))
        findings = about + list(built_in.findings(found, Setting(ground, self.bounds, {}, [])))
        if self.rules:
            findings = self._with_own(tool, found, findings)
        return decide(findings, found)

    def _with_own(self, tool: str, found: tuple[Found, ...], findings: list[Finding]) -> list[Finding]:
        workspace = self.ground.workspace
        units = (None, *found)
        own = [
            rule.finding(unit)
            for rule in self.rules
            if rule.action != "allow"
            for unit in [one for one in units if rule.applies(tool, one, workspace)][:1]
        ]
        allowing = [rule for rule in self.rules if rule.action == "allow"]
        return own + [self._allowed(one, tool, allowing) for one in findings]

    def _allowed(self, finding: Finding, tool: str, allowing: list[OwnRule]) -> Finding:
        """In a run's workspace a denial holds; in the user's own checkout he decides, but for a few."""
        if finding.action == "deny" and (finding.locked or not self.ground.checkout):
            return finding
        if finding.found and finding.found.changed:
            return finding  # with other variables it is another command than the one that was permitted
        for rule in allowing:
            if rule.applies(tool, finding.found, self.ground.workspace):
                return finding._replace(allowed_by=rule.name)
        return finding


def example_matches(rule: OwnRule, example: str, ground: Ground) -> bool:
    """Does the rule match this example: a command, a path or the name of a tool?"""
    path = Found(Reads(absolute(example, ground.folder)), ())
    if rule.applies(example, None, ground.workspace) or rule.applies("", path, ground.workspace):
        return True
    found = Guard(ground).command(example).effects
    return any(rule.applies(SHELL_TOOL, one, ground.workspace) for one in found)


def _finding(rule: str, action: Action, tool: str, approval_user: bool = False) -> Finding:
    name = rule.replace("-", "_")
    reason = Phrase(f"guard.why_{name}", {"target": clean(tool)})
    approval: Approval = "user" if action == "ask" or approval_user else "never"
    instead = Phrase(f"guard.instead_{name}")
    return Finding(rule, action, approval, reason, None, instead, locked=rule == "bad-arguments")


TOOL_DENIALS = frozenset(("bad-arguments", "budget-floor"))
TOOL_RULES = frozenset(
    ("bad-arguments", "budget-floor", "dangerous-tool", "tool-permission", "tool-name", "typed-text")
)
RULE_NAMES = TOOL_RULES | {rule.name for rule in built_in.BUILT_IN}


def _script(words: Iterable[str]) -> Script:
    found = tuple(Word(word) for word in words)
    return (Statement(Simple(found, inner=unwrap(found))),)


def _untold(found: Found) -> bool:
    return isinstance(found.effect, Unknown)


def _chained(script: Script) -> int:
    return max((len(one.command.rest) for one in script if isinstance(one.command, AndOr)), default=0)
