"""Shell scripts of the repository: their text, and the options that their first line gives the shell."""

import re
from collections.abc import Sequence

from donewhen.core.lazy import lazy
from donewhen.verify.behind_model import Ground, Step, join, shell_options

_SHELLS = frozenset("sh bash dash ash ksh zsh".split())
_SHEBANG = lazy(
    r"#![ \t]*(?:/\S{0,80}/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?P<shell>\w{1,20})(?P<flags>[^\n]{0,80})"
)
_LONGEST_SCRIPT = 60 * 1024  # what the parser takes, less what the runner adds
_NOTE = lazy(r"^[ \t]*(?:#.*)?\n", re.MULTILINE)


def script(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The text behind `./run.sh`, `bash ci/run.sh`, `sh -e run.sh`; None when it is no shell script here."""
    flags, file = "", words[0]
    named = file.rpartition("/")[2] in _SHELLS
    if named:
        flags, file = _operand(words[1:])
    path = join(folder, file) if file and ("/" in file or named) else None
    text = ground.text(path) if path else None
    if path is None or text is None or "\0" in text:
        return None
    shebang = _SHEBANG.match(text)
    shell = shebang["shell"] if shebang else "sh" if named or path.endswith((".sh", ".bash")) else ""
    if not named and shell not in _SHELLS:
        return None
    flags += f" {shebang['flags']}" if shebang and not named else ""
    text = text.replace("\r\n", "\n")
    if len(text) > _LONGEST_SCRIPT:
        text = _NOTE.sub("", text)
    long = len(text.encode(errors="replace")) > _LONGEST_SCRIPT
    return (Step(path, text, folder, options=shell_options(flags.split()), left_out=long),)


def _operand(words: Sequence[str]) -> tuple[str, str]:
    """The options of the shell, and the file; no file where the text comes from elsewhere."""
    flags: list[str] = []
    rest = list(words)
    while rest and rest[0][:1] in ("-", "+"):
        word = rest.pop(0)
        flags.append(word)
        if re.fullmatch(r"-[a-z]*[cs][a-z]*", word):
            return "", ""
        if re.fullmatch(r"[-+][a-z]*o", word) and rest:
            flags.append(rest.pop(0))
    return " ".join(flags), rest[0] if rest else ""
