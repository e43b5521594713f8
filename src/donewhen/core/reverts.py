"""Which commits were taken back later, by what the messages of later commits say.

Pure. Only the sentence that git itself writes counts, with a whole commit id; a revert that was itself taken
back takes nothing back.
"""

import re
from collections.abc import Iterable

SENTENCE = "This reverts commit "
_REVERTS = re.compile(re.escape(SENTENCE) + r"([0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])")
MOST = 50  # ids of one message


def taken_back(commits: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Ids of what was taken back, each with the commit that did it; of (id, message), children first."""
    found: dict[str, str] = {}
    for commit, message in commits:
        if commit in found:
            continue
        for reverted in _REVERTS.findall(message)[:MOST]:
            found.setdefault(reverted, commit)
    return found
