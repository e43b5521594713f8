"""Languages beside Python and JavaScript: what a fresh folder fetches, and when it need not."""

import os
import subprocess
from pathlib import Path

import pytest

from donewhen.core.texts import say
from donewhen.workspace.setup.model import Setup
from donewhen.workspace.setup.others import other_setups, others_at_hand, others_missing
from tests.tables import table_test

GO_MOD = """module example.org/x

go 1.22

require example.org/One v1.2.3

require (
\texample.org/two v0.1.0
\texample.org/far v0.1.0 // indirect
\texample.org/here v0.0.0
)

replace example.org/here => ./here
"""
CARGO = '[package]\nname = "x"\n[dev-dependencies]\nlibc = "0.2"\n'
CARGO_LOCK = """[[package]]
name = "libc"
version = "0.2.1"
source = "registry+https://example.org/index"

[[package]]
name = "x"
version = "0.1.0"
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text(text)
    return folder


def one(folder: Path, *commands: tuple[str, ...]) -> Setup:
    (found,) = other_setups(folder, commands)
    return found


@pytest.fixture
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home of its own, and programs that are there by name."""
    home = tmp_path_factory.mktemp("home")
    tools = home / "bin"
    tools.mkdir()
    for name in ("go", "cargo", "bundle", "composer", "dotnet", "mix", "mvn", "swift"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    return {"HOME": str(home), "PATH": str(tools)}


@table_test(
    ("files", "command", "argv", "source"),
    [
        ({"go.mod": GO_MOD}, "go test ./...", "go mod download", "go.mod"),
        ({"go.mod": "module x\n", "go.work": ""}, "go test ./...", "go mod download", "go.work"),
        ({"Cargo.toml": CARGO, "Cargo.lock": ""}, "cargo test", "cargo fetch --locked", "Cargo.lock"),
        ({"Cargo.toml": "[workspace]\n"}, "cargo test --workspace", "cargo fetch", "Cargo.toml"),
        ({"Gemfile": ""}, "bundle exec rspec", "bundle install", "Gemfile"),
        (
            {"composer.json": '{"require-dev": {"phpunit/phpunit": "*"}}', "composer.lock": ""},
            "vendor/bin/phpunit",
            "composer install --no-interaction --no-progress",
            "composer.lock",
        ),
        ({"My.sln": "", "a/A.csproj": ""}, "dotnet test", "dotnet restore My.sln", "My.sln"),
        ({"pubspec.yaml": "sdk: flutter\n"}, "flutter test", "flutter pub get", "pubspec.yaml"),
        ({"Package.swift": ".package(url:"}, "swift test", "swift package resolve", "Package.swift"),
        ({"stack.yaml": ""}, "stack test", "stack build --test --only-dependencies", "stack.yaml"),
        ({"build.zig": "", "build.zig.zon": ""}, "zig build test", "zig build --fetch", "build.zig.zon"),
    ],
)
def test_what_each_language_fetches(tmp_path, files, command, argv, source):
    step = one(write(tmp_path, files), tuple(command.split())).steps[0]
    assert (" ".join(step.argv), step.source, step.optional) == (argv, source, False)


@table_test(
    ("files", "command"),
    [
        ({"go.mod": "module x\n"}, "go test ./..."),
        ({"go.mod": GO_MOD, "vendor/modules.txt": ""}, "go test ./..."),
        ({"Cargo.toml": '[package]\nname = "x"\n'}, "cargo test"),
        ({"composer.json": '{"require": {"php": ">=8", "ext-json": "*"}}'}, "composer test"),
        ({"mix.exs": "defp deps, do: []"}, "mix test"),
        ({"Package.swift": ""}, "swift test"),
        ({"build.zig": ""}, "zig build test"),
        ({"go.mod": GO_MOD}, "npm test"),
        ({"go.mod": GO_MOD}, "pytest"),
        ({}, "go test ./..."),
        ({"composer.json": "{"}, "composer test"),
    ],
)
def test_nothing_is_fetched_where_nothing_is_needed(tmp_path, files, command):
    assert other_setups(write(tmp_path, files), [command.split()]) == ()


def test_a_target_may_need_every_language_of_the_project(tmp_path):
    write(tmp_path, {"go.mod": GO_MOD, "Cargo.toml": CARGO})
    found = other_setups(tmp_path, [("make", "test")])
    assert [(setup.language, setup.steps[0].optional) for setup in found] == [("go", True), ("rust", True)]
    (tmp_path / "Cargo.toml").unlink()
    assert not one(tmp_path, ("make", "test")).steps[0].optional


def test_the_exam_of_rust_asks_no_registry_but_its_set_up_does(tmp_path):
    write(tmp_path, {"Cargo.toml": CARGO, "crates/a/Cargo.toml": "", "target/b/Cargo.toml": ""})
    found = one(tmp_path, ("cargo", "test"))
    assert (found.env, dict(found.steps[0].env)) == (
        {"CARGO_NET_OFFLINE": "true"},
        {"CARGO_NET_OFFLINE": "false"},
    )
    assert found.inputs == ("Cargo.toml", "crates/a/Cargo.toml")
    assert (found.provides, found.again) == (("Cargo.lock",), found.steps)
    write(tmp_path, {"Cargo.lock": ""})
    found = one(tmp_path, ("cargo", "test"))
    assert (found.provides, found.again) == ((), ())


def test_gems_go_to_a_folder_of_the_project(tmp_path):
    found = one(write(tmp_path, {"Gemfile": "", "Gemfile.lock": ""}), ("bundle", "exec", "rspec"))
    assert found.provides == ("vendor/bundle",)
    assert dict(found.steps[0].env) == {"BUNDLE_PATH": "vendor/bundle", "BUNDLE_FROZEN": "true"}


@table_test(
    ("files", "command", "start"),
    [
        ({"pom.xml": ""}, "mvn test", ("mvn", "-B")),
        ({"pom.xml": "", "mvnw": ""}, "./mvnw test", ("./mvnw", "-B")),
        ({"build.gradle": "", "gradlew": ""}, "./gradlew test", ("./gradlew", "--no-daemon")),
    ],
)
def test_caches_that_may_be_warm_are_warmed_if_possible(tmp_path, files, command, start):
    step = one(write(tmp_path, files), tuple(command.split())).steps[0]
    assert (step.argv[:2], step.optional) == (start, True)


@pytest.mark.parametrize(
    ("files", "home", "command", "source"),
    [
        ({"go.mod": "module x\n"}, {}, "go test ./...", "go"),
        (
            {"go.mod": GO_MOD},
            {
                "go/pkg/mod/cache/download/example.org/!one/@v/v1.2.3.zip": "",
                "go/pkg/mod/cache/download/example.org/two/@v/v0.1.0.zip": "",
            },
            "go test ./...",
            "go.mod",
        ),
        (
            {"Cargo.toml": CARGO, "Cargo.lock": CARGO_LOCK},
            {".cargo/registry/cache/index-1/libc-0.2.1.crate": ""},
            "cargo test",
            "Cargo.lock",
        ),
        ({"Gemfile": "", "vendor/bundle/": ""}, {}, "bundle exec rspec", "vendor/bundle"),
        (
            {"Gemfile": "", "Gemfile.lock": "GEM\n  specs:\n    rake (13.0)\n\nDEPENDENCIES\n  rake\n"},
            {".gem/ruby/3.2.0/gems/rake-13.0/x": ""},
            "bundle exec rake test",
            "gems",
        ),
        (
            {"composer.json": '{"require": {"a/b": "*"}}', "vendor/autoload.php": ""},
            {},
            "composer test",
            "vendor/autoload.php",
        ),
        (
            {"a/A.csproj": "", "A.sln": "", "a/obj/project.assets.json": ""},
            {},
            "dotnet test",
            "obj/project.assets.json",
        ),
        ({"pom.xml": "", "target/": ""}, {}, "mvn test", "target"),
    ],
)
def test_what_was_fetched_before_is_at_hand(tmp_path, env, files, home, command, source):
    write(tmp_path, files)
    write(Path(env["HOME"]), home)
    hand = others_at_hand(tmp_path, [command.split()], env)
    assert hand is not None and hand.source == source


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"go.mod": GO_MOD}, "go test ./..."),
        ({"go.mod": "module x\n", "go.work": ""}, "go test ./..."),
        ({"Cargo.toml": CARGO, "Cargo.lock": CARGO_LOCK}, "cargo test"),
        ({"Cargo.toml": CARGO}, "cargo test"),
        ({"Gemfile": "", "Gemfile.lock": ""}, "bundle exec rspec"),
        ({"mix.exs": "{:jason, '~> 1.0'}"}, "mix test"),
        ({"A.sln": "", "a/A.csproj": ""}, "dotnet test"),
        ({"pom.xml": ""}, "mvn test"),
        ({"stack.yaml": "", ".stack-work/": ""}, "stack test"),  # the program itself is missing
        ({}, "go test ./..."),
    ],
)
def test_what_is_missing_is_not_at_hand(tmp_path, env, files, command):
    assert others_at_hand(write(tmp_path, files), [command.split()], env) is None


def test_gems_of_the_users_own_ruby_are_used_where_they_are(tmp_path, env):
    write(tmp_path, {"Gemfile": "", "Gemfile.lock": "    rake (13.0)\n"})
    (tmp_path / "own/gems/rake-13.0").mkdir(parents=True)
    hand = others_at_hand(tmp_path, [("bundle", "exec", "rake")], {**env, "GEM_HOME": str(tmp_path / "own")})
    assert hand is not None and hand.env == {}


def test_a_tool_that_is_not_installed_is_named(env):
    missing = others_missing([("npm", "test"), ("timeout", "9", "zig", "build", "test")], env)
    assert missing is not None
    assert say(missing.key, **missing.values) == (
        "the program `zig` is not installed or not on the PATH, so its commands can't run;"
        " install the tools of the language zig"
    )
    assert others_missing([("./gradlew", "test"), ("vendor/bin/phpunit",), ("go", "test")], env) is None


def test_hostile_manifests_are_read_to_an_end(tmp_path, env):
    os.mkfifo(tmp_path / "go.mod")
    write(
        tmp_path,
        {
            "Cargo.toml": "[" * 400_000,
            "mix.exs": "{ :" * 100_000,
            "Gemfile": "",
            "Gemfile.lock": "    a (" * 10_000,
            "composer.json": '{"require": [1]}',
        },
    )
    commands = [("go", "test"), ("cargo", "test"), ("mix", "test"), ("bundle", "exec"), ("composer", "test")]
    assert [setup.language for setup in other_setups(tmp_path, commands)] == ["ruby"]
    assert others_at_hand(tmp_path, commands, env) is None


@pytest.mark.third_party
def test_cargo_takes_the_steps(tmp_path):
    write(
        tmp_path,
        {
            "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\ny = { path = "y" }\n',
            "src/lib.rs": "",
            "y/Cargo.toml": '[package]\nname = "y"\nversion = "0.1.0"\n',
            "y/src/lib.rs": "",
        },
    )
    for _ in range(2):  # without a lock file, then with the one that it made
        step = one(tmp_path, ("cargo", "test")).steps[0]
        done = subprocess.run(
            step.argv, cwd=tmp_path, env={**os.environ, **step.env}, capture_output=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
    assert step.argv == ("cargo", "fetch", "--locked")
