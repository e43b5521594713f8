"""Arguments of a call, validated; what is wrong with them, said in one sentence that helps.

Slips that can mean one thing only are forgiven: a number or yes/no written as text, `null` for what may be
left out, one thing where a list of them is wanted. Very deep or very large arguments are refused before
anything reads them.
"""

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from donewhen.core.codec import Json, dumps, thaw
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.texts import Language, Phrase, say
from donewhen.tools.model import Arguments, Tool
from donewhen.tools.schema import schema_of

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_DEEPEST = 32
_MOST_VALUES = 50_000
_MOST_TEXT = 16 * 1024 * 1024
_MOST_NAMED = 60  # tools
_Path = tuple[int | str, ...]


class _Unfit(Exception):
    """A slip that can't be set right."""


def validated(tool: Tool, args: Mapping[str, Json], language: Language = "en") -> Arguments | str:
    """The arguments as the tool wants them, or the sentence that the agent is told."""
    from pydantic import ValidationError

    trouble = _excess(args)
    if trouble:
        return say("toolbox.excess", language, tool=tool.name, why=trouble)
    try:
        try:
            valid: Arguments = tool.arguments.model_validate_json(dumps(args))
            return valid
        except ValidationError as error:
            mended = _mended(thaw(args), error, tool.arguments)
            return _again(tool, mended, error, language)
    except (ValueError, TypeError) as error:  # no JSON: a number without end, a key that is no text
        return say("toolbox.no_json", language, tool=tool.name, why=one_name(str(error)))
    except Exception as error:  # a plugin's model is foreign code; ours raise nothing else
        if not tool.foreign:
            raise
        return say("toolbox.no_json", language, tool=tool.name, why=one_name(repr(error)))


def unknown(name: str, known: Sequence[str], language: Language = "en") -> str:
    """What is said to an agent that calls a tool that there is not."""
    near = difflib.get_close_matches(name[:100].lower(), known, 3, 0.5)
    listed = ", ".join(sorted(known)[:_MOST_NAMED])
    hint = Phrase("toolbox.unknown_near", {"near": ", ".join(near)}) if near else ""
    return say("toolbox.unknown", language, name=one_name(name), hint=hint, names=listed)


def signature(tool: Tool) -> str:
    """How a tool is called: its arguments with their kinds, and an example."""
    schema = schema_of(tool.arguments)
    wanted = schema.get("required", ())
    parts = [
        f"{name}{'' if name in wanted else '?'}: {_kind(about, schema)}"
        for name, about in schema.get("properties", {}).items()
    ]
    example = dumps(_example(schema, schema))
    return f"{tool.name}({', '.join(parts)}); {example}"


def _again(tool: Tool, args: object, first: "ValidationError", language: Language) -> Arguments | str:
    from pydantic import ValidationError

    try:
        valid: Arguments = tool.arguments.model_validate_json(json.dumps(args))
        return valid
    except ValidationError:
        return _said(tool, first, language)


def _excess(args: Mapping[str, Json]) -> Phrase | None:
    """Looks at data without recursion: it may be deeper than the stack."""
    waiting: list[tuple[Json, int]] = [(args, 1)]
    values = text = 0
    while waiting:
        value, depth = waiting.pop()
        values += 1
        if isinstance(value, str):
            text += len(value)
            continue
        if isinstance(value, Mapping):
            text += sum(len(key) for key in value if isinstance(key, str))
            inner = list(value.values())
        else:
            inner = list(value) if isinstance(value, list | tuple) else []
        if inner and depth > _DEEPEST:
            return Phrase("toolbox.too_deep", {"most": _DEEPEST})
        if values + len(waiting) + len(inner) > _MOST_VALUES:
            return Phrase("toolbox.too_many_values", {"most": _MOST_VALUES})
        waiting += [(each, depth + 1) for each in inner]
    return (
        Phrase("toolbox.too_much_text", {"most": _MOST_TEXT // (1024 * 1024)}) if text > _MOST_TEXT else None
    )


def _whole(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= 20 and value.strip().lstrip("+-").isdecimal():
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise _Unfit


def _number(value: Any) -> Any:
    if not isinstance(value, str) or len(value) > 40:
        raise _Unfit
    return float(value)


def _yes_or_no(value: Any) -> Any:
    known = {"true": True, "false": False}
    if not isinstance(value, str) or value.strip().lower() not in known:
        raise _Unfit
    return known[value.strip().lower()]


def _one_of_list(value: Any) -> Any:
    if not isinstance(value, str | dict) or not value:
        raise _Unfit
    return [value]


_MENDING: Mapping[str, Callable[[Any], Any]] = {
    "int_type": _whole,
    "int_from_float": _whole,
    "float_type": _number,
    "bool_type": _yes_or_no,
    "list_type": _one_of_list,
    "tuple_type": _one_of_list,
    "set_type": _one_of_list,
}


def _mended(args: Any, error: "ValidationError", model: type[Arguments]) -> Any:
    """The arguments with every slip set right that can be; the rest is left to fail again."""
    for each in error.errors(include_url=False):
        path = each["loc"]
        try:
            holder = _holder(args, path)
            if each["input"] is None and not _required(path, model):
                del holder[path[-1]]
            elif each["type"] in _MENDING:
                holder[path[-1]] = _MENDING[each["type"]](holder[path[-1]])
        except (_Unfit, LookupError, TypeError, ValueError):
            continue
    return args


def _holder(args: Any, path: _Path) -> Any:
    for step in path[:-1]:
        args = args[step]
    return args


def _required(path: _Path, model: type[Arguments]) -> bool:
    """Whether an argument has no default; one inside another is taken for needed."""
    field = model.model_fields.get(str(path[0])) if len(path) == 1 else None
    return field is None or field.is_required()


_WANTS = {
    "string_type": "toolbox.wants_text",
    "string_unicode": "toolbox.wants_valid_text",
    "int_type": "toolbox.wants_whole",
    "int_from_float": "toolbox.wants_whole",
    "int_parsing": "toolbox.wants_whole",
    "float_type": "toolbox.wants_number",
    "bool_type": "toolbox.wants_bool",
    "list_type": "toolbox.wants_list",
    "tuple_type": "toolbox.wants_list",
    "dict_type": "toolbox.wants_object",
    "model_type": "toolbox.wants_object",
    "model_attributes_type": "toolbox.wants_object",
    "missing": "toolbox.is_missing",
}


def _said(tool: Tool, error: "ValidationError", language: Language) -> str:
    details = error.errors(include_url=False)
    first = details[0]
    name = ".".join(map(str, first["loc"])) or tool.name
    return say(
        "toolbox.bad_arguments",
        language,
        tool=tool.name,
        argument=one_name(name),
        why=_why(tool, first),
        more=Phrase("toolbox.and_more", {"count": len(details) - 1}) if len(details) > 1 else "",
        signature=one_name(signature(tool), LONGEST_LINE),
    )


def _why(tool: Tool, detail: "ErrorDetails") -> Phrase:
    kind = detail["type"]
    if kind == "extra_forbidden":
        known = list(tool.arguments.model_fields) if len(detail["loc"]) == 1 else []
        near = difflib.get_close_matches(str(detail["loc"][-1])[:100], known, 1, 0.5)
        return Phrase("toolbox.is_unknown_near", {"near": near[0]}) if near else Phrase("toolbox.is_unknown")
    if kind in _WANTS:
        return Phrase(_WANTS[kind], {"got": _named(detail["input"])})
    return Phrase("toolbox.wants_other", {"why": one_name(detail["msg"])})


def _named(value: object) -> str:
    """What was sent, by its kind; a long or secret value is not repeated."""
    kinds = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return "null" if value is None else kinds.get(type(value), type(value).__name__)


def _resolved(about: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(about.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = schema.get("$defs", {}).get(name, about) if name else about
    return found


def _kind(about: Any, schema: Mapping[str, Any], depth: int = 0) -> str:
    if depth > 3 or not isinstance(about, Mapping):
        return "any"
    about = _resolved(about, schema)
    choices = about.get("anyOf") or about.get("oneOf")
    if choices:
        kinds = dict.fromkeys(_kind(each, schema, depth + 1) for each in choices)
        return " | ".join(each for each in kinds if each != "null")
    if "enum" in about:
        return " | ".join(dumps(each) for each in about["enum"])
    if about.get("type") == "array":
        return f"[{_kind(about.get('items', {}), schema, depth + 1)}]"
    if "properties" in about:
        wanted = about.get("required", ())
        parts = (
            f"{name}{'' if name in wanted else '?'}: {_kind(inner, schema, depth + 1)}"
            for name, inner in about["properties"].items()
        )
        return "{" + ", ".join(parts) + "}"
    return str(about.get("type", "any"))


_EXAMPLES: Mapping[str, Any] = {"string": "…", "integer": 1, "number": 1.0, "boolean": True, "object": {}}


def _example(about: Any, schema: Mapping[str, Any], depth: int = 0) -> Any:
    """A value that fits, from the examples of the schema where it has some."""
    about = _resolved(about, schema) if isinstance(about, Mapping) else {}
    if about.get("examples"):
        return about["examples"][0]
    if depth > 3:
        return None
    if "enum" in about:
        return about["enum"][0]
    if about.get("type") == "array":
        return [_example(about.get("items", {}), schema, depth + 1)]
    if "properties" in about:
        inner = about["properties"]
        return {name: _example(inner[name], schema, depth + 1) for name in about.get("required", ())}
    choices = about.get("anyOf") or about.get("oneOf")
    if choices:
        return _example(choices[0], schema, depth + 1)
    return _EXAMPLES.get(str(about.get("type")), None)
