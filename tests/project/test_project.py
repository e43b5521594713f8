"""What a project tells about itself."""

import json
import os
from pathlib import Path

from donewhen.project.project import Project, ProjectCommand, detect
from tests.tables import table_test


def write(folder: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            (folder / name).mkdir(exist_ok=True)
        else:
            (folder / name).write_text(text)
    return detect(folder)


def exam(found: Project) -> list[tuple[str, str]]:
    return [(each.command, each.source) for each in found.tests()]


def package(**scripts: str) -> str:
    return json.dumps({"scripts": scripts})


def test_an_empty_folder_is_an_empty_project(tmp_path):
    assert detect(tmp_path) == detect(tmp_path / "none") == Project()


def test_a_whole_package_is_told(tmp_path):
    scripts = package(test="vitest run", lint="eslint .", typecheck="tsc", build="vite build")
    assert write(tmp_path, {"package.json": scripts, "tsconfig.json": "", "pnpm-lock.yaml": ""}) == Project(
        ("typescript",),
        (
            ProjectCommand("test", "pnpm test", "package.json scripts.test", True, "typescript"),
            ProjectCommand("lint", "pnpm run lint", "package.json scripts.lint", True, "typescript"),
            ProjectCommand(
                "types", "pnpm run typecheck", "package.json scripts.typecheck", True, "typescript"
            ),
            ProjectCommand("build", "pnpm run build", "package.json scripts.build", True, "typescript"),
        ),
        (),
        ("package.json",),
    )


@table_test(
    ("files", "command", "source"),
    [
        ({"package.json": package(test="jest")}, "npm test", "package.json scripts.test"),
        ({"package.json": package(test="jest"), "yarn.lock": ""}, "yarn test", "package.json scripts.test"),
        ({"package.json": package(test="jest"), "bun.lock": ""}, "bun run test", "package.json scripts.test"),
        (
            {"package.json": '{"packageManager": "pnpm@9", "scripts": {"test": "jest"}}', "yarn.lock": ""},
            "pnpm test",
            "package.json scripts.test",
        ),
        (
            {"package.json": package(test="jest --watch", **{"test:ci": "jest --ci"})},
            "npm run test:ci",
            "package.json scripts.test:ci",
        ),
        (
            {"package.json": package(test="jest --watchAll=false")},
            "npm test",
            "package.json scripts.test",
        ),
        ({"package.json": package(test="npm test -w packages/a")}, "npm test", "package.json scripts.test"),
        (
            {"package.json": package(test="react-scripts test")},
            "CI=true npm test",
            "package.json scripts.test",
        ),
        (
            {"pyproject.toml": "[tool.pytest.ini_options]\n"},
            "pytest",
            "pyproject.toml [tool.pytest.ini_options]",
        ),
        (
            {"pyproject.toml": "[tool.pytest.ini_options]\n", "uv.lock": ""},
            "uv run pytest",
            "pyproject.toml [tool.pytest.ini_options]",
        ),
        ({"pyproject.toml": "[tool.poetry]\n", "pytest.ini": ""}, "pytest", "pytest.ini"),
        (
            {"pyproject.toml": "[tool.poetry]\n", "pytest.ini": "", "poetry.lock": ""},
            "poetry run pytest",
            "pytest.ini",
        ),
        ({"pyproject.toml": "dev = ['pytest>=8']\n"}, "pytest", "pyproject.toml"),
        ({"pyproject.toml": "", "tests/": ""}, "pytest", "tests/"),
        ({"requirements.txt": "pytest\n"}, "pytest", "requirements.txt"),
        ({"setup.cfg": "[tool:pytest]\n"}, "pytest", "setup.cfg [tool:pytest]"),
        ({"tox.ini": "[tox]\n[testenv]\ncommands = pytest\n"}, "pytest", "tox.ini [testenv]"),
        ({"tox.ini": "[tox]\n[testenv]\ncommands = {[base]commands}\n"}, "tox", "tox.ini"),
        ({"tox.ini": "[tox]\n[pytest]\n"}, "pytest", "tox.ini [pytest]"),
        ({"noxfile.py": "import pytest\n"}, "nox", "noxfile.py"),
        ({"manage.py": ""}, "python manage.py test", "manage.py"),
        ({"Cargo.toml": "[package]\n"}, "cargo test", "Cargo.toml"),
        ({"Cargo.toml": "[workspace]\n"}, "cargo test --workspace", "Cargo.toml"),
        ({"go.mod": "module x\n"}, "go test ./...", "go.mod"),
        ({"pom.xml": ""}, "mvn test", "pom.xml"),
        ({"pom.xml": "", "mvnw": ""}, "./mvnw test", "pom.xml"),
        ({"build.gradle.kts": ""}, "gradle test", "build.gradle.kts"),
        ({"build.gradle": "", "gradlew": ""}, "./gradlew test", "build.gradle"),
        ({"App.csproj": ""}, "dotnet test", "App.csproj"),
        ({"My App.sln": "", "App.csproj": ""}, "dotnet test 'My App.sln'", "My App.sln"),
        ({"Gemfile": "", "spec/": ""}, "bundle exec rspec", "Gemfile"),
        ({"Gemfile": "", "test/": "", "bin/rails": ""}, "bin/rails test", "Gemfile"),
        ({"mix.exs": ""}, "mix test", "mix.exs"),
        ({"composer.json": package(test="phpunit")}, "composer test", "composer.json scripts.test"),
        ({"composer.json": "{}", "phpunit.xml.dist": ""}, "vendor/bin/phpunit", "phpunit.xml.dist"),
        ({"deno.json": "{}"}, "deno test", "deno.json"),
        (
            {"deno.jsonc": '// x\n{"tasks": {"test": "deno test -A"}}'},
            "deno task test",
            "deno.jsonc tasks.test",
        ),
        ({"Package.swift": ""}, "swift test", "Package.swift"),
        ({"pubspec.yaml": "sdk: flutter\n", "test/": ""}, "flutter test", "pubspec.yaml"),
        ({"Makefile": "test:\n\tpytest\n"}, "make test", "Makefile test"),
        ({"GNUmakefile": "all check: x\n", "Makefile": "test:\n"}, "make check", "GNUmakefile check"),
        ({"justfile": "test *args:\n  pytest\n"}, "just test", "justfile test"),
        ({"justfile": "test what='all':\n  pytest\n"}, "just test", "justfile test"),
    ],
)
def test_the_test_command_of_each_kind_of_project(tmp_path, files, command, source):
    assert exam(write(tmp_path, files)) == [(command, source)]


@table_test(
    "files",
    [
        {"package.json": package(test='echo "Error: no test specified" && exit 1')},
        {"package.json": package(test="echo ok")},
        {"package.json": package(test="true")},
        {"package.json": package(test="")},
        {"package.json": package(test="vitest --watch")},
        {"package.json": package(test="ng test")},
        {"package.json": package(test="jest || true")},
        {"package.json": package(test="jest ; exit 0")},
        {"package.json": "{broken"},
        {"package.json": "[" * 100_000},
        {"package.json": '{"scripts": [1]}'},
        {"package.json": '{"scripts": {"test": 5}}'},
        {"Makefile": "test := x\nTEST: y\n.PHONY: test\n\ttest: z\n# test:\n"},
        {"justfile": "test := 'x'\ntest arg:\n  x\n"},
        {"Gemfile": ""},
        {"setup.py": ""},
    ],
)
def test_what_is_no_test_command(tmp_path, files):
    assert exam(write(tmp_path, files)) == []


def test_what_does_not_count_is_noted(tmp_path):
    found = write(tmp_path, {"package.json": package(test="vitest --watch")})
    assert [note.key for note in found.notes] == ["intake.script_never_ends"]
    found = write(tmp_path, {"package.json": "{"})
    assert [note.key for note in found.notes] == ["intake.manifest_broken"]


def test_several_languages_add_up(tmp_path):
    found = write(tmp_path, {"package.json": package(test="jest"), "go.mod": "", "Cargo.toml": ""})
    assert [command for command, _ in exam(found)] == ["npm test", "go test ./...", "cargo test"]
    assert found.languages == ("javascript", "go", "rust")


def test_a_target_that_the_project_wrote_stands_for_what_languages_usually_run(tmp_path):
    files = {
        "package.json": package(test="jest"),
        "go.mod": "",
        "Makefile": "test lint:\n",
        "justfile": "test:\n",
    }
    found = write(tmp_path, files)
    assert [command for command, _ in exam(found)] == ["npm test", "make test"]
    assert found.targets == ("test", "lint")


def test_files_that_are_no_files_are_left_alone(tmp_path):
    os.mkfifo(tmp_path / "package.json")
    (tmp_path / "Makefile").symlink_to(tmp_path / "Makefile")
    (tmp_path / "pyproject.toml").mkdir()
    (tmp_path / "justfile").write_bytes(b"\xff\xfe" * 100)
    (tmp_path / "go.mod").write_bytes(b"x" * 600_000)
    assert exam(detect(tmp_path)) == [("go test ./...", "go.mod")]
