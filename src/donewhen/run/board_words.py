"""What was said about a change beside commands: by verifiers, looks into files, decisions and people.

A decision's word holds for what it names until something changes; then what had passed is stale and what had
not is open again. A word of the agent's own never makes anything pass.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from donewhen.core.checks import Check, scenarios_of
from donewhen.core.delivery import sort_out
from donewhen.core.events import facts, run
from donewhen.core.evidence import Evidence
from donewhen.core.paths import Exempt, relative
from donewhen.core.texts import Phrase
from donewhen.run.board_commands import Stand, Status

Key = tuple[str, str, str]  # kind, id, target
_MOST_PENDING = 50  # names that a decision lists; a longer list is cut, and its silence says nothing
_NOT_CHECKS = frozenset(("integrity", "fingerprint", "exam", "scenario"))
_FINDINGS = frozenset(("integrity", "scope", "unsafe"))
_FILES = 12


class _Said(NamedTuple):
    passed: bool
    reason: str
    seq: int


def result_key(check: Check) -> Key:
    return check.kind, check.name, check.target


class Words:
    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._said: dict[Key, _Said] = {}  # by the last decision that named it
        self._decision: run.Decided | None = None
        self._decision_seq = 0
        self._current: bool = False  # nothing has changed since that decision
        self._left = 0  # the event that ended its word
        self._gates: set[str] = set()  # that this change must pass
        self._integrity: dict[str, tuple[str, int]] = {}  # scope → verdict, seq
        self._stale_integrity = False
        self._verifier: dict[str, int] = {}  # seq of the last pass
        self._scenarios: dict[str, int] = {}  # seq of the last word on each
        self._trouble: dict[str, tuple[int, str]] = {}  # key of an acceptance command → why its run is void
        self._written: dict[str, int] = {}
        self._looked: dict[str, int] = {}  # by the harness, at the version as it is
        self._matched: dict[tuple[str, str], int] = {}
        self._people: dict[str, int] = {}

    # -- what comes in -----------------------------------------------------------------------------

    def moved(self, seq: int) -> None:
        if self._current:
            self._left = seq
        self._current = False
        self._stale_integrity = True

    def void(self) -> None:
        """The promise is another one: an older decision says nothing about it as a whole."""
        self._current = False

    def touched(self, body: facts.FileChanged, seq: int) -> None:
        for path in (body.path, body.origin):
            self._looked.pop(path, None)
        self._matched.clear()
        self._written[body.path] = seq
        if body.change == "delete":
            del self._written[body.path]

    def looked(self, body: facts.FileConfirmed | facts.ContentMatched, seq: int) -> None:
        if isinstance(body, facts.ContentMatched):
            self._matched[relative(body.path) or body.path, body.pattern] = seq
        elif body.by == "harness":
            self._looked[body.path] = seq

    def confirmed_by_human(self, text: str, seq: int) -> None:
        self._people[text] = seq

    def verified(self, body: facts.Verified, seq: int) -> None:
        if body.verifier == "exam":
            self._trouble[body.scope] = seq, str(body.details.get("reason", ""))
        elif body.verifier == "integrity":
            self._integrity[body.scope] = body.verdict, seq
            self._stale_integrity = False
        elif body.verifier == "scenario":
            self._scenarios[body.scope] = seq
        if body.verdict == "passed":
            self._verifier[body.verifier] = seq
        if body.verifier not in _NOT_CHECKS and body.details.get("required") is True:
            self._gates.add(body.verifier)

    def decided(self, body: run.Decided, seq: int) -> None:
        self._decision, self._decision_seq, self._current = body, seq, True
        self._stale_integrity = False
        for result in body.results:
            kind, name, target = (str(result.get(field, "")) for field in ("kind", "id", "target"))
            self._said[kind, name, target] = _Said(
                result.get("passed") is True, str(result.get("reason", "")), seq
            )

    # -- where things stand ------------------------------------------------------------------------

    def of_check(self, check: Check, key: Key, tree: str) -> Stand:
        """A check that is no command."""
        return _KINDS.get(check.kind, Words._as_decided)(self, check, key, tree)

    def over_command(self, key: Key, stand: Stand) -> Stand:
        """What the runs say, unless a later word is against it or knows more."""
        last, newest = self._said.get(key), max(stand.evidence, default=0)
        if last is not None and last.seq == self._decision_seq:
            if self._current and last.seq > newest:  # what ran since then knows more
                return self._decided_command(last, stand)
            if last.passed and stand.status in ("pending", "masked") and newest <= self._left:
                return Stand("stale", Phrase("live.stale", {"seq": last.seq}), (last.seq,))
        void, why = self._trouble.get(key[1], (0, ""))
        if stand.status == "passed" and void > newest:
            return Stand("pending", Phrase("live.exam_trouble", {"reason": why}), (void,))
        return stand

    def _decided_command(self, last: _Said, stand: Stand) -> Stand:
        if last.passed == (stand.status == "passed"):
            return stand
        if not last.passed:
            return Stand("failed", _plain(last.reason), (*stand.evidence, last.seq), stand.output)
        return Stand("passed", _plain(last.reason), (*stand.evidence, last.seq), stand.output)

    def gates(self, tree: str, declared: frozenset[str]) -> dict[Key, Stand]:
        """Gates and findings that the change brought up itself, beside the declared gates."""
        found: dict[Key, Stand] = {}
        told = {key[2] for key in self._said if key[0] == "quality_gate"}
        for name in sorted((self._gates | told) - declared):
            key = ("quality_gate", f"gate:{name}", name)
            found[key] = self._of_verifier(name, None, key, tree)
        for key in self._said:
            if key[0] in _FINDINGS:
                found[key] = self._decided_word(key)
        if self._integrity:
            found["integrity", "integrity", ""] = self._of_integrity()
        return found

    def of_condition(self, kind: str, name: str) -> Stand:
        if kind == "user-confirmed" and name in self._people:
            return Stand("passed", Phrase("live.evidence_there"), (self._people[name],))
        body, seq = self._decision, self._decision_seq
        if body is None:
            return Stand("pending", Phrase("live.evidence_open"))
        listed = name if kind == "evidence" else f"gate.unmet_{kind.replace('-', '_')}"
        told = body.status == "accepted" or 0 < len(body.pending) < _MOST_PENDING
        if not told or listed in body.pending:
            return Stand("pending", Phrase("live.evidence_open"), (seq,))
        if not self._current:
            return Stand("stale", Phrase("live.stale", {"seq": seq}), (seq,))
        return Stand("passed", Phrase("live.evidence_there"), (seq,))

    def owes(self, key: str) -> bool:
        """Whether the last decision named a proof of this sort as owed."""
        return self._decision is not None and any(name.startswith(key) for name in self._decision.pending)

    @property
    def decision_seq(self) -> int:
        return self._decision_seq

    def _as_decided(self, check: Check, key: Key, tree: str) -> Stand:
        return self._decided_word(key)

    def _decided_word(self, key: Key) -> Stand:
        last = self._said.get(key)
        if last is None:
            return Stand("pending", Phrase("live.not_looked"))
        if self._current and last.seq == self._decision_seq:
            status: Status = "passed" if last.passed else "failed"
            return Stand(status, _plain(last.reason), (last.seq,))
        if last.passed:
            return Stand("stale", Phrase("live.stale", {"seq": last.seq}), (last.seq,))
        return Stand("pending", Phrase("live.changed_since"), (last.seq,))

    def _of_file(self, check: Check, key: Key, tree: str) -> Stand:
        stand = self._decided_word(key)
        path = relative(check.target) or check.target
        if stand.status == "pending" and path in self._written:
            return Stand("pending", Phrase("live.file_seen"), (*stand.evidence, self._written[path]))
        return stand

    def _of_content(self, check: Check, key: Key, tree: str) -> Stand:
        path = relative(check.target) or check.target
        wanted = check.params.get("contains", check.params.get("regex", ""))
        seen = self._matched.get((path, wanted))
        if seen:
            return Stand("passed", Phrase("gate.passed"), (seen,))
        return self._of_file(check, key, tree)

    def _of_change(self, check: Check, key: Key, tree: str) -> Stand:
        stand = self._decided_word(key)
        if stand.status == "pending" and self._written:
            last = max(self._written.values())
            return Stand("pending", Phrase("live.file_seen"), (*stand.evidence, last))
        return stand

    def _of_scenario(self, check: Check, key: Key, tree: str) -> Stand:
        """As decided; behind it stands what was found of each scenario, with the tests that name it."""
        stand = self._decided_word(key)
        found = (self._scenarios.get(name) for name in scenarios_of(check))
        seqs = tuple(seq for seq in found if seq is not None)
        return stand._replace(evidence=seqs) if seqs else stand

    def _of_fact(self, check: Check, key: Key, tree: str) -> Stand:
        name = check.params.get("tool") or check.target
        return self._of_verifier(name, check.params.get("scope"), key, tree)

    def _of_verifier(self, name: str, scope: str | None, key: Key, tree: str) -> Stand:
        standing = self._evidence.verdicts.standing(name, scope, tree)
        events = (standing.seq,) if standing.seq else ()
        if standing.passed:
            return Stand("passed", standing.reason, events)
        if standing.status in ("failed", "flaky"):
            return Stand("failed", standing.reason, events)
        if name in self._verifier:
            seq = self._verifier[name]
            return Stand("stale", Phrase("live.stale", {"seq": seq}), (seq,))
        return self._decided_word(key)

    def _of_integrity(self) -> Stand:
        """A finding stands until a later look finds none, whatever was edited in between."""
        bad = [seq for verdict, seq in self._integrity.values() if verdict != "passed"]
        if bad:
            return Stand("failed", Phrase("gate.integrity"), tuple(bad))
        last = max(seq for _, seq in self._integrity.values())
        if self._stale_integrity:
            return Stand("stale", Phrase("live.stale", {"seq": last}), (last,))
        return Stand("passed", Phrase("gate.passed"), (last,))


def unconfirmed(evidence: Evidence, words: Words) -> Iterator[tuple[Key, str, Stand]]:
    """Files that the change left without their proof, as the last decision has them."""
    if not words.owes("gate.unconfirmed"):
        return
    found = sort_out(evidence.versions.touched(), evidence.versions.of, Exempt())
    for path in found.pending[:_FILES]:
        reason = Phrase("gate.unconfirmed", {"path": path})
        yield ("deliverable", f"file:{path}", path), path, Stand("pending", reason, (words.decision_seq,))


def _plain(text: str) -> Phrase:
    return Phrase("live.plain", {"text": text})


_KINDS: Mapping[str, Callable[[Words, Check, Key, str], Stand]] = {
    "tool_fact": Words._of_fact,
    "quality_gate": Words._of_fact,
    "file_exists": Words._of_file,
    "scenario": Words._of_scenario,
    "content_contains": Words._of_content,
    "workspace_change": Words._of_change,
}
