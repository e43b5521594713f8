"""Files that a change adds and that hold credentials by their name: `.env`, keys, logins. Pure.

A name that only contains a word such as "secret" says nothing here; the scan of the content decides about
those. A file that the project ignores and somebody adds all the same counts whatever it holds. Templates,
empty files and files of nothing but placeholders or settings do not, nor do data of tests in which the scan
finds nothing.
"""

import re
from collections.abc import Sequence

from donewhen.secrets.finding import Finding
from donewhen.secrets.held import is_credential, pairs_in
from donewhen.secrets.names import DEFAULT_PATTERNS, PATTERN, is_secret_name, name_is_decided_by_content
from donewhen.secrets.scan import scan_text

_WORDS = frozenset(pattern for pattern in DEFAULT_PATTERNS if pattern.isidentifier())
_SETTINGS = frozenset(
    ("env-file", "credentials", *(PATTERN + p for p in DEFAULT_PATTERNS if p not in _WORDS))
)
"""Rules for files of assignments: where none of them is a credential, the file is one of settings."""
_TEST_DATA = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testdata|test[-_]?data|fixtures?|examples?|samples?|mocks?)/",
    re.IGNORECASE,
)


def is_credential_file(path: str, patterns: Sequence[str] = DEFAULT_PATTERNS) -> bool:
    """By a rule for names or by a pattern of the user; a word in the name alone is not enough."""
    name = is_secret_name(path, patterns)
    return name is not None and name.removeprefix(PATTERN) not in _WORDS


def added_secret(
    path: str, text: str | None, patterns: Sequence[str] = DEFAULT_PATTERNS, *, ignored: bool = False
) -> Finding | None:
    """Whether an added file is one of credentials; `text` is None where it can't be read as text.

    `ignored`: the project's own rules keep it out of commits.
    """
    name = is_secret_name(path, patterns)
    if name is None or not is_credential_file(path, patterns):
        return None
    found = Finding(path, 0, name, "")
    if text is None or (ignored and text.strip()):
        return found
    return None if _is_harmless(path, name, text) else found


def _is_harmless(path: str, name: str, text: str) -> bool:
    if not text.strip():
        return True
    if name.startswith(PATTERN) and name.removeprefix(PATTERN) not in DEFAULT_PATTERNS:
        return False  # the user's own word
    if scan_text(path, text):
        return False
    if _TEST_DATA.search(path) or name_is_decided_by_content(path, name):
        return True
    return name in _SETTINGS and not any(is_credential(pair) for pair in pairs_in(text))
