"""gem, bundle, composer, mix and dotnet.

What the project's own tasks do is ordinary; publishing, the user's settings and databases are not.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader, Words
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Fetches,
    Installs,
    Reveals,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW
from donewhen.guard.programs.packages.acts import ACTS, helps, outputs, source
from donewhen.guard.programs.packages.engine import Act, Found, Turn, manager, outside, reader, verbs
from donewhen.guard.programs.packages.scripts import script_of, set_script


def gem_install(turn: Turn) -> Found:
    if helps(turn):
        return
    given = turn.given
    yield Installs("gem", "user", source(given.operands) or given.value("-s", "--source") or "")
    for folder in given.all("-i", "--install-dir", "-n", "--bindir"):
        yield Writes(f"{turn.call.at(folder)}/{BELOW}")


def gem_owner(turn: Turn) -> Found:
    if turn.given.has("-a", "-r", "--add", "--remove"):
        yield from ACTS["publish"](turn)


def gem_sources(turn: Turn) -> Found:
    if turn.given.has("-a", "-r", "-c", "--add", "--remove", "--clear-all"):
        yield Alters("gem sources")


def fetch_file(turn: Turn) -> Found:
    yield Fetches("rubygems.org", turn.call.folder)


def bundle_config(turn: Turn) -> Found:
    if turn.given.has("--global") or (
        len(turn.given.operands) > 1
        and not turn.given.has("--local")
        and turn.given.operands[0] not in ("list", "get")
    ):
        yield Alters("bundle config")


def composer_config(turn: Turn) -> Found:
    given = turn.given
    if given.has("-g", "--global"):
        yield Alters("composer config --global")
    if given.operands:
        name = script_of(given.operands[0])
        if name is not None:
            yield from set_script(name, " ".join(given.operands[1:]))
        elif len(given.operands) > 1 and given.operands[0].startswith(("repositories", "repo.")):
            yield Installs("composer", "project", source(given.operands[1:]) or "repository")


def mix_do(turn: Turn) -> Found:
    """Several tasks, separated by `+` or a comma."""
    one: list[str] = []
    for word in (*turn.rest, "+"):
        ends = word == "+" or word.endswith(",")
        if word != "+":
            one.append(word.rstrip(","))
        if ends and one:
            yield Words(("mix", *one), "mix")
            one = []


def mix_run(turn: Turn) -> Found:
    codes = turn.given.all("-e", "--eval") or (turn.given.operands[:1] if turn.verb == "eval" else ())
    for code in codes:
        if any(name in code for name in _LOSING):
            yield Destroys("database", code[:80], sure=False)
        yield Words(("elixir", "-e", code), "mix")
    if turn.given.has("-r", "--require") or (turn.verb == "eval" and not codes):
        yield Unknown("guard.unknown_code", "mix")


_LOSING = ("delete_all", "update_all", "Repo.delete", "Repo.query", "drop", "truncate", "Ecto.Migrator")


def dotnet_tool(turn: Turn) -> Found:
    given = turn.given
    if helps(turn):
        return
    path = given.value("--tool-path")
    where = "user" if given.has("-g", "--global") else "project"
    yield Installs("dotnet", where, given.value("--add-source", "--source") or "")  # type: ignore[arg-type]
    if path:
        yield Writes(f"{turn.call.at(path)}/{BELOW}")


def dotnet_build(turn: Turn) -> Found:
    """The project is an operand, a file or its folder."""
    yield from outputs(turn)
    for path in (*turn.given.operands, *turn.given.all("--project")):
        if "/" in path:
            file = path.rpartition(".")[2].endswith(("proj", "sln", "slnx"))
            yield from outside(turn.call, turn.call.at(path.rpartition("/")[0] if file else path))


def user_secrets(turn: Turn) -> Found:
    yield Reveals("credential", "dotnet user-secrets list")


def ecto(turn: Turn) -> Found:
    yield Destroys("database", f"mix {turn.verb}", sure=turn.call.env.get("MIX_ENV") != "test")


_ACTS: Mapping[str, Act] = {
    **ACTS,
    "gem_install": gem_install,
    "gem_owner": gem_owner,
    "gem_sources": gem_sources,
    "fetch": fetch_file,
    "bundle_config": bundle_config,
    "composer_config": composer_config,
    "mix_do": mix_do,
    "mix_run": mix_run,
    "dotnet_tool": dotnet_tool,
    "dotnet_build": dotnet_build,
    "secrets": user_secrets,
    "ecto": ecto,
}
_GEM = manager(
    values="-v -s -i -n -P -a -r -k -g --version --source --install-dir --bindir --trust-policy "
    "--add --remove --key --host --otp --file",
    verbs=verbs(
        gem_install="install i update uninstall pristine cleanup",
        publish="push yank",
        gem_owner="owner",
        alter="signin signout",
        gem_sources="sources",
        fetch="fetch",
        run="exec",
        _="build list search environment env which contents info specification spec help "
        "outdated dependency query cert check unpack open stale lock mirror rdoc server",
    ),
)
_BUNDLE = manager(
    values="--gemfile --path --without --with --jobs -j --retry --standalone --binstubs --group "
    "-g --source --git --branch --version",
    targets="--path",
    registries="--source --git",
    verbs=verbs(
        install="install update add remove lock cache package pristine inject",
        run="exec e",
        bundle_config="config",
        _="check outdated show info list clean doctor open platform viz gem binstubs help init "
        "licenses console env version audit fund issue plugin",
    ),
)
_COMPOSER = manager(
    values="-d --working-dir --repository --repository-url -s --stability --prefer-install",
    folders=("-d", "--working-dir"),
    registries="--repository --repository-url",
    verbs=verbs(
        install="install i update u upgrade require r req remove rm uninstall reinstall "
        "create-project dump-autoload dumpautoload bump",
        user="global self-update selfupdate",
        run="exec",
        composer_config="config",
        _="run-script run test validate show info outdated why depends why-not prohibits "
        "licenses check-platform-reqs "
        "clear-cache clearcache diagnose fund home browse init list search status suggests "
        "archive audit about help scripts",
    ),
)
_MIX = manager(
    values="-e -r --eval --require --only --target --organization",
    verbs={
        **verbs(
            publish="hex.publish hex.retire hex.owner",
            alter="hex.user hex.organization hex.config hex.repo",
            install="deps.get deps.update deps.compile deps.clean deps.unlock",
            user="local.hex local.rebar local.phx archive.install archive.uninstall escript.install "
            "escript.uninstall",
            ecto="ecto.drop ecto.reset",
            mix_do="do",
            mix_run="run eval",
            run="cmd",
            _="test format compile credo dialyzer deps deps.tree docs help new phx.server phx.new "
            "phx.routes ecto.create ecto.migrate "
            "ecto.setup ecto.gen.migration ecto.rollback release xref hex.info hex.search "
            "hex.outdated hex.audit hex.build clean",
        ),
    },
)
_DOTNET = manager(
    values="-c -f -r -o -p -v -k -s --configuration --framework --runtime --output --project "
    "--verbosity --filter --logger --source "
    "--api-key --tool-path --version --add-source --configfile --results-directory "
    "--startup-project",
    targets="-o --output --results-directory",
    registries="--source -s",
    verbs={
        **verbs(
            dotnet_build="publish build pack run test msbuild vstest clean new",
            install="restore remove",
            _="format sln list watch help dev-certs solution store fsi interactive reference package",
        ),
        "add": {"": "install"},
        "nuget": {
            **verbs(publish="push sign", erase="delete", _="locals verify why list"),
            "add": "alter",
            "update": "alter",
        },
        "tool": verbs(
            dotnet_tool="install update uninstall", install="restore", run="run exec", _="list search"
        ),
        "workload": verbs(system="install update uninstall repair restore", _="list search"),
        "user-secrets": verbs(secrets="list", _="init set remove clear"),
        "ef": {
            "database": verbs(drop="drop", _="update"),
            "migrations": verbs(_="add list remove script bundle"),
            "dbcontext": verbs(_="info list scaffold"),
        },
    },
)
READERS: Mapping[str, Reader] = {
    name: reader(table, _ACTS)
    for name, table in (
        ("gem", _GEM),
        ("bundle", _BUNDLE),
        ("bundler", _BUNDLE),
        ("composer", _COMPOSER),
        ("mix", _MIX),
        ("dotnet", _DOTNET),
    )
}
