"""Languages whose tools have one usual test command: a table of manifests, and the few that need a look."""

import json
import re
from collections.abc import Iterator
from shlex import quote
from typing import NamedTuple

from donewhen.project.folder import Folder
from donewhen.project.project import Detected, ProjectCommand, Role


class Usual(NamedTuple):
    """What the projects of a language usually run."""

    language: str
    manifests: tuple[str, ...]
    commands: tuple[tuple[Role, str], ...]
    needs: str = ""  # a folder that must be there as well
    wrapper: tuple[str, str] = ("", "")  # (program, the project's own wrapper of it)


_FOLDER = re.compile(r"\.?[\w./-]{0,200}")
_MOST_LINES, _MOST_MODULES = 1000, 40
_TABLE = (
    Usual("java", ("pom.xml",), (("test", "mvn test"), ("build", "mvn package")), wrapper=("mvn", "mvnw")),
    Usual(
        "java",
        ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        (("test", "gradle test"), ("build", "gradle build")),
        wrapper=("gradle", "gradlew"),
    ),
    Usual("elixir", ("mix.exs",), (("test", "mix test"), ("format", "mix format --check-formatted"))),
    Usual("ruby", ("Gemfile",), (("test", "bundle exec rspec"),), needs="spec"),
    Usual("swift", ("Package.swift",), (("test", "swift test"), ("build", "swift build"))),
    Usual("scala", ("build.sbt",), (("test", "sbt test"), ("build", "sbt compile"))),
    Usual("haskell", ("stack.yaml",), (("test", "stack test"), ("build", "stack build"))),
    Usual("haskell", ("cabal.project",), (("test", "cabal test all"), ("build", "cabal build all"))),
    Usual("ocaml", ("dune-project",), (("test", "dune test"), ("build", "dune build"))),
    Usual("clojure", ("project.clj",), (("test", "lein test"),)),
    Usual("erlang", ("rebar.config",), (("test", "rebar3 eunit"),)),
    Usual("crystal", ("shard.yml",), (("test", "crystal spec"),), needs="spec"),
    Usual("perl", ("cpanfile", "Makefile.PL", "dist.ini"), (("test", "prove -lr t"),), needs="t"),
    Usual("zig", ("build.zig",), (("test", "zig build test"), ("build", "zig build"))),
)


def others(root: Folder) -> Detected:
    found = [*(_usual(root, usual) for usual in _TABLE), *(look(root) for look in _LOOKS)]
    commands = {command.command: command for one in reversed(found) for command in one.commands}
    return Detected(
        tuple(dict.fromkeys(name for one in found for name in one.languages)),
        tuple(c for one in found for c in one.commands if commands[c.command] is c),
        (),
        tuple(name for one in found for name in one.sources),
    )


def _usual(root: Folder, usual: Usual) -> Detected:
    manifest = root.first(*usual.manifests)
    if not manifest:
        return Detected()
    if usual.needs and usual.needs not in root.folders:
        return Detected((usual.language,), sources=(manifest,))
    return _finding(usual.language, manifest, [(r, _wrapped(root, usual, c)) for r, c in usual.commands])


def _wrapped(root: Folder, usual: Usual, command: str) -> str:
    program, wrapper = usual.wrapper
    return f"./{wrapper}{command.removeprefix(program)}" if wrapper in root.names else command


def _finding(
    language: str, manifest: str, commands: list[tuple[Role, str]], written: bool = False
) -> Detected:
    made = (ProjectCommand(role, command, manifest, written, language) for role, command in commands)
    return Detected((language,), tuple(made), (), (manifest.split(" ")[0],))


def _go(root: Folder) -> Detected:
    manifest = root.first("go.work", "go.mod")
    if not manifest:
        return Detected()
    uses = used_modules(root) if manifest == "go.work" else []
    # `./...` ends at the module of the folder, so the modules of a workspace are named one by one
    every = " ".join(f"{use}/..." for use in uses) or "./..."
    return _finding(
        "go",
        manifest,
        [("test", f"go test {every}"), ("lint", f"go vet {every}"), ("build", f"go build {every}")],
    )


def used_modules(root: Folder) -> list[str]:
    """The folders that a go.work uses; none when one of them is not a plain folder of the project."""
    found: list[str] = []
    block = False
    for line in root.text("go.work").splitlines()[:_MOST_LINES]:
        words = line.partition("//")[0].replace('"', "").split()
        if words[:1] == ["use"]:
            block = words[1:] == ["("]
            found += [] if block else words[1:2]
        elif words == [")"]:
            block = False
        elif block:
            found += words[:1]
    plain = all(_FOLDER.fullmatch(path) and ".." not in path for path in found)
    folders = ("/".join(word for word in path.split("/") if word not in ("", ".")) for path in found)
    return [f"./{path}".rstrip("/") for path in folders] if plain and len(found) <= _MOST_MODULES else []


def _cargo(root: Folder) -> Detected:
    if "Cargo.toml" not in root.names:
        return Detected()
    all_of_it = " --workspace" if "[workspace]" in root.text("Cargo.toml") else ""
    return _finding(
        "rust",
        "Cargo.toml",
        [
            ("test", f"cargo test{all_of_it}"),
            ("lint", f"cargo clippy{all_of_it}"),
            ("build", f"cargo build{all_of_it}"),
            ("format", "cargo fmt --check"),
        ],
    )


def _dotnet(root: Folder) -> Detected:
    solutions, projects = root.ending(".sln", ".slnx"), root.ending(".csproj", ".fsproj", ".vbproj")
    if not solutions and not projects:
        return Detected()
    first = (solutions or projects)[0]
    named = f" {quote(first)}" if len(solutions) + len(projects) > 1 else ""  # with several it asks which
    return _finding("dotnet", first, [("test", f"dotnet test{named}"), ("build", f"dotnet build{named}")])


def _ruby(root: Folder) -> Detected:
    if "test" not in root.folders or "spec" in root.folders:
        return Detected()
    if "Gemfile" not in root.names:
        return (
            _finding("ruby", "Rakefile", [("test", "rake test")]) if "Rakefile" in root.names else Detected()
        )
    rails = root.has("bin/rails")
    return _finding("ruby", "Gemfile", [("test", "bin/rails test" if rails else "bundle exec rake test")])


def _php(root: Folder) -> Detected:
    if "composer.json" in root.names and _named(root, "composer.json", "scripts", "test"):
        return _finding("php", "composer.json scripts.test", [("test", "composer test")], written=True)
    config = root.first("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
    if config:
        return _finding("php", config, [("test", "vendor/bin/phpunit")])
    return Detected(("php",), sources=("composer.json",)) if "composer.json" in root.names else Detected()


def _deno(root: Folder) -> Detected:
    manifest = root.first("deno.json", "deno.jsonc")
    if not manifest:
        return Detected()
    if _named(root, manifest, "tasks", "test"):
        return _finding("deno", f"{manifest} tasks.test", [("test", "deno task test")], written=True)
    return _finding("deno", manifest, [("test", "deno test"), ("lint", "deno lint")])


def _dart(root: Folder) -> Detected:
    if "pubspec.yaml" not in root.names:
        return Detected()
    program = "flutter" if "sdk: flutter" in root.text("pubspec.yaml") else "dart"
    commands: list[tuple[Role, str]] = [("lint", f"{program} analyze")]
    if "test" in root.folders:
        commands.insert(0, ("test", f"{program} test"))
    return _finding("dart", "pubspec.yaml", commands)


_LOOKS = (_go, _cargo, _dotnet, _ruby, _php, _deno, _dart)


def _named(root: Folder, file: str, group: str, name: str) -> bool:
    """Whether a JSON manifest has that script."""
    lines: Iterator[str] = (
        line for line in root.text(file).splitlines() if not line.lstrip().startswith("//")
    )
    try:
        data = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return False
    entries = data.get(group) if isinstance(data, dict) else None
    return isinstance(entries, dict) and bool(entries.get(name))
