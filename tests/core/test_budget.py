"""The account: worst cases, cut output, bookings, the warning; spending never passes the limit."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.budget import (
    LEAST_OUTPUT,
    MOST,
    Account,
    Amount,
    Call,
    Exhausted,
    Granted,
    Kind,
    Price,
    Usage,
    amount,
    booking,
    exhausted,
    move,
    reserve,
    warning_due,
    worst_case,
)
from donewhen.core.errors import InvariantBroken, UserError
from donewhen.core.events.run import CostBooked, CostReserved
from tests.tables import table_test

DOLLAR = 1_000_000
PRICE = Price(3 * DOLLAR, 15 * DOLLAR, cache_write=3_750_000, cache_read=300_000)


def fold(account, *events):
    for event in events:
        account = move(account, event)
    return account


def test_the_worst_case_pads_the_input_and_takes_the_dearest_input_price():
    assert worst_case(Call(1001, 1000, overhead=50), PRICE) == Amount(4320 + 15_000, 1102 + 50 + 1000)
    assert worst_case(Call(1000, 0), Price(DOLLAR, 0)) == Amount(1100, 1100)
    assert worst_case(Call(1000, 0, input_percent=130), Price(DOLLAR, 0)) == Amount(1300, 1300)


def test_parts_of_a_micro_dollar_are_rounded_up():
    assert worst_case(Call(1, 1), Price(75_000, 1)).micros == 2


def test_a_call_that_fits_is_granted_in_full():
    assert reserve(Account(DOLLAR), "c1", Call(1000, 8192), PRICE) == Granted(
        CostReserved("c1", 4125 + 122_880, 1100 + 8192), 8192
    )


def test_without_a_limit_everything_fits():
    assert isinstance(reserve(Account(), "c", Call(10**9, 10**9), PRICE), Granted)


def test_the_output_is_cut_to_what_fits():
    account = Account(4125 + 15 * 300 + 14)
    assert reserve(account, "c", Call(1000, 8192), PRICE) == Granted(
        CostReserved("c", 4125 + 4500, 1400), 300
    )


@table_test(("room", "fits"), [(256, True), (255, False), (0, False), (-1, False)])
def test_an_answer_shorter_than_256_tokens_is_not_worth_its_input(room, fits):
    account = Account(4125 + 15 * room)
    result = reserve(account, "c", Call(1000, 8192), PRICE)
    assert isinstance(result, Granted) if fits else result == Exhausted("money")


def test_a_short_answer_that_fits_whole_is_granted():
    assert reserve(Account(4125 + 15 * 10), "c", Call(1000, 10), PRICE) == Granted(
        CostReserved("c", 4275, 1110), 10
    )
    assert reserve(Account(4125 + 15 * 9), "c", Call(1000, 10), PRICE) == Exhausted("money")


def test_tokens_limit_like_money():
    assert reserve(Account(limit_tokens=1400), "c", Call(1000, 8192), PRICE) == Granted(
        CostReserved("c", 8625, 1400), 300
    )
    assert reserve(Account(limit_tokens=1300), "c", Call(1000, 8192), PRICE) == Exhausted("tokens")
    assert reserve(Account(0, limit_tokens=0), "c", Call(1000, 8192), PRICE) == Exhausted("tokens")


def test_a_free_model_is_limited_by_tokens_alone():
    assert isinstance(reserve(Account(0), "c", Call(1000, 8192), Price(0, 0)), Granted)


def test_below_the_floor_nothing_starts():
    assert reserve(Account(99_999, floor=100_000), "c", Call(1, 1), PRICE) == Exhausted("money")
    assert isinstance(reserve(Account(100_000, floor=100_000), "c", Call(1, 1), PRICE), Granted)


def test_open_reservations_of_all_spenders_count():
    account = fold(Account(100), CostReserved("parent", 60, 5), CostReserved("child-1/c1", 30, 5))
    assert (account.left, account.held) == (10, Amount(90, 10))


def test_a_key_can_be_reserved_once_at_a_time():
    account = fold(Account(DOLLAR), CostReserved("c", 5))
    with pytest.raises(InvariantBroken, match="call c is reserved already"):
        reserve(account, "c", Call(1, 1), PRICE)


def test_negative_counts_and_prices_are_a_bug():
    for call, price in [(Call(-1, 1), PRICE), (Call(1, 1), Price(-1, 0))]:
        with pytest.raises(InvariantBroken):
            reserve(Account(DOLLAR), "c", call, price)


def test_a_booking_replaces_its_reservation():
    account = fold(Account(1000), CostReserved("c", 600, 50))
    event = booking(account, "c", "llm", Usage(200, 30, 5, "m"))
    assert event == CostBooked("c", "llm", 200, 30, 5, "m")
    after = move(account, event)
    assert (after.left, after.held, after.spent) == (800, Amount(), Amount(200, 35))


@table_test(
    ("used", "cut", "micros", "tokens"),
    [
        (None, False, 600, 50),
        (None, True, 600, 50),
        (Usage(10, 3, 1), True, 600, 50),
        (Usage(900, 60, 30), True, 900, 90),
        (Usage(-500, 3, 1), False, 600, 50),
        (Usage(10, -3, 1), False, 600, 50),
        (Usage(900, 60, 30), False, 900, 90),
        (Usage(10**30), False, MOST, 0),
    ],
)
def test_what_is_not_known_is_booked_in_full_and_what_is_more_is_recorded(used, cut, micros, tokens):
    account = fold(Account(1000), CostReserved("c", 600, 50))
    after = move(account, booking(account, "c", "llm", used, cut=cut))
    assert (after.spent, after.held) == (Amount(micros, tokens), Amount())


def test_what_was_never_reserved_is_still_counted_and_split():
    account = fold(
        Account(100),
        CostBooked("x", "api", 30),
        CostBooked("x", "api", 30),
        CostBooked("y", "other", 60, 7, 1),
        CostBooked("z", "llm", -5),
    )
    assert dict(account.booked) == {"api": Amount(60), "other": Amount(60, 8), "llm": Amount()}
    assert account.left == -20


def test_the_warning_comes_once_when_a_fifth_is_left():
    accounts = [Account(1000)]
    for key, micros in [("a", 700), ("b", 99), ("c", 1), ("d", 100)]:
        accounts.append(move(accounts[-1], CostBooked(key, "llm", micros)))
    pairs = pairwise(accounts)
    assert [warning_due(before, after) for before, after in pairs] == [False, False, True, False]


def test_a_reservation_alone_warns_nobody_and_no_limit_never_warns():
    assert not move(Account(1000), CostReserved("a", 999)).warned
    assert not move(Account(), CostBooked("a", "llm", 999)).warned


def test_exhausted_is_what_has_nothing_left():
    limits: dict[Kind, int | None] = {"money": 10, "tokens": None, "time": 5, "tool-calls": 3, "turns": 90}
    spent: dict[Kind, int] = {"money": 10, "tokens": 10**9, "time": 4, "turns": 91}
    assert exhausted(spent, limits) == ("money", "turns")
    assert exhausted(spent, limits, "turns") == ("turns",)
    assert exhausted(spent, limits, "time") == ()
    assert exhausted({}, {}) == ()


@table_test(
    ("kind", "value", "up", "expected"),
    [
        ("money", 10.0, False, 10_000_000),
        ("money", 0.1, False, 100_000),
        ("money", "0.0000015", False, 1),
        ("money", "0.0000015", True, 2),
        ("money", Decimal("2.5"), False, 2_500_000),
        ("time", 1.5, False, 1500),
        ("tokens", 7, False, 7),
        ("turns", 90, True, 90),
    ],
)
def test_amounts_become_whole_units_exactly(kind, value, up, expected):
    assert amount(kind, value, up=up) == expected


@table_test(
    "value",
    [
        -1,
        -0.01,
        float("nan"),
        float("inf"),
        "1e999999999",
        "much",
        "",
        None,
        True,
        [1],
        pytest.param(10**5000, id="huge"),
        "9" * 40,
    ],
)
def test_what_is_no_amount_is_an_error_that_names_the_place(value):
    with pytest.raises(UserError, match="budget.total"):
        amount("money", value, place="budget.total")


SMALL = st.integers(0, 3000)
STEPS = st.lists(
    st.tuples(st.sampled_from("abc"), SMALL, SMALL, st.integers(0, 100), st.booleans()), max_size=30
)


@given(st.integers(0, 60_000), st.integers(0, 9000), STEPS)
def test_spending_and_reservations_never_pass_the_limit(limit, tokens, steps):
    account = start = Account(limit, tokens)
    events: list[CostReserved | CostBooked] = []
    for key, count, output, percent, cut in steps:
        if key in account.reserved:
            held = account.reserved[key]
            part = Usage(held.micros * percent // 100, held.tokens * percent // 100)
            events.append(booking(account, key, "llm", None if percent > 90 else part, cut=cut))
        else:
            granted = reserve(account, key, Call(count, output), PRICE)
            if isinstance(granted, Exhausted):
                continue
            assert min(output, LEAST_OUTPUT) <= granted.output <= output
            events.append(granted.event)
        account = move(account, events[-1])
        assert account.left is not None and account.left >= 0
        assert account.left_tokens is not None and account.left_tokens >= 0
    assert fold(start, *events) == account


@given(st.integers(0, 10**6), SMALL, SMALL)
def test_one_token_more_than_what_was_granted_would_not_fit(limit, count, output):
    granted = reserve(Account(limit), "c", Call(count, output), PRICE)
    if isinstance(granted, Granted) and granted.output < output:
        assert worst_case(Call(count, granted.output + 1), PRICE).micros > limit
