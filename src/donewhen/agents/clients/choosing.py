"""From a name to a client: one that is known, one that the configuration names, or `command:WORDS`.

A program is found before anything is begun, and by its whole path from then on: neither the workspace nor a
relative search path decides what is started.
"""

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.agents.clients.known import KNOWN, MODELS
from donewhen.agents.clients.model import Ask, Client, Kind, Started
from donewhen.agents.clients.reading import read_plain
from donewhen.core.errors import SetupError, UserError
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase

if TYPE_CHECKING:
    from donewhen.config.sections_guard import Agent

PREFIX = "command:"
_PROMPT, _SESSION = "{prompt}", "{session}"
_LONGEST = 2000
_OWN = ("CODEX_", "OPENCODE_", "CLAUDE_", "AIDER_")


def is_client(name: str) -> bool:
    """Whether a name that the configuration does not know means a client all the same."""
    return name in KNOWN or name.startswith(PREFIX)


def named_client(name: str, folder: Path, env: Mapping[str, str], model: str = "") -> Client:
    """A known client, or the words after `command:`; UserError or SetupError when it can't be used."""
    if name in KNOWN:
        return _made(KNOWN[name], (name,), folder, env)._replace(model=model)
    return _of_words(_words(name), folder, env, model)


def configured_client(name: str, agent: "Agent", folder: Path, env: Mapping[str, str], model: str) -> Client:
    """One of the configuration's `agents`; without a command it is the known one of its name."""
    words = tuple(agent.command)
    if not words and name not in KNOWN:
        raise UserError("clients.no_command", name=name)
    client = _of_words(words or (name,), folder, env, model or agent.model or "")
    return client._replace(passed=agent.env, timeout=agent.timeout)


def _words(name: str) -> tuple[str, ...]:
    text = name.removeprefix(PREFIX)
    if len(text) > _LONGEST or not text.isprintable():
        raise UserError("clients.bad_words", why=Phrase("clients.not_one_line", {"limit": _LONGEST}))
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise UserError("clients.bad_words", why=str(error)) from None
    if not words:
        raise UserError("clients.bad_words", why=Phrase("clients.no_words"))
    return words


def _of_words(words: tuple[str, ...], folder: Path, env: Mapping[str, str], model: str) -> Client:
    """A known client with words of the user's, unless they say where the prompt goes."""
    known = KNOWN.get(Path(words[0]).name)
    if known is not None and not any(_PROMPT in word for word in words):
        return _made(known, words, folder, env)._replace(model=model)
    if model:
        raise UserError("clients.no_model", name=one_name(words[0]))
    return _made(_plain(words), words, folder, env)


def _plain(words: tuple[str, ...]) -> Kind:
    return Kind(
        Path(words[0]).name,
        _start,
        read_plain,
        "",
        (*MODELS, *_OWN),
        remembers=False,
        silent=True,
    )


def _start(client: Client, ask: Ask) -> Started:
    """The prompt stands inside one word, or comes by stdin; what it says is never read as words."""
    inside = any(_PROMPT in word for word in client.argv)
    words = (_filled(word, ask) for word in client.argv[1:])
    return Started((client.argv[0], *words), b"" if inside else ask.prompt.encode(errors="replace"))


def _filled(word: str, ask: Ask) -> str:
    parts = (part.replace(_SESSION, ask.run) for part in word.split(_PROMPT))
    return ask.prompt.join(parts)


def _made(kind: Kind, words: tuple[str, ...], folder: Path, env: Mapping[str, str]) -> Client:
    return Client(kind, (_program(kind, words[0], folder, env), *words[1:]))


def _program(kind: Kind, word: str, folder: Path, env: Mapping[str, str]) -> str:
    path = ":".join(each for each in env.get("PATH", os.defpath).split(":") if each.startswith("/"))
    found = shutil.which(os.path.normpath(folder / word) if "/" in word else word, path=path)
    if found is not None:
        return found
    if kind.get:
        raise SetupError("clients.absent_known", program=one_name(word), get=kind.get)
    raise SetupError("clients.absent", program=one_name(word))
