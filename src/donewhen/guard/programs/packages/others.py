"""Managers of languages that need no acts of their own: nothing but tables.

Building and testing are ordinary; what reaches other people or the user's own folders is not.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.effects import (
    Installs,
)
from donewhen.guard.programs.packages.acts import ACTS, source
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs


def pub_global(turn: Turn) -> Found:
    given = turn.given
    yield Installs(turn.call.name, "user", source(given.operands) or given.value("-s", "--source") or "")


_OTHERS: Mapping[str, Manager] = {
    "nuget": manager(
        values="-Source -ApiKey -OutputDirectory",
        verbs=verbs(
            publish="push",
            erase="delete",
            install="install restore update",
            alter="setapikey sources config",
            _="list search pack spec",
        ),
    ),
    "rebar3": manager(
        verbs={
            **verbs(
                install="get-deps upgrade update", _="compile ct eunit dialyzer shell release xref fmt do as"
            ),
            "hex": verbs(publish="publish retire owner", alter="user", _="search build"),
        }
    ),
    "dart": manager(
        verbs={
            **verbs(_="run test analyze format compile create fix doc"),
            "pub": {
                **verbs(
                    publish="publish lish",
                    install="get add remove upgrade downgrade",
                    alter="login logout",
                    _="outdated deps run",
                ),
                "global": verbs(pub_global="activate deactivate", _="list run"),
            },
        }
    ),
    "flutter": manager(
        verbs={
            **verbs(
                _="run test analyze build create doctor devices clean format gen-l10n drive",
                user="upgrade downgrade channel config precache",
            ),
            "pub": {
                **verbs(publish="publish", install="get add remove upgrade downgrade", _="outdated deps run"),
                "global": verbs(pub_global="activate deactivate", _="list run"),
            },
        }
    ),
    "pod": manager(
        verbs={
            **verbs(
                install="install update deintegrate",
                alter="setup",
                _="outdated search list spec lib init env",
            ),
            "trunk": verbs(
                publish="push deprecate add-owner remove-owner", erase="delete", alter="register", _="me info"
            ),
            "repo": verbs(publish="push", alter="add remove", _="list update lint"),
        }
    ),
    "stack": manager(
        verbs=verbs(
            publish="upload",
            install="setup",
            run="exec",
            user="upgrade install update",
            _="build test run ghci bench clean haddock path ls list new init eval templates dot hpc sdist",
        )
    ),
    "cabal": manager(
        verbs=verbs(
            publish="upload report",
            user="install update",
            run="exec",
            _="build test run repl bench clean haddock freeze check configure init list info sdist "
            "fetch outdated",
        )
    ),
    "opam": manager(
        values="--switch",
        verbs={
            **verbs(
                user="install remove upgrade update pin init reinstall",
                publish="publish",
                run="exec",
                _="list show search env var config lint",
            ),
            "switch": verbs(user="create remove set import", _="list show"),
            "repo": verbs(alter="add remove", _="list"),
        },
    ),
    "luarocks": manager(
        values="--tree --server",
        targets="--tree",
        verbs=verbs(
            publish="upload",
            user="install remove make build",
            _="list search show path lint pack config doc test",
        ),
    ),
    "nimble": manager(
        verbs=verbs(
            publish="publish",
            user="install uninstall",
            _="build test run check list search refresh tasks dump init path",
        )
    ),
    "lein": manager(
        verbs=verbs(
            publish="deploy release",
            user="upgrade",
            _="test run deps compile uberjar jar repl new check clean install ring trampoline",
        )
    ),
    "sbt": manager(
        verbs=verbs(
            publish="publish publishSigned +publish +publishSigned sonatypeBundleRelease sonatypeRelease "
            "ci-release release",
            _="test compile run clean package assembly publishLocal scalafmt",
        )
    ),
    "jsr": manager(verbs=verbs(publish="publish", install="add install remove i r", _="info whoami show")),
    "swift": manager(verbs=verbs(_="build test run package repl format")),
    "carthage": manager(verbs=verbs(install="update bootstrap checkout build", _="outdated version")),
    "conan": manager(
        values="-r --remote",
        verbs={
            **verbs(
                install="install",
                publish="upload",
                erase="remove",
                _="create build list search info inspect export graph profile cache source test",
            ),
            "remote": verbs(alter="add remove update login", _="list"),
        },
    ),
    "vcpkg": manager(
        verbs=verbs(install="install remove update upgrade", user="integrate", _="list search version help")
    ),
    "bower": manager(
        verbs=verbs(install="install update uninstall", publish="register unregister", _="list search info")
    ),
    "jpm": manager(verbs=verbs(user="install uninstall", _="build test run")),
    "cpan": manager(verbs={}, other="user"),
    "cpanm": manager(values="-l -L --local-lib", targets="-l -L --local-lib", verbs={}, other="user"),
    "shards": manager(
        verbs=verbs(install="install update prune", _="build check list version init outdated lock")
    ),
    "raco": manager(
        verbs={**verbs(_="test make exe fmt"), "pkg": verbs(user="install remove update", _="show")}
    ),
}

READERS: Mapping[str, Reader] = {
    name: reader(table, {**ACTS, "pub_global": pub_global}) for name, table in _OTHERS.items()
}
