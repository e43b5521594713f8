"""Requests of OpenAI Chat Completions, refused where the provider would refuse them."""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Asked
from donewhen.testing.reading import bad, compact, field, obj, object_text, positive, schema

_ROLES = ("system", "developer", "user", "assistant", "tool")


def read(body: Mapping[str, Any]) -> Asked:
    messages = field(body, "messages", list)
    if not messages:
        raise bad("messages: too short, at least one message is needed")
    tools = field(body, "tools", list, default=None)
    if tools is not None:
        _check_tools(tools)
    _check_messages(messages)
    options = field(body, "stream_options", dict, default={})
    streamed = field(body, "stream", bool, default=False)
    if options and not streamed:
        raise bad("stream_options: only allowed when `stream` is true")
    most = [positive(body, name) for name in ("max_completion_tokens", "max_tokens")]
    if None not in most:
        raise bad("max_tokens: can't be set together with max_completion_tokens")
    texts = (*(compact(tool) for tool in tools or ()), *_said(messages))
    return Asked(
        field(body, "model", str),
        texts,
        streamed,
        next((each for each in most if each is not None), None),
        not streamed or options.get("include_usage") is True,
    )


def _check_tools(tools: list[Any]) -> None:
    if not tools:
        raise bad("tools: too short, at least one tool is needed")
    names = set()
    for index, tool in enumerate(tools):
        where = f"tools[{index}]"
        kind = field(obj(tool, where), "type", str, where)
        if kind == "custom":
            continue
        if kind != "function":
            raise bad(f'{where}.type: must be "function" or "custom"')
        function = field(tool, "function", dict, where)
        name = field(function, "name", str, f"{where}.function")
        if name in names:
            raise bad(f"{where}.function.name: {name!r} is there twice")
        names.add(name)
        if "parameters" in function:
            schema(function["parameters"], f"{where}.function.parameters")


def _check_messages(messages: list[Any]) -> None:
    waiting: dict[str, str] = {}  # calls without a result: the place of each
    called: set[str] = set()
    for index, message in enumerate(messages):
        where = f"messages[{index}]"
        role = field(obj(message, where), "role", str, where)
        if role not in _ROLES:
            raise bad(f"{where}.role: {role!r} is not one of {', '.join(_ROLES)}")
        if role == "tool":
            _check_result(message, where, called, waiting)
            continue
        _all_answered(waiting)
        called = set()
        if role == "assistant":
            for place, call in _calls(message, where):
                if call in called:
                    raise bad(f"{place}.id: {call!r} is there twice")
                called.add(call)
                waiting[call] = place
        if not called:
            _check_content(message, where)
    _all_answered(waiting)


def _check_result(message: Mapping[str, Any], where: str, called: set[str], waiting: dict[str, str]) -> None:
    call = field(message, "tool_call_id", str, where)
    if not called:
        raise bad(
            f"{where}.role: messages with role 'tool' must be a response to a "
            "preceding message with 'tool_calls'"
        )
    if call not in waiting:
        raise bad(f"{where}.tool_call_id: {call!r} not found in 'tool_calls' of the previous message")
    del waiting[call]
    _check_content(message, where, empty=True)


def _all_answered(waiting: dict[str, str]) -> None:
    if waiting:
        raise bad(
            "messages: an assistant message with 'tool_calls' must be followed by tool messages responding "
            f"to each 'tool_call_id'; these have none: {', '.join(waiting)}"
        )


def _calls(message: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    calls = field(message, "tool_calls", list, where, None)
    if calls is not None and not calls:
        raise bad(f"{where}.tool_calls: too short, leave it out when there are no calls")
    for index, call in enumerate(calls or ()):
        place = f"{where}.tool_calls[{index}]"
        if field(obj(call, place), "type", str, place) != "function":
            raise bad(f'{place}.type: must be "function"')
        function = field(call, "function", dict, place)
        if not field(function, "name", str, f"{place}.function"):
            raise bad(f"{place}.function.name: must not be empty")
        object_text(function.get("arguments"), f"{place}.function.arguments")
        found = field(call, "id", str, place)
        if not found:
            raise bad(f"{place}.id: must not be empty")
        yield place, found


def _check_content(message: Mapping[str, Any], where: str, *, empty: bool = False) -> None:
    content = message.get("content")
    if isinstance(content, str):
        if not content and not empty and message["role"] == "assistant":
            raise bad(f"{where}.content: an assistant message without tool calls needs content")
        return
    if not isinstance(content, list) or not content:
        raise bad(f"{where}.content: must be a string or a list of parts that is not empty")
    for index, part in enumerate(content):
        place = f"{where}.content[{index}]"
        field(obj(part, place), "type", str, place)
        if part["type"] == "text":
            field(part, "text", str, place)


def _said(messages: list[Any]) -> Iterator[str]:
    for message in messages:
        yield message["role"]
        content = message.get("content")
        if isinstance(content, str):
            yield content
        for part in content if isinstance(content, list) else ():
            yield str(part.get("text") or part.get("refusal") or "")
        for call in message.get("tool_calls") or ():
            yield call["function"]["name"]
            yield call["function"]["arguments"]
