"""Integrity before the exam: base and change as trees of the repository, findings kept by tree pair.

Reading and comparing are `verify.integrity`'s; here is where the trees come from, what people asked, and
what was found before between the very same trees.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from donewhen import __version__
from donewhen.config.files import read_regular, write_whole
from donewhen.config.paths import state_folder
from donewhen.config.sections_verify import Policy
from donewhen.core.accept import Accept
from donewhen.core.codec import dumps
from donewhen.core.errors import DonewhenError
from donewhen.core.integrity.account import account_data, read_account
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import LANGUAGES, Phrase, say
from donewhen.verify.behind import behind
from donewhen.verify.integrity.inspecting import Asked, Inspected, inspect
from donewhen.verify.permits import read_permit
from donewhen.verify.record import digest
from donewhen.workspace.fingerprint.fingerprints import Fingerprints

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means, Wanted

FORM = 2  # of what is kept; findings of another form are not used again
_LARGEST = 8 * 1024 * 1024
_LARGEST_FILE = 2 * 1024 * 1024  # larger ones are cut: enough to see that they are too large to compare
_MOST_KEPT = 500
_MOST_WORDS = 2000
_LONGEST = 1000  # characters of a word
_TRIM = "\"'`()[]{}<>;,"
_STRICT = ("warn", "ask", "deny")


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


def inspect_change(looked: "Looked", wanted: "Wanted", means: "Means") -> Inspected:
    """Everything that reading tells about the change; at once where these trees were compared before.

    Before the first commit there is nothing that could have been weakened.
    """
    if not looked.change.changed or not looked.change.base.commit:
        return Inspected(())
    change, asked = looked.change, asked_of(looked, wanted)
    trees = (looked.fingerprints.tree(change.base.commit), change.fingerprint.tree)
    named = named_files(looked)
    commands = [each.line for each in looked.judged.entries]
    key = digest((FORM, __version__, *trees, asked, sorted(named), sorted(change.changed), commands))
    kept = state_folder(means.env) / "integrity" / f"{key}.json"
    known = _recall(kept, key) if wanted.cache else None
    if known is None:
        base, now = (GitTree(looked.fingerprints, tree) for tree in trees)
        known = inspect(base, now, change.changed, asked, named=named, commands=commands)
        _remember(kept, key, known)
    return known


def named_files(looked: "Looked", entries: Sequence[Accept] | None = None) -> frozenset[str]:
    """Changed files that the acceptance commands, or what stands behind them, run by name."""
    entries, root = looked.judged.entries if entries is None else entries, looked.repository.root
    lines = [line.text for entry in entries for line in behind(entry, root).lines]
    return named_by(entries, lines, looked.change.changed)


def _recall(path: Path, key: str) -> Inspected | None:
    try:
        found = read_regular(path, key, largest=_LARGEST, follow=False)
        data = json.loads(found.data) if found else None
        if not isinstance(data, dict) or data.get("key") != key:
            return None
        findings = tuple(_finding(each) for each in data["findings"])
        account, exam = read_account(data["account"]), frozenset(data["exam"])
        return Inspected(findings, account, bool(data["source_changed"]), exam)
    except (DonewhenError, OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _remember(path: Path, key: str, found: Inspected) -> None:
    data = {
        "key": key,
        "findings": [finding_data(each) for each in found.findings],
        "account": account_data(found.account),
        "source_changed": found.source_changed,
        "exam": sorted(found.exam),
    }
    text = dumps(data).encode(errors="backslashreplace")
    with suppress(OSError):  # what can't be kept is found again
        if len(text) <= _LARGEST:
            write_whole(path, text)
        kept = sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-_MOST_KEPT]:
            old.unlink(missing_ok=True)


def finding_data(finding: Finding) -> dict[str, Any]:
    """As plain data, phrases included."""
    return {
        **finding._asdict(),
        "message": _phrase_data(finding.message),
        "wanted": _phrase_data(finding.wanted),
        "permitted": _phrase_data(finding.permitted) if finding.permitted else None,
    }


def _finding(data: Mapping[str, Any]) -> Finding:
    permitted = data["permitted"]
    return Finding(**data)._replace(
        message=_phrase(data["message"]),
        wanted=_phrase(data["wanted"]),
        permitted=_phrase(permitted) if permitted else None,
    )


def _phrase_data(phrase: Phrase) -> list[Any]:
    values = {
        name: {"phrase": _phrase_data(value)} if isinstance(value, Phrase) else value
        for name, value in phrase.values.items()
    }
    return [phrase.key, values]


def _phrase(data: list[Any]) -> Phrase:
    key, values = data
    return Phrase(
        str(key),
        {name: _phrase(v["phrase"]) if isinstance(v, dict) else v for name, v in values.items()},
    )


def named_by(entries: Iterable[Accept], lines: Iterable[str], paths: Collection[str]) -> frozenset[str]:
    """Those of `paths` that the commands name, as a file or as a module.

    `lines` are what stands behind the commands (the recipe of a target, a script).
    """
    words: set[str] = set()
    for entry in entries:
        words.update(f"{entry.cwd}/{word}".lstrip("/") for word in entry.argv)
    for line in lines:
        words.update(line.split()[:_MOST_WORDS])
    plain = {_plain(word) for word in words}
    modules = {".".join(word.split(".")[:count]) for word in plain for count in range(1, word.count(".") + 2)}
    return frozenset(path for path in paths if path in plain or not modules.isdisjoint(_modules(path)))


def _plain(word: str) -> str:
    """`./tests/test_a.py::Case::test_b` is the file."""
    return word.strip(_TRIM).partition("::")[0].removeprefix("./").rstrip("/")[:_LONGEST]


def _modules(path: str) -> set[str]:
    """How a command names a file without its ending: as a path, or as a module of Python."""
    stem = path.rpartition(".")[0]
    return {stem, stem.replace("/", ".")} - {""}
