"""Programs that edit or build by a text of their own: sed, awk, vim, ed, emacs, gdb, sqlite3,
m4, dc, bc.

Their operands are files that are read or, when edited in place, written; their texts may run commands.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, File, Nested, Reader, Text, Words
from donewhen.guard.effects import Effect, Loads, Reads, Writes
from donewhen.guard.marks import STAR
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.editors.build import READERS as BUILDERS
from donewhen.guard.programs.editors.build import unsure
from donewhen.guard.programs.editors.pages import READERS as PAGES
from donewhen.guard.programs.interpreters.loose import READERS as LOOSE
from donewhen.guard.programs.interpreters.readers import code
from donewhen.guard.programs.sed_code import sed
from donewhen.guard.programs.small_code import awk

_Found = Iterator[Effect | Nested]
_SED = options("nErszub", "efl", "quiet silent regexp-extended null-data separate unbuffered posix debug "
"sandbox zero-terminated "
               "follow-symlinks in-place", "expression file line-length", attached="iI")  # fmt: skip
_AWK = options("bcCghILMnNOPrsStV", "eEfFvilmW", "sandbox posix traditional lint re-interval csv",
"source file field-separator "
               "assign include load exec", attached="dop")  # fmt: skip


def _sed(call: Call) -> _Found:
    given = read(call.argv[1:], _SED)
    scripts = given.all("-e", "--expression")
    files = given.all("-f", "--file")
    operands = list(given.operands)
    in_place = given.has("-i", "-I", "--in-place")
    if in_place and operands[:1] == [""]:  # BSD: the suffix is a word of its own
        operands = operands[1:]
    if not scripts and not files and operands:
        scripts, operands = operands[:1], operands[1:]
    text = "\n".join(scripts)
    if not given.has("--sandbox"):
        yield from unsure(text, call)
        yield from sed(text, call)
    for path in files:
        yield from _program_file(call, path, "sed")
    for suffix in given.all("-i", "-I", "--in-place"):
        if "/" in suffix:  # then it is the name of the copy, with the file's own for a star
            yield Writes(call.at(suffix.replace("*", STAR)))
    for path in operands:
        if path != "-":
            yield Reads(call.at(path))
            if in_place:
                yield Writes(call.at(path))


def _program_file(call: Call, path: str, language: str) -> _Found:
    if path != "-":
        yield File(call.at(path), call.name)
    elif call.stdin is not None:
        yield from code(language, call.stdin, call)


def _awk(call: Call) -> _Found:
    given = read(call.argv[1:], _AWK._replace(first=True))
    operands = list(given.operands)
    texts = given.all("-e", "--source")
    files = given.all("-f", "--file", "-E", "--exec")
    variables = dict(value.partition("=")[::2] for value in given.all("-v", "--assign"))
    if not texts and not files and operands:
        texts, operands = operands[:1], operands[1:]
    text = "\n".join(texts)
    yield from unsure(text, call)
    yield from awk(text, call, variables)
    for path in files:
        yield from _program_file(call, path, "awk")
    yield from _awk_options(call, given)
    in_place = "inplace" in given.all("-i", "--include")
    for path in operands:
        if path == "-" or (path.partition("=")[0].isidentifier() and "=" in path):
            continue
        yield Reads(call.at(path))
        if in_place:
            yield Writes(call.at(path))


def _awk_options(call: Call, given: Given) -> Iterator[Effect]:
    for name, value in given.options:
        if name in ("-d", "-o", "-p", "--dump-variables", "--pretty-print", "--profile") and value:
            yield Writes(call.at(value))
        elif name in ("-l", "--load"):
            yield Loads(value)
        elif name in ("-i", "--include") and value != "inplace":
            yield Reads(call.at(value))


# editors and shells of other programs

_VIM = options("bnNRZmMdDeEsvyAHFLlgfxX", "cSuUtTiwW", "clean headless embed noplugin not-a-term",
"cmd startuptime listen remote-expr "
               "remote-send servername", attached="Vopr")  # fmt: skip


def _vim(call: Call) -> _Found:
    plus = [word[1:] for word in call.argv[1:] if word.startswith("+") and len(word) > 1]
    given = read([word for word in call.argv[1:] if not word.startswith("+")], _VIM)
    texts = [*plus, *given.all("-c", "--cmd")]
    if call.stdin is not None and (given.has("-s", "-e", "-E") or call.name == "ex"):
        texts.append(call.stdin)
    for path in given.all("-S", "-s", "-u"):
        if path and path not in ("NONE", "NORC", "DEFAULTS"):
            yield File(call.at(path), call.name)
    for path in given.all("-w", "-W"):
        yield Writes(call.at(path))
    for text in texts:
        yield from code("vim", text, call)
    for path in given.operands:
        if path not in ("-", ""):
            yield Reads(call.at(path))
            if any(_saves(text) for text in texts):
                yield Writes(call.at(path))


def _saves(text: str) -> bool:
    return any(part.strip(" :%0123456789$,").startswith(("w", "x", "up", "argdo",
    "bufdo")) for line in text.split("\n")
               for part in line.split("|"))  # fmt: skip


def _ed(call: Call) -> _Found:
    paths = [word for word in call.argv[1:] if not word.startswith("-")]
    for path in paths:
        if path.startswith("!"):
            yield Text(path[1:], call.name)
            continue
        yield Reads(call.at(path))
        if call.stdin is None or _saves(call.stdin):
            yield Writes(call.at(path))
    if call.stdin is not None:
        yield from code("ed", call.stdin, call)


def _emacs(call: Call) -> _Found:
    words = call.argv[1:]
    taken: set[int] = set()
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        name = "--" + name.lstrip("-") if name.startswith("-") else name
        nothing = not equals and at + 1 < len(words)
        value = words[at + 1] if nothing else value
        if name in ("--eval", "--execute"):
            taken |= {at, at + nothing}
            yield from code("lisp", value, call)
        elif name in ("--load", "--l", "--script", "--x", "--insert", "--visit"):
            taken |= {at, at + nothing}
            yield File(call.at(value), call.name)
        elif name in ("--funcall", "--f"):
            taken |= {at, at + nothing}
    for at, word in enumerate(words):
        if at not in taken and not word.startswith(("-", "+")):
            yield Reads(call.at(word))


_GDB = options("nqbwh", "xpcsdt", "batch batch-silent quiet nx nh args tui version help",
"eval-command init-eval-command "
               "command init-command exec symbols core pid directory cd se",
               single="ex iex x ix p eval-command", single_flags="batch "
               "batch-silent q nx quiet args nh tui silent")  # fmt: skip


def _gdb(call: Call) -> _Found:
    words = list(call.argv[1:])
    for at, word in enumerate(words):
        if word in ("--args", "-args"):
            yield Words(tuple(words[at + 1 :]), call.name)
            words = words[:at]
            break
    given = read(words, _GDB)
    for text in given.all(
        "-ex", "-iex", "--eval-command", "--init-eval-command", "-eval-command", "--ex", "--iex"
    ):
        yield from code("gdb", text, call)
    for path in given.all("-x", "-ix", "--command", "--init-command"):
        yield File(call.at(path), call.name)
    if call.stdin is not None:
        yield from code("gdb", call.stdin, call)
    for path in given.operands:
        yield Reads(call.at(path))


_SQLITE = options("", "", single="cmd init separator newline nullvalue mmap vfs lookaside maxsize pagecache "
"A", single_flags="batch bail "
                  "csv json line list column html header noheader echo readonly interactive markdown table "
                  "box ascii quote "
                  "stats safe version help tabs append deserialize unsafe-testing")  # fmt: skip


def _sqlite(call: Call) -> _Found:
    from donewhen.guard.programs.small_code import writes_database

    words = [word[1:] if word.startswith("--") else word for word in call.argv[1:]]
    given = read(words, _SQLITE)
    texts = [*given.all("-cmd"), *given.operands[1:]]
    if call.stdin is not None and len(given.operands) < 2:
        texts.append(call.stdin)
    for path in given.all("-init"):
        yield File(call.at(path), call.name)
    for path in given.operands[:1]:
        if path not in ("", ":memory:"):
            yield Reads(call.at(path))
            if any(writes_database(text) for text in texts):
                yield Writes(call.at(path))
    for text in texts:
        yield from code("sql", text, call)


_M4 = options(
    "EegGiPQs",
    "DIULdFoRtBH",
    "prefix-builtins fatal-warnings",
    "define undefine include freeze-state reload-state debugfile",
)


def _m4(call: Call) -> _Found:
    given = read(call.argv[1:], _M4)
    for value in given.all("-D", "--define"):
        yield from code("m4", value.partition("=")[2], call)
    for path in given.all("-o", "-F", "--freeze-state", "--debugfile"):
        yield Writes(call.at(path))
    for path in given.operands:
        if path != "-":
            yield File(call.at(path), call.name)
    if call.stdin is not None and (not given.operands or "-" in given.operands):
        yield from code("m4", call.stdin, call)


_DC = options("hVcilqsvxw", "ef", "help version", "expression file")


def _calculator(call: Call) -> _Found:
    """bc and dc; only dc can run commands."""
    given = read(call.argv[1:], _DC)
    language = "dc" if call.name == "dc" else "bc"
    texts = given.all("-e", "--expression")
    if call.stdin is not None:
        texts.append(call.stdin if language == "dc" else "")
    for text in texts if language == "dc" else ():
        yield from code("dc", text, call)
    for path in (*given.all("-f", "--file"), *given.operands):
        if path != "-":
            yield Reads(call.at(path))


_NAMES: Mapping[Reader, str] = {
    _sed: "sed gsed ssed", _awk: "awk gawk mawk nawk original-awk",
    _vim: "vim vi nvim ex view vimdiff gvim", _ed: "ed red", _emacs: "emacs emacsclient", _gdb: "gdb",
    _sqlite: "sqlite3 sqlite",
    _m4: "m4", _calculator: "bc dc",
}  # fmt: skip
READERS: dict[str, Reader] = {
    **LOOSE,
    **PAGES,
    **BUILDERS,
    **{name: reader for reader, names in _NAMES.items() for name in names.split()},
}
