"""Files that are complete when they are empty: the goal says so of them, or everybody knows them as markers.

Only words right beside the path count: "an empty list in docs/lists.md" says nothing about the file, and
"must not be empty" says the opposite.
"""

import re

from donewhen.commands.goals.needed import looked

_MARKERS = frozenset(("__init__.py", "__init__.pyi", "py.typed", ".gitkeep", ".keep", ".nojekyll"))
_QUOTES = r"[\s`\"'“”‘’「」『』*_(:：]*"
_BEFORE = looked(
    r"(?<![\w-])(?:(?P<one>an?|one|another|the)\s+)?(?:new\s+)?(?:empty|blank|zero-byte|zero-length)\s+"
    r"(?:(?:marker|placeholder|init|package|python|text|config|configuration|stub|module|file|new|called|named|"
    r"at|in|(?P<many>files|markers|placeholders|modules))\s+){0,5}" + _QUOTES + "$",
    re.IGNORECASE,
)
_BEFORE_ZH = looked(
    r"(?<!非)(?<!不)空(?:的|白的?)?\s*(?:标记|占位|配置|文本)?(?:文件|模块|包|标记)?(?:名为|叫做?|[、,:：])?"
    + _QUOTES
    + "$"
)
_AFTER = looked(
    r"[`\"'“”‘’「」『』*_]*\s*(?:"
    r"\(\s*(?:(?:an?|may be|can be|left|stays|intentionally|deliberately)\s+){0,2}(?:empty|blank)\b"
    r"|,?\s*(?:(?:which|that|it|both|all)\s+)?(?:(?:is|are|stays?|remains?|may be|can be|should be|must be|"
    r"shall be|to be)\s+)(?:(?:left|kept|both|all|intentionally|deliberately)\s+){0,2}(?:empty|blank)\b"
    r"|,?\s*(?:\w+\s+){0,2}as an empty\b"
    r"|(?:文件)?[,，]?\s*(?:[(（]\s*)?(?:可以|应该?|要|保持|内容|都|均|是|必须){0,3}(?:为空|空的|空文件|空白|留空|空[)）]))",
    re.IGNORECASE,
)
_LONGEST = 80  # characters on either side


class Empties:
    """Which of the paths of one sentence may be empty, asked in their order."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._spread = False  # the word before the last path holds for those that follow it in a list

    def may_be(self, path: str, at: int, end: int, *, joined: bool) -> bool:
        """`joined`: nothing but an "and" stands between this path and the one before it."""
        before = self._text[max(self._start, at - _LONGEST) : at]
        word = _BEFORE.search(before)
        said = bool(word) or bool(_BEFORE_ZH.search(before))
        inherited = joined and self._spread and not said
        single = word is not None and bool(word["one"]) and not word["many"]
        self._spread = inherited or (said and not single)
        after = _AFTER.match(self._text, end, min(self._end, end + _LONGEST))
        return said or inherited or bool(after) or path.rpartition("/")[2] in _MARKERS
