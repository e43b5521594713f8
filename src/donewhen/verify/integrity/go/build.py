"""Build constraints: whether a Go file takes part in an ordinary `go test`.

Judged for this kind of machine with no tags given: a tag of one's own is off, and so is another system. A
file that is not compiled here is never run here, whatever other machines do.
"""

import re

from donewhen.verify.integrity.curly.grove import Comment

_LINE = re.compile(r"//\s*(go:build|\+build)\s+(.+)")
_TOKEN = re.compile(r"\|\||&&|!|\(|\)|[\w.]+")
_ON = frozenset(("linux", "unix", "amd64", "gc", "cgo"))
_DEEPEST = 40


def taken_out(comments: list[Comment], package: int) -> str:
    """The constraint that keeps the file out; `package`: where the package clause stands."""
    for comment in comments:
        found = _LINE.match(comment.text) if comment.start < package else None
        if found is None:
            continue
        text = found.group(2).strip()
        rule = text if found.group(1) == "go:build" else _old(text)
        if not _holds(rule):
            return f"//{found.group(1)} {text}"
    return ""


def _old(text: str) -> str:
    """`a,b c` of `+build` as `(a && b) || (c)`."""
    return " || ".join("(" + " && ".join(option.split(",")) + ")" for option in text.split())


def _holds(rule: str) -> bool:
    tokens = _TOKEN.findall(rule)[:200]

    def either(at: int, depth: int) -> tuple[bool, int]:
        value, at = both(at, depth)
        while at < len(tokens) and tokens[at] == "||":
            other, at = both(at + 1, depth)
            value = value or other
        return value, at

    def both(at: int, depth: int) -> tuple[bool, int]:
        value, at = single(at, depth)
        while at < len(tokens) and tokens[at] == "&&":
            other, at = single(at + 1, depth)
            value = value and other
        return value, at

    def single(at: int, depth: int) -> tuple[bool, int]:
        if at >= len(tokens) or depth > _DEEPEST:
            return False, len(tokens)
        if tokens[at] == "!":
            value, at = single(at + 1, depth + 1)
            return not value, at
        if tokens[at] == "(":
            value, at = either(at + 1, depth + 1)
            return value, at + 1
        return tokens[at] in _ON or tokens[at].startswith("go1."), at + 1

    return either(0, 0)[0]
