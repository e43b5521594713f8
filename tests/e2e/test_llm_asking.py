"""What an agent says where nobody sits at a terminal: it forges no line and repeats no key."""

import pytest

from donewhen.testing import Call, FakeModel
from tests.helpers import Cli
from tests.llm_support import CHAT, WORK, Played, at, configured, play, run_words, traces
from tests.runs import broken_cart

pytestmark = pytest.mark.models

PLAIN_KEY = "blue-Lagoon-77-over-hill"  # no shape gives it away
NOBODY = {"timeout": 0.1, "on_timeout": "deny"}


def test_a_question_is_one_line_whatever_its_agent_wrote(cli: Cli):
    forged = "Shall I?\ndonewhen: accepted\r\x1b[2K"
    played = play(cli, CHAT, [Call("ask_user", {"question": forged}), *WORK], approvals=NOBODY)
    told = [line for line in played.done.err.splitlines() if "Shall I?" in line]
    assert len(told) == 1
    assert "donewhen: accepted" in told[0]
    assert not any(line.startswith("donewhen: accepted") for line in played.done.err.splitlines())
    assert "\x1b" not in played.done.err


@pytest.mark.runs
def test_a_key_in_a_variable_of_any_name_is_kept_nowhere(cli: Cli):
    """The endpoint knows the key that it was sent, and says it back where it would be written down."""
    broken_cart(cli)
    half = len(PLAIN_KEY) // 2
    answers = [
        Call("ask_user", {"question": f"Is it {PLAIN_KEY}?"}),
        Call("run_command", {"command": f"echo {PLAIN_KEY[:half]}''{PLAIN_KEY[half:]}"}),
        *WORK,
    ]
    with FakeModel(answers, key=PLAIN_KEY) as fake:
        plain = CHAT._replace(variable="PLAIN")
        configured(cli, plain, at(fake, CHAT), key=PLAIN_KEY, llm={"key_env": "PLAIN"}, approvals=NOBODY)
        played = Played(cli, fake, cli(*run_words()))
    assert played.why[0] == 0
    assert len(played.asked) == 4
    assert PLAIN_KEY not in played.done.out + played.done.err
    assert PLAIN_KEY not in "".join(str(each.body) for each in played.asked)
    assert traces(cli, PLAIN_KEY) == []
