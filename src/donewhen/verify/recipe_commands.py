"""What a single command is to an exam: a test run, a linter, another program, or what tests nothing.

Names only, by tables. A program that stands in none may be a test of the project's own: nobody is told that a
command hides something because its name looks odd.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.tools import compare
from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.commands.tools.reading import Call, Setting
from donewhen.core.commands.tools.testruns import is_test_call
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word

# a test run; a file named like one; any other program; a linter or type checker; what tests nothing
Kind = Literal["test", "script", "program", "lint", "helper"]
PRINTS = frozenset("echo printf true : exit return cd pushd popd set sleep pwd".split())
_RUNNERS = frozenset(
    """
    tape jasmine qunit uvu vows lab nodeunit testem wtr web-test-runner intern nightwatch testcafe codeceptjs
    wdio zora tsd expresso pta borp poku nosetests nose stestr trial zope-testrunner ward green behave robot
    cucumber cucumber-js testthat shellspec hspec ginkgo gotest pytest-watch avocado twister""".split()
)
_WITH_TEST = frozenset(
    """
    react-scripts ng craco vue-cli-service wp-scripts tsdx aegir kcd-scripts dts ember hardhat forge truffle
    grunt gulp umi stencil lerna nx turbo rush moon beachball rw anchor molecule ansible-test""".split()
)
_MODULES = frozenset("doctest nose trial ward green behave robot stestr xmlrunner".split())
_LINTERS = frozenset(
    """
    eslint tsc mypy ruff flake8 pylint black prettier pyright golangci-lint standard xo stylelint biome
    oxlint pyflakes pycodestyle isort bandit vulture rubocop phpstan psalm shellcheck tslint jshint""".split()
)
_FILTERS = frozenset(  # at the end of a pipe these judge nothing
    """
    tee cat tail head less more grep egrep fgrep rg sed awk gawk sort uniq tr cut wc column nl fold ts jq
    xmllint tac rev paste iconv strings pv cowsay lolcat ccze bunyan pino-pretty coveralls codecov xcpretty
    xcbeautify go-junit-report echo true : logger gzip sponge html-to-text ansi2html ansi2txt aha""".split()
)
_HELPERS = frozenset(  # they prepare, copy, report or clear away
    """
    false export unset local declare readonly read shift trap wait kill pkill source . env uname id which type
    hash date mktemp basename dirname realpath ls stat file tee cat tail head sed sort tr cut wc mkdir rmdir
    rm rimraf mv cp rsync install ln touch chmod chown find tar zip unzip trash shx mkdirp cpx patch curl wget
    ssh scp apt apt-get yum dnf apk brew pip pip3 pipx virtualenv venv gem bower corepack husky cc gcc g++
    clang clang++ nvcc ld ar ranlib strip rustc javac kotlinc scalac ghc swiftc webpack rollup esbuild swc
    babel vite browserify terser sass lessc postcss node-gyp tsup protoc autoconf automake configure
    cmake qmake codecov coveralls gcov gcovr lcov genhtml allure open notify-send Xvfb gpg openssl""".split()
)
_MAY_TEST = {  # programs of many commands: after these words they may test, else they prepare or report
    **dict.fromkeys("docker podman docker-compose kubectl".split(), frozenset(("run", "exec"))),
    **dict.fromkeys("poetry pipenv uv conda bundle coverage".split(), frozenset(("run", "exec"))),
    "go": frozenset(("run", "tool")),
    "cargo": frozenset(("run", "xtask")),
    "git": frozenset(("diff", "grep", "fsck")),
}
_NOT_MODULES = frozenset("pip venv virtualenv build ensurepip compileall coverage".split())
_TEST_FILE = lazy(
    r"(?:.{0,200}/)?(?:tests?(?:\.\w{1,5})?|(?:run|all|unit|run[-_]all)[-_]?tests?(?:\.\w{1,5})?"
    r"|test[-_]\w{1,60}\.\w{1,5}|[\w.-]{1,60}[-_.](?:test|spec)s?\.\w{1,5})"
)
_TEST_FOLDER = lazy(r"(?:\./)?(?:tests?|spec)/.{1,200}\.\w{1,5}")
_INTERPRETERS = frozenset(
    "node python ruby perl php deno bun ts-node tsx babel-node coffee Rscript lua sh bash".split()
)
_PASS_EMPTY = frozenset(
    """
    --passWithNoTests --pass-with-no-tests --allow-empty --allow-no-tests --if-present --permit-no-files
    --no-fail-zero --no-tests""".split()
)
_EXAMS = frozenset("test tests check checks verify validate ci selftest smoke unittests e2e".split())


class Described(NamedTuple):
    kind: Kind
    masks: str = ""  # the option or variable that lets it pass whatever happens
    shows: str = ""  # the option with which it only shows something
    passes_empty: str = ""  # the option with which it passes without tests


def describe(invocation: Invocation) -> Described:
    """What the command is, and which of its options make a pass worth less."""
    words = invocation.words
    if len(words) > 2 and not words[0].known and words[1].text == "-m":  # `"$PYTHON" -m pytest`
        words = (Word("python"), *words[1:])
    if not words[0].known:
        return Described("program")
    if words[0].text in PRINTS:
        return Described("helper")
    call = name_call(words)
    kind = _kind(_without(call), words)
    if kind in ("program", "helper"):
        return Described(kind)
    settings = tuple(_settings(call))
    masks = [each.text for each in settings if each.effect == "mask"]
    empty = [each for each in masks if each.partition("=")[0] in _PASS_EMPTY]
    hides = [each for each in masks if each not in empty]
    shows = [each.text for each in settings if each.effect == "norun"]
    return Described(
        kind, next(iter(hides), _by_environment(invocation)), next(iter(shows), ""), next(iter(empty), "")
    )


def is_exam(invocation: Invocation) -> bool:
    """Does its name promise tests: `make check`, `./ci/verify.sh`, `npm run test:c`?"""
    if describe(invocation).kind in ("test", "script"):
        return True
    words = [word.text for word in invocation.words if word.known and word.text[:1] != "-"]
    parts = {part for word in words[:3] for part in re.split(r"[^a-z0-9]+", word.lower().rpartition("/")[2])}
    return bool(parts & _EXAMS)


def may_judge(words: Sequence[Word]) -> bool:
    """May a command at the end of a pipe read test results and return their verdict, as `tap-spec` does?

    Only of filters that are known it is certain that they don't.
    """
    told = any(word.text.lstrip("-") == "set-exit-code" for word in words)
    return told or name_call(words).name.rpartition("/")[2] not in _FILTERS


def _kind(call: Call, words: Sequence[Word]) -> Kind:
    program, operands = call.name.partition(" ")[0], call.operands
    if is_test_call(call) or (not call.grammar and program in _RUNNERS):
        return "test"
    if program in _WITH_TEST and re.match(r"(?:run )?tests?(?![^ :-])", " ".join(operands[:2])):
        return "test"
    if program == "python" and (operands[:2] == ("setup.py", "test") or _module(words) in _MODULES):
        return "test"
    if program in _LINTERS:
        return "lint"
    file = next((each for each in operands if not each.startswith("-")), "")
    if "/" in words[0].text and _TEST_FILE.fullmatch(words[0].text):
        return "script"
    if program in _INTERPRETERS and (_TEST_FILE.fullmatch(file) or _TEST_FOLDER.fullmatch(file)):
        return "script"
    return "helper" if _helps(program_name(words[0].text)[0].rpartition("/")[2], words) else "program"


def _helps(program: str, words: Sequence[Word]) -> bool:
    if program in _MAY_TEST:
        return not any(word.text in _MAY_TEST[program] for word in words[1:4])
    return program in _HELPERS or (program == "python" and _module(words) in _NOT_MODULES)


def _module(words: Sequence[Word]) -> str:
    return words[2].text.partition(".")[0] if len(words) > 2 and words[1].text == "-m" else ""


def _settings(call: Call) -> Iterator[Setting]:
    yield from call.settings
    for runner in call.runners:
        yield from runner.settings
    if call.rest is not None:
        yield from _settings(call.rest)


def _without(call: Call) -> Call:
    """The same call without options that keep it from running: what would it be?"""
    kept = tuple(each for each in call.settings if each.effect != "norun")
    return call._replace(settings=kept, rest=_without(call.rest) if call.rest else None)


def _by_environment(invocation: Invocation) -> str:
    """A variable that masks: `MAKEFLAGS=-i make test`."""
    if not invocation.env:
        return ""
    found = compare(Invocation(invocation.words), Invocation(invocation.words, invocation.env))
    return found.detail if found.masked else ""
