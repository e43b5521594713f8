"""Folders that no search should wade through: made by tools, and rarely what anybody looks for.

Only names; a file that git tracks is looked at wherever it lies, and so is a folder that one asks for.
"""

NOISE = frozenset(
    ".git .hg .svn .idea .vscode node_modules bower_components .cache .tmp tmp build dist out target "
    "coverage htmlcov .next .nuxt .turbo .parcel-cache .vite .svelte-kit .angular .gradle .terraform vendor "
    "bin obj __pycache__ .venv venv .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .eggs "
    "site-packages .yarn .pnpm-store .donewhen".split()
)


def noisy(path: str) -> bool:
    """Whether some folder on the way to a file, or a folder itself, is noise by its name."""
    return not NOISE.isdisjoint(path.split("/"))
