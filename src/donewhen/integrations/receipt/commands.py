"""What holds of a claim that tests, lint or a build pass: the project's commands are run, as by `verify`.

No command is taken from a message: what it names only chooses among those that the project's files declare.
"""

import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.commands import parse
from donewhen.config.paths import state_folder
from donewhen.core.accept import Accept, read_accept
from donewhen.core.errors import DonewhenError
from donewhen.core.events import facts
from donewhen.core.ids import run_id
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.integrations.receipt.checks import Finding
from donewhen.integrations.receipt.claims import Claim, lacks_surroundings
from donewhen.project.behind import behind, doubt_about
from donewhen.verify.change import Looked, Means, Wanted, look_round, project_at
from donewhen.verify.exam.command import missing_package
from donewhen.verify.exam_run import CommandResult, ExamCommand, is_green, is_tried, run_command
from donewhen.verify.pipeline import ExamSession
from donewhen.verify.place import open_exam_place
from donewhen.verify.record import discard
from donewhen.workspace.processes.command import Output
from donewhen.workspace.rooms.caching import using

_TYPES = re.compile(r"mypy|pyright|tsc|type|类型")
_WORD = re.compile(r"[\w-]+")
_COMMON = frozenset("run python python3 m test tests check lint linter linting build npx uv q v x".split())
_AGAIN = 30.0  # seconds of a failure that is looked at a second time
_LONGEST = 160
_SHOWN = 3


class _Unrecorded:
    """A receipt has no ledger."""

    def __init__(self) -> None:
        self.run_id = run_id(time.time(), os.urandom(3))

    def started(self, command: facts.CommandStarted) -> None:
        pass

    def output(self, output: Output) -> str:
        discard(output)
        return ""

    def command_ended(self, command: ExamCommand) -> None:
        pass


class _Ran(NamedTuple):
    result: CommandResult
    flaky: bool = False


async def check_commands(claims: Sequence[Claim], means: Means, edited: Sequence[str] = ()) -> list[Finding]:
    """One run of each command, however many claims it answers. `edited`: files younger than the message."""
    try:
        looked = look_round(Wanted(hollow=True), means)
        root, exam = looked.repository.root, (*looked.judged.entries, *looked.known)
        declared = _declared(root, exam, means.env)
        chosen = {claim: _chosen(claim, declared[claim.kind], root) for claim in claims}
        order = [entry for kind in ("build", "lint", "tests") for entry in declared[kind]]
        needed = [entry for entry in order if any(entry in each for each in chosen.values())]
        ran = await _run(needed, looked, means) if needed else {}
    except DonewhenError as error:
        why = Phrase(error.key, error.values)
        return [Finding(claim, "unknown", why) for claim in claims]
    return [_judged(claim, [ran[e.identity] for e in chosen[claim]], root, edited) for claim in claims]


def check_results(
    claims: Sequence[Claim], results: Sequence[CommandResult], root: Path, env: Mapping[str, str]
) -> list[Finding]:
    """By an exam that ran already; what it did not run is left out."""
    declared = _declared(root, [result.entry for result in results], env)
    by_entry = {result.entry.identity: _Ran(result) for result in results}
    found: list[Finding] = []
    for claim in claims:
        entries = _chosen(claim, declared[claim.kind], root)
        if entries and all(entry.identity in by_entry for entry in entries):
            found.append(_judged(claim, [by_entry[entry.identity] for entry in entries], root))
    return found


def _declared(root: Path, exam: Sequence[Accept], env: Mapping[str, str]) -> dict[str, tuple[Accept, ...]]:
    """What the project's files declare, by kind of claim; what the exam has beside counts as its tests."""
    commands = project_at(root, env).commands

    def of(*roles: str) -> tuple[Accept, ...]:
        listed = [each for each in commands if each.role in roles]
        return tuple(entry for each in listed for entry in read_accept(each.command, parse, each.source))

    others = {entry.identity for entry in of("lint", "types", "build", "format")}
    rest = [entry for entry in exam if entry.identity not in others]
    tests = [entry for entry in rest if accept_target(entry, parse).is_test]
    return {"lint": of("lint", "types"), "build": of("build"), "tests": tuple(tests or rest)}


def _chosen(claim: Claim, entries: tuple[Accept, ...], root: Path) -> tuple[Accept, ...]:
    """Those that a claim can mean: the command it names, or what runs the tool it names."""
    exact = tuple(entry for entry in entries if claim.command in (entry.line, entry.text, entry.label))
    wanted = set(_WORD.findall(claim.command.lower())) - _COMMON
    if exact or not wanted:
        return exact or entries
    if claim.kind == "lint" and _TYPES.search(claim.command):
        wanted |= {"mypy", "pyright", "tsc"}
    return tuple(entry for entry in entries if wanted & _words(entry, root))


def _words(entry: Accept, root: Path) -> set[str]:
    texts = [entry.text, *(line.text for line in behind(entry, root).lines)]
    return {word for text in texts for word in _WORD.findall(text.lower())}


async def _run(entries: Sequence[Accept], looked: Looked, means: Means) -> dict[tuple[object, ...], _Ran]:
    wanted, record = Wanted(hollow=True), _Unrecorded()
    session = ExamSession(wanted, means, state_folder(means.env) / "receipt", record)
    found: dict[tuple[object, ...], _Ran] = {}
    with using(looked.places):
        async with open_exam_place(looked, wanted, means, session.store, record, entries) as place:
            for entry in entries:
                doubt = doubt_about(entry, looked.repository.root)
                if doubt is not None:
                    found[entry.identity] = _Ran(CommandResult(entry, "masked", why=doubt))
                    continue
                result = (await run_command(entry, place, session.memory(looked))).result
                found[entry.identity] = _Ran(result)
                ended = result.ended
                if is_tried(result) and not is_green(result) and ended and ended.duration_ms < _AGAIN * 1000:
                    again = (await run_command(entry, place, session.memory(looked))).result
                    found[entry.identity] = _Ran(result, flaky=is_green(again))
    return found


def _judged(claim: Claim, ran: Sequence[_Ran], root: Path, edited: Sequence[str] = ()) -> Finding:
    if not ran:
        return Finding(claim, "unknown", Phrase("receipt.not_declared"))
    red = next((each for each in ran if not (is_tried(each.result) and is_green(each.result))), None)
    if red is None:
        return Finding(claim, "holds", _passed(ran[-1].result))
    command, result = red.result.entry.line[:_LONGEST], red.result
    if not is_tried(result):
        why = result.why or Phrase("receipt.exit", {"exit": result.ended.exit if result.ended else "?"})
        return Finding(claim, "unknown", Phrase("receipt.could_not_run", {"command": command, "why": why}))
    if red.flaky:
        return Finding(claim, "unknown", Phrase("receipt.flaky", {"command": command}))
    want = lacks_surroundings(result.tail) or missing_package(result.tail, root)
    if want:
        return Finding(
            claim, "unknown", Phrase("receipt.environment", {"command": command, "line": want[:_LONGEST]})
        )
    if edited:
        values = {"command": command, "paths": ", ".join(edited[:_SHOWN])}
        return Finding(claim, "unknown", Phrase("receipt.edited", values))
    passed = result.counts.passed if result.counts else None
    fewer = claim.tests is None or passed is None or passed < claim.tests
    if claim.partial or not fewer:
        return Finding(claim, "unknown", Phrase("receipt.part", {"command": command}))
    return Finding(claim, "fails", _failed(result, command))


def _passed(result: CommandResult) -> Phrase:
    from donewhen.core.counts import summary

    said = summary(result.counts, "en") if result.counts else ""
    return Phrase(
        "receipt.ran",
        {"command": result.entry.line[:_LONGEST], "result": said or Phrase("receipt.exit", {"exit": 0})},
    )


def _failed(result: CommandResult, command: str) -> Phrase:
    counts, names = result.counts, [failure.name for failure in result.failures if failure.name]
    count = (counts.failed + counts.errors if counts else 0) or len(names)
    if names and count:
        return Phrase("receipt.failing", {"command": command, "count": count, "test": names[0][:_LONGEST]})
    exit = Phrase("receipt.exit", {"exit": result.ended.exit if result.ended else "?"})
    return Phrase("receipt.ran", {"command": command, "result": exit})
