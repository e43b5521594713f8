"""What in a change may pass by luck, and how often it is tried."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.run.verifying.luck import Luck, Times, draws, luck_in, times
from donewhen.run.verifying.reseeding import new_seeds, reseeded
from donewhen.run.verifying.second import until
from tests.tables import table_test


def kinds(now: bytes, base: bytes = b"") -> set[str]:
    return {name for name, there in luck_in([(base, now)])._asdict().items() if there}


@table_test(
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
        (b"crypto.getRandomValues(new Uint16Array(1))", "draws"), (b"echo ${a[$((RANDOM % 19))]}", "draws"),
        (b"random.choice(names)", "draws"), (b"Math.random()", "draws"), (b"from random import choice", "draws"),
        (b"gmtime().tm_sec", "minute"), (b"datetime.now().second", "minute"), (b"new Date().getSeconds()", "minute"),
        (b"int(time.time()) % 3", "ticks"), (b"Date.now() % 2", "ticks"), (b"$((EPOCHSECONDS % 5))", "ticks"),
        (b"os.listdir('.')", "state"), (b"Path('x').write_text('')", "state"),
    ],
)  # fmt: skip
def test_what_draws_lots_looks_at_the_clock_or_has_no_order_is_noticed(text, kind):
    assert kind in kinds(text)
    assert kind not in kinds(text, text)


@table_test(
    "text",
    [b"x = 1", b"sort -r names", b"valid(x)", b"cache.set(a, b)", b"new Set(x)", b"{'a': 1}", b"self.id(x)", b"offset(3)"],
)  # fmt: skip
def test_what_only_looks_like_it_is_not(text):
    assert kinds(text) == set()


@table_test(
    ("luck", "took", "expected"),
    [
        (Luck(), 100, Times()),
        (Luck(chance=True), 50, Times(24)),
        (Luck(chance=True), 2_000, Times(4)),
        (Luck(chance=True), 30_000, Times(2)),
        (Luck(chance=True), 90_000, Times(1)),
        (Luck(chance=True, draws=True), 50, Times(60)),
        (Luck(chance=True, draws=True), 2_000, Times(30)),
        (Luck(chance=True, draws=True), 30_000, Times(2)),
        (Luck(clock=True, minute=True), 100, Times(4, parts=2)),
        (Luck(minute=True), 100, Times()),
        (Luck(clock=True, ticks=True), 100, Times(4, ticks=10)),
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


@given(st.builds(Luck, *[st.booleans()] * 9), st.integers(0, 10**7), st.integers(0, 10**7), st.booleans())
def test_longer_exams_are_never_tried_more_often(luck, one, other, draw):
    short, long = (times(luck, took, tests_draw=draw) for took in sorted((one, other)))
    assert all(few >= many >= 0 for few, many in zip(short, long, strict=True))


@table_test(("took", "expected"), [(100, 16), (1_000, 8), (1_001, 0)])
def test_short_exams_whose_own_tests_draw_lots_are_sat_again(took, expected):
    assert times(Luck(), took, tests_draw=True).more == expected


@table_test(
    ("text", "left_to_chance"),
    [(b"random.randint(1, 6)", True), (b"random.seed(3)\nrandom.random()", False), (b"x = 1", False)],
)
def test_lots_behind_a_seed_are_not_left_to_chance(text, left_to_chance):
    assert draws(text) is left_to_chance


@given(st.floats(0, 59.999), st.integers(0, 5))
def test_a_part_of_the_minute_is_reached_by_waiting(second, part):
    wait = until(second, part)
    assert 0 <= wait < 60
    assert until((second + wait) % 60, part) < 1e-6


@table_test(("second", "part", "wait"), [(3, 0, 0), (12, 0, 49), (40, 1, 0), (0, 1, 31), (59, 0, 2)])
def test_how_long_the_wait_for_a_part_of_the_minute_is(second, part, wait):
    assert until(second, part) == wait


@table_test(
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
