"""Package managers: which script a line runs, and the tools that stand for the usual ones.

A script keeps its name, whichever manager starts it; `bun test` is bun's own runner and no script.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.commands.tools.grammar import Effect
from donewhen.commands.tools.programs import grammars
from donewhen.commands.tools.programs.scripts import SCRIPT_KINDS
from donewhen.commands.tools.reading import Call, Setting, find, head, one_option, plain, read
from donewhen.core.tree import Word

_RUN = frozenset({"run", "run-script", "rum", "urn"})
_TEST = frozenset({"test", "t", "tst"})
_LIFECYCLE = frozenset({"start", "stop", "restart"})
_EXEC = frozenset({"exec", "x", "dlx"})
_BUILTINS = frozenset(
    """
        install i ci add remove rm uninstall un up update upgrade upgrade-interactive why audit publish pack
        link unlink outdated list ls ll la init config c cache store patch patch-commit dedupe import
        rebuild rb prune fetch deploy create licenses node set info view login logout version workspaces
        plugin constraints global self-update env setup root bin server help install-test it install-ci-test
        cit doctor ping whoami owner tag dist-tag access team token search fund explain query pkg sbom
        clean-install ic ins inst in isntall install-clean shrinkwrap repo docs bugs home edit explore diff
        stage unpublish deprecate hook profile pm approve-builds ignored-builds cat-file cat-index find-hash
        catalog""".split()
)
_BUN_BUILTINS = frozenset({"test", "build", "repl", "feedback"})


_LONGEST = 64  # words that one option of a script takes at most


class Tool(NamedTuple):
    """A tool that stands for a script, and what its verbs do (empty: the script itself)."""

    script: str
    grammar: str
    verbs: dict[str, Effect | None]
    needs_verb: bool = False


TOOLS: dict[str, Tool] = {
    "vitest": Tool(
        "test",
        "vitest args",
        {
            "run": None,
            "watch": "watch",
            "dev": "watch",
            "list": "norun",
            "related": "limit",
            "bench": "other",
            "init": "norun",
        },
    ),
    "jest": Tool("test", "jest args", {}),
    "mocha": Tool("test", "mocha args", {}),
    "playwright": Tool("test:e2e", "playwright args", {"test": None}, needs_verb=True),
    "cypress": Tool("test:e2e", "cypress args", {"run": None, "open": "watch"}, needs_verb=True),
}


def script_name(script: str) -> str:
    return "npm test" if script == "test" else f"npm run {script}"


def tool_call(name: str, words: Sequence[Word]) -> Call:
    """`vitest run --coverage` is `npm test` with what vitest was given."""
    tool = TOOLS[name]
    verb = words[0].text if words and words[0].known else ""
    if tool.needs_verb and verb not in tool.verbs:
        return plain((Word(name), *words))
    settings: tuple[Setting, ...] = ()
    if verb in tool.verbs:
        effect = tool.verbs[verb]
        settings = (Setting(f"{name} {verb}", None, effect),) if effect else ()
        words = words[1:]
    rest = read(tool.grammar, words) if words else None
    return Call(script_name(tool.script), "npm", settings, (), rest, tool=name)


def manager_call(program: str, words: Sequence[Word], depth: int = 0) -> Call:
    """What npm, pnpm, yarn or bun would run; `handed` when that is a program, not a script."""
    settings, left = head(program, words)
    verb = left[0].text if left and left[0].known else ""
    after = left[1:]
    if program == "yarn" and verb in ("workspace", "workspaces"):
        return _yarn_workspaces(verb, settings, after, depth)
    if verb in _RUN:
        more, named = head(program, after)
        if named and named[0].known:
            return _script(program, named[0].text, (*settings, *more), named[1:])
        return read(program, words)
    if verb in _EXEC:
        more, handed = head(f"{program} exec" if program != "bun" else "bun x", after)
        return _exec(f"{program} {verb}", settings, more, handed) or plain((Word(program), *words))
    if not verb or (program == "bun" and verb in _BUN_BUILTINS):
        return read(program, (Word("install"), *words) if program == "yarn" and not left else words)
    if verb in _TEST and (program != "yarn" or verb == "test"):
        return _script(program, "test", settings, after)
    if verb in _BUILTINS or (program == "npm" and verb not in _LIFECYCLE):
        return read(program, words)
    if verb in TOOLS or verb in grammars():
        return _exec(f"{program} exec", settings, (), left) or plain((Word(program), *words))
    return _script(program, verb, settings, after)


def _exec(
    name: str, settings: tuple[Setting, ...], more: tuple[Setting, ...], handed: tuple[Word, ...]
) -> Call | None:
    """A program that the manager starts; none when the manager's own options choose where or what."""
    if any(each.effect not in ("quiet", "where") for each in settings):
        return None
    return Call(name, "npm exec", (*settings, *more), handed=handed)


def _yarn_workspaces(verb: str, settings: tuple[Setting, ...], words: Sequence[Word], depth: int) -> Call:
    if depth > 1:
        return plain((Word("yarn"), Word(verb), *words))
    if verb == "workspace" and words:
        call = manager_call("yarn", words[1:], depth + 1)
        part = Setting("-w", words[0].text, "target" if words[0].known else "unclear", "=")
        return call._replace(settings=(*settings, part, *call.settings))
    if words and words[0].text in ("foreach", "run"):
        skip = 1 if words[0].text == "foreach" else 0
        more, left = head("yarn workspaces foreach", words[skip:])
        more = tuple(each._replace(name="-r") if each.effect == "widen" else each for each in more)
        call = manager_call("yarn", left, depth + 1)
        return call._replace(settings=(*settings, *more, *call.settings))
    return plain((Word("yarn"), Word("workspaces"), *words))


def _script(program: str, script: str, settings: tuple[Setting, ...], words: Sequence[Word]) -> Call:
    if (
        "/" in script
        or any(each.isspace() for each in script)
        or script.endswith((".js", ".ts", ".mjs", ".tsx"))
    ):
        return plain((Word(program), Word("run"), Word(script), *words))
    kind = script_kind(script)
    more, handed = _for_script(program, kind, words)
    rest = read(kind, handed) if handed else None
    return Call(script_name(script), "npm", (*settings, *more), (), rest)


def script_kind(script: str) -> str:
    """The table for what a script may be given, by the words of its name."""
    parts = script.replace("-", ":").replace("_", ":").replace(".", ":").split(":")
    return next((kind for part, kind in SCRIPT_KINDS if part in parts or part == script), "script args")


def _for_script(
    program: str, kind: str, words: Sequence[Word]
) -> tuple[tuple[Setting, ...], tuple[Word, ...]]:
    """The manager's own options among `words`, and what reaches the script.

    npm keeps every option before `--` to itself; the others hand on what follows the script's name.
    """
    first, second = (program, kind) if program == "npm" else (kind, program)
    settings: list[Setting] = []
    handed: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word.known and word.text == "--":
            return tuple(settings), (*handed, *words[at + 1 :])
        name = word.text.partition("=")[0]
        option = word.known and word.text[:1] == "-" and len(word.text) > 1
        owner = next((each for each in (first, second) if option and find(each, name)), kind)
        used = one_option(owner, words[at : at + _LONGEST]) if option else ((), 1)
        if owner == program:
            settings += used[0]
        else:
            handed += words[at : at + used[1]]
        at += used[1]
    return tuple(settings), tuple(handed)
