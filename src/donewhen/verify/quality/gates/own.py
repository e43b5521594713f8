"""A gate of the user's own: any command, whose output one of the declared parsers reads."""

from typing import NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.model import Unreadable, Violation
from donewhen.core.texts import Phrase
from donewhen.verify.quality.model import Ask, Planned, Scope, Tool

_WORKED = frozenset(range(126))  # 126 and 127: it was not found or not started; above: a signal


class OwnGate(NamedTuple):
    entry: GateConfig

    @property
    def name(self) -> str:
        return self.entry.name

    def plan(self, scope: Scope) -> Planned:
        del scope
        tool = Tool(self.entry.command[0].rpartition("/")[2], self.entry.command[:1])
        ask = Ask(
            tool,
            tuple(self.entry.command),
            self._read,
            ok=_WORKED,
            stream="stdout" if self.entry.parser in ("json", "sarif", "junit") else "both",
            whole=True,
        )
        return Planned((ask,), configured=True)

    def _read(self, text: str, folder: str) -> tuple[Violation, ...]:
        from donewhen.verify.quality.reading.readers import declared

        if self.entry.parser is None:
            return ()
        try:
            return declared(self.entry.parser, self.entry.pattern)(text, folder)
        except Unreadable as error:  # people know their command, not our reader
            raise Unreadable(error.key, **{**error.values, "tool": " ".join(self.entry.command)}) from None

    def silent_failure(self, exit: int | None) -> Phrase | None:
        """Why an exit that its parser can't explain is no pass."""
        if not exit:
            return None
        values = {"command": " ".join(self.entry.command), "exit": exit, "parser": self.entry.parser}
        return Phrase("quality.exit_unread" if self.entry.parser else "quality.exit", values)


def is_own(entry: GateConfig) -> bool:
    """A command of the user's with findings to read, or one that may fail; others are part of the exam."""
    return bool(entry.command) and (entry.parser is not None or not entry.required)
