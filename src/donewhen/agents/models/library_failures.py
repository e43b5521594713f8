"""What went wrong inside the library, in the words of `core.chat`: foreign exceptions end here.

Whatever it could not make sense of came from an endpoint, so it is an answer that can't be read, not a bug.
"""

import json
import time
from typing import TYPE_CHECKING

from donewhen.agents.models.failures import refused
from donewhen.core.chat import Failure, ModelFailed

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError


def failure_of(error: Exception) -> ModelFailed:
    """The failure that it means."""
    if isinstance(error, ModelFailed):
        return error
    import httpx2
    from pydantic_ai import exceptions

    told = str(error) or type(error).__name__
    if isinstance(error, exceptions.ModelHTTPError):
        return _refusal(error)
    if isinstance(error, exceptions.ModelConnectionError):
        return _unconnected(error, told)
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return ModelFailed("unreachable", told, free=True)
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return ModelFailed("timeout", told)
    if isinstance(error, httpx2.TransportError | httpx2.StreamError):
        return ModelFailed("cut", told)
    if isinstance(error, exceptions.UserError):
        return ModelFailed("tools" if "ools are not supported" in told else "request", told, free=True)
    return ModelFailed("answer", told.splitlines()[0])


def _refusal(error: "ModelHTTPError") -> ModelFailed:
    """By its status and words; an error inside a stream came after work was begun."""
    failure = refused(error.status_code, error.headers or {}, _body(error.body), time.time())
    if failure.kind == "request":
        failure.kind = _said_otherwise(error)
    if error.in_stream:
        failure.free = False
    return failure


def _said_otherwise(error: "ModelHTTPError") -> Failure:
    """What the library says about a refusal."""
    from pydantic_ai import exceptions

    if isinstance(error, exceptions.ModelContextWindowExceededError):
        return "too_long"
    if isinstance(error, exceptions.ModelAuthenticationError):
        return "key"
    return "model" if isinstance(error, exceptions.ModelNotFoundError) else "request"


def _unconnected(error: "ModelConnectionError", told: str) -> ModelFailed:
    from pydantic_ai.exceptions import ModelTimeoutError

    if error.phase == "connect":
        return ModelFailed("unreachable", told, free=True)
    if error.phase == "pool":
        return ModelFailed("busy", told, free=True)
    return ModelFailed("timeout" if isinstance(error, ModelTimeoutError) else "cut", told)


def _body(data: object) -> bytes:
    if isinstance(data, str):
        return data.encode(errors="replace")
    try:
        return json.dumps(data).encode()
    except (TypeError, ValueError, RecursionError):
        return b""
