"""The version that a project would take from git: a copy of its tree has no tags, so it is told.

Several build tools stop without a tag. What a source distribution says of itself comes first, then the tags
of the repository; nothing is asked of git.
"""

import re
from collections.abc import Iterable

from donewhen.project.folder import Folder

# what a project mentions when its version comes from git -> the variable that says it instead
_TOLD_BY = {
    r"setuptools[-_]scm|hatch[-_]vcs|flit[-_]scm": "SETUPTOOLS_SCM_PRETEND_VERSION",
    r"\bpbr\b": "PBR_VERSION",
    r"poetry[-_]dynamic[-_]versioning": "POETRY_DYNAMIC_VERSIONING_BYPASS",
    r"uv[-_]dynamic[-_]versioning": "UV_DYNAMIC_VERSIONING_BYPASS",
    r"\[tool\.pdm\.version\]": "PDM_BUILD_SCM_VERSION",
}
_VERSION = re.compile(r"v?(\d{1,6}(?:\.\d{1,6}){1,4}(?:(?:a|b|rc|\.post|\.dev)\d{1,4})?)")
_FIELD = re.compile(r"^Version:[ \t]*(\S{1,60})[ \t]*$", re.MULTILINE)
_NONE = "0.1.dev0"


def told_version(files: Folder) -> dict[str, str]:
    """The variables that tell the project's build its version; empty when it does not look for one."""
    words = "\n".join(files.text(name) for name in ("pyproject.toml", "setup.py", "setup.cfg"))
    names = [variable for mention, variable in _TOLD_BY.items() if re.search(mention, words)]
    version = _own(files) or _newest(_tags(files)) or _NONE
    return dict.fromkeys(names, version)


def _own(files: Folder) -> str:
    found = _FIELD.search(files.text("PKG-INFO")[:20_000])
    return found[1] if found and _VERSION.fullmatch(found[1]) else ""


def _tags(files: Folder) -> list[str]:
    """Names of tags, as the files of the repository have them."""
    packed = re.findall(r"refs/tags/(\S{1,100})", files.text(".git/packed-refs", 4 * 1024 * 1024))
    loose = Folder(files.folder / ".git/refs/tags").names if ".git" in files.folders else frozenset[str]()
    return [*packed, *sorted(loose)]


def _newest(tags: Iterable[str]) -> str:
    versions = [
        match[1] for match in map(_VERSION.fullmatch, tags) if match and match[1].replace(".", "").isdigit()
    ]
    return max(versions, key=lambda text: [int(part) for part in text.split(".")], default="")
