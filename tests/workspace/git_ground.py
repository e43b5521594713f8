"""A repository of somebody's for tests: real git, a home of its own, and a look at every byte that it holds."""

import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository, find_repository

IGNORED = "*.log\nbuild/\n"


class Ground:
    """`base` holds the user's home, the working tree and the folder of the harness."""

    def __init__(self, base: Path, *, format: str = "sha1", commit: bool = True) -> None:
        self.base = base
        self.root = base / "work"
        self.user = base / "user"
        self.home = base / "harness" / "home"
        self.marker = base / "marker"
        self.root.mkdir(parents=True)
        self.user.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.user)}
        self.git("init", "-q", "-b", "main", f"--object-format={format}")
        self.git("config", "gc.auto", "0")
        if commit:
            self.write("src/app.py", "answer = 41\n")
            self.write("README.md", "read me\n")
            self.write(".gitignore", IGNORED)
            self.commit()

    def git(self, *words: str, cwd: Path | None = None, ok: bool = True, **env: str) -> str:
        author = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
        allowed = ["-c", "protocol.file.allow=always"]
        done = subprocess.run(
            ["git", *author, *allowed, *words],
            cwd=cwd or self.root,
            env={**self.env, "GIT_CONFIG_NOSYSTEM": "1", **env},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0 or not ok, done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="surrogateescape").strip()

    def commit(self, message: str = "more", cwd: Path | None = None) -> str:
        self.git("add", "-A", cwd=cwd)
        self.git("commit", "-q", "--allow-empty", "-m", message, cwd=cwd)
        return self.git("rev-parse", "HEAD", cwd=cwd)

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def program(self, name: str = "planted", then: str = "cat") -> Path:
        """A program that leaves the marker when somebody runs it."""
        file = self.base / name
        file.write_text(f"#!/bin/sh\necho ran >> '{self.marker}'\nexec {then}\n")
        file.chmod(0o755)
        return file

    def find(self) -> Repository:
        return find_repository(self.root, self.env)

    def fingerprints(self, home: Path | None = None, **options: Any) -> Fingerprints:
        return Fingerprints(self.find(), home or self.home, **options)

    def fresh(self) -> str:
        """The tree that a harness sees which was never here before."""
        return self.fingerprints(self.base / "harness" / f"fresh-{os.urandom(4).hex()}").take().tree

    def head(self) -> str:
        return self.git("rev-parse", "HEAD^{tree}")


class Entry(NamedTuple):
    mode: int
    size: int
    changed: int  # nanoseconds
    content: bytes


def everything(folder: Path) -> dict[str, Entry]:
    """Every file and folder with its content and times: what may not change."""
    found = {}
    for place in (folder, *sorted(folder.rglob("*"))):
        facts = place.lstat()
        content = b""
        if place.is_symlink():
            content = os.fsencode(place.readlink())
        elif place.is_file():
            content = place.read_bytes()
        found[str(place)] = Entry(facts.st_mode, facts.st_size, facts.st_mtime_ns, content)
    return found


def files_in(folder: Path) -> list[str]:
    """The files below a folder, git directories apart."""
    return sorted(
        str(place.relative_to(folder))
        for place in folder.rglob("*")
        if (place.is_symlink() or not place.is_dir()) and ".git" not in place.relative_to(folder).parts
    )
