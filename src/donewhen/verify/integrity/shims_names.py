"""Names that a file must not take, because the runner, the interpreter or the shell would find it first."""

import re
import sys


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Modules that other versions have: what is shadowed need not be on the machine that looks.
STDLIB = (
    sys.stdlib_module_names
    | _names("asynchat asyncore distutils imp smtpd annotationlib tomllib zoneinfo graphlib")
) - _names("test tests site this antigravity idlelib turtledemo")
RUNNERS = _names(
    "pytest _pytest unittest pluggy iniconfig hypothesis _hypothesis_pytestplugin xdist execnet "
    "doctest pytest_cov "
    "pytest_asyncio pytest_django pytest_mock unittest2 nose2"
)
# What runner and interpreter load on their way to the tests.
EARLY = _names(
    "argparse inspect traceback ast os sys re functools warnings contextlib signal time logging io "
    "difflib pathlib fnmatch "
    "tempfile shutil enum typing dataclasses collections json abc codecs importlib linecache tokenize "
    "textwrap weakref "
    "operator reprlib copyreg keyword stat posixpath genericpath platform threading subprocess string "
    "struct gc atexit "
    "itertools asyncio concurrent pprint builtins runpy pkgutil"
)
# Libraries of tests whose names a product may have as well.
TEST_LIBRARIES = _names("mock coverage tox nox nose behave freezegun responses")
LIKELY_ROOTS = _names("src lib app python backend server")
TEST_ROOTS = _names("tests test spec")
HELPERS = re.compile(
    r"_{0,2}(?:helpers?|utils?|common|conftest|support|base|fixtures?|factories|constants|settings|config|data|types|init|main)_{0,2}.{0,20}"
)

PROGRAMS = _names(
    """python python3 python2 pytest py.test node nodejs npm npx pnpm yarn bun deno make gmake git bash sh
    dash zsh env go cargo rustc java javac mvn gradle pip pip3 uv poetry tox nox just tsc jest mocha vitest
    ava c8 nyc tap eslint ruff mypy coverage bundle rake rspec dotnet php phpunit
    timeout diff true false sudo"""
) | frozenset(f"python3.{minor}" for minor in range(6, 20))
PLAIN_WORDS = _names(
    "env go just diff true false tap ava coverage make node timeout"
)  # names that data may have
PROGRAM_FOLDERS = _names("bin scripts script tools sbin .bin shims .local")
STARTUP = _names("sitecustomize.py usercustomize.py sitecustomize usercustomize")
SHELL_STARTUP = _names(
    ".bashrc .bash_profile .profile .bash_env .zshenv .zshrc .bash_login bash_env bash_env.sh .kshrc"
)
NODE_RUNNERS = _names(
    "jest jest-cli mocha vitest ava tap tape c8 nyc chai expect sinon jasmine uvu should node-tap "
    "@jest @vitest playwright "
    "@playwright cypress karma qunit supertest power-assert @hapi tsx ts-node ts-jest babel-jest"
)
FOREIGN = _names(
    ".venv venv env site-packages dist-packages .tox .nox .git __pycache__ .mypy_cache .pytest_cache .eggs"
)
