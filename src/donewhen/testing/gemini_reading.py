"""Requests of Gemini's generateContent, refused where the provider would refuse them."""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Asked
from donewhen.testing.reading import bad, compact, field, obj, positive, schema


def read(body: Mapping[str, Any], model: str, verb: str) -> Asked:
    body = _camel(body)
    contents = field(body, "contents", list)
    if not contents:
        raise bad("* GenerateContentRequest.contents: contents is not specified")
    system = field(body, "systemInstruction", dict, default=None)
    if system is not None:
        _check_parts(system, "systemInstruction")
    tools = field(body, "tools", list, default=[])
    for index, tool in enumerate(tools):
        _check_tool(_camel(obj(tool, f"tools[{index}]")), f"tools[{index}]")
    _check_contents(contents)
    config = _camel(field(body, "generationConfig", dict, default={}))
    most = positive(config, "maxOutputTokens", "generationConfig")
    said = [*([system] if system else []), *contents]
    texts = (*(compact(tool) for tool in tools), *(text for each in said for text in _said(each)))
    return Asked(model, texts, verb == "streamGenerateContent", most)


def _camel(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Names are taken in both spellings, as the provider does."""
    if not any("_" in name for name in data):
        return data
    parts = ((name.split("_"), value) for name, value in data.items())
    return {first + "".join(map(str.capitalize, rest)): value for (first, *rest), value in parts}


def _check_tool(tool: Mapping[str, Any], where: str) -> None:
    names = set()
    for index, function in enumerate(field(tool, "functionDeclarations", list, where, [])):
        place = f"{where}.functionDeclarations[{index}]"
        known = _camel(obj(function, place))
        name = field(known, "name", str, place)
        if name in names:
            raise bad(f"Duplicate function declaration found: {name}")
        names.add(name)
        for kind in ("parameters", "parametersJsonSchema"):
            if kind in known:
                schema(known[kind], f"{place}.{kind}")


def _check_parts(content: Mapping[str, Any], where: str) -> list[Mapping[str, Any]]:
    parts = field(content, "parts", list, where)
    if not parts:
        raise bad(f"* GenerateContentRequest.{where}.parts: contents.parts must not be empty.")
    found = []
    for index, part in enumerate(parts):
        known = _camel(obj(part, f"{where}.parts[{index}]"))
        kinds = ("text", "functionCall", "functionResponse", "inlineData", "fileData")
        if not any(kind in known for kind in kinds):
            raise bad(
                f"* GenerateContentRequest.{where}.parts[{index}].data: required oneof field 'data' must "
                "have one initialized field"
            )
        found.append(known)
    return found


def _check_contents(contents: list[Any]) -> None:
    """Every turn of calls is followed by one with as many responses."""
    waiting: list[str] = []
    for index, content in enumerate(contents):
        where = f"contents[{index}]"
        role = field(obj(content, where), "role", str, where, "user")
        if role not in ("user", "model", "function"):
            raise bad("Please use a valid role: user, model.")
        parts = _check_parts(content, where)
        calls = [_named(part["functionCall"], "args", where) for part in parts if "functionCall" in part]
        answers = [
            _named(part["functionResponse"], "response", where)
            for part in parts
            if "functionResponse" in part
        ]
        if len(answers) != len(waiting):
            raise bad(
                "Please ensure that the number of function response parts is equal to the number of function "
                f"call parts of the function call turn ({where})."
            )
        if sorted(answers) != sorted(waiting):
            raise bad(f"{where}: a function response names another function than the call before it")
        if calls and role != "model":
            raise bad(f"{where}: function calls belong to turns with the role model")
        waiting = calls
    if waiting:
        raise bad("Please ensure that function call turn is followed by a function response turn.")


def _named(data: Any, inner: str, where: str) -> str:
    name: str = field(obj(data, where), "name", str, where)
    field(data, inner, dict, where, {} if inner == "args" else ...)
    return name


def _said(content: Mapping[str, Any]) -> Iterator[str]:
    yield content.get("role") or ""
    for part in content["parts"]:
        known = _camel(part)
        if isinstance(known.get("text"), str):
            yield known["text"]
        for kind, inner in (("functionCall", "args"), ("functionResponse", "response")):
            if kind in known:
                yield known[kind]["name"]
                yield compact(known[kind].get(inner, {}))
