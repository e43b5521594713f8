"""Settings of a Mac that lie in files: defaults, plutil."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from donewhen.guard.call import Call, Reader
from donewhen.guard.effects import Alters, Effect, Reads, Writes


def _defaults(call: Call) -> Iterator[Effect]:
    """Settings of a Mac: a domain may be a file."""
    words = [word for word in call.argv[1:] if word[:1] != "-"]
    verb, rest = (words[0], words[1:]) if words else ("help", [])
    if verb in ("read", "read-type", "export"):
        yield from (Reads(call.at(word)) for word in rest[:1] if "/" in word)
        yield from (Writes(call.at(word)) for word in rest[1:2] if verb == "export")
    elif verb not in ("domains", "find", "help") and "-help" not in call.argv:
        yield Alters(" ".join(call.argv[:3]))


_PLUTIL_SHOWS = frozenset(("-p", "-lint", "-s", "-type", "-help"))


def _plutil(call: Call) -> Iterator[Effect]:
    """A property list is printed, or written in another form, over itself unless a name is given."""
    words = call.argv[1:]
    output = next((value for word, value in pairwise(words) if word == "-o"), "")
    for word in words[1:]:
        if "/" in word or "." in word:
            yield Reads(call.at(word))
    if output and output != "-":
        yield Writes(call.at(output))
    elif words and not output and words[0] not in _PLUTIL_SHOWS:
        yield Writes(call.at(words[-1]))


READERS: Mapping[str, Reader] = {"defaults": _defaults, "plutil": _plutil}
