"""The proof board with what is behind each line: the events, and the outputs that the artifact store keeps.

The board says where a proof stands; here its evidence is laid beside it, bounded. An output that is gone or
was altered is said to be so, and its kept end is shown instead.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.core.codec import thaw
from donewhen.core.errors import SetupError
from donewhen.core.events import Event
from donewhen.core.texts import Phrase
from donewhen.run.board import Proof
from donewhen.run.reporting_model import Evidence, Proven

MOST_PROOFS = 300
_MOST_EVIDENCE = 3  # of one proof, the newest
_MOST_SCENARIOS = 50  # of one check
_MOST_FINDINGS = 100
_SCENARIO = "scenario"
_HEAD, _TAIL = 20_000, 40_000  # bytes of one output: its beginning and its end
_MOST_SHOWN = 1_200_000  # of all outputs together
_MOST_READ = 256_000_000  # bytes that are looked at for one report


class Laid(NamedTuple):
    proofs: tuple[Proven, ...]
    optional: tuple[Evidence, ...]
    left_out: int
    altered: tuple[str, ...]


class Outputs:
    """Reads kept outputs until there were enough; each digest once."""

    def __init__(self, get: Callable[[str], bytes]) -> None:
        self._get = get
        self._known: dict[str, tuple[str, int, Phrase | None]] = {}
        self._read = self._shown = 0
        self.altered: list[str] = []

    def of(self, digest: str) -> tuple[str, int, Phrase | None]:
        """The text up to a bound, the size of the whole, and why it is not all of it."""
        if digest not in self._known:
            self._known[digest] = self._look(digest)
        return self._known[digest]

    def _look(self, digest: str) -> tuple[str, int, Phrase | None]:
        if self._read > _MOST_READ or self._shown > _MOST_SHOWN:
            return "", 0, Phrase("reporting.output_enough")
        try:
            data = self._get(digest)
        except SetupError as error:
            if error.key == "store.bad_artifact":
                self.altered.append(digest)
                return "", 0, Phrase("reporting.output_altered")
            return "", 0, Phrase("reporting.output_gone")
        self._read += len(data)
        text, cut = _middle_out(data)
        self._shown += len(text)
        return text, len(data), Phrase("reporting.output_cut", {"count": cut}) if cut else None


def _middle_out(data: bytes) -> tuple[str, int]:
    """The beginning and the end of a long output, and how many bytes went between them."""
    if len(data) <= _HEAD + _TAIL:
        return data.decode(errors="replace"), 0
    head, tail = data[:_HEAD].decode(errors="replace"), data[-_TAIL:].decode(errors="replace")
    return f"{head}\n[…]\n{tail}", len(data) - _HEAD - _TAIL


def lay(
    proofs: Iterable[Proof],
    events: Mapping[int, Event],
    get: Callable[[str], bytes],
    words: Iterable[int] = (),
) -> Laid:
    """The board with its evidence; `events` by sequence number, `get` reads an artifact.

    `words` are the last ones of verifiers; those that no line of the board has are told beside it.
    """
    outputs, given = Outputs(get), tuple(proofs)
    laid = []
    for proof in given[:MOST_PROOFS]:
        most = _MOST_SCENARIOS if proof.kind == _SCENARIO else _MOST_EVIDENCE
        seqs = proof.evidence[-most:]
        shown = tuple(evidence_of(events[seq], outputs) for seq in seqs if seq in events)
        laid.append(
            Proven(
                proof.id,
                proof.kind,
                proof.target,
                proof.label,
                proof.source,
                proof.status,
                proof.reason,
                shown,
            )
        )
    on_board = {(proof.kind, proof.target or proof.id) for proof in given}
    known = {name for kind, name in on_board if kind in ("quality_gate", "tool_fact", "integrity")}
    beside = [
        events[seq] for seq in words if seq in events and events[seq].body.verifier not in (*known, _SCENARIO)
    ]
    optional = tuple(evidence_of(event, outputs) for event in beside[:_MOST_FINDINGS])
    return Laid(tuple(laid), optional, len(given) - len(laid), tuple(outputs.altered))


def evidence_of(event: Event, outputs: Outputs) -> Evidence:
    """What one event says for a proof."""
    plain = Evidence(event.seq, event.at, event.type, event.type)
    tell = _TELLS.get(event.type)
    return tell(plain, event.body, outputs) if tell else plain


def _command(plain: Evidence, body: Any, outputs: Outputs) -> Evidence:
    text, size, note = outputs.of(body.output) if body.output else ("", 0, None)
    if not text and body.tail:
        text, note = body.tail, note or (Phrase("reporting.output_tail") if body.output else None)
    return plain._replace(
        what=body.command,
        by=body.by,
        status=body.state,
        exit=body.exit,
        counts=body.counts,
        duration_ms=body.duration_ms,
        before=body.before,
        after=body.after,
        environment=body.environment,
        digest=body.output,
        output=text,
        size=size or len(text.encode(errors="replace")),
        note=note,
    )


def _verified(plain: Evidence, body: Any, _: Outputs) -> Evidence:
    details = thaw(body.details)
    listed = details.get("findings") or details.get("violations") or []
    lines = [_finding(each) for each in listed[:_MOST_FINDINGS] if isinstance(each, dict)]
    tool = str(details.get("tool") or "")
    lines += [str(each) for each in (details.get("linked") or [])[:_MOST_FINDINGS]]  # tests of a scenario
    reason = str(details.get("why") or tool)
    what = body.verifier if body.scope in ("", "change") else f"{body.verifier} {body.scope}"
    return plain._replace(
        what=what,
        by="harness",
        status=body.verdict,
        before=body.fingerprint,
        reason=reason,
        output="\n".join(lines),
    )


def _finding(each: Mapping[str, Any]) -> str:
    place = ":".join(str(each[key]) for key in ("file", "line") if each.get(key))
    rule = f" [{each['rule']}]" if each.get("rule") else ""
    return f"{place}: {each.get('message') or ''}{rule}".removeprefix(": ")


def _file(plain: Evidence, body: Any, _: Outputs) -> Evidence:
    change = getattr(body, "change", "") or getattr(body, "pattern", "")
    return plain._replace(what=body.path, by=getattr(body, "by", ""), status=change)


def _answered(plain: Evidence, body: Any, _: Outputs) -> Evidence:
    return plain._replace(
        what=body.text or body.ask, by=body.by, status="passed" if body.allowed else "failed"
    )


def _todo(plain: Evidence, body: Any, _: Outputs) -> Evidence:
    said = thaw(body.todo)
    return plain._replace(what=str(said.get("content") or body.id), status=str(said.get("status") or ""))


def _decided(plain: Evidence, body: Any, _: Outputs) -> Evidence:
    return plain._replace(what=body.summary, by="harness", status=body.status, before=body.fingerprint)


_TELLS: Mapping[str, Callable[[Evidence, Any, Outputs], Evidence]] = {
    "command_ended": _command,
    "verified": _verified,
    "file_changed": _file,
    "file_confirmed": _file,
    "content_matched": _file,
    "answered": _answered,
    "todo_changed": _todo,
    "decided": _decided,
}
SPEAKING = frozenset(_TELLS)  # types of events that can stand behind a proof
