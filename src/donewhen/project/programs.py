"""Which language's tools a command needs, told by the program that it starts.

A program that no table knows, and one that may start anything (make, a script), may need every language of
the project: that is *maybe*, and the caller decides what it is worth.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shutil import which
from typing import Literal, NamedTuple

from donewhen.commands.calls import program_name
from donewhen.core.tree import Simple, Statement, Word
from donewhen.project.folder import Folder
from donewhen.shell import unwrap
from donewhen.shell.words import simples

Need = Literal["sure", "maybe", "no"]
Names = frozenset[str]  # all names that one program goes by
_WRAPPERS = frozenset(
    """
    env timeout nice ionice nohup time stdbuf xvfb-run dotenv cross-env command exec sudo setsid unbuffer
    """.split()
)
# the programs that come with a language or can only be meant for one
PROGRAMS: dict[str, frozenset[str]] = {
    language: frozenset(names.split())
    for language, names in {
        "javascript": """node nodejs npm npx pnpm pnpx yarn yarnpkg bun bunx corepack tsx ts-node tsc jest
            vitest mocha ava tap tape jasmine karma cypress playwright eslint nyc c8 turbo nx lerna grunt gulp
            xo standard tslint webpack vite rollup""",
        "python": """python python3 pytest py.test tox nox uv uvx poetry pdm pipenv hatch rye coverage mypy
            ruff pyright flake8 pylint black pip pip3 trial stestr nosetests""",
        "go": "go gotestsum ginkgo golangci-lint staticcheck mage",
        "rust": "cargo rustc cross",
        "java": "mvn mvnw mvnd gradle gradlew java ant",
        "ruby": "ruby bundle bundler rake rspec rails gem",
        "php": "php composer phpunit pest phpstan",
        "dotnet": "dotnet",
        "elixir": "mix elixir",
        "dart": "dart flutter",
        "deno": "deno",
        "swift": "swift",
        "scala": "sbt",
        "haskell": "stack cabal ghc",
        "zig": "zig",
    }.items()
}
MANIFESTS: dict[str, tuple[str, ...]] = {
    "javascript": ("package.json",),
    "python": ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "Pipfile"),
    "go": ("go.work", "go.mod"),
    "rust": ("Cargo.toml",),
    "java": ("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "ruby": ("Gemfile",),
    "php": ("composer.json",),
    "elixir": ("mix.exs",),
    "dart": ("pubspec.yaml",),
    "deno": ("deno.json", "deno.jsonc"),
    "swift": ("Package.swift",),
    "scala": ("build.sbt",),
    "haskell": ("stack.yaml", "cabal.project"),
    "zig": ("build.zig",),
}
LOCKED_BY = {
    "uv.lock": "uv run",
    "poetry.lock": "poetry run",
    "pdm.lock": "pdm run",
    "Pipfile.lock": "pipenv run",
}  # the tool that runs commands where this lock file is
_KNOWN = frozenset().union(*PROGRAMS.values())


_ANY: frozenset[str] = frozenset()
# Builds take as long as tests: the program, and the words of which one must stand in it; none: always.
_BUILDS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys("make gmake ninja just task rake ant sbt mvn mvnw gradle gradlew lein".split(), _ANY),
    **dict.fromkeys("tsc webpack rollup esbuild msbuild xcodebuild nox tox meson scons".split(), _ANY),
    **dict.fromkeys("npm pnpm yarn bun deno npx turbo nx lerna vite next ng".split(), frozenset(("build",))),
    **dict.fromkeys("python flit".split(), frozenset(("build",))),
    **dict.fromkeys("uv poetry pdm hatch pipenv rye".split(), frozenset(("build", "run", "test"))),
    **dict.fromkeys("docker podman buildah bazel bazelisk buck2 zig swift".split(), frozenset(("build",))),
    **dict.fromkeys("dotnet stack cabal".split(), frozenset(("build", "publish"))),
    "cargo": frozenset(("build", "check", "clippy", "doc")),
    "go": frozenset(("build", "vet", "install", "generate")),
    "cmake": frozenset(("--build",)),
    "mix": frozenset(("compile",)),
    **dict.fromkeys("mypy pyright golangci-lint eslint pylint".split(), _ANY),  # they read the whole project
}
# In another folder these compile everything anew, however short the run was that found it compiled.
_COMPILERS = frozenset(
    "cargo go mvn mvnw gradle gradlew sbt dotnet swift zig bazel cmake ctest ninja stack cabal".split()
)


def started(argv: Sequence[str]) -> str:
    """The word by which a command starts its program, behind `env`, `timeout` and their kind."""
    wrapped = False
    for word in argv[:40]:
        if word.rpartition("/")[2] in _WRAPPERS:
            wrapped = True
        elif not (wrapped and (word.startswith("-") or "=" in word or word[:1].isdigit())):
            return word
    return ""


def program(argv: Sequence[str]) -> str:
    """The name of that program, without its folder."""
    return started(argv).rpartition("/")[2]


def absent(commands: Iterable[Sequence[str]], names: Iterable[str], env: Mapping[str, str]) -> str:
    """The first of the programs `names` that a command starts and the PATH has not; empty when all are there.

    What lies in the project itself (`./gradlew`, `vendor/bin/phpunit`) is not looked for.
    """
    known = frozenset(names)
    for word in dict.fromkeys(map(started, commands)):
        own = "/" in word and not word.startswith("/")
        if not own and word.rpartition("/")[2] in known and which(word, path=env.get("PATH", "")) is None:
            return word.rpartition("/")[2]
    return ""


def need(commands: Iterable[Sequence[str]], language: str, own: frozenset[str] = frozenset()) -> Need:
    """Whether any of the commands needs `language`; `own` are programs that the project itself brings."""
    programs = PROGRAMS[language] | own
    names = {program(argv) for argv in commands} - {""}
    if names & programs:
        return "sure"
    return "maybe" if any(name not in _KNOWN and not name.startswith("python3.") for name in names) else "no"


def has_other_languages(folder: Folder, language: str) -> bool:
    """Whether the project is not in `language` alone: then a *maybe* may fail without harm."""
    return any(folder.first(*names) for other, names in MANIFESTS.items() if other != language)


class Heads(NamedTuple):
    all: tuple[Names, ...]  # wrappers too
    last: tuple[Names, ...]  # what does the work: wrappers that only pass on are left out


def heads_of(argv: tuple[str, ...]) -> Heads:
    """Which programs a command runs, also behind `env`, `timeout`, `bash -c` …; no script file is opened."""
    words = tuple(map(Word, argv))
    tree = (Statement(Simple(words, inner=unwrap(words))),)
    every = tuple(_names(each) for each in _every(tree))
    return Heads(every, tuple(_names(each) for each in simples(tree)))


def head_of(command: str) -> str:
    """The program that an entry of a list names: `go test` means `go`."""
    return (command.split() or [""])[0].rpartition("/")[2]


def _every(tree: object) -> Iterator[Simple]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            if isinstance(node, Simple) and node.words:
                yield node
            stack.extend(reversed(node))


def _names(command: Simple) -> Names:
    words = [word.text for word in command.words]
    base = words[0].rpartition("/")[2]
    spelled = program_name(base)[0]
    module = {words[2]} if spelled == "python" and words[1:2] == ["-m"] and len(words) > 2 else set[str]()
    return frozenset({base, spelled, *module})


def is_build(argv: tuple[str, ...]) -> bool:
    """Whether it takes as long as tests do."""
    words = frozenset(argv[1:])
    return any(
        name in _BUILDS and (not _BUILDS[name] or words & _BUILDS[name])
        for names in heads_of(argv).last
        for name in names
    )


def is_compiler(argv: tuple[str, ...]) -> bool:
    """Whether it compiles everything anew in another folder."""
    return any(names & _COMPILERS for names in heads_of(argv).last)
