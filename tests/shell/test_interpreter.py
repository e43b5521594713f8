"""What a visitor is told of a script: each command with its words, folder, wrappers and input."""

from typing import Any

import pytest

from donewhen.core.tree import Refused, Word
from donewhen.shell import parse
from donewhen.shell.interpreter import Command, Outcome, TooMuch, Visitor, interpret
from donewhen.shell.state import FAILURE, SUCCESS, State, text_value

HOME = State(folders=("/w",), values={"HOME": text_value("/home/dev")}, top="/w")


class Listener(Visitor):
    follows_output = True

    def __init__(self, outcomes: dict[str, Outcome] | None = None) -> None:
        self.commands: list[Command] = []
        self.unknowns: list[str] = []
        self._outcomes = outcomes or {}

    def run(self, command: Command) -> Outcome:
        self.commands.append(command)
        return self._outcomes.get(command.words[0].text, Outcome())

    def unknown(self, why: str, state: State) -> None:
        self.unknowns.append(why)


def listen(text: str, **outcomes: Outcome) -> Listener:
    tree = parse(text)
    assert not isinstance(tree, Refused), tree
    listener = Listener(outcomes)
    interpret(tree, listener, HOME)
    return listener


def spelt(words: tuple[Word, ...]) -> str:
    return " ".join(word.text if word.known else f"<{word.text}>" for word in words)


def run(text: str, **outcomes: Outcome) -> list[str]:
    """The programs that are run, as they get their words."""
    commands = listen(text, **outcomes).commands
    return [spelt(each.words) for each in commands if each.kind == "program" and each.reached]


RESOLVED = [
    ("X=/; rm -rf $X", ["rm -rf /"]),
    ('D="a b"; rm $D "$D"', ["rm a b a b"]),
    ("rm ~/x{1,2} *.o", ["rm /home/dev/x1 /home/dev/x2 <*.o>"]),
    ("x=a.py; cc ${x%.py} ${x/a/b} ${x:0:1} ${x^^} ${#x} ${y:-$x}", ["cc a b.py a A.PY 4 <${y:-$x}>"]),
    ("x=/a/b/c; cc ${x##*/} ${x%/*} ${x#/a}", ["cc c /a/b /b/c"]),
    ("x=$(echo rm); $x -rf y", ["rm -rf y"]),
    ("echo 'rm x' | sh", ["rm x"]),
    ("f=x; echo rm $f | sh", ["rm x"]),
    ("bash <<EOF\nrm x\nEOF", ["rm x"]),
    ("f() { rm $1; }; f a", ["rm a"]),
    ("for i in a b; do rm $i; done", ["rm a", "rm b"]),
    ("eval rm x", ["rm x"]),
    ("t=60; timeout $t rm x", ["rm x"]),
    ("trap 'rm x' EXIT; ls", ["ls", "rm x", "rm x"]),  # after either outcome of ls
    ("x=$(cat | tr a b); rm $x", ["cat", "tr a b", "rm <$x>"]),
    ("cd $(git rev-parse --show-toplevel) && rm x", ["git rev-parse --show-toplevel", "rm x"]),
    ("rm {1..3} {a,b}c '{a,b}'", ["rm 1 2 3 ac bc {a,b}"]),
]


@pytest.mark.parametrize(("text", "expected"), RESOLVED, ids=[text for text, _ in RESOLVED])
def test_words_are_resolved_as_far_as_the_script_tells(text: str, expected: list[str]):
    assert run(text) == expected


FOLDERS = [
    ("ls", ("/w",)),
    ("cd sub; ls", ("/w/sub", "/w")),
    ("cd sub && ls", ("/w/sub",)),
    ("cd /tmp && cd .. && ls", ("/",)),
    ("cd ~/x && ls", ("/home/dev/x",)),
    ("cd && ls", ("/home/dev",)),
    ("cd $WHO && ls", (None,)),
    ("(cd /x); ls", ("/w",)),
    ("cd /x && cd - && ls", ("/w",)),
    ("pushd a && popd && ls", ("/w",)),
    ("env -C /x ls", ("/x",)),
]


@pytest.mark.parametrize(("text", "folders"), FOLDERS, ids=[text for text, _ in FOLDERS])
def test_the_folder_is_where_the_shell_may_be(text: str, folders: tuple[Any, ...]):
    (command,) = [each for each in listen(text).commands if each.words[0].text == "ls"]
    assert command.state.folders == folders


def test_a_visitor_may_know_how_a_command_ends():
    assert run("cd sub; ls", cd=Outcome(SUCCESS)) == ["ls"]
    (command,) = [
        each for each in listen("cd sub; ls", cd=Outcome(SUCCESS)).commands if each.kind == "program"
    ]
    assert command.folder == "/w/sub"
    assert run("a && b", a=Outcome(FAILURE)) == ["a"]
    assert run("a || b", a=Outcome(SUCCESS)) == ["a"]


def test_a_visitor_may_know_what_a_command_prints():
    assert run("decode | sh", decode=Outcome(printed="rm x")) == ["decode", "rm x"]
    assert run('y="$(decode)"; rm $y', decode=Outcome(printed="x\n")) == ["decode", "rm x"]


def test_wrappers_come_before_what_they_run():
    commands = listen("sudo env A=1 rm x").commands
    assert [(spelt(each.words), each.kind, each.by) for each in commands] == [
        ("sudo env A=1 rm x", "wrapper", ()),
        ("env A=1 rm x", "wrapper", ("sudo",)),
        ("rm x", "program", ("sudo", "env")),
    ]
    assert commands[-1].env == {"A": Word("1")}


def test_each_text_that_a_variable_may_hold_is_a_variant():
    (command,) = [
        each for each in listen("if c; then x=a; else x=b; fi; rm $x").commands if each.words[0].text == "rm"
    ]
    assert [spelt(each) for each in command.variants] == ["rm <$x>", "rm a", "rm b"]


@pytest.mark.parametrize("text", ['eval "$Q"', ". ./file", "$Q x", "bash -c 'eval \"$Q\"'"])
def test_text_that_nobody_knows_is_said(text: str):
    assert listen(text).unknowns


def test_what_is_never_reached_is_told_as_such():
    commands = listen("exit 0; rm x").commands
    assert [(spelt(each.words), each.reached) for each in commands] == [("exit 0", True), ("rm x", False)]


def test_a_script_that_calls_itself_ends():
    with pytest.raises(TooMuch):
        listen(":(){ :|:& };:")
