"""The words by which a goal orders tests to be written, English and Chinese; speaking of tests is no order.

"Add a test command", "the tests are there", "remove it with its tests" order none. All gaps are bounded.
"""

import re

from donewhen.core.integrity.permits_reading import read

_KIND = (
    r"(?:(?:a|an|some|more|new|few|missing|proper|good|real|unit|regression|integration|corresponding|"
    r"matching|appropriate|additional|further|suitable|simple|small|basic|thorough|automated|couple|of|"
    r"own|python|node|pytest|unittest|jest|vitest|one|two|three|four|five|\d{1,3}|first|also|please) ){0,6}"
)
_TESTS = r"(?:unit[- ]?|doc-?)?tests?(?: cases?| coverage)?(?: files?| modules?)?"
_FILE = (
    r"`?(?:[\w.-]{1,80}/){0,6}"
    r"(?:test_\w{1,80}\.py|\w{1,80}_test\.\w{1,4}|[\w.-]{1,80}\.(?:test|spec)\.\w{2,4})`?"
)
_AFTER = (
    r"(?=$|[.,;:!)]|\s(?:for|that|which|to|in|with|under|covering|and|of|as|too|please|about|where|when|"
    r"showing|proving|around|against|on|so|like|based|using|besides|if|it|because|checking)\b)"
)
_ADD = r"(?:add|write|create|provide|supply|include|introduce|contribute|bring|implement)"
_START = r"(?:^|[,:(]\s?|\b(?:please|also|then|and|to|should|must|you|we|first|just|now)\s)"
_ORDERS = tuple(
    re.compile(text)
    for text in (
        rf"{_START}(?:{_ADD}|(?:add|write) the) {_KIND}(?:{_TESTS}{_AFTER}|{_FILE})",
        rf"\b(?:needs?|should (?:have|get|come with)|must (?:have|get|come with)|deserves?|wants?|lacks?) "
        rf"{_KIND}(?:unit |regression |doc)?tests?{_AFTER}",
        rf"{_START}cover [^\n.;]{{1,160}}? (?:with|by|in) {_KIND}{_TESTS}{_AFTER}",
        rf"(?:[,;(]\s?|\bplease |\band )(?:incl\. |including |plus |with ){_KIND}(?:unit |regression )?tests?"
        r"(?: (?:please|for (?:it|that|this)))?\s?(?:$|[.,;!)])",
        rf"\b(?:each|every one|all of them|both) (?:of them )?(?:with|having) {_KIND}"
        rf"(?:its |their )?(?:own )?(?:doc-?)?tests?{_AFTER}",
        r"(?:补充|添加|增加|新增|编写|补上|加上|补齐|附上|附带|撰写|写|加|补)(?:一些|一下|相应的?|对应的?|必要的?|几个|"
        r"一个|个|新的?|上|单元|回归|完整的?|更多的?|更多|和|与|并|的){0,4}(?:单元测试|回归测试|测试用例|测试|用例|单测)"
        r"(?!脚本|命令|目录|配置|环境|数据|模式|页面|按钮|接口|框架|任务|账号|用户|服务|工具|步骤|流程)",
    )
)
_OTHERWISE = re.compile(
    r"\b(?:its|the|their|existing|old|all|these|those) (?:\w{1,20} ){0,2}tests?\b(?! (?:case|file)s? for)"
)
_RUNNING = re.compile(
    r"\b(?:ci|workflows?|makefile|make|github actions?|pipelines?|tox|nox|scripts?|targets?|jobs?|stages?|"
    r"sdist|wheel|archive|package\.json|commands?|runners?|readme|docs?|linters?)\b|流水线|脚本|命令|工作流"
)
_TAKING = re.compile(
    r"\b(?:remove|delete|drop|rename|move|skip|disable|refactor|split|extract|convert|port|migrate|merge)\b"
    r"|删|移除|移动|重命名"
)
_MENDING = re.compile(
    r"\b(?:fix(?:es|ed)?|bugs?|wrong|wrongly|incorrect(?:ly)?|broken|off[- ]by[- ]one|crash(?:es|ed)?|"
    r"should|must|instead of)\b|修复|修正|错误|不正确|应该|应当|崩溃"
)
# what may change without any test of the old code turning red
_SAME_BEHAVIOUR = re.compile(
    r"\b(?:refactor\w{0,4}|restructur\w{1,4}|simplif\w{1,6}|clean(?:ed)?[- ]?up|tidy|speed|slow|fast|faster|"
    r"quick|perform\w{0,6}|optimi[sz]\w{1,6}|memory|leaks?|cach\w{1,4}|flaky|races?|deadlocks?|"
    r"typ(?:o|os|ing)|type hints?|annotat\w{1,6}|docs?|docstrings?|document\w{0,6}|comments?|lint\w{0,4}|"
    r"warnings?|deprecat\w{1,6}|log(?:s|ging)?|format(?:ted|ter)?|behave as|behaviou?r (?:stays|must)|"
    r"unchanged|coverage|tests? (?:is|are) (?:wrong|broken))\b|重构|性能|优化|文档|注释|日志|覆盖率"
)
_EACH = re.compile(r"\b(?:each|every|both|all of them)\b|每个?|各", re.IGNORECASE)
_BESIDE = 3  # the order of them that stands beside another
_LONGEST = 2_000


def orders_tests(goal: str) -> str:
    """The clause that orders tests; empty where none does."""
    for clause in read(goal).clauses:
        text = clause.text[:_LONGEST]
        for number, order in enumerate(_ORDERS):
            match = order.search(text)
            if match and not _means_others(number, text, match[0]):
                return clause.raw.strip()[:200]
    return ""


def orders_one_each(order: str) -> bool:
    """Whether every single thing is to have a test, so that one that is switched off is one too few."""
    return _EACH.search(order) is not None


def orders_a_fix(goal: str) -> bool:
    """Whether what the product does is to change, so that a test of it is red on the old code."""
    text = goal[:_LONGEST].lower()
    return bool(_MENDING.search(text)) and not _SAME_BEHAVIOUR.search(text)


def _means_others(number: int, text: str, matched: str) -> bool:
    """Tests that there are ("rename it, with tests"), or how they are run ("add tests to the workflow")."""
    if number == _BESIDE and (_TAKING.search(text) or _OTHERWISE.search(matched)):
        return True
    return not re.search(_FILE, text) and _RUNNING.search(text) is not None
