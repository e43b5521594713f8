"""Real installs with pip: needs a package registry."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run
from donewhen.workspace.setup.model import Step
from donewhen.workspace.setup.preparing import prepare
from donewhen.workspace.setup.python import python_setup
from tests.tables import table_test

pytestmark = pytest.mark.third_party

PROJECTS = {
    "setuptools, sources below src": {
        "pyproject.toml": '[build-system]\nrequires = ["setuptools>=70"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "shop"\nversion = "1"\n',
        "src/shop/__init__.py": "def total(): return 3\n",
    },
    "setup.py alone": {
        "setup.py": "from setuptools import setup\nsetup(name='shop', version='1', packages=['shop'])\n",
        "shop/__init__.py": "def total(): return 3\n",
    },
    "a version from git": {
        "pyproject.toml": '[build-system]\nrequires = ["hatchling", "hatch-vcs"]\nbuild-backend = "hatchling.build"\n[project]\nname = "shop"\ndynamic = ["version"]\n[tool.hatch.version]\nsource = "vcs"\n[tool.hatch.build.targets.wheel]\npackages = ["src/shop"]\n',
        "src/shop/__init__.py": "def total(): return 3\n",
    },
    "an extension": {
        "setup.py": "from setuptools import setup, Extension\nsetup(name='shop', version='1', packages=['shop'], package_dir={'': 'src'}, ext_modules=[Extension('shop._three', ['src/three.c'])])\n",
        "src/shop/__init__.py": "from shop._three import three\ndef total(): return three()\n",
        "src/three.c": '#include <Python.h>\nstatic PyObject *three(PyObject *s, PyObject *a) { return PyLong_FromLong(3); }\nstatic PyMethodDef m[] = {{"three", three, METH_NOARGS, ""}, {NULL}};\nstatic struct PyModuleDef d = {PyModuleDef_HEAD_INIT, "_three", "", -1, m};\nPyMODINIT_FUNC PyInit__three(void) { return PyModule_Create(&d); }\n',
    },
}
TEST = "import shop\n\ndef test_total():\n    assert shop.total() == 3\n    print('FROM', shop.__file__)\n"


@table_test("name", PROJECTS)
def test_a_package_is_set_up_examined_and_moved(tmp_path: Path, name: str) -> None:
    env = command_environment(os.environ)

    async def step(step: Step, folder: Path, env: Mapping[str, str]) -> Finished:
        return await run(Command(folder, tmp_path / "outputs", step.argv, env=env, timeout=280))

    def room(place: str) -> Path:
        for file, text in {**PROJECTS[name], "tests/test_shop.py": TEST}.items():
            (tmp_path / place / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place / file).write_text(text)
        return tmp_path / place

    def exam(folder: Path) -> Finished:
        setup = python_setup(folder, [("pytest",)], env)
        assert setup is not None
        made = asyncio.run(prepare([setup], folder, tmp_path / "cache", env, step))
        own = {**env, "PATH": os.pathsep.join([*made.path, env["PATH"]])}
        return asyncio.run(run(Command(folder, tmp_path / "outputs", ("pytest", "-s"), env=own, timeout=120)))

    first, second = room("first"), room("second")
    assert exam(first).exit == 0
    (first / "moved away").mkdir()
    source = next(path for path in PROJECTS[name] if path.endswith("__init__.py"))
    (first / source).write_text("def total(): return 4\n")
    assert exam(first).exit == 1
    copied = exam(second)
    assert copied.exit == 0
    assert f"FROM {second / source}" in copied.output.text
