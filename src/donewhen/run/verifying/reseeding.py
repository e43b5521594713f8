"""Lucky seeds: product code that draws lots behind a constant seed under which the tests happen to pass.

Such an exam is green every time, so running it again tells nothing. Where a change brings a constant seed
that nobody asked for, the exam is sat with other seeds in its place; red there, and green in the same room
with the seed as it is, it was the seed and not the work. A seed that goal or base speak of is left alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import exam_side, role_of
from donewhen.run.verifying.base_exam import ALONE
from donewhen.run.verifying.inspecting import GitTree, asked_of
from donewhen.run.verifying.rerunning import Again, Proper, Resat, sit_again, took_by

_PURPOSE = "other-seed"
_SEED = re.compile(
    rb"(?:\b\w{0,40}(?i:seed)\w{0,40} ?\("
    rb"|\b(?:Random|RandomState|default_rng|SeedSequence|srand|NewSource|NewPCG|mulberry32|PCG64|MT19937) ?\("
    rb"|\b\w{0,40}(?i:seed|random_state)\w{0,40} ?(?::? ?=|:) ?|\bRANDOM=)"
    rb"[\"']?(?P<seed>\d{1,18}|(?<=[\"'])\w{1,40})\b"
)
_ASKED = re.compile(
    r"(?i)\bseed|determinis|reproduc|repeatab|predictab"
    r"|same (?:\w{1,40} ){0,4}(?:every|each) (?:time|run|call)|种子|可重现|可复现|确定性|每次相同"
)
_MOST_FILES = 400  # of the base's tests that are looked at
_SHORT, _LONG = 1.5, 10.0  # seconds of an exam


async def lucky_seeds(proper: Proper) -> tuple[Finding, ...]:
    """To be asked after an exam that passed."""
    goal = asked_of(proper.looked, proper.wanted).goal
    if not proper.looked.change.base.commit or _ASKED.search(goal):
        return ()
    now = _product(proper)
    seeded = {path: seeds for path, (base, text) in now.items() if (seeds := new_seeds(base, text))}
    if not seeded or _known(proper, [seed for seeds in seeded.values() for seed in seeds]):
        return ()
    for number in range(1, _variants(proper) + 1):
        written = {path: reseeded(now[path][1], seeds, number) for path, seeds in seeded.items()}
        tree = proper.looked.fingerprints.composed("", proper.tree, (), written)
        other = await sit_again(proper, Again(tree, _PURPOSE))
        if other.rerun.green or other.rerun.why is not None or _own_only(proper, other):
            continue
        if not (await sit_again(proper, Again(proper.tree, ALONE))).rerun.green:
            return ()  # the room can't host this exam, whatever the seed
        return (_finding(proper, seeded, now, goal),)
    return ()


def new_seeds(base: bytes, now: bytes) -> tuple[bytes, ...]:
    """The places, as they are written, where the text has a constant seed that it had not."""
    fresh = _places(now) - _places(base)
    return tuple(fresh)


def _places(text: bytes) -> Counter[bytes]:
    return Counter(each[0] for each in _SEED.finditer(text))


def reseeded(text: bytes, seeds: Sequence[bytes], number: int) -> bytes:
    """The text with other seeds in these places."""

    def other(place: re.Match[bytes]) -> bytes:
        if place[0] not in seeds:
            return place[0]
        seed = place["seed"]
        new = b"%d" % ((int(seed) + 7919 * number) % 2**31) if seed.isdigit() else seed + b"%d" % number
        return place[0][: place.start("seed") - place.start()] + new

    return _SEED.sub(other, text)


def _product(proper: Proper) -> Mapping[str, tuple[bytes, bytes]]:
    """Changed files of the product, at the base and now."""
    prints, change = proper.looked.fingerprints, proper.looked.change
    paths = [path for path in change.changed if not exam_side(path)]
    base = GitTree(prints, prints.tree(change.base.commit)).read(paths)
    return {
        path: (base.get(path, b""), text) for path, text in GitTree(prints, proper.tree).read(paths).items()
    }


def _known(proper: Proper, places: Sequence[bytes]) -> bool:
    """Whether the base's own tests speak of one of these seeds: then it is theirs, not a lucky one."""
    prints = proper.looked.fingerprints
    tree = GitTree(prints, prints.tree(proper.looked.change.base.commit))
    paths = [path for path in tree.paths() if role_of(path) in ("test", "support")][:_MOST_FILES]
    texts = [text for text in tree.read(paths).values() if b"seed" in text.lower()]
    seeds = {place["seed"] for each in places if (place := _SEED.fullmatch(each))}
    return any(
        re.search(rb"(?<!\w)" + re.escape(seed) + rb"(?!\w)", text) for seed in seeds for text in texts
    )


def _variants(proper: Proper) -> int:
    took = sum(took_by(proper, entry) or 0.0 for entry in proper.entries)
    return 5 if took <= _SHORT else 2 if took <= _LONG else 1


def _own_only(proper: Proper, other: Resat) -> bool:
    """Whether only tests fail that the change itself brought: they may pin what this seed gives."""
    files = [failure.file for each in other.told for failure in each.sitting.failures]
    changed = proper.looked.change.changed
    return bool(files) and all(changed.get(file) == "added" and exam_side(file) for file in files)


def _finding(
    proper: Proper, seeded: Mapping[str, Sequence[bytes]], now: Mapping[str, tuple[bytes, bytes]], goal: str
) -> Finding:
    path, seeds = next(iter(seeded.items()))
    line = now[path][1][: now[path][1].find(seeds[0])].count(b"\n") + 1
    commands = "; ".join(_lines(proper))
    shown = f"{commands} ({seeds[0].decode(errors='replace')} → other seed)"
    finding = found("flaky-exam", path, line, now=shown)
    return finding if goal else finding._replace(policy="warn")


def _lines(proper: Proper) -> Iterator[str]:
    return (entry.line for entry in proper.entries[:3])
