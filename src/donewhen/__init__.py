"""donewhen: done is a proof, not a claim.

Names are loaded on first use, so that `import donewhen` stays cheap.
"""

TYPE_CHECKING = False  # as in `typing`, which is not needed otherwise
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Config": "donewhen.config",
    "DonewhenError": "donewhen.core.errors",
    "Event": "donewhen.core.events",
    "MemoryStore": "donewhen.store.memory",
    "Session": "donewhen.core.session",
    "SqliteStore": "donewhen.store.sqlite",
    "load_config": "donewhen.config",
    "new_run_id": "donewhen.store",
    "open_store": "donewhen.store",
    "scenario": "donewhen.pytest_plugin",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> "Any":
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'donewhen' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
