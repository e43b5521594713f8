"""Names as ids: lower case, every run of other characters one hyphen, letters of all scripts kept."""

import unicodedata

NAMELESS = "unnamed"


def slug(text: str) -> str:
    lowered = unicodedata.normalize("NFC", text).lower()
    kept = (char if char.isalnum() or unicodedata.combining(char) else " " for char in lowered)
    return "-".join("".join(kept).split()) or NAMELESS


class Unique:
    """Gives every id once: the second use of `a` becomes `a-2`."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def __call__(self, wanted: str) -> str:
        name = wanted
        while name in self._taken:
            self._counts[wanted] = self._counts.get(wanted, 1) + 1
            name = f"{wanted}-{self._counts[wanted]}"
        self._taken.add(name)
        return name
