"""Attributes of Rust items, and whether a `cfg` lets the item take part in an ordinary `cargo test`."""

import re
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Grove, Twig

_TOKEN = re.compile(r'[\w:]+(?:\s*=\s*"[^"]*")?|[(),]')
_ON = frozenset(
    ("test", "unix", "debug_assertions", "doctest", "true", 'target_os="linux"', 'target_family="unix"',
    'panic="unwind"',
     'target_pointer_width="64"', 'target_arch="x86_64"', 'target_endian="little"', 'target_env="gnu"')
)  # fmt: skip
_RUNS = frozenset(
    ("rstest", "test_case", "quickcheck", "parameterized", "wasm_bindgen_test", "proptest", "gtest", "apply")
)


class Attribute(NamedTuple):
    name: str  # test, tokio::test, cfg
    inside: str  # between the brackets, "" where there are none
    text: str  # as it is written, normalised
    twig: Twig
    inner: bool  # `#![…]`: of what is around it


def attribute(grove: Grove, twig: Twig) -> Attribute:
    written = re.sub(r"\s+", " ", twig.text)
    found = re.match(
        r"#(!?)\s*\[\s*(?:unsafe\()?\s*([\w:]+)\s*(?:\((.*)\)|=\s*(.*))?\s*\]?", written, re.DOTALL
    )
    if found is None:
        return Attribute("", "", grove.normal(twig), twig, False)
    inside = found.group(3) if found.group(3) is not None else (found.group(4) or "").rstrip("] ")
    return Attribute(found.group(2), inside, grove.normal(twig), twig, bool(found.group(1)))


def is_test(attributes: list[Attribute]) -> bool:
    return any(
        one.name.rpartition("::")[2] == "test" or one.name.rpartition("::")[2] in _RUNS for one in attributes
    )


def taken_out(attributes: list[Attribute]) -> str:
    """What keeps an item from being compiled or run on a machine like this, with the usual features."""
    for one in attributes:
        if one.name == "ignore":
            return one.text
        if one.name == "cfg" and not holds(one.inside):
            return one.text
        if one.name == "cfg_attr":
            rule, _, rest = _split(one.inside)
            if re.search(r"\bignore\b", rest) and holds(rule):
                return one.text
    return ""


def _split(inside: str) -> tuple[str, str, str]:
    depth = 0
    for place, sign in enumerate(inside):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            return inside[:place], ",", inside[place + 1 :]
    return inside, "", ""


def holds(rule: str) -> bool:
    tokens = _TOKEN.findall(rule)[:300]

    def one(at: int, depth: int) -> tuple[bool, int]:
        if at >= len(tokens) or depth > 40:
            return False, len(tokens)
        word = tokens[at].replace(" ", "")
        if at + 1 < len(tokens) and tokens[at + 1] == "(" and word in ("any", "all", "not"):
            values, at = listed(at + 2, depth + 1)
            if word == "any":
                return any(values), at
            return (all(values) if word == "all" else not all(values)), at
        return word in _ON, at + 1

    def listed(at: int, depth: int) -> tuple[list[bool], int]:
        values: list[bool] = []
        while at < len(tokens) and tokens[at] != ")":
            if tokens[at] in (",", "("):
                at += 1
                continue
            value, at = one(at, depth)
            values.append(value)
        return values, at + 1

    return one(0, 0)[0]
