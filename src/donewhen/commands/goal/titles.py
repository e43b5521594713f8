"""Titles that need no colon to announce the exam: "## Checks", "**Gate**", "【验证方式】", "DONE".

Only a title that says nothing else is one. What stands under it is judged by `frames`.
"""

import re
from functools import lru_cache

from donewhen.commands.goal.needed import looked
from donewhen.core.lazy import lazy

# Enough alone; in front of a thing; and the things.
_NAMES = (
    r"acceptance|accept|verification|validation|verify|validate|proof|evidence|exam|required|mandatory|"
    r"must[- ]pass|done|ci|checks?|check ?list|gates?|tests?|criteria|finish line|quality bar|finish"
)
_KINDS = (
    r"acceptance|verification|validation|proof|quality|final|required|mandatory|must[- ]pass|pre-?merge|"
    r"pre-?commit|pre-?flight|merge|release|exit|done|success|completion|finish|ci|stop|sanity|hard|local|"
    r"automated|build|smoke|test|exam"
)
_THINGS = (
    r"checks?|check ?list|gates?|commands?|steps?|tests?|criteria|criterion|conditions?|suite|list|"
    r"requirements?|sequence|line|bar|proof|verification|validation|runs?"
)
_ENGLISH = looked(
    rf"(?:the |my |our |your )?(?:(?:{_NAMES})|(?:{_KINDS})(?: (?:{_KINDS}))? (?:{_THINGS})|"
    r"(?:how|what|commands) to (?:verify|check|validate|test|prove|run before \w+)(?: it| this| the \w+|"
    r" your \w+)?|"
    r"how (?:i|we|it)(?:'ll| will| shall| is| gets)? (?:be )?(?:verif|check|validat|test|accept|"
    r"judg)\w*(?: it| this| your work)?|"
    r"to (?:pass|verify|finish|be done|check|merge)|done when|when done|when finished|when is it done|"
    r"finish line|"
    r"(?:test|testing|verification|validation|qa) ?plan|testing|definition of done|dod|"
    r"before (?:you )?(?:finish\w*|"
    r"submit\w*|merg\w*|done|commit\w*|the pr|hand\w*(?: \w+)?)|must (?:all )?pass|must be green|"
    r"all green|green|"
    r"ready when|stop when|finished when|complete when|what must pass|needs to pass|has to pass)"
)
_CHINESE = looked(
    r"(?:最终|最后的?|必须的?|必要的?|交付|完成|验收|质量|提交|合并|发布|自动化?|本地|如何|怎么|怎样)*"
    r"(?:验收|验证|检查|测试|自检|门禁|质检|校验|完成|通过|必须|必过|必跑|考核|收尾|交付|验收测试|ci)"
    r"(?:的|用)?(?:方式|方法|步骤|命令|流程|清单|标准|条件|项目?|列表|要求|计划|环节|手段|关卡|门禁|定义|"
    r"标志|前必跑|前|时)*"
)
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
