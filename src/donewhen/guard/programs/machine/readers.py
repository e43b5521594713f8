"""This machine: processes, services, jobs that stay, disks, accounts, keys.

Looking is ordinary. What stays after the command, reaches other processes or changes the machine is said.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Alters, Deletes, Effect, Exhausts, Persists, Reads, Signals, Writes
from donewhen.guard.options import options, read
from donewhen.guard.programs.machine import looks as machine_looks
from donewhen.guard.programs.machine import mac as machine_mac
from donewhen.guard.programs.machine import signals as machine_signals
from donewhen.guard.programs.machine import tables as machine_tables
from donewhen.guard.programs.machine import terminals as machine_terminals
from donewhen.guard.programs.machine.looks import of_project
from donewhen.guard.programs.packages.verb_acts import HELP

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


def stress(call: Call) -> Found:
    if len(call.argv) > 1 and not any(word in HELP or word in ("-n", "--dry-run") for word in call.argv):
        yield Exhausts(call.name)


def _jobs_removed(call: Call) -> Found:
    yield Alters(" ".join(call.argv[:2]))


def _nothing(call: Call) -> Found:
    return iter(())


def tmpfiles(call: Call) -> Found:
    """systemd-tmpfiles and tmpreaper: files of the whole system are cleaned."""
    operands = read(call.argv[1:], options()).operands
    yield Alters(call.name)
    yield from (Deletes(call.at(word), deep=True) for word in operands if "/" in word)


def sockets(call: Call) -> Found:
    """Connections are listed; a dump of them may go to a file."""
    given = read(call.argv[1:], options(values="fADFNK", long_values="family query diag filter net"))
    yield from (Writes(call.at(path)) for path in given.all("-D", "--diag") if path not in ("", "-"))
    yield from (Reads(call.at(path)) for path in given.all("-F", "--filter") if path not in ("", "-"))


def ncdu(call: Call) -> Found:
    """Sizes are shown; they may be kept in a file."""
    given = read(call.argv[1:], options("xeqrvh012", "ofXL", "", "exclude exclude-from"))
    yield from (Writes(call.at(path)) for path in given.all("-o") if path != "-")
    yield from (Reads(call.at(path)) for path in given.all("-f", "-X", "--exclude-from") if path != "-")
    yield from (Reads(call.at(path), names=True) for path in given.operands)


def logsave(call: Call) -> Found:
    """What a command prints is kept."""
    operands = read(call.argv[1:], options("asv", first=True)).operands
    yield from (Writes(call.at(path)) for path in operands[:1])
    if operands[1:] and operands[1] != "-":
        yield Words(operands[1:], call.name, stdin=call.stdin)


def exiting(call: Call) -> Found:
    """Sessions that are ended with all that runs in them."""
    yield Signals("everything", call.name)


READERS: Mapping[str, Reader] = {
    **machine_tables.READERS,
    **machine_looks.READERS,
    **machine_mac.READERS,
    **machine_signals.READERS,
    **machine_terminals.READERS,
    "crontab": crontab,
    "at": at,
    "batch": at,
    "atq": _nothing,
    "atrm": _jobs_removed,
    "anacron": crontab,
    "fcrontab": crontab,
    "ip": ip,
    "date": date,
    "gdate": date,
    "service": service,
    "ss": sockets,
    "ncdu": ncdu,
    "logsave": logsave,
    "rc-service": service,
    "sv": service,
    "invoke-rc.d": service,
    "svcadm": service,
    "ssh-keygen": ssh_keygen,
    "ssh-add": ssh_add,
    "stress": stress,
    "stress-ng": stress,
    "tmpreaper": tmpfiles,
    "tmpwatch": tmpfiles,
    "gnome-session-quit": exiting,
    **dict.fromkeys(
        "uptime free vmstat iostat mpstat lscpu lsblk blkid lsusb lspci lsmod uname "
        "arch nproc who w id groups "
        "whoami last lastlog users tty sw_vers system_profiler dmesg top htop btop "
        "sleep usleep sar pstree logname "
        "findmnt lsof netstat vm_stat lslocks lsns ipcs modinfo smartctl sensors "
        "acpi getconf locale tput reset "
        "clear yes".split(),
        _nothing,
    ),
}
