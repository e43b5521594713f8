"""Sitting again within bounds: what does not end, what passes by luck, and what is shared by all who ask."""

import os
import random
import subprocess

import pytest

from donewhen.core.integrity.model import Rerun
from donewhen.run.verifying.base_exam import base_exam_pair
from donewhen.run.verifying.rerunning import Again, limits_of, sit_again, time_left
from donewhen.run.verifying.reseeding import lucky_seeds
from donewhen.run.verifying.second import second_run
from tests.run.exam_support import Desk, Sat, write
from tests.tables import table_test

UNITTEST = "python3 -m unittest -q"
SHORT = ("verification.execution.test_timeout=3",)
HEAD = "import unittest\n\nfrom work import f\n\n\nclass Test(unittest.TestCase):\n    def test_it(self):\n"
ONE = HEAD + "        self.assertEqual(f(), 1)\n"
HANGS = HEAD + "        __import__('time').sleep(600 * f())\n"


def commands(desk: Desk) -> int:
    return sum(event.type == "command_started" for event in desk.events)


def hanging(tmp_path) -> Desk:
    """The base's test does not end; the change's own does."""
    desk = Desk(
        tmp_path, {"work.py": "def f():\n    return 1\n", "test_work.py": HANGS}, UNITTEST, settings=SHORT
    )
    write(desk.root, {"test_work.py": ONE, "work.py": "def f():\n    return 1 + 0\n"})
    return desk


@pytest.mark.runs
def test_base_tests_that_do_not_end_are_red_and_say_how_long_they_had(tmp_path):
    desk = hanging(tmp_path)

    async def act(sat: Sat):
        assert sat.green
        return await base_exam_pair(sat.proper, sat.back())

    told = f"{UNITTEST} (> 3 s)"
    again, start = desk.do(act)
    assert (again, start) == (Rerun(False, None, (told,)), Rerun(False, None, (told,)))
    first = commands(desk)
    assert desk.do(act) == (again, start)
    assert commands(desk) <= first - 3  # the exam proper is known too, and nobody waits twice


@pytest.mark.runs
def test_everything_that_is_sat_again_shares_its_time(tmp_path):
    desk = hanging(tmp_path)

    async def act(sat: Sat):
        before = time_left(sat.proper)
        await base_exam_pair(sat.proper, sat.back())
        return before, time_left(sat.proper), dict(limits_of(sat.proper))

    before, after, limits = desk.do(act)
    assert after <= before - 6  # two that had three seconds each
    assert set(limits.values()) == {3.0}


@pytest.mark.runs
def test_a_command_after_one_that_did_not_end_is_spared(tmp_path):
    files = {"work.py": "def f():\n    return 1\n", "test_work.py": HANGS, "other.sh": "exit 0\n"}
    desk = Desk(tmp_path, files, UNITTEST, "sh other.sh", settings=SHORT)
    write(desk.root, {"test_work.py": ONE})

    async def act(sat: Sat):
        assert sat.green
        prints = sat.proper.looked.fingerprints
        base = prints.tree(sat.proper.looked.change.base.commit)
        return await sit_again(sat.proper, Again(base, "base"))

    sat = desk.do(act)
    assert [each.sitting.entry.line for each in sat.told] == [UNITTEST]


@pytest.mark.runs
@table_test(("code", "rules"), [("{n} == {n}", []), ("hash('a') == {n}", ["flaky-exam"])])
def test_what_depends_on_the_hash_seed_is_tried_with_others(tmp_path, code, rules):
    pinned = {**os.environ, "PYTHONHASHSEED": "100"}
    ran = subprocess.run(["python3", "-c", "print(hash('a'))"], env=pinned, capture_output=True, check=True)
    text = f"def f():\n    return int({code.format(n=int(ran.stdout))}) if hash('') == 0 else 1\n"
    files = {"work.py": "def f():\n    return 0\n", "test_work.py": ONE}
    desk = Desk(tmp_path, files, UNITTEST, settings=('sandbox.env=["PYTHONHASHSEED"]',))
    desk.env["PYTHONHASHSEED"] = "100"  # as the user's own exam has it
    write(desk.root, {"work.py": text})

    async def act(sat: Sat):
        assert sat.green
        return [each.rule for each in await second_run(sat.proper, sat.told, [(b"", text.encode())])]

    assert desk.do(act) == rules
    assert commands(desk) > 1
    known = len(rules)  # a red is tried again, a green is not
    assert desk.do(act) == rules
    assert commands(desk) == known


SEEDED = "import random\n\n\ndef f():\n    random.seed({seed})\n    return {drawn}\n"


def seeds(tmp_path, text: str, test: str = ONE) -> list[tuple[str, str, int]]:
    desk = Desk(tmp_path, {"work.py": "def f():\n    return 0\n", "test_work.py": test}, UNITTEST)
    write(desk.root, {"work.py": text})

    async def act(sat: Sat):
        assert sat.green
        return [(each.rule, each.file, each.line) for each in await lucky_seeds(sat.proper)]

    return desk.do(act)


def test_a_seed_under_which_the_tests_happen_to_pass_is_found(tmp_path):
    lucky = next(n for n in range(1, 10_000) if random.Random(n).randint(1, 50) == 1)
    found = seeds(tmp_path, SEEDED.format(seed=lucky, drawn="random.randint(1, 50)"))
    assert found == [("flaky-exam", "work.py", 5)]


@pytest.mark.runs
def test_a_seed_on_which_nothing_depends_is_fine(tmp_path):
    assert seeds(tmp_path, SEEDED.format(seed=17, drawn="len([random.random()])")) == []


@pytest.mark.runs
def test_a_seed_that_the_base_s_tests_speak_of_is_theirs(tmp_path):
    test = "# the generator has the seed 17\n" + ONE
    text = SEEDED.format(seed=17, drawn="1 if random.random() == random.Random(17).random() else 0")
    assert seeds(tmp_path, text, test) == []
