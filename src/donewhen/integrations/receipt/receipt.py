"""A receipt: the claims of a message, each with what holds of it now."""

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from donewhen.config import ConfigError, load_config
from donewhen.config.secret_names import secret_names
from donewhen.core.texts import Language, Phrase, say
from donewhen.integrations.receipt.checks import Finding, Ground
from donewhen.integrations.receipt.claims import Claim, read_claims
from donewhen.integrations.receipt.logs import NAMES, Message
from donewhen.secrets.redact import Redactor
from donewhen.verify.change import Means

if TYPE_CHECKING:
    from donewhen.verify.exam_run import CommandResult

MARKS = {"holds": "✓", "fails": "✗", "unknown": "⚠"}
_BY_COMMANDS = ("tests", "lint", "build")
_LONGEST = 300
Run = Callable[[Coroutine[Any, Any, list[Finding]]], list[Finding]]


class Line(NamedTuple):
    """One claim as people read it; nothing in it is a secret."""

    mark: str
    state: str
    kind: str
    claim: str
    evidence: str
    said: str


class Receipt(NamedTuple):
    message: Message
    lines: tuple[Line, ...]

    @property
    def failing(self) -> int:
        return sum(line.state == "fails" for line in self.lines)

    @property
    def holding(self) -> int:
        return sum(line.state == "holds" for line in self.lines)

    @property
    def exit_code(self) -> int:
        return 1 if self.failing else 0


def make_receipt(message: Message, means: Means, run: Run) -> Receipt:
    """Look at files, git and addresses first, then run what has to be run."""
    claims = read_claims(message.text)
    if not claims:
        return Receipt(message, ())
    ground = Ground(means.folder, means.env, message)
    edited = ground.changed_since()
    found = {claim: ground.check(claim) for claim in claims if claim.kind not in _BY_COMMANDS}
    by_commands = [claim for claim in claims if claim.kind in _BY_COMMANDS]
    if by_commands:
        from donewhen.integrations.receipt.commands import check_commands

        found |= {finding.claim: finding for finding in run(check_commands(by_commands, means, edited))}
    redactor = _redactor(means)
    return Receipt(message, tuple(_line(found[claim], redactor, means.language) for claim in claims))


def stop_receipt(message: Message, results: Sequence["CommandResult"], means: Means) -> Receipt:
    """The same at a stop whose exam ran already: nothing is run for it."""
    from donewhen.integrations.receipt.commands import check_results

    claims = read_claims(message.text)
    ground = Ground(means.folder, means.env, message)
    found = {claim: ground.check(claim) for claim in claims if claim.kind not in _BY_COMMANDS}
    by_commands = [claim for claim in claims if claim.kind in _BY_COMMANDS]
    found |= {each.claim: each for each in check_results(by_commands, results, ground.root, means.env)}
    redactor = _redactor(means)
    return Receipt(
        message, tuple(_line(found[claim], redactor, means.language) for claim in claims if claim in found)
    )


def receipt_data(receipt: Receipt) -> dict[str, Any]:
    message = receipt.message
    return {
        "client": message.client,
        "log": message.log,
        "folder": message.folder,
        "at": message.at or None,
        "claims": [line._asdict() for line in receipt.lines],
        "holds": receipt.holding,
        "fails": receipt.failing,
        "unknown": len(receipt.lines) - receipt.holding - receipt.failing,
        "exit_code": receipt.exit_code,
    }


def source_name(message: Message) -> str:
    return NAMES.get(message.client, "")


def _redactor(means: Means) -> Redactor:
    try:
        config = load_config(means.folder, env=means.env, flags=means.settings).config
    except ConfigError:
        return Redactor.from_environment(means.env)
    return Redactor.from_environment(means.env, secret_names(config))


def _line(finding: Finding, redactor: Redactor, language: Language) -> Line:
    claim = finding.claim

    def plain(text: str) -> str:
        return " ".join(redactor.text(text).split())[:_LONGEST]

    return Line(
        MARKS[finding.state],
        finding.state,
        claim.kind,
        plain(_claimed(claim, language)),
        plain(_said(finding.evidence, language)),
        plain(claim.said),
    )


def _claimed(claim: Claim, language: Language) -> str:
    name = "some_tests" if claim.kind == "tests" and claim.partial else claim.kind
    return say(f"receipt.{name}", language, subject=claim.subject)


def _said(phrase: Phrase, language: Language) -> str:
    return say(phrase.key, language, **phrase.values)
