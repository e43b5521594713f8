"""Phrases that frame a command, compiled from data: what stands before it, after it, or in its sentence.

The order in which they are asked is in `frames`. Gaps between words are bounded, so that no text is slow.
"""

import re
from functools import cache, cached_property
from typing import Literal

from donewhen.commands.goal.clean import SLOT
from donewhen.commands.goal.needed import needed
from donewhen.commands.goal.phrases_after import AFTER
from donewhen.commands.goal.phrases_before import BEFORE
from donewhen.commands.goal.phrases_marker import MARKERS
from donewhen.commands.goal.phrases_sentence import SENTENCES
from donewhen.core.lazy import Lazy

Where = Literal["before", "after", "sentence"]
TABLES: dict[Where, dict[str, tuple[str, ...]]] = {
    "before": BEFORE,
    "after": AFTER,
    "sentence": {**MARKERS, **SENTENCES},
}
# Words that several phrases share.
_WORDS = {
    "do": (
        r"(?:run|running|execute|executing|use|using|call|calling|invoke|invoking|start|starting|"
        r"trigger|launch|try|do|include|including|type|issue)"
    ),
    "end": (
        r"(?:finish|stop|commit|hand|submit|push|open|merge|call|declare|claim|report|end|are done|"
        r"say|ship|deliver|wrap|close|complete|mark|tell|return|conclude|quit|give|respond|reply|exit|"
        r"send|consider|release|publish|create|raise|leave)"
    ),
    "ending": (
        r"(?:finish|stopp|committ|hand|submitt|push|open|merg|call|declar|claim|report|end|say|shipp|"
        r"deliver|wrapp|clos|complet|mark|tell|return|conclud|quitt|giv|reply|send|consider|releas|"
        r"publish|completion|merge|commit|submission|hand-?over|delivery|the end|the pr|the pull|"
        r"release|review|sign-?off)"
    ),
    "good": (
        r"(?:pass(?:es|ing)?\b|succeed(?:s|ing)?\b|success(?:ful(?:ly)?)?|green|clean|"
        r"exits?(?! (?:with )?(?:an? |exit )?(?:code |status )?(?:[1-9]|non-?zero))|"
        r"returns? (?:with )?(?:code |status )?(?:0|zero)|work(?:s|ing)?|error[- ]free|ok|happy|fine|"
        r"okay|good|"
        r"complete[sd]?|finish(?:es)?|"
        r"(?:report|show|print|give|emit|produce|yield)s? (?:no|0|zero|nothing)\b|run(?:s)? (?:clean|"
        r"green|without|"
        r"through|success)|(?:(?:has|have|having|with|shows?) )?(?:without|no|zero|"
        r"0) (?:any )?(?:\w+ )?(?:errors?|failures?|warnings?|findings?|"
        r"issues?|problems?)|go(?:es)? through|zero exit|status 0|code 0|be run|be executed|compile[sd]?|"
        r"build(?:s)?\b)"
    ),
    "ally": (
        r"(?:(?:all|both|each|continue to|really|actually|truly|indeed|have|definitely|reliably|fully|"
        r"still|also|always|then|now|finally|together|locally|cleanly|"
        r"successfully|again|at least|\d+|three|four|two|five|of (?:them|these)|come (?:back|out|up)|"
        r"end up|turn|be|stay|remain|keep|run|both|return|get|report|finish|to|at the end|in (?:this|"
        r"that) order|at least once|everywhere|here) ?,?\s*){0,5}"
    ),
}


class _Phrase(Lazy):
    """One alternative; the words that it shares with others are put in when it is compiled."""

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"<(\w+)>", lambda name: _WORDS[name[1]], str(self._made[0])))


@cache
def phrases(where: Where, frame: str) -> tuple[tuple[str, list[_Phrase]], ...]:
    """The phrases of a frame by the words without which they are not said."""
    by_word: dict[str, list[_Phrase]] = {}
    for each in TABLES[where][frame]:
        source = each.replace("◈", SLOT)
        phrase = _Phrase(source)
        for word in needed(source):
            by_word.setdefault(word, []).append(phrase)
    return tuple(by_word.items())


def says(where: Where, frame: str, text: str) -> bool:
    near = [found for word, found in phrases(where, frame) if word in text]
    return any(phrase.search(text) for found in near for phrase in found)
