"""The conversation of a run as its model sees it: read from the transcript, made to fit.

A turn costs what is new. Nothing is walked through again while nothing is compressed, and no token is
counted while a bound that costs nothing says that all fits.
"""

from collections.abc import Callable

from donewhen.context.entries import Redact
from donewhen.context.facts import Facts
from donewhen.context.history import History, Squeezed, TooLarge
from donewhen.context.parts import Parts
from donewhen.context.settings import Settings
from donewhen.context.sizes import Counter, Sized, json_text, tokens
from donewhen.core.agent import AgentView, ToolSpec
from donewhen.core.chat import Fitted, Prompt
from donewhen.core.codec import to_json
from donewhen.core.errors import LimitReached
from donewhen.core.texts import say
from donewhen.core.transcript import Transcript

Tell = Callable[[Squeezed], None]
MOST_TIGHTER = 3
_STEPS = 16  # room for history goes in sixteenths: a state that grows a little moves nothing
_STANDING = 8  # an eighth is kept for the state of the work, used or not


class Conversation:
    """Implements `core.chat.Talk`."""

    def __init__(
        self,
        transcript: Transcript,
        settings: Settings,
        standing: Callable[[], str],
        facts: Facts,
        redact: Redact,
        counter: Counter,
        squeezed: Tell,
    ) -> None:
        self._tell = squeezed
        self._settings = settings
        self._standing = standing
        self._redact = redact
        self._counter = counter
        self._budget = settings.budget  # less, once an endpoint said that it takes less
        self._parts = Parts(facts, settings, redact, counter)
        self._history = History(transcript, settings, redact, counter)
        self._tools: tuple[ToolSpec, ...] = ()
        self._tools_size = Sized("", counter)
        self._now = Sized("", counter)
        self._number = 0  # of the prompt that was made last

    @property
    def compressions(self) -> int:
        """How often the prefix changed."""
        return self._history.steps

    def fit(self, view: AgentView, *, tighter: int = 0) -> Fitted:
        before = self._history.squeezed
        self._number += 1
        self._parts.follow(view.promise)
        self._follow_tools(view.tools)
        self._now = Sized(self._redact(self._state(view)), self._counter)
        if self._base(exact=False) > self._budget and (base := self._base(exact=True)) > self._budget:
            raise self._too_large(base)
        try:
            self._history.follow(self._room, self._parts.promise)
        except TooLarge:
            if self._size(exact=True) > self._budget:
                raise self._too_large(self._size(exact=True)) from None
        if tighter:
            self._tighten(tighter)
        if (squeezed := self._history.squeezed) is not None and squeezed is not before:
            self._tell(squeezed)
        return self._fitted()

    def _state(self, view: AgentView) -> str:
        phase = say(f"context.phase_{view.phase}", self._settings.language)
        return "\n\n".join(text for text in (phase, self._standing()) if text)

    def _follow_tools(self, tools: tuple[ToolSpec, ...]) -> None:
        if tools is self._tools or tools == self._tools:
            return
        self._tools = tools
        self._tools_size = Sized(json_text([to_json(each) for each in tools]), self._counter)

    def _base(self, exact: bool) -> int:
        """All but the exchanges."""
        return self._parts.size(exact) + self._tools_size.size(exact) + self._now.size(exact)

    def _size(self, exact: bool) -> int:
        return self._base(exact) + self._history.size(exact=exact)

    def _room(self, exact: bool) -> int:
        """What is left for the exchanges; in steps, so that it is the same at most turns."""
        standing = max(self._now.size(exact), self._budget // _STANDING)
        base = self._parts.size(exact) + self._tools_size.size(exact) + standing
        step = max(self._budget // _STEPS, 1)
        return self._budget - -(-base // step) * step

    def _tighten(self, times: int) -> None:
        """What we sent was refused as too long: less of it, and less from now on."""
        refused = self._size(exact=True)
        if times > MOST_TIGHTER or self._settings.method == "none":
            raise self._too_large(refused, refused - 1)
        self._history.tighten(self._parts.promise, times)
        size = self._size(exact=True)
        if size >= refused:
            raise self._too_large(refused, refused - 1)
        self._budget = min(self._budget, max(refused * 3 // 4, (size + refused) // 2), refused - 1)

    def _too_large(self, size: int, limit: int = 0) -> LimitReached:
        fixed = self._base(exact=True)
        if self._settings.method == "none":
            return LimitReached("context.not_compressed", size=size, limit=limit or self._budget, fixed=fixed)
        return LimitReached("context.too_large", size=size, limit=limit or self._budget, fixed=fixed)

    def _fitted(self) -> Fitted:
        history, opened = self._history, self._history.open
        pieces = (*history.line.pieces, opened) if opened else tuple(history.line.pieces)
        settings, number = self._settings, self._number
        prompt = Prompt(
            self._parts.system, self._tools, pieces, self._now.text, settings.max_output, settings.temperature
        )
        parts, tools, now = self._parts.sized, self._tools_size, self._now
        bound = (self._size(exact=False) - tools.size(False), tools.size(False))

        def count(exact: bool) -> tuple[int, int]:
            if not exact:
                return bound
            if self._number == number:
                said = history.size(exact=True)
            else:  # another prompt was made since
                said = sum(tokens(piece, self._counter) for piece in pieces)
            return sum(part.size(True) for part in parts) + now.size(True) + said, tools.size(True)

        return Fitted(prompt, count)


def conversation(
    transcript: Transcript,
    settings: Settings,
    standing: Callable[[], str],
    facts: Facts,
    redact: Redact,
    counter: Counter,
    squeezed: Tell = lambda _: None,
) -> Conversation:
    """`standing` says how things stand at the moment of a turn; it is said last and never cut.

    `squeezed` hears how much room was made each time that history was compressed to fit.
    """
    return Conversation(transcript, settings, standing, facts, redact, counter, squeezed)
