"""Commands named in prose: in backticks, tags, quotes of many kinds, and bare where the words leave no doubt.

Quotation marks other than backticks and tags hold many things; there only programs that we know count.
"""

import re
from collections import deque
from collections.abc import Iterator

from donewhen.commands.goals.bare import bare_commands
from donewhen.commands.goals.model import Mention, Part
from donewhen.commands.goals.recognise import is_file_name, is_known, is_lone_name, is_named, is_plausible
from donewhen.commands.goals.splitting import split_chain, without_prompt
from donewhen.core.lazy import lazy

_TICKS = lazy(r"`+")
_TAG = lazy(r"<(code|kbd|tt|samp)>([^<]{1,2000})</\1>", re.IGNORECASE)
_PAIRS = lazy(
    r"「([^「」\n]{1,500})」|『([^『』\n]{1,500})』|“([^“”\n]{1,500})”|‘([^‘’\n]{1,500})’|"
    r"«([^«»\n]{1,500})»|【([^【】\n]{1,500})】"
    r"|《([^《》\n]{1,500})》|\*\*([^*\n]{1,500})\*\*|(?<![\w=])\"([^\"\n]{1,500})\"(?!\w)|"
    r"(?<![\w=])'([^'\n]{1,500})'(?!\w)"
)
_LISTED = lazy(r"\s*(?:,|，|、|\band\b|\bthen\b|和|与)\s*")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'"}
_MAX_SPAN = 2000


def prose_mentions(text: str, start: int, end: int) -> list[Mention]:
    """Mentions in text[start:end], in order, none overlapping another."""
    found: list[Mention] = []
    rest = text[start:end]
    marked = list(_marked(rest))
    for one, two, inner in marked:
        mention = _quoted(start + one, start + two, inner, is_code=True)
        if mention:
            found.append(mention)
    rest = _blanked(rest, [(one, two) for one, two, _ in marked])
    for pair in _PAIRS.finditer(rest):
        inner = next(group for group in pair.groups() if group is not None)
        if "\x01" not in inner:
            mention = _quoted(start + pair.start(), start + pair.end(), inner, is_code=False)
            if mention and mention.known:
                found.append(mention)
    rest = _blanked(rest, [(m.start - start, m.end - start) for m in found])
    for one, two in bare_commands(rest):
        parts, _ = split_chain(rest[one:two])
        if parts:
            found.append(Mention(start + one, start + two, parts, known=True, quoted=False))
    return sorted(found)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for one, two in sorted(spans):
        if one >= at:
            pieces.append(text[at:one] + "\x01" * (two - one))
            at = two
    return "".join(pieces) + text[at:]


def _marked(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans in backticks (any number of them, closed by as many) and in code tags."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    closers: dict[int, deque[int]] = {}
    for i, (one, two) in enumerate(runs):
        closers.setdefault(two - one, deque()).append(i)
    at = 0
    while at < len(runs):
        one, two = runs[at]
        same = closers[two - one]
        while same and same[0] <= at:
            same.popleft()
        if same and runs[same[0]][0] - two <= _MAX_SPAN and "\n\n" not in text[two : runs[same[0]][0]]:
            yield one, runs[same[0]][1], text[two : runs[same[0]][0]]
            at = same[0]
        at += 1
    for tag in _TAG.finditer(text):
        yield tag.start(), tag.end(), re.sub(r"&(?:amp|lt|gt|quot|#39);", lambda e: _ENTITIES[e[0]], tag[2])


def _quoted(start: int, end: int, inner: str, *, is_code: bool) -> Mention | None:
    code = without_prompt(inner)
    parts, _ = split_chain(_one_line(code if code is not None else inner.strip()))
    parts = tuple(each for part in parts for each in _listed(part))
    if not parts or "`" in inner:
        return None
    if all(is_known(part.label) or (is_code and is_named(part.label)) for part in parts):
        return Mention(start, end, parts, known=True, quoted=True)
    if all(is_plausible(part.label) or is_lone_name(part.label) or is_known(part.label) for part in parts):
        return Mention(start, end, parts, known=False, quoted=True)
    return None


def _one_line(code: str) -> str:
    return re.sub(r"(?<![\\^`;&|])\n[ \t]*", " ", code)


def _listed(part: Part) -> tuple[Part, ...]:
    """`a b, c d` in one pair of quotes: several commands where each is one that we know."""
    words = _LISTED.split(part.label)
    if len(words) > 1 and all(is_known(word) and not is_file_name(word) for word in words):
        return tuple(Part(word, part.cwd) for word in words)
    return (part,)
