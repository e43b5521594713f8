"""Languages without a reader of their own: literal texts, judged by the name that they are handed to.

`File.rm_rf!("/x")`, `(delete-file "/x")`, `file:delete("/x")`, `File("/x").deleteRecursively()`: what all of
them share is a verb next to a text. It finds what is written plainly and proves nothing.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from donewhen.guard.effects import Deletes, Reads, Reveals, Writes
from donewhen.guard.marks import certain
from donewhen.guard.programs.code.scene import ADDRESS, Scene, shell, words
from donewhen.guard.programs.code.tokens import unescape
from donewhen.guard.programs.code.values import secret_name

_TEXT = re.compile(r""""((?:[^"\\\n]|\\.){1,400})"|'([^'"\n`]{2,400})'""")
_BEFORE = re.compile(r"([A-Za-z_][\w.:/!?*-]{0,80})[\s(\[{~@$&]{0,8}[a-z]?$")
_AFTER = re.compile(r"[\s)\]]{0,4}[.:|>]{1,2}\s{0,4}([A-Za-z_]\w{0,60})")
_BETWEEN = re.compile(r"[\s,\[\];]{1,8}$")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LIVE = re.compile(r"`([^`\n]{2,1000})`")
_BANG = re.compile(r"(?:^|[;\n])\s{0,20}!([^\n]{2,1000})")
_WHOLE = re.compile(
    r"\b(?:get_?env|getenv|environment|getEnvironment)\s{0,3}\(\s{0,3}\)|\((?:ENV|environ)\)", re.IGNORECASE
)
_VERBS = {
    piece: deed
    for deed, pieces in {
        "run": "system shell cmd command execute exec spawn popen process sh proc",
        "delete": "delete remove rm rmdir unlink erase rmtree del trash",
        "write": "write spit save output create touch mkdir append truncate rename move symlink",
        "env": "env getenv environment",
    }.items()
    for piece in pieces.split()
}
_FEW = 200  # literal texts of one code
_BACKQUOTED = frozenset(("crystal", "gnuplot", "julia"))  # elsewhere it is a name or a quotation
_BANGED = frozenset(("gnuplot", "octave"))


class _Given(NamedTuple):
    texts: tuple[str, ...]  # of one list
    verbs: frozenset[str]


def loose(text: str, scene: Scene, lists: bool = True) -> None:
    """Adds to the scene what the code plainly says; `lists`: also programs that are given word by word."""
    for given in _texts(text):
        if "run" in given.verbs:
            _run(given.texts, scene, lists)
        for one in given.texts:
            _judge(one, given.verbs, scene)
    if scene.by in _BACKQUOTED:
        for found in _LIVE.finditer(text):
            shell(scene, found[1])
    if scene.by in _BANGED:
        for found in _BANG.finditer(text):
            shell(scene, found[1])
    if _WHOLE.search(text):
        scene.add(Reveals("environment"))


def _texts(text: str) -> Iterator[_Given]:
    """Literal texts with the verbs beside them; those of one list belong together."""
    end, verbs = -1, frozenset[str]()
    texts: list[str] = []
    for found in islice(_TEXT.finditer(text), _FEW):
        if end < 0 or not _BETWEEN.fullmatch(text[end : found.start()]):
            if texts:
                yield _Given(tuple(texts), verbs)
            before = _BEFORE.search(text[max(0, found.start() - 100) : found.start()])
            verbs = _verbs(before[1]) if before is not None else frozenset()
            texts = []
        after = _AFTER.match(text, found.end())
        verbs |= _verbs(after[1]) if after is not None else frozenset()
        end = found.end()
        texts.append(unescape(found[1]) if found[1] is not None else found[2])
    if texts:
        yield _Given(tuple(texts), verbs)


def _run(texts: tuple[str, ...], scene: Scene, lists: bool) -> None:
    if len(texts) == 1 or " " in texts[0]:
        if lists or " " in texts[0]:
            shell(scene, texts[0])
    elif lists:
        words(scene, texts)


def _verbs(name: str) -> frozenset[str]:
    return frozenset(_VERBS[piece.lower()] for piece in _PIECES.findall(name) if piece.lower() in _VERBS)


def _judge(text: str, verbs: frozenset[str], scene: Scene) -> None:
    if "env" in verbs and secret_name(text):
        scene.add(Reveals("variable", text))
    if not certain(text) or text.startswith(ADDRESS) or (" " in text and "/" not in text):
        return
    path = scene.call.at(text)
    if "delete" in verbs:
        scene.add(Deletes(path, deep=True))
    elif "write" in verbs:
        scene.add(Writes(path))
    else:
        scene.add(Reads(path))
