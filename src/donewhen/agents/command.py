"""The agent that is a program of others: each piece of work is one call of it, and its end is a claim.

The call is a tool call like any other, so that guard, ledger, time limits and undoing hold for it. The agent
itself starts nothing: it says what the client is to hear, and reads from the result which session to go on
with. A client that failed has claimed nothing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.agents.clients.model import Client
from donewhen.agents.clients.reading import session_of
from donewhen.core.agent import AgentView, Returned, Step, Stepped, ToolRequest
from donewhen.core.chat import Desk
from donewhen.core.codec import Json
from donewhen.core.errors import LimitReached, SetupError
from donewhen.core.left import INTERRUPTED
from donewhen.core.shown import one_name
from donewhen.core.texts import Language, say

TOOL = "client"
HIDDEN = "hidden"  # the class of a failure: the walls don't show what the result names
_CLAIM, _TODOS = "complete", "todo_write"
_NOTHING = Step()
_WAITS = (1.0, 5.0)  # seconds before the second try and the third; there is no fourth
_LONGEST = 20_000  # characters of a claim
_SHOWN = 300
_MOST_TODOS = 100


class Seat(NamedTuple):
    """What a run lends to the agent: its language, and the whole task in words as it is now."""

    language: Language
    task: Callable[[], str]
    leave: Callable[[], None] = lambda: None  # at the end


class Session(NamedTuple):
    """A session of the client, with what it reported to have used so far."""

    id: str = ""
    micros: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class CommandAgent:
    def __init__(
        self, client: Client, name: str, wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.client = client
        self._name = name
        self._wait = wait
        self._seat = Seat("en", str)
        self._session = Session()
        self._said = ""  # what the client was told last beside the task
        self._prompt = ""  # all that it was told last
        self._failures = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def follows_mode(self) -> bool:
        return False

    @property
    def talks(self) -> bool:
        return False

    def join(self, desk: Desk) -> None:
        """It pays nobody itself."""

    def sit(self, seat: Seat) -> None:
        """The workspace is open."""
        self._seat = seat

    async def step(self, view: AgentView) -> Step:
        if view.phase == "plan":
            return _NOTHING
        said = _joined(*(message.text for message in view.messages))
        result = next((each for each in view.results if each.tool == TOOL), None)
        if result is None:
            wrong = (each.output for each in view.results if not each.ok)
            return self._call(view, _joined(*wrong, said))
        if result.error_class == INTERRUPTED:
            return self._asked(view, _joined(self._prompt or self._whole(""), said))
        session, text = read_result(result.output)
        self._session = session or self._session
        if result.ok:
            self._failures = 0
            return self._claim(view, text)
        return await self._again(view, result, said, text)

    def _call(self, view: AgentView, said: str) -> Step:
        self._said = said
        return self._asked(view, self._whole(said))

    def _whole(self, said: str) -> str:
        """All of the task for a client that has not heard it, or can't remember."""
        if self._goes_on:
            return said or say("clients.go_on", self._seat.language)
        return _joined(self._seat.task(), said)

    @property
    def _goes_on(self) -> bool:
        return bool(self._session.id) and self.client.kind.remembers

    def _asked(self, view: AgentView, prompt: str) -> Step:
        self._prompt = prompt
        args: dict[str, Json] = {"prompt": prompt}
        if self._goes_on:
            args["session"] = self._session._asdict()
        return Step(calls=(ToolRequest(f"client-{view.turn}", TOOL, args),), model=self.client.model)

    def _claim(self, view: AgentView, text: str) -> Step:
        """The client has ended as it should: that is its claim, whatever it says."""
        todos = todos_of(text)
        calls = [ToolRequest(f"todos-{view.turn}", _TODOS, {"todos": todos})] if todos else []
        claim = ToolRequest(f"claim-{view.turn}", _CLAIM, {"summary": text[:_LONGEST]})
        return Step(text[:_LONGEST], (*calls, claim))

    async def _again(self, view: AgentView, result: Returned, said: str, text: str) -> Step:
        if result.error_class == "budget":
            raise LimitReached("clients.no_money", kind="money", client=self.client.kind.name)
        name = self.client.kind.name
        if result.error_class == HIDDEN:
            raise SetupError("clients.hidden", client=name, program=one_name(text, _SHOWN))
        if self._failures >= len(_WAITS):
            raise SetupError("clients.gave_up", client=name, why=one_name(text.strip()[-_SHOWN:], _SHOWN))
        await self._wait(_WAITS[self._failures])
        self._failures += 1
        if result.error_class in ("exit", "silent", "not_started"):
            self._session = Session()  # it may be the session that is broken
            return self._call(view, _joined(self._said, said))
        trouble = say("clients.trouble", self._seat.language, why=text.strip()[-_SHOWN:])
        return self._call(view, _joined(trouble, said))

    def memory(self) -> Mapping[str, Json]:
        return {"session": self._session._asdict(), "failures": self._failures}

    def recall(self, memory: Mapping[str, Json], since: Sequence[Stepped]) -> None:
        self._session = read_session(memory.get("session"))
        self._failures = min(len(_WAITS), _count(memory.get("failures")))
        for stepped in since:
            for call in stepped.step.calls:
                if call.tool == TOOL:
                    self._prompt = str(call.args.get("prompt", ""))

    async def close(self) -> None:
        self._seat.leave()


def write_result(session: Session, text: str) -> str:
    """A result of the tool in words: the first line is ours, the rest is what the client said."""
    return f"{json.dumps(session._asdict())}\n{text}"


def read_result(output: str) -> tuple[Session | None, str]:
    """None for a result that is not the client's: it was never called."""
    head, _, text = output.partition("\n")
    try:
        read = json.loads(head)
    except (ValueError, RecursionError):
        return None, output
    return (read_session(read), text) if isinstance(read, dict) else (None, output)


def todos_of(text: str) -> list[Any]:
    """What the client says about todos: the last JSON object of its own line that has them."""
    for line in reversed(text.splitlines()[-50:]):
        bare = line.strip().strip("`")
        if not (bare.startswith("{") and '"todos"' in bare):
            continue
        try:
            found = json.loads(bare)["todos"]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        if isinstance(found, list):
            return [one for each in found[:_MOST_TODOS] if isinstance(each, dict) for one in _begun(each)]
    return []


def _begun(todo: dict[str, Any]) -> list[dict[str, Any]]:
    """What is done was begun before, though nobody said so."""
    done = todo.get("status") == "completed"
    return [*([{"id": todo.get("id"), "status": "in_progress"}] if done else []), todo]


def read_session(data: object) -> Session:
    if not isinstance(data, Mapping):
        return Session()
    id = session_of(data.get("id"))
    counts = (_count(data.get(name)) for name in ("micros", "tokens_in", "tokens_out"))
    return Session(id, *counts) if id else Session()


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
