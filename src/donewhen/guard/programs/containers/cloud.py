"""Clouds: their programs have thousands of commands, so verbs are told by their words.

Verbs that look are ordinary, those that delete lose data for sure, everything else may. Commands that print
credentials are listed, copies between here and there are what they are.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Alters, Deletes, Destroys, Effect, Fetches, Reads, Reveals, Sends, Unknown
from donewhen.guard.marks import WILD
from donewhen.guard.options import Options, options, read
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.verbs import trial

Found = Iterator[Effect | Nested]
_TABLE = tomllib.loads(Path(__file__).with_name("clouds.toml").read_text(encoding="utf-8"))
LOOKING, DELETING, WRITING = (frozenset(_TABLE[name].split()) for name in ("looking", "deleting", "writing"))
REVEALING, ALTERING = frozenset(_TABLE["revealing"]), frozenset(_TABLE["altering"])
STORES = {verb: kind for kind, verbs in _TABLE["stores"].items() for verb in verbs.split()}
_PLACES = 64  # words behind a copy that are looked at
_DEEP = 8  # words of a command that may name it
_KNOWN = LOOKING | DELETING | WRITING


class Cloud(NamedTuple):
    options: Options
    start: int = 1  # words before this one are never verbs
    last: bool = False  # the verb is the last part of a word (`service-instance-delete`)


def _cloud(values: str = "", flags: str = "", start: int = 1, last: bool = False) -> Cloud:
    letters = "".join(word[1] for word in values.split() if len(word) == 2)
    names = " ".join(word[2:] for word in values.split() if len(word) > 2)
    return Cloud(options(flags, letters, "", names, first=True), start, last)


_CLOUDS: Mapping[str, Cloud] = {
    name: _cloud(row["values"], start=row["start"], last=name == "ibmcloud")
    for name, row in _TABLE["clouds"].items()
}


def cloud(call: Call) -> Found:
    row = _CLOUDS[call.name]
    words = _verbs(call.argv[1:], row.options)
    if words and words[0] in ("beta", "alpha", "preview"):
        words = words[1:]
    yield from _mentioned(call)
    if not words or words[0] in ("help", "version") or words[-1] == "help" or trial(call.argv[1:]):
        return
    if any(word[:1] in WILD and word for word in words[: row.start + 1]):
        yield Unknown("guard.unknown_option", call.argv[0])
        return
    path = " ".join((call.name, *words[:_DEEP]))
    if _listed(path, REVEALING):
        yield Reveals("credential", path)
    elif _listed(path, ALTERING):
        yield Alters(path)
    elif (
        call.name == "gcloud"
        and words[0] in ("storage", "sql")
        and words[1:2]
        and words[1] in ("cp", "rsync", "mv")
    ):
        yield from _copied(call, words[1])
    elif call.name == "aws" and words[0] == "s3":
        yield from _store(call, words[1:])
    else:
        yield from _judged(call, path, _verb(words, row))


def _verbs(arguments: Sequence[str], table: Options) -> tuple[str, ...]:
    """The words up to the first option behind them: what follows may be any option's value."""
    operands = read(arguments, table).operands
    end = next((at for at, word in enumerate(operands) if word[:1] == "-"), len(operands))
    return operands[:end]


def _verb(words: Sequence[str], row: Cloud) -> str:
    """The first word that is a verb, or begins or ends with one; empty when none is."""
    for word in words[row.start :]:
        parts = word.lower().replace(":", "-").replace("_", "-").split("-")
        if parts[0] == "batch" and len(parts) > 1:
            parts = parts[1:]
        verb = parts[-1] if row.last else parts[0]
        if verb in _KNOWN:
            return verb
    return words[row.start] if len(words) > row.start else ""


def _judged(call: Call, target: str, verb: str) -> Found:
    if not verb or verb in LOOKING:
        return
    local = any("localhost" in word or "127.0.0.1" in word for word in call.argv)
    yield Destroys("cloud", target, sure=verb in DELETING and not local)


def _listed(path: str, table: frozenset[str]) -> bool:
    """Is the command, or a part of its beginning, in the table?"""
    while path:
        if path in table:
            return True
        path = path.rpartition(" ")[0]
    return False


def _mentioned(call: Call) -> Found:
    """Files behind `file://`, `@` and `=`, and plain paths."""
    for word in call.argv[1:]:
        path = word.rpartition("=")[2]
        for lead in ("file://", "fileb://", "@"):
            if path.startswith(lead):
                yield Reads(call.at(path[len(lead) :]))
                break
        else:
            if ("/" in path and "://" not in path and path[:1] in "./") or path.startswith(".env"):
                yield Reads(call.at(path))


def _remote(word: str) -> bool:
    return "://" in word and not word.startswith("file://")


def _store(call: Call, words: Sequence[str]) -> Found:
    """`aws s3` and its kin: buckets as folders."""
    verb = words[0] if words else ""
    kind = STORES.get(verb, "change")
    if kind == "copy":
        yield from _copied(call, verb)
    elif kind == "lose":
        yield Destroys("cloud", " ".join((call.name, *words[:2])))
    elif kind == "change" and verb:
        yield Destroys("cloud", " ".join((call.name, *words[:2])), sure=False)


def _copied(call: Call, verb: str) -> Found:
    """Up sends, down fetches; between two remote places, or with deletion there, data may go."""
    words = call.argv[call.argv.index(verb) + 1 :][:_PLACES]
    places = [word for word in words if not word.startswith("-") and (_remote(word) or word[:1] not in WILD)]
    marked = [word for word in words if word[:1] in WILD and word]
    remote = [word for word in places if _remote(word)]
    if not remote and not marked and len(places) > 1:
        remote = [word for word in places[:2] if _aliased(call, word)]
    here = [word for word in places if word not in remote][:2]
    deletes = any(
        word
        in (
            "--delete",
            "-d",
            "--remove",
            "--delete-removed",
            "--delete-unmatched-destination-objects",
            "--delete-after",
        )
        for word in words
    )
    if marked:
        yield Sends(call.name, "content")
        return
    upward = bool(remote) and bool(places) and places[0] not in remote
    if upward:
        yield Reads(call.at(here[0]))
        yield Sends(_host(call, remote[0]), "content")
        if verb in ("mv", "move"):
            yield Deletes(call.at(here[0]))
    elif len(remote) == 1 and here and here[0] != "-":
        yield Fetches(_host(call, remote[0]), call.at(here[0]))
        yield from (Deletes(call.at(here[0]), deep=True),) if deletes else ()
    if (deletes and upward) or len(remote) > 1 or (verb in ("mv", "move") and remote and not upward):
        yield Destroys("cloud", " ".join(remote), sure=deletes)


def _aliased(call: Call, word: str) -> bool:
    """mc names its servers: `play/bucket`."""
    return call.name in ("mc", "mcli") and "/" in word and word[0] not in "./"


def _host(call: Call, word: str) -> str:
    address = next((one for one in call.argv if "localhost" in one or "127.0.0.1" in one), "")
    return "localhost" if address else word


_STORE = options(
    "mqorRvpfnDhiuz",
    "",
    "",
    "endpoint-url profile region config host access_key secret_key access-key",
    first=True,
)


def store(call: Call) -> Found:
    """gsutil, s3cmd, mc, b2, azcopy …: the verb comes first."""
    words = _verbs(call.argv[1:], _STORE)
    yield from _mentioned(call)
    if not words or trial(call.argv[1:]) or (call.name in ("gsutil", "s3cmd", "s5cmd") and "-n" in call.argv):
        return
    if words[0][:1] in WILD:
        yield Unknown("guard.unknown_option", call.argv[0])
    elif words[0] in ("admin", "alias", "config") or "--configure" in call.argv:
        yield from (
            () if any(word in LOOKING for word in words[1:]) else (Alters(" ".join((call.name, *words[:2]))),)
        )
    else:
        yield from _store(call, words)


def bq(call: Call) -> Found:
    words = _verbs(call.argv[1:], _STORE)
    verb = words[0] if words else ""
    if verb == "query":
        for text in (one for one in call.argv[2:] if one[:1] != "-"):
            if text != "query":
                yield from sql_effects(text, "bq", "bq")
    elif verb == "rm":
        yield Destroys("cloud", " ".join(("bq", *call.argv[-1:])))
    elif verb and verb not in LOOKING | {"wait", "extract"}:
        yield Destroys("cloud", f"bq {verb}", sure=False)


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(_CLOUDS, cloud),
    **dict.fromkeys(
        ("gsutil", "s3cmd", "s4cmd", "s5cmd", "mc", "mcli", "b2", "azcopy", "ossutil", "coscmd", "obsutil"),
        store,
    ),
    "bq": bq,
}
