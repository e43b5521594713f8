"""poetry, pdm, hatch, pipenv, conda and the uploaders, as tables.

Data only, but for conda's settings; the acts are in `package_python`.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.effects import (
    Alters,
)
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.python import PYTHON_ACTS


def conda_config(turn: Turn) -> Found:
    """Reading forms show; all others change the user's settings."""
    if not turn.given.has("--show", "--show-sources", "--get", "--describe", "--validate"):
        yield Alters(f"{turn.call.name} config")


_SELF = verbs(user="add remove update install sync lock", _="show")
_POETRY = manager(
    values="-C -P -E -G -f -o -s -r -u -p --directory --project --extras --group --with "
    "--without --only --python "
    "--source --format --output --repository --username --password --platform --markers "
    "--cert --client-cert",
    folders=("-C", "--directory", "-P", "--project"),
    files="-o --output",
    verbs={
        **verbs(
            install="install add remove update lock sync",
            run="run",
            publish="publish",
            setting="config",
            outputs="export build",
            _="show check env version new init search shell about list help",
        ),
        "self": _SELF,
        "source": verbs(source="add", _="show remove"),
        "cache": verbs(_="clear list"),
        "python": verbs(user="install remove", _="list"),
    },
)
_PDM = manager(
    values="-p -g -G -L -o -f -r -u -P -d --project --group --lockfile --output --format "
    "--repository --username "
    "--password --venv --config --python -e --editable --dest",
    folders=("-p", "--project"),
    user_flags="-g --global",
    files="-o --output",
    other="run",
    verbs={
        **verbs(
            install="install add remove update sync lock fix",
            run="run",
            publish="publish",
            setting="config",
            outputs="export build",
            _="show list info init new use venv search import completion plugin outdated cache help",
        ),
        "self": _SELF,
        "python": verbs(user="install remove link", _="list find"),
    },
)
_HATCH = manager(
    values="-e -p -t -u -a -r -d --env --project --data-dir --cache-dir --config --user --auth "
    "--repo --target",
    folders=(),
    verbs={
        **verbs(
            hatch_run="run",
            publish="publish",
            _="build test fmt version shell new clean status dep project init help",
        ),
        "env": verbs(hatch_run="run", _="show create remove prune find"),
        "python": verbs(user="install remove update", _="show find"),
        "config": verbs(alter="set restore", _="show find explore update"),
        "self": verbs(user="update restore", _="report"),
    },
)
_PIPENV = manager(
    values="-e -i -r --python --pypi-mirror --index --requirements --categories --extra-pip-args",
    registries="-i --index --pypi-mirror",
    system_flags="--system",
    verbs=verbs(
        install="install uninstall sync update upgrade lock",
        run="run",
        _="graph check verify shell requirements scripts open clean audit",
    ),
)
_RYE = manager(
    values="-p --pyproject -v --verbose",
    verbs={
        **verbs(
            install="add remove sync lock",
            run="run",
            publish="publish",
            user="install uninstall fetch toolchain",
            _="build fmt lint test show list pin init version make-req",
        ),
        "self": verbs(user="update uninstall"),
        "tools": verbs(user="install uninstall", _="list"),
    },
)
_PIXI = manager(
    values="-e --environment --manifest-path --feature -f -p --platform --pypi",
    verbs={
        **verbs(
            install="add remove install update upgrade lock reinstall",
            run="run",
            publish="upload publish",
            alter="auth",
            user="self-update",
            _="shell info list tree search init build clean task workspace project",
            runner="exec",
        ),
        "global": verbs(
            user="install uninstall remove add update sync upgrade expose shortcut", _="list tree"
        ),
        "config": verbs(setting="set unset append prepend edit", _="list"),
    },
)
_CONDA = manager(
    values="-n -p -c -f --name --prefix --channel --file --cwd --solver",
    verbs={
        **verbs(
            conda="install create update upgrade remove uninstall",
            alter="init",
            _="list search info run activate deactivate clean package doctor compare notices",
        ),
        "env": verbs(conda="create update remove", _="list export"),
        "config": {"": "conda_config"},
    },
)


_UPLOADERS: Mapping[str, Manager] = {
    "twine": manager(
        values="-r -u -p -c --repository --repository-url --config-file",
        verbs=verbs(publish="upload register", _="check"),
    ),
    "flit": manager(
        values="-f --repository --python --pypirc",
        verbs=verbs(install="install", publish="publish", _="build init"),
    ),
    "maturin": manager(
        values="-m -o --manifest-path --out -r -u -p",
        files="-o --out",
        verbs=verbs(
            publish="publish upload", install="develop", outputs="build sdist", _="new init list-python"
        ),
    ),
    "anaconda": manager(
        verbs=verbs(publish="upload", erase="remove", alter="login logout", _="search show whoami")
    ),
    "easy_install": manager(verbs={}, other="user"),
    "huggingface-cli": manager(
        values="--token --repo-type",
        verbs=verbs(
            publish="upload upload-large-folder",
            alter="login logout",
            download="download",
            _="whoami env scan-cache",
        ),
    ),
    "hf": manager(
        values="--token --repo-type",
        verbs=verbs(
            publish="upload upload-large-folder", alter="auth", download="download", _="env cache version"
        ),
    ),
    "dvc": manager(
        values="-r --remote -j",
        verbs=verbs(
            publish="push", _="pull fetch status add repro dag diff metrics params plots exp checkout"
        ),
    ),
}


_TABLES: Mapping[str, Manager] = {
    "poetry": _POETRY,
    "pdm": _PDM,
    "hatch": _HATCH,
    "pipenv": _PIPENV,
    "rye": _RYE,
    "pixi": _PIXI,
    **dict.fromkeys(("conda", "mamba", "micromamba"), _CONDA),
    **_UPLOADERS,
}
READERS: Mapping[str, Reader] = {
    name: reader(table, {**PYTHON_ACTS, "conda_config": conda_config}) for name, table in _TABLES.items()
}
