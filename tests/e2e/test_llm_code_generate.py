"""`code_generate` over the fake endpoint: one model call more, files whole or not at all, within the budget."""

from collections.abc import Sequence

import pytest

from donewhen.core.events import facts
from donewhen.testing import Answer, Call, Fault
from tests.helpers import Cli
from tests.llm_support import CHAT, CLAIM, FIX, WIRES, WORK, Played, Protocol, play, traces
from tests.projects import git
from tests.runs import broken_cart
from tests.runs import play as play_script

pytestmark = pytest.mark.models

GATES = False
HELLO = 'def hello() -> str:\n    return "hello"\n'
GREET = "from hello import hello\n\n\ndef greet() -> str:\n    return hello()\n"


def block(path: str, content: str, fence: str = "```") -> str:
    return f"{fence}path={path}\n{content}{fence}"


def wish(*paths: str, context: Sequence[str] = (), spec: str = "Two greetings.") -> Call:
    return Call("code_generate", {"spec": spec, "paths": list(paths), "context": list(context)})


def result(played: Played) -> facts.ToolReturned:
    return next(each for each in played.results if each.tool == "code_generate")


def shipped(cli: Cli, played: Played, path: str) -> str:
    return git(cli.folder, "show", f"{played.done.json['commit']}:{path}")


@pytest.mark.runs
@pytest.mark.parametrize("protocol", WIRES, ids=lambda each: each.name)
def test_files_are_written_by_one_call_within_the_budget(cli: Cli, protocol: Protocol):
    answer = f"{block('hello.py', HELLO)}\n\n{block('pkg/greet.py', GREET)}\n"
    asks: list[Call | str] = [wish("hello.py", "./pkg/greet.py", context=["cart.py"]), answer, *WORK]
    played = play(cli, protocol, asks)
    assert (played.why, played.fake.problems, played.fake.left) == ((0, "accepted", ""), [], 0)
    assert result(played).ok
    assert shipped(cli, played, "hello.py").strip() == HELLO.strip()
    assert shipped(cli, played, "pkg/greet.py").strip() == GREET.strip()
    written = {each.path for each in played.bodies if isinstance(each, facts.FileChanged)}
    assert {"hello.py", "pkg/greet.py"} <= written
    assert len(played.reserved) == len(played.booked) == 4
    assert all(
        0 < booked.micros <= held.micros for held, booked in zip(played.reserved, played.booked, strict=True)
    )
    own = str(played.asked[1].body)
    assert "Two greetings." in own and "sum(prices)" in own
    assert "tools" not in played.asked[1].body
    assert "Begin" not in own and "Fix the cart" not in own


def test_a_file_that_is_there_is_shown_and_written_whole(cli: Cli):
    fixed = "def total(prices):\n    return sum(prices)\n"
    played = play(cli, CHAT, [wish("cart.py"), block("cart.py", fixed), CLAIM])
    assert played.why == (0, "accepted", ""), result(played)
    assert "sum(prices) + 1" in str(played.asked[1].body)
    assert shipped(cli, played, "cart.py").strip() == fixed.strip()


@pytest.mark.runs
def test_content_with_fences_of_its_own(cli: Cli):
    page = "# Use\n\n```python\nhello()\n```\n"
    played = play(cli, CHAT, [wish("USE.md"), block("USE.md", page, "````"), *WORK])
    assert played.why[0] == 0
    assert shipped(cli, played, "USE.md").strip() == page.strip()


BAD = [
    ("I would rather not say.", "no block with a path"),
    ("", "no block with a path"),
    (block("hello.py", HELLO), "lacks `greet.py`"),
    (
        f"{block('hello.py', HELLO)}\n{block('greet.py', GREET)}\n{block('.env', HELLO)}",
        "`.env`, which was not asked",
    ),
    (
        f"{block('hello.py', HELLO)}\n{block('greet.py', GREET)}\n{block('../x', HELLO)}",
        "`../x`, which was not asked",
    ),
    (f"{block('hello.py', HELLO)}\n{block('hello.py', GREET)}", "holds `hello.py` twice"),
    (f"{block('hello.py', HELLO)}\n```path=greet.py\n{GREET}", "ends inside the block of `greet.py`"),
    (
        f"{block('hello.py', HELLO)}\nAnd now:\n{block('greet.py', GREET)}",
        "text outside of its blocks (line 5)",
    ),
    (block("hello.py", "a\0b\n") + "\n" + block("greet.py", GREET), "binary"),
    (
        Answer(f"{block('hello.py', HELLO)}\n```path=gre", finish="length"),
        "was cut off at its limit of output",
    ),
    (Answer("No.", finish="refusal"), "refused to write it"),
]


@pytest.mark.runs
@pytest.mark.parametrize(("answer", "said"), BAD, ids=[said for _, said in BAD])
def test_nothing_is_written_when_any_part_is_wrong(cli: Cli, answer: str | Answer, said: str):
    played = play(cli, CHAT, [wish("hello.py", "greet.py"), answer, *WORK])
    assert played.why == (0, "accepted", "")
    assert (result(played).ok, said in result(played).output) == (False, True), result(played).output
    assert played.done.json["changed"] == ["cart.py"]
    assert len(played.booked) == 4


@pytest.mark.runs
@pytest.mark.parametrize(
    ("call", "said"),
    [
        (wish("../outside.py"), "outside"),
        (wish("hello.py", ".git/hooks/pre-commit"), ".git"),
        (wish("hello.py", context=[".env"]), "denied by the guard"),
        (wish("hello.py", context=["nowhere.py"]), "nowhere.py"),
        (wish("hello.py", "./hello.py"), "named twice"),
        (wish(*(f"f{number}.py" for number in range(9))), "paths"),
        (wish("hello.py", spec=""), "spec"),
        (wish("link.py"), "symbolic link"),
        (wish("hello.py", context=["keys.py"]), ""),
        (wish("keys.py"), "looks like a credential"),
    ],
    ids=lambda each: str(each.args)[:60] if isinstance(each, Call) else "",
)
def test_what_may_not_be_read_or_written_asks_no_model(cli: Cli, call: Call, said: str):
    key = "AKIA" + "Z7QH4M2KX5PLTR3W"
    broken_cart(cli, {".env": "A=1\n", "keys.py": f'KEY = "{key}"\n'})
    (cli.folder / "link.py").symlink_to("cart.py")
    git(cli.folder, "add", "-A")
    git(cli.folder, "commit", "-qm", "more")
    answers: list[Call | str] = [call, *([] if said else [block("hello.py", HELLO)]), *WORK]
    played = play(cli, CHAT, answers)
    assert (played.fake.problems, played.fake.left) == ([], 0)
    assert played.why[0] == 0, played.done
    assert (result(played).ok, said in result(played).output) == (not said, True), result(played).output
    assert key not in str([each.body for each in played.asked])


@pytest.mark.runs
def test_a_path_outside_of_the_scope_is_denied(cli: Cli):
    broken_cart(cli)
    promise = cli.folder.parent / "promise.yml"
    promise.write_text('{"objective": "Fix the cart", "allowed_scope": ["cart.py"]}')
    played = play(cli, CHAT, [wish("hello.py"), *WORK], "--promise", str(promise))
    assert played.why == (0, "accepted", ""), played.done
    assert "denied by the guard" in result(played).output


@pytest.mark.runs
def test_a_budget_that_does_not_allow_the_call_stops_the_run(cli: Cli):
    played = play(cli, CHAT, [wish("hello.py", spec="x " * 9_000)], budget={"total": 0.02, "floor": 0})
    assert played.why[:2] == (3, "budget_exceeded"), played.done
    assert sum(each.micros for each in played.booked) <= 20_000


@pytest.mark.runs
def test_an_endpoint_that_fails_meanwhile_leaves_a_run_that_can_go_on(cli: Cli):
    played = play(
        cli, CHAT, [wish("hello.py"), Answer(fault=Fault("key"))], then="repeat-last", llm={"retries": 0}
    )
    assert played.done.json["state"] == "paused", played.done
    assert traces(cli, "hello()") == []


@pytest.mark.runs
def test_it_is_not_offered_where_no_model_works(cli: Cli):
    broken_cart(cli)
    done = play_script(
        cli, {"tool": "code_generate", "args": {"spec": "x", "paths": ["a.py"]}}, after_last="stop"
    )
    assert done.json["changed"] == []


@pytest.mark.runs
def test_it_has_to_wait_while_planning(cli: Cli):
    played = play(
        cli, CHAT, [wish("hello.py"), "No plan.", FIX, CLAIM], llm={"roles": {"plan": "openai:planner"}}
    )
    assert played.why[0] == 0
    assert "has to wait until the plan is made" in result(played).output
