"""A full disk under the git tools: nothing that the agent could mend, so it is no answer to the agent.

What git said was taken from runs on file systems of a few KiB; a log that is the full device is one for real.
"""

from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.run.engine.passing import passes
from donewhen.tools.git_running import Ran, answer
from tests.tables import table_test
from tests.tools.test_git import Bench

FULL = Path("/dev/full")


@table_test(
    "said",
    [
        "fatal: index file '/w/.git/index.lock' write error. Out of diskspace",
        "fatal: index file '/w/.git/next-index-7.lock' write error. Out of diskspace",
        "fatal: unable to write loose object file: No space left on device",
        "fatal: cannot update ref 'refs/heads/a': couldn't write '/w/.git/refs/heads/a.lock'",
        "fatal: unable to write new_index file",
        "error: unable to create temporary file: Disk quota exceeded\nfatal: updating files failed",
    ],
)
def test_the_run_waits_for_space(tmp_path: Path, said: str):
    with pytest.raises(SetupError) as raised:
        answer(Ran(128, f"{said}\n"), Bench(tmp_path).context)
    assert passes(raised.value)
    assert said.splitlines()[0] in str(raised.value)


@table_test(
    ("said", "error_class"),
    [
        ("fatal: pathspec ':(top,literal)x: No space left on device' did not match any files", "not_found"),
        ("fatal: bad config line 1 in file 'a: No space left on device'", "exit"),
        ("my filter: No space left on device\nfatal: x: clean filter 'mine' failed", "exit"),
    ],
)
def test_names_and_other_programs_that_say_so_are_the_agent_s(tmp_path: Path, said: str, error_class: str):
    told = answer(Ran(128, f"{said}\n"), Bench(tmp_path).context)
    assert (told.ok, told.error_class) == (False, error_class)


@pytest.mark.skipif(not FULL.is_char_device(), reason="needs /dev/full")
def test_a_commit_on_a_full_disk_is_no_answer_and_succeeds_with_space(tmp_path: Path):
    bench = Bench(tmp_path)
    bench.write("a.txt")
    assert bench("commit", message="first").ok
    log = bench.root / ".git/logs/HEAD"
    log.unlink()
    log.symlink_to(FULL)
    bench.write("b.txt")
    with pytest.raises(SetupError, match="No space left on device"):
        bench("commit", message="second")
    log.unlink()
    assert bench("commit", message="second").ok
    assert bench.git("log", "--format=%s").splitlines()[:2] == ["second", "first"]
