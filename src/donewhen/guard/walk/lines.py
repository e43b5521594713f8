"""Commands among the lines of a settings file, whatever its format: what stands behind labels and in quotes.

`web: npm start`, `- go test ./...`, `test = "pytest -q"`, `cmd = ["rm", "x"]`, a recipe's indented line.
Which of a line's readings is meant is not decided; one that is no command does nothing.
"""

from collections.abc import Iterator

from donewhen.core.lazy import lazy

_BULLET = lazy(r"\s*(?:-\s+)?[@+-]?(?:shell\s+|!)?")
_LABEL = lazy(r"[\w.\"'/-]{1,80}\s*[:=](?![:=])\s*")
_QUOTED = lazy(r"\"((?:[^\"\\]|\\.){3,2000})\"|'([^'\n]{3,2000})'")
_LIST = lazy(r"[\[(]([^\[\]()\n]{3,2000})[\])]")
_ITEM = lazy(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_COMMENTS = ("#", "//", ";")
_LONGEST = 2000
_MOST = 200


def told(source: str) -> Iterator[str]:
    """Every reading of every line that has the form of a command with arguments."""
    seen: set[str] = set()
    for line in source.replace("\\\n", " ").splitlines():
        if not line.strip() or line.lstrip().startswith(_COMMENTS) or len(line) > _LONGEST:
            continue
        for one in _readings(line):
            reading = one.strip()
            if " " in reading and reading not in seen:
                seen.add(reading)
                yield reading
        if len(seen) > _MOST:
            return


def _readings(line: str) -> Iterator[str]:
    bare = _BULLET.sub("", line, count=1)
    yield bare
    label = _LABEL.match(bare)
    if label is not None:
        yield bare[label.end() :]
    for found in _QUOTED.finditer(line):
        yield (found[1] or found[2]).replace('\\"', '"')
    for found in _LIST.finditer(line):
        yield " ".join(item[1] or item[2] or "" for item in _ITEM.finditer(found[1]))
