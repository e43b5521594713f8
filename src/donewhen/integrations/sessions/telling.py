"""What an agent in a client is told: the promise when it begins, and why a stop is refused. Bounded texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from donewhen.core.shown import LONGEST_LINE, one_name, tail_of
from donewhen.core.texts import LANGUAGES, Language, Phrase, say
from donewhen.integrations.sessions.folder import Folder, digest_of
from donewhen.integrations.sessions.human_line import OWN

if TYPE_CHECKING:
    from donewhen.core.findings import Feedback
    from donewhen.verify.exam_run import CommandResult
    from donewhen.verify.pipeline import Verification

MARK = "[donewhen]"  # how every text of ours begins
_TOLD = "told.json"
_MOST_TOLD = 400
_HEAD = 160  # characters by which a text is known again
_LINES = 40  # of failing output
_BYTES = 4096
_OF_HOOK = ("hooked.failed",)  # with which the hook itself refuses a stop
_GAPS = ("seconds", "event", "why")
_COMMANDS = 2  # whose output is shown
_FOR_USERS = frozenset(  # notes that advise a setting
    (
        "verify.ignored_settings",
        "verify.config_of_base",
        "verify.config_kept",
        "verify.no_answer_here",
        "verify.no_network",
        "verify.time_limit",
        *OWN,
    )
)


def promise_text(promise: Mapping[str, Any], language: Language) -> str:
    """What must be proven before the agent can stop."""
    lines = [f"{MARK} {say('sessions.promise', language)}", *(f"- {each}" for each in owed(promise))]
    return "\n".join((*_cut(lines, language), say("sessions.promise_how", language)))


def added_text(lines: Sequence[str], language: Language) -> str:
    said = [f"{MARK} {say('sessions.added', language)}", *(f"- {each}" for each in lines)]
    return "\n".join((*_cut(said, language), say("sessions.promise_how", language)))


def owed(promise: Mapping[str, Any]) -> tuple[str, ...]:
    """Commands and checks of a promise, a line each."""
    checks = [check for check in promise.get("checks", ()) if check.get("required", True)]
    named = [f"{check.get('kind', '')} {check.get('target', '')}".strip() for check in checks]
    accept = [f"`{one_name(line, LONGEST_LINE)}`" for line in promise.get("accept", ())]
    return tuple(dict.fromkeys([*accept, *(one_name(each, LONGEST_LINE) for each in named)]))


def refusal(details: Sequence[str], language: Language, *, more: Iterable[str] = ()) -> str:
    """Why a stop is refused: what is missing, what is known of it, and how to go on."""
    lines = [f"{MARK} {say('sessions.refused', language)}"]
    lines += [f"- {one_name(text, LONGEST_LINE)}" for text in details]
    return "\n".join((*_cut(lines, language), *more, say("sessions.go_on", language)))


def found(done: "Verification", language: Language) -> list[str]:
    """What the exam showed beside its verdict: places, and the end of what failed."""
    from donewhen.core.feedback import SHOWN
    from donewhen.core.prompts import found_lines

    notes = [note for note in done.notes if isinstance(note, Phrase) and note.key not in _FOR_USERS]
    lines = [f"! {one_name(say(note.key, language, **note.values), LONGEST_LINE)}" for note in notes[:SHOWN]]
    seen = found_lines(_placed(done.feedback), language)
    lines += [say("correction.found", language), *seen[:SHOWN]] if seen else []
    room = _LINES
    for result in _failing(done)[:_COMMANDS]:
        tail = _tail(result, room)
        room -= len(tail)
        if tail:
            command = one_name(result.entry.line, LONGEST_LINE)
            lines += [
                say("sessions.tail", language, command=command),
                *(f"| {line}".rstrip() for line in tail),
            ]
    return lines


def let_go(reason: str, language: Language) -> str:
    return f"{MARK} {say('sessions.let_go', language, reason=reason)}"


def remember(folder: Folder, text: str) -> None:
    """A client may send our reason back as if its user had said it."""
    known = folder.read(_TOLD)
    words = _plain(text)
    listed = known if isinstance(known, list) else []
    folder.write(_TOLD, [*listed, [digest_of(words[:_HEAD]), len(words)]][-_MOST_TOLD:])


def not_ours(folder: Folder, prompt: str) -> str | None:
    """What follows a reason of ours in a prompt, empty for nothing; None where there is no such reason.

    Clients write something before or after it, break its lines otherwise, or cut it short.
    """
    words = _plain(prompt)
    if any(_holds(words, key, language) for key in _OF_HOOK for language in LANGUAGES):
        return ""
    at = words.find(MARK)
    if at < 0:
        return None
    said = words[at:]
    known = folder.read(_TOLD)
    pairs = [each for each in known if _is_pair(each)] if isinstance(known, list) else []
    lengths = [length for digest, length in pairs if digest == digest_of(said[: min(_HEAD, max(1, length))])]
    return said[max(lengths) :].strip() if lengths else None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _is_pair(found: Any) -> bool:
    return isinstance(found, list) and list(map(type, found)) == [str, int]


def _holds(prompt: str, key: str, language: Language) -> bool:
    """Whether a prompt is this text, whatever stands in its gaps."""
    at = 0
    for part in say(key, language, **dict.fromkeys(_GAPS, "\0")).split("\0"):
        at = prompt.find(_plain(part), at)
        if at < 0:
            return False
        at += len(_plain(part))
    return True


def _placed(feedback: "Iterable[Feedback]") -> "list[Feedback]":
    """Findings of integrity are owed one by one, and told there."""
    return [each for each in feedback if each.status == "fail" and each.category != "integrity"]


def _failing(done: "Verification") -> "list[CommandResult]":
    judged = done.judgement
    passed = {entry.entry.identity for entry in judged.findings.commands if entry.standing.passed}
    return [
        each
        for each in judged.commands
        if each.entry.identity not in passed and each.tail.strip() and each.way in ("ran", "could_not_run")
    ]


def _tail(result: "CommandResult", room: int) -> list[str]:
    text = tail_of(result.tail).encode(errors="replace")[-_BYTES:].decode(errors="replace")
    return text.split("\n")[-room:] if text and room > 0 else []


def _cut(lines: list[str], language: Language) -> list[str]:
    from donewhen.core.feedback import SHOWN

    if len(lines) <= SHOWN + 1:
        return lines
    return [*lines[: SHOWN + 1], say("feedback.more", language, count=len(lines) - SHOWN - 1)]
