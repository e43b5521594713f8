"""Signals: which processes `kill` and its kin would reach.

A job or the last started process is the line's own; a number may be anybody's; a pattern that fits all, a
user's name alone and process 1 are everything. Asking whether a process lives sends nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from donewhen.guard.call import Call, Reader
from donewhen.guard.effects import Effect, Signals
from donewhen.guard.marks import STAR, certain
from donewhen.guard.options import options, read

Found = Iterator[Effect]
_ALL = frozenset(("-1", "1", "+1", "-01", "01"))
_WIDE = frozenset(("", ".", ".*", "^", "$", ".+", "^.*$", "^.", ".*.*", "[a-z]", "[a-z]*", "\\w", "*", "..*"))
_HARMLESS = frozenset(("-l", "-L", "--list", "--table", "-V", "--version", "--help", "-h"))


def kill(call: Call) -> Found:
    words = call.argv[1:]
    if not words or words[0] in _HARMLESS:
        return
    signal, targets = _kill_words(words)
    if signal in ("0", "EXIT") or not targets:
        return
    for target in filter(None, targets):
        yield _killed(target)


def _kill_words(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The signal and whom it is for; `kill -1` alone is taken for everybody, as some shells do."""
    first = words[0]
    if first in ("-s", "-n", "--signal", "-q", "--queue"):
        signal, targets = (words[1] if len(words) > 1 else ""), words[2:]
    elif first.startswith(("--signal=", "--queue=")):
        signal, targets = first.partition("=")[2], words[1:]
    elif first.startswith("-") and first != "--" and (len(words) > 1 or first == "-0"):
        signal, targets = first.lstrip("-sn"), words[1:]
    else:
        signal, targets = "", words
    return signal, [word for word in targets if word != "--" and word not in ("-a", "--all", "-p", "--pid")]


def _killed(target: str) -> Signals:
    if target in _ALL:
        return Signals("everything", target)
    own = target.startswith("%") or target.lstrip("-") == STAR
    return Signals("own" if own else "process", target)


_PKILL = options(
    flags="aceflnoxLIvwA",
    values="gGPstuUFrOMNX",
    long_flags="full exact newest oldest ignore-case echo count inverse lightweight list-name "
    "list-full help "
    "version require-handler queue-all ignore-ancestors",
    long_values="signal pgroup group parent session terminal euid uid pidfile runstates older "
    "ns nslist cgroup "
    "env queue",
)
_KILLALL = options(
    flags="egiIlqrvVwmdDhzc",
    values="snuyotZj",
    long_flags="exact ignore-case process-group interactive list quiet regexp verbose version wait help",
    long_values="signal user younger-than older-than ns context",
)
_BY_OWNER = (
    "-u",
    "-U",
    "--euid",
    "--uid",
    "--user",
    "-t",
    "--terminal",
    "-g",
    "--pgroup",
    "-s",
    "--session",
    "-G",
    "--group",
)
_TESTING = frozenset(("-0", "--signal=0"))


def _unsignalled(call: Call) -> list[str]:
    """The words without `-9` and `-TERM`, whose letters are no options."""
    return [word for word in call.argv[1:] if not (word[:1] == "-" and _is_signal(word[1:]))]


def _is_signal(name: str) -> bool:
    return name.isdigit() or (len(name) > 2 and name.isalnum() and name.isupper())


def pkill(call: Call) -> Found:
    """By pattern: one that fits all names, or none besides an owner, means everything."""
    given = read(_unsignalled(call), _PKILL)
    if any(word in _TESTING for word in call.argv) or given.value("--signal") == "0":
        return
    if given.has("--help", "--version", "-V", "-h"):
        return
    owners = [value for name, value in given.options if name in _BY_OWNER]
    parents = given.all("-P", "--parent")
    patterns = given.operands
    if given.has("--inverse", "-v") or any(_wide(pattern) for pattern in patterns):
        yield Signals("everything", " ".join(patterns))
    elif patterns:
        yield Signals("named", " ".join(patterns))
    elif parents and not owners:
        yield Signals("own" if all(one == STAR for one in parents) else "named", " ".join(parents))
    elif owners:
        yield Signals("everything", " ".join(owners))
    elif given.options:
        yield Signals("named", "")


def _wide(pattern: str) -> bool:
    return pattern in _WIDE or (certain(pattern) and len(pattern) == 1)


def killall(call: Call) -> Found:
    given = read(_unsignalled(call), _KILLALL)
    listing = given.has("-l", "--list", "-V", "--version", "--help")
    if listing or any(word in _TESTING for word in call.argv) or given.value("-s", "--signal") == "0":
        return
    names = given.operands
    users = given.has("-u", "--user")
    pattern = given.has("-r", "--regexp", "-m")
    if (users and not names) or (pattern and any(_wide(name) for name in names)):
        yield Signals("everything", given.value("-u", "--user") or " ".join(names))
    elif names:
        yield Signals("named", " ".join(names))


def everything(call: Call) -> Found:
    if not any(word in _HARMLESS for word in call.argv[1:]):
        yield Signals("everything", call.name)


def xkill(call: Call) -> Found:
    yield Signals("everything" if any(word in ("-a", "-all") for word in call.argv) else "named", call.name)


_FUSER = options(
    flags="kimMuvaclsIV46", values="nN", long_flags="kill interactive mount", long_values="namespace"
)


def fuser(call: Call) -> Found:
    """Who uses a file or a port; with -k they are ended, with -m everybody on its file system."""
    given = read(call.argv[1:], _FUSER)
    if given.has("-k", "--kill"):
        mounted = given.has("-m", "-c", "--mount", "-M")
        yield Signals("everything" if mounted else "named", " ".join(given.operands))


def taskkill(call: Call) -> Found:
    words = [word.lower().lstrip("/-") for word in call.argv[1:]]
    if words and "?" not in words:
        yield Signals("everything" if "*" in words else "named", " ".join(call.argv[1:]))


def named(call: Call) -> Found:
    """Programs that end whatever they are told of."""
    given = read(call.argv[1:], options())
    if given.operands:
        yield Signals("named", " ".join(given.operands))


def _skill(call: Call) -> Found:
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if any(word in ("-l", "-L", "-n") for word in call.argv[1:]) or not words:
        return
    yield Signals(
        "everything" if any(word in ("-u", "-t") for word in call.argv) else "named", " ".join(words)
    )


READERS: Mapping[str, Reader] = {
    "kill": kill,
    "pkill": pkill,
    "zkill": pkill,
    "killall": killall,
    "killall5": everything,
    "skill": _skill,
    "snice": _skill,
    "xkill": xkill,
    "fuser": fuser,
    "taskkill": taskkill,
    "tskill": named,
    "kill-port": named,
    "fkill": named,
    "tkill": named,
    "pkillall": named,
    "stop-process": named,
}
