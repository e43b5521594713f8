"""What a run does for an OpenSpec change beside its work: boxes of finished tasks, and a proposal at the end.

Boxes are ticked before an attempt is judged, so that they are part of the tree that is examined and shipped;
the ledger says that the harness wrote them. A box is ticked when its own todo is completed, never for one
that was canceled or waived; the summary names those. Nothing else of the file is touched, and nothing is
archived by itself.
"""

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime

from donewhen.core.errors import AgentError, DonewhenError, UserError
from donewhen.core.events import facts, run
from donewhen.core.scope import outside
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import TodoList
from donewhen.run.engine.live import Run
from donewhen.store.crashing import crash_point
from donewhen.tools.files.content import WHOLE, digest, read
from donewhen.tools.files.placing import put
from donewhen.tools.inside import inside, place, telling

_SHOWN = 10


def tick_tasks(live: Run) -> None:
    """Tick the boxes of finished tasks in the workspace's own tasks.md."""
    if not live.terms.wish.change:
        return
    path = f"{live.terms.wish.change}/tasks.md"
    if set(live.room.tree.since_base()) <= {path}:  # ticking is no work
        return
    done = finished(live.state.todos)
    try:
        _tick(live, path, done)
    except DonewhenError as error:
        text = say("ticking.not_ticked", live.language, place=path, why=error.say(live.language))
        live.ledger.post(run.Noted(text, "warning"))


def finished(todos: TodoList) -> Mapping[str, str]:
    """Id and content of each todo that is completed itself; what stands in for one says nothing about it."""
    return {todo.id: todo.content for todo in todos.entries.values() if todo.status == "completed"}


def tell_undone(live: Run) -> None:
    """Name the user's todos that an accepted run did not complete: waived, canceled, or never begun."""
    entries = live.state.todos.entries.values()
    undone = [todo for todo in entries if todo.by == "user" and todo.status != "completed"]
    if not undone:
        return
    words = [say(f"cli.todo_{todo.status}", live.language) for todo in undone[:_SHOWN]]
    named = zip(undone, words, strict=False)
    names = ", ".join(f"{one_name(todo.id)} ({word})" for todo, word in named)
    more = len(undone) - _SHOWN
    said = Phrase("ticking.undone", {"todos": f"{names}, +{more}" if more > 0 else names})
    live.notes = (*live.notes, said)
    live.ledger.post(run.Noted(say(said.key, live.language, **said.values), "warning"))


def _tick(live: Run, path: str, done: Mapping[str, str]) -> None:
    from donewhen.intake.openspec.tasks import tick_finished

    root = live.room.site.folder
    place_inside = inside(path, root)
    try:
        found = read(root, place_inside, WHOLE)
    except AgentError as error:
        if error.key == "toolbox.not_found":  # a change without tasks, or one that git does not have
            return
        raise
    before = found.data.decode(errors="surrogateescape")
    after = tick_finished(before, done)
    if after == before:
        return
    if outside(live.state.promise, [path], live.state.exempt):
        raise UserError("ticking.out_of_scope")
    data = after.encode(errors="surrogateescape")
    live.ledger.append(facts.FileChanged(path, "edit", digest(data), by="harness"))
    crash_point("ticking")
    with place(root, place_inside) as (folder, name), telling(path):
        put(folder, name, data, found.facts.st_mode)
    live.room.tree.spoil()
    crash_point("ticked")


def propose_archive(live: Run) -> None:
    """Say what archiving the accepted change would do; the user does it."""
    wish = live.terms.wish
    if not wish.change or not live.has_room:
        return
    from donewhen.intake.openspec import archive_plan, open_change

    folder = live.room.site.folder / wish.change
    try:
        change = open_change(folder, start=live.room.site.folder, strict=False)
    except UserError:
        return  # the change is not part of what was accepted
    plan = archive_plan(change, datetime.now(UTC).date())
    if plan.refusals:
        first = plan.refusals[0]
        why = Phrase(first.key, {**first.values, "place": first.place})
        said = Phrase("ticking.archive_refused", {"change": change.id, "why": why})
    else:
        files = ", ".join(one_name(each.file) for each in plan.writes[:_SHOWN])
        more = len(plan.writes) - _SHOWN
        values = {
            "change": one_name(change.id),
            "command": f"openspec archive {shlex.quote(change.id)}",
            "files": f"{files}, +{more}" if more > 0 else files or "-",
            "target": one_name(plan.move_to),
            "open": plan.open_tasks,
        }
        said = Phrase("ticking.archive_proposed" if not plan.open_tasks else "ticking.archive_open", values)
    live.notes = (*live.notes, said)
    live.ledger.post(run.Noted(say(said.key, live.language, **said.values)))
