"""How commands of the agent are run: their walls, their environment, what they may see.

The walls are planned once for the whole run. The user's own environment (virtual environment, search paths
of interpreters, credentials) never reaches a command.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from donewhen.config import user_file
from donewhen.config.paths import state_folder
from donewhen.run.engine.model import Terms
from donewhen.run.shipping.site import Site
from donewhen.secrets.redact import Redactor
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command
from donewhen.workspace.rooms.gitdir import author_of, borrowed
from donewhen.workspace.sandbox.confinement import Confinement, Mode, confine
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import probe
from donewhen.workspace.setup.model import Prepared

_OWN = "donewhen-git"


class Walls(NamedTuple):
    plan: Plan
    env: Mapping[str, str]


class Own(NamedTuple):
    """What a program of the user's that does the work needs beyond a command: its login, its own places."""

    mode: Mode
    places: tuple[Path, ...] = ()
    passed: tuple[str, ...] = ()  # names of variables
    env: Mapping[str, str] = {}
    readable: tuple[Path, ...] = ()


def walls_of(terms: Terms, site: Site, prepared: Prepared, store: Path, own: Own | None = None) -> Walls:
    sandbox, env = terms.config.sandbox, terms.means.env
    in_place = site.workspace is None
    git = [site.repository.git_dir, site.repository.common]
    wish = confine(
        site.folder,
        site.scratch,
        env,
        mode=own.mode if own else sandbox.mode,
        network="full" if own else sandbox.network,
        temp=sandbox.temp,
        writable=own.places if own else (),
        readable=[
            *(git if site.kind == "worktree" else ()),
            *borrowed(site.user),
            *(own.readable if own else ()),
            *(Path(folder).parent for folder in prepared.path),
        ],
        hide=[state_folder(env), user_file(env).parent, store.parent],
        caches=[Path(cache).expanduser() for cache in terms.config.workspace.caches],
        # in place the git directory is the user's own: what is to become of it the harness does
        read_only=git if in_place else (),
    )
    walls = plan(_open_to(wish, own.places) if own else wish, probe())
    own_index = _own_index(site, walls) if in_place else {}
    path = ":".join([*prepared.path, command_environment(env).get("PATH", os.defpath)])
    whole = {
        **command_environment(env, (*sandbox.env, *(own.passed if own else ()))),
        **_author(terms),
        "GIT_TERMINAL_PROMPT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",  # compiled files would be part of a tree that does not ignore them
        **prepared.env,
        **walls.env,
        **own_index,
        "PATH": path,
        **(own.env if own else {}),
    }
    return Walls(walls, whole)


def _open_to(wish: Confinement, places: tuple[Path, ...]) -> Confinement:
    """Without the covers over its own login."""
    own = tuple(f"{os.path.realpath(each)}/" for each in places)
    return wish._replace(hide=tuple(each for each in wish.hide if not f"{each.path}/".startswith(own)))


def _own_index(site: Site, walls: Plan) -> dict[str, str]:
    """In place the agent stages into an index and objects of its own: the user's stay as they are."""
    private = site.scratch / "tmp" / _OWN
    private.mkdir(parents=True, exist_ok=True, mode=0o700)
    (private / "objects").mkdir(exist_ok=True)
    with suppress(OSError):
        shutil.copyfile(site.repository.git_dir / "index", private / "index")
    seen = f"{walls.env.get('TMPDIR', private.parent)}/{_OWN}"
    return {
        "GIT_INDEX_FILE": f"{seen}/index",
        "GIT_OBJECT_DIRECTORY": f"{seen}/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(site.user.objects),
    }


def command_maker(
    site: Site, walls: Walls, redactor: Redactor
) -> Callable[[str, Path, float | None], Command]:
    outputs = site.scratch / "outputs"

    def make(text: str, folder: Path, timeout: float | None) -> Command:
        return Command(
            folder,
            outputs,
            text=text,
            env=walls.env,
            timeout=timeout,
            plan=walls.plan,
            redactor=redactor,
            keep_left=True,
        )

    return make


def _author(terms: Terms) -> dict[str, str]:
    """Who commits in the workspace: the user, by the user's own settings; somebody has to."""
    said = dict(author_of(terms.user))
    name = said.get("user.name", "").strip() or "donewhen"
    mail = said.get("user.email", "").strip() or "donewhen@localhost"
    names = {f"GIT_{who}_NAME": name for who in ("AUTHOR", "COMMITTER")}
    return names | {f"GIT_{who}_EMAIL": mail for who in ("AUTHOR", "COMMITTER")}
