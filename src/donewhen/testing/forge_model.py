"""What a fake forge is asked, and what can be wrong with its answer."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Kind = Literal["github", "gitlab"]


class Request(NamedTuple):
    method: str
    target: str
    headers: Mapping[str, str]  # without the token
    body: Any = None


class Fault(NamedTuple):
    """An answer instead of the usual one, to the first request that it fits."""

    status: int = 500
    body: bytes = b'{"message": "trouble"}'
    method: str = ""  # empty: any
    headers: Mapping[str, str] = {}
    hangs: bool = False  # until the forge is closed
    after: bool = False  # what was asked for is done all the same

    def fits(self, request: Request) -> bool:
        return not self.method or self.method == request.method
