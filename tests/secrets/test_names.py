"""Files that are secret by their name, and those that only sound like it."""

import pytest

from donewhen.core.errors import UserError
from donewhen.secrets.examples import expand, filler
from donewhen.secrets.finding import Finding
from donewhen.secrets.names import DEFAULT_PATTERNS, RULES, is_secret_name, secret_file

MATCH = [(rule.name, path) for rule in RULES for path in rule.match]
NOT_MATCH = [(rule.name, path) for rule in RULES for path in rule.not_match]
TOKEN = expand("ghp_{w36}")


@pytest.mark.parametrize(("rule", "path"), MATCH)
def test_a_rule_names_its_examples(rule: str, path: str):
    assert is_secret_name(path, ()) == rule
    assert is_secret_name(f"some/folder/{path}", ()) == rule
    assert is_secret_name(path.replace("/", "\\"), ()) == rule


@pytest.mark.parametrize(("rule", "path"), NOT_MATCH)
def test_a_rule_leaves_its_counter_examples(rule: str, path: str):
    assert is_secret_name(path, ()) is None


@pytest.mark.parametrize("path", ["my_secret.yaml", "db-password.conf", "x.api_key", "PRIVATE_KEY.txt"])
def test_the_default_patterns_name_files_that_say_so(path: str):
    assert (is_secret_name(path) or "").startswith("pattern ")
    assert is_secret_name(path, ()) is None


@pytest.mark.parametrize(
    "path",
    [
        "password_reset.py",
        "secret_santa.go",
        "docs/secrets.md",
        "api_key.test.ts",
        "a/secret/readme",
        "secret.dist",
    ],
)
def test_a_word_in_the_name_of_a_source_file_or_folder_is_no_secret(path: str):
    assert is_secret_name(path) is None
    assert secret_file(path, "nothing to hide\n") is None


def test_a_source_file_with_a_secret_in_it_is_found_by_its_content():
    content = f"import os\n\nTOKEN = '{TOKEN}'\n"
    assert secret_file("password_reset.py", content) == Finding(
        "password_reset.py", 3, "github", "TOKEN = '[redacted:github]'"
    )


def test_a_secret_name_needs_no_content():
    assert secret_file("app/.env", None) == Finding("app/.env", 0, "env-file", "")
    assert secret_file("app/.env", "A=1\n") == Finding("app/.env", 0, "env-file", "")


def test_a_file_that_is_often_harmless_is_decided_by_its_content_where_that_is_known():
    assert secret_file(".npmrc", None) == Finding(".npmrc", 0, "registry-login", "")
    assert secret_file(".npmrc", "save-exact=true\n") is None
    login = f"//h.invalid/:_authToken={filler('h', 40)}\n"
    assert secret_file(".npmrc", login) == Finding(
        ".npmrc", 1, "high-entropy", "//h.invalid/:_authToken=[redacted:high-entropy]"
    )


def test_own_patterns_replace_the_defaults():
    assert is_secret_name("x.vault", (r"\.vault$",)) == r"pattern \.vault$"
    assert is_secret_name("my_secret.yaml", (r"\.vault$",)) is None
    assert DEFAULT_PATTERNS[0] == r"\.env$"


def test_a_broken_pattern_is_the_users_to_correct():
    with pytest.raises(UserError) as caught:
        is_secret_name("x.yaml", ("(",))
    assert str(caught.value) == (
        "The pattern '(' of guardrails.secret_patterns is not a valid regular expression (missing ), "
        "unterminated subpattern at position 0); correct or remove it in the configuration."
    )
    assert "'('" in caught.value.say("zh")
