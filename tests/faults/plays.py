"""The plays of the fault campaign: small scripted runs that together use every part of the engine.

Each is a repository, a script and what the run is called with; how it ends undisturbed is measured, not
written here. `{base}` in a text is the folder of the stage, where programs and their counters lie.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.projects import BUG, CART, CART_TEST, TESTS, UNITTEST

Step = Mapping[str, Any]

FIX: Step = {"edit": {"path": "cart.py", "old": "sum(prices) + 1", "new": "sum(prices)"}}
CLAIM: Step = {"done": "The cart adds up now."}
LATER: Step = {"write": {"path": "notes.md", "content": "later\n"}}
WEAKER = CART_TEST.replace("self.assertEqual(total([1, 2]), 3)", "self.assertTrue(total([1, 2]))")
TAX = "def tax(price):\n    return price // 5\n"
TAX_TEST = CART_TEST.replace("cart", "tax").replace("total([1, 2]), 3", "tax(10), 2").replace("total", "tax")
_CHECK = {"id": "there", "kind": "file_exists", "target": "cart.py"}
_AT = "(self):\n"  # the head of the test
_LINKED = "        # scenario: tax/tax/a-fifth\n"
_DELTA = """\
## ADDED Requirements
### Requirement: Tax
The shop SHALL know the tax of a price.

#### Scenario: A fifth
- **WHEN** the price is 10
- **THEN** the tax is 2
"""
GIT = "git -c user.name=a -c user.email=a@example.org"


class Play(NamedTuple):
    name: str
    steps: Sequence[Step]
    words: Sequence[str] = ()  # of the command line
    files: Mapping[str, str] = UNITTEST | {"cart.py": BUG}
    hooks: Sequence[str] = ()  # points at which a hook adds a line to a counter outside
    notify: bool = False
    settings: Mapping[str, Any] = {}
    accept: Sequence[str] = (TESTS,)
    after_last: str = "stop"
    then: Sequence[Sequence[str]] = ()  # commands once it is put aside, before the next resume
    sandbox: bool = False
    meanwhile: str = ""  # what somebody does in the repository, once, when the run claims to be done
    again: Sequence[str] = ("resume", "last")  # how it is taken up; another word is what is killed then


def _bash(text: str) -> Step:
    return {"bash": text}


def _call(tool: str, **args: Any) -> Mapping[str, Any]:
    return {"tool": tool, "args": args}


def _todo(status: str, **more: str) -> Step:
    return _call("todo_write", todos=[{"id": "t1", "status": status, **more}])


ENDS = ("after_accept", "on_fail", "run_end", "on_escalate")

PLAYS: tuple[Play, ...] = (
    Play("accepted at once", [FIX, CLAIM], hooks=ENDS, notify=True),
    Play(
        "masked, then weakened, then fixed",
        [
            _bash(f"{TESTS} 2>&1 | tail -3; true"),
            CLAIM,
            {"write": {"path": "test_cart.py", "content": WEAKER}},
            CLAIM,
            {"write": {"path": "test_cart.py", "content": CART_TEST}},
            FIX,
            CLAIM,
        ],
        hooks=("after_accept",),
    ),
    Play(
        "a fix that breaks more is rolled back",
        [
            LATER,
            CLAIM,
            {"write": {"path": "tax.py", "content": "def tax(price):\n    return None\n"}},
            _bash("rm -f cart.py"),
            CLAIM,
            {"write": {"path": "cart.py", "content": CART}},
            {"write": {"path": "tax.py", "content": TAX}},
            CLAIM,
        ],
        files=UNITTEST | {"cart.py": BUG, "tax.py": TAX, "test_tax.py": TAX_TEST},
        accept=("python3 -m unittest test_cart", "python3 -m unittest test_tax"),
        words=("--all",),
    ),
    Play(
        "several calls in one turn",
        [
            {
                "calls": [
                    _call("read_file", path="cart.py"),
                    _call("read_file", path="test_cart.py"),
                    _call("list_dir"),
                    _call("run_command", command="echo one > note.txt"),
                    _call("run_command", command="echo two >> note.txt"),
                    _call("grep", pattern="def"),
                    _call("move_file", path="note.txt", to="kept.txt"),
                ]
            },
            FIX,
            _bash(TESTS),
            CLAIM,
        ],
        hooks=("after_tool",),
    ),
    Play(
        "a command in the background",
        [
            {"calls": [_call("run_command", command="sleep 5987654", background=True)]},
            FIX,
            {"calls": [_call("run_command", command="echo made > made.txt"), _call("git_status")]},
            CLAIM,
        ],
        hooks=("run_end",),
    ),
    Play(
        "denied, and asked about",
        [_bash("git push --force origin main"), FIX, _bash("curl http://127.0.0.1:9/x"), CLAIM],
        words=("--on-ask", "deny"),
        notify=True,
    ),
    Play(
        "asked about, put aside and allowed",
        [FIX, _bash("kill 2147483646; echo asked > asked.txt"), CLAIM],
        words=("--on-ask", "pause"),
        then=[["approve", "{ask}"]],
        hooks=("run_end",),
    ),
    Play(
        "a plan and its todos",
        [
            {"plan": {"todos": [{"id": "t1", "content": "fix the sum"}], "files": ["cart.py"]}},
            {"tool": "todo_write", "args": {"todos": [{"id": "t1", "status": "in_progress"}]}},
            CLAIM,
            FIX,
            {
                "calls": [
                    _call("todo_write", todos=[{"id": "t1", "status": "completed"}]),
                    _call("plan_update", files=["cart.py"]),
                ]
            },
            CLAIM,
        ],
        hooks=("after_accept",),
    ),
    Play(
        "a plan that a human sends back, then takes",
        [
            {"plan": {"todos": [{"id": "t1", "content": "fix all"}], "checks": [_CHECK]}},
            {"plan": {"todos": [{"id": "t2", "content": "fix the sum", "supersedes": ["t1"]}]}},
            FIX,
            _call("todo_write", todos=[{"id": "t2", "status": "in_progress"}]),
            _call("todo_write", todos=[{"id": "t2", "status": "completed"}]),
            CLAIM,
        ],
        words=("--approve-plan", "--on-ask", "pause"),
        then=[["deny", "{ask}", "--note", "Only the sum."], ["approve", "{ask}"]],
        hooks=("run_end",),
    ),
    Play(
        "the tasks of a change",
        [
            _call("todo_write", todos=[{"id": name, "status": "in_progress"} for name in ("1.1", "1.2")]),
            {"write": {"path": "tax.py", "content": TAX}},
            _call("todo_write", todos=[{"id": "1.1", "status": "completed"}]),
            CLAIM,
            {"write": {"path": "test_tax.py", "content": TAX_TEST.replace(_AT, f"{_AT}{_LINKED}")}},
            _call("todo_write", todos=[{"id": "1.2", "status": "completed"}]),
            CLAIM,
        ],
        words=("--spec", "add-tax"),
        files=UNITTEST
        | {
            "openspec/changes/add-tax/specs/tax/spec.md": _DELTA,
            "openspec/changes/add-tax/tasks.md": "- [ ] 1.1 The tax\n- [ ] 1.2 Its test\n",
        },
        hooks=("after_accept", "run_end"),
    ),
    Play("in place", [LATER, FIX, CLAIM], words=("--in-place",), hooks=("after_accept", "run_end")),
    Play(
        "commits of the agent",
        [
            FIX,
            _bash(f"git add -A; {GIT} commit -qm fix"),
            LATER,
            {"calls": [_call("git_commit", message="notes", paths=["notes.md"]), _call("git_log")]},
            _bash(f"echo more >> notes.md; {GIT} commit -qam more"),
            CLAIM,
        ],
    ),
    Play(
        "handed over, and gone on with",
        [LATER, CLAIM, CLAIM, FIX, CLAIM],  # it is judged anew when it goes on: the second of two tries
        settings={"correction": {"max_retries": 1, "escalate_action": "notify"}},
        hooks=("on_escalate", "after_accept", "run_end"),
        notify=True,
        then=[[]],
    ),
    Play(
        "waits for somebody's todo",
        [
            {"plan": {"todos": [{"id": "t1", "content": "fix the sum"}], "files": ["cart.py"]}},
            FIX,
            _todo("blocked", blocked_reason="user_input_wait"),
            CLAIM,
            _todo("in_progress"),
            _todo("completed"),
            CLAIM,
        ],
        hooks=("after_accept", "run_end"),
        then=[[]],
    ),
    Play(
        "a limit is reached",
        [LATER, _bash("echo a > a.txt"), _bash("echo b > b.txt"), _bash("echo c > c.txt"), FIX, CLAIM],
        settings={"loop": {"max_turns": 3}},
        hooks=ENDS,
        notify=True,
    ),
    Play(
        "ended by a human",
        [FIX, _bash("kill 2147483646"), CLAIM],
        words=("--on-ask", "pause"),
        then=[[]],
        again=("abort", "last"),
        hooks=ENDS,
        notify=True,
    ),
    Play(
        "behind a wall",
        [_bash("echo walled > w.txt"), FIX, _bash(TESTS), CLAIM],
        sandbox=True,
    ),
)
_MERGED = {"ship": {"mode": "merge", "to_protected": True}}
_THEIRS = f"printf 'VALUE = 1\\n' > other.py; git add other.py; {GIT} commit -qm theirs"
_CONFLICT = f"echo 'def total(p): return 4' > cart.py; {GIT} commit -qam theirs"
PLAYS += (
    Play("merged forward", [LATER, FIX, CLAIM], settings=_MERGED, hooks=ENDS, notify=True),
    Play("merged in place", [LATER, FIX, CLAIM], words=("--in-place",), settings=_MERGED, hooks=ENDS),
    Play("merged with what others did", [LATER, FIX, CLAIM], settings=_MERGED, hooks=ENDS, meanwhile=_THEIRS),
    Play("in conflict with others", [FIX, CLAIM], settings=_MERGED, hooks=ENDS, meanwhile=_CONFLICT),
)
BY_NAME = {play.name: play for play in PLAYS}
