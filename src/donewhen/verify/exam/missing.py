"""Programs that are not there: found in what a command's end says, with how to get them.

A tool that is missing is no failed test. Only what programs themselves print about it is read, and only where
no test was counted.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from donewhen.core.texts import Phrase

_PIP = frozenset(
    "pytest tox nox coverage mypy ruff flake8 black pylint hatch nose2 build pyright isort bandit pre-commit "
    "uv poetry pdm pipenv stestr ward xdist pytest_cov".split()
)
_NPM = frozenset(
    "jest vitest mocha eslint tsc ava tap tape c8 nyc prettier webpack vite rollup playwright cypress karma "
    "biome xo standard tsd jasmine ts-node tsx turbo nx lerna react-scripts".split()
)
_TOOLS: Mapping[str, str] = {
    **dict.fromkeys(("npm", "npx", "node"), "Node.js"),
    **dict.fromkeys(("cargo", "rustc"), "Rust (cargo)"),
    **dict.fromkeys(("mvn", "gradle", "java"), "a JDK"),
    "go": "Go",
    "dotnet": "the .NET SDK",
    "bundle": "Ruby and Bundler",
    "rake": "Ruby and rake",
    "composer": "PHP and Composer",
    "mix": "Elixir",
    "python": "Python 3",
    "python3": "Python 3",
}
_NO_MODULE = re.compile(r"^[^\n]{0,300}?python[\d.]{0,8}: No module named '?([\w.]{1,80})", re.MULTILINE)
_NAME = r"([\w@./+-]{1,120})"
# What shells and runners say of a program that they can't find.
_NOT_FOUND = (
    re.compile(r"^[^\n]{0,200}?(?:\d: |: )" + _NAME + r": (?:command )?not found$", re.MULTILINE),
    re.compile(r"^g?make(?:\[\d{1,3}\])?: " + _NAME + r": No such file or directory$", re.MULTILINE),
    re.compile(r"^env: ['\u2018\"]?" + _NAME + r"['\u2019\"]?: No such file or directory$", re.MULTILINE),
    re.compile(r"^error: Failed to spawn: `?" + _NAME + r"`?$", re.MULTILINE),
    re.compile(r"^(?:Error: )?Command not found: " + _NAME + r"$", re.MULTILINE),
)
# What programs say when there is no network.
OFFLINE = (
    "Temporary failure in name resolution", "Name or service not known", "nodename nor servname provided",
    "Network is unreachable", "getaddrinfo", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "no such host",
    "Failed to establish a new connection", "Could not resolve host", "dns error", "are you offline",
    "network was disabled", "network connectivity is disabled", "All attempts to connect to",
)  # fmt: skip
_NOT_LOADED = re.compile(r"(?:No module named|Cannot find (?:module|package)) '((?:@[\w.-]+/)?[\w.-]{1,80})")
_STATUS = re.compile(r"\bError 127\b")


def missing_inside(text: str, exit: int | None, module: bool) -> Phrase | None:
    """What a command that ended so could not find; `module`: it was a Python module that was asked for."""
    found = _NO_MODULE.search(text)
    if found and (module or exit != 1):
        name = found[1].partition(".")[0]
        return Phrase("exam.no_module", {"module": name, "install": _pip(name)})
    if exit != 127 and not _STATUS.search(text) and "Failed to spawn" not in text and exit != 1:
        return None
    patterns = _NOT_FOUND if exit == 127 or _STATUS.search(text) else _NOT_FOUND[3:]
    name = next((said[1] for pattern in patterns if (said := pattern.search(text))), "")
    return Phrase("exam.missing_inside", {"program": name, "install": install(name)}) if name else None


def missing_package(text: str, folder: Path) -> str:
    """The package that tests could not load, where it is none of the project's own; else empty."""
    names = (found[1].partition(".")[0] for found in _NOT_LOADED.finditer(text))
    own = (folder, folder / "src", folder / "lib", folder / "tests")
    return next((n for n in names if not any((p / n).is_dir() or (p / f"{n}.py").is_file() for p in own)), "")


def makes_nothing(text: str, tool: str) -> Phrase | None:
    """Why a tool that makes an environment of its own (empty: there is none) came to no test."""
    offline = bool(tool) and any(mark in text for mark in OFFLINE)
    return Phrase("exam.no_environment", {"tool": tool}) if offline else None


def install(program: str, there: Callable[[str], bool] = lambda _: False) -> Phrase:
    """How a program is got; `there` says whether another one is."""
    name = program.rpartition("/")[2]
    if name == "python" and there("python3"):
        return Phrase("exam.install_python3")
    if name in _PIP:
        return _pip(name)
    if name in _NPM:
        return Phrase("exam.install_npm")
    return Phrase("exam.install_tool", {"tool": _TOOLS.get(name, name)})


def _pip(name: str) -> Phrase:
    return Phrase("exam.install_pip", {"package": name.replace("_", "-")})
