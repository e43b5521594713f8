"""What real clients ask of the endpoint beside their work, and in the manner of betas."""

import json
import urllib.error
import urllib.request
from typing import Any

from donewhen.testing import Answer, FakeModel, Request

TOOL = {"name": "look", "input_schema": {"type": "object"}}
HELLO = {"role": "user", "content": "hello"}


def ask(fake: FakeModel, beta: str = "", **body: Any) -> Any:
    data = json.dumps({"model": "m", "max_tokens": 99, "messages": [HELLO]} | body).encode()
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01", "anthropic-beta": beta}
    request = urllib.request.Request(f"{fake.url}/v1/messages", data, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)["content"][0]["text"]
    except urllib.error.HTTPError as error:
        return json.load(error)["error"]["message"]


def title(request: Request) -> Answer | None:
    return None if request.body.get("tools") else Answer("A title")


def test_what_is_asked_aside_does_not_eat_the_script() -> None:
    with FakeModel(["one", "two"], aside=title) as fake:
        said = [ask(fake, tools=[TOOL]), ask(fake), ask(fake), ask(fake, tools=[TOOL])]
        assert said == ["one", "A title", "A title", "two"]
        assert fake.left == 0


def test_messages_of_the_system_in_between_need_the_beta_that_allows_them() -> None:
    messages = [HELLO, {"role": "system", "content": "be brief"}]
    with FakeModel(["one"]) as fake:
        assert "unexpected role 'system'" in ask(fake, messages=messages)
        assert ask(fake, "mid-conversation-tool-changes-2026-07-01", messages=messages) == "one"
