"""`prevent-secrets-commit`: nothing that is or holds a secret is committed, by its name or by what is added.

Told `files` (paths) and `diff` (as fingerprints give it). A commit that it is not shown is refused: what was
not looked at is not clean. `allowed` names places ([path, line]) that the gate of secrets let pass, so that
hook and gate never contradict each other; it comes from the harness alone. The secret itself is never said.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from donewhen.config.places import harmless
from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase, say
from donewhen.hooks.model import PASS, Answer, Ask, Kit
from donewhen.hooks.threads import Threaded
from donewhen.secrets.diff import added_lines
from donewhen.secrets.finding import Finding
from donewhen.secrets.names import is_secret_name, secret_file
from donewhen.secrets.scan import UNREAD, scan_diff

_MOST = 10  # findings that are said
_LONGEST_PATH = 200


def make(kit: Kit) -> Ask:
    patterns = kit.loaded.config.guardrails.secret_patterns

    def look(occasion: Occasion) -> Answer:
        files, diff = _paths(occasion.data.get("files")), occasion.data.get("diff")
        if files is None or not isinstance(diff, str):
            return Answer(failed=Phrase("hooks.nothing_shown"))
        allowed = _places(occasion.data.get("allowed"))
        found = [*_by_name(files, diff, kit.workspace, patterns)]
        found += [each for each in scan_diff(diff) if (each.path, each.line) not in allowed]
        return Answer(block=_reason(found, kit)) if found else PASS

    return Threaded("prevent-secrets-commit", look, kit.loaded.config.hooks.timeout).ask


def _by_name(
    files: Iterable[str], diff: str, workspace: Path, patterns: tuple[str, ...]
) -> Iterator[Finding]:
    """Files that are secret by their name; taking one away is no reason to refuse."""
    added: Mapping[str, str] = {
        each.path: "\n".join(line for _, line in each.lines) for each in added_lines(diff)
    }
    for path in dict.fromkeys((*files, *added)):
        if is_secret_name(path, patterns) is None:
            continue
        if path not in added and not _is_there(workspace, path):
            continue
        found = secret_file(path, added.get(path, ""), patterns)
        if found is not None and found.line == 0:
            yield found


def _is_there(workspace: Path, path: str) -> bool:
    return "\0" not in path and os.path.lexists(workspace / path)


def _reason(found: list[Finding], kit: Kit) -> Phrase:
    shown = ", ".join(_said(each, kit) for each in found[:_MOST])
    more = say("hooks.and_more", kit.language, count=len(found) - _MOST) if len(found) > _MOST else ""
    return Phrase("hooks.secrets_found", {"found": shown + more})


def _said(finding: Finding, kit: Kit) -> str:
    path = harmless(finding.path.encode(errors="backslashreplace").decode(), _LONGEST_PATH)
    place = f"{path}:{finding.line}" if finding.line else path
    what = (
        say("hooks.unread", kit.language) if finding.rule == UNREAD else harmless(finding.rule, _LONGEST_PATH)
    )
    return f"{place} ({what})"


def _paths(data: Any) -> tuple[str, ...] | None:
    if not isinstance(data, list | tuple) or not all(isinstance(path, str) for path in data):
        return None
    return tuple(data)


def _places(data: Any) -> frozenset[tuple[str, int]]:
    pairs = data if isinstance(data, list | tuple) else ()
    return frozenset(
        (pair[0], pair[1]) for pair in pairs if isinstance(pair, list | tuple) and len(pair) == 2
    )
