"""Sentences that name no command but mean those named before: "both must exit 0", "以上全部通过".

A reference lifts the nearest commands that were only mentioned. What was forbidden, waived or optional by its
own words stays so.
"""

import re

from donewhen.commands.goal.clean import SLOT
from donewhen.commands.goal.frames import has_marker, is_question
from donewhen.commands.goal.needed import looked

_WHO = looked(
    r"\b(?:both|all(?: (?:of )?(?:them|these|those|the above|this|that|commands?|checks?|steps?|"
    r"two|three|four|five|six))?|these|those|they|them|each(?: of)?|steps \d|every(?: one| command| check| "
    r"step|thing above|thing (?:must|has to|needs to|should|shall) (?:pass|succeed|exit|be (?:green|clean)))?"
    r"|the (?:two|three|four|five|six|commands?|above|checks)|the above|(?:two|three|four|five|"
    r"six) commands?|neither|none of them|any of (?:them|these)|anything|it)\b"
    r"|以上|上述|上面|这些|这(?:两|三|四|五|几)|(?:两|二|三|四|五|六|几)(?:个|项|条|步|者|道)|"
    r"二者|两者|它们|全部|全都|都|所有(?:命令|检查|步骤)|每(?:一)?(?:步|条|个|项)|任何?一(?:步|条|个|"
    r"项)?|均|全(?:过|绿)"
)
_OTHER = looked(
    r"\b(?:all|both|these|those|each|every|the) (?:of )?(?:the |our |my |your |other |existing |"
    r"new |unit |integration |public |old )*(?:tests?|test cases|files?|pages?|endpoints?|users?|"
    r"features?|functions?|callers?|routes?|requirements?|screens?|apis?|clients?|changes?|"
    r"warnings?|errors?|suites?)\b"
    r"|(?:所有|全部|每个)(?:的)?(?:测试|用例|页面|接口|文件|功能|用户)"
)
# What goes on behind a block of code: "… must pass".
_SUBJECTLESS = looked(
    r"(?:must|should|shall|have to|has to|needs? to)\b[^.]{0,30}\b(?:pass|succeed|exit|be (?:green|clean))"
    r"|(?:必须|需要?|要|均|都|全部)[^。]{0,8}(?:通过|成功|全绿|跑通)"
)
_DEMAND = looked(
    r"\b(?:must|ha(?:ve|s) to|needs?|should|shall|until|before|only|when|once|if|done|finish\w*|required|"
    r"mandatory|to be|exit\w*|gate|accept\w*|criteria)\b|必须|才|要|须|得|应|需|后|再"
)
_COUNTS = {"both": 2, "neither": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_COUNTS |= {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_STEPS = looked(r"\bsteps? (\d)( ?(?:to|through|-|–) ?)?[^.]{0,8}?(\d)\b")
_COUNT = looked(r"\b(both|neither|two|three|four|five|six)\b|([两二三四五六])(?:个|项|条|步|者|道)|二者|两者")
_GOOD = looked(
    r"pass|green|\bred\b|\bfail\b|required|mandatory|succe|exit|clean|0\b|zero|run|work|finish|done|通过|成功|绿|过|"
    r"退出码|跑通|完成|交付|结束|失败|ok"
)


_TURNED = looked(
    r"\b(?:get|make|turn|bring|have) (it|them|both|that) (?:back )?(?:to )?"
    r"(?:work(?:ing)?|pass(?:ing)?|green|clean|succeed|build(?:ing)?)\b"
    r"|\b(it|they|both) (?:must|ha(?:s|ve) to|needs? to|should) (?:pass|succeed|exit 0|be (?:green|clean))\b"
)
_JOINED = looked(
    rf"\W{{0,4}}(it|that) (?:and|as well as|plus) {SLOT}[^.]{{0,20}}"
    r"\b(?:must|ha(?:ve|s) to|needs? to|should)\b"
)
_TURNED_COUNTS = {"it": 1, "that": 1, "them": 0, "they": 0, "both": 2}
_DISMISSED = looked(
    r"\b(?:ignore|skip|forget(?: about)?|disregard|leave out|(?:don't|do not|never|no need to|"
    r"needn't|don't have to|don't need to) (?:run|execute|bother with|worry about|care about|"
    r"touch))\s+(?:them|it|those|these|that|either|any of (?:them|these))\b"
    r"|\bci (?:will |does |runs |already |always )*(?:run|runs|do|does|handle|handles)s? (?:them|"
    r"it|those|these|that)\b|\b(?:neither|none)(?: of them)? (?:is|are) (?:required|needed|"
    r"necessary)|\b(?:they|these|those|both|it) (?:are|is) (?:optional|not (?:required|needed|"
    r"necessary))"
    r"|(?:这些|它们|这两个|以上|都|两个|上述)[^。]{0,6}(?:不用|无需|不需要|不必|不要|可以不|"
    r"别)(?:跑|运行|执行|管)|ci (?:会|自动)(?:跑|运行|执行)(?:它们|这些)"
)


def dismisses(text: str) -> bool:
    """A sentence or segment without commands says that those named before are not required."""
    return SLOT not in text and _DISMISSED.search(text) is not None


def dismisses_one(text: str) -> bool:
    """It dismisses "it", not "them"."""
    found = _DISMISSED.search(text)
    return found is not None and found[0].endswith((" it", " that"))


def turns_green(text: str) -> int | None:
    """As `refers`, of an order at the head of a segment that goes on to others: "get it green and …"."""
    found = (_TURNED.search(text[: text.find(SLOT)]) or _JOINED.match(text)) if SLOT in text else None
    return _TURNED_COUNTS[found[found.lastindex or 1]] if found else None


def demands(text: str) -> bool:
    """It says what shall be, not what is."""
    return _DEMAND.search(text) is not None


def refers(text: str) -> int | None:
    """How many commands words without any require: a number, 0 for "all", None for none."""
    if SLOT in text or is_question(text) or not _GOOD.search(text):
        return None
    if _SUBJECTLESS.match(text):
        return 0
    who = _WHO.search(text)
    if not who or (_OTHER.search(text) and not re.search(r"commands?|above|命令|以上|上述", text)):
        return None
    if not has_marker(text):
        return None
    if who[0] == "it":
        return 1
    steps = _STEPS.search(text)
    if steps:
        return int(steps[3]) - int(steps[1]) + 1 if steps[2] else 2
    count = _COUNT.search(text)
    if not count:
        return 0
    return _COUNTS.get((count[1] or count[2] or "两"), 0)
