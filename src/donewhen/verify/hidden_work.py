"""Hidden work: an exam that passes only thanks to files that the change hides from git, or edited packages.

Files that only lines hide which the change adds are left out of one more run; so are, in a run or
session, ignored files that nobody had when it began. Red there, green with them again and red without them
again, they are asked about. What was ignored before is the user's own. What is installed is compared with
the census that a run or session took when it began; a plain `verify` has none and looks only whether the
runner is what its installer noted. Nothing is removed.
"""

import base64
import csv
import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.questions import Question
from donewhen.core.shown import visible
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import ALONE
from donewhen.verify.rerun import ExamContext, RerunRequest, rerun_exam
from donewhen.workspace.census import edited, kept_census, take_census

_WITH = "alone-with-leftovers"
_SHOWN = 5
_LONGEST = 120
_LARGEST = 8 * 1024 * 1024
_MOST_ABOUT = 200
_RUNNERS = re.compile(r"(?:_?pytest|pluggy|nose2|coverage|pytest_\w+)[-.]")  # distributions that run tests


async def hidden_work(context: ExamContext) -> tuple[Question, ...]:
    """To be asked after an exam that passed."""
    return (*await _newly_ignored(context), *_edited(context))


async def _newly_ignored(context: ExamContext) -> tuple[Question, ...]:
    hidden = context.newly_ignored()
    if not hidden or not context.in_place:
        return ()
    fingerprints = context.looked.fingerprints
    inside = [path for path in hidden if path in context.looked.change.changed]
    tree = fingerprints.composed("", context.tree, inside)
    alone = await rerun_exam(context, RerunRequest(tree, ALONE))
    if alone.green:
        return ()
    back = await rerun_exam(context, RerunRequest(tree, _WITH, hidden, use=False))
    if not back.green:  # the room can't host this exam, with or without them
        return ()
    if (await rerun_exam(context, RerunRequest(tree, ALONE, use=False))).green:  # it was luck, and not theirs
        return ()
    said = "\n".join(each.result.tail for each in alone.commands)
    named = [path for path in hidden if (Path(path).stem or path) in said]
    return (_question(context, "integrity.hidden_work", "now", named or hidden),)


def _edited(context: ExamContext) -> Iterator[Question]:
    """One question about everything that is installed and was edited there."""
    looked = context.looked
    then = kept_census(context.wanted.census) if context.wanted.census else None
    if then is not None:
        found = edited(then, take_census(looked.repository.root, context.means.env))
    else:
        prefixes = [Path(folder).parent for folder in context.place.prepared.path]
        sites = [site for prefix in prefixes for site in prefix.glob("lib/python*/site-packages")]
        found = sorted({path for site in sites for path in _not_as_noted(site)})
    if found:
        yield _question(context, "baseexam.edited", "file", found)


def _not_as_noted(site: Path) -> Iterator[str]:
    """Files of the runner that are not what its installer noted of them."""
    for record in sorted(site.glob("*.dist-info/RECORD")):
        if not _RUNNERS.match(record.parent.name):
            continue
        rows = csv.reader(_read(record).decode(errors="replace").splitlines())
        for name, noted, *_ in islice((row for row in rows if len(row) > 1), 1000):
            path = site / name  # scripts are left out: who moves an environment writes their first line anew
            if name.endswith(".py") and noted.startswith("sha256=") and noted != _digest(_read(path)):
                yield str(path)


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _read(path: Path) -> bytes:
    try:
        found = read_regular(path, path.name, largest=_LARGEST, follow=False)
    except DonewhenError:
        return b""
    return found.data if found else b""


def _question(context: ExamContext, key: str, value: str, paths: Sequence[str]) -> Question:
    root = context.looked.repository.root
    about = tuple(hashlib.sha256(_read(root / path)).hexdigest() for path in paths[:_MOST_ABOUT])
    names = [path.removeprefix(f"{root}/") for path in paths]
    shown = ", ".join(visible(name, _LONGEST) for name in names[:_SHOWN])
    message = Phrase(key, {value: shown + (", …" if len(names) > _SHOWN else "")})
    return Question("hidden-work", message, names[0], wanted=Phrase(f"{key}_wanted"), about=about)
