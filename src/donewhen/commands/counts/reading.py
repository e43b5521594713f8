"""From a runner's output to counts: every reader has a look, and what they found adds up.

Printed text is what the tests themselves can forge; it can only take away trust here (nothing ran, something
failed), and a pass never follows from it alone.
"""

import re
from collections.abc import Callable

from donewhen.commands.counts.forms import failed_names, read_blocks, read_lines, read_lists, read_said, table
from donewhen.commands.counts.runners import (
    read_collected,
    read_ctest,
    read_cypress,
    read_go,
    read_go_json,
    read_gradle,
    read_jest,
    read_maven,
    read_playwright,
    read_tap,
    read_unittest,
    read_vitest,
)
from donewhen.commands.counts.text import Lines, readable
from donewhen.core.counts import Counts, add_up, reports_failures

Reader = Callable[[Lines], list[Counts]]

READERS: tuple[Reader, ...] = (
    read_vitest,
    read_jest,
    read_playwright,
    read_cypress,
    read_lists,
    read_blocks,
    read_lines,
    read_unittest,
    read_go,
    read_go_json,
    read_maven,
    read_gradle,
    read_tap,
    read_ctest,
    read_said,
)
# What puts its own name before the lines of several packages: turbo, pnpm, docker compose, concurrently.
_PREFIX = re.compile(
    r"(?P<name>[@\w./-]{1,80}:[A-Za-z][\w:.-]{0,60}: "
    r"|[@\w-]{0,60}[./][@\w./-]{0,80} [A-Za-z][\w:.-]{0,60}: "
    r"|[\w.-]{1,60} {1,20}\| "
    r"|\[[@\w./:-]{1,60}\] )(?P<line>.*)"
)
_MOST_NAMES = 64


def read_counts(output: str) -> Counts | None:
    """What the runner says about its tests; None when it says nothing that is understood."""
    lines = readable(output)
    counts = _read(lines)
    if counts:
        return counts
    return add_up([part for stream in _streams(lines) if (part := _read(stream))])


def _read(lines: Lines) -> Counts | None:
    parts = [part for reader in READERS for part in reader(lines)] or read_collected(lines)
    hidden = {runner for part in parts for runner in table("hides").get(part.runner, "").split()}
    counts = add_up([part for part in parts if part.runner not in hidden])
    if counts and reports_failures(counts):
        names = [name for runner in counts.runner.split("+") for name in failed_names(runner, lines)]
        return counts._replace(failed_names=tuple(names))
    return counts


def _streams(lines: Lines) -> list[list[str]]:
    streams: dict[str, list[str]] = {}
    for line in lines:
        found = _PREFIX.fullmatch(line)
        if found and (found["name"] in streams or len(streams) < _MOST_NAMES):
            streams.setdefault(found["name"], []).append(found["line"])
    return list(streams.values())
