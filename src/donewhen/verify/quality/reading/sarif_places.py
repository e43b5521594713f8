"""Where a SARIF result lies: its first place, its address resolved against the bases that the run names.

Addresses are text here: nothing is fetched and nothing is looked up on disk.
"""

from typing import Any, NamedTuple

from donewhen.verify.quality.reading.values import at, number, placed, rows, word

_DEEPEST = 10  # bases upon bases


class Place(NamedTuple):
    file: str = ""
    line: int = 0
    column: int = 0
    subject: str = ""  # the function or class that it names


def place_of(result: dict[str, Any], run: dict[str, Any], folder: str) -> Place | None:
    """None: the result names no place."""
    for location in rows(result.get("locations"))[:1]:
        physical = at(location, "physicalLocation")
        logical = rows(at(location, "logicalLocations"))
        artifact = _artifact(at(physical, "artifactLocation"), run)
        return Place(
            placed(_address(artifact, run), folder),
            number(at(physical, "region", "startLine")),
            number(at(physical, "region", "startColumn")),
            word(at(logical[0], "fullyQualifiedName") or at(logical[0], "name")) if logical else "",
        )
    return None


def _artifact(told: object, run: dict[str, Any]) -> object:
    """As told, or as the run's list of files has it, where only a number is told."""
    index = at(told, "index")
    files = rows(run.get("artifacts"))
    numbered = isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(files)
    if at(told, "uri") is None and numbered and isinstance(index, int):
        return at(files[index], "location")
    return told


def _address(artifact: object, run: dict[str, Any]) -> str:
    from urllib.parse import unquote

    path = ""
    for _ in range(_DEEPEST):
        uri, base = at(artifact, "uri"), at(artifact, "uriBaseId")
        if isinstance(uri, str):
            path = f"{uri}{path}" if not path or uri.endswith("/") else f"{uri}/{path}"
        if not isinstance(base, str) or path.startswith(("file:", "/")):
            break
        artifact = at(run, "originalUriBaseIds", base)
    return unquote(_local(path), errors="surrogateescape")


def _local(uri: str) -> str:
    """`file:///a`, `file://host/a` and `file:/a` are all `/a`; any other address stays."""
    if not uri.startswith("file:"):
        return uri
    rest = uri.removeprefix("file:")
    return f"/{rest[2:].partition('/')[2]}" if rest.startswith("//") else rest
