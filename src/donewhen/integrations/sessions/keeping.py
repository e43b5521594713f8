"""The project's configuration as it was when the session began: an agent that edits it changes nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.integrations.sessions.folder import Folder

if TYPE_CHECKING:
    from donewhen.config import Loaded
    from donewhen.verify.change import Kept

_NOTE = "project.json"


def keep_project(folder: Folder, place: Path) -> "Kept":
    """What holds in `place` now, kept for the life of the session."""
    from donewhen.config import read_project
    from donewhen.verify.change import Kept

    found = read_project(place)
    if found is None:
        kept = Kept(place, {})
    else:
        home = f"{found.folder}/"
        known = {source.source.removeprefix(home): source.data for source in found.sources()}
        kept = Kept(
            found.folder,
            {name: data.decode() for name, data in known.items() if not name.startswith("/")},
        )
    folder.write(_NOTE, {"home": str(kept.home), "texts": dict(kept.texts)})
    return kept


def kept_project(folder: Folder) -> "Kept | None":
    """None where nothing was kept, or it can't be read: then what is on disk holds."""
    from donewhen.verify.change import Kept

    found = folder.read(_NOTE)
    if not isinstance(found, dict) or not isinstance(found.get("texts"), dict):
        return None
    return Kept(Path(str(found.get("home"))), {str(name): str(text) for name, text in found["texts"].items()})


def loaded_for(folder: Folder, root: str, env: Mapping[str, str]) -> "Loaded":
    """The configuration that holds in the session."""
    from donewhen.verify.change import config_for

    return config_for(kept_project(folder), Path(root), env)
