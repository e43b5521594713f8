"""The way of a hook loads nothing heavy; a module more is time that every tool call of every agent waits."""

import json
import subprocess
import sys

import pytest

from tests.integrations.hook.samples import after, before

FORBIDDEN = ("pydantic", "yaml", "asyncio", "click", "subprocess", "multiprocessing", "http", "ssl", "email")
ROOMS = "run workspace intake verify tools agents context hooks ui config integrations.sessions".split()
LIGHT = {
    "donewhen.config",
    "donewhen.config.files",
    "donewhen.config.places",
}  # of the store; nothing behind them


def _loaded(place, payload: dict) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "donewhen", "hook", "claude"]
    done = subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        env=place.env,
        cwd=place.repo,
        capture_output=True,
        check=True,
    )
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}


@pytest.mark.parametrize("armed", (True, False))
@pytest.mark.parametrize("sample", (before, after))
def test_nothing_heavy_is_loaded(place, sample, armed):
    if armed:
        place.session()
    loaded = _loaded(place, sample("claude", place.repo, "for f in *; do echo $f; done"))
    heavy = {name for name in loaded if name.partition(".")[0] in FORBIDDEN}
    rooms = {name for name in loaded for room in ROOMS if f"{name}.".startswith(f"donewhen.{room}.")}
    if armed and sample is before:
        heavy.discard("subprocess")  # the shell parser is a program
    assert heavy | (rooms - LIGHT) == set()
    assert armed or not any(name.startswith(("donewhen.guard", "donewhen.store")) for name in loaded)
    assert sample is before or not any(name.startswith("donewhen.guard") for name in loaded)
