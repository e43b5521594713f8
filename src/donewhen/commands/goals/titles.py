"""Titles that need no colon to announce the exam: "## Checks", "**Gate**", "【验证方式】", "DONE".

Only a title that says nothing else is one. What stands under it is judged by `frames`.
"""

import re
from functools import lru_cache

from donewhen.commands.goals.needed import looked_row
from donewhen.core.lazy import lazy

_ENGLISH = looked_row("title_english")
_CHINESE = looked_row("title_chinese")
_EDGE = " \t#*_:：=-—–[]【】()（）<>《》「」.、。|!✅☑✔🚦🧪🎯🔒📋️"
_NUMBER = lazy(r"(?:\d{1,2}|[一二三四五六七八九十])[.)、．]\s*")


@lru_cache(maxsize=512)
def is_title(text: str) -> bool:
    """`text`: lower case."""
    if len(text) > 80:
        return False
    bare = _NUMBER.sub("", text.strip(_EDGE), count=1).strip(_EDGE)
    bare = re.sub(r"\s*[(（][^()（）]{0,40}[)）]$", "", bare)
    return bool(_ENGLISH.fullmatch(bare) or _CHINESE.fullmatch(bare))
