"""Which calls run a project's tests, as far as names tell: zero tests are no pass only for these."""

from donewhen.commands.tools.programs.jvm import PHASES
from donewhen.commands.tools.reading import Call

_NAMES = frozenset(
    each.strip()
    for each in """
    pytest, unittest, hatch test, manage.py test, nose2, cargo test, cargo nextest run, cargo llvm-cov,
    go test, gotestsum, dotnet test, ctest, meson test, bazel test, rspec, rails test, phpunit, pest,
    mix test, swift test, bats, prove, flutter test, dart test, stack test, cabal test, lein test,
    terraform test, deno test, bun test, node --test, ava, karma, tap, minitest, busted""".split(",")
)
_BY_TARGET = frozenset("make just task rake sbt ant ninja".split()) | {"zig build", "composer run"}
_BY_WORD = frozenset("turbo nx lerna ng xcodebuild composer bazelisk react-scripts gulp".split())
_WORDS = frozenset("test tests e2e spec specs unit unittest unittests integration check pytest".split())
_NO_TESTS = frozenset("lint format fmt docs doc build type types typing mypy flake8 ruff black".split())
_TEST_PHASES = frozenset(PHASES[PHASES.index("test") :])


def is_test_call(call: Call) -> bool:
    if any(each.effect == "norun" for each in (*call.settings, *(call.rest.settings if call.rest else ()))):
        return False
    if not call.grammar and " " in call.name:  # one quoted word
        return False
    if call.name in _NAMES or (call.name.startswith("npm ") and call.grammar == "npm"):
        return call.name in _NAMES or _is_test_script(call.name.split()[-1])
    if call.name.startswith(("docker ", "podman ")) and call.rest is not None:
        return is_test_call(call.rest)
    if call.name in ("tox", "nox"):
        return _sessions(call)
    if call.name in ("mvn", "gradle"):
        return any(_builds_with_tests(call.name, each) for each in call.operands)
    if call.name in _BY_TARGET or call.name in _BY_WORD:
        return any(_is_test_word(each) for each in call.operands)
    return False


def _is_test_script(script: str) -> bool:
    return any(part in _WORDS - {"check"} for part in _parts(script))


def _is_test_word(word: str) -> bool:
    return word.partition("=")[0] == word and any(part in _WORDS for part in _parts(word))


def _parts(word: str) -> list[str]:
    for mark in "-_./":
        word = word.replace(mark, ":")
    return word.lower().split(":")


def _sessions(call: Call) -> bool:
    """The default of tox and nox is taken to be the tests; a named session by its name."""
    named = [
        part for each in call.settings if each.effect == "target" for part in (each.value or "").split(",")
    ]
    return not named or any(not _NO_TESTS.intersection(_parts(each)) for each in named)


def _builds_with_tests(program: str, goal: str) -> bool:
    if program == "mvn":
        return goal in _TEST_PHASES or goal.startswith(("surefire:", "failsafe:"))
    task = goal.rpartition(":")[2]
    return task in ("test", "check", "build", "connectedCheck") or task.endswith(("Test", "Tests"))
