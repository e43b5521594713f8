"""What the user's folders and the base hold in credential files, so that a change can be kept free of it.

Files are found by name alone: those that git ignores or does not know in the workspace and in the folders
beside it, and those that the base tracks. Values are read, compared and forgotten: nothing here is written,
logged or told, and not even a digest of a value is kept. What stands in an ordinary file of the base as well
is no secret.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.errors import SetupError, UserError
from donewhen.secrets.adding import is_credential_file
from donewhen.secrets.held import values_in
from donewhen.workspace.fingerprint.beside import ignored_files
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.git.runner import names

if TYPE_CHECKING:
    from donewhen.verify.change import Looked

_LARGEST = 256 * 1024
_MOST_FILES = 200
_LIKELY = re.compile(
    r"env|credential|secret|\.key$|\.pem$|\.p8$|rc$|netrc|pgpass|htpasswd|token|tfvars|tfstate|vars$|_rsa|_dsa|"
    r"_ecdsa|_ed25519|\.cnf$|account|auth\.json|\.properties$|config$|\.ya?ml$|\.cfg$",
    re.IGNORECASE,
)
_MADE_UP = re.compile(r"(?:^|/)(?:tests?|specs?|testdata|fixtures?|examples?|samples?|docs?)/", re.IGNORECASE)


class _Found(NamedTuple):
    shown: str
    path: Path
    mark: tuple[str, int, int]  # which file at which state, without its content


class Credentials:
    """The credential files round one change; nothing is read before somebody asks for values."""

    def __init__(self, looked: "Looked", env: Mapping[str, str]) -> None:
        self._looked = looked
        self._env = env
        self.patterns = looked.rules.config.guardrails.secret_patterns

    @cached_property
    def _lie(self) -> tuple[_Found, ...]:
        return tuple(islice(_lying(self._looked, self._env, self.patterns), _MOST_FILES))

    @property
    def marks(self) -> tuple[tuple[str, int, int], ...]:
        """What the answer depends on beside the trees."""
        return tuple(sorted(each.mark for each in self._lie))

    def values(self) -> dict[str, tuple[str, ...]]:
        """By a name of the file that may be shown: what must stand nowhere else."""
        lying = {each.shown: values_in(_text(each.path)) for each in self._lie}
        return {shown: values for shown, values in (_tracked(self) | lying).items() if values}

    def is_public(self, value: str) -> bool:
        """Whether an ordinary file of the base holds it as well."""
        commit = self._looked.change.base.commit
        if not commit or "\n" in value:
            return False
        words = ("grep", "-l", "-z", "-F", "--no-recurse-submodules", "-f", "-", commit)
        ran = self._looked.repository.git().attempt(*words, stdin=os.fsencode(value) + b"\n")
        files = [name.partition(":")[2] for name in names(ran.out)] if ran.exit == 0 else []
        return any(not is_credential_file(path, self.patterns) for path in files)

    def base(self) -> Iterator[tuple[str, bytes]]:
        """Credential files of the base itself, without data of tests."""
        fingerprints = self._looked.fingerprints
        tree = fingerprints.tree(self._looked.change.base.commit)
        likely = (path for path in fingerprints.entries(tree) if _LIKELY.search(path))
        paths = (
            path for path in likely if not _MADE_UP.search(path) and is_credential_file(path, self.patterns)
        )
        for path in islice(paths, _MOST_FILES):
            yield path, (fingerprints.content(tree, path) or b"")[:_LARGEST]

    def kept_out(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of `paths` that the project's own rules keep out of commits."""
        listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if not listed:
            return frozenset()
        git = self._looked.repository.git()
        ran = git.attempt("check-ignore", "--no-index", "-z", "--stdin", stdin=listed)
        return frozenset(names(ran.out)) if ran.exit == 0 else frozenset()


def _tracked(credentials: Credentials) -> dict[str, tuple[str, ...]]:
    return {path: values_in(data.decode(errors="replace")) for path, data in credentials.base()}


def _lying(looked: "Looked", env: Mapping[str, str], patterns: Sequence[str]) -> Iterator[_Found]:
    """Beside the tree, and in the other folders also what nobody committed yet."""
    excludes = looked.places.home / "exclude"
    for path in ignored_files(looked.repository, excludes):
        yield from _credential(looked.repository.root, path, patterns)
    for folder in looked.beside:
        try:
            repository = find_repository(Path(folder), env)
        except (SetupError, UserError):  # gone, or no repository: nothing of it is known
            continue
        if repository.root == looked.repository.root:
            continue
        for path in (*ignored_files(repository, excludes), *_unknown(repository)):
            yield from _credential(repository.root, path, patterns)


def _unknown(repository: Repository) -> list[str]:
    return names(repository.git().attempt("ls-files", "-o", "-z", "--exclude-standard").out)


def _credential(root: Path, path: str, patterns: Sequence[str]) -> Iterator[_Found]:
    if not is_credential_file(path, patterns):
        return
    try:
        facts = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return
    yield _Found(path, root / path, (path, facts.st_size, facts.st_mtime_ns))


def _text(path: Path) -> str:
    try:
        found = read_regular(path, path.name, largest=_LARGEST, follow=False)
    except (UserError, SetupError):  # a link, a pipe, too large or closed to us
        return ""
    return found.data.decode(errors="replace") if found else ""
