"""What in a change may pass by luck, and how often it is tried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.run.verifying.luck import Luck, Times, luck_in, times
from donewhen.run.verifying.reseeding import new_seeds, reseeded


def kinds(now: bytes, base: bytes = b"") -> set[str]:
    return {name for name, there in luck_in([(base, now)])._asdict().items() if there}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"import random", "chance"), (b"crypto.getRandomValues(new Uint8Array(1))", "chance"),
        (b"crypto.randomUUID()", "chance"), (b"echo $((RANDOM % 3))", "chance"), (b"shuf -n 1 names", "chance"),
        (b"sort -R names", "chance"), (b"sort -uR names", "chance"), (b"np.random.seed(3)", "chance"),
        (b"new Random()", "chance"), (b"/dev/urandom", "chance"),
        (b"import threading", "aside"), (b"t = Thread(target=f)", "aside"), (b"asyncio.gather(a, b)", "aside"),
        (b"await Promise.race([a, b])", "aside"), (b"setTimeout(f, 0)", "aside"), (b"from concurrent import futures", "aside"),
        (b"from time import gmtime", "clock"), (b"strftime('%S')", "clock"), (b"now()", "clock"), (b"Date.now()", "clock"),
        (b"echo $EPOCHSECONDS", "clock"), (b"stamp=$(date)", "clock"), (b"@retry(500)", "clock"),
        (b"seen = set()", "hashed"), (b"{x for x in y}", "hashed"), (b"frozenset(y)", "hashed"), (b"a = {'b', 'c'}", "hashed"),
        (b"next(iter({*tags}))", "ordered"), (b"list(set(tags))", "ordered"), (b"hash(name) % 7", "ordered"),
        (b"for x in {'a', 'b'}:", "ordered"), (b"', '.join({n for n in names})", "ordered"), (b"key=id(x)", "ordered"),
        (b"os.listdir('.')", "state"), (b"Path('x').write_text('')", "state"),
    ],
)  # fmt: skip
def test_what_draws_lots_looks_at_the_clock_or_has_no_order_is_noticed(text, kind):
    assert kind in kinds(text)
    assert kind not in kinds(text, text)


@pytest.mark.parametrize(
    "text",
    [b"x = 1", b"sort -r names", b"valid(x)", b"cache.set(a, b)", b"new Set(x)", b"{'a': 1}", b"self.id(x)", b"offset(3)"],
)  # fmt: skip
def test_what_only_looks_like_it_is_not(text):
    assert kinds(text) == set()


@pytest.mark.parametrize(
    ("luck", "took", "expected"),
    [
        (Luck(), 100, Times()),
        (Luck(chance=True), 50, Times(24)),
        (Luck(chance=True), 2_000, Times(4)),
        (Luck(chance=True), 30_000, Times(2)),
        (Luck(chance=True), 90_000, Times(1)),
        (Luck(aside=True), 100, Times(8)),
        (Luck(clock=True), 100, Times(4)),
        (Luck(hashed=True), 100, Times(0, 6)),
        (Luck(hashed=True, ordered=True), 100, Times(0, 20)),
        (Luck(state=True), 100, Times(1)),
        (Luck(state=True), 90_000, Times(0)),
    ],
)
def test_short_exams_are_tried_more_often(luck, took, expected):
    assert times(luck, took) == expected


@given(st.builds(Luck, *[st.booleans()] * 6), st.integers(0, 10**7), st.integers(0, 10**7))
def test_longer_exams_are_never_tried_more_often(luck, one, other):
    short, long = times(luck, min(one, other)), times(luck, max(one, other))
    assert short.more >= long.more >= 0
    assert short.seeds >= long.seeds >= 0


@pytest.mark.parametrize(
    ("base", "now", "seeds"),
    [
        (b"", b"random.seed(17)\n", (b"random.seed(17",)), (b"", b"rng = Random(17)\n", (b"Random(17",)),
        (b"", b"np.random.seed(0)\n", (b"seed(0",)), (b"random.seed(5)", b"random.seed(17)", (b"random.seed(17",)),
        (b"", b"SEED = 17\n", (b"SEED = 17",)), (b"", b"RANDOM=42\n", (b"RANDOM=42",)), (b"", b'seedrandom("luck")', (b'seedrandom("luck',)),
        (b"random.seed(17)", b"random.seed(17)", ()), (b"", b"random.seed(now)\n", ()), (b"", b"Random()\n", ()), (b"", b"f(17)\n", ()),
    ],
)  # fmt: skip
def test_constant_seeds_that_the_change_brings_are_found(base, now, seeds):
    assert len(new_seeds(base, now)) == len(seeds)
    assert all(
        one.endswith(other.rpartition(b".")[2])
        for one, other in zip(new_seeds(base, now), seeds, strict=True)
    )


def test_only_those_seeds_are_changed():
    text = b"a = Random(3)\nb = Random(17)\nn = 17\nc = seedrandom('x')\n"
    found = new_seeds(b"a = Random(3)\n", text)
    assert reseeded(text, found, 1) == b"a = Random(3)\nb = Random(7936)\nn = 17\nc = seedrandom('x1')\n"


@given(st.binary(max_size=300), st.binary(max_size=300), st.integers(1, 9))
def test_any_bytes_can_be_read_and_reseeded(base, now, number):
    luck_in([(base, now)])
    assert reseeded(now, (), number) == now
    assert reseeded(now, new_seeds(now, now), number) == now
