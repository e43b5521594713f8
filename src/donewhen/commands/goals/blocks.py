"""A goal as blocks: headings, paragraphs, list items, table rows, code. Lines only; no meaning.

Unclosed fences end with the text. Markdown is read as people write it, not as a standard has it.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from donewhen.commands.goals.recognise import is_known
from donewhen.commands.goals.splitting import without_prompt
from donewhen.core.lazy import lazy

Kind = Literal["heading", "paragraph", "item", "row", "code"]
_FENCE = lazy(r"[ \t]*(?:[-*+]\s+)?(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_HEADING = lazy(r"[ \t]{0,3}(#{1,6})[ \t]+(\S.*)$")
_BOLD_HEADING = lazy(r"[ \t]*(?:\*\*|__)([^*_`\n]{1,80})(?:\*\*|__)[ \t]*[:：]?[ \t]*$")
_ITEM = lazy(
    r"([ \t]*)(?:[-*+•·●○▪◦‣–—][ \t]+|(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4}|"
    r"[一二三四五六七八九十]{1,3})[.)）、．][ \t]*(?=\S)"
    r"|[(（](?:\d{1,3}|[a-z一二三四五六七八九十])[)）][ \t]*|[①②③④⑤⑥⑦⑧⑨⑩][ \t]*|(?:✅|☑️?|☐|✔️?|🔲|⬜)[ \t]*)"
    r"(?:\[[ xX✓]?\][ \t]*)?"
)
_RULE = lazy(r"[ \t|:+=-]{3,}$|[ \t]*[*_=]{3,}[ \t]*$")
_PRE_OPEN = lazy(r"<pre[^>\n]{0,200}>(?:\s*<code[^>\n]{0,200}>)?", re.IGNORECASE)
_PRE_CLOSE = lazy(r"(?:</code>\s*)?</pre>", re.IGNORECASE)
_LONG_LINE = 4000
_PROMPTED = lazy(r"[ \t]*[$%>❯➜(~PA-Za-z]")
_SHELLS = frozenset(
    "sh bash shell zsh console terminal shell-session shellsession text txt plain powershell "
    "pwsh ps1 cmd bat batch fish "
    "command commands".split()
)
_DATA = frozenset("json json5 jsonc yaml yml toml".split())


class Block(NamedTuple):
    kind: Kind
    start: int
    end: int
    indent: int = 0
    level: int = 0  # of a heading
    shell: bool = True  # code: may hold commands
    data: bool = False  # code: texts in JSON, YAML, TOML


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blocks(text: str) -> list[Block]:
    lines = list(_lines(text))
    found: list[Block] = []
    at = 0
    while at < len(lines):
        at = _one(lines, at, found)
    return found


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, line)
        start += len(line) + 1


def _one(lines: list[_Line], at: int, found: list[Block]) -> int:
    """Read what starts at line `at`; the number of the next unread line."""
    line = lines[at]
    if not line.text.strip() or (_RULE.match(line.text) and "`" not in line.text):
        return at + 1
    fence = _FENCE.match(line.text)
    if fence:
        return _fenced(lines, at, fence, found)
    opened = _PRE_OPEN.search(line.text) if "<" in line.text else None
    if opened:
        return _preformatted(lines, at, opened, found)
    heading = _HEADING.match(line.text)
    if heading and not is_known(heading[2]):
        found.append(Block("heading", line.start, line.end, level=len(heading[1])))
        return at + 1
    if _BOLD_HEADING.match(line.text) and not is_known(line.text.strip(" *_:：")):
        found.append(Block("heading", line.start, line.end, level=7))
        return at + 1
    return _lined(lines, at, found)


def _lined(lines: list[_Line], at: int, found: list[Block]) -> int:
    line = lines[at]
    if _is_prompted(line.text):
        return _prompted(lines, at, found)
    if _is_indented_command(line.text) and (
        at == 0 or not lines[at - 1].text.strip() or _ends_open(lines[at - 1])
    ):
        end = at
        while end + 1 < len(lines) and _is_indented_command(lines[end + 1].text):
            end += 1
        found.append(Block("code", line.start, lines[end].end))
        return end + 1
    if line.text.lstrip().startswith("|") and line.text.count("|") >= 2:
        found.append(Block("row", line.start, line.end))
        return at + 1
    item = _ITEM.match(line.text)
    if item and item.end() < len(line.text):
        indent = len(item[1].expandtabs(4))
        end = _continued(lines, at, indent)
        found.append(Block("item", line.start + item.end(), lines[end].end, indent=indent))
        return end + 1
    end = at
    while end + 1 < len(lines) and not _starts_block(lines[end + 1].text):
        end += 1
    found.append(Block("paragraph", line.start, lines[end].end))
    return end + 1


def _ends_open(line: _Line) -> bool:
    return line.text.rstrip().endswith((":", "："))


def _is_prompted(line: str) -> bool:
    if len(line) > _LONG_LINE or not _PROMPTED.match(line):
        return False
    bare = without_prompt(line)
    if bare is None:
        return False
    if line.lstrip().startswith(">"):  # also a quotation
        return is_known(bare)
    return True


def _is_indented_command(line: str) -> bool:
    return (
        line.startswith(("    ", "\t", "  "))
        and not _ITEM.match(line)
        and "`" not in line
        and _is_only_command(line)
    )


def _is_only_command(line: str) -> bool:
    text = line.strip()
    return is_known(text) and not re.search(
        r"[.。:：!?，。]$|[\u4e00-\u9fff]|\b(?:must|should|passes|and)\b", text
    )


def _starts_block(line: str) -> bool:
    if len(line) < 3:
        return not line.strip()
    if not line.strip() or _FENCE.match(line) or _HEADING.match(line) or _is_prompted(line):
        return True
    if (
        line.lstrip().startswith("|")
        or _BOLD_HEADING.match(line)
        or (line[:1] in " \t" and _is_indented_command(line))
    ):
        return True
    item = _ITEM.match(line)
    return bool(item and item.end() < len(line)) or ("<pre" in line.lower())


def _continued(lines: list[_Line], at: int, indent: int) -> int:
    """The last line of an item: what is indented deeper and starts nothing of its own."""
    end = at
    while end + 1 < len(lines):
        line = lines[end + 1].text
        inner = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if inner <= indent or _starts_block(line):
            break
        end += 1
    return end


def _fenced(lines: list[_Line], at: int, fence: re.Match[str], found: list[Block]) -> int:
    mark, info = fence[1], fence[2].strip().lower()
    end = at + 1
    while end < len(lines):
        text = lines[end].text.strip()
        if text.startswith(mark) and not text.strip(mark[0]):
            break
        end += 1
    language = re.split(r"[\s{:,]", info, maxsplit=1)[0]
    if end > at + 1:
        shell = not language or language in _SHELLS
        block = Block("code", lines[at + 1].start, lines[end - 1].end, shell=shell, data=language in _DATA)
        found.append(block)
    return end + 1


def _preformatted(lines: list[_Line], at: int, opened: re.Match[str], found: list[Block]) -> int:
    start = lines[at].start + opened.end()
    if lines[at].text[: opened.start()].strip():
        found.append(Block("paragraph", lines[at].start, lines[at].start + opened.start()))
    for end in range(at, len(lines)):
        closed = _PRE_CLOSE.search(lines[end].text, opened.end() if end == at else 0)
        if closed:
            found.append(Block("code", start, lines[end].start + closed.start()))
            if lines[end].text[closed.end() :].strip():
                found.append(Block("paragraph", lines[end].start + closed.end(), lines[end].end))
            return end + 1
    found.append(Block("code", start, lines[-1].end))
    return len(lines)


def _prompted(lines: list[_Line], at: int, found: list[Block]) -> int:
    end = at
    while end + 1 < len(lines):
        follows = lines[end + 1].text
        if not (_is_prompted(follows) or lines[end].text.rstrip().endswith("\\")):
            break
        end += 1
    found.append(Block("code", lines[at].start, lines[end].end))
    return end + 1
