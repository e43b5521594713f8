"""The files of one side, base or now, as a ground on which commands are followed; nothing is on disk."""

from collections.abc import Mapping
from pathlib import Path

from donewhen.core.paths import relative
from donewhen.verify.behind_model import Ground
from donewhen.verify.integrity.settings.formats import text_of


class Held(Ground):
    """A ground that only has the files it is given."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(Path())
        self._files = files

    def is_file(self, path: str) -> bool:
        return (relative(path) or path) in self._files

    def _read(self, path: str) -> str | None:
        data = self._files.get(relative(path) or path)
        return None if data is None else text_of(data)
