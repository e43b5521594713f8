"""A conversation as its model sees it: order, growth, compression, refusal."""

import pytest

from donewhen.config import config_from_mapping
from donewhen.context.history import Squeezed
from donewhen.context.settings import Settings, settings_of
from donewhen.core.agent import ToolRequest
from donewhen.core.chat import AgentSaid, Talk, ToolSaid, UserSaid
from donewhen.core.errors import LimitReached
from donewhen.core.texts import say
from donewhen.secrets.redact import Redactor
from tests.context.support import (
    DEFAULT,
    DENIED,
    OBJECTIVE,
    PROMISE,
    STANDING,
    Call,
    Quarters,
    Turn,
    act,
    paired,
    play,
    talk,
    tell,
    transcript_of,
    view,
    words,
)
from tests.tables import table_test

GOAL = (("goal", OBJECTIVE),)


def reading(number: int, size: int = 6000) -> Turn:
    body = f"line of file {number:03}\n" * (size // 17)
    return Turn((), f"Looking at part {number}.", (Call("read_file", {"path": f"src/f{number}.py"}, body),))


def test_the_parts_stand_in_the_order_in_which_they_change_least():
    turns = [Turn(GOAL, "I look.", (Call("run_command", {"command": "ls"}, "a.py"),), {"p": "keep"})]
    transcript = transcript_of(turns)
    tell(transcript, ("feedback", "red"), ("note", "look again"))
    prompt = talk(transcript).fit(view()).prompt
    assert prompt.system[0] == say("context.instructions", "en")
    assert prompt.system[1].startswith(say("context.promise_head", "en"))
    assert [piece.said for piece in prompt.pieces] == [
        UserSaid(OBJECTIVE),
        AgentSaid("I look.", (ToolRequest("t0", "run_command", {"command": "ls"}),), opaque={"p": "keep"}),
        ToolSaid("t0", "run_command", True, "a.py"),
        UserSaid("red\n\nlook again"),
    ]
    assert prompt.standing == say("context.phase_execute", "en") + "\n\n" + STANDING


@table_test("phase", ["plan", "execute", "fix"])
def test_a_phase_changes_the_last_words_and_not_the_prefix(phase):
    prompt = talk(transcript_of([Turn(GOAL, "x")])).fit(view(phase)).prompt
    assert prompt.standing.startswith(say(f"context.phase_{phase}", "en"))
    assert prompt.system == talk(transcript_of()).fit(view("plan")).prompt.system


def test_what_was_encoded_once_is_handed_over_again():
    transcript = transcript_of([Turn(GOAL, "one")])
    talking = talk(transcript)
    first = talking.fit(view()).prompt
    act(transcript, Turn((), "two", (Call("run_command", {}, "out"),)))
    second = talking.fit(view(promise=PROMISE._replace())).prompt
    assert second.system is first.system
    assert second.tools is first.tools
    assert [a is b for a, b in zip(first.pieces, second.pieces, strict=False)] == [True, True]


def test_what_the_open_exchange_told_stays_the_same_piece_when_it_closes():
    transcript = transcript_of()
    tell(transcript, *GOAL)
    talking = talk(transcript)
    opened = talking.fit(view()).prompt.pieces[-1]
    act(transcript, Turn((), "done"))
    assert talking.fit(view()).prompt.pieces[0] is opened


def test_a_conversation_that_nobody_opened_begins_with_a_word_to_the_agent():
    prompt = talk(transcript_of([Turn((), "hello")])).fit(view()).prompt
    assert [type(piece.said) for piece in prompt.pieces] == [UserSaid, AgentSaid]


def test_an_empty_answer_is_not_sent():
    prompt = talk(transcript_of([Turn(GOAL, "  ")])).fit(view()).prompt
    assert [piece.said for piece in prompt.pieces] == [UserSaid(OBJECTIVE)]


def test_the_size_is_that_of_all_words_and_four_for_each_message():
    made = talk(transcript_of([Turn((("goal", "x" * 8),), "y" * 8)])).fit(view())
    parts = [*made.prompt.system, made.prompt.standing]
    expected = sum(Quarters().count(part) + 4 for part in parts) + 2 + 4 + 2 + 4
    said, tools = made.tokens(True)
    assert said == expected
    assert tools > 10
    assert made.tokens(False) >= made.tokens(True)


def test_nothing_is_counted_while_the_bound_says_that_all_fits():
    counter = Quarters()
    talk(transcript_of([Turn(GOAL, "x")]), counter=counter).fit(view()).tokens(False)
    assert counter.counted == 0


def test_an_older_prompt_keeps_its_size():
    transcript = transcript_of([Turn(GOAL, "x")])
    talking = talk(transcript)
    first = talking.fit(view())
    act(transcript, reading(1))
    second = talking.fit(view())
    assert first.tokens(True)[0] < second.tokens(True)[0]


def grown(turns: int, chosen: Settings = DEFAULT, size: int = 6000):
    """A run of so many turns; the work that its last three turns gave to redaction and to the counter."""
    worked: list[int] = []
    counter = Quarters()
    redacted = [0]

    def redact(text: str) -> str:
        redacted[0] += len(text)
        return text

    transcript = transcript_of()
    talking = talk(transcript, chosen, redact=redact, counter=counter)
    tell(transcript, *GOAL)
    for number in range(turns):
        counter.counted = redacted[0] = 0
        talking.fit(view()).tokens(True)
        worked.append(counter.counted + redacted[0])
        act(transcript, reading(number, size))
    return talking, transcript, worked


def test_a_turn_costs_what_is_new():
    _, _, worked = grown(200, Settings(budget=10_000_000), 3200)
    assert max(worked[197:]) <= max(worked[17:20]) + 50  # longer numbers in the same words


def test_a_long_run_is_compressed_rarely_and_by_much():
    talking, transcript, _ = grown(200)
    made = talking.fit(view())
    raw = sum(made.tokens(True)) + sum(
        Quarters().count(each.output) for turn in transcript.exchanges for each in turn.results.values()
    )
    assert raw / sum(made.tokens(True)) > 3
    assert talking.compressions < 15
    sent = words(made.prompt)
    assert OBJECTIVE in sent
    assert STANDING in sent
    whole = [piece for piece in made.prompt.pieces if isinstance(piece.said, ToolSaid)]
    assert [len(piece.said.output) > 5000 for piece in whole[-3:]] == [True] * 3


def test_old_results_shrink_before_anything_else():
    talking, _, _ = grown(15, Settings(budget=24_000))
    prompt = talking.fit(view()).prompt
    results = [piece.said.output for piece in prompt.pieces if isinstance(piece.said, ToolSaid)]
    assert len(results) == 15
    assert "characters left out; the whole output is in the ledger, call c1.0" in results[0]
    assert results[0].startswith("line of file 000\n")
    assert results[0].endswith("line of file 000\n")


def test_the_summary_keeps_what_people_said_what_failed_and_what_was_refused():
    turns = [
        Turn((("goal", "Never touch legacy/."),), "I decided to use integers because floats lie."),
        Turn((), "", (Call("ask_user", {"question": "Which currency?"}, "Euro only"),)),
        Turn(
            (), "", (Call("run_command", {"command": "git push -f"}, DENIED + "\nallowed instead: x", False),)
        ),
        Turn((), "", (Call("run_command", {"command": "npm test"}, "1 failed\nsum is 0.30000004", False),)),
        Turn((("feedback", "missing: `npm test` (failed)"),), "", (Call("write_file", {"path": "cart.py"}),)),
        Turn((), "", (Call("run_command", {"command": "ruff check"}, "E1", False),)),
        Turn((), "", (Call("run_command", {"command": "ruff check"}, "ok"),)),
        *(reading(number) for number in range(30)),
    ]
    talking = talk(transcript_of(turns), Settings(budget=12_000))
    prompt = talking.fit(view()).prompt
    summary = prompt.pieces[0].said
    assert isinstance(summary, UserSaid)
    for kept in (
        "Never touch legacy/.",
        "integers because floats lie",
        "Which currency?\n  → Euro only",
        "run_command `git push -f`: " + DENIED + " / allowed instead: x",
        "run_command `npm test`\n  1 failed / sum is 0.30000004",
        "missing: `npm test` (failed)",
        "Files changed:\n- cart.py",
        "Done, and it went well:\n- run_command `ruff check`",
    ):
        assert kept in summary.text
    assert "Failed when last tried:\n- run_command `npm test`" in summary.text
    assert paired(prompt)


def test_the_goal_is_not_repeated_where_the_promise_says_it():
    talking, _, _ = grown(40, Settings(budget=12_000))
    prompt = talking.fit(view()).prompt
    assert words(prompt).count(OBJECTIVE) == 1


def test_a_sliding_window_says_only_what_people_said():
    turns = [Turn((("goal", "No floats."),), "I decided on integers."), *(reading(n) for n in range(30))]
    prompt = talk(transcript_of(turns), Settings(budget=12_000, method="sliding-window")).fit(view()).prompt
    summary = prompt.pieces[0].said
    assert isinstance(summary, UserSaid)
    assert "No floats." in summary.text
    assert "integers" not in summary.text


def test_without_history_only_the_last_exchange_is_shown():
    turns = [Turn(GOAL, "one"), Turn((), "two", (Call("run_command", {}, "a"),)), reading(1, 100)]
    prompt = talk(transcript_of(turns), Settings(history=False)).fit(view()).prompt
    assert [type(piece.said) for piece in prompt.pieces] == [UserSaid, AgentSaid, ToolSaid]


def test_what_a_provider_wants_back_goes_with_its_exchange():
    turns = [Turn(GOAL, "first", opaque={"p": "old"}), *(reading(number) for number in range(30))]
    prompt = talk(transcript_of(turns), Settings(budget=12_000)).fit(view()).prompt
    assert not any(getattr(piece.said, "opaque", {}) for piece in prompt.pieces)


def test_an_endpoint_that_takes_less_gets_less_each_time_and_from_then_on():
    talking, transcript, _ = grown(30)
    sizes = [sum(talking.fit(view(), tighter=times).tokens(True)) for times in (0, 1, 2, 3)]
    assert sizes == sorted(set(sizes), reverse=True)
    play(transcript, [reading(31, 1000)])
    assert sum(talking.fit(view()).tokens(True)) < sizes[2]
    with pytest.raises(LimitReached) as stopped:
        talking.fit(view(), tighter=4)
    assert stopped.value.key == "context.too_large"


def test_nothing_left_to_leave_out_is_said():
    transcript = transcript_of()
    tell(transcript, ("goal", "x" * 4000))
    with pytest.raises(LimitReached, match="raise context.max_tokens"):
        talk(transcript).fit(view(), tighter=1)


@table_test("kind", ["goal", "feedback", "note"])
def test_a_message_of_a_million_tokens_is_refused_by_default(kind):
    transcript = transcript_of()
    tell(transcript, (kind, "word " * 1_000_000))
    with pytest.raises(LimitReached, match=r"takes 12\d{5} tokens and at most 55808 fit"):
        talk(transcript, settings_of(config_from_mapping({}), "en")).fit(view())


def test_a_promise_of_a_million_tokens_is_refused_and_never_cut():
    promise = PROMISE._replace(objective="word " * 1_000_000)
    with pytest.raises(LimitReached) as stopped:
        talk(transcript_of()).fit(view(promise=promise))
    assert stopped.value.exit_code == 3
    assert int(str(stopped.value.values["fixed"])) > 1_000_000
    assert "绝不裁剪" in stopped.value.say("zh")


def test_a_huge_result_is_shortened_and_not_refused():
    turns = [Turn(GOAL, "", tuple(Call("run_command", {"command": c}, c * 300_000) for c in "abcd"))]
    made = talk(transcript_of(turns)).fit(view())
    assert sum(made.tokens(True)) <= Settings().budget
    assert paired(made.prompt)


def test_without_compression_a_run_stops_where_it_no_longer_fits():
    with pytest.raises(LimitReached, match="compression_method is none"):
        grown(60, Settings(method="none"))


def test_secrets_are_hidden_wherever_they_stand():
    def redact(text: str) -> str:
        return text.replace("hunter2", "[redacted]")

    call = Call("write_file", {"path": "a", "content": ["pass=hunter2"], "hunter2": 1}, "hunter2 read")
    transcript = transcript_of([Turn((("goal", "use hunter2"),), "hunter2!", (call,))])
    promise = PROMISE._replace(objective="log in with hunter2")
    talking = talk(transcript, standing=lambda: "hunter2 failed", redact=redact)
    prompt = talking.fit(view(promise=promise)).prompt
    assert "hunter2" not in repr([piece.said for piece in prompt.pieces]) + repr(prompt)
    assert "[redacted] read" in words(prompt)


def test_arguments_are_redacted_by_their_names_and_stay_arguments():
    value = "q9Xv2LmT8rKz" + "4WpB7nYd3HsJ"
    call = Call("write_file", {"path": "a", "password": value, "lines": [1, {"x": None}]}, "ok")
    prompt = talk(transcript_of([Turn(GOAL, "", (call,))]), redact=Redactor().text).fit(view()).prompt
    said = prompt.pieces[1].said
    assert isinstance(said, AgentSaid)
    assert value not in repr(said)
    assert (said.calls[0].args["path"], said.calls[0].args["lines"]) == ("a", (1, {"x": None}))


def test_it_is_a_talk():
    talking: Talk = talk(transcript_of([Turn(GOAL, "x")]))
    assert talking.fit(view()).prompt.max_output == 8192


@table_test(
    ("given", "window", "budget"),
    [
        ({}, None, 64_000 - 8192),
        ({}, 32_000, 32_000 - 8000),
        ({"context": {"max_tokens": 20_000, "budget": {"reserve_tokens": 1000}}}, None, 19_000),
        ({"context": {"budget": {"prompt_budget": 9000}}}, 128_000, 9000),
        ({"context": {"budget": {"prompt_budget": 900_000}}}, None, 64_000 - 8192),
        ({"context": {"budget": {"fallback_prompt_budget": 7000}}}, None, 7000),
        ({"context": {"budget": {"fallback_prompt_budget": 7000}}}, 64_000, 64_000 - 8192),
    ],
)
def test_the_budget_of_a_prompt_follows_the_settings(given, window, budget):
    assert settings_of(config_from_mapping(given), "en", window).budget == budget


def test_each_time_that_room_is_made_its_size_is_told_once():
    heard: list[Squeezed] = []
    transcript = transcript_of([Turn(GOAL, "I begin.")])
    talking = talk(transcript, Settings(budget=20_000), squeezed=heard.append)
    prompts = []
    for number in range(60):
        act(transcript, reading(number))
        prompts.append((talking.fit(view()), len(heard)))
    assert 1 < len(heard) == talking.compressions
    assert [made.raw for made in heard] == sorted({made.raw for made in heard})
    assert all(made.raw > made.sent > 0 for made in heard)
    assert heard[-1].raw / heard[-1].sent > 3
    assert talking.fit(view()).prompt.pieces
    assert prompts[-1][1] == len(heard)  # nothing new was said, so nothing new is told


def test_without_compression_nothing_is_told():
    heard: list[Squeezed] = []
    transcript = transcript_of([Turn(GOAL, "I begin."), reading(1)])
    talk(transcript, squeezed=heard.append).fit(view())
    assert heard == []
