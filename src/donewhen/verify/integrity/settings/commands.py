"""Commands that the project keeps by name: what they came to at the base, and what they come to now."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from donewhen.core.commands.spoiling import CHANGED
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.settings.acts import Act, Course, alike, course, is_verdict
from donewhen.verify.integrity.settings.exams import Exam, exams, holds_commands, is_ci
from donewhen.verify.integrity.settings.formats import text_of
from donewhen.verify.integrity.settings.ground import Held
from donewhen.verify.integrity.settings.hooks import weighed_hook
from donewhen.verify.integrity.settings.model import ChangedFile, nearby
from donewhen.verify.integrity.settings.moves import Moves
from donewhen.verify.integrity.settings.presteps import Files, harm, spoils
from donewhen.verify.integrity.settings.weighing import Missing, loaded_besides, missing

_MOST = 2000  # commands of a project that are looked at for one that moved
_OUT = re.compile(rb"\.\.|\s-[wT]\b|--root|--workspace-root|rev-parse|\$[({]")  # of its folder
_KEYS = {
    "masked": "weakening.masked",
    "less": "weakening.less",
    "spoiled": "weakening.spoiled",
    "not_run": "weakening.not_run",
    "gone": "weakening.gone",
}


class _Side:
    """The commands of one side; what they come to is found out when it is asked for."""

    def __init__(self, files: Sequence[ChangedFile], base: bool, folders: set[str]) -> None:
        held = {each.path: data for each in files if (data := each.base if base else each.now) is not None}
        self.held = self._all = held
        self.edited: Files = {}
        self._ground = Held(held)
        self._courses: dict[tuple[str, ...], Course] = {}
        self.exams: dict[tuple[str, ...], Exam] = {}
        self._read(path for path in held if _folder(path) in folders)

    def _read(self, paths: Iterable[str]) -> None:
        for path in paths:
            text = text_of(self._all[path])
            for exam in exams(path, text, self._ground) if text is not None else ():
                self.exams.setdefault(exam.key, exam)

    def course(self, key: tuple[str, ...]) -> Course:
        if key not in self.exams:
            return Course()
        if key not in self._courses:
            self._courses[key] = course(self.exams[key].steps, self._ground)
        return self._courses[key]

    def acts(self) -> list[Act]:
        """All that the project runs by any name."""
        self._read(self._all)
        return [act for key in list(self.exams)[:_MOST] for act in self.course(key).acts]


def compare_commands(files: Sequence[ChangedFile], moves: Moves) -> Iterator[Finding]:
    """Findings for every named command that proves less than it did."""
    near = nearby([each for each in files if holds_commands(each.path)])
    moving = {each.path for each in near if each.base != each.now and not _same_scripts(each)}
    if not moving:
        return
    folders = _touched(near, moving)
    base, now = _Side(near, True, folders), _Side(near, False, folders)
    now.held = {each.path: each.now for each in files if each.now is not None}
    now.edited = {each.path: each.now for each in files if each.now is not None and each.now != each.base}
    told: set[tuple[str, ...]] = set()
    for key in dict.fromkeys((*base.exams, *now.exams)):
        if not _may_differ([side.exams[key] for side in (base, now) if key in side.exams], moving):
            continue
        for finding in _compared(key, base, now, moves):
            said = str(finding.message.values.get("now", ""))
            mark = (finding.rule, finding.file, str(finding.line), finding.before or said)
            if mark not in told:
                told.add(mark)
                yield finding


def _touched(near: Sequence[ChangedFile], moving: set[str]) -> set[str]:
    """Folders whose commands may come to something else: a change in or below them, or a way out of them."""
    folders = {""}
    for path in moving:
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[:size]) for size in range(1, len(parts) + 1))
    ways = (each for each in near if any(_OUT.search(data) for data in each[1:] if data is not None))
    return folders | {_folder(each.path) for each in ways}


def _folder(path: str) -> str:
    """Where the commands of a file are run from."""
    return "" if is_ci(path) else path.rpartition("/")[0]


def _may_differ(held: Sequence[Exam], moving: set[str]) -> bool:
    """A test may come to something else by another file; any other command only by its own text."""
    if any(exam.named for exam in held):
        return True
    same = len(held) == 2 and held[0].own and held[0].own == held[1].own
    return not same and any(exam.path in moving for exam in held)


def _same_scripts(file: ChangedFile) -> bool:
    """A manifest in which only other things changed: versions, dependencies, metadata."""
    if file.path.rpartition("/")[2] != "package.json" or file.base is None or file.now is None:
        return False
    try:
        before, now = json.loads(file.base), json.loads(file.now)
    except (ValueError, RecursionError):
        return False
    return isinstance(before, dict) and isinstance(now, dict) and before.get("scripts") == now.get("scripts")


def _compared(key: tuple[str, ...], base: _Side, now: _Side, moves: Moves) -> Iterator[Finding]:
    was, exam = base.exams.get(key), now.exams.get(key)
    before, after = base.course(key), now.course(key)
    if before.texts == after.texts and before.acts == after.acts and was is not None and exam is not None:
        return
    verdicts = [act for act in before.acts if is_verdict(act, was is not None and was.named)]
    if exam is None:
        assert was is not None
        yield from (_finding(each, was, ()) for each in missing(verdicts, now.acts(), moves))
        return
    lacking = list(_weighed(missing(verdicts, after.acts, moves), exam, now.edited))
    yield from (_finding(each, exam, _new(before, after)) for each in lacking)
    yield from _tampering(exam, before, after, now.edited)
    if not lacking and exam.named and not after.can_fail and (before.can_fail or was is None):
        message = _phrase("cannot_fail", exam, " ".join(after.texts))
        before_text = " ".join(before.texts)
        yield found("command-weakened", exam.path, exam.line, before=before_text, message=message)
    known = {hook for act in before.acts for hook in loaded_besides(act.invocation.words)}
    for act in after.acts:
        for hook in dict.fromkeys(loaded_besides(act.invocation.words)):
            if hook not in known:
                yield weighed_hook(
                    found("startup-hook", exam.path, exam.line, now=f"{hook} in {act.text}"),
                    (hook,),
                    act.folder,
                    now.held,
                )


def _weighed(lacking: Sequence[Missing], exam: Exam, edited: Files) -> Iterator[Missing]:
    """Without those that run after something which is known to do no harm."""
    for lack in lacking:
        changed = lack.lack == "spoiled" and lack.now is not None and lack.now.invocation.spoiled == CHANGED
        done = spoils(lack.now.line, exam.folder, edited) if changed and lack.now else "sure"
        if done != "none":
            yield lack._replace(doubtful=lack.doubtful or done == "open")


def _tampering(exam: Exam, before: Course, after: Course, edited: Files) -> Iterator[Finding]:
    """Steps that are new and write or remove what the tests beside them are made of."""
    if not any(is_verdict(act, exam.named) for act in after.acts):
        return
    for text in dict.fromkeys(after.texts):
        done = harm(text, exam.folder, edited) if text not in before.texts else "none"
        if done != "none":
            message = _phrase("tampers", exam, text)
            finding = found("command-weakened", exam.path, exam.line, now=text, message=message)
            yield finding if done == "sure" else finding._replace(policy="ask")


def _phrase(key: str, exam: Exam, now: str) -> Phrase:
    return Phrase(f"weakening.{key}", {"name": exam.name, "file": exam.path, "now": _short(now)})


def _new(before: Course, after: Course) -> tuple[Act, ...]:
    """What is run now and was not, and whose failure would show: it may stand for what is gone."""
    had = {act.text for act in before.acts}
    return tuple(
        act for act in after.acts if act.text not in had and act.shown and is_verdict(act, exam=True)
    )


def _finding(lack: Missing, exam: Exam, new: Sequence[Act]) -> Finding:
    now = lack.now.text if lack.now else "; ".join(act.text for act in new)
    values = {
        "name": exam.name,
        "before": lack.before.text,
        "now": now,
        "detail": lack.detail,
        "file": exam.path,
    }
    message = Phrase(_KEYS[lack.lack], {key: _short(value) for key, value in values.items()})
    trick = lack.lack == "spoiled" and lack.now is not None and "PATH" in lack.now.invocation.env
    rule = "path-trick" if trick else "command-weakened"
    finding = found(rule, exam.path, exam.line, before=lack.before.text, now=now, message=message)
    replaced = lack.lack == "gone" and any(alike(act, lack.before) for act in new)
    return finding._replace(policy="ask") if replaced or lack.doubtful else finding


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else flat[:119] + "…"
