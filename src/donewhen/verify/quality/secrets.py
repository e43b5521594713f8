"""The gate `secrets`: what a change adds that looks like a secret, that is a credential file, or that such a
file holds. No tool is run, and no secret is repeated, not even in part: it is told by its place.

What only looks like a secret by its entropy is a warning, and so is what has a provider's shape in tests and
their data: both are asked about. A line that carries detect-secrets' allow-comment is told as a note, unless
it has the shape of a provider's real key: whoever writes the key can write the comment. What the base's
`.secrets.baseline` lists is left out; the change under test could have written any other.

Credential files are found by name: those that git ignores or does not know in the workspace and in the
folders beside it, and those that the base tracks. Their values are read, compared and forgotten: nothing is
written or logged. What stands in an ordinary file of the base as well is no secret.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.files import read_regular
from donewhen.core.errors import SetupError, UserError
from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.questions import Question
from donewhen.core.texts import Language, Phrase, say
from donewhen.project.roles import role_of
from donewhen.secrets.adding import added_secret, is_credential_file
from donewhen.secrets.diff import added_lines
from donewhen.secrets.finding import Finding
from donewhen.secrets.held import values_in
from donewhen.secrets.leaks import RULE, Leaks
from donewhen.secrets.scan import UNREAD, scan_diff
from donewhen.secrets.shapes import SHAPES
from donewhen.secrets.spans import DECLARED, DEPTH, ENTROPY, URL
from donewhen.workspace.fingerprint.beside import ignored_files
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.git.runner import names

if TYPE_CHECKING:
    from donewhen.verify.change import Looked

BASELINE = ".secrets.baseline"
_LARGEST_BASELINE = 16 * 2**20
_LONGEST_LINE = 4096
_ALLOWED = re.compile(r"pragma: ?(?:allow|white)list[ -]secret\b", re.IGNORECASE)
_ALLOWED_NEXT = re.compile(r"pragma: ?(?:allow|white)list[ -]nextline[ -]secret\b", re.IGNORECASE)
_WORDS = (re.compile(r"[^\s'\"`,;:=<>(){}\[\]]{4,600}"), re.compile(r"(?<=['\"`])[^'\"`]{4,600}(?=['\"`])"))
_GUESSED = frozenset((ENTROPY, URL, DEPTH, UNREAD))
_HELD = frozenset((RULE, DECLARED))  # values of real credential files
_Lines = Mapping[tuple[str, int], str]


def secrets_in(diff: str, baseline: str = "", language: Language = "en") -> tuple[Violation, ...]:
    """The secrets in the lines that a diff adds (see GIT_DIFF_ARGUMENTS); `baseline` is the base's file."""
    findings = scan_diff(diff)
    wanted = {finding.path for finding in findings}
    lines = {
        (added.path, number): text[:_LONGEST_LINE]
        for added in (added_lines(diff) if findings else ())
        if added.path in wanted
        for number, text in added.lines
    }
    known = _known(baseline)
    return tuple(
        _violation(finding, lines, language)
        for finding in findings
        if not _is_known(lines.get((finding.path, finding.line), ""), known.get(finding.path, frozenset()))
    )


def _violation(finding: Finding, lines: _Lines, language: Language) -> Violation:
    key = "gates.secret_unread" if finding.rule == UNREAD else "gates.secret"
    found = Violation(finding.rule, say(key, language, kind=finding.rule), finding.path, finding.line)
    if finding.rule != UNREAD and _is_allowed(finding, lines):
        message = say("gates.secret_allowed", language, kind=finding.rule)
        return found._replace(message=message, severity="note", level="low")
    return found._replace(level="high", fix=say(f"{key}_fix", language))


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
    try:
        results = json.loads(baseline)["results"] if len(baseline) <= _LARGEST_BASELINE else {}
        rows = {
            path: [row for row in rows if row.get("is_secret") is not True] for path, rows in results.items()
        }
        return {path: frozenset(str(row.get("hashed_secret")) for row in kept) for path, kept in rows.items()}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return {}


def _is_known(text: str, digests: frozenset[str]) -> bool:
    words = (word for pattern in _WORDS for word in islice(pattern.findall(text), 500))
    return bool(digests) and any(_digest(word) in digests for word in words)


def _digest(word: str) -> str:
    """As baselines have it."""
    return hashlib.sha1(word.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


_LARGEST = 256 * 1024
_MOST_FILES = 200
_LIKELY = re.compile(
    r"env|credential|secret|\.key$|\.pem$|\.p8$|rc$|netrc|pgpass|htpasswd|token|tfvars|tfstate|vars$|_rsa|_dsa|"
    r"_ecdsa|_ed25519|\.cnf$|account|auth\.json|\.properties$|config$|\.ya?ml$|\.cfg$",
    re.IGNORECASE,
)
_MADE_UP = re.compile(r"(?:^|/)(?:tests?|specs?|testdata|fixtures?|examples?|samples?|docs?)/", re.IGNORECASE)


_Mark = tuple[str, int, int]  # which file at which state, without its content


class Credentials:
    """The credential files round one change; nothing is read before somebody asks for values."""

    def __init__(self, looked: "Looked", env: Mapping[str, str], language: Language) -> None:
        self._looked, self._env, self._language = looked, env, language
        self.patterns = looked.rules.config.guardrails.secret_patterns

    @property
    def marks(self) -> tuple[_Mark, ...]:
        """What the answer depends on beside the trees."""
        return tuple(sorted(self._lying.values()))

    def added(self, paths: Iterable[str], tree: str) -> Iterator[Violation]:
        """Credential files among the added ones; inside of them values are at home."""
        paths = [path for path in paths if is_credential_file(path, self.patterns)]
        git = self._looked.repository.git()
        listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
        ran = git.attempt("check-ignore", "--no-index", "-z", "--stdin", stdin=listed) if listed else None
        ignored = names(ran.out) if ran and ran.exit == 0 else []  # by the project's own rules
        for path in paths:
            text = _text(self._looked.fingerprints.content(tree, path))
            finding = added_secret(path, text, self.patterns, ignored=path in ignored)
            if finding is not None:
                message = say("gates.secret_file", self._language, path=path, kind=finding.rule)
                fix = say("gates.secret_file_fix", self._language)
                yield Violation(finding.rule, message, path, 1, level="high", fix=fix)

    def leaked(self, diff: str) -> tuple[Violation, ...]:
        """Where the lines that a diff adds hold a value of a credential file."""
        added = [each for each in added_lines(diff) if not is_credential_file(each.path, self.patterns)]
        told: dict[tuple[str, int], Violation] = {}
        for source, values in self._values().items():
            if not Leaks(values).find(added):
                continue
            there = [value for value in values if Leaks((value,)).find(added) and not self._is_public(value)]
            message = say("gates.secret_value", self._language, source=source)
            fix = say("gates.secret_fix", self._language)
            for finding in Leaks(there).find(added):
                place = (finding.path, finding.line)
                told.setdefault(place, Violation(RULE, message, *place, level="high", fix=fix))
        return tuple(told.values())

    def _values(self) -> dict[str, tuple[str, ...]]:
        """By a name of the file that may be shown: what must stand nowhere else."""
        held = {path: values_in(data.decode(errors="replace")) for path, data in self._base()}
        for place, (shown, _, _) in self._lying.items():
            try:
                found = read_regular(place, place.name, largest=_LARGEST, follow=False)
            except (UserError, SetupError):  # a link, a pipe, too large or closed to us
                found = None
            held[shown] = values_in(found.data.decode(errors="replace")) if found else ()
        return {shown: values for shown, values in held.items() if values}

    def _is_public(self, value: str) -> bool:
        """Whether an ordinary file of the base holds it as well; asked of what was found: it is slow."""
        commit = self._looked.change.base.commit
        if not commit or "\n" in value:
            return False
        argv = ("grep", "-l", "-z", "-F", "--no-recurse-submodules", "-f", "-", commit)
        ran = self._looked.repository.git().attempt(*argv, stdin=os.fsencode(value) + b"\n")
        files = [name.partition(":")[2] for name in names(ran.out)] if ran.exit == 0 else []
        return any(not is_credential_file(path, self.patterns) for path in files)

    def _base(self) -> Iterator[tuple[str, bytes]]:
        """Credential files of the base itself, without data of tests."""
        fingerprints = self._looked.fingerprints
        tree = fingerprints.tree(self._looked.change.base.commit)
        likely = (p for p in fingerprints.entries(tree) if _LIKELY.search(p) and not _MADE_UP.search(p))
        for path in islice((p for p in likely if is_credential_file(p, self.patterns)), _MOST_FILES):
            yield path, (fingerprints.content(tree, path) or b"")[:_LARGEST]

    @cached_property
    def _lying(self) -> Mapping[Path, _Mark]:
        """Beside the tree, and in the other folders also what nobody committed yet."""
        return dict(islice(self._look_round(), _MOST_FILES))

    def _look_round(self) -> Iterator[tuple[Path, _Mark]]:
        own, excludes = self._looked.repository, self._looked.places.home / "exclude"
        yield from self._there(own.root, ignored_files(own, excludes))
        for folder in self._looked.beside:
            try:
                repository = find_repository(Path(folder), self._env)
            except (SetupError, UserError):  # gone, or no repository: nothing of it is known
                continue
            if repository.root != own.root:
                unknown = repository.git().attempt("ls-files", "-o", "-z", "--exclude-standard").out
                yield from self._there(
                    repository.root, (*ignored_files(repository, excludes), *names(unknown))
                )

    def _there(self, root: Path, paths: Iterable[str]) -> Iterator[tuple[Path, _Mark]]:
        for path in paths:
            if is_credential_file(path, self.patterns):
                try:
                    facts = os.lstat(f"{root}/{path}")
                except (OSError, ValueError):
                    continue
                yield root / path, (path, facts.st_size, facts.st_mtime_ns)


def _text(data: bytes | None) -> str | None:
    try:
        return data.decode() if data is not None and b"\0" not in data else None
    except UnicodeDecodeError:
        return None
