"""Programs that change modes, owners and attributes of files.

Their first word is what they set, and it may look like an option (`chmod -x`); so it is told apart here.
"""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Effect, Raises, Reads, Unknown, Writes
from donewhen.guard.marks import HOLE, anything
from donewhen.guard.options import Options, options, read

Found = Iterator[Effect | Nested]

_LONG = "recursive changes silent quiet verbose preserve-root no-preserve-root dereference no-dereference"
_CHMOD = options(
    "RcfvhHLPEC", "", _LONG, "reference",
)  # fmt: skip
_CHOWN = options(
    "RcfvhHLPnx", "", _LONG, "reference from",
)  # fmt: skip
_CHATTR = options("RVf", "vp")
_SETFACL = options(
    "bkndRLPt", "mxMX", "remove-all remove-default no-mask mask default recursive logical physical test",
    "set set-file modify modify-file remove remove-file restore",
)  # fmt: skip
_SETFATTR = options("h", "nvx", "no-dereference", "name value remove restore")
_GETTING = options(
    "acdehnRLPpstm", "en", long_flags="absolute-names recursive dump", long_values="name encoding match"
)
_NEGATIVE = re.compile(r"-[rwxXstugo0-7][rwxXstugo0-7,+=-]*")
_GRANTING = re.compile(r"[+=][rwxXtugo]*s")


def grants(mode: str) -> bool:
    """Would the mode let others run the file with its owner's or group's rights?"""
    if mode.isdigit():
        return len(mode) > 3 and mode[-4] in "234567"
    return _GRANTING.search(mode) is not None


def _chmod(call: Call) -> Found:
    words = list(call.argv[1:])
    mode = ""
    for at, word in enumerate(words):
        if word == "--":
            break
        if _NEGATIVE.fullmatch(word):
            mode = words.pop(at)
            break
    given = read(words, _CHMOD)
    operands = given.operands
    if not mode and not given.has("--reference"):
        mode, operands = (operands[0], operands[1:]) if operands else ("", ())
    if grants(mode):
        yield Raises("setuid")
    elif anything(mode):
        yield Unknown("guard.unknown_option", mode)
    for one in operands:
        if one:
            yield Writes(call.at(one), "mode")


def _owner(call: Call) -> Found:
    given = read(call.argv[1:], _CHOWN)
    for one in given.operands if given.has("--reference") else given.operands[1:]:
        if one:
            yield Writes(call.at(one), "owner")


def _chattr(call: Call) -> Found:
    words = [word for word in call.argv[1:] if not _is_attribute(word)]
    for one in read(words, _CHATTR).operands:
        yield Writes(call.at(one), "mode")


def _is_attribute(word: str) -> bool:
    return word[:1] in "+=" or (word[:1] == "-" and word[1:].isalpha() and not set(word[1:]) <= set("RVfvp"))


def _sets(table: Options) -> Reader:
    def reader(call: Call) -> Found:
        given = read(call.argv[1:], table)
        restored = given.value("--restore")
        if restored is not None:
            yield Reads(call.at(restored))
            yield Writes(HOLE, "mode")  # the file names what it changes
        for one in given.operands:
            yield Writes(call.at(one), "mode")

    return reader


def _xattr(call: Call) -> Found:
    """`xattr -w NAME VALUE file`, `-d NAME file`, `-c file`; all else shows."""
    words = call.argv[1:]
    letters = "".join(word[1:] for word in words if word.startswith("-"))
    operands = [word for word in words if not word.startswith("-")]
    skipped = 2 if "w" in letters else 1 if "d" in letters or "p" in letters else 0
    changes = any(letter in letters for letter in "wdc")
    for one in operands[skipped:]:
        yield Writes(call.at(one), "mode") if changes else Reads(call.at(one), names=True)


def _gets(call: Call) -> Found:
    for one in read(call.argv[1:], _GETTING).operands:
        yield Reads(call.at(one), names=True)


MODES: Mapping[str, Reader] = {
    "chmod": _chmod, "gchmod": _chmod, "chown": _owner, "gchown": _owner, "chgrp": _owner, "chattr": _chattr,
    "chflags": _owner, "setfacl": _sets(_SETFACL), "setfattr": _sets(_SETFATTR),
    "xattr": _xattr, "getfacl": _gets, "getfattr": _gets, "lsattr": _gets,
}  # fmt: skip
