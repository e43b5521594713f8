"""Tests of a part that is to be removed may go; those of the thing that it belongs to may not."""

import pytest

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.permits import permit
from tests.tables import table_test

PRINTS = 'assertEqual(out.getvalue(), "step a")'
RUNS = 'assertEqual(run(["a"]), ["A"])'
LOUD = 'assertEqual(run(["a"], verbose=True), ["A"])'
PARTS = [
    ("the `verbose` parameter of run() is useless, remove it", "test_verbose", PRINTS, True),
    ("the `verbose` parameter of run() is useless, remove it", "test_run", RUNS, False),
    ("the `verbose` parameter of run() is useless, remove it", "test_run", LOUD, False),
    ("The verbose parameter of run() is useless. Remove it.", "test_verbose", PRINTS, True),
    ("The verbose parameter of run() and walk() is useless. Remove it.", "test_walk", "walk(1) == 2", False),
    ("The --verbose flag of the run command does nothing, drop it", "test_verbose_prints", PRINTS, True),
    ("Nobody uses the verbose option, please remove it", "test_verbose", PRINTS, True),
    ("We no longer need the verbose option, so delete it", "test_verbose", PRINTS, True),
    ("`verbose` is no longer needed, delete it", "test_verbose", PRINTS, True),
    ("The verbose and quiet flags are unused, remove them", "test_quiet", PRINTS, True),
    ("The retry logic in run() is unnecessary, remove it", "test_retry", PRINTS, True),
    ("The retry logic in run() is unnecessary, remove it", "test_run", RUNS, False),
    ("The cache isn't used, remove it", "test_cache", PRINTS, True),
    ("The cache isn't used, remove it", "test_run", RUNS, False),
    ("run() has no use for the verbose flag, remove it", "test_verbose", PRINTS, True),
    ("run() has no use for the verbose flag, remove it", "test_run", RUNS, False),
    ("The tests of run_old() are pointless, remove them", "test_a", "run_old(1) == 2", True),
    ("The check of the verbose flag is not useless, so make it faster", "test_verbose", PRINTS, False),
    ("Drop the verbose option", "test_verbose", PRINTS, True),
    ("Drop the verbose option", "test_run", RUNS, False),
    ("Remove the verbose parameter of run()", "test_verbose", PRINTS, True),
    ("Remove the verbose parameter of run()", "test_run", RUNS, False),
    ("Remove the verbose parameter of run() and its tests", "test_verbose", PRINTS, True),
    ("Remove the verbose parameter of run() and its tests", "test_run", RUNS, False),
    ("verbose 参数没有用，删掉", "test_verbose", PRINTS, True),
    ("run() 的 verbose 参数没有用了，请删掉它", "test_verbose", PRINTS, True),
    ("run() 的 verbose 参数没有用了，请删掉它", "test_run", RUNS, False),
    ("去掉 run() 的 verbose 参数", "test_verbose", PRINTS, True),
    ("把 run() 的 verbose 参数删掉", "test_run", RUNS, False),
    ("verbose 参数没有用，但不要删掉", "test_verbose", PRINTS, False),
    ("the verbose flag of run() prints a debug line, remove it", "test_verbose", PRINTS, False),
    ("the verbose flag is broken: it prints an extra blank, remove it", "test_verbose", PRINTS, False),
    ("the verbose parameter of run() is useless, don't remove it yet", "test_verbose", PRINTS, False),
    ("the verbose parameter of run() is useless, remove it. Don't delete tests.", "test_verbose", PRINTS, False),
    ("the verbose parameter of run() is useless, make it work", "test_verbose", PRINTS, False),
    ("the error message of run() is useless, make it better", "test_error_message", PRINTS, False),
]  # fmt: skip


@table_test(("goal", "test", "before", "allowed"), PARTS)
def test_a_part_takes_its_own_tests_along_and_none_of_what_it_belongs_to(goal, test, before, allowed):
    finding = found("test-deleted", "test_runner.py", 3, before=before, test=f"RunTest.{test}")
    assert bool(permit([finding], goal=goal)[0].permitted) == allowed


@pytest.mark.runs
@table_test("piece", ["the verbose ", "parameter of run() ", "a, ", "`x` ", "verbose 参数", "的 ", "is "])
def test_long_sentences_before_a_pronoun_are_read_in_time(piece):
    finding = found("test-deleted", "test_runner.py", 3, before=PRINTS, test="RunTest.test_verbose")
    (judged,) = permit([finding], goal=f"{piece * 8000}, remove it，删掉它")
    assert judged._replace(permitted=None) == finding
