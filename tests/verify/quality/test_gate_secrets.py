"""The gate `secrets`: found in what a change adds, told without the secret, silenced only by the base."""

import hashlib
import json

from donewhen.core.quality.model import GateResult
from donewhen.secrets.examples import expand
from donewhen.verify.quality.secrets import questions_of_secrets, secrets_in, with_doubt
from tests.tables import table_test

TOKEN = expand("ghp_{w36}")


def diff(*added: str, file: str = "a.py") -> str:
    head = f"diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -1,1 +1,{1 + len(added)} @@\n one\n"
    return head + "".join(f"+{line}\n" for line in added)


def baseline(secret: str, file: str = "a.py", **more: object) -> str:
    digest = hashlib.sha1(secret.encode()).hexdigest()
    return json.dumps({"results": {file: [{"hashed_secret": digest, "type": "GitHub Token", **more}]}})


def test_a_secret_is_told_with_its_place_and_kind_and_never_itself():
    [found] = secrets_in(diff("x = 1", f"key = '{TOKEN}'"))
    assert (found.file, found.line, found.rule, found.severity, found.level) == (
        "a.py",
        3,
        "github",
        "error",
        "high",
    )
    assert TOKEN not in repr(found)
    assert "github" in found.message
    assert found.fix


def test_an_ordinary_change_has_none():
    assert secrets_in(diff("x = 1", "password = os.environ['PASSWORD']")) == ()
    assert secrets_in("") == ()


WORD = "x7Gq9ZpL2mNv8RtYw4Kc"


@table_test(
    "lines",
    [
        ("password = '{}'  # pragma: allowlist secret",),
        ("password = '{}'  // pragma: whitelist secret",),
        ("# pragma: allowlist nextline secret", "password = '{}'"),
    ],
)
def test_an_allow_comment_makes_it_a_note_that_people_still_see(lines):
    plain = secrets_in(diff(*(line.partition("  ")[0].format(WORD) for line in lines if "{}" in line)))
    assert [each.severity for each in plain] == ["error"]
    [found] = secrets_in(diff(*(line.format(WORD) for line in lines)))
    assert found.severity == "note"
    assert WORD not in repr(found)


@table_test(
    ("text", "file", "severity"),
    [
        (f"key = '{TOKEN}'", "a.py", "error"),
        (f"key = '{TOKEN}'", "tests/data/answer.json", "warning"),
        (f"key = '{TOKEN}'", "tests/test_a.py", "warning"),
        (f"password = '{WORD}'", "a.py", "warning"),
    ],
)
def test_what_only_may_be_a_secret_is_asked_about(text, file, severity):
    [found] = map(with_doubt, secrets_in(diff(text, file=file)))
    assert found.severity == severity
    gate = GateResult("secrets", "passed", True, (found,))
    asked = questions_of_secrets((gate,), lambda path: (path,))
    assert [(each.kind, each.file, each.line) for each in asked] == [("secret", file, 2)] * (
        severity != "error"
    )
    assert TOKEN not in repr(asked)


def test_no_comment_allows_what_has_the_shape_of_a_real_key():
    [found] = secrets_in(diff(f"key = '{TOKEN}'  # pragma: allowlist secret"))
    assert (found.severity, found.rule) == ("error", "github")


def test_a_comment_that_allows_something_else_allows_nothing():
    [found] = secrets_in(diff(f"key = '{TOKEN}'  # noqa: allow secret"))
    assert found.severity == "error"


def test_what_the_baseline_lists_for_the_file_is_left_out():
    change = diff(f"key = '{TOKEN}'")
    assert secrets_in(change, baseline(TOKEN)) == ()
    assert len(secrets_in(change, baseline(TOKEN, "b.py"))) == 1
    assert len(secrets_in(change, baseline("something else"))) == 1
    assert len(secrets_in(change, baseline(TOKEN, is_secret=True))) == 1


@table_test("text", ["[" * 100_000, "no json", "[]", '{"results": []}', '{"results": {"a.py": 3}}'])
def test_a_broken_baseline_excuses_nothing(text):
    assert len(secrets_in(diff(f"key = '{TOKEN}'"), text)) == 1


def test_what_can_not_be_read_is_a_finding():
    text = "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n"
    [found] = secrets_in(text)
    assert (found.rule, found.file, found.severity) == ("unread", "x.bin", "error")


def test_messages_speak_chinese_too():
    [found] = secrets_in(diff(f"key = '{TOKEN}'"), language="zh")
    assert "机密" in found.message
