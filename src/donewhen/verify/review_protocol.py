"""What a reviewer is asked, how his reply is read, and what of it stands against acceptance; pure.

He gets promise, spec and diff, never what the author says about them. What comes out of a repository is
declared to be data, between boundaries that it can't forge: they are made of a digest of itself. A reply is
a review of exactly what was asked, or a list of what is wrong with it. A verdict that rests on text which
nobody can find is void. Doubt is no failure and silence no pass. After the first round only what was open, or
what is about lines that changed since, may block: else a reviewer could move the goal for ever.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from donewhen.core.codec import EMPTY, from_json, thaw
from donewhen.core.errors import DonewhenError
from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.paths import relative
from donewhen.core.quality.lines import DiffFile, Moved, changed_lines, diff_files, moved, place_now
from donewhen.core.texts import Language, Phrase, say

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Stage = Literal["spec", "robustness"]
Verdict = Literal["met", "unmet", "unclear"]
Gravity = Literal["low", "medium", "high"]
Settled = Literal["pass", "fail"]

STAGES: tuple[Stage, ...] = ("spec", "robustness")
VERDICTS: tuple[Verdict, ...] = ("met", "unmet", "unclear")
GRAVITIES: tuple[Gravity, ...] = ("low", "medium", "high")
LEAST_QUOTED = 8  # characters beside blanks that a quote must have
NEAR = 2  # lines that a quote or a finding may be off: reviewers miscount


class Criterion(NamedTuple):
    """One thing that must hold. `covered`: a check that is executed speaks about it too."""

    id: str
    text: str
    required: bool = True
    covered: bool = False


class Quote(NamedTuple):
    """Text that is said to stand in a file of the change, at a line counted from 1."""

    file: str
    line: int
    text: str


class Judged(NamedTuple):
    """What was said about one criterion; `void` says why quotes, or the whole verdict, don't count."""

    criterion: str
    verdict: Verdict
    quotes: tuple[Quote, ...] = ()
    reason: str = ""
    confidence: float = 1.0
    void: tuple[Phrase, ...] = ()


class Remark(NamedTuple):
    """Something wrong that no criterion asks about; `misplaced`: it names a place that does not exist."""

    stage: Stage
    severity: Gravity
    file: str
    line: int
    message: str
    suggestion: str = ""
    confidence: float = 1.0
    rule: str = ""
    misplaced: bool = False


class Review(NamedTuple):
    judged: tuple[Judged, ...] = ()
    remarks: tuple[Remark, ...] = ()


class ReviewError(DonewhenError):
    """A reply that is no review: everything that is wrong with it, to be sent back to who wrote it."""

    def __init__(self, problems: Sequence[Phrase]) -> None:
        super().__init__(problems[0].key, **problems[0].values)
        self.problems = tuple(problems)

    def again(self) -> "ReviewError":
        return ReviewError(self.problems)

    def say(self, language: Language) -> str:
        return "\n".join(say(each.key, language, **each.values) for each in self.problems)


class Ground(NamedTuple):
    """Where the last review saw a criterion met."""

    criterion: str
    file: str
    line: int


class Open(NamedTuple):
    """A remark that blocks until it is answered."""

    id: str  # finding-1
    remark: Remark

    def as_criterion(self) -> Criterion:
        """The next review must say whether it was mended: `met` means that it was."""
        place = f"{self.remark.file}:{self.remark.line}: " if self.remark.file else ""
        return Criterion(self.id, f"{place}{self.remark.message}")


class Rounds(NamedTuple):
    """The reviews of one run so far. They are counted: who may always find something new never ends."""

    done: int = 0
    subject: str = ""  # digest of what was reviewed last: tree, promise, settings
    tree: str = ""  # that was reviewed last
    overall: Settled = "pass"
    feedback: tuple[Feedback, ...] = ()
    open: tuple[Open, ...] = ()
    met: tuple[str, ...] = ()  # criteria
    grounds: tuple[Ground, ...] = ()
    named: int = 0  # how many findings have got an id
    verdicts: Mapping[str, Verdict] = EMPTY  # of the last review, by criterion


NO_ROUNDS = Rounds()


def to_data(rounds: Rounds) -> dict[str, Any]:
    """JSON data; `from_data` reads it."""
    data: dict[str, Any] = thaw(rounds)
    return data


def from_data(data: object) -> Rounds:
    """ValueError when it is none of ours."""
    rounds: Rounds = from_json(Rounds, thaw(data) if isinstance(data, Mapping) else data)
    return rounds


class Since(NamedTuple):
    """Lines of now that changed since the last review, and where the files of then are."""

    lines: Mapping[str, frozenset[int]] = MappingProxyType({})
    moves: Mapping[str, Moved] = MappingProxyType({})

    def changed(self, file: str, line: int) -> bool:
        """Whether a place of now is, or is next to, something that changed; line 0 stands for the file."""
        lines = self.lines.get(file, frozenset())
        return bool(lines) if not line else any(line + off in lines for off in range(-NEAR, NEAR + 1))

    def lost(self, file: str, line: int) -> bool:
        """Whether a place of then was changed or taken away."""
        move = self.moves.get(file)
        return move is not None and (not move.path or move.line_now(line) is None)


NOTHING = Since()


def changed_since(diff: str) -> Since:
    """`diff`: from the tree of the last review to that of now; Unreadable when it can't be read.

    Where lines were only taken away, the lines around the gap count as changed.
    """
    lines = {file: set(numbers) for file, numbers in changed_lines(diff).items()}
    moves = moved(diff)
    for move in moves.values():
        gaps = [edit.new for edit in move.edits if edit.removed] if move.path else []
        if gaps:
            lines.setdefault(move.path, set()).update(max(1, at + off) for at in gaps for off in (-1, 0))
    return Since(MappingProxyType({file: frozenset(found) for file, found in lines.items()}), moves)


# The prompt.

LONGEST_DIFF = 160_000  # characters
LONGEST_LINE = 2_000
_LEAST = 300  # characters of a file: less would say nothing
_CUT = "[…]"
_LONGEST_OBJECTIVE = 8_000
_LONGEST_CRITERIA = 60_000
_LONGEST_REQUIREMENTS = 40_000
_MOST_FILES = 500
_MOST_RANGES = 200

_CRITERIA_SHAPE = (
    '  "criteria": [{"criterion": "ID", "verdict": "met | unmet | unclear", "reason": "TEXT",\n'
    '    "confidence": 0.0, "quotes": [{"file": "PATH", "line": 1, "text": "TEXT OF THAT LINE"}]}],'
)
_FINDINGS_SHAPE = (
    '  "findings": [{"severity": "low | medium | high", "file": "PATH", "line": 1, "message": "TEXT",\n'
    '    "suggestion": "TEXT", "confidence": 0.0, "rule": "short-name"}]'
)


class Brief(NamedTuple):
    """What a review is about. `diff` from the base, as git prints it; `files` are those that it touches."""

    objective: str
    criteria: tuple[Criterion, ...]
    diff: str
    files: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()  # of the spec, with their scenarios


class LeftOut(NamedTuple):
    file: str
    lines: int


class Prompt(NamedTuple):
    text: str
    left_out: tuple[LeftOut, ...] = ()


def prompt_for(
    stage: Stage,
    brief: Brief,
    language: Language = "en",
    open_findings: Sequence[Open] = (),
    since: Since | None = None,
    longest: int = LONGEST_DIFF,
) -> Prompt:
    """`open_findings`: of earlier rounds, those of this stage are asked about; `since`: the last round."""
    asked = asked_about(stage, brief.criteria, open_findings)
    cut = cut_diff(tuple(diff_files(brief.diff)), longest)
    own = [each for each in asked if each not in brief.criteria]
    left = [f"{json.dumps(each.file, ensure_ascii=False)}: {each.lines}" for each in cut.left_out]
    blocks = {**_promise(brief, own, since), "diff": cut.text, "left_out": _listed(left)}
    whole = "\0".join(blocks.values()).encode("utf-8", "surrogatepass")
    boundary = f"DATA-{hashlib.sha256(whole).hexdigest()[:32]}"
    head = [say("semantic.prompt_role", language, boundary=boundary)]
    head.append(say(f"semantic.prompt_{stage}", language))
    if own:
        head.append(say("semantic.prompt_open", language))
    if since is not None:
        head.append(say("semantic.prompt_since", language))
    fenced = (
        f"{say(f'semantic.block_{name}', language)}\n<<<{boundary}\n{text}\n{boundary}>>>"
        for name, text in blocks.items()
        if text
    )
    return Prompt(_sayable("\n\n".join((*head, *fenced, _wanted(stage, asked, language)))), cut.left_out)


def asked_about(
    stage: Stage, criteria: Sequence[Criterion], open_findings: Sequence[Open]
) -> tuple[Criterion, ...]:
    """What a reply of this stage must answer: the promise in the first, and what is open of its own."""
    own = tuple(each.as_criterion() for each in open_findings if each.remark.stage == stage)
    return (*criteria, *own) if stage == "spec" else own


def again(prompt: str, problems: str, language: Language) -> str:
    """The same question to a reviewer whose reply was no review."""
    return "\n\n".join((prompt, say("semantic.prompt_again", language, problems=_sayable(problems))))


def _promise(brief: Brief, own: Sequence[Criterion], since: Since | None) -> dict[str, str]:
    room = max(200, _LONGEST_CRITERIA // max(1, len(brief.criteria) + len(own)))
    names = [json.dumps(file, ensure_ascii=False) for file in brief.files]
    blocks = {
        "objective": _cut(brief.objective, _LONGEST_OBJECTIVE),
        "criteria": "\n".join(_criterion(each, room) for each in brief.criteria),
        "open": "\n".join(_criterion(each, room) for each in own),
        "requirements": _cut("\n\n".join(brief.requirements), _LONGEST_REQUIREMENTS),
        "files": _listed(names),
    }
    return blocks if since is None else {**blocks, "changed": "\n".join(_ranges(since)) or "-"}


def _criterion(each: Criterion, room: int) -> str:
    told = {"id": each.id, "text": _cut(each.text, room), "required": each.required}
    return json.dumps(told, ensure_ascii=False)


def _ranges(since: Since) -> list[str]:
    """`"a.py": 3-7`, first ones first, no more than are read."""
    found: list[str] = []
    for file in sorted(since.lines):
        numbers = sorted(since.lines[file])
        starts = [n for n in numbers if n - 1 not in since.lines[file]]
        ends = [n for n in numbers if n + 1 not in since.lines[file]]
        name = json.dumps(file, ensure_ascii=False)
        found += [f"{name}: {first}-{last}" for first, last in zip(starts, ends, strict=True)]
    return found[:_MOST_RANGES]


def _wanted(stage: Stage, asked: Sequence[Criterion], language: Language) -> str:
    shape = "\n".join(("{", *((_CRITERIA_SHAPE,) if asked else ()), _FINDINGS_SHAPE, "}"))
    told = [say("semantic.prompt_reply", language, shape=shape)]
    if asked:
        told.append(say(f"semantic.prompt_answer_{stage}", language))
        told.append(say("semantic.prompt_verdicts", language, least=LEAST_QUOTED))
    return "\n\n".join((*told, say("semantic.prompt_findings", language)))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_FILES
    return "\n".join((*names[:_MOST_FILES], *([f"+ {more}"] if more > 0 else ())))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} {_CUT}"


def _sayable(text: str) -> str:
    """Bytes that are no text are shown as escapes: a prompt goes out as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# A diff that is too long is cut where it is longest, so that whoever pads one file hides no other.


def cut_diff(files: Sequence[DiffFile], longest: int = LONGEST_DIFF) -> Prompt:
    """The files in their order, at most about `longest` characters in all; nothing is summarised."""
    shown = [tuple(_cut(line, LONGEST_LINE) for line in file.lines) for file in files]
    rooms = _shares([sum(len(line) + 1 for line in lines) for lines in shown], longest)
    texts: list[str] = []
    left: list[LeftOut] = []
    for file, lines, room in zip(files, shown, rooms, strict=True):
        kept = _fitting(lines, room)
        if kept:
            texts += [*lines[:kept], *([_CUT] if kept < len(lines) else [])]
        long = sum(len(line) > LONGEST_LINE for line in file.lines[:kept])
        if kept < len(lines) or long:
            left.append(LeftOut(file.file, len(lines) - kept + long))
    return Prompt("\n".join(texts), tuple(left))


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many lines there is room for."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Room for each: the small get what they need, the long share the rest evenly."""
    shares = [0] * len(sizes)
    for done, at in enumerate(sorted(range(len(sizes)), key=lambda at: sizes[at])):
        share = min(sizes[at], room // (len(sizes) - done))
        shares[at] = share if share == sizes[at] or share >= _LEAST else 0
        room -= shares[at]
    return shares


# Text in a change that speaks to whoever judges it. Words only, so it points and never fails a change.

_MOST_PLEAS = 20
_LONGEST_PLEA = 160
_WHO = r"(?:reviewers?|judges?|graders?|evaluators?|approvers?|llms?|ai|claude|chatgpt|copilot|gemini)"
_ANSWER = r"(?:approve|accept|merge|pass|mark|rate|answer|respond|give|return)"
_PLEAS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "verdict",
            rf"(?<![\w.\"'/-]){_WHO}\b[^\w\n(){{}}=\"']?[^\n(){{}}=\"']{{0,40}}?"
            rf"\b(?:please|kindly|you (?:must|should|need to))\b[^\n]{{0,20}}?\b{_ANSWER}\b",
        ),
        ("verdict", rf"^\W{{0,6}}(?:ai |code ){{0,2}}{_WHO} ?[:,] ?{_ANSWER} (?:this|it|all|every|the)\b"),
        ("verdict", r"\bmark (?:all|every|each)\b[^\n]{0,20}\bcriteri(?:a|on) as (?:met|passed|done)\b"),
        (
            "override",
            r"\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|of) ){0,3}"
            r"(?:(?:previous|prior|above|earlier|system) (?:instructions?|prompts?)|instructions above)\b",
        ),
        ("verdict", r"(?:审查|评审|审核)(?:者|员|人|专家|AI).{0,30}?(?:请|必须|直接).{0,8}?(?:通过|批准)"),
        ("override", r"(?:忽略|无视|忘记).{0,6}?(?:之前|以上|上面|先前|系统).{0,6}?(?:指令|指示|提示词)"),
        # tags (but in flags), overrides of the direction, long runs of what has no width
        (
            "hidden",
            "(?<!\U0001f3f4)(?<![\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+|[\u202d\u202e]"
            "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,}",
        ),
    )
)  # fmt: skip


def pleas(diff: str, language: Language = "en") -> tuple[Feedback, ...]:
    """A warning for each line or new file name of the change that speaks to its reviewer, or hides text."""
    found: list[Feedback] = []
    for file in diff_files(diff):
        for number, text in ((0, _new_name(file)), *file.added):
            kind, said = next(
                ((kind, hit[0]) for kind, pattern in _PLEAS if (hit := pattern.search(text))), ("", "")
            )
            if kind and len(found) < _MOST_PLEAS:
                found.append(_plea(kind, said, file.file, number, language))
    return tuple(found)


def _new_name(file: DiffFile) -> str:
    header = takewhile(lambda line: not line.startswith("@@"), file.lines)
    named = any(line.startswith(("new file mode ", "rename to ", "copy to ")) for line in header)
    return re.sub(r"[_./-]+", " ", file.file) if named else ""


def _plea(kind: str, said: str, file: str, line: int, language: Language) -> Feedback:
    shown = " ".join(f"U+{ord(each):04X}" for each in said[:4]) if kind == "hidden" else said[:_LONGEST_PLEA]
    return Feedback(
        "warning",
        "semantic",
        say(f"semantic.addressed_{kind}", language, text=shown),
        file,
        line,
        fixable=True,
        fix_suggestion=say("semantic.addressed_fix", language),
        rule="hidden-text" if kind == "hidden" else "reviewer-addressed",
    )


# The reply.

LONGEST_REPLY = 400_000
MOST_PROBLEMS = 10
_LONGEST_TEXT = 2000
_FENCE = re.compile(r"```[a-zA-Z]{0,10}[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_UNSEEN = {number: " " for number in (*range(32), *range(127, 160)) if number not in (9, 10)}


def _of_tree(text: str) -> str:
    """A name or line of the tree, where bytes that are no text may be."""
    text.encode("utf-8", "surrogateescape")
    if len(text) > _LONGEST_TEXT:
        raise ValueError(f"give at most {_LONGEST_TEXT} characters")
    return text


def _given(text: str) -> str:
    if not text.strip():
        raise ValueError("it is empty")
    return text


_Short = Annotated[str, StringConstraints(max_length=_LONGEST_TEXT)]
_Text = Annotated[_Short, AfterValidator(lambda text: text.translate(_UNSEEN).strip())]
_Said = Annotated[_Text, AfterValidator(_given)]
_Raw = Annotated[str, AfterValidator(_of_tree)]
_Ratio = Annotated[float, Field(ge=0, le=1)]


class _Given(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _QuoteGiven(_Given):
    file: Annotated[_Raw, AfterValidator(_given)]
    line: int = Field(ge=1, le=10**8)
    text: Annotated[_Raw, AfterValidator(_given)]


class _AnswerGiven(_Given):
    criterion: Annotated[_Raw, AfterValidator(_given)]
    verdict: Verdict
    quotes: list[_QuoteGiven] = Field(max_length=20)
    reason: _Said
    confidence: _Ratio


class _FindingGiven(_Given):
    stage: Stage = "spec"
    severity: Gravity
    file: _Raw = ""
    line: int = Field(0, ge=0, le=10**8)
    message: _Said
    suggestion: _Text = ""
    confidence: _Ratio
    rule: str = Field("", max_length=60, pattern=r"^(?:[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$")


class _ReplyGiven(_Given):
    criteria: list[_AnswerGiven] = Field([], max_length=2000)
    findings: list[_FindingGiven] = Field(max_length=100)


def read_review(text: str, criteria: Sequence[Criterion], stage: Stage = "spec") -> Review:
    """The review that `text` is, of exactly these criteria; else a ReviewError: what is wrong where."""
    data = _load(text)
    problems = list(_wrong_answers(data, criteria))
    try:
        reply = _ReplyGiven.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise ReviewError([*map(_problem, found), *problems][:MOST_PROBLEMS]) from None
    if problems:
        raise ReviewError(problems[:MOST_PROBLEMS])
    answers = {each.criterion.strip(): each for each in reply.criteria}
    return Review(
        tuple(_judged(each.id, answers[each.id.strip()]) for each in criteria),
        tuple(
            Remark(**{"stage": stage, "file": "", "line": 0, **each.model_dump(exclude_unset=True)})
            for each in reply.findings
        ),
    )


def _load(text: str) -> Any:
    """The JSON value of a reply, which may stand alone in a Markdown fence."""
    if len(text) > LONGEST_REPLY:
        raise ReviewError([Phrase("semantic.reply_long", {"limit": LONGEST_REPLY})])
    inner = text.strip().removeprefix("\ufeff")
    fenced = _FENCE.fullmatch(inner)
    try:
        return json.loads(fenced[1] if fenced else inner, object_pairs_hook=_once)
    except RecursionError:
        raise ReviewError([Phrase("semantic.reply_deep")]) from None
    except ValueError as error:  # no JSON, a field twice, a number of thousands of digits
        raise ReviewError([Phrase("semantic.reply_no_json", {"why": str(error)[:200]})]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field is given twice in one object")
    return found


def _problem(error: "ErrorDetails") -> Phrase:
    place = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part if part.isidentifier() else json.dumps(part)}"[:60]
        for part in error["loc"]
    )
    return Phrase("semantic.reply_wrong", {"where": f"reply{place}", "why": error["msg"]})


def _wrong_answers(data: Any, criteria: Sequence[Criterion]) -> Iterator[Phrase]:
    """Each criterion wants one answer, and nobody asked for another."""
    given = data.get("criteria", []) if isinstance(data, dict) else None
    if not isinstance(given, list):
        return
    names = [each.get("criterion") for each in given if isinstance(each, dict)]
    said = Counter(name.strip() for name in names if isinstance(name, str) and name.strip())
    wanted = [each.id.strip() for each in criteria]
    for name, times in said.items():
        values = {"name": json.dumps(name[:60]), "known": ", ".join(wanted) or "-"}
        if name not in wanted:
            yield Phrase("semantic.criterion_unknown", values)
        elif times > 1:
            yield Phrase("semantic.criterion_twice", values)
    for name in wanted:
        if name not in said:
            yield Phrase("semantic.criterion_missing", {"name": name})


def _judged(name: str, given: _AnswerGiven) -> Judged:
    quotes = tuple(Quote(each.file, each.line, each.text) for each in given.quotes)
    return Judged(name, given.verdict, quotes, given.reason, given.confidence)


# Quotes are held against the tree. Nothing is looked for elsewhere in the file, nothing outside of the tree.

Tree = Callable[[str], str | None]
"""The text of a file of the change, by its path from the root with slashes; None: there is no such file."""

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


class _Round(NamedTuple):
    """What all decisions of one round look at."""

    min_confidence: float
    earlier: Rounds
    since: Since


def assess(
    review: Review,
    criteria: Sequence[Criterion],
    min_confidence: float,
    earlier: Rounds = NO_ROUNDS,
    since: Since = NOTHING,
    language: Language = "en",
) -> Rounds:
    """One round more, of quotes that were checked. `since`: what changed after the last round, if any.

    The feedback is in the order of the criteria, then what was open, then what is new, the gravest first.
    """
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
    return Rounds(
        earlier.done + 1,
        overall="fail" if left or any(each.status == "fail" for each in told) else "pass",
        feedback=tuple(told),
        open=(*left, *named),
        met=met,
        grounds=tuple(_grounds(met, judged, now)),
        named=max((int(each.id.rpartition("-")[2]) for each in named), default=earlier.named),
        verdicts={each.id: judged[each.id].verdict for each in criteria if each.id in judged},
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
        details="\n".join((_shown(criterion.text, _SHOWN_CRITERION), *_ground(judged, language))),
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
    quoted = tuple(f"{each.file}:{each.line}: {_shown(each.text)}" for each in judged.quotes)
    return (*quoted, *(say(each.key, language, **each.values) for each in judged.void))


def _shown(text: str, longest: int = _SHOWN) -> str:
    plain = _plain(text)
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
