"""One name for the environment that a command ran in: red and green are compared within one.

Cheap facts only: contents of lock files and manifests, names of what is installed, which programs the PATH
leads to, variables. No program is started, and no value of a variable can be read back from the digest.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from donewhen.config.files import is_file, read_regular
from donewhen.core.errors import DonewhenError

_LARGEST = 8 * 1024 * 1024
_LARGEST_SCRIPT = 64 * 1024
_MOST = 20_000
# files at the root that decide what is installed or with what it is built
DECIDING = tuple(
    """
    uv.lock poetry.lock pdm.lock Pipfile Pipfile.lock pyproject.toml setup.py setup.cfg requirements.txt
    requirements-dev.txt tox.ini package.json
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock
    go.mod go.sum go.work Cargo.toml Cargo.lock rust-toolchain rust-toolchain.toml Gemfile Gemfile.lock
    composer.json composer.lock pom.xml build.gradle build.gradle.kts gradle.lockfile mix.exs mix.lock
    pubspec.yaml pubspec.lock Package.swift Package.resolved global.json packages.lock.json .tool-versions
    .python-version .nvmrc .node-version .ruby-version mise.toml flake.lock environment.yml
    """.split()
)
# what an installer leaves in the folder that it filled
_MARKERS = (
    "node_modules/.package-lock.json", "node_modules/.modules.yaml", "node_modules/.yarn-integrity",
    "node_modules/.yarn-state.yml", ".pnp.cjs", "vendor/composer/installed.json", "vendor/modules.txt",
    ".bundle/config", ".dart_tool/package_config.json",
)  # fmt: skip
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
TOOLS = """
    python python3 pytest uv poetry node npm pnpm yarn bun deno go cargo rustc java javac mvn gradle ruby
    bundle php composer dotnet elixir mix dart flutter swift sbt stack zig make just cc gcc clang bash sh git
    """.split()
_VOLATILE = frozenset(
    """
    PWD OLDPWD SHLVL _ TERM COLUMNS LINES COLORTERM HOSTNAME TMPDIR TEMP TMP LOGNAME USER SHELL NO_COLOR
    FORCE_COLOR CLICOLOR CLICOLOR_FORCE PIP_CACHE_DIR UV_CACHE_DIR npm_config_cache
    """.split()
)


def environment_digest(root: Path, path: Sequence[str], env: Mapping[str, str]) -> str:
    """`path` are the absolute folders that go first in PATH; `env` is what a command sees."""
    whole = hashlib.sha256()
    for part in _parts(root, path, env):
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()[:32]


def _parts(root: Path, path: Sequence[str], env: Mapping[str, str]) -> Iterator[bytes]:
    for name in (*DECIDING, *_MARKERS):
        found = file_digest(root / name)
        if found:
            yield name.encode() + found
    own = [folder.removesuffix("/bin") for folder in path if folder.endswith("/bin")]
    for place in dict.fromkeys((*(str(root / name) for name in _ENVIRONMENTS), *own)):
        yield from (name.encode("utf-8", "surrogateescape") for name in _distributions(Path(place)))
    folders = tuple(dict.fromkeys((*path, *env.get("PATH", os.defpath).split(os.pathsep))))
    for name, facts in _programs(folders):
        yield f"{name} {facts}".encode("utf-8", "surrogateescape")
    for folder in folders:
        if folder and _is_filled(folder):
            yield from _scripts(folder)
    here = str(root)
    for name in sorted(set(env) - _VOLATILE):
        value = env[name].replace(here, ".").encode("utf-8", "surrogateescape")
        yield name.encode("utf-8", "surrogateescape") + hashlib.sha256(value).digest()


def file_digest(path: Path) -> bytes:
    """Of the content of a file; of its size and time when it is very large; empty when there is none."""
    try:
        found = read_regular(path, path.name, largest=_LARGEST)
        return hashlib.sha256(found.data).digest() if found else b""
    except DonewhenError:
        pass
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return b""
    return f"{facts.st_size} {facts.st_mtime_ns}".encode() if is_file(path) else b""


def _distributions(prefix: Path) -> list[str]:
    """What is installed in a virtual environment: names with versions."""
    found: list[str] = []
    for site in sorted(prefix.glob("lib/python*/site-packages")) if is_file(prefix / "pyvenv.cfg") else ():
        found += [site.parent.name, *(n for n in _names(site) if n.endswith(("-info", ".egg-link", ".pth")))]
    return found


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_MOST), strict=False))
    except OSError:
        return []


def _programs(folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each tool that is found first on the path: where it really is, its size and its time."""
    wanted = set(TOOLS)
    for folder in folders:
        here = wanted.intersection(_names(Path(folder))) if folder else set()
        own = here and _is_filled(folder)
        for name in sorted(here):
            program = Path(folder, name)
            try:
                real = program.resolve()
                facts = real.stat()
            except (OSError, ValueError, RuntimeError):
                continue
            wanted.discard(name)
            # a script of an environment is written anew with each copy; what is in it is told by `_scripts`
            written = own and not program.is_symlink()
            yield name, "" if written else f"{real} {facts.st_size} {facts.st_mtime_ns}"


def _is_filled(folder: str) -> bool:
    """Whether an installer fills this folder with scripts."""
    return folder.endswith("node_modules/.bin") or is_file(Path(folder, "../pyvenv.cfg"))


def _scripts(folder: str) -> Iterator[bytes]:
    """What the scripts of an environment hold, wherever it lies: one that is replaced may fake a result."""
    place = os.path.dirname(folder.rstrip("/")).encode("utf-8", "surrogateescape")  # noqa: PTH120
    for name in _names(Path(folder)):
        path = Path(folder, name)
        try:
            found = read_regular(path, name, largest=_LARGEST_SCRIPT, follow=False)
        except DonewhenError:  # a link, or a program: told by its distribution
            continue
        if found:
            text = hashlib.sha256(found.data.replace(place, b"."))
            yield name.encode("utf-8", "surrogateescape") + text.digest()
