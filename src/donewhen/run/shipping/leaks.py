"""What a change would carry out that looks like a secret: in the names of new files and in added lines.

The same judgement as the gate of that name has, with the base's own list of what is none.
"""

from collections.abc import Iterable

from donewhen.workspace.fingerprint.fingerprints import Fingerprints

_PLACE = "/workspace"


def leaks(
    fingerprints: Fingerprints, before: str, after: str, patterns: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The files of a change between two trees that hold or are a secret, sorted."""
    if before == after:
        return ()
    changed = fingerprints.changed(before, after)
    added = [path for path, kind in changed.items() if kind == "added"]
    diff = fingerprints.diff(before, after)
    return tuple(sorted({*named(added, patterns), *told(diff, baseline(fingerprints, before))}))


def baseline(fingerprints: Fingerprints, tree: str) -> str:
    from donewhen.verify.quality.secrets import BASELINE

    return (fingerprints.content(tree, BASELINE) or b"").decode(errors="replace")


def told(diff: str, known: str) -> set[str]:
    """Files whose added lines hold a secret, or can't be read."""
    from donewhen.verify.quality.secrets import secrets_in

    return {each.file for each in secrets_in(diff, known) if each.severity == "error"}


def named(paths: Iterable[str], patterns: tuple[str, ...] = ()) -> set[str]:
    """Paths that are those of secrets by their name, or hold one in it."""
    from donewhen.guard.ground import Ground
    from donewhen.guard.secret_paths import secret
    from donewhen.secrets.scan import scan_text

    ground = Ground(_PLACE, _PLACE, "/home/user", secret_patterns=patterns)
    return {path for path in paths if secret(f"{_PLACE}/{path}", ground) or scan_text("", path)}
