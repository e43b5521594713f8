"""What `donewhen init` found, for people and for machines. Names from the project are made harmless."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from donewhen.core.texts import Language, Phrase, say
from donewhen.ui.output import fit, one_line, paint, print_line, room, table
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.intake.survey import Part, Survey

_MOST_ROWS = 40


def survey_data(found: "Survey", language: Language) -> dict[str, Any]:
    """The survey as it stands in `--json`."""
    return {
        "languages": found.languages,
        "managers": [each._asdict() for each in found.managers],
        "tests": [{"command": each.line, "source": each.source} for each in found.tests],
        "commands": [
            {"role": each.role, "command": each.command, "source": each.source}
            for each in found.project.commands
        ],
        "gates": [each._asdict() for each in found.gates],
        "ci": [each._asdict() for each in found.ci],
        "parts": [
            {
                "folder": part.folder,
                "source": part.source,
                "languages": part.languages,
                "tests": [{"command": each.line, "source": each.source} for each in part.tests],
                "covered_by": part.covered_by,
            }
            for part in found.parts
        ],
        "irrelevant": found.documents.patterns,
        "documents_tested_by": found.documents.tested_by or None,
        "notes": [_said(note, language) for note in found.notes],
    }


def print_survey(found: "Survey", folder: str, language: Language, *, verbose: bool) -> None:
    print_line(paint(t("init.found_in", folder=one_line(folder)), "bold"))
    if not found.languages:
        print_line(f"  {t('init.nothing_found')}")
    managers = [f"{each.name} ({', '.join(each.sources[:3])})" for each in found.managers]
    for key, names in (("languages", found.languages), ("managers", managers)):
        if names:
            print_line(f"  {t(f'init.{key}')}: {one_line(', '.join(names))}")
    _print_table("tests", ("command", "source"), [(each.line, each.source) for each in found.tests])
    _print_table("gates", ("name", "role", "source"), [_gate_row(each) for each in found.gates])
    _print_table("parts", ("folder", "languages", "tested_by"), [_part_row(part) for part in found.parts])
    _print_notes(found, language, verbose=verbose)


def _gate_row(gate: Any) -> tuple[str, str, str]:
    source = f"{gate.source} ({gate.detail})" if gate.detail else gate.source
    return gate.name, t(f"init.role_{gate.role}"), source


def _part_row(part: "Part") -> tuple[str, str, str]:
    tests = [*part.covered_by, *(each.line for each in part.tests)]
    return part.folder, ", ".join(part.languages) or "-", ", ".join(tests) or t("init.no_tests_of_part")


def _print_table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    print_line()
    print_line(paint(t(f"init.{name}"), "bold"))
    space = room(40)
    short = [[fit(one_line(cell), space) for cell in row] for row in rows[:_MOST_ROWS]]
    for line in table([t(f"init.col_{column}") for column in columns], short):
        print_line(f"  {line}")
    if len(rows) > _MOST_ROWS:
        print_line(f"  … +{len(rows) - _MOST_ROWS}")


def _print_notes(found: "Survey", language: Language, *, verbose: bool) -> None:
    notes = [_said(note, language) for note in found.notes]
    notes += [t("init.ci_runs", command=each.command, source=each.source) for each in found.ci]
    if found.documents.tested_by and verbose:
        notes.append(t("init.documents_tested", source=found.documents.tested_by))
    if notes:
        print_line()
        print_line(paint(t("init.notes"), "bold"))
    for note in notes:
        print_line(f"  {one_line(note)}")


def _said(note: Phrase, language: Language) -> str:
    return say(note.key, language, **note.values)
