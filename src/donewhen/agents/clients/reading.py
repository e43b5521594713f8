"""What clients print, read into reports: JSON in their own shapes, checked value by value."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_CEILING, Decimal
from typing import Any

from donewhen.agents.clients.model import Report, Spent, Why
from donewhen.core.budget import MILLION, MOST

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}\Z")
_AIDER_TOKENS = re.compile(
    r"^Tokens: ([\d.]{1,12}[kM]?) sent(?:, [^\n]{1,80})?, ([\d.]{1,12}[kM]?) received\.", re.M
)
_AIDER_COST = re.compile(r"Cost: \$[\d.]{1,20} message, \$(\d{1,9}(?:\.\d{1,12})?) session\.")
_LONGEST = 20_000  # characters of an answer
_LONGEST_NAME = 200

Data = Mapping[str, Any]


def read_claude(printed: str) -> Report:
    last = next((each for each in reversed(list(_objects(printed))) if each.get("type") == "result"), None)
    if last is None:
        return Report(False, why="error")
    usage = _map(last.get("usage"))
    by_model = _map(last.get("modelUsage"))
    names = ("inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens")
    read = _sum(_count(_map(each).get(name)) for each in by_model.values() for name in names)
    written = _sum(_count(_map(each).get("outputTokens")) for each in by_model.values())
    if not by_model:
        plain = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        read, written = _sum(_count(usage.get(name)) for name in plain), _count(usage.get("output_tokens"))
    model = next((name for name in by_model if isinstance(name, str)), "")
    spent = Spent(_micros(last.get("total_cost_usd")), read, written, model[:_LONGEST_NAME])
    subtype = str(last.get("subtype", ""))
    ok = subtype == "success" and last.get("is_error") is False
    why: Why = "" if ok else "budget" if subtype == "error_max_budget_usd" else "error"
    errors = last.get("errors")
    said = _text(last.get("result")) or "; ".join(map(_text, errors if isinstance(errors, list) else []))
    return Report(ok and bool(said.strip()), said, session_of(last.get("session_id")), spent, why)


def read_codex(printed: str) -> Report:
    session, text, spent, failed = "", "", None, ""
    over = False
    for each in _objects(printed):
        kind, item = each.get("type"), _map(each.get("item"))
        if kind == "thread.started":
            session = session_of(each.get("thread_id"))
        elif kind == "item.completed" and item.get("type") == "agent_message":
            text = _text(item.get("text"))
        elif kind == "turn.completed":
            usage = _map(each.get("usage"))
            spent = Spent(None, _count(usage.get("input_tokens")), _count(usage.get("output_tokens")))
            over = True
        elif kind in ("turn.failed", "error"):
            failed = _text(_map(each.get("error")).get("message")) or _text(each.get("message")) or "-"
            over = over and kind == "error"
    ok = over and bool(text.strip())
    return Report(ok, text if ok else failed or text, session, spent, "" if ok else "error")


def read_gemini(printed: str) -> Report:
    found = [each for each in _objects(printed) if "response" in each or "error" in each]
    if not found:
        return Report(False, why="error")
    last = found[-1]
    models = _map(_map(last.get("stats")).get("models"))
    tokens = [_map(_map(each).get("tokens")) for each in models.values()]
    read = _sum(_count(each.get("prompt", each.get("input"))) for each in tokens)
    written = _sum(_count(each.get(name)) for each in tokens for name in ("candidates", "thoughts"))
    model = next((name for name in models if isinstance(name, str)), "")
    spent = Spent(None, read, written, model[:_LONGEST_NAME]) if models else None
    text = _text(last.get("response"))
    ok = not last.get("error") and bool(text.strip())
    said = text if ok else _text(_map(last.get("error")).get("message")) or text
    return Report(ok, said, session_of(last.get("session_id")), spent, "" if ok else "error")


def read_opencode(printed: str) -> Report:
    session, texts, failed = "", list[str](), ""
    micros = read = written = 0
    steps = False
    for each in _objects(printed):
        kind, part = each.get("type"), _map(each.get("part"))
        session = session_of(each.get("sessionID")) or session
        if kind == "text":
            texts.append(_text(part.get("text")))
        elif kind == "step_finish":
            tokens = _map(part.get("tokens"))
            cache = _map(tokens.get("cache"))
            steps = True
            micros = min(MOST, micros + (_micros(part.get("cost")) or 0))
            read = _sum(
                (read, _count(tokens.get("input")), *map(_count, (cache.get("read"), cache.get("write"))))
            )
            written = _sum((written, _count(tokens.get("output")), _count(tokens.get("reasoning"))))
        elif kind == "error":
            error = _map(each.get("error"))
            failed = _text(_map(error.get("data")).get("message")) or _text(error.get("name")) or "-"
    text = texts[-1] if texts else ""
    ok = steps and not failed and bool(text.strip())
    spent = (
        Spent(micros or None, read, written) if steps else None
    )  # a free model and an unknown price look alike
    return Report(ok, text if ok else failed or text, session, spent, "" if ok else "error")


def read_plain(printed: str) -> Report:
    """A program of which nothing is known: how it ended is all that counts."""
    return Report(True, printed.strip()[-_LONGEST:])


def read_aider(printed: str) -> Report:
    """Its words as they are; after each answer it says what that took, and the money since it began."""
    tokens = [tuple(map(_thousands, found.groups())) for found in _AIDER_TOKENS.finditer(printed)]
    costs = [_micros(float(found[1])) for found in _AIDER_COST.finditer(printed)]
    spent = Spent(
        costs[-1] if costs else None, _sum(sent for sent, _ in tokens), _sum(got for _, got in tokens)
    )
    return read_plain(printed)._replace(spent=spent if tokens else None)


def _thousands(text: str) -> int:
    """`1.2k` or `300` as a whole number."""
    factor = {"k": 1000, "M": MILLION}.get(text[-1], 1)
    number = text.rstrip("kM")
    return min(MOST, int(Decimal(number) * factor)) if number.count(".") < 2 and number != "." else 0


def session_of(value: object) -> str:
    """An id that may be an argument of the next call; empty for anything else."""
    return value if isinstance(value, str) and _SESSION.match(value) else ""


def _objects(printed: str) -> Iterator[Data]:
    """The JSON objects of an output: one a line, or one that is the whole of it."""
    found = False
    for line in printed.splitlines():
        for each in _parsed(line.strip()):
            found = True
            yield each
    if not found:
        yield from _parsed(printed[printed.find("{") : printed.rfind("}") + 1])


def _parsed(text: str) -> Iterable[Data]:
    if not text.startswith(("{", "[")):
        return ()
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return [each for each in (read if isinstance(read, list) else [read]) if isinstance(each, dict)]


def _map(value: object) -> Data:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value[:_LONGEST] if isinstance(value, str) else ""


def _count(value: object) -> int:
    return min(value, MOST) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _sum(values: Iterable[int]) -> int:
    return min(MOST, sum(values))


def _micros(value: object) -> int | None:
    """Dollars as whole micro-dollars, rounded up; None for what is no amount."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    dollars = Decimal(str(value))
    if not dollars.is_finite() or dollars < 0:
        return None
    if dollars >= MOST // MILLION:
        return MOST
    return int((dollars * MILLION).to_integral_value(ROUND_CEILING))
