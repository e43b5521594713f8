"""Which changed paths are the exam's, and which the product's: the table of names, what the project says, and
what the commands of the base's exam name."""

import re
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.paths import relative
from donewhen.core.target import describe_line
from donewhen.project.behind import behind
from donewhen.project.exam_keys import rest_differs
from donewhen.project.exam_table import SETTINGS, ExamTable, exam_table
from donewhen.project.roles import CODE, is_mixed, role_of
from donewhen.verify.exam_regions import Region, changed_regions, product_text, regions
from donewhen.verify.inspecting import GitTree, asked_of, named_by, named_files
from donewhen.verify.rerun import ExamContext
from donewhen.verify.test_functions import syntax_digest

_CI = (".github/", ".gitlab-ci", ".circleci/", "azure-pipelines", ".travis", "appveyor", ".pre-commit")
_MOST_COPIED = 400  # files
_MOST_READ = 3000  # files of code that are searched for the name of one
_LARGEST = 512 * 1024
# comments that runners and compilers obey
_DIRECTIVE = re.compile(
    rb"(?:go:build|\+build|@(?:vitest|jest)-environment|bats (?:test|file)_tags|coding[:=]|@ts-).*"
)
_CHECKS = re.compile(
    rb"^\s{0,20}(?:function )?(?:expect|assert|check|fail|ok|is|same)\w{0,40} ?(?:\(\)|\{)", re.MULTILINE
)
_SHELL = (".sh", ".bash")
_ASKING = frozenset("python python3 node deno bun ruby perl sh bash diff cmp comm".split())
_DOCUMENT = re.compile(r".*\.(?:md|rst|adoc|lock)|[^/]*\.txt|(?:.*/)?[^./]*", re.DOTALL)
_PROSE = re.compile(r".*\.(?:md|rst|adoc|lock)", re.DOTALL)


class Sides(NamedTuple):
    """The changed paths on the exam side, and those of them that are taken as they are now."""

    exam: tuple[str, ...]
    permitted: frozenset[str] = frozenset()
    table: ExamTable = ExamTable()
    inside: tuple[str, ...] = ()  # product files in which tests of the base changed
    asked: frozenset[str] = frozenset()  # that only scripts of the exam speak of
    product: bool = True  # whether code that the tests are about changed, manifests with both sides included

    @property
    def laid(self) -> tuple[str, ...]:
        """What goes back to the base's version."""
        return tuple(path for path in self.exam if path not in self.permitted)


def sides_of(context: ExamContext) -> Sides:
    """A new file that a command names stays: without it the command would say nothing."""
    looked, changed = context.looked, context.looked.change.changed
    base, now = trees_of(context)
    before, after = base.read(changed), now.read(changed)
    lines = _lines(context, base)
    settings = base.read(path for path in base.paths() if SETTINGS.fullmatch(path))
    given = looked.rules.config.evidence.exam
    table = exam_table(settings, {*base.paths(), *now.paths()}, lines, given)
    sources = {entry.source.partition(":")[0] for entry in context.entries}
    found = {path for path in changed if table.is_exam(path) and (not _is_ci(path) or path in sources)}
    found |= _scripts(named_by(context.entries, lines, changed) - found, base, table)
    judging = [each for each in context.entries if _takes_as_exam(each.text)]
    found -= {
        path
        for path in found - named_by(judging, [line for line in lines if _takes_as_exam(line)], changed)
        if table.role(path) == "other"
    }
    found |= _data_of_tests(before, after, base, table)
    asked = _asked_by_scripts(context, lines, (base, now), table)
    found |= asked
    found = {path for path in found if not is_formatted(path, before.get(path), after.get(path))}
    added = {path for path in found if changed[path] == "added"}
    needed = added & named_files(looked) if added else frozenset()
    needed |= {
        path for path in added if table.role(path) == "support" and path.rpartition(".")[2] not in CODE
    }
    needed -= asked - named_by(context.entries, (), asked)
    rest = [path for path in changed if path not in found]
    inside = [path for path in rest if _changed_inside(path, before.get(path), after.get(path), table)]
    product = any(
        _is_product_change(path, before.get(path), after.get(path))
        for path in changed
        if path not in found or is_mixed(path)
    )
    return Sides(
        tuple(sorted(found)), frozenset(needed), table, tuple(sorted(inside)), frozenset(asked), product
    )


def trees_of(context: ExamContext) -> tuple[GitTree, GitTree]:
    fingerprints = context.looked.fingerprints
    base = fingerprints.tree(context.looked.change.base.commit)
    return GitTree(fingerprints, base), GitTree(fingerprints, context.tree)


def _lines(context: ExamContext, base: GitTree) -> tuple[str, ...]:
    """What the exam's commands run, as the base has it."""
    entries, root = context.entries, context.looked.repository.root
    own = tuple(f"cd {entry.cwd} && {entry.text}" if entry.cwd else entry.text for entry in entries)
    if not any(map(_is_recipe, context.looked.change.changed)):
        return (*own, *_behind(entries, root))
    with tempfile.TemporaryDirectory(prefix="donewhen-base-") as folder:
        wanted = [path for path in base.paths() if _is_recipe(path)][:_MOST_COPIED]
        for path, data in base.read(wanted).items():
            if relative(path) == path and len(data) <= _LARGEST:
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        return (*own, *_behind(entries, Path(folder)))


def _behind(entries: Iterable[Accept], root: Path) -> tuple[str, ...]:
    return tuple(line.text for entry in entries for line in behind(entry, root).lines)


def _is_recipe(path: str) -> bool:
    return role_of(path) == "config" or path.endswith(_SHELL) or "." not in path


def _scripts(
    named: Collection[str], base: GitTree, table: ExamTable, through: Collection[str] = ()
) -> set[str]:
    """Files that the commands name; of code only what speaks of other code and no other code speaks of.

    A shell script that others speak of is the exam's where it has functions that check. With `through` those
    that go through a folder of these files are as good, and what others that are named speak of is no exam.
    """
    texts = base.read(named)
    found = {path for path in texts if path.rpartition(".")[2] not in CODE}
    if found == texts.keys():
        return found
    paths = [path for path in base.paths() if (through or path not in named) and _is_code(path, table)]
    code = base.read(paths[:_MOST_READ])
    for path in texts.keys() - found:
        text, others = texts[path], {other: said for other, said in code.items() if other != path}
        is_shell = path.endswith(_SHELL)
        speaks = is_shell or any(_is_spoken_of(other, text) for other in others)
        speaks = speaks or any(_goes_through(text, other) for other in through)
        checks = is_shell and _CHECKS.search(text)
        if checks or (speaks and not any(_is_spoken_of(path, said) for said in others.values())):
            found.add(path)
    return found


def _takes_as_exam(line: str) -> bool:
    """Whether a file of data that it names is what it asks by; searchers and linters are asked about it."""
    described = describe_line(line.rpartition("&& ")[2], parse)
    return described.is_test or described.program in _ASKING or described.program.startswith("./")


def _data_of_tests(
    before: Mapping[str, bytes], after: Mapping[str, bytes], base: GitTree, table: ExamTable
) -> set[str]:
    """Files of data that tests of the base name, where lines of them were altered or went."""
    paths = [
        path
        for path, data in before.items()
        if table.role(path) == "other"
        and not _DOCUMENT.fullmatch(path)
        and not _only_grew(data, after.get(path))
    ]
    if not paths:
        return set()
    tests = [path for path in base.paths() if table.role(path) == "test"][:_MOST_READ]
    text = b"\n".join(base.read(tests).values())
    return {path for path in paths if path.rpartition("/")[2].encode(errors="replace") in text}


def _asked_by_scripts(
    context: ExamContext, lines: Collection[str], trees: tuple[GitTree, GitTree], table: ExamTable
) -> set[str]:
    """Of an exam without a known runner: what its scripts speak of or go through, and the product does not.

    Code only where they go through its folder; what the goal names is no part of the exam.
    """
    entries, changed = context.entries, context.looked.change.changed
    names = {entry.text for entry in entries if _behind((entry,), context.looked.repository.root)}
    if any(describe_line(line, parse).is_test for line in lines if line not in names):
        return set()
    base, now = trees
    named = named_by(entries, lines, base.paths())
    scripts = _scripts(named, base, table, base.paths()) | {path for path in named if table.is_exam(path)}
    said = b"\n".join((*base.read(scripts).values(), *(line.encode(errors="replace") for line in lines)))
    others = [path for path in now.paths() if path not in scripts and _is_code(path, table)][:_MOST_READ]
    product = now.read(others)
    goal = asked_of(context.looked, context.wanted).goal.encode(errors="replace")
    found = {path for path in scripts & changed.keys() if path.rpartition(".")[2] in CODE}
    texts = {**base.read(changed), **now.read(changed)}
    programs = {path for path, text in texts.items() if text.startswith(b"#!")}
    paths = [path for path in changed if path not in programs and not _PROSE.fullmatch(path)]
    for path in paths[:_MOST_COPIED]:
        is_code, name = path.rpartition(".")[2] in CODE, path.rpartition("/")[2].encode(errors="replace")
        if not (_goes_through(said, path) or (name in said and not is_code)) or name in goal:
            continue
        around = [text for other, text in product.items() if other != path]
        if is_code:
            if not any(_is_spoken_of(path, text) for text in (said, *around)):
                found.add(path)
        elif table.role(path) == "other" and not any(
            name in text or _goes_through(text, path) for text in around
        ):
            found.add(path)
    return found


def _goes_through(text: bytes, path: str) -> bool:
    """Whether a folder around the file stands there as a whole: quoted, before a pattern, or after `find`."""
    folder = path.rpartition("/")[0]
    while folder:
        if re.search(
            rb"[\"'`](?:\.{0,2}/)*%s/?[\"'`]|(?<![\w.-])%s/\*|\bfind (?:\./)?%s(?![\w-])"
            % ((re.escape(folder.encode(errors="replace")),) * 3),
            text,
        ):
            return True
        folder = folder.rpartition("/")[0]
    return False


def _only_grew(before: bytes, after: bytes | None) -> bool:
    """Whether every line is still there, in the same order."""
    left = iter((after or b"").splitlines())
    return all(line in left for line in before.splitlines())


def _is_code(path: str, table: ExamTable) -> bool:
    return table.role(path) in ("source", "test") or path.endswith(_SHELL)


def _is_spoken_of(path: str, text: bytes) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0].encode(errors="replace")
    return stem in text and bool(re.search(rb"(?<![\w-])%s(?![\w-])" % re.escape(stem), text))


def is_formatted(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether only layout and comments differ, none of which a runner obeys."""
    if before is None or after is None or path.rpartition(".")[2].lower() not in CODE:
        return False
    if _DIRECTIVE.findall(before) != _DIRECTIVE.findall(after):
        return False
    return syntax_digest(path, before) == syntax_digest(path, after)


def _changed_inside(path: str, before: bytes | None, after: bytes | None, table: ExamTable) -> bool:
    if table.role(path) != "source":
        return False
    old = [each for each in _regions(path, before) if table.doctests or not each.is_doctest]
    return bool(changed_regions(tuple(old), _regions(path, after)))


def _regions(path: str, data: bytes | None) -> tuple[Region, ...]:
    return regions(path, data) if data is not None else ()


def _is_product_change(path: str, before: bytes | None, after: bytes | None) -> bool:
    if is_mixed(path):
        return rest_differs(path, before or b"", after or b"")
    if role_of(path) != "source":
        return False
    if before is None or after is None:
        return True
    before, after = product_text(path, before), product_text(path, after)
    return syntax_digest(path, before) != syntax_digest(path, after)


def _is_ci(path: str) -> bool:
    return path.startswith(_CI)
