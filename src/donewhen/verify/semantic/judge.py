"""Who reviews: the seam for models, agent commands and files. Nothing here knows any of them."""

from typing import Protocol

from donewhen.core.errors import SetupError


class JudgeError(SetupError):
    """The judge could not be asked; whatever goes wrong inside of one is mapped to this at its door."""


class Judge(Protocol):
    """Answers a prompt with text. Bounding time is the caller's business; being cancelled must end it."""

    @property
    def name(self) -> str:
        """As people are told."""

    @property
    def model(self) -> str:
        """The model behind it; empty where there is none."""

    @property
    def cost(self) -> float:
        """What it has spent so far, in the run's money."""

    async def review(self, prompt: str) -> str:
        """A JudgeError when there is no answer."""
