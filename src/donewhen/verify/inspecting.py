"""What reading needs of a change: its trees, what people asked, and the files that commands run by name."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from donewhen.config.sections_verify import Policy
from donewhen.core.accept import Accept
from donewhen.core.texts import LANGUAGES, say
from donewhen.project.behind import behind
from donewhen.verify.permits import Permit, read_permit
from donewhen.workspace.fingerprint.fingerprints import Fingerprints

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Wanted

_LARGEST_FILE = 2 * 1024 * 1024  # larger ones are cut: enough to see that they are too large to read
_MOST_WORDS = 2000
_LONGEST = 1000  # characters of a word
_TRIM = "\"'`()[]{}<>;,"
_STRICT = ("warn", "ask", "deny")


class Asked(NamedTuple):
    """What people said about this change."""

    goal: str = ""
    permits: tuple[Permit, ...] = ()
    policy: Mapping[str, Policy] = {}


class GitTree:
    """One tree of the repository, listed once."""

    def __init__(self, fingerprints: Fingerprints, tree: str) -> None:
        self._fingerprints = fingerprints
        self._tree = tree

    @cached_property
    def _entries(self) -> Mapping[str, Any]:
        return self._fingerprints.entries(self._tree)

    def paths(self) -> Collection[str]:
        return self._entries.keys()

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        ids = {path: self._entries[path].id for path in paths if path in self._entries}
        found = self._fingerprints.contents(ids.values(), _LARGEST_FILE)
        # a link has no text of its own and a huge file none that we read: both are seen as what they are
        return {path: _bytes(found[id]) for path, id in ids.items() if id in found}


def _bytes(content: bytes | int) -> bytes:
    return content if isinstance(content, bytes) else b"\0" * (_LARGEST_FILE + 1)


def asked_of(looked: "Looked", wanted: "Wanted") -> Asked:
    """What people said about this change, in their own words and by path."""
    promise = looked.judged.plan.promise
    given = wanted.request.goal or (promise.objective if looked.judged.plan.objective_source else "")
    made_up = {say("intake.made_up", language) for language in LANGUAGES}  # names commands, asks for nothing
    written = [each for each in promise.acceptance if each.source and each.source not in made_up]
    criteria = [each.description for each in written if given]
    return Asked(
        "\n".join(dict.fromkeys((given, *criteria))).strip(),
        tuple(read_permit(text) for text in promise.permits),
        _policies(looked),
    )


def _policies(looked: "Looked") -> dict[str, Policy]:
    """Per rule; where nobody trusts the project's file, nothing weaker than what the base's asked for."""
    found = dict(looked.rules.config.verification.integrity)
    also = looked.rules.also
    for rule, then in also.verification.integrity.items() if also else ():
        found[rule] = max(found.get(rule, "warn"), then, key=_STRICT.index)
    return found


def named_files(looked: "Looked", paths: Collection[str] | None = None) -> frozenset[str]:
    """Changed files, or those of `paths`, that the commands or what stands behind them run by name."""
    entries, root = looked.judged.entries, looked.repository.root
    lines = [line.text for entry in entries for line in behind(entry, root).lines]
    return named_by(entries, lines, looked.change.changed if paths is None else paths)


def named_by(entries: Iterable[Accept], lines: Iterable[str], paths: Collection[str]) -> frozenset[str]:
    """Those of `paths` that the commands name, as a file or as a module.

    `lines` are what stands behind the commands (the recipe of a target, a script).
    """
    words: set[str] = set()
    for entry in entries:
        words.update(f"{entry.cwd}/{word}".lstrip("/") for word in entry.argv)
    for line in lines:
        words.update(line.split()[:_MOST_WORDS])
    # `./tests/test_a.py::Case::test_b` is the file
    files = (word.strip(_TRIM).partition("::")[0].removeprefix("./") for word in words)
    plain = {file.rstrip("/")[:_LONGEST] for file in files}
    modules = {".".join(word.split(".")[:count]) for word in plain for count in range(1, word.count(".") + 2)}
    return frozenset(path for path in paths if path in plain or not modules.isdisjoint(_modules(path)))


def _modules(path: str) -> set[str]:
    """How a command names a file without its ending: as a path, or as a module of Python."""
    stem = path.rpartition(".")[0]
    return {stem, stem.replace("/", ".")} - {""}
