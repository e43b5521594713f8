"""The static half of integrity: everything that reading base and change tells, before anything is run.

Order: what changed, the sheets of it, the comparisons, then what the goal and the promise permit. Nothing is
run here and nothing is decided about a run; what only a second sitting of the exam can tell stays open.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from donewhen.core.integrity.account import EMPTY, Account
from donewhen.core.integrity.compare import review
from donewhen.core.integrity.explaining import Case
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.leaning import green_before, lean
from donewhen.core.integrity.model import RULES, Branch, Finding, Pair, Policy, Rerun, Sheet
from donewhen.core.integrity.permits import Permit, permit
from donewhen.core.integrity.roles import role_of
from donewhen.core.integrity.settling import settle
from donewhen.core.integrity.surroundings import source_changed
from donewhen.core.paths import Exempt
from donewhen.verify.integrity.reading import LANGUAGES, read_sheet
from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from donewhen.verify.integrity.shims import find_shims

_MOST_TESTS = 400  # files that are read to see which literals only tests have
_MOST_CONFIGS = 200  # unchanged files that say how the exam is run
_MOST_BYTES = 8 * 1024 * 1024


class Tree(Protocol):
    """The files of one tree."""

    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """What these files hold; those that are not there, or no files, are left out."""


class Asked(NamedTuple):
    """What people said about this change."""

    goal: str = ""
    permits: tuple[Permit, ...] = ()
    policy: Mapping[str, Policy] = {}


class Inspected(NamedTuple):
    findings: tuple[Finding, ...]
    account: Account = EMPTY  # what became of the base's tests
    source_changed: bool = False


class Texts:
    """A tree that is given as texts."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def paths(self) -> Collection[str]:
        return self._files.keys()

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        return {path: self._files[path] for path in paths if path in self._files}


def inspect_texts(base: Mapping[str, bytes], now: Mapping[str, bytes], goal: str = "") -> tuple[Finding, ...]:
    """The findings between two sets of files; for whoever has no repository."""
    changed = [path for path in {**base, **now} if base.get(path) != now.get(path)]
    return inspect(Texts(base), Texts(now), changed, Asked(goal)).findings


def inspect(
    base: Tree,
    now: Tree,
    changed: Iterable[str],
    asked: Asked,
    *,
    ignored: Sequence[str] = (),
    exempt: Exempt | None = None,
) -> Inspected:
    """`changed`: paths that differ; `ignored`: files in the folder that no tree holds."""
    paths = sorted(path for path in changed if not (exempt and exempt.match(path)))
    before, after = base.read(paths), now.read(paths)
    pairs = tuple(pairs_of(paths, before, after))
    files = [ChangedFile(path, before.get(path), after.get(path)) for path in paths]
    same = [
        path for path in now.paths() if path not in before and path not in after and role_of(path) == "config"
    ]
    files += [ChangedFile(path, data, data) for path, data in now.read(same[:_MOST_CONFIGS]).items()]
    reviewed = review(pairs)
    found = (
        *reviewed.findings,
        *compare_settings(files),
        *find_shims(
            base.paths(), now.paths(), {path: after[path] for path in paths if path in after}, ignored
        ),
        *keyed(pairs, _tests(pairs, base, now), asked.goal),
    )
    findings = permit(_once(found), goal=asked.goal, permits=asked.permits)
    return Inspected(
        with_policy(findings, asked.policy),
        reviewed.account._replace(config=tuple(path for path in paths if role_of(path) == "config")),
        source_changed(pairs),
    )


def settled(
    inspected: Inspected, asked: Asked, now: Rerun, base: Rerun | None, start: Rerun | None
) -> tuple[Finding, ...]:
    """The findings after the exam was sat again, or could not be: see `core.integrity.settling`."""
    given = bool(asked.goal)
    account, changed = inspected.account, inspected.source_changed
    findings = settle(inspected.findings, now, base, start, account, source_changed=changed, goal_given=given)
    case = Case(findings, now, base, start, account, changed, given) if base else None
    passed = green_before(case) if case else ()
    findings = permit(findings, goal=asked.goal, permits=asked.permits, passed=passed)
    return with_policy(lean(findings, case) if case else findings, asked.policy)


def pairs_of(paths: Iterable[str], before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[Pair]:
    for path in paths:
        role = role_of(path)
        known = path.rpartition(".")[2].lower() in LANGUAGES
        if role in ("test", "support", "source") or (known and role == "config"):
            sheets = [
                read_sheet(path, data[path], role) if path in data else None for data in (before, after)
            ]
            yield Pair(*sheets)


def _tests(pairs: Sequence[Pair], base: Tree, now: Tree) -> tuple[Sheet, ...]:
    """Tests, changed or not, that could speak of what new source answers by literals."""
    fresh = [branch for pair in pairs for branch in _fresh(pair)]
    if not fresh:
        return ()
    changed = [sheet for pair in pairs for sheet in pair if sheet is not None and sheet.tests]
    known = {sheet.path for sheet in changed}
    names = {branch.function.rpartition(".")[2] for branch in fresh}
    mentions = _mentions(names - {""})
    others: list[Sheet] = []
    for tree in (now, base):
        wanted = [path for path in sorted(tree.paths()) if path not in known and _holds_tests(path)]
        data = tree.read(wanted[:_MOST_TESTS])
        known.update(data)
        others += [read_sheet(path, each, role_of(path)) for path, each in _bounded(data) if mentions(each)]
    return (*changed, *others)


def _fresh(pair: Pair) -> Iterator[Branch]:
    """Branches of the change that the base had not."""
    if pair.now is not None:
        had = {branch._replace(line=0) for branch in pair.base.branches} if pair.base else set()
        yield from (branch for branch in pair.now.branches if branch._replace(line=0) not in had)


def _holds_tests(path: str) -> bool:
    return role_of(path) == "test" and path.rpartition(".")[2].lower() in LANGUAGES


def _mentions(names: Collection[str]) -> Callable[[bytes], bool]:
    wanted = [name.encode() for name in names]
    return lambda data: not wanted or any(name in data for name in wanted)


def _bounded(data: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    left = _MOST_BYTES
    for path, each in data.items():
        left -= len(each)
        if left < 0:
            return
        yield path, each


def _once(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, in the order of the files."""
    unlike = {(f.file, f.line, f.rule, f.test, f.before, str(f.message)): f for f in found}
    return tuple(unlike[key] for key in sorted(unlike))


def with_policy(findings: Iterable[Finding], policy: Mapping[str, Policy]) -> tuple[Finding, ...]:
    """The configured policy, except where a finding was softened or is stricter for a reason of its own."""
    return tuple(
        finding._replace(policy=policy[finding.rule])
        if finding.rule in policy and finding.policy == RULES[finding.rule]
        else finding
        for finding in findings
    )
