"""What a single command is to an exam: a test run, a linter, something that only prints, or unknown.

Names only, by tables. Unknown programs stay unknown: nobody is told that a command hides something because
its name looks odd.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.tools import compare
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.commands.tools.reading import Call, Setting
from donewhen.core.commands.tools.testruns import is_test_call
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Kind

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
_LINTERS = frozenset(
    """
    eslint tsc mypy ruff flake8 pylint black prettier pyright golangci-lint standard xo stylelint biome
    oxlint pyflakes pycodestyle isort bandit vulture rubocop phpstan psalm shellcheck tslint jshint""".split()
)
_MODULES = frozenset("doctest nose trial ward green behave robot stestr xmlrunner".split())
_TEST_FILE = lazy(
    r"(?:.{0,200}/)?(?:tests?(?:\.\w{1,5})?|(?:run|all|unit|run[-_]all)[-_]?tests?(?:\.\w{1,5})?"
    r"|test[-_]\w{1,60}\.\w{1,5}|[\w.-]{1,60}[-_.](?:test|spec)s?\.\w{1,5})"
)
_TEST_FOLDER = lazy(r"(?:\./)?(?:tests?|spec)/.{1,200}\.\w{1,5}")
_INTERPRETERS = frozenset(
    "node python ruby perl php deno bun ts-node tsx babel-node coffee Rscript lua".split()
)
_PASS_EMPTY = frozenset(
    """
    --passWithNoTests --pass-with-no-tests --allow-empty --allow-no-tests --if-present --permit-no-files
    --no-fail-zero --no-tests""".split()
)
_EXAMS = frozenset("test tests check checks verify validate ci selftest smoke unittests e2e".split())
_SPLIT = lazy(r"[^A-Za-z0-9]+")
_FILTERS = frozenset(
    """
    tee cat tail head less more grep egrep fgrep rg sed awk gawk sort uniq tr cut wc column nl fold ts jq
    xmllint tac rev paste iconv strings pv cowsay lolcat ccze bunyan pino-pretty coveralls codecov xcpretty
    xcbeautify go-junit-report echo true : logger gzip sponge html-to-text ansi2html ansi2txt aha""".split()
)


class Named(NamedTuple):
    kind: Kind | None = None
    masks: str = ""  # the option or variable that lets it pass whatever happens
    shows: str = ""  # the option with which it only shows something
    passes_empty: str = ""  # the option with which it passes without tests


def name(invocation: Invocation) -> Named:
    """What the command is, and which of its options make a pass worth less."""
    words = _spelt(invocation.words)
    if not words or not words[0].known or words[0].text in PRINTS:
        return Named()
    call = name_call(words)
    settings = tuple(_settings(call))
    kind = _kind(_without(call), words)
    if kind is None:
        return Named()
    masks = [each.text for each in settings if each.effect == "mask"]
    empty = next((each for each in masks if each.partition("=")[0] in _PASS_EMPTY), "")
    hides = next((each for each in masks if each.partition("=")[0] not in _PASS_EMPTY), "")
    return Named(
        kind,
        hides or _by_environment(invocation),
        next((each.text for each in settings if each.effect == "norun"), ""),
        empty,
    )


def is_exam(invocation: Invocation) -> bool:
    """Does its name promise tests: `make check`, `./ci/verify.sh`, `npm run test:c`?"""
    if name(invocation).kind in ("test", "script"):
        return True
    words = [word.text for word in invocation.words if word.known and word.text[:1] != "-"]
    parts = {part.lower() for word in words[:3] for part in _SPLIT.split(word.rpartition("/")[2])}
    return bool(parts & _EXAMS)


def may_judge(words: Sequence[Word]) -> bool:
    """May a command at the end of a pipe read test results and return their verdict, as `tap-spec` does?

    Only of filters that are known it is certain that they don't.
    """
    told = any(word.text.lstrip("-") == "set-exit-code" for word in words)
    return told or name_call(words).name.rpartition("/")[2] not in _FILTERS


def _spelt(words: Sequence[Word]) -> tuple[Word, ...]:
    """`"$PYTHON" -m pytest`: whatever the variable holds, what takes `-m MODULE` is an interpreter."""
    if len(words) > 2 and not words[0].known and words[1].text == "-m":
        return (Word("python"), *words[1:])
    return tuple(words)


def _kind(call: Call, words: Sequence[Word]) -> Kind | None:
    program = call.name.partition(" ")[0]
    first = call.operands[0] if call.operands else ""
    if is_test_call(call) or (not call.grammar and program in _RUNNERS):
        return "test"
    if program in _WITH_TEST and re.fullmatch(
        r"(?:run )?tests?(?:[:-].{0,80})?", " ".join(call.operands[:2])
    ):
        return "test"
    if program in _WITH_TEST and re.fullmatch(r"tests?(?:[:-].{0,80})?", first):
        return "test"
    if program == "python" and (call.operands[:2] == ("setup.py", "test") or _is_module(call.operands)):
        return "test"
    if program in _LINTERS:
        return "lint"
    return "script" if _is_test_file(program, call.operands, words) else None


def _is_module(operands: Sequence[str]) -> bool:
    return operands[:1] == ("-m",) and len(operands) > 1 and operands[1].partition(".")[0] in _MODULES


def _is_test_file(program: str, operands: Sequence[str], words: Sequence[Word]) -> bool:
    if "/" in words[0].text and _TEST_FILE.fullmatch(words[0].text):
        return True
    file = next((each for each in operands if not each.startswith("-")), "")
    if program not in _INTERPRETERS and program not in ("sh", "bash"):
        return False
    return bool(_TEST_FILE.fullmatch(file) or _TEST_FOLDER.fullmatch(file))


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
