"""`enforce-pr-description`: a pull request says in words what it is, in at least fifty visible characters.

Told `description`. Only what a reader would see counts: no blanks, no comments, no invisible characters.
"""

import unicodedata

from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase
from donewhen.hooks.model import PASS, Answer, Ask, Kit

LEAST = 50
_READ = 100_000  # more need not be read to count to fifty
_SEEN = "LNPS"  # letters, numbers, punctuation, symbols
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that show nothing


def make(kit: Kit) -> Ask:
    async def ask(occasion: Occasion) -> Answer:
        said = occasion.data.get("description")
        count = visible(said) if isinstance(said, str) else 0
        if count >= LEAST:
            return PASS
        return Answer(block=Phrase("hooks.short_description", {"count": count, "least": LEAST}))

    return ask


def visible(text: str) -> int:
    """How many characters of a description a reader sees."""
    shown = _without_comments(text[:_READ])
    return sum(1 for char in shown if unicodedata.category(char)[0] in _SEEN and char not in _BLANK)


def _without_comments(text: str) -> str:
    """A comment that is never closed hides all that follows."""
    first, *others = text.split("<!--")
    return first + "".join(part.partition("-->")[2] for part in others)
