"""Telling people: a hand-over, a pause, the end. What can't be sent is in the ledger and stops nothing."""

from collections.abc import Mapping

from donewhen.core.budget import MILLION
from donewhen.core.codec import Json
from donewhen.core.events import run
from donewhen.core.texts import say
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Terms
from donewhen.run.notifying.model import Kind, Notice
from donewhen.run.notifying.sending import EFFECT, load_notifiers, notify, wanted


async def tell_low(live: Run) -> None:
    """Once in a run: little of its budget is left."""
    live.state.low, account = False, live.state.account
    spent, most = account.spent.micros / MILLION, (account.limit or 0) / MILLION
    said = say("engine.budget_low", live.language, spent=f"{spent:.2f}", most=f"{most:.2f}")
    live.ledger.post(run.Noted(said, "warning"))
    await tell_people(live.terms, live.ledger, "budget_warning", "budget", {"spent": spent, "budget": most})


async def tell_people(terms: Terms, ledger: Ledger, kind: Kind, cause: str, data: Mapping[str, Json]) -> bool:
    """Whether anybody was told."""
    section = terms.config.notify
    # relative programs are those of the user's folder: in the workspace the agent could write them
    notifiers = load_notifiers(section, terms.user.root, terms.means.env)
    if not notifiers or not wanted(section, kind):
        return False
    title = say(f"engine.notice_{kind}", terms.means.language, run=ledger.run_id, cause=cause)
    goal = ledger.state.promise.objective
    notice = Notice(kind, ledger.run_id, ledger.trace(), title, goal, {"cause": cause, **data})
    sent = await notify(
        notifiers, notice, ledger.append, ledger.append, lambda name: ledger.had(EFFECT, name)
    )
    return any(each.sent.ok for each in sent)
