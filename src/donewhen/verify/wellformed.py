"""What the harness can confirm by itself: a file that parses, or, of other kinds, one that is not empty."""

import json
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import NoReturn

_MOST = 4 << 20  # characters; a larger file is left to be read back


def well_formed(path: str, text: str) -> bool:
    """Whether the file needs no reading back."""
    if not text.strip():
        return False
    read = _READERS.get(PurePosixPath(path).suffix.lower())
    try:
        if read is not None and len(text) <= _MOST:
            read(text)
    except (ValueError, RecursionError):
        return False
    return read is None or len(text) <= _MOST


def _refuse(*_: object) -> NoReturn:
    raise ValueError


def _json(text: str) -> None:
    json.loads(text, parse_constant=_refuse)  # NaN and Infinity are Python's, not JSON's


def _yaml(text: str) -> None:
    import yaml

    try:
        for _ in yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass  # nodes only: an alias is looked up, not expanded
    except yaml.YAMLError:
        _refuse()


def _xml(text: str) -> None:
    from xml.parsers import expat

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(text.encode(errors="replace"), True)
    except expat.ExpatError:
        _refuse()


_READERS: dict[str, Callable[[str], object]] = {
    ".json": _json,
    ".toml": tomllib.loads,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".xml": _xml,
}
