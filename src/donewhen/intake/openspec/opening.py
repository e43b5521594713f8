"""A change folder from disk, read within limits.

Everything in it is hostile: links to folders are not followed, a file that leads out of its folder, is no
regular file, too large or no UTF-8 is refused, and the walk stops at a depth and a number. Nothing is
written and nothing is run.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import LARGEST_FILE, read_regular
from donewhen.config.places import ConfigError, Place
from donewhen.config.yamltext import decode
from donewhen.core.errors import UserError
from donewhen.core.texts import Language, say
from donewhen.intake.openspec.deltas import has_delta_sections, read_delta
from donewhen.intake.openspec.finding import Home, find_change
from donewhen.intake.openspec.model import Change, Config, Issue, SpecFile
from donewhen.intake.openspec.proposal import read_proposal
from donewhen.intake.openspec.rules_change import validate_change
from donewhen.intake.openspec.settings import read_config, read_meta
from donewhen.intake.openspec.tasks import read_tasks

DEEPEST = 16
MOST_ENTRIES = 10_000
MOST_SPECS = 500
LARGEST_CHANGE = 16 * LARGEST_FILE


class ChangeRefused(UserError):
    """A change with errors; the sentence names the first one and counts the others."""

    def __init__(self, issues: list[Issue]) -> None:
        errors = [issue for issue in issues if issue.level == "ERROR"]
        super().__init__(errors[0].key, **{**errors[0].values, "place": errors[0].place})
        self.issues = tuple(issues)
        self.errors = tuple(errors)

    def again(self) -> "ChangeRefused":
        return ChangeRefused(list(self.issues))

    def say(self, language: Language) -> str:
        first = self.errors[0].say(language)
        more = len(self.errors) - 1
        return first + say("openspec.and_more", language, count=more) if more else first


def open_change(path: Path, *, start: Path | None = None, strict: bool = True) -> Change:
    """The change that `path` means, seen from `start` (the current folder); refused when it has errors."""
    home = find_change(path, start or Path())
    change = _read(home)
    if strict:
        issues = validate_change(change)
        if any(issue.level == "ERROR" for issue in issues):
            raise ChangeRefused(issues)
    return change


class _Reader:
    """Reads files of one home, and keeps count of how much was read."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._total = 0

    def text(self, path: Path, inside: Path) -> str | None:
        """The text of a file that lies inside a folder; None when there is none."""
        source = self._home.name(path)
        try:
            real = path.resolve(strict=True)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, RuntimeError):
            raise UserError("openspec.leaves", place=str(Place(source))) from None
        if not real.is_relative_to(inside.resolve()):
            raise UserError("openspec.leaves", place=str(Place(source)))
        try:
            found = read_regular(real, source, follow=False)
        except ConfigError as error:
            if error.key != "config.too_large":
                raise
            limit = LARGEST_FILE // 1024
            raise UserError("openspec.too_large", place=str(Place(source)), limit=limit) from None
        if found is None:
            return None
        self._total += len(found.data)
        if self._total > LARGEST_CHANGE:
            limit = LARGEST_CHANGE // 1024
            raise UserError("openspec.too_much", place=str(Place(source)), limit=limit)
        return decode(found.data, source)


class _Found(NamedTuple):
    """A name below specs/: the parts of its path, and whether it is a link to a folder."""

    parts: tuple[str, ...]
    is_linked_folder: bool


def _read(home: Home) -> Change:
    reader = _Reader(home)
    folder, root = home.folder, home.root
    specs = folder / "specs"
    walked = sorted(_walk(specs, home.name(specs)), key=lambda each: each.parts)
    found = [each for each in walked if not each.is_linked_folder]
    linked = [home.name(specs.joinpath(*each.parts)) for each in walked if each.is_linked_folder]
    mine = [each.parts for each in found if each.parts[-1] == "spec.md" and len(each.parts) > 1]
    if len(mine) > MOST_SPECS:
        raise UserError("openspec.too_many", place=str(Place(home.name(specs))), limit=MOST_SPECS)
    proposal = reader.text(folder / "proposal.md", folder)
    tasks = reader.text(folder / "tasks.md", folder)
    schemas = _schemas(root) if root else ()
    meta_file = folder / ".openspec.yaml"
    meta = reader.text(meta_file, folder)
    ids = sorted(mine, key="/".join)
    files = (_spec(reader, home, parts) for parts in ids)
    return Change(
        folder.name,
        home.name(folder),
        tuple(spec for spec in files if spec is not None),
        read_proposal(proposal) if proposal is not None else None,
        read_tasks(tasks) if tasks is not None else None,
        read_meta(meta, home.name(meta_file), schemas) if meta is not None else None,
        _config(reader, home),
        any(each.parts == ("spec.md",) for each in found),
        tuple(_unread(reader, home, found)),
        bool(walked),
        schemas,
        tuple(linked),
    )


def _spec(reader: _Reader, home: Home, parts: tuple[str, ...]) -> SpecFile | None:
    folder = home.folder / "specs"
    path = folder.joinpath(*parts)
    text = reader.text(path, folder)
    if text is None:
        return None
    capability = "/".join(parts[:-1])
    main_file = f"openspec/specs/{capability}/spec.md"
    main = None
    if home.root:
        main_path = (home.root / "specs").joinpath(*parts)
        main_file = home.name(main_path)
        main = reader.text(main_path, home.root / "specs")
    return SpecFile(capability, home.name(path), read_delta(text), main_file, main)


def _unread(reader: _Reader, home: Home, found: list[_Found]) -> Iterator[str]:
    """Markdown files that no merge reads although they hold deltas."""
    folder = home.folder / "specs"
    for parts, _ in found:
        if parts[-1] != "spec.md" and parts[-1].lower().endswith(".md"):
            path = folder.joinpath(*parts)
            text = reader.text(path, folder)
            if text is not None and has_delta_sections(text):
                yield home.name(path)


def _config(reader: _Reader, home: Home) -> Config | None:
    for name in ("config.yaml", "config.yml"):
        text = reader.text(home.root / name, home.root) if home.root else None
        if text is not None and home.root:
            return read_config(text, home.name(home.root / name))
    return None


def _schemas(root: Path) -> tuple[str, ...]:
    """The workflows that the project defines itself."""
    try:
        entries = list(os.scandir(root / "schemas"))
    except OSError:
        return ()
    named = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
    return tuple(sorted(entry.name for entry in named if Path(entry.path, "schema.yaml").is_file()))


def _walk(folder: Path, source: str) -> Iterator[_Found]:
    """Every file below the folder but dot entries; folders that are links are not entered."""
    waiting: list[tuple[str, ...]] = [()]
    seen = 0
    while waiting:
        parts = waiting.pop()
        if len(parts) > DEEPEST:
            raise UserError("openspec.too_deep", place=str(Place(source)), limit=DEEPEST)
        for entry in _entries(folder.joinpath(*parts), "/".join((source, *parts))):
            seen += 1
            if seen > MOST_ENTRIES:
                raise UserError("openspec.too_many", place=str(Place(source)), limit=MOST_ENTRIES)
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append((*parts, entry.name))
            else:
                yield _Found((*parts, entry.name), _leads_to_folder(entry))


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:  # a link to itself
        return False


def _entries(folder: Path, source: str) -> Iterator[os.DirEntry[str]]:
    try:
        if folder.is_symlink():
            raise UserError("openspec.leaves", place=str(Place(source)))
        with os.scandir(folder) as entries:
            yield from entries
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise UserError("openspec.unreadable", place=str(Place(source)), cause=cause) from None
