"""Which calls run a project's tests, as far as names tell: zero tests are no pass only for these."""

from donewhen.commands.calls import Call
from donewhen.commands.words import word_list, word_set


def is_test_call(call: Call) -> bool:
    if any(each.effect == "norun" for each in (*call.settings, *(call.rest.settings if call.rest else ()))):
        return False
    if not call.grammar and " " in call.name:  # one quoted word
        return False
    named = call.name.replace(" ", "_")
    if named in word_set("test_programs") or (call.name.startswith("npm ") and call.grammar == "npm"):
        return named in word_set("test_programs") or _is_test_script(call.name.split()[-1])
    if call.name.startswith(("docker ", "podman ")) and call.rest is not None:
        return is_test_call(call.rest)
    if call.name in ("tox", "nox"):
        return _sessions(call)
    if call.name in ("mvn", "gradle"):
        return any(_builds_with_tests(call.name, each) for each in call.operands)
    if named in word_set("test_by_target"):
        return any(_is_test_word(each) for each in call.operands)
    return False


def _is_test_script(script: str) -> bool:
    return any(part in word_set("test_words") - {"check"} for part in _parts(script))


def _is_test_word(word: str) -> bool:
    return word.partition("=")[0] == word and any(part in word_set("test_words") for part in _parts(word))


def _parts(word: str) -> list[str]:
    for mark in "-_./":
        word = word.replace(mark, ":")
    return word.lower().split(":")


def _sessions(call: Call) -> bool:
    """The default of tox and nox is taken to be the tests; a named session by its name."""
    named = [
        part for each in call.settings if each.effect == "target" for part in (each.value or "").split(",")
    ]
    return not named or any(not word_set("no_tests").intersection(_parts(each)) for each in named)


def _test_phases() -> tuple[str, ...]:
    phases = word_list("maven_phases")
    return phases[phases.index("test") :]


def _builds_with_tests(program: str, goal: str) -> bool:
    if program == "mvn":
        return goal in _test_phases() or goal.startswith(("surefire:", "failsafe:"))
    task = goal.rpartition(":")[2]
    return task in ("test", "check", "build", "connectedCheck") or task.endswith(("Test", "Tests"))
