"""The parts that come before the conversation, in the order in which they change least.

Instructions, promise, what the project says of itself, the files that the goal names. The promise is never
cut; each of the others has its share, and what was left out is named so that the agent can ask for it. What
a repository says stands in marks that its own words can't close: they carry a digest of those words, and what
only looks like a mark is made to look like none.
"""

import re
from hashlib import sha256

from donewhen.context.entries import Redact
from donewhen.context.facts import Document, Facts
from donewhen.context.promise_text import promise_text
from donewhen.context.settings import Settings
from donewhen.context.sizes import Counter, Sized
from donewhen.core.promise import Promise
from donewhen.core.shown import one_name
from donewhen.core.texts import say

_SHARES = {"documents": 10, "commands": 2, "layout": 3, "files": 20}  # percent of the budget
_LEAST = 32  # tokens below which the start of a file says nothing
_JUNK = r"[\W_]{0,99}+"  # white space, slashes, hyphens, characters that nobody sees
_MARK = re.compile(f"[<\uff1c\ufe64](?={_JUNK}{_JUNK.join('repositoryfile')})", re.IGNORECASE)


class Parts:
    def __init__(self, facts: Facts, settings: Settings, redact: Redact, counter: Counter) -> None:
        self._settings = settings
        self._redact = redact
        self._counter = counter
        self._instructions = Sized(say("context.instructions", settings.language), counter)
        self._about = (self._project(facts), self._files(facts))
        self._promise: Promise | None = None
        self.sized: tuple[Sized, ...] = ()
        self.system: tuple[str, ...] = ()
        self.promise = ""

    def follow(self, promise: Promise) -> None:
        """The same objects as before while the promise is the same: what was encoded of them still holds."""
        if promise is self._promise or promise == self._promise:
            return
        self._promise = promise
        said = Sized(self._redact(promise_text(promise, self._settings.language)), self._counter)
        self.promise = said.text
        self.sized = tuple(part for part in (self._instructions, said, *self._about) if part.text)
        self.system = tuple(part.text for part in self.sized)

    def size(self, exact: bool) -> int:
        return sum(part.size(exact) for part in self.sized)

    def _project(self, facts: Facts) -> Sized:
        language = self._settings.language
        parts, left = self._shown(facts.documents, self._share("documents"))
        if parts:
            parts.insert(0, say("context.documents_head", language))
        for key, lines in (("commands", facts.commands), ("layout", facts.layout)):
            listed = self._lines(lines, self._share(key))
            if listed:
                parts.append(f"{say(f'context.{key}_head', language)}\n{listed}")
        return self._whole("project_head", parts, left)

    def _files(self, facts: Facts) -> Sized:
        parts, left = self._shown(facts.files, self._share("files"))
        return self._whole("files_head", parts, [*left, *map(one_name, facts.unread)])

    def _whole(self, head: str, parts: list[str], left: list[str]) -> Sized:
        language = self._settings.language
        if left:
            parts.append(say("context.left_out", language, names=", ".join(left)))
        text = "\n\n".join([say(f"context.{head}", language), *parts]) if parts else ""
        return Sized(text, self._counter)

    def _share(self, key: str) -> int:
        return self._settings.budget * _SHARES[key] // 100

    def _shown(self, documents: tuple[Document, ...], share: int) -> tuple[list[str], list[str]]:
        """The documents that fit, the last one perhaps in part, and the names of those that don't."""
        shown: list[str] = []
        left: list[str] = []
        for document in documents:
            text = _MARK.sub("< ", self._redact(document.text))
            kept = self._cut(text, share) if share >= _LEAST else ""
            if not kept.strip():
                left.append(one_name(document.path))
                continue
            share -= self._size(kept, share)
            missing = len(text) - len(kept) + document.unread
            shown.append(self._marked(document.path, kept, missing))
        return shown, left

    def _marked(self, path: str, text: str, missing: int) -> str:
        name = one_name(path).replace('"', "'")
        language = self._settings.language
        more = f"\n{say('context.file_left_out', language, count=missing, path=name)}" if missing else ""
        id = sha256(f"{path}\n{text}".encode(errors="replace")).hexdigest()[:16]  # no text holds its own
        return f'<repository-file {id} path="{name}">\n{text.rstrip()}{more}\n</repository-file {id}>'

    def _size(self, text: str, enough: int) -> int:
        bound = self._counter.bound(text)
        return bound if bound <= enough else self._counter.count(text)

    def _cut(self, text: str, most: int) -> str:
        """The head of a text within so many tokens, up to the end of a line."""
        size = self._size(text, most)
        while size > most:
            near = text[: len(text) * most // (size + 1)]
            text = near[: near.rfind("\n") + 1] or near
            size = self._size(text, most) if text else 0
        return text

    def _lines(self, lines: tuple[str, ...], most: int) -> str:
        return self._cut("\n".join(f"- {self._redact(one_name(line))}" for line in lines), most).rstrip()
