"""The repository itself: what it ships, pins and says."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def names(lines: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in lines}


def pinned(file: str) -> set[str]:
    text = (ROOT / "requirements" / file).read_text()
    assert "://" not in text, "a download address"
    entries = re.findall(r"^(\S+)==\S+.*((?:\\\n +--hash=sha256:[0-9a-f]{64} ?)+)", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^\S+==", text, re.MULTILINE)), "a pin without hashes"
    return {name for name, _ in entries}


def test_every_direct_dependency_is_pinned_with_hashes():
    base, dev = pinned("base.txt"), pinned("dev.txt")
    assert names(PROJECT["project"]["dependencies"]) <= base <= dev
    assert names(PROJECT["dependency-groups"]["dev"]) <= dev


def test_all_extras_are_in_all():
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(everything.removeprefix("donewhen[").rstrip("]").split(",")) == set(extras) - {"all"}


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
        text = archive.read(next(f for f in files if f.endswith("entry_points.txt"))).decode()
    tops = {name.split("/")[0] for name in files}
    assert tops == {"donewhen", wheel.name.rsplit("-", 3)[0] + ".dist-info"}
    assert "donewhen/py.typed" in files
    assert "donewhen = donewhen.__main__:main" in text
    assert any(name.endswith("licenses/LICENSE") for name in files)


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    out = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in out.split("\0") if name and (ROOT / name).is_file()]


def test_links_between_documents_lead_somewhere():
    for page in [path for path in tracked() if path.suffix == ".md"]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_readme_starts_with_the_commands_that_set_up_everything():
    first = (ROOT / "README.md").read_text().split("```")[1]
    assert re.findall(r"^\$ (make \w+|donewhen \w+)", first, re.MULTILINE) == [
        "make demo",
        "make test",
        "make install",
    ]


def test_the_readmes_python_example_runs(tmp_path):
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code[1]], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("1 run_started\n2 command_ended\n", "")


def test_the_readme_names_every_command():
    from donewhen.ui.cli import COMMANDS

    text = (ROOT / "README.md").read_text()
    for name in COMMANDS:
        assert re.search(rf"`(donewhen )?{name}\b", text), name


def test_the_readmes_configuration_is_valid():
    import yaml

    from donewhen.config import config_from_mapping

    (block,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert config_from_mapping(yaml.safe_load(block)).budget.total == 2.5


def test_every_module_of_the_map_is_there():
    page = (ROOT / "docs" / "map.md").read_text()
    paths = re.findall(r"`((?:core|verify|integrations|run|workspace)/[\w/.]+)`", page)
    assert len(paths) > 30
    assert [path for path in paths if not (ROOT / "src" / "donewhen" / path).exists()] == []


def test_plugins_of_clients_are_those_of_the_table_of_events():
    from scripts.plugins import files

    known = {name: (ROOT / name).read_text() if (ROOT / name).exists() else "" for name in files()}
    assert known == files(), "run scripts/plugins.py"
