"""What Google adds to an error: reasons, the limits that were reached, and how long to wait."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_MOST = 20  # of each kind that is looked at
_LONGEST = 100
_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s", re.ASCII)


class Added(NamedTuple):
    words: tuple[str, ...] = ()
    wait: float | None = None  # seconds


def added_to(error: Any) -> Added:
    """The details of an error object; what has another form is passed over."""
    details = error.get("details") if type(error) is dict else None
    if type(details) is not list:
        return Added()
    known = [each for each in details[:_MOST] if type(each) is dict]
    words = [each[:_LONGEST] for detail in known for each in _words(detail) if type(each) is str]
    waits = [_DELAY.fullmatch(each["retryDelay"]) for each in known if type(each.get("retryDelay")) is str]
    return Added(tuple(words), next((float(found[1]) for found in waits if found), None))


def _words(detail: dict[str, Any]) -> Iterator[Any]:
    yield detail.get("reason")
    metadata = detail.get("metadata")
    if type(metadata) is dict:
        yield metadata.get("quota_limit")
    violations = detail.get("violations")
    for violation in violations[:_MOST] if type(violations) is list else ():
        if type(violation) is dict:
            yield violation.get("quotaId")
