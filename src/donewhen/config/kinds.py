"""Value types that need more than a Python type: bounds, patterns, commands, addresses.

A refusal is a Pydantic error whose type is a key of the catalogue. No value is quoted that may hold a
password.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from donewhen.core.patterns import LONGEST, trouble_with

LARGEST = 1_000_000_000
YEAR = 31_536_000.0
SETUP_WORDS: Sequence[str] = ("auto", "off")

Text = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Texts = tuple[Text, ...]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
CountOrNone = Annotated[int, Field(ge=0, le=LARGEST)]
Seconds = Annotated[float, Field(gt=0, le=YEAR)]
Money = Annotated[float, Field(ge=0, le=LARGEST)]
CallCost = Annotated[float, Field(ge=0, le=1000)]
Ratio = Annotated[float, Field(ge=0, le=1)]
Percent = Annotated[float, Field(ge=0, le=100)]


def wrong(name: str, **values: Any) -> PydanticCustomError:
    """An error that says the text `config.<name>`."""
    return PydanticCustomError(f"config.{name}", "{name}", {"name": name, **values})


def hint(given: str, known: Iterable[str]) -> str:
    """The nearest known name, or all of them when nothing is near."""
    names = list(dict.fromkeys(known))
    return nearest(given, names) or ", ".join(names)


def nearest(given: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that was probably meant."""
    import difflib

    near = difflib.get_close_matches(given[:100], list(known), n=1, cutoff=cutoff)
    return near[0] if near else None


def _printable(text: str) -> str:
    if not text.isprintable():
        raise wrong("odd_name")
    return text


Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_printable)]


def _slug(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9_-]{1,100}", text):
        raise wrong("bad_slug")
    return text


Slug = Annotated[str, AfterValidator(_slug), WithJsonSchema({"type": "string", "pattern": "^[a-z0-9_-]+$"})]


def _tame(text: str) -> str:
    trouble = trouble_with(text)
    if trouble is not None:
        raise wrong(trouble.name, **dict(trouble.values))
    return text


Regex = Annotated[
    str,
    StringConstraints(min_length=1),
    AfterValidator(_tame),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST}),
]


def _runnable(argv: tuple[str, ...]) -> tuple[str, ...]:
    if argv and (not argv[0].strip() or any("\0" in word for word in argv)):
        raise wrong("bad_argv")
    return argv


Argv = Annotated[tuple[Annotated[str, StringConstraints(max_length=65536)], ...], AfterValidator(_runnable)]
Commands = tuple[Annotated[Argv, Field(min_length=1)], ...]


def _setup(value: Any) -> Any:
    if isinstance(value, str) and value in SETUP_WORDS:
        return value
    if not isinstance(value, tuple) or not value or not all(map(_is_argv, value)):
        raise wrong("bad_setup")
    return tuple(_runnable(argv) for argv in value)


def _is_argv(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(word, str) for word in value)


Setup = Annotated[
    Literal["auto", "off"] | tuple[tuple[str, ...], ...],
    BeforeValidator(_setup),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"const": False},
                {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "anyOf": [
                            {"type": "string"},
                            {"type": "array", "minItems": 1, "items": {"type": "string"}},
                        ]
                    },
                },
            ]
        }
    ),
]


def _store_url(text: str) -> str:
    if text in ("user", "repo"):
        return text
    if text.startswith("sqlite:///"):
        path = text.removeprefix("sqlite:///")
        # a relative path would mean another file in every folder
        if path.strip("/") and path[0] != "~" and not {".", ".."} & set(path.split("/")):
            return text
    elif re.fullmatch(r"postgres(ql)?://\S+", text):
        return text
    raise wrong("bad_store_url")


StoreUrl = Annotated[Text, AfterValidator(_store_url)]


def _web_url(text: str) -> str:
    if re.fullmatch(r"https?://[^\s/]\S*", text):
        return text
    raise wrong("bad_url")


WebUrl = Annotated[Text, AfterValidator(_web_url)]


def _notify_url(text: str) -> str:
    """Only printable ASCII may stand in a request line: a space or line break would be a second request."""
    host = re.fullmatch(r"https?://([!-.0-~]+)([/?#][!-~]*)?", text)
    if host is None:
        raise wrong("notify_url")
    if "@" in host[1]:
        raise wrong("notify_login")
    try:
        parts = urlsplit(text)
        usable = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise wrong("notify_url")
    return text


NotifyUrl = Annotated[Text, AfterValidator(_notify_url)]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)]
