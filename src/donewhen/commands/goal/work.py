"""Does the goal ask for work: something to be made or changed? A question, a review or a report does not."""

import re

from donewhen.commands.goal.clean import SLOT
from donewhen.commands.goal.frames import has_marker, is_question, lead_frame
from donewhen.commands.goal.needed import looked
from donewhen.core.lazy import lazy

_MOST = 40_000
_VERBS = (
    "implement|build|create|add|fix|refactor|port|migrate|upgrade|rewrite|develop|write|"
    "optimi[sz]e|harden|support|introduce|replace|convert|"
    "extend|make|redesign|rework|restructure|reorgani[sz]e|clean up|remove|delete|drop|move|"
    "rename|split|extract|merge|integrate|set up|"
    "scaffold|bootstrap|design and implement|improve|speed up|reduce|enhance|modernize|modernise|"
    "translate|generate|produce|update|bump|"
    "repair|resolve|solve|finish|complete|continue|change|modify|adapt|adjust|expose|wire|hook "
    "up|enable|package|containeri[sz]e|dockeri[sz]e|"
    "document|train|deploy|prototype|simplify|deduplicate|parallelize|parallelise|vectori[sz]e|"
    "cache|paginate|validate|encrypt|patch|"
    "switch|rebuild|redo|reimplement|re-implement|turn|transform|unify|consolidate|decouple|"
    "isolate|instrument|localize|localise|"
    "internationali[sz]e|backport|revert|restore|tighten|strengthen|polish|ship|deliver|craft|"
    "code|program|automate|get|teach|let|allow|"
    "give|bring|provide|configure|install|track down|debug|correct|address|handle|cover|increase|"
    "raise|lower|start a|put|prepare|"
    "overhaul|evolve|streamline|untangle|vendor|swap|adopt|deprecate|upstream|compile|parse|"
    "render|stabili[sz]e|eliminate|prevent|stop|tidy|sort out|take care of|rip out|trim|shrink|flesh out|"
    "plumb|generali[sz]e|throttle|debounce|saniti[sz]e|secure|roll out|sync|rate-?limit|lock down|"
    "modulari[sz]e|normali[sz]e|annotate|persist|batch|index|preload|lazy-?load|memoi[sz]e|reimagine|"
    "revamp|retire|sunset|inline|factor|abstract|embed|unblock|finali[sz]e|tune|silence|suppress|attach|"
    "detach|downgrade|unpin|re-write|re-factor|re-design|wrap|mirror|disable|protect|sandbox"
)
# Verbs that are as often nouns or parts of a request to know: only where they open the sentence.
_OPENING = looked(
    r"^(?:please |now |next,? |then )?(?:connect|link|publish|export|import|store|save|load|stream|retry|"
    r"schedule|queue|"
    r"log|trace|monitor|seed|stub|mock|profile|squash|append|expand|collapse|pin|lift|hide|guard|sort|"
    r"filter|search|limit|warn|notify|send|serve|test-drive|plug|draw|plot|animate|style|theme|block) (?!◈)\w"
)
_LEAD = (
    r"(?:^|[.,;:!—–-]\s*|\b(?:please|to|and|then|now|also|must|should|shall|you|let's|can you|"
    r"could you|would you|want|need|task is|goal is|job is|i'd like you to|"
    r"help me|just|finally|first|or|next|we|will|don't|is|engineer|asap|tdd|agent|todo|goal|task|"
    r"mission|feature|bug|ticket|story|request|issue)\b[:,]?\s*)"
)
_ORDER = lazy(
    rf"{_LEAD}\s*[\[\](*_#>\d.)\s-]{{0,8}}(?:{_VERBS})\b(?!\s+(?:sure|is\b|fails|failed|are\b|"
    rf"was\b|passes\b|red\b|broken\b|not\b|whatever\b|:))"
)
_SCRATCH = looked(
    r"\bfrom scratch\b|\b(?:implementation|development|refactoring|migration|rewrite) (?:of|task|"
    r"work)\b|\bneeds? (?:a |an )?(?:implementation|rewrite|refactor|fix)|\bfix (?:it|both|them|"
    r"all|everything)|\b(?:should|must|needs? to|has to) (?:be )?(?:fixed|implemented|ported|"
    r"migrated|rewritten|refactored|upgraded|added|supported|replaced|converted|removed|changed|"
    r"reworked|extended|built|written|created|cleaned up|split|renamed|moved)\b"
    r"|\b(?:would you mind|how about|what about|start by|consider|begin by|i'd like you to start) "
    r"(?:\w+ly )?(?!running|explaining|reviewing|checking)\w{2,}ing\b"
    r"|\b(?:is|are|still) (?:broken|buggy|flaky|missing)[,;.]? (?:please|so|and|let's|can you)\b"
)
_DONE = looked(
    r"\b(?:have|having|you've|is|are|be|been|once|gets?) (?:\w+ )?(?:implemented|built|created|added|fixed|"
    r"refactored|ported|migrated|upgraded|rewritten|written|replaced|converted|developed)\b"
)
_TITLED = looked(
    r"^[\W\d]{0,8}(?:tasks?|goal|feature(?: request)?|story|ticket|objective|mission|to-?do|job|任务|"
    r"目标|需求|"
    r"工作|功能|开发任务)(?: ?#?\d{1,6})?\s*[:：]\s*\w"
)
_REVIEW = looked(
    r"^(?:please |can you |could you )*(?:review|explain|summari[sz]e|describe|analy[sz]e|"
    r"investigate|report|list|tell me|look at|inspect|audit|assess|compare|read|check|run|show|"
    r"evaluate|give me|answer|find out|examine|study|estimate|discuss)\b"
)
# What stands behind the colon is talked about, not ordered.
_TOLD = looked(r"(?:please )?(?:give me|tell me|summari[sz]e|explain|comment on|what do you think)\b")
# Who wants to be told something wants no work.
_TALK = looked(
    r"\b(?:review|explain|explanation|summar|report|analy[sz]|audit|question|estimat|compar|investigat|"
    r"discuss|"
    r"status|opinion|advice|feedback|recommend|tell|read-only|says|said|claim|yesterday|already|was|were)"
    r"|审查|评审|解释|总结|分析|汇报|介绍|比较|调研|看看|查看|看下|说明|昨天|已经|报告|说"
)
_NOT_ZH = looked(
    r"(?:请|帮我|麻烦|你|先|任务[:：]|\s)*(?:审查|评审|解释|说明一下|总结|分析|介绍|看看|查看|检查一下|"
    r"review|比较|调研)"
)
_ZH = looked(
    r"实现|开发|修复|修好|修一下|修掉|修正|重构|迁移|升级|从头|从零|搭(?!配)|编写|添加|新增|优化|"
    r"改造|移植|重写|增加|支持|引入|替换|改成|改为|换成|转换|扩展|加固|完善|补充|补上|补齐|"
    r"写(?:一|个|出|好|完|单|测)|"
    r"做(?:一|个|出|完|成)|创建|构建|设计并|集成|接入|加(?:一|个|上|入)|拆分|抽取|删除|移除|清理|"
    r"解决|改进|改写|调整|更新|完成(?!条件|标准|前|后|的|之|吗|判|定|了|。|，|,)|生成|落地|部署|"
    r"适配|封装|合并到|统一|提升|降低|减少|消除|翻译|汉化|国际化|打包|上线|搞定|实施|建(?:一|个|"
    r"立)|对接|打通|处理(?!器|中)|接通|改用|拆成|拆出|抽出|下线|剥离|治理|排查并|加速|缩短|精简|收敛|替代|"
    r"落实|做好|修(?!订|改记录)|重新设计|启用|禁用|关闭|(?:给|为|用|在).{1,24}?(?:加|补|做|写|接|换|改|"
    r"搭|建)|"
    r"制作|改(?:一下|掉|好)|整理|切换|去掉|把.{1,30}(?:改|换|拆|迁|移|升|重|转)"
)


def asks_for_work(sentences: list[str]) -> bool:
    """`sentences`: lower case, commands as slots. Who has not asked after so much text does not ask."""
    left = _MOST
    for text in sentences:
        left -= len(text)
        if _is_order(text):
            return True
        if left < 0:
            return False
    return False


def names_work(sentences: list[str]) -> bool:
    """A goal that names its subject without any verb, or as a wish: "Dark mode for the editor, please"."""
    opening = [text.strip(" -*>#\t") for text in sentences[:3]]
    return any(map(_is_subject, opening)) and not any(_reviews(text) for text in opening)


def _is_subject(text: str) -> bool:
    if SLOT in text or not 8 <= len(text) <= 400 or is_question(text) or has_marker(text) or lead_frame(text):
        return False
    return not (_reviews(text) or _TALK.search(text))


def _is_order(text: str) -> bool:
    text = text[:2000]
    return any(_orders(clause.strip(" -*>#\t;；")) for clause in (text, *re.split(r"[;；]", text)[:-1]))


def _orders(text: str) -> bool:
    if is_question(text):
        return False
    plain = text.replace(SLOT, "_")
    review = bool(_REVIEW.match(plain))
    found = _ORDER.search(plain, 1 if review else 0)
    told = _TOLD.match(plain) and ":" in plain[: found.start() if found else 0]
    if found and not told and not (review and _is_noun_use(plain, found)):
        return True
    if (
        _SCRATCH.search(plain)
        or _OPENING.match(plain)
        or ((_DONE.search(plain) or _TITLED.match(plain)) and not _reviews(plain))
    ):
        return True
    return bool(_ZH.search(plain)) and not (_NOT_ZH.match(plain) and not re.search(r"并|然后|再", plain))


def _reviews(plain: str) -> bool:
    body = re.split(r"[:：]", plain, maxsplit=1)[-1].strip()
    return bool(_REVIEW.match(plain) or _REVIEW.match(body) or _NOT_ZH.match(body))


def _is_noun_use(text: str, found: re.Match[str]) -> bool:
    return not re.search(
        r"(?:\band|then|[.,;:])\s*$", text[: found.start()] + found[0].split(" ")[0] + " "
    ) and not found[0].lstrip().startswith(("and", "then", ",", ";", "."))
