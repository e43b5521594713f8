"""Projects on disk that gates plan for: files, and environments with tools that only look like tools."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from donewhen.core.quality.model import Violation
from donewhen.project.tools import Scope
from donewhen.verify.quality.model import Ask, Planned

INSTALLED = {"PATH": str(Path(sys.executable).parent)}  # ruff and mypy, as if somebody had installed them


def laid(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def scope_of(
    root: Path, *files: str, path: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> Scope:
    return Scope(root, files, tuple(path), env or {}, caches=root.parent / f"{root.name}-caches")


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    return path


def virtual_environment(folder: Path, **tools: str) -> Path:
    """A virtual environment with these tools and versions; its `bin`."""
    site = folder / "lib/python3.11/site-packages"
    site.mkdir(parents=True, exist_ok=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for name, version in tools.items():
        program(folder / "bin" / name)
        (site / f"{name}-{version}.dist-info").mkdir()
    return folder / "bin"


def node_modules(folder: Path, **tools: str) -> Path:
    """`node_modules` in the folder with these tools (`tsc` comes from typescript); its `.bin`."""
    for name, version in tools.items():
        package = {"tsc": "typescript"}.get(name, name)
        manifest = folder / "node_modules" / package / "package.json"
        manifest.parent.mkdir(parents=True, exist_ok=True)
        manifest.write_text(
            json.dumps({"name": package, "version": version, "bin": {name: f"bin/{name}.js"}})
        )
        program(manifest.parent / f"bin/{name}.js")
        link = folder / "node_modules/.bin" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(f"../{package}/bin/{name}.js")
    return folder / "node_modules/.bin"


def only(planned: Planned) -> Ask:
    assert len(planned.asks) == 1, planned
    assert planned.missing == ()
    return planned.asks[0]


def why(planned: Planned) -> str:
    """The key of what is said where nothing is to do."""
    assert (planned.asks, planned.missing) == ((), ())
    return planned.why.key if planned.why else ""


def kept(scope: Scope) -> Path:
    assert scope.caches is not None
    return scope.caches


def ran(ask: Ask, scope: Scope) -> tuple[Violation, ...]:
    """What the tool really finds; the tree must be as it was afterwards."""
    before = sorted(scope.root.rglob("*"))
    env = {**os.environ, **ask.env}
    where = scope.root / ask.cwd
    done = subprocess.run(ask.argv, cwd=where, env=env, capture_output=True, timeout=120, check=False)
    assert done.returncode in ask.ok, done.stderr
    assert sorted(scope.root.rglob("*")) == before
    return ask.read(done.stdout.decode(), str(where))
