"""The places where a Python project says what its tests need: groups, tox, hatch, nox, Pipfile, files.

Test groups and files are chosen before those for developing as a whole, because those bring what no test
needs (and what may not install).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.paths import relative
from donewhen.project.folder import Folder, read_ini
from donewhen.workspace.setup.python_requirements import group, name_of, normal, poetry, requirements

_FOR_TESTS = frozenset(
    "test tests testing unittest unittests unit-tests pytest test-requires tests-require".split()
)
_FOR_DEVELOPING = frozenset("dev devel develop development dev-test dev-dependencies ci".split())
_REQUIREMENT_FILE = lazy(
    r"(?:requirements?[-_.]?)?(tests?|testing|pytest|unit|dev|devel|develop|development|ci)"
    r"(?:[-_.]?requirements?)?\.(?:txt|in)"
)
_OWN_EXTRAS = lazy(r"(?:-e[ \t]*)?\.\[([\w,. -]{1,200})\]")
_INCLUDED = lazy(r"^[ \t]{0,20}(-[rc]|--requirement|--constraint)[ \t=]{0,20}([^\s#]{1,200})", re.MULTILINE)
_MOST_FILES = 40
_TOX_FACTOR = lazy(r"^[\w{},!.-]{1,60}:\s+")


class Piece(NamedTuple):
    """Requirements that belong together, as words for pip, and where they are declared."""

    words: tuple[str, ...]
    source: str
    file: str = ""  # the requirement file, when it is one


class Tox(NamedTuple):
    pieces: list[Piece]
    extras: list[str]


def table(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    value: Any = data
    for name in names:
        value = value.get(name, {}) if isinstance(value, Mapping) else {}
    return dict(value) if isinstance(value, Mapping) else {}


def chosen_names(names: Iterable[str]) -> list[str]:
    """The names that are for tests; else those for developing."""
    listed = list(names)
    tests = [name for name in listed if normal(name) in _FOR_TESTS]
    return tests or [name for name in listed if normal(name) in _FOR_DEVELOPING]


def in_groups(pyproject: Mapping[str, Any], tool: Mapping[str, Any]) -> list[Piece]:
    groups = table(pyproject, "dependency-groups")
    pieces = [
        Piece(tuple(group(groups, name)), f"pyproject.toml [dependency-groups] {name}")
        for name in chosen_names(groups)
    ]
    own = table(tool, "poetry", "group")
    for name in chosen_names(own):
        words = poetry(table(own, name, "dependencies"))
        pieces.append(Piece(tuple(words), f"pyproject.toml [tool.poetry.group.{name}]"))
    pieces += [
        Piece(tuple(poetry(table(tool, "poetry", "dev-dependencies"))), "pyproject.toml [tool.poetry]")
    ]
    pdm = table(tool, "pdm", "dev-dependencies")
    for name in chosen_names(pdm):
        pieces += in_list(f"pyproject.toml [tool.pdm.dev-dependencies] {name}", pdm[name])
    pieces += in_list("pyproject.toml [tool.uv]", table(tool, "uv").get("dev-dependencies"))
    return pieces


def in_list(source: str, values: object) -> list[Piece]:
    words = requirements(values)
    return [Piece(tuple(words), source)] if words else []


def in_tox(files: Folder, tool: Mapping[str, Any]) -> Tox:
    env = files.ini("tox.ini").get("testenv", {}) or files.ini("setup.cfg").get("tox:testenv", {})
    source = "tox.ini [testenv]"
    legacy = table(tool, "tox").get("legacy_tox_ini")
    if not env and isinstance(legacy, str):
        env, source = read_ini(legacy).get("testenv", {}), "pyproject.toml [tool.tox]"
    native = table(tool, "tox", "env_run_base") or table(files.toml("tox.toml"), "env_run_base")
    lines = [*env.get("deps", "").splitlines(), *_texts(native.get("deps"))]
    pieces: list[Piece] = []
    for line in lines:
        pieces += _tox_line(_TOX_FACTOR.sub("", line.strip()), source, files)
    return Tox(pieces, [*env.get("extras", "").replace(",", " ").split(), *_texts(native.get("extras"))])


def _texts(values: object) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _tox_line(line: str, source: str, files: Folder) -> list[Piece]:
    for spelled in ("{toxinidir}/", "{tox_root}/", "./"):
        line = line.replace(spelled, "")
    if line.startswith(("-r", "--requirement")):
        name = line.removeprefix("--requirement").removeprefix("-r").strip(" =")
        return [Piece(("-r", name), name, name)] if _is_file(files, name) else []
    return [] if "{" in line else in_list(source, [line])


def _is_file(files: Folder, name: str) -> bool:
    return bool(name) and not name.startswith(("-", "/")) and bool(files.text(name).strip())


def in_hatch(tool: Mapping[str, Any], files: Folder) -> list[Piece]:
    envs = table(tool, "hatch", "envs") or table(files.toml("hatch.toml"), "envs")
    pieces: list[Piece] = []
    for name, env in envs.items():
        if name in ("default", "hatch-test") or normal(str(name)) in _FOR_TESTS:
            for key in ("dependencies", "extra-dependencies"):
                pieces += in_list(f"hatch envs.{name}", table({"env": env}, "env").get(key))
    return pieces


def extras_in_nox(files: Folder) -> list[str]:
    """The extras of the project that a session installs together with one for tests: `.[cli,test]`."""
    found: list[str] = []
    for words in files.strings("noxfile.py", "install") if "noxfile.py" in files.names else []:
        for match in filter(None, map(_OWN_EXTRAS.fullmatch, words)):
            names = [name.strip() for name in match[1].split(",")]
            found += names if any(normal(name) in _FOR_TESTS for name in names) else []
    return found


def in_nox(files: Folder) -> list[Piece]:
    """What a session of a noxfile installs together with pytest."""
    pieces: list[Piece] = []
    for words in files.strings("noxfile.py", "install") if "noxfile.py" in files.names else []:
        plain = requirements(words)
        if any(name_of(word).startswith("pytest") for word in plain):
            pieces.append(Piece(tuple(plain), "noxfile.py"))
    return pieces


def in_pipfile(files: Folder) -> list[Piece]:
    data = files.toml("Pipfile") if "Pipfile" in files.names else {}
    words = [*poetry(table(data, "packages")), *poetry(table(data, "dev-packages"))]
    return [Piece(tuple(words), "Pipfile")] if words else []


def in_files(files: Folder) -> list[Piece]:
    """Requirement files for tests; else those for developing."""
    places = {name: name for name in sorted(files.names)}
    for folder in ("requirements", "reqs", "requires", "dev", "ci"):
        if folder in files.folders:
            places |= {f"{folder}/{name}": name for name in sorted(Folder(files.folder / folder).names)}
    matches = {path: _REQUIREMENT_FILE.fullmatch(name.lower()) for path, name in places.items()}
    tests = [p for p, m in matches.items() if m and normal(m[1]) in _FOR_TESTS | {"unit"}]
    tests += [f"{folder}/requirements.txt" for folder in ("tests", "test") if folder in files.folders]
    develop = [p for p, m in matches.items() if m and normal(m[1]) in _FOR_DEVELOPING]
    found = [p for p in tests if _is_requirement_list(files, p)]
    found = found or [p for p in develop if _is_requirement_list(files, p)]
    found = [p for p in found if not (p.endswith(".in") and p[:-3] + ".txt" in found)]
    return [Piece(("-r", path), path, path) for path in found[:4]]


def _is_requirement_list(files: Folder, path: str) -> bool:
    return _is_file(files, path) and bool(
        requirements(files.text(path))
        or re.search(r"^[ \t]{0,20}-[re]", files.text(path)[:20_000], re.MULTILINE)
    )


def listed_files(files: Folder, names: Iterable[str], *, constraints: bool = True) -> list[str]:
    """Requirement files with those that they include (`-r`, and `-c` with `constraints`), by path."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting and len(found) < _MOST_FILES:
        name = waiting.pop(0)
        if name in found or not files.text(name):
            continue
        found[name] = None
        beside = name.rpartition("/")[0]
        for match in _INCLUDED.finditer(files.text(name)[:200_000]):
            inside = relative(f"{beside}/{match[2]}" if beside else match[2])
            waiting += [inside] if inside and (constraints or match[1] in ("-r", "--requirement")) else []
    return list(found)


def pool_of(pieces: Iterable[Piece], files: Folder) -> dict[str, str]:
    found: dict[str, str] = {}
    texts = [word for piece in pieces for word in piece.words if not piece.file]
    names = [name for name in sorted(files.names) if "require" in name.lower() and name.endswith(".txt")]
    for requirement in [*texts, *(line for name in names for line in requirements(files.text(name)))]:
        if name_of(requirement):
            found.setdefault(name_of(requirement), requirement)
    return found


def without_doubles(pieces: Iterable[Piece]) -> list[Piece]:
    return list({piece.words: piece for piece in pieces if piece.words}.values())
