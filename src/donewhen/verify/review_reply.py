"""What a reviewer's reply says, and what of it stands against acceptance; pure.

A reply is a review of exactly what was asked, or a list of what is wrong with it: nothing is converted,
guessed or filled in. A verdict that rests on text which nobody can find is void. Doubt is no failure and
silence no pass. After the first round only what was open, or what is about lines that changed since, may
block: else a reviewer could move the goal for ever.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.paths import relative
from donewhen.core.quality.lines import place_now
from donewhen.core.texts import Language, Phrase, say
from donewhen.verify.review_model import (
    GRAVITIES,
    LEAST_QUOTED,
    NO_ROUNDS,
    NOTHING,
    STAGES,
    VERDICTS,
    Criterion,
    Ground,
    Judged,
    Open,
    Quote,
    Remark,
    Review,
    ReviewError,
    Rounds,
    Settled,
    Since,
    Stage,
    Verdict,
)

_Word = TypeVar("_Word", bound=str)
_Value = TypeVar("_Value")
LONGEST_REPLY = 400_000
MOST_PROBLEMS = 10
_MOST_QUOTES = 20
_MOST_REMARKS = 100
_MOST_ANSWERS = 2000
_LONGEST_TEXT = 2000
_LONGEST_QUOTE = 1000
_LONGEST_FILE = 1000
_LONGEST_RULE = 60
_RULE = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+){0,20}")
_FENCE = re.compile(r"```[a-zA-Z]{0,10}[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_UNSEEN = {number: " " for number in (*range(32), *range(127, 160)) if number not in (9, 10)}
_REPLY = ("criteria", "findings")
_JUDGED = ("criterion", "verdict", "quotes", "reason", "confidence")
_QUOTE = ("file", "line", "text")
_REMARK = ("stage", "severity", "file", "line", "message", "suggestion", "confidence", "rule")


def read_review(text: str, criteria: Sequence[Criterion], stage: Stage = "spec") -> Review:
    """The review that `text` is, of exactly these criteria; else a ReviewError: what is wrong where."""
    problems: list[Phrase] = []
    reply = _Fields(_load(text), "reply", _REPLY, problems)
    judged = _answers(reply, criteria, problems)
    found = reply.items("findings", _MOST_REMARKS)
    remarks = [_remark(each, f"findings[{at}]", stage, problems) for at, each in enumerate(found)]
    if problems:
        raise ReviewError(problems[:MOST_PROBLEMS])
    return Review(judged, tuple(remarks))


def _load(text: str) -> Any:
    """The JSON value of a reply, which may stand alone in a Markdown fence."""
    if len(text) > LONGEST_REPLY:
        raise ReviewError([Phrase("semantic.reply_long", {"limit": LONGEST_REPLY})])
    inner = text.strip().removeprefix("\ufeff")
    fenced = _FENCE.fullmatch(inner)
    try:
        return json.loads(fenced[1] if fenced else inner, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ReviewError([Phrase("semantic.reply_deep")]) from None
    except json.JSONDecodeError as error:
        values = {"line": error.lineno, "column": error.colno, "why": error.msg}
    except ValueError as error:  # a field twice, NaN, a number of thousands of digits
        values = {"line": 1, "column": 1, "why": str(error)[:200]}
    raise ReviewError([Phrase("semantic.reply_no_json", values)])


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field is given twice in one object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


class _Fields:
    """The fields of one object of a reply, at the place `where`; a wrong one is added to `problems`."""

    def __init__(self, value: object, where: str, known: Sequence[str], problems: list[Phrase]) -> None:
        self.where = where
        self._problems = problems
        self.is_object = isinstance(value, dict)
        self.given: dict[str, Any] = value if isinstance(value, dict) else {}
        if not self.is_object:
            self._wrong("", Phrase("semantic.an_object"), None)
        for name in self.given:
            if name not in known:
                values = {"where": where, "name": _quoted(name), "known": ", ".join(known)}
                problems.append(Phrase("semantic.field_unknown", values))

    def text(self, name: str, longest: int, *, needed: bool = True, raw: bool = False) -> str:
        """`raw`: something of the tree, where bytes that are no text and control characters may be."""
        value = self.given.get(name, None if needed else "")
        if not isinstance(value, str) or not _is_text(value, raw) or (needed and not value.strip()):
            return self._wrong(name, Phrase("semantic.a_text"), "")
        if len(value) > longest:
            return self._wrong(name, Phrase("semantic.a_short_text", {"limit": longest}), "")
        return value if raw else value.translate(_UNSEEN).strip()

    def line(self, name: str, *, needed: bool = True) -> int:
        value = self.given.get(name, None if needed else 0)
        if type(value) is int and needed <= value <= 10**8:
            return value
        return self._wrong(name, Phrase("semantic.a_line"), 0)

    def ratio(self, name: str) -> float:
        value: Any = self.given.get(name)
        if type(value) in (int, float) and 0 <= value <= 1:
            return float(value)
        return self._wrong(name, Phrase("semantic.a_ratio"), 0.0)

    def word(self, name: str, known: Sequence[_Word], otherwise: _Word | None = None) -> _Word:
        value = self.given.get(name, otherwise)
        found = next((each for each in known if type(value) is str and value == each), None)
        if found is not None:
            return found
        return self._wrong(name, Phrase("semantic.one_of", {"known": ", ".join(known)}), known[0])

    def items(self, name: str, most: int, *, needed: bool = True) -> list[Any]:
        value = self.given.get(name, None if needed else [])
        if not isinstance(value, list):
            return self._wrong(name, Phrase("semantic.a_list"), [])
        if len(value) > most:
            return self._wrong(name, Phrase("semantic.a_short_list", {"limit": most}), [])
        return value

    def _wrong(self, name: str, expected: Phrase, instead: _Value) -> _Value:
        place = f"{self.where}.{name}" if name else self.where
        key = "semantic.field_wrong" if not name or name in self.given else "semantic.field_missing"
        self._problems.append(Phrase(key, {"where": place, "expected": expected}))
        return instead


def _quoted(name: str) -> str:
    """A name that the reply made up, short and on one line."""
    return json.dumps(name[:60])


def _is_text(value: str, raw: bool) -> bool:
    try:
        value.encode("utf-8", "surrogateescape" if raw else "strict")
    except UnicodeEncodeError:
        return False
    return True


def _answers(reply: _Fields, criteria: Sequence[Criterion], problems: list[Phrase]) -> tuple[Judged, ...]:
    """The answers in the order of the criteria: each once, and no other."""
    wanted = {criterion.id.strip() for criterion in criteria}
    answers: dict[str, Judged] = {}
    for at, each in enumerate(reply.items("criteria", _MOST_ANSWERS, needed=bool(criteria))):
        where = f"criteria[{at}]"
        answer = _answer(each, where, problems)
        if not answer.criterion:
            continue
        values = {"where": where, "name": _quoted(answer.criterion)}
        if answer.criterion not in wanted:
            known = ", ".join(criterion.id for criterion in criteria)
            key = "semantic.criterion_unknown" if known else "semantic.criterion_none"
            problems.append(Phrase(key, {**values, "known": known}))
        elif answer.criterion in answers:
            problems.append(Phrase("semantic.criterion_twice", values))
        answers[answer.criterion] = answer
    unanswered = [each.id.strip() for each in criteria if reply.is_object and each.id.strip() not in answers]
    problems += [Phrase("semantic.criterion_missing", {"name": name}) for name in unanswered]
    pairs = ((each.id, answers.get(each.id.strip())) for each in criteria)
    return tuple(answer._replace(criterion=name) for name, answer in pairs if answer)


def _answer(value: Any, where: str, problems: list[Phrase]) -> Judged:
    fields = _Fields(value, where, _JUDGED, problems)
    if not fields.is_object:
        return Judged("", "unclear")
    quotes = fields.items("quotes", _MOST_QUOTES)
    return Judged(
        fields.text("criterion", _LONGEST_TEXT, raw=True).strip(),
        fields.word("verdict", VERDICTS),
        tuple(_quote(each, f"{where}.quotes[{at}]", problems) for at, each in enumerate(quotes)),
        fields.text("reason", _LONGEST_TEXT),
        fields.ratio("confidence"),
    )


def _quote(value: Any, where: str, problems: list[Phrase]) -> Quote:
    fields = _Fields(value, where, _QUOTE, problems)
    if not fields.is_object:
        return Quote("", 0, "")
    return Quote(
        fields.text("file", _LONGEST_FILE, raw=True),
        fields.line("line"),
        fields.text("text", _LONGEST_QUOTE, raw=True),
    )


def _remark(value: Any, where: str, stage: Stage, problems: list[Phrase]) -> Remark:
    fields = _Fields(value, where, _REMARK, problems)
    if not fields.is_object:
        return Remark(stage, "low", "", 0, "")
    rule = fields.text("rule", _LONGEST_RULE, needed=False)
    if rule and not _RULE.fullmatch(rule):
        problems.append(Phrase("semantic.rule_wrong", {"where": f"{where}.rule", "name": _quoted(rule)}))
    return Remark(
        fields.word("stage", STAGES, stage),
        fields.word("severity", GRAVITIES),
        fields.text("file", _LONGEST_FILE, needed=False, raw=True),
        fields.line("line", needed=False),
        fields.text("message", _LONGEST_TEXT),
        fields.text("suggestion", _LONGEST_TEXT, needed=False),
        fields.ratio("confidence"),
        rule,
    )


# Quotes are held against the tree. Nothing is looked for elsewhere in the file, nothing outside of the tree.

Tree = Callable[[str], str | None]
"""The text of a file of the change, by its path from the root with slashes; None: there is no such file."""

NEAR = 2  # lines that a quote may be off
_LEAST_WORDS = 5  # of its characters letters and digits
_WIDE = "\u2e80"  # from here on a character says as much as two


def check_quotes(review: Review, tree: Tree, unquoted: Collection[str] = ()) -> Review:
    """The review with quotes that exist; `unquoted`: criteria that may be met without any."""
    known: dict[str, list[str] | None] = {}

    def lines(file: str) -> list[str] | None:
        if file not in known:
            inside = relative(file)
            text = tree(inside) if inside else None
            known[file] = None if text is None else text.split("\n")
        return known[file]

    judged = (_checked(each, lines, each.criterion in unquoted) for each in review.judged)
    return Review(tuple(judged), tuple(_placed(each, lines) for each in review.remarks))


_Lines = Callable[[str], list[str] | None]


def _checked(judged: Judged, lines: _Lines, unquoted: bool) -> Judged:
    wrong = [(quote, _wrong(quote, lines(quote.file))) for quote in judged.quotes]
    kept = tuple(quote._replace(file=relative(quote.file) or "") for quote, why in wrong if why is None)
    void = tuple(why for _, why in wrong if why is not None)
    groundless = not kept and (void or judged.verdict == "met") and judged.verdict != "unclear"
    if not groundless or (unquoted and judged.verdict == "met"):
        return judged._replace(quotes=kept, void=void)
    said = Phrase("semantic.void", {"verdict": judged.verdict})
    return judged._replace(
        verdict="unclear", quotes=(), void=(said, *(void or (Phrase("semantic.no_quote"),)))
    )


def _wrong(quote: Quote, lines: list[str] | None) -> Phrase | None:
    """Why the quote does not count; None: it does."""
    place = {"place": f"{quote.file}:{quote.line}"}
    if lines is None:
        return Phrase("semantic.quote_no_file", place)
    if not _says_something(quote.text):
        return Phrase("semantic.quote_short", {**place, "least": LEAST_QUOTED})
    near = range(max(1, quote.line - NEAR), min(len(lines), quote.line + NEAR) + 1)
    if not any(_begins_in(lines, start, quote.text) for start in near):
        return Phrase("semantic.quote_not_there", place)
    return None


def _begins_in(lines: list[str], start: int, text: str) -> bool:
    first = _plain(lines[start - 1])
    following = _plain("\n".join(lines[start : start + text.strip().count("\n")]))
    at = f"{first} {following}".strip().find(_plain(text))
    return 0 <= at < max(1, len(first))


def _plain(text: str) -> str:
    """Blanks of any kind and number are one."""
    return " ".join(text.split())


def _says_something(text: str) -> bool:
    widths = [(each, 2 if each >= _WIDE else 1) for each in text if not each.isspace()]
    words = sum(width for each, width in widths if each.isalnum())
    return sum(width for _, width in widths) >= LEAST_QUOTED and words >= _LEAST_WORDS


def _placed(remark: Remark, lines: _Lines) -> Remark:
    if not remark.file:
        return remark._replace(line=0)
    found = lines(remark.file)
    if found is None or remark.line > len(found) + NEAR:
        return remark._replace(misplaced=True)
    return remark._replace(file=relative(remark.file) or "", line=min(remark.line, len(found)))


# What stands against acceptance.

_BLOCKING = ("medium", "high")


class Weighed(NamedTuple):
    """`feedback` in the order of the criteria, then what was open, then what is new, the gravest first."""

    overall: Settled
    feedback: tuple[Feedback, ...]
    open: tuple[Open, ...]
    met: tuple[str, ...]
    grounds: tuple[Ground, ...]
    named: int
    verdicts: Mapping[str, Verdict]


class _Round(NamedTuple):
    """What all decisions of one round look at."""

    min_confidence: float
    earlier: Rounds
    since: Since


def weigh(
    review: Review,
    criteria: Sequence[Criterion],
    min_confidence: float,
    earlier: Rounds = NO_ROUNDS,
    since: Since = NOTHING,
    language: Language = "en",
) -> Weighed:
    """One round, of quotes that were checked. `since`: what changed after the last one; not for the first."""
    now = _Round(min_confidence, earlier, since)
    judged = {each.criterion: each for each in review.judged}
    told = [
        _tell_criterion(judged[each.id], each, _status(judged[each.id], each, now), language)
        for each in criteria
        if each.id in judged
    ]
    moved = [_moved(each, since) for each in earlier.open]
    told += [_tell_open(each, judged[each.id], language) for each in moved if each.id in judged]
    left = [each for each in moved if each.id not in judged or judged[each.id].verdict != "met"]
    fresh = sorted(_fresh(review.remarks, left), key=lambda remark: -GRAVITIES.index(remark.severity))
    statuses = [(remark, _weight(remark, now)) for remark in fresh]
    told += [_tell_remark(remark, status, language) for remark, status in statuses]
    new = [remark for remark, status in statuses if status == "fail"]
    named = tuple(_named(new, earlier.named, {each.id for each in criteria}))
    met = tuple(_met(criteria, judged, now))
    return Weighed(
        "fail" if left or any(each.status == "fail" for each in told) else "pass",
        tuple(told),
        (*left, *named),
        met,
        tuple(_grounds(met, judged, now)),
        max((int(each.id.rpartition("-")[2]) for each in named), default=earlier.named),
        {each.id: judged[each.id].verdict for each in criteria if each.id in judged},
    )


def _status(judged: Judged, criterion: Criterion, now: _Round) -> FeedbackStatus:
    sure = judged.confidence >= now.min_confidence
    if judged.verdict == "met":
        return "pass" if sure else "warning"
    counts = sure if judged.verdict == "unmet" else not criterion.covered
    return "fail" if counts and criterion.required and _may_block(judged, now) else "warning"


def _may_block(judged: Judged, now: _Round) -> bool:
    """A criterion that was met stays so, unless what it was met by, or what is complained about, changed."""
    if not now.earlier.done or judged.criterion not in now.earlier.met:
        return True
    grounds = [each for each in now.earlier.grounds if each.criterion == judged.criterion]
    return any(now.since.lost(each.file, each.line) for each in grounds) or any(
        now.since.changed(quote.file, quote.line) for quote in judged.quotes
    )


def _weight(remark: Remark, now: _Round) -> FeedbackStatus:
    counts = remark.severity in _BLOCKING and remark.confidence >= now.min_confidence
    about = not now.earlier.done or (bool(remark.file) and now.since.changed(remark.file, remark.line))
    return "fail" if counts and about and not remark.misplaced else "warning"


def _fresh(remarks: Sequence[Remark], left: Sequence[Open]) -> Iterator[Remark]:
    """Each once, without those that are open under a name already."""
    seen = {(each.remark.file, _plain(each.remark.message)) for each in left}
    for remark in remarks:
        key = (remark.file, _plain(remark.message))
        if key not in seen:
            seen.add(key)
            yield remark


def _named(new: Sequence[Remark], last: int, taken: set[str]) -> Iterator[Open]:
    number = last
    for remark in new:
        number += 1
        while f"finding-{number}" in taken:
            number += 1
        yield Open(f"finding-{number}", remark)


def _moved(each: Open, since: Since) -> Open:
    """The finding at the place where its line is now; where that is gone, the file alone."""
    remark = each.remark
    if not remark.file:
        return each
    now = place_now(since.moves, remark.file, remark.line)
    if now is None:
        now = since.moves[remark.file].path or remark.file, 0
    return each._replace(remark=remark._replace(file=now[0], line=now[1]))


def _met(criteria: Sequence[Criterion], judged: Mapping[str, Judged], now: _Round) -> Iterator[str]:
    for said in (judged[each.id] for each in criteria if each.id in judged):
        kept = said.criterion in now.earlier.met and not _may_block(said, now)
        if kept or (said.verdict == "met" and said.confidence >= now.min_confidence):
            yield said.criterion


def _grounds(met: Sequence[str], judged: Mapping[str, Judged], now: _Round) -> Iterator[Ground]:
    for name in met:
        quotes = judged[name].quotes if judged[name].verdict == "met" else ()
        yield from (Ground(name, quote.file, quote.line) for quote in quotes)
        for ground in now.earlier.grounds if not quotes else ():
            place = place_now(now.since.moves, ground.file, ground.line)
            if ground.criterion == name and place is not None:
                yield Ground(name, *place)


# Verdicts as feedback; what a reviewer wrote is passed on as its own words, after ours.

_SHOWN = 200  # characters of a quote
_SHOWN_CRITERION = 500


def _tell_criterion(
    judged: Judged, criterion: Criterion, status: FeedbackStatus, language: Language
) -> Feedback:
    met = judged.verdict == "met"
    first = judged.quotes[0] if judged.quotes else Quote("", 0, "")
    return Feedback(
        status,
        "semantic",
        say(f"semantic.{judged.verdict}", language, id=criterion.id, reason=judged.reason),
        first.file,
        first.line,
        details="\n".join((_short(criterion.text, _SHOWN_CRITERION), *_ground(judged, language))),
        fixable=not met,
        fix_suggestion="" if met else say(f"semantic.fix_{judged.verdict}", language, id=criterion.id),
        confidence=judged.confidence,
        rule=f"criterion-{judged.verdict}",
    )


def _tell_open(each: Open, judged: Judged, language: Language) -> Feedback:
    """What became of a finding of an earlier round."""
    mended = judged.verdict == "met"
    told = _tell_remark(each.remark, "pass" if mended else "fail", language)
    key = "semantic.mended" if mended else "semantic.still_open"
    details = (say(key, language, id=each.id, reason=judged.reason), *_ground(judged, language))
    return told._replace(details="\n".join(details), fixable=not mended)


def _tell_remark(remark: Remark, status: FeedbackStatus, language: Language) -> Feedback:
    details = say(f"semantic.severity_{remark.severity}", language)
    if remark.misplaced:
        place = f"{remark.file}:{remark.line}" if remark.line else remark.file
        details += "\n" + say("semantic.misplaced", language, place=place)
    return Feedback(
        status,
        "semantic",
        remark.message,
        "" if remark.misplaced else remark.file,
        0 if remark.misplaced else remark.line,
        details=details,
        fixable=True,
        fix_suggestion=remark.suggestion,
        confidence=remark.confidence,
        rule=remark.rule or f"review-{remark.stage}",
    )


def _ground(judged: Judged, language: Language) -> tuple[str, ...]:
    quoted = tuple(f"{each.file}:{each.line}: {_short(each.text)}" for each in judged.quotes)
    return (*quoted, *(say(each.key, language, **each.values) for each in judged.void))


def _short(text: str, longest: int = _SHOWN) -> str:
    shown = _plain(text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
