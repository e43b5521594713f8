"""Test files that no code could pass at the base, and that ask the same now: repaired, importing anew, or
told where the product lies.

A file that does not parse proves nothing, nor does one that imports what is in no tree. Mended is only what
asks as much as before, of what the base already had: a module that the change brings may be made for it.
"""

import ast
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from donewhen.core.integrity.model import Finding, Pair
from donewhen.core.integrity.repaired import Repair, repaired
from donewhen.core.integrity.roles import role_of
from donewhen.verify.integrity.mended_paths import is_asked, parts_of

_GUESSED = frozenset(("expected-changed", "test-emptied", "test-deleted"))  # beside what could not be read
_ROOTS = ("", "src/", "lib/", "python/")
_MOST = 200  # imports of a file
_LARGEST = 256 * 1024


class Tree(Protocol):
    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]: ...


class _Import(NamedTuple):
    module: str  # with dots before it where it is relative
    name: str  # "" where the module itself is imported
    bound: str


class Mended(NamedTuple):
    files: frozenset[str] = frozenset()  # that ask the same now
    unread: frozenset[str] = frozenset()  # of these, what the base had could only be guessed
    disproved: frozenset[str] = frozenset()  # of these, the text itself says that nothing was lost


def mended(pairs: Sequence[Pair], base: Tree, now: Tree, goal: str) -> Mended:
    """The changed test files that could not be passed as they were and ask the same now."""
    both = [pair for pair in pairs if pair.role == "test" and pair.base is not None and pair.now is not None]
    before, after = (tree.read([pair.path for pair in both]) for tree in (base, now))
    both = [pair for pair in both if pair.path in before and pair.path in after]
    repairs = {pair.path: _repair(pair, before[pair.path], after[pair.path]) for pair in both}
    wholly = frozenset(path for path, how in repairs.items() if how == "wholly")
    unread = wholly | {path for path, how in repairs.items() if how == "nearly" and _is_named(path, goal)}
    anew = {
        pair.path for pair in both if _imports_anew(pair, before[pair.path], after[pair.path], (base, now))
    }
    pathed = {
        pair.path
        for pair in both
        if is_asked(goal) and _finds(pair, before[pair.path], after[pair.path], (base, now))
    }
    return Mended(unread | anew | pathed, unread, wholly)


def grounded(findings: Iterable[Finding], found: Mended) -> tuple[Finding, ...]:
    """The findings without those that only a base which could not be read gave rise to."""
    return tuple(
        f
        for f in findings
        if not (f.rule == "not-compared" and f.file in found.unread)
        and not (f.rule in _GUESSED and f.file in found.disproved)
    )


def _repair(pair: Pair, before: bytes, after: bytes) -> Repair:
    if pair.base is None or pair.now is None or not pair.base.troubles or b"\0" in before:
        return "not"
    return repaired(before.decode(errors="replace"), pair.now, after.decode(errors="replace"))


def _is_named(path: str, goal: str) -> bool:
    file = re.escape(path.rpartition("/")[2])
    return re.search(rf"(?<![\w-]){file}(?![\w-])", goal) is not None


def _imports_anew(pair: Pair, before: bytes, after: bytes, trees: tuple[Tree, Tree]) -> bool:
    """Whether nothing differs but imports of what is in neither tree, now from where the base has it."""
    if pair.now is None or pair.now.language != "python":
        return False
    old, new = _parsed(before), _parsed(after)
    if old is None or new is None or old[1] != new[1]:
        return False
    gone = [each for each in old[0] if each not in new[0]]
    fresh = [each for each in new[0] if each not in old[0]]
    if not gone or sorted(each.bound for each in gone) != sorted(each.bound for each in fresh):
        return False
    missing = all(not _holders(each, pair.path, tree) for each in gone for tree in trees)
    had = [_holders(each, pair.path, trees[0]) for each in fresh]
    return missing and all(found and all(role_of(path) == "source" for path in found) for found in had)


def _finds(pair: Pair, before: bytes, after: bytes, trees: tuple[Tree, Tree]) -> bool:
    """Whether nothing differs but lines that put a folder of the base's product into the path."""
    old, new = parts_of(before), parts_of(after)
    if old is None or new is None or old.lines or not new.lines or old.rest != new.rest:
        return False
    imports = [each for each in (_parsed(before) or ([], ""))[0] if _top(each) not in sys.stdlib_module_names]
    for each in imports:
        there, later = (_holders(each, pair.path, tree) for tree in trees)
        folders = {part for path in there for part in path.split("/")[:-1]}
        if not there or sorted(there) != sorted(later) or any(role_of(path) != "source" for path in there):
            return False
        if not new.folders <= folders:
            return False
    return bool(imports)


def _top(each: _Import) -> str:
    return each.module.partition(".")[0]


def _parsed(data: bytes) -> tuple[list[_Import], str] | None:
    """The imports at the top of the file, and the rest of it."""
    if len(data) > _LARGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
            imports = [each for node in tree.body for each in _imports(node)]
            rest = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
            return imports[:_MOST], ast.dump(ast.Module(rest, []))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _imports(node: ast.stmt) -> Iterator[_Import]:
    if isinstance(node, ast.Import):
        yield from (_Import(each.name, "", each.asname or each.name) for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        yield from (_Import(module, each.name, each.asname or each.name) for each in node.names)


def _holders(each: _Import, path: str, tree: Tree) -> list[str]:
    """Files of the tree where the import may find what it names; the standard library is everywhere."""
    if each.module.partition(".")[0] in sys.stdlib_module_names:
        return [path]
    paths = tree.paths()
    if each.name and (below := _files(f"{each.module.rstrip('.') or ''}.{each.name}", each, path, paths)):
        return below
    homes = _files(each.module, each, path, paths)
    if not each.name:
        return homes
    word = re.compile(rb"\b" + re.escape(each.name.encode()) + rb"\b")
    return [home for home, data in tree.read(homes).items() if word.search(data)]


def _files(module: str, each: _Import, path: str, paths: Collection[str]) -> list[str]:
    level = len(each.module) - len(each.module.lstrip("."))
    inner = module.lstrip(".").replace(".", "/")
    folders = path.split("/")[:-1]
    if level:
        roots = ["/".join(folders[: len(folders) - level + 1])] if level <= len(folders) + 1 else []
    else:
        roots = [*_ROOTS, *("/".join(folders[:size]) for size in range(1, len(folders) + 1))]
    starts = [f"{root.rstrip('/')}/{inner}".strip("/") for root in roots]
    names = [f"{start}{ending}" for start in starts for ending in (".py", "/__init__.py", ".pyi")]
    return [name for name in dict.fromkeys(names) if name in paths]
