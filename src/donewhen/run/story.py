"""Plays a story through the pure core: what would the gate say if this happened?

Each event of the case becomes the same facts that a run would leave in its ledger; nothing is executed and
nothing is read from disk. What the agent does wrong is told to the agent and changes nothing.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from donewhen.core import course as courses
from donewhen.core.aborting import abort_reason, budget_reason
from donewhen.core.checks import read_checks
from donewhen.core.codec import freeze
from donewhen.core.completion import read_reply
from donewhen.core.course import Course, End, Limits
from donewhen.core.errors import AgentError, UserError
from donewhen.core.events import facts
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam, Findings
from donewhen.core.gate import decide, examine
from donewhen.core.matches import Parse
from donewhen.core.paths import Exempt, relative
from donewhen.core.questions import VERIFIER
from donewhen.core.reasons import StopReason
from donewhen.core.repeat import Call, Turn
from donewhen.core.revising import revise
from donewhen.core.scope import outside
from donewhen.core.tally import Flaky
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import OPEN, apply, make_optional, replan
from donewhen.run.case import Case, make_targets
from donewhen.run.scene import Scene
from donewhen.verify.wellformed import well_formed


class Told(NamedTuple):
    """How the story ended."""

    status: str  # accepted, continue, failed, stopped
    stop_reason: str
    findings: Findings
    said: tuple[str, ...] = ()  # what the agent was told on the way


class Story:
    def __init__(self, case: Case, parse: Parse) -> None:
        config = case.config
        self._parse = parse
        self._promise = case.promise
        self._checks = case.checks
        self._todos = case.todos
        self._trust = case.trust
        self._exempt = Exempt(tuple(config.verification_exempt_dirs))
        self._extensions = tuple(config.verification.source_extensions)
        self._scene = Scene(case.tree, self._exempt, config.evidence.irrelevant)
        self._limits = Limits(
            config.runtime.max_accept_continues,
            config.runtime.max_missing_completion,
            config.runtime.max_thinking_only,
            config.runtime.max_repeat_cycle_streak,
        )
        self._allowance: dict[str, float | None] = {
            "money": float(config.budget.total),
            "time": float(config.loop.max_total_time),
            "tool-calls": float(config.loop.max_tool_calls),
            "turns": float(config.loop.max_turns),
        }
        flaky = Flaky(config.evidence.flaky.passes, config.evidence.flaky.of)
        self._evidence = Evidence(parse, flaky, self._is_outside)
        self._spent: dict[str, float] = {}
        self._questions: list[dict[str, str]] = []
        self._course = Course()
        self._background: dict[str, list[str]] = {}
        self._answer = ""
        self._said: list[str] = []
        self._findings: Findings | None = None

    def play(self, events: tuple[tuple[str, Mapping[str, Any]], ...]) -> Told:
        for kind, event in events:
            if kind not in _NOT_BY_AGENT and event.get("by", "agent") == "agent":
                self._course = courses.reply(self._course, "tools", self._limits)
            getattr(self, f"_{kind}")(event)
            self._watch_aborts()
            if self._course.end:
                break
        end, findings = self._course.end, self._findings or examine(self._exam())
        said = tuple(self._said)
        return (
            Told(end.status, end.stop_reason, findings, said) if end else Told("continue", "", findings, said)
        )

    def _exam(self) -> Exam:
        return Exam(
            self._promise,
            self._evidence,
            self._scene.view(),
            self._parse,
            self._checks,
            self._todos,
            self._answer,
            self._trust,
            self._exempt,
            self._extensions,
        )

    def _is_outside(self, path: str) -> bool:
        return bool(outside(self._promise, [path], self._exempt))

    def _end(self, reason: StopReason) -> None:
        self._course = self._course._replace(end=self._course.end or End(reason))

    def _watch_aborts(self) -> None:
        reason = abort_reason(self._promise, self._evidence)
        if reason:
            self._end(reason)

    def _attempt(self, answer: str) -> None:
        self._answer = answer
        exam = self._exam()
        decision = decide(exam, abort_reason(self._promise, self._evidence))
        self._course = courses.attempt(self._course, decision, exam, self._limits)
        self._findings = decision.findings if self._course.end else None

    def _tell(self, error: AgentError | UserError | Phrase) -> None:
        self._said.append(say(error.key, "en", **error.values) if isinstance(error, Phrase) else str(error))

    # One method for each kind of event.

    def _run(self, event: Mapping[str, Any]) -> None:
        command, state = event["run"], event.get("state")
        tree = self._scene.view().relevant
        if state in ("started", "running"):
            self._begin(command, tree, again=state == "started")
            return
        green = event.get("exit", None if state else 0) == 0 and state != "failed"
        on = self._started_on(command, tree, green=green) if state else (tree,)
        self._evidence.take(
            facts.CommandEnded(
                "",
                command,
                by=event.get("by", "agent"),
                exit=event.get("exit", None if state else 0),
                state=state or "completed",
                tail=event.get("output", ""),
                before=on[0],
                on=on,
                environment=event.get("env", ""),
            )
        )

    def _begin(self, command: str, tree: str, *, again: bool) -> None:
        starts = self._background.setdefault(" ".join(command.split()), [])
        if again or not starts:
            starts.append(tree)

    def _started_on(self, command: str, tree: str, *, green: bool) -> tuple[str, ...]:
        """The trees that the end of a background command speaks for.

        Which of several starts has ended is not known: a green one then proves nothing, a red one counts for
        all. An end beyond the known starts proves nothing either.
        """
        starts = self._background.get(" ".join(command.split()))
        if starts is None:
            return (tree,)
        trees = tuple(dict.fromkeys(starts))
        if starts:
            starts.pop(0)
        return trees if len(trees) == 1 or (trees and not green) else (_NO_TREE,)

    def _write(self, event: Mapping[str, Any]) -> None:
        path = relative(event["write"])
        self._evidence.take(facts.FileChanged(path or event["write"], "write"))
        if path:
            self._scene.write(path, event.get("content", ""))
            self._confirm_by_itself(path)

    def _delete(self, event: Mapping[str, Any]) -> None:
        path = relative(event["delete"])
        if path is None:
            self._evidence.take(facts.FileChanged(event["delete"], "delete"))
            return
        for each in self._scene.below(path):
            self._scene.delete(each)
            self._evidence.take(facts.FileChanged(each, "delete"))

    def _move(self, event: Mapping[str, Any]) -> None:
        old, new = (relative(path) for path in event["move"])
        if old is None or new is None:
            self._evidence.take(facts.FileChanged(event["move"][1], "move", origin=event["move"][0]))
            return
        for each in self._scene.below(old):
            goal = new + each[len(old) :]
            content = self._scene.text(each) or ""
            self._scene.delete(each)
            self._scene.write(goal, content)
            self._evidence.take(facts.FileChanged(goal, "move", origin=each))
            self._confirm_by_itself(goal)

    def _read(self, event: Mapping[str, Any]) -> None:
        path = relative(event["read"])
        if path and self._scene.text(path):
            self._evidence.take(facts.FileConfirmed(path, self._evidence.written.get(path, 0)))

    def _confirm_by_itself(self, path: str) -> None:
        if well_formed(path, self._scene.text(path) or ""):
            self._evidence.take(facts.FileConfirmed(path, self._evidence.written.get(path, 0), "harness"))

    def _deny(self, event: Mapping[str, Any]) -> None:
        approval = event.get("approval", "user")
        self._evidence.take(
            facts.Denied(
                event["deny"], event.get("rule", ""), command=event.get("command", ""), approval=approval
            )
        )

    def _todo(self, event: Mapping[str, Any]) -> None:
        try:
            self._todos = apply(self._todos, event["todo"])
        except AgentError as error:
            self._tell(error)

    def _plan(self, event: Mapping[str, Any]) -> None:
        plan = event["plan"]
        if not isinstance(plan, Mapping):
            self._tell(Phrase("story.not_an_object", {"place": "plan"}))
            return
        todos = self._todos
        try:
            if plan.get("todos") is not None:
                todos, refused = replan(todos, plan["todos"])
                for refusal in refused:
                    self._tell(refusal.why)
            proposed = read_checks(
                plan.get("checks"), self._parse, place="plan.checks", targets=self._targets()
            )
        except (AgentError, UserError) as error:
            self._tell(error)
            return
        self._todos = todos
        if plan.get("checks") is not None:
            self._checks, softened = revise(self._checks, proposed.checks, self._parse)
            for phrase in softened:
                self._tell(phrase)

    def _targets(self) -> frozenset[str]:
        names = ("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile")
        return make_targets({name: self._scene.text(name) or "" for name in names})

    def _verify(self, event: Mapping[str, Any]) -> None:
        verdict = event["verify"]
        said: Literal["passed", "failed"] = "passed" if verdict["passed"] else "failed"
        tree = self._scene.view().relevant
        self._evidence.take(facts.Verified(verdict["tool"], verdict.get("scope", ""), said, tree))

    def _turn(self, event: Mapping[str, Any]) -> None:
        if event["turn"]:
            calls = tuple(
                Call(
                    call["tool"], call.get("args", {}), call.get("result", ""), bool(call.get("error", False))
                )
                for call in event["turn"]
            )
            turn = Turn(calls, self._subgoal())
            self._course = courses.turn(self._course, turn, self._promise, self._limits)

    def _subgoal(self) -> str:
        """The open todos: while they move, equal turns are not the same step."""
        open_ = [todo for todo in self._todos.entries.values() if todo.status in OPEN]
        return " ".join(f"{todo.id}={todo.status}" for todo in open_)

    def _think(self, event: Mapping[str, Any]) -> None:
        self._course = courses.reply(self._course, "thinking", self._limits)

    def _say(self, event: Mapping[str, Any]) -> None:
        reply = read_reply(event["say"])
        if reply.signal:
            self._attempt(reply.answer)
            return
        self._answer = reply.shown
        self._course = courses.reply(self._course, "miss", self._limits)

    def _complete(self, event: Mapping[str, Any]) -> None:
        self._attempt(event["complete"])

    def _user(self, event: Mapping[str, Any]) -> None:
        word, _, rest = event["user"].strip().partition(" ")
        if word == "abort":
            self._end("user_interrupt")
        elif word == "confirm":
            self._evidence.take(facts.Answered(rest.strip(), True, "human", rest.strip()))
        elif word == "deny":
            self._evidence.take(facts.Answered(rest.strip(), False, "human"))
        else:
            self._todos = make_optional(self._todos, rest.strip(), by_human=True)

    def _question(self, event: Mapping[str, Any]) -> None:
        self._questions.append({"id": event["question"]})
        details = freeze({"questions": list(self._questions)})
        tree = self._scene.view().relevant
        self._evidence.take(facts.Verified(VERIFIER, "change", "warning", tree, details))

    def _gate(self, event: Mapping[str, Any]) -> None:
        self._evidence.take(facts.CheckpointJudged(event["gate"], event["allowed"]))

    def _spend(self, event: Mapping[str, Any]) -> None:
        for kind, amount in event["spend"].items():
            self._spent[kind] = self._spent.get(kind, 0) + amount
        reason = budget_reason(self._promise, self._spent, self._allowance)
        if reason:
            self._end(reason)


_NO_TREE = "unknown"
_NOT_BY_AGENT = frozenset({"say", "think", "complete", "user", "question", "gate", "spend", "verify", "turn"})
