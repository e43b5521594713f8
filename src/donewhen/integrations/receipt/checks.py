"""What holds of a claim about files, git, settings or an address of this machine. Reads, and runs git alone.

What is not found for sure is `unknown`: only what is plainly otherwise is called false.
"""

import http.client
import os
import re
import socket
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.texts import Phrase
from donewhen.integrations.receipt.claims import Claim, is_manifest
from donewhen.integrations.receipt.logs import Message
from donewhen.workspace.git.repository import Repository, find_repository

State = Literal["holds", "fails", "unknown"]
_MOST = 50_000  # files that are looked through for a name
_LARGEST = 2 * 2**20
_SECONDS = 2.0  # for an address
_ASIDE = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", "target", ".cache"))
_PLACEHOLDER = re.compile(r"(?i)your|change.?me|xxx|todo|placeholder|<.*>|example|\.\.\.|replace")
_LOOPBACK = {"localhost": ("127.0.0.1", "::1"), "0.0.0.0": ("127.0.0.1",), "::": ("::1",)}  # noqa: S104
_GRACE = 60.0  # seconds by which a commit may be younger than the message about it
_SHOWN = 3


class Finding(NamedTuple):
    """A claim, and what is."""

    claim: Claim
    state: State
    evidence: Phrase


class Ground:
    """The folder that a message is about, looked at once."""

    def __init__(self, folder: Path, env: Mapping[str, str], message: Message) -> None:
        self.env = env
        self.message = message
        self.repository = _repository(folder, env)
        self.root = self.repository.root if self.repository else folder
        self._folders = tuple(
            dict.fromkeys((Path(message.folder) if message.folder else folder, folder, self.root))
        )

    def check(self, claim: Claim) -> Finding:
        state, evidence = _CHECKS[claim.kind](self, claim)
        return Finding(claim, state, evidence)

    def places(self, name: str) -> list[Path] | None:
        """Where a named path may be, existing ones only; None where it lies outside of the folder."""
        path = Path(name)
        if path.is_absolute() or name.startswith("~") or ".." in path.parts:
            real = Path(
                os.path.normpath(path.expanduser() if path.is_absolute() else self._folders[0] / path)
            )
            if self.root not in real.parents or name.startswith("~"):
                return None
            return [real] if os.path.lexists(real) else []
        here = [folder / path for folder in self._folders if os.path.lexists(folder / path)]
        parts = path.parts
        if not here or len(parts) == 1:  # a bare name may be meant in any folder
            here += [self.root / each for each in self.names if each.parts[-len(parts) :] == parts]
        return here

    def at_its_place(self, name: str) -> bool:
        return any(os.path.lexists(folder / name) for folder in self._folders)

    @cached_property
    def names(self) -> list[Path]:
        """Files and folders below the root, as many as are looked through."""
        found: list[Path] = []
        for place, folders, files in os.walk(self.root):
            folders[:] = sorted(set(folders) - _ASIDE)
            found += [Path(os.path.relpath(place, self.root)) / name for name in (*folders, *files)]
            if len(found) > _MOST:
                break
        return found

    def git(self, *words: str) -> str:
        """What git says; empty where it says no."""
        assert self.repository is not None
        ran = self.repository.git().attempt(*words)
        return os.fsdecode(ran.out).strip() if ran.exit == 0 else ""

    @cached_property
    def uncommitted(self) -> list[str]:
        if self.repository is None:
            return []
        listed = os.fsdecode(
            self.repository.git().attempt("status", "--porcelain", "-z", "-uall", "--no-renames").out
        )
        return [entry[3:] for entry in listed.split("\0") if entry]

    def changed_since(self) -> list[str]:
        """Uncommitted files that are younger than the message."""
        at = self.message.at
        return [name for name in self.uncommitted if at and _mtime(self.root / name) > at + 2]


def _repository(folder: Path, env: Mapping[str, str]) -> Repository | None:
    try:
        return find_repository(folder, env)
    except SetupError:
        return None


def _mtime(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _is_ignored(ground: Ground, name: str) -> bool:
    return ground.repository is not None and bool(ground.git("check-ignore", "--no-index", "--", name))


def _made(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    found = ground.places(claim.subject)
    if found is None:
        return "unknown", Phrase("receipt.not_here")
    if found:
        where = os.path.relpath(found[0], ground.root)
        same = where == os.path.normpath(claim.subject) or Path(claim.subject).is_absolute()
        return "holds", Phrase("receipt.exists") if same else Phrase("receipt.elsewhere", {"path": where})
    unsure = "/" not in claim.subject and _is_named(ground, claim.subject)
    if unsure or len(ground.names) > _MOST:
        return "unknown", Phrase("receipt.unsure")
    return "fails", Phrase("receipt.missing", {"subject": claim.subject})


def _deleted(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    if ground.places(claim.subject) is None:
        return "unknown", Phrase("receipt.not_here")
    if not ground.at_its_place(claim.subject):
        return "holds", Phrase("receipt.gone")
    if _is_ignored(ground, claim.subject):  # what a command makes anew
        return "unknown", Phrase("receipt.still_there", {"subject": claim.subject})
    return "fails", Phrase("receipt.still_there", {"subject": claim.subject})


def _committed(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    if ground.repository is None:
        return "unknown", Phrase("receipt.no_repository")
    count = len(ground.uncommitted)
    values: dict[str, object] = {"count": count, "paths": ", ".join(ground.uncommitted[:_SHOWN])}
    last = ground.git("log", "-1", "--format=%h %s")
    commit, _, subject = last.partition(" ")
    values |= {"commit": commit, "subject": f"“{subject[:60]}”"}
    if not count and commit:
        return "holds", Phrase("receipt.commit_clean", values)
    newest = ground.git("log", "--all", "--reflog", "-1", "--format=%ct")
    since = ground.message.since
    if since and newest and float(newest) + 2 >= since:
        return "holds", Phrase("receipt.commit_since", values)
    if not since:
        return "unknown", Phrase("receipt.maybe_committed", values)
    return "fails", Phrase("receipt.uncommitted" if count else "receipt.no_commit", values)


def _pushed(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    repository = ground.repository
    if repository is None or not repository.head:
        return "unknown", Phrase("receipt.no_repository")
    remotes = ground.git("remote").split()
    if not remotes:
        return "fails", Phrase("receipt.no_remote")
    known = ground.git(
        "for-each-ref", f"--contains={repository.head}", "--format=%(refname:short)", "refs/remotes"
    )
    if known:
        values = {"commit": repository.head[:7], "remote": known.split()[0]}
        return "holds", Phrase("receipt.on_remote", values)
    if not all(_follows_all(ground, remote) for remote in remotes) or _goes_to_review(ground):
        return "unknown", Phrase("receipt.unknown_remote")
    ahead = [float(each) for each in ground.git("log", "--format=%ct", "HEAD", "--not", "--remotes").split()]
    counted: dict[str, object] = {"count": len(ahead), "branch": repository.branch or "HEAD"}
    at, since = ground.message.at, ground.message.since
    later = bool(at) and all(moment > at + _GRACE for moment in ahead)
    newest = ground.git(
        "for-each-ref", "--sort=-committerdate", "--count=1", "--format=%(committerdate:unix)", "refs/remotes"
    )
    other = bool(since and newest) and float(newest) >= since  # another branch may have been meant
    return "unknown" if later or other or not ahead else "fails", Phrase("receipt.ahead", counted)


def _follows_all(ground: Ground, remote: str) -> bool:
    """Whether a push shows in this clone: not where it follows one branch alone."""
    return "refs/heads/*" in ground.git("config", "--get-all", f"remote.{remote}.fetch")


def _goes_to_review(ground: Ground) -> bool:
    """Pushes for review go to no branch."""
    return (ground.root / ".gitreview").exists() or "\nChange-Id: " in ground.git("log", "-1", "--format=%B")


def _answers(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    try:
        url = urlsplit(claim.subject)
        host, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
    except ValueError:
        return "unknown", Phrase("receipt.unsure")
    refused = False
    for address in _LOOPBACK.get(host, (host,)):
        try:
            with socket.create_connection((address, port), timeout=_SECONDS):
                pass
        except ConnectionRefusedError:
            refused = True
            continue
        except OSError:
            continue
        status = _status(address, port, url.path or "/") if url.scheme == "http" else 0
        return "holds", Phrase("receipt.answered", {"status": status}) if status else Phrase(
            "receipt.listens", {"port": port}
        )
    state: State = "fails" if refused else "unknown"
    return state, Phrase("receipt.silent" if refused else "receipt.no_answer", {"port": port})


def _status(address: str, port: int, path: str) -> int:
    """How it answers to HEAD, which changes nothing; redirects are not followed, nothing else is sent."""
    connection = http.client.HTTPConnection(address, port, timeout=_SECONDS)
    try:
        connection.request("HEAD", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError):
        return 0
    finally:
        connection.close()


def _key(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    values = {"place": claim.place, "subject": claim.subject}
    found = ground.places(claim.place)
    if found is None:
        return "unknown", Phrase("receipt.not_here")
    if not found:
        return "fails", Phrase("receipt.no_place", values)
    texts = [_text(path) for path in found]
    line = re.compile(
        rf"^\s*(?:export\s+)?[\"']?{re.escape(claim.subject)}[\"']?\s*[:=][ \t]*(.*)$", re.MULTILINE
    )
    given = [match[1].strip().strip("\"',") for text in texts if text for match in line.finditer(text)]
    if any(value and not _PLACEHOLDER.search(value) for value in given):
        return "holds", Phrase("receipt.key_there", values)
    if None in texts:
        return "unknown", Phrase("receipt.unsure")
    if given or any(claim.subject in (text or "") for text in texts):
        empty = Phrase("receipt.key_empty" if not any(given) else "receipt.key_placeholder", values)
        return "unknown", empty if given else Phrase("receipt.unsure")
    return "fails", Phrase("receipt.key_missing", values)


def _dependency(ground: Ground, claim: Claim) -> tuple[State, Phrase]:
    listed = [path for path in ground.names if is_manifest(str(path))]
    found = ground.places(claim.place) if claim.place else [ground.root / path for path in listed]
    if found is None:
        return "unknown", Phrase("receipt.not_here")
    if not found:
        values = {"place": claim.place}
        return (
            ("fails", Phrase("receipt.no_place", values))
            if claim.place
            else ("unknown", Phrase("receipt.no_manifest"))
        )
    texts = {path: _text(path) for path in found}
    holding = next((path for path, text in texts.items() if text and _names(text, claim.subject)), None)
    if holding is not None:
        return "holds", Phrase("receipt.listed", {"place": os.path.relpath(holding, ground.root)})
    values = {
        "place": claim.place or ", ".join(os.path.relpath(path, ground.root) for path in found[:_SHOWN])
    }
    unsure = None in texts.values() or (not claim.place and _is_anywhere(ground, claim.subject))
    return "unknown" if unsure else "fails", Phrase("receipt.not_listed", values)


def _is_anywhere(ground: Ground, name: str) -> bool:
    words = ("grep", "--untracked", "-q", "-i", "-w", "-F", "-e", _package(name))
    return ground.repository is None or ground.repository.git().attempt(*words).exit == 0


def _is_named(ground: Ground, name: str) -> bool:
    """Whether a manifest names it: then it may be a package."""
    listed = [ground.root / path for path in ground.names if is_manifest(str(path))]
    return any(_names(_text(path) or "", name) for path in listed)


def _package(name: str) -> str:
    return re.split(r"[\[=<>~!;]|(?<=.)@", name)[0]


def _names(text: str, name: str) -> bool:
    pattern = re.sub(r"(?:\\-|_|\\\.)+", "[-_.]+", re.escape(_package(name)))
    return re.search(rf"(?<![\w@/-]){pattern}(?![\w/-])", text, re.IGNORECASE) is not None


def _text(path: Path) -> str | None:
    try:
        read = read_regular(path, str(path), largest=_LARGEST)
    except DonewhenError:
        return None
    return read.data.decode(errors="replace") if read else None


_CHECKS: Mapping[str, Callable[[Ground, Claim], tuple[State, Phrase]]] = {
    "made": _made,
    "deleted": _deleted,
    "committed": _committed,
    "pushed": _pushed,
    "answers": _answers,
    "key": _key,
    "dependency": _dependency,
}
