"""An answer cut to what was asked for, and into the pieces of a stream: always the same ones."""

import json
from collections.abc import Iterator

from donewhen.testing.counting import count, cut
from donewhen.testing.model import Answer, Call

_PIECE = 24  # characters
_MOST = 64  # pieces of one text


def pieces(text: str) -> Iterator[str]:
    size = max(_PIECE, -(-len(text) // _MOST))
    for start in range(0, len(text), size):
        yield text[start : start + size]


def arguments(call: Call) -> str:
    """The arguments as they are written on the wire."""
    return call.args if isinstance(call.args, str) else json.dumps(call.args, ensure_ascii=False)


def said(answer: Answer) -> str:
    """All that a model would have put out for this answer."""
    calls = "".join(call.tool + arguments(call) for call in answer.calls)
    return answer.thinking + answer.text + calls


def fitted(answer: Answer, most: int | None) -> Answer:
    """The answer as far as it fits in so many tokens; one that does not ends with `length`."""
    if most is None or count(said(answer)) <= most:
        return answer
    thinking = cut(answer.thinking, most)
    left = most - count(thinking)
    text = cut(answer.text, left)
    left -= count(text)
    calls: list[Call] = []
    for call in answer.calls:
        left -= count(call.tool)
        if left <= 0:
            break
        args = cut(arguments(call), left)
        left -= count(args)
        calls.append(call if args == arguments(call) else call._replace(args=args))
    return answer._replace(text=text, calls=tuple(calls), thinking=thinking, finish="length")
