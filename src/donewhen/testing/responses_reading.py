"""Requests of OpenAI Responses, refused where the provider would refuse them."""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Asked
from donewhen.testing.reading import bad, compact, field, obj, object_text, positive, schema

_ROLES = ("system", "developer", "user", "assistant")
_LEAST = 16  # tokens of output that may be asked for


def read(body: Mapping[str, Any]) -> Asked:
    given = body.get("input")
    if not isinstance(given, str | list) or not given:
        raise bad("input: must be a string or a list of items that is not empty")
    if body.get("previous_response_id"):
        raise bad(f"Previous response with id {body['previous_response_id']!r} not found.")
    tools = field(body, "tools", list, default=[])
    _check_tools(tools)
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    _check_items(items)
    most = positive(body, "max_output_tokens")
    if most is not None and most < _LEAST:
        raise bad(f"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= {_LEAST}.")
    said = (field(body, "instructions", str, default=""), *_said(items))
    texts = (*(compact(tool) for tool in tools), *said)
    return Asked(field(body, "model", str), texts, field(body, "stream", bool, default=False), most)


def _check_tools(tools: list[Any]) -> None:
    names = set()
    for index, tool in enumerate(tools):
        where = f"tools[{index}]"
        if field(obj(tool, where), "type", str, where) != "function":
            continue  # tools of the provider's own
        name = field(tool, "name", str, where)
        if name in names:
            raise bad(f"{where}.name: {name!r} is there twice")
        names.add(name)
        schema(field(tool, "parameters", dict, where), f"{where}.parameters")


def _check_items(items: list[Any]) -> None:
    waiting: dict[str, None] = {}
    seen: set[str] = set()
    for index, item in enumerate(items):
        where = f"input[{index}]"
        kind = obj(item, where).get("type", "message")
        if kind == "message":
            _check_message(item, where)
        elif kind == "function_call":
            field(item, "name", str, where)
            object_text(item.get("arguments"), f"{where}.arguments")
            call = field(item, "call_id", str, where)
            if call in seen:
                raise bad(f"{where}.call_id: {call!r} is there twice")
            seen.add(call)
            waiting[call] = None
        elif kind == "function_call_output":
            call = field(item, "call_id", str, where)
            if call not in waiting:
                raise bad(f"No tool call found for function call output with call_id {call}.")
            del waiting[call]
            if not isinstance(item.get("output"), str | list):
                raise bad(f"{where}.output: must be a string or a list of parts")
        elif kind == "reasoning":
            field(item, "id", str, where)
            field(item, "summary", list, where)
    for call in waiting:
        raise bad(f"No tool output found for function call {call}.")


def _check_message(item: Mapping[str, Any], where: str) -> None:
    role = field(item, "role", str, where)
    if role not in _ROLES:
        raise bad(f"{where}.role: {role!r} is not one of {', '.join(_ROLES)}")
    content = item.get("content")
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        raise bad(f"{where}.content: must be a string or a list of parts")
    wanted = (
        ("output_text", "refusal") if role == "assistant" else ("input_text", "input_image", "input_file")
    )
    for index, part in enumerate(content):
        place = f"{where}.content[{index}]"
        if (kind := field(obj(part, place), "type", str, place)) not in wanted:
            raise bad(f"Invalid value: {kind!r} in {place}. Supported values are: {', '.join(wanted)}.")
        if kind in ("input_text", "output_text"):
            field(part, "text", str, place)


def _said(items: list[Any]) -> Iterator[str]:
    for item in items:
        for name in ("role", "name", "arguments", "output", "content"):
            if isinstance(item.get(name), str):
                yield item[name]
        for name in ("content", "summary", "output"):
            parts = item.get(name)
            for part in parts if isinstance(parts, list) else ():
                yield str(part.get("text") or part.get("refusal") or "")
