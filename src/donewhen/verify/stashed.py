"""What was put aside in git's stash since the base: work that the change does not hold. Only read."""

import re

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.ignored import began_ns
from donewhen.verify.reports.frames import visible
from donewhen.workspace.git.repository import Repository

_MOST = 20
_LONGEST = 160
_LINE = re.compile(rb"[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]{0,1000}(?:\t(.{0,1000}).*)?")


def stashed(repository: Repository, began: int) -> tuple[Finding, ...]:
    """A warning for each entry that was made after the base."""
    try:
        read = read_regular(repository.common / "logs/refs/stash", "logs/refs/stash", follow=False)
    except DonewhenError:
        return ()
    lines = read.data.splitlines()[::-1] if read and began else []  # the youngest is stash@{0}
    findings = []
    for number, line in enumerate(lines[:_MOST]):
        match = _LINE.fullmatch(line)
        if match and began_ns(repository, match[1].decode()) > began:
            entry = f"stash@{{{number}}}"
            about = visible((match[2] or b"").decode("utf-8", "replace"), _LONGEST)
            values = {"entry": entry, "about": about}
            message = Phrase("baseexam.stashed", values)
            wanted = Phrase("baseexam.stashed_wanted", values)
            finding = found("hidden-work", "", 0, now=entry, message=message, wanted=wanted)
            findings.append(finding._replace(policy="warn"))
    return tuple(findings)
