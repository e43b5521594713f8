"""Runners that always say at their end what they ran: one that ended with 0 and did not, was left half-way.

Code under test that calls an exit of its own takes the runner with it, and 0 would look like a pass. Only for
runners that are called directly, and whose words are known for certain; whatever hides them is left alone.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.commands.walk import simples
from donewhen.core.counts.text import readable
from donewhen.core.texts import Phrase
from donewhen.core.tree import Simple, Statement, Word
from donewhen.shell import unwrap
from donewhen.workspace.processes.command import Finished

_RAN = re.compile(r".{0,400}\bRan \d{1,9} tests? in \S.{0,40}")
_PYTEST = re.compile(r".{0,200}\b\d{1,9} (?:passed|failed|skipped|deselected|xfailed|errors?)\b.{0,300}")
_NODE = re.compile(r"(?:ℹ|#) tests \d{1,9}")
_GO = re.compile(r"ok\s+\S.{0,400}|FAIL\b.{0,400}|\?\s+\S.{0,400}|PASS|\s+\S{1,300}\s+coverage: .{0,80}|\{.*")
_CARGO_STARTS = re.compile(r"running \d{1,9} tests?")
_CARGO_ENDS = re.compile(r".{0,400}\btest result: (?:ok|FAILED)\. .{0,200}")
_OTHER_WORDS = ("--test-reporter", "--testrunner", "--version", "--help", "-h", "--format", "--logfile")


class Runner(NamedTuple):
    name: str
    said: tuple[re.Pattern[str], ...]  # one line of these is its end
    starts: re.Pattern[str] | None = None  # lines each of which needs an end


_RUNNERS: Mapping[str, Runner] = {
    "unittest": Runner("unittest", (_RAN,)),
    "manage.py test": Runner("manage.py test", (_RAN, _PYTEST)),
    "node --test": Runner("node --test", (_NODE,)),
    "go test": Runner("go test", (_GO,)),
    "cargo test": Runner("cargo test", (_CARGO_ENDS,), _CARGO_STARTS),
}


def left_halfway(entry: Accept, finished: Finished) -> Phrase | None:
    """Why 0 is no pass here: the runner did not come to its own end."""
    runner = _runner(entry)
    if runner is None or finished.exit != 0:
        return None
    lines = readable(finished.output.text)
    ends = sum(1 for line in lines if any(each.fullmatch(line) for each in runner.said))
    if runner.starts is None:
        missing = ends == 0
    else:
        started = sum(1 for line in lines if runner.starts.fullmatch(line))
        missing = started > ends and not finished.output.left_out
    return Phrase("exam.no_summary", {"runner": runner.name}) if missing else None


def runs_unittest(entry: Accept) -> bool:
    """Whether the entry is unittest itself, no command that may start several runners."""
    runner = _runner(entry)
    return runner is not None and runner.name == "unittest"


def _runner(entry: Accept) -> Runner | None:
    """The runner that the entry calls, also through `env`, `timeout` or `uv run`."""
    words = tuple(map(Word, entry.argv))
    last = list(simples((Statement(Simple(words, inner=unwrap(words))),)))
    if len(last) != 1 or _otherwise(entry, last[0].words):
        return None
    call = name_call(last[0].words)
    runs = all(each.effect != "norun" for each in call.settings)
    return _RUNNERS.get(call.name) if runs else None


def _otherwise(entry: Accept, words: tuple[Word, ...]) -> bool:
    """Is it asked to say its end in another way?"""
    named = any(word.text.partition("=")[0] in _OTHER_WORDS for word in words)
    return named or "test-reporter" in dict(entry.env).get("NODE_OPTIONS", "")
