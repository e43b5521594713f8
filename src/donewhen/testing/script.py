"""A script, as YAML or JSON gives it, read strictly into answers.

Every complaint names its place: the path in the data, or whatever the caller knows of it, as a line.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from donewhen.core.agent import Finish
from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase
from donewhen.testing.model import THENS, Answer, Call, Then
from donewhen.testing.script_values import (
    Path,
    Places,
    items,
    mapping,
    one_of,
    only,
    plain_place,
    read_fault,
    read_usage,
    text,
    whole,
    wrong,
)

_ACTIONS: Mapping[str, Callable[[Any], list[Call]]] = {
    "run": lambda command: [Call("run_command", {"command": command})],
    "read": lambda path: [Call("read_file", {"path": path})],
    "complete": lambda summary: [Call("complete", {"summary": summary})],
    "write": lambda write: [Call("write_file", write)],
    "edit": lambda edit: [Call("edit_file", edit)],
}
_BESIDE = {"write": ("content",), "edit": ("old", "new")}  # keys that stand beside the path
_SAYS = ("text", "say", "thinking", "calls", *_ACTIONS)
_HOW = ("finish", "usage", "fault", "times", "when")
_ANSWER = (*_SAYS, "content", "old", "new", *_HOW)
_TOP = ("answers", "then", "key", "models")
_FINISHES: tuple[Finish, ...] = get_args(Finish)


class Script(NamedTuple):
    answers: tuple[Answer, ...]
    then: Then = "stop"
    key: str = ""
    models: tuple[str, ...] = ("fake-model",)


def read_script(data: Any, places: Places = plain_place) -> Script:
    """The script in plain data: a list of answers, or a mapping; UserError when it is not understood."""
    top: Path = ()
    if isinstance(data, dict) and "answers" in data:
        only(data, _TOP, (), places)
        given, top = data["answers"], ("answers",)
        rest = data
    else:
        given, rest = data, {}
    if not isinstance(given, list):
        raise UserError("fakemodel.not_a_script", place=places(top))
    if not given:
        raise UserError("fakemodel.no_answers", place=places(top))
    answers = tuple(_answer(each, (*top, index), places) for index, each in enumerate(given))
    then: Then = one_of(rest.get("then", "stop"), THENS, ("then",), places)
    key = text(rest.get("key", ""), ("key",), places)
    names = items(rest.get("models", ["fake-model"]), ("models",), places)
    models = tuple(text(name, ("models", index), places) for index, name in enumerate(names))
    return Script(answers, then, key, models)


def _answer(data: Any, at: Path, places: Places) -> Answer:
    if isinstance(data, str):
        return Answer(data)
    found = mapping(data, at, places)
    only(found, _ANSWER, at, places)
    fault = read_fault(found["fault"], (*at, "fault"), places) if "fault" in found else None
    usage, factor = read_usage(found.get("usage", True), (*at, "usage"), places)
    finish: Finish = one_of(found.get("finish", "stop"), _FINISHES, (*at, "finish"), places)
    if not any(name in found for name in _SAYS) and fault is None:
        raise UserError("fakemodel.empty_answer", place=places(at), known=", ".join(_SAYS))
    said = {
        name: text(found[name], (*at, name), places) for name in ("text", "say", "thinking") if name in found
    }
    return Answer(
        said.get("text", said.get("say", "")),
        _calls(found, at, places),
        said.get("thinking", ""),
        finish,
        usage,
        factor,
        fault,
        whole(found.get("times", 1), (*at, "times"), places, least=1),
        text(found.get("when", ""), (*at, "when"), places),
    )


def _calls(found: Mapping[str, Any], at: Path, places: Places) -> tuple[Call, ...]:
    actions = [name for name in ("calls", *_ACTIONS) if name in found]
    if len(actions) > 1 or {"text", "say"} <= found.keys():
        raise UserError("fakemodel.two_actions", place=places(at), keys=", ".join(found))
    beside = {key for name in actions for key in _BESIDE.get(name, ())}
    for key in ("content", "old", "new"):
        if key in found and key not in beside:
            raise UserError(
                "fakemodel.unknown_key", place=places((*at, key)), key=key, known=", ".join(_SAYS + _HOW)
            )
    if not actions:
        return ()
    (name,) = actions
    if name == "calls":
        calls = items(found["calls"], (*at, "calls"), places)
        return tuple(_call(each, (*at, "calls", index), places) for index, each in enumerate(calls))
    if name in _BESIDE:
        return tuple(_ACTIONS[name](_file(name, found, at, places)))
    return tuple(_ACTIONS[name](text(found[name], (*at, name), places)))


def _call(data: Any, at: Path, places: Places) -> Call:
    found = mapping(data, at, places)
    only(found, ("tool", "args", "id"), at, places)
    if "tool" not in found:
        raise UserError("fakemodel.missing_key", place=places(at), key="tool")
    args = found.get("args", {})
    if not isinstance(args, dict | str):
        raise wrong("args", places((*at, "args")), Phrase("fakemodel.a_text_or_map"))
    called = text(found["tool"], (*at, "tool"), places)
    return Call(called, args, text(found.get("id", ""), (*at, "id"), places))


def _file(name: str, found: Mapping[str, Any], at: Path, places: Places) -> dict[str, Any]:
    """`write: PATH` with its content beside it, or all in one mapping; the same for `edit`."""
    inner = found[name]
    where: Path = (*at, name) if isinstance(inner, dict) else at
    values = inner if isinstance(inner, dict) else {**found, "path": inner}
    if isinstance(inner, dict):
        only(inner, ("path", *_BESIDE[name]), where, places)
    given = {}
    for key in ("path", *_BESIDE[name]):
        if key not in values:
            raise UserError("fakemodel.missing_key", place=places(where), key=key)
        shown = name if key == "path" and not isinstance(inner, dict) else key
        given[key] = text(values[key], (*where, shown), places)
    if name == "write":
        return given
    return {"path": given["path"], "edits": [{"old": given["old"], "new": given["new"]}]}
