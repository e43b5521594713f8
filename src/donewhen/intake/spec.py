"""`--spec`: an OpenSpec change, a Markdown page or an OpenAPI document, told apart by what is there.

A folder, a file of a change or the id of one is OpenSpec; a file is what its content says. What was taken it
for stands in the source, so that nobody has to guess.
"""

import re
import stat
from itertools import pairwise
from pathlib import Path

from donewhen.config.places import harmless
from donewhen.core.checks import read_checks
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import Criterion
from donewhen.core.texts import Phrase
from donewhen.intake.markdown import markdown_spec
from donewhen.intake.openapi import openapi_spec
from donewhen.intake.openspec import (
    Change,
    ChangeRefused,
    Delta,
    Issue,
    SpecFile,
    change_to_parts,
    open_change,
    validate_change,
    validate_spec,
)
from donewhen.intake.openspec import read_spec as read_main_spec
from donewhen.intake.openspec.finding import find_change
from donewhen.intake.parts import Parts, TodoPart, short
from donewhen.intake.reading import read_text

_DATA = (".yaml", ".yml", ".json")
_REQUIREMENT = re.compile(r"^### Requirement:", re.MULTILINE | re.IGNORECASE)
_OPENS_OPENAPI = re.compile(r"[{\s\"']{0,200}(?:openapi|swagger)[\"']?\s{0,20}:")


def read_spec(given: str, folder: Path, parse: Parse) -> Parts:
    """What the spec `given` names, seen from `folder`, gives."""
    if not given.strip() or "\0" in given:
        raise UserError("intake.no_spec_name")
    path = folder / given
    if _belongs_to_a_change(path) or _kind(path) != "file":
        return openspec_parts(given, folder, parse)
    text = read_text(path, shown=given)
    if path.suffix.lower() in _DATA or _looks_like_openapi(text):
        return openapi_spec(text, given)
    if _REQUIREMENT.search(text):
        return main_spec(text, given, parse)
    return markdown_spec(text, parse, given)


def main_spec(text: str, name: str, parse: Parse) -> Parts:
    """A spec of OpenSpec that is no change: all that it requires holds."""
    issues = validate_spec(text, name)
    if any(issue.level == "ERROR" for issue in issues):
        raise ChangeRefused(issues)
    spec = read_main_spec(text)
    path = Path(name)
    capability = path.parent.name if path.name == "spec.md" and path.parent.name else path.stem
    file = SpecFile(capability, name, Delta(added=spec.requirements), name, None)
    return _parts(Change(capability, name, (file,)), parse, issues)._replace(
        source=f"{name} (OpenSpec)", objective=short(spec.title), places={"objective": f"{name}:1"}
    )


def openspec_parts(given: str, folder: Path, parse: Parse) -> Parts:
    """A change as parts; all its errors at once are a ChangeRefused."""
    path = folder / given
    if not _kind(path) and Path(given).suffix and not _belongs_to_a_change(path):
        raise UserError("intake.no_file", place=harmless(given))
    change = open_change(Path(given), start=folder)
    home = find_change(Path(given), folder)
    return _parts(change, parse, validate_change(change))._replace(change=str(home.folder))


def _parts(change: Change, parse: Parse, issues: list[Issue]) -> Parts:
    found = change_to_parts(change)
    checks = tuple(
        check
        for each in found.checks
        for check in read_checks([each.data], parse, place=each.source, source=each.source, by="spec").checks
    )
    criteria = (
        Criterion(each.id, each.description, each.evidence_required, source=each.source)
        for each in found.criteria
    )
    remarks = [issue for issue in issues if issue.level == "WARNING"]
    return Parts(
        f"{change.place} (OpenSpec)",
        short(found.objective.text),
        tuple(criteria),
        checks,
        todos=tuple(TodoPart(each.data, each.source) for each in found.todos),
        places={"objective": found.objective.source},
        warnings=tuple(Phrase(each.key, {**each.values, "place": each.place}) for each in remarks),
    )


def _kind(path: Path) -> str:
    """`folder`, `file`, or nothing where there is none."""
    try:
        return "folder" if stat.S_ISDIR(path.stat().st_mode) else "file"
    except OSError:
        return ""


def _belongs_to_a_change(path: Path) -> bool:
    """A file or folder below `openspec/changes/`."""
    parts = path.parts
    return any(pair == ("openspec", "changes") for pair in pairwise(parts))


def _looks_like_openapi(text: str) -> bool:
    """The first line that is no comment and no mark of a document opens an OpenAPI document."""
    for line in text[:20_000].splitlines():
        bare = line.strip()
        if bare and not bare.startswith("#") and bare not in ("---", "{"):
            return _OPENS_OPENAPI.match(line) is not None
    return False
