"""Product code that newly looks at its exam: at the process that called it, or at the files of the tests.

For what no syntax reader sees: questions for the parent's command line or for modules of tests, and patterns
of files that in this very repository fit nothing but the exam. A pattern that also fits other files, that the
goal speaks of, or that stood there at the base is left alone.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import translate
from functools import lru_cache

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import role_of

_SHELL = (b"#!/bin/sh", b"#!/bin/bash", b"#!/usr/bin/env bash", b"#!/usr/bin/env sh", b"#!/usr/bin/bash")
_SHELL_ENDS = (".sh", ".bash", ".zsh", ".ksh")
_CODE_ENDS = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php")
_ASKED = r"(?:cmdline|/comm\b|/exe\b|/environ\b)"
_RUNNER = r"[\"'`/](?:tests?|test_|\.test|\.spec|_?pytest|unittest|mocha|jest|vitest)\b"
_SHELL_PEEKS = re.compile(
    r"/proc/\$\{?PPID\}?/(?:cmdline|comm|exe|environ|stat)"
    r"|\bps\b(?=[^|;&\n]{0,120}(?:comm|args|cmd))[^|;&\n]{0,120}\$\{?PPID\b"
    r"|\$\{?(?:PYTEST_CURRENT_TEST|NODE_TEST_CONTEXT|BATS_[A-Z]{1,20})|\bnpm_lifecycle_event\b[^\n]{0,20}\btest\b"
)
_CODE_PEEKS = re.compile(
    rf"/proc/[^\n]{{0,60}}ppid[^\n]{{0,60}}{_ASKED}|/proc/[^\n]{{0,60}}{_ASKED}[^\n]{{0,60}}ppid"
    r"|[\"'` ]ps[\"'` ](?=[^\n]{0,120}(?:comm|args|cmd))[^\n]{0,120}ppid"
    r"|psutil[^\n]{0,80}\.parents?\(\)[^\n]{0,60}(?:name|cmdline|exe)\("
    rf"|(?:sys\.modules|require\.cache|__main__[^\n]{{0,20}}__(?:file|spec)__)[^\n]{{0,120}}{_RUNNER}"
    rf"|{_RUNNER}[^\n]{{0,120}}(?:sys\.modules|require\.cache)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"glob(?:Sync)?\([ \t]{0,9}[rbuf]{0,2}[\"'`]([^\"'`\n]{3,200})[\"'`]")
_WORD = re.compile(r"(?<![\w\"'/.$*-])[\w.*?/-]{0,100}\*[\w.*?/-]{0,100}")
_TELLING = re.compile(r"[A-Za-z]{4,}")
_LARGEST = 256 * 1024
_LONGEST = 2_000  # characters of a line
_MOST_LINES = 5_000
_MOST_PATTERNS = 50
_MOST_PATHS = 20_000


def peeking(
    goal: str,
    base: Mapping[str, bytes],
    now: Mapping[str, bytes],
    paths: Iterable[str],
    exam: Collection[str] = (),
) -> Iterator[Finding]:
    """`base` and `now` hold the changed files, `paths` are all files of the tree.

    `exam`: files that belong to the exam though their names don't say so.
    """
    listed = list(paths)[:_MOST_PATHS]
    for path, data in sorted(now.items()):
        shell = _is_shell(path, data)
        if role_of(path) not in ("source", "other") or not (shell or path.endswith(_CODE_ENDS)):
            continue
        if path in exam or len(data) > _LARGEST or b"\0" in data:
            continue
        for number, line in _new_lines(base.get(path, b""), data):
            asks = (_SHELL_PEEKS if shell else _CODE_PEEKS).search(line[:_LONGEST]) is not None
            if asks or any(_fits_exam_only(each, goal, listed) for each in _patterns(line, shell)):
                yield found("exam-detected", path, number, now=line.strip())


def _is_shell(path: str, data: bytes) -> bool:
    return path.endswith(_SHELL_ENDS) or data.startswith(_SHELL)


def _new_lines(base: bytes, now: bytes) -> Iterator[tuple[int, str]]:
    had = {line.strip() for line in base.splitlines()}
    for number, line in enumerate(now.splitlines()[:_MOST_LINES], 1):
        if line.strip() not in had and not line.lstrip().startswith((b"#", b"//", b"*")):
            yield number, line.decode(errors="replace")


def _patterns(line: str, shell: bool) -> list[str]:
    """Patterns of files in folders that the line does not name."""
    if "*" not in line:
        return []
    if shell:
        return [word for word in _WORD.findall(line) if "/" in word][:_MOST_PATTERNS]
    anywhere = "rglob" in line
    said = _CALLED.findall(line)[:_MOST_PATTERNS]
    return [f"**/{each}" if anywhere else each for each in said if "/" in each or anywhere]


@lru_cache(maxsize=200)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(translate(text))


def _fits_exam_only(pattern: str, goal: str, paths: list[str]) -> bool:
    """One that goes through folders whatever they are called, and meets tests and nothing else."""
    plain = pattern.removeprefix("./")
    while plain.startswith("../"):
        plain = plain[3:]
    head, _, rest = plain.partition("/")
    telling = _TELLING.findall(rest.rpartition(".")[0] or rest)
    if "*" not in head or not telling or pattern.count("*") > 6:
        return False
    if any(_says(word, goal) for word in telling):
        return False
    fitting = [path for path in paths if _pattern(plain).match(path)]
    return bool(fitting) and all(role_of(path) in ("test", "support") for path in fitting)


def _says(word: str, goal: str) -> bool:
    """The goal uses the word by itself: `to_roman()` does not speak of files that are called `*_roman`."""
    return re.search(rf"(?<![\w.]){re.escape(word)}(?![\w(])", goal, re.IGNORECASE) is not None
