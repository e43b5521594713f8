"""The static half of integrity: everything that reading base and change tells, before anything is run.

Order: what changed, the sheets of it, the comparisons, then what the goal and the promise permit. Nothing is
run here and nothing is decided about a run; what only a second sitting of the exam can tell stays open.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from donewhen.core.integrity.account import EMPTY, Account
from donewhen.core.integrity.compare import review
from donewhen.core.integrity.keyed import keyed
from donewhen.core.integrity.model import RULES, Finding, Pair, Policy, Role
from donewhen.core.integrity.roles import role_of
from donewhen.core.integrity.surroundings import source_changed
from donewhen.core.paths import Exempt
from donewhen.verify.integrity.keyed_feed import data_pairs, exam_sheets
from donewhen.verify.integrity.mended import grounded, mended
from donewhen.verify.integrity.reading import LANGUAGES
from donewhen.verify.integrity.reading_many import Job, read_sheets
from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from donewhen.verify.integrity.settings.apart import set_apart
from donewhen.verify.integrity.shims import find_shims
from donewhen.verify.permits import Permit

_MOST_CONFIGS = 200  # unchanged files that say how the exam is run


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
    exam: frozenset[str] = frozenset()  # changed files of the exam whose names don't say so


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
    named: Collection[str] = (),
    exempt: Exempt | None = None,
    commands: Sequence[str] = (),
) -> Inspected:
    """`changed`: paths that differ; `ignored`: files in the folder that no tree holds; `named`: paths that
    the acceptance commands run; `commands`: their lines."""
    paths = sorted(path for path in changed if not (exempt and exempt.match(path)))
    before, after = base.read(paths), now.read(paths)
    roles = {path: role_of(path) for path in paths}
    pairs = tuple(pairs_of(paths, before, after, roles))
    files = [ChangedFile(path, before.get(path), after.get(path)) for path in paths]
    same = [
        path for path in now.paths() if path not in before and path not in after and role_of(path) == "config"
    ]
    files += [ChangedFile(path, data, data) for path, data in now.read(same[:_MOST_CONFIGS]).items()]
    reviewed, whole = review(pairs), mended(pairs, base, now, asked.goal)
    asking = (*pairs, *data_pairs(paths, before, after, asked.goal))
    found = (
        *grounded(reviewed.findings, whole),
        *compare_settings(files),
        *find_shims(
            base.paths(), now.paths(), {path: after[path] for path in paths if path in after}, ignored
        ),
        *keyed(asking, exam_sheets(asking, base, now), asked.goal),
    )
    return Inspected(
        with_policy(_once(found), asked.policy),
        reviewed.account._replace(
            config=tuple(path for path in paths if roles[path] == "config"),
            mended=whole.files,
            apart=set_apart(files, commands, asked.goal),
        ),
        source_changed(pairs),
        frozenset(path for path in paths if roles[path] != role_of(path)),
    )


def pairs_of(
    paths: Iterable[str],
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    roles: Mapping[str, Role] = MappingProxyType({}),
) -> Iterator[Pair]:
    jobs: list[Job] = []
    for path in paths:
        role = roles.get(path) or role_of(path)
        known = path.rpartition(".")[2].lower() in LANGUAGES
        if role in ("test", "support", "source") or (known and role == "config"):
            jobs += [Job(path, data.get(path), role) for data in (before, after)]
    sheets = read_sheets(jobs)
    return map(Pair, sheets[::2], sheets[1::2])


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
