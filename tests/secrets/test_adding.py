"""Files that a change adds: credential files by name, and those that only sound or look like them."""

from donewhen.secrets.adding import added_secret, is_credential_file
from donewhen.secrets.examples import expand
from donewhen.secrets.names import DEFAULT_PATTERNS
from tests.tables import table_test

VALUE = "not-a-real-password-0815"
REAL = f"SMTP_PASSWORD={VALUE}\n"
CASES = [
    (".env", REAL, "env-file"),
    ("deploy/prod.env", REAL, "env-file"),
    (".env", "TOKEN=abc\n", "env-file"),
    (".env", "PORT=8080\nDEBUG=1\n", None),
    (".env", "# nothing\nPASSWORD=\nTOKEN=${TOKEN}\n", None),
    (".env", "", None),
    (".env", None, "env-file"),
    (".env.example", "PAYMENT_KEY=\n", None),
    (".env.example", REAL, None),
    ("credentials.json", '{\n  "client_secret": "open-sesame-1984"\n}\n', "credentials"),
    ("credentials.json", '{\n  "client_secret": "<your secret>"\n}\n', None),
    ("keys/id_ed25519", "anything", "ssh-key"),
    ("server.key", "anything", "key-file"),
    (".netrc", "machine a login b password c\n", "login-file"),
    ("tests/fixtures/.env", "API_KEY=fake-key-for-tests\n", None),
    ("tests/fixtures/.env", f"API_KEY={expand('ghp_{w36}')}\n", "env-file"),
    ("docs/password-policy.txt", "at least 12 characters\n", None),
    ("secrets/README.txt", "see the wiki\n", None),
    ("password_reset.py", "def reset(): ...\n", None),
]


@table_test(("path", "text", "rule"), CASES)
def test_the_name_counts_unless_the_file_shows_to_be_harmless(path, text, rule):
    found = added_secret(path, text)
    assert (found.rule if found else None) == rule
    assert found is None or VALUE not in repr(found)


def test_a_file_that_the_project_ignores_counts_whatever_it_holds():
    assert added_secret(".env", "PORT=8080\n", ignored=True) is not None
    assert added_secret(".env", "\n", ignored=True) is None
    assert added_secret("build/out.txt", REAL, ignored=True) is None


def test_the_users_own_pattern_counts_by_name_alone():
    patterns = (*DEFAULT_PATTERNS, r"\.vault$")
    assert added_secret("team.vault", "words\n", patterns) is not None
    assert added_secret("team.vault", "words\n") is None


@table_test(("path", "is_one"), [(".env", True), ("my_secret_notes.txt", False), ("api_key_list.csv", False)])
def test_a_word_in_the_name_is_not_enough(path, is_one):
    assert is_credential_file(path) is is_one
