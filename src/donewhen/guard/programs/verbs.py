"""Programs of the form `manager [options] verb [verb] arguments`, by the tables of verbs in their rows.

A word that is no known verb is passed over, because an option's value that the table does not know looks like
one. A verb that is not known at all does what the row says of others, else nothing: breadth comes from
tables.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.guard.call import Call, Nested
from donewhen.guard.effects import Effect, Installs, Loads, Reads, Unknown
from donewhen.guard.marks import WILD, anything, certain, could_be
from donewhen.guard.options import Given, read
from donewhen.guard.programs.network.address import host_of
from donewhen.guard.programs.rows import HELP, Program, by_options, read_row

Found = Iterator[Effect | Nested]
Level = Mapping[str, Any]  # verb → act, or the verbs behind it
# Acts with a command behind, whose words are its own.
RUNS = frozenset(
    (
        "run",
        "run-second",
        "again",
        "again-second",
        "package",
        "script",
        "code-pipx-run",
        "code-uv-run",
        "code-hatch-run",
        "code-bun-run",
        "code-yarn-node",
        "code-plugin",
    )
)
_PASSED = 4  # words without meaning before a verb
_TRIALS = frozenset(
    "--dry-run --dry-run=client --dry-run=server --dry-run=true --dryrun --dry --noop --what-if --whatif "
    "--check-only --validate-only --just-print".split()
)


class Turn(NamedTuple):
    call: Call
    known: Program
    verb: str  # as written, several words joined
    rest: tuple[str, ...]  # behind the verb
    before: tuple[str, ...]  # in front of it

    @property
    def given(self) -> Given:
        """Options before and behind the verb, and the operands behind it."""
        front = read(self.before, self.known.table)
        back = read(self.rest, self.known.table)
        return Given(front.options + back.options, back.operands, front.unsure + back.unsure)

    @property
    def folder(self) -> str:
        """Where it works, when an option of its own says so, not one of a command behind the verb."""
        return self._folder(own_words(self)) if self.known.text("folders") else ""

    @property
    def project(self) -> str:
        """As `folder`, for verbs without a command behind: the option may stand anywhere."""
        named = self.known.text("folders") or self.known.text("manifests")
        return self._folder(self.before + self.rest) if named else ""

    def _folder(self, words: tuple[str, ...]) -> str:
        given = read(words, self.known.table)
        value = given.value(*self.known.words("folders"))
        if value is None and self.known.text("manifests"):
            value = (given.value(*self.known.words("manifests")) or "").rpartition("/")[0]
        return self.call.at(value) if value else ""

    @property
    def name(self) -> str:
        return f"{self.call.name} {self.verb}".strip()

    @property
    def tried(self) -> bool:
        valued = self.known.words("values")  # `cargo yank --version 1.0.0` asks for nothing
        words = tuple(word for word in self.before + self.rest if word not in valued)
        return trial(words, self.known.words("dry"))


def trial(words: tuple[str, ...], more: frozenset[str] = frozenset()) -> bool:
    """Asked for help or for a trial run; a switch that is set back does not count."""
    own = words[: words.index("--")] if "--" in words else words
    if any(word in HELP or word == "-h" for word in own):
        return True
    at = next((at for at, word in enumerate(own) if word in _TRIALS or word in more), None)
    if at is None:
        return False
    undone = ("--dry-run=none", "--dry-run=false", "--no-dry")
    return own[at + 1 : at + 2] not in (("false",), ("none",)) and not any(
        word.startswith(undone) for word in own
    )


def read_verbs(call: Call, known: Program, acts: Mapping[str, Callable[[Turn], Iterable[Any]]]) -> Found:
    yield from _settings(call)
    turn, act = _turn(call, known)
    if turn is None:
        yield Unknown("guard.unknown_option", call.argv[0])
        return
    if known.operands and not turn.verb:
        yield from read_row(call, known)
        return
    own = own_words(turn) if act in RUNS else call.argv[1:]
    yield from mentioned(call, own)
    yield from _by_option(turn, act)
    if act:
        yield from acts[act](turn)


def _by_option(turn: Turn, act: str) -> Found:
    """What options bring about whatever the verb is."""
    call, known = turn.call, turn.known
    words = own_words(turn) if act in RUNS else _before_dashes(call.argv[1:])
    loads = known.words("loads")
    for word in words if loads else ():
        if word.partition("=")[0] in loads:
            yield Loads(f"{call.name} {word}")
    if known.roles:
        yield from by_options(call, known, read(words, known.table).options)
    if act not in RUNS:
        yield from outside(call, turn.project)


def outside(call: Call, folder: str) -> Iterator[Effect]:
    """Another place to work in: what a build does there, its build files decide."""
    places = (call.ground.workspace, *call.ground.writable)
    own = not anything(folder) and any(f"{folder}/".startswith(f"{place}/") for place in places)
    if folder and not own:
        yield Unknown("guard.unknown_path", folder)


def _before_dashes(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def own_words(turn: Turn) -> tuple[str, ...]:
    """Words of the manager itself, not of the command behind its verb."""
    behind = read(turn.rest, turn.known.first).operands
    return turn.before + turn.rest[: len(turn.rest) - len(behind)]


_LEVELS: dict[int, tuple[Mapping[str, Any], Level]] = {}


def _level(table: Mapping[str, Any]) -> Level:
    """A table of acts and their verbs, the other way round; the empty verb is the default."""
    known = _LEVELS.get(id(table))
    if known is None or known[0] is not table:
        known = _LEVELS[id(table)] = table, _turned(table)
    return known[1]


def _turned(table: Mapping[str, Any]) -> Level:
    level: dict[str, Any] = {}
    for act, words in table.items():
        if isinstance(words, dict):
            level.update(dict.fromkeys(act.split(), words))
        elif act == "default":
            level[""] = words
        else:
            level.update(dict.fromkeys(words.split(), act))
    return level


def _turn(call: Call, known: Program) -> tuple[Turn | None, str]:
    """The verb and what it does; None when the verb may be anything."""
    first = known.first
    level = _level(known.row.get("verbs", {}))
    words = call.argv[1:]
    start = behind = passed = 0
    named: list[str] = []
    while start < len(words):
        start = len(words) - len(read(words[start:], first).operands)
        if start == len(words):
            break
        word = words[start]
        act = level.get(word)
        if act is None:
            if _hides(word, level):
                return None, ""
            passed += 1
            if passed > _PASSED or (named and "" in level) or (not named and known.text("other")):
                break
            start += 1
            continue
        start = behind = start + 1
        named.append(word)
        if isinstance(act, str):
            return Turn(call, known, " ".join(named), words[start:], words[: start - 1]), act
        level = _level(act)
    if named:
        default = level.get("", "")
        return Turn(call, known, " ".join(named), words[behind:], words[: behind - 1]), default
    operands = read(words, first).operands
    if operands:
        turn = Turn(call, known, "", operands, words[: len(words) - len(operands)])
        return turn, known.text("other")
    asked = any(word in ("--version", "-v", "-V", "--help", "-h") for word in words)
    return Turn(call, known, "", (), words), "" if asked else known.text("bare")


def _hides(word: str, level: Level) -> bool:
    """May a word that is not wholly known be a verb?"""
    return (
        not certain(word)
        and "" not in level
        and (word[:1] in WILD or any(could_be(word, verb) for verb in level))
    )


def mentioned(call: Call, words: Sequence[str]) -> Iterator[Effect]:
    """Arguments that could be paths of files; whatever is given a secret may show it."""
    for word in words:
        key, equals, value = word.rpartition("=")
        named = bool(equals) and " " not in key  # a sentence with `=` in it is no setting
        path = value.lstrip("@") if named or word.startswith("@") else word
        if ("." in path or "/" in path) and path[0] != "-" and " " not in path and "://" not in path:
            yield from () if anything(path) else (Reads(call.at(path)),)


# Settings in the environment that choose another source, or other code to be run.
_SOURCES = frozenset(
    "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX_URL UV_DEFAULT_INDEX UV_INDEX "
    "UV_EXTRA_INDEX_URL "
    "npm_config_registry NPM_CONFIG_REGISTRY YARN_REGISTRY YARN_NPM_REGISTRY_SERVER GOPROXY "
    "BUNDLE_MIRROR__ALL".split()
)
_CODE = frozenset(
    "npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_prefix NPM_CONFIG_PREFIX "
    "npm_config_userconfig "
    "NPM_CONFIG_USERCONFIG RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC_LINKER PIP_CONFIG_FILE "
    "PIP_TARGET "
    "PIP_PREFIX RUBYOPT CARGO_BUILD_RUSTC_WRAPPER".split()
)
_CACHES = frozenset(("sccache", "ccache"))


def _settings(call: Call) -> Iterator[Effect]:
    for name, value in call.env.items():
        if name in _SOURCES and foreign(value):
            yield Installs(call.name, "project", value)
        elif name in _CODE or (name.startswith("CARGO_TARGET_") and "RUNNER" in name):
            if value.rpartition("/")[2] not in _CACHES:
                yield Loads(name)
        elif name == "GOFLAGS" and "exec" in value:
            yield Loads(name)
        elif name.lower() in ("npm_config_global", "npm_config_location", "pip_user"):
            yield Installs(call.name, "user")


# Registries that everybody uses; naming one of them changes nothing.
_USUAL = frozenset(
    "pypi.org test.pypi.org files.pythonhosted.org download.pytorch.org registry.npmjs.org "
    "registry.yarnpkg.com "
    "rubygems.org crates.io index.crates.io proxy.golang.org repo.packagist.org api.nuget.org "
    "localhost".split()
)


def foreign(registry: str) -> bool:
    """Another registry than those that everybody uses."""
    return registry not in ("", "direct", "off") and host_of(registry) not in _USUAL
