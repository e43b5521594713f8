"""A prompt of the user: it may add commands to pass and files to write, and never takes anything away."""

from donewhen.commands.goals.model import LARGEST_GOAL
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Body, facts, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.integrations.sessions.asking import Demand, asks
from donewhen.integrations.sessions.keeping import loaded_for
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.past import Past, past_of
from donewhen.integrations.sessions.telling import added_text, not_ours, owed

_ENDED = ("done", "fail")


def prompt(live: Live, text: str) -> str:
    """Take a prompt in; what the agent is told about it, empty for nothing."""
    left = not_ours(live.folder, text)
    if left is not None:
        text = left if asks("prompt", left) is not None else ""  # the user may have written below it
    if not text.strip():
        return ""
    run_id = live.session.run
    with live.folder.held("lock"), live.ledger() as opened:
        # as the ledger has it: a secret in a prompt must not reach a promise either
        text = opened.redactor.text(text[:LARGEST_GOAL])
        past = past_of(opened.store.read(run_id))
        again = (run.StateChanged(past.state, "executing"),) if past.state in _ENDED else ()
        told: tuple[Body, ...] = (facts.AgentTold("goal", text), *again)
        name = f"prompt {len(past.prompts) + 1}"
        if asks(name, text) is None:
            opened.store.append(run_id, *told)
            return ""
        demand = Demand((*past.prompts, text), (*past.demanding, (name, text)), past.amended)
        promise = _composed(live, demand)
        amended = _amended(past, promise, name)
        opened.store.append(run_id, *told, *((amended,) if amended else ()))
    if promise is None or amended is None:
        return ""
    from donewhen.integrations.sessions.compiling import compile_config

    data = write_promise(promise)
    compile_config(
        live.folder,
        loaded_for(live.folder, live.session.root, live.env),
        live.env,
        live.session.store,
        data,
    )
    known = frozenset(owed(past.promise))
    return added_text([line for line in owed(data) if line not in known], live.language)


def _composed(live: Live, demand: Demand) -> Promise | None:
    """None where it can't be told now: the stop says what is wrong."""
    from donewhen.integrations.sessions.composing import composed  # brings the whole exam with it

    try:
        found = composed(live, demand)
    except (UserError, SetupError):
        return None
    return found if isinstance(found, Promise) else None


def _amended(past: Past, promise: Promise | None, name: str) -> Body | None:
    from donewhen.integrations.sessions.recording import promise_event

    return promise_event(past.promise, promise, past.promise_id, name) if promise else None
