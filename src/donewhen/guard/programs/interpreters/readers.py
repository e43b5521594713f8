"""Interpreters: which argument is code, which is a file, what stays for the script; the code itself is "
"read by
`code_python`, `code_script` and the readers of small languages.

Code is judged by the calls it makes and by its literal paths, never by words in it. What can't be read, or
comes from somewhere the line does not show, is unknown; text from the network that would be run is said so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from donewhen.guard.call import Call, File, Nested, Reader, Words
from donewhen.guard.effects import Effect, Reads, Reveals, RunsFetched, Unknown, Writes
from donewhen.guard.marks import HOLE, NETWORK, anything
from donewhen.guard.programs.data.scripts import takes_code
from donewhen.guard.programs.deeds import Scene
from donewhen.guard.programs.interpreters.modules import module

_PROGRAMS = {
    "python": "python python2 python3 pypy pypy3 ipython ipython3 bpython micropython pythonw "
    "py pypy2 graalpy jython python3w ptpython ptpython3",
    "javascript": "node nodejs ts-node tsx esno swc-node bun deno qjs d8 jsc rhino zx vite-node babel-node "
    "jrunscript jjs",
    "perl": "perl perl5",
    "raku": "raku perl6 rakudo",
    "ruby": "ruby irb jruby truffleruby mruby",
    "php": "php php8 php7 php-cli",
    "lua": "lua luajit texlua lua5.1 lua5.2 lua5.3 lua5.4 nlua",
    "r": "Rscript R littler",
    "groovy": "groovy groovysh",
    "applescript": "osascript",
    "tcl": "tclsh wish expect jimsh tclsh8.6",
    "other": "julia elixir iex ghc runghc guile sbcl clojure clj bb racket octave",
    "awk": "awk gawk mawk nawk original-awk",
    "sed": "sed gsed ssed",
    "make": "make gmake bmake",
    "vim": "vim vi nvim ex view vimdiff gvim",
    "sql": "sqlite3 sqlite",
    "gdb": "gdb",
    "m4": "m4",
    "dc": "dc",
    "bc": "bc",
    "ed": "ed red",
    "lisp": "emacs emacsclient",
}
LANGUAGES: Mapping[str, str] = {
    program: language for language, programs in _PROGRAMS.items() for program in programs.split()
}


class Shape(NamedTuple):
    """How an interpreter takes its arguments."""

    code: str = ""  # letters whose value is code
    last: str = ""  # letters after whose value everything belongs to the script
    values: str = ""
    attached: str = ""  # letters that take the rest of their word, if any
    numbers: str = ""  # letters that take the digits behind them
    files: str = ""  # letters whose value is a file of code
    long_code: frozenset[str] = frozenset()
    long_values: frozenset[str] = frozenset()
    long_files: frozenset[str] = frozenset()
    modules: str = ""  # letters that load a library
    script: bool = True  # the first operand is the script


class Taken(NamedTuple):
    codes: tuple[str, ...]
    files: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    script: str | None
    arguments: tuple[str, ...]  # behind the script or the code
    module: str = ""

    def has(self, name: str) -> bool:
        return any(option == name for option, _ in self.options)


def _shape(code: str = "", last: str = "", values: str = "", attached: str = "", numbers: str = "",
files: str = "", long_code: str = "",
           long_values: str = "", long_files: str = "", modules: str = "",
           script: bool = True) -> Shape:  # fmt: skip
    return Shape(code, last, values, attached, numbers, files, frozenset(long_code.split()),
    frozenset(long_values.split()),
                 frozenset(long_files.split()), modules, script)  # fmt: skip


_NODE = _shape("ep", "", "rC", "", "", "", "eval print",
"require import loader experimental-loader conditions env-file "
               "title test-name-pattern test-reporter tsconfig import-map compiler-options", "",
               "r")  # fmt: skip
_PERL = _shape("eE", "", "I", "iFMmCDdVx", "0l", modules="Mm")
_SHAPES: Mapping[str, Shape] = {
    "python": _shape("c", "cm", "WXm", long_values="check-hash-based-pycs", long_code="command"),
    "javascript": _NODE,
    "perl": _PERL,
    "raku": _PERL,
    "ruby": _shape("e", "", "rICX", "iFKxE", "0TWl", modules="r"),
    "php": _shape("rRBE", "r", "dcSzt", files="fF", long_code="run process-code process-begin process-end"),
    "lua": _shape("e", "", "l"),
    "r": _shape("e", "", "gd", files="f", long_values="default-packages", long_files="file"),
    "groovy": _shape("e", "", "cD", "i", long_values="classpath"),
    "applescript": _shape("e", "", "ls"),
    "tcl": _shape("c", "", "", files="fb"),
    "other": _shape("eEc", "", "rSL", files="lf", long_code="eval execute", long_values="load"),
}


def taken(call: Call, language: str) -> Taken:
    """The arguments, sorted by what they are for the interpreter."""
    shape = _SHAPES.get(language, Shape())
    words = call.argv[1:]
    codes: list[str] = []
    files: list[str] = []
    options: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            at -= 1
            break
        name, value, needs = _option(word, shape, options)
        if needs:
            value = words[at] if at < len(words) else ""
            at += 1
        options.append((name, value))
        letter = name[1:]
        if _is(letter, shape.code, shape.long_code):
            codes.append(value)
        elif _is(letter, shape.files, shape.long_files):
            files.append(value)
        if len(letter) == 1 and letter in shape.last:
            return Taken(tuple(codes), (), tuple(options), None, words[at:], value if letter == "m" else "")
    rest = words[at:]
    if codes or files or not rest:
        return Taken(tuple(codes), tuple(files), tuple(options), None, rest)
    return Taken((), (), tuple(options), rest[0], rest[1:])


def _is(name: str, letters: str, long: frozenset[str]) -> bool:
    return (len(name) == 1 and name in letters) or name.removeprefix("-") in long


def _option(word: str, shape: Shape, options: list[tuple[str, str]]) -> tuple[str, str, bool]:
    if word.startswith("--"):
        bare, equals, value = word.partition("=")
        wants = bare[2:] in shape.long_code | shape.long_values | shape.long_files
        return bare, value, wants and not equals
    for position, letter in enumerate(word[1:], 1):
        rest = word[position + 1 :]
        if letter in "0123456789" or (letter in shape.numbers and rest):
            options.append((f"-{letter}", ""))
            continue
        if letter in shape.attached:
            return f"-{letter}", rest, False
        bundled = rest and letter in shape.code and set(rest) <= set(shape.code)  # node -pe
        if not bundled and (letter in shape.code or letter in shape.values or letter in shape.files):
            return f"-{letter}", rest, not rest
        if not rest:
            return f"-{letter}", "", False
        options.append((f"-{letter}", ""))
    return word, "", False


def code(language: str, text: str, call: Call, found: Taken | None = None) -> Iterable[Effect | Nested]:
    """What a piece of code would do; `language` is a value of `LANGUAGES`."""
    if NETWORK in text:
        yield RunsFetched(call.name)
    if not text.strip("\0\x04\x05\x06 \n"):
        if text.strip(f" \n{NETWORK}"):
            yield Unknown("guard.unknown_code", "")
        return
    if anything(text.replace(NETWORK, "")):
        yield Unknown("guard.unknown_code", text[:200])
    if len(text) > 65_536:
        yield Unknown("guard.too_much", "")
        return
    for mark in (NETWORK, "\x05", "\x06"):
        text = text.replace(mark, HOLE)
    yield from _read(language, text, call, found or taken(call, language))


def _read(language: str, text: str, call: Call, found: Taken) -> Iterable[Effect | Nested]:
    script = call.at(found.script) if found.script and found.script != "-" else ""
    from donewhen.guard.programs.python_code import look_around, python

    scene = Scene(call, found.arguments, script)
    look_around(text, scene)
    for name, value in found.options if language == "ruby" else ():
        if name in ("-C", "-X"):
            scene.folder = scene.at(value)
    if language == "python":
        python(text, scene)
    elif language in _SCRIPTS:
        from donewhen.guard.programs.script_code import script as read_script

        read_script(language, text, scene)
    else:
        from donewhen.guard.programs.small_code import small

        small(language, text, scene)
    return scene.found


_SCRIPTS = frozenset(("javascript", "perl", "raku", "ruby", "php", "lua", "r", "groovy"))


def given_paths(call: Call, words: Sequence[str]) -> Iterator[Effect]:
    """Arguments of a script that is not known: what may be a path may be read."""
    for word in words:
        if word.startswith("-"):
            _, equals, value = word.partition("=")
            if equals and value:
                yield Reads(call.at(value))
        elif word:
            yield Reads(call.at(word.removeprefix("@")))
            if "=" in word:
                yield Reads(call.at(word.partition("=")[2]))


def _interpreter(call: Call) -> Iterable[Effect | Nested]:
    """Any interpreter of a language: code by option, a script, or what comes in."""
    language = LANGUAGES.get(call.name) or _versioned(call.name)
    found = taken(call, language)
    if language == "python" and found.module:
        yield from module(call, found.module, found.arguments)
        return
    if language in ("perl", "ruby"):
        yield from _line_by_line(call, found)
    elif language == "php" and (found.has("-i") or found.has("--info")):
        yield Reveals("environment")
    if ("-r", "un") in found.options:  # ruby's own cp, mv, rm …
        yield Words((*(text.strip() for text in found.codes[:1]), *found.arguments), call.name)
    started = next((value for name, value in found.options if name == "-S" and language == "other"), "")
    if started:  # a program that its search path finds: `iex -S mix`
        yield Words((started, *((found.script,) if found.script else ()), *found.arguments), call.name)
        if not found.codes:
            return
    yield from _sources(call, language, found)


def _versioned(name: str) -> str:
    return LANGUAGES.get(name.rstrip("0123456789.-"), "other")


def _sources(call: Call, language: str, found: Taken) -> Iterable[Effect | Nested]:
    if language == "applescript" and any(
        name == "-l" and value[:4] == "Java" for name, value in found.options
    ):
        language = "javascript"
    for name, value in found.options:
        if name.startswith("--") and value and not _is(name[1:], "", _SHAPES[language].long_code):
            yield Reads(call.at(value))
    loaded = "".join(_loads(language, name, value) for name, value in found.options)
    if found.codes:
        yield from code(language, loaded + "\n".join(_shown(language, found)), call, found)
        yield from given_paths(call, found.arguments)
    elif loaded:
        yield from code(language, loaded, call, found)
    preloaded = tuple(_preloaded(call.name, language, found))
    yield from (Reads(call.at(path)) for path in preloaded)
    for path in (*found.files, *preloaded):
        yield File(call.at(path), call.name, found.arguments)
    if not found.codes and not found.files:
        yield from _script_or_input(call, language, found)


def _preloaded(program: str, language: str, found: Taken) -> Iterator[str]:
    """Files of code that run before the script."""
    if program == "irb":
        yield ".irbrc"
    for name, value in found.options:
        if language == "javascript" and name in _NODE_LOADS and value.startswith((".", "/")):
            yield value
        elif language == "php" and name == "-d" and value.startswith(("auto_prepend", "auto_append")):
            yield value.partition("=")[2]
        elif language == "lua" and name == "-l":
            yield f"{value.rpartition('=')[2].replace('.', '/')}.lua"
        elif language == "perl" and name in ("-M", "-m"):
            module_file = f"{value.lstrip('-').partition('=')[0].split(' ')[0].replace('::', '/')}.pm"
            yield from (f"{folder}/{module_file}" for option, folder in found.options if option == "-I")


def _shown(language: str, found: Taken) -> Sequence[str]:
    """The codes; where the value of the last statement is printed, it is said."""
    if language != "r" and not (language == "javascript" and (found.has("-p") or found.has("--print"))):
        return found.codes
    shows = "print" if language == "r" else "console.log"
    return [
        f"{one}\n;{shows}({one.rstrip('; ').rpartition(';')[2].rpartition(chr(10))[2]})"
        for one in found.codes
    ]


def _script_or_input(call: Call, language: str, found: Taken) -> Iterable[Effect | Nested]:
    if found.script is None or found.script == "-":
        if call.stdin is not None and not _only_tells(found):
            yield from code(language, call.stdin, call, found)
            yield from given_paths(call, found.arguments)
    elif found.script.startswith(("http://", "https://")):
        yield RunsFetched(call.name)
    elif found.script.startswith("(") and language == "other":  # babashka: code without an option
        yield from code(language, found.script, call, found)
    else:
        yield File(call.at(found.script), call.name, found.arguments)
        yield from given_paths(call, found.arguments)
        if call.stdin is not None and takes_code(found.script, found.arguments):
            yield from code(language, call.stdin, call, found)


def _only_tells(found: Taken) -> bool:
    return any(name in ("--version", "--help", "-V", "-h") for name, _ in found.options)


def _loads(language: str, name: str, value: str) -> str:
    """Libraries named by an option, as the code that loads them; perl takes any code there."""
    if language == "perl" and name in ("-M", "-m") and value:
        return f"use {value.replace('=', ' ', 1)};\n"
    if language == "javascript" and name in _NODE_LOADS and value.startswith("data:"):
        return f"{unquote(value.partition(',')[2])};\n"
    if language == "perl" and name == "-F" and "(" in value:
        return f"{value};\n"
    return ""


_NODE_LOADS = frozenset(("-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"))


def _line_by_line(call: Call, found: Taken) -> Iterator[Effect]:
    """`-n`, `-p` and `-i`: the operands are files that are read, and with `-i` written."""
    for path in found.arguments if found.codes else ():
        if found.has("-i"):
            yield Writes(call.at(path))


def _deno(call: Call) -> Iterable[Effect | Nested]:
    """`deno eval CODE`, `deno run FILE`, and tasks of the project."""
    words = call.argv[1:]
    at = next((at for at, word in enumerate(words) if not word.startswith("-")), len(words))
    verb, rest = (words[at] if at < len(words) else ""), words[at + 1 :]
    if verb == "eval":
        for text in [word for word in rest if not word.startswith("-")][:1]:
            yield from code("javascript", text, call)
    elif verb in ("run", "serve", "test", "bench", "check") or verb.endswith((".ts", ".js", ".mjs", ".tsx")):
        inner = rest if verb in ("run", "serve", "test", "bench", "check") else (verb, *rest)
        yield from _interpreter(call._replace(argv=("deno", *inner)))


def _bun(call: Call) -> Iterable[Effect | Nested]:
    """Code and script files; everything else of bun is a package manager's."""
    words = call.argv[1:]
    first = words[0] if words else ""
    if first in ("-e", "-p", "--eval", "--print", "-pe") or first.startswith(("--eval=", "--print=")):
        return _interpreter(call)
    if first == "run" and len(words) > 1 and (_is_file(words[1]) or words[1] == "-"):
        return _interpreter(call._replace(argv=("bun", *words[1:])))
    if _is_file(first) or (first in ("", "-") and call.stdin is not None):
        return _interpreter(call)
    from donewhen.guard.programs import by_row

    return by_row("bun", call)


def _is_file(word: str) -> bool:
    return "/" in word or word.endswith((".ts", ".js", ".mjs", ".cjs", ".tsx", ".jsx"))


_OWN = frozenset(("awk", "sed", "make", "vim", "sql", "gdb", "m4", "dc", "bc", "ed", "lisp"))
READERS: dict[str, Reader] = {
    **{name: _interpreter for name, language in LANGUAGES.items() if language not in _OWN},
    **{f"python3.{minor}": _interpreter for minor in range(6, 20)},
    **{f"pypy3.{minor}": _interpreter for minor in range(6, 20)},
    **{f"ruby3.{minor}": _interpreter for minor in range(6)},
    **{f"php8.{minor}": _interpreter for minor in range(8)},
    "python2.7": _interpreter,
    "deno": _deno,
    "bun": _bun,
}
