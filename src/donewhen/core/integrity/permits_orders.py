"""The orders of a goal: what is to be removed, switched off, updated or changed, and what must stay.

Only what is ordered of the reader counts. "It should remove duplicates" is what the product does; "remove the
legacy mode" is work.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from donewhen.core.integrity import permits_things as things
from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.permits_languages import removals
from donewhen.core.integrity.permits_parts import pointed_zh, useless, without_owner
from donewhen.core.integrity.permits_reading import Clause, complains, pattern, read
from donewhen.core.integrity.permits_scope import Target, targets

Kind = Literal["remove", "skip", "merge", "update", "restyle"]
_START = (
    r"(?:^|[:：]\s*|\b(?:please|also|then|now|so|therefore|hence|thus|thereby|let's|let us|"
    r"you (?:should|must|can|may|need to|have to)|we (?:should|must|can|want to|"
    r"need to|have to|will)|want you to|like you to|want to|task is to|goal is to|job is to|time to|"
    r"decided to|going to|and|just|"
    r"feel free to|free to|ok to|okay to|fine to|allowed to)\s+)"
)
_MUST = (
    r"(?:should|must|can|may|could|needs? to|ha(?:s|ve) to|shall|will|is to|are to|ought to|"
    r"might)(?: (?:also|now|all|both|just|therefore|safely|need to|have to)){0,2}"
)
_OBJECT = r"\s+(?P<object>[^\n]{1,300})"
_SUBJECT = r"(?P<object>[^,;:，；：。]{2,160}?)\s+"
_PHRASES: dict[Kind, tuple[str, ...]] = {
    "remove": (
        rf"{_START}(?:{words.REMOVE}){_OBJECT}",
        rf"^{_SUBJECT}{_MUST} (?:be )?(?:{words.REMOVED}|go(?: away| too| as well)?$|go\b)",
        rf"^{_SUBJECT}(?:is|are) (?:now |all |both )?(?:{words.OBSOLETE}|to be (?:{words.REMOVED}))",
        rf"(?:{words.REMOVE_ZH})(?:掉|了)?(?P<object>[^，。；,;]{{1,80}})",
        rf"(?:把|将)(?P<object>[^，。；,;]{{1,60}}?)(?:全部|都|一并|也)?(?:{words.REMOVE_ZH})",
        r"(?P<object>[^，。；,;]{1,60}?)(?:已经?过时|已经?废弃|不再需要|可以删|应该?删|要删|也删)",
    ),
    "skip": (
        rf"{_START}(?:{words.SKIP}){_OBJECT}",
        rf"{_START}mark\s+(?P<object>[^\n]{{1,160}}?) (?:as|"
        rf"with) (?:an? )?(?:@?(?:pytest\.mark\.)?(?:xfail|skip\w{{0,3}})|expected[- ]fail\w{{0,4}}|"
        rf"flaky|todo)",
        rf"^{_SUBJECT}{_MUST} be (?:{words.SKIPPED}|marked (?:as )?(?:skip\w{{0,4}}|xfail|flaky))",
        rf"(?:{words.SKIP_ZH})(?P<object>[^，。；,;]{{1,80}})",
        rf"(?:把|将)(?P<object>[^，。；,;]{{1,60}}?)(?:{words.SKIP_ZH}|标记为(?:跳过|xfail|skip))",
    ),
    "merge": (rf"{_START}(?:{words.MERGE}){_OBJECT}",),
    "update": (
        rf"(?P<object>[^,;，；。]{{2,160}}?)\s+(?:is|are|has|have|looks?|seems?) (?:simply |just |"
        rf"plain |also |an? |now |the |to be )?(?:{words.WRONG_TEST})\b",
        rf"(?P<object>[^,;，；。]{{2,160}}?)\s+(?:expects?|asserts?|checks?(?: for)?|has|"
        rf"contains?|gets?|got) (?:it |this |that |the |an? )?(?:{words.WRONG_TEST})\b",
        rf"{_START}(?:{words.UPDATE}){_OBJECT}",
        rf"{_START}(?:{words.REPAIR})\s+(?P<object>(?:the |all |those |"
        rf"any )?(?:{words.WRONG_TEST}) [^\n]{{1,200}})",
        rf"{_START}(?:{words.REPAIR})\s+(?P<object>[^\n]{{1,120}}\b(?:accordingly|to (?:match|"
        rf"reflect|expect|fit)|so that (?:it|they) expects?)\b)",
        rf"^{_SUBJECT}(?:(?:{_MUST}|also|then) )?(?:be (?:{words.UPDATED})|(?:expect|assert|reflect|"
        rf"follow|match|check|say)\b|need(?:s)? (?:to change|updating|an update|adjusting|changing|"
        rf"to be (?:{words.UPDATED})))",
        rf"(?:{words.UPDATE_ZH})(?P<object>[^，。；,;]{{0,60}})",
        rf"(?P<object>[^，。；,;]{{1,60}}?)(?:也|都)?(?:要|需要?|应该?|请)?(?:同步|相应|一并|一起|"
        rf"随之)?(?:地)?(?:{words.UPDATE_ZH})",
        rf"(?P<object>[^，。；,;]{{1,60}}?)(?:{words.WRONG_TEST_ZH})",
    ),
    "restyle": (
        rf"{_START}(?:{words.RESTYLE}){_OBJECT}",
        rf"^(?P<object>(?:the |all |its |their |new |our )*(?:{words.TEST})) (?:please )?{words.STYLED}",
        rf"{_START}use [^\n]{{1,80}}? (?:for|in) (?P<object>(?:the |all |its |their |our )*(?:{words.TEST}))",
        rf"{_START}write (?P<object>(?:the |all |its |their |our )*(?:{words.TEST}))",
        r"(?P<object>测试(?:用例|文件|代码)?)(?:请)?(?:用|使用|改用|采用)",
    ),
}
_BEGINS = r"(?:^|[:：(—]\s*|\b(?:since|because|as|and) )"
_UNUSED = (
    rf"\b(?:{words.NOBODY}) {words.USES} (?:the |our |that |this )?(?P<object>[^\n,;:，；：]{{1,160}})",
    rf"{_BEGINS}{_SUBJECT}(?:is|are) (?:now |all |both |just )?(?:{words.UNUSED})\b",
    rf"{_BEGINS}{_SUBJECT}(?:isn't|aren't) (?:used|called|needed|referenced)\b",
    rf"\b(?:{words.HEAPS})\s*[:(（：—-]{{1,2}}\s*"
    r"(?P<object>(?:(?! is | are | should | uses? )[^\n;；]){1,200})$",
    rf"(?P<object>[\w.`()]{{2,80}})\s*(?:函数|方法|模块|类)?{words.UNUSED_ZH}",
    rf"(?:{words.HEAPS_ZH})\s*[:：（(]\s*(?P<object>[^，。；,;]{{1,80}})",
)
_REMOVES = (
    rf"{_START}(?:{words.REMOVE}|clean up|clear up|tidy up|prune)\b|\b(?:{words.REMOVE}) (?:it|them)\b"
    rf"|{words.REMOVE_ZH}|清理"
)
_FOLLOWING = (
    rf"\b(?:{words.TEST}) (?:(?:should|must|need to|have to|can|may|will|to|are to|is to) )?"
    r"(?:also |all |then )?"
    r"(?:accordingly|follow(?:s|ing)?(?=$|[.,;!)]| (?:suit|along|too|it|that|the (?:change|new))\b)|"
    r"(?:be )?(?:adapted|adjusted|updated) (?:accordingly|to match|too|as well))"
    r"|测试(?:用例|代码|文件)?(?:也|都|要|得|需要?|请|应该?|可以|记得|一并|一起|同步|同时|相应|随之|随着|跟着|跟随|配套|对应|地)"
    r"{1,5}(?:改(?!名)|更新|修改|调整|变|同步|适配|跟上|跟着)"
    r"|(?:并|也|再|顺便|顺带|同时|记得|一并|一起|同步|相应|对应){1,3}(?:地)?(?:要|得|请)?(?:改|改改|改下|更新|修改|调整|适配)(?:一?下)?"
    r"(?:相关|对应|相应|有关)?的?测试"
    r"|[把将](?:相关|对应|相应|有关)?的?测试(?:用例|代码|文件)?(?:也|都|一并|一起|同步){0,2}(?:改(?!名)|更新|修改|调整)"
)
_AS_WELL = (
    r"\b(?:change|switch|replace|convert|rename|update|adjust|adapt)\b"
    r"(?:(?!\b(?:add|write|create|run)\b)[^;\n]){1,200}"
    rf"\band (?:the|its|their|all) (?:{words.TEST})(?: too| as well)?[).!]{{0,3}}$"
)
_WITH_TESTS = (
    rf"\b(?:and|including|incl\.?|also in|plus|with|in) (?:the |its |their |all |all the |any |"
    rf"existing |affected |code and )*(?:{words.TEST})(?: too| as well| accordingly| so\b|$|[.,;)])"
    rf"|\b(?:{words.TEST}) (?:included|as well|too|accordingly)\b|及其?测试|和测试|连同测试"
)
_CHANGES = (
    r"\b(?:change|rename|switch|replace|convert|update|move|migrate|adjust|adapt|make|let|turn|use)\b|改|"
    r"换|重命名|调整"
)
_VERBS = (
    r"\b(?:chang(?:e|es|ed|ing)|rename|use|make|let|like|switch|replace|convert|becomes?|instead|longer|now)\b"
    r"(?!\()"
)
_FEATURE = frozenset(
    """support feature option flag command endpoint function method class module helper api page route handler
    mode parameter argument field""".split()
)
_PART = re.compile(r"\b(?:parameters?|params?|arguments?|args?|variables?|imports?|branch(?:es)?|lines?)\b")
_WHOSE = re.compile(r"\b(?:[Oo]f|[Ii]n|[Tt]o|[Ff]rom|[Ii]nside) (?:the )?[\w.]{1,80}(?:\(\))?")  # it stays
_CALLED = r"\b(?:the|our|this|that) (?P<object>(?:[\w.()-]{1,40} ){1,3}test)\b"  # one test, by its subject
_POINTS = re.compile(
    r"(?:it|them|this|that|these|those|both|this one|that one|the test|this test|that test|它们?)"
    r"(?:\s*$|[.,;，]|\s+(?:too|as well|now|completely|entirely|and|together|along|with|including|"
    r"altogether|as)\b)"
)


class Order(NamedTuple):
    kind: Kind
    targets: tuple[Target, ...]
    words: str  # the clause, as it was written
    firm: bool = True  # says itself that tests are wrong, or which ones


class Ban(NamedTuple):
    kinds: frozenset[Kind]
    targets: tuple[Target, ...]  # none: whatever it is


class Change(NamedTuple):
    """A clause that asks for another behaviour of what it names."""

    targets: tuple[Target, ...]
    clause: Clause
    plain: bool  # says itself that it is to be other than before


class Orders(NamedTuple):
    orders: tuple[Order, ...]
    bans: tuple[Ban, ...]
    changes: tuple[Change, ...]
    clauses: tuple[Clause, ...]


@lru_cache(maxsize=8)
def orders_of(goal: str) -> Orders:
    said = read(goal)
    orders = [order for clause in said.clauses for order in _orders(clause)]
    orders += [order for clause in _beside_removals(said.clauses) for order in _unused(clause)]
    orders += [Order("remove", found.targets, found.words) for found in removals(goal)]
    changes = [
        Change(_narrowed(targets(_whole(clause), clause.raw)), clause, _is_plain(clause))
        for clause in said.clauses
        if not clause.broken and pattern(words.CHANGE).search(clause.text)
    ]
    bans = [ban for text in said.forbidden for ban in _bans(text)]
    return Orders(tuple(orders), tuple(bans), tuple(changes), said.clauses)


def _narrowed(found: tuple[Target, ...]) -> tuple[Target, ...]:
    """A clause that names tests speaks of those alone; "and tests" says of none that it changes."""
    found = tuple(target for target in found if not target.everything)
    tests = [
        t
        for t in found
        if (t.names and (t.tests or any(" " not in name for name in t.names)))  # else it quotes a text
        or any("test" in path or "spec" in path for path in t.paths)
    ]
    return tuple(t._replace(firm=(), strong=(), weak=()) for t in tests) or found


def _is_plain(clause: Clause) -> bool:
    return pattern(words.OTHERWISE).search(clause.text) is not None and not complains(clause.text)


def _whole(clause: Clause) -> str:
    """A clause as a list of things: where each begins makes no difference here."""
    text = pattern(_VERBS).sub(" ", clause.text.replace("()", "() "))
    return pattern(words.TAIL).sub(" and ", text)


def _orders(clause: Clause) -> Iterator[Order]:
    for kind, phrases in _PHRASES.items():
        for phrase in phrases if kind != "restyle" or not clause.broken else phrases[:1]:
            found = pattern(phrase).search(clause.text)
            order = _order(kind, found["object"], clause) if found else None
            if order:
                yield order
                break
    pointed = pointed_zh(clause)
    if pointed:
        yield Order("remove", pointed, clause.raw)
    along = pattern(_WITH_TESTS).search(clause.text) and pattern(_CHANGES).search(clause.text)
    too = pattern(_FOLLOWING).search(clause.text) or pattern(_AS_WELL).search(clause.sentence)
    if (along or too) and not clause.broken:
        yield Order("update", (Target(tests=True, everything=True),), clause.raw, firm=False)


def _beside_removals(clauses: tuple[Clause, ...]) -> Iterator[Clause]:
    """Clauses that order a removal, and their neighbours."""
    removing = [pattern(_REMOVES).search(clause.text) is not None for clause in clauses]
    for at, clause in enumerate(clauses):
        if any(removing[max(0, at - 1) : at + 2]) and not clause.broken:
            yield clause


def _unused(clause: Clause) -> Iterator[Order]:
    """ "Delete dead code: nothing uses X any more": X is what goes, if it is a name in the code."""
    for phrase in _UNUSED:
        for found in pattern(phrase).finditer(clause.text):
            meant = targets(found["object"], clause.raw)
            named = tuple(Target(t.paths, t.names, t.firm) for t in meant if t.paths or t.names or t.firm)
            other = any(t.strong for t in meant) or _PART.search(found["object"])
            if named and not other:
                yield Order("remove", named, clause.raw)


def _order(kind: Kind, text: str, clause: Clause) -> Order | None:
    meant = _resolved(kind, text, clause)
    tests = any(target.tests for target in meant)
    if kind == "remove":
        meant = meant if tests else tuple(target for target in meant if _is_removable(target, text))
    elif not tests:
        return None
    if kind not in ("update", "restyle"):
        meant = _of_something(meant)
    if kind == "merge":
        meant = tuple(Target(names=target.names, tests=True) for target in meant if target.names)
    if not meant:
        return None
    wrong = pattern(rf"\bcorrect\b|{words.WRONG_TEST}|{words.WRONG_TEST_ZH}").search(clause.text) is not None
    named = not any(target.everything for target in meant)
    return Order(kind, meant, clause.raw, firm=wrong or named)


def _of_something(meant: tuple[Target, ...]) -> tuple[Target, ...]:
    """ "X and the tests" speaks of the tests of X."""
    told = tuple(target for target in meant if not target.everything)
    return told or meant


def _resolved(kind: Kind, text: str, clause: Clause) -> tuple[Target, ...]:
    """What the object means; "it" is what was named before."""
    if _POINTS.match(text.strip()):
        earlier = f"{clause.before} {clause.raw[: clause.raw.lower().find(text[:20])]}"
        said = useless(earlier) if kind == "remove" else ()
        if said:
            return said
        if kind == "remove" and _PART.search(earlier):
            earlier = _WHOSE.sub(" ", earlier)
        spoken = without_owner(earlier.lower()) if kind == "remove" else earlier.lower()
        found = _test_spoken_of(kind, earlier) or targets(_listed(spoken), earlier)
        named = [t._replace(strong=(), weak=(), tests=True) for t in found if t.paths or t.names or t.firm]
        tests = [t._replace(firm=()) for t in named if t.names]
        named = tests or named
        if named or kind != "update":
            return tuple(named)
    return targets(without_owner(text) if kind == "remove" else text, clause.raw)


def _test_spoken_of(kind: Kind, earlier: str) -> tuple[Target, ...]:
    """ "The timer test is flaky on CI. Rewrite the test": the one that was called by its subject."""
    if kind not in ("update", "restyle"):
        return ()
    called = [*pattern(_CALLED).finditer(earlier.lower())]
    found = targets(called[-1]["object"], earlier) if called else ()
    return tuple(t._replace(firm=(*t.firm, t.strong), strong=(), tests=True) for t in found if t.strong)


def _listed(text: str) -> str:
    return pattern(words.TAIL).sub(" and ", text)


def _is_removable(target: Target, text: str) -> bool:
    """A feature or a piece of code, no defect and nothing in the data that a function works on."""
    if target.paths or target.firm or target.names:
        return True
    spoken = {*target.strong, *target.weak}
    if spoken & words.DEFECT or not target.strong:
        return False
    marked = (
        bool(spoken & _FEATURE) or bool(_FEATURE.intersection(text.split())) or bool(spoken & words.ADJECTIVE)
    )
    definite = text.startswith(("the ", "our ", "that ", "this ", "all ")) or text[:1] > "\u4e00"
    definite = definite or pattern(things.PARTS_ZH).search(text) is not None
    return marked or definite or text.split(" ", 1)[0] in ("support", "supporting")


def _bans(text: str) -> Iterator[Ban]:
    if pattern(words.EXCEPT).search(text):
        return
    stays = pattern(words.STAY).search(text) is not None
    named = pattern(words.TEST).search(text) is not None or re.search(r"\bexisting ones?\b", text) is not None
    kinds: set[Kind] = set()
    if stays or pattern(words.TOUCH).search(text):
        kinds |= {"remove", "skip", "merge", "update"}
    if pattern(words.DELETE).search(text):
        kinds |= {"remove", "merge"}
    if pattern(words.SWITCH_OFF).search(text):
        kinds |= {"skip"}
    if kinds and (named or stays):
        yield Ban(frozenset(kinds), () if stays else _limits(text))


def _limits(text: str) -> tuple[Target, ...]:
    """Which tests must stay; none means all."""
    tested = pattern(words.TEST).search(text)
    found = targets(text[tested.start() :], "") if tested else ()
    telling = tuple(t for t in found if t.paths or t.names or t.firm or t.strong)
    return () if any(target.everything for target in found) else telling
