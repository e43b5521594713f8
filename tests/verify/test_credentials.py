"""The gate `secrets` round a real repository: credential files of the folder, of the user's checkout, of the base."""

import asyncio
import base64
import json
import os
from pathlib import Path

import pytest

from donewhen.intake.request import Request
from donewhen.verify.change import Means, Wanted, look_round
from donewhen.verify.pipeline import verify_change
from donewhen.verify.quality.kept import Kept
from donewhen.verify.quality.required import Wishes
from tests.projects import everything
from tests.verify.exam_support import Desk, git, write

VALUE = "not-a-real-key-141421356"
ENV = f"API_KEY={VALUE}\nAPP_URL=https://pay.example.org\n"
PROJECT = {".gitignore": ".env\n", "README.md": "# client\n", "client.py": "x = 1\n"}


def gate(desk: Desk, *, base: str = "HEAD", beside: tuple[str, ...] = ()):
    wanted = Wanted(Request(accept=("true",)), base=base, beside=beside)
    means = Means(desk.root, desk.env)
    return Wishes(look_round(wanted, means), means).secrets(Kept(desk.state / "quality"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path, PROJECT)
    write(made.root, {".env": ENV})
    return made


def test_ordinary_work_beside_an_env_file_passes(desk):
    write(desk.root, {"README.md": "# client\nsee https://pay.example.org and API_KEY\n"})
    assert gate(desk).verdict == "passed"


def test_an_encoded_value_of_the_ignored_file_is_found(desk):
    write(desk.root, {"README.md": f"# client\ndebug: {base64.b64encode(ENV.encode()).decode()}\n"})
    found = gate(desk)
    assert found.verdict == "failed"
    assert [(each.file, each.line, each.rule) for each in found.violations] == [
        ("README.md", 2, "credential-value")
    ]
    assert ".env" in found.violations[0].message


def test_a_file_that_was_added_by_force_is_found(desk):
    git(desk.root, "add", "-f", ".env")
    git(desk.root, "commit", "-q", "-m", "configuration")
    found = gate(desk, base="HEAD~1")
    assert [(each.file, each.rule) for each in found.violations] == [(".env", "env-file")]


def test_the_users_checkout_counts_where_the_workspace_is_a_clone(desk, tmp_path):
    git(tmp_path, "clone", "-q", str(desk.root), str(tmp_path / "clone"))
    user, desk.root = desk.root, tmp_path / "clone"
    write(desk.root, {"client.py": f"x = {VALUE!r}\n"})
    assert gate(desk).verdict == "passed"
    assert gate(desk, beside=(str(user),)).verdict == "failed"
    assert gate(desk, beside=(str(user / "gone"),)).verdict == "passed"


def test_a_value_that_the_base_publishes_is_no_secret(tmp_path):
    made = Desk(tmp_path, {**PROJECT, "compose.yml": f"key: {VALUE}\n"})
    write(made.root, {".env": ENV, "README.md": f"# client\nuse {VALUE}\n"})
    assert gate(made).verdict == "passed"


def test_a_credential_file_that_the_base_tracks_keeps_its_values_to_itself(tmp_path):
    made = Desk(tmp_path, {**PROJECT, ".gitignore": "", "prod.env": ENV})
    write(made.root, {"README.md": f"# client\nuse {VALUE}\n"})
    assert gate(made).verdict == "failed"
    write(made.root, {"README.md": "# client\n", "prod.env": ENV + "PORT=1\n"})
    assert gate(made).verdict == "passed"


def test_a_credential_file_that_is_only_moved_is_as_it_was(tmp_path):
    made = Desk(tmp_path, {**PROJECT, ".gitignore": "", "prod.env": ENV})
    (made.root / "config").mkdir()
    git(made.root, "mv", "prod.env", "config/prod.env")
    assert gate(made).verdict == "passed"


def test_a_changed_env_file_is_looked_at_anew(desk):
    write(desk.root, {"README.md": "# client\nopen-sesame-1984\n"})
    assert gate(desk).verdict == "passed"
    write(desk.root, {".env": ENV + "DB_PASSWORD=open-sesame-1984\n"})
    assert gate(desk).verdict == "failed"


def test_names_that_are_no_words_are_looked_at_as_well(desk):
    odd = "-a b\n\udcff/.env"
    (desk.root / "-a b\n\udcff").mkdir()
    (desk.root / odd).write_text("TOKEN=abc-def-123456\n")
    git(desk.root, "add", "-f", "-A")
    found = gate(desk)
    assert sorted(each.file for each in found.violations) == sorted([".env", odd])


def test_no_value_is_told_or_kept_anywhere(desk):
    write(desk.root, {"client.py": f"x = {VALUE!r}\n"})
    wanted = Wanted(Request(accept=("true",)), base="HEAD")
    done = asyncio.run(verify_change(wanted, Means(desk.root, desk.env)))
    assert not done.judgement.accepted
    assert VALUE not in json.dumps([each._asdict() for each in done.feedback], default=str)
    assert VALUE not in repr(done.gates)
    kept = [path for path in desk.state.rglob("*") if path.is_file() and VALUE.encode() in path.read_bytes()]
    assert kept == []
    assert everything(desk.root)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "closed", "huge"])
def test_what_only_has_the_name_of_a_credential_file_stops_nobody(desk, kind):
    env = desk.root / ".env"
    env.unlink()
    if kind == "folder":
        env.mkdir()
        (env / "pyvenv.cfg").write_text("home = /usr/bin\n")
    elif kind == "pipe":
        os.mkfifo(env)
    elif kind == "link":
        env.symlink_to("/dev/zero")
    else:
        env.write_text("A" * (400_000 if kind == "huge" else 9))
        env.chmod(0o000 if kind == "closed" else 0o600)
    write(desk.root, {"client.py": "x = 2\n"})
    assert gate(desk).verdict == "passed"
