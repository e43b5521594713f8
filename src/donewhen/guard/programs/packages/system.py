"""Package managers of the system and of tool versions: what they install is not the project's.

Verbs that list, search and show are ordinary. Managers that choose by letters (`pacman -Syu`, `dpkg -i`) are
read by these.
"""

import re
from collections.abc import Mapping

from donewhen.guard.call import Reader, Text
from donewhen.guard.effects import Alters, Fetches, Installs, Persists, Reads
from donewhen.guard.marks import BELOW
from donewhen.guard.programs.packages.acts import ACTS, source
from donewhen.guard.programs.packages.engine import Act, Found, Manager, Turn, manager, reader, verbs


def apt_install(turn: Turn) -> Found:
    """Also what its settings would run before and behind (`-o APT::Update::Pre-Invoke::=…`)."""
    given = turn.given
    for value in given.all("-o", "--option"):
        key, _, text = value.partition("=")
        if "invoke" in key.lower() or ("dpkg::options" not in key.lower() and "::run" in key.lower()):
            yield Text(text, turn.call.name)
    for path in given.all("-c", "--config-file"):
        yield Reads(turn.call.at(path))
        yield Alters(f"{turn.call.name} -c")
    if not given.has("-s", "--simulate", "--just-print", "--dry-run", "--print-uris", "--help"):
        yield Installs(turn.call.name, "system", source(given.operands))


def apt_download(turn: Turn) -> Found:
    yield Fetches("packages", f"{turn.call.folder}/{BELOW}")


def services(turn: Turn) -> Found:
    yield Persists(f"{turn.call.name} {turn.verb}")


_NIX_PATH = re.compile(r"(?<![\w/.:])(?:~|\.{0,2})/[\w./+-]{1,500}")


def nix_expression(turn: Turn) -> Found:
    """Paths in an expression may be read, or copied to where everybody reads."""
    for text in turn.given.all("--expr", "-E", "--apply"):
        yield from (Reads(turn.call.at(found)) for found in _NIX_PATH.findall(text))


def softwareupdate(turn: Turn) -> Found:
    if turn.given.has("-i", "-a", "--install", "-r", "-ia", "--all"):
        yield Installs("softwareupdate", "system")


_ACTS: Mapping[str, Act] = {
    **ACTS,
    "apt": apt_install,
    "download": apt_download,
    "services": services,
    "softwareupdate": softwareupdate,
    "nix_expression": nix_expression,
}
_APT = manager(
    values="-o -c -t --option --config-file --target-release -a --host-architecture",
    verbs=verbs(
        apt="install remove purge update upgrade full-upgrade dist-upgrade autoremove autopurge "
        "build-dep clean autoclean reinstall "
        "satisfy edit-sources dselect-upgrade hold unhold safe-upgrade add",
        download="download source",
        _="list search show policy depends rdepends showsrc madison changelog help showpkg "
        "stats dump check moo pkgnames",
    ),
)
_YUM = manager(
    values="-c -x --enablerepo --disablerepo --releasever --installroot --setopt --config",
    verbs=verbs(
        system="install remove erase update upgrade reinstall downgrade localinstall groupinstall "
        "groupremove group distro-sync "
        "swap autoremove module builddep config-manager copr clean makecache mark",
        download="download",
        _="list search info provides whatprovides repolist repoquery check-update history "
        "deplist check help repoinfo",
    ),
)
_TABLES: Mapping[str, Manager] = {
    **dict.fromkeys(("apt", "apt-get", "aptitude", "apt-fast", "nala", "apt-mark"), _APT),
    **dict.fromkeys(("yum", "dnf", "dnf5", "microdnf", "tdnf", "urpmi"), _YUM),
    "brew": manager(
        values="--prefix-of --require-sha --appdir",
        verbs={
            **verbs(
                system="install uninstall remove rm upgrade reinstall tap untap link ln unlink cleanup "
                "autoremove pin unpin bundle "
                "postinstall migrate update up switch cask tap-new extract create edit "
                "install-bundler-gems update-reset",
                _="list ls search info home homepage config doctor outdated deps uses leaves desc cat "
                "log commands help formulae casks "
                "--prefix --cellar --cache --version --repository missing options analytics shellenv "
                "tap-info which-formula audit style livecheck",
                download="fetch",
                run="exec sh",
            ),
            "services": {**verbs(services="start stop restart run kill cleanup", _="list info")},
        },
    ),
    "apk": manager(
        values="-p -X -t --root --repository --virtual",
        verbs=verbs(
            system="add del upgrade update fix cache",
            download="fetch",
            _="info search list policy dot audit index stats version verify manifest",
        ),
    ),
    "zypper": manager(
        verbs=verbs(
            system="install in remove rm update up dist-upgrade dup patch refresh ref addrepo ar "
            "removerepo rr source-install si verify addlock al",
            _="search se info if list-updates lu repos lr packages pa patterns pt products pd "
            "what-provides wp help",
        )
    ),
    "snap": manager(
        verbs=verbs(
            system="install remove refresh revert enable disable connect disconnect set unset switch "
            "alias unalias start stop restart login logout ack",
            publish="push upload release",
            _="list find info changes tasks known services interfaces connections get logs version "
            "whoami help warnings",
            download="download",
            run="run",
        )
    ),
    "flatpak": manager(
        verbs=verbs(
            system="install uninstall remove update remote-add remote-delete override mask repair config",
            run="",
            _="list search info remotes remote-ls history ps permissions run",
        )
    ),
    "port": manager(
        verbs=verbs(
            system="install uninstall upgrade selfupdate sync activate deactivate clean select reclaim",
            _="list search info installed outdated deps contents variants provides echo help",
        )
    ),
    "choco": manager(
        verbs=verbs(
            system="install uninstall upgrade pin source feature config cinst",
            publish="push",
            _="list search info outdated find help pack new",
        )
    ),
    "winget": manager(
        verbs=verbs(
            system="install uninstall upgrade add remove rm update import settings source pin configure",
            download="download",
            _="list search show find ls features hash validate export view",
        )
    ),
    "scoop": manager(
        verbs=verbs(
            user="install uninstall update bucket reset hold unhold alias config cleanup cache",
            _="list search info status which home cat help export depends prefix",
        )
    ),
    "pkg": manager(
        verbs=verbs(
            system="install add delete remove update upgrade autoremove bootstrap clean lock unlock set",
            download="fetch",
            _="info search query list-all list-installed show files which version stats check audit help",
        )
    ),
    "eopkg": manager(
        verbs=verbs(
            system="install it remove rm upgrade up update-repo ur add-repo ar",
            _="list-installed li search sr info",
        )
    ),
    "guix": manager(
        verbs=verbs(
            user="install remove upgrade pull package system home gc deploy",
            _="search show describe build environment shell size graph lint",
        )
    ),
    "mas": manager(
        verbs=verbs(
            system="install purchase upgrade uninstall lucky reset signin signout",
            _="list search info outdated account version home open",
        )
    ),
    "tlmgr": manager(verbs=verbs(system="install remove update option path", _="info search list show")),
    "softwareupdate": manager(verbs={}, bare="softwareupdate", other="system"),
    "nix": manager(
        values="--profile -f -I --store --expr -E --apply --out-link -o",
        verbs={
            **verbs(
                nix_expression="eval build shell develop run repl",
                _="flake search show-config log why-depends path-info hash fmt print-dev-env store doctor",
                user="upgrade-nix",
            ),
            "profile": verbs(
                user="install add remove upgrade rollback wipe-history", _="list history diff-closures"
            ),
            "registry": verbs(alter="add remove pin", _="list"),
            "channel": verbs(user="", _="list"),
        },
    ),
    **dict.fromkeys(
        ("nix-instantiate", "nix-build", "nix-shell"),
        manager(
            values="--expr -E -A -p -I --attr --arg --argstr --run --command -o --out-link",
            runs="--run --command",
            verbs={},
            bare="nix_expression",
            other="nix_expression",
        ),
    ),
    "nix-channel": manager(verbs={}, bare="alter", other="alter"),
    # versions of tools, in the user's folder
    "asdf": manager(
        verbs={
            **verbs(
                user="install uninstall global reshim update",
                _="current list which where latest local set shell exec env info help version",
            ),
            "plugin": verbs(user="add remove update", _="list"),
            "plugin-add": "user",
        }
    ),
    "mise": manager(
        values="-C --cd -E --env",
        verbs={
            **verbs(
                user="install i use u uninstall upgrade up self-update implode global plugins-install trust",
                _="run r exec x ls list current which where doctor env en tasks local set unset version "
                "latest ls-remote outdated watch activate cfg config reshim shell fmt generate task",
            ),
            "plugins": verbs(user="install uninstall update add", _="ls ls-remote"),
            "settings": {**verbs(alter="set unset add", _="ls get")},
        },
    ),
    "nvm": manager(
        verbs=verbs(
            user="install uninstall alias unalias reinstall-packages install-latest-npm migrate-packages",
            _="use ls list ls-remote current version which run exec version-remote cache deactivate",
        )
    ),
    "fnm": manager(
        verbs=verbs(
            user="install uninstall default alias unalias",
            _="use list ls list-remote ls-remote current env exec completions",
        )
    ),
    "volta": manager(
        verbs=verbs(user="install uninstall fetch setup", install="pin", _="list ls which run completions")
    ),
    "n": manager(
        verbs=verbs(
            _="ls list ls-remote lsr which bin run exec doctor --version",
            user="rm prune uninstall lts latest",
        ),
        other="user",
    ),
    "sdk": manager(
        verbs=verbs(
            user="install uninstall default upgrade update selfupdate flush config rm i",
            _="use list ls current version env home offline help u",
        )
    ),
    "pyenv": manager(
        verbs=verbs(
            user="install uninstall global update rehash",
            _="versions version local shell which whence root exec prefix init commands virtualenvs "
            "virtualenv-init virtualenv activate deactivate latest hooks",
        )
    ),
    **dict.fromkeys(
        ("rbenv", "nodenv", "goenv", "jenv", "phpenv", "plenv", "tfenv", "tfswitch", "tenv"),
        manager(
            verbs=verbs(
                user="install uninstall global rehash add remove use",
                _="versions version local shell which whence root exec prefix init commands list "
                "list-remote pin",
            )
        ),
    ),
    "rvm": manager(
        verbs=verbs(
            user="install remove uninstall upgrade get implode gemset alias --default",
            _="list use current info version",
            skip_one_and_run="do",
        )
    ),
    "ghcup": manager(verbs=verbs(user="install set rm upgrade unset compile nuke", _="list whereis run tui")),
    "juliaup": manager(verbs=verbs(user="add remove rm update up default link self", _="status st list")),
    "proto": manager(
        verbs=verbs(
            user="install i uninstall ui upgrade up", _="list ls bin run r status versions use pin alias"
        )
    ),
    "krew": manager(verbs=verbs(user="install uninstall upgrade update", _="list search info")),
    "apm": manager(
        verbs=verbs(user="install uninstall upgrade", publish="publish unpublish", _="list search view")
    ),
}
READERS: Mapping[str, Reader] = {name: reader(table, _ACTS) for name, table in _TABLES.items()}
