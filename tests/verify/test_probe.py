"""Which packages are the project's own, and whether an exam imported them from its tree."""

import os
import shutil
import subprocess
import sys

import pytest

from donewhen.project.python_packages import own_packages
from donewhen.verify.exam.probe import Elsewhere, Note, imported_elsewhere, lay_probe, read_notes
from tests.tables import table_test


def lay(folder, *files, **texts):
    for name in (*files, *texts):
        path = folder / name.replace("__DOT__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts.get(name, ""))
    return folder


@table_test(
    ("files", "names"),
    [
        (["src/pkg/__init__.py", "tests/__init__.py", "setup.py"], {"pkg"}),
        (
            ["src/one/__init__.py", "src/two/__init__.py", "src/mod.py", "src/x.egg-info/a"],
            {"one", "two", "mod"},
        ),
        (["pkg/__init__.py", "pkg/sub/__init__.py", "conftest.py", "noxfile.py"], {"pkg"}),
        (["pkg/__init__.py", "tests/__init__.py", "docs/__init__.py", "examples/__init__.py"], {"pkg"}),
        (["scripts/__init__.py", "test_things/__init__.py", "pkg_tests/__init__.py"], set()),
        (["src/google/cloud/thing/__init__.py"], {"google.cloud.thing"}),
        (["src/plain/a.py"], {"plain"}),
        (["pkg/a.py", "no-name/__init__.py", "__pycache__/__init__.py"], set()),
        (["lib/vendored/__init__.py"], set()),
        ([], set()),
    ],
)
def test_own_packages_are_what_the_project_installs(tmp_path, files, names):
    assert own_packages(lay(tmp_path, *files)) == names


@table_test(
    ("file", "text", "names"),
    [
        ("setup.py", "setup(name='six', py_modules=['six'])", {"six"}),
        ("setup.py", "setup(\n  name = 'six',\n  py_modules = [\n 'other',\n'six'])", {"other", "six"}),
        ("pyproject.toml", '[project]\nname = "six"\n', {"six"}),
        ("pyproject.toml", '[tool.setuptools]\npy-modules = ["other"]\n', {"other"}),
        ("setup.cfg", "[metadata]\nname = six\n[options]\npy_modules = other\n", {"six", "other"}),
        ("setup.py", "setup(version='1', name='six')", {"six"}),
        ("setup.py", "setup(name='nothing-here')", set()),
    ],
)
def test_single_modules_are_own_where_the_project_says_so(tmp_path, file, text, names):
    lay(tmp_path, "six.py", "other.py", "helper.py")
    (tmp_path / file).write_text(text)
    assert own_packages(tmp_path) == names


def test_another_root_counts_where_the_project_names_it(tmp_path):
    lay(tmp_path, "lib/pkg/__init__.py")
    (tmp_path / "setup.py").write_text("setup(package_dir={'': 'lib'})")
    assert own_packages(tmp_path) == {"pkg"}


def test_of_an_old_namespace_package_the_parts_are_own(tmp_path):
    lay(tmp_path, "src/zope/thing/__init__.py")
    (tmp_path / "src/zope/__init__.py").write_text("__import__('pkg_resources').declare_namespace(__name__)")
    assert own_packages(tmp_path) == {"zope.thing"}


def test_hostile_trees_are_only_looked_at(tmp_path):
    outside = lay(tmp_path / "outside", "stolen/__init__.py")
    project = tmp_path / "project"
    project.mkdir()
    (project / "src").symlink_to(outside)
    (project / "pkg").symlink_to(outside / "stolen")
    (project / "setup.py").symlink_to("/dev/zero")
    os.mkfifo(project / "pyproject.toml")
    (project / "setup.cfg").write_bytes(b"\xff" * 1000 + b"py_modules = " + b"[" * 100_000 + b"\n" * 100_000)
    assert own_packages(project) == frozenset()


def note(*places, program="/x/bin/pytest"):
    return Note(program, tuple(places))


@table_test(
    ("notes", "elsewhere"),
    [
        ([], ()),
        ([note(("pkg", "{}/src/pkg/__init__.py"))], ()),
        ([note(("pkg", "/other/pkg/__init__.py"))], (("pkg", "/other/pkg/__init__.py"),)),
        ([note(("pkg", "/other/pkg/__init__.py"), ("pkg", "{}/src/pkg"))], ()),
        ([note(("pkg", "/other/pkg/__init__.py")), note(("pkg", "{}/src/pkg/__init__.py"))], ()),
        ([note(("pkg", "{}-other/pkg/__init__.py"))], (("pkg", "{}-other/pkg/__init__.py"),)),
        (
            [note(("pkg", "{}/.venv/lib/python3.12/site-packages/pkg/__init__.py"))],
            (("pkg", "{}/.venv/lib/python3.12/site-packages/pkg/__init__.py"),),
        ),
        ([note(("pkg", "{}/.tox/py/lib/python3.12/site-packages/pkg/__init__.py"))], ()),
        ([note(("pkg", "/p/site-packages/pkg/__init__.py"), program="/p/bin/tox")], ()),
        ([note(("pkg", "/p/site-packages/pkg/__init__.py"), program="/p/pip/__main__.py")], ()),
        ([note(("foreign", "/p/site-packages/foreign.py"))], ()),
        ([note(("pkg", "/a"), ("other", "/b"))], (("other", "/b"), ("pkg", "/a"))),
    ],
)
def test_an_own_package_from_elsewhere_only_is_the_wrong_tree(tmp_path, notes, elsewhere):
    placed = [each._replace(places=tuple((n, p.format(tmp_path)) for n, p in each.places)) for each in notes]
    found = imported_elsewhere(placed, tmp_path, {"pkg", "other"})
    assert found == tuple(Elsewhere(name, path.format(tmp_path)) for name, path in elsewhere)


def pythons():
    names = ["python3.7", "python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13"]
    found = [path for path in map(shutil.which, names) if path and _works(path)]
    return [sys.executable, *found]


def _works(path):
    done = subprocess.run([path, "-c", ""], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture(params=pythons(), ids=lambda path: path.rpartition("/")[2])
def python(request):
    return request.param


def run(python, probe, code, *more, **env):
    path = ":".join((str(probe.folder), *more))
    return subprocess.run(
        [python, "-c", code], env={"PYTHONPATH": path, **env}, capture_output=True, text=True, check=False
    )


def test_each_process_notes_where_it_loaded_from(tmp_path, python):
    lay(tmp_path, "src/pkg/__init__.py", "src/space/part.py")
    probe = lay_probe(tmp_path / "s", ["pkg", "space", "absent"])
    code = "import pkg, space.part, subprocess, sys; subprocess.run([sys.executable, '-c', 'import pkg'])"
    done = run(python, probe, code, str(tmp_path / "src"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    notes = read_notes(probe)
    assert len(notes) == 2
    places = {pair for each in notes for pair in each.places}
    assert ("pkg", str(tmp_path / "src/pkg/__init__.py")) in places
    assert ("space", str(tmp_path / "src/space")) in places
    assert {name for name, _ in places} == {"pkg", "space"}


def test_the_probe_hides_nothing_and_is_not_seen(tmp_path, python):
    probe = lay_probe(tmp_path / "s", ["pkg"])
    hidden = lay(tmp_path / "hidden", "sitecustomize.py")
    (hidden / "sitecustomize.py").write_text("print('the other one')")
    assert run(python, probe, "", str(hidden)).stdout == "the other one\n"
    assert run(python, probe, "import sys; print([p for p in sys.path if 'probe' in p])").stdout == "[]\n"
    (hidden / "sitecustomize.py").write_text("raise ValueError('its own')")
    alone = subprocess.run(
        [python, "-c", ""], env={"PYTHONPATH": str(hidden)}, capture_output=True, text=True, check=False
    )
    assert run(python, probe, "", str(hidden)).stderr == alone.stderr


def test_a_probe_that_can_not_write_stays_silent(tmp_path, python):
    lay(tmp_path, "src/pkg/__init__.py")
    probe = lay_probe(tmp_path / "s", ["pkg"])
    shutil.rmtree(probe.notes)
    done = run(python, probe, "import pkg", str(tmp_path / "src"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert read_notes(probe) == ()


def test_names_that_are_no_text_are_noted_as_they_are(tmp_path):
    odd = tmp_path / os.fsdecode(b"s\xff\nrc")
    lay(odd, "pkg/__init__.py")
    probe = lay_probe(tmp_path / "s", ["pkg"])
    run(sys.executable, probe, "import pkg", str(odd))
    assert read_notes(probe)[0].places[0] == ("pkg", str(odd / "pkg/__init__.py"))


def test_planted_notes_are_read_with_care(tmp_path):
    probe = lay_probe(tmp_path / "s", ["pkg"])
    (probe.notes / "link").symlink_to("/etc/passwd")
    os.mkfifo(probe.notes / "pipe")
    (probe.notes / "folder").mkdir()
    (probe.notes / "odd").write_bytes(b"x\0pkg")
    (probe.notes / "long").write_bytes(b"\0".join([b"x", *[b"pkg", b"/y"] * 1_000_000]))
    assert {each.places[:1] for each in read_notes(probe)} == {(), (("pkg", "/y"),)}
