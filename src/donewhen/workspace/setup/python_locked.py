"""Python projects that are locked: installed by the tool of their lock, when that tool is there."""

import shutil
from collections.abc import Mapping
from typing import NamedTuple

from donewhen.project.folder import Folder
from donewhen.workspace.setup.model import Setup, Step
from donewhen.workspace.setup.python_project import PythonProject, compiled_sources
from donewhen.workspace.setup.python_version import told_version


class Locked(NamedTuple):
    lock: str
    program: str
    argv: tuple[str, ...]
    instead: tuple[tuple[str, ...], ...]
    extra: str  # the option that names one extra
    env: Mapping[str, str]  # keeps the environment in the folder, and the lock as it is


_TOOLS = (
    Locked(
        "uv.lock",
        "uv",
        ("uv", "sync", "--frozen"),
        (("uv", "sync", "--frozen"), ("uv", "sync")),
        "--extra",
        {"UV_FROZEN": "1", "UV_PROJECT_ENVIRONMENT": ".venv"},
    ),
    Locked(
        "poetry.lock",
        "poetry",
        ("poetry", "install", "--no-interaction"),
        (("poetry", "install", "--no-interaction"), ("poetry", "install", "--no-interaction", "--no-root")),
        "--extras",
        {"POETRY_VIRTUALENVS_IN_PROJECT": "true", "POETRY_VIRTUALENVS_CREATE": "true"},
    ),
    Locked(
        "pdm.lock",
        "pdm",
        ("pdm", "install", "--frozen-lockfile"),
        (("pdm", "install", "--frozen-lockfile"),),
        "--group",
        {"PDM_IGNORE_SAVED_PYTHON": "1", "PDM_VENV_IN_PROJECT": "true", "PDM_CHECK_UPDATE": "false"},
    ),
    Locked(
        "Pipfile.lock",
        "pipenv",
        ("pipenv", "sync", "--dev"),
        (),
        "",
        {"PIPENV_VENV_IN_PROJECT": "1", "PIPENV_IGNORE_VIRTUALENVS": "1"},
    ),
)


def locked_setup(files: Folder, project: PythonProject, env: Mapping[str, str]) -> Setup | None:
    path = env.get("PATH", "")
    tool = next((t for t in _TOOLS if t.lock in files.names and shutil.which(t.program, path=path)), None)
    if tool is None:
        return None
    extras = tuple(word for name in project.extras if tool.extra for word in (tool.extra, name))
    told = told_version(files)
    step = Step(
        (*tool.argv, *extras), tool.lock, instead=tool.instead if extras else tool.instead[1:], env=told
    )
    return Setup(
        "python",
        "",
        (step,),
        (tool.lock, *project.manifests, *(compiled_sources(files) if project.compiles else ())),
        (".venv",),
        (".venv/bin",),
        env=tool.env,
        again=(Step(tool.argv, tool.lock, env=told),)
        if project.installs and (project.compiles or told)
        else (),
    )
