"""Does an executed line prove a declared command?

`lines` says what the line runs and which statuses it shows, `tools` whether a command is the declared one;
here both become one verdict with one reason. What can't be read proves nothing.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from donewhen.commands.declared import required
from donewhen.commands.invocation import Comparison, Invocation
from donewhen.commands.judging import judges
from donewhen.commands.lines import invocations
from donewhen.commands.programs import compare, normalise
from donewhen.commands.tampering import FUNCTION
from donewhen.core.matches import Match, Mode
from donewhen.core.texts import Phrase
from donewhen.core.tree import Refused, Script, Tree
from donewhen.shell.state import ANSWERED
from donewhen.shell.variables import answering

LESS = ("tools.narrower", "tools.weaker")
_NOT_RUN = ("tools.not_run", "tools.watch")
# The reason that helps most comes first; reasons that are not listed are further away.
_NEAREST = (
    *LESS,
    "tools.mask",
    "tools.other_config",
    "tools.environment",
    *_NOT_RUN,
    "tools.unknown_option",
)
_SHOWN = 120
_RESERVED = frozenset(
    "if then elif else fi for in do done while until case esac select function time coproc declare typeset "
    "local export readonly nameref let".split()
)


class _Candidate(NamedTuple):
    place: int
    invocation: Invocation
    comparison: Comparison
    obstacle: str  # why it does not count although it may be the same command; empty: it does

    @property
    def counts(self) -> bool:
        return self.comparison.same and not self.obstacle

    @property
    def masked(self) -> bool:
        return self.comparison.masked or not self.invocation.proven


def match(declared: Tree, executed: Tree, root: str | None = None) -> Match:
    """Mode `argv`: the same check or more, and its status decides; `root` is the workspace's path."""
    if isinstance(declared, Refused):
        return _unread(declared, "commands.declared_unreadable")
    if isinstance(executed, Refused):
        return _unread(executed, "commands.unreadable")
    as_declared = declared == executed
    if as_declared and judges(executed):
        return Match(True, False, True, reason="commands.proves", values={"declared": key(declared)[:_SHOWN]})
    found = invocations(executed, root)
    before, masked = -1, None
    for part in required(declared):
        candidates = [_candidate(part, each, place, as_declared) for place, each in enumerate(found)]
        chosen = _choose(candidates, before)
        if chosen is None:
            return _missing(part, candidates)
        before = chosen.place
        masked = masked or (chosen if chosen.masked else None)
    if before < 0:
        return Match(False, reason="commands.other", values={"declared": ""})
    if masked is not None:
        return Match(False, True, True, reason=_mask_reason(masked), values=_values(masked))
    return Match(True, False, True, reason="commands.proves", values={"declared": key(declared)[:_SHOWN]})


def matches(
    target_text: str,
    target: Tree,
    executed_text: str,
    executed: Tree,
    mode: Mode = "argv",
    root: str | None = None,
) -> Match:
    """Does the line prove the target of a check that is declared with this mode?"""
    if mode == "argv":
        return match(target, executed, root)
    if isinstance(target, Refused):
        return _unread(target, "commands.declared_unreadable")
    if isinstance(executed, Refused):
        return _unread(executed, "commands.unreadable")
    if mode == "prefix":
        return _prefix(target, invocations(executed, root))
    if target_text.split() != executed_text.split():
        return Match(False, reason="commands.text_differs", values={"declared": target_text.strip()[:_SHOWN]})
    return _exact(target, executed)


def key(tree: Tree) -> str:
    """The normalised command; empty for what can't be read."""
    parts = () if isinstance(tree, Refused) else required(tree)
    return " && ".join(map(_text, parts))


def _text(part: Invocation) -> str:
    """The normalised words as they would be typed; a program that looks like syntax is quoted."""
    program, *rest = normalise(part) or ("",)
    quoted = shlex.quote(program)
    if quoted == program and (program in _RESERVED or "=" in program):
        quoted = f"'{program}'"
    return " ".join((quoted, *map(shlex.quote, rest)))


def _unread(tree: Refused, reason: str) -> Match:
    return Match(False, reason=reason, values={"why": Phrase(tree.reason, {"detail": tree.detail})})


def _candidate(part: Invocation, each: Invocation, place: int, as_declared: bool) -> _Candidate:
    here = each._replace(folder="", elsewhere=False)
    comparison = compare(part._replace(folder="", elsewhere=False), here)
    return _Candidate(place, each, comparison, _obstacle(part, each, as_declared))


def _obstacle(part: Invocation, each: Invocation, as_declared: bool) -> str:
    if not each.reached:
        return "commands.not_reached"
    if each.elsewhere:
        return "commands.elsewhere"
    if each.folder is None and not as_declared:
        return "commands.outside"
    if each.spoiled == ANSWERED and part.env and not answering(each.env, part.env):
        return ""
    return "" if as_declared and each.spoiled != FUNCTION else each.spoiled


def _choose(candidates: Sequence[_Candidate], before: int) -> _Candidate | None:
    """The first one that proves the part, else the first that hides its status; in the declared order."""
    later = [each for each in candidates if each.counts and each.place > before]
    return next((each for each in later if not each.masked), later[0] if later else None)


def _missing(part: Invocation, candidates: Sequence[_Candidate]) -> Match:
    declared = _text(part)[:_SHOWN]
    same = [each for each in candidates if each.comparison.same]
    if any(each.counts for each in same):
        return Match(False, reason="commands.order", values={"declared": declared})
    narrower = any(
        each.comparison.reason in LESS and not each.obstacle and not each.masked for each in candidates
    )
    if same:
        nearest = max(same, key=lambda each: each.invocation.reached)
        return Match(False, narrower=narrower, reason=nearest.obstacle, values=_values(nearest))
    ranked = [each for each in candidates if each.comparison.reason in _NEAREST and each.invocation.reached]
    if ranked:
        nearest = min(ranked, key=lambda each: _NEAREST.index(each.comparison.reason))
        values = {"detail": nearest.comparison.detail[:_SHOWN]}
        return Match(False, narrower=narrower, reason=nearest.comparison.reason, values=values)
    if _is_mentioned(part, candidates):
        return Match(False, reason="commands.printed", values={"command": declared})
    return Match(False, reason="commands.other", values={"declared": declared})


def _is_mentioned(part: Invocation, candidates: Sequence[_Candidate]) -> bool:
    text = " ".join(word.text for word in part.words)
    return any(text in " ".join(w.text for w in each.invocation.words[1:]) for each in candidates)


def _mask_reason(chosen: _Candidate) -> str:
    return "commands.masked" if not chosen.invocation.proven else chosen.comparison.reason


def _values(chosen: _Candidate) -> Mapping[str, object]:
    command = " ".join(word.text for word in chosen.invocation.words)
    return {"command": command[:_SHOWN], "detail": chosen.comparison.detail[:_SHOWN]}


def _exact(target: Tree, executed: Script) -> Match:
    parts = required(executed)
    if not parts:
        return Match(False, reason="commands.other", values={"declared": ""})
    hidden = [each for each in parts if not each.proven]
    if hidden and not judges(executed):
        values: dict[str, object] = {"command": " ".join(word.text for word in hidden[0].words)[:_SHOWN]}
        return Match(False, True, True, reason="commands.masked", values=values)
    return Match(True, False, True, reason="commands.proves", values={"declared": key(target)[:_SHOWN]})


def _prefix(target: Script, found: Sequence[Invocation]) -> Match:
    """The target's words first, whatever follows: less than declared is wanted, a hidden status never."""
    before, masked = -1, None
    parts = required(target)
    for part in parts:
        candidates = [_candidate(part, each, place, False) for place, each in enumerate(found)]
        begun = [_begins(part, each) for each in candidates]
        chosen = _choose(begun, before)
        if chosen is None:
            return _missing(part, begun)
        before = chosen.place
        masked = masked or (chosen if chosen.masked else None)
    declared = {"declared": " && ".join(map(_text, parts))[:_SHOWN]}
    if not parts:
        return Match(False, reason="commands.other", values=declared)
    if masked is not None:
        return Match(False, True, True, reason=_mask_reason(masked), values=_values(masked))
    return Match(True, False, True, reason="commands.proves", values=declared)


def _begins(part: Invocation, each: _Candidate) -> _Candidate:
    """The candidate as one that counts when its words begin with those of the part."""
    found = each.comparison
    begins = _starts(part, each.invocation) and found.reason not in _NOT_RUN
    return each._replace(comparison=found._replace(same=found.same or begins))


def _starts(part: Invocation, each: Invocation) -> bool:
    wanted, words = [w.text for w in part.words], [w.text for w in each.words]
    if words[: len(wanted)] == wanted and all(word.known for word in each.words[: len(wanted)]):
        return True
    canonical = normalise(part)
    return normalise(each)[: len(canonical)] == canonical
