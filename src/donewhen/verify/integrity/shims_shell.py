"""Shell functions and aliases that take the name of a program which the exam runs.

A file that a shell of the exam sources can answer for `python3` without any file of that name. Only what the
change brought is looked at, and only in files that a shell could read.
"""

import re
from collections.abc import Collection, Iterator

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.verify.integrity.shims_names import PROGRAMS

_MOST = 128 * 1024
_DEFINES = re.compile(
    r"(?:^|[;&|{(]|\bthen|\bdo|\belse)[ \t]{0,40}(?:"
    r"function[ \t]{1,9}([\w.+\[-]{1,40})(?:[ \t]{0,9}\(\))?[ \t\n]{0,9}[{(]"
    r"|([\w.+\[-]{1,40})[ \t]{0,9}\([ \t]{0,9}\)|alias[ \t]{1,9}(?:--[ \t]{1,9})?([\w.+-]{1,40})=)",
    re.MULTILINE,
)
_UTILITIES = frozenset(
    "test [ diff cmp grep egrep fgrep cat exit return set cd command eval exec source . sed awk sort head "
    "tail wc tr cut find xargs jq curl printf echo ls read kill trap sh bash".split()
)
_SHELL_ENDINGS = frozenset(("sh", "bash", "zsh", "ksh", "env", "rc", "inc", "conf", "cfg", "profile"))


def shell_shims(path: str, before: bytes, after: bytes, run: Collection[str]) -> Iterator[Finding]:
    """`run`: names of programs that stand in command position somewhere in the exam."""
    if not _could_be_shell(path) or b"\0" in after[:_MOST]:
        return
    had = {name for name, _ in _defined(before)}
    for name, line in _defined(after):
        if name not in had and name in run and name in PROGRAMS | _UTILITIES:
            yield found("shim", path, line, now=name)


def _could_be_shell(path: str) -> bool:
    name = path.rpartition("/")[2]
    head, _, suffix = name.rpartition(".")
    return not head or suffix.lower() in _SHELL_ENDINGS


def _defined(data: bytes) -> Iterator[tuple[str, int]]:
    text = data[:_MOST].decode(errors="replace")
    for match in _DEFINES.finditer(text):
        yield "".join(match.groups("")), text.count("\n", 0, match.end()) + 1
