"""Which calls are proven to change nothing: they run together, and cost no look at the tree."""

from pathlib import Path

import pytest

from donewhen.core.agent import ToolRequest
from donewhen.core.codec import freeze
from donewhen.run.engine.calls import Call, Unreadable, read_call
from donewhen.tools.commands import command_tools
from donewhen.tools.registry import Toolbox, built_in
from tests.run.engine.support import Ground, ground, guard_of
from tests.tables import table_test

LOOKS = [
    "ls -la",
    "cat cart.py",
    "grep -rn total . | head -3",
    "git status --short",
    "git log -1 && git diff",
    "find . -name '*.py'",
    "sed -n 1,5p cart.py",
    "wc -l < cart.py",
    "cd sub && pwd",
    "test -f cart.py || echo none",
    "sort cart.py | uniq -c",
    "diff cart.py test_cart.py",
    "echo 'rm -rf /'",
]
MAY_CHANGE = [
    "python3 -m unittest",
    "make",
    "./cart.py",
    "echo x > cart.py",
    "echo x >> new.txt",
    "cat cart.py | tee copy.py",
    "sed -i s/a/b/ cart.py",
    "sed -n 'w out.txt' cart.py",
    "sed 1e\\ touch\\ x cart.py",
    "sort -o cart.py cart.py",
    "sort --compress-program=./x cart.py",
    "find . -name '*.py' -delete",
    "find . -exec touch x ;",
    "find . -fprint out.txt",
    "git commit -am x",
    "git checkout .",
    "git diff --output=x",
    "git log --output=x",
    "git grep -O./x total",
    "git -c core.pager=./x log",
    "git -c diff.external=./x diff",
    "git -C /tmp status",
    "git",
    "git blame --contents=/dev/stdin x && touch y",
    "tree -o out.txt",
    "xxd cart.py out.txt",
    "xxd -r in out",
    "uniq cart.py out.txt",
    "yes > /dev/full & touch x",
    "rg --pre ./x total",
    "date -s tomorrow",
    "hostname other",
    "less -o log cart.py",
    "file -C -m magic",
    "echo $(touch x)",
    "cat <(touch x)",
    "ls; rm cart.py",
    "ls && $cmd",
    "alias ls='touch x'; ls",
    "ls() { touch x; }; ls",
    "PATH=.:$PATH ls",
    "LD_PRELOAD=./x.so ls",
    "export PATH=.; ls",
    "export LD_PRELOAD=./x.so; ls",
    "env ./x",
    "xargs rm < list",
    "/tmp/ls",
    "./ls",
    "trap 'touch x' EXIT; ls",
    "printf -v x y; $x",
    "test -f x || touch x",
    "exec 3> x; ls",
    "ls 2> errors.txt",
    "coproc touch x",
    "test -v 'a[$(touch x)]'",
    "[ -v 'a[$(touch x)]' ]",
    "printf -v 'a[$(touch x)]' y",
    "unset 'a[$(touch x)]'",
    "read 'a[$(touch x)]' < cart.py",
    "PS4='$(touch x)'; set -x; ls",
    "LESSOPEN='|touch x' less cart.py",
    "export LESSOPEN='|touch x'; less cart.py",
    "sed s/x/y/wout cart.py",
    "sed 's/x/touch y/e' cart.py",
    "sed --in-place=.bak s/a/b/ cart.py",
    "sed -ni.bak p cart.py",
    "sed -f script cart.py",
    "git grep --open-files-in-pager=touch total",
    "GIT_EXTERNAL_DIFF='touch x' git diff",
    "export GIT_EXTERNAL_DIFF='touch x'; git diff",
    "GIT_PAGER='touch x' git -p log",
    "git --exec-path=. status",
    "git --git-dir=/tmp/x log",
    "rg --pre=./x total",
    "rg --hostname-bin=./x total",
    "hostname -F cart.py",
    "find . -okdir touch x ;",
    "find . -fls out",
    "BASH_ENV=./x bash -c ls",
    "jq -n input_filename > out",
    "enable -f ./x.so ls; ls",
    "hash -p ./x ls; ls",
    "",
    "if",
    "ls\x00",
]


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    made = ground(Path(tmp_path_factory.mktemp("calls")))
    (made.folder / "sub").mkdir()
    return made


def call_of(where: Ground, tool: str, **args: object) -> Call | Unreadable:
    toolbox = Toolbox((*built_in("en"), *command_tools()))
    return read_call("c1.1", ToolRequest("1", tool, freeze(args)), toolbox, guard_of(where), "en")


@table_test("command", LOOKS)
def test_a_command_that_only_looks_is_known_as_such(where: Ground, command: str):
    call = call_of(where, "run_command", command=command)
    assert isinstance(call, Call)
    assert call.reads_only


@table_test("command", MAY_CHANGE)
def test_a_command_that_may_change_something_is_never_taken_for_one_that_looks(where: Ground, command: str):
    call = call_of(where, "run_command", command=command)
    assert isinstance(call, Unreadable) or not call.reads_only


@pytest.mark.parametrize(
    ("tool", "args", "reads"),
    [
        ("read_file", {"path": "cart.py"}, True),
        ("grep", {"pattern": "total"}, True),
        ("write_file", {"path": "x", "content": ""}, False),
        ("edit_file", {"path": "cart.py", "edits": [{"old": "a", "new": "b"}]}, False),
        ("command_status", {"handle": "b1"}, True),
    ],
)
def test_other_tools_say_themselves_whether_they_write(where: Ground, tool: str, args: dict, reads: bool):
    call = call_of(where, tool, **args)
    assert isinstance(call, Call), call
    assert call.reads_only is reads


def test_what_can_not_be_read_is_an_answer_that_helps(where: Ground):
    unknown = call_of(where, "reed_file", path="x")
    assert isinstance(unknown, Unreadable)
    assert (unknown.result.error_class, "read_file" in unknown.result.error) == ("unknown_tool", True)
    wrong = call_of(where, "read_file", path=3)
    assert isinstance(wrong, Unreadable)
    assert (wrong.result.error_class, "path" in wrong.result.error) == ("bad_arguments", True)
