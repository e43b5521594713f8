"""Questions to a human: in order, in the ledger before anybody is asked, and answered once."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from donewhen.core.errors import HumanNeeded, SetupError
from donewhen.core.events import facts, run
from donewhen.core.protocols import Control, EventStore
from donewhen.guard.decision import Decision
from donewhen.run.approvals import Answer, Approvals, Question, Terms
from donewhen.run.approvals_askers import Reply, Scripted, Shown, Stored
from donewhen.run.approvals_clock import SteppedClock
from donewhen.store.memory import MemoryStore
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN
from tests.run.approvals_support import ASK, TOKEN, WHY, ask, asked, bodies, denied, finding, question


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path: Path) -> Iterator[EventStore]:
    made: EventStore = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "s.db")
    made.append(RUN, run.RunStarted("goal"))
    yield made
    made.close()


def test_a_question_stands_in_the_ledger_before_it_is_asked_and_its_answer_after(store):
    seen: list[object] = []

    class Looking(Scripted):
        async def ask(self, shown: Shown) -> Reply | None:
            seen.extend(bodies(store))
            return await super().ask(shown)

    asker = Looking([Reply(True)])
    assert ask(store, asker, question()) == [Answer(True, "once", "human", "", ASK)]
    assert seen == [asked()]
    assert bodies(store) == [asked(), facts.Answered(ASK, True)]
    assert asker.asked == [
        Shown(ASK, "run_command", "npm publish", WHY, "publish", "leave publishing to the user")
    ]


def test_a_refusal_is_also_a_denial_and_tells_why(store):
    (answer,) = ask(store, Scripted([Reply(False, text="not today")]), question())
    assert answer == Answer(False, "once", "human", "not today", ASK)
    assert bodies(store) == [asked(), facts.Answered(ASK, False, text="not today"), denied()]


def test_nobody_who_answers_means_no_this_time(store):
    answers = ask(store, Scripted([None, Reply(True)]), question(), question())
    assert [(each.allowed, each.by, each.ask) for each in answers] == [
        (False, "harness", ASK),
        (True, "human", "0a1b2c-2"),
    ]
    text = f"nobody answered question {ASK}, so it was denied this time"
    assert bodies(store)[1:3] == [facts.Answered(ASK, False, "harness", text), denied()]


def test_a_yes_is_for_once_unless_it_says_more(store):
    asker = Scripted([Reply(True), Reply(True, "run")])
    answers = ask(store, asker, question(), question(), question(), question())
    assert [(each.allowed, each.scope, each.ask) for each in answers] == [
        (True, "once", ASK),
        (True, "run", "0a1b2c-2"),
        (True, "run", ""),
        (True, "run", ""),
    ]
    assert len(asker.asked) == 2


@pytest.mark.parametrize(
    "other",
    [
        question("npm publish --tag x"),
        question("npm publish", finding("npm", "publish", rule="privilege")),
        question("npm publish", finding("npm", "publish"), finding("npm", "publish", rule="privilege")),
        question("npm publish", finding("npm2", "publish")),
        Question(question().decision, "npm publish", "another_tool"),
        question("npm publish "),
    ],
)
def test_for_this_run_means_the_very_same_question(store, other):
    asker = Scripted([Reply(True, "run"), Reply(False)])
    assert [each.allowed for each in ask(store, asker, question(), other, question())] == [True, False, True]


def test_for_this_run_holds_after_a_resume_and_not_in_another_run(store):
    ask(store, Scripted([Reply(True, "run")]), question())
    assert ask(store, Scripted(), question()) == [Answer(True, "run")]
    other = "r-20261115043751-ffffff"
    store.append(other, run.RunStarted("goal"))
    answer = asyncio.run(Approvals(store, other, Scripted()).ask(question()))
    assert (answer.allowed, answer.ask) == (False, "ffffff-1")


def test_an_answer_of_the_harness_or_a_refusal_is_not_remembered(store):
    store.append(
        RUN, asked(), facts.Answered(ASK, True, "harness", "", "run"), facts.Answered(ASK, True, scope="run")
    )
    (answer,) = ask(store, Scripted([Reply(False)]), question())
    assert answer == Answer(False, ask="0a1b2c-2")


def test_a_question_with_a_secret_is_never_taken_for_another(store):
    asker = Scripted([Reply(True, "run"), None, None])
    secret = question(f"npm publish --token {TOKEN}")
    (redacted,) = [each for each in ask(store, asker, secret) if each.allowed]
    assert redacted.scope == "run"
    assert TOKEN not in asker.asked[0].action
    shown = asker.asked[0].action
    assert [each.allowed for each in ask(store, asker, secret, question(shown))] == [False, False]


def test_what_the_guard_denies_is_never_asked(store):
    asker = Scripted([Reply(True)] * 5)
    never = finding("npm", "publish", approval="never")
    denies = finding("npm", "publish", action="deny", approval="never")
    by_user = finding("npm", "publish", action="deny", approval="user")
    questions = [
        question("npm publish", denies),
        question("npm publish", finding("npm", "publish"), by_user),
        question("npm publish", never),
        question("npm publish", finding("npm", "publish"), never),
        Question(Decision("ask"), "npm publish", "run_command"),
    ]
    answers = ask(store, asker, *questions)
    assert [(each.allowed, each.by, each.ask) for each in answers] == [(False, "harness", "")] * 5
    assert asker.asked == []
    assert [type(body).__name__ for body in bodies(store)] == ["Denied"] * 5
    assert bodies(store)[0] == denied()._replace(approval="never")


def test_what_is_allowed_needs_no_question(store):
    permitted = finding("npm", "publish", allowed_by="mine")
    answers = ask(
        store,
        Scripted(),
        Question(Decision("allow"), "ls", "run_command"),
        question("npm publish", permitted),
    )
    assert answers == [Answer(True, by="harness")] * 2
    assert bodies(store) == []


def test_parallel_questions_wait_in_order_and_an_equal_one_is_not_asked_twice(store):
    asker = Scripted([Reply(True, "run"), Reply(False), Reply(True)])

    async def together() -> list[Answer]:
        approvals = Approvals(store, RUN, asker)
        lines = ("npm publish", "npm publish", "npm unpublish", "npm publish", "npm adduser")
        return await asyncio.gather(*(approvals.ask(question(line)) for line in lines))

    answers = asyncio.run(together())
    assert [each.allowed for each in answers] == [True, True, False, True, True]
    assert [each.action for each in asker.asked] == ["npm publish", "npm unpublish", "npm adduser"]
    kinds = [type(body).__name__ for body in bodies(store)]
    assert kinds == ["Asked", "Answered", "Asked", "Answered", "Denied", "Asked", "Answered"]


def test_an_id_is_never_given_twice_whatever_the_ledger_holds(store):
    store.append(
        RUN, facts.Asked("0a1b2c-2", "why\nls", "run_command", "r"), facts.Answered("0a1b2c-2", True)
    )
    (answer,) = ask(store, Scripted([Reply(True, "run")]), question())
    assert answer.ask == "0a1b2c-3"
    assert bodies(store)[2] == asked("0a1b2c-3")


def test_a_note_to_a_yes_confirms_nothing_in_the_promise(store):
    ask(store, Scripted([Reply(True, text="release")]), question())
    assert bodies(store)[1:] == [
        facts.Answered(ASK, True),
        run.Noted(f"question {ASK} was answered by the terminal of the run: release"),
    ]


# -- answers from elsewhere ----------------------------------------------------------------------


def elsewhere(store: EventStore, *controls: Control) -> Stored:
    """Nobody here; somebody answers from another thread as soon as the question is asked."""
    waiting = iter(controls)

    def answer(shown: Shown) -> None:
        threading.Thread(target=store.request, args=(RUN, next(waiting))).start()

    return Stored(answer)


def test_a_stored_question_is_answered_by_a_request(store):
    lease = store.lease(RUN, this_process(), 60)
    asker = elsewhere(
        store,
        Control("approve", ASK, {"scope": "run", "note": "go on"}, "ada"),
        Control("deny", "0a1b2c-2", {"note": "never"}, "bob"),
    )
    answers = ask(store, asker, question(), question("npm adduser"), question(), lease=lease)
    assert answers == [
        Answer(True, "run", "human", "go on", ASK),
        Answer(False, "once", "human", "never", "0a1b2c-2"),
        Answer(True, "run"),
    ]
    assert bodies(store)[1:3] == [
        facts.Answered(ASK, True, scope="run"),
        run.Noted(f"question {ASK} was answered by ada: go on"),
    ]
    assert bodies(store)[4] == facts.Answered("0a1b2c-2", False, text="never")
    assert all(each.taken for each in store.requests(RUN))


def test_the_first_answer_counts_and_a_request_before_a_reply(store):
    class Both(Scripted):
        async def ask(self, shown: Shown) -> Reply | None:
            store.request(RUN, Control("deny", shown.ask, who="ada"))
            return await super().ask(shown)

    asker = Both([Reply(True, "run")])
    (answer,) = ask(store, asker, question())
    assert answer == Answer(False, ask=ASK)
    assert asker.told == [f"question {ASK} was answered elsewhere, by ada"]


@pytest.mark.parametrize(
    ("useless", "taken"),
    [
        (Control("approve", "0a1b2c-7"), True),
        (Control("approve", ASK, {"scope": "for ever and ever"}), True),
        (Control("approve", ASK, {"scope": ["run"]}), True),
        (Control("approve", ASK, {"note": 5}), True),
        (Control("abort"), False),
    ],
)
def test_a_request_that_answers_nothing_is_no_answer(store, useless, taken):
    store.append(RUN, asked())
    store.request(RUN, useless)
    (answer,) = ask(store, Stored(), question(), terms=Terms(1.0, "deny"), clock=SteppedClock())
    assert (answer.allowed, answer.by) == (False, "harness")
    assert [bool(each.taken) for each in store.requests(RUN)] == [taken]


@pytest.mark.runs
def test_an_answer_given_while_nobody_executed_the_run_is_taken_at_its_resume(store):
    with pytest.raises(HumanNeeded) as error:
        ask(store, Stored(), question(), terms=Terms(3600.0), clock=SteppedClock())
    assert error.value.exit_code == 4
    assert error.value.values["ask"] == ASK
    assert f"`donewhen approve {ASK}`" in str(error.value)
    assert bodies(store) == [asked()]
    store.request(RUN, Control("approve", ASK, {"scope": "once"}, "ada"))
    assert ask(store, Stored(), question()) == [Answer(True, "once", "human", "", ASK)]
    assert [type(body).__name__ for body in bodies(store)] == ["Asked", "Answered", "Noted"]


def test_an_answer_that_was_recorded_but_not_marked_before_a_kill_is_not_used_again(store):
    store.append(RUN, asked())
    store.request(RUN, Control("approve", ASK))
    store.append(RUN, facts.Answered(ASK, True))
    asker = elsewhere(store, Control("deny", "0a1b2c-2"))
    assert ask(store, asker, question()) == [Answer(False, ask="0a1b2c-2")]
    assert all(each.taken for each in store.requests(RUN))


def test_an_answer_that_came_too_late_is_put_away_and_said(store):
    class Late(Scripted):
        def tell(self, text: str) -> None:
            """Nobody listens."""

    class Losing(Approvals):
        """Somebody answers from elsewhere just when the answer of the terminal is written."""

        async def _append(self, *bodies) -> None:
            if isinstance(bodies[0], facts.Answered):
                store.request(RUN, Control("deny", ASK, who="ada"))
            await super()._append(*bodies)

    answer = asyncio.run(Losing(store, RUN, Late([Reply(True)])).ask(question()))
    assert answer == Answer(True, ask=ASK)
    said = f"the answer of ada to question {ASK} (denied) came too late and was not used"
    assert bodies(store) == [asked(), facts.Answered(ASK, True), run.Noted(said, "warning")]
    assert all(each.taken for each in store.requests(RUN))


def test_answers_to_another_runs_question_are_no_answers(store):
    other = "r-20261115043751-0a1b2c"  # its questions have the same ids
    store.append(other, run.RunStarted("goal"), asked())
    store.request(other, Control("approve", ASK, {"scope": "run"}))
    (answer,) = ask(store, Stored(), question(), terms=Terms(1.0, "deny"), clock=SteppedClock())
    assert not answer.allowed
    assert [each.taken for each in store.requests(other)] == [""]


def test_out_of_time_pauses_or_denies(store):
    clock = SteppedClock()
    with pytest.raises(HumanNeeded):
        ask(store, Stored(), question(), terms=Terms(90.0, "pause"), clock=clock)
    assert clock.now() == 90.0
    (answer,) = ask(store, Stored(), question(), terms=Terms(90.0, "deny"), clock=clock)
    text = f"nobody answered question {ASK} within 90 seconds, so it was denied"
    assert answer == Answer(False, "once", "harness", text, ASK)
    assert bodies(store) == [asked(), facts.Answered(ASK, False, "harness", text), denied()]


def test_the_time_is_for_one_question_and_a_reply_in_time_counts(store):
    clock = SteppedClock()
    answers = ask(store, Scripted([Reply(True)] * 2), question(), question(), terms=Terms(0.5), clock=clock)
    assert [each.allowed for each in answers] == [True, True]


def test_a_question_that_is_given_up_leaves_it_open_for_the_next_time(store):
    async def give_up() -> None:
        shown = asyncio.Event()
        approvals = Approvals(store, RUN, Stored(lambda _: shown.set()))
        asking = asyncio.create_task(approvals.ask(question()))
        await shown.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        store.request(RUN, Control("approve", ASK))
        assert await approvals.ask(question()) == Answer(True, ask=ASK)

    asyncio.run(give_up())


def test_an_asker_or_a_store_that_fails_allows_nothing(store):
    class Broken(Scripted):
        async def ask(self, shown: Shown) -> Reply | None:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        ask(store, Broken(), question())
    old = store.lease(RUN, this_process(), 60)
    store.lease(RUN, this_process(), 60)
    with pytest.raises(SetupError, match="taken over"):
        ask(store, Scripted([Reply(True)]), question("npm adduser"), lease=old)


def test_the_language_is_the_users(store):
    asker = Scripted([None])
    ask(store, asker, question(), terms=Terms(language="zh"))
    assert asker.asked[0].reason == "它会发布（npm）"
