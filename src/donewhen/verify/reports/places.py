"""Which line of the project a traceback speaks of.

Python tells the innermost frame last, everyone else first; frames of libraries are passed over. Text only:
nothing is looked up on disk, and every pattern is tried on lines of bounded length.
"""

import posixpath
import re
from typing import NamedTuple

_LONGEST_LINE = 600
_MOST_LINES = 2000
_LIBRARIES = (
    "site-packages/",
    "dist-packages/",
    "node_modules/",
    "lib/python",
    "/rustc/",
    "/.cargo/registry/",
    "/vendor/bundle/",
    "/gems/",
    "vendor/phpunit/",
    "/go/pkg/mod/",
    "/usr/local/go/src/",
)
_NOT_FILES = ("node:", "internal/", "<", "native", "Unknown Source", "bun:", "ext:")
_JAVA_LIBRARIES = re.compile(
    r"\s*at (?:[\w.@/]{0,80}/)?(?:java|javax|jdk|sun|org\.(?:junit|testng|gradle|apache\.maven|mockito|"
    r"hamcrest|assertj|opentest4j|codehaus\.groovy|scalatest)|kotlin|scala|junit)\."
)
_FILE = r"(?P<file>[^\s:()'\"<>|`][^:()'\"<>|`\t]{0,250}?\.[A-Za-z]\w{0,9})"
_PYTHON = re.compile(r"(?:E )?\s*File \"(?P<file>[^\"]{1,300})\", line (?P<line>\d{1,7})")
_PYTEST = re.compile(r"(?P<file>[^\s:][^:\t]{0,250}\.pyi?):(?P<line>\d{1,7}):(?: |$)")
_STACK = re.compile(  # JavaScript, Java and Kotlin, C#
    r"\s*(?:at|❯) (?:.{0,200}?\()?(?:file://)?"
    + _FILE
    + r":(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?\)?\s*$"
)
_DOTNET = re.compile(r"\s*at .{1,300} in (?P<file>\S.{0,250}):line (?P<line>\d{1,7})\s*$")
_PANIC = re.compile(
    r".{0,200}panicked at (?:'.{0,300}', )?" + _FILE + r":(?P<line>\d{1,7}):(?P<column>\d{1,6})"
)
_PLAIN = re.compile(
    r"\s*(?:#\d+ |# |in |-->\s*|\[)?(?:\./)?"
    + _FILE
    + r"[:(](?P<line>\d{1,7})(?:[:,](?P<column>\d{1,6}))?[:)\]]?(?=\s|$|:|\))"
)
_GRADLE = re.compile(r"\s*[\w.$]{1,200} at (?P<file>[\w.$-]{1,200}\.\w{1,10}):(?P<line>\d{1,7})\s*$")
_INNERMOST_FIRST = (_GRADLE, _STACK, _DOTNET, _PANIC, _PLAIN)


class Place(NamedTuple):
    file: str
    line: int
    column: int = 0


def place_in(text: str, root: str = "") -> Place | None:
    """The innermost place of the project that the text names; `root` is the folder that the run had."""
    lines = [line[:_LONGEST_LINE] for line in text.splitlines()[:_MOST_LINES]]
    python = [found for line in lines if (found := _matched(line, (_PYTHON, _PYTEST), root))]
    if python:
        return python[-1]
    for pattern in _INNERMOST_FIRST:
        for line in lines:
            if _JAVA_LIBRARIES.match(line):
                continue
            found = _matched(line, (pattern,), root)
            if found:
                return found
    return None


def _matched(line: str, patterns: tuple[re.Pattern[str], ...], root: str) -> Place | None:
    for pattern in patterns:
        found = pattern.match(line)
        if found:
            file = inside(found["file"], root)
            groups = found.groupdict()
            return Place(file, int(found["line"]), int(groups.get("column") or 0)) if file else None
    return None


def inside(file: str, root: str = "") -> str:
    """The path as the project has it; empty for a file of a library or outside of `root`."""
    path = file.strip().removeprefix("file://").replace("\\", "/")
    if not path or path.startswith(_NOT_FILES) or any(each in path for each in _LIBRARIES):
        return ""
    folder = root.rstrip("/")
    if folder and path.startswith(f"{folder}/"):
        path = path[len(folder) + 1 :]
    if path.startswith("/"):
        return "" if folder else path
    short = posixpath.normpath(path)
    return "" if short.startswith("../") else short
