"""A workspace in memory: the tree of a story, its fingerprints, and what differs from the start.

A write updates the fingerprints by the one file that it concerns: a long story costs what happens in it.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from donewhen.core.paths import Exempt, Patterns
from donewhen.core.view import Change, View

_MODULUS = 1 << 256
_LONGEST_RULE = 1000  # characters of a line in .gitignore; longer ones match nothing


class Scene:
    def __init__(self, start: Mapping[str, str], exempt: Exempt, irrelevant: Iterable[str]) -> None:
        self._start = dict(start)
        self._exempt = exempt
        self._irrelevant = Patterns(tuple(irrelevant))
        self._now: dict[str, str] = {}
        self._changed: dict[str, Change] = {}
        self._shipped = self._relevant = 0  # sums of the files' digests, whatever their order
        self._ignored = Patterns(())
        self._restart(start)

    def text(self, path: str) -> str | None:
        return self._now.get(path)

    def holds(self, folder: str) -> bool:
        return any(True for _ in self._inside(folder))

    def below(self, folder: str) -> list[str]:
        """The files that a path names: itself, or all in that folder."""
        return [folder] if folder in self._now else list(self._inside(folder))

    def write(self, path: str, content: str) -> None:
        self._set(path, content)

    def delete(self, path: str) -> None:
        self._set(path, None)

    def view(self) -> View:
        return View(f"{self._shipped:064x}", f"{self._relevant:064x}", self, self._changed)

    def _inside(self, folder: str) -> Iterable[str]:
        prefix = "" if folder in ("", ".") else folder.rstrip("/") + "/"
        return (path for path in self._now if path.startswith(prefix))

    def _restart(self, files: Mapping[str, str]) -> None:
        """All anew: the rules of what is ignored have changed."""
        rules = files.get(".gitignore", "").splitlines()
        self._ignored = Patterns(tuple(rule for rule in rules if len(rule) <= _LONGEST_RULE))
        self._now, self._changed, self._shipped, self._relevant = {}, {}, 0, 0
        for path in self._start.keys() - files.keys():
            self._note(path, None)
        for path, content in files.items():
            self._enter(path, content)

    def _set(self, path: str, content: str | None) -> None:
        if path == ".gitignore":
            files = {**self._now, path: content} if content is not None else {**self._now}
            if content is None:
                files.pop(path, None)
            self._restart({name: text for name, text in files.items() if text is not None})
            return
        self._enter(path, content)

    def _enter(self, path: str, content: str | None) -> None:
        was = self._now.pop(path, None)
        if content is not None:
            self._now[path] = content
        if self._left_out(path):
            return
        step = _digest(path, content) - _digest(path, was)
        self._shipped = (self._shipped + step) % _MODULUS
        if not self._irrelevant.match(path):
            self._relevant = (self._relevant + step) % _MODULUS
        self._note(path, content)

    def _note(self, path: str, content: str | None) -> None:
        if self._left_out(path) or self._start.get(path) == content:
            self._changed.pop(path, None)
        elif content is None:
            self._changed[path] = "deleted"
        else:
            self._changed[path] = "modified" if path in self._start else "added"

    def _left_out(self, path: str) -> bool:
        """Exempt, or ignored by git: what is tracked from the start stays tracked."""
        return self._exempt.match(path) or (path not in self._start and self._ignored.match(path))


def _digest(path: str, content: str | None) -> int:
    if content is None:
        return 0
    whole = sha256()
    for part in (path, content):
        data = part.encode(errors="surrogatepass")
        whole.update(len(data).to_bytes(8) + data)
    return int.from_bytes(whole.digest())
