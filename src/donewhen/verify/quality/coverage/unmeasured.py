"""Changed files that no report knows: not covered, unless the project's settings leave them out.

Tools tell only of what was loaded, as a rule. That nothing loads a new module is what the gate is for, so its
code counts as not executed. Where the tool was told what to measure and left the file out, that is said.
"""

import posixpath
from collections.abc import Mapping
from pathlib import Path

from donewhen.core.integrity.roles import role_of
from donewhen.core.quality.coverage import Covered, Lines, family_of
from donewhen.verify.quality.coverage.code import code_lines
from donewhen.verify.quality.coverage.settings import Settings, settings_of
from donewhen.verify.quality.coverage.tree import Tree

_DECLARING = (".d.ts", ".d.mts", ".d.cts")


def with_unmeasured(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path, folder: str = ""
) -> Covered:
    """The same with the changed source files of measured languages that it lacks; `folder`: of the tests."""
    families, tree = covered.families, Tree(root)
    settings = settings_of(root / folder)
    if folder and not settings.file:  # as they are looked for when the tests are measured
        settings, folder = settings_of(root), ""
    files, unmeasured, left_out = dict(covered.files), set(covered.unmeasured), set(covered.left_out)
    for path in sorted(changed):
        family = family_of(path)
        if path in files or family not in families or not _counts(path):
            continue
        code = code_lines((tree.text(path) or b"").decode("utf-8", "replace"), family)
        if not code & changed[path] or tree.find(path) != path:
            continue
        if covered.complete or (family == "python" and _left_out(settings, path, folder)):
            left_out.add(path)
        else:
            files[path] = Lines(missing=code)
            unmeasured.add(path)
    return covered._replace(files=files, unmeasured=frozenset(unmeasured), left_out=frozenset(left_out))


def unknown_families(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path
) -> Mapping[str, str]:
    """Languages whose changed code no report knows anything of, each with the first file of it."""
    families, tree = covered.families, Tree(root)
    found: dict[str, str] = {}
    for path in sorted(changed):
        family = family_of(path)
        if not family or family in families or family in found or not _counts(path):
            continue
        code = code_lines((tree.text(path) or b"").decode("utf-8", "replace"), family)
        if code & changed[path] and tree.find(path) == path:
            found[family] = path
    return found


def _counts(path: str) -> bool:
    return role_of(path) == "source" and not path.endswith(_DECLARING)


def _left_out(settings: Settings, path: str, folder: str) -> bool:
    inner = posixpath.relpath(path, folder) if folder else path
    return bool(settings.file) and not inner.startswith("../") and settings.leaves_out(inner)
