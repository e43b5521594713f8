"""Where a script decides by literals: `case`, and comparisons with what stands behind them."""

import json
import re
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.shellscript.scanning import Word

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?")
_GLOB = re.compile(r"[*?\[]")
_EQUAL = ("=", "==", "-eq")
_SAYS = ("echo", "printf", "return", "exit")
_BRACKETS = ("[", "[[", "test")
_MOST_WORDS = 200  # of one arm
_ENTRY = re.compile(r"\[([\w.-]{1,80})\]=([^\n]{1,400})")
_FORMATS = re.compile(r"\\n$|^%s(?:\\n)?$")


def literal(text: str) -> str:
    """Numbers as numbers: a shell has texts only."""
    return text if _NUMBER.fullmatch(text) else json.dumps(text)


def decisions(words: Sequence[Word]) -> Iterator[Branch]:
    found = (*_chosen(words), *_array(words))
    yield from found
    told = {answer for branch in found for answer in branch.answers}
    for line, number in _numbers_said(words):
        if number not in told:
            yield Branch(line, "", "compare", (), (number,))


def _array(words: Sequence[Word]) -> Iterator[Branch]:
    """`answers=([4]=9 [20]=12)`."""
    entries = [(word.line, entry) for word in words if word.plain and (entry := _ENTRY.fullmatch(word.text))]
    if entries:
        keys, answers = (tuple(literal(entry[n]) for _, entry in entries) for n in (1, 2))
        yield Branch(entries[0][0], "", "table", keys, answers, len(entries))


def _numbers_said(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    """Numbers that are printed as they are written, whatever that depends on."""
    for at, word in enumerate(words[:-1]):
        after = words[at + 2] if at + 2 < len(words) else None
        alone = after is None or after.operator
        number = literal(words[at + 1].text)
        if word.text == "echo" and not word.quoted and alone and words[at + 1].plain and number[:1] != '"':
            yield word.line, number


def _chosen(words: Sequence[Word]) -> Iterator[Branch]:
    for at, word in enumerate(words):
        if word.text == "case" and not word.quoted:
            yield from _cases(words, at)
        elif word.text in _BRACKETS and not word.quoted:
            yield from _compared(words, at)


def _cases(words: Sequence[Word], at: int) -> Iterator[Branch]:
    """`case "$1" in Ann) echo …;; esac`, one branch for each arm."""
    if at + 2 >= len(words) or words[at + 1].plain or words[at + 2].text != "in":
        return
    place, keys, answers, body = at + 3, list[str](), list[Word](), False
    while place < len(words) and not (words[place].text == "esac" and not words[place].quoted):
        word = words[place]
        if word.operator and word.text in (";;", ";&", ";;&"):
            yield from _branch(word.line, keys, answers)
            keys, answers, body = [], [], False
        elif not body and word.operator and word.text == ")":
            body = True
        elif body:
            answers.append(word)
        elif not word.operator and word.plain and (word.quoted or not _GLOB.search(word.text)):
            keys.append(literal(word.text))
        place += 1
    yield from _branch(words[min(place, len(words) - 1)].line, keys, answers)


def _compared(words: Sequence[Word], at: int) -> Iterator[Branch]:
    """`[ "$1" = Ann ]` and what follows until the next branch."""
    if at + 3 >= len(words) or words[at + 2].text not in _EQUAL:
        return
    sides = (words[at + 1], words[at + 3])
    plain = [side for side in sides if side.plain]
    if len(plain) != 1 or any(side.runs for side in sides):
        return
    body: list[Word] = []
    for word in words[at + 4 : at + 4 + _MOST_WORDS]:
        if not word.quoted and word.text in ("elif", "else", "fi", "case", "}"):
            break
        body.append(word)
    yield from _branch(words[at].line, [literal(plain[0].text)], body)


def _branch(line: int, keys: Sequence[str], body: Sequence[Word]) -> Iterator[Branch]:
    found = tuple(literal(text) for text in _said(body))
    if keys and found:
        yield Branch(body[0].line if body else line, "", "compare", tuple(keys), found)


def _said(body: Sequence[Word]) -> Iterator[str]:
    """What is printed or assigned as a literal."""
    saying: list[str] | None = None
    for word in (*body, Word("\n", 0, operator=True)):
        if word.operator:
            yield from _joined(saying)
            saying = None
        elif saying is not None:
            saying = [*saying, word.text] if word.plain and saying != ["$"] else ["$"]
        elif word.text in _SAYS:
            saying = []
        elif "=" in word.text and word.plain and re.match(r"[A-Za-z_]\w{0,60}=.", word.text):
            yield word.text.partition("=")[2]


def _joined(saying: Sequence[str] | None) -> Iterator[str]:
    parts = [
        part for part in saying or () if part not in ("-n", "-e", "-en") and not _FORMATS.fullmatch(part)
    ]
    if parts and saying != ["$"]:
        yield " ".join(_FORMATS.sub("", part) for part in parts)
