"""What credential files hold: values that must stand nowhere else, and what is too ordinary to be looked for."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.examples import expand, filler
from donewhen.secrets.held import Pair, is_credential, pairs_in, values_in
from tests.tables import table_test

RANDOM = "x7Gq9ZpL2mNv8RtYw4Kc"
BODY = filler("b", 64)


@table_test(
    ("text", "values"),
    [
        ("SMTP_PASSWORD=not-a-real-password-0815\n", ["not-a-real-password-0815"]),
        ("export API_KEY='two words 4711' # mine\n", ["two words 4711"]),
        ('{"client_secret": "open-sesame-1984", "port": 8080}\n', ["open-sesame-1984"]),
        ('{\n  "client_secret": "open-sesame-1984",\n  "port": 8080\n}\n', ["open-sesame-1984"]),
        ("db:\n  password: horse-battery-99\n", ["horse-battery-99"]),
        ("//registry.example.org/:_authToken=abc-def-12345\n", ["abc-def-12345"]),
        ("machine a login b password hunter2-hunter2\n", ["hunter2-hunter2"]),
        (expand("DATABASE_URL=postgres://ann:s3cret-word{at}db/app{nl}"), ["s3cret-word"]),
        ("db:5432:app:ann:s3cret-word\n", ["s3cret-word"]),
        (f"SESSION={RANDOM}\n", [RANDOM]),
        (f"{RANDOM}\n", [RANDOM]),
        (expand("{begin} {pk}-----{nl}") + BODY + "\n", [BODY]),
        ("API_KEY=changeme\nTOKEN=<your token>\nSECRET=\nPASSWORD=short\n", []),
        (
            "APP_URL=https://pay.example.org\nLOG_LEVEL=debugging\nPORT=80801234\n# PASSWORD=old-one-1234\n",
            [],
        ),
        ("", []),
    ],
)
def test_values_are_taken_where_a_name_claims_them_or_chance_made_them(text, values):
    assert list(values_in(text)) == values


def test_windows_line_ends_are_no_part_of_a_value():
    assert list(pairs_in("TOKEN=abc-def-123\r\n")) == [Pair("TOKEN", "abc-def-123")]


@table_test(
    ("name", "value", "is_one"),
    [
        ("PASSWORD", "hunter2", True),
        ("PASSWORD", "", False),
        ("PASSWORD", "${PASSWORD}", False),
        ("PORT", "8080", False),
    ],
)
def test_a_short_password_is_a_credential_too(name, value, is_one):
    assert is_credential(Pair(name, value)) is is_one


@given(st.text(max_size=400))
def test_any_text_is_read_and_nothing_short_is_taken(text):
    assert all(len(value) >= 8 for value in values_in(text))
