"""What a script of package.json really runs: its pre and post scripts and those that it calls, as a tree.

Only what a tree makes certain is used: a line with operators other than `&&` and `;` stays one step. Nothing
is run, and scripts that call each other in a circle end.
"""

import shlex
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from donewhen.project.node_package import MANAGERS

_RUN = ("run", "run-script", "rum", "urn")
_TEST = ("test", "t", "tst")
_SEVERAL = ("run-s", "run-p", "npm-run-all", "npm-run-all2")
_DEEPEST, _MOST = 8, 100
_LONGEST = 4000


class Step(NamedTuple):
    """One command of a script. `words` are empty when the line is more than plain words."""

    script: str
    text: str
    words: tuple[str, ...]
    inner: "Script | None" = None  # the script that it runs at its end: `nyc npm run unit`


class Script(NamedTuple):
    name: str
    before: "Script | None"
    body: tuple["Step | Script", ...]
    after: "Script | None"

    def steps(self) -> Iterator[Step]:
        if self.before:
            yield from self.before.steps()
        for part in self.body:
            yield from part.steps() if isinstance(part, Script) else (part,)
        if self.after:
            yield from self.after.steps()


def script_tree(scripts: Mapping[str, Any], name: str) -> Script:
    """The script `name`, which must be there, with all that runs because of it."""
    return _Reader(scripts).script(name, ())


class _Reader:
    def __init__(self, scripts: Mapping[str, Any]) -> None:
        self._scripts = {name: text for name, text in scripts.items() if isinstance(text, str)}
        self._left = _MOST

    def script(self, name: str, above: tuple[str, ...]) -> Script:
        above = (*above, name)
        text = " ".join(self._scripts[name][:_LONGEST].split())
        before = self._beside(f"pre{name}", above)
        body = tuple(part for line in split_line(text) for part in self._parts(name, line, above))
        return Script(name, before, body, self._beside(f"post{name}", above))

    def _beside(self, name: str, above: tuple[str, ...]) -> Script | None:
        return self.script(name, above) if self._may_enter(name, above) else None

    def _may_enter(self, name: str, above: tuple[str, ...]) -> bool:
        if name not in self._scripts or name in above or len(above) >= _DEEPEST or self._left <= 0:
            return False
        self._left -= 1
        return True

    def _parts(self, name: str, line: str, above: tuple[str, ...]) -> list[Step | Script]:
        words = _words(line)
        called = self._called(words)
        if called and all(self._may_enter(each, above) for each in called):
            return [self.script(each, above) for each in called]
        behind = self._called(_tail(words))
        one = len(behind) == 1 and self._may_enter(behind[0], above)
        return [Step(name, line, words, self.script(behind[0], above) if one else None)]

    def _called(self, words: tuple[str, ...]) -> list[str]:
        """The scripts that a line calls and nothing else; none when it passes them options."""
        plain = [word for word in words[1:] if word not in ("-s", "--silent", "-q", "--quiet")]
        if words[:1] and words[0] in _SEVERAL:
            wanted = [word for word in plain if not word.startswith("-")]
            return [name for word in wanted for name in self._scripts if _fits(name, word)]
        if not words or words[0] not in MANAGERS or not plain:
            return []
        if len(plain) == 2 and plain[0] in _RUN:
            return [plain[1]]
        if len(plain) == 1 and plain[0] in _TEST and words[0] != "bun":
            return ["test"]
        bare = len(plain) == 1 and words[0] in ("yarn", "pnpm") and plain[0] in self._scripts
        return plain if bare else []


def _fits(name: str, pattern: str) -> bool:
    """`test:*` names the scripts one level below `test:`, `test:**` all of them."""
    if "*" not in pattern:
        return name == pattern
    return fnmatchcase(name, pattern) and ("**" in pattern or name.count(":") == pattern.count(":"))


def split_line(text: str) -> list[str]:
    """The commands of an `&&` or `;` list; one when anything else decides what runs."""
    parts: list[str] = []
    start, quote, at = 0, "", 0
    while at < len(text):
        letter = text[at]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "\\":
            at += 1
        elif text.startswith("&&", at) or letter == ";":
            parts.append(text[start:at])
            at += 1 if letter == "&" else 0
            start = at + 1
        elif letter in "|&()`<>{}" or text.startswith("$(", at):
            return [text]
        at += 1
    parts = [part.strip() for part in (*parts, text[start:])]
    loops = any(part.split(" ")[0] in ("for", "while", "if", "case", "do", "set") for part in parts)
    return [text] if quote or loops else [part for part in parts if part]


def _tail(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words from the last manager on, which a program before it may run."""
    at = max((at for at, word in enumerate(words) if word in MANAGERS), default=0)
    return words[at:] if at else ()


def _words(line: str) -> tuple[str, ...]:
    if any(letter in line for letter in "|&()`<>{};$\\"):
        return ()
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return ()
