"""Backups: what they send away, and what they throw away there."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import Destroys, Effect, Reads, Sends
from donewhen.guard.options import options, read

_OPTIONS = options(
    values="rpoe", long_values="repo repository password-file password-command exclude tag host rsh"
)


class _Verbs(NamedTuple):
    sends: frozenset[str]
    loses: frozenset[str]


def _verbs(sends: str, loses: str) -> _Verbs:
    return _Verbs(frozenset(sends.split()), frozenset(loses.split()))


_TABLE: Mapping[str, _Verbs] = {
    "restic": _verbs("backup copy", "forget prune rewrite repair"),
    "rustic": _verbs("backup copy", "forget prune"),
    "borg": _verbs("create transfer", "delete prune compact recreate"),
    "borgmatic": _verbs("create", "prune delete compact"),
    "kopia": _verbs("snapshot", "delete maintenance"),
    "duplicity": _verbs("full incr backup", "remove-older-than remove-all-but-n-full cleanup"),
    "tarsnap": _verbs("", ""),
}


def _backup(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _OPTIONS)
    for text in given.all("--password-command", "--rsh"):
        yield Text(text, call.name)
    for path in given.operands:
        if "://" not in path:
            yield Reads(call.at(path))
    table = _TABLE[call.name]
    if given.has("--dry-run", "-n"):
        return
    words = frozenset(given.operands[:3])
    if table.loses & words:
        yield Destroys("remote", f"{call.name} {given.operands[0]}", sure=False)
    elif table.sends & words or (call.name == "duplicity" and len(given.operands) > 1):
        yield Sends(call.name, "content")


READERS: dict[str, Reader] = dict.fromkeys(_TABLE, _backup)
