"""The old form of checks, a list of plain strings, brought to today's.

A command becomes `command_success`, a path `file_exists`; everything else only asks for an answer, with a
warning, because it proves nothing. Prose is never taken for a command: `make sure it works` is no make.
"""

import re
from collections.abc import Sequence
from shlex import join

from donewhen.core.accept import Parse
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.paths import relative
from donewhen.core.texts import say
from donewhen.core.tree import AndOr, Refused, Simple, Statement

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
) -> tuple[list[Check], list[str]]:
    found: list[Check] = []
    warnings: list[str] = []
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
            warnings.append(say("checks.proves_nothing", "en", place=here, text=text))
    return found, warnings


def is_path(text: str) -> bool:
    if any(char.isspace() for char in text) or "://" in text or _VERSION.fullmatch(text):
        return False
    return "/" in text or text in _NAMED_FILES or bool(_EXTENSION.fullmatch(text))


def _commands(text: str, parse: Parse, targets: frozenset[str]) -> list[str]:
    """The commands of a chain, each as written where it stands alone; none when any part is prose."""
    tree = parse(text)
    if isinstance(tree, Refused) or len(tree) != 1:
        return []
    parts = _parts(tree[0])
    if not all(_is_command(part, targets) for part in parts):
        return []
    commands = [part for part in parts if part.words[0].text != "cd"]
    if len(parts) == 1:
        return [text] if commands else []
    return [_text(part) for part in commands]


def _parts(statement: Statement) -> list[Simple]:
    command = statement.command
    if isinstance(command, AndOr) and all(operator == "&&" for operator, _ in command.rest):
        parts = [command.first.command, *(part.command for _, part in command.rest)]
    else:
        parts = [command]
    return [part if isinstance(part, Simple) else Simple() for part in parts]


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
