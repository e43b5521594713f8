"""`always`: a rule in the user's own file, for exactly what was asked, and for nothing beside it."""

import shlex
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from donewhen.config import load_config
from donewhen.config.user_rules import add_rule
from donewhen.core.errors import UserError
from donewhen.core.events import facts, run
from donewhen.core.protocols import EventStore
from donewhen.core.texts import Phrase
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from donewhen.guard.configured import rules_of
from donewhen.guard.decision import Finding, Found
from donewhen.guard.effects import Publishes, Reads, Unknown
from donewhen.run.approvals import Answer, Question
from donewhen.run.approvals_askers import Reply, Scripted
from donewhen.run.approvals_clock import SteppedClock
from donewhen.secrets.redact import Redactor
from donewhen.store.memory import MemoryStore
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN
from tests.run.approvals_support import ASK, TOKEN, ask, asked, bodies, finding, question
from tests.tables import table_test


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path: Path) -> Iterator[EventStore]:
    made: EventStore = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "s.db")
    made.append(RUN, run.RunStarted("goal"))
    yield made
    made.close()


class Kept:
    def __init__(self, refuses: bool = False) -> None:
        self.rules: list[dict] = []
        self._refuses = refuses

    def __call__(self, rule) -> bool:
        if self._refuses:
            raise UserError("approvals.by_hand", place="x.yml", why="y", rule="- {}")
        self.rules.append(dict(rule))
        return True


def test_always_is_a_rule_for_exactly_this_command(store):
    kept = Kept()
    asker = Scripted([Reply(True, "always")])
    answers = ask(store, asker, question(), question(), keep=kept, clock=SteppedClock(1_794_717_420.0))
    assert [(each.scope, each.ask) for each in answers] == [("always", ASK), ("run", "")]
    assert kept.rules == [
        {
            "name": "always-ada7eb99",
            "tool": "run_command",
            "command": "npm publish",
            "pattern": r"\Anpm\ publish\Z",
            "action": "allow",
            "match": ["npm publish"],
            "reason": f"answered `always` to question {ASK} on 2026-11-15 04:37 UTC",
        }
    ]
    assert asker.asked[0].lasting == "npm publish"
    assert bodies(store)[1:] == [
        facts.Answered(ASK, True, scope="always"),
        run.Noted("rule always-ada7eb99 was written to your configuration"),
    ]


def test_always_answers_every_command_of_the_line(store):
    kept = Kept()
    line = question("npm publish && cargo publish", finding("npm", "publish"), finding("cargo", "publish"))
    ask(store, Scripted([Reply(True, "always")]), line, keep=kept)
    assert [rule["match"] for rule in kept.rules] == [["npm publish"], ["cargo publish"]]


NOT_LASTING: dict[str, Finding] = {
    "a part is not known": finding("npm", "publish", "\x00"),
    "a live glob": finding("rm", "\x01.log"),
    "a tool, not a command": finding("mail_send", found=None),
    "a tool's own effect": finding("run_command"),
    "a text that could not be read": finding("x", found=Found(Unknown("guard.too_much"), ("x" * 200,))),
    "a control character": finding("npm", "publish\x1b[2J"),
    "a line break": finding("npm", "a\nb"),
    "a rule of the user's own": finding("npm", "publish")._replace(rule="mine"),
    "longer than a pattern may be": finding("npm", "x" * 600),
    "half a surrogate pair": finding("npm", "\ud83d"),
}


@pytest.mark.parametrize("name", NOT_LASTING)
def test_what_no_rule_can_name_exactly_is_allowed_for_the_run_alone(store, name):
    kept = Kept()
    asker = Scripted([Reply(True, "always")])
    hard = NOT_LASTING[name]
    if hard.rule == "mine":
        hard = hard._replace(reason=Phrase("guard.why_own_rule"))
    (answer,) = ask(store, asker, question("npm publish", finding("npm", "publish"), hard), keep=kept)
    assert (answer.scope, kept.rules, asker.asked[0].lasting) == ("run", [], "")
    assert f"`always` can't be kept for question {ASK}" in asker.told[0]
    assert bodies(store)[1:] == [facts.Answered(ASK, True, scope="run"), run.Noted(asker.told[0], "warning")]


def test_without_a_place_for_rules_always_is_for_the_run(store):
    (answer,) = ask(store, Scripted([Reply(True, "always")]), question())
    assert answer.scope == "run"


def test_a_rule_that_can_not_be_kept_is_said_and_the_answer_holds(store):
    asker = Scripted([Reply(True, "always")])
    answers = ask(store, asker, question(), question(), keep=Kept(refuses=True))
    assert [each.allowed for each in answers] == [True, True]
    assert "so it holds for this run: x.yml can't be extended safely" in asker.told[0]
    assert bodies(store)[-1] == run.Noted(asker.told[0], "warning")


def test_a_rule_that_was_not_written_because_of_a_kill_is_written_after_the_resume(store):
    store.append(RUN, asked(), facts.Answered(ASK, True, scope="always"))
    kept = Kept()
    assert ask(store, Scripted(), question(), question(), keep=kept) == [Answer(True, "run")] * 2
    assert [rule["name"] for rule in kept.rules] == ["always-ada7eb99"]
    assert bodies(store)[2:] == [run.Noted("rule always-ada7eb99 was written to your configuration")]
    ask(store, Scripted(), question(), keep=kept)  # what the user took out since stays out
    assert len(kept.rules) == 1


def test_for_the_run_writes_no_rule_after_a_resume(store):
    store.append(RUN, asked(), facts.Answered(ASK, True, scope="run"))
    kept = Kept()
    assert ask(store, Scripted(), question(), keep=kept) == [Answer(True, "run")]
    assert kept.rules == []


COMMANDS: Iterable[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = [
    (
        ("npm", "publish"),
        (("npm", "publish", "x"), ("npm", "publis"), ("x", "npm", "publish"), ("npmXpublish",)),
    ),
    (("npm", "publish"), (("npm publish",), ("/evil/npm", "publish"), ("npm", "publish", ""))),
    (("npm", "publish", "a", "b"), (("npm", "publish", "a b"), ("npm", "publish a", "b"))),
    (("npm", "publish", "a b"), (("npm", "publish", "a", "b"), ("npm publish", "a b"))),
    (("curl", "-o", "x", "https://a.example/?q=1"), (("curl", "-o", "x", "https://a_example/?q=1"),)),
    (("npm", "publish", "*"), (("npm", "publish", "\x01"),)),
    (("npm", "publish", "…"), (("npm", "publish", "\x00"),)),
    (("env",), (("env", "x"), ("printenv",))),
    (("npm", "publish", ""), (("npm", "publish"), ("npm", "publish", " "))),
    (("sudo", "ls", "v1.0$"), (("sudo", "ls", "v1.0$\n"), ("sudo", "ls", "v1x0$"), ("sudo", "ls v1.0$"))),
    (("npm", "publish", "测试", "it's"), (("npm", "publish", "测试", "its"),)),
]


def judged(line: str) -> Question:
    return Question(Guard(GROUND).command(line), line, "run_command")


@pytest.mark.parametrize(("argv", "others"), COMMANDS)
def test_the_written_rule_allows_what_was_asked_and_nothing_else(store, tmp_path, argv, others):
    env = {"HOME": str(tmp_path)}
    asker = Scripted([Reply(True, "always")])
    ask(store, asker, judged(shlex.join(argv)), keep=partial(add_rule, env=env))
    (rule,) = rules_of(load_config(tmp_path, env=env))

    def applies(words: tuple[str, ...], tool: str = "run_command", **more) -> bool:
        return rule.applies(tool, Found(Publishes("npm"), words, **more), "/w")

    assert applies(argv)
    assert [words for words in others if applies(words)] == []
    assert not applies(argv, "remote_shell")
    assert not applies(argv, elsewhere="host")
    assert not rule.applies(argv[0], None, "/w")
    named_alike = Found(Reads(f"/w/{' '.join(argv)}"), ("read_file",))
    assert not rule.applies("run_command", named_alike, "/w")


# what is asked because of something that no rule can name, and what a rule would have let through
BESIDE_THE_WORDS = {
    "other variables": ("npm_config_registry=https://x.example npm publish", "npm publish"),
    "another machine": ("ssh prod sudo ls", "sudo ls"),
    "a container": ("docker exec box npm publish", "npm publish"),
    "a redirection": ("curl https://a.example/x > notes.txt", "curl https://a.example/x > run.sh"),
    "a script that may change": ("bash /tmp/unknown.sh", "bash /tmp/unknown.sh"),
}


@pytest.mark.parametrize("name", BESIDE_THE_WORDS)
def test_what_is_not_in_the_words_is_never_kept(store, tmp_path, name):
    line, other = BESIDE_THE_WORDS[name]
    env = {"HOME": str(tmp_path)}
    asker = Scripted([Reply(True, "always")])
    assert judged(line).decision.action == judged(other).decision.action == "ask"
    (answer,) = ask(store, asker, judged(line), keep=partial(add_rule, env=env))
    assert (answer.scope, asker.asked[0].lasting) == ("run", "")
    assert rules_of(load_config(tmp_path, env=env)) == ()


@pytest.mark.parametrize("line", ["ssh prod npm publish", "docker exec box npm publish", "X=1 npm publish"])
def test_always_is_for_this_machine_and_these_variables(store, tmp_path, line):
    env = {"HOME": str(tmp_path)}
    ask(store, Scripted([Reply(True, "always")]), judged("npm publish"), keep=partial(add_rule, env=env))
    guard = Guard(GROUND, rules=rules_of(load_config(tmp_path, env=env)))
    assert guard.command("npm publish").action == "allow"
    assert guard.command(line).action == "ask"


@table_test("word", [TOKEN, f"--token={TOKEN}", f"'{TOKEN[:9]}'{TOKEN[9:]}", "hunter2-declared-value"])
def test_a_secret_never_gets_into_the_users_file_or_before_anybodys_eyes(tmp_path, word):
    store = MemoryStore(redactor=Redactor(["hunter2-declared-value"]))
    store.append(RUN, run.RunStarted("goal"))
    asker = Scripted([Reply(True, "always")])
    env = {"HOME": str(tmp_path)}
    (answer,) = ask(store, asker, judged(f"npm publish {word}"), keep=partial(add_rule, env=env))
    assert answer.scope == "run"
    assert asker.asked[0].lasting == ""
    assert not (tmp_path / ".config").exists()


def test_the_guard_asks_no_more_after_always(store, tmp_path):
    env = {"HOME": str(tmp_path)}
    line = "cd pkg && sudo npm publish --tag 'a b'"
    decision = Guard(GROUND).command(line)
    assert decision.action == "ask"
    asker = Scripted([Reply(True, "always")])
    ask(store, asker, Question(decision, line, "run_command"), keep=partial(add_rule, env=env))
    guard = Guard(GROUND, rules=rules_of(load_config(tmp_path, env=env)))
    assert guard.command(line).action == "allow"
    for other in ("sudo npm publish --tag a b", "sudo npm publish", "sudo cargo publish --tag 'a b'"):
        assert guard.command(other).action == "ask"
    assert guard.command(f"{line} && git push -f origin main").action == "deny"
