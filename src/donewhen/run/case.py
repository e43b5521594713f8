"""A gate case read from JSON: a small story of a run, every part of it checked before it is played."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from donewhen.config import Config, ConfigError, config_from_mapping
from donewhen.core.accept import read_accept
from donewhen.core.checks import Check, read_checks
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.paths import relative
from donewhen.core.promise import BUDGET_TARGETS, CHECKPOINTS, Criterion, Promise, is_valid, validate
from donewhen.core.promise_data import read_promise
from donewhen.core.spelling import check_spelling
from donewhen.core.tally import Trust
from donewhen.core.todos import NO_TODOS, TodoList, read_todos

_MADE_UP_ID = "cp-1760000000000-0000"
_FIELDS = (
    "id",
    "note",
    "trust",
    "promise",
    "accept",
    "checks",
    "todos",
    "tree",
    "events",
    "config",
    "earlier",
    "expect",
)
_DETAILS = {  # what else an event of a kind may hold
    "run": ("exit", "by", "output", "state", "env"),
    "write": ("content",),
    "deny": ("command", "rule", "approval"),
    "gate": ("allowed",),
}
_MOST_SPENT = 1e15
_STATES = ("started", "running", "completed", "failed")
_DOERS = ("agent", "harness", "hook", "human")


class Case(NamedTuple):
    id: str
    promise: Promise
    checks: tuple[Check, ...]
    todos: TodoList
    tree: Mapping[str, str]
    events: tuple[tuple[str, Mapping[str, Any]], ...]  # kind and the whole event
    config: Config
    trust: Trust = "agent"


def read_case(data: object, parse: Parse) -> Case:
    """The case; UserError names the first part that is wrong."""
    if not isinstance(data, Mapping):
        raise UserError("story.not_an_object", place="case")
    check_spelling(data, _FIELDS, "case")
    _expected(data.get("expect"))
    tree = _tree(data.get("tree", {}))
    targets = make_targets(tree)
    earlier = _earlier(data.get("earlier"))
    checks = read_checks(data.get("checks"), parse, targets=targets).checks
    if earlier:
        held = read_checks(earlier.get("checks"), parse, place="earlier.checks", targets=targets).checks
        checks = (*held, *checks) if earlier.get("status") == "approved" else checks
    return Case(
        str(data.get("id", "")),
        _promise(data, parse, targets),
        checks,
        _todos(data.get("todos"), earlier),
        tree,
        _events(data.get("events", [])),
        _config(data.get("config", {})),
        _one_of(data.get("trust", "agent"), ("agent", "harness"), "trust"),  # type: ignore[arg-type]
    )


def _expected(expect: object) -> None:
    if expect is None:
        return
    if not isinstance(expect, Mapping):
        raise UserError("story.not_an_object", place="expect")
    check_spelling(expect, ("decision", "stop_reason", "failed", "pending", "error"), "expect")
    for key in ("failed", "pending"):
        if not isinstance(expect.get(key, []), list) or not all(
            isinstance(x, str) for x in expect.get(key, [])
        ):
            raise UserError("promise.not_texts", place=f"expect.{key}")
    if "decision" in expect:
        _one_of(expect["decision"], ("accepted", "continue", "failed", "stopped"), "expect.decision")


def make_targets(tree: Mapping[str, str]) -> frozenset[str]:
    """Targets of the make and just files at the root: names that may follow `make` or `just`."""
    found = set()
    for name in ("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"):
        for line in tree.get(name, "").splitlines():
            head, colon, _ = line.partition(":")
            if colon and head and not head[0].isspace() and not head.startswith(("#", ".")):
                found.update(head.split())
    return frozenset(found)


def _promise(data: Mapping[str, Any], parse: Parse, targets: frozenset[str]) -> Promise:
    given = data.get("promise")
    if given is None:
        criterion = Criterion("c1", "everything that was declared is proven")
        promise = Promise(_MADE_UP_ID, "what the case declares", (criterion,))
    else:
        promise = read_promise(given, parse, targets=targets)
        if "id" not in given:
            promise = promise._replace(id=_MADE_UP_ID)
    lines = data.get("accept") or []
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UserError("promise.not_texts", place="accept")
    entries = {entry.identity: entry for entry in promise.accept}
    for line in lines:
        entries |= {entry.identity: entry for entry in read_accept(line, parse, "accept")}
    promise = promise._replace(accept=tuple(entries.values()))
    issues = validate(promise)
    if not is_valid(issues):
        first = next(issue for issue in issues if issue.severity == "hard-deny")
        raise UserError(first.phrase.key, **first.phrase.values)
    return promise


def _todos(data: object, earlier: Mapping[str, Any]) -> TodoList:
    held = NO_TODOS
    if earlier:
        held = read_todos(earlier.get("todos") or [], "earlier.todos")
        held = held if earlier.get("status") == "approved" else NO_TODOS
    return read_todos([] if data is None else data, "todos", held)


def _earlier(data: object) -> Mapping[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise UserError("story.not_an_object", place="earlier")
    _one_of(data.get("status", "completed"), ("completed", "approved"), "earlier.status")
    return data


def _tree(data: object) -> dict[str, str]:
    if not isinstance(data, Mapping):
        raise UserError("story.not_an_object", place="tree")
    tree = {}
    for path, content in data.items():
        inside = relative(path)
        if inside is None or not isinstance(content, str):
            raise UserError("story.bad_file", place=f"tree[{path!r}]")
        tree[inside] = content
    return tree


def _config(data: object) -> Config:
    if not isinstance(data, Mapping):
        raise UserError("story.not_an_object", place="config")
    try:
        return config_from_mapping(data)
    except ConfigError as error:
        raise UserError("story.bad_config", problem=str(error).replace("mapping:1: ", "")) from None


def _one_of(value: object, known: tuple[str, ...], place: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise UserError("story.one_of", place=place, known=", ".join(known))
    return value


def _events(data: object) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    if not isinstance(data, list):
        raise UserError("promise.not_a_list", place="events")
    return tuple(_event(event, f"events[{number}]") for number, event in enumerate(data, 1))


def _event(event: object, place: str) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(event, Mapping):
        raise UserError("story.not_an_object", place=place)
    kinds = [kind for kind in _KINDS if kind in event]
    if len(kinds) != 1:
        raise UserError("story.unknown_event", place=place, known=", ".join(_KINDS))
    check_spelling(event, (kinds[0], *_DETAILS.get(kinds[0], ())), place)
    _KINDS[kinds[0]](event, place)
    return kinds[0], event


def _text(event: Mapping[str, Any], key: str, place: str, default: str | None = None) -> str:
    value = event.get(key, default)
    if not isinstance(value, str):
        raise UserError("promise.not_text", place=f"{place}.{key}")
    return value


def _truth(event: Mapping[str, Any], key: str, place: str, default: bool | None = None) -> None:
    if not isinstance(event.get(key, default), bool):
        raise UserError("promise.not_bool", place=f"{place}.{key}")


def _run(event: Mapping[str, Any], place: str) -> None:
    if not _text(event, "run", place).strip():
        raise UserError("story.empty_command", place=place)
    code = event.get("exit", 0)
    if code is not None and type(code) is not int:
        raise UserError("story.not_a_number", place=f"{place}.exit")
    _one_of(event.get("by", "agent"), _DOERS, f"{place}.by")
    if "state" in event:
        _one_of(event["state"], _STATES, f"{place}.state")
    _text(event, "output", place, "")
    _text(event, "env", place, "")


def _write(event: Mapping[str, Any], place: str) -> None:
    _text(event, "write", place)
    _text(event, "content", place, "")


def _move(event: Mapping[str, Any], place: str) -> None:
    paths = event["move"]
    if not isinstance(paths, list) or len(paths) != 2 or not all(isinstance(path, str) for path in paths):
        raise UserError("story.bad_move", place=place)


def _deny(event: Mapping[str, Any], place: str) -> None:
    for key in ("deny", "command", "rule"):
        _text(event, key, place, "")
    _one_of(event.get("approval", "user"), ("auto", "user", "never"), f"{place}.approval")


def _verify(event: Mapping[str, Any], place: str) -> None:
    verdict = event["verify"]
    if not isinstance(verdict, Mapping):
        raise UserError("story.not_an_object", place=f"{place}.verify")
    _text(verdict, "tool", f"{place}.verify")
    _text(verdict, "scope", f"{place}.verify", "")
    _truth(verdict, "passed", f"{place}.verify")


def _turn(event: Mapping[str, Any], place: str) -> None:
    calls = event["turn"]
    if not isinstance(calls, list):
        raise UserError("promise.not_a_list", place=f"{place}.turn")
    for number, call in enumerate(calls, 1):
        here = f"{place}.turn[{number}]"
        if not isinstance(call, Mapping) or not isinstance(call.get("args", {}), Mapping):
            raise UserError("story.not_an_object", place=here)
        _text(call, "tool", here)
        _text(call, "result", here, "")
        _truth(call, "error", here, False)


def _user(event: Mapping[str, Any], place: str) -> None:
    word, _, rest = _text(event, "user", place).strip().partition(" ")
    if word not in ("abort", "confirm", "deny", "optional") or (word != "abort") != bool(rest.strip()):
        raise UserError("story.bad_user", place=place)


def _gate(event: Mapping[str, Any], place: str) -> None:
    _one_of(event["gate"], CHECKPOINTS, f"{place}.gate")
    _truth(event, "allowed", place)


def _spend(event: Mapping[str, Any], place: str) -> None:
    spent = event["spend"]
    if not isinstance(spent, Mapping):
        raise UserError("story.not_an_object", place=f"{place}.spend")
    for kind, amount in spent.items():
        _one_of(kind, BUDGET_TARGETS, f"{place}.spend")
        if type(amount) not in (int, float) or not 0 <= amount <= _MOST_SPENT:
            raise UserError("story.not_a_number", place=f"{place}.spend.{kind}")


def _one_text(kind: str) -> Callable[[Mapping[str, Any], str], None]:
    def check(event: Mapping[str, Any], place: str) -> None:
        _text(event, kind, place)

    return check


def _anything(event: Mapping[str, Any], place: str) -> None:
    """Whatever an agent sends here is told to the agent when the story is played."""


_KINDS: Mapping[str, Callable[[Mapping[str, Any], str], None]] = {
    "run": _run,
    "write": _write,
    "delete": _one_text("delete"),
    "move": _move,
    "read": _one_text("read"),
    "deny": _deny,
    "todo": _anything,
    "plan": _anything,
    "verify": _verify,
    "turn": _turn,
    "think": _one_text("think"),
    "say": _one_text("say"),
    "complete": _one_text("complete"),
    "user": _user,
    "question": _one_text("question"),
    "gate": _gate,
    "spend": _spend,
}
