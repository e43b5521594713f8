"""The file that a survey gives: it always loads, switched-off settings too, and holds nothing but the survey."""

import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.config import Config, config_from_mapping
from donewhen.config.yamltext import plain, read_yaml
from donewhen.core.accept import read_accept
from donewhen.core.texts import LANGUAGES, Language, Phrase
from donewhen.intake.survey import Survey, survey
from donewhen.intake.survey_ci import CiCommand
from donewhen.intake.survey_config import Value, config_text, gate_argv, gates, project_name
from donewhen.intake.survey_documents import Documents
from donewhen.intake.survey_managers import Manager
from donewhen.intake.survey_tests import ProjectTest
from donewhen.project.folder import Folder
from donewhen.project.project import Project, ProjectCommand
from tests.intake.test_survey import LAYOUTS, write
from tests.intake.test_survey_hostile import HOSTILE
from tests.tables import table_test

NAME, BRANCH = Value("shop", "package.json name"), Value("main", "origin/HEAD")


def text_of(found: Survey, language: Language = "en", name: Value = NAME, branch: Value = BRANCH) -> str:
    return config_text(found, name, branch, parse, language)


def load(text: str) -> Config:
    data: Any = plain(read_yaml(text, "config.yml"))
    return config_from_mapping(data)


def switched_on(text: str) -> str:
    """Every setting that is switched off, on: prose is what follows a `#` and one blank."""
    return re.sub(r"^( *)#(?! \S)", r"\1", text, flags=re.MULTILINE)


def blank(**parts: Any) -> Survey:
    return Survey(Project(), (), (), (), (), (), (), Documents(), ())._replace(**parts)


@table_test("language", LANGUAGES)
@table_test("name", [*LAYOUTS, *HOSTILE])
def test_the_file_of_every_layout_loads_and_says_what_was_found(tmp_path, name, language):
    files = LAYOUTS[name][0] if name in LAYOUTS else HOSTILE[name]
    found = survey(tmp_path, write(tmp_path, files))
    text = text_of(found, language)
    config = load(text)
    assert [gate.command for gate in config.verification.quality.gates] == [
        gate_argv(read_accept(test.line, parse)[0]) for test in found.tests
    ]
    on = load(switched_on(text))
    assert on.budget.total == 10
    assert on.sandbox.mode == "auto"
    assert on.workspace.setup == "auto"
    assert on.evidence.irrelevant == found.documents.patterns
    assert on.verification.quality.gates


def test_a_whole_file(tmp_path):
    files = {
        "package.json": '{"name": "@acme/shop", "scripts": {"test": "jest", "lint": "eslint ."}}',
        "package-lock.json": "{}",
        "api/go.mod": "module api\n",
        "README.md": "",
    }
    found = survey(tmp_path, write(tmp_path, files))
    lines = text_of(found, name=project_name(Folder(tmp_path))).splitlines()
    assert [line for line in lines if line and not re.match(r" *# \S", line)] == [
        "project:",
        '  name: "@acme/shop"  # package.json name',
        "  targetBranch: main  # origin/HEAD",
        "verification:",
        "  #profile: edit_code",
        "  quality:",
        "    gates:",
        "      - name: tests",
        "        command: [npm, test]  # package.json scripts.test",
        '      - name: "tests:api"',
        '        command: [sh, -c, "cd api && go test ./..."]  # api/go.mod',
        "      #- name: lint",
        "      #  command: [npm, run, lint]  # package.json scripts.lint",
        "  #execution:",
        "  #  test_timeout: 300",
        "#evidence:",
        '#  irrelevant: ["*.md"]',
        "#workspace:",
        "#  setup: auto  # package-lock.json, api/go.mod",
        "#sandbox:",
        "#  mode: auto",
        "#  exam_network: none",
        "#budget:",
        "#  total: 10",
    ]


def test_gates_of_tools_that_the_project_configures_are_proposed_switched_off(tmp_path):
    files = {
        "package.json": '{"scripts": {"test": "jest", "lint": "eslint ."}}',
        "eslint.config.js": "",
        "pyproject.toml": "[tool.mypy]\n[tool.coverage.report]\nfail_under = 80\n",
    }
    text = text_of(survey(tmp_path, write(tmp_path, files)))
    assert [line.strip() for line in text.splitlines() if line.strip().startswith("#-")] == [
        "#- coverage  # coverage: pyproject.toml",
        "#- lint  # eslint: eslint.config.js",
        "#- types  # mypy: pyproject.toml [tool.mypy]",
    ]
    on = load(switched_on(text)).verification.quality.gates
    assert {gate.name: gate.required for gate in on if not gate.command} == {
        "coverage": True,
        "lint": True,
        "types": True,
    }


def test_a_gate_in_a_folder_or_with_variables_reads_back_as_the_same_command():
    for line in ("cd web && CI=true npm test", "CI=true npm test", "cd 'a b' && pytest -q", "pytest"):
        (entry,) = read_accept(line, parse)
        argv = gate_argv(entry)
        (again,) = read_accept(argv[2], parse) if argv[:2] == ("sh", "-c") else (entry,)
        assert again.identity == entry.identity


def test_without_a_test_command_the_file_shows_an_example():
    text = text_of(blank())
    assert load(text).verification.quality.gates == ()
    assert load(switched_on(text)).verification.quality.gates[0].command == ("make", "test")
    hinted = text_of(blank(ci=(CiCommand("pytest | tee log", "a.yml"), CiCommand("tox -e py", "ci.yml"))))
    assert "command: [tox, -e, py]  # ci.yml" in hinted


def test_gates_of_one_name_get_numbers():
    tests = [
        ProjectTest("pytest", "a", "python"),
        ProjectTest("tox", "b", "python"),
        ProjectTest("nox", "c", "python"),
    ]
    assert [gate.name for gate in gates(blank(tests=tuple(tests)), parse)] == [
        "tests",
        "tests:python",
        "tests:python:2",
    ]


@table_test(
    ("files", "name", "source"),
    [
        ({"package.json": '{"name": "shop"}'}, "shop", "package.json name"),
        ({"pyproject.toml": '[project]\nname = "shop"\n'}, "shop", "pyproject.toml project.name"),
        ({"pyproject.toml": '[tool.poetry]\nname = "shop"\n'}, "shop", "pyproject.toml tool.poetry.name"),
        ({"Cargo.toml": '[package]\nname = "shop"\n'}, "shop", "Cargo.toml package.name"),
        ({"package.json": '{"name": "a\\nb"}'}, "top", "top/"),
        ({"package.json": '{"name": 5}'}, "top", "top/"),
    ],
)
def test_the_projects_name(tmp_path: Path, files, name, source):
    top = tmp_path / "top"
    write(top, files)
    assert project_name(Folder(top)) == (name, source)


odd = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "yes",
        "null",
        "1e5",
        "-1e5",
        "0x10",
        "~",
        "<<",
        "=",
        "- a",
        "a: b",
        "#",
        "' \"",
        "1_000",
        "2026-01-01",
        "\x85",
        "\u2028",
    ]
)
printable = odd.filter(lambda text: text.isprintable() and bool(text.strip()))


@given(odd, printable, st.lists(printable, min_size=1, max_size=4), st.sampled_from(LANGUAGES))
def test_no_text_of_a_project_adds_or_changes_a_setting(source, name, words, language):
    from shlex import join

    line = join(words)
    found = blank(
        tests=(ProjectTest(line, source),),
        managers=(Manager(source, (source,)),),
        project=Project(commands=(ProjectCommand("lint", line, source),)),
        documents=Documents(tested_by=source),
        ci=(CiCommand(line, source),),
        notes=(Phrase("init.nothing_found"),),
    )
    text = text_of(found, language, Value(name, source), Value(name, source))
    must = gates(found, parse)
    for config in (load(text), load(switched_on(text))):
        assert (config.project.name, config.project.target_branch) == (name, name)
        assert config.verification.quality.gates[: len(must)] == tuple(
            type(config.verification.quality.gates[0])(name=gate.name, command=gate.argv) for gate in must
        )
        assert config.sandbox.mode == "auto"
        assert config.hooks.commands == ()
    assert load(text) == config_from_mapping(
        {
            "project": {"name": name, "targetBranch": name},
            "verification": {
                "profile": "edit_code",
                "quality": {"gates": [{"name": gate.name, "command": list(gate.argv)} for gate in must]},
            },
        }
    )
