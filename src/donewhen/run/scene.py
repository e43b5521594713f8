"""A workspace in memory: the tree of a story, its fingerprints, and what differs from the start."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from donewhen.core.paths import Exempt, Patterns
from donewhen.core.view import Change, MemoryFiles, View, changes


class Scene:
    def __init__(self, start: Mapping[str, str], exempt: Exempt, irrelevant: Iterable[str]) -> None:
        self._start = dict(start)
        self._now = dict(start)
        self._exempt = exempt
        self._irrelevant = Patterns(tuple(irrelevant))
        self._view: View | None = None

    def text(self, path: str) -> str | None:
        return self._now.get(path)

    def write(self, path: str, content: str) -> None:
        self._now[path] = content
        self._view = None

    def delete(self, path: str) -> None:
        del self._now[path]
        self._view = None

    def below(self, folder: str) -> list[str]:
        """The files that a path names: itself, or all in that folder."""
        return [path for path in self._now if path == folder or path.startswith(folder.rstrip("/") + "/")]

    def view(self) -> View:
        if self._view is None:
            ignored = self._ignored()
            shipped = {path: text for path, text in self._now.items() if not self._left_out(path, ignored)}
            relevant = {path: text for path, text in shipped.items() if not self._irrelevant.match(path)}
            changed: dict[str, Change] = {
                path: change
                for path, change in changes(self._start, self._now).items()
                if not self._left_out(path, ignored)
            }
            self._view = View(_digest(shipped), _digest(relevant), MemoryFiles(self._now), changed)
        return self._view

    def _left_out(self, path: str, ignored: Patterns) -> bool:
        """Exempt, or ignored by git: what is tracked from the start stays tracked."""
        return self._exempt.match(path) or (path not in self._start and ignored.match(path))

    def _ignored(self) -> Patterns:
        return Patterns(tuple(self._now.get(".gitignore", "").splitlines()))


def _digest(files: Mapping[str, str]) -> str:
    whole = sha256()
    for path in sorted(files):
        for part in (path, files[path]):
            data = part.encode(errors="surrogatepass")
            whole.update(len(data).to_bytes(8) + data)
    return whole.hexdigest()
