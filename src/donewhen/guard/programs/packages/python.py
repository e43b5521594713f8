"""pip, uv, poetry, pdm, hatch, pipenv, conda and their kin.

An installation without a place counts as the project's: whether a virtual environment is active can't be seen
from the line. What `run` verbs start is judged as if it were called by itself.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader, Words
from donewhen.guard.effects import Alters, Fetches, Installs, Reveals, RunsFetched, Writes
from donewhen.guard.marks import BELOW
from donewhen.guard.options import read
from donewhen.guard.programs.packages.acts import ACTS, behind, credential, helps, registry_of, source
from donewhen.guard.programs.packages.engine import Act, Found, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.js import runner
from donewhen.guard.programs.packages.ourselves import with_ourselves


def uv_run(turn: Turn) -> Found:
    """A program, a module with -m, or a Python file; also one that is fetched first."""
    table = turn.manager.options
    given = read(turn.rest, table._replace(first=True))
    wanted = [
        value for name, value in given.options if name in ("--with", "--with-editable", "--with-requirements")
    ]
    where = source(wanted) or registry_of(turn, given.options)
    if where:
        yield Installs(turn.call.name, "project", where)
    module = given.value("-m", "--module")
    if module is not None:
        yield Words(
            ("python", "-m", module, *given.operands), turn.call.name, turn.folder, stdin=turn.call.stdin
        )
        return
    for words in behind(turn):
        if words[0].startswith(("http://", "https://")):
            yield RunsFetched(turn.call.name)
        elif (
            words[0] == "-"
            or words[0].endswith((".py", ".pyw"))
            or given.has("-s", "--script", "--gui-script")
        ):
            yield Words(("python", *words), turn.call.name, turn.folder, stdin=turn.call.stdin)
        else:
            yield Words(words, turn.call.name, turn.folder, stdin=turn.call.stdin)


def hatch_run(turn: Turn) -> Found:
    """`hatch run test:pytest -x`: an environment may stand in front of the program."""
    operands = read(turn.rest, turn.manager.options._replace(first=True)).operands
    if operands:
        program = operands[0].rpartition(":")[2] or operands[0]
        yield Words((program, *operands[1:]), turn.call.name, turn.folder)


def download(turn: Turn) -> Found:
    if helps(turn):
        return
    folder = turn.given.value("-d", "--dest", "--destination-directory", "-w", "--wheel-dir") or "."
    yield Fetches("pypi.org", f"{turn.call.at(folder)}/{BELOW}")
    if folder != ".":
        yield Writes(f"{turn.call.at(folder)}/{BELOW}")


def setting(turn: Turn) -> Found:
    """`poetry config key value`: with a value it is set for the user."""
    given = turn.given
    if (len(given.operands) > 1 or given.has("--unset")) and not given.has("--local"):
        yield Alters(f"{turn.call.name} config {' '.join(given.operands[:1])}".rstrip())
    elif len(given.operands) == 1 and credential(given.operands[0]) and not given.has("--unset"):
        yield Reveals("credential", given.operands[0])


def source_added(turn: Turn) -> Found:
    yield Installs(turn.call.name, "project", source(turn.given.operands) or "registry")


def conda_install(turn: Turn) -> Found:
    """An environment of the user, unless it lies in a folder that is named."""
    if helps(turn):
        return
    given = turn.given
    prefix = given.value("-p", "--prefix")
    yield Installs(turn.call.name, "project" if prefix else "user", source(given.operands))
    if prefix:
        yield Writes(f"{turn.call.at(prefix)}/{BELOW}")


def pipx_run(turn: Turn) -> Found:
    given = read(turn.rest, turn.manager.options._replace(first=True))
    if given.operands and given.operands[0].startswith(("http://", "https://")):
        yield RunsFetched(turn.call.name)
    elif given.operands and given.operands[0].endswith(".py"):
        yield Words(("python", *given.operands), turn.call.name)
    else:
        yield from runner(turn)


def venv(turn: Turn) -> Found:
    for path in turn.given.operands[:1]:
        yield Writes(f"{turn.call.at(path)}/{BELOW}")


def python_build(turn: Turn) -> Found:
    """Unknown files as build settings are the project's own; only output folders matter."""
    for value in turn.given.all("-o", "--out-dir", "--outdir", "--output", "--output-file"):
        yield Writes(turn.call.at(value))


PYTHON_ACTS: Mapping[str, Act] = {
    **ACTS,
    "install": with_ourselves(ACTS["install"]),
    "user": with_ourselves(ACTS["user"]),
    "runner": pipx_run,
    "uv_run": uv_run,
    "hatch_run": hatch_run,
    "download": download,
    "setting": setting,
    "source": source_added,
    "conda": with_ourselves(conda_install),
    "venv": venv,
    "build": python_build,
}
_PIP_VALUES = (
    "-r -c -e -t -d -w -i -f --requirement --constraint --editable --target --prefix "
    "--root --src --index-url "
    "--extra-index-url --find-links --log --proxy --timeout --cache-dir --platform "
    "--python-version --python "
    "--trusted-host --cert --client-cert --only-binary --no-binary --dest --wheel-dir "
    "--report --global-option "
    "--config-settings --format --path --upgrade-strategy --abi --implementation "
    "--progress-bar --index --default-index "
    "-p --link-mode --resolution --prerelease --extra --group"
)
_PIP_VERBS = {
    **verbs(
        install="install uninstall sync",
        download="download wheel",
        build="compile",
        _="list freeze show check search hash debug help inspect completion index lock tree",
    ),
    "config": verbs(alter="set unset edit", _="list get debug"),
    "cache": verbs(_="purge remove list info dir"),
}
_SOURCES = "-i -f --index-url --extra-index-url --find-links --index --default-index"
_PIP = manager(
    values=_PIP_VALUES,
    user_flags="--user",
    system_flags="--break-system-packages --system",
    targets="-t --target --prefix --root --src",
    registries=_SOURCES,
    files="--log --report",
    verbs=_PIP_VERBS,
)
_UV = manager(
    values=_PIP_VALUES.replace("-r ", "-r -m -o -n ")
    .replace("-t ", "")
    .replace("-d ", "")
    .replace("-w ", "-w ")
    + " --with --with-editable --with-requirements --module --env-file --directory --project "
    "--package --out-dir "
    "--output-file --config-file --color --refresh-package --from --publish-url --token "
    "--username --password --bump",
    folders=("--directory", "--project"),
    user_flags="--user",
    system_flags="--break-system-packages --system",
    targets="--target --prefix",
    registries=_SOURCES,
    verbs={
        **verbs(
            install="add remove sync lock",
            uv_run="run",
            publish="publish",
            venv="venv",
            build="build export",
            _="tree init version format help generate-shell-completion",
        ),
        "pip": _PIP_VERBS,
        "tool": verbs(runner="run", user="install uninstall upgrade update-shell", _="list dir"),
        "python": verbs(user="install uninstall upgrade update-shell", _="list find pin dir"),
        "self": verbs(user="update", _="version"),
        "cache": verbs(_="clean prune dir size"),
        "auth": verbs(alter="login logout", reveal="token", _="dir"),
    },
)
_UVX = manager(
    values=" ".join(("-p --python --from --with --with-editable -i -f --env-file --directory -c", _SOURCES)),
    folders=("--directory",),
    registries=_SOURCES,
    verbs={},
    other="runner",
)
_PIPX = manager(
    values="--python --spec --pip-args --index-url -i --suffix --app --include-deps-of --with -p",
    registries="--index-url -i",
    verbs={
        **verbs(
            runner="run",
            user="install install-all inject uninject upgrade upgrade-all uninstall uninstall-all "
            "reinstall "
            "reinstall-all ensurepath pin unpin interpreter",
            _="list environment completions help",
        ),
        "runpip": "user",
    },
)
_PIPS = ("pip", "pip2", "pip3", *(f"pip3.{minor}" for minor in range(6, 16)))
READERS: Mapping[str, Reader] = {
    **dict.fromkeys(_PIPS, reader(_PIP, PYTHON_ACTS)),
    "uv": reader(_UV, PYTHON_ACTS),
    "uvx": reader(_UVX, PYTHON_ACTS),
    "pipx": reader(_PIPX, PYTHON_ACTS),
}
