"""Marked text that flows through pipes: what is left of it when a program keeps, drops or changes lines.

Nothing is guessed here: where the result can't be told it is a hole, with the marks of its origin, so that
what came from the network or holds a secret still shows behind any number of filters.
"""

from collections.abc import Sequence

from donewhen.guard.call import Call
from donewhen.guard.marks import (
    ANY,
    BELOW,
    ENVIRONMENT,
    HOLE,
    MARKED,
    NETWORK,
    SECRET,
    STAR,
    anything,
    certain,
)
from donewhen.secrets.claims import is_key_like

LIMIT = 65536
_SHORT = 8
STANDARD_INPUT = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_ORIGINS = (NETWORK, SECRET, ENVIRONMENT)
_PATH_MARKS = (STAR, ANY, BELOW)
_NO_SECRETS = frozenset("PWD OLDPWD SSH_AUTH_SOCK XAUTHORITY GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS".split())
_CREDENTIALS = frozenset(
    "AWS_ACCESS_KEY_ID DATABASE_URL DATABASE_DSN DB_URL REDIS_URL MONGO_URL MONGODB_URI POSTGRES_URL "
    "AMQP_URL SLACK_WEBHOOK_URL SSHPASS CREDENTIALS".split()
)


def secret_variable(name: str) -> bool:
    """Does a variable of this name hold a credential, as far as names tell?"""
    upper = name.upper()
    return upper in _CREDENTIALS or (upper not in _NO_SECRETS and is_key_like(name))


def origins(*texts: str) -> str:
    """The marks that say where the texts came from."""
    return "".join(mark for mark in _ORIGINS if any(mark in text for text in texts))


def unknown(*texts: str) -> str:
    """Anything at all, made of these texts."""
    return HOLE + origins(*texts)


def bounded(text: str) -> str:
    return text if len(text) <= LIMIT else unknown(text)


def literal(text: str) -> str:
    """Text made of bytes: the characters that serve as marks are rare there, and become holes."""
    return text if certain(text) else MARKED.sub(HOLE, text)


def given(call: Call) -> str:
    """Its standard input; what a person may type is not known."""
    return HOLE if call.stdin is None else call.stdin


def content(call: Call, paths: Sequence[str]) -> str:
    """The text of its files, or its input when none are named. Files are not opened here."""
    if not paths:
        return given(call)
    return "".join(_file(call, path) for path in paths)


def _file(call: Call, path: str) -> str:
    if path in STANDARD_INPUT:
        return given(call)
    if path == "/dev/null":
        return ""
    if is_environ(call.at(path)):
        return ENVIRONMENT
    return unknown(path)


def is_environ(path: str) -> bool:
    """The file of a process's environment."""
    return path.startswith("/proc/") and path.endswith("/environ")


def put(words: Sequence[str], mark: str, text: str) -> tuple[str, ...]:
    """The words with a text wherever the mark stands; a text that would grow out of bounds is a hole."""
    if len(text) > _SHORT and sum(word.count(mark) for word in words) * len(text) > LIMIT:
        text = unknown(text)
    return tuple([word.replace(mark, text) if mark in word else word for word in words])


def lines_of(text: str) -> list[str]:
    """Its lines without line ends; a last newline ends a line and begins none."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def joined(lines: Sequence[str]) -> str:
    return bounded("".join(f"{line}\n" for line in lines))


def is_listing(text: str) -> bool:
    """Only names of files, one a line: any choice of these lines is described by all of them."""
    return all(is_name(line) for line in lines_of(text))


def is_name(line: str) -> bool:
    return not anything(line) and not certain(line) and " " not in line and "\t" not in line


def some_of(text: str) -> str:
    """Some lines of it, nobody knows which."""
    if is_listing(text) or (certain(text) and not text.strip()):
        return text
    # A line left out may turn data into commands (a here-document), so all of them are not enough.
    return bounded(text + unknown(text))


def reshaped(text: str) -> str:
    """Text of which single characters change: path marks no longer hold what they say."""
    for mark in _PATH_MARKS:
        text = text.replace(mark, HOLE)
    return text
