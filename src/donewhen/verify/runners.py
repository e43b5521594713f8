"""Programs that the exam finds in the project itself, and that no installer made.

A PATH leads into environments that are ignored, so nobody would see a script that is called like a test
runner and says that all tests passed. What is older than the base is the user's. What is younger must be
what installers make: a Python is a real program from outside, a script is as its distribution recorded it,
an entry of `node_modules/.bin` is what its package declares. Files are read; nothing is started.
"""

import filecmp
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import is_file
from donewhen.verify.installed import is_as_said, listed, read_small, recorded
from donewhen.workspace.setup.digest import TOOLS

_MOST = 5_000  # entries of a folder
_MOST_PLANTED = 20
_LARGEST_SCRIPT = 64 * 1024
_PACKAGES = "node_modules"
_BIN = ".bin"
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*[a-z]?")
_PROGRAMS = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xfe\xed\xfa\xcf", b"\xca\xfe\xba\xbe")  # Linux, macOS
_RUNNERS = frozenset(
    (
        *TOOLS,
        *"py.test tox nox hatch coverage npx jest vitest mocha tsc tsx ctest cmake ninja env test".split(),
    )
)
_ENTRY = re.compile(
    r"""(?:\s*|\#.*|import\ (?:re|sys)|\s*from\ [\w.]+\ import\ \w+
    |if\ __name__\ ==\ ['"]__main__['"]:
    |\s+(?:el)?if\ sys\.argv\[0\]\.endswith\(['"][-.\w]+['"]\):
    |\s+sys\.argv\[0\]\ =\ (?:re\.sub\(r'[^']*',\ '',\ sys\.argv\[0\]\)
        |sys\.argv\[0\]\.removesuffix\(['"].exe['"]\)|sys\.argv\[0\]\[:-\d+\])
    |\s*(?:sys\.exit|raise\ SystemExit)\([\w.]+\(\)\))""",
    re.VERBOSE,
)
_FROM = re.compile(r"^\s*from ([\w.]+) import (\w+)", re.MULTILINE)
_CALLED = re.compile(r"(?:exit|SystemExit)\(([\w.]+)\(\)\)")
_NAMED = re.compile(r"^[^\s=#\[]+\s*=\s*([\w.]+)\s*:\s*(\w+)", re.MULTILINE)  # of entry_points.txt
_SHIM = re.compile(
    r"""(?:\s*|\#!/bin/sh|basedir=\$\(dirname\ "\$\(echo\ "\$0"\ \|\ sed\ -e\ 's,\\\\,/,g'\)"\)
    |case\ `uname`\ in|esac|else|fi|\s+;;|\s+\*CYGWIN\*(?:\|\*MINGW\*\|\*MSYS\*)?\)
    |\s+\*CYGWIN\*(?:\|\*MINGW\*\|\*MSYS\*)?\)\ basedir=`cygpath\ -w\ "\$basedir"`;;
    |\s+if\ command\ -v\ cygpath\ >\ /dev/null\ 2>&1;\ then|\s+fi|\s+basedir=`cygpath\ -w\ "\$basedir"`
    |if\ \[\ -z\ "\$NODE_PATH"\ \];\ then|if\ \[\ -x\ "\$basedir/[\w.-]+"\ \];\ then
    |\s+export\ NODE_PATH="(?:/[^":$`\\]*/node_modules:?)*(?:\$NODE_PATH)?"
    |(?:\s*exec\ (?:"\$basedir/(?:node|bun|deno|sh|bash)"|node|bun|deno|sh|bash|)\s*
        (?:--(?:no|enable|experimental|max)-[\w=-]+\s+)*"\$basedir/(?P<to>[^"$`\\]+)"\s+"\$@"))""",
    re.VERBOSE,
)


class Ground(NamedTuple):
    root: Path
    began: int  # nanoseconds: what was written later is looked at
    used: frozenset[str]  # words of the commands
    ships: Callable[[str], bool]  # whether a path is part of the tree that is judged


def planted(ground: Ground, folders: Iterable[Path]) -> list[Path]:
    """Programs in these folders of the project that nobody installed."""
    found: list[Path] = []
    root = os.path.realpath(ground.root)
    for folder in dict.fromkeys(Path(os.path.realpath(each)) for each in folders):
        if str(folder).startswith(f"{root}/"):
            found += islice(_planted(ground._replace(root=Path(root)), folder), _MOST_PLANTED)
    return found[:_MOST_PLANTED]


def _planted(ground: Ground, folder: Path) -> Iterator[Path]:
    bin = _Bin(ground, folder)
    for name, mode, written in islice(listed(folder, moved=True), _MOST):
        path = folder / name
        real = Path(os.path.realpath(path))
        if max(written, _written(real)) <= ground.began or stat.S_ISDIR(mode):
            continue
        if os.access(real, os.X_OK) and real.is_file() and not bin.explains(path, real):
            yield path


class _Bin:
    """One folder of programs, with what its installers say."""

    def __init__(self, ground: Ground, folder: Path) -> None:
        self._ground = ground
        self._folder = folder
        self._is_venv = is_file(folder.parent / "pyvenv.cfg")
        self._said: dict[str, str] | None = None

    def explains(self, path: Path, real: Path) -> bool:
        """Whether it is what installers make, or part of the change that is judged anyway."""
        root = self._ground.root
        if self._is_made(path, real):
            return True
        return real.is_relative_to(root) and self._ground.ships(str(real.relative_to(root)))

    def _is_made(self, path: Path, real: Path) -> bool:
        root = self._ground.root
        program = _starts_with(real, _PROGRAMS)
        if self._is_venv and _PYTHON.fullmatch(path.name):
            return program and (not real.is_relative_to(root) or self._is_copy(real))
        said = self._recorded().get(str(real))
        if said:
            return is_as_said(real, said)
        if program or self._is_entry(real) or _is_declared(path, real, self._ground.began):
            return True
        if self._folder.name == _BIN and _is_shim(real):
            return True
        return path.name not in self._ground.used and path.name not in _RUNNERS

    def _recorded(self) -> dict[str, str]:
        if self._said is None:
            self._said = {}
            for site in sorted(self._folder.parent.glob("lib/python*/site-packages")):
                for name, digest in recorded(site).items():
                    self._said[os.path.normpath(site / name)] = digest
        return self._said

    def _is_copy(self, real: Path) -> bool:
        """Whether it is the very interpreter that the environment was made from."""
        text = read_small(self._folder.parent / "pyvenv.cfg").decode(errors="replace")
        said = {
            name.strip(): value.strip() for name, _, value in (x.partition("=") for x in text.split("\n"))
        }
        home = Path(os.path.realpath(said.get("home") or "/"))
        if home.is_relative_to(self._ground.root):
            return False
        named = [name for name, _, _ in islice(listed(home), _MOST) if _PYTHON.fullmatch(name)]
        return any(_is_same(real, home / name) for name in named)

    def _is_entry(self, real: Path) -> bool:
        """A script that calls what a distribution names for it, with the environment's own Python."""
        text = read_small(real, _LARGEST_SCRIPT).decode(errors="replace")
        lines = text.split("\n")
        python = Path(lines[0].removeprefix("#!"))
        own = _PYTHON.fullmatch(python.name) and _real(python.parent) == str(self._folder)
        if not own or not all(_ENTRY.fullmatch(line) for line in lines[1:]):
            return False
        brought = _FROM.findall(text)
        called = [name for _, name in brought]
        return len(called) == 1 and called == _CALLED.findall(text) and brought[0] in self._named()

    def _named(self) -> set[tuple[str, str]]:
        """Modules and functions that scripts are made for."""
        files = self._folder.parent.glob("lib/python*/site-packages/*.dist-info/entry_points.txt")
        texts = [read_small(file).decode(errors="replace") for file in islice(files, _MOST)]
        return {pair for text in texts for pair in _NAMED.findall(text)}


def _is_declared(path: Path, real: Path, began: int) -> bool:
    """Whether a package of node's says that it brings this program, and was not edited for it since."""
    parts = real.parts
    if _PACKAGES not in parts or not path.is_symlink():
        return False
    at = len(parts) - parts[::-1].index(_PACKAGES)
    length = 2 if parts[at].startswith("@") else 1
    package, inside = Path(*parts[: at + length]), "/".join(parts[at + length :])
    if path.parent.name != _BIN and not real.is_relative_to(path.parent.parent):
        return False
    try:
        said = json.loads(read_small(package / "package.json") or b"{}")
        bins = said.get("bin") or {}
        bins = {str(said.get("name", "")).rpartition("/")[2]: bins} if isinstance(bins, str) else dict(bins)
        brought = os.path.normpath(str(bins.get(path.name, "")))
        folder = os.path.normpath(str(dict(said.get("directories") or {}).get("bin") or "//"))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return False
    if os.path.normpath(inside) != brought and not inside.startswith(f"{folder}/"):
        return False
    return not _mtime(package / "package.json") <= began < _mtime(real)


def _is_shim(real: Path) -> bool:
    """The script that pnpm writes instead of a link: it does nothing but start a file of a package."""
    lines = read_small(real, _LARGEST_SCRIPT).decode(errors="replace").split("\n")
    read = [_SHIM.fullmatch(line) for line in lines if not line.startswith("# cmd-shim-target=")]
    starts = [match["to"] for match in read if match and match["to"]]
    if not starts or not all(read):
        return False
    targets = [os.path.realpath(real.parent / start) for start in starts]
    return all(f"/{_PACKAGES}/" in target and os.path.isfile(target) for target in targets)  # noqa: PTH113


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL in it
        return ""


def path_folders(path: str, first: Sequence[str] = ()) -> list[Path]:
    """The folders in which a command's programs are looked for."""
    return [Path(place) for place in (*first, *path.split(":")) if place.startswith("/")]


def _starts_with(path: Path, marks: tuple[bytes, ...]) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4).startswith(marks)
    except OSError:
        return False


def _is_same(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, os.path.realpath(other), shallow=False)
    except OSError:
        return False


def _written(path: Path) -> int:
    try:
        facts = path.lstat()
    except OSError:
        return 0
    return max(facts.st_mtime_ns, facts.st_ctime_ns)


def _mtime(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return 0
