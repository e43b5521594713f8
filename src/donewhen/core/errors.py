"""Errors say who must act.

    DonewhenError
    ├── UserError         the user: configuration, usage                     exit 2
    ├── AgentError        the agent: told to it, the run goes on             exit 1
    ├── HumanNeeded       a human: ask, escalate                             exit 4
    ├── LimitReached      the budget, time or turns are used up              exit 3
    ├── SetupError        the operator: git, a tool, the sandbox, the store  exit 5
    └── InvariantBroken   us: a bug, with a report file                      exit 70

An error carries a key of the catalogue and its values, so it can be said in any language. Foreign
exceptions are mapped to these at one boundary each; nothing else crosses a room's door.
"""

from typing import ClassVar, Self

from donewhen.core.texts import Language, say


class DonewhenError(Exception):
    """One sentence that names the cause, the place and the next step."""

    exit_code: ClassVar[int] = 70

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def again(self) -> Self:
        """The same error, to be raised anew: one that is raised twice drags its old traceback along."""
        return type(self)(self.key, **self.values)

    def say(self, language: Language) -> str:
        return say(self.key, language, **self.values)

    def __str__(self) -> str:
        return self.say("en")


class UserError(DonewhenError):
    exit_code = 2


class AgentError(DonewhenError):
    exit_code = 1


class HumanNeeded(DonewhenError):
    exit_code = 4


class LimitReached(DonewhenError):
    exit_code = 3


class SetupError(DonewhenError):
    exit_code = 5


class InvariantBroken(DonewhenError):
    exit_code = 70
