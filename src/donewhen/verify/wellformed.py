"""What the harness can confirm by itself: a file that parses, or, of other kinds, one that is not empty."""

import json
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath

_MOST = 4 << 20  # characters; a larger file is left to be read back


class _Refused(Exception):
    pass


def well_formed(path: str, text: str) -> bool:
    """Whether the file needs no reading back."""
    if not text.strip():
        return False
    read = _READERS.get(PurePosixPath(path).suffix.lower())
    if read is None:
        return True
    try:
        if len(text) > _MOST:
            return False
        read(text)
    except (ValueError, RecursionError, _Refused):
        return False
    return True


def _json(text: str) -> None:
    def refuse(constant: str) -> None:
        raise _Refused

    json.loads(text, parse_constant=refuse)  # NaN and Infinity are Python's, not JSON's


def _yaml(text: str) -> None:
    import yaml

    try:
        for _ in yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass  # nodes only: an alias is looked up, not expanded
    except yaml.YAMLError as error:
        raise _Refused from error


def _xml(text: str) -> None:
    from xml.parsers import expat

    def refuse(*_: object) -> None:
        raise _Refused

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode(errors="replace"), True)
    except expat.ExpatError as error:
        raise _Refused from error


_READERS: dict[str, Callable[[str], object]] = {
    ".json": _json,
    ".toml": tomllib.loads,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".xml": _xml,
}
