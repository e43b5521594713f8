"""Words out of their parts: what is written, and whether any expansion could still change it.

Both readers of bash text build their words here, so that they can't disagree. Nothing is expanded: a word
that a glob, brace, tilde, variable or substitution could change is only marked as not known.
"""

import re
from collections.abc import Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Part, Simple, Text, Variable, Word

NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=")
_NAMED = lazy(r"[A-Za-z0-9_]+|[?$!@*#-]")
_LIVE = frozenset("*?[{~(")
_UNQUOTED = lazy(r"\\(.?)", re.DOTALL)
_DOUBLE = lazy(r'\\([$`"\\\n])')
_DOCUMENT = lazy(r"\\([$`\\\n])")
_ANSI = lazy(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ANSI_NAMED = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))


def make_word(parts: Sequence[Part], source: str, assigned: bool = False) -> Word:
    """One word of `parts`; `source` is how it was written, `assigned` says it is the value of a variable."""
    merged = merged_parts(parts)
    texts = [part for part in merged if isinstance(part, Text)]
    if len(texts) != len(merged) or _live(texts, assigned):
        return Word(source, False, tuple(merged))
    return Word("".join(part.text for part in texts))


def fed_word(parts: Sequence[Part], source: str) -> Word:
    """What a here-document or here-string feeds: globs, braces and tildes stay as they are in it."""
    merged = merged_parts(parts)
    if all(isinstance(part, Text) for part in merged):
        return Word("".join(part.text for part in merged if isinstance(part, Text)))
    return Word(source, False, tuple(merged))


def merged_parts(parts: Sequence[Part]) -> list[Part]:
    """The parts, neighbouring texts of one kind joined."""
    merged: list[Part] = []
    texts: list[str] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, Text) and isinstance(last, Text) and last.quoted == part.quoted:
            texts.append(part.text)
            continue
        _close(merged, texts)
        texts = [part.text] if isinstance(part, Text) else []
        merged.append(part)
    _close(merged, texts)
    return merged


def _close(merged: list[Part], texts: list[str]) -> None:
    if len(texts) > 1 and isinstance(merged[-1], Text):
        merged[-1] = Text("".join(texts), merged[-1].quoted)


def _live(texts: Sequence[Text], assigned: bool) -> bool:
    """Can a glob, a brace or a tilde change it? Quoted text counts as one harmless character."""
    bare = "".join("\0" if part.quoted else part.text for part in texts)
    if _LIVE.isdisjoint(bare):
        return False
    if "*" in bare or "?" in bare or "(" in bare or bare.startswith("~"):
        return True
    bracket, brace = bare.find("["), bare.find("{")
    if bracket >= 0 and "]" in bare[bracket + 1 :]:
        return True
    inside = bare[brace : bare.rfind("}") + 1] if brace >= 0 else ""
    if "," in inside or ".." in inside:
        return True
    name = NAME.match(bare)
    value = bare if assigned else bare[name.end() :] if name else ""
    return value.startswith("~") or ":~" in value


def unquoted(text: str) -> list[Part]:
    """The parts of text outside quotes; what a backslash protects is quoted."""
    if "\\" not in text:
        return [Text(text)]
    parts: list[Part] = []
    end = 0
    for found in _UNQUOTED.finditer(text):
        if found.start() > end:
            parts.append(Text(text[end : found.start()]))
        if found[1] != "\n":
            parts.append(Text(found[1] or "\\", True))
        end = found.end()
    if end < len(text):
        parts.append(Text(text[end:]))
    return parts


def double_quoted(text: str) -> str:
    return _DOUBLE.sub(_bare, text) if "\\" in text else text


def in_document(text: str) -> str:
    return _DOCUMENT.sub(_bare, text) if "\\" in text else text


def _bare(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def ansi(text: str) -> str:
    """The value of `$'text'`; like bash it ends at a zero byte."""
    raw = _ANSI.sub(lambda m: _escaped(m).decode("latin-1"), text.encode("utf-8").decode("latin-1"))
    return raw.partition("\0")[0].encode("latin-1").decode("utf-8", "replace")


def _escaped(found: re.Match[str]) -> bytes:
    byte, short, long, octal, control, other = found.groups()
    if byte or octal:
        return bytes([int(byte, 16) if byte else int(octal, 8) & 0xFF])
    if short or long:
        point = int(short or long, 16)
        return (chr(point) if point < 0xD800 or 0xDFFF < point < 0x110000 else "\ufffd").encode()
    if control:
        return bytes([ord(control.upper()) & 0x1F])
    return (_ANSI_NAMED.get(other) or f"\\{other}").encode("latin-1")


def splits(word: Word) -> bool:
    """May it become no word, or several? Known words and quoted expansions stay one."""
    if word.known:
        return False
    for part in word.parts:
        if isinstance(part, Text):
            if not part.quoted and not _LIVE.isdisjoint(part.text):
                return True
        elif not part.quoted or (isinstance(part, Variable) and ("@" in part.name or part.key is not None)):
            return True
    return not word.parts


def prefix(word: Word) -> str:
    """The characters that it surely begins with."""
    if word.known:
        return word.text
    first = word.parts[0] if word.parts else None
    return first.text if isinstance(first, Text) else ""


def rendered(word: Word) -> str:
    """Its value with the variables still in it: what a shell would read if they were set there."""
    if word.known:
        return word.text
    return "".join(_rendered(part) for part in word.parts)


def _rendered(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Variable) and not part.operator and _NAMED.fullmatch(part.name):
        return "${" + part.name + "}"
    return "${_}"


def simples(node: object) -> list[Simple]:
    """Simple commands anywhere in a tree, also in substitutions and functions, in order of appearance.

    A wrapper that only passes on what it runs gives way to that.
    """
    found: list[Simple] = []
    stack = [node]
    while stack:
        each = stack.pop()
        if not isinstance(each, tuple):
            continue
        if isinstance(each, Simple) and each.words and not _passes_on(each):
            found.append(each)
        stack.extend(reversed(each))
    return found


def _passes_on(node: Simple) -> bool:
    return bool(node.inner) and all(
        inner.keeps_status and not inner.elsewhere and inner.script is not None for inner in node.inner
    )
