"""Files that the goal orders to be created or written. Mentions, inputs, edits and negations are no orders.

The verb must be an order to the reader: what the product shall write is its behaviour, not a deliverable.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from donewhen.commands.goals.clean import Clean
from donewhen.commands.goals.empties import Empties
from donewhen.commands.goals.frames import is_question
from donewhen.commands.goals.model import GoalFile, Ignored
from donewhen.commands.goals.needed import looked
from donewhen.core.lazy import lazy

_MOST = 400
_PATH = lazy(
    r"(?<![\w/.@:\\~-])((?:~/|\.{1,2}/|/|[A-Za-z]:[\\/])?(?:[\w.@+-]{1,80}/){0,20}"
    r"(?:[\w@+-][\w.@+-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,9}|\.[a-z][\w.-]{1,29}\w|Dockerfile|LICENSE|"
    r"Makefile|[Jj]ustfile|CODEOWNERS|Procfile))"
    r"(?![\w/@(]|-\w|\.\w)",
    re.ASCII,
)
_NO_FILE = looked(
    r"(?:[a-z0-9]+\.(?:js|io|net)|[\w.-]+\.(?:com|org|net|io|dev|ai|app)|v?\d+(?:\.\w+)+|e\.g|"
    r"i\.e|\w\.\w)$",
    re.IGNORECASE,
)
_FRAMEWORK = looked(
    r"(?:node|next|vue|nuxt|three|d3|express|react|ember|angular|chart|backbone|p5|moment|day|"
    r"alpine|solid|discord|socket|asp)\.(?:js|io|net)$",
    re.IGNORECASE,
)
_JOINED = lazy(
    r"[\s`\"'“”「」『』,，、&+]*(?:and|or|as well as|plus|和|与|及|以及|还有)?(?: (?:an?|"
    r"the))?(?: (?:new|another|empty|blank|non-empty|marker|placeholder|short|files?|called|named)){0,4}"
    r"[\s`\"'“”「」『』]*$"
)
_SKIP = r"[\s`\"'“”‘’「」『』*_(:：]*"
_FILLER = (
    r"(?:(?:a|an|the|new|two|three|four|some|my|our|another|short|small|simple|complete|detailed|"
    r"full|brief|empty|non-empty|blank|marker|separate|one-page|single|markdown|json|csv|yaml|html|"
    r"following|files?|"
    r"scripts?|page|document|report|guide|module|called|named|as|at|under|standalone|initial|"
    r"sample|example|config|configuration|basic|minimal|proper|working|good|design|doc)\s+){0,6}"
)
_START = (
    r"(?:^|[.,;:!—–]\s*|\b(?:and|then|please|also|finally|you must|you should|you have to|next|"
    r"first|afterwards|to|lastly|must|additionally|should)\s+|[-*]\s+|\d[.)]\s+)"
)
_DIRECT = looked(
    rf"{_START}(write|create|generate|produce|draft|author|add|emit|make|provide|deliver|build|"
    rf"compose|prepare)\s+{_FILLER}{_SKIP}$",
    re.I,
)
_INTO = looked(
    rf"{_START}(?:write|save|output|export|store|dump|put|record|place|emit|document|summari[sz]e|"
    rf"collect|report|print|log|describe|list|generate|render|compile|persist|move|draft|create)\b"
    rf"[^.;\n]{{0,90}}?\s(?:to|into|in|as|at|under|called|named|called:)\s+{_FILLER}{_SKIP}$",
    re.I,
)
_EDIT = looked(
    r"\b(?:create|add|generate|list|describe|print|log|emit|move|"
    r"report)\b[^.;\n]{0,90}\sin\s+[^\s]*\s*$",
    re.I,
)
_PRODUCT = looked(
    r"\b(?:it|which|that|tool|app|cli|script|command|service|program|server|user|users|exporter|"
    r"function|job|button|endpoint|page|class|module|parser|library|they|"
    r"bot)\b[^.;\n]{0,40}\b(?:should|must|can|will|shall|may|could|to|lets?)\b[^.;\n]{0,60}$|"
    r"\b(?:able|allow|allows|want|wants|option|flag|how|function|method|command|tool|script|"
    r"cli)\s+(?:\w+\s+){0,2}to\s+\w+[^.;\n]{0,40}$",
    re.I,
)
_NEGATED = looked(
    r"\b(?:do not|don't|never|without|no need to|avoid|must not|mustn't|should not|shouldn't|"
    r"not)\s+(?:\w+\s+){0,2}(?:writ|creat|generat|produc|sav|add|touch|edit|overwrit|modif|chang|"
    r"put|commit|stor|export)\w*\b[^.;\n]{0,60}$"
    r"|(?:不要|别|禁止|严禁|请勿|无需|不用|不需要|不必|不得|不能)[^。;；,，\n]{0,12}$",
    re.I,
)
_CHINESE = looked(
    r"(?<!会)(?<!能)(?<!自动)(?<!可以)(?:生成|创建|新建|编写|写入|写到|写进|写出|输出到|输出为|"
    r"输出|保存到|保存为|保存在|存到|存入|存为|导出到|导出为|导出|记录到|记录在|整理到|整理成|"
    r"整理为|汇总到|产出|撰写|写一[个份篇]|写个|写|添加文件|新增文件|新增|放到|放在|落到|命名为)"
    r"(?:一个|一份|一篇|一张|新的?|非?空白?的?|名为|叫做?|文件|到|为|成|在|报告|文档|的|文件名为|,|\s){0,6}"
    + _SKIP
    + "$"
)
_LEAD = looked(
    r"\b(?:create|write|generate|produce|deliver|add|deliverables?|files? to (?:create|write|"
    r"produce)|output files?)\b[^.\n]{0,60}[:：]\s*$"
    r"|(?:生成|创建|编写|交付物?|产出|输出|新建|写)[^。\n]{0,20}[:：]\s*$",
    re.I,
)
_INPUT = looked(
    r"\b(?:from|for|of|about|per|see|read|using|with|like|following|to match|based on|against|(?:describ|"
    r"specifi|defin|outlin|explain|document|list|mention|requir)ed (?:in|by|at)|(?:shown|given|found) in)\s*"
    + _SKIP
    + "$",
    re.I,
)


class Span(NamedTuple):
    start: int
    end: int
    lead: str  # the text that introduces a list


def named_files(cleaned: Clean, spans: Iterable[Span]) -> tuple[tuple[GoalFile, ...], tuple[Ignored, ...]]:
    files: dict[str, GoalFile] = {}
    ignored: list[Ignored] = []
    orders = (order for span in spans for order in _orders(cleaned.text, span))
    for start, path, reason, empty in islice(orders, _MOST):
        place = cleaned.place(start)
        if reason:
            ignored.append(Ignored(path, "file", place, reason))
        elif path not in files:
            files[path] = GoalFile(path, place, empty)
    return tuple(files.values()), tuple(ignored)


def _orders(text: str, span: Span) -> Iterator[tuple[int, str, str, bool]]:
    """(offset, path, nothing or the reason why an ordered file is not taken, whether it may be empty)."""
    ordered, at, empties = "", -1, Empties(text, span.start, span.end)
    sentence = text[span.start : min(span.end, span.start + 2000)]
    for found in _PATH.finditer(text, span.start, span.end):
        path = found[1]
        if _FRAMEWORK.match(path) or ("/" not in path and _NO_FILE.match(path) and not path.endswith(".js")):
            continue
        before = _PATH.sub("_", text[max(span.start, found.start() - 200) : found.start()].lstrip())
        joined = at >= 0 and bool(ordered) and bool(_JOINED.match(text, at, found.start()))
        verdict = ordered if joined else _verdict(before, span, sentence)
        ordered, at = verdict, found.end()
        empty = empties.may_be(path, found.start(1), found.end(1), joined=joined)
        if verdict == "taken":
            yield found.start(), path.removeprefix("./"), "goal.not_outside" if _outside(path) else "", empty
        else:
            yield found.start(), path, f"goal.not_{verdict}", False


def _verdict(before: str, span: Span, sentence: str) -> str:
    if is_question(sentence.strip().lower()):
        return "question"
    if _NEGATED.search(before):
        return "negated"
    if _CHINESE.search(before):
        return "taken"
    if not before.strip(" \t`*\"'[]") and _LEAD.search(span.lead):
        return "taken"
    if _INPUT.search(before):
        return "file"
    if _DIRECT.search(before) and not _PRODUCT.search(before):
        return "taken"
    if _INTO.search(before) and not _EDIT.search(before) and not _PRODUCT.search(before):
        return "taken"
    return "file"


def _outside(path: str) -> bool:
    return path.startswith(("/", "~", "\\")) or path[1:2] == ":" or ".." in path.split("/")
