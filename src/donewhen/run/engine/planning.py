"""Planning: the agent may propose todos, checks and files before it works; the plan can only add.

An agent that has no plan just begins, unless a human waits for one. Nothing but the plan and looking is
possible here. A no of a human withdraws the plan; with a reason it gets another one, a bounded number of
times. How far that came is kept in the ledger, so that a plan is neither made nor asked about twice.
"""

from donewhen.core.agent import Step
from donewhen.core.codec import freeze
from donewhen.core.events import run
from donewhen.core.events.run import State
from donewhen.core.revising import withdrawn
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import to_data
from donewhen.guard.decision import Decision, Finding
from donewhen.run.approvals import Answer, Question
from donewhen.run.engine.calls import Call
from donewhen.run.engine.controls import between_turns
from donewhen.run.engine.live import Run
from donewhen.run.engine.memory import checkpointed
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.own_tools import checks_data
from donewhen.run.engine.plan_text import plan_text
from donewhen.run.engine.turns import next_step, stepped

_PLAN, _CLAIM = "plan_update", "complete"
_MOST_ROUNDS = 5
_MOST_DENIALS = 3  # times that a human says no before the run ends
_NOTHING = Step()


async def plan_work(live: Run) -> State:
    approved = False
    while not approved:
        if not live.planned:
            await _plan(live)
            live.planned = True
        if not live.terms.wish.approve_plan:
            break
        live.ledger.append(checkpointed(live))
        approved = await _approved(live)
    live.phase = "execute"
    return "executing"


async def _plan(live: Run) -> None:
    """Rounds until a plan is taken; what is wrong with one is told, and the next round can be right."""
    live.phase = "plan"
    for _ in range(_MOST_ROUNDS):
        between_turns(live)
        step = await (next_step(live, keep=True) if _asks_a_model(live) else _own_step(live))
        if step == _NOTHING or await _round(live, step):
            return
    text = say("engine.no_plan_made", live.language, rounds=_MOST_ROUNDS)
    live.ledger.post(run.Noted(text, "warning"))


def _asks_a_model(live: Run) -> bool:
    """Whether the agent's next answer costs a call, which hooks may look at."""
    wanted = live.terms.wish.approve_plan or live.terms.config.tools.llm.roles.plan
    return live.agent.talks and bool(wanted)


async def _own_step(live: Run) -> Step:
    """What an agent has to say without being asked by anybody; nothing is no turn."""
    step = await live.agent.step(live.view(keep=True))
    if step != _NOTHING:
        live.begin_turn()
        live.ledger.post(stepped(live, step))
    return step


async def _round(live: Run, step: Step) -> bool:
    """Whether planning is over: a plan was taken, or the agent wants none and nobody waits for one."""
    if not step.calls:
        live.results = ()
        if live.terms.wish.approve_plan and step.finish != "refusal":
            live.tell_phrase("reminder", "engine.plan_awaited")
            return False
        return step.finish != "length"
    done = await live.room.executor.turn(step.calls, only=_allowed)
    live.results = tuple(each.returned for each in done)
    return any(each.tool == _PLAN and each.ok for each in live.results)


def _allowed(call: Call) -> Phrase | None:
    """Why a call has to wait until the work begins."""
    if call.reads_only and call.tool.name != _CLAIM:
        return None
    return Phrase("engine.not_while_planning", {"tool": call.tool.name})


async def _approved(live: Run) -> bool:
    """Whether a human says yes; False: there is to be another plan. Any other answer ends the run."""
    answer = await _asked(live)
    if answer.allowed:
        return True
    live.denials += 1
    if answer.by != "human" or not answer.text or live.denials >= _MOST_DENIALS:
        live.ledger.append(_withdrawal(live))
        raise Stopped("user_interrupt", cause="plan", detail=answer.text)
    live.planned = False
    live.tell_phrase("feedback", "engine.plan_denied", text=answer.text)
    live.ledger.append(_withdrawal(live), checkpointed(live))
    return False


def _withdrawal(live: Run) -> run.PlanWithdrawn:
    """Nobody is held to what was refused, and nothing of it counts for the next plan."""
    back = withdrawn(live.state.before_plan, live.state.plan)
    todos = tuple(freeze({**to_data(todo), "id": todo.id}) for todo in back.todos.entries.values())
    return run.PlanWithdrawn(todos, checks_data(back.checks), back.files)


async def _asked(live: Run) -> Answer:
    text = plan_text(live.state.plan, live.state.refused, live.language)
    last = live.denials + 1 >= _MOST_DENIALS
    reason = Phrase("engine.plan_asked_last" if last else "engine.plan_asked")
    finding = Finding("plan", "ask", "user", reason)
    return await live.approvals.ask(Question(Decision("ask", (finding,)), text, _PLAN))
