"""Approvals: the one place where questions to a human go, one at a time.

Every question stands in the ledger before anybody is asked, every answer before it has an effect, and a
refusal also as a denial: whoever asks here need not record it again. What the guard denies is never asked,
and neither is what nobody may permit. An answer that came by `donewhen approve` or `deny` counts before one
from the terminal. An answer allows this one action; it is never a confirmation of anything in the promise,
so what a person adds to a yes is noted beside it.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from donewhen.core.errors import DonewhenError, HumanNeeded
from donewhen.core.events import Body, facts, run
from donewhen.core.events.facts import By
from donewhen.core.ids import stamp
from donewhen.core.protocols import EventStore, Lease, Request
from donewhen.core.texts import Language, Phrase, say
from donewhen.guard.decision import Decision, Finding
from donewhen.run.approvals_askers import SCOPES, Asker, Reply, Scope, Shown
from donewhen.run.approvals_clock import Clock, SystemClock
from donewhen.run.approvals_ledger import Key, Questions, Told, question_text

if TYPE_CHECKING:
    from donewhen.run.approvals_rules import Rule

SLICE_SECONDS = 0.5  # how long a wait in a thread may outlive a question that was given up


class Question(NamedTuple):
    """An action that the guard did not allow, as it was meant to happen."""

    decision: Decision
    action: str
    tool: str

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What speaks against it."""
        return tuple(one for one in self.decision.findings if one.action != "allow" and not one.allowed_by)

    @property
    def askable(self) -> bool:
        asked = self.decision.action == "ask" and bool(self.findings)
        return asked and all(one.action == "ask" and one.approval == "user" for one in self.findings)


class Answer(NamedTuple):
    allowed: bool
    scope: Scope = "once"
    by: By = "human"
    text: str = ""
    ask: str = ""  # the question that it answers; empty where nobody was asked


class Terms(NamedTuple):
    """How long a human is waited for (0: for ever), what follows then, and in which language is asked."""

    timeout: float = 0.0
    on_timeout: Literal["pause", "deny"] = "pause"
    language: Language = "en"


class _Came(NamedTuple):
    """A reply and where it came from: the row of a request, a person who was asked, or nobody."""

    reply: Reply
    row: int = 0
    by: By = "human"


class Approvals:
    """Questions of one run. `keep` writes a rule to the user's file; without it `always` is for the run."""

    def __init__(
        self,
        store: EventStore,
        run_id: str,
        asker: Asker,
        *,
        lease: Lease | None = None,
        terms: Terms = Terms(),  # noqa: B008 - frozen
        keep: "Callable[[Rule], bool] | None" = None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._asker = asker
        self._lease = lease
        self._terms = terms
        self._keep = keep
        self._clock = clock or SystemClock()
        self._known = Questions(run_id)
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, question: Question) -> Answer:
        """The answer to a question; HumanNeeded when nobody gave one in time and the run is to pause."""
        if question.decision.action == "allow":
            return Answer(True, by="harness")
        async with self._one_at_a_time:
            if not question.askable:
                return await self._refuse(question)
            await self._catch_up()
            reasons = [self._phrase(one.reason) for one in question.findings]
            rules = ",".join(dict.fromkeys(one.rule for one in question.findings))
            key = Key(question.tool, rules, question_text(reasons, question.action))
            permitted = self._known.permitted(key)
            if permitted:
                await self._keep_missing(permitted, question)
                return Answer(True, "run")
            told = self._known.open_like(key) or await self._put(key)
            lasting = self._lasting(told, question)
            came = await self._wait(self._shown(told, question, lasting))
            return await self._settle(told, question, came, lasting)

    async def _refuse(self, question: Question) -> Answer:
        denied = self._denied(question)
        await self._append(denied)
        return Answer(False, by="harness", text=denied.reason)

    async def _put(self, key: Key) -> Told:
        """The question as the ledger has it from now on."""
        ask = self._known.next_id()
        await self._append(facts.Asked(ask, key.question, key.tool, key.rule))
        await self._catch_up()
        return self._known.told[ask]

    # -- waiting ---------------------------------------------------------------------------------

    async def _wait(self, shown: Shown) -> _Came:
        """The first answer, from the asker or by a request; of two at once the request counts."""
        asking = asyncio.create_task(self._asker.ask(shown))
        elsewhere = asyncio.create_task(self._elsewhere(shown.ask))
        try:
            await asyncio.wait({asking, elsewhere}, return_when=asyncio.FIRST_COMPLETED)
            came = elsewhere.result() if elsewhere.done() else await self._request_for(shown.ask)
        finally:
            await _end(elsewhere)
            replied = asking.done() and not asking.cancelled()
            await _end(asking)
        if came:
            self._asker.tell(self._say("answered_elsewhere", ask=shown.ask, who=came.reply.who))
            return came
        if not replied:
            return self._out_of_time(shown.ask)
        reply = asking.result()
        nobody = Reply(False, text=self._say("no_answer", ask=shown.ask))
        return _Came(reply) if reply else _Came(nobody, by="harness")

    async def _elsewhere(self, ask: str) -> _Came | None:
        """The answer of a request; None when the time is up."""
        limit = self._terms.timeout
        end = self._clock.now() + limit if limit else float("inf")
        while True:
            since = await asyncio.to_thread(self._store.changes)
            came = await self._request_for(ask)
            left = end - self._clock.now()
            if came or left <= 0:
                return came
            await self._clock.wait(self._store, since, min(left, SLICE_SECONDS))

    async def _request_for(self, ask: str = "") -> _Came | None:
        """The request that answers a question; what answers none that is open is put away."""
        for request in await asyncio.to_thread(self._store.requests, self._run_id):
            if request.taken or request.control.kind not in ("approve", "deny"):
                continue
            told = self._known.told.get(request.control.target)
            reply = _reply_of(request)
            if ask and request.control.target == ask and reply:
                return _Came(reply, request.number)
            if told is None or told.answer or told.ask == ask:  # of no use to anybody any more
                if told and told.answer and reply and reply.allowed != told.answer.allowed:
                    await self._append(run.Noted(self._late(told.ask, reply), "warning"))
                await self._took(request.number)
        return None

    def _late(self, ask: str, reply: Reply) -> str:
        said = Phrase(f"approvals.{'allow' if reply.allowed else 'deny'}")
        return self._say("late", ask=ask, who=reply.who or Phrase("approvals.by_human"), answer=said)

    def _out_of_time(self, ask: str) -> _Came:
        if self._terms.on_timeout == "pause":
            raise HumanNeeded("approvals.waiting", ask=ask)
        text = self._say("timed_out", ask=ask, seconds=f"{self._terms.timeout:g}")
        return _Came(Reply(False, text=text), by="harness")

    # -- settling --------------------------------------------------------------------------------

    async def _settle(
        self, told: Told, question: Question, came: _Came, lasting: "tuple[Rule, ...]"
    ) -> Answer:
        reply = came.reply
        scope: Scope = reply.scope if reply.allowed else "once"
        remarks = []
        if scope == "always" and not lasting:
            scope = "run"
            remarks.append(run.Noted(self._say("not_lasting", ask=told.ask), "warning"))
            self._asker.tell(remarks[0].text)
        note = "" if reply.allowed else reply.text
        bodies: list[Body] = [facts.Answered(told.ask, reply.allowed, came.by, note, scope)]
        if came.by == "human" and (reply.who or (reply.allowed and reply.text)):
            bodies.append(run.Noted(self._noted(told.ask, reply)))
        if not reply.allowed:
            bodies.append(self._denied(question))
        await self._append(*bodies, *remarks)
        if came.row:
            await self._took(came.row)
        await self._catch_up()
        await self._request_for()
        if scope == "always":
            await self._keep_rules(told.ask, lasting)
        return Answer(reply.allowed, scope, came.by, reply.text, told.ask)

    def _lasting(self, told: Told, question: Question) -> "tuple[Rule, ...]":
        """The rules that `always` would write; a secret never goes to a file."""
        from donewhen.run.approvals_rules import lasting_rules

        return lasting_rules(question.findings, question.tool) if self._keep and not told.redacted else ()

    async def _keep_missing(self, told: Told, question: Question) -> None:
        """Rules of an `always` that were not written because the process ended just then."""
        if told.answer and told.answer.scope == "always":
            lasting = self._lasting(told, question)
            missing = tuple(rule for rule in lasting if rule["name"] not in self._known.rules_noted)
            await self._keep_rules(told.ask, missing)
            await self._catch_up()

    async def _keep_rules(self, ask: str, lasting: "tuple[Rule, ...]") -> None:
        """The answer holds for the run even when the user's file can't be written."""
        minute = stamp(self._clock.now())[:16].replace("T", " ") + " UTC"
        reason = self._say("rule_reason", ask=ask, at=minute)
        for rule in lasting:
            try:
                if self._keep:
                    await asyncio.to_thread(self._keep, {**rule, "reason": reason})
                note = run.Noted(self._say("kept", rule=rule["name"]))
            except DonewhenError as error:
                why = error.say(self._terms.language)
                note = run.Noted(self._say("not_kept", ask=ask, rule=rule["name"], why=why), "warning")
            self._asker.tell(note.text)
            await self._append(note)

    def _noted(self, ask: str, reply: Reply) -> str:
        note = Phrase("approvals.note", {"text": reply.text}) if reply.text else ""
        return self._say("noted", ask=ask, who=reply.who or Phrase("approvals.at_terminal"), note=note)

    def _denied(self, question: Question) -> facts.Denied:
        if not question.findings:
            return facts.Denied(question.tool, "", self._say("denied"), question.action)
        first = question.findings[0]
        target = first.reason.values.get("target", "")
        target = target if isinstance(target, str) else ""
        reason = self._phrase(first.reason)
        return facts.Denied(question.tool, first.rule, reason, question.action, target, first.approval)

    def _shown(self, told: Told, question: Question, lasting: "tuple[Rule, ...]") -> Shown:
        others = dict.fromkeys(self._phrase(one.instead) for one in question.findings if one.instead)
        always = " ; ".join(str(rule["command"]) for rule in lasting)
        key = told.key
        return Shown(told.ask, key.tool, told.action, told.reason, key.rule, "; ".join(others), always)

    # -- the store -------------------------------------------------------------------------------

    async def _catch_up(self) -> None:
        """All that was written since the last look; after a resume, the whole ledger."""
        events = await asyncio.to_thread(lambda: list(self._store.read(self._run_id, self._known.seq)))
        self._known.take(events)

    async def _append(self, *bodies: Body) -> None:
        await asyncio.to_thread(self._store.append, self._run_id, *bodies, lease=self._lease)

    async def _took(self, row: int) -> None:
        await asyncio.to_thread(self._store.take, self._run_id, row, self._lease)

    def _phrase(self, phrase: Phrase) -> str:
        return say(phrase.key, self._terms.language, **phrase.values)

    def _say(self, name: str, **values: object) -> str:
        return say(f"approvals.{name}", self._terms.language, **values)


def _reply_of(request: Request) -> Reply | None:
    """What a request says; None for a payload that is not one of ours."""
    payload = request.control.payload
    scope, note = payload.get("scope", "once"), payload.get("note", "")
    if scope not in SCOPES or not isinstance(note, str):
        return None
    return Reply(request.control.kind == "approve", scope, note, request.control.who)


async def _end(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.wait({task})
