"""The exchanges so far, as they are sent: whole while they fit, compressed rarely and in big steps.

Where the compressed part ends follows from the exchanges and their sizes alone: a process that takes a run
up goes through the same steps as the one that began it. Between two steps the line only grows at its end, so
that the providers' caches hold.
"""

from collections.abc import Callable
from typing import NamedTuple

from donewhen.context.digest import LEAST_DETAIL, Digest
from donewhen.context.entries import WHOLE, Entry, Redact, Told, entry_of, said_to, told_of
from donewhen.context.settings import Settings
from donewhen.context.sizes import Counter, Line, tokens
from donewhen.core.chat import Piece, UserSaid
from donewhen.core.texts import say
from donewhen.core.transcript import Transcript

Room = Callable[[bool], int]  # tokens that are left for exchanges; exact, or never too many
_OLD = 1200  # characters of an old result


class _Squeeze(NamedTuple):
    """A step that is taken when the one before did not suffice."""

    divisor: int  # of the exchanges that stay
    most: int  # characters of a result in these
    detail: int  # of the summary of all others


_SQUEEZES = (
    _Squeeze(1, 8000, 1),
    _Squeeze(2, 2000, 2),
    _Squeeze(4, 600, LEAST_DETAIL),
    _Squeeze(1 << 30, 200, LEAST_DETAIL),
)


class Squeezed(NamedTuple):
    """What room was made: tokens of all that was said, and of what is sent for it."""

    raw: int
    sent: int
    exchanges: int  # that are in the summary


class TooLarge(Exception):
    """What is left when all was tried is still larger than the limit."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class History:
    def __init__(self, transcript: Transcript, settings: Settings, redact: Redact, counter: Counter) -> None:
        self._transcript = transcript
        self._settings = settings
        self._redact = redact
        self._counter = counter
        self._entries: list[Entry] = []
        self._forms: list[int] = []
        self._digest = Digest(settings.language)
        self._detail = 0
        self._looked = -1  # how many exchanges were closed when room was made last
        self._opened: Piece | None = None  # what the open exchange has told so far
        self._open_told: tuple[Told, ...] = ()
        self._raw = 0  # tokens of the exchanges that were counted whole
        self._counted = 0  # how many those are
        self.steps = 0  # of compression
        self.squeezed: Squeezed | None = None  # when room was made last
        self.line = Line(counter)

    @property
    def cut(self) -> int:
        """How many of the oldest exchanges are in the summary."""
        return self._digest.taken

    @property
    def open(self) -> Piece | None:
        return self._opened

    def follow(self, room: Room, known: str) -> None:
        """Take in what is new, and make room each time that there is too much; TooLarge when that fails."""
        closed = self._transcript.steps
        first = self._looked + 1 if closed > self._looked else closed
        for count in range(first, closed + 1):
            while len(self._entries) < count:
                self._close()
            self._open(count)
            self._looked = count
            if not self._settings.history:
                self._compress(count, room(True), known, 0, keep=1)
            if self.size(exact=False) <= room(False) or not self._exceeds(room(True)):
                continue
            try:
                self._make_room(count, room(True), known)
            except TooLarge:
                if count == closed:  # else there has been an answer to it, and it is history by now
                    raise

    def tighten(self, known: str, times: int) -> None:
        """The endpoint takes less than we thought: fewer exchanges and shorter ones, until some is freed."""
        before = self.size(exact=True)
        for stage in range(times, len(_SQUEEZES) + 1):
            self._compress(len(self._entries), 0, known, stage)
            if self.size(exact=True) < before:
                self._remember()
                return

    def size(self, *, exact: bool) -> int:
        return (self.line.exact() if exact else self.line.size) + self._extra(exact)

    def _exceeds(self, limit: int) -> bool:
        if not self.line.exceeds(limit - self._extra(exact=False)):
            return False
        return self.line.exceeds(limit - self._extra(exact=True))

    def _extra(self, exact: bool) -> int:
        """Of what is told in the open exchange."""
        if self._opened is None:
            return 0
        return tokens(self._opened, self._counter) if exact else Line(self._counter, (self._opened,)).size

    def _close(self) -> None:
        number = len(self._entries)
        exchange = self._transcript.exchanges[number]
        opened = self._opened if self._looked == number else None
        entry = entry_of(self._transcript, exchange, self._redact, opened)
        if not self.line.pieces and entry.pieces and not entry.told:
            self.line.extend((self._begin(),))
        self._entries.append(entry)
        self._forms.append(WHOLE)
        self.line.extend(entry.pieces)

    def _open(self, number: int) -> None:
        exchange = self._transcript.exchanges[number]
        told = told_of(exchange, self._redact)
        if self._looked == number and told == self._open_told:
            return
        self._open_told = told
        self._opened = said_to(told) if told else None

    def _begin(self) -> Piece:
        """A conversation begins with a word to the agent."""
        return Piece(UserSaid(say("context.begin", self._settings.language)))

    def _make_room(self, count: int, limit: int, known: str) -> None:
        """Compress, and harder while that is not enough."""
        if self._settings.method == "none":
            raise TooLarge(self.size(exact=True))
        for stage in range(len(_SQUEEZES) + 1):
            self._compress(count, limit, known, stage)
            if self.size(exact=True) <= limit:
                self._remember()
                return
        raise TooLarge(self.size(exact=True))

    def _remember(self) -> None:
        for entry in self._entries[self._counted :]:
            self._raw += entry.size(WHOLE, self._settings.language, self._counter)
        self._counted = len(self._entries)
        raw = self._raw + self._extra(exact=True)
        self.squeezed = Squeezed(raw, self.size(exact=True), self.cut)

    def _compress(self, count: int, limit: int, known: str, stage: int, keep: int = 0) -> None:
        """Old results shorter, then the oldest exchanges into the summary, to half of what is allowed."""
        squeeze = _SQUEEZES[stage - 1] if stage else _Squeeze(1, WHOLE, 0)
        stay = keep or max(self._settings.turns // squeeze.divisor, 1)
        first = max(count - stay, 0)
        self._detail = max(self._detail, squeeze.detail)
        for number in range(self.cut, count):
            self._shorten(number, _OLD if number < first else squeeze.most)
        if stage or keep:
            while self.cut < first:
                self._digest.take(self._entries[self.cut])
        else:
            self._summarise(first, count, limit // 2 - self._extra(exact=True), known)
        self._rebuild(count, known)

    def _shorten(self, number: int, most: int) -> None:
        was = self._forms[number]
        self._forms[number] = min(was, most) if was and most else was or most

    def _summarise(self, first: int, count: int, target: int, known: str) -> None:
        """As few exchanges as suffice for the target, none of the last ones."""
        sizes = [self._size(number) for number in range(self.cut, count)]
        left, summary = sum(sizes), self._summary_size(count, known)
        for size in sizes:
            if left + summary <= target or self.cut >= first:
                return
            self._digest.take(self._entries[self.cut])
            left -= size
            if left <= target:
                summary = self._summary_size(count, known)

    def _size(self, number: int) -> int:
        return self._entries[number].size(self._forms[number], self._settings.language, self._counter)

    def _summary_size(self, count: int, known: str) -> int:
        return tokens(self._summary(count, known), self._counter) if self.cut else 0

    def _summary(self, count: int, known: str) -> Piece:
        later = [told for entry in self._entries[self.cut : count] for told in entry.told]
        text = self._digest.text(
            self._detail,
            known=known,
            superseded=any(told.kind == "feedback" for told in (*later, *self._open_told)),
            brief=self._settings.method == "sliding-window",
        )
        return Piece(UserSaid(text))

    def _rebuild(self, count: int, known: str) -> None:
        self.steps += 1
        self.line = Line(self._counter)
        if self.cut:
            self.line.extend((self._summary(count, known),))
        elif self._entries and self._entries[0].pieces and not self._entries[0].told:
            self.line.extend((self._begin(),))
        for number in range(self.cut, count):
            self.line.extend(self._entries[number].form(self._forms[number], self._settings.language))
