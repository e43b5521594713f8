"""Which command the words are, once runners and spellings are taken off: `uv run pytest` is `pytest`.

Never reaches further than a few runners deep, and leaves alone what it has no name for.
"""

import re
from collections.abc import Sequence

from donewhen.commands.tools.names import MANAGERS, PACKAGES, package_of, program_name
from donewhen.commands.tools.programs import grammar_of, grammars, with_subcommands
from donewhen.commands.tools.programs.runners import INTERPRETERS, WITH_SCRIPTS
from donewhen.commands.tools.reading import Call, Setting, head, plain, read
from donewhen.commands.tools.scripts import TOOLS, manager_call, tool_call
from donewhen.core.tree import Word

_DEEPEST = 6
_COUNTS = ("$(nproc)", '"$(nproc)"', "`nproc`", "$(getconf _NPROCESSORS_ONLN)", "$(sysctl -n hw.ncpu)")
_HANDED_ON = frozenset("libtest lints posargs jvm test e2e script shared".split())
_SHELLS = ("bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash")
_VERSION = re.compile(r"-(?:V:)?[23](?:\.[0-9]{1,2})?(?:-(?:32|64))?")
_BARE = {"bundle": "install"}  # what a program does when it is given nothing


def name_call(words: Sequence[Word], depth: int = 0) -> Call:
    """The call that these words make."""
    words = tuple(map(_counted, words)) if depth == 0 else words
    if not words or not words[0].known or depth > _DEEPEST:
        return plain(words)
    words = _spelt(words)
    named = program_name(words[0].text)
    rest = (*(Word(each) for each in named[1:]), *words[1:])
    program = named[0]
    if program in MANAGERS:
        call = manager_call(program, rest)
        return _run_by(call, depth, words) if call.handed else call
    if program in TOOLS:
        return tool_call(program, rest)
    if program == "node":
        return _node_call(rest, depth)
    if not is_program(program):
        return plain((Word(_here(program) if "/" in program else program), *rest))
    call = read(program, rest)
    if call.name in _BARE and not call.operands:
        call = read(program, (Word(_BARE[program]), *rest))
    if grammar_of(call.name).inner == 0:
        return _run_by(call, depth, words)
    if call.handed:
        return call._replace(rest=name_call(call.handed, depth + 1), handed=())
    return call


def _spelt(words: Sequence[Word]) -> Sequence[Word]:
    """Without an interpreter of shell scripts or a choice of Python's version."""
    if _is_script_file(words):
        return (Word(_here(words[1].text)), *words[2:])
    if words[0].text in ("py", "py.exe") and len(words) > 1 and _VERSION.fullmatch(words[1].text):
        return (words[0], *words[2:])
    return words


def _is_script_file(words: Sequence[Word]) -> bool:
    """`bash scripts/check.sh` without options is `./scripts/check.sh`."""
    if words[0].text not in _SHELLS or len(words) < 2 or not words[1].known:
        return False
    file = words[1].text
    name = program_name(_here(file))[0]
    return file[:1] not in ("-", "+", "/", "") and ("/" in name or name in ("gradle", "mvn"))


def _here(path: str) -> str:
    """A path below this folder in one spelling."""
    parts = [part for part in path.split("/") if part not in (".", "")]
    return path if path[:1] in ("/", "~") or ".." in parts or not parts else "./" + "/".join(parts)


def _counted(word: Word) -> Word:
    """The usual ways to ask for the number of processors are a number: `make -j$(nproc)`."""
    end = next((each for each in _COUNTS if not word.known and word.text.endswith(each)), "")
    start = word.text.removesuffix(end)
    return Word(start + "1") if end and (not start or start.strip("-=").isalnum()) else word


def _run_by(runner: Call, depth: int, words: Sequence[Word]) -> Call:
    """What the runner starts, with those of its options that matter."""
    if not runner.handed:
        return runner
    first = runner.handed[0]
    flags = {each.name for each in runner.settings}
    if runner.name in INTERPRETERS and "-m" not in flags:
        return _file_call(runner, words)
    if runner.name in WITH_SCRIPTS and not _has_name(first):
        return runner._replace(operands=tuple(word.text for word in runner.handed), handed=())
    if runner.name in INTERPRETERS and not _has_name(first) and first.text != "unittest":
        return _as_written(words) if _kept(runner) else plain((Word("python"), Word("-m"), *runner.handed))
    call = name_call(runner.handed, depth + 1)
    return call._replace(runners=(*_kept(runner), *call.runners))


def _file_call(runner: Call, words: Sequence[Word]) -> Call:
    """An interpreter with a file: Django's command line has a table, everything else is its own words."""
    first = runner.handed[0]
    if _kept(runner) or runner.name != "python":
        return _as_written(words)
    if first.known and program_name(first.text) == ("manage.py",):
        return read("manage.py", runner.handed[1:])
    return plain((Word("python"), *runner.handed))


def _as_written(words: Sequence[Word]) -> Call:
    return plain((Word(program_name(words[0].text)[0]), *words[1:]))


def _node_call(words: Sequence[Word], depth: int) -> Call:
    settings, left = head("node", words)
    tool = package_of(left[0].text) if left and left[0].known else ""
    if tool and not any(matters(each) for each in settings):
        return name_call((Word(tool), *left[1:]), depth + 1)
    if any(each.name == "--test" for each in settings):
        return read("node", words)._replace(name="node --test")
    return plain((Word("node"), *words))


def _kept(runner: Call) -> tuple[Call, ...]:
    first = runner.handed[0].text if runner.handed else ""
    kept = tuple(each for each in runner.settings if matters(each) and not _brings(runner, each, first))
    return (runner._replace(settings=kept, handed=(), operands=(), trail=()),) if kept else ()


def _brings(runner: Call, setting: Setting, tool: str) -> bool:
    """`npx -p typescript tsc`: the package that the tool comes from anyway."""
    package = setting.value or ""
    return runner.grammar == "npx" and setting.name == "-p" and PACKAGES.get(package, package) == tool


def matters(setting: Setting) -> bool:
    """Is it part of what the command is? Mere output is not."""
    return setting.effect != "quiet"


def _has_name(word: Word) -> bool:
    if not word.known:
        return False
    name = program_name(word.text)[0]
    return is_program(name) or name in TOOLS or name in MANAGERS


def is_program(name: str) -> bool:
    """Is there a table for it? Some tables are only for what programs hand on."""
    if any(each.isspace() for each in name):  # one quoted word: nothing is called so
        return False
    return name not in _HANDED_ON and (name in grammars() or name in with_subcommands())
