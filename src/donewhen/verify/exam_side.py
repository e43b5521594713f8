"""The exam's side of a change beyond what names show: data, scripts and start-up files of the base's exam.

What stands behind the commands is read as the base has it; where a recipe or script of it changed, from a
copy of the base's that is thrown away. What is found only warns: the sitting of the base's exam decides.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import role_of
from donewhen.core.paths import relative
from donewhen.core.texts import Phrase
from donewhen.verify.behind import Line, behind
from donewhen.verify.integrity.exam_data import ExamData
from donewhen.verify.integrity.exam_reach import Reach, reach
from donewhen.verify.integrity.exam_scripts import is_exam_script
from donewhen.verify.integrity.inspecting import Asked, Inspected, Tree, with_policy
from donewhen.verify.integrity.shims_shell import shell_shims

if TYPE_CHECKING:
    from donewhen.verify.change import Looked

_MOST_COPIED = 400  # files
_LARGEST = 512 * 1024


class Side(NamedTuple):
    """What the base's exam says, and what of it the change touched."""

    data: ExamData
    reach: Reach
    ran: frozenset[str]  # changed code that the exam runs by a glob


def side_of(looked: "Looked", base: Tree, goal: str) -> Side:
    entries = looked.judged.entries
    said = reach(entries, _lines(looked, entries, base), base, goal)
    data = ExamData(said, base, goal)
    return Side(data, said, data.ran(looked.change.changed))


def _lines(looked: "Looked", entries: Sequence[Accept], base: Tree) -> tuple[Line, ...]:
    changed = looked.change.changed
    if not any(_is_recipe(path) for path in changed):
        return _behind(entries, looked.repository.root)
    with tempfile.TemporaryDirectory(prefix="donewhen-base-") as folder:
        wanted = [path for path in base.paths() if _is_recipe(path)][:_MOST_COPIED]
        for path, data in base.read(wanted).items():
            _copy(Path(folder), path, data)
        return _behind(entries, Path(folder))


def _behind(entries: Iterable[Accept], root: Path) -> tuple[Line, ...]:
    return tuple(line for entry in entries for line in behind(entry, root).lines)


def _is_recipe(path: str) -> bool:
    return role_of(path) == "config" or path.endswith((".sh", ".bash")) or "." not in path.rpartition("/")[2]


def _copy(folder: Path, path: str, data: bytes) -> None:
    if relative(path) != path or len(data) > _LARGEST:
        return
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def with_side(
    inspected: Inspected, side: Side, looked: "Looked", trees: tuple[Tree, Tree], asked: Asked
) -> Inspected:
    """What was read, and what the base's exam uses beside its tests."""
    changed, (base, now) = looked.change.changed, trees
    fresh = (*side.data.findings(changed, now), *_scripts(inspected, side, looked, trees, asked.goal))
    shims = with_policy(tuple(_shims(side, looked, base, now)), asked.policy)
    paths = tuple(dict.fromkeys(each.file for each in fresh))
    account = inspected.account._replace(data=(*inspected.account.data, *paths))
    return inspected._replace(
        findings=(*inspected.findings, *fresh, *shims),
        account=account,
        exam=inspected.exam | frozenset(paths),
    )


def _scripts(
    inspected: Inspected, side: Side, looked: "Looked", trees: tuple[Tree, Tree], goal: str
) -> Iterator[Finding]:
    """Scripts that a command runs and that judge, and judge otherwise now."""
    base, now = trees
    changed = looked.change.changed
    runs = {run.path: run for run in side.reach.runs if changed.get(run.path) == "modified"}
    paths = [path for path in runs if path not in inspected.exam and role_of(path) in ("source", "other")]
    before, after = base.read(paths), now.read(paths)
    others = [path for path in base.paths() if role_of(path) == "source"]
    for path in sorted(before.keys() & after.keys()):
        was, text = (data[path].decode(errors="replace") for data in (before, after))
        if is_exam_script(runs[path], was, text, goal, others):
            place = next((each.line for each in looked.judged.entries if path in each.line), "the exam")
            values = {"file": path, "place": place}
            message, wanted = Phrase("examdata.script", values), Phrase("examdata.edited_wanted", values)
            yield found("expected-changed", path, 1, before=path, message=message, wanted=wanted)._replace(
                policy="warn"
            )


def _shims(side: Side, looked: "Looked", base: Tree, now: Tree) -> Iterator[Finding]:
    changed = looked.change.changed
    before, after = base.read(changed), now.read(changed)
    for path, data in after.items():
        yield from shell_shims(path, before.get(path, b""), data, side.reach.programs)
