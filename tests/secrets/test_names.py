"""Files that are secret by their name, and those that only sound like it."""

import pytest

from donewhen.core.errors import UserError
from donewhen.secrets.examples import expand, filler
from donewhen.secrets.finding import Finding
from donewhen.secrets.names import DEFAULT_PATTERNS, RULES, is_secret_name, secret_file
from tests.tables import table_test

MATCH = [(rule.name, path) for rule in RULES for path in rule.match]
NOT_MATCH = [(rule.name, path) for rule in RULES for path in rule.not_match]
TOKEN = expand("ghp_{w36}")


@table_test(("rule", "path"), MATCH)
def test_a_rule_names_its_examples(rule: str, path: str):
    assert is_secret_name(path, ()) == rule
    assert is_secret_name(f"some/folder/{path}", ()) == rule
    assert is_secret_name(path.replace("/", "\\"), ()) == rule


@table_test(("rule", "path"), NOT_MATCH)
def test_a_rule_leaves_its_counter_examples(rule: str, path: str):
    assert is_secret_name(path, ()) is None


@table_test("path", ["my_secret.yaml", "db-password.conf", "x.api_key", "PRIVATE_KEY.txt"])
def test_the_default_patterns_name_files_that_say_so(path: str):
    assert (is_secret_name(path) or "").startswith("pattern ")
    assert is_secret_name(path, ()) is None


@table_test(
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


@table_test(
    "path",
    [
        "chart/templates/secret.yaml",
        "k8s/external-secret.yaml",
        "k8s/sealed-secret.yaml",
        ".secrets.baseline",
        ".github/secret_scanning.yml",
        "locale/de/password.po",
        "locales/en/password.json",
        "mail/reset_password.hbs",
        "views/reset_password.html.erb",
        "views/reset_password.ejs",
        "password.ico",
        "secret.jpg",
        "secretary.csv",
        "slides.key",
        "public.key",
        "example.env",
        ".env.test",
        ".aws/task-definition.json",
        ".azure/pipelines.yml",
        "run/secrets/load.go",
        "gcloud/credentials_test.rb",
        "gcloud/token.py",
        "auth.json",
        ".m2/settings.xml",
        "gradle.properties",
    ],
)
def test_a_name_that_only_sounds_secret_is_decided_by_a_known_content(path: str):
    assert secret_file(path, "nothing: to hide\n") is None
    found = secret_file(path, f"a: 1\nb: {TOKEN}\n")
    assert found == Finding(path, 2, "github", "b: [redacted:github]")


@table_test(
    ("path", "rule"),
    [
        ("templates/secret.yaml", "credentials"),
        ("password.po", r"pattern password"),
        ("slides.key", "key-file"),
        ("example.env", "env-file"),
        (".aws/task-definition.json", "secret-folder"),
        ("run/secrets/load.go", "secret-folder"),
        ("auth.json", "build-login"),
    ],
)
def test_where_the_content_is_unknown_the_name_counts(path: str, rule: str):
    assert secret_file(path, None) == Finding(path, 0, rule, "")


@table_test(
    "path",
    [
        ".aws/credentials",
        ".aws/sso/cache/a.json",
        ".azure/accessTokens.json",
        "run/secrets/db",
        "server.key",
        ".ssh/config",
        "my_secret.yaml",
        ".env.local",
        "prod.tfvars",
        ".bash_history",
        "secrets/api_key.txt",
    ],
)
def test_a_harmless_looking_content_does_not_clear_a_name_that_says_enough(path: str):
    found = secret_file(path, "nothing: to hide\n")
    assert found is not None
    assert (found.path, found.line, found.excerpt_redacted) == (path, 0, "")


def test_a_pattern_of_the_users_own_counts_whatever_the_content():
    assert secret_file("locales/en/vault.json", "{}", ("vault",)) == Finding(
        "locales/en/vault.json", 0, "pattern vault", ""
    )


def test_source_files_below_folders_of_secrets_are_no_secrets_by_name():
    assert [secret_file(path, "x = 1\n") for path in ("src/secrets/names.py", "pkg/secrets/run.go")] == [
        None
    ] * 2


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
