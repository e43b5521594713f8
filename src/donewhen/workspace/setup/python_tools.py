"""Test tools that a Python project uses without saying so where pip would look: tables and a look at tests.

Only tools of testing are named here, each under the name of its distribution; a name that merely looks like a
distribution is never turned into one, because anybody can register it.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder
from donewhen.project.python_tests import pytest_settings
from donewhen.workspace.setup.python_requirements import normal, requirements


def _pairs(text: str) -> dict[str, str]:
    """`name=distribution` on as many lines as it takes."""
    return dict(pair.split("=", 1) for pair in text.split())


# program, or module after `-m` -> distribution
PROGRAMS = _pairs(
    """
    pytest=pytest py.test=pytest nose2=nose2 trial=twisted ward=ward behave=behave
    robot=robotframework coverage=coverage tox=tox nox=nox hatch=hatch uv=uv poetry=poetry pdm=pdm
    pipenv=pipenv stestr=stestr django-admin=django ruff=ruff mypy=mypy flake8=flake8 black=black
    pyright=pyright pylint=pylint isort=isort build=build zope-testrunner=zope.testrunner
    """
)
# option of pytest (its beginning) -> distribution
_OPTIONS = _pairs(
    """
    --cov=pytest-cov --no-cov=pytest-cov -n=pytest-xdist --numprocesses=pytest-xdist
    --dist=pytest-xdist --maxprocesses=pytest-xdist --timeout=pytest-timeout
    --asyncio-mode=pytest-asyncio --reruns=pytest-rerunfailures --benchmark=pytest-benchmark
    --mypy-=pytest-mypy-plugins --mypy=pytest-mypy --flake8=pytest-flake8 --black=pytest-black
    --isort=pytest-isort --pylint=pytest-pylint --ruff=pytest-ruff --randomly=pytest-randomly
    --random-order=pytest-random-order --doctest-plus=pytest-doctestplus
    --doctest-rst=pytest-doctestplus --html=pytest-html --json-report=pytest-json-report
    --disable-socket=pytest-socket --allow-hosts=pytest-socket --allow-unix-socket=pytest-socket
    --hypothesis=hypothesis --snapshot-=syrupy --codspeed=pytest-codspeed --ds=pytest-django
    --reuse-db=pytest-django --create-db=pytest-django --nbval=nbval --mpl=pytest-mpl
    --instafail=pytest-instafail --forked=pytest-forked --docformatter=pytest-docformatter
    --checkdocs=pytest-checkdocs --verbose-parametrize=pytest-verbose-parametrize --spec=pytest-spec
    --mccabe=pytest-mccabe --pycodestyle=pytest-pycodestyle --pydocstyle=pytest-pydocstyle
    --black-multipy=pytest-black-multipy --enabler=pytest-enabler --xdoctest=xdoctest
    --xdoc=xdoctest --emoji=pytest-emoji --pspec=pytest-pspec --markdown-docs=pytest-markdown-docs
    --codeblocks=pytest-codeblocks
    """
)
# setting of pytest -> distribution
_SETTINGS = _pairs(
    """
    asyncio_mode=pytest-asyncio asyncio_default_fixture_loop_scope=pytest-asyncio
    asyncio_default_test_loop_scope=pytest-asyncio timeout=pytest-timeout
    timeout_method=pytest-timeout timeout_func_only=pytest-timeout
    django_settings_module=pytest-django django_find_project=pytest-django env=pytest-env
    env_files=pytest-dotenv mock_use_standalone_module=pytest-mock
    mock_traceback_monkeypatch=pytest-mock qt_api=pytest-qt trio_mode=pytest-trio anyio_mode=anyio
    reruns=pytest-rerunfailures doctest_plus=pytest-doctestplus doctest_plus_atol=pytest-doctestplus
    remote_data_strict=pytest-remotedata bdd_features_base_dir=pytest-bdd
    flake8-max-line-length=pytest-flake8 flake8-ignore=pytest-flake8 looponfailroots=pytest-xdist
    beartype_packages=pytest-beartype run_parallel=pytest-run-parallel
    """
)
_MARKS = _pairs(
    """
    asyncio=pytest-asyncio trio=pytest-trio anyio=anyio timeout=pytest-timeout
    django_db=pytest-django benchmark=pytest-benchmark datafiles=pytest-datafiles
    xdist_group=pytest-xdist freeze_time=pytest-freezer dependency=pytest-dependency
    twisted=pytest-twisted httpx_mock=pytest-httpx enable_socket=pytest-socket
    disable_socket=pytest-socket vcr=pytest-vcr gevent=pytest-gevent
    """
)
_FIXTURES = _pairs(
    """
    mocker=pytest-mock benchmark=pytest-benchmark httpbin=pytest-httpbin requests_mock=requests-mock
    httpserver=pytest-httpserver subtests=pytest-subtests freezer=pytest-freezer respx_mock=respx
    snapshot=syrupy fs=pyfakefs datadir=pytest-datadir shared_datadir=pytest-datadir
    aiohttp_client=pytest-aiohttp data_regression=pytest-regressions
    file_regression=pytest-regressions httpx_mock=pytest-httpx faker=faker
    unused_tcp_port=pytest-asyncio event_loop=pytest-asyncio time_machine=time-machine
    socket_enabled=pytest-socket fp=pytest-subprocess fake_process=pytest-subprocess cov=pytest-cov
    qtbot=pytest-qt jp_environ=pytest-jupyter
    """
)
# module that tests import -> distribution
_MODULES = _pairs(
    """
    hypothesis=hypothesis freezegun=freezegun mock=mock pretend=pretend trustme=trustme
    responses=responses respx=respx httpretty=httpretty parameterized=parameterized ddt=ddt six=six
    testtools=testtools testscenarios=testscenarios testfixtures=testfixtures sure=sure
    expects=expects pyfakefs=pyfakefs psutil=psutil coverage=coverage pexpect=pexpect sybil=sybil
    syrupy=syrupy approvaltests=approvaltests xdoctest=xdoctest pytest=pytest nose2=nose2 moto=moto
    aioresponses=aioresponses testpath=testpath flaky=flaky betamax=betamax mocket=mocket
    snapshottest=snapshottest vcrpy=vcrpy faker=faker ptyprocess=ptyprocess
    schemathesis=schemathesis subunit=subunit fixtures=fixtures testresources=testresources
    mimesis=mimesis atheris=atheris hamcrest=pyhamcrest factory=factory-boy
    time_machine=time-machine vcr=vcrpy requests_mock=requests-mock inline_snapshot=inline-snapshot
    dirty_equals=dirty-equals typing_extensions=typing-extensions setuptools=setuptools
    pkg_resources=setuptools<81 distutils=setuptools model_bakery=model-bakery webtest=webtest
    nose=pynose importlib_metadata=importlib-metadata
    """
)
# module -> distribution, where the project itself declares it and the two names differ
_ALIASES = _pairs(
    """
    yaml=pyyaml dateutil=python-dateutil attr=attrs PIL=pillow bs4=beautifulsoup4 OpenSSL=pyopenssl
    Crypto=pycryptodome cv2=opencv-python sklearn=scikit-learn dotenv=python-dotenv jwt=pyjwt
    git=gitpython serial=pyserial zmq=pyzmq google=protobuf markdown=markdown slugify=python-slugify
    websocket=websocket-client
    """
)
_IMPORT = lazy(
    r"^[ \t]{0,80}(?:from[ \t]{1,20}([A-Za-z_]\w{0,60})|import[ \t]{1,20}([^\n;#]{1,300}))", re.MULTILINE
)
_MODULE = lazy(r"[ \t]*([A-Za-z_]\w{0,60})")
_MARK = lazy(r"\bmark\.([a-z_]{2,30})\b")
_ARGUMENTS = lazy(r"\bdef[ \t]+(?:test\w{0,100}|\w{1,60})\(([^()]{1,400})\)")
_DEFINED = lazy(r"\bdef[ \t]+([a-z_]{2,40})\(")
_WORD = lazy(r"[a-z_]{2,40}")
_PLUGIN = lazy(r"pytest_([a-z0-9_]{2,40})")


def programs(commands: Iterable[Sequence[str]]) -> list[str]:
    """What each command starts, through `python -m` and `coverage run -m`."""
    found: list[str] = []
    for argv in commands:
        head = argv[0].rpartition("/")[2] if argv else ""
        found.append(head)
        if head.startswith("python") or head == "coverage" or PROGRAMS.get(head):
            found += [word for flag, word in pairwise(argv) if flag == "-m"]
            found += [word.rpartition("/")[2] for word in argv[1:4] if word.rpartition("/")[2] in PROGRAMS]
    return found


def test_tools(files: Folder, commands: Sequence[Sequence[str]], pytest: bool) -> list[str]:
    """Distributions that running the tests takes, beside what the project declares."""
    found = [_MODULES.get(module, "") for module in sorted(imported(files))]
    if pytest:
        found = [*_asked(pytest_settings(files), commands), *found, *_plugins(files)]
    return [name for name in dict.fromkeys(found) if name]


def _asked(settings: Mapping[str, Any], commands: Sequence[Sequence[str]]) -> list[str]:
    """Plugins that options and settings of pytest belong to."""
    words = [*_words(settings.get("addopts", "")), *(word for argv in commands for word in argv[1:])]
    plugins = settings.get("required_plugins", "")
    return [
        *(_of_option(word) for word in words),
        *(_SETTINGS.get(str(key).lower(), "") for key in settings),
        *requirements(_words(plugins) if isinstance(plugins, str) else plugins),
    ]


def imported(files: Folder) -> set[str]:
    """Modules that the tests import, without those of the project's own that stand beside them."""
    own = {path.rpartition("/")[2].removesuffix(".py") for path in files.test_files}
    own |= {part for path in files.test_files for part in path.split("/")[:-1]}
    own |= {name.removesuffix(".py") for name in files.names} | files.folders | _below(files)
    return {name for text in files.tests for name in _imports(text)} - own


def _imports(text: str) -> Iterator[str]:
    """Also `import a.b as c, d`."""
    for one, several in _IMPORT.findall(text):
        if one:
            yield one
        yield from (match[1] for part in several.split(",") if (match := _MODULE.match(part)))


def declared_for(modules: Iterable[str], pool: Mapping[str, str]) -> list[str]:
    """What the project itself declares somewhere (`pool`: name -> requirement) and the modules come from."""
    names = (normal(_ALIASES.get(module, module)) for module in sorted(modules))
    return [pool[name] for name in names if name in pool]


def _below(files: Folder) -> set[str]:
    if "src" not in files.folders:
        return set()
    return {name.removesuffix(".py") for name in Folder(files.folder / "src").names}


def _plugins(files: Folder) -> list[str]:
    """Plugins whose fixtures, marks or modules the tests use."""
    marks = {mark for text in files.tests for mark in _MARK.findall(text)}
    modules = map(_PLUGIN.fullmatch, sorted(imported(files)))
    return [
        *(_FIXTURES[name] for name in _fixtures(files)),
        *(_MARKS.get(mark, "") for mark in sorted(marks)),
        *(f"pytest-{module[1].replace('_', '-')}" for module in modules if module),
    ]


def _fixtures(files: Folder) -> list[str]:
    defined = {name for text in files.tests for name in _DEFINED.findall(text)}
    asked: set[str] = set()
    for text in files.tests:
        for arguments in _ARGUMENTS.findall(text):
            asked.update(_WORD.findall(arguments))
    return sorted(asked & set(_FIXTURES) - defined)


def _words(value: object) -> list[str]:
    if isinstance(value, list):
        return [word for word in value if isinstance(word, str)]
    if not isinstance(value, str):
        return []
    try:
        return shlex.split(value[:4000], comments=False)
    except ValueError:
        return value[:4000].split()


def _of_option(word: str) -> str:
    if not word.startswith("-"):
        return ""
    if word.startswith("-n") and not word.startswith("--"):
        return "pytest-xdist" if word == "-n" or word[2:].isdigit() or word[2:] == "auto" else ""
    match = [option for option in _OPTIONS if word.startswith(option) and option.startswith("--")]
    return _OPTIONS[max(match, key=len)] if match else ""
