"""Files that answer in place of others: programs, modules, start-up hooks, makefiles that hide makefiles.

By names and, where a name alone does not tell, by content. Nothing is imported from the project and nothing
is run. A file that stood there at the base is the project's own; only what the change brought is looked at.
"""

from collections.abc import Iterable, Iterator, Mapping

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.shims_names import (
    FOREIGN,
    NODE_RUNNERS,
    PLAIN_WORDS,
    PROGRAM_FOLDERS,
    PROGRAMS,
    RUNNERS,
    SHELL_STARTUP,
    STARTUP,
)
from donewhen.verify.integrity.shims_python import Tree, folder_file, python_shims

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_TARGETS = frozenset("test tests check checks verify ci lint validate coverage".split())
_MOST = 20_000  # files of which each is looked at


def find_shims(
    base_paths: Iterable[str],
    paths: Iterable[str],
    changed: Mapping[str, bytes | None],
    ignored: Iterable[str] = (),
    imported: Iterable[str] = (),
) -> tuple[Finding, ...]:
    """What added or changed files, and files that git ignores, would answer for.

    `imported`: modules that the base's tests import, as far as they are known; a file that takes the name of
    a standard one of these is a shim whatever it holds.
    """
    here = frozenset(paths)
    tree = Tree(frozenset(base_paths), here, changed, frozenset(imported))
    findings: list[Finding] = []
    for path in list(changed)[:_MOST]:
        findings += _changed(path, tree)
    outside = frozenset(ignored)
    for path in sorted(outside)[:_MOST]:
        findings += _ignored(path, outside, tree)
    return tuple({(each.rule, each.file): each for each in findings}.values())


def _changed(path: str, tree: Tree) -> Iterator[Finding]:
    folders, name = path.split("/")[:-1], path.rpartition("/")[2]
    data = tree.changed[path] or b""
    if FOREIGN.intersection(folders) and "site-packages" not in folders:
        return
    yield from _startup(path, name, folders, data)
    if path in tree.base:
        return
    if "node_modules" in folders:
        yield from _installed(path, folders)
        return
    yield from python_shims(path, tree)
    if name not in PLAIN_WORDS or data.startswith((b"#!", b"\x7fELF")):
        yield from _program(path, name, folders)
    yield from _compiled(path, name, tree)
    yield from _makefile(path, name, folders, data, tree)


def _startup(path: str, name: str, folders: list[str], data: bytes) -> Iterator[Finding]:
    """What interpreter, runner or shell would run before the exam."""
    text = b"\0" not in data
    hooked = (
        name in STARTUP
        or (bool(folders) and folders[-1] in STARTUP)
        or (name in SHELL_STARTUP and not folders)
        or (name.endswith((".pth", ".egg-link")) and text)
        or (name == "entry_points.txt" and b"pytest11" in data)
    )
    if hooked:
        yield found("startup-hook", path, 1, now=path)


def _installed(path: str, folders: list[str]) -> Iterator[Finding]:
    after = [*folders, path.rpartition("/")[2]][folders.index("node_modules") + 1 :]
    if after[:1] == [".bin"]:
        yield found("path-trick", path, 1, now=path)
    elif after and after[0] in NODE_RUNNERS:
        yield found("shim", path, 1, now=after[0])


def _program(path: str, name: str, folders: list[str]) -> Iterator[Finding]:
    plain = name.removesuffix(".sh").removesuffix(".cmd").removesuffix(".exe")
    exact = name in PROGRAMS or (
        plain in PROGRAMS and plain != name and folders[-1:] in (["bin"], [".bin"], ["shims"])
    )
    if exact and name not in _TARGETS and (not folders or PROGRAM_FOLDERS.intersection(folders)):
        yield found("path-trick", path, 1, now=path)


def _compiled(path: str, name: str, tree: Tree) -> Iterator[Finding]:
    """Byte code and extension modules that are taken instead of the source beside them."""
    folder = path.rpartition("/")[0]
    stem, suffix = name.partition(".")[0], name.rpartition(".")[2]
    if suffix not in ("so", "pyd", "pyc", "pyo"):
        return
    source = folder_file(folder, f"{stem}.py")
    if suffix in ("pyc", "pyo") or source in tree.paths | tree.base or stem in RUNNERS:
        yield found("shim", path, 1, now=source)


def _makefile(path: str, name: str, folders: list[str], data: bytes, tree: Tree) -> Iterator[Finding]:
    """A makefile that is taken before the one there was; a file that makes a target look done."""
    folder = "/".join(folders)
    if name in _MAKEFILES:
        later = _MAKEFILES[_MAKEFILES.index(name) + 1 :]
        hidden = next((each for each in later if folder_file(folder, each) in tree.base & tree.paths), "")
        if hidden:
            message = Phrase("weakening.hides_makefile", {"file": path, "other": folder_file(folder, hidden)})
            yield found(
                "command-weakened", path, 1, now=path, before=folder_file(folder, hidden), message=message
            )
    elif name in _TARGETS and not data.startswith(b"#!") and _has_makefile(folder, tree):
        message = Phrase("weakening.done_target", {"file": path, "name": name})
        yield found("path-trick", path, 1, now=path, message=message)


def _has_makefile(folder: str, tree: Tree) -> bool:
    return any(folder_file(folder, each) in tree.paths for each in _MAKEFILES)


def _ignored(path: str, outside: frozenset[str], tree: Tree) -> Iterator[Finding]:
    """What git does not see and the runner does; packages that an installer put there are its own matter."""
    folders, name = path.split("/")[:-1], path.rpartition("/")[2]
    if "node_modules" in folders:
        yield from _fake_package(path, folders, name, outside)
        return
    if FOREIGN.intersection(folders) or path in tree.base:
        return
    if name in STARTUP or (name in SHELL_STARTUP and not folders):
        yield found("startup-hook", path, 1, now=path)
    stem = name.removesuffix(".py")
    root = not folders or folders in (["tests"], ["test"])
    if root and (stem in RUNNERS and name.endswith(".py")):
        yield found("shim", path, 1, now=stem)
    if name == "__init__.py" and len(folders) == 1 and folders[0] in RUNNERS:
        yield found("shim", path, 1, now=folders[0])
    if name not in PLAIN_WORDS:
        yield from _program(path, name, folders)


def _fake_package(path: str, folders: list[str], name: str, outside: frozenset[str]) -> Iterator[Finding]:
    """A runner among the installed packages that no installer wrote: it has no manifest."""
    at = folders.index("node_modules")
    modules = "/".join(folders[: at + 1])
    after = [*folders, name][at + 1 :]
    package = after[0] if len(after) > 1 else ""
    if package == ".bin" and name in NODE_RUNNERS:
        providers = (name, f"{name}-cli", f"@{name}/test", f"@{name}/cli")
        if not any(f"{modules}/{each}/package.json" in outside for each in providers):
            yield found("path-trick", path, 1, now=path)
    elif package in NODE_RUNNERS and f"{modules}/{package}/package.json" not in outside and package[0] != "@":
        yield found("shim", path, 1, now=package)
