"""donewhen itself, and the plugins of clients: an agent may look, but never answer its own questions."""

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


def read_client(call: Call) -> Iterator[Effect]:
    """A coding agent's own program: what changes its plugins could switch off the one that gates it."""
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if words[:1] and words[0] in _PLUGGING and not _SHOWING & set(words[1:2]) and len(words) > 1:
        yield Writes(f"{call.ground.home}/{_SETTINGS[call.name]}")


_PLUGGING = frozenset(("plugin", "plugins", "extensions"))
_SHOWING = frozenset(("list", "details", "validate", "help"))
_SETTINGS = {
    "claude": ".claude/settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
}
READERS: dict[str, Reader] = {"donewhen": read_donewhen, **dict.fromkeys(_SETTINGS, read_client)}
