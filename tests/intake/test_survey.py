"""What a look round a project finds: its parts, and the tests that stand for the whole."""

import json
from pathlib import Path

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.intake.survey import Survey, survey
from tests.tables import table_test

PYTEST = "[tool.pytest.ini_options]\n"


def package(test: str = "", **fields: object) -> str:
    return json.dumps({**({"scripts": {"test": test}} if test else {}), **fields})


def write(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return list(files)


def look(folder: Path, files: dict[str, str]) -> Survey:
    """The survey of a tree that git lists and of the same tree without git are one."""
    listed = survey(folder, write(folder, files))
    assert survey(folder, None) == listed
    return listed


def lines(found: Survey) -> list[str]:
    return [test.line for test in found.tests]


LAYOUTS: dict[str, tuple[dict[str, str], list[str]]] = {
    "one python package": ({"pyproject.toml": PYTEST, "tests/test_a.py": ""}, ["pytest"]),
    "one node package": ({"package.json": package("vitest run"), "pnpm-lock.yaml": ""}, ["pnpm test"]),
    "npm workspaces with a test of the whole": (
        {
            "package.json": package("jest", workspaces=["packages/*"]),
            "packages/a/package.json": package("jest"),
            "packages/b/package.json": package("jest"),
        },
        ["npm test"],
    ),
    "yarn workspaces without one": (
        {
            "package.json": package(workspaces={"packages": ["packages/*", "!packages/old"]}),
            "yarn.lock": "",
            "packages/a/package.json": package("jest"),
            "packages/old/package.json": package("jest"),
        },
        # what the workspace leaves out is a folder with a manifest all the same
        ["yarn workspace packages/a test", "cd packages/old && npm test"],
    ),
    "bun workspaces": (
        {
            "package.json": package(workspaces=["apps/{web,api}"]),
            "bun.lock": "",
            "apps/web/package.json": package("vitest run"),
            "apps/api/package.json": package("vitest run"),
        },
        ["cd apps/api && bun run test", "cd apps/web && bun run test"],
    ),
    "pnpm workspace": (
        {
            "package.json": package(name="top"),
            "pnpm-workspace.yaml": "packages:\n  - 'libs/**'\n",
            "pnpm-lock.yaml": "",
            "libs/deep/er/package.json": package("jest"),
            "libs/b/package.json": package(),
        },
        ["pnpm --filter ./libs/deep/er test"],
    ),
    "turbo": (
        {
            "package.json": package(workspaces=["packages/*"], packageManager="pnpm@9.1.0"),
            "turbo.json": '{\n  // all of them\n  "tasks": {"test": {}}\n}',
            "packages/a/package.json": package("jest"),
        },
        ["pnpm exec turbo run test"],
    ),
    "nx": (
        {"package.json": package(), "nx.json": "{}", "libs/a/project.json": "{}", "yarn.lock": ""},
        ["yarn nx run-many -t test"],
    ),
    "lerna": (
        {"package.json": package(), "lerna.json": "{}", "packages/a/package.json": package("jest")},
        ["npx lerna run test"],
    ),
    "cargo workspace": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/fuzz"]\n',
            "crates/a/Cargo.toml": '[package]\nname = "a"\n',
            "crates/fuzz/Cargo.toml": '[package]\nname = "fuzz"\n',
        },
        ["cargo test --workspace", "cd crates/fuzz && cargo test"],
    ),
    "cargo workspace with members by path": (
        {
            "Cargo.toml": '[workspace]\n[package]\nname = "top"\n[dependencies]\nin = {path = "inner"}\n',
            "inner/Cargo.toml": '[package]\nname = "in"\n',
        },
        ["cargo test --workspace"],
    ),
    "go.work": (
        {
            "go.work": "go 1.22\n\nuse (\n\t./api // the service\n\t./lib\n)\n",
            "api/go.mod": "module api\n",
            "lib/go.mod": "module lib\n",
        },
        ["go test ./api/... ./lib/..."],
    ),
    "go modules without a workspace": (
        {"go.mod": "module top\n", "tools/go.mod": "module tools\n"},
        ["go test ./...", "cd tools && go test ./..."],
    ),
    "uv workspace under one pytest": (
        {
            "pyproject.toml": '[tool.uv.workspace]\nmembers = ["packages/*"]\n' + PYTEST,
            "uv.lock": "",
            "packages/a/pyproject.toml": '[project]\nname = "a"\n',
            "packages/a/tests/conftest.py": "",
        },
        ["uv run pytest"],
    ),
    "python parts that a narrow pytest does not reach": (
        {
            "pyproject.toml": PYTEST + 'testpaths = ["tests"]\n',
            "plugins/a/pyproject.toml": "",
            "plugins/a/tests/conftest.py": "",
        },
        ["pytest", "cd plugins/a && pytest"],
    ),
    "python parts with a pytest of their own": (
        {"pytest.ini": "[pytest]\n", "part/pyproject.toml": PYTEST},
        ["pytest", "cd part && pytest"],
    ),
    "maven modules": (
        {
            "pom.xml": "<modules><module>core</module><!-- <module>gone</module> --></modules>",
            "core/pom.xml": "<modules><module>deep</module></modules>",
            "core/deep/pom.xml": "",
            "gone/pom.xml": "",
        },
        ["mvn test", "cd gone && mvn test"],
    ),
    "gradle": (
        {
            "settings.gradle.kts": 'rootProject.name = "x"\ninclude(\n  ":app",\n  ":libs:one")\nincludeBuild("b")',
            "gradlew": "",
            "app/build.gradle.kts": "",
            "libs/one/build.gradle.kts": "",
        },
        ["./gradlew test"],
    ),
    "a solution": (
        {
            "Shop.sln": 'Project("{FAE04EC0}") = "Shop", "src\\Shop\\Shop.csproj", "{1}"\nEndProject\n',
            "src/Shop/Shop.csproj": "",
        },
        ["dotnet test"],
    ),
    "frontend and backend": (
        {
            "backend/requirements.txt": "django\npytest\n",
            "backend/tests/conftest.py": "",
            "frontend/package.json": package("react-scripts test"),
            "frontend/package-lock.json": "{}",
        },
        ["cd backend && pytest", "cd frontend && CI=true npm test"],
    ),
    "a workspace below the root": (
        {
            "web/package.json": package("jest", workspaces=["packages/*"]),
            "web/yarn.lock": "",
            "web/packages/a/package.json": package("jest"),
            "api/go.mod": "module api\n",
        },
        ["cd api && go test ./...", "cd web && yarn test"],
    ),
    "a target of the project's own covers its parts": (
        {
            "Makefile": "test:\n\t./all\n",
            "api/go.mod": "module api\n",
            "web/package.json": package("jest"),
        },
        ["make test"],
    ),
    "a part with a target and a covered language": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
            "a/Cargo.toml": '[package]\nname = "a"\n',
            "a/Makefile": "lint:\n\tcargo clippy\n",
        },
        ["cargo test --workspace"],
    ),
    "examples, fixtures and vendored code are no parts": (
        {
            "pyproject.toml": PYTEST,
            "examples/shop/package.json": package("jest"),
            "tests/data/package.json": package("jest"),
            "vendor/lib/go.mod": "module lib\n",
            "docs/requirements.txt": "sphinx\n",
            "node_modules/x/package.json": package("jest"),
        },
        ["pytest"],
    ),
    "nothing": ({"notes.txt": "hello"}, []),
}


@table_test("name", LAYOUTS)
def test_the_tests_of_the_whole(tmp_path, name):
    files, expected = LAYOUTS[name]
    found = look(tmp_path, files)
    assert lines(found) == expected
    for test in found.tests:  # every line can be given back with --accept
        assert read_accept(test.line, parse)
        assert test.source


def test_a_part_says_what_makes_it_one_and_who_tests_it(tmp_path):
    files, _ = LAYOUTS["npm workspaces with a test of the whole"]
    found = look(tmp_path, files | {"api/go.mod": "module api\n"})
    assert [(part.folder, part.source, part.languages, part.covered_by) for part in found.parts] == [
        ("api", "go.mod", ("go",), ()),
        ("packages/a", "package.json workspaces", ("javascript",), ("npm test",)),
        ("packages/b", "package.json workspaces", ("javascript",), ("npm test",)),
    ]
    assert found.languages == ("javascript", "go")
    assert found.parts[0].tests[0][:2] == ("cd api && go test ./...", "api/go.mod")


def test_package_managers_by_lock_file_manifest_or_section(tmp_path):
    found = look(
        tmp_path,
        {
            "package.json": package(packageManager="yarn@4.1.0"),
            "pyproject.toml": "[tool.poetry]\n",
            "poetry.lock": "",
            "api/pom.xml": "",
            "app/Gemfile": "",
            "app/Gemfile.lock": "",
            "php/composer.json": "{}",
            "ex/mix.exs": "",
            "hat/hatch.toml": "",
            "hat/pyproject.toml": "",
            "net/App.csproj": "",
            "old/requirements.txt": "",
            "pipe/Pipfile": "",
        },
    )
    assert [(each.name, each.sources, each.locked) for each in found.managers] == [
        ("yarn", ("package.json packageManager",), False),
        ("poetry", ("poetry.lock", "pyproject.toml [tool.poetry]"), True),
        ("maven", ("api/pom.xml",), False),
        ("bundler", ("app/Gemfile.lock", "app/Gemfile"), True),
        ("mix", ("ex/mix.exs",), False),
        ("hatch", ("hat/hatch.toml",), False),
        ("nuget", ("net/App.csproj",), False),
        ("pip", ("old/requirements.txt",), False),
        ("composer", ("php/composer.json",), False),
        ("pipenv", ("pipe/Pipfile",), False),
    ]


def test_checks_that_are_set_up(tmp_path):
    found = look(
        tmp_path,
        {
            "pyproject.toml": PYTEST
            + "[tool.coverage.report]\nfail_under = 92.5\n[tool.mypy]\n[tool.ruff.lint]\n",
            ".pre-commit-config.yaml": "repos: []\n",
            "web/package.json": package("jest", jest={}),
            "web/tsconfig.json": "{}",
            "web/eslint.config.mjs": "",
            "cmd/go.mod": "module cmd\n",
            "cmd/.golangci.yml": "",
        },
    )
    assert [(each.name, each.role, each.source, each.detail) for each in found.gates] == [
        ("pytest", "tests", "pyproject.toml [tool.pytest.ini_options]", ""),
        ("coverage", "coverage", "pyproject.toml", "fail_under 92.5"),
        ("mypy", "types", "pyproject.toml [tool.mypy]", ""),
        ("ruff", "lint", "pyproject.toml [tool.ruff.lint]", ""),
        ("pre-commit", "commit", ".pre-commit-config.yaml", ""),
        ("golangci-lint", "lint", "cmd/.golangci.yml", ""),
        ("jest", "tests", "web/package.json jest", ""),
        ("tsc", "types", "web/tsconfig.json", ""),
        ("eslint", "lint", "web/eslint.config.mjs", ""),
    ]


def test_what_ci_runs_is_a_hint_and_no_test_command(tmp_path):
    workflow = """
name: test
on: [push]
jobs:
  unit:
    steps:
      - name: Run pytest
        uses: actions/setup-python@v5
      - run: pip install tox pytest
      - run: tox -e py
      # - run: nox
      - run: |
          cd backend && PYTHONHASHSEED=0 uv run --frozen pytest -q
          npm run test:unit
          echo pytest
"""
    gitlab = "unit:\n  script:\n    - !reference [.setup]\n    - ./gradlew clean check\n    - make deploy\n"
    found = look(tmp_path, {".github/workflows/ci.yml": workflow, ".gitlab-ci.yml": gitlab})
    assert [(each.command, each.source) for each in found.ci] == [
        ("./gradlew clean check", ".gitlab-ci.yml"),
        ("tox -e py", ".github/workflows/ci.yml"),
        ("cd backend && PYTHONHASHSEED=0 uv run --frozen pytest -q", ".github/workflows/ci.yml"),
        ("npm run test:unit", ".github/workflows/ci.yml"),
    ]
    assert lines(found) == []


DOCUMENTS = {"README.md": "", "docs/guide.md": "", "LICENSE": "", "pyproject.toml": PYTEST}


def test_documents_are_proposed_as_irrelevant(tmp_path):
    found = look(tmp_path, DOCUMENTS | {"tests/test_a.py": "def test(): pass\n"})
    assert found.documents.patterns == ("*.md", "docs/**", "LICENSE*")


@table_test(
    ("file", "text", "hint"),
    [
        ("pytest.ini", "[pytest]\naddopts = --doctest-glob=*.md\n", "pytest.ini: --doctest-glob"),
        ("docs/conf.py", "extensions = ['sphinx.ext.doctest']\n", "docs/conf.py: sphinx.ext.doctest"),
        ("tests/test_readme.py", "open('README.md')\n", "tests/test_readme.py: README"),
        ("requirements-dev.txt", "pytest-markdown-docs\n", "requirements-dev.txt: pytest-markdown"),
        ("package.json", '{"dependencies": {"@docusaurus/core": "3"}}', "package.json: docusaurus"),
        (
            "src/lib.rs",
            '#![doc = include_str!("../README.md")]\n',
            'src/lib.rs: include_str!("../README.md"',
        ),
    ],
)
def test_documents_that_may_be_tested_are_not_proposed(tmp_path, file, text, hint):
    found = look(tmp_path, DOCUMENTS | {file: text})
    assert found.documents == ((), hint)


def test_a_script_that_is_no_exam_is_noted(tmp_path):
    found = look(tmp_path, {"package.json": package("jest --watch")})
    assert (lines(found), [note.key for note in found.notes]) == ([], ["intake.script_never_ends"])


def test_only_what_git_lists_counts(tmp_path):
    write(tmp_path, {"web/package.json": package("jest"), "junk/package.json": package("jest")})
    assert lines(survey(tmp_path, ["web/package.json"])) == ["cd web && npm test"]
