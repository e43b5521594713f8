"""The gate `secrets`: what a change adds that looks like a secret; no tool is run, and no secret is repeated.

What only looks like a secret by its entropy is a warning, and so is what has a provider's shape in tests and
their data: both are asked about. A line that carries detect-secrets' allow-comment is told as a note, unless
it has the shape of a provider's real key: whoever writes the key can write the comment. What the project's
`.secrets.baseline` lists is left out. Only the base's baseline may be passed here: the change under test
could have written any other.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from donewhen.core.integrity.roles import role_of
from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.questions import Question
from donewhen.core.texts import Language, Phrase, say
from donewhen.secrets.diff import added_lines
from donewhen.secrets.finding import Finding
from donewhen.secrets.leaks import RULE
from donewhen.secrets.scan import UNREAD, scan_diff
from donewhen.secrets.shapes import SHAPES
from donewhen.secrets.spans import DECLARED, DEPTH, ENTROPY, URL
from donewhen.verify.quality.model import Planned, Scope

BASELINE = ".secrets.baseline"
_LARGEST = 16 * 2**20
_LONGEST_LINE = 4096
_MOST_WORDS = 500
_ALLOWED = re.compile(r"pragma: ?(?:allow|white)list[ -]secret\b", re.IGNORECASE)
_ALLOWED_NEXT = re.compile(r"pragma: ?(?:allow|white)list[ -]nextline[ -]secret\b", re.IGNORECASE)
_WORDS = (re.compile(r"[^\s'\"`,;:=<>(){}\[\]]{4,600}"), re.compile(r"(?<=['\"`])[^'\"`]{4,600}(?=['\"`])"))
_GUESSED = frozenset((ENTROPY, URL, DEPTH, UNREAD))
_HELD = frozenset((RULE, DECLARED))  # values of real credential files
_Lines = Mapping[tuple[str, int], str]


class Secrets:
    """No plan: what changed is enough."""

    name = "secrets"

    def plan(self, scope: Scope) -> Planned:
        return Planned(why=None if scope.files else Phrase("gates.no_files"))


def secrets_in(diff: str, baseline: str = "", language: Language = "en") -> tuple[Violation, ...]:
    """The secrets in the lines that a diff adds (see GIT_DIFF_ARGUMENTS); `baseline` is the base's file."""
    findings = scan_diff(diff)
    if not findings:
        return ()
    wanted = {finding.path for finding in findings}
    lines = {
        (added.path, number): text[:_LONGEST_LINE]
        for added in added_lines(diff)
        if added.path in wanted
        for number, text in added.lines
    }
    known = _known(baseline)
    return tuple(
        _violation(finding, lines, language) for finding in findings if not _is_known(finding, lines, known)
    )


def _violation(finding: Finding, lines: _Lines, language: Language) -> Violation:
    place = (finding.rule, finding.path, finding.line)
    if finding.rule == UNREAD:
        message, fix = say("gates.secret_unread", language), say("gates.secret_unread_fix", language)
        return Violation(place[0], message, place[1], place[2], level="high", fix=fix)
    if _is_allowed(finding, lines):
        message = say("gates.secret_allowed", language, kind=finding.rule)
        return Violation(place[0], message, place[1], place[2], severity="note", level="low")
    message, fix = say("gates.secret", language, kind=finding.rule), say("gates.secret_fix", language)
    return Violation(place[0], message, place[1], place[2], level="high", fix=fix)


def with_doubt(found: Violation) -> Violation:
    """As a warning where only a human can say whether it is a secret."""
    guessed = found.rule in _GUESSED or (
        role_of(found.file) in ("test", "support") and found.rule not in _HELD
    )
    return found._replace(severity="warning") if guessed and found.severity == "error" else found


def questions_of_secrets(
    gates: Iterable[GateResult], digests: Callable[[str], tuple[str, ...]]
) -> tuple[Question, ...]:
    """One for each file with what only may be a secret; `digests`: of its contents."""
    found: dict[str, Question] = {}
    for each in (each for gate in gates if gate.gate == "secrets" for each in gate.violations):
        if each.severity == "warning":
            key = "gates.secret_unread" if each.rule == UNREAD else "gates.secret"
            message, wanted = Phrase(key, {"kind": each.rule}), Phrase(f"{key}_fix")
            about = digests(each.file)
            found.setdefault(each.file, Question("secret", message, each.file, each.line, "", wanted, about))
    return tuple(found.values())


def _is_allowed(finding: Finding, lines: _Lines) -> bool:
    if any(finding.rule == shape.name for shape in SHAPES):
        return False
    here = lines.get((finding.path, finding.line), "")
    before = lines.get((finding.path, finding.line - 1), "")
    return bool(_ALLOWED.search(here) or _ALLOWED_NEXT.search(before))


def _known(baseline: str) -> Mapping[str, frozenset[str]]:
    """The digests that a baseline lists, by file, without those that somebody has found to be real."""
    if not baseline or len(baseline) > _LARGEST:
        return {}
    try:
        data = json.loads(baseline)
    except (ValueError, RecursionError):
        return {}
    results = data.get("results") if isinstance(data, dict) else None
    if not isinstance(results, dict):
        return {}
    return {path: frozenset(_digests(rows)) for path, rows in results.items()}


def _digests(rows: object) -> Iterator[str]:
    for row in rows if isinstance(rows, list) else ():
        digest = row.get("hashed_secret") if isinstance(row, dict) else None
        if isinstance(digest, str) and row.get("is_secret") is not True:
            yield digest


def _is_known(finding: Finding, lines: _Lines, known: Mapping[str, frozenset[str]]) -> bool:
    digests = known.get(finding.path)
    if not digests:
        return False
    text = lines.get((finding.path, finding.line), "")
    words = (word for pattern in _WORDS for word in islice(pattern.findall(text), _MOST_WORDS))
    return any(_digest(word) in digests for word in words)


def _digest(word: str) -> str:
    """As baselines have it."""
    return hashlib.sha1(word.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
