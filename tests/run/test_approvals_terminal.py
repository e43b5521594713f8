"""A question on a terminal: what is shown, which lines are answers, and what hostile text can't do."""

import asyncio
import io
import os
import pty
import re
import signal
import termios
import threading
from collections.abc import Iterator

import pytest

from donewhen.core.events import facts, run
from donewhen.core.protocols import Control
from donewhen.core.texts import Language, Phrase
from donewhen.guard.decision import Finding, Found, decide
from donewhen.guard.effects import Publishes
from donewhen.run.approvals import Answer, Approvals, Question
from donewhen.run.approvals_askers import Reply, Shown
from donewhen.run.approvals_terminal import Terminal, wrapped
from donewhen.store.memory import MemoryStore
from tests.helpers import RUN

SHOWN = Shown(
    "0a1b2c-1", "run_command", "npm publish", "it would publish (npm)", "publish", "leave it", "npm publish"
)
PROMPT = "[o]nce, for this [r]un, [a]lways, [n]o (n REASON tells the agent why): "
PAGE = """
question 0a1b2c-1: may this happen? (run_command)
  | npm publish
  why it is asked: it would publish (npm)
  rule: publish
  what the agent may do instead: leave it
  always would allow exactly: npm publish
  or answer elsewhere: donewhen approve 0a1b2c-1 | donewhen deny 0a1b2c-1
"""


class Keyboard:
    """One end to type at, the other to read from."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self.page = io.StringIO()

    def fileno(self) -> int:
        return self._read

    def type(self, data: bytes) -> None:
        os.write(self._write, data)

    def hang_up(self) -> None:
        if self._write >= 0:
            os.close(self._write)
            self._write = -1

    def close(self) -> None:
        self.hang_up()
        os.close(self._read)

    def ask(self, shown: Shown = SHOWN, language: Language = "en") -> Reply | None:
        return asyncio.run(Terminal(self, self.page, language).ask(shown))


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    made = Keyboard()
    yield made
    made.close()


def test_the_page_says_what_why_and_what_instead(keyboard):
    keyboard.type(b"o\n")
    assert keyboard.ask() == Reply(True)
    assert keyboard.page.getvalue() == PAGE + PROMPT


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        (b"o\n", Reply(True)),
        (b" ONCE \r\n", Reply(True)),
        (b"r\n", Reply(True, "run")),
        (b"run\n", Reply(True, "run")),
        (b"a\n", Reply(True, "always")),
        (b"always\n", Reply(True, "always")),
        (b"n\n", Reply(False)),
        (b"no  use a branch instead\n", Reply(False, text="use a branch instead")),
        (b"?\no\n", Reply(True)),
        (b"\n\nn\n", Reply(False)),
        (b"\n\n\no\n", None),
        (b"y\nyes\nok\no\n", None),
        (b"o please\nno\n", Reply(False)),
        (b"\xff\xfe\nr\n", Reply(True, "run")),
        (b"x" * 5000 + b"\nn\n", Reply(False)),
        (b"x" * 4096 + b"o\nn\n", Reply(False)),  # the end of a line is no line
        (b"x" * 9000 + b" o\nn\n", Reply(False)),
        (b"x" * 4096 + b"o", None),
    ],
)
def test_only_a_clear_answer_counts(keyboard, typed, reply):
    keyboard.type(typed)
    keyboard.hang_up()
    assert keyboard.ask() == reply


def test_always_can_not_be_chosen_where_no_rule_is_possible(keyboard):
    keyboard.type(b"a\nalways\na\n")
    assert keyboard.ask(SHOWN._replace(lasting="")) is None
    assert "[a]lways" not in keyboard.page.getvalue()


@pytest.mark.parametrize("typed", [b"", b"o", b"ru"])
def test_the_end_of_input_is_no_answer(keyboard, typed):
    keyboard.type(typed)
    keyboard.hang_up()
    assert keyboard.ask() is None


def test_ctrl_c_is_no_answer_and_then_works_as_before(keyboard):
    before = signal.getsignal(signal.SIGINT)

    async def interrupt() -> Reply | None:
        asking = asyncio.create_task(Terminal(keyboard, keyboard.page).ask(SHOWN))
        while PROMPT not in keyboard.page.getvalue():
            await asyncio.sleep(0)
        during = signal.getsignal(signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        reply = await asking
        assert signal.getsignal(signal.SIGINT) is not during
        return reply

    assert asyncio.run(interrupt()) is None
    assert signal.getsignal(signal.SIGINT) is before


def test_what_was_typed_before_the_question_is_no_answer():
    leader, follower = pty.openpty()
    page = io.StringIO()

    class Follower:
        def fileno(self) -> int:
            return follower

    async def typed_too_early() -> Reply | None:
        os.write(leader, b"a\nr\n")
        asking = asyncio.create_task(Terminal(Follower(), page).ask(SHOWN))
        while PROMPT not in page.getvalue():
            await asyncio.sleep(0)
        os.write(leader, b"n too early\n")
        return await asking

    try:
        assert asyncio.run(typed_too_early()) == Reply(False, text="too early")
    finally:
        os.close(leader)
        os.close(follower)


def test_a_terminal_that_is_gone_is_no_answer(keyboard):
    keyboard.type(b"o\n")
    keyboard.page.close()
    assert keyboard.ask() is None
    Terminal(keyboard, keyboard.page).tell("nobody reads this")


def test_answers_can_come_from_a_plain_file(tmp_path):
    (tmp_path / "answers").write_text("r\n")
    with (tmp_path / "answers").open() as file:
        assert asyncio.run(Terminal(file, io.StringIO()).ask(SHOWN)) == Reply(True, "run")
        assert asyncio.run(Terminal(file, io.StringIO()).ask(SHOWN)) is None


def test_hostile_text_stays_in_its_place(keyboard):
    evil = "\x1b[2J\x1b]0;pwn\x07\rrm -rf ~\u202e\nrule: harmless\n\x9b31m"
    keyboard.type(b"n\n")
    keyboard.ask(Shown(evil, evil, evil, evil, evil, evil, evil))
    page = keyboard.page.getvalue()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert [line for line in page.splitlines() if line.startswith("  | ")] == [
        "  | \\x1b[2J\\x1b]0;pwn\\x07\\rrm -rf ~\\u202e",
        "  | rule: harmless",
        "  | \\x9b31m",
    ]


def test_a_long_line_can_not_begin_a_row_of_its_own():
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (24, 60))
    fake = "question 0a1b2c-2: may this happen?"
    action = "sudo rm x" + " " * 45 + fake + " " * 25 + "测" * 40 + "rule: harmless"
    with os.fdopen(follower, "w") as page:
        terminal = Terminal(page, page)

        async def show() -> str:
            asking = asyncio.create_task(terminal.ask(SHOWN._replace(action=action, reason=action)))
            text = b""
            while PROMPT.encode() not in text:
                text += await asyncio.to_thread(os.read, leader, 4096)
            os.write(leader, b"n\n")
            assert await asking == Reply(False)
            return text.decode()

        rows = asyncio.run(show()).replace("\r", "").partition(PROMPT)[0].splitlines()[1:]
    os.close(leader)
    assert rows[0].startswith("question 0a1b2c-1:")
    assert all(row.startswith("  ") for row in rows[1:])
    assert all(len(row) + row.count("测") < 60 for row in rows)
    assert "".join(row[4:] for row in rows if row.startswith("  | ")) == action
    assert "".join(wrapped("  x", 5)) == "  x"


def test_of_a_very_long_action_both_ends_are_shown(keyboard):
    keyboard.type(b"n\n")
    keyboard.ask(SHOWN._replace(action="begin " + "x" * 10_000 + " end"))
    page = keyboard.page.getvalue()
    assert "| begin xx" in page
    assert "xx end\n" in page
    assert "… 6010 characters are not shown …" in page


def test_it_speaks_chinese_too(keyboard):
    keyboard.type(b"?\nn\n")
    assert keyboard.ask(language="zh") == Reply(False)
    assert "询问原因" in keyboard.page.getvalue()
    assert "o 准许这一次" in keyboard.page.getvalue()


def test_a_question_on_the_terminal_can_be_answered_elsewhere(keyboard):
    store = MemoryStore()
    store.append(RUN, run.RunStarted("goal"))
    found = Found(Publishes("npm"), ("npm", "publish"))
    finding = Finding("publish", "ask", "user", Phrase("guard.why_publish", {"target": "npm"}), found)
    question = Question(decide([finding]), "npm publish", "run_command")

    class Page(io.StringIO):
        def write(self, text: str) -> int:
            if text.endswith("): "):  # the prompt
                args = (RUN, Control("approve", "0a1b2c-1", {"scope": "run"}, "ada"))
                threading.Thread(target=store.request, args=args).start()
            return super().write(text)

    keyboard.page = Page()
    terminal = Terminal(keyboard, keyboard.page)

    async def two() -> list[Answer]:
        approvals = Approvals(store, RUN, terminal)
        first = await approvals.ask(question)
        keyboard.type(b"n\n")
        keyboard.page = io.StringIO()
        other = Approvals(store, RUN, Terminal(keyboard, keyboard.page))
        return [first, await other.ask(question._replace(action="npm publish --tag x"))]

    answers = asyncio.run(two())
    assert answers == [Answer(True, "run", "human", "", "0a1b2c-1"), Answer(False, ask="0a1b2c-2")]
    kinds = [type(event.body) for event in store.read(RUN)]
    assert kinds.count(facts.Answered) == 2
