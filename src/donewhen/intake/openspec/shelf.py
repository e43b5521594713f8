"""The requirements of a main spec while a delta is applied to them: found by name, kept in their order."""

from donewhen.intake.openspec.blocks import folded
from donewhen.intake.openspec.model import Requirement


class Shelf:
    """Requirements in slots; one that is renamed or replaced keeps its slot, a new one goes to the end."""

    def __init__(self, requirements: tuple[Requirement, ...]) -> None:
        self._slots: list[Requirement | None] = []
        self._at: dict[str, int] = {}
        self._near: dict[str, dict[str, None]] = {}
        for requirement in requirements:
            self.add(requirement)

    def __contains__(self, name: str) -> bool:
        return name in self._at

    def get(self, name: str) -> Requirement | None:
        return self._slots[self._at[name]] if name in self._at else None

    def add(self, requirement: Requirement) -> None:
        self._at[requirement.name] = len(self._slots)
        self._slots.append(requirement)
        self._near.setdefault(folded(requirement.name), {})[requirement.name] = None

    def replace(self, name: str, requirement: Requirement) -> None:
        at = self._at.pop(name)
        del self._near[folded(name)][name]
        self._at[requirement.name] = at
        self._slots[at] = requirement
        self._near.setdefault(folded(requirement.name), {})[requirement.name] = None

    def remove(self, name: str) -> None:
        self._slots[self._at.pop(name)] = None
        del self._near[folded(name)][name]

    def near(self, name: str, besides: str = "") -> str | None:
        """A requirement whose name differs from `name` in letter case or white space only."""
        return next((each for each in self._near.get(folded(name), {}) if each != besides), None)

    def all(self) -> list[Requirement]:
        return [each for each in self._slots if each is not None]
