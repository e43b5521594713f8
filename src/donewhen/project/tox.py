"""The command behind tox: what its test environment runs, without the environment.

A tox run builds environments of its own over the network; the harness has one already. Lines that can't be
read for sure give nothing.
"""

import shlex
from collections.abc import Mapping
from itertools import pairwise

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder
from donewhen.project.recipes import tox_sections

_SECTIONS = (
    "testenv",
    "testenv:py",
    "testenv:test",
    "testenv:tests",
    "testenv:unit",
    "testenv:py3",
    "testenv:pytest",
)
_POSARGS = lazy(r"\{posargs(?::([^{}]{0,200}))?\}")
_DEFAULT = lazy(r"\{env:[A-Za-z_]\w{0,60}:([^{}]{0,200})\}")
_PLAIN = {
    "{toxinidir}": ".", "{tox_root}": ".", "{envpython}": "python", "{envbindir}/": "", "{env_bin_dir}/": "",
    "{/}": "/", "{:}": ":",
}  # fmt: skip
_FACTOR = lazy(r"^[\w{},!.-]{1,60}:[ \t]+")
_REPORTS = ("--cov", "--no-cov", "--junit", "--basetemp", "--html", "--self-contained-html", "--color")
_RUNNERS = ("pytest", "unittest", "trial", "stestr", "nose2", "zope.testrunner", "twisted.trial")


def behind_tox(files: Folder) -> tuple[str, str]:
    """The test command of the project's tox settings, and where it stands; empty when there is none."""
    file, sections = tox_sections("", files)
    for name in _SECTIONS:
        section = sections.get(name, {})
        if not _goes_elsewhere(section):
            lines = section.get("commands", "").replace("\\\n", " ").splitlines()
            command = _chosen(files, [_test(line) for line in lines])
            if command:
                return command, f"{file} [{name}]" if file.endswith((".ini", ".cfg")) else file
    return "", ""


def _chosen(files: Folder, commands: list[str]) -> str:
    """The first that runs tests, not only the examples of documents; none when it names what is not there."""
    for command in commands:
        paths = [word for word in shlex.split(command)[1:] if "/" in word or files.has(word)]
        paths = [path for path in paths if not path.startswith("-")]
        there = all(files.has(path.partition("::")[0]) for path in paths)
        if command and there and not any(path.endswith((".rst", ".md", ".txt")) for path in paths):
            return command
    return ""


def _goes_elsewhere(section: Mapping[str, str]) -> bool:
    """Whether the commands run in another folder than the root."""
    folder = section.get("changedir", "") or section.get("change_dir", "")
    return folder.strip("/") not in ("", ".", "{toxinidir}", "{tox_root}")


def _test(line: str) -> str:
    """The line as a plain command, when it runs tests; else empty."""
    line = _FACTOR.sub("", line.strip()[:2000]).lstrip("-! ")
    line = _DEFAULT.sub(lambda match: match[1], line)
    line = _POSARGS.sub(lambda match: match[1] or "", line)
    for spelled, plain in _PLAIN.items():
        line = line.replace(spelled, plain)
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    if not words or any(set(word) & set("{}|&;<>$`") for word in words):
        return ""
    return _run(_without_coverage(words))


def _without_coverage(words: list[str]) -> list[str]:
    """`coverage run -m pytest tests` is `python -m pytest tests`."""
    head = words[0].rpartition("/")[2]
    if head.startswith("python") and words[1:3] == ["-m", "coverage"]:
        head, words = "coverage", words[2:]
    if head != "coverage" or words[1:2] != ["run"]:
        return words
    rest = words[2:]
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        rest = rest[1:]
    return ["python", *rest]


def _run(words: list[str]) -> str:
    head = words[0].rpartition("/")[2]
    kept = [
        word
        for before, word in pairwise(words)
        if not word.startswith(_REPORTS) and (before != "--cov" or word.startswith("-"))
    ]
    if head in ("pytest", "py.test"):
        return shlex.join(["pytest", *kept])
    if head in ("trial", "stestr", "nose2"):
        return shlex.join([head, *kept])
    if not head.startswith("python"):
        return ""
    module = next((b for a, b in pairwise(kept) if a == "-m"), "")
    script = next((word for word in kept if word.endswith(".py")), "")
    if module in _RUNNERS or (not module and "test" in script.rpartition("/")[2]):
        return shlex.join(["python", *kept])
    return ""
