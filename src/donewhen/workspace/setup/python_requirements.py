"""Requirements as people write them, in the places where they write them: names, lists, files, groups.

Pure text. A requirement is passed on to pip as it stands or not at all; options are never passed on, because
a repository could name an index or a file of its own with them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from donewhen.core.lazy import lazy

# a distribution, its extras, versions and marker; no option, no path, nothing that pip would read as a file
_REQUIREMENT = lazy(
    r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}\s{0,4}(?:\[[A-Za-z0-9,._\s-]{0,200}\])?"
    r"\s{0,4}(?:\(?[<>=!~][^;@#\n]{0,200}\)?)?\s{0,4}(?:;[^\n#]{0,300})?"
)
_NAME = lazy(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}")
_RUNS = lazy(r"[-_.]+")
_TRAILING = lazy(r"(?:^|\s)#.*$")
MOST = 200


def normal(name: str) -> str:
    """The name of a distribution, so that two spellings of one are equal."""
    return _RUNS.sub("-", name.strip()).lower()


def name_of(requirement: str) -> str:
    """The normal name of what a requirement asks for; empty when it is none."""
    match = _NAME.match(requirement.strip())
    return normal(match[0]) if match else ""


def is_requirement(text: str) -> bool:
    return bool(_REQUIREMENT.fullmatch(text.strip())) and len(text) < 600


def requirements(values: object) -> list[str]:
    """Those of a list, or of a text with one on each line, that are plain requirements."""
    if isinstance(values, str):
        values = values.splitlines()
    if not isinstance(values, Iterable) or isinstance(values, Mapping):
        return []
    texts = (_TRAILING.sub("", value).strip() for value in values if isinstance(value, str))
    return [text for text in texts if text and is_requirement(text)][:MOST]


def group(groups: Mapping[str, Any], name: str, seen: tuple[str, ...] = ()) -> list[str]:
    """What a dependency group asks for, with the groups that it includes."""
    wanted = normal(name)
    key = next((key for key in groups if normal(str(key)) == wanted), None)
    entries = groups.get(key) if key is not None else None
    if not isinstance(entries, Sequence) or isinstance(entries, str) or wanted in seen or len(seen) > 10:
        return []
    found: list[str] = []
    for entry in entries[:MOST]:
        if isinstance(entry, str):
            found += requirements([entry])
        elif isinstance(entry, Mapping) and isinstance(entry.get("include-group"), str):
            found += group(groups, entry["include-group"], (*seen, wanted))
    return list(dict.fromkeys(found))


def poetry(entries: object) -> list[str]:
    """Requirements of a table in poetry's own words: `pytest = "^8"`, `{version = …}`."""
    if not isinstance(entries, Mapping):
        return []
    found = []
    for name, value in list(entries.items())[:MOST]:
        version = value.get("version", "*") if isinstance(value, Mapping) else value
        if isinstance(name, str) and normal(name) != "python" and isinstance(version, str):
            found.append(name + _poetry_version(version))
    return [text for text in found if is_requirement(text)]


def _poetry_version(version: str) -> str:
    version = version.strip()
    if version in ("", "*") or "||" in version or "*" in version:
        return ""
    if version[0] in "^~" and not version.startswith("~="):
        return f">={version[1:].strip()}"
    return version if version[0] in "<>=!~" else f"=={version}"
