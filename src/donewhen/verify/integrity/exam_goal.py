"""Whether words are about a file of data: product code that reads it, a goal that orders it. Pure."""

import re

from donewhen.core.view import Change as Kind

_LONGEST = 20_000
_SHORTEST = 4  # characters of a name that tells something
_ADDS = (
    r"(?:add|append|extend|record|re-?record|regenerat|re-?generat|refresh|updat|adapt|adjust|renam|mov|replac|convert|"
    r"migrat|complet|correct|translat|creat|writ|fill|put|split|merg|sort|reformat|relocat|generat|build|provid|"
    r"includ)\w{0,4}"
)
_REMOVES = (
    r"(?:remov|delet|drop|renam|mov|relocat|merg|replac|prun|clean|convert|migrat|retir|get rid of|split)"
    r"\w{0,4}"
)
_ZH = r"(?:新增|增加|添加|更新|修改|重新生成|生成|补充|补全|完善|重命名|移动|迁移|替换|创建|写入|调整)"
_ZH_REMOVES = r"(?:删除|移除|去掉|清理|重命名|移动|迁移|替换|合并)"
_WITHIN = (
    r"(?:(?!\b(?:so|until|such|because|which|that|when|if|while|support|pass|passes)\b)[^.;,:(\n]){0,60}?"
)
_NOT_GREEN = (
    r"(?!\s(?:all |must |should |still |can |will |to |now ){0,3}(?:pass|be green|succeed|stay|remain|hold))"
)
_REFERRED = re.compile(  # right before a name that is only pointed to
    r"(?:\b(?:see|cf\.?|compare|look at|according to|e\.g\.,?|for example,?|for instance,?|such as|like"
    r"|following|(?:as|like) (?:\w{1,20} )?in"
    r"|(?:shown|given|described|documented|specified|listed|found|defined) (?:in|by)"
    r"|(?:reads?|reading|parses?|parsing|loads?|loading|imports?|importing|passes|run|runs|doctest|pytest)"
    r"|crash(?:es)? (?:on|with|for|in)|fails? (?:on|with|for|in)|breaks? (?:on|with|for|in))"
    r"(?: (?:the|our|my|this|that|file|sample|example)){0,3}"
    r"|参见|参考|见|例如|比如|按照|根据|读取|解析)[ :(`'\"“「]{0,3}$",
    re.IGNORECASE,
)
_CONTENT = frozenset(
    "html htm css scss less md rst adoc svg yml yaml toml ini cfg conf xml tmpl j2 jinja mustache ejs "
    "hbs proto graphql tf properties service desktop po pot strings plist lock license".split()
)
_WHOLE_NAMES = frozenset(
    "dockerfile license readme changelog version authors notice codeowners procfile".split()
)
_EXAMS = re.compile(
    r"case|expect|golden|fixture|vector|sample|example|baseline|known|skip|ignor|allow|wanted|snapshot|approved|"
    r"reference|answers?",
    re.IGNORECASE,
)
_PLAIN_WORDS = frozenset(
    "case cases data list text test tests check checks file files main input output".split()
)


def speaks_of(text: str, path: str) -> bool:
    """Whether code names the file, or a folder that it lies in."""
    folder, _, name = path.rpartition("/")
    if path in text or (
        len(name) >= _SHORTEST and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text)
    ):
        return True
    last = folder.rpartition("/")[2]
    return bool(last) and bool(re.search(rf"[\"'`/]{re.escape(last)}[\"'`/]|\b{re.escape(last)}/", text))


def is_content(path: str) -> bool:
    """Whether such a file is mostly what a product consists of: pages, settings, documents."""
    name = path.rpartition("/")[2].lower()
    stem, _, ending = name.rpartition(".")
    return (ending in _CONTENT or (stem or name) in _WHOLE_NAMES) and not _EXAMS.search(path)


def orders_data(path: str, kind: Kind, goal: str, *, strictly: bool = False) -> bool:
    """Whether the goal asks for this file to be made, changed or taken away.

    To be named is mostly enough for it to be changed; not where it is only pointed to ("see sample.csv"),
    nor `strictly`, where it is what the exam consists of.
    """
    text = goal[:_LONGEST]
    folder, _, name = path.rpartition("/")
    exact = [re.escape(each) for each in (path, name) if len(each) > 1]
    named = rf"(?<![\w/.-])(?:\./)?(?:{'|'.join(exact)})(?![\w/-])"
    named += r"(?! (?:must |should |has to )?(?:pass|stay|remain))"
    if kind != "deleted" and not strictly and _is_spoken_of(named, text):
        return True
    verbs, chinese = (_REMOVES, _ZH_REMOVES) if kind == "deleted" else (_ADDS, _ZH)
    things = "|".join((*exact, *_things(folder, name)))
    ordered = rf"\b{verbs}\b{_WITHIN}(?<![\w-])(?:{things})(?![\w-]){_NOT_GREEN}"
    said = (
        rf"(?<![\w-])(?:{things})(?![\w-])[^.;\n]{{0,40}}?\b(?:should|must|shall|needs?|has to|are to|is to) "
    )
    said += rf"(?:to )?(?:be )?(?:also )?{verbs}\b"
    zh = rf"{chinese}[^，。；\n]{{0,20}}?(?:{things})|(?:{things})[^，。；\n]{{0,12}}?{chinese}"
    return any(re.search(each, text, re.IGNORECASE) for each in (ordered, said, zh))


def _is_spoken_of(named: str, text: str) -> bool:
    found = re.finditer(named, text, re.IGNORECASE)
    return any(not _REFERRED.search(text[max(0, each.start() - 80) : each.start()]) for each in found)


def _things(folder: str, name: str) -> list[str]:
    """Other ways to speak of it: its folder, its ending, its name without the ending."""
    parts = [part for part in folder.split("/") if part]
    found = [re.escape(f"{folder}/")[:-1] + r"/?"] if folder else []
    for part in parts[-1:]:
        single = part.removesuffix("s")
        if len(single) >= _SHORTEST - 1:
            found.append(rf"{re.escape(single)}(?:s|es)?")
    stem, _, ending = name.rpartition(".")
    if len(stem) >= _SHORTEST and stem.lower() not in _PLAIN_WORDS:
        found.append(re.escape(stem))
    if ending and stem:
        found.append(rf"\*?\.{re.escape(ending)}(?: files)?")
    return found
