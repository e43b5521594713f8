"""Settings of ours for a client that takes some: its tools ask our guard before they act.

The file lies outside of the workspace, so that what the client does there can't change it. The stop is not
asked about: the gate of the run decides after the client has ended.
"""

from pathlib import Path

from donewhen.run.engine.live import Run
from donewhen.run.shipping.site import Site


def guard_settings(live: Run, site: Site) -> Path | None:
    """The file, or None where no hook can be called."""
    return None
