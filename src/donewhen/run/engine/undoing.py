"""What a process that is gone left half done is undone, and everybody who has to know is told.

The processes of an interrupted call died with the process that started them. The workspace goes back to the
tree that it was before the call; what the call did outside of it nobody can undo, so the human hears of it.
In place HEAD and the branches are the user's own and stay.
"""

from donewhen.core.agent import Returned
from donewhen.core.events import Body, facts, run
from donewhen.core.left import INTERRUPTED, Left, Made
from donewhen.core.texts import say
from donewhen.run.engine.live import Run, Unheard
from donewhen.run.engine.reading_back import done_of
from donewhen.run.engine.undoing_git import put_back, unlock
from donewhen.run.shipping.leaving import rescue
from donewhen.run.shipping.pins import pin
from donewhen.store.crashing import crash_point

_ACTS_OUTSIDE = frozenset({"run_command", "client"})
_FOUND_AGAIN = frozenset({"branch", "merge", "push", "pull_request"})  # looked for at the other end
_SHOWN = 300


def undo(live: Run, left: Left) -> None:
    """Bring the workspace back to where the ledger has it, and tell what was interrupted."""
    cut = next((made for made in left.interrupted if made.begun is not None), None)
    if cut is not None and cut.begun is not None:
        _back(live, cut.begun)
    elif left.rolled_back is not None:
        live.room.tree.rollback(left.rolled_back.tree)
    live.ledger.post(*_interruptions(live, left))
    for made in left.interrupted:
        if _outside(made):
            shown = str(made.request.args.get("command", made.request.tool))[:_SHOWN]
            text = say("resume.outside", live.language, action=shown)
            live.ledger.post(run.Noted(text, "warning"))
    for effect in (*left.effects.values(), *left.aside.values()):
        if effect.key not in left.done and effect.effect not in _FOUND_AGAIN:
            text = say("resume.effect", live.language, effect=effect.effect, target=effect.target)
            live.ledger.post(run.Noted(text, "warning"))
    _end_background(live, left)


def hear_again(live: Run, left: Left) -> None:
    """What the agent hears at its next turn, or a step that only has to be drawn its meaning from."""
    live.results = tuple(_in_words(each, live) for each in left.results)
    if left.turn_over and left.last is not None:  # what it means will be told anew
        live.unheard = Unheard(left.last, tuple(map(done_of, left.calls.values())))
        return
    live.messages = [*left.messages, *live.messages]
    if left.interrupted or left.unmade:
        names = ", ".join(
            dict.fromkeys(each.tool for each in left.results if each.error_class == INTERRUPTED)
        )
        live.tell_phrase("note", "resume.interrupted", tools=names)


def _in_words(result: Returned, live: Run) -> Returned:
    if result.error_class != INTERRUPTED:
        return result
    return result._replace(output=say("resume.undone", live.language))


def _back(live: Run, begun: facts.CallBegun) -> None:
    site = live.room.site
    if site.workspace is not None:  # in place only the user knows whose locks and branches these are
        unlock(site.repository.git_dir)
        put_back(site.repository.git_dir, begun.head, begun.commit)
        crash_point("heads put back")
    else:
        _keep_first(live, begun.tree)
    live.room.tree.rollback(begun.tree)
    crash_point("call undone")


def _keep_first(live: Run, tree: str) -> None:
    """In place somebody may have worked since: what is there is kept as a commit before it goes back."""
    if live.room.tree.now().tree == tree:
        return
    kept = rescue(live.room.site, live.ledger.run_id, env=live.terms.means.env)
    pin(live.terms.user, live.ledger.run_id, "undone", kept)  # that of the work goes later
    text = say("resume.kept_before", live.language, commit=kept[:12])
    live.ledger.append(run.Noted(text, "warning"))


def _interruptions(live: Run, left: Left) -> list[Body]:
    found: list[Body] = []
    for made in left.interrupted:
        found.append(
            facts.CallInterrupted(made.key, made.request.tool, made.begun is not None, _outside(made))
        )
        started = left.running.get(made.key)
        if started is not None:
            found.append(_lost(started))
    return found


def _outside(made: Made) -> bool:
    return made.begun is not None and made.request.tool in _ACTS_OUTSIDE


def _end_background(live: Run, left: Left) -> None:
    """Commands that ran on in the background died with their process."""
    cut = {made.key for made in left.interrupted}
    gone = [started for key, started in left.running.items() if key not in cut]
    for started in gone:
        live.ledger.post(_lost(started))
        live.tell_phrase("note", "resume.background", command=started.command[:_SHOWN])


def _lost(started: facts.CommandStarted) -> facts.CommandEnded:
    return facts.CommandEnded(
        started.key, started.command, started.argv, started.cwd, started.by, None, "failed"
    )
