"""Many files are read by several processes, with the same sheets as one by one."""

import gc

import pytest

from donewhen.verify.integrity.reading import read_sheet
from donewhen.verify.integrity.reading_many import Job, read_sheets

TEST = "import unittest\n\n\nclass T{n}(unittest.TestCase):\n" + "".join(
    f"    def test_{k}(self):\n        self.assertEqual(f({k}), {{n}})\n\n" for k in range(60)
)


@pytest.mark.runs
def test_many_are_read_as_one_by_one():
    jobs = [Job(f"tests/test_{n}.py", TEST.format(n=n).encode(), "test") for n in range(110)]
    jobs[7] = Job("tests/gone.py", None, "test")
    assert sum(len(job.data or b"") for job in jobs) > 300_000  # enough for other processes
    alone = [read_sheet(job.path, job.data, job.role) if job.data else None for job in jobs]
    assert read_sheets(jobs) == alone


def test_few_are_read_here():
    jobs = [
        Job("tests/test_a.py", b"def test_a():\n    assert f() == 1\n", "test"),
        Job("b.py", None, "source"),
    ]
    first, second = read_sheets(jobs)
    assert first is not None
    assert [test.name for test in first.tests] == ["test_a"]
    assert second is None


@pytest.mark.runs
def test_a_module_of_the_repository_is_never_loaded_by_a_reader(tmp_path, monkeypatch):
    (tmp_path / "pickle.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    test_many_are_read_as_one_by_one()


def test_how_often_garbage_is_looked_for_is_as_before():
    usual = gc.get_threshold()
    try:
        for wanted in (usual, (0, 5, 5), (900_000, 3, 3)):
            gc.set_threshold(*wanted)
            test_few_are_read_here()
            assert gc.get_threshold() == wanted
    finally:
        gc.set_threshold(*usual)
