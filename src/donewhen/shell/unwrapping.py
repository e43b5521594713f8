"""What a simple command runs in its turn: the commands behind `env`, `timeout`, `bash -c`, `find -exec` ….

It only finds them, as far down as the limits allow; whoever reads the tree judges. Runners of project
scripts (npx, uv run, make, git) are no wrappers here: what they run is for the tables of matching.
"""

from collections.abc import Callable, Mapping

from donewhen.core.tree import Inner, Word
from donewhen.shell import remote, runners, shells
from donewhen.shell.feed import Feed
from donewhen.shell.frames import wrapped
from donewhen.shell.nest import MAX_LAYERS, Nest
from donewhen.shell.wrappers import is_wrapper, values_before, verbs, wrapper

Special = Callable[[str, tuple[Word, ...], Feed, Nest], tuple[Inner, ...]]


def unwrap(words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """The inner commands of a simple command; none when it is no wrapper."""
    first = words[0]
    if not first.known:
        return ()
    name = first.text.rpartition("/")[2]
    reader = _reader(name)
    if reader is None:
        name = name.lower().removesuffix(".exe")
        reader = _reader(name)
    if reader is None:
        return ()
    if nest.layers >= MAX_LAYERS:
        return (Inner(name, None, False),)
    nest.layers += 1
    try:
        return reader(name, words, feed, nest)
    finally:
        nest.layers -= 1


def _reader(name: str) -> Special | None:
    special = _READERS.get(name)
    if special is not None or not is_wrapper(name):
        return special
    return _subcommand if name in verbs() else _table


def _table(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    return wrapped(name, words[1:], wrapper(name), feed, nest)


def _subcommand(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    values = values_before(name)
    at = 1
    while at < len(words) and words[at].text.startswith("-") and words[at].text != "--":
        at += 2 if words[at].text in values else 1
    if at < len(words) and words[at].text in verbs()[name]:
        return wrapped(name, words[at + 1 :], wrapper(f"{name} {words[at].text}"), feed, nest)
    if name == "dotenv" and at < len(words):
        return wrapped(name, words[at:], wrapper("nohup"), feed, nest)
    return ()


_READERS: Mapping[str, Special] = {**shells.READERS, **runners.READERS, **remote.READERS}
