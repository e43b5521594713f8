"""`gh` and `glab`: which door is taken, and that words reach them as words."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from donewhen.config.schema import Ship
from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.by_gh import Gh
from donewhen.run.shipping.forge.by_glab import Glab
from donewhen.run.shipping.forge.choosing import NoDoor, choose
from donewhen.run.shipping.forge.github import GitHub
from donewhen.run.shipping.forge.gitlab import GitLab
from donewhen.run.shipping.forge.model import Door, Exists, Unsure, Wanted
from tests.forges import Program
from tests.tables import table_test

HUB = ("git@github.com:acme/shop.git",)
LAB = ("https://gitlab.com/acme/tools/shop.git",)
EVIL = "-x --draft $(touch ran) `touch ran`; touch ran\n\"'"
WANTED = Wanted(EVIL, EVIL + "b" * 100_000, "work", "main", draft=True)
TOKEN = "t0ken-t0ken-t0ken-t0ken"


def chosen(folder: Path, urls: tuple[str, ...], env: dict[str, str], **ship: Any) -> Door | NoDoor:
    return asyncio.run(choose(Ship.model_validate(ship), urls, folder, env))


def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    return folder


def test_gh_where_somebody_is_logged_in(tmp_path: Path):
    made = {"out": "Creating…\nhttps://github.com/acme/shop/pull/7\n"}
    gh = Program(tmp_path, "gh", {"pr create": made, "pr list": {"out": "[]"}})
    door = chosen(work(tmp_path), HUB, {"PATH": str(gh.bin), "GITHUB_TOKEN": TOKEN})
    assert isinstance(door, Gh)
    pull = asyncio.run(door.create(WANTED))
    assert (pull.number, pull.url) == (7, "https://github.com/acme/shop/pull/7")
    (call,) = gh.called("pr", "create")
    assert f"--title={EVIL}" in call["argv"]
    assert {"--draft", "--head=work", "--base=main", "--repo=github.com/acme/shop"} <= set(call["argv"])
    assert call["body"] == WANTED.body
    assert gh.called("auth", "status")[0]["argv"][-1] == "--hostname=github.com"
    assert not (tmp_path / "work/ran").exists()


def test_gh_finds_changes_and_makes_ready(tmp_path: Path):
    entry = {
        "number": 7,
        "url": "https://github.com/acme/shop/pull/7",
        "body": "b",
        "isDraft": True,
        "headRefName": "work",
    }
    gh = Program(
        tmp_path, "gh", {"pr list": {"out": json.dumps([entry, {**entry, "headRefName": "other"}, 5])}}
    )
    door = chosen(work(tmp_path), HUB, {"PATH": str(gh.bin)})
    assert isinstance(door, Gh)
    (found,) = asyncio.run(door.find("work"))
    assert (found.number, found.draft) == (7, True)
    asyncio.run(door.update(found, WANTED._replace(draft=False)))
    assert gh.called("pr", "edit")[0]["body"] == WANTED.body
    assert gh.called("pr", "ready", "7")


def test_glab_where_somebody_is_logged_in(tmp_path: Path):
    made = {"out": "!9\nhttps://gitlab.com/acme/tools/shop/-/merge_requests/9\n"}
    glab = Program(tmp_path, "glab", {"mr create": made, "mr list": {"out": "no merge requests"}})
    door = chosen(work(tmp_path), LAB, {"PATH": str(glab.bin)})
    assert isinstance(door, Glab)
    assert asyncio.run(door.find("work")) == ()
    wanted = WANTED._replace(body=EVIL + "b" * 50_000)
    pull = asyncio.run(door.create(wanted))
    assert pull.number == 9
    (call,) = glab.called("mr", "create")
    assert {f"--title={EVIL}", f"--description={wanted.body}", "--draft", "--yes"} <= set(call["argv"])
    assert "--repo=https://gitlab.com/acme/tools/shop" in call["argv"]
    asyncio.run(door.update(pull, wanted._replace(draft=False)))
    assert "--ready" in glab.called("mr", "update", "9")[0]["argv"]


@table_test(
    ("answer", "error"),
    [
        ({"exit": 1, "err": 'a pull request for branch "work" into branch "main" already exists'}, Exists),
        ({"exit": 1, "err": "HTTP 502: Bad Gateway"}, Unsure),
        ({"exit": 1, "err": "pull request create failed: GraphQL: no commits"}, SetupError),
        ({"exit": 0, "out": "done"}, Unsure),
    ],
)
def test_what_gh_says_when_it_can_not(tmp_path: Path, answer: Any, error: type[SetupError]):
    gh = Program(tmp_path, "gh", {"pr create": answer})
    door = chosen(work(tmp_path), HUB, {"PATH": str(gh.bin)})
    assert isinstance(door, Gh)
    with pytest.raises(error) as caught:
        asyncio.run(door.create(WANTED))
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)


def test_without_a_login_a_token_is_the_way(tmp_path: Path):
    gh = Program(tmp_path, "gh", {"auth status": {"exit": 1}})
    env = {"PATH": str(gh.bin), "GH_TOKEN": TOKEN}
    assert isinstance(chosen(work(tmp_path), HUB, env), GitHub)
    assert isinstance(chosen(work(tmp_path), LAB, {"PATH": "", "MINE": TOKEN}, token_env="MINE"), GitLab)


def test_an_address_in_the_configuration_goes_before_a_program(tmp_path: Path):
    gh = Program(tmp_path, "gh", {})
    env = {"PATH": str(gh.bin), "GITHUB_TOKEN": TOKEN}
    door = chosen(work(tmp_path), HUB, env, api_url="http://127.0.0.1:9/api/v3")
    assert isinstance(door, GitHub)
    assert gh.calls == []


@table_test(
    ("urls", "ship", "env", "key"),
    [
        ((), {}, {}, "forge.no_remote_set"),
        (HUB, {"forge": "none"}, {"GITHUB_TOKEN": TOKEN}, "forge.switched_off"),
        (("https://code.example/a/b",), {}, {"GITHUB_TOKEN": TOKEN}, "forge.unknown_forge"),
        (HUB, {}, {}, "forge.no_login"),
        (("/srv/git/acme/shop",), {"forge": "github"}, {}, "forge.no_host"),
        (("/srv/git/acme/shop",), {"forge": "github"}, {"GITHUB_TOKEN": TOKEN}, "forge.no_host"),
        (HUB, {"token_env": "MINE"}, {"GITHUB_TOKEN": TOKEN}, "forge.no_login"),
        # a token never goes to a host that only a repository names
        (("https://github.evil.example/a/b",), {}, {"GITHUB_TOKEN": TOKEN}, "forge.no_api_url"),
        (
            ("https://gitlab.evil.example/a/b",),
            {"forge": "gitlab"},
            {"GITLAB_TOKEN": TOKEN},
            "forge.no_api_url",
        ),
    ],
)
def test_no_door(tmp_path: Path, urls: tuple[str, ...], ship: Any, env: dict[str, str], key: str):
    found = chosen(work(tmp_path), urls, {"PATH": "/nowhere", **env}, **ship)
    assert isinstance(found, NoDoor)
    assert found.why.key == key


def test_a_program_of_the_repository_is_never_taken(tmp_path: Path):
    folder = work(tmp_path)
    gh = Program(folder, "gh", {})
    assert isinstance(chosen(folder, HUB, {"PATH": str(gh.bin)}), NoDoor)
    assert gh.calls == []


def test_a_token_with_a_line_break_is_refused(tmp_path: Path):
    with pytest.raises(SetupError) as caught:
        chosen(work(tmp_path), HUB, {"PATH": "", "GITHUB_TOKEN": f"{TOKEN}\nX: y"})
    assert TOKEN not in str(caught.value)
