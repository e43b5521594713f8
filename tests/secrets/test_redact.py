"""Redaction of text: what goes, what stays, and that doing it twice changes nothing more."""

import base64
import json
import uuid
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.examples import expand, filler
from donewhen.secrets.redact import Redactor
from donewhen.secrets.shapes import SHAPES
from donewhen.secrets.spans import marker
from tests.tables import table_test

SECRET = filler("w", 24)
HEX = filler("h", 40)
TEMPLATES = [template for shape in SHAPES for template in shape.match]
STITCHES = [
    "token=",
    "password: ",
    '"api_key": "',
    "--secret ",
    "://u:",
    "@h/",
    "[redacted:",
    "]",
    "\\n",
    "\n",
]
STITCHES += [expand("{begin} {pk}-----"), expand("{end} {pk}-----"), "Authorization: Bearer ", "AKIA", "eyJ"]
STITCHES += [".", '"']
pieces = st.one_of(
    st.sampled_from(TEMPLATES).map(expand),
    st.sampled_from(STITCHES),
    st.text("abcXYZ0189+/=_-.:$%&", max_size=30),
    st.text(max_size=10),
)
texts = st.lists(pieces, max_size=8).map("".join)

REDACTED = [
    'password = "{}"',
    "DB_PASSWORD={}",
    "export API_TOKEN='{}'",
    '{{"api_key": "{}"}}',
    '{{"outer": "{{\\"client_secret\\": \\"{}\\"}}"}}',
    "  secret_key: {}",
    "'secret' => '{}'",
    "deploy --token {} now",
    "deploy --api-key={}",
    "X-Api-Key: {}",
    "PRIVATE-TOKEN: {}",
    "Authorization: Bearer {}",
    '"Authorization": "Basic {}"',
    "authorization: token {}",
    "https://h.invalid/?access_token={}&page=1",
    "const apiKey: string = `{}`;",
    "token: str = b'{}'",
    "<password>{}</password>",
    "//h.invalid/:_authToken={}",
    "https://bob:{}@h.invalid/x",
]


@table_test("form", REDACTED)
@table_test("secret", [SECRET, HEX, filler("b", 40), filler("w", 300)], ids=lambda s: f"{len(s)}")
def test_a_random_value_next_to_a_key_like_name_goes_and_the_rest_stays(form: str, secret: str):
    if "://" in form and "/" in secret:
        secret = quote(secret, safe="")
    rule = "url" if form.startswith("https://bob") else "high-entropy"
    assert Redactor().text(form.format(secret)) == form.format(f"[redacted:{rule}]")


STAYS = [
    f"commit {HEX}",
    f"index {HEX[:7]}..{HEX[7:14]} 100644",
    f"id: {uuid.UUID(int=2**100 + 12345)}",
    f"digest: sha256:{filler('h', 64)}",
    f'"integrity": "sha512-{filler("b", 86)}=="',
    f"    --hash=sha256:{filler('h', 64)} \\",
    f"data = '{filler('b', 120)}'",
    f"password_hash: {HEX}",
    f"token_id={HEX}",
    f"cache key: {HEX}",
    f"author: {SECRET}",
    "password = getpass.getpass('Password: ')",
    "token = os.environ['GITHUB_TOKEN_V2']",
    "token = process.env.GITHUB_TOKEN_V2x9",
    "secret = config.auth.clientSecret2x3y",
    "api_key: your-api-key-here-123",
    "api_key=<token>",
    "TOKEN=${SECRET_TOKEN_1a2B}",
    "TOKEN=$MY_T0KEN_1a2b3C",
    "token: xxxxxxxx1Y2z",
    "password: ********",
    "private_key: /etc/ssl/private/k8s-1.25.key",
    "auth: https://login.invalid/oauth2/v2.0/x9",
    "token: Optional[str] = None",
    "secret: SecretStr",
    "tokens: 12345678",
    "pwd: /home/u/w0rk/Repo1",
    "token = tokenizer_v2.encode(text2)",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "postgres://user:password@localhost/db",
    "https://x.invalid:8080/a@b",
    "git@github.com:owner/name.git",
    "self.enable_k8s_tokens_via_dns = enable_k8s_tokens_via_dns",
    "https://abc:xyz@example.com/",
    f'"AWS::IAM::AccessKey": "{HEX}"',
    "19 passed in 0.42s",
    "BEGIN = '-----BEGIN " + "PRIVATE KEY-----'",
    "auth_version = v1.22.333-rc1",
]


@table_test("text", STAYS)
def test_ordinary_text_stays_the_same_object(text: str):
    assert Redactor().text(text) is text


def key_block(kind: str = "RSA ") -> str:
    lines = "\n".join(filler("b", 64, seed) for seed in range(3))
    return expand(f"{{begin}} {kind}{{pk}}-----\n") + lines + "\nQ==\n" + expand(f"{{end}} {kind}{{pk}}-----")


@table_test("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_whole_key_block_goes(kind: str):
    assert Redactor().text(f"a\n{key_block(kind)}\nb") == "a\n[redacted:pem]\nb"


def test_a_pgp_block_goes():
    block = key_block("PGP ").replace(expand("{pk}-----"), expand("{pk} BLOCK-----"))
    assert Redactor().text(block) == "[redacted:pem]"


def test_a_key_block_with_escaped_line_ends_goes():
    assert Redactor().text(json.dumps({"k": key_block()})) == '{"k": "[redacted:pem]"}'
    twice = json.dumps(json.dumps({"k": key_block()}))
    assert filler("b", 64, 1)[:20] not in Redactor().text(twice)


@table_test("escaped", [False, True])
@table_test("cut", [60, 110, 150, 200])
def test_a_key_block_cut_at_either_end_goes(cut: int, escaped: bool):
    block = key_block()
    for part in (block[:cut], block[-cut:]):
        shown = Redactor().text(json.dumps(part) if escaped else part)
        left = shown.replace("[redacted:pem]", "").replace("\\n", "").strip('"\n')
        assert len(left) < 24, shown


def test_a_public_key_and_a_certificate_stay():
    text = key_block().replace("PRIVATE" + " KEY", "PUBLIC KEY") + key_block().replace(
        "RSA PRIVATE" + " KEY", "CERTIFICATE"
    )
    assert Redactor().text(text) is text


def test_declared_values_go_in_every_usual_form():
    value = 'pä ss"wörd/+1&x'
    redactor = Redactor([value])
    raw = value.encode()
    forms = [
        value,
        quote(value),
        quote(value, safe=""),
        json.dumps(value),
        json.dumps(value, ensure_ascii=False),
    ]
    forms += [base64.b64encode(head + raw + b"!").decode() for head in (b"", b"u", b"u:", b"usr")]
    forms += [base64.urlsafe_b64encode(raw).decode()]
    assert [form for form in forms if "[redacted:declared]" not in redactor.text(f"x{form}y")] == []


def test_the_longest_declared_value_wins():
    assert (
        Redactor(["horsepower", "horsepower-9000"]).text("a horsepower-9000 b") == "a [redacted:declared] b"
    )


def test_from_environment_takes_credentials_and_leaves_paths_flags_and_words():
    env = {
        "MY_TOKEN": "Plain-looking-value",
        "DB_PASSWORD": "correct horse battery",
        "TOKEN_PATH": "/home/u/token-file",
        "SSH_AUTH_SOCK": "/tmp/agent.123",
        "USE_AUTH": "disabled",
        "API_KEY": "short",
        "PG_PASSWORD": "postgres",
        "SECRET_COUNT": "1234567890",
        "HOME": "/home/somebody",
        "EDITOR": "some-editor-name",
    }
    text = "; ".join(env.values())
    expected = text.replace("Plain-looking-value", "[redacted:declared]")
    expected = expected.replace("correct horse battery", "[redacted:declared]")
    assert Redactor.from_environment(env).text(text) == expected


@given(texts, st.lists(st.text(min_size=1, max_size=14), max_size=3))
def test_redacting_twice_is_redacting_once(text: str, values: list[str]):
    redactor = Redactor(values)
    once = redactor.text(text)
    assert redactor.text(once) == once


@given(st.text(max_size=20), st.sampled_from(TEMPLATES), st.integers(0, 50))
def test_a_shape_is_found_behind_any_text_that_ends_a_word(before: str, template: str, seed: int):
    secret = expand(template, seed)
    assert secret not in Redactor().text(f"{before} {secret} end")


@given(st.text(min_size=8, max_size=40), st.text(max_size=30), st.text(max_size=30))
def test_a_declared_value_never_survives(value: str, before: str, after: str):
    shown = Redactor([value]).text(before + value + after)
    assert not any(value in piece for piece in marker().split(shown))


def test_repetition_at_the_edge_of_randomness_is_settled_at_once():
    once = Redactor().text("Tok3nToken1=" * 5000)
    assert Redactor().text(once) == once


HOSTILE = [
    "a",
    "token=",
    "-----BEGIN ",
    "eyJ",
    "://",
    "password",
    '"key": ',
    "sk-",
    "A",
    expand("{begin} {pk}-----"),
]
HOSTILE += [
    "eyJ.",
    "token='",
    "pass\\",
    "://a:",
    "\\n",
    "ghp_",
    "AKIA",
    "auth: x=",
    "xoxb-1-",
    "İ",
    "key" + " " * 9,
]


@pytest.mark.runs
@table_test("unit", HOSTILE)
def test_a_megabyte_of_repetition_is_read_to_its_end(unit: str):
    text = unit * (1_000_000 // len(unit)) + f" token={SECRET}"
    assert SECRET not in Redactor().text(text)
