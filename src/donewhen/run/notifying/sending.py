"""Who is told, and telling them: each message is an intended effect before and a done one after.

A message that could not be delivered is told and written down, never raised: the run goes on without it. What
was intended and not done is known after a crash by its key. Nothing is sent twice by itself.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.sections_guard import Notify
from donewhen.core.events import Body, facts
from donewhen.core.texts import Phrase
from donewhen.run.notifying.model import Kind, Notice, Notifier, Sent
from donewhen.run.notifying.program import Program
from donewhen.run.notifying.webhook import Webhook, read_address
from donewhen.store.crashing import crash_point

EFFECT = "notify"

Write = Callable[[Body], object]  # returns when the event is committed


class Delivery(NamedTuple):
    """What became of one message at one place."""

    name: str
    sent: Sent


def load_notifiers(notify: Notify, folder: Path, env: Mapping[str, str]) -> tuple[Notifier, ...]:
    """Everyone that the configuration names."""
    taken: dict[str, int] = {}
    addresses = map(read_address, notify.urls)
    found: list[Notifier] = [Webhook(each, name=_unique(f"webhook:{each.host}", taken)) for each in addresses]
    for argv in notify.commands:
        program = Program(argv, folder, env)
        program.name = _unique(program.name, taken)
        found.append(program)
    return tuple(found)


def wanted(notify: Notify, kind: Kind) -> bool:
    return kind in notify.on


async def notify(
    notifiers: Iterable[Notifier],
    notice: Notice,
    intend: Write,
    done: Write,
    told: Callable[[str], bool] = lambda _: False,
) -> tuple[Delivery, ...]:
    """Tell everyone, one after another; what went wrong is in the answer and in the ledger.

    `told` says by a name who may have heard of it already: nobody is told twice.
    """
    deliveries = []
    for notifier in notifiers:
        if told(notifier.name):
            deliveries.append(Delivery(notifier.name, Sent(True)))
            continue
        key = f"{notice.key}/{notifier.name}"
        intend(facts.EffectIntended(key, EFFECT, notifier.name))
        sent = await _sent(notifier, notice)
        crash_point("notice sent")
        done(facts.EffectDone(key, sent.ok, sent.reference))
        deliveries.append(Delivery(notifier.name, sent))
    return tuple(deliveries)


async def _sent(notifier: Notifier, notice: Notice) -> Sent:
    try:
        return await notifier.send(notice)
    except Exception as error:  # a notifier may be a plugin of others; no message is worth a run
        why = type(error).__name__
        return Sent(False, problem=Phrase("notify.crashed", {"name": notifier.name, "why": why}))


def _unique(name: str, taken: dict[str, int]) -> str:
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name}#{taken[name]}"
