"""A project's configuration as it was when somebody began: it holds, whatever became of the file since."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config import ConfigError, Loaded, load_config


class Kept(NamedTuple):
    home: Path
    texts: Mapping[str, str]  # by path in `home`; empty: there was none


def config_for(
    kept: Kept | None, folder: Path, env: Mapping[str, str], settings: Sequence[str] = ()
) -> Loaded:
    """The configuration that holds; one that was kept gives way only to one that the user trusts by now."""
    if kept is None:
        return load_config(folder, env=env, flags=settings)
    held = load_config(kept.home, env=env, flags=settings, project_text=kept.texts)
    try:
        now = load_config(kept.home, env=env, flags=settings)
    except ConfigError:
        return held  # what can't be read can't be trusted either
    return now if now.digest is not None and now.trusted and now.digest != held.digest else held
