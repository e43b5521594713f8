"""Small languages of programs that can run others: AppleScript, Tcl, vim and ed commands, sqlite and gdb
commands, m4, dc, Emacs Lisp, and awk, sed and make texts that reach an interpreter as a file.

Each is read for the few commands that act on files or run programs. Nothing else in them is judged.
"""

import re
from collections.abc import Callable

from donewhen.guard.call import Text
from donewhen.guard.effects import Deletes, Raises, Reads, Writes
from donewhen.guard.marks import HOLE
from donewhen.guard.programs.code.awk import awk
from donewhen.guard.programs.code.lisp import lisp
from donewhen.guard.programs.code.make import make
from donewhen.guard.programs.code.scene import Scene, shell, sql
from donewhen.guard.programs.code.sed import sed
from donewhen.guard.programs.code.tcl import tcl
from donewhen.guard.programs.code.tokens import unescape
from donewhen.guard.programs.code.values import TooMuch

_RANGE = re.compile(r"^[\s:]*(?:[%$.\d,;'<>+-]|/[^/\n]*/|\?[^?\n]*\?|'[a-z])*\s*")
_VIM_WRITE = re.compile(
    r"^(?:w|wr|wri|writ|write|wq|x|xit|exit|sav|saveas|up|update|wa|wall|wn|mks|mksession)(!?)(?:\s+(.*))?$"
)
_VIM_OTHER = re.compile(
    r"^(?:r|re|rea|read|e|ed|edi|edit|so|source|tabe|tabedit|sp|split|vs|vsplit|n|next|vie|view|badd)!?\s+(.+)$"
)
_VIM_RUN = re.compile(
    r"^(?:r(?:e(?:ad?)?)?\s*!|w(?:r(?:i(?:te?)?)?)?\s+!|ter(?:m(?:inal)?)?!?\s+)(.*)$", re.DOTALL
)
_VIM_BEFORE = re.compile(
    r"^(?:sil|silent|noau|noautocmd|exe|execute|keepalt|verbose|tab|vert|bufdo|argdo|windo|norm|normal)!?\s+"
)
_STRING = r"""(?:"((?:[^"\\]|\\.){0,1000})"|'([^'\n]{0,1000})')"""
_CALLS = re.compile(
    rf"\b(system|systemlist|libcall|delete|writefile|readfile|rename|termopen|job_start|jobstart|popen)\s*\(\s*{_STRING}?"
)
_SHELL_SCRIPT = re.compile(rf"\bdo\s+(?:shell\s+)?script\s+(?:\(?\s*{_STRING})?", re.IGNORECASE)
_FRIENDS = re.compile(
    r"\btell\s+app(?:lication)?\s+\"(?:Finder|System Events|Terminal|iTerm\w*)\"", re.IGNORECASE
)
_M4 = re.compile(r"\b(syscmd|esyscmd|include|sinclude)\s{0,3}\(\s{0,9}(?:`([^'`]{0,1000})'|([^`()]{0,1000}))")
_DC = re.compile(r"!(?![<>=])([^\n]{1,4000})")
_SQL_FILE = re.compile(
    r"\b(writefile|readfile|load_extension|attach|into|edit)\b\s{0,9}\(?\s{0,9}(?:database\s{1,9})?'([^'\n]{1,1000})'",
    re.IGNORECASE,
)
_SQL_EDIT = re.compile(r"\bedit\s{0,9}\([^;\n]{0,400}?,\s{0,9}'([^'\n]{1,1000})'", re.IGNORECASE)
_SQL_WRITES = re.compile(
    r"^\s*(?:insert|update|delete|drop|create|alter|replace|vacuum|reindex)\b", re.IGNORECASE
)
_TEX_RUNS = re.compile(r"\\write18\s*\{([^{}]{1,2000})\}|\\ShellEscape\{([^{}]{1,2000})\}")
_TEX_FILES = re.compile(
    r"\\(input|include|lstinputlisting|verbatiminput|openin|openout)\s{0,3}(?:\\?\w{0,20}\s{0,3}=\s{0,3})?(\{[^{}]{1,500}\}|[^\s\\{}]{1,500})"
)
_GDB_SYSTEM = re.compile(r"\b(?:system|popen|execl[pe]?)\s{0,3}\(\s{0,3}\"((?:[^\"\\]|\\.){0,1000})\"")


def small(language: str, text: str, scene: Scene) -> None:
    """Adds to the scene what the text would do."""
    try:
        _READ[language](text, scene)
    except TooMuch:
        scene.unknown(text)


def _applescript(text: str, scene: Scene) -> None:
    for found in _SHELL_SCRIPT.finditer(text):
        body = found[1] if found[1] is not None else found[2]
        rest = text[found.end() : found.end() + 40].lstrip()
        if body is None:
            scene.unknown(text)
        else:
            shell(scene, unescape(body) + (HOLE if rest.startswith("&") else ""))
    if "administrator privileges" in text.lower():
        scene.add(Raises("osascript"))
    if _FRIENDS.search(text) and ("delete" in text or "keystroke" in text or "empty" in text):
        scene.unknown(text)


def vim(text: str, scene: Scene) -> None:
    """Command lines of vim, ex and ed; `|` separates them except behind `!`."""
    for line in text.split("\n")[:2_000]:
        _vim_line(line, scene, 0)


def _vim_line(line: str, scene: Scene, depth: int) -> None:
    command = _RANGE.sub("", line, count=1)
    while (before := _VIM_BEFORE.match(command)) is not None and depth < 20:
        command, depth = _RANGE.sub("", command[before.end() :].strip("\"'"), count=1), depth + 1
    if command.startswith("!"):
        shell(scene, command[1:])
        return
    if command[:2] in ("g/", "v/", "g!"):
        command = command.rpartition("/")[2]
    _vim_calls(command, scene)
    runs = _VIM_RUN.match(command)
    if runs is not None:
        shell(scene, runs[1])
        return
    first, bar, rest = command.partition("|")
    _vim_file(first.strip(), scene)
    if bar and depth < 20:
        _vim_line(rest, scene, depth + 1)


def _vim_file(command: str, scene: Scene) -> None:
    written = _VIM_WRITE.match(command)
    if written is not None and written[2]:
        scene.add(Writes(scene.at(_tilde(written[2].lstrip("> ").strip(), scene))))
    other = _VIM_OTHER.match(command)
    if other is not None:
        scene.add(Reads(scene.at(_tilde(other[1].strip(), scene))))
    for begin, language in (("lua ", "lua"), ("py3 ", "python"), ("python3 ", "python"), ("py ", "python"),
                            ("perl ", "perl"), ("ruby ", "ruby")):  # fmt: skip
        if command.startswith(begin):
            inner(language, command[len(begin) :], scene)


def inner(language: str, text: str, scene: Scene) -> None:
    """Code of another language inside this one."""
    if language == "python":
        from donewhen.guard.programs.code.python import python

        python(text, scene)
    else:
        from donewhen.guard.programs.code.script import script

        script(language, text, scene)


def _tilde(path: str, scene: Scene) -> str:
    home = scene.call.ground.home
    return home + path[1:] if path == "~" or path.startswith("~/") else path.replace("$HOME", home)


def _vim_calls(command: str, scene: Scene) -> None:
    for found in _CALLS.finditer(command):
        body = found[2] if found[2] is not None else found[3]
        if found[1] in ("system", "systemlist", "termopen", "job_start", "jobstart", "popen"):
            shell(scene, body if body is not None else HOLE)
        elif found[1] == "delete":
            scene.add(Deletes(scene.at(body if body is not None else HOLE), deep=True))
        elif found[1] == "readfile":
            scene.add(Reads(scene.at(body if body is not None else HOLE)))
        else:
            last = re.findall(r"['\"]([^'\"]*)['\"]\s*[),]", command[found.start() :])
            scene.add(Writes(scene.at(last[-1] if last else HOLE)))


def sqlite(text: str, scene: Scene) -> None:
    """SQL and dot commands of the sqlite shell."""
    for line in text.split("\n")[:5_000]:
        if line.lstrip().startswith("."):
            _dot(line.strip()[1:], scene)
    for found in _SQL_FILE.finditer(text):
        word, path = found[1].lower(), found[2]
        if word == "load_extension":
            scene.unknown(path)
        else:
            scene.add((Reads if word == "readfile" else Writes)(scene.at(path)))
    for found in _SQL_EDIT.finditer(text):
        shell(scene, found[1])
    sql(scene, text, sure=False)


def writes_database(text: str) -> bool:
    return any(_SQL_WRITES.match(part) for part in text.split(";")[:5_000])


def _dot(line: str, scene: Scene) -> None:
    name, _, rest = line.partition(" ")
    rest = rest.strip()
    words = [word.strip("'\"") for word in rest.split() if not word.startswith("-")]
    if name in ("shell", "system", "sh", "sy", "sys", "she"):
        shell(scene, rest)
    elif rest.lstrip("'\"").startswith("|"):
        shell(scene, rest.strip("'\"")[1:])
    elif name in ("output", "once", "backup", "save", "clone", "log", "out", "trace") and words:
        if words[-1] not in ("stdout", "off", "stderr", "on"):
            scene.add(Writes(scene.at(words[-1])))
    elif name in ("read", "import", "open", "restore") and words:
        scene.add(Reads(scene.at(words[0] if name != "restore" else words[-1])))
    elif name == "load":
        scene.unknown(line)


def gdb(text: str, scene: Scene) -> None:
    for line in text.split("\n")[:2_000]:
        command, _, rest = line.strip().partition(" ")
        if command in ("shell", "!") or command.startswith("!"):
            shell(scene, rest if command in ("shell", "!") else line.strip()[1:])
        elif command in ("python", "py", "python-interactive", "pi"):
            inner("python", rest, scene)
        elif command in ("pipe", "|"):
            shell(scene, rest.partition("|")[2])
        elif command in ("source", "file", "core-file", "add-symbol-file"):
            scene.add(Reads(scene.at(rest)))
        elif command == "make":
            scene.add(Text(line.strip(), scene.by))
        for found in _GDB_SYSTEM.finditer(line):
            shell(scene, unescape(found[1]))


def _m4(text: str, scene: Scene) -> None:
    for found in _M4.finditer(text):
        body = found[2] if found[2] is not None else found[3]
        if found[1].endswith("include"):
            scene.add(Reads(scene.at(body)))
        else:
            shell(scene, body if "$" not in body or found[2] is not None else HOLE)
    if "changequote" in text and "syscmd" in text:
        scene.unknown(text)


def _dc(text: str, scene: Scene) -> None:
    for found in _DC.finditer(text):
        shell(scene, found[1].rpartition("]")[0] if found[1].count("]") > found[1].count("[") else found[1])


def _tex(text: str, scene: Scene) -> None:
    for found in _TEX_RUNS.finditer(text):
        shell(scene, found[1] or found[2])
    for found in _TEX_FILES.finditer(text):
        name, path = found[1], found[2].strip('"{} ')
        if path.startswith("|"):
            shell(scene, path[1:].strip('"'))
        else:
            scene.add((Writes if name == "openout" else Reads)(scene.at(path)))


def _nothing(text: str, scene: Scene) -> None:
    """bc can neither run programs nor open files."""


def _awk(text: str, scene: Scene) -> None:
    for effect in awk(text, scene.call, {}):
        scene.add(effect)


def _sed(text: str, scene: Scene) -> None:
    for effect in sed(text, scene.call):
        scene.add(effect)


def _make(text: str, scene: Scene) -> None:
    for effect in make(text, scene.call):
        scene.add(effect)


_READ: dict[str, Callable[[str, Scene], None]] = {
    "applescript": _applescript, "tcl": tcl, "vim": vim, "ed": vim, "sql": sqlite, "gdb": gdb, "m4": _m4,
    "dc": _dc,
    "bc": _nothing, "lisp": lisp, "tex": _tex, "awk": _awk, "sed": _sed, "make": _make,
}  # fmt: skip
