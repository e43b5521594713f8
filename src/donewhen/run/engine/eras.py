"""Eras of a run: between two of them somebody changed what lies beside the tree.

Red and green are compared within one environment. What a test itself leaves beside the tree (a counter, a
cache) must not make every run of it another environment, or a flake could never be seen; a dependency that
was installed in between must. So results that follow one another without a foreign hand share an era.
"""


class Eras:
    def __init__(self) -> None:
        self._last: str | None = None  # what lay beside the tree after the last result
        self._era = 0

    def begin(self, beside: str, environment: str) -> str:
        """The name of the environment in which a result that begins now counts."""
        if self._last is not None and beside != self._last:
            self._era += 1
        self._last = beside
        return f"{environment}#{self._era}"

    def end(self, beside: str) -> None:
        self._last = beside
