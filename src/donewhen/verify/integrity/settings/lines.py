"""Files that are read line by line: what a line that is new, or gone, says about the exam.

For build files in languages that nobody here parses (Gradle, CMake, go.mod), for flags of CI files, whose
steps have no names to go by, and for makefiles' own declarations.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Policy
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.settings.exams import is_ci
from donewhen.verify.integrity.settings.formats import read_yaml_text, text_of
from donewhen.verify.integrity.settings.model import ChangedFile, Leaf, Unread, is_on, items, spelt


class _Line(NamedTuple):
    files: re.Pattern[str]
    new: re.Pattern[str]
    rule: str = "command-weakened"


def _line(files: str, new: str, rule: str = "command-weakened") -> _Line:
    return _Line(
        re.compile(files, re.IGNORECASE | re.DOTALL),
        re.compile(rf".{{0,400}}?(?:{new}).{{0,400}}", re.DOTALL),
        rule,
    )


_GRADLE = r"(?:.*/)?[\w.-]{1,80}\.gradle(?:\.kts)?"
_LINES = (
    _line(
        _GRADLE,
        r"\bignoreFailures\s*(?:=|\.set\()\s*true|\bonlyIf\s*\{\s*false|\benabled\s*(?:=|\.set\()\s*false",
    ),
    _line(
        _GRADLE,
        r"\bfailOnNoMatchingTests\s*=\s*false|\bexcludeTestsMatching\b|\bincludeTestsMatching\b|\bexcludeTags\b|\bincludeTags\b",
    ),
    _line(_GRADLE, r"""\bexclude\s*\(?\s*['"][^'"]*(?:Test|test|Spec)"""),
    _line(_GRADLE, r"\bdependsOn\.remove\b|\bexclude\s*\(?\s*['\"]test['\"]|\.skip\w*Tests\b"),
    _line(
        r"(?:.*/)?cmakelists\.txt|.*\.cmake", r"\bWILL_FAIL\b|\bDISABLED\s+(?:TRUE|ON|1)|\bSKIP_RETURN_CODE\b"
    ),
    _line(r"(?:.*/)?rakefile", r"\bfail_on_error\s*=\s*false|\bexclude_pattern\s*="),
    _line(
        r"(?:.*/)?go\.(?:mod|work)",
        r"^\s*(?:replace\s+)?\S*(?:testify|gomega|ginkgo|go-cmp|gotest|quicktest|is)\S*\s.{0,80}=>\s*\.",
        "shim",
    ),
    _line(r"(?:.*/)?bunfig\.toml", r"^\s*preload\s*=.*\./", "startup-hook"),
)
_HIDDEN = re.compile(
    r"/?(?:[\w.*-]{0,60}/){0,5}[\w.*-]{0,60}\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php|json|ya?ml|csv|toml)"
    r"|/?(?:src|lib|tests?|spec|__tests__|data|fixtures)/?(?:\*{1,2}/?)?|\S{1,200}\s+filter=\S{1,80}"
)
_CI_SWITCHES = frozenset(
    ("continue-on-error", "allow_failure", "continueonerror", "soft_fail", "ignore_failure")
)
_NEVER = re.compile(
    r"\s*(?:\$\{\{)?\s*(?:false|0|!\s*true|always\(\)\s*&&\s*false)\s*(?:\}\})?\s*", re.IGNORECASE
)
_LONGEST = 1000  # characters of a line that people write
_PHONY = re.compile(r"\.PHONY\s*:\s*(.{1,4000})")
_EXAMS = frozenset("test tests check checks verify ci lint validate".split())


def compare_lines(files: Sequence[ChangedFile]) -> Iterator[Finding]:
    for each in files:
        if each.base == each.now or each.now is None:
            continue
        before, now = text_of(each.base or b""), text_of(each.now)
        if before is None or now is None:
            continue
        yield from _by_table(each.path, before, now)
        yield from _more_ignored(each.path, before, now)
        name = each.path.rpartition("/")[2].lower()
        if is_ci(each.path) and each.base is not None:
            yield from _ci(each.path, before, now)
        elif name in ("makefile", "gnumakefile"):
            yield from _phony(each.path, before, now)


def _by_table(path: str, before: str, now: str) -> Iterator[Finding]:
    known = {" ".join(line.split()) for line in before.split("\n")}
    rules = [each for each in _LINES if each.files.fullmatch(path)]
    for at, line in enumerate(now.split("\n") if rules else (), 1):
        flat = " ".join(line.split())
        if flat in known or flat.startswith(("//", "#")) or len(line) > _LONGEST:
            continue
        rule = next((each.rule for each in rules if each.new.fullmatch(line)), "")
        if rule:
            yield _told(rule, path, at, flat)


def _more_ignored(path: str, before: str, now: str) -> Iterator[Finding]:
    """Patterns by which git would not see sources or tests any more."""
    if path.rpartition("/")[2] not in (".gitignore", ".gitattributes", "exclude"):
        return
    known = {line.strip() for line in before.split("\n")}
    for at, line in enumerate(now.split("\n"), 1):
        text = line.strip()
        if text and text not in known and _HIDDEN.fullmatch(text):
            yield _told("ignored-more", path, at, text, "weakening.ignored")


def _ci(path: str, before: str, now: str) -> Iterator[Finding]:
    ours, theirs = read_yaml_text(before, path), read_yaml_text(now, path)
    if isinstance(theirs, Unread):
        why = Phrase(theirs.why, {"line": theirs.line})
        message = Phrase("weakening.not_compared", {"file": path, "why": why})
        yield found("not-compared", path, theirs.line, message=message)._replace(policy="warn")
        return
    if isinstance(ours, Unread):
        return
    had = Counter(_flag(leaf) for leaf in ours)
    for leaf in theirs:
        flag = _flag(leaf)
        if flag and had[flag] <= 0:
            yield _told("command-weakened", path, leaf.line, flag)
        had[flag] -= 1
    yield from _shrunk(path, ours, theirs)


def _flag(leaf: Leaf) -> str:
    """A switch that lets a job pass, or keeps it from running."""
    name = leaf.key[-1].lower() if leaf.key else ""
    if name in _CI_SWITCHES and is_on(leaf.value):
        return f"{leaf.key[-1]}: true"
    if name in ("if", "condition") and _NEVER.fullmatch(spelt(leaf.value)):
        return f"{name}: {spelt(leaf.value)}"
    return (
        f"{name}: {spelt(leaf.value)}"
        if (name, leaf.value) in (("when", "manual"), ("when", "never"))
        else ""
    )


def _shrunk(path: str, ours: Sequence[Leaf], theirs: Sequence[Leaf]) -> Iterator[Finding]:
    """Branches and matrices that lost entries."""
    now = {leaf.key: leaf for leaf in theirs}
    for leaf in ours:
        if not {"matrix", "branches", "paths"} & set(leaf.key) or leaf.key not in now:
            continue
        gone = [part for part in items(leaf.value) if part not in items(now[leaf.key].value)]
        if gone and leaf.key[-1] != "exclude":
            text = f"{leaf.name}: {', '.join(gone)}"
            yield _told("command-weakened", path, now[leaf.key].line, text, "weakening.shrunk", policy="warn")


def _phony(path: str, before: str, now: str) -> Iterator[Finding]:
    """A target of this name that is no longer phony does nothing where a file or folder has its name."""
    ours, theirs = (_phonies(text) for text in (before, now))
    for target in sorted((ours - theirs) & _EXAMS):
        head = re.compile(rf"{target}\s*:.*")
        at = next((at for at, line in enumerate(now.split("\n"), 1) if head.fullmatch(line)), 0)
        if at:
            yield _told("command-weakened", path, at, target, "weakening.phony", policy="warn")


def _phonies(text: str) -> set[str]:
    return {
        name
        for match in _PHONY.finditer(text.replace("\\\n", " "))
        for name in match[1].split("\n")[0].split()
    }


def _told(
    rule: str, path: str, line: int, text: str, key: str = "weakening.line", policy: Policy | None = None
) -> Finding:
    message = Phrase(key, {"now": text[:200], "file": path})
    finding = found(rule, path, line, now=text, message=message)
    return finding._replace(policy=policy) if policy else finding
