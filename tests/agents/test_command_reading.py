"""What clients print at their end, read; whatever they print, it is a report or it is none."""

import json

from donewhen.agents.clients.known import KNOWN
from donewhen.agents.clients.model import Spent
from donewhen.agents.clients.reading import read_aider, read_claude, read_codex, read_gemini, read_opencode
from donewhen.core.budget import MOST
from tests.clients_support import claude, codex, gemini, opencode
from tests.tables import table_test


def test_each_dialect_is_understood():
    spent = Spent(250_000, 100, 20, "claude-x")
    assert read_claude(claude())[:4] == (True, "The cart adds up.", "s-1", spent)
    assert read_codex(codex())[:4] == (True, "The cart adds up.", "t-1", Spent(None, 100, 10))
    assert read_gemini(gemini())[:4] == (True, "The cart adds up.", "g-1", Spent(None, 90, 10, "gemini-x"))
    assert read_opencode(opencode())[:4] == (True, "The cart adds up.", "ses_1", Spent(10_000, 74, 6))


@table_test("name", [name for name, kind in KNOWN.items() if kind.remembers])
@table_test(
    "printed", ["", "\n", "done!", "null", "[]", "{}", "[1, {}]", '{"type": 3}', "{" * 100_000, "\0\ud800"]
)
def test_what_is_no_report_is_no_success(name: str, printed: str):
    report = KNOWN[name].read(printed)
    assert (report.ok, report.session, report.why) == (False, "", "error")


def test_aider_tells_tokens_and_money_among_its_words():
    said = "Fixed.\nTokens: 1.5k sent, 20 received. Cost: $0.10 message, $0.25 session.\n"
    assert read_aider(said).spent == Spent(250_000, 1500, 20)
    assert read_aider("Fixed.").spent is None
    assert read_aider("Tokens: 1.2.3k sent, . received. Cost: $1 message, $9e9 session.").spent == Spent(
        None, 0, 0
    )


@table_test("cost", [-1, float("nan"), float("inf"), True, "1", None, [1]])
def test_what_is_no_amount_is_not_booked(cost: object):
    report = read_claude(json.dumps({**json.loads(claude()), "total_cost_usd": cost}))
    assert report.spent is not None
    assert report.spent.micros is None


def test_amounts_end_somewhere():
    report = read_claude(claude(cost=1e300, modelUsage={"m": {"inputTokens": 10**400, "outputTokens": -5}}))
    assert report.spent == Spent(MOST, MOST, 0, "m")


@table_test("session", ["--help", "", "a b", "x" * 200, "a/b", 5, None])
def test_an_id_that_could_be_an_option_is_none(session: object):
    assert read_claude(json.dumps({**json.loads(claude()), "session_id": session})).session == ""


def test_a_money_limit_of_claude_is_told_apart():
    report = read_claude(claude(subtype="error_max_budget_usd", is_error=True))
    assert (report.ok, report.why) == (False, "budget")


def test_an_error_after_the_last_turn_of_codex_counts():
    failed = json.dumps({"type": "turn.failed", "error": {"message": "no credits"}})
    report = read_codex(f"{codex()}\n{failed}")
    assert (report.ok, report.text, report.session) == (False, "no credits", "t-1")


def test_noise_round_the_report_does_no_harm():
    assert read_claude(f"warning: x\n{claude()}\nbye").ok
    assert read_gemini(f"Loaded.\n{gemini()}\n").ok
