"""Hooks that installed packages bring: real distributions on the path."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from donewhen.config.sections_guard import _installed_hooks
from donewhen.core.errors import SetupError
from donewhen.core.hooking import PASSED, POINTS
from tests.hooks.ground import Ground

HEAD = "from donewhen.core.hooking import Verdict\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    names: list[str] = []

    def install(name: str, source: str, package: str = "") -> None:
        module = package or f"plugin_{name}"
        folder = tmp_path / f"site-{module}"
        info = folder / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[donewhen.hooks]\n{name} = {module}:hook\n")
        (folder / f"{module}.py").write_text(HEAD + source)
        monkeypatch.syspath_prepend(str(folder))
        _installed_hooks.cache_clear()
        names.append(module)

    yield install
    _installed_hooks.cache_clear()
    for name in names:
        sys.modules.pop(name, None)


def test_an_installed_hook_blocks_at_its_points(ground: Ground, install):
    install(
        "house",
        "def hook(occasion):\n    return Verdict('no ' + occasion.data['tool'], notes=('look',))\nhook.points = ('before_tool',)\n",
    )
    ground.user(enabled=["house"])
    hooks = ground.hooks()
    verdict = ground.call("before_tool", hooks, tool="git_push")
    assert (verdict.blocked, verdict.by, verdict.notes) == ("no git_push", "house", ("look",))
    assert [point for point in POINTS if hooks.listens(point)] == ["before_tool"]


def test_without_points_it_is_called_everywhere_and_on_failure_alone_at_on_fail(ground: Ground, install):
    install("every", "def hook(occasion):\n    return Verdict(notes=(occasion.point,))\n")
    install("failing", "def hook(occasion):\n    return Verdict(notes=('f',))\n")
    ground.user(enabled=["every"], on_failure=["failing"])
    hooks = ground.hooks()
    assert all(hooks.listens(point) for point in POINTS)
    assert ground.call("run_start", hooks).notes == ("run_start",)
    assert ground.call("on_fail", hooks).notes == ("on_fail", "f")


def test_it_may_change_arguments(ground: Ground, install):
    install("change", "def hook(occasion):\n    return Verdict(args={**occasion.data['args'], 'b': [2]})\n")
    ground.user(enabled=["change"])
    assert ground.call("before_tool", args={"a": 1}).args == {"a": 1, "b": (2,)}


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("raise KeyError('tool')", "raised KeyError: 'tool'"),
        ("raise SystemExit(0)", "raised SystemExit"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("return True", "returned bool"),
        ("return 'blocked'", "returned str"),
        ("return Verdict(blocked=True)", "returned Verdict"),
        ("return Verdict(notes=(1,))", "returned Verdict"),
        ("return Verdict(args=[1])", "must be an object"),
        ("occasion.data['args'] = 1", "raised TypeError"),
        ("hook(occasion)", "raised RecursionError"),
    ],
)
def test_code_that_fails_blocks(ground: Ground, install, body, what):
    install("broken", f"def hook(occasion):\n    {body}\n")
    ground.user(enabled=["broken"])
    verdict = ground.call("before_tool", args={})
    assert what in verdict.blocked and verdict.by == "broken"
    assert ground.recorded[0].outcome == "failed"


def test_code_that_fails_open_is_a_warning(ground: Ground, install):
    install(
        "open",
        "def hook(occasion):\n    raise ValueError('x')\nhook.fail_open = True\nhook.points = 'before_tool'\n",
    )
    ground.user(enabled=["open"])
    verdict = ground.call("before_tool")
    assert not verdict.blocked and "ValueError" in verdict.notes[0]


def test_code_that_hangs_blocks_and_is_not_called_again_until_it_is_back(ground: Ground, install):
    gate = ground.workspace / "gate"
    os.mkfifo(gate)
    install("hang", f"def hook(occasion):\n    open({str(gate)!r}).read()\n")
    ground.user(enabled=["hang"], timeout=0.2)
    hooks = ground.hooks()
    assert "did not answer within 0.2 s" in ground.call("before_tool", hooks).blocked
    assert "earlier call" in ground.call("before_tool", hooks).blocked
    gate.write_text("")


def test_calls_at_the_same_time_do_not_hinder_each_other(ground: Ground, install):
    source = "import threading\nboth = threading.Barrier(2)\ndef hook(occasion):\n    both.wait()\n    return Verdict(notes=(str(occasion.data['n']),))\n"
    install("parallel", source)
    ground.user(enabled=["parallel"])
    hooks = ground.hooks()

    async def two() -> list[tuple[str, ...]]:
        calls = (hooks.call(ground.occasion("before_tool", n=n)) for n in (1, 2))
        return [verdict.notes for verdict in await asyncio.gather(*calls)]

    assert asyncio.run(two()) == [("1",), ("2",)]


def test_a_process_ends_though_a_hook_hangs(ground: Ground, install):
    """A thread can't be killed, but it must not hold up the end."""
    import subprocess

    gate = ground.workspace / "gate"
    os.mkfifo(gate)
    source = (
        "import asyncio\nfrom donewhen.hooks.threads import Threaded\nfrom donewhen.core.hooking import Occasion\n"
        f"ask = Threaded('h', lambda occasion: open({str(gate)!r}).read(), 0.1).ask\n"
        "print(asyncio.run(ask(Occasion('run_end', 'r', '/'))).failed.key)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "hooks.timed_out\n"), done.stderr


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise RuntimeError('broken')", "RuntimeError: broken"),
        ("hook = 5", "not callable"),
        ("def other(): ...", "AttributeError"),
        ("def hook(o): ...\nhook.points = ('sometimes',)", "unknown point sometimes"),
        ("def hook(o): ...\nhook.points = 5", "unknown point"),
        ("def hook(o): ...\nhook.priority = 'high'", "priority must be"),
        ("import no_such_module", "ModuleNotFoundError"),
    ],
)
def test_a_plugin_that_does_not_load_stops_the_run_before_it_starts(ground: Ground, install, source, why):
    install("bad", source)
    ground.user(enabled=["bad"])
    with pytest.raises(SetupError) as caught:
        ground.hooks()
    assert "bad" in str(caught.value) and why in str(caught.value)


def test_two_packages_with_a_hook_of_one_name_are_refused(ground: Ground, install):
    install("twin", "def hook(o): ...", "one")
    install("twin", "def hook(o): ...", "two")
    ground.user(enabled=["twin"])
    with pytest.raises(SetupError, match="one:hook, two:hook"):
        ground.hooks()


def test_a_plugin_that_is_not_named_is_not_loaded(ground: Ground, install):
    install("quiet", f"open({str(ground.workspace / 'loaded')!r}, 'w')")
    ground.user()
    assert ground.call("before_tool") == PASSED
    assert not Path(ground.workspace / "loaded").exists()
