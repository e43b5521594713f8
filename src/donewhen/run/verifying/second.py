"""Rearmed flakes: an exam that passes once, by luck, by the clock or by a state that it uses up.

Sat once more where that is likely: it wrote beside the tree, or the change brings chance, time or state with
it. A red makes the exam flaky. Results are kept with the others, so nothing is sat twice for the same tree.
"""

from collections.abc import Iterable, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.rerunning import Proper
from donewhen.run.verifying.sitting import Told, sit
from donewhen.run.verifying.surroundings import surroundings
from donewhen.run.verifying.verdict import Sitting
from donewhen.shell import parse
from donewhen.store.results import Stored

_CHANCE = (
    b"random", b"rand(", b"rand::", b"math/rand", b"shuffle", b"uuid", b"urandom", b"secrets.",
    b"getpid", b"process.pid", b"time.time", b"perf_counter", b"monotonic", b"Date.now", b"new Date",
    b"datetime.now", b"utcnow", b".today(", b"time.Now", b"Instant::now", b"SystemTime", b"currentTimeMillis",
    b"nanoTime", b"LocalDate", b"performance.now", b"hrtime", b"/dev/urandom", b"$RANDOM", b"date +",
    b"flaky", b"retry", b"retries", b"rerun", b"attempt",
)  # fmt: skip
_STATE = (
    b"open(", b"write_text", b"write_bytes", b"writeFile", b"appendFile", b"touch(", b"mkdir", b"unlink",
    b"os.remove", b"rmSync", b".exists(", b"existsSync", b"isfile(", b"shelve", b"sqlite", b"pickle",
    b"os.WriteFile", b"os.Create", b"os.Stat", b"fs::write", b"File::create", b"Files.write", b"FileWriter",
    b"localStorage", b"gettempdir", b"tmpdir", b"/tmp/", b"touch ", b"test -f", b"[ -f", b"[ -e", b"mktemp",
)  # fmt: skip
_SHORT, _LONG = 1_500, 60_000  # milliseconds of a run
_SECOND = 1_000_000_000


async def second_run(
    proper: Proper, told: Sequence[Told], texts: Iterable[tuple[bytes, bytes]] = ()
) -> tuple[Finding, ...]:
    """To be asked after an exam that passed; `texts` are changed files, at the base and now."""
    if proper.memory.flaky.of > 1:  # the user allows some reds
        return ()
    pairs = list(texts)
    chance, state = brings(_CHANCE, pairs), brings(_STATE, pairs)
    left = {
        each.sitting.entry.identity: times(each, chance, state or stirred(proper, each))
        - len(each.history)
        + 1
        for each in told
        if each.history
    }
    findings: dict[str, Finding] = {}
    while any(count > 0 for count in left.values()) and not findings:
        entries = [each.sitting.entry for each in told if left.get(each.sitting.entry.identity, 0) > 0]
        # opened anew each time: a room is then as it was before the first run
        async with surroundings(
            proper.looked, proper.wanted, proper.means, proper.store, proper.record, proper.entries
        ) as place:
            for entry in entries:
                left[entry.identity] -= 1
                again = await sit(entry, place, proper.memory._replace(use=False))
                proper.record.told(Told(again.sitting._replace(why=None), ()))
                if not rerun_of([again.sitting], parse).green:
                    findings[entry.line] = _flaky(again.sitting)
    return tuple(findings.values())


def brings(marks: Iterable[bytes], pairs: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a file has more of any of the marks now than it had at the base."""
    return any(mark in now and now.count(mark) > base.count(mark) for base, now in pairs for mark in marks)


def times(told: Told, chance: bool, state: bool) -> int:
    """How often more a passed command is to be run: chance shows only by trying, short runs cost little."""
    took = told.history[-1].ended.duration_ms if told.history else 0
    if chance:
        return 4 if took <= _SHORT else 2 if took <= _LONG else 1
    return 1 if state and took <= _LONG else 0


def stirred(proper: Proper, told: Told) -> bool:
    """Whether the last run changed what lies beside the tree, apart from what tools always write."""
    last: Stored | None = told.history[-1] if told.history else None
    if last is None or not proper.in_place or last.before == last.after:
        return False
    since = int(last.at * _SECOND) - (last.ended.duration_ms + 1000) * 1_000_000
    touched = {each.sort for each in proper.asides() if each.changed_ns >= since}
    return "file" in touched or not touched  # nothing is left to be seen: something was taken away


def _flaky(sitting: Sitting) -> Finding:
    place = next((failure for failure in sitting.failures if failure.file), None)
    file, line = (place.file, place.line) if place else ("", 0)
    return found("flaky-exam", file, line, now=sitting.entry.line)
