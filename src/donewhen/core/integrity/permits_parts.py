"""A part that goes while the thing it belongs to stays, and what "remove it" points at.

"The verbose parameter of run() is useless, remove it" lets tests of `verbose` go and no test of run(). What a
pronoun means is taken only from a sentence that says of a named thing that it is of no use; nothing is
guessed from sentences that tell what a thing does.
"""

from collections.abc import Iterator

from donewhen.core.integrity import permits_things as things
from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.permits_reading import Clause, pattern
from donewhen.core.integrity.permits_scope import Target, targets

_SPOKEN = 400  # characters back to which "it" may point
_NAME = r"`?[\w.]{1,80}(?:\(\))?`?"
_OWNER = (
    rf"(?<=\s)(?P<part>`?(?:{things.PARTS})`?(?: `?-{{0,2}}[\w-]{{1,60}}`?)?) "
    rf"(?:of|in|to|from|inside|on|for) (?:the |our |all |both |every )?{_NAME}(?: (?:{things.OWNERS}))?"
    r"(?:(?:, | and |, and | or )`?[\w.]{1,80}\(\)`?){0,5}"
)
_WHOSE = (
    rf"(?P<part>(?:^|[.:;] )(?:the|our|this|that) (?:(?!(?:{words.TEST})\b)[\w`-]{{1,60}} ){{1,2}}?)"
    r"(?:of|in|inside|from) (?:the )?`?[\w.]{1,80}\(\)`? (?=is |are |has |does |isn't |makes |serves )"
)
_OWNER_ZH = (
    r"`?[a-z_][\w.]{0,80}(?:\(\))?`?\s*(?:函数|方法|命令|类|接口|模块)?(?:里面|里|中|上)?的\s*"
    rf"(?=`?-{{0,2}}[a-z_][\w-]{{0,60}}`?\s*(?:{things.PARTS_ZH}))"
)
_WORD = r"[`'\"]?-{0,2}[a-z_][\w.-]{1,60}(?:\(\))?[`'\"]?"
_SAID = (
    rf"(?P<object>(?:{_WORD}(?:, | and | or | )){{1,4}}(?:{things.THINGS})|(?:{things.THINGS}) {_WORD}|"
    rf"(?:(?<=^)|(?<=[.:;] ))(?:(?:the|our|this|that) (?:{_WORD} ){{0,2}})?{_WORD}|`[^`\n ]{{2,60}}`)"
)
_USELESS = (
    rf"{_SAID},? (?:(?:is|are|isn't|aren't|was|were|seems?|has become) (?:(?!not )\w{{1,12}} ){{0,2}}?)?"
    rf"(?:{things.USELESS})"
)
_UNWANTED = (
    rf"\b(?:(?:{words.NOBODY}|we) (?:{things.WANTS_NO})|(?:has|have) no use for) "
    rf"(?:the |our |that |this ){_SAID}"
)
_POINTED_ZH = (
    rf"(?P<object>`?-{{0,2}}[a-z_][\w.-]{{1,60}}(?:\(\))?`?)\s*(?:这个|那个)?(?:{things.PARTS_ZH}|{things.THINGS_ZH})"
    rf"[^，。；,;\s]{{0,6}}?(?:{things.USELESS_ZH})[了的]?[\s，,。；;]{{0,3}}"
    r"(?:请|就|可以|直接|应该?|需要|要|把它们?|将其|所以|因此|都|一并){0,4}"
    rf"(?:{words.REMOVE_ZH})(?:掉|了|吧|它们?|其|一下|即可){{0,3}}\s*(?:$|[，,。；;！!])"
)


def without_owner(text: str) -> str:
    """What is left of "the verbose parameter of run()" when that to which it belongs is taken out."""
    return pattern(_OWNER_ZH).sub("", pattern(_OWNER).sub(r"\g<part>", text))


def useless(earlier: str) -> tuple[Target, ...]:
    """The thing of which it was said last that it is of no use."""
    text = pattern(_WHOSE).sub(r"\g<part>", without_owner(f" {earlier[-_SPOKEN:].lower()}").strip())
    found = [m for phrase in (_USELESS, _UNWANTED) for m in pattern(phrase).finditer(text)]
    last = max(found, key=lambda match: match.start(), default=None)
    return _things(last["object"], earlier) if last else ()


def pointed_zh(clause: Clause) -> tuple[Target, ...]:
    found = pattern(_POINTED_ZH).search(f"{clause.before[-_SPOKEN:]} {clause.raw[:_SPOKEN]}".lower())
    return _things(found["object"], clause.raw) if found else ()


def _things(text: str, raw: str) -> tuple[Target, ...]:
    return tuple(_read(text.replace("`", " "), raw))


def _read(text: str, raw: str) -> Iterator[Target]:
    for target in targets(text, raw):
        known = target.paths or target.names or target.firm
        telling = tuple(word for word in target.strong if word not in words.DEFECT)
        if known:
            yield target._replace(strong=(), weak=(), tests=True)
        elif telling and telling == target.strong:
            yield Target(strong=telling, tests=True, titled=True)
