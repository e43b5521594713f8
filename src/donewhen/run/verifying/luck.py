"""What a change brings that may pass by luck, read off its texts, and how often it is worth trying. Pure.

Words, not meaning: a word too many costs a second, one too few lets a lucky pass through. Nothing is run.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

_CHANCE = re.compile(
    rb"(?i:random|\brand\(|rand::|math/rand|shuffle|\bshuf\b|uuid|secrets\.|seed\(|sample\(|choices?\()"
    rb"|\bsort -\w{0,5}R"
)
_ASIDE = re.compile(  # things that happen side by side
    rb"(?i:threading|\bthread(?:s|pool\w{0,20}|ing)?\b|asyncio\.|create_task|taskgroup|as_completed|concurrent"
    rb"|multiprocess|worker_threads|promise\.(?:race|any|all)|settimeout|setinterval|setimmediate|goroutine"
    rb"|tokio::|rayon)|\bgo func|<-chan\b|\bxargs -\w{0,5}P"
)
_CLOCK = re.compile(
    rb"(?i:\bnow\(|time\.time|time_ns|perf_counter|monotonic|new date\b|utcnow|\.today\(|systemtime"
    rb"|currenttimemillis|nanotime|localdate|hrtime|gmtime|localtime|strftime|\bctime\(|\basctime"
    rb"|getpid|process\.pid|flaky|retry|retries|rerun|attempt)"
    rb"|EPOCH(?:SECONDS|REALTIME)|\$SECONDS\b|\bdate \+|\$\(date\b|`date\b"
)
_SET = rb"(?:(?<![\w.])(?:frozen)?set\(|\{\*|\{[^{}:\n]{1,80} for |\{[\"'][^{}:\n]{0,200}\})"
_HASHED = re.compile(_SET + rb"|(?<![\w.])(?:hash|id)\(")
_ORDERED = re.compile(  # what takes the order of a set for an order
    rb"\b(?:list|tuple|iter|enumerate|join|max|min|zip|map|filter)\(" + _SET + rb"|\bin " + _SET + rb"|\{\*"
    rb"|\bnext\(iter\(|(?<![\w.])hash\(|(?<![\w.])id\("
)
_STATE = re.compile(
    rb"open\(|write_text|write_bytes|writeFile|appendFile|touch\(|mkdir|unlink|os\.remove|rmSync|\.exists\("
    rb"|existsSync|isfile\(|shelve|sqlite|pickle|os\.WriteFile|os\.Create|os\.Stat|fs::write|File::create"
    rb"|Files\.write|FileWriter|localStorage|gettempdir|tmpdir|/tmp/|touch |test -f|\[ -f|\[ -e|mktemp"
    rb"|listdir|scandir|iterdir|glob\(|readdir|os\.walk"
)
_LONG = 60_000  # milliseconds of a run that is tried again once at most
_SPENT = 8_000  # milliseconds that trying again may take for one kind
_LEAST = 300  # of one run, with what goes before and after it


class Luck(NamedTuple):
    """What the change has more of than the base."""

    chance: bool = False
    aside: bool = False
    clock: bool = False
    hashed: bool = False  # the order of a Python set, or a hash: another one for each hash seed
    ordered: bool = False  # and it is taken for an order
    state: bool = False


class Times(NamedTuple):
    more: int = 0  # runs as the exam was run
    seeds: int = 0  # runs with a hash seed of their own


def luck_in(pairs: Iterable[tuple[bytes, bytes]]) -> Luck:
    """`pairs` are changed files, at the base and now."""
    known = list(pairs)
    return Luck(*(brings(each, known) for each in (_CHANCE, _ASIDE, _CLOCK, _HASHED, _ORDERED, _STATE)))


def brings(marks: re.Pattern[bytes], pairs: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a file has more of any of the marks now than it had at the base."""
    return any(_counted(marks, now) - _counted(marks, base) for base, now in pairs)


def _counted(marks: re.Pattern[bytes], text: bytes) -> Counter[bytes]:
    return Counter(found[0] for found in marks.finditer(text))


def times(luck: Luck, took: int) -> Times:
    """How often more a command that passed in `took` milliseconds is to be run.

    Chance shows only by trying: one wrong case of sixteen is missed by four runs three times of four, by
    twenty seldom. Short runs cost little.
    """
    most = max(24 * luck.chance, 8 * luck.aside, 4 * luck.clock)
    seeds = max(20 * luck.ordered, 6 * luck.hashed)
    once = 1 if luck.state and took <= _LONG else 0
    return Times(max(_within(most, took), once), _within(seeds, took))


def _within(most: int, took: int) -> int:
    if most == 0 or took > _LONG:
        return min(most, 1)
    return max(2, min(most, _SPENT // max(took, _LEAST)))
