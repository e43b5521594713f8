"""What a fake endpoint plays and what it remembers: plain data, shared by all protocols."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from donewhen.core.agent import Finish

FaultKind = Literal[
    "rate",  # 429, asked to come again later
    "key",  # the key is refused
    "forbidden",
    "model",  # there is no such model
    "too_long",
    "no_tools",
    "quota",  # no credit left, as the provider says it
    "payment",  # no credit left, as a 402
    "status",  # any status, with the provider's plain error body
    "timeout",  # takes the request and never answers
    "reset",  # the connection is reset before the answer
    "cut",  # the answer breaks off
    "error_event",  # an error in the middle of a stream
    "invalid_json",
    "wrong_schema",
    "bad_arguments",  # of tool calls: no JSON
    "empty",
    "huge",
    "slow",
    "unknown",  # fields and events that nobody has heard of
    "pings",  # comments and ping events between the others
]
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)
Then = Literal["stop", "repeat-last", "error"]
THENS: tuple[Then, ...] = get_args(Then)


class Fault(NamedTuple):
    """Trouble with an answer; the fields that a kind does not name are not looked at."""

    kind: FaultKind
    status: int = 0  # of `status`
    retry_after: int | str | None = None  # of refusals: seconds, or the header's text as it stands
    retry_after_date: int | None = None  # seconds from now, sent as an HTTP date
    retry_after_ms: int | None = None
    after: int = 2  # events before a stream is cut or fails
    middle: bool = False  # cut: in the middle of a line
    clean: bool = False  # cut: the connection ends as if all had been said
    mb: int = 8  # huge
    ms: int = 0  # slow: between two events
    gate: bool = False  # slow: every event waits for `FakeModel.release`


class Call(NamedTuple):
    """A tool call; arguments given as a text are sent as they stand."""

    tool: str
    args: Mapping[str, Any] | str = {}
    id: str = ""  # made up when it is empty


class Reported(NamedTuple):
    """The tokens that an answer claims, whatever is true; the four don't overlap."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Answer(NamedTuple):
    """One answer of the script."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    finish: Finish = "stop"
    usage: Literal["true", "missing"] | Reported = "true"
    factor: float = 1.0  # what is reported of the true counts
    fault: Fault | None = None
    times: int = 1  # how often it is played
    when: str = ""  # a regular expression that the request must hold


class Tokens(NamedTuple):
    """True counts: what a provider would charge for."""

    input: int = 0  # neither read from the cache nor written to it
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def prompt(self) -> int:
        return self.input + self.cache_read + self.cache_write


class Asked(NamedTuple):
    """A request, understood: what every protocol says in its own way."""

    model: str
    texts: tuple[str, ...]  # all that the model reads, in the order of its cache: tools first
    stream: bool = False
    most: int | None = None  # tokens of output
    usage: bool = True  # whether a stream ends with usage
    marks: frozenset[int] | None = None  # numbers of texts after which the cache is to keep; None: it decides


class Request:
    """A request as it came, without the key; `tokens` grows while the answer is sent."""

    def __init__(self, method: str, path: str, headers: Mapping[str, str], size: int) -> None:
        self.method = method
        self.path = path  # with its query, without a key in it
        self.headers = headers  # names in lower case
        self.size = size  # bytes of the body
        self.body: Any = None  # parsed; None when it is no JSON
        self.asked: Asked | None = None  # None when it was refused
        self.answer: Answer | None = None  # that was played
        self.status = 0  # of the response; 0 when none was sent
        self.refused = ""  # why the request was not taken
        self.tokens = Tokens()  # charged
        self.complete = False  # whether all of the answer was sent


Watch = Callable[[Request], None]
Aside = Callable[
    [Request], Answer | None
]  # an answer to what a client asks beside its work: not of the script


class Event(NamedTuple):
    """One server-sent event."""

    data: Any  # JSON data, or a text that is sent as it stands
    name: str = ""
    said: str = ""  # the part of the model's output that it carries


class Refusal(Exception):
    """A request that is not taken; `kind` names the wording in the table of the protocol."""

    def __init__(self, kind: str, why: str = "", status: int = 400) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why
        self.status = status
