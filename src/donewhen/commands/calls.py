"""Words to a `Call`: which command they are, its settings with their effect, operands, what is handed on.

Reads as the programs do: bundled short flags, attached values, `--`, options after operands; runners and
other spellings are taken off: `uv run pytest` is `pytest`. A script of package.json keeps its name, whichever
manager starts it. A word that only the shell could tell stays a setting of its own; nothing is dropped.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.commands.grammar import (
    Effect,
    Grammar,
    Rule,
    Takes,
    find,
    folds,
    grammar_of,
    has_grammar,
    is_program,
    tables,
    with_subcommands,
)
from donewhen.commands.words import pairs, word_list, word_set
from donewhen.core.tree import Word

_DEEPEST = 6  # runners within runners
_INTERPRETERS = frozenset({"python", "coverage run"})  # a module or file follows; a program only after -m
_DEEPEST_REST = 3  # commands within commands within containers
_LETTERS = 32  # in one bundle
_NUMBERS = frozenset({"auto", "all", "true", "false", "max", "logical"})
# Options that take a name, or a file whose code is then run.
_LOADERS = frozenset("--reporter --reporters -R -f --format --formatter --test-reporter -r".split())
_CODE = re.compile(r"(?:\.\.?/|/|~|file:).*|.*\.(?:[cm]?[jt]sx?|rb|py)", re.DOTALL)
_NEGATED: dict[Effect, Effect] = {  # what switching an option off means, where it isn't simply harmless
    "strict": "weaker",
    "widen": "weaker",
    "other": "other",
    "config": "config",
    "weaker": "strict",
    "aside": "other",
}


class Setting(NamedTuple):
    name: str
    value: str | None
    effect: Effect
    takes: Takes = ""
    written: str = ""  # the alias that stood there, when it is not `name`

    @property
    def text(self) -> str:
        name = self.written or self.name
        return name if self.value is None else f"{name}={self.value}"


class Call(NamedTuple):
    name: str  # program and subcommands, as in the tables: `cargo test`
    grammar: str  # the table its options were read with
    settings: tuple[Setting, ...] = ()
    operands: tuple[str, ...] = ()
    rest: "Call | None" = None  # what follows `--`, a script's arguments, a container's command
    handed: tuple[Word, ...] = ()  # not read yet: a command of its own
    runners: tuple["Call", ...] = ()  # what started it, where that had options that matter
    trail: tuple[str, ...] = ()  # where options are in no list: those and the operands, in their order
    tool: str = ""  # the very tool behind a name that stands for several (`npm test`)


class _Reader:
    """One pass over the words; mutable inside, a frozen Call at the end."""

    def __init__(self, name: str, words: Sequence[Word]) -> None:
        self.name = name
        self.words = words
        self.at = 0
        self.ended = False  # by `--`
        self.settings: list[Setting] = []
        self.operands: list[Word] = []
        self.trail: list[str] = []  # operands and options in no list, in order: a value may belong to either

    @property
    def grammar(self) -> Grammar:
        return grammar_of(self.name)

    def run(self, stop: int = -1) -> None:
        """Up to `--`, to the end, to `stop` operands; 0 stops before the first one."""
        while self.at < len(self.words) and not self.ended and (stop < 1 or len(self.operands) < stop):
            word = self.words[self.at]
            if word.known and not self.is_setting(word.text) and stop == 0 and word.text != "--":
                return
            self.at += 1
            if not word.known:
                self.settings.append(Setting(word.text, None, "unclear"))
            elif word.text == "--":
                self.ended = True
            elif not self.is_setting(word.text):
                self.operands.append(word)
                self.trail.append(word.text)
            elif word.text[0] in "-+/":
                self.option(word.text)
            else:
                name, _, value = word.text.partition("=")
                self.add(find(self.name, name) or Rule(name, "unknown", "="), value)

    def is_setting(self, text: str) -> bool:
        if text[:1] in ("-", "+"):
            return len(text) > 1 and not _is_number(text)
        if self.grammar.variables and "=" in text:
            return True
        return text[:1] == "/" and text.startswith(self.grammar.prefixes or "-")

    def option(self, text: str) -> None:
        text = _property(text, self.grammar.prefixes)
        name, equals, value = text.partition("=")
        rule = find(self.name, name)
        if rule is None and not self.grammar.long and self.bundle(text):
            return
        if rule is None and (self.attached(text) or self.after_colon(text)):
            return
        if rule is None:
            self.settings.append(_negated(self.name, name) or Setting(text, None, "unknown"))
            self.trail += [text] if self.settings[-1].effect == "unknown" else []
        elif equals:
            self.add(rule, value, written=name)
        else:
            self.take(rule, name)

    def bundle(self, text: str) -> bool:
        """`-xvs`, `-n4`: letters, the last of which may have its value attached."""
        if text[0] != "-" or text[1] == "-":
            return False
        found: list[tuple[Rule, str | None]] = []
        for place, letter in enumerate(text[1:], 2):
            rule = find(self.name, "-" + letter)
            if rule is None or place > _LETTERS:
                return False
            if place < len(text) and _takes_tail(rule, text, place):
                found.append((rule, text[place:].removeprefix("=")))
                break
            found.append((rule, None))
        for rule, value in found[:-1]:
            self.add(rule, value)
        rule, value = found[-1]
        if value is None:
            self.take(rule)
        else:
            self.add(rule, value)
        return True

    def attached(self, text: str) -> bool:
        """`-j8` of a program without bundles."""
        rule = find(self.name, text[:2])
        if text[:2] == "--" or rule is None or rule.takes not in ("=", "#") or len(text) < 3:
            return False
        if rule.takes == "#" and not _is_number(text[2:]):
            return False
        self.add(rule, text[2:])
        return True

    def after_colon(self, text: str) -> bool:
        """`--logger:trx` of dotnet."""
        name, colon, value = text.partition(":")
        rule = find(self.name, name) if colon and self.grammar.colons else None
        if rule is None:
            return False
        self.add(rule, value, written=name)
        return True

    def take(self, rule: Rule, written: str = "") -> None:
        following = self.words[self.at] if self.at < len(self.words) else None
        plain = following is not None and not (
            following.known and following.text[:1] == "-" and len(following.text) > 1
        )
        if rule.takes == "+":
            self.take_all(rule)
        elif following is not None and (
            rule.takes == "="
            or (rule.takes == "*" and plain)
            or (rule.takes == "#" and following.known and _is_number(following.text))
        ):
            self.at += 1
            self.add(rule, following.text, following.known, written)
        else:
            self.add(rule, "" if rule.takes == "=" else None, written=written)

    def take_all(self, rule: Rule) -> None:
        start = self.at
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.known and word.text[:1] == "-":
                break
            self.at += 1
            self.add(rule, word.text, word.known)
        if self.at == start:
            self.add(rule, "")

    def add(self, rule: Rule, value: str | None, known: bool = True, written: str = "") -> None:
        setting = (
            _setting(self.name, rule, value) if known else Setting(rule.name, value, "unclear", rule.takes)
        )
        self.settings.append(setting._replace(written=written if written != rule.name else ""))


def read(name: str, words: Sequence[Word], depth: int = 0) -> Call:
    """The call of the program `name` with these words after it; `handed` is left to whoever can name it."""
    reader = _Reader(name, words)
    while reader.name in with_subcommands() and not reader.ended:
        before = len(reader.operands)
        reader.run(before + 1)
        if len(reader.operands) == before or not _deeper(reader):
            break
    grammar = reader.grammar
    reader.run(grammar.inner)
    left = tuple(words[reader.at :])
    rest = None
    if grammar.inner < 0 and left:
        rest, left = _after(reader, grammar, left, depth), ()
    operands = tuple(word.text for word in reader.operands)
    unknown = any(each.effect == "unknown" and each.value is None for each in reader.settings)
    trail = tuple(reader.trail) if unknown else ()
    return Call(reader.name, reader.name, tuple(reader.settings), operands, rest, handed=left, trail=trail)


def head(name: str, words: Sequence[Word]) -> tuple[tuple[Setting, ...], tuple[Word, ...]]:
    """The options of `name` that stand before its first operand, and everything from there on."""
    reader = _Reader(name, words)
    reader.run(0)
    return tuple(reader.settings), tuple(words[reader.at :])


def one_option(name: str, words: Sequence[Word]) -> tuple[tuple[Setting, ...], int]:
    """The option at the start of `words`, and how many words it takes."""
    reader = _Reader(name, words)
    reader.at = 1
    reader.option(words[0].text)
    return tuple(reader.settings), reader.at


def _deeper(reader: _Reader) -> bool:
    """Is the last operand a subcommand, and may another follow?"""
    if any(each.isspace() for each in reader.operands[-1].text):
        return False
    longer = f"{reader.name} {reader.operands[-1].text}"
    folded = folds().get(longer, longer)
    if not has_grammar(folded) and folded not in with_subcommands():
        return False
    reader.operands.pop()
    reader.trail.pop()
    deeper = reader.name != folded
    reader.name = folded
    return deeper


def _after(reader: _Reader, grammar: Grammar, left: tuple[Word, ...], depth: int) -> Call | None:
    if grammar.after == "=":
        reader.ended = False
        reader.run()
        return None
    if grammar.after and depth < _DEEPEST_REST:
        return read(grammar.after, left, depth + 1)
    reader.trail.append("--")
    for word in left:
        if word.known:
            reader.operands.append(word)
            reader.trail.append(word.text)
        else:
            reader.settings.append(Setting(word.text, None, "unclear"))
    return None


def plain(words: Sequence[Word]) -> Call:
    """The call of a program that is not known: its words, in order, and nothing else."""
    unclear = tuple(Setting(word.text, None, "unclear") for word in words[1:] if not word.known)
    name = words[0].text if words else ""
    return Call(name, "", unclear, tuple(word.text for word in words[1:]))


def _setting(name: str, rule: Rule, value: str | None) -> Setting:
    effect = rule.effect
    if value is not None and rule.name in _LOADERS and any(map(_CODE.fullmatch, value.split(","))):
        return Setting(rule.name, value, "other", rule.takes)
    if value is not None:
        for rules in tables(name):
            for start, meaning in rules.values.get(rule.name, ()):
                if value == start or (
                    start[-1] == "*" and value.startswith(start[:-1]) and ".." not in value
                ):
                    return Setting(rule.name, value, meaning, rule.takes)
        if rule.takes in ("", "?", "#") and value.lower() in ("false", "no", "off"):
            return Setting(rule.name, value, _NEGATED.get(effect, "quiet"), rule.takes)
        if rule.takes in ("", "?", "#") and value.lower() == "true":
            value = None
    return Setting(rule.name, value, effect, rule.takes)


def _negated(name: str, option: str) -> Setting | None:
    """`--no-foo` where only `--foo` is known."""
    if not option.startswith("--no-"):
        return None
    rule = find(name, "--" + option[5:])
    return None if rule is None else Setting(option, None, _NEGATED.get(rule.effect, "quiet"))


def _property(text: str, prefixes: tuple[str, ...]) -> str:
    """`/p:Name=x` and `--property:Name=x` are `-p:Name=x`."""
    for prefix in prefixes:
        if text.startswith(prefix) and prefix.endswith(":"):
            return prefixes[0] + text[len(prefix) :]
    return text


def _takes_tail(rule: Rule, text: str, place: int) -> bool:
    return rule.takes == "=" or (rule.takes in ("#", "?", "*") and _is_number(text[place:]))


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit() or text in _NUMBERS


# which command the words are

_COUNTS = ("$(nproc)", '"$(nproc)"', "`nproc`", "$(getconf _NPROCESSORS_ONLN)", "$(sysctl -n hw.ncpu)")
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
    if program in word_set("managers"):
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
    if runner.name in _INTERPRETERS and "-m" not in flags:
        return _file_call(runner, words)
    if runner.name.replace(" ", "_") in word_set("with_scripts") and not _has_name(first):
        return runner._replace(operands=tuple(word.text for word in runner.handed), handed=())
    if runner.name in _INTERPRETERS and not _has_name(first) and first.text != "unittest":
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
    return (
        runner.grammar == "npx" and setting.name == "-p" and pairs("packages").get(package, package) == tool
    )


def matters(setting: Setting) -> bool:
    """Is it part of what the command is? Mere output is not."""
    return setting.effect != "quiet"


def _has_name(word: Word) -> bool:
    if not word.known:
        return False
    name = program_name(word.text)[0]
    return is_program(name) or name in TOOLS or name in word_set("managers")


# package managers

_RUN = frozenset({"run", "run-script", "rum", "urn"})
_TEST = frozenset({"test", "t", "tst"})
_LIFECYCLE = frozenset({"start", "stop", "restart"})
_EXEC = frozenset({"exec", "x", "dlx"})
_BUN_BUILTINS = frozenset({"test", "build", "repl", "feedback"})


_LONGEST_OPTION = 64  # words that one option of a script takes at most


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
    if verb in word_set("npm_builtins") or (program == "npm" and verb not in _LIFECYCLE):
        return read(program, words)
    if verb in TOOLS or has_grammar(verb):
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
    return next(
        (kind for part, kind in pairs("script_kinds").items() if part in parts or part == script),
        "script args",
    )


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
        used = one_option(owner, words[at : at + _LONGEST_OPTION]) if option else ((), 1)
        if owner == program:
            settings += used[0]
        else:
            handed += words[at : at + used[1]]
        at += used[1]
    return tuple(settings), tuple(handed)


# names


def program_name(text: str) -> tuple[str, ...]:
    """The words that name the program: one, or two where a program became a subcommand."""
    name = _without_folder(text.replace("\\", "/"))
    for suffix in word_list("suffixes"):
        name = name.removesuffix(suffix) if "/" not in name else name
    if name.startswith("python") and name[6:].replace(".", "", 1).isdigit():
        name = "python"
    spelt = pairs("spellings").get(name)
    return (name,) if spelt is None else tuple(spelt.split())


def _without_folder(path: str) -> str:
    folder, slash, base = path.rpartition("/")
    if not slash:
        return path
    parts = tuple(part for part in folder.split("/") if part != ".")
    if folder in word_set("system_folders"):
        return base
    if path.startswith("/") or ".." in parts:
        return path
    local = "/".join(parts[-2:]) in word_set("local_folders")
    stub = parts == ("bin",) and base in word_set("binstubs")
    wrapper = not parts and base.removesuffix(".bat").removesuffix(".cmd") in word_set("wrapper_files")
    return base if local or stub or wrapper else path


def package_of(path: str) -> str:
    """The tool that a file under node_modules belongs to, or nothing."""
    parts = path.replace("\\", "/").split("/")
    if ".." in parts or path.startswith("/") or "node_modules" not in parts:
        return ""
    below = parts[parts.index("node_modules") + 1 :]
    if len(below) < 2:
        return ""
    name = below[1] if below[0] == ".bin" else below[0]
    return pairs("packages").get(name, name)
