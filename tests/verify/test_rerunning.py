"""Sitting again within bounds: what does not end, what passes by luck, and what is shared by all who ask."""

import pytest

from donewhen.verify.rerun import RerunRequest, rerun_exam
from tests.verify.exam_support import Desk, FinishedExam, write

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
def test_a_command_after_one_that_did_not_end_is_spared(tmp_path):
    files = {"work.py": "def f():\n    return 1\n", "test_work.py": HANGS, "other.sh": "exit 0\n"}
    desk = Desk(tmp_path, files, UNITTEST, "sh other.sh", settings=SHORT)
    write(desk.root, {"test_work.py": ONE})

    async def act(exam: FinishedExam):
        assert exam.green
        prints = exam.context.looked.fingerprints
        base = prints.tree(exam.context.looked.change.base.commit)
        return await rerun_exam(exam.context, RerunRequest(base, "base"))

    exam = desk.do(act)
    assert [each.result.entry.line for each in exam.commands] == [UNITTEST]


SEEDED = "import random\n\n\ndef f():\n    random.seed({seed})\n    return {drawn}\n"
