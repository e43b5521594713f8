"""Any bytes and any values: either they are read, or they are refused in the one way that callers know."""

import json
import string
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import dumps
from donewhen.core.errors import UserError
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from donewhen.integrations.hook.judging import judged
from donewhen.integrations.hook.ledger import DEEPEST, cut
from donewhen.integrations.hook.payload import Payload, parsed
from donewhen.secrets.redact import Redactor

TEXT = st.text(max_size=40) | st.sampled_from(
    [
        "~",
        "~/.ssh/id_rsa",
        "\0",
        "\ud800",
        "*** Begin Patch\n*** Add File: x\n",
        "{a",
        "**/*",
        "file:///etc/x",
        "-rf",
    ]
)
KEYS = st.sampled_from(
    "command cmd path file_path filePath pattern glob include paths chars workdir patchText input x".split()
)
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXT, inner, max_size=4),
    max_leaves=12,
)
TOOLS = st.sampled_from(
    "Bash Write Edit Read Grep Glob LS apply_patch write_stdin run_shell_command write_file read_many_files glob bash"
    " write patch grep list mcp__a__b mcp__fs__read Task".split()
) | st.text(string.printable, min_size=1, max_size=20)
CLIENTS = st.sampled_from(("claude", "codex", "gemini", "opencode"))


@given(st.binary(max_size=200) | JSON.map(lambda data: json.dumps(data).encode()))
def test_any_input_is_a_payload_or_refused(raw):
    try:
        payload = parsed(raw)
    except UserError as error:
        assert error.key == "hooked.bad_input"
    else:
        assert payload.folder.startswith("/")


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_what_was_read_can_be_written(more):
    payload = parsed(
        json.dumps({**more, "session_id": "s", "cwd": "/"} | {"hook_event_name": "Stop"}).encode()
    )
    assert isinstance(payload, Payload)
    json.dumps(payload.data, ensure_ascii=False).encode()


@given(CLIENTS, TOOLS, JSON)
def test_every_call_gets_a_decision(client, tool, args):
    assert judged(Guard(GROUND), client, tool, args).action in ("allow", "ask", "deny")


@given(JSON)
def test_what_is_kept_is_bounded(data):
    kept = cut(data, Redactor())
    dumps(kept)
    assert _depth(kept) <= DEEPEST


def _depth(data: Any) -> int:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def test_a_long_text_keeps_its_head_and_tail():
    seen: list[str] = []

    def text(given: str) -> str:
        seen.append(given)
        return given

    redactor: Any = SimpleNamespace(text=text)
    kept = cut("a" * 50_000 + "b" * 50_000, redactor)
    assert kept.startswith("aaa")
    assert kept.endswith("bbb")
    assert len(kept) < 2100
    assert all(len(text) > 10_000 for text in seen)
