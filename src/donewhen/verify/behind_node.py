"""Scripts of package.json, whichever manager or runner of scripts starts them.

What a runner does with several packages of a workspace is left unknown.
"""

import fnmatch
import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from donewhen.core.commands.tools.names import MANAGERS, program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Ground, Step, join

_ALL_OF = frozenset(("run-s", "run-p", "npm-run-all", "npm-run-all2", "run-pty"))
_WRAPPERS = frozenset("npx bunx nyc c8 env-cmd dotenv dotenvx infisical doppler corepack".split())
_SERVE_AND = frozenset(("start-server-and-test", "server-test", "start-test"))
_MORE_VALUES = frozenset(
    "-n --names -c --prefix-colors -p --prefix --restart-tries --max-processes -m".split()
)
_MOST_SCRIPTS = 50
_BARE = frozenset(("quiet", "strict", "where", "mask"))  # effects after which the script is still this one


def node(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The steps of the script that a line runs; None when it runs none that is known."""
    words = _unwrapped(words)
    program = program_name(words[0])[0] if words else ""
    if program in MANAGERS:
        return _managed(words, folder, ground)
    if program in _ALL_OF:
        return _several(words[1:], _scripts(folder, ground), folder)
    if program in _SERVE_AND and len(words) > 1:
        return _script(words[-1], _scripts(folder, ground), folder)
    if program in ("concurrently", "conc"):
        return _beside(words[1:], _scripts(folder, ground), folder)
    return None


def manifest(folder: str, ground: Ground, name: str, group: str) -> dict[str, Any]:
    """A mapping in a JSON file of the project; empty when there is none."""
    path = join(folder, name)
    try:
        data = json.loads((path and ground.text(path)) or "null")
    except (ValueError, RecursionError):
        return {}
    found = data.get(group) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _scripts(folder: str, ground: Ground) -> dict[str, str]:
    found = manifest(folder, ground, "package.json", "scripts")
    return {name: text for name, text in found.items() if isinstance(text, str)}


def _unwrapped(words: Sequence[str]) -> Sequence[str]:
    """`nyc npm run unit`: the wrapper hands the status on."""
    for _ in range(3):
        if not words or program_name(words[0])[0] not in _WRAPPERS:
            break
        rest = [at for at, word in enumerate(words) if at and _is_runner(word)]
        if not rest:
            break
        words = words[rest[0] :]
    return words


def _is_runner(word: str) -> bool:
    name = program_name(word)[0]
    return name in MANAGERS or name in _ALL_OF or name in _SERVE_AND or name in ("concurrently", *_WRAPPERS)


def _managed(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    call = name_call(tuple(Word(word) for word in words))
    if call.tool or call.grammar != "npm" or not call.name.startswith("npm "):
        return None
    if any(each.effect not in _BARE for each in call.settings):
        return None
    where = [each.value for each in call.settings if each.effect == "where" and each.value]
    at = join(folder, where[-1]) if where else folder
    if at is None:
        return None
    script = call.name.removeprefix("npm ").removeprefix("run ")
    return _script(script, _scripts(at, ground), at, _given(words, script))


def _given(words: Sequence[str], script: str) -> Sequence[str]:
    """What the script is given: after `--` with npm, after its name with the others."""
    if "--" in words:
        return words[list(words).index("--") + 1 :]
    if program_name(words[0])[0] == "npm":
        return ()
    named = [at for at, word in enumerate(words) if at and word in (script, "t", "tst")]
    return words[named[0] + 1 :] if named else ()


def _script(
    name: str, scripts: Mapping[str, str], folder: str, given: Sequence[str] = ()
) -> tuple[Step, ...] | None:
    if name not in scripts:
        return None
    source = join(folder, "package.json")
    return tuple(
        Step(
            f"{source} scripts.{each}",
            _with(scripts[each], given if each == name else ()),
            folder,
            aside=each != name,
        )
        for each in (f"pre{name}", name, f"post{name}")
        if each in scripts
    )


def _with(text: str, given: Sequence[str]) -> str:
    return f"{text} {shlex.join(given)}" if given else text


def _several(words: Sequence[str], scripts: Mapping[str, str], folder: str) -> tuple[Step, ...] | None:
    """run-s, run-p, npm-run-all: patterns over names, of which `*` stays between two colons."""
    if "--" in words:
        words = words[: list(words).index("--")]
    wanted = [word.split()[0] for word in words if not word.startswith("-") and word.strip()]
    return _named(wanted, scripts, lambda name: _script(name, scripts, folder))


def _beside(words: Sequence[str], scripts: Mapping[str, str], folder: str) -> tuple[Step, ...] | None:
    """concurrently: `npm:name` or a whole command in each word; another rule of success is not followed."""
    steps: list[Step] = []
    skip = False
    for word in words:
        if skip or word.startswith("-"):
            if word.startswith(("--success", "-s", "--passthrough", "-P")):
                return None
            skip = word in _MORE_VALUES
            continue
        manager, colon, pattern = word.partition(":")
        if colon and manager in (*MANAGERS, "node") and " " not in word:
            found = _named([pattern], scripts, lambda name: _script(name, scripts, folder))
            if found is None:
                return None
            steps += found
        else:
            steps.append(Step(f"{join(folder, 'package.json')} concurrently", word, folder))
    return tuple(steps) or None


def _named(
    patterns: Sequence[str],
    scripts: Mapping[str, str],
    steps_of: Callable[[str], tuple[Step, ...] | None],
) -> tuple[Step, ...] | None:
    steps: list[Step] = []
    for pattern in patterns:
        names = list(_matching(pattern, scripts))
        if not names:
            return None  # a name that is not there: we don't know what this runner does
        for name in names[:_MOST_SCRIPTS]:
            steps += steps_of(name) or ()
    return tuple(steps) or None


def _matching(pattern: str, scripts: Mapping[str, str]) -> Iterator[str]:
    wanted = pattern.split(":")
    for name in scripts:
        parts = name.split(":")
        if "**" in wanted[-1:] and len(parts) >= len(wanted):
            parts = [*parts[: len(wanted) - 1], "x"]
        if len(parts) == len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted)):
            yield name
