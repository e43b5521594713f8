"""Prices: whose word counts, what is kept of it, and that no call is booked below its true cost."""

import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models import price_table
from donewhen.agents.models.prices import Priced, cost_of, price_of, usage_of
from donewhen.config.schema import Budget
from donewhen.core.budget import Call, Price, Usage, worst_case
from donewhen.core.chat import Used
from tests.tables import table_test

DOLLAR = 1_000_000
SONNET = Price(6 * DOLLAR, 22_500_000, cache_write=7_500_000, cache_read=600_000)
TOKENS = st.integers(0, 2_000_000)
PRICES = st.builds(Price, *[st.integers(0, 100 * DOLLAR)] * 4)
USED = st.builds(Used, TOKENS, TOKENS, TOKENS, TOKENS, st.just(0))


def budget(**values):
    return Budget.model_validate(values)


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a price was looked for on the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_the_table_knows_the_usual_models_by_their_dearest_tier():
    assert price_of("anthropic", "claude-sonnet-4-5", budget()) == Priced(SONNET, True, "table")
    assert price_of("openai", "gpt-5-mini", budget()).price == Price(250_000, 2 * DOLLAR, 250_000, 25_000)


def test_a_tier_that_no_prompt_reaches_does_not_count():
    short = price_of("anthropic", "claude-sonnet-4-5", budget(), most_input=64_000)
    assert short.price == Price(3 * DOLLAR, 15 * DOLLAR, 3_750_000, 300_000)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), most_input=200_001).price == SONNET


def test_a_price_that_changes_with_the_hour_is_the_dearest():
    assert price_of("deepseek", "deepseek-chat", budget()).price.output == 1_100_000


@table_test("provider", ["google", "gemini", "google-gla", "google-vertex"])
def test_a_provider_may_have_several_names(provider):
    assert price_of(provider, "gemini-2.5-pro", budget()).price.output == 15 * DOLLAR


def test_a_dated_price_ends_those_before_it_and_a_later_one_already_counts():
    from decimal import Decimal

    from genai_prices.types import ClauseEquals, ConditionalPrice, ModelInfo, ModelPrice, StartDateConstraint

    def dated(year, dollars):
        limit = StartDateConstraint(datetime(year, 1, 1, tzinfo=UTC).date()) if year else None
        return ConditionalPrice(limit, prices=ModelPrice(input_mtok=Decimal(dollars)))

    entry = ModelInfo(
        "m", ClauseEquals("m"), prices=[dated(0, 50), dated(2024, 10), dated(2026, 2), dated(2029, 3)]
    )
    held = list(price_table._possible(entry, datetime(2027, 1, 1, tzinfo=UTC)))
    assert [each.input_mtok for each in held] == [3, 2]


@table_test("provider", ["openai", "nobody", "ollama", "openai-compatible", "custom", ""])
def test_an_unknown_model_has_the_assumed_price_and_says_so(provider):
    found = price_of(provider, "never-heard-of", budget(unknown_price={"input": 20, "output": 80}))
    assert found == Priced(Price(20 * DOLLAR, 80 * DOLLAR, 20 * DOLLAR, 20 * DOLLAR), False, "assumed")


def test_the_default_guess_is_not_cheap():
    assert price_of("nobody", "x", budget()).price[:2] == (15 * DOLLAR, 75 * DOLLAR)


def test_the_configuration_wins_by_full_name_first():
    prices = {
        "gpt-5-mini": {"input": 1, "output": 2},
        "openai:gpt-5-mini": {"input": 0.1000001, "output": 4, "cache_read": 0, "cache_write": 9},
    }
    found = price_of("openai", "gpt-5-mini", budget(prices=prices))
    assert found == Priced(Price(100_001, 4 * DOLLAR, 9 * DOLLAR, 0), True, "config")
    assert price_of("other", "gpt-5-mini", budget(prices=prices)).price == Price(
        DOLLAR, 2 * DOLLAR, DOLLAR, DOLLAR
    )


def test_what_the_configuration_leaves_out_comes_from_the_table_else_it_is_assumed():
    half = budget(prices={"gpt-5-mini": {"input": 1}, "mine": {"output": 1}})
    assert price_of("openai", "gpt-5-mini", half) == Priced(
        Price(DOLLAR, 2 * DOLLAR, 250_000, 25_000), True, "config"
    )
    assert price_of("nobody", "mine", half) == Priced(
        Price(15 * DOLLAR, DOLLAR, 15 * DOLLAR, 15 * DOLLAR), False, "config"
    )


@table_test("address", ["http://localhost:11434/v1", "http://127.0.0.1:11434", "http://[::1]:8000/v1"])
@table_test("provider", ["ollama", "lmstudio", "vllm"])
def test_a_model_on_this_machine_is_free(provider, address):
    assert price_of(provider, "qwen3:8b", budget(), address=address) == Priced(Price(0, 0), True, "local")


@table_test(
    ("provider", "model", "address"),
    [
        ("ollama", "qwen3", ""),
        ("ollama", "qwen3", "https://ollama.example"),
        ("ollama", "qwen3", "http://localhost.example"),
        ("ollama", "qwen3", "http://127.0.0.1.example:80"),
        ("ollama", "qwen3", "http://[bad"),
        ("ollama", "gpt-oss:120b-cloud", "http://127.0.0.1:11434"),
        ("openai", "mine", "http://127.0.0.1:4000"),
    ],
)
def test_nothing_else_is(provider, model, address):
    assert not price_of(provider, model, budget(), address=address).known


def test_the_configuration_wins_over_this_machine():
    own = budget(prices={"ollama:qwen3": {"input": 1, "output": 1}})
    assert price_of("ollama", "qwen3", own, address="http://127.0.0.1:1").source == "config"


# -- what is kept ---------------------------------------------------------------------------------------


def kept(folder):
    return folder / "prices.json"


@pytest.fixture
def no_table(monkeypatch):
    """The table can't be imported from here on."""

    def forbid():
        monkeypatch.setattr(price_table, "_from_table", lambda *_: pytest.fail("the table was read again"))

    return forbid


def test_what_was_found_needs_no_second_import(tmp_path, no_table):
    folder = tmp_path / "deep" / "cache"
    first = [
        price_of("anthropic", "claude-sonnet-4-5", budget(), folder),
        price_of("x", "y", budget(), folder),
    ]
    assert kept(folder).stat().st_mode & 0o777 == 0o600
    no_table()
    again = [
        price_of("anthropic", "claude-sonnet-4-5", budget(), folder),
        price_of("x", "y", budget(), folder),
    ]
    assert again == first


def test_a_second_process_does_not_import_the_package(tmp_path):
    price_of("openai", "gpt-5", budget(), tmp_path)
    script = (
        "import sys; from pathlib import Path; from donewhen.agents.models.prices import price_of;"
        "from donewhen.config.schema import Budget;"
        "print(price_of('openai', 'gpt-5', Budget(), Path(sys.argv[1])).source, 'genai_prices' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["table", "False"]


ODD_PRICES: tuple[object, ...] = (
    [0, 0],
    [0, 0, 0, -1],
    [0, 0, 0, True],
    [0.5] * 4,
    "free",
    {},
    [2**63] * 4,
)
FREE = {"anthropic:claude-sonnet-4-5": [0, 0, 0, 0]}


def with_version(prices, version=None):
    from importlib.metadata import version as installed

    return json.dumps({"version": version or f"{installed('genai-prices')}/1", "prices": prices}).encode()


@table_test(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        with_version(FREE, "0.0.1/1"),
        with_version([]),
        *(with_version({"anthropic:claude-sonnet-4-5": odd}) for odd in ODD_PRICES),
    ],
)
def test_a_file_that_is_odd_is_ignored_and_replaced(tmp_path, content):
    kept(tmp_path).write_bytes(content)
    kept(tmp_path).chmod(0o600)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), tmp_path).price == SONNET
    assert json.loads(kept(tmp_path).read_bytes())["prices"]["anthropic:claude-sonnet-4-5"] == list(SONNET)


def test_a_file_that_others_may_write_is_ignored(tmp_path):
    kept(tmp_path).write_bytes(with_version(FREE))
    kept(tmp_path).chmod(0o622)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), tmp_path).price == SONNET
    kept(tmp_path).write_bytes(with_version(FREE))
    kept(tmp_path).chmod(0o600)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), tmp_path).price == Price(0, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_someone_else_is_ignored(tmp_path):
    kept(tmp_path).write_bytes(with_version(FREE))
    kept(tmp_path).chmod(0o600)
    os.chown(kept(tmp_path), 65534, 65534)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), tmp_path).price == SONNET


def test_a_link_in_its_place_is_not_followed(tmp_path):
    target = tmp_path / "else.json"
    target.write_bytes(with_version(FREE))
    kept(tmp_path).symlink_to(target)
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), tmp_path).price == SONNET


def test_a_folder_that_can_not_be_written_is_no_trouble():
    assert price_of("anthropic", "claude-sonnet-4-5", budget(), Path("/proc/nowhere")).price == SONNET


# -- what a call cost -----------------------------------------------------------------------------------


def test_a_call_costs_its_parts_rounded_up_once():
    assert cost_of(Used(1000, 100, 5000, 200), SONNET) == 6000 + 2250 + 3000 + 1500
    assert cost_of(Used(1, 1), Price(1, 1)) == 1
    assert cost_of(Used(), SONNET) == 0


def test_fewer_than_no_tokens_are_none():
    assert cost_of(Used(-5, 10, -1, -1, -9), SONNET) == cost_of(Used(output=10), SONNET)


def test_an_honest_report_is_believed():
    told = Used(1000, 100, 5000, 200, reasoning=40)
    assert usage_of(told, SONNET, 6100, 60, "m") == Usage(cost_of(told, SONNET), 6200, 100, "m")


def test_what_a_report_lacks_is_charged_at_the_dearest_price_it_can_have_had():
    assert usage_of(Used(100, 0), SONNET, 1100, 10, "m") == Usage(600 + 7500 + 225, 1100, 10, "m")


def test_more_reasoning_than_output_is_output():
    assert usage_of(Used(0, 1, reasoning=50), SONNET, 0, 0, "m").tokens_out == 50


@given(USED, PRICES, st.tuples(*[st.integers(-1000, 100)] * 4))
def test_no_lie_brings_the_cost_below_the_truth_when_the_count_is_right(true, price, parts):
    told = Used(*(amount * part // 100 for amount, part in zip(true[:4], parts, strict=True)))
    counted = true.input + true.cache_read + true.cache_write
    booked = usage_of(told, price, counted, true.output, "m")
    assert booked.micros >= cost_of(true, price)
    assert (booked.tokens_in, booked.tokens_out) == (counted, true.output)


@given(USED, USED, PRICES)
def test_more_reported_is_never_less_booked(some, more, price):
    both = Used(*(a + b for a, b in zip(some, more, strict=True)))
    assert usage_of(both, price, 0, 0, "m").micros >= usage_of(some, price, 0, 0, "m").micros


@given(USED, PRICES, TOKENS, TOKENS)
def test_a_report_within_the_reservation_is_booked_within_it(told, price, input_count, output_count):
    total, output = told.input + told.cache_read + told.cache_write, max(told.output, output_count)
    held = worst_case(Call(max(total, input_count), output, input_percent=100), price)
    assert usage_of(told, price, input_count, output_count, "m").micros <= held.micros
