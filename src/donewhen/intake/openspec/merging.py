"""What a main spec becomes when a delta is applied: RENAMED, REMOVED, MODIFIED, ADDED, in this order.

Operations that are already there are no-ops, so merging twice changes nothing. Everything that would lose
or double a requirement is refused, all reasons at once; a merge writes no file.
"""

from collections import Counter
from typing import NamedTuple

from donewhen.intake.openspec.mainspec import read_spec
from donewhen.intake.openspec.model import Delta, Issue, Requirement, Spec
from donewhen.intake.openspec.page import read_page
from donewhen.intake.openspec.remarks import error, has_errors, info
from donewhen.intake.openspec.retiring import unaccounted
from donewhen.intake.openspec.rules_spec import TBD, spaced, structure_issues, validate_spec
from donewhen.intake.openspec.shelf import Shelf


class Counts(NamedTuple):
    added: int = 0
    modified: int = 0
    removed: int = 0
    renamed: int = 0


class Merged(NamedTuple):
    """`text` is None when the capability is retired: its spec goes away."""

    text: str | None
    counts: Counts = Counts()
    notes: tuple[Issue, ...] = ()

    @property
    def changed(self) -> bool:
        return self.text is None or any(self.counts)


class Refused(NamedTuple):
    issues: tuple[Issue, ...]


class Target(NamedTuple):
    """What is merged into what, as people name it."""

    capability: str
    file: str  # of the delta
    main_file: str
    change: str = ""
    retire: bool = False  # the change may take a capability's last requirement


def merge(main: str | None, delta: Delta, target: Target) -> Merged | Refused:
    """The main spec with the delta applied; None as `main`: the capability is new."""
    if main is not None:
        broken = structure_issues(main, target.main_file)
        if broken:
            return Refused(tuple(broken))
    base, notes = (main, []) if main is not None else _skeleton(delta, target)
    spec = read_spec(base)
    shelf = Shelf(spec.requirements)
    work = _Work(shelf, delta, target, is_new=main is None)
    work.notes.extend(notes)
    work.apply()
    if work.refusals:
        return Refused(tuple(work.refusals))
    counts = Counts(**work.counts)
    if not any(counts) and main is not None:
        return Merged(main, counts, tuple(work.notes))
    if not shelf.all():
        return _emptied(spec, counts, work, target)
    text = _rebuilt(spec, shelf)
    names = [each.name for each in shelf.all()]
    if [each.name for each in read_spec(text).requirements] != names:
        return Refused((error("openspec.merge_lost", target.file, 1, capability=target.capability),))
    return Merged(_with_ends_of(text, main), counts, tuple(work.notes))


def dropped_scenarios(main: str, delta: Delta, target: Target) -> list[Issue]:
    """The scenarios that MODIFIED blocks would lose, whatever else is wrong with the delta."""
    shelf = Shelf(read_spec(main).requirements)
    work = _Work(shelf, delta._replace(removed=(), added=()), target, is_new=False)
    work.apply()
    return [issue for issue in work.refusals if issue.key == "openspec.drops_scenario"]


class _Work:
    """One delta being applied; what it may not do is collected."""

    def __init__(self, shelf: Shelf, delta: Delta, target: Target, *, is_new: bool) -> None:
        self._shelf = shelf
        self._delta = delta
        self._target = target
        self._is_new = is_new
        self.refusals: list[Issue] = []
        self.notes: list[Issue] = []
        self.counts = dict.fromkeys(Counts._fields, 0)

    def apply(self) -> None:
        if self._is_new:
            self._only_added()
        else:
            self._rename()
            self._remove()
            self._modify()
        self._add()

    def _refuse(self, key: str, line: int, **values: object) -> None:
        target = self._target
        self.refusals.append(error(key, target.file, line, main=target.main_file, **values))

    def _only_added(self) -> None:
        for each in self._delta.modified:
            self._refuse("openspec.modified_new", each.line, name=each.name)
        for rename in self._delta.renamed:
            self._refuse("openspec.renamed_new", rename.line, name=rename.old)
        for removal in self._delta.removed:
            self._note_absent(removal.name, removal.line)

    def _note_absent(self, name: str, line: int) -> None:
        target = self._target
        self.notes.append(
            info("openspec.removed_absent", target.file, line, name=name, main=target.main_file)
        )

    def _rename(self) -> None:
        shelf = self._shelf
        for old, new, line, new_line in self._delta.renamed:
            known = shelf.get(old)
            if known is None:
                near = shelf.near(old, besides=new)
                if near:
                    self._refuse("openspec.renamed_near", line, name=old, near=near)
                elif new not in shelf:
                    self._refuse("openspec.renamed_missing", line, name=old)
                continue
            twin = new if new in shelf else shelf.near(new, besides=old)
            if twin:
                self._refuse("openspec.rename_taken", new_line, name=new, near=twin)
                continue
            heading = f"### Requirement: {new}"
            block = "\n".join([heading, *known.block.split("\n")[1:]])
            shelf.replace(old, known._replace(name=new, block=block))
            self.counts["renamed"] += 1

    def _remove(self) -> None:
        for name, line in self._delta.removed:
            near = self._shelf.near(name)
            if name in self._shelf:
                self._shelf.remove(name)
                self.counts["removed"] += 1
            elif near:
                self._refuse("openspec.removed_near", line, name=name, near=near)
            else:
                self._note_absent(name, line)

    def _modify(self) -> None:
        for each in self._delta.modified:
            known = self._shelf.get(each.name)
            if known is None:
                self._modified_missing(each)
                continue
            lost = Counter(s.name for s in known.scenarios) - Counter(s.name for s in each.scenarios)
            if lost:
                names = ", ".join(f"“{name}”" for name in lost.elements())
                self._refuse("openspec.drops_scenario", each.line, name=each.name, scenarios=names)
                continue
            self.counts["modified"] += _tidy(known) != _tidy(each)
            self._shelf.replace(each.name, each._replace(block=spaced(each.block)))

    def _modified_missing(self, each: Requirement) -> None:
        near = self._shelf.near(each.name)
        if near:
            self._refuse("openspec.modified_near", each.line, name=each.name, near=near)
        else:
            self._refuse("openspec.modified_missing", each.line, name=each.name)

    def _add(self) -> None:
        for each in self._delta.added:
            known = self._shelf.get(each.name)
            near = self._shelf.near(each.name)
            if known is not None and _tidy(known) == _tidy(each):
                continue
            if known is not None:
                self._refuse("openspec.added_exists", each.line, name=each.name)
            elif near:
                self._refuse("openspec.added_near", each.line, name=each.name, near=near)
            else:
                self._shelf.add(each._replace(block=spaced(each.block)))
                self.counts["added"] += 1


def _tidy(requirement: Requirement) -> str:
    """A block as it would stand in a merged spec, so that only real differences count."""
    return _single_blanks(spaced(requirement.block)).strip()


def _skeleton(delta: Delta, target: Target) -> tuple[str, list[Issue]]:
    """The spec of a new capability, with the delta's Purpose when that leaves a sound spec."""
    if delta.purpose:
        text = _page_of(target.capability, delta.purpose)
        spec = read_spec(text)
        sound = "<!--" not in text and spec.purpose == delta.purpose and spec.requirements_line
        if sound and not structure_issues(text, target.main_file):
            return text, []
    placeholder = target.change.join(TBD)
    notes = [info("openspec.purpose_unused", target.file, 1)] if delta.purpose else []
    return _page_of(target.capability, placeholder), notes


def _page_of(capability: str, purpose: str) -> str:
    return f"# {capability} Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n"


def _emptied(spec: Spec, counts: Counts, work: _Work, target: Target) -> Merged | Refused:
    left = unaccounted(spec)
    if not work.counts["removed"] or not target.retire:
        return Refused((error("openspec.empties", target.file, 1, main=target.main_file),))
    if left:
        line, text = left
        return Refused((error("openspec.retire_leftover", target.main_file, line, text=text),))
    return Merged(None, counts, tuple(work.notes))


def _rebuilt(spec: Spec, shelf: Shelf) -> str:
    parts = [spec.before, spec.heading, spec.preamble, *(each.block for each in shelf.all()), spec.after]
    text = "\n\n".join(part for part in parts if part.strip())
    return _single_blanks(text).strip("\n").rstrip() + "\n"


def _single_blanks(text: str) -> str:
    """The text with runs of empty lines outside fences made one."""
    page = read_page(text)
    kept = [
        line
        for at, line in enumerate(page.lines)
        if line or page.code[at] or at == 0 or page.lines[at - 1] or page.code[at - 1]
    ]
    return "\n".join(kept)


def _with_ends_of(text: str, main: str | None) -> str:
    """The text with the line ends that most lines of the main spec have."""
    if main is None or main.count("\r\n") * 2 < main.count("\n") or "\r\n" not in main:
        return text
    return text.replace("\n", "\r\n")


def merged_errors(merged: Merged, target: Target) -> list[Issue]:
    """What would be wrong with the merged spec."""
    found = validate_spec(merged.text, target.main_file) if merged.text is not None else []
    return [issue for issue in found if has_errors([issue])]
