"""Every text exists in both languages, and every key used in the code exists with the right values."""

import ast
import importlib
import pkgutil
import string
from pathlib import Path

import donewhen
from donewhen.core import texts
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import language_of, say
from tests.tables import table_test

ROOMS = {
    m.name: importlib.import_module(f"donewhen.core.texts.{m.name}").TEXTS
    for m in pkgutil.iter_modules(texts.__path__)
}
ALL = {f"{room}.{name}": pair for room, entries in ROOMS.items() for name, pair in entries.items()}
SOURCE = Path(donewhen.__file__).parent


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_say_the_same_with_the_same_values():
    assert len(ALL) > 1000
    assert [key for key, pair in ALL.items() if not all(pair)] == []
    assert [key for key, (english, chinese) in ALL.items() if holes(english) != holes(chinese)] == []


def _values(node: ast.Call) -> set[str | None]:
    """The names of the values of a call: keywords, or the keys of a Phrase's mapping; None for unknown ones."""
    if len(node.args) < 2:
        return {k.arg for k in node.keywords}
    if isinstance(node.args[1], ast.Dict):
        return {str(key.value) if isinstance(key, ast.Constant) else None for key in node.args[1].keys}
    return {None} if not node.keywords else {k.arg for k in node.keywords}


def _uses() -> list[tuple[str, str, set[str] | None]]:
    """(place, key, values) of every literal key that the code uses; values None when passed as **."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            key = node.args[0].value
            speaks = name in ("t", "say", "Phrase") or name.endswith(("Error", "Broken", "Needed", "Reached"))
            foreign = name in ("ValueError", "TypeError", "AttributeError")
            if speaks and not foreign and isinstance(key, str) and "." in key:
                given = _values(node)
                found.append(
                    (f"{path.name}:{node.lineno}", key, None if None in given else {str(g) for g in given})
                )
    return found


def test_every_used_key_exists_and_gets_its_values():
    uses = _uses()
    assert len(uses) > 1000
    assert [(place, key) for place, key, _ in uses if key not in ALL] == []
    known = [(place, key, given) for place, key, given in uses if given is not None]
    assert [(place, key) for place, key, given in known if not holes(ALL[key][0]) <= given] == []


def test_an_error_speaks_both_languages():
    error = UserError("store.no_run", run="r-1")
    assert str(error).startswith("there is no run r-1")
    assert "没有运行 r-1" in error.say("zh")
    assert (UserError.exit_code, SetupError.exit_code) == (2, 5)


@table_test(
    ("hints", "language"),
    [
        ((None, "", "auto"), "en"),
        (("zh",), "zh"),
        (("auto", "", "zh_CN.UTF-8"), "zh"),
        (("en", "zh"), "en"),
        (("de_DE",), "en"),
    ],
)
def test_the_first_hint_decides_the_language(hints, language):
    assert language_of(*hints) == language


def test_say_fills_in_values():
    assert say("cli.event_one", "en", seq=3) == "event 3"
