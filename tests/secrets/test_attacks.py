"""What an attacker tried: forms that leaked, blocks that swallowed reports, input that took too long."""

import json

from donewhen.secrets import keylike
from donewhen.secrets.examples import expand, filler
from donewhen.secrets.redact import Redactor
from donewhen.secrets.scan import scan_text
from donewhen.store.artifacts import Artifacts
from tests.tables import table_test

SECRET = filler("w", 24)
MARK = "[redacted:high-entropy]"
DJANGO = "django-insecure-" + "(x8&k" + filler("w", 20) + "#[2]"

LEAKED = [
    "sending Bearer {}",
    "Authorization: GenieKey {}",
    'password                 = "{}"',
    "password:\n  {}\n",
    "api_key: >-\n  {}\n",
    "- name: DB_PASSWORD\n  value: {}",
    '{{"name": "API_TOKEN", "value": "{}"}}',
    '<add key="ApiKey" value="{}"/>',
    'os.Setenv("API_TOKEN", "{}")',
    "req.setHeader('X-Api-Key', '{}')",
    '["--token","{}"]',
    "token = process.env.TOKEN || '{}'",
    "password = os.getenv('P') or '{}'",
    'password = """{}"""',
    "token=$'{}'",
    'let token: &str = "{}";',
    'const apiToken string = "{}"',
    "\x1b[36mtoken\x1b[0m=\x1b[32m{}\x1b[0m",
    "ENV API_TOKEN {}",
    "machine h login u password {}",
    '#define API_KEY "{}"',
    "CREATE USER bob WITH PASSWORD '{}'",
    "curl -u bob:{} https://h.invalid",
    "mysql -uroot -p{} db",
    "docker login -u bob -p {} reg",
    "sshpass -p {} ssh h",
    "STRIPE_KEY={}",
    "DBPASS={}",
    "DB_PW={}",
    "&quot;password&quot;:&quot;{}&quot;",
    '\\\\\\"password\\\\\\":\\\\\\"{}\\\\\\"',
    '  ~ secret_string = "old" -> "{}"',
]
STAYS = [
    f"INFO auth: request_id={expand('{h8}-{h4}-{h4}-{h4}-{h12}')}",
    f"auth: commit={filler('h', 40)}",
    f"token: sha256={filler('h', 64)}",
    f"checksum/secret: {filler('h', 64)}",
    f"- auth: {filler('h', 40)} (heads/main)",
    "id=arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-a1B2c3",
    "Unexpected token: r2d2C3PO",
    f"nextPageToken: {filler('w', 20)}",
    f"auth: ghcr.io/o/i@sha256:{filler('h', 64)}",
    '"password": "パスワード12文字です"',
    "pass: test_a1B2c3D4",
    "docker run -p 8080:8080 image",
]
PIECE = "a1B2" + "c3D4"
UNITS = ["api_key=" + PIECE, "apiKey1=", "Auth1Cred=", "=PwdTokenPwdA", "Token" + "A1b2C3=", "pwd:pwd9="]


@table_test("form", LEAKED)
def test_forms_that_leaked_leak_no_more(form: str):
    assert Redactor().text(form.format(SECRET)) == form.format(MARK)


@table_test("text", STAYS)
def test_what_was_redacted_wrongly_stays(text: str):
    assert Redactor().text(text) == text


def test_a_quoted_value_is_judged_up_to_its_closing_quote():
    assert Redactor().text(f"SECRET_KEY = '{DJANGO}'") == f"SECRET_KEY = '{MARK}'"


@table_test("unit", UNITS)
def test_the_number_of_judged_places_grows_with_the_text_and_not_faster(unit: str):
    """Each accepted span is long or few: what was accepted once is not judged again piece by piece."""
    counts = [len(list(keylike.secrets_in(unit * (size // len(unit))))) for size in (50_000, 100_000)]
    assert counts[1] <= 3 * counts[0] + 8


def test_context_in_data_reaches_pairs_nested_values_and_arguments():
    payload = {
        "headers": {"Authorization": f"Bearer {SECRET}"},
        "env": [{"name": "API_TOKEN", "value": SECRET}, ["DB_PASSWORD", SECRET]],
        "credentials": {"prod": SECRET, "items": [SECRET], "commit": filler("h", 40)},
        "argv": ["curl", "-u", f"bob:{SECRET}", "-token", SECRET],
        "Access Token (prod)": SECRET,
        "password": "your" + SECRET + "...",
        "token": "<your-token-here>",
    }
    assert Redactor().data(payload) == {
        "headers": {"Authorization": f"Bearer {MARK}"},
        "env": [{"name": "API_TOKEN", "value": MARK}, ["DB_PASSWORD", MARK]],
        "credentials": {"prod": MARK, "items": [MARK], "commit": filler("h", 40)},
        "argv": ["curl", "-u", f"bob:{MARK}", "-token", MARK],
        "Access Token (prod)": MARK,
        "password": MARK,
        "token": "<your-token-here>",
    }


def test_thousands_of_secret_keys_keep_their_values_apart():
    payload = {expand("ghp_{w36}", seed): seed for seed in range(3000)}
    assert sorted(Redactor().data(payload).values()) == list(range(3000))


def test_a_report_cannot_be_hidden_in_a_key_block():
    report = "\n".join(f"/usr/lib/python3/package{n}/module" for n in range(2000))
    text = expand("{begin} {pk}-----\n") + report + expand("\n{end} {pk}-----")
    assert report in Redactor().text(text)


def test_a_key_block_with_a_log_prefix_on_each_line_goes():
    lines = [expand("{begin} {pk}-----"), *(filler("b", 64, n) for n in range(4)), expand("{end} {pk}-----")]
    shown = Redactor().text("\n".join(f"12:00:0{n} INFO {line}" for n, line in enumerate(lines)))
    assert [n for n in range(4) if filler("b", 64, n)[:24] in shown] == []


def test_thousands_of_findings_on_one_line_share_one_short_excerpt():
    findings = scan_text("f", " ".join(expand("ghp_{w36}", seed) for seed in range(2000)))
    assert len(findings) == 2000
    assert {len(finding.excerpt_redacted) for finding in findings} == {160}


def test_our_own_words_are_no_declared_values():
    redactor = Redactor.from_environment({"X_PASSWORD": "could_not_run", "A_TOKEN": "duration_ms"})
    assert redactor.data({"could_not_run": "duration_ms"}) == {"could_not_run": "duration_ms"}


@table_test("value", ["redacted:", "eclared]", "UNDEFINED", "declared"])
def test_a_declared_value_that_looks_like_a_marker_makes_no_more_markers(value: str):
    redactor = Redactor([value])
    once = redactor.text(f"a {value} b")
    assert once == "a [redacted:declared] b"
    assert redactor.text(once) == once


def test_declared_values_go_in_more_encodings():
    value = "pa$$w0rd\"x'y<&>z/+"
    forms = [value.encode().hex(), json.dumps(json.dumps(value)), value.replace("'", "''")]
    forms += [value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")]
    forms += [json.dumps(value).replace("/", "\\/"), value.replace("'", "'\\''")]
    assert [form for form in forms if MARK[:10] not in Redactor([value]).text(f"x {form} y")] == []


@table_test("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_an_artifact_in_utf_16_is_redacted_in_its_encoding(tmp_path, encoding: str):
    artifacts = Artifacts(tmp_path)
    kept = artifacts.get(artifacts.put(f"some words, token={SECRET}\n".encode(encoding)))
    assert kept.decode(encoding) == f"some words, token={MARK}\n"


@table_test("unit", ["Auth1Cred=", "=PwdTokenPwdA", "pwd:pwd9=", "Tok3nToken1="])
def test_a_long_run_of_names_and_values_hides_no_secret_behind_it(unit: str):
    secret = filler("w", 32, 7)
    run = unit * (6000 // len(unit))
    for between in ("\n", " ", '"', "; "):
        for name in ("password", "api_token", "client_secret", "authorization"):
            assert secret not in Redactor().text(f"{run}{between}{name}={secret}\n")
