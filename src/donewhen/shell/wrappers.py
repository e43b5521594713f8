"""Programs that run the words after them: how their options are read, and what 0 from them means.

Data only. A program that is missing here is not a wrapper for the trees; a row that doesn't return its
child's status says so, because a 0 from it proves nothing.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.shell.options import Options


class Wrapper(NamedTuple):
    options: Options = Options()
    operands: int = 0  # words of its own before the command
    assigns: bool = False  # NAME=value words may come first
    joined: bool = False  # the words are one text for a shell
    keeps: bool = True  # returns its child's status
    keeps_with: frozenset[str] = frozenset()  # only with one of these
    drops_with: frozenset[str] = frozenset()  # not with one of these
    elsewhere: bool = False
    elsewhere_with: frozenset[str] = frozenset()
    idle_with: frozenset[str] = frozenset()  # runs nothing
    folder: frozenset[str] = frozenset()
    home_with: frozenset[str] = frozenset()  # starts in the home folder
    in_operand: bool = False  # its first own word is a folder whose settings it takes
    sets: frozenset[str] = frozenset()  # options whose value is NAME=value for the command
    text: frozenset[str] = frozenset()  # options whose value is a text for a shell
    shell_with: frozenset[str] = frozenset()  # without command: a shell that reads its input
    own_shell: bool = False


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def row(
    flags: str = "", values: str = "", long_flags: str = "", long_values: str = "", attached: str = "",
    numbers: bool = False, pairs: str = "", operands: int = 0, assigns: bool = False, joined: bool = False,
    keeps: bool = True, elsewhere: bool = False, own_shell: bool = False, in_operand: bool = False,
    **sets: str,
) -> Wrapper:  # fmt: skip
    options = Options(
        flags,
        values,
        attached,
        _names(long_flags) | {"help", "version"},
        _names(long_values),
        numbers,
        _names(pairs),
    )
    named = {name: _names(text) for name, text in sets.items()}
    named["idle_with"] = named.get("idle_with", frozenset()) | {"--help", "--version"}
    return Wrapper(
        options,
        operands,
        assigns,
        joined,
        keeps,
        elsewhere=elsewhere,
        own_shell=own_shell,
        in_operand=in_operand,
        **named,
    )


_PLAIN = row()

WRAPPERS: Mapping[str, Wrapper] = {
    "nohup": _PLAIN,
    "builtin": _PLAIN,
    "winpty": row(flags="X", long_flags="mouse"),
    "catchsegv": _PLAIN,
    "eatmydata": _PLAIN,
    "nocache": row(values="n", flags="fD"),
    "fakeroot": row(flags="hvu", values="lsibf", long_flags="unknown-is-real", long_values="lib faked"),
    "busybox": _PLAIN,
    "toybox": _PLAIN,
    "torsocks": row(flags="ih", values="uaP"),
    "proxychains": row(flags="q", values="f"),
    "proxychains4": row(flags="q", values="f"),
    "gamemoderun": _PLAIN,
    "prime-run": _PLAIN,
    "faketty": _PLAIN,
    "rlwrap": row(flags="aAcEhiImMnNopPqrRsStTvwXzZ", values="bCdDefFgHlO"),
    "annotate-output": row(flags="+h"),
    "chronic": row(flags="ev"),
    "ifne": row(flags="n", keeps=False),
    "unbuffer": row(flags="p", drops_with="-p"),
    "env": row(
        flags="i0v", values="uCSPaLU", assigns=True, folder="-C --chdir", text="",
        long_flags="ignore-environment null debug block-signal default-signal ignore-signal "
            "list-signal-handling",
        long_values="unset chdir split-string argv0",
    ),
    "sudo": row(
        flags="AbBEeHiKklNnPSsVv", values="CDghpRrtTUu", assigns=True, folder="-D --chdir",
        long_flags="askpass background bell preserve-env edit set-home login remove-timestamp "
            "reset-timestamp list "
        "non-interactive no-update preserve-groups stdin shell validate",
        long_values="close-from chdir group host prompt chroot role type command-timeout other-user user",
        drops_with="-b --background", elsewhere_with="-R --chroot", home_with="-i --login",
        idle_with="-e --edit -l --list -V -v --validate -K --remove-timestamp", shell_with="-s --shell -i "
            "--login",
    ),
    "doas": row(flags="Lns", values="aCu", assigns=True, shell_with="-s", idle_with="-L -C"),
    "pkexec": row(long_flags="disable-internal-agent keep-cwd", long_values="user"),
    "gosu": row(operands=1),
    "su-exec": row(operands=1),
    "setuidgid": row(operands=1),
    "setpriv": row(flags="d", long_flags="dump clear-groups keep-groups init-groups reset-env "
        "no-new-privs nnp",
        long_values="ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups securebits "
            "pdeathsig "
        "selinux-label apparmor-profile"),
    "nice": row(values="n", long_values="adjustment", numbers=True),
    "ionice": row(flags="t", values="cnpPu", long_flags="ignore", long_values="class classdata pid pgid uid",
        idle_with="-p -P -u --pid --pgid --uid"),
    "timeout": row(flags="fpv", values="ks", long_flags="foreground preserve-status verbose",
        long_values="kill-after signal", operands=1),
    "gtimeout": row(flags="fpv", values="ks", long_flags="foreground preserve-status verbose",
        long_values="kill-after signal", operands=1),
    "stdbuf": row(values="ioe", long_values="input output error"),
    # Without --wait it may fork and return 0 at once.
    "setsid": row(flags="cfw", long_flags="ctty fork wait", keeps_with="-w --wait"),
    "chrt": row(flags="abdfimorvRe", values="TPDp", operands=1, idle_with="-p --pid -m --max",
        long_flags="all-tasks batch deadline ext fifo idle max other rr reset-on-fork verbose",
        long_values="sched-runtime sched-period sched-deadline pid"),
    "taskset": row(flags="acp", long_flags="all-tasks cpu-list pid", operands=1, idle_with="-p --pid"),
    "numactl": row(flags="alsH", values="CcNmpPSi", long_flags="all localalloc show hardware huge touch",
        long_values="interleave membind cpunodebind physcpubind preferred preferred-many "
            "weighted-interleave balancing"),
    "prlimit": row(values="p", long_flags="noheadings raw verbose", long_values="pid output",
        idle_with="-p --pid",
        attached="cdefilmnqrstuvxy"),
    "choom": row(values="np", long_values="adjust pid", idle_with="-p --pid"),
    "cgexec": row(values="g", long_flags="sticky"),
    "setarch": row(flags="RFZLXBITS3v", operands=1, long_flags="addr-no-randomize 3gb 4gb uname-2.6 verbose"),
    "linux32": row(flags="RFZLXBITS3v"),
    "linux64": row(flags="RFZLXBITS3v"),
    "time": row(flags="apvVqlh", values="fo", long_flags="append portability verbose quiet",
        long_values="format output"),
    "gtime": row(flags="apvVqlh", values="fo", long_flags="append portability verbose quiet",
        long_values="format output"),
    "exec": row(flags="cl", values="a"),
    "command": row(flags="pvV", idle_with="-v -V"),
    "noglob": _PLAIN,
    "nocorrect": _PLAIN,
    "eval": row(joined=True),
    "watch": row(flags="bcCdefgprtwx", values="nqs", joined=True, keeps=False, own_shell=True,
        long_flags="beep color no-color differences errexit chgexit exec precise no-rerun no-title "
            "no-wrap follow",
        long_values="interval equexit shotsdir"),
    "strace": row(flags="AcCdDfFhiknNqrtTvVwxyYzZ", values="aeEbIoOpPsSuUX", drops_with="-D -p --daemonize",
        sets="-E --env", long_flags="follow-forks output-separately summary-only summary absolute-timestamps "
        "relative-timestamps syscall-times instruction-pointer no-abbrev successful-only failed-only "
        "daemonize quiet",
        long_values="output trace attach env user columns string-limit"),
    "ltrace": row(flags="bcCdfhiLrStTV", values="aADeFlnopsuwx", keeps=False),
    "valgrind": row(flags="qvdh", long_flags="quiet verbose leak-check track-origins", long_values=""),
    "faketime": row(flags="mpfv", long_flags="exclude-monotonic", operands=1),
    "caffeinate": row(flags="dimsu", values="tw"),
    "systemd-inhibit": row(long_flags="list no-pager no-legend", long_values="what who why mode",
        idle_with="--list"),
    "xvfb-run": row(flags="alh", values="efnpsw", long_flags="auto-servernum auto-display listen-tcp",
        long_values="error-file auth-file server-num xauth-protocol server-args wait"),
    "dbus-run-session": row(long_values="config-file dbus-daemon"),
    "cross-env": row(assigns=True),
    "env-cmd": row(values="fer", long_flags="fallback no-override silent verbose",
        long_values="file environments rc-file"),
    "cross-env-shell": row(assigns=True, joined=True, own_shell=True),
    "envdir": row(operands=1),
    "dumb-init": row(flags="cvhV", values="r", long_flags="single-child verbose", long_values="rewrite"),
    "tini": row(flags="hsvwg", values="pe", drops_with="-e"),
    "entr": row(flags="acdnprsxz", keeps=False),
    "sshpass": row(flags="ehVv", values="fdpP"),
    "chroot": row(elsewhere=True, operands=1, long_flags="skip-chdir", long_values="userspec groups"),
    "unshare": row(flags="mupinUCTfrcS", values="RwG", elsewhere=True,
        long_flags="fork map-root-user map-current-user map-auto keep-caps mount-proc mount uts ipc net "
            "pid user "
        "cgroup time kill-child", long_values="root wd setuid setgid propagation map-user map-group "
        "map-users "
        "map-groups setgroups monotonic boottime"),
    "nsenter": row(flags="aFZce", values="tSG", attached="mupinUCTrw", elsewhere=True,
        long_flags="all no-fork mount uts ipc net pid user cgroup time root wd preserve-credentials "
            "follow-context env",
        long_values="target setuid setgid"),
    "systemd-run": row(flags="qtPGdSrC", values="upEHM", elsewhere_with="-H -M --host --machine",
        long_flags="scope user system wait pty pipe quiet collect same-dir shell remain-after-exit "
            "no-block slice-inherit "
        "no-ask-password send-sighup expand-environment",
        long_values="unit property description slice service-type uid gid nice working-directory setenv "
            "host machine "
        "on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property "
        "path-property "
        "socket-property", keeps_with="--scope --wait -P --pipe -t --pty", sets="-E --setenv",
        folder="--working-directory"),
    "bwrap": row(elsewhere=True,
        long_flags="unshare-all share-net unshare-user unshare-user-try unshare-ipc unshare-pid "
            "unshare-net unshare-uts "
        "unshare-cgroup unshare-cgroup-try clearenv die-with-parent new-session as-pid-1 disable-userns",
        long_values="args userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd "
            "remount-ro exec-label "
        "file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd block-fd userns-block-fd info-fd "
        "json-status-fd "
        "cap-add cap-drop perms size tmp-overlay ro-overlay overlay-src argv0",
        pairs="setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd file "
            "bind-data "
        "ro-bind-data symlink chmod", folder="--chdir"),
    "wine": row(elsewhere=True),
    "wine64": row(elsewhere=True),
    "retry": row(values="tmsfdn", flags="v", keeps=False, long_values="times min-sleep max-sleep delay"),
}  # fmt: skip

# Programs whose first operand decides: only after that one do the words of the command come.
SUBCOMMANDS: Mapping[str, Mapping[str, Wrapper]] = {
    "perf": {
        "stat": row(flags="avdnABgixIhT", values="eprtCGoxDI", long_flags="verbose all-cpus no-inherit "
            "big-num detailed "
            "append per-core per-socket table", long_values="event pid tid repeat cpu output log-fd pre post",
            drops_with="-p -t --pid --tid"),
        "record": row(flags="agvqRsdTNGDi", values="eptrcoFmCGuW", keeps=False,
            long_flags="all-cpus call-graph", long_values="event pid tid output freq count"),
        "trace": row(flags="asSvfTF", values="eoptuCm", keeps=False),
    },
    "direnv": {"exec": row(operands=1, in_operand=True)},
    "dotenv": {"run": row(long_flags="override no-override")},
    "mise": {"exec": row(values="c", text="-c --command", long_values="command"),
        "x": row(values="c", text="-c --command", long_values="command")},
    "asdf": {"exec": _PLAIN},
    "pyenv": {"exec": _PLAIN},
    "rbenv": {"exec": _PLAIN},
    "nodenv": {"exec": _PLAIN},
    "nvm": {"exec": row(operands=1, long_flags="silent"), "run": row(operands=1, keeps=False)},
    "fnm": {"exec": row(long_values="using")},
    "volta": {"run": row(long_values="node npm yarn pnpm bundled-npm", long_flags="no-yarn")},
    "conda": {"run": row(flags="v", values="np", long_flags="no-capture-output live-stream dev "
        "debug-wrapper-scripts",
        long_values="name prefix cwd", folder="--cwd")},
    "mamba": {"run": row(flags="v", values="np", long_flags="no-capture-output live-stream",
        long_values="name prefix cwd", folder="--cwd")},
    "micromamba": {"run": row(flags="vd", values="nprea", long_flags="detach clean-env", drops_with="-d "
        "--detach",
        long_values="name prefix cwd env attach label", folder="--cwd")},
    "op": {"run": row(long_flags="no-masking", long_values="env-file account")},
    "doppler": {"run": row(values="pc", long_values="project config command", text="--command",
        long_flags="preserve-env")},
    "infisical": {"run": row(long_values="env path projectId token command", text="--command")},
    "aws-vault": {"exec": row(flags="nj", values="d", operands=1, long_flags="no-session json server "
        "ecs-server lazy",
        long_values="duration region")},
    "chamber": {"exec": row(operands=1)},
    "multipass": {"exec": row(operands=1, elsewhere=True, values="d", long_values="working-directory",
        folder="-d --working-directory")},
    "lxc": {"exec": row(operands=1, elsewhere=True, flags="tTn", long_values="env cwd user group mode",
        folder="--cwd", sets="--env")},
    "incus": {"exec": row(operands=1, elsewhere=True, flags="tTn", long_values="env cwd user group mode",
        folder="--cwd", sets="--env")},
    "toolbox": {"run": row(elsewhere=True, values="cdr", long_values="container distro release")},
    "distrobox": {"enter": row(elsewhere=True, flags="vrT", values="na", operands=0,
        long_values="name additional-flags", long_flags="root no-tty clean-path")},
    "limactl": {"shell": row(elsewhere=True, operands=1, long_values="workdir shell", folder="--workdir")},
}  # fmt: skip

# Options before the subcommand that take a value.
GLOBAL_VALUES: Mapping[str, str] = {
    "dotenv": "-f -q -e --file --quote", "mise": "-C --cd -E --env", "op": "--account",
    "doppler": "--token", "direnv": "",
}  # fmt: skip
