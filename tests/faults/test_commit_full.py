"""git has no space for a commit of the agent's: the run waits, and with space the commit is made."""

import json
from pathlib import Path

import pytest

from donewhen.core.events import facts
from tests.faults.aftermath import aftermath, orphans
from tests.faults.killing import undisturbed
from tests.faults.plays import BY_NAME
from tests.faults.stage import Stage

FULL = Path("/dev/full")
pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not FULL.is_char_device(), reason="needs /dev/full"),
]
PLAY = BY_NAME["commits of the agent"]
# What git notes of each commit goes to a device that is always full, from the agent's second commit on.
FILL = """\
#!/bin/sh
if grep -q '"git_commit"' && mkdir {once} 2> /dev/null; then ln -sf /dev/full .git/logs/HEAD; fi
"""


def filled_at_a_commit(stage: Stage) -> None:
    program = stage.base / "fill.sh"
    program.write_text(FILL.format(once=stage.base / "filled"))
    program.chmod(0o755)
    command = {"name": "fill", "point": "before_tool", "command": [str(program)]}
    (stage.base / "config/config.yml").write_text(json.dumps({"hooks": {"commands": [command]}}))


def test_a_commit_without_space_is_undone_and_made_when_there_is_some(tmp_path: Path):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    stage = Stage(tmp_path / "storm", PLAY)
    filled_at_a_commit(stage)
    done = stage.call(*stage.run_words, "-q")
    assert (done.exit, "No space left on device" in done.said) == (5, True), done
    assert not stage.row.ended
    calls = [event.body for event in stage.events() if isinstance(event.body, facts.ToolReturned)]
    assert "git_commit" not in [
        call.tool for call in calls
    ]  # the agent is told nothing that it could not mend
    (Path(stage.row.workspace) / ".git/logs/HEAD").unlink()
    again = stage.call("resume", "last")
    assert aftermath(stage, again.exit) == want, again.said
    assert stage.audit_findings() == []
    assert orphans(stage.base) == []
