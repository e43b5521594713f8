"""Looks for secrets in files and diffs, at commit and at the gate.

The union of our shapes, the key-like rule and the maintained library. Nothing in the text can silence it:
there are no allow-comments. Findings show the line with the secret replaced, never the secret.
"""

from bisect import bisect_right
from collections.abc import Sequence

from donewhen.core.lazy import lazy
from donewhen.secrets import library
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS, added_lines
from donewhen.secrets.finding import Finding
from donewhen.secrets.redact import Redactor
from donewhen.secrets.spans import Span, find, merge, replace

__all__ = ["GIT_DIFF_ARGUMENTS", "UNREAD", "scan_diff", "scan_text"]

UNREAD = "unread"  # the rule of a finding that says: something here could not be read
_EXCERPT = 160
_WIDE = lazy(r"(?:[^\0]\0{1,3}){8}|(?:\0{1,3}[^\0]){8}")
_READ = 4096  # of a long line, for its excerpt


def scan_text(path: str, text: str) -> tuple[Finding, ...]:
    """The secrets in a file's text."""
    lines = text.split("\n")
    return _scan(path, lines, range(1, len(lines) + 1))


def scan_diff(diff: str) -> tuple[Finding, ...]:
    """The secrets in the lines that a unified diff adds, and what of it can't be read (rule `unread`).

    Ask git for the diff with GIT_DIFF_ARGUMENTS, else the repository decides what is to be seen.
    """
    findings: list[Finding] = []
    for path, added, unread in added_lines(diff):
        findings += _scan(path, [_narrow(line) for _, line in added], [number for number, _ in added])
        if unread is not None:
            findings.append(Finding(path, unread, UNREAD, ""))
    return tuple(findings)


def _narrow(line: str) -> str:
    """A line of UTF-16 or UTF-32 text without the zeros between its letters; where its mark is, is not asked:
    a diff shows it only with the first line."""
    return line.replace("\0", "") if "\0" in line and _WIDE.search(line) else line


def _scan(path: str, lines: Sequence[str], numbers: Sequence[int]) -> tuple[Finding, ...]:
    text = "\n".join(lines)
    spans = _all(text)
    if not spans:
        return ()
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    seen, findings, excerpts = set[tuple[int, str]](), [], dict[int, str]()
    for span in spans:
        index = bisect_right(starts, span.start) - 1
        key = (numbers[index], text[span.start : span.end])
        if key not in seen:
            seen.add(key)
            if index not in excerpts:
                excerpts[index] = _excerpt(text, starts[index], starts[index] + len(lines[index]), spans)
            findings.append(Finding(path, numbers[index], span.rule, excerpts[index]))
    return tuple(findings)


def _all(text: str) -> list[Span]:
    """Our spans first: where the library sees the same secret, ours has the better borders and name."""
    own = find(text)
    starts = [span.start for span in own]
    others = []
    for span in library.find(text):
        index = bisect_right(starts, span.end - 1) - 1
        if index < 0 or own[index].end <= span.start:
            others.append(span)
    return merge([*own, *others])


def _excerpt(text: str, start: int, end: int, spans: list[Span]) -> str:
    """The line from `start` to `end` with every secret replaced, short enough to show."""
    end = min(end, start + _READ)
    first = max(0, bisect_right(spans, start, key=lambda span: span.start) - 1)
    last = bisect_right(spans, end, key=lambda span: span.start)
    inside = [
        Span(max(span.start, start) - start, min(span.end, end) - start, span.rule)
        for span in spans[first:last]
        if span.start < end and span.end > start
    ]
    shown = Redactor().text(replace(text[start:end], inside)).strip()
    return shown if len(shown) <= _EXCERPT else shown[: _EXCERPT - 1] + "…"
