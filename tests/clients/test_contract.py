"""What the clients promise to any hook, tried with a few lines of shell: when one of these fails, a client
has changed its protocol, and the rest of this folder can't be expected to hold.
"""

import json
from pathlib import Path

import pytest

from tests.clients.world import World

pytestmark = pytest.mark.clients
ONLY = ("claude", "codex", "gemini")  # OpenCode has no command hooks
STOP = {"claude": "Stop", "codex": "Stop", "gemini": "AfterAgent"}
BEFORE = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}
BLOCK = json.dumps({"decision": "block", "reason": "the proof is missing"})
DENY = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "not this command",
    }
}
DENIES = {"claude": DENY, "codex": DENY, "gemini": {"decision": "deny", "reason": "not this command"}}
ONCE = """\
#!/bin/sh
cat >/dev/null
if [ -e "{seen}" ]; then echo '{{}}'; else touch "{seen}"; echo '{answer}'; fi
"""


def hooked(world: World, event: str, script: Path) -> tuple[str, ...]:
    """Names the script in the client's settings; what the client's command line needs for it."""
    name = world.client.name
    hook = {"type": "command", "name": "test", "command": str(script), "timeout": 60}
    if name == "gemini":
        hook["timeout"] = 60_000
    hooks = {event: [{"matcher": "*", "hooks": [hook]}]}
    place = {"codex": ".codex/hooks.json", "claude": ".claude/settings.json"}.get(
        name, ".gemini/settings.json"
    )
    path = world.home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.loads(path.read_text()) if path.exists() else {}
    if name == "gemini":
        data["hooksConfig"] = {"enabled": True}
    path.write_text(json.dumps(data | {"hooks": hooks}))
    return ("--dangerously-bypass-hook-trust",) if name == "codex" else ()


def once(folder: Path, answer: str) -> Path:
    """A hook that gives this answer the first time, and lets everything pass afterwards."""
    script = folder / "hook"
    script.write_text(ONCE.format(seen=folder / "seen", answer=answer))
    script.chmod(0o755)
    return script


def test_a_blocked_stop_goes_on_with_the_reason(world: World) -> None:
    script = once(world.folder, BLOCK)
    work = world.client.run("echo proof > proof.txt")
    with world.fake(["All done.", work, "Now it is done."]) as fake:
        ran = world.play(fake, "Work.", *hooked(world, STOP[world.client.name], script))
    assert ran.exit == 0, ran
    assert len(ran.asked) == 3, ran
    assert "the proof is missing" in ran.told[1]
    assert "the proof is missing" not in ran.told[0]
    assert (world.repo / "proof.txt").read_text() == "proof\n"


def test_a_denied_command_does_not_run_and_the_model_is_told(world: World) -> None:
    script = once(world.folder, json.dumps(DENIES[world.client.name]))
    run = world.client.run
    with world.fake([run("touch bad.txt"), run("touch good.txt"), "Done."]) as fake:
        ran = world.play(fake, "Work.", *hooked(world, BEFORE[world.client.name], script))
    assert ran.exit == 0, ran
    assert "not this command" in ran.told[1]
    assert not (world.repo / "bad.txt").exists()
    assert (world.repo / "good.txt").exists()


def test_a_hook_that_fails_stops_nothing(world: World) -> None:
    """Why the installed command turns every failure of its own into exit 2."""
    script = world.folder / "hook"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o755)
    with world.fake(["All done.", "Asked again."]) as fake:
        ran = world.play(fake, "Work.", *hooked(world, STOP[world.client.name], script))
    assert ran.exit == 0, ran
    assert len(ran.asked) == 1
