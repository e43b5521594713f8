"""Caches between set-ups and exams: what one leaves the other to read, and what nobody ever reads."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.config.sections_guard import Sandbox
from donewhen.verify.exam.walls import exam_plan
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.scratch import exam_scratch
from tests.workspace.conftest import place  # noqa: F401
from tests.workspace.places import Place, only

pytestmark = pytest.mark.walls

WALLS = ("bubblewrap", "landlock")
TOOL = """
import os, sys
from pathlib import Path
home = Path(os.environ["HOME"])
maven = os.environ.get("MAVEN_OPTS", "").partition("=")[2]
places = {
    "pip": os.environ.get("PIP_CACHE_DIR") or home / ".cache/pip",
    "go": os.environ.get("GOMODCACHE") or home / "go/pkg/mod",
    "gobuild": os.environ.get("GOCACHE") or home / ".cache/go-build",
    "cargo": Path(os.environ.get("CARGO_HOME") or home / ".cargo") / "registry",
    "maven": maven or home / ".m2/repository",
}
for name, place in places.items():
    place = Path(place)
    if sys.argv[1] == "write":
        try:
            place.mkdir(parents=True, exist_ok=True)
            (place / sys.argv[2]).write_text("")
        except OSError:
            print(name, "refused")
    else:
        print(name, *sorted(each.name for each in place.iterdir()) if place.is_dir() else ())
"""
USERS = (".cache/pip", "go/pkg/mod", ".cache/go-build", ".cargo/registry", ".m2/repository")
NEEDED = ("go", "cargo", "maven")


def fill_home(place: Place) -> None:  # noqa: F811
    for below in USERS:
        (place.home / below).mkdir(parents=True)
        (place.home / below / "users").touch()


def use(place: Place, walls: Plan, *words: str) -> dict[str, str]:  # noqa: F811
    done = place.run("", text=None, argv=(sys.executable, "-c", TOOL, *words), plan=walls)
    assert (done.exit, done.failure) == (0, None), done.output.text
    lines = [line.partition(" ") for line in done.output.text.splitlines()]
    return {name: rest for name, _, rest in lines}


def set_up(place: Place, name: str) -> Plan:  # noqa: F811
    return place.walls(name, "full", readable=[Path(sys.prefix)])


def exam(place: Place, name: str, own: Path, **more: object) -> Plan:  # noqa: F811
    bin = str(Path(sys.executable).parent)
    walls = exam_plan(place.workspace, place.env, Sandbox(), own, support=only(name), path=[bin], **more)  # type: ignore[arg-type] # of a test
    if walls.mechanism != name:
        pytest.skip(f"{name} does not work on this machine")
    return walls


@pytest.mark.parametrize("users", [True, False], ids=["caches at home", "none at home"])
@pytest.mark.parametrize("name", WALLS)
def test_an_exam_reads_what_its_set_up_fetched_and_leaves_nothing(place: Place, name: str, users: bool):  # noqa: F811
    if users:
        fill_home(place)
    scratch = place.base / "scratch"
    assert "refused" not in use(place, set_up(place, name), "write", "fetched").values()
    for _ in range(2):
        with exam_scratch(scratch) as own:
            walls = exam(place, name, own, lender=scratch)
            seen = use(place, walls, "read")
            refused = use(place, walls, "write", "evil")
        assert all("fetched" in seen[tool].split() for tool in NEEDED), seen
        assert not any("evil" in names for names in seen.values())
        assert not {"pip", "gobuild"} & set(refused)
    again = use(place, set_up(place, name), "read")
    assert all("fetched" in names.split() and "evil" not in names for names in again.values()), again
    assert not list(place.base.rglob("evil"))


@pytest.mark.parametrize("name", WALLS)
def test_in_place_an_exam_reads_the_users_caches(place: Place, name: str):  # noqa: F811
    fill_home(place)
    use(place, set_up(place, name), "write", "fetched")
    with exam_scratch(place.base / "scratch") as own:
        walls = exam(place, name, own)
        use(place, walls, "write", "evil")
        seen = use(place, walls, "read")
    assert all("users" in seen[tool].split() and "fetched" not in seen[tool] for tool in NEEDED), seen
    assert "evil" in seen["pip"] and "evil" in seen["gobuild"]
    assert not list(place.base.rglob("evil"))


@pytest.mark.parametrize("name", WALLS)
def test_temporary_files_of_an_exam_are_its_own(place: Place, name: str):  # noqa: F811
    scratch = place.base / "scratch"
    for _ in range(2):
        with exam_scratch(scratch) as own:
            done = place.run('ls -A "$TMPDIR"; touch "$TMPDIR/evil"', plan=exam(place, name, own))
            assert (done.exit, "evil" in done.output.text) == (0, False)
    done = place.run('ls -A "$TMPDIR"', plan=set_up(place, name))
    assert "evil" not in done.output.text
    assert not list(scratch.rglob("evil"))


@pytest.mark.parametrize("name", WALLS)
def test_an_exam_can_not_reach_the_layers_of_set_ups_by_their_own_name(place: Place, name: str):  # noqa: F811
    fill_home(place)
    use(place, set_up(place, name), "write", "fetched")
    scratch = place.base / "scratch"
    before = sorted(scratch.rglob("*"))
    with exam_scratch(scratch) as own:
        text = (
            f"for d in $(find {scratch}/caches {scratch}/tmp -type d); do echo x >$d/evil; rm -rf $d/*; done"
        )
        place.run(text, plan=exam(place, name, own, lender=scratch))
    assert sorted(path for path in scratch.rglob("*") if path.name != "exams") == [
        path for path in before if path.name != "exams"
    ]


@pytest.mark.parametrize("name", WALLS)
def test_gradle_gets_a_home_that_it_can_lock(place: Place, name: str):  # noqa: F811
    home = place.home / ".gradle"
    distribution = home / "wrapper/dists/gradle-8.5-bin/abc"
    for folder in (distribution / "gradle-8.5/bin", home / "caches/modules-2", home / "init.d"):
        folder.mkdir(parents=True)
    (distribution / "gradle-8.5-bin.zip.ok").touch()
    (distribution / "gradle-8.5-bin.zip.lck").touch()
    (distribution / "gradle-8.5/bin/gradle").write_text("the program")
    (home / "init.d/a.gradle").write_text("// for all")
    (home / "gradle.properties").write_text("password=x")
    text = """set -e; cd "$GRADLE_USER_HOME"; mkdir caches daemon; d=wrapper/dists/gradle-8.5-bin/abc
    echo locked >$d/gradle-8.5-bin.zip.lck; test -f $d/gradle-8.5-bin.zip.ok; cat $d/gradle-8.5/bin/gradle
    echo; cat init.d/a.gradle; echo; ls "$GRADLE_RO_DEP_CACHE"; ! echo evil >init.d/b; test ! -e gradle.properties"""
    with exam_scratch(place.base / "scratch") as own:
        done = place.run(text, plan=exam(place, name, own))
    assert done.exit == 0, done.output.text
    assert done.output.text.splitlines()[:3] == ["the program", "// for all", "modules-2"]
    assert [path.name for path in (home / "init.d").iterdir()] == ["a.gradle"]


@pytest.mark.parametrize("name", WALLS)
def test_go_reads_the_builds_of_the_user_and_adds_its_own(place: Place, name: str):  # noqa: F811
    built = place.home / ".cache/go-build"
    (built / "ab").mkdir(parents=True)
    (built / "ab/abc-d").write_text("compiled\n")
    text = 'set -e; cat "$GOCACHE/ab/abc-d"; echo more >"$GOCACHE/ab/new-d"; ! echo evil >"$GOCACHE/ab/abc-d"'
    (place.workspace / "go.mod").write_text("module x\n")
    with exam_scratch(place.base / "scratch") as own:
        done = place.run(text, plan=exam(place, name, own))
    assert (done.exit, done.output.text.splitlines()[0]) == (0, "compiled"), done.output.text
    assert {path.name: path.read_text() for path in (built / "ab").iterdir()} == {"abc-d": "compiled\n"}


def test_a_scratch_goes_with_its_command_and_a_killed_ones_with_the_next(tmp_path):
    with exam_scratch(tmp_path) as first:
        (first / "deep").mkdir()
        (first / "deep/file").touch()
        (first / "deep").chmod(0o500)
        with exam_scratch(tmp_path) as second:  # another exam at the same time
            assert first.is_dir() and second.is_dir() and first != second
        assert first.is_dir() and not second.exists()
        code = "import os, sys; from pathlib import Path; from donewhen.workspace.sandbox.scratch import exam_scratch\n"
        code += "with exam_scratch(Path(sys.argv[1])) as own: (own / 'left').touch(); os._exit(9)"
        killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], timeout=60, check=False)
        assert killed.returncode == 9 and list(tmp_path.rglob("left"))
        with exam_scratch(tmp_path):
            assert not list(tmp_path.rglob("left")) and (first / "deep/file").exists()
    assert not list((tmp_path / "exams").iterdir())


@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is not installed")
@pytest.mark.parametrize("name", WALLS)
def test_cargo_builds_offline_with_what_its_set_up_fetched(place: Place, name: str):  # noqa: F811
    crate = place.base / "crate"
    for folder, manifest in (
        (crate, ""),
        (place.workspace, f'[dependencies]\ndep = {{git = "file://{crate}"}}'),
    ):
        (folder / "src").mkdir(parents=True)
        title = "dep" if folder == crate else "app"
        (folder / "Cargo.toml").write_text(
            f'[package]\nname = "{title}"\nversion = "0.1.0"\nedition = "2021"\n{manifest}'
        )
    (crate / "src/lib.rs").write_text("pub fn two() -> i32 { 2 }\n")
    (place.workspace / "src/lib.rs").write_text("#[test] fn two() { assert_eq!(dep::two(), 2) }\n")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(crate), *words], check=True)
    rust = os.environ.get("RUSTUP_HOME") or f"{Path.home()}/.rustup"
    place.env["RUSTUP_HOME"] = rust
    if place.run("cargo --version").exit != 0:
        pytest.skip("cargo does not run here")
    scratch = place.base / "scratch"
    fetched = place.run("cargo fetch", plan=plan(place.wish("full"), only(name)))
    assert fetched.exit == 0, fetched.output.text
    shutil.rmtree(crate)
    with exam_scratch(scratch) as own:
        env = {**place.env, "CARGO_NET_OFFLINE": "true"}
        done = place.run("cargo test --lib", env=env, plan=exam(place, name, own, lender=scratch))
    assert "1 passed" in done.output.text, done.output.text
