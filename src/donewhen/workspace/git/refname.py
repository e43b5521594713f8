"""Which names git lets a reference have; pure, so that a name costs no process."""

import os

_FORBIDDEN = frozenset(b" ~^:?*[\\\x7f") | frozenset(range(0x20))


def is_ref_name(name: str) -> bool:
    """What `git check-ref-format` says of a whole name, such as `refs/heads/main`."""
    try:
        text = os.fsencode(name)
    except UnicodeEncodeError:
        return False
    parts = text.split(b"/")
    if len(parts) < 2 or text.endswith(b".") or b".." in text or b"@{" in text:
        return False
    return _FORBIDDEN.isdisjoint(text) and all(map(_is_part, parts))


def _is_part(part: bytes) -> bool:
    return bool(part) and not part.startswith(b".") and not part.endswith(b".lock")
