"""In place, files of the user's that git does not hold are missed when they are gone."""

import os
from pathlib import Path

from donewhen.config import config_from_mapping
from donewhen.run.engine.keepsakes import keepsakes, lost
from donewhen.run.shipping.site import Site, open_site
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import places
from tests.projects import repository


def site(tmp_path: Path, *, in_place: bool) -> Site:
    root = repository(tmp_path / "repo", {".gitignore": "*.db\nbuild/\n.env\n", "a.py": "x = 1\n"})
    for name in ("local.db", ".env", "build/out.o", "build/app"):
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DONEWHEN_CACHE_DIR": str(tmp_path / "cache")}
    user = find_repository(root, env)
    where = places(user, env)
    return open_site(user, "r-1-aaaaaa", where, config_from_mapping({}), in_place=in_place)


def test_data_counts_and_what_is_built_again_does_not(tmp_path: Path):
    here = site(tmp_path, in_place=True)
    kept = keepsakes(here)
    assert kept == {"local.db", ".env"}
    assert lost(here, kept) == ()
    (here.folder / "local.db").unlink()
    (here.folder / "build/app").unlink()
    assert lost(here, kept) == ("local.db",)


def test_a_workspace_of_its_own_holds_nothing_of_the_user(tmp_path: Path):
    assert keepsakes(site(tmp_path, in_place=False)) == frozenset()
