"""A script file, YAML or JSON, as turns: read strictly, every complaint with file, line and next step.

Two formats, one reader: scripts of our own, and scenarios of the claims benchmark, whose other fields (files,
goal, truth …) are known by name and left alone: an agent must not see by what it is judged.
"""

from pathlib import Path
from typing import Any

from donewhen.agents.script_actions import ACTIONS, requests
from donewhen.agents.script_model import AfterLast, Script, Turn
from donewhen.agents.script_values import SHAPES, entries, mapping, only, text, wrong
from donewhen.config.files import LARGEST_FILE, read_regular
from donewhen.config.places import ConfigError, harmless
from donewhen.config.yamltext import Item, Pair, decode, read_yaml
from donewhen.core.agent import Step
from donewhen.core.errors import UserError

_SCENARIO = (
    "id title class files goal accept truth expect why "
    "allowed_scope disallowed_scope refused_steps expect_note sandboxed beyond word"
)
_TOP = ("steps", "after_last", "stop_text", *_SCENARIO.split())
_WORDS = ("say", "think", "note")
_STEP = (*ACTIONS, "args", *_WORDS)
_AFTER: tuple[AfterLast, ...] = ("repeat_done", "repeat_last", "stop")
_STOP_TEXT = "I have nothing to add."
_NO_CLAIM = "done"

# the configuration's sentences speak of settings; these are said in our own words
_OURS = {
    "config.too_large": "agents.too_large",
    "config.not_utf8": "agents.not_utf8",
    "config.not_a_file": "agents.not_a_file",
}


def load_script(path: Path, shown: str = "") -> Script:
    """The script in a file; UserError when there is none or it is not understood to the last key."""
    name = shown or str(path)
    try:
        found = read_regular(path, name)
        if found is None:
            raise UserError("agents.no_file", place=harmless(name))
        return read_script(decode(found.data, name), name)
    except ConfigError as error:
        if error.key not in _OURS:
            raise
        place = str(error.values["place"])
        raise UserError(_OURS[error.key], place=place, limit=LARGEST_FILE // 1024) from None


def read_script(source: str, name: str = "script") -> Script:
    tree = read_yaml(source, name)
    if tree is None or tree.kind != "map":
        raise UserError("agents.not_a_script", place=f"{harmless(name)}:1")
    only(tree, _TOP)
    found = entries("script", tree)
    steps = found.get("steps")
    if steps is None or not steps.item.value:
        raise UserError("agents.no_steps", place=str(steps.item.place if steps else tree.place))
    if steps.item.kind != "list":
        raise wrong("steps", steps.item, "list_of_steps")
    turns = tuple(_turn(item) for item in steps.item.value)
    after = _after_last(found.get("after_last"))
    stop = found.get("stop_text")
    stop_text = text("stop_text", stop.item) if stop else _STOP_TEXT
    return Script(turns, after, _ending(turns, after, stop_text))


def _turn(item: Item) -> Turn:
    found = entries("steps", item)
    only(item, _STEP)
    words = {key: text(key, found[key].item) for key in _WORDS if key in found}
    names = [key for key in found if key in ACTIONS]
    said, thought, note = (words.get(key, "") for key in ("say", "think", "note"))
    line = item.place.line
    if len(names) > 1 or ("signal" in names and "say" in found):
        raise UserError("agents.two_actions", place=str(item.place), keys=", ".join(found))
    if "args" in found and "tool" not in found:
        raise UserError("agents.args_alone", place=str(found["args"].key_item.place))
    if not names:
        if "say" not in found and "think" not in found:
            raise UserError("agents.empty_step", place=str(item.place), known=", ".join(_STEP))
        return Turn(Step(said, (), thought), "words", line, note)
    action = ACTIONS[names[0]]
    value = _value(names[0], found)
    calls = requests(action.calls(value)) if action.calls else ()
    shown = action.text(value) if action.text else said
    return Turn(Step(shown, calls, thought), action.sort, line, note)


def _value(name: str, found: dict[str, Pair]) -> Any:
    shape = ACTIONS[name].shape
    if shape != "call":
        return SHAPES[shape](name, found[name].item)
    args = found.get("args")
    return text(name, found[name].item), mapping("args", args.item) if args else {}


def _after_last(pair: Pair | None) -> AfterLast:
    if pair is None:
        return "stop"
    said = text("after_last", pair.item)
    for known in _AFTER:
        if said == known:
            return known
    raise UserError(
        "agents.unknown_after_last", place=str(pair.item.place), value=harmless(said), known=", ".join(_AFTER)
    )


def _ending(turns: tuple[Turn, ...], after: AfterLast, stop_text: str) -> Step:
    """`repeat_done` claims again as it claimed last; `repeat_last` works again as it worked last."""
    if after == "stop":
        return Step(stop_text)
    sort = "claim" if after == "repeat_done" else "work"
    last = next((turn.step for turn in reversed(turns) if turn.sort == sort), None)
    if last is not None:
        return last
    if after == "repeat_last":
        return turns[-1].step
    return Step(calls=requests([("complete", {"summary": _NO_CLAIM})]))
