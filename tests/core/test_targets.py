"""Key figures: what each counts, and when it is met, missed, told of too few runs or not known."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import Body, Event, facts, run, type_of
from donewhen.core.stats import LedgerFold
from donewhen.core.stats_rows import of_rows
from donewhen.core.summary import Summary
from donewhen.core.targets import LEAST_RUNS, TARGETS, Figure, judge, key_figures

AT = "2026-11-15T00:00:{:02}.000Z"
VALUES = st.none() | st.floats(0, 1e9)
LIMITS = st.floats(0, 1e9)
RUNS = st.integers(0, 1000)


def row(name: str, state: str = "done", reason: str = "accepted", **more: object) -> Summary:
    fields = {"agent": "scripted", **more}
    return Summary(name, state=state, stop_reason=reason, **fields)  # type: ignore[arg-type]


def events(*bodies: Body) -> list[Event]:
    return [Event(n, "r", AT.format(n), type_of(body), body, "") for n, body in enumerate(bodies, 1)]


def figures(*rows: Summary, ledgers: LedgerFold | None = None, **limits: float) -> dict[str, Figure]:
    found = key_figures(of_rows(rows), ledgers or LedgerFold(), limits)
    return {each.name: each for each in found}


@given(VALUES, LIMITS, RUNS, st.booleans(), RUNS)
def test_a_figure_is_met_or_not_and_without_data_neither(value, limit, runs, above, least):
    verdict = judge(value, limit, runs, above=above, least=least)
    if value is None:
        assert verdict == "unknown"
        return
    assert (verdict == "met") == (value > limit if above else value < limit)
    assert (verdict == "missed") == (verdict != "met" and runs >= least)
    assert judge(limit, limit, runs, above=above, least=0) == "missed"


@given(st.floats(0, 1e6), st.floats(0, 1e6), LIMITS, RUNS, st.booleans())
def test_a_better_value_never_judges_worse(one, other, limit, runs, above):
    worse, better = sorted((one, other), reverse=not above)
    if judge(worse, limit, runs, above=above) == "met":
        assert judge(better, limit, runs, above=above) == "met"


@given(VALUES, LIMITS, st.booleans(), RUNS, RUNS)
def test_more_runs_only_make_a_miss_count(value, limit, above, few, more):
    less, much = (judge(value, limit, runs, above=above) for runs in sorted((few, more)))
    assert (less, much) in {
        ("met", "met"),
        ("unknown", "unknown"),
        ("few", "few"),
        ("few", "missed"),
        ("missed", "missed"),
    }


@given(st.lists(st.sampled_from(["executing", "planning", "idle"]), max_size=20))
def test_runs_that_go_on_and_verifications_are_in_no_figure(states):
    rows = [row(str(n), state, "", llm_micros=9_000_000, attempts=9) for n, state in enumerate(states)]
    rows += [row(f"v{n}", "fail", "verification_failed", agent="verify") for n in range(9)]
    ledgers = LedgerFold()
    for each in rows[: len(states)]:
        ledgers.take(each, events(run.Decided("stopped", "escalated")))
    assert {each.verdict for each in figures(*rows, ledgers=ledgers).values()} == {"unknown"}


def test_the_targets_are_those_that_are_promised():
    assert [(each.name, each.limit, each.above) for each in TARGETS] == [
        ("success", 0.8, True),
        ("corrections", 2, False),
        ("handed_over", 0.2, False),
        ("time", 600, False),
        ("cost", 2, False),
        ("compression", 3, True),
        ("verification", 0.9, True),
    ]
    assert figures(row("a"), success=0.5)["success"].limit == 0.5


def test_rows_give_success_corrections_and_cost_of_ended_runs():
    rows = [row(str(n), attempts=3, llm_micros=4_000_000) for n in range(4)]
    found = figures(*rows, row("x", "fail", "repeat_cycle"), row("y", "executing", "", llm_micros=10**9))
    assert (found["success"].value, found["success"].verdict, found["success"].runs) == (0.8, "missed", 5)
    assert (found["corrections"].value, found["corrections"].verdict) == (1.6, "met")
    assert (found["cost"].value, found["cost"].verdict) == (3.2, "missed")


def test_too_few_runs_are_told_and_decide_nothing():
    found = figures(*(row(str(n), "fail", "repeat_cycle") for n in range(LEAST_RUNS - 1)))["success"]
    assert (found.value, found.verdict, found.met) == (0, "few", False)


def test_a_hand_over_counts_once_a_run_rests():
    ledgers = LedgerFold()
    over = events(run.Decided("stopped", "escalated"))
    ledgers.take(row("a", "paused", "escalated"), over)
    ledgers.take(row("b"), over)
    ledgers.take(row("c", "executing", ""), over)
    ledgers.take(row("d"), events(run.Decided("accepted", "accepted")))
    found = figures(ledgers=ledgers)["handed_over"]
    assert (found.value, found.runs) == (2 / 3, 3)


def test_time_is_what_a_run_lived_and_not_what_passed_between_its_processes():
    ledgers = LedgerFold()
    bodies = (
        run.RunStarted("g"),
        run.Checkpointed(1, 4000),
        run.Closed("paused"),
        run.Resumed(1, "executing"),
    )
    seen = [
        Event(n, "r", f"2026-11-1{n}T00:00:00.000Z", type_of(body), body, "")
        for n, body in enumerate(bodies, 1)
    ]
    ledgers.take(row("a"), seen)
    assert figures(ledgers=ledgers)["time"].value == 4


def test_compression_is_that_of_the_last_time_in_each_run():
    ledgers = LedgerFold()
    first, last = run.ContextCompressed(64_000, 32_000), run.ContextCompressed(200_000, 40_000, 9)
    ledgers.take(row("a"), events(first, last))
    ledgers.take(row("b"), events(run.ContextCompressed(40_000, 20_000)))
    ledgers.take(row("old"), events(run.TurnStarted(1)))
    ledgers.take(row("odd"), events(run.ContextCompressed(0, 0), run.ContextCompressed(-1, 5)))
    found = figures(ledgers=ledgers)["compression"]
    assert (found.value, found.runs, found.verdict) == (4, 2, "met")


def test_verification_counts_verdicts_and_the_checks_of_each_exam():
    red = {"kind": "command_success", "target": "pytest", "passed": False}
    green = {**red, "passed": True}
    ledgers = LedgerFold()
    ledgers.take(
        row("a"),
        events(
            facts.Verified("lint", "change", "failed"),
            facts.Verified("fingerprint", "t", "skipped"),
            facts.Verified("types", "change", "could_not_run"),
            run.Decided("continue", results=(red, green)),
            facts.Verified("lint", "change", "passed"),
            run.Decided("accepted", "accepted", results=(green, green)),
            run.Decided("stopped", "escalated", results=(red,)),
        ),
    )
    found = figures(ledgers=ledgers)["verification"]
    assert (found.value, found.runs) == (4 / 6, 1)


def test_a_claim_for_which_nothing_was_run_is_no_attempt():
    red = {"kind": "command_success", "target": "pytest", "passed": False}
    ledgers = LedgerFold()
    early = run.Decided("continue", results=(red,), pending=("t1",))
    ledgers.take(row("a"), events(run.TodoChanged("t1", {"content": "do"}), early))
    assert figures(ledgers=ledgers)["verification"].verdict == "unknown"


def test_what_was_shipped_and_told_later_is_kept_of_accepted_runs():
    ledgers = LedgerFold()
    shipped = (
        facts.EffectIntended("1", "branch", "donewhen/x"),
        facts.EffectDone("1", True, "a" * 40),
        facts.EffectIntended("2", "notify", "webhook"),
        facts.EffectDone("2", True, "b" * 40),
        facts.EffectIntended("3", "merge", "main"),
        facts.EffectDone("3", True, "--upload-pack=x"),
        run.AcceptanceAudited("ci_passed"),
        run.AcceptanceAudited("ci_failed"),
    )
    ledgers.take(row("a", repo="/srv/shop", branch="donewhen/x"), events(*shipped))
    ledgers.take(row("b", "fail", "escalated"), events(*shipped))
    assert list(ledgers.later) == ["a"]
    later = ledgers.later["a"]
    assert (later.repo, later.commits, later.ci) == ("/srv/shop", ("a" * 40,), "ci_failed")
