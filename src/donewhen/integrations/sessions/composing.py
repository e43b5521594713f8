"""What a session has to prove now: the promise of all its sources, and the tree as it is."""

from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.promise import Promise
from donewhen.core.texts import Phrase
from donewhen.intake.change import NOTHING
from donewhen.integrations.sessions.asking import Demand, means_of, wanted_of
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.starting import NO_REPOSITORY
from donewhen.verify.change import Looked, look_round
from donewhen.verify.decision import promised


def composed(live: Live, demand: Demand = Demand()) -> Promise | Phrase:  # noqa: B008 - frozen
    """What a change has to prove in this session; a sentence where there is nothing, or no repository."""
    try:
        return looked_at(live, demand).judged.plan.promise
    except (UserError, SetupError) as error:
        if error.key in NO_REPOSITORY or error.key.startswith(NOTHING):
            return untold(error)
        raise


def looked_at(live: Live, demand: Demand) -> Looked:
    means = means_of(live.session.root, live.env, live.language)
    wanted = wanted_of(live.folder, live.session, demand=demand)
    return promised(look_round(wanted, means), means, None)


def untold(error: DonewhenError) -> Phrase:
    """Why nothing can be proven, with how that is changed; said to an agent, who has no options to give."""
    if error.key in NO_REPOSITORY:
        return Phrase("sessions.no_repository")
    if "why" in error.values:
        return Phrase("sessions.nothing_because", {"why": error.values["why"]})
    return Phrase("sessions.nothing_to_prove")
