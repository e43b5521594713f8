"""A user's repository with a dirty working tree, and a look at everything that must stay as it is."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.places import Places, places

RUN = "r-20261115043750-0a1b2c"
OTHER_USER = 65534


class Scene:
    """A machine with a home, a cache and one repository with two commits, a branch, a tag and a stash."""

    def __init__(self, base: Path, *, format: str = "sha1") -> None:
        self.base = base
        self.root = base / "project"
        self.home = base / "home"
        self.cache = base / "cache"
        self.home.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DONEWHEN_CACHE_DIR": str(self.cache),
        }
        self.git("init", "-q", "-b", "main", f"--object-format={format}", str(self.root), cwd=base)
        self.git("config", "user.name", "Somebody")
        self.git("config", "user.email", "somebody@example.org")
        self.write("app.py", "one = 1\n")
        self.write("pkg/deep/module.py", "two = 2\n")
        self.write(".gitignore", "ignored/\n")
        self.commit("first")
        self.git("branch", "feature/one")
        self.git("tag", "-a", "v1.0", "-m", "one")
        self.write("app.py", "one = 11\n")
        self.commit("second")

    def dirty(self) -> None:
        """A stash, a staged change, an unstaged one, a new file and an ignored one."""
        self.write("app.py", "stashed\n")
        self.git("stash", "-q")
        self.write("staged.py", "staged\n")
        self.git("add", "staged.py")
        self.write("app.py", "edited\n")
        self.write("new.py", "new\n")
        self.write("ignored/left.over", "x")

    def git(self, *words: str, cwd: Path | None = None) -> str:
        author = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        clean = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"} | author
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            cwd=cwd or self.root,
            env=self.env | clean,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return os.fsdecode(done.stdout).strip()

    def write(self, path: str, text: str, within: Path | None = None) -> Path:
        file = (within or self.root) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def commit(self, message: str, cwd: Path | None = None) -> str:
        self.git("add", "-A", cwd=cwd)
        self.git("commit", "-q", "-m", message, cwd=cwd)
        return self.git("rev-parse", "HEAD", cwd=cwd)

    @property
    def repository(self) -> Repository:
        return find_repository(self.root, self.env)

    @property
    def places(self) -> Places:
        return places(self.repository, self.env)

    def state(self) -> dict[str, object]:
        """Everything of the user's that the harness must not touch; its own references apart."""
        own = self.root / ".git"
        refs = [line for line in self.git("show-ref").splitlines() if "refs/donewhen/" not in line]
        return {
            "index": (own / "index").read_bytes(),
            "HEAD": (own / "HEAD").read_bytes(),
            "config": (own / "config").read_bytes(),
            "refs": refs,
            "stash": self.git("stash", "list"),
            "files": contents(self.root),
        }

    def pins(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname)", "refs/donewhen").split()


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder, git directories apart; links as what they say."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in files:
            path = Path(place, name)
            if name != ".git":
                said = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
                found[str(path.relative_to(folder))] = said
    return found


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def as_other_user(work: Callable[[], object]) -> str:
    """Do something as a user whom file modes bind (the super-user is bound by none); what came of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setuid(OTHER_USER)
            said = repr(work())
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said
