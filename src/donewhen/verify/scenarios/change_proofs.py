"""Scenarios of the promise: which tests name them, what became of those in the exam, and at the base.

A linked test that the change brought must fail on the base's source, so the exam is sat once more with the
source as it was; only where there is such a test.
"""

import re
from collections import Counter
from collections.abc import Sequence

from donewhen.core.integrity.roles import role_of
from donewhen.core.scenarios import Case, Link, Proof
from donewhen.core.texts import Phrase
from donewhen.verify.change import Looked
from donewhen.verify.inspecting import GitTree
from donewhen.verify.new_tests import on_base_code
from donewhen.verify.rerun import Proper
from donewhen.verify.scenarios.linking import gather
from donewhen.verify.scenarios.proving import AtBase, ChangedTests, needs_base, prove_scenarios, wanted
from donewhen.verify.scenarios.unlinked import unlinked
from donewhen.verify.test_functions import TestFunction, read_test_functions

_PYTEST = re.compile(rb"^(?:[ \t]*(?:import|from)[ \t]+_?pytest\b|(?:async )?def test)", re.MULTILINE)
_UNITTEST = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(?:unittest|django\.test)\b", re.MULTILINE)
_LANGUAGES = {"py": "python", "js": "javascript", "mjs": "javascript", "ts": "typescript", "go": "go"}
_LANGUAGES |= {"rs": "rust", "java": "java", "cjs": "javascript", "tsx": "typescript", "jsx": "javascript"}


async def prove_change(proper: Proper | None, looked: Looked, cases: Sequence[Case]) -> tuple[Proof, ...]:
    ids = wanted(looked.judged.plan.promise.checks)
    links, files = _links(looked, ids), _changed_tests(looked)
    at_base = await _at_base(proper) if proper and needs_base(ids, links, files) else None
    return prove_scenarios(ids, links, cases, files, at_base)


def still_unlinked(proofs: Sequence[Proof], looked: Looked) -> tuple[Phrase, ...]:
    """For each scenario that no test names, the line to write."""
    if not any(not proof.linked for proof in proofs):
        return ()
    tree = GitTree(looked.fingerprints, looked.change.fingerprint.tree)
    suffixes = Counter(path.rpartition(".")[2] for path in tree.paths() if role_of(path) == "test")
    known = [_LANGUAGES[suffix] for suffix, _ in suffixes.most_common() if suffix in _LANGUAGES]
    language = known[0] if known else ""
    return unlinked(proofs, "unittest" if language == "python" and _without_pytest(tree) else language)


def _without_pytest(tree: GitTree) -> bool:
    """Whether its tests are written for unittest alone: there may be no pytest whose mark could be used."""
    paths = [path for path in tree.paths() if path.endswith(".py") and role_of(path) == "test"]
    texts = tree.read(paths).values()
    return not any(_PYTEST.search(text) for text in texts) and any(_UNITTEST.search(text) for text in texts)


def _links(looked: Looked, ids: Sequence[str]) -> tuple[Link, ...]:
    """Every link of the tree; files without any of the ids are not even parsed."""
    tree = GitTree(looked.fingerprints, looked.change.fingerprint.tree)
    words = [name.encode() for name in ids]
    read = {p: data for p, data in tree.read(tree.paths()).items() if any(word in data for word in words)}
    return gather(sorted(read), lambda path: read[path])


def _changed_tests(looked: Looked) -> tuple[ChangedTests, ...]:
    change, fingerprints = looked.change, looked.fingerprints
    paths = sorted(change.changed)
    base = GitTree(fingerprints, fingerprints.tree(change.base.commit)).read(paths)
    now = GitTree(fingerprints, change.fingerprint.tree).read(paths)
    return tuple(
        ChangedTests(path, _tests(path, base.get(path)), _tests(path, now.get(path))) for path in paths
    )


def _tests(path: str, data: bytes | None) -> tuple[TestFunction, ...] | None:
    return None if data is None else read_test_functions(path, data)


async def _at_base(proper: Proper) -> AtBase | None:
    """The change's tests on the base's source; None where that can't be tried."""
    sat = await on_base_code(proper)
    if sat.rerun.why is not None and not sat.told:
        return None
    return AtBase(sat.rerun.green, tuple(case for each in sat.told for case in each.sitting.cases))
