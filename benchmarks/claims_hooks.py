"""One scenario through a real client's hooks: what a user gets who only ran `install` and `arm`.

The client is real, its model plays the script of the scenario on this machine. The client's own word for how
it ended counts for nothing: the ledger is read afterwards, and an acceptance holds only for the tree that is
there then. The acceptance commands reach the session as a user would say them, in the prompt; those that a
prompt can't order alone (2.1: one command is no acceptance) are gates in the user's own configuration.
"""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.claims_leftovers import end_leftovers
from benchmarks.claims_play import Ended, Ground, judged
from benchmarks.claims_scenario import Scenario, build
from benchmarks.claims_verdict import MOST_TURNS, Case
from benchmarks.truth import end_group
from donewhen.commands.goals import parse_goal
from donewhen.config import user_file
from donewhen.testing import Call, FakeModel
from tests.clients.known import CLIENTS, Client
from tests.clients.world import NOWHERE, aside

LONGEST = 200  # seconds for the client; one that takes longer has not ended
_OWN = 60  # seconds for a command of ours before and after it
_SHOWN = 400


def why_not(scenario: Scenario) -> str:
    """What hooks can't give this scenario; empty when it can be played."""
    return "a session takes no promise file, so it has no scope" if scenario.scopes else ""


def play_through(
    client: Client, scenario: Scenario, root: Path, longest: float = LONGEST, cap: int = MOST_TURNS
) -> Case:
    ground = Ground(root)
    ground.work.mkdir(parents=True)
    build(scenario, ground.work, ground.home)
    env = _env(ground, client)
    began = time.monotonic()
    try:
        _gate(client, scenario, ground, env)
        ended = _session(client, scenario, ground, env, longest, cap)
    finally:
        end_leftovers(ground.home)
    seconds = time.monotonic() - began
    return judged(scenario, ground, _by_ledger(ended, client, ground, env), ground.work, seconds)


def prompt_of(scenario: Scenario) -> str:
    """The goal, and what must pass, as a user writes it."""
    return "\n".join((scenario.goal.rstrip(), "", *(f"acceptance: `{each}`" for each in scenario.accept)))


def unheard(scenario: Scenario) -> list[str]:
    """The acceptance commands that the prompt alone does not make count."""
    goal = parse_goal(prompt_of(scenario))
    heard = [each.label for each in goal.commands] if goal.active else []
    return [each for each in scenario.accept if each not in heard]


def answers_of(scenario: Scenario, client: Client) -> list[Call | str]:
    """What the model says, step by step; the last one is said for ever."""
    said = [client.run(step["bash"]) if "bash" in step else str(step["done"]) for step in scenario.steps]
    after = scenario.script["after_last"]
    if after == "stop":
        return [*said, str(scenario.script.get("stop_text") or "")]
    sort = str if after == "repeat_done" else Call
    return [*said, next((each for each in reversed(said) if isinstance(each, sort)), said[-1])]


def known_client(name: str) -> Client:
    return CLIENTS[name]


def _env(ground: Ground, client: Client) -> dict[str, str]:
    proxies = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), NOWHERE)
    path = os.pathsep.join((ground.env["PATH"], str(client.program.parent)))
    return {
        **ground.env,
        "PATH": path,
        "TERM": "xterm-256color",
        **proxies,
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }


def _gate(client: Client, scenario: Scenario, ground: Ground, env: Mapping[str, str]) -> None:
    """What a user has and does before the session: settings of both, install and arm."""
    gates = [
        {"name": f"accept-{n}", "command": shlex.split(each)} for n, each in enumerate(unheard(scenario))
    ]
    files = {ground.home / name: text for name, text in client.settings(ground.work).items()}
    files[user_file(env)] = json.dumps({"verification": {"quality": {"gates": gates}}})
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for words in (("install", client.name, "--user"), ("arm",)):
        done = _donewhen(words, ground, env)
        if done.returncode:
            raise RuntimeError(f"donewhen {' '.join(words)}: {done.stderr.strip()}")


def _session(
    client: Client, scenario: Scenario, ground: Ground, env: Mapping[str, str], longest: float, cap: int
) -> Ended:
    """The client at work until it ends. Whether that was an acceptance is not seen here."""
    out, err = ground.root / "out", ground.root / "err"
    fake = FakeModel(answers_of(scenario, client), then="repeat-last", aside=aside)
    with fake, out.open("wb") as stdout, err.open("wb") as stderr:
        words = client.words(prompt_of(scenario), fake)
        process = subprocess.Popen(
            [str(client.program), *words, "--max-turns", str(cap)],
            cwd=ground.work,
            env={**env, **client.env(fake, ground.home)},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            exit = process.wait(longest)
        except subprocess.TimeoutExpired:
            return Ended("not_ended", "time", detail=f"did not end in {longest:g} s")
        finally:
            end_group(process)
        turns = sum(bool(each.asked and each.body.get("tools")) for each in fake.requests)
    if exit:
        return Ended("not_ended", f"exit {exit}", turns, detail=_last_line(out, err))
    return Ended("rejected", "", turns)


def _by_ledger(ended: Ended, client: Client, ground: Ground, env: Mapping[str, str]) -> Ended:
    """What our own ledger says, whatever became of the client."""
    runs = [each for each in _json(("list", "--json"), ground, env)["runs"] if each["agent"] == client.name]
    if len(runs) != 1:
        return ended._replace(outcome="not_ended", detail=f"{len(runs)} sessions in the ledger")
    shown = _donewhen(("show", runs[0]["run"], "--events"), ground, env)
    events = [json.loads(line) for line in shown.stdout.splitlines()]
    decisions = [each["body"] for each in events if each["type"] == "decided"]
    if not decisions:
        notes = [each["body"]["text"] for each in events if each["type"] == "noted"]
        return ended._replace(detail="; ".join(filter(None, (ended.detail, "no decision", *notes))))
    last = decisions[-1]
    reason = ended.stop_reason or last.get("stop_reason") or last.get("cause") or last["status"]
    detail = "; ".join(filter(None, (ended.detail, str(last.get("summary") or ""))))[:_SHOWN]
    if last.get("stop_reason") == "escalated":
        return ended._replace(outcome="asked", stop_reason=reason, detail=detail)
    if last["status"] != "accepted":
        return ended._replace(stop_reason=reason, detail=detail)
    if last["fingerprint"] != _tree_now(ground, env):
        return ended._replace(stop_reason="accepted, then changed", detail=detail)
    return ended._replace(outcome="accepted", stop_reason=reason, detail=detail)


def _tree_now(ground: Ground, env: Mapping[str, str]) -> str:
    from donewhen.workspace.fingerprint.fingerprints import Fingerprints
    from donewhen.workspace.git.repository import find_repository
    from donewhen.workspace.rooms.places import places

    repository = find_repository(ground.work, env)
    return Fingerprints(repository, places(repository, env).home).take().tree


def _donewhen(
    words: Sequence[str], ground: Ground, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "donewhen", *words],  # a module of the repository is not ours
        cwd=ground.work,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_OWN,
        check=False,
    )


def _json(words: Sequence[str], ground: Ground, env: Mapping[str, str]) -> Any:
    done = _donewhen(words, ground, env)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"donewhen {' '.join(words)}: {done.stderr.strip()}") from None


def _last_line(*paths: Path) -> str:
    for path in paths:
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        if lines:
            return lines[-1][-_SHOWN:]  # a client says at the end of its JSON what went wrong
    return ""
