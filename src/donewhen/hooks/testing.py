"""A HookRunner for tests: answers from a list and keeps what it was asked. It runs nothing."""

from collections.abc import Iterable, Mapping

from donewhen.core.hooking import PASSED, POINTS, Occasion, Point, Verdict


class Recorded:
    """`answers` are given in turn, at whichever point is called; when they are used up all pass.

    `at` answers by point, again and again, and comes first.
    """

    def __init__(
        self,
        answers: Iterable[Verdict] = (),
        *,
        at: Mapping[Point, Verdict] | None = None,
        points: Iterable[Point] = POINTS,
    ) -> None:
        self.asked: list[Occasion] = []
        self._answers = iter(tuple(answers))
        self._at = dict(at or {})
        self._points = frozenset(points)

    def listens(self, point: Point) -> bool:
        return point in self._points

    def acts(self, point: Point) -> bool:
        return self.listens(point)

    async def call(self, occasion: Occasion) -> Verdict:
        if not self.listens(occasion.point):
            return PASSED
        self.asked.append(occasion)
        found = self._at.get(occasion.point)
        return next(self._answers, PASSED) if found is None else found

    def asked_at(self, point: Point) -> list[Occasion]:
        """What was asked at a point."""
        return [occasion for occasion in self.asked if occasion.point == point]
