"""This machine: processes, services, jobs that stay, disks, accounts, keys.

Looking is ordinary. What stays after the command, reaches other processes or changes the machine is said.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Alters, Deletes, Effect, Persists, Reads, Writes
from donewhen.guard.options import options, read
from donewhen.guard.programs.machine import mac as machine_mac
from donewhen.guard.programs.machine import signals as machine_signals
from donewhen.guard.programs.machine import terminals as machine_terminals
from donewhen.guard.programs.rows import of_project

Found = Iterator[Effect | Nested]
_CRONTAB = options(flags="lerivns", values="ucT")
_AT = options(flags="mMlbvkVrd", values="fqtc")


def crontab(call: Call) -> Found:
    given = read(call.argv[1:], _CRONTAB)
    if given.has("-l", "-V", "-T") and not given.has("-r", "-e"):
        return
    for path in given.operands:
        if path != "-":
            yield Reads(call.at(path))
    if given.operands or given.has("-e", "-r") or call.stdin is not None:
        yield Persists("crontab")


def at(call: Call) -> Found:
    """A job for later; what it will run is judged as well."""
    given = read(call.argv[1:], _AT)
    if given.has("-l", "-c", "-V", "-b") and not given.operands:
        return
    if given.has("-r", "-d"):
        yield Alters("at -r")
        return
    path = given.value("-f")
    if path:
        yield Reads(call.at(path))
    yield Persists(call.name)
    if call.stdin is not None:
        yield Text(call.stdin, call.name)


_ORDINARY_IP = frozenset("show list ls get lst s sh sho lis monitor help".split())


def ip(call: Call) -> Found:
    """`ip [options] object [verb]`: without a verb it lists."""
    words = read(call.argv[1:], options(values="nlfBrc", single="family netns batch", first=True)).operands
    if any(word in ("-b", "-batch", "-B") for word in call.argv[1:]):
        yield Alters("ip -batch")
    verb = words[1] if len(words) > 1 else ""
    if verb and verb not in _ORDINARY_IP:
        yield Alters(" ".join(("ip", *words[:3])))


def date(call: Call) -> Found:
    """The clock is set by an option, or by digits as the only word."""
    setting = ("-s", "--set")
    for number, word in enumerate(call.argv[1:], 1):
        bare = word.isdigit() and len(word) >= 8 and call.argv[number - 1] not in _DATE_VALUES
        if word in setting or word.startswith("--set=") or (word.startswith("-s") and len(word) > 2) or bare:
            yield Alters("date")
    given = read(call.argv[1:], _DATE)
    yield from (Reads(call.at(path), names=True) for path in given.all("-r", "--reference") if path)
    yield from (Reads(call.at(path)) for path in given.all("-f", "--file") if path not in ("", "-"))


_DATE = options("uRj", "dfrsv", "utc universal rfc-email debug", "date file reference set", attached="I")
_DATE_VALUES = frozenset(("-d", "--date", "-r", "--reference", "-f", "--file", "-v", "-I"))


def service(call: Call) -> Found:
    words = [word for word in call.argv[1:] if word[:1] != "-"]
    if of_project(call):
        return
    if "--status-all" in call.argv or len(words) < 2 or words[1] in ("status", "describe"):
        return
    if any(word in ("enable", "add") for word in words):
        yield Persists(" ".join((call.name, *words[:2])))
    else:
        yield Alters(" ".join((call.name, *words[:2])))


_KEYGEN = options(flags="AceghHikKlLoqQuvxXyBUp", values="bCDEfFGIJjmMNnOPRrSsTtVWwYZza")
_KINDS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")


def ssh_keygen(call: Call) -> Found:
    """Keys are written to -f, or into the home folder."""
    given = read(call.argv[1:], _KEYGEN)
    home = f"{call.ground.home}/.ssh"
    path = given.value("-f")
    if given.has("-R", "-H"):
        yield Writes(call.at(path) if path else f"{home}/known_hosts")
        return
    file = call.at(path) if path else f"{home}/{_KINDS[3]}"
    if given.has("-l", "-F", "-Q", "-B", "-L"):
        yield from (Reads(file, names=True),) if path else ()
    elif given.has("-y", "-e", "-i", "-Y"):
        yield Reads(file)
    elif given.has("-A", "-s", "-k"):
        yield Alters("ssh-keygen")
    else:
        yield Writes(file)
        yield Writes(f"{file}.pub")


def ssh_add(call: Call) -> Found:
    given = read(call.argv[1:], options(flags="cDdKkLlqvXxA", values="EeHhSsTt"))
    if given.has("-l", "-L", "-T"):
        return
    yield Alters("ssh-add")
    for path in given.operands:
        yield Reads(call.at(path), names=given.has("-d"))


def tmpfiles(call: Call) -> Found:
    """systemd-tmpfiles and tmpreaper: files of the whole system are cleaned."""
    operands = read(call.argv[1:], options()).operands
    yield Alters(call.name)
    yield from (Deletes(call.at(word), deep=True) for word in operands if "/" in word)


def logsave(call: Call) -> Found:
    """What a command prints is kept."""
    operands = read(call.argv[1:], options("asv", first=True)).operands
    yield from (Writes(call.at(path)) for path in operands[:1])
    if operands[1:] and operands[1] != "-":
        yield Words(operands[1:], call.name, stdin=call.stdin)


READERS: Mapping[str, Reader] = {
    **machine_mac.READERS,
    **machine_signals.READERS,
    **machine_terminals.READERS,
    "crontab": crontab,
    "at": at,
    "batch": at,
    "anacron": crontab,
    "fcrontab": crontab,
    "ip": ip,
    "date": date,
    "gdate": date,
    "service": service,
    "logsave": logsave,
    "rc-service": service,
    "sv": service,
    "invoke-rc.d": service,
    "svcadm": service,
    "ssh-keygen": ssh_keygen,
    "ssh-add": ssh_add,
    "tmpreaper": tmpfiles,
    "tmpwatch": tmpfiles,
}
