"""The configuration file that a survey gives: short, commented, and every value with where it came from.

Whatever comes from the project is quoted as YAML or made harmless in a comment, so no name can add a setting.
A line whose `#` is followed by anything but one blank is a setting that is switched off: without its `#` the
file is as valid as before. Nothing is written here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from donewhen.config.places import harmless
from donewhen.core.accept import Accept, read_accept
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.texts import Language, say
from donewhen.intake.survey import Survey
from donewhen.intake.survey_reading import at
from donewhen.project.folder import Folder

_PLAIN = re.compile(r"(?!-?\.?[0-9])[A-Za-z_./-][A-Za-z0-9_./@=+-]*")
_PROPOSED = ("lint", "types", "format")
# tools of projects that our gates ask themselves
_ASKED = frozenset(
    "mypy pyright tsc ruff flake8 pylint eslint golangci-lint clippy bandit coverage nyc".split()
)
_MOST_PROPOSED = 6
_BUILDS = ("scripts.build", "scripts.compile", "scripts.prepare")  # that the tests need before
_LONGEST_NAME = 190
# where a project says its name
_NAMES = (
    ("package.json", ("name",)),
    ("pyproject.toml", ("project", "name")),
    ("pyproject.toml", ("tool", "poetry", "name")),
    ("Cargo.toml", ("package", "name")),
    ("composer.json", ("name",)),
)


class Value(NamedTuple):
    """A setting and where it came from; an empty text leaves the setting out."""

    text: str
    source: str


class Gate(NamedTuple):
    name: str
    argv: tuple[str, ...]
    source: str


def project_name(root: Folder) -> Value:
    """The name that a manifest gives, else the folder's."""
    for file, keys in _NAMES:
        data = root.table(file)
        found = at(data, *keys)
        if isinstance(found, str) and _is_name(found):
            return Value(found, f"{file} {'.'.join(keys)}")
    folder = root.folder.name
    return Value(folder if _is_name(folder) else "", f"{folder}/")


def config_text(survey: Survey, name: Value, branch: Value, parse: Parse, language: Language) -> str:
    """The whole file."""
    writer = _Writer(language)
    lines = [
        *writer.prose("", "file_head", "file_keys", "file_off"),
        "",
        *writer.project(name, branch),
        "",
        *writer.verification(gates(survey, parse), proposed(survey, parse), _example(survey, parse)),
        "",
        *writer.evidence(survey),
        "",
        *writer.rest(survey),
    ]
    return "\n".join(lines) + "\n"


def gates(survey: Survey, parse: Parse) -> tuple[Gate, ...]:
    """The test commands of the whole as gates, each with a name of its own."""
    found: list[Gate] = []
    for test in survey.tests:
        kind = "build" if test.source.endswith(_BUILDS) else "tests"
        for entry in _entries(test.line, parse):
            another = entry.cwd or (test.language if any(gate.name == kind for gate in found) else "")
            found.append(
                Gate(_free(f"{kind}:{another}" if another else kind, found), gate_argv(entry), test.source)
            )
    return tuple(found)


def proposed(survey: Survey, parse: Parse) -> tuple[Gate, ...]:
    """What could be required as well: gates of tools that the project configures, and commands of its own."""
    known = {each.role: each for each in reversed(survey.gates) if each.name in _ASKED}
    found = [Gate(role, (), f"{each.name}: {each.source}") for role, each in sorted(known.items())]
    for command in survey.project.commands:
        if command.role in _PROPOSED and command.role not in known and len(found) < _MOST_PROPOSED:
            entries = _entries(command.command, parse)
            found += [Gate(_free(command.role, found), gate_argv(each), command.source) for each in entries]
    return tuple(found)


def gate_argv(entry: Accept) -> tuple[str, ...]:
    """The words of a gate; a folder or variables need a shell, whose line reads back as the same entry."""
    if not entry.cwd and not entry.env:
        return entry.argv
    return ("sh", "-c", entry.line if entry.cwd else entry.text)


class _Writer:
    def __init__(self, language: Language) -> None:
        self._language = language

    def prose(self, indent: str, *keys: str, **values: object) -> list[str]:
        shown = {name: harmless(str(value)) for name, value in values.items()}
        return [f"{indent}# {say(f'init.{key}', self._language, **shown)}" for key in keys]

    def project(self, name: Value, branch: Value) -> Iterator[str]:
        yield "project:"
        yield _setting("  ", "name", name) if name.text else "  #name: shop"
        yield _setting("  ", "targetBranch", branch) if branch.text else "  #targetBranch: main"

    def verification(self, must: tuple[Gate, ...], may: tuple[Gate, ...], example: Gate) -> Iterator[str]:
        yield "verification:"
        yield from self.prose("  ", "file_profile")
        yield "  #profile: edit_code"
        if must:
            yield "  quality:"
            yield from self.prose("    ", "file_gates")
            yield "    gates:"
            yield from (line for gate in must for line in _gate("      ", gate))
            yield from self._may(may)
        else:
            yield from self.prose("  ", "file_no_tests")
            listed = [line for gate in (example, *may) for line in _gate("    ", gate)]
            yield from (f"  #{line}" for line in ("quality:", "  gates:", *listed))
        yield from self.prose("  ", "file_timeout")
        yield "  #execution:"
        yield "  #  test_timeout: 300"

    def _may(self, may: tuple[Gate, ...]) -> Iterator[str]:
        if may:
            yield from self.prose("      ", "file_may")
            yield from (f"      #{line}" for gate in may for line in _gate("", gate))

    def evidence(self, survey: Survey) -> Iterator[str]:
        found = survey.documents
        if found.tested_by:
            yield from self.prose("", "file_tested", source=found.tested_by)
        else:
            yield from self.prose("", "file_irrelevant")
        yield "#evidence:"
        yield f"#  irrelevant: {_flow(found.patterns)}"

    def rest(self, survey: Survey) -> Iterator[str]:
        sources = [source for manager in survey.managers for source in manager.sources]
        yield from self.prose("", "file_setup")
        yield "#workspace:"
        yield f"#  setup: auto{_from(', '.join(sources[:6]))}"
        yield ""
        yield from self.prose("", "file_sandbox")
        yield "#sandbox:"
        yield "#  mode: auto"
        yield "#  exam_network: none"
        yield ""
        yield from self.prose("", "file_budget")
        yield "#budget:"
        yield "#  total: 10"


def _gate(indent: str, gate: Gate) -> list[str]:
    if not gate.argv:  # one of donewhen's own
        return [f"{indent}- {gate.name}{_from(gate.source)}"]
    return [
        f"{indent}- name: {_scalar(gate.name)}",
        f"{indent}  command: {_flow(gate.argv)}{_from(gate.source)}",
    ]


def _setting(indent: str, key: str, value: Value) -> str:
    return f"{indent}{key}: {_scalar(value.text)}{_from(value.source)}"


def _from(source: str) -> str:
    return f"  # {harmless(source)}" if source else ""


def _flow(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_scalar, words))}]"


def _scalar(text: str) -> str:
    """A text in any place of a YAML file; what is not plainly a word is quoted, odd characters escaped."""
    import yaml

    style = None if _PLAIN.fullmatch(text) else '"'
    shown = text.isprintable()
    flow = yaml.safe_dump(
        [text], default_flow_style=True, default_style=style, width=10**9, allow_unicode=shown
    )
    return str(flow).strip()[1:-1]


def _entries(line: str, parse: Parse) -> tuple[Accept, ...]:
    try:
        return read_accept(line, parse)
    except UserError:  # a name that no plain command line can hold
        return ()


def _example(survey: Survey, parse: Parse) -> Gate:
    """What the file shows where no test command was found: what CI runs, if that is plain."""
    for hint in survey.ci:
        entries = _entries(hint.command, parse)
        if len(entries) == 1:
            return Gate("tests", gate_argv(entries[0]), hint.source)
    return Gate("tests", ("make", "test"), "")


def _free(base: str, taken: Iterable[Gate]) -> str:
    """The name, with a number where it is taken: entries of one name would replace each other."""
    base = base[:_LONGEST_NAME]
    names = {gate.name for gate in taken}
    return next(
        name for n in range(1, len(names) + 2) if (name := base if n == 1 else f"{base}:{n}") not in names
    )


def _is_name(text: str) -> bool:
    return bool(text.strip()) and len(text) <= _LONGEST_NAME and text.isprintable()
