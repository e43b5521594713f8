"""A rule in the user's own file: what is there stays, and what can't be done safely is not done."""

import os
import stat
import subprocess
import sys
import threading

import pytest
import yaml

from donewhen.config.user_rules import add_rule, one_line
from donewhen.core.errors import SetupError, UserError
from tests.config.support import World

RULE = {
    "name": "always-0a1b2c3d",
    "pattern": r"\Anpm\ publish\ \-\-tag\ \"x\"\Z",
    "action": "allow",
    "match": ['npm publish --tag "x"'],
    "reason": "answered `always` to question 0a1b2c-1 on 2026-11-15",
}
OTHER = {**RULE, "name": "always-ffffffff", "pattern": r"\Acargo\ publish\Z", "match": ["cargo publish"]}
ADDED = """\
- name: always-0a1b2c3d
  pattern: "\\\\Anpm\\\\ publish\\\\ \\\\-\\\\-tag\\\\ \\\\\\"x\\\\\\"\\\\Z"
  action: allow
  match: ["npm publish --tag \\"x\\""]
  reason: "answered `always` to question 0a1b2c-1 on 2026-11-15"
"""


def indented(text: str, by: int) -> str:
    return "".join(" " * by + line for line in text.splitlines(keepends=True))


def rules(world: World) -> list[dict]:
    found: list[dict] = yaml.safe_load(world.user_file.read_text())["guardrails"]["rules"]
    return found


def test_a_file_that_is_not_there_is_made_private_with_its_folders(world):
    old = os.umask(0)
    try:
        assert add_rule(RULE, env=world.env) is True
    finally:
        os.umask(old)
    assert stat.S_IMODE(world.user_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(world.user_file.parent.stat().st_mode) == 0o700
    assert world.user_file.read_text() == "guardrails:\n  rules:\n" + indented(ADDED, 4)
    assert rules(world) == [RULE]
    (loaded,) = world.load().config.guardrails.rules
    assert (loaded.name, loaded.pattern, loaded.action) == (RULE["name"], RULE["pattern"], "allow")


def test_an_equal_rule_is_not_written_twice(world):
    assert add_rule(RULE, env=world.env) is True
    before = world.user_file.read_bytes()
    assert add_rule({**RULE, "reason": "another day"}, env=world.env) is False
    assert world.user_file.read_bytes() == before
    assert add_rule(OTHER, env=world.env) is True
    assert rules(world) == [RULE, OTHER]


BEFORE_AND_AFTER = {
    "only comments": ("# mine\n", "# mine\nguardrails:\n  rules:\n{4}"),
    "another section, no line end": (
        "language: zh  # 中文",
        "language: zh  # 中文\nguardrails:\n  rules:\n{4}",
    ),
    "guardrails without rules": (
        "guardrails:\n    protected_branches:\n    - main  # ours\n\n# next\nlanguage: en\n",
        "guardrails:\n    protected_branches:\n    - main  # ours\n    rules:\n{6}\n# next\nlanguage: en\n",
    ),
    "an empty section": (
        "guardrails:  # soon\nlanguage: en\n",
        "guardrails:  # soon\n  rules:\n{4}language: en\n",
    ),
    "empty rules": (
        "guardrails:\n  rules:\n  # none yet\nlanguage: en\n",
        "guardrails:\n  rules:\n{4}  # none yet\nlanguage: en\n",
    ),
    "a list with its own indent": (
        "guardrails:\n  rules:\n      # first\n      - {name: a, tool: x, action: ask}  # one\n\n  # end\nbudget: {total: 5}\n",
        "guardrails:\n  rules:\n      # first\n      - {name: a, tool: x, action: ask}  # one\n{6}\n  # end\nbudget: {total: 5}\n",
    ),
    "a list without indent": (
        "guardrails:\n  rules:\n  - name: a\n    tool: x\n    action: ask\n  danger_patterns: [delete]\n",
        "guardrails:\n  rules:\n  - name: a\n    tool: x\n    action: ask\n{2}  danger_patterns: [delete]\n",
    ),
    "a byte order mark": ("\ufefflanguage: en\n", "\ufefflanguage: en\nguardrails:\n  rules:\n{4}"),
    "one document, marked": ("---\nlanguage: en\n", "---\nlanguage: en\nguardrails:\n  rules:\n{4}"),
}


@pytest.mark.parametrize("name", BEFORE_AND_AFTER)
def test_comments_order_and_every_other_byte_stay(world, name):
    before, after = BEFORE_AND_AFTER[name]
    world.user(before)
    assert add_rule(RULE, env=world.env) is True
    for by in (2, 4, 6):
        after = after.replace("{" + str(by) + "}", indented(ADDED, by))
    assert world.user_file.read_text() == after
    assert world.load().config.guardrails.rules[-1].name == RULE["name"]


def test_the_line_ends_of_the_file_are_kept(world):
    world.user_file.parent.mkdir(parents=True)
    world.user_file.write_bytes(b"language: en\r\n")
    add_rule(RULE, env=world.env)
    data = world.user_file.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") == 8


REFUSED = {
    "flow list": ("guardrails:\n  rules: [{name: a, tool: x, action: ask}]\n", "in brackets"),
    "empty flow list": ("guardrails:\n  rules: []\n", "in brackets"),
    "flow mapping": ("guardrails: {protected_branches: [main]}\n", "in brackets"),
    "flow root": ("{language: en}\n", "in brackets"),
    "anchored section": ("guardrails: &g\n  protected_branches: [main]\n", "unusual"),
    "anchored rules": (
        "guardrails:\n  rules: &r\n    - {name: a, tool: x, action: ask}\n",
        "unusual",
    ),
    "null in words": ("guardrails: ~\n", "unusual"),
    "end of document": ("language: en\n...\n", "unusual"),
    "syntax error": ("guardrails: [\n", "not in order"),
    "unknown key": ("guardrail: {}\n", "not in order"),
    "not a mapping": ("- a\n", "not in order"),
    "not UTF-8": ("", "not in order"),
    "two documents": ("a: 1\n---\nb: 2\n", "not in order"),
    "the name is taken": (
        "guardrails:\n  rules:\n    - {name: always-0a1b2c3d, tool: x, action: deny}\n",
        "another rule is named always-0a1b2c3d",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_not_be_extended_safely_is_left_alone_with_what_to_add(world, name):
    text, why = REFUSED[name]
    world.user_file.parent.mkdir(parents=True)
    data = text.encode() if text else b"language: \xff\n"
    world.user_file.write_bytes(data)
    with pytest.raises(UserError) as error:
        add_rule(RULE, env=world.env)
    assert world.user_file.read_bytes() == data
    assert why in str(error.value)
    assert one_line(RULE) in str(error.value)
    assert str(world.user_file) in str(error.value)
    assert error.value.say("zh")
    assert yaml.safe_load(one_line(RULE)) == [RULE]


def test_anchors_elsewhere_are_no_hindrance(world):
    text = "guardrails:\n  protected_branches: &names\n  - main\n{}verificationExemptDirs: *names\n"
    world.user(text.format(""))
    assert add_rule(RULE, env=world.env) is True
    assert world.user_file.read_text() == text.format("  rules:\n" + indented(ADDED, 4))


def test_a_rule_that_would_not_load_is_refused(world):
    world.user("language: en\n")
    for bad in (
        {**RULE, "pattern": "("},
        {**RULE, "pattern": "x" * 600},
        {**RULE, "colour": "red"},
        {**RULE, "match": ["\ud800"]},
    ):
        with pytest.raises(UserError):
            add_rule(bad, env=world.env)
    assert world.user_file.read_text() == "language: en\n"


def test_odd_text_reads_back_as_it_was(world):
    odd = {**RULE, "reason": "\x1b[31m \u2028 \x85 \U0001f600 测试 \\ \" ' # : - \u202e"}
    add_rule(odd, env=world.env)
    assert rules(world) == [odd]


def test_a_linked_file_stays_a_link_and_keeps_its_mode(world, tmp_path):
    real = tmp_path / "dotfiles.yml"
    real.write_text("language: en\n")
    real.chmod(0o640)
    world.user_file.parent.mkdir(parents=True)
    world.user_file.symlink_to(real)
    add_rule(RULE, env=world.env)
    assert world.user_file.is_symlink()
    assert RULE["name"] in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_file_that_its_owner_made_read_only_is_left_alone(world):
    world.user("language: en\n")
    world.user_file.chmod(0o444)
    with pytest.raises(SetupError, match="can't be written") as error:
        add_rule(RULE, env=world.env)
    assert one_line(RULE) in str(error.value)
    assert world.user_file.read_text() == "language: en\n"
    assert stat.S_IMODE(world.user_file.stat().st_mode) == 0o444


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop", "too large"])
def test_what_is_no_readable_file_is_said_with_the_rule(world, kind):
    path = world.user_file
    path.parent.mkdir(parents=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    else:
        path.write_text("#" * (1024 * 1024 + 1))
    with pytest.raises(UserError, match="not in order") as error:
        add_rule(RULE, env=world.env)
    assert one_line(RULE) in str(error.value)


def test_a_link_to_nothing_makes_the_file_that_it_names(world, tmp_path):
    real = tmp_path / "dotfiles" / "donewhen.yml"
    world.user_file.parent.mkdir(parents=True)
    world.user_file.symlink_to(real)
    assert add_rule(RULE, env=world.env) is True
    assert world.user_file.is_symlink()
    assert RULE["name"] in real.read_text()


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\u2029"])
def test_line_ends_that_not_every_reader_knows_are_not_copied(world, odd):
    world.user_file.parent.mkdir(parents=True)
    world.user_file.write_bytes(f"# a{odd}language: en\n".encode())
    assert add_rule(RULE, env=world.env) is True
    assert world.user_file.read_bytes().decode().count(odd) == 1
    assert world.load().config.guardrails.rules[-1].name == RULE["name"]


FULL = """
import os, resource, sys
from donewhen.config.user_rules import add_rule
from donewhen.core.errors import SetupError
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
try:
    add_rule({"name": "always-0a1b2c3d", "tool": "x", "action": "allow", "reason": "r" * 400}, env=os.environ)
except SetupError as error:
    sys.stdout.write(error.key)
"""


def test_a_full_disk_leaves_the_old_file_and_nothing_else(world):
    world.user("language: en\n")
    env = {**os.environ, "HOME": str(world.home)}
    done = subprocess.run([sys.executable, "-c", FULL], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "approvals.unwritable"
    assert world.user_file.read_text() == "language: en\n"
    assert [path.name for path in world.user_file.parent.iterdir()] == ["config.yml"]


WRITING = """
import os, sys
from donewhen.config.user_rules import add_rule
n = 0
while True:
    add_rule({"name": f"always-{n:08x}", "tool": "x", "action": "allow"}, env=os.environ)
    print(n, flush=True)
    n += 1
"""


def test_a_writer_that_is_killed_leaves_a_file_that_loads_and_no_lock(world):
    child = subprocess.Popen(
        [sys.executable, "-c", WRITING],
        env={**os.environ, "HOME": str(world.home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    try:
        lines = [child.stdout.readline() for _ in range(5)]
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    assert lines == [f"{n}\n" for n in range(5)]
    assert add_rule(RULE, env=world.env) is True
    names = [rule.name for rule in world.load().config.guardrails.rules]
    assert names == [f"always-{n:08x}" for n in range(len(names) - 1)] + [RULE["name"]]
    assert len(names) > 5


def test_the_projects_file_is_never_written(world):
    world.configure("language: en\n")
    add_rule(RULE, env=world.env)
    assert world.file.read_text() == "language: en\n"


def test_a_place_that_can_not_be_written_is_said_with_the_rule(world):
    world.home.mkdir()
    (world.home / ".config").touch()
    with pytest.raises((SetupError, UserError)) as error:
        add_rule(RULE, env=world.env)
    assert one_line(RULE) in str(error.value)


def test_many_writers_lose_nothing(world):
    def add(number: int) -> None:
        add_rule({**RULE, "name": f"always-{number:08x}"}, env=world.env)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(rule["name"] for rule in rules(world)) == [f"always-{number:08x}" for number in range(8)]


def test_two_processes_lose_nothing(world):
    script = (
        "import os, sys; from donewhen.config.user_rules import add_rule\n"
        "for n in range(3):\n"
        "    add_rule({'name': f'always-{sys.argv[1]}{n}', 'tool': 'x', 'action': 'allow'}, env=os.environ)"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", script, name], env={**os.environ, "HOME": str(world.home)})
        for name in "ab"
    ]
    assert [child.wait(60) for child in children] == [0, 0]
    assert len(rules(world)) == 6
    assert [path.name for path in world.user_file.parent.iterdir()] == ["config.yml"]
