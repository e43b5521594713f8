"""What holds for every program and option in the tables, and for any words at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands.grammar import find, folds, grammar_names, grammar_of, tables
from donewhen.commands.invocation import Comparison, Invocation
from donewhen.commands.programs import compare, is_test_command, normalise
from donewhen.core.tree import Word
from tests.tables import table_test

COMMANDS = {  # a whole command -> the table that its last word is read with
    "npm test --": "test args",
    "npm run test:e2e --": "e2e args",
    "npx vitest run": "vitest args",
    "npx jest": "jest args",
    "npx mocha": "mocha args",
    "npx playwright test": "playwright args",
    "npx cypress run": "cypress args",
    "npm ci": "npm ci",
    "npm": "npm",
    "cargo test --": "libtest",
    "cargo clippy --": "lints",
    "python -m unittest": "unittest",
    "node --test": "node",
    "python manage.py test": "manage.py test",
    "make test": "make",
    "./gradlew test": "gradle",
    "mvn verify": "mvn",
    "go test ./...": "go test",
    **{
        name: name
        for name, grammar in ((each, grammar_of(each)) for each in sorted(grammar_names()))
        if grammar.inner < 0
        and not name.endswith((" args", "tests"))
        and name.split()[0]
        not in ("npm", "pnpm", "yarn", "bun", "libtest", "lints", "posargs", "unittest", "manage.py")
        and name.split()[0] not in ("jvm", "node", "make", "gradle", "mvn")
    },
}
ADDED = {"quiet": "ok", "strict": "ok", "widen": "ok", "at_most": "ok", "at_least": "ok", "mask": "mask"}


def words(*texts: str) -> Invocation:
    return Invocation(tuple(Word(word) for text in texts for word in text.split()))


def options(table: str) -> list[tuple[str, str, str]]:
    """Every option that the table knows: as written, its effect, how it takes a value."""
    found = {}
    for rules in tables(table):
        for name in rules.names:
            rule = find(table, name)
            if rule is not None and rule.name not in rules.values:
                found[name] = (rule.effect, rule.takes)
    return [(name, *found[name]) for name in found if name[0] in "-"]


@table_test("command", sorted(COMMANDS))
def test_every_option_does_what_its_table_says(command):
    base = words(command.removesuffix(" --"))
    for name, effect, takes in options(COMMANDS[command]):
        value = "=0" if effect == "at_most" else "=5" if takes == "=" else " x" if takes == "+" else ""
        longer = words(command, name + value) if "=" in value else words(command, name, value)
        found = compare(base, longer)
        expected = "ok" if effect == "where" else ADDED.get(effect, "no")
        verdict = "no" if not found.same else "mask" if found.masked else "ok"
        assert (name, verdict) == (name, expected), found
        assert compare(longer, longer) == Comparison(True)
        if effect in (
            "strict",
            "widen",
            "at_most",
            "at_least",
            "other",
            "config",
            "norun",
            "watch",
            "target",
        ):
            assert not compare(longer, base).same, name
        assert normalise(Invocation(tuple(map(Word, normalise(longer))))) == normalise(longer), name


def test_every_base_and_every_table_that_is_handed_to_exists():
    known = {each: grammar_of(each) for each in grammar_names()}
    for name, grammar in known.items():
        assert set(grammar.base) <= known.keys(), name
        assert grammar.after in ("", "=", *known), name
    assert set(folds().values()) <= known.keys() | {"cargo run"}


VOCABULARY = sorted(
    {part for name in (*grammar_names(), *folds()) for part in name.split()}
    | set(
        "-k -v -- --prefix .. web test run run-script workspace foreach -m exec $X = -Dtest=a -xvs -j4 --no-x ./... . a/b".split()
    )
    | set(
        "npx pnpm yarn bun corepack uvx node_modules/.bin/jest -C ../x + - -- --= V=1 '' --filter -w docker compose".split()
    )
)
WORDS = st.tuples(st.sampled_from(VOCABULARY) | st.text(max_size=6), st.booleans() | st.just(True)).map(
    lambda pair: Word(*pair)
)
NAMES = st.sampled_from(["MAKEFLAGS", "PYTEST_ADDOPTS", "CI", "X", "npm_config_x", "GOFLAGS"])
ANY = st.tuples(st.lists(WORDS, max_size=9).map(tuple), st.dictionaries(NAMES, WORDS, max_size=2)).map(
    lambda pair: Invocation(*pair)
)


@given(ANY)
def test_any_command_is_itself(command):
    assert compare(command, command) == Comparison(True)


@given(ANY)
def test_the_key_of_a_key_is_the_key(command):
    plain = command._replace(words=tuple(word._replace(known=True) for word in command.words))
    key = normalise(plain)
    assert normalise(Invocation(tuple(map(Word, key)))) == key


@given(ANY, ANY)
def test_two_commands_are_compared_without_fail(declared, executed):
    found = compare(declared, executed)
    assert found.same or found.reason
    assert is_test_command(executed) in (True, False)


@pytest.mark.runs
@table_test(
    "text",
    [
        "yarn " + "workspace a " * 20_000 + "test",
        "npx " * 20_000,
        "docker compose run a " * 20_000,
        "pytest " + "-" + "v" * 200_000,
        "pytest " + "-n" + "j" * 200_000,
        "make " + "-" + "j" * 200_000,
        "pytest " + "--x " * 20_000,
        "pytest " + " ".join(f"--x{n}" for n in range(20_000)),
        "pytest " + "a/" * 50_000,
        "go test ./" + "a/" * 50_000,
        "npm test " + "--testMatch a " * 20_000,
        "uv run " * 10_000 + "pytest",
        "cargo test " + "-- " * 20_000,
        "yarn workspaces foreach " * 10_000,
    ],
    ids=lambda text: text[:24],
)
def test_hostile_lines_are_read_in_bounded_work(text):
    command = words(text)
    assert compare(command, command).same
    compare(words("pytest tests"), command)
    normalise(command)
