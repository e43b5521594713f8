"""Planning: the agent may propose todos, checks and files before it works; the plan can only add.

An agent that has no plan just begins. Nothing but the plan and looking is possible here.
"""

from donewhen.core.events.run import State
from donewhen.core.texts import Phrase
from donewhen.guard.decision import Decision, Finding
from donewhen.run.approvals import Question
from donewhen.run.engine.calls import Call
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.own_tools import todo_lines
from donewhen.run.engine.turns import stepped

_PLAN = "plan_update"
_MOST_ROUNDS = 5


async def plan_work(live: Run) -> State:
    live.phase = "plan"
    for _ in range(_MOST_ROUNDS):
        step = await live.agent.step(live.view(keep=True))
        if not step.calls and not step.text:
            break
        live.begin_turn()
        live.ledger.post(stepped(live, step))
        if not step.calls:
            break
        done = await live.room.executor.turn(step.calls, only=_allowed)
        live.results = tuple(each.returned for each in done)
        if any(call.tool == _PLAN for call in step.calls):
            break
    live.phase = "execute"
    if live.terms.wish.approve_plan:
        await _approved(live)
    return "executing"


def _allowed(call: Call) -> Phrase | None:
    """Why a call has to wait until the work begins."""
    if call.tool.name in (_PLAN, "todo_write", "ask_user") or call.reads_only:
        return None
    return Phrase("engine.not_while_planning", {"tool": call.tool.name})


async def _approved(live: Run) -> None:
    """A human says yes to the plan, or the run goes no further."""
    checks = [f"- check {check.name}" for check in live.state.checks]
    text = "\n".join((todo_lines(live.state.todos, live.language), *checks))
    finding = Finding("plan", "ask", "user", Phrase("engine.plan_asked"))
    answer = await live.approvals.ask(Question(Decision("ask", (finding,)), text, "plan_update"))
    if not answer.allowed:
        raise Stopped("user_interrupt", cause="plan", detail=answer.text)
