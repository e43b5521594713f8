"""Requests of Anthropic Messages, refused where the provider would refuse them."""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Asked
from donewhen.testing.reading import bad, compact, field, obj, positive, schema

_MOST_MARKS = 4
_OURS = ("text", "thinking", "redacted_thinking", "tool_use", "server_tool_use", "web_search_tool_result")
_BETWEEN = "mid-conversation"  # a beta of this name allows messages of the system after the first
_THEIRS = ("text", "image", "document", "search_result", "tool_result")


def read(body: Mapping[str, Any], beta: str = "") -> Asked:
    most = positive(body, "max_tokens")
    if most is None:
        raise bad("max_tokens: Field required")
    messages = field(body, "messages", list)
    if not messages:
        raise bad("messages: at least one message is required")
    system = body.get("system")
    if system is not None and not isinstance(system, str):
        for index, block in enumerate(field(body, "system", list)):
            _check_text(obj(block, f"system.{index}"), f"system.{index}")
    tools = field(body, "tools", list, default=[])
    _check_tools(tools)
    _check_messages(messages, ("user", "assistant", *(["system"] if _BETWEEN in beta else [])))
    found = list(_texts(body, tools))
    marks = frozenset(end for end, (_, marked) in enumerate(found, start=1) if marked)
    if len(marks) > _MOST_MARKS:
        raise bad(
            f"A maximum of {_MOST_MARKS} blocks with cache_control may be provided. Found {len(marks)}."
        )
    texts = tuple(text for text, _ in found)
    streamed = field(body, "stream", bool, default=False)
    return Asked(field(body, "model", str), texts, streamed, most, marks=marks)


def _check_tools(tools: list[Any]) -> None:
    names = set()
    for index, tool in enumerate(tools):
        where = f"tools.{index}"
        name = field(obj(tool, where), "name", str, where)
        if name in names:
            raise bad("tools: Tool names must be unique.")
        names.add(name)
        if tool.get("type", "custom") == "custom":  # the provider's own tools bring no schema
            schema(field(tool, "input_schema", dict, where), f"{where}.input_schema")


def _check_messages(messages: list[Any], roles: tuple[str, ...]) -> None:
    waiting: dict[str, None] = {}  # calls of the message before
    for index, message in enumerate(messages):
        where = f"messages.{index}"
        role = field(obj(message, where), "role", str, where)
        if role not in roles:
            raise bad(f"{where}.role: unexpected role {role!r}; use the top-level `system` parameter")
        if index == 0 and role != "user":
            raise bad("messages: first message must use the user role")
        last = index == len(messages) - 1
        blocks = _blocks(message, where, role, last)
        _check_results(blocks, where, waiting)
        waiting = _uses(blocks, where)
    if waiting:
        raise bad(_unanswered(len(messages) - 1, waiting))


def _blocks(message: Mapping[str, Any], where: str, role: str, last: bool) -> list[Any]:
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}] if content else []
    if not isinstance(content, list):
        raise bad(f"{where}.content: must be a string or an array")
    if not content and not (last and role == "assistant"):
        raise bad(
            f"{where}: all messages must have non-empty content except for the optional "
            "final assistant message"
        )
    for index, block in enumerate(content):
        place = f"{where}.content.{index}"
        kind = field(obj(block, place), "type", str, place)
        if kind not in (_OURS if role == "assistant" else _THEIRS):
            raise bad(f"{place}.type: {kind!r} is not allowed in a message of the {role}")
        if kind == "text":
            _check_text(block, place)
        if kind == "thinking":
            field(block, "signature", str, place)
            field(block, "thinking", str, place)
    return content


def _check_text(block: Mapping[str, Any], place: str) -> None:
    if not field(block, "text", str, place):
        raise bad(f"{place}: text content blocks must be non-empty")


def _uses(blocks: list[Any], where: str) -> dict[str, None]:
    found: dict[str, None] = {}
    for index, block in enumerate(blocks):
        if block["type"] == "tool_use":
            place = f"{where}.content.{index}"
            field(block, "name", str, place)
            field(block, "input", dict, place)
            call = field(block, "id", str, place)
            if call in found:
                raise bad(f"{where}: `tool_use` ids must be unique")
            found[call] = None
    return found


def _check_results(blocks: list[Any], where: str, waiting: dict[str, None]) -> None:
    """The results of the calls before come first, one each."""
    index = int(where.rpartition(".")[2])
    results = [block for block in blocks if block["type"] == "tool_result"]
    open_calls = dict(waiting)
    for number, block in enumerate(results):
        call = field(block, "tool_use_id", str, f"{where}.content.{number}")
        if call not in open_calls:
            raise bad(
                f"{where}.content.{number}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. "
                "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        del open_calls[call]
        _check_result_content(block.get("content", ""), f"{where}.content.{number}.content")
    if open_calls:
        raise bad(_unanswered(index - 1, open_calls))
    if waiting and any(block["type"] != "tool_result" for block in blocks[: len(waiting)]):
        raise bad(f"{where}: `tool_result` blocks must come first in the message after `tool_use`")


def _check_result_content(content: Any, place: str) -> None:
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        raise bad(f"{place}: must be a string or an array")
    for index, part in enumerate(content):
        if field(obj(part, f"{place}.{index}"), "type", str, place) == "text":
            _check_text(part, f"{place}.{index}")


def _unanswered(index: int, calls: Mapping[str, None]) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(calls)}. Each `tool_use` block must have a "
        "corresponding `tool_result` block in the next message."
    )


def _texts(body: Mapping[str, Any], tools: list[Any]) -> Iterator[tuple[str, bool]]:
    """All texts in the order of the cache, each with whether it ends a part that is to be kept."""
    for tool in tools:
        yield compact({name: tool[name] for name in tool if name != "cache_control"}), _marked(tool)
    system = body.get("system")
    for block in [{"text": system}] if isinstance(system, str) else system or ():
        yield block["text"], _marked(block)
    for message in body["messages"]:
        yield message["role"], False
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield "\n".join(_said(block)), _marked(block)


def _marked(block: Mapping[str, Any]) -> bool:
    return isinstance(block.get("cache_control"), dict)


def _said(block: Mapping[str, Any]) -> Iterator[str]:
    for name in ("text", "thinking", "name"):
        if isinstance(block.get(name), str):
            yield block[name]
    if block.get("type") == "tool_use":
        yield compact(block["input"])
    inner = block.get("content")
    if isinstance(inner, str):
        yield inner
    for part in inner if isinstance(inner, list) else ():
        yield from _said(part)
