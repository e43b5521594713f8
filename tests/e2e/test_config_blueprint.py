"""A configuration in the older layout is worked with, and what of it would not work is said when it is read."""

import json
from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import git
from tests.runs import CLAIM, FIX, QUICK, broken_cart, play, settings

GATES = False
OLD = """\
project: {name: shop, targetBranch: main}
tools:
  git:
    worktree_base: .gsd/worktrees
telemetry: {enabled: true}
subagents: {max_concurrency: 4}
verification: {quality: {enabled: false}}
"""


def with_config(cli: Cli, text: str = OLD, name: str = ".gsd/config.yml") -> Path:
    return broken_cart(cli, {name: text})


def test_the_older_layout_runs_and_what_has_no_effect_is_named(cli: Cli):
    user = with_config(cli)
    trusted = cli("trust")
    assert trusted.exit == 0, trusted.err
    assert "tools.git.worktree_base` lies below the project" in trusted.err

    checked = cli("config", "validate")
    assert checked.exit == 0
    for part in (
        ".gsd/config.yml:4: `tools.git.worktree_base` lies below the project",
        ".gsd/config.yml:5: `telemetry.enabled` has no effect in this version",
        ".gsd/config.yml:6: `subagents.max_concurrency` has no effect in this version",
    ):
        assert part in checked.err
    config = next(each for each in cli("doctor", "--json").json["checks"] if each["name"] == "config")
    assert config["status"] == "warning"
    assert "no effect in this version: telemetry.enabled, subagents.max_concurrency" in config["found"]

    done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted"), done.err
    assert sum("worktree_base" in note for note in done.json["notes"]) == 1
    assert not (user / ".gsd/worktrees").exists()

    migrated = cli("config", "migrate")
    assert migrated.exit == 0
    assert "worktree_base" not in (user / ".gsd/config.yml").read_text()


LATER = {
    "a workspace folder in a repository": (
        {"tools": {"git": {"worktree_base": "HERE/.gsd"}}},
        "lies in the repository",
    ),
    "a store of a later version": ({"store": {"url": "postgresql://h/d"}}, "PostgreSQL"),
    "no key to sign with": ({"record": {"sign": "ssh"}}, "record.key"),
    "no branch to merge into": (
        {"ship": {"mode": "merge"}, "project": {"targetBranch": "gone"}},
        "gone",
    ),
    "walls that nobody can build": ({"sandbox": {"network": "registries"}}, "sandbox.network: registries"),
    "a reviewer without a key": (
        {"verification": {"semantic": {"model": "anthropic:claude-x"}}},
        "ANTHROPIC_API_KEY",
    ),
}


@pytest.mark.runs
@pytest.mark.parametrize("name", LATER)
def test_what_a_run_would_be_refused_for_is_said_by_validate(cli: Cli, name: str):
    wish, said = LATER[name]
    user = broken_cart(cli)
    settings(cli, **json.loads(json.dumps(wish).replace("HERE", str(user))))
    checked = cli("config", "validate")
    assert checked.exit == 2
    assert said in checked.err
    assert "config" in {
        each["name"] for each in cli("doctor", "--json").json["checks"] if each["status"] == "failed"
    }
    ran = play(cli, FIX, CLAIM, more=QUICK, form="")
    assert ran.exit in (2, 5)
    assert checked.err.splitlines()[0].removeprefix("donewhen: ") in ran.err


@pytest.mark.runs
def test_trust_says_what_would_fail_later(cli: Cli):
    user = with_config(cli, "store: {url: 'postgresql://h/d'}\n", ".donewhen/config.yml")
    git(user, "status")
    done = cli("trust", "--json")
    assert done.exit == 0
    assert "PostgreSQL" in done.json["problems"][0]
    assert "PostgreSQL" in cli("trust").err


ADDRESSES = (
    "mailto:me@example.com",
    "slack://t/o/k",
    "http://:8080/x",
    "ftp://h/x",
    "https://h/a b",
    "https://u:p@h/x",
)


@pytest.mark.runs
def test_a_place_that_no_message_reaches_is_refused_where_it_is_read(cli: Cli):
    broken_cart(cli)
    for address in ADDRESSES:
        settings(cli, notify={"urls": [address]})
        done = cli("config", "validate")
        assert (done.exit, "notify.urls[0]" in done.err) == (2, True), address
        assert address not in done.err
        assert play(cli, FIX, CLAIM, more=QUICK, form="").exit == 2
