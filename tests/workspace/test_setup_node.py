"""JavaScript packages: how a fresh folder is installed, and when what is there is enough."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.texts import say
from donewhen.workspace.setup.model import Setup
from donewhen.workspace.setup.node import node_at_hand, node_missing, node_setup
from tests.tables import table_test

NPM_TEST = [("npm", "test")]
DEPENDS = {"devDependencies": {"tape": "^5"}}
NPM_INSTALL = ("npm", "install", "--no-save", "--no-audit", "--no-fund")


def write(folder: Path, data: object, **files: str) -> Path:
    (folder / "package.json").write_text(data if isinstance(data, str) else json.dumps(data))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def setup(folder: Path, *commands: tuple[str, ...]) -> Setup:
    found = node_setup(folder, commands or NPM_TEST)
    assert found is not None
    return found


@pytest.fixture
def tools(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A PATH that has node and npm, and nothing else of this language."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("node", "npm", "npx"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


@table_test(
    ("data", "files", "argv", "source"),
    [
        (DEPENDS, {}, NPM_INSTALL, "package.json"),
        (DEPENDS, {"package-lock.json": "{}"}, ("npm", "ci", "--no-audit", "--no-fund"), "package-lock.json"),
        (
            DEPENDS,
            {"npm-shrinkwrap.json": ""},
            ("npm", "ci", "--no-audit", "--no-fund"),
            "npm-shrinkwrap.json",
        ),
        (DEPENDS, {"pnpm-lock.yaml": ""}, ("pnpm", "install", "--frozen-lockfile"), "pnpm-lock.yaml"),
        (
            {**DEPENDS, "packageManager": "pnpm@9.1.0+sha512.0a"},
            {"package-lock.json": ""},
            ("pnpm", "install", "--no-lockfile"),
            "package.json",
        ),
        (
            DEPENDS,
            {"yarn.lock": "# yarn lockfile v1\n"},
            ("yarn", "install", "--frozen-lockfile", "--non-interactive"),
            "yarn.lock",
        ),
        (
            DEPENDS,
            {"yarn.lock": "# generated\n\n__metadata:\n  version: 8\n"},
            ("yarn", "install", "--immutable"),
            "yarn.lock",
        ),
        (
            {**DEPENDS, "packageManager": "yarn@4.5.0"},
            {},
            ("yarn", "install", "--no-immutable"),
            "package.json",
        ),
        (DEPENDS, {"bun.lock": ""}, ("bun", "install", "--frozen-lockfile"), "bun.lock"),
        ({"optionalDependencies": {"a": "1"}}, {}, NPM_INSTALL, "package.json"),
        ({"peerDependencies": {"a": "1"}}, {}, NPM_INSTALL, "package.json"),
    ],
)
def test_the_lock_file_and_the_manifest_say_how_to_install(tmp_path, data, files, argv, source):
    step = setup(write(tmp_path, data, **files), ("node", "--test")).steps[0]
    assert (step.argv, step.source, step.optional) == (argv, source, False)


def test_a_whole_set_up_is_told(tmp_path):
    found = setup(write(tmp_path, DEPENDS, **{"package-lock.json": "", ".npmrc": ""}))
    assert found._replace(steps=(), env={}) == Setup(
        "javascript",
        "",
        (),
        ("package.json", "package-lock.json", ".npmrc"),
        ("node_modules",),
        ("node_modules/.bin",),
    )
    assert found.steps[0].instead == (
        ("npm", "ci", "--no-audit", "--no-fund", "--legacy-peer-deps"),
        (*NPM_INSTALL, "--legacy-peer-deps"),
    )


def test_scripts_are_left_out_only_where_the_projects_own_may_be_to_blame(tmp_path):
    last = setup(write(tmp_path, {**DEPENDS, "scripts": {"prepare": "tsc"}})).steps[0].instead[-1]
    assert last == (*NPM_INSTALL, "--legacy-peer-deps", "--ignore-scripts")
    last = setup(write(tmp_path, {**DEPENDS, "scripts": {"test": "tsc"}})).steps[0].instead[-1]
    assert last == (*NPM_INSTALL, "--legacy-peer-deps")


def test_npm_stands_in_for_a_manager_that_no_command_starts(tmp_path):
    write(tmp_path, DEPENDS, **{"yarn.lock": ""})
    assert setup(tmp_path, ("npm", "test")).steps[0].instead[-1][:2] == ("npm", "install")
    assert all(way[0] == "yarn" for way in setup(tmp_path, ("yarn", "test")).steps[0].instead)


@table_test(
    ("data", "commands"),
    [
        ({}, NPM_TEST),
        ({"dependencies": {}}, NPM_TEST),
        ({"dependencies": ["a"]}, NPM_TEST),
        ({"dependencies": {"../../etc": "1"}}, NPM_TEST),
        (DEPENDS, [("pytest",)]),
        (DEPENDS, [("timeout", "60", "python3.12", "-m", "pytest")]),
        (DEPENDS, [("go", "test", "./...")]),
        (DEPENDS, []),
        ("{broken", NPM_TEST),
        ("[" * 100_000, NPM_TEST),
        ("[]", NPM_TEST),
    ],
)
def test_nothing_is_set_up_where_nothing_is_needed(tmp_path, data, commands):
    assert node_setup(write(tmp_path, data), commands) is None
    assert node_setup(tmp_path / "none", commands) is None


@table_test(
    "command",
    [
        ("env", "CI=1", "npm", "test"),
        ("timeout", "-k", "5", "60", "npx", "jest"),
        ("node_modules/.bin/tape", "test.js"),
        ("tape", "test.js"),
        ("./run-tests.sh",),
        ("make", "test"),
    ],
)
def test_commands_that_need_the_package(tmp_path, command):
    assert not setup(write(tmp_path, DEPENDS), command).steps[0].optional


def test_beside_another_language_a_command_that_may_need_it_may_go_without(tmp_path, tools):
    write(tmp_path, DEPENDS, **{"pyproject.toml": ""})
    assert setup(tmp_path, ("make", "test")).steps[0].optional
    assert not setup(tmp_path, ("npm", "test")).steps[0].optional
    hand = node_at_hand(tmp_path, [("make", "test")], tools)
    assert hand is not None and hand.path == ()
    assert node_at_hand(tmp_path, NPM_TEST, tools) is None


def monorepo(folder: Path, **files: str) -> Path:
    write(folder, {"workspaces": ["packages/*", "!packages/old", "tools/**"]}, **files)
    for name in ("packages/a", "packages/old", "tools/x/y"):
        (folder / name).mkdir(parents=True)
        write(folder / name, DEPENDS)
    (folder / "packages/empty").mkdir()
    (folder / "packages/out").symlink_to("/usr")
    return folder


def test_a_monorepo_is_installed_at_its_root(tmp_path):
    found = setup(monorepo(tmp_path))
    assert (found.folder, found.path) == ("", ("node_modules/.bin",))
    assert found.inputs == ("package.json", "packages/a/package.json", "tools/x/y/package.json")
    assert found.provides == ("node_modules", "packages/a/node_modules", "tools/x/y/node_modules")


def test_members_named_by_pnpm(tmp_path):
    monorepo(tmp_path, **{"pnpm-lock.yaml": ""})
    listed = "# all\npackages:\n  # these\n  - 'packages/a' # one\n\nonlyBuilt:\n  - tools/*\n"
    (tmp_path / "pnpm-workspace.yaml").write_text(listed)
    assert setup(tmp_path).provides == ("node_modules", "packages/a/node_modules")


def test_a_command_for_a_folder_below_installs_there(tmp_path):
    (tmp_path / "web").mkdir()
    write(tmp_path / "web", DEPENDS)
    found = setup(tmp_path, ("npm", "--prefix", "web", "test"))
    assert (found.folder, found.inputs, found.path) == (
        "web",
        ("web/package.json",),
        ("web/node_modules/.bin",),
    )
    (tmp_path / "link").symlink_to("/usr")
    for place in ("../x", "/usr", "link", "none"):
        assert node_setup(tmp_path, [("npm", "--prefix", place, "test")]) is None


@pytest.mark.parametrize("installed", [["tape"], ["tape", ".package-lock.json"]])
def test_installed_dependencies_are_at_hand(tmp_path, tools, installed):
    write(tmp_path, {**DEPENDS, "optionalDependencies": {"fsevents": "1"}})
    for name in installed:
        (tmp_path / "node_modules" / name).mkdir(parents=True)
    hand = node_at_hand(tmp_path, NPM_TEST, tools)
    assert hand is not None
    assert (hand.path, hand.source) == ((str(tmp_path / "node_modules/.bin"),), "node_modules")


def test_an_install_older_than_the_manifest_is_not_at_hand(tmp_path, tools):
    write(tmp_path, {"dependencies": {"tape": "1", "@scope/new": "1"}})
    (tmp_path / "node_modules/tape").mkdir(parents=True)
    (tmp_path / "node_modules/.package-lock.json").write_text("{}")
    assert node_at_hand(tmp_path, NPM_TEST, tools) is None
    (tmp_path / "node_modules/@scope/new").mkdir(parents=True)
    assert node_at_hand(tmp_path, NPM_TEST, tools)


def test_a_member_finds_its_dependencies_in_its_own_folder_or_at_the_root(tmp_path, tools):
    monorepo(tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "packages/a/node_modules/tape").mkdir(parents=True)
    assert node_at_hand(tmp_path, NPM_TEST, tools) is None
    (tmp_path / "node_modules/tape").mkdir()
    assert node_at_hand(tmp_path, NPM_TEST, tools)


def test_what_needs_no_install_is_at_hand(tmp_path, tools):
    hand = node_at_hand(write(tmp_path, {"name": "x"}), NPM_TEST, tools)
    assert hand is not None and (hand.path, hand.source) == ((), "package.json")
    write(tmp_path, DEPENDS, **{".pnp.cjs": ""})
    hand = node_at_hand(tmp_path, NPM_TEST, tools)
    assert hand is not None and (hand.path, hand.source) == ((), ".pnp.cjs")


def test_a_manager_that_is_not_installed_is_named(tmp_path, tools):
    write(tmp_path, DEPENDS)
    (tmp_path / "node_modules/tape").mkdir(parents=True)
    command = [("env", "CI=1", "pnpm", "test")]
    assert node_at_hand(tmp_path, command, tools) is None
    missing = node_missing(command, tools)
    assert missing is not None
    assert say(missing.key, **missing.values) == (
        "the program `pnpm` is not installed or not on the PATH, so its commands can't run;"
        " install it with `npm install -g pnpm` or `corepack enable pnpm`"
    )
    assert node_missing([("npm", "test"), ("./pnpm", "test")], tools) is None


def test_hostile_files_give_nothing_and_hang_nowhere(tmp_path, tools):
    os.mkfifo(tmp_path / "package.json")
    assert node_setup(tmp_path, NPM_TEST) is None
    (tmp_path / "package.json").unlink()
    (tmp_path / "package.json").symlink_to("/proc/self/environ")
    assert node_setup(tmp_path, NPM_TEST) is None
    (tmp_path / "package.json").unlink()
    stars = "*" * 90 + "/" + "**/" * 50
    write(tmp_path, {**DEPENDS, "workspaces": [stars, 5, "../*", "/etc/*", ""]})
    (tmp_path / "a/b/c/d/e").mkdir(parents=True)
    assert setup(tmp_path).provides == ("node_modules",)


def installed(folder: Path, argv: tuple[str, ...]) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "npm_config_cache": str(folder.parent / "cache"), "npm_config_offline": "true"}
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, timeout=100, check=False)


def package(folder: Path, **data: Any) -> None:
    folder.mkdir()
    write(folder, {"name": folder.name, "version": "1.0.0", **data})


@pytest.mark.third_party
def test_npm_fills_the_folder_and_touches_nothing_else(tmp_path):
    root = tmp_path / "root"
    package(root, devDependencies={"dep": "file:./dep"})
    package(root / "dep")
    before = (root / "package.json").read_text()
    assert installed(root, setup(root).steps[0].argv).returncode == 0
    assert sorted(path.name for path in root.iterdir()) == ["dep", "node_modules", "package.json"]
    assert (root / "package.json").read_text() == before
    assert node_at_hand(root, NPM_TEST, os.environ)


@pytest.mark.third_party
def test_peers_that_exclude_each_other_are_installed_the_second_way(tmp_path):
    root = tmp_path / "root"
    package(root, dependencies={"one": "file:./one", "two": "file:./two"})
    package(root / "one", peerDependencies={"two": "^9.0.0"})
    package(root / "two")
    step = setup(root).steps[0]
    assert installed(root, step.argv).returncode != 0
    assert installed(root, step.instead[0]).returncode == 0
    assert node_at_hand(root, NPM_TEST, os.environ)
