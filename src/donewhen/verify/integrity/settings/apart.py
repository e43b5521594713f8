"""A file that holds product and exam by name, of which only the product's part changed, as the goal asks.

A makefile whose `clean` is to be mended goes back as a whole when the base's exam is sat, and its `check`
then tries the old `clean`: that red says nothing. It is believed only where nothing that the commands run by
name, nor what that needs, is other than it was, and where the goal speaks of everything that is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.verify.behind_make import Rules
from donewhen.verify.integrity.settings.formats import text_of
from donewhen.verify.integrity.settings.ground import Held
from donewhen.verify.integrity.settings.javascript import read_json
from donewhen.verify.integrity.settings.model import ChangedFile, Unread, spelt

_EXAMINES = re.compile(r"test|check|spec|verif|lint|assert|\bci\b|jest|mocha|tox|nox", re.IGNORECASE)
_HOOKS = ("pre", "post")
_MOST = 500


class _Parts(NamedTuple):
    """What stands under which name; the rest of the file, as far as it may matter to the exam."""

    named: Mapping[str, str]
    needs: Mapping[str, Sequence[str]]
    rest: object
    first: str = ""


def set_apart(files: Iterable[ChangedFile], commands: Sequence[str], goal: str) -> frozenset[str]:
    """Changed files in which the exam is what it was, and the goal asks for what is not."""
    return frozenset(each.path for each in files if each.base != each.now and _is_apart(each, commands, goal))


def _is_apart(file: ChangedFile, commands: Sequence[str], goal: str) -> bool:
    how = _READERS.get(file.path.rpartition("/")[2].lower())
    if how is None or file.base is None or file.now is None or not commands:
        return False
    before, now = how(file.path, file.base), how(file.path, file.now)
    if before is None or now is None or before.rest != now.rest or before.first != now.first:
        return False
    names = {*before.named, *now.named}
    other = {name for name in names if before.named.get(name) != now.named.get(name)}
    exam = set(_run(commands, before)) | set(_run(commands, now))
    if not exam or other & exam or not other & before.named.keys():
        return False
    return all(_is_asked(name, before.named[name], goal) for name in other & before.named.keys())


def _run(commands: Sequence[str], parts: _Parts) -> Iterator[str]:
    """The names that the commands call, and all that those need; every word that is a name counts as one."""
    words = {word for command in commands for word in re.findall(r"[\w./:@-]+", command)}
    waiting = [name for name in parts.named if name in words] or [parts.first]
    seen: set[str] = set()
    while waiting and len(seen) < _MOST:
        name = waiting.pop()
        if name and name not in seen:
            seen.add(name)
            waiting += parts.needs.get(name, ())
    yield from seen
    yield from (f"{hook}{name}" for name in seen for hook in _HOOKS)


def _is_asked(name: str, had: str, goal: str) -> bool:
    """Whether the goal speaks of the target, which examines nothing by name or by what it ran."""
    spoken = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", goal) is not None
    return spoken and not _EXAMINES.search(name) and not _EXAMINES.search(had)


def _makefile(path: str, data: bytes) -> _Parts | None:
    rules = Rules(path.rpartition("/")[0], Held({path: data}))
    rules.read(path)
    if not rules.whole or len(rules.needs) > _MOST:
        return None
    named = {
        name: repr((needs, [each.text for each in rules.recipes.get(name, [])]))
        for name, needs in rules.needs.items()
        if name != ".PHONY"
    }
    return _Parts(named, rules.needs, sorted(rules.variables.items()), rules.first)


def _package(path: str, data: bytes) -> _Parts | None:
    text = text_of(data)
    leaves = None if text is None else read_json(text)
    if leaves is None or isinstance(leaves, Unread):
        return None
    scripts = {
        leaf.key[1]: spelt(leaf.value) for leaf in leaves if leaf.key[:1] == ("scripts",) and leaf.key[1:]
    }
    rest = [(leaf.key, spelt(leaf.value)) for leaf in leaves if leaf.key[:1] != ("scripts",)]
    return _Parts(scripts, {}, rest)


_READERS = {"makefile": _makefile, "gnumakefile": _makefile, "package.json": _package}
