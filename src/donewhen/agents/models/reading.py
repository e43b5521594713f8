"""Parts of an answer, as all protocols have them.

Everything in an answer is hostile until it is read here: numbers that can't be, arguments that are no JSON
object, ids that are missing or there twice.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.agents.models.bounds import DEEPEST, check, shortened
from donewhen.core.agent import ToolRequest
from donewhen.core.chat import ModelFailed, Used
from donewhen.core.texts import say

MOST_CALLS = 256  # of one answer
_MOST_TOKENS = 1_000_000_000
_LONGEST_NAME = 200
_LONGEST_DETAIL = 2000
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


def load(data: bytes) -> Any:
    """JSON as an endpoint sent it; ModelFailed("answer") when it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        start = data[: 4 * _LONGEST_DETAIL].decode(errors="replace")
        raise unreadable(f"no JSON: {shortened(start, _LONGEST_DETAIL)}") from None


def unreadable(detail: str) -> ModelFailed:
    return ModelFailed("answer", detail)


def as_object(value: Any, what: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise unreadable(f"{what} is no object")
    return value


def as_objects(value: Any, what: str) -> list[dict[str, Any]]:
    if type(value) is not list or not all(type(each) is dict for each in value):
        raise unreadable(f"{what} is no list of objects")
    return value


def text_of(value: Any, what: str) -> str:
    """A text that may be missing."""
    if value is None:
        return ""
    if type(value) is not str:
        raise unreadable(f"{what} is no text")
    return value


def short(value: Any) -> str:
    """A name of the endpoint's that is only shown."""
    return shortened(value, _LONGEST_NAME) if type(value) is str else ""


def joined(parts: Sequence[str]) -> str:
    """Texts put together; half characters that don't meet their other half are replaced."""
    text = "".join(parts)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class Asking(NamedTuple):
    """A call as it came: its arguments are a text or already an object."""

    id: str
    tool: str
    args: str | Mapping[str, Any]


def requests(calls: Sequence[Asking], seed: str, *, cut: bool) -> tuple[ToolRequest, ...]:
    """The calls of an answer, ids made up where they are missing, too long or there already."""
    if len(calls) > MOST_CALLS:
        raise unreadable(f"more than {MOST_CALLS} calls at once")
    found: list[ToolRequest] = []
    seen: set[str] = set()
    for number, call in enumerate(calls):
        id = call.id if call.id and len(call.id) <= _LONGEST_NAME else ""
        if not id or id in seen:
            id = f"call_{seed}{number}"
        seen.add(id)
        found.append(_request(id, call, cut and number == len(calls) - 1))
    return tuple(found)


def _request(id: str, call: Asking, cut: bool) -> ToolRequest:
    tool = shortened(joined([call.tool]), _LONGEST_NAME)
    try:
        return ToolRequest(id, tool, _arguments(call.args))
    except (ValueError, RecursionError) as error:
        key = "models.cut_arguments" if cut else "models.bad_arguments"
        return ToolRequest(id, tool, broken=say(key, tool=tool, why=_why(error)))


def _arguments(given: str | Mapping[str, Any]) -> Mapping[str, Any]:
    text = args_text(given) if isinstance(given, Mapping) else joined([given])
    if not text.strip():
        return {}
    args = json.loads(text, parse_constant=_no_number, parse_float=_number)
    if type(args) is not dict:
        raise ValueError("not an object")
    if is_deep(args):
        raise ValueError("nested too deeply")
    check(args)
    if _SURROGATE.search(text):
        try:
            json.dumps(args, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half a character") from None
    return args


def args_text(args: Any) -> str:
    """Arguments that came as an object, as text; what is wrong with them is found when that is read."""
    try:
        return json.dumps(args)
    except (ValueError, RecursionError):
        return "nested too deeply"


def is_deep(data: Any, most: int = DEEPEST) -> bool:
    """Whether JSON data is nested beyond what anybody means."""
    level = [data]
    for _ in range(most):
        level = [
            part
            for each in level
            if isinstance(each, dict | list)
            for part in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:20]}")
    return number


def _no_number(text: str) -> float:
    raise ValueError(f"the number {text}")


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno} column {error.colno}: {error.msg}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]


def tokens(value: Any) -> int | None:
    """A count that can be true."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def used_of(
    total: Any, output: Any, *, read: Any = None, write: Any = None, reasoning: Any = None, told: Any = None
) -> Used | None:
    """Usage whose `total` input counts the cache too; None when the numbers can't be true.

    Some count reasoning apart from the output: the sum that was `told` gives that away.
    """
    all_in, out = tokens(total), tokens(output)
    from_cache, to_cache, thought = _optional(read), _optional(write), _optional(reasoning)
    if from_cache is None or to_cache is None or thought is None or out is None or not all_in:
        return None
    if from_cache + to_cache > all_in:
        return None
    if thought > out or (thought and told == all_in + out + thought):
        out += thought
    return Used(all_in - from_cache - to_cache, out, from_cache, to_cache, thought)


def _optional(value: Any) -> int | None:
    return 0 if value is None else tokens(value)
