"""One small engine for programs of the form `manager [options] verb [verb] arguments`.

A manager is a table: which options take a value, and what each verb does, by the name of an act. A word that
is no known verb is passed over, because an option's value that the table does not know looks like one. A verb
that is not known at all does nothing here: breadth comes from tables, not from guesses.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Union

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import (
    Effect,
    Installs,
    Loads,
    Reads,
    Unknown,
    Writes,
)
from donewhen.guard.marks import WILD, anything, certain, could_be
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.network.address import host_of

Found = Iterable[Effect | Nested]
Verbs = Mapping[str, Union[str, "Verbs"]]
# acts with a command behind, whose words are its own
RUNS = frozenset(
    "run skip_one_and_run again workspace runner script uv_run hatch_run bun_run "
    "workspaces yarn_node plugin".split()
)
_PASSED = 4  # words without meaning before a verb


class Manager(NamedTuple):
    options: Options  # of every verb alike
    verbs: Verbs
    folders: tuple[str, ...] = ()  # options that name another folder to work in
    manifests: tuple[str, ...] = ()  # options that name the project by a file in its folder
    user_flags: frozenset[str] = frozenset()  # they make an installation the user's
    system_flags: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()  # options whose value is a folder that is filled
    registries: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()  # options whose value is a file that is written
    loads: frozenset[str] = frozenset()  # options that put other code into it
    runs: frozenset[str] = frozenset()  # options whose value is a shell text
    joins: frozenset[str] = frozenset()  # flags that make one shell text of the command behind
    shorthand: bool = False  # `user/project` is an address
    bare: str = ""  # act without any verb
    other: str = ""  # act for a word that is no verb
    dry: frozenset[str] = frozenset(("--dry-run",))


class Turn(NamedTuple):
    call: Call
    manager: Manager
    verb: str  # as written, several words joined
    rest: tuple[str, ...]  # behind the verb
    before: tuple[str, ...]  # in front of it

    @property
    def given(self) -> Given:
        """Options before and behind the verb, and the operands behind it."""
        front = read(self.before, self.manager.options)
        back = read(self.rest, self.manager.options)
        return Given(front.options + back.options, back.operands, front.unsure + back.unsure)

    @property
    def folder(self) -> str:
        """Where it works, when an option of its own says so, not one of a command behind the verb."""
        return self._folder(own_words(self)) if self.manager.folders else ""

    @property
    def project(self) -> str:
        """As `folder`, for verbs without a command behind: the option may stand anywhere."""
        table = self.manager
        return self._folder(self.before + self.rest) if table.folders or table.manifests else ""

    def _folder(self, words: tuple[str, ...]) -> str:
        given = read(words, self.manager.options)
        value = given.value(*self.manager.folders)
        if value is None and self.manager.manifests:
            value = (given.value(*self.manager.manifests) or "").rpartition("/")[0]
        return self.call.at(value) if value else ""


Act = Callable[[Turn], Found]


def manager(values: str = "", flags: str = "", **rows: object) -> Manager:
    """A table row; `values` and `flags` name options with their dashes."""
    letters = "".join(name[1:] for name in values.split() if len(name) == 2)
    long = " ".join(name[2:] for name in values.split() if name.startswith("--"))
    single = " ".join(name[1:] for name in values.split() if len(name) > 2 and name[1] != "-")
    own_flags = {name[2:] for name in flags.split() if name.startswith("--")}
    long_flags = " ".join(own_flags | (_FLAGS - set(long.split())))
    single_flags = " ".join(name[1:] for name in flags.split() if len(name) > 2 and name[1] != "-")
    table = options(
        values=letters, long_values=long, single=single, long_flags=long_flags, single_flags=single_flags
    )
    sets = {
        name: frozenset(value.split()) if isinstance(value, str) and name in _SETS else value
        for name, value in rows.items()
    }
    return Manager(table, **sets)  # type: ignore[arg-type]


# Names that would else be taken for the beginning of longer ones.
_FLAGS = frozenset(
    "all build dev dry-run edit exact fix force global help include-deps json latest "
    "local no only parallel pre prod "
    "production quiet recursive save silent system upgrade user verbose version watch yes".split()
)
_SETS = frozenset(
    ("user_flags", "system_flags", "targets", "registries", "files", "loads", "runs", "joins", "dry")
)


def verbs(**acts: str) -> dict[str, str | Verbs]:
    """A flat table: act → verbs in one text; `_` in an act's name stands for none (ordinary verbs)."""
    return {verb: act.rstrip("_") for act, words in acts.items() for verb in words.split()}


def reader(table: Manager, acts: Mapping[str, Act]) -> Reader:
    """The reader of one manager."""

    def read_call(call: Call) -> Iterator[Effect | Nested]:
        yield from _settings(call)
        turn, act = _turn(call, table)
        if turn is None:
            yield Unknown("guard.unknown_option", call.argv[0])
            return
        yield from mentioned(call, own_words(turn) if act in RUNS else call.argv[1:])
        yield from _by_option(turn, act)
        if act:
            yield from acts[act](turn)

    return read_call


def _by_option(turn: Turn, act: str) -> Found:
    """What options bring about whatever the verb is."""
    call, table = turn.call, turn.manager
    words = own_words(turn) if act in RUNS else _before_dashes(call.argv[1:])
    for word in words if table.loads else ():
        if word.partition("=")[0] in table.loads:
            yield Loads(f"{call.name} {word}")
    given = read(words, table.options).options if table.runs or table.files else ()
    for name, value in given:
        if name in table.runs and value:
            yield Text(value, call.name)
        elif name in table.files and value not in ("-", ""):
            yield Writes(call.at(value))
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
    behind = read(turn.rest, turn.manager.options._replace(first=True)).operands
    return turn.before + turn.rest[: len(turn.rest) - len(behind)]


def _turn(call: Call, table: Manager) -> tuple[Turn | None, str]:
    """The verb and what it does; None when the verb may be anything."""
    first = table.options._replace(first=True)
    level: Verbs = table.verbs
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
            if passed > _PASSED or (named and "" in level) or (not named and table.other):
                break
            start += 1
            continue
        start = behind = start + 1
        named.append(word)
        if isinstance(act, str):
            return Turn(call, table, " ".join(named), words[start:], words[: start - 1]), act
        level = act
    if named:
        default = level.get("")
        turn = Turn(call, table, " ".join(named), words[behind:], words[: behind - 1])
        return turn, default if isinstance(default, str) else ""
    return _without_verb(call, table, first)


def _hides(word: str, level: Verbs) -> bool:
    """May a word that is not wholly known be a verb?"""
    return (
        not certain(word)
        and "" not in level
        and (word[:1] in WILD or any(could_be(word, verb) for verb in level))
    )


def _without_verb(call: Call, table: Manager, first: Options) -> tuple[Turn, str]:
    words = call.argv[1:]
    operands = read(words, first).operands
    if operands:
        return Turn(call, table, "", operands, words[: len(words) - len(operands)]), table.other
    asked = any(word in ("--version", "-v", "-V", "--help", "-h") for word in words)
    return Turn(call, table, "", (), words), "" if asked else table.bare


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
    "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX_URL UV_DEFAULT_INDEX "
    "UV_INDEX UV_EXTRA_INDEX_URL "
    "npm_config_registry NPM_CONFIG_REGISTRY YARN_REGISTRY YARN_NPM_REGISTRY_SERVER "
    "GOPROXY BUNDLE_MIRROR__ALL".split()
)
_CODE = frozenset(
    "npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_prefix NPM_CONFIG_PREFIX "
    "npm_config_userconfig "
    "NPM_CONFIG_USERCONFIG RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC_LINKER "
    "PIP_CONFIG_FILE PIP_TARGET "
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
    "pypi.org test.pypi.org files.pythonhosted.org download.pytorch.org "
    "registry.npmjs.org registry.yarnpkg.com "
    "rubygems.org crates.io index.crates.io proxy.golang.org repo.packagist.org "
    "api.nuget.org localhost".split()
)


def foreign(registry: str) -> bool:
    """Another registry than those that everybody uses."""
    return registry not in ("", "direct", "off") and host_of(registry) not in _USUAL
