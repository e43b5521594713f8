"""`donewhen init` as a user types it: what is written, where, what is refused, and what is trusted."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.helpers import Cli

CONFIG = ".donewhen/config.yml"
NODE = {"package.json": '{"name": "shop", "scripts": {"test": "jest", "lint": "eslint ."}}'}


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def project(cli: Cli, files: dict[str, str]) -> Path:
    git(cli.folder, "init", "-q", "-b", "main")
    for name, text in files.items():
        (cli.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (cli.folder / name).write_text(text)
    return cli.folder / CONFIG


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_what_was_found_is_written_shown_and_in_force(cli: Cli):
    path = project(cli, NODE)
    done = cli("init")
    assert (done.exit, done.err) == (0, "")
    assert "languages: javascript" in done.out
    assert "npm test  package.json scripts.test" in done.out
    assert f"wrote {path}" in done.out
    assert done.out.endswith("next: donewhen verify\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    shown = cli("config", "show", "--changed", "--json").json
    assert (shown["trusted"], shown["ignored"]) == (True, [])
    assert shown["values"]["verification.quality.gates.tests"]["value"]["command"] == ["npm", "test"]
    assert shown["values"]["project.name"]["value"] == "shop"
    assert cli("config", "validate").exit == 0


def test_chinese(cli: Cli):
    path = project(cli, NODE)
    done = cli("init", DONEWHEN_LANGUAGE="zh")
    assert "包管理器: npm" in done.out
    assert "已写入" in done.out
    assert "必须通过的命令" in path.read_text()
    assert "已存在" in cli("init", DONEWHEN_LANGUAGE="zh").err


def test_only_that_content_is_trusted(cli: Cli):
    path = project(cli, NODE)
    cli("init")
    path.write_text(path.read_text().replace("[npm, test]", "[npm, run, evil]"))
    assert cli("config", "show", "--json").json["trusted"] is False


def test_trust_can_be_left_to_later(cli: Cli):
    project(cli, NODE)
    done = cli("init", "--no-trust")
    assert "until you run `donewhen trust`" in done.out
    assert cli("config", "show", "--json").json["trusted"] is False


def test_a_second_time_is_refused_and_changes_nothing(cli: Cli):
    path = project(cli, NODE)
    cli("init")
    before = tree(cli.folder)
    done = cli("init")
    assert (done.exit, done.out) == (2, "")
    assert f"{path} is there already" in done.err
    assert "--force" in done.err
    assert tree(cli.folder) == before


def test_force_keeps_what_was_there(cli: Cli):
    path = project(cli, NODE)
    path.parent.mkdir()
    path.write_text("nonsense: [\n")
    done = cli("init", "--force", "--json").json
    assert (done["written"], done["backup"]) == (True, f"{path}.bak")
    assert Path(done["backup"]).read_text() == "nonsense: [\n"
    path.write_text("budget: {total: 1}\n")
    assert cli("init", "--force", "--json").json["backup"] == f"{path}.bak.1"
    assert Path(f"{path}.bak").read_text() == "nonsense: [\n"
    assert cli("config", "validate").exit == 0


def test_another_tools_configuration_is_not_overruled_unasked(cli: Cli):
    path = project(cli, NODE | {".gsd/config.yml": "budget: {total: 1}\n"})
    done = cli("init")
    assert done.exit == 2
    assert "donewhen config migrate" in done.err
    assert not path.exists()
    assert cli("init", "--force").exit == 0
    assert (cli.folder / ".gsd/config.yml").read_text() == "budget: {total: 1}\n"


def test_a_dry_run_prints_the_file_and_writes_nothing(cli: Cli):
    path = project(cli, NODE)
    before = tree(cli.folder)
    done = cli("init", "--dry-run")
    assert (done.exit, done.err, tree(cli.folder)) == (0, "", before)
    assert not cli.state.exists()
    told = cli("init", "--dry-run", "--json").json
    assert (told["text"], told["written"], told["trusted"]) == (done.out, False, False)
    cli("init")
    assert path.read_text() == done.out
    assert cli("init", "--dry-run").out == done.out


def test_json_tells_the_survey(cli: Cli):
    path = project(cli, NODE | {"api/go.mod": "module api\n", "tox.ini": "[tox]\n"})
    told = cli("init", "--json").json
    assert (told["version"], told["path"], told["git"], told["trusted"]) == (1, str(path), True, True)
    found = told["survey"]
    assert found["languages"] == ["javascript", "python", "go"]
    assert [each["command"] for each in found["tests"]] == ["npm test", "tox", "cd api && go test ./..."]
    assert found["parts"][0]["folder"] == "api"
    assert found["gates"] == [{"name": "tox", "role": "tests", "source": "tox.ini", "detail": ""}]
    assert told["next"] == "donewhen verify"


def test_from_a_subfolder_the_root_is_meant(cli: Cli):
    path = project(cli, NODE | {"src/deep/x.js": ""})
    done = cli("init", cwd=cli.folder / "src" / "deep")
    assert f"wrote {path}" in done.out
    assert cli("init", cwd=cli.folder / "src").exit == 2


def test_without_a_test_command_it_is_said_and_the_file_has_an_example(cli: Cli):
    path = project(cli, {"package.json": '{"scripts": {"test": "echo no test specified && exit 1"}}'})
    done = cli("init")
    assert done.exit == 0
    assert "no test command was found" in done.err
    assert "package.json scripts.test only prints or ends" in done.out
    assert done.out.endswith("next: donewhen verify --accept CMD\n")
    assert "  #    - name: tests" in path.read_text()
    assert cli("config", "validate").exit == 0


def test_outside_git_it_works_and_warns(cli: Cli):
    (cli.folder / "package.json").write_text(NODE["package.json"])
    done = cli("init")
    assert done.exit == 0
    assert "is not in a git repository" in done.err
    assert (cli.folder / CONFIG).exists()


def test_the_target_branch_is_the_repositorys_own(cli: Cli):
    path = project(cli, NODE)
    git(cli.folder, "add", ".")
    git(cli.folder, "commit", "-qm", "one")
    git(cli.folder, "switch", "-qc", "feature")
    cli("init")
    assert "targetBranch: main  # git branch" in path.read_text()
    git(cli.folder, "update-ref", "refs/remotes/origin/develop", "HEAD")
    git(cli.folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
    cli("init", "--force")
    assert "targetBranch: develop  # origin/HEAD" in path.read_text()
    git(cli.folder, "checkout", "-q", "--detach")
    assert cli("init", "--force").exit == 0


def test_nothing_is_written_through_a_link(cli: Cli, tmp_path):
    path = project(cli, NODE)
    (tmp_path / "elsewhere").mkdir()
    path.parent.symlink_to(tmp_path / "elsewhere")
    for words in (["init"], ["init", "--force"]):
        done = cli(*words)
        assert (done.exit, done.out) == (2, "")
        assert "is a link" in done.err
    assert list((tmp_path / "elsewhere").iterdir()) == []
    path.parent.unlink()
    path.parent.mkdir()
    (tmp_path / "victim").write_text("mine")
    path.symlink_to(tmp_path / "victim")
    assert cli("init").exit == cli("init", "--force").exit == 2
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_folder_that_can_not_be_made_is_one_sentence(cli: Cli):
    path = project(cli, NODE)
    path.parent.write_text("in the way")
    done = cli("init")
    assert done.exit in (2, 5)
    assert done.err.count("\n") == 1
    assert str(path.parent) in done.err


def test_ignored_and_generated_folders_do_not_count(cli: Cli):
    project(cli, NODE | {".gitignore": "made/\n", "made/go.mod": "module x\n"})
    assert cli("init", "--json").json["survey"]["parts"] == []


def test_names_from_the_project_are_harmless_when_shown(cli: Cli):
    name = "evil\x1b[31m\u202e"
    files = {
        "package.json": json.dumps({"name": name, "scripts": {"test": "jest"}}),
        f"{name}/go.mod": "module x\n",
    }
    project(cli, files)
    for done in (cli("init", "--dry-run"), cli("init", "-v"), cli("init", "--json", "--force")):
        assert done.exit == 0
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err


@pytest.fixture
def other(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    (folder / ".donewhen").mkdir(parents=True)
    (folder / CONFIG).write_text("budget: {total: 3}  # ours\n")
    return folder


def test_another_projects_configuration_is_copied_and_not_trusted(cli: Cli, other):
    path = project(cli, NODE)
    done = cli("init", "--from", str(other))
    assert done.exit == 0
    assert path.read_bytes() == (other / CONFIG).read_bytes()
    assert "donewhen trust" in done.out
    assert cli("config", "show", "--json").json["trusted"] is False
    told = cli("init", "--from", os.path.relpath(other / CONFIG, cli.folder), "--force", "--json").json
    assert (told["copied_from"], told["survey"], told["next"]) == (
        f"{cli.folder}/../other/{CONFIG}",
        None,
        "donewhen trust",
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense: 1\n", "unknown key `nonsense`"),
        ("extends: base.yml\n", "builds on another file"),
        ("a: [\n", "config.yml"),
    ],
)
def test_a_copy_must_be_valid_on_its_own(cli: Cli, other, text, sentence):
    path = project(cli, NODE)
    (other / CONFIG).write_text(text)
    done = cli("init", "--from", str(other))
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert not path.exists()


@pytest.mark.parametrize("place", ["nowhere", ".", "package.json/x"])
def test_nothing_to_copy_is_said(cli: Cli, place):
    project(cli, NODE)
    done = cli("init", "--from", place)
    assert done.exit == 2
    assert place in done.err


def test_quiet_says_only_what_was_written(cli: Cli):
    path = project(cli, NODE)
    assert cli("init", "-q") == (0, f"wrote {path}\n", "")
