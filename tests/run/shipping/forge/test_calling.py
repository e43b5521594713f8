"""A forge's API over real HTTP: what goes wrong is one sentence, bounded, and the token stays where it is."""

import asyncio
from typing import Any

import pytest

from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.calling import Api, call, check_address
from donewhen.run.shipping.forge.github import GitHub
from donewhen.run.shipping.forge.gitlab import GitLab
from donewhen.run.shipping.forge.model import Door, Exists, Repo, Unsure, Wanted
from donewhen.testing.forge import FakeForge
from donewhen.testing.forge_model import Fault
from tests.tables import table_test

TOKEN = "t0ken-t0ken-t0ken-t0ken"
WANTED = Wanted("Title", "Body " * 20, "work", "main", draft=True)
DOORS = {"github": GitHub, "gitlab": GitLab}


def api_of(forge: FakeForge, **more: Any) -> Api:
    return Api(forge.url, TOKEN, "THE_TOKEN", **{"waits": (0.0, 0.0), **more})


def door_of(forge: FakeForge, **more: Any) -> Door:
    return DOORS[forge.kind](Repo(forge.kind, "", "acme/shop"), api_of(forge, **more))  # type: ignore[return-value]


@table_test("kind", ["github", "gitlab"])
def test_opened_found_changed_and_ready(kind: Any):
    async def story(door: Door) -> None:
        assert await door.find("work") == ()
        made = await door.create(WANTED)
        assert (made.number, made.draft) == (1, True)
        with pytest.raises(Exists):
            await door.create(WANTED)
        (found,) = await door.find("work")
        assert (found.number, found.body, found.draft) == (1, WANTED.body, True)
        assert await door.find("other") == ()
        await door.update(found, WANTED._replace(title="New", body="b", draft=False))

    with FakeForge(kind, token=TOKEN) as forge:
        asyncio.run(story(door_of(forge)))
    (pull,) = forge.pulls
    assert (pull["title"], pull["body"], pull["draft"]) == ("New", "b", False)
    assert TOKEN not in str(forge.requests)


def test_a_project_in_groups_is_one_word_of_the_path():
    with FakeForge("gitlab", "acme/tools/shop", token=TOKEN) as forge:
        door = GitLab(Repo("gitlab", "", "acme/tools/shop"), api_of(forge))
        asyncio.run(door.create(WANTED))
    assert forge.requests[0].target == "/api/v4/projects/acme%2Ftools%2Fshop/merge_requests"
    assert forge.pulls[0]["title"] == "Draft: Title"


def test_a_repository_without_drafts_gets_the_word_in_its_title():
    fault = Fault(422, b'{"message": "Draft pull requests are not supported in this repository."}', "POST")
    with FakeForge(token=TOKEN, faults=[fault]) as forge:
        asyncio.run(door_of(forge).create(WANTED))
    assert (forge.pulls[0]["title"], forge.pulls[0]["draft"]) == ("Draft: Title", False)


@table_test(
    ("fault", "error", "key"),
    [
        (Fault(401), SetupError, "forge.login"),
        (Fault(403), SetupError, "forge.forbidden"),
        (Fault(403, headers={"retry-after": "0"}), SetupError, "forge.forbidden"),
        (Fault(403, b'{"message": "You have exceeded a secondary rate limit"}'), Unsure, "forge.busy"),
        (Fault(404), SetupError, "forge.not_found"),
        (Fault(422), SetupError, "forge.refused"),
        (Fault(409, b'{"message": ["Another open merge request already exists"]}'), Exists, "forge.exists"),
        (Fault(429), Unsure, "forge.busy"),
        (Fault(500), Unsure, "forge.broken"),
        (Fault(200, b"<html>"), Unsure, "forge.no_json"),
        (Fault(200, b"[" * 100_000), Unsure, "forge.no_json"),
        (Fault(200, b'"' + b"x" * 5_000_000 + b'"'), Unsure, "forge.no_json"),
        (Fault(307, b"{}", headers={"location": "http://127.0.0.1:9/"}), SetupError, "forge.moved"),
        (Fault(422, b'{"message": {"a": [["deep"]]}, "errors": 7}'), SetupError, "forge.refused"),
    ],
)
def test_each_refusal_is_an_error_of_its_own(fault: Fault, error: type[SetupError], key: str):
    with FakeForge(token=TOKEN, faults=[fault] * 3) as forge, pytest.raises(error) as caught:
        asyncio.run(call(api_of(forge), "GET", "/repos/acme/shop/pulls"))
    assert caught.value.key == key
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 700
    assert TOKEN not in said


def test_what_a_forge_says_is_cleaned():
    said = f'{{"message": "no\\u001b[31m {TOKEN} https://ann:pw@host/x {"y" * 5000}"}}'.encode()
    with FakeForge(token=TOKEN, faults=[Fault(422, said)]) as forge, pytest.raises(SetupError) as caught:
        asyncio.run(call(api_of(forge), "GET", "/x"))
    text = str(caught.value)
    assert TOKEN not in text
    assert "ann:pw" not in text
    assert "\x1b" not in text


def test_a_forge_that_never_answers_is_given_up():
    with FakeForge(token=TOKEN, faults=[Fault(hangs=True)]) as forge, pytest.raises(Unsure) as caught:
        asyncio.run(call(api_of(forge, timeout=0.3, waits=()), "GET", "/x"))
    assert caught.value.key == "forge.slow"


def test_nobody_at_the_other_end():
    with pytest.raises(Unsure) as caught:
        asyncio.run(call(Api("http://127.0.0.1:9/api/v3", TOKEN, "T", waits=()), "GET", "/x"))
    assert caught.value.key == "forge.unreachable"


def test_calls_that_may_be_made_twice_are_tried_again():
    with FakeForge(token=TOKEN, faults=[Fault(500), Fault(429)]) as forge:
        assert asyncio.run(call(api_of(forge), "GET", "/repos/acme/shop/pulls")) == []
    assert len(forge.requests) == 3


@table_test(
    "url",
    [
        "http://forge.example/api/v3",
        "https://ann:pw@forge.example/api",
        "https://forge.example/api?x=1",
        "https://",
        "https://forge.example/a b",
        "https://forge.example:99999/",
    ],
)
def test_a_token_goes_to_no_odd_address(url: str):
    with pytest.raises(SetupError) as caught:
        check_address(url)
    assert "pw" not in str(caught.value)
