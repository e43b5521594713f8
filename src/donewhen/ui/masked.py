"""Whether a command that ended well could have failed at all, for lists that show one event after another.

Knows the acceptance commands of the promise and nothing else; the proof board is who judges. A promise that
is no longer read hides nothing: then no command is called masked.
"""

from donewhen.commands import parse
from donewhen.core.codec import thaw
from donewhen.core.errors import DonewhenError
from donewhen.core.events import Event
from donewhen.core.promise_data import read_promise
from donewhen.core.target import Target, accept_target, match_target


class Masks:
    def __init__(self) -> None:
        self._targets: tuple[Target, ...] = ()

    def take(self, event: Event) -> bool:
        """Whether this is a green command of the agent's that ran a check so that it could not fail."""
        body = event.body
        if event.type in ("promise_set", "promise_amended"):
            self._targets = _targets(event)
        if event.type != "command_ended" or body.by == "harness" or body.exit != 0:
            return False
        matches = (match_target(target, body.command, parse) for target in self._targets)
        return any(match.same_check and match.masked for match in matches)


def _targets(event: Event) -> tuple[Target, ...]:
    try:
        promise = read_promise(thaw(event.body.promise), parse, stored=True)
    except DonewhenError:
        return ()
    return tuple(accept_target(entry, parse) for entry in promise.accept)
