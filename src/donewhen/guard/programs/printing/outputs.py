"""What programs print, so that `$(echo rm)`, `echo cm0= | base64 -d | sh` and `$(git ls-files)` are resolved.

An output is marked text. A program without a row prints something that nobody knows; the walker says so.
"""

from collections.abc import Mapping

from donewhen.guard.call import Call, Output
from donewhen.guard.marks import ENVIRONMENT, HOLE, SECRET, certain
from donewhen.guard.programs.finding import xargs as finding_xargs
from donewhen.guard.programs.printing import decoding
from donewhen.guard.programs.printing import filters as printing_filters
from donewhen.guard.programs.printing import format as printing_format
from donewhen.guard.programs.printing import git as printing_git
from donewhen.guard.programs.printing import names as printing_names
from donewhen.guard.programs.printing import numbers as printing_numbers
from donewhen.guard.programs.printing.lines import bounded, joined, secret_variable, unknown


def _user(call: Call) -> str:
    return call.ground.user + "\n"


def _id(call: Call) -> str:
    return (
        _user(call) if call.argv[1:] in (("-un",), ("-u", "-n"), ("-nu",)) else printing_numbers.number(call)
    )


def _environment(call: Call) -> str:
    """`env` alone; with a command it is a wrapper, and the walker's."""
    return ENVIRONMENT + "\n"


def _printenv(call: Call) -> str:
    names = [word for word in call.argv[1:] if not word.startswith("-")]
    return joined([_variable(call, name) for name in names]) if names else ENVIRONMENT + "\n"


def _variable(call: Call, name: str) -> str:
    if not certain(name):
        return unknown(name) + SECRET
    value = call.env.get(name) or call.ground.variables.get(name)
    if value is None:
        value = {"HOME": call.ground.home, "PWD": call.folder, "USER": call.ground.user}.get(name)
    return SECRET if secret_variable(name) else HOLE if value is None else value


def _declared(call: Call) -> str:
    words = call.argv[1:]
    lists = not words or (words[0][:1] == "-" and "p" in words[0] and len(words) == 1)
    if lists:
        return ENVIRONMENT + "\n"
    return (
        joined([_variable(call, word) for word in words[1:]])
        if "p" in words[0] and words[0][:1] == "-"
        else ""
    )


def _set(call: Call) -> str:
    return "" if call.argv[1:] else ENVIRONMENT + "\n"


def _quiet(call: Call) -> str:
    """Programs that say what they do only when asked."""
    told = any(word[:1] == "-" and ("v" in word or word == "-" or "l" in word) for word in call.argv[1:])
    return HOLE if told else ""


def _yes(call: Call) -> str:
    """Without end; a few lines tell as much as all."""
    return bounded((" ".join(call.argv[1:]) or "y") + "\n")


def _rows(output: Output, names: str) -> dict[str, Output]:
    return dict.fromkeys(names.split(), output)


OUTPUTS: Mapping[str, Output] = {
    **_rows(printing_format.echo, "echo"),
    **_rows(printing_format.printf, "printf"),
    **_rows(printing_filters.cat, "cat gcat"),
    **_rows(printing_filters.passed, "tee pv sponge"),
    **_rows(printing_filters.tac, "tac"),
    **_rows(printing_filters.rev, "rev"),
    **_rows(printing_filters.end, "head ghead tail gtail"),
    **_rows(printing_filters.sort, "sort gsort"),
    **_rows(printing_filters.uniq, "uniq"),
    **_rows(printing_filters.cut, "cut gcut"),
    **_rows(printing_filters.counted, "wc md5sum sha1sum sha256sum sha512sum shasum cksum b2sum"),
    **_rows(printing_filters.mixed, "sed gsed awk gawk mawk nawk expr bc paste nl fold fmt pr "
        "column expand unexpand jq yq od hexdump strings iconv "
        "uudecode join comm split csplit look xmllint envsubst dos2unix unix2dos hd shuf ts m4 rot13"),
    **_rows(printing_filters.tr, "tr gtr"),
    **_rows(printing_names.grep, "grep egrep fgrep ggrep rg ripgrep ag ack"),
    **_rows(decoding.base64, "base64 gbase64"),
    **_rows(decoding.base32, "base32"),
    **_rows(decoding.basenc, "basenc"),
    **_rows(decoding.openssl, "openssl"),
    **_rows(decoding.xxd, "xxd"),
    **_rows(decoding.gzip, "gzip gunzip zcat gzcat bzip2 bunzip2 bzcat xz unxz xzcat pigz unpigz"),
    **_rows(printing_numbers.seq, "seq gseq"),
    **_rows(printing_numbers.date, "date gdate"),
    **_rows(printing_numbers.number, "uname hostname nproc arch tty uptime getconf stty tput "
        "umask uuidgen cksum"),
    **_rows(printing_numbers.nothing, "true : false sleep wait test [ [[ exit return shift read mapfile "
        "readarray"),
    **_rows(_quiet, "cd mkdir touch rm cp mv ln chmod unset kill"),
    **_rows(printing_names.basename, "basename gbasename"),
    **_rows(printing_names.dirname, "dirname gdirname"),
    **_rows(printing_names.realpath, "realpath readlink grealpath greadlink"),
    **_rows(printing_names.pwd, "pwd"),
    **_rows(printing_names.mktemp, "mktemp"),
    **_rows(printing_names.which, "which"),
    **_rows(printing_names.command, "command"),
    **_rows(printing_names.kind, "type"),
    **_rows(printing_names.find, "find gfind"),
    **_rows(printing_names.fd, "fd fdfind"),
    **_rows(printing_names.ls, "ls gls"),
    **_rows(printing_git.git, "git"),
    **_rows(finding_xargs.printed, "xargs gxargs"),
    **_rows(_user, "whoami logname"),
    **_rows(_id, "id"),
    **_rows(_environment, "env"),
    **_rows(_printenv, "printenv"),
    **_rows(_declared, "declare typeset export readonly"),
    **_rows(_set, "set"),
    **_rows(_yes, "yes"),
}  # fmt: skip
