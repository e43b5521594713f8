"""donewhen itself: an agent may look, but neither answer its own questions nor trust its own files."""

from collections.abc import Iterator

from donewhen.guard.call import Call, Reader
from donewhen.guard.effects import Effect, Writes

# Commands that only show; every other one changes runs, answers, trust or settings.
_LOOKING = frozenset(
    "plan goal match gate guard list show audit export doctor completion demo config verify receipt logs "
    "diff stats cost models help".split()
)
_CHANGING = {"config": frozenset(("migrate",))}
_VALUED = frozenset(("--set",))
_ANSWERING = ("--permit", "--confirmed")  # options that say what only a human may


def read_donewhen(call: Call) -> Iterator[Effect]:
    words = []
    arguments = iter(call.argv[1:])
    for word in arguments:
        if word in _VALUED:
            next(arguments, "")
        elif not word.startswith("-"):
            words.append(word)
    if not words or call.argv[-1] == "--help":
        return
    verb, rest = words[0], words[1:]
    answers = any(word.partition("=")[0] in _ANSWERING for word in call.argv)
    if answers or verb not in _LOOKING or not _CHANGING.get(verb, frozenset()).isdisjoint(rest):
        yield Writes(f"{call.ground.home}/.local/state/donewhen/{verb}")


READERS: dict[str, Reader] = {"donewhen": read_donewhen}
