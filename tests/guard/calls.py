"""Calls for tests of readers: words as a shell would split them, in a made-up workspace."""

import shlex

from donewhen.guard.call import Call, Nested
from donewhen.guard.effects import Effect
from donewhen.guard.ground import Ground
from donewhen.guard.programs import readers

GROUND = Ground("/home/dev/wt/feature-x", "/home/dev/wt/feature-x", "/home/dev", branch="feature/x")


def call(text: str, stdin: str | None = None, folder: str = GROUND.folder, **env: str) -> Call:
    """The call of a line of plain words; `~/` at the start of a word is the home folder."""
    argv = tuple(
        GROUND.home + word[1:] if word == "~" or word.startswith("~/") else word for word in shlex.split(text)
    )
    return Call(argv, GROUND, folder, env, stdin)


def found(
    text: str, stdin: str | None = None, folder: str = GROUND.folder, **env: str
) -> list[Effect | Nested]:
    """What the reader of the first word says, in order."""
    one = call(text, stdin, folder, **env)
    return list(readers()[one.name](one))
