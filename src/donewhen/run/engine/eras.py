"""Eras of a run: between two of them somebody changed what lies beside the tree.

Red and green are compared within one environment. What a test itself leaves beside the tree (a counter, a
cache) must not make every run of it another environment, or a flake could never be seen; a dependency that
was installed in between must. So results that follow one another without a foreign hand share an era, the
agent's own in the workspace and the harness's in its room alike.
"""


class Eras:
    def __init__(self) -> None:
        self.last: str | None = None  # what lay beside the tree after the last result of the agent
        self.number = 0

    @property
    def now(self) -> str:
        """The environment in which a result counts that is told now."""
        return f"run#{self.number}"

    def go_on(self, number: int, last: str | None) -> None:
        """As it was when another process was here."""
        self.number, self.last = number, last

    def begin(self, beside: str) -> str:
        """The same for a command of the agent that begins now."""
        if self.last is not None and beside != self.last:
            self.number += 1
        self.last = beside
        return self.now

    def end(self, beside: str) -> None:
        self.last = beside
