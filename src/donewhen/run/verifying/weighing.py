"""Integrity after the exam: what only another sitting tells, put together with what reading told.

The exam is sat again only where that can change anything: with the base's tests where the exam's side of the
tree changed, without leftovers where there are any, once more where luck or state may have helped. Which
sittings are needed is decided here; what they mean is decided purely, in `core.integrity`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.integrity.explaining import is_doubtful
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Rerun
from donewhen.core.integrity.peeking import peeking
from donewhen.core.integrity.permits import permit
from donewhen.core.integrity.roles import exam_side, role_of
from donewhen.core.texts import Phrase
from donewhen.core.view import Change as Kind
from donewhen.run.verifying.base_exam import BaseExam, base_exam_pair
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.composing import Content, PutBack, put_back, with_merged
from donewhen.run.verifying.exam_side import made, placed
from donewhen.run.verifying.inspecting import GitTree, named_files
from donewhen.run.verifying.leftovers import leftovers
from donewhen.run.verifying.natural import MoreTests, asks_for_tests, only_added
from donewhen.run.verifying.ordered import green_on_old_code, ordered_tests
from donewhen.run.verifying.rerunning import Proper
from donewhen.run.verifying.second import second_run
from donewhen.run.verifying.sitting import Told
from donewhen.shell import parse
from donewhen.verify.integrity.exam_parts import only_named_parts
from donewhen.verify.integrity.exam_recipes import is_makefile, only_ordered_targets
from donewhen.verify.integrity.inspecting import Asked, Inspected, settled, with_policy
from donewhen.verify.integrity.reading import LANGUAGES

_REMOVED = frozenset(("shim", "startup-hook", "path-trick"))
_CONFIGURED = frozenset(
    (
        "command-weakened",
        "threshold-lowered",
        "coverage-excluded",
        "not-compared",
        "startup-hook",
        "exam-hook",
    )
)
_DATA = frozenset(("other", "support"))
_MOST_MOVED = 400  # files


class Weighed(NamedTuple):
    findings: tuple[Finding, ...]
    notes: tuple[Phrase, ...] = ()


def firm(findings: Sequence[Finding]) -> bool:
    """Whether something stands against the change that no sitting of the exam could take away."""
    return any(finding.blocks and not is_doubtful(finding) for finding in findings)


def unsat(inspected: Inspected, asked: Asked) -> Weighed:
    """Where the exam did not pass, or was not sat: only what reading told."""
    nothing = Rerun(False)
    return Weighed(_settled(inspected, asked, nothing, None))


async def weigh(proper: Proper, told: Sequence[Told], inspected: Inspected, asked: Asked) -> Weighed:
    """To be asked after an exam that passed."""
    if not proper.looked.change.changed or not proper.looked.change.base.commit:
        return Weighed(inspected.findings)
    now = rerun_of([each.sitting for each in told], parse)
    base = await _with_base_tests(proper, inspected, asked)
    findings = _settled(inspected, asked, now, base)
    notes = (base.again.why,) if base and base.again.why and any(f.blocks for f in findings) else ()
    if not firm(findings):
        more = (*ordered_tests(proper, asked.goal), *_peeking(proper, inspected, asked.goal))
        if not more:
            more = (
                *await green_on_old_code(proper, asked.goal),
                *await leftovers(proper),
                *await second_run(proper, told, _texts(proper)),
            )
        findings = (*findings, *with_policy(permit(more, permits=asked.permits), asked.policy))
    return Weighed(findings, notes)


def _settled(inspected: Inspected, asked: Asked, now: Rerun, base: BaseExam | None) -> tuple[Finding, ...]:
    found_ones = settled(inspected, asked, now, base.again if base else None, base.start if base else None)
    return placed(found_ones)


async def _with_base_tests(proper: Proper, inspected: Inspected, asked: Asked) -> BaseExam | None:
    """The base's tests on the new code, where anything of the exam itself changed."""
    wanted = proper.looked.rules.config.evidence.base_tests
    if wanted == "off":
        return None
    back = _put_back(proper, inspected, asked)
    if not back or (wanted == "auto" and _only_more_tests(proper, back, inspected.findings)):
        return None
    return await base_exam_pair(proper, back, _more_tests(proper, back, inspected, asked))


def _more_tests(proper: Proper, back: PutBack, inspected: Inspected, asked: Asked) -> MoreTests | None:
    looked = proper.looked

    def is_blank(path: str) -> bool:
        return not (looked.fingerprints.content(proper.tree, path) or b"").strip()

    is_moved = _moved_whole(proper, back).__contains__
    added = only_added(back, looked.change.changed, inspected.account, inspected.findings, is_blank, is_moved)
    if not added or not asks_for_tests(asked.goal):
        return None
    return MoreTests(inspected.account.tests, lambda entry: bool(named_files(looked, (entry,))))


def _moved_whole(proper: Proper, back: PutBack) -> set[str]:
    """Files of the exam that are gone and lie elsewhere, as they are, by their own name; or held nothing."""
    changed, (base, now) = proper.looked.change.changed, _trees(proper)
    gone = base.read(path for path in back.paths if changed.get(path) == "deleted")
    fresh = now.read(path for path in back.paths if changed.get(path) == "added")
    held = {(path.rpartition("/")[2], data) for path, data in fresh.items()}
    return {
        path for path, data in gone.items() if not data.strip() or (path.rpartition("/")[2], data) in held
    }


def _put_back(proper: Proper, inspected: Inspected, asked: Asked) -> PutBack:
    change, fingerprints = proper.looked.change, proper.looked.fingerprints
    findings = inspected.findings
    paths = put_back(
        change.changed,
        kept=_kept(change.changed, findings)
        | _asked_for(proper, asked)
        | _product_targets(proper, asked.goal)
        | _product_parts(proper, inspected, asked.goal),
        configs={finding.file for finding in findings if finding.rule in _CONFIGURED},
        removed={f.file for f in findings if f.rule in _REMOVED and f.blocks} | made(findings),
        named=named_files(proper.looked),
        on_exam_side=lambda path: exam_side(path) or path in inspected.exam,
    )
    base = fingerprints.tree(change.base.commit)
    moved = _only_moved(
        change.changed,
        lambda path: fingerprints.content(base, path),
        lambda path: fingerprints.content(proper.tree, path),
    )
    return with_merged(
        sorted({*paths, *moved}) if paths else paths,
        lambda path: fingerprints.content(base, path),
        lambda path: fingerprints.content(proper.tree, path),
    )


def _kept(changed: Mapping[str, Kind], findings: Sequence[Finding]) -> set[str]:
    """What may be as the change has it: files that may go, and settings that may change.

    An edited test file goes back all the same: one edit that is permitted must not cover another.
    """
    allowed = {finding.file for finding in findings if finding.permitted is not None}
    blocked = {finding.file for finding in findings if finding.blocks}
    return {p for p in allowed - blocked if changed.get(p) == "deleted" or role_of(p) == "config"}


def _only_moved(changed: Mapping[str, Kind], base: Content, now: Content) -> set[str]:
    """Data that lies elsewhere now, byte by byte: where the base's exam looks for it, it may lie as well."""
    gone = [path for path, kind in changed.items() if kind == "deleted" and role_of(path) in _DATA]
    fresh = [path for path, kind in changed.items() if kind == "added"]
    if not gone or not fresh or len(gone) + len(fresh) > _MOST_MOVED:
        return set()
    held = {now(path) for path in fresh} - {None, b""}
    return {path for path in gone if base(path) in held}


def _asked_for(proper: Proper, asked: Asked) -> set[str]:
    """Data of tests that the goal itself orders: to be made anew (recorded output), or to be added."""
    changed, promise = proper.looked.change.changed, proper.looked.judged.plan.promise
    data = [path for path in changed if role_of(path) == "support" and not _is_code(path)]
    edits = [found("expected-changed", path, 1, test=path) for path in data]
    allowed = permit(edits, goal=asked.goal, permits=asked.permits)
    named = {check.target for check in promise.checks if check.kind == "file_exists" and check.required}
    ordered = {path for path in data if path in named and changed[path] == "added"}
    return ordered | {edit.file for edit in allowed if edit.permitted is not None}


def _product_targets(proper: Proper, goal: str) -> set[str]:
    """Makefiles in which only what the goal is about changed."""
    changed = [p for p, kind in proper.looked.change.changed.items() if kind == "modified" and is_makefile(p)]
    before, after = (tree.read(changed) for tree in _trees(proper))
    asked = {word for entry in proper.entries for word in entry.argv}
    return {
        path
        for path in before.keys() & after.keys()
        if only_ordered_targets(before[path], after[path], asked, goal)
    }


def _product_parts(proper: Proper, inspected: Inspected, goal: str) -> set[str]:
    """Files that are product and exam at once, of which only the product changed."""
    changed = [path for path in inspected.exam if proper.looked.change.changed.get(path) == "modified"]
    before, after = (tree.read(changed) for tree in _trees(proper))
    return {
        path
        for path in before.keys() & after.keys()
        if only_named_parts(path, before[path], after[path], goal)
    }


def _is_code(path: str) -> bool:
    return path.rpartition(".")[2].lower() in LANGUAGES


def _only_more_tests(proper: Proper, back: PutBack, findings: Sequence[Finding]) -> bool:
    """Tests that the base had not take nothing from its own; whether they are sound was read."""
    changed = proper.looked.change.changed
    added = all(changed.get(path) == "added" and role_of(path) == "test" for path in back.paths)
    return added and not back.written and not findings


def _texts(proper: Proper) -> Iterator[tuple[bytes, bytes]]:
    """Changed files at the base and now."""
    base, now = (tree.read(proper.looked.change.changed) for tree in _trees(proper))
    return ((base.get(path, b""), data) for path, data in now.items())


def _peeking(proper: Proper, inspected: Inspected, goal: str) -> Iterator[Finding]:
    """Product code that newly looks at its exam."""
    base, now = _trees(proper)
    changed = proper.looked.change.changed
    exam = inspected.exam | named_files(proper.looked)
    return peeking(goal, base.read(changed), now.read(changed), now.paths(), exam)


def _trees(proper: Proper) -> tuple[GitTree, GitTree]:
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    return GitTree(fingerprints, base), GitTree(fingerprints, proper.tree)
