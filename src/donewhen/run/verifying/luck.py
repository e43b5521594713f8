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
_DRAWS = re.compile(  # lots that decide what comes out; names that are only to be unlike others are none
    rb"(?i:\brandom\.(?!uuid)|\brandom\b(?=[ \t)%\]}]{0,3}[%)\]}])|import random|from random|getrandomvalues"
    rb"|randombytes|randomint|randrange|randint|\brand\(|rand::|math/rand|shuffle|\bshuf\b|/dev/u?random"
    rb"|new random\(|math\.random)|\$\{?RANDOM\b|\bRANDOM ?%|\bsort -\w{0,5}R"
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
_MINUTE = re.compile(  # the second within its minute
    rb"tm_sec\b|\.second\b|getSeconds\(|getUTCSeconds\(|\.Second\(\)|%-S\b|\bsecond\(\)"
)
_TICKS = re.compile(  # every so many seconds
    rb"(?i:(?:\btime\(\)|\bnow\(\)|time_ns\(\)|time\.time|monotonic\(\)|epochseconds|date \+%s\)|\$seconds"
    rb"|unix\(\))"
    rb"[^\n%]{0,40}%[ \t]{0,3}\(?\d)"
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
_MARKS = (_CHANCE, _DRAWS, _ASIDE, _CLOCK, _MINUTE, _TICKS, _HASHED, _ORDERED, _STATE)  # as Luck has them
_SEEDED = re.compile(rb"(?i:seed|Random\(\d)")
_LONG = 60_000  # milliseconds of a run that is tried again once at most
_SPENT = 8_000  # milliseconds that trying again may take for one kind
_SPENT_ON_LOTS, _SPENT_ON_ORDER = 60_000, 30_000
_IN_TESTS, _SHORT = 16, 1_000  # how often, and how long an exam may take, where only its tests draw lots
_LEAST = 300  # of one run, with what goes before and after it


class Luck(NamedTuple):
    """What the change has more of than the base."""

    chance: bool = False
    draws: bool = False  # and the lots decide what comes out
    aside: bool = False
    clock: bool = False
    minute: bool = False  # the second of the minute is read
    ticks: bool = False  # the clock is divided
    hashed: bool = False  # the order of a Python set, or a hash: another one for each hash seed
    ordered: bool = False  # and it is taken for an order
    state: bool = False


class Times(NamedTuple):
    more: int = 0  # runs as the exam was run
    seeds: int = 0  # runs with a hash seed of their own
    ticks: int = 0  # runs in a second of their own
    parts: int = 0  # runs in another part of the minute


def luck_in(pairs: Iterable[tuple[bytes, bytes]]) -> Luck:
    """`pairs` are changed files, at the base and now."""
    known = list(pairs)
    return Luck(*(brings(each, known) for each in _MARKS))


def draws(text: bytes) -> bool:
    """Whether a text draws lots and leaves to chance which."""
    return _DRAWS.search(text) is not None and _SEEDED.search(text) is None


def brings(marks: re.Pattern[bytes], pairs: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a file has more of any of the marks now than it had at the base."""
    return any(_counted(marks, now) - _counted(marks, base) for base, now in pairs)


def _counted(marks: re.Pattern[bytes], text: bytes) -> Counter[bytes]:
    return Counter(found[0] for found in marks.finditer(text))


def times(luck: Luck, took: int, *, tests_draw: bool = False) -> Times:
    """How often more a command that passed in `took` milliseconds is to be run.

    Chance shows only by trying: one wrong case of sixteen is missed by four runs three times of four, by
    sixty seldom. Short runs cost little.
    """
    most = max(24 * luck.chance, 8 * luck.aside, 4 * luck.clock)
    lots = _within(60 * luck.draws, took, _SPENT_ON_LOTS)
    beside = _within(_IN_TESTS * tests_draw, took) if took <= _SHORT else 0
    seeds = max(_within(20 * luck.ordered, took, _SPENT_ON_ORDER), _within(6 * luck.hashed, took))
    once = 1 if luck.state and took <= _LONG else 0
    return Times(
        max(_within(most, took), lots, beside, once),
        seeds,
        _within(10 * luck.ticks, took),
        _within(2 * (luck.minute and luck.clock), took),
    )


def _within(most: int, took: int, spent: int = _SPENT) -> int:
    if most == 0 or took > _LONG:
        return min(most, 1)
    return max(2, min(most, spent // max(took, _LEAST)))
