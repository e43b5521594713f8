"""What is known of one text once its commands are: which runs it has, and which of them can fail unseen.

Runs that a text treats alike are looked at once; where there is more to look at than any honest script has,
that is said of them, as a text nobody can read to its end proves nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.walk import simples
from donewhen.core.texts import Phrase
from donewhen.core.tree import Calculation, Refused, Simple, Test, Tree
from donewhen.verify.behind_acting import INTERPRETERS, part_of
from donewhen.verify.behind_model import Judged, Run, Step
from donewhen.verify.behind_naming import PRINTS, Named, name
from donewhen.verify.behind_order import Event
from donewhen.verify.behind_status import Text
from donewhen.verify.reports.frames import visible

SHOWN = 120
_MOST_RUNS = 48  # of one text, that differ in how their failure is treated
_MOST_ACTS = 8
_TOO_LONG = ("shell.too_long", "shell.too_deep")
UNKNOWN = Judged(acts=True, can_fail=True, last=Run("act", "", ""))


def too_long(step: Step) -> Judged:
    """More than can be looked at; it counts for a test only where no other is found."""
    run = Run("act", "", step.source)
    return Judged(acts=True, can_fail=True, last=_hidden(run, "behind.too_long", step))


def unread(tree: Tree, step: Step) -> Judged:
    """A text that can't be followed: unknown, unless it is too long, or a known test runner is in it."""
    if isinstance(tree, Refused):
        return too_long(step) if tree.reason in _TOO_LONG else UNKNOWN
    for each in simples(tree):
        if each.words[0].known and name(Invocation(each.words)).kind == "test":
            return UNKNOWN._replace(runs=(_hidden(Run("test", "", step.source), "behind.too_long", step),))
    return UNKNOWN


def judge_text(text: Text, step: Step, found: Mapping[int, Judged], asks: bool) -> Judged:
    never = {number for number, each in found.items() if not each.can_fail}
    last, weak = _last(text, step, found)
    return Judged(
        _shown(text, step, {number: each.runs for number, each in found.items() if each.runs}),
        any(each.acts for each in found.values()) or asks,
        not step.ignored and text.can_fail(never),
        tuple(phrase for each in found.values() for phrase in each.idle),
        next((each.counted for each in found.values() if each.counted), None),
        None if step.aside else last,
        (weak or last) if step.aside else weak,
    )


def in_order(steps: Sequence[Judged]) -> Judged:
    """One after the other, until one fails."""
    return Judged(
        tuple(run for each in steps for run in each.runs),
        any(each.acts for each in steps),
        any(each.can_fail for each in steps),
        tuple(phrase for each in steps for phrase in each.idle),
        next((each.counted for each in steps if each.counted), None),
        next((each.last for each in reversed(steps) if each.last), None),
        next((each.weak for each in reversed(steps) if each.weak), None),
    )


def judge_command(named: Named, invocation: Invocation, step: Step) -> Judged:
    """A command behind which nothing stands."""
    program = invocation.words[0]
    if program.known and program.text in PRINTS:
        return Judged(can_fail=program.text not in ("echo", "true", ":"))
    values = {"command": _text(invocation.words), "source": step.source}
    if named.shows and named.kind != "lint":
        return Judged((), True, True, (Phrase("behind.shows", {**values, "detail": visible(named.shows)}),))
    if named.kind is None:
        return _acting(invocation, Run("act", values["command"], step.source, bare=_is_bare(invocation)))
    hidden = Phrase("behind.flag", {**values, "detail": visible(named.masks)}) if named.masks else None
    empty = {"detail": visible(named.passes_empty), "source": step.source}
    return Judged(
        (Run(named.kind, values["command"], step.source, hidden),),
        True,
        True,
        counted=Phrase("behind.empty", empty) if named.passes_empty else None,
    )


def has_questions(tree: object) -> bool:
    """Is there a condition of its own in it: `test -f dist/index.js`?"""
    stack = [tree]
    while stack:
        each = stack.pop()
        if isinstance(each, Test | Calculation):
            return True
        if isinstance(each, Simple) and each.words and each.words[0].text in ("test", "[", "false"):
            return True
        if isinstance(each, tuple):
            stack.extend(each)
    return False


def _is_bare(invocation: Invocation) -> bool:
    """A name without a folder, as functions have them; interpreters of files are none."""
    program = invocation.words[0]
    return program.known and "/" not in program.text and program_name(program.text)[0] not in INTERPRETERS


def _acting(invocation: Invocation, run: Run) -> Judged:
    part = part_of(invocation)
    if part == "asks":
        run = run._replace(asks=True)
    return Judged(
        acts=True,
        can_fail=True,
        last=run if part in ("test", "asks") else None,
        weak=run if part == "weak" else None,
    )


def _last(text: Text, step: Step, found: Mapping[int, Judged]) -> tuple[Run | None, Run | None]:
    """The last command that may be the test, and the last of those that hardly are."""
    strong = {number for number, each in found.items() if each.last}
    if not strong and not any(each.weak for each in found.values()) and not has_questions(text.script):
        return None, None
    order = text.order()
    chosen = any(event.chosen for event in order)
    last = weak = None
    tried: set[int] = set()
    for event in reversed(order):
        if len(tried) >= _MOST_ACTS or event.number in tried:
            continue
        run, hardly = _run(event, text, step, found)
        if run is not None and event.number is not None:
            tried.add(event.number)
            run = _seen(run, text, step, event.number, strong - {event.number})
        if run is None or (run.asks and run.hidden):
            continue  # a question whose answer nobody waits for
        last, weak = (last, weak or run) if hardly else (_better(last, run), weak)
        if last is not None and not (chosen and last.hidden):
            break  # what ends with a status that it kept may do more after the test
    if last is not None and last.hidden and chosen and has_questions(text.script):
        return UNKNOWN.last, weak
    return last, weak


def _better(last: Run | None, run: Run) -> Run:
    return run if last is None or not run.hidden else last


def _run(event: Event, text: Text, step: Step, found: Mapping[int, Judged]) -> tuple[Run | None, bool]:
    """What the text comes to here; a question of its own counts when it can decide how the text ends."""
    if event.number is None:
        own = not event.aside and not step.ignored and text.judges()
        return (Run("act", "", step.source, asks=True) if own else None), False
    each = found.get(event.number)
    if each is None:
        return None, False
    return each.last or each.weak, event.aside or each.last is None


def _seen(run: Run, text: Text, step: Step, number: int, others: set[int]) -> Run:
    if step.ignored:
        return _hidden(run, "behind.ignored", step)
    if (run.asks and text.decides(number)) or (step.borrows and run.bare):
        return run
    if text.shows(number, sorted(others)[-_MOST_ACTS:], doubt=True) is False:
        return _hidden(run, "behind.hidden", step)
    return run


def _shown(text: Text, step: Step, runs: Mapping[int, tuple[Run, ...]]) -> tuple[Run, ...]:
    """The runs of the step, those marked whose failure its end can't show."""
    if step.ignored:
        return tuple(_hidden(run, "behind.ignored", step) for each in runs.values() for run in each)
    verdicts: dict[object, str] = {}  # by what is alike: the text that tells why it is hidden
    alike = text.alike() if len(runs) > 1 else {}
    looked = list(_chosen(runs, alike))
    shown: list[Run] = []
    enough = False  # one hidden test run is enough to know
    for number, each in runs.items():
        key = alike.get(number)
        if number in looked and not enough:
            seen = text.shows(number, [other for other in looked if other != number])
            key_text = {True: "", False: "behind.hidden", None: "behind.too_long"}[seen]
            verdicts[key] = verdicts.get(key) or key_text
        unseen = "behind.too_long" if not enough else ""
        why = verdicts.get(key, unseen)
        marked = [_hidden(run, why, step) if why else run for run in each]
        enough = enough or any(run.kind == "test" and run.hidden for run in marked)
        shown += marked
    return tuple(shown)


def _chosen(runs: Mapping[int, object], alike: Mapping[int, object]) -> Iterator[int]:
    """The first and the last of those that are alike."""
    first: dict[object, int] = {}
    last: dict[object, int] = {}
    for number in runs:
        first.setdefault(alike.get(number), number)
        last[alike.get(number)] = number
    yield from sorted({*list(first.values())[:_MOST_RUNS], *list(last.values())[:_MOST_RUNS]})


def _hidden(run: Run, key: str, step: Step) -> Run:
    if run.hidden:
        return run
    values = {"source": step.source, "command": run.command}
    return run._replace(hidden=Phrase(key, {"source": step.source} if key == "behind.too_long" else values))


def _text(words: Sequence[object]) -> str:
    return visible(" ".join(getattr(word, "text", "") for word in words), SHOWN)
