"""Shell tests of base and change, statement by statement: what they ask is where their statements stand.

No syntax tells what a script's own checker does, so only what is plainly the same, plainly another value or
plainly one more case is judged; the rest is not compared, and the base's script on the new code decides.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from posixpath import basename
from typing import NamedTuple

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Assertion, Finding, Pair, Sheet
from donewhen.core.integrity.rewording import Wording
from donewhen.core.integrity.seen import Seen
from donewhen.core.texts import Phrase

_MOST = 4  # findings of one kind in one test
_MOST_STATEMENTS = 1500
_SET = re.compile(r"set((?: -\w{1,10}| pipefail| errexit| nounset)+)")
_SAYS = re.compile(r"(?:echo|printf)\b[^<>|&`]*")
_FEEDS = re.compile(
    r"(?:echo|printf|cat)\b[^|&]*>+ ?[^|&]*|(?:mkdir|touch) [^|&;]*|run .*|<<\n.*|"
    r"\"?(?:local )?(?!(?:PATH|IFS|ENV|HOME|BASH\w*|LD_\w*|PYTHON\w*|NODE\w*)=)\w{1,60}="
    r"(?:\"?\$\(.*\)\"?|[^|&;]*)",
    re.DOTALL,
)
_COUNTER = re.compile(r"\$\{?\w{0,40}(?:fail|bad|wrong|broken|errors)\w{0,40}", re.IGNORECASE)
_STATE = re.compile(r"(?:local )?\w{1,60}=(?:[01]|''|true|false)?")
_SIGNS = re.compile(
    r"\$\{?[\w@#?*!]+[^}\s\"']{0,40}|\|\||&&|\b(?:exit|return) \d+|[|<>]"
    r"|(?<= )(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge|z|n|f|e|d|s))(?= )"
)


class Steps(NamedTuple):
    findings: tuple[Finding, ...]
    same: bool  # all that the base asked is asked, in its order


def stepped(before: Seen, now: Seen, said: Wording) -> Steps:
    """What became of the statements of a test."""
    ours, theirs = before.test.asserts, now.test.asserts
    if len(ours) + len(theirs) > _MOST_STATEMENTS:
        return Steps((unread(now),), False)
    has = frozenset(each.text for each in theirs)
    called = _renamed(before.sheet, now.sheet)
    had = [_today(each.text, has, said, called) for each in ours]
    matcher = SequenceMatcher(None, had, [each.text for each in theirs], autojunk=False)
    findings: list[Finding] = []
    for _, i, j, k, m in (code for code in matcher.get_opcodes() if code[0] != "equal"):
        between = (k > 0 and theirs[k - 1].hollow) and (m < len(theirs) and not theirs[m].hollow)
        findings += _block(ours[i:j], theirs[k:m], before, now, between)
    return Steps(tuple(_few(findings)), not findings)


def _today(text: str, has: frozenset[str], said: Wording, called: tuple[str, str] | None) -> str:
    """How the statement of the base reads in the change's own words."""
    if text in has:
        return text
    if called:
        text = re.sub(rf"(?<![\w-]){re.escape(called[0])}(?![\w-])", lambda _: called[1], text)
    return text if text in has or not said else said(text)


def _renamed(base: Sheet, now: Sheet) -> tuple[str, str] | None:
    """The one function of the script that has another name now; its body is compared like everything else."""
    gone, fresh = base.defines - now.defines, now.defines - base.defines
    return (min(gone), min(fresh)) if len(gone) == len(fresh) == 1 else None


def _few(findings: Sequence[Finding]) -> Iterator[Finding]:
    counted: dict[str, int] = {}
    for finding in findings:
        counted[finding.rule] = counted.get(finding.rule, 0) + 1
        if counted[finding.rule] <= _MOST:
            yield finding


def _block(
    ours: Sequence[Assertion], theirs: Sequence[Assertion], before: Seen, now: Seen, between: bool
) -> Iterator[Finding]:
    """One place where statements differ; `between`: the base prepared before it and asked behind it."""
    left, gone = list(theirs), list[Assertion]()
    for each in ours:
        other = next((candidate for candidate in left if _alike(each, candidate)), None)
        if other is None:
            gone.append(each)
            continue
        left.remove(other)
        if not _is_stricter(each.text, other.text):
            was, text = each.text, other.text
            yield found("expected-changed", now.path, other.line, now=text, before=was, test=before.name)
    asked = [each for each in gone if not each.hollow]
    for each in asked:
        yield from _lost(each, left, before, now)
    kept = all(_harmless(each, taken=True) or (asked and _is_feed(each)) for each in gone)
    line = left[0].line if left else now.test.line
    if not kept or not _is_more(left, between):
        yield unread(now, line)


def _lost(each: Assertion, left: list[Assertion], before: Seen, now: Seen) -> Iterator[Finding]:
    place, test = now.test.line, before.name
    hollow = next((c for c in left if c.hollow and c.kind != "other"), None)
    if hollow is not None:
        left.remove(hollow)
        yield found("test-hollow", now.path, hollow.line, now=hollow.text, before=each.text, test=test)
        return
    yield found("test-emptied", now.path, place, before=each.text, test=test)


def _alike(one: Assertion, other: Assertion) -> bool:
    """The same statement with other values: same command, same variables, same signs."""
    if one.kind != other.kind or one.hollow != other.hollow or _first(one) != _first(other):
        return False
    if _is_stricter(one.text, other.text):
        return True
    if _SIGNS.findall(one.text) != _SIGNS.findall(other.text) or _COUNTER.search(one.text):
        return False
    if one.kind != "other":
        return True
    return _is_feed(one) and _is_feed(other)


def _first(each: Assertion) -> str:
    word = each.text.strip("\"'").partition(" ")[0]
    return word.partition("=")[0] if re.match(r"\w{1,60}=", word) else word


def _is_stricter(one: str, other: str) -> bool:
    """`set -eu`, and all of it and more."""
    had, has = _SET.fullmatch(one), _SET.fullmatch(other)
    return bool(had and has) and _options(one) <= _options(other)


def _options(text: str) -> frozenset[str]:
    words = text.split()[1:]
    letters = {letter for word in words if word.startswith("-") for letter in word[1:]} - {"o"}
    named = {word for word in words if not word.startswith("-")}
    return frozenset(letters | {{"errexit": "e", "nounset": "u"}.get(name, name) for name in named})


def _harmless(each: Assertion, *, taken: bool = False) -> bool:
    """What only speaks, or asks more; what is taken away must not have been strictness."""
    if each.kind != "other":
        return True
    if _SAYS.fullmatch(each.text) or _SET.fullmatch(each.text):
        return not (taken and each.text.startswith("set"))
    return False


def _is_more(left: Sequence[Assertion], between: bool) -> bool:
    """Whether what came is cases of their own: it speaks, or prepares and then asks."""
    feeding = [each for each in left if not _harmless(each)]
    if not feeding:
        return True
    return all(map(_is_feed, feeding)) and not between and not left[-1].hollow


def _is_feed(each: Assertion) -> bool:
    """It makes what goes in, or takes what comes out; a variable that says how it went is none of these."""
    return _FEEDS.fullmatch(each.text) is not None and _STATE.fullmatch(each.text) is None


def is_step(sheet: Sheet, assertion: Assertion) -> bool:
    """Whether it only prepares or steers; it is told as an assertion so that nothing is passed over."""
    return sheet.language == "shell" and assertion.kind == "other"


def scripts_gone(pairs: Iterable[Pair]) -> frozenset[str]:
    """Scripts of the product that are no longer there, by the names that tests call them."""
    sheets = [pair.base for pair in pairs if pair.now is None and pair.base is not None]
    gone = [sheet for sheet in sheets if sheet.role == "source" and sheet.language == "shell"]
    return frozenset(basename(sheet.path).partition(".")[0] for sheet in gone)


def unread(now: Seen, line: int = 0) -> Finding:
    """Only running the base's script can tell."""
    message = Phrase("integrity.not_compared", {"file": now.path, "now": Phrase("weakening.script")})
    return found("not-compared", now.path, line or now.test.line, message=message, test=now.name)
