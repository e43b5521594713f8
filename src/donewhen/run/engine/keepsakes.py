"""In place, the user's own untracked files lie in reach of the agent: what git ignores nobody can bring back.

They are listed when the run begins; one that is gone later was destroyed by the run. Caches and build outputs
are made again by the next build and don't count.
"""

from donewhen.core.paths import STATE_FOLDERS
from donewhen.run.shipping.site import Site
from donewhen.workspace.git.runner import names

_REMADE = STATE_FOLDERS | {
    "build", "dist", "out", "target", "bin", "obj", "coverage", "htmlcov", "tmp", "temp", "log", "logs",
    ".cache", ".tox", ".nox", ".eggs", ".gradle", ".next", ".nuxt", ".turbo", ".vite", ".hypothesis", "venv",
    "env", "vendor", ".coverage", ".DS_Store",
}  # fmt: skip
_ENDINGS = (".pyc", ".pyo", ".o", ".obj", ".class", ".log", ".tmp", ".bak", ".swp", ".lock", ".pid", "~")
_MOST = 20_000


def keepsakes(site: Site) -> frozenset[str]:
    """Ignored files that were somebody's own; none where the workspace was made for the run."""
    if site.kind != "in_place":
        return frozenset()
    ran = site.user.git().attempt("ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    listed = names(ran.out) if ran.exit == 0 else []
    return frozenset(path for path in listed[:_MOST] if not _is_remade(path))


def lost(site: Site, before: frozenset[str]) -> tuple[str, ...]:
    """Those that are no more."""
    gone = (path for path in sorted(before) if not (site.folder / path).exists())
    return tuple(gone)[:50]


def _is_remade(path: str) -> bool:
    return path.endswith(_ENDINGS) or any(
        part in _REMADE or part.endswith(".egg-info") for part in path.split("/")
    )
