"""The old form of checks, a list of plain strings, brought to today's.

A command becomes `command_success`, a path `file_exists`; everything else only asks for an answer, with a
warning, because it proves nothing. Prose is never taken for a command: `make sure it works` is no make.
"""

import re
from collections.abc import Sequence
from shlex import join

from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.paths import relative
from donewhen.core.texts import Phrase
from donewhen.core.tree import AndOr, Pipeline, Refused, Simple, Statement

COMPLETE = frozenset("pytest tox nox make just rspec phpunit ctest golangci-lint".split())
RUNNERS = COMPLETE | frozenset(
    """npm npx pnpm pnpx yarn bun bunx deno node vitest jest mocha playwright cypress tsc eslint prettier
    biome python python3 py uv uvx poetry hatch pdm pipenv rye pip ruff mypy pyright black isort flake8 pylint
    coverage cargo rustc go gofmt staticcheck mvn mvnw gradle gradlew dotnet docker podman docker-compose
    kubectl helm terraform tflint ansible-lint bundle rake ruby rails composer php mix elixir rebar3 sbt lein
    swift xcodebuild flutter dart cmake ninja meson bazel task pre-commit shellcheck hadolint yamllint
    actionlint semgrep bandit bats zig""".split()
)
_TARGETS = frozenset(
    """all build check ci clean coverage cov dist docs e2e fmt format generate install integration lint
    package release run spec test tests typecheck types unit validate verify vet""".split()
)
_GO = "build clean doc env fix fmt generate get install list mod run test tool version vet work".split()
# After these names, which are words as well, the second word must fit; else it is prose.
_SECOND = dict.fromkeys("make just task mix rake ninja swift".split(), _TARGETS) | dict.fromkeys(
    "python python3 py node php ruby black".split(), frozenset[str]()
)
_SECOND["go"] = frozenset(_GO)
_NAMED_FILES = frozenset(
    """Dockerfile Containerfile LICENSE LICENCE COPYING NOTICE Makefile GNUmakefile makefile justfile Justfile
    Procfile Gemfile Rakefile Vagrantfile Jenkinsfile Brewfile Pipfile CODEOWNERS README CHANGELOG AUTHORS
    CONTRIBUTING VERSION BUILD WORKSPACE Caddyfile Tiltfile Earthfile Taskfile""".split()
)
_VERSION = re.compile(r"[vV]?\d+(\.\d+)*([-+.]?(alpha|beta|rc|dev|post)[.\d]*)?")
_EXTENSION = re.compile(r"[^\s/]*\.[A-Za-z][A-Za-z0-9_+-]*")


def migrate(
    entries: Sequence[str], parse: Parse, targets: frozenset[str], place: str
) -> tuple[list[Check], list[Phrase]]:
    found: list[Check] = []
    warnings: list[Phrase] = []
    for number, entry in enumerate(entries, 1):
        text, here = entry.strip(), f"{place}[{number}]"
        if not text:
            continue
        commands = _commands(text, parse, targets)
        if commands:
            found += [Check("command_success", command) for command in commands]
        elif is_path(text):
            if relative(text) is None:
                raise UserError("checks.outside", place=here, target=text)
            found.append(Check("file_exists", text))
        else:
            found.append(Check("output_only", text))
            warnings.append(Phrase("checks.proves_nothing", {"place": here, "text": text}))
    return found, warnings


def is_path(text: str) -> bool:
    if any(char.isspace() for char in text) or "://" in text or _VERSION.fullmatch(text):
        return False
    return "/" in text or text in _NAMED_FILES or bool(_EXTENSION.fullmatch(text))


def _commands(text: str, parse: Parse, targets: frozenset[str]) -> list[str]:
    """The commands of a chain, one by one; a line that needs a shell stays whole; none when it is prose."""
    tree = parse(text)
    if isinstance(tree, Refused) or not tree:
        return []
    parts = [part for statement in tree for part in _parts(statement)]
    if None in parts:
        first = _first(tree[0])
        return [text] if first and _is_command(first, targets) else []
    simple = [part for part in parts if part]
    if not all(_is_command(part, targets) for part in simple):
        return []
    commands = [part for part in simple if part.words[0].text != "cd"]
    return [text] if len(simple) == len(commands) == 1 else [_text(part) for part in commands]


def _parts(statement: Statement) -> list[Simple | None]:
    """The plain commands of a `&&` chain; None for a part that is more than that."""
    command = statement.command
    if isinstance(command, AndOr) and all(operator == "&&" for operator, _ in command.rest):
        return [_plain(part) for part in (command.first, *(part for _, part in command.rest))]
    return [_plain(statement)]


def _plain(statement: Statement) -> Simple | None:
    more = statement.negated or statement.background or statement.redirects
    return statement.command if isinstance(statement.command, Simple) and not more else None


def _first(statement: Statement) -> Simple | None:
    """The command that a line begins with."""
    command = statement.command
    while isinstance(command, AndOr | Pipeline):
        command = (command.first if isinstance(command, AndOr) else command.parts[0]).command
    return command if isinstance(command, Simple) else None


def _is_command(part: Simple, targets: frozenset[str]) -> bool:
    words = [word.text for word in part.words]
    if not words:
        return False
    name = words[0].rpartition("/")[2]
    if words[0] == "cd":
        return len(words) == 2
    if words[0].startswith("./") and len(words) > 1 and name not in RUNNERS:
        return True
    if name not in RUNNERS:
        return False
    if len(words) == 1:
        return name in COMPLETE
    return name not in _SECOND or _fits(words[1], _SECOND[name] | targets)


def _fits(word: str, known: frozenset[str]) -> bool:
    return word in known or word.startswith("-") or "=" in word or is_path(word)


def _text(part: Simple) -> str:
    env = "".join(f"{assign.name}={assign.value.text} " for assign in part.assigns)
    return env + join(word.text for word in part.words)
