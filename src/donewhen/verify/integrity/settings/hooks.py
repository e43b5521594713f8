"""Files that a runner loads before the tests: harmless by content, or able to change what tests say."""

import re
from collections.abc import Mapping, Sequence

from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import role_of
from donewhen.core.paths import relative

_ABLE = re.compile(
    rb"exit|require\.cache|\bModule\b|_load|prototype|globalThis|\bglobal\.|\bassert\b|node:test|process\.on|child_process"
    rb"|\bmock\(|defineProperty|\bProxy\b|\beval\b|Function\(|register\(|\bdescribe\b|\bit\b|\btest\b|\bexpect\s*=|writeFile"
    rb"|unlink|\bvm\b|require\.extensions|registerHooks|\bsys\b|monkeypatch|pytest_\w+|outcome|\bskip"
)
_EXAM = frozenset(("test", "support"))
_LARGEST = 64 * 1024
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", "/index.js")


def weighed_hook(finding: Finding, hooks: Sequence[str], folder: str, now: Mapping[str, bytes]) -> Finding:
    """A file that can't reach into the exam is worth a look; one of the tests' own, a question."""
    if all(is_tame(hook, folder, now) for hook in hooks):
        return finding._replace(policy="warn")
    own = all(role_of(_place(hook, folder)) in _EXAM for hook in hooks)
    return finding._replace(policy="ask") if own else finding


def _place(hook: str, folder: str) -> str:
    bare = hook.replace("<rootDir>", ".").removeprefix("file:")
    return relative(f"{folder or '.'}/{bare}") or ""


def is_tame(hook: str, folder: str, now: Mapping[str, bytes]) -> bool:
    """Whether the file is at hand and has nothing in it that could reach into the exam."""
    path = _place(hook, folder)
    data = next((now[path + ending] for ending in _ENDINGS if path + ending in now), None)
    return data is not None and len(data) <= _LARGEST and not _ABLE.search(data)
