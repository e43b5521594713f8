"""The everyday table: what happens to people in ordinary situations, as data. Real clients play it.

A row is one or more prompts to the same client. `says` is what its model does for each prompt: a command to
run, or a text that ends its turn; a block asks it for the next. `blocks` and `line` are what must come of it;
docs/clients/*.md show the rows, and what was seen when they were played last.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.projects import UNITTEST

BREAK = "sed -i.old 's/sum(prices)/sum(prices) + 1/' cart.py && rm cart.py.old"
FIX = "sed -i.old 's/ + 1//' cart.py && rm cart.py.old"
NOTE = "echo '# sums' >> cart.py"
QUIET = {".donewhen/config.yml": "verification:\n  quality:\n    enabled: false\n"}
SHELL = QUIET | {"Makefile": "test:\n\tsh check.sh\n", "value.txt": "good\n"}
LINT = QUIET | UNITTEST | {"Makefile": "lint:\n\tgrep -q clean style.txt\n", "style.txt": "dirty\n"}
ADDED = (
    "printf 'def price(p):\\n    return p - 1\\n' > price.py && printf 'import unittest\\nfrom price import price\\n"
    "class Price(unittest.TestCase):\\n    def test_price(self):\\n        self.assertEqual(price(3), 2)\\n' > test_price.py"
)


class Run(NamedTuple):
    command: str


class Turn(NamedTuple):
    """One prompt, and what the model does until it has nothing left to say."""

    prompt: str
    says: tuple[Run | str, ...] = ()
    user: str = ""  # a command of the user, before the prompt
    outside: tuple[str, ...] = ()  # a command `donewhen …` of the user, before the prompt
    escaped: bool = False  # the user presses Esc during the exam, and says what comes next in the same client


class Row(NamedTuple):
    situation: str
    turns: tuple[Turn, ...]
    blocks: int
    line: str  # the last line that the user reads begins with this; empty: nothing is said
    got: str  # what the agent gets, in words
    files: Mapping[str, str] = UNITTEST
    env: Mapping[str, str] = {}
    words: tuple[str, ...] = ()  # more for the client's command line
    accepted: bool = False
    holds: Callable[[str], bool] = lambda told: True  # of all that the model was told
    only: tuple[str, ...] = ("claude", "codex", "gemini", "opencode")
    armed: bool = True
    broken: str = ""  # how the installation is broken before the first prompt
    service: bool = False  # a service of the machine, whose port the commands find in $PORT


GONE = "donewhen could not start, so nothing is checked in this session"
ACCEPTED = "✓ donewhen: accepted — "
NOT = "✗ donewhen: not accepted — "
AFTER = "✗ donewhen: not accepted after "
WAITS = "… donewhen: not finished — "
WORD = "? donewhen: needs your word on "
UNVERIFIED = "… donewhen: nothing changed; what the agent says was not verified"

ROWS = (
    Row(
        "it says too early that it is done",
        (
            Turn(
                "Make the cart add up.", (Run(BREAK), "It adds up.", Run(FIX + " && " + NOTE), "Now it does.")
            ),
        ),
        1,
        ACCEPTED,
        "is blocked with the failing test, and accepted when it passes",
        accepted=True,
    ),
    Row(
        "it never gets it right",
        (Turn("Make the cart add up.", (Run(BREAK), "Done.", Run(NOTE), "Done now.", Run(NOTE), "Really.")),),
        2,
        AFTER + "2 tries — ",
        "is blocked twice, then may stop",
    ),
    Row(
        "the suite was red before",
        (Turn("Write two.", (Run("echo two > other.txt"), "It is there.")),),
        0,
        NOT,
        "may stop",
        files=SHELL | {"check.sh": "grep -q never value.txt\n", "other.txt": "one\n"},
    ),
    Row(
        "you edit and break something, then ask a question",
        (Turn("What does the cart do?", (Run("cat cart.py"), "It adds prices."), user=BREAK),),
        0,
        "",
        "may stop, without an exam",
    ),
    Row(
        "a question, nothing else",
        (Turn("What does the cart do?", ("It adds prices.",)),),
        0,
        "",
        "may stop, without an exam",
    ),
    Row(
        "a question after work that was not accepted",
        (
            Turn("Make the cart add up.", (Run(BREAK), "Done.", "It is done.")),
            Turn("Why does it fail?", (Run("cat cart.py"), "It adds one too many.")),
        ),
        1,
        "",
        "may stop, without another exam",
    ),
    Row(
        "it claims that tests pass, and changed nothing",
        (Turn("Do the tests pass?", ("All tests pass.",)),),
        0,
        UNVERIFIED,
        "may stop, without an exam",
    ),
    Row(
        "“ask me before you touch the tests”",
        (
            Turn(
                "Add a fee of one. Ask me before you touch the tests.",
                (Run(BREAK), "The test expects no fee. May I change it?"),
            ),
        ),
        0,
        WAITS,
        "may stop and wait for you",
    ),
    Row(
        "“write a failing test, don't implement it”",
        (
            Turn(
                "Write a failing test for a discount, don't implement it.",
                (Run(ADDED + " && rm price.py"), "It is there."),
            ),
        ),
        0,
        WAITS,
        "may stop",
    ),
    Row(
        "plan mode",
        (Turn("Plan a discount.", ("Here is my plan: a function, then a test.",)),),
        0,
        "",
        "may stop",
        words=("--permission-mode", "plan"),
        only=("claude",),
    ),
    Row(
        "another subject, after “`make lint` must pass”",
        (
            Turn("Tidy up. `make lint` must pass.", (Run(NOTE), "Tidy.", "It is tidy.")),
            Turn("What does the cart do?", ("It adds prices.",)),
        ),
        1,
        "",
        "may stop: the demand does not count for a question",
        files=LINT,
    ),
    Row(
        "no tests at all",
        (Turn("Write a note.", (Run("echo note > note.py"), "It is there.", "It is there.")),),
        1,
        "✗ donewhen: nothing can be proven here — ",
        "is told once, then may stop",
        files={"data.csv": "a,b\n"},
    ),
    Row(
        "a suite that takes longer than its limit",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        "… donewhen: still examining after ",
        "may stop; the verdict comes with your next prompt",
        files=SHELL | {"check.sh": "sleep 12; grep -q good value.txt\n"},
        env={"DONEWHEN_CLIENTS__STOP_LIMIT": "6"},
    ),
    Row(
        "a slow suite, within the limit",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        ACCEPTED,
        "waits for it, then may stop",
        files=SHELL | {"check.sh": "sleep 3; grep -q good value.txt\n"},
        accepted=True,
    ),
    Row(
        "a suite that does not end in its time (`verification.execution.test_timeout`)",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.", "It is there.")),),
        1,
        NOT,
        "is blocked once, since it may be its own endless loop; then may stop",
        files=SHELL | {"check.sh": "sleep 60; grep -q good value.txt\n"},
        env={"DONEWHEN_VERIFICATION__EXECUTION__TEST_TIMEOUT": "2"},
    ),
    Row(
        "you press Esc during the exam, then ask a question",
        (
            Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),
            Turn("What does the cart do?", ("It adds prices.",), escaped=True),
        ),
        0,
        "",
        "answers you at once; the exam goes on beside it",
        files=SHELL | {"check.sh": "sleep 20; grep -q good value.txt\n"},
        only=("claude",),
    ),
    Row(
        "a test that fails now and then",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        NOT,
        "may stop where the test fails without its change too",
        files=SHELL
        | {
            ".gitignore": "runs.log\n",
            "check.sh": "echo run >> runs.log; test $(($(wc -l < runs.log) % 2)) = 0 && grep -q good value.txt\n",
        },
    ),
    Row(
        "tests that need the machine's /tmp",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        "✓ donewhen: accepted",
        "may stop",
        files=SHELL | {"check.sh": "touch /tmp/donewhen-everyday && grep -q good value.txt\n"},
        accepted=True,
    ),
    Row(
        "tests that need a variable of your environment",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        "✓ donewhen: accepted in your environment — ",
        "may stop",
        files=SHELL | {"check.sh": 'test -n "$SHOP_URL" || { echo SHOP_URL is not set; exit 1; }\n'},
        env={"SHOP_URL": "shop.example"},
        accepted=True,
    ),
    Row(
        "tests that need a service of your machine",
        (Turn("Write two.", (Run("echo 'good 2' > value.txt"), "It is there.")),),
        0,
        NOT,
        "may stop",
        files=SHELL
        | {
            "check.sh": 'python3 -c \'import os, socket; socket.create_connection(("127.0.0.1", int(open("port.txt").read())))\'\n'
        },
        service=True,
    ),
    Row(
        "only documents changed",
        (Turn("Write a page.", (Run("echo '# Cart' > PAGE.md"), "The page is there.")),),
        0,
        "",
        "may stop, without an exam",
    ),
    Row(
        "two prompts, the second rewrites the tests of the first",
        (
            Turn("Add a price, with a test.", (Run(ADDED), "Done.")),
            Turn(
                "Make it faster.",
                (
                    Run(
                        "sed -i.old 's/ - 1//' price.py && sed -i.old 's/, 2)/, 3)/' test_price.py && rm *.old"
                    ),
                    "Faster.",
                ),
            ),
        ),
        0,
        WORD,
        "may stop; the rewritten test is a question to you",
    ),
    Row(
        "“delete test_other”",
        (Turn("Delete test_other.py, it is obsolete.", (Run("rm test_other.py"), "It is gone.")),),
        0,
        WORD,
        "may stop; the deleted tests are a question to you",
        files=UNITTEST | {"test_other.py": UNITTEST["test_cart.py"]},
    ),
    Row(
        "it pushes with force",
        (Turn("Publish it.", (Run("git push --force origin main"), "I could not.")),),
        0,
        "",
        "the command is refused, with what to do instead",
        holds=lambda told: "donewhen refuses this" in told,
    ),
    Row(
        "it writes into its own memory and plans",
        (
            Turn(
                "Remember that.",
                (
                    Run("mkdir -p ~/.claude/plans ~/.claude/projects/-repo/memory"),
                    Run(
                        "echo fee >> ~/.claude/projects/-repo/memory/MEMORY.md; echo fee > ~/.claude/plans/fee.md"
                    ),
                    "Noted.",
                ),
            ),
        ),
        0,
        "",
        "may do so, and stop without an exam",
        holds=lambda told: "donewhen refuses" not in told,
        only=("claude",),
    ),
    Row(
        "it rewrites its client's settings",
        (Turn("Go on.", (Run("echo '{}' > ~/@SETTINGS@"), "I could not.")),),
        0,
        "",
        "the command is refused",
        holds=lambda told: "donewhen refuses this" in told,
    ),
    *(
        Row(
            situation,
            (Turn("Make the cart add up.", (Run(BREAK), "It adds up.")),),
            0,
            GONE,
            "may do all, and stop",
            broken=how,
        )
        for how, situation in {
            "uninstalled": "donewhen was uninstalled with pip, its hooks are still there",
            "folder": "donewhen's whole folder was deleted",
            "python": "the Python below donewhen is broken",
        }.items()
    ),
    Row(
        "a folder that nobody armed",
        (Turn("Make the cart add up.", (Run(BREAK), "It adds up.")),),
        0,
        "",
        "may do all, and stop",
        armed=False,
    ),
    Row(
        "you type `/donewhen off` as a prompt",
        (
            Turn("Hello.", ("Hello.",)),
            Turn("donewhen off"),
            Turn("Break it.", (Run(BREAK), "Broken.")),
        ),
        0,
        "",
        "is neither guarded nor examined; no model reads what you typed",
        holds=lambda told: "donewhen off" not in told,
    ),
    Row(
        "it types your commands: pause, off, amend",
        (
            Turn(
                "Go on.",
                (
                    Run("donewhen off"),
                    Run("donewhen pause"),
                    Run("donewhen amend last --drop x --yes"),
                    "I could not.",
                ),
            ),
        ),
        0,
        "",
        "each is refused",
        holds=lambda told: told.count("donewhen refuses this") >= 3,
    ),
    Row(
        "`donewhen off` in a live session",
        (
            Turn("Hello.", ("Hello.",)),
            Turn("Break it.", (Run(BREAK), "Broken."), outside=("off",)),
        ),
        0,
        "",
        "is neither guarded nor examined",
    ),
    Row(
        "`amend --drop` in a live session",
        (
            Turn("Tidy up. `make lint` must pass.", (Run(NOTE), "Tidy.", "It is tidy.")),
            Turn("Go on.", (Run(NOTE), "Tidier."), outside=("amend", "last", "--drop", "make lint", "--yes")),
        ),
        1,
        ACCEPTED,
        "is judged without the dropped command",
        files=LINT,
        accepted=True,
    ),
)
