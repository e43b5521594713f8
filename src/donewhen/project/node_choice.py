"""Which commands stand for a project's `test` script when a part of it can't be part of an exam.

The script itself is the exam unless a step of it asks the outside world (an audit changes its mind while the
tree stays the same, and the exam has no network) or lacks the file that it reads. Then every other step that
tests is run on its own; linters have a role of their own. When that can't be written, the script stays whole:
less is never run in silence.
"""

import re
from shlex import join
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.texts import Phrase
from donewhen.project.node_scripts import Script, Step

_STARTERS = frozenset(("cross-env", "env", "npx", "pnpx", "bunx", "exec", "dotenv"))
_ASKS = frozenset(
    """
    aud audit-ci better-npm-audit npm-audit-resolver check-audit snyk nsp codecov coveralls david osv-scanner
    curl wget
    """.split()
)
_AUDITS = frozenset(("audit", "outdated", "publish"))
_MANAGER = lazy(r"(?:npm|yarn|pnpm|bun)(?:@.*)?")
_VERSIONED = lazy(r"(@[\w.-]+/)?[\w.-]+@.+")
_OMITS = ("--production", "--prod", "--omit=dev", "--only=prod", "--only=production")
# a linter that refuses to start without one of its files
_CONFIGS = {
    "eslint": (".eslintrc", "eslint.config."),
    "tslint": ("tslint.",),
    "jscs": (".jscs",),
    "stylelint": (".stylelintrc", "stylelint.config."),
}
_LINTERS = frozenset(
    """
    eslint tslint jscs jshint jslint stylelint prettier standard semistandard xo markdownlint
    markdownlint-cli2 remark alex evalmd eclint editorconfig-checker biome oxlint cspell dprint commitlint
    template-oss-check npmPkgJsonLint sort-package-json knip depcheck attw publint size-limit
    """.split()
)


class Ground(NamedTuple):
    """What a step can rely on."""

    names: frozenset[str]  # files at the root
    manifest_keys: frozenset[str]  # of package.json
    ships_dependencies: bool


class Choice(NamedTuple):
    commands: tuple[str, ...]
    notes: tuple[Phrase, ...] = ()


class _Whole(Exception):
    """The script can't be taken apart."""


def choose(tree: Script, manager: str, whole: str, ground: Ground) -> Choice:
    """The commands for the script of `tree`; `whole` is the one that runs it as it is."""
    broken = {step: why for step in tree.steps() if (why := _trouble(step, ground))}
    if not broken:
        return Choice((whole,))
    try:
        commands = _commands(tree, manager, frozenset(broken))
    except _Whole:
        commands = []
    if not commands:
        return Choice((whole,))
    notes = (
        Phrase(why, {"source": f"package.json scripts.{step.script}", "step": step.text[:100]})
        for step, why in broken.items()
    )
    return Choice(tuple(dict.fromkeys(commands)), tuple(notes))


def is_lint(step: Step) -> bool:
    return program_of(step)[:1] != () and program_of(step)[0] in _LINTERS


def program_of(step: Step) -> tuple[str, ...]:
    """The words of a step from its program on, behind assignments, `npx` and their kind."""
    words = step.words or tuple(step.text.split())
    for at, word in enumerate(words):
        if not (word in _STARTERS or word.startswith("-") or re.match(r"\w+=", word)):
            return (word.rpartition("/")[2] if not word.startswith("@") else word, *words[at + 1 :])
    return ()


def _trouble(step: Step, ground: Ground) -> str:
    """Why a step can't be part of an exam; empty when it can."""
    words = program_of(step)
    if not words:
        return ""
    if _asks_outside(step, words) and not _audits_nothing(words, ground):
        return "setup_node.step_asks_outside"
    needs = _CONFIGS.get(words[0], ())
    named = any(word.startswith(("-c", "--config", "--no-eslintrc")) for word in words)
    found = any(name.startswith(needs) for name in ground.names) if needs else True
    if not found and not named and f"{words[0]}Config" not in ground.manifest_keys:
        return "setup_node.step_lacks_config"
    return ""


def _asks_outside(step: Step, words: tuple[str, ...]) -> bool:
    if words[0] in _ASKS:
        return True
    if _MANAGER.fullmatch(words[0]) and _AUDITS & set(words[1:3]):
        return True
    fetches = step.text.startswith(("npx ", "pnpx ", "bunx ", "pnpm dlx ", "yarn dlx "))
    return fetches and bool(_VERSIONED.fullmatch(words[0]))


def _audits_nothing(words: tuple[str, ...], ground: Ground) -> bool:
    """An audit of what is shipped, of a package that ships no dependencies: it asks nobody.

    Only of the tool that needs no lock file for it.
    """
    return words[0] == "aud" and not ground.ships_dependencies and any(word in _OMITS for word in words)


def _commands(script: Script, manager: str, broken: frozenset[Step]) -> list[str]:
    steps = list(script.steps())
    if all(step in broken or is_lint(step) for step in steps):
        return []
    if not any(step in broken for step in steps):
        return [f"{manager} run {script.name}"]
    found = _commands(script.before, manager, broken) if script.before else []
    for part in _body(script, broken):
        if isinstance(part, Script):
            found += _commands(part, manager, broken)
        elif part is None:
            found.append(_alone(script, manager))
        elif part not in broken and not is_lint(part):
            found.append(_written(part))
    return found + (_commands(script.after, manager, broken) if script.after else [])


def _body(script: Script, broken: frozenset[Step]) -> tuple[Step | Script | None, ...]:
    """The parts of a script to be run one by one; None stands for the body as it is, in one go."""
    if all(isinstance(part, Script) for part in script.body):
        return script.body
    inner = [part for part in script.body if isinstance(part, Script)]
    plain = not any(part.before or part.after for part in inner)  # the option below leaves these out too
    steps = (step for part in script.body for step in (part.steps() if isinstance(part, Script) else (part,)))
    return (None,) if plain and not any(step in broken for step in steps) else script.body


def _alone(script: Script, manager: str) -> str:
    """A script without what its pre and post scripts do."""
    if manager != "npm":
        raise _Whole
    return "npm test --ignore-scripts" if script.name == "test" else f"npm run {script.name} --ignore-scripts"


def _written(step: Step) -> str:
    """A step as a command of its own; only where no shell is needed to read it."""
    if not step.words or any(letter in step.text for letter in "*?[~!#"):
        raise _Whole
    words = step.words if step.words[0] in ("node", *_STARTERS) else ("npx", *step.words)
    if "=" in step.words[0]:
        raise _Whole
    return join(words)
