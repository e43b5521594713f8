"""How many examples a property is tried with: some in `make test`, all of them in `make test-fuzz`."""

from hypothesis import settings

_FEW = 40


def register() -> None:
    """The same examples every time and no clock: a slow machine must not fail a test."""
    steady = settings(deadline=None, derandomize=True, database=None)
    settings.register_profile("few", steady, max_examples=_FEW)
    settings.register_profile("many", steady, max_examples=200)
    settings.load_profile("few")


def many(wanted: int) -> int:
    """For a property that needs more than the others: as many as wanted, or an eighth where few are asked for."""
    return wanted if settings.get_current_profile_name() == "many" else max(_FEW, wanted // 8)
