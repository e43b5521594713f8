"""Command text to its parts: chains split, prompts, redirections and display pipes taken off.

A small reader that respects quotes, no shell: it never expands and never judges what a command does.
"""

import re
from collections.abc import Iterator

from donewhen.commands.goals.model import Part
from donewhen.core.lazy import lazy

# What a terminal prints before the cursor.
_PROMPT = lazy(
    r"\s*(?:\((?:[\w.-]{1,40})\)\s*)?"
    r"(?:PS(?:\s+[A-Za-z]:[^>\n]{0,200}|\s+[/~][^>\n]{0,200})?>|[A-Za-z]:\\[^>\n]{0,200}>"
    r"|[\w.-]{1,40}@[\w.-]{1,60}(?::[^\s$#%]{0,200}|\s[^\s$#%]{1,200})?\s?[$#%]|~[^\s$#%]{0,200}\s?[$%❯]"
    r"|\$|%|❯|➜|>(?!>))(?:\s+|(?<=>)(?=\w))"
)
_CONTINUED = lazy(r"[ \t]*(?:\\|\^|(?<=\s)`)[ \t]*\n\s*(?:>\s+)?")
_OPERATOR = lazy(r"&&|\|\||\|&|[;；|\n&]|[→➜⇒›»⟶]|(?<=\s)(?:->|=>|-->|==>)(?=\s)")
_ARROW = lazy(r"[→➜⇒›»⟶]|[-=]{1,2}>")
_REDIRECT = lazy(
    r"\s*(?<![\w=])(?:\d|&)?(?:>>|>\||>&|<<<|>|<)\s*(?:&?\d(?!\w)|&-|\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|]+)"
)
_DISPLAY = frozenset(
    "tee tail head cat less more bat grep egrep rg sed awk column nl ts tap-spec tap-dot pino-pretty "
    "xcpretty xcbeautify out-host out-file tee-object select-object select-string findstr out-string".split()
)
_CD = lazy(r"\(?\s*(?:cd|pushd|Set-Location)\s+(?:/d\s+|--\s+)?(\"[^\"\n]+\"|'[^'\n]+'|[^\s;&|]+)\s*$")
# Changes the shell, checks nothing.
_SETTING = lazy(r"set\s+[-+][A-Za-z]+(?:\s+\w+)*$|export\s+[A-Za-z_]\w*=\S*$|(?:source|\.)\s+\S*activate$")
_COMMENT = lazy(r"(?:^|\s)#(?:\s.*|$)")
_FAILS_ANYWAY = lazy(r"(?:exit(?:\s+[1-9]\d*|\s+\$\?)?|false)\s*$")
_GLUE = {"&&", ";", "；", "\n", "&"}


def without_prompt(line: str) -> str | None:
    """What stands behind a prompt; None when the line has none."""
    found = _PROMPT.match(line)
    return line[found.end() :] if found and found.end() < len(line) else None


def joined_lines(text: str) -> str:
    """Continued lines as one, with a single space."""
    return _CONTINUED.sub(" ", text)


def split_chain(text: str, cwd: str = "") -> tuple[tuple[Part, ...], str]:
    """The commands of `text` and the folder that it ends in."""
    parts: list[Part] = []
    for piece in _pieces(joined_lines(text)):
        folder = _CD.match(piece)
        if folder:
            cwd = _moved(cwd, folder[1].strip("\"'"))
            continue
        label = _bare(piece)
        if label and not _SETTING.match(label):
            parts.append(Part(label, cwd))
    return tuple(parts), cwd


def _moved(cwd: str, folder: str) -> str:
    if folder.startswith(("/", "~", "$", "..")) or not cwd:
        return folder.removeprefix("./").rstrip("/") or folder
    return f"{cwd}/{folder.removeprefix('./').rstrip('/')}"


def _bare(piece: str) -> str:
    piece = piece.strip()
    if not _quotes(piece):
        piece = _REDIRECT.sub("", piece)
        piece = _COMMENT.sub("", piece)
    else:
        piece = _outside_quotes(piece)
    piece = _ungrouped(piece)
    return piece if _quotes(piece) else " ".join(piece.split())


def _ungrouped(piece: str) -> str:
    """Without the brackets of a sub-shell; those of a substitution belong to the command."""
    piece = piece.lstrip("( \t").rstrip()
    extra = piece.count(")") - piece.count("(")
    while extra > 0 and piece.endswith(")"):
        piece, extra = piece[:-1].rstrip(), extra - 1
    return piece


def _quotes(text: str) -> bool:
    return '"' in text or "'" in text


def _outside_quotes(piece: str) -> str:
    """Redirections go where no quote is open."""
    spans = list(_quoted_spans(piece))
    cut = next((f.start() for f in _COMMENT.finditer(piece) if not _inside(f.end() - 1, spans)), len(piece))
    kept, at = "", 0
    for found in _REDIRECT.finditer(piece, 0, cut):
        if not _inside(found.end() - len(found[0].lstrip()), spans):
            kept, at = kept + piece[at : found.start()], found.end()
    return kept + piece[at:cut]


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < at < end for start, end in spans)


def _quoted_spans(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char in "\"'":
            end = text.find(char, at + 1)
            if end < 0:
                return
            yield at, end + 1
            at = end
        at += 1


def _pieces(text: str) -> Iterator[str]:
    """Between the operators that join commands; display pipes and `|| exit` end a piece and go."""
    spans = list(_quoted_spans(text))
    start, quiet, span = 0, False, 0
    for found in _OPERATOR.finditer(text):
        at = found.start()
        while span < len(spans) and spans[span][1] <= at:
            span += 1
        if (span < len(spans) and spans[span][0] < at) or _part_of_redirect(text, found):
            continue
        sort = _joint(text, found)
        if sort == "part of the command":
            continue
        if not quiet:
            yield text[start:at]
        start, quiet = found.end(), sort == "drops the rest"
    if not quiet:
        yield text[start:]


def _part_of_redirect(text: str, found: re.Match[str]) -> bool:
    at, end = found.span()
    return (found[0] == "&" and (text[at - 1 : at] in (">", "<") or text[end : end + 1] == ">")) or (
        found[0] == "|" and text[at - 1 : at] == ">"
    )


def _joint(text: str, found: re.Match[str]) -> str:
    operator = found[0]
    if operator in _GLUE or _ARROW.fullmatch(operator):
        return "next"
    rest = text[found.end() : found.end() + 200].lstrip()
    if operator == "||":
        return "drops the rest" if _FAILS_ANYWAY.match(rest) else "part of the command"
    word = re.match(r"[\w.-]+", rest)
    return "drops the rest" if word and word[0].lower() in _DISPLAY else "part of the command"
