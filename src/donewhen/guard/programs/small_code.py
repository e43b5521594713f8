"""Small languages of programs that can run others: awk, vim and ed, sqlite, gdb, m4, dc, AppleScript, "
"Tcl, TeX, and
whatever has no reader of its own. Each is searched for the few forms that act on files or run programs.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from donewhen.core.lazy import lazy
from donewhen.guard.call import Call, Nested, Words
from donewhen.guard.effects import Deletes, Effect, Raises, Reads, Reveals, Writes
from donewhen.guard.marks import ENVIRONMENT, HOLE, SECRET, certain
from donewhen.guard.programs.deeds import DEEDS, Scene, TooMuch, secret_name, shell
from donewhen.guard.programs.script_code import script, unescaped

_STRING = r"""(?:"((?:[^"\\]|\\.){0,1000})"|'([^'\n]{0,1000})')"""
_RANGE = re.compile(r"^[\s:]*(?:[%$.\d,;'<>+-]|/[^/\n]*/|\?[^?\n]*\?|'[a-z])*\s*")
_VIM_WRITE = re.compile(
    r"^(?:w|wr|wri|writ|write|wq|x|xit|exit|sav|saveas|up|update|wa|wall|wn|mks|mksession)(!?)(?:\s+(.*))?$"
)
_VIM_OTHER = re.compile(
    r"^(?:r|re|rea|read|e|ed|edi|edit|so|source|tabe|tabedit|sp|split|vs|vsplit|n|next|vie|view|badd)!?\s+(.+)$"
)
_VIM_RUN = re.compile(
    r"^(?:r(?:e(?:ad?)?)?\s*!|w(?:r(?:i(?:te?)?)?)?\s+!|ter(?:m(?:inal)?)?!?\s+|!)(.*)$", re.DOTALL
)
_VIM_BEFORE = re.compile(
    r"^(?:sil|silent|noau|noautocmd|exe|execute|keepalt|verbose|tab|vert|bufdo|argdo|windo|norm|normal)!?\s+"
)
_VIM_CALLS = re.compile(
    rf"\b(system|systemlist|libcall|termopen|job_start|jobstart|popen|delete|writefile|readfile|rename)\s*\(\s*{_STRING}?"
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
_GDB_SYSTEM = re.compile(r"\b(?:system|popen|execl[pe]?)\s{0,3}\(\s{0,3}\"((?:[^\"\\]|\\.){0,1000})\"")
_TCL_RUNS = re.compile(r"(?:^|[\[;{\n])\s*(?:exec|spawn|system)\s+(?:-\w+\s+)*([^\]\n;}]+)")
_TCL_FILES = re.compile(r"\bfile\s+(delete|copy|rename|mkdir)\s+((?:-\w+\s+)*)([^\]\n;}]+)")
_TCL_OPENS = re.compile(r"\bopen\s+\{?\"?([^\s\"}\]]+)[\"}]?\s*(\w*)")


def small(language: str, text: str, scene: Scene) -> None:
    """Adds to the scene what the text would do."""
    try:
        _READ.get(language, loose)(text, scene)
    except TooMuch:
        scene.unknown(text)


# awk

_AWK = lazy(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>#[^\n]*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.){0,2000}+")|(?P<name>@?[A-Za-z_]\w*)|(?P<number>[\d.]+)'
    r"|(?P<op>\|&|>>|\+\+|--|&&|\|\||[<>=!+*/%^-]=|.|\n)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[\w ./-]+")
_AWK_ENDS = frozenset((";", "\n", "}", ")", "{", "|", "|&", ">", ">>", ",", "?", ":", ""))
_SCREENS = frozenset(("/dev/stdout", "/dev/stderr", "/dev/stdin", "-"))
Tokens = list[tuple[str, str]]


def awk(text: str, call: Call, variables: Mapping[str, str]) -> Iterator[Effect | Nested]:
    """What a program does besides printing to its output."""
    scene = Scene(call)
    try:
        _Awk(text, scene, dict(variables)).read()
    except TooMuch:
        scene.unknown(text)
    yield from scene.found


class _Awk:
    def __init__(self, text: str, scene: Scene, variables: dict[str, str]) -> None:
        self.scene, self.variables = scene, variables
        self.tokens: Tokens = []
        at = 0
        while at < len(text):
            last = self.tokens[-1] if self.tokens else ("op", ";")
            if text[at] == "/" and last[0] == "op" and last[1] not in (")", "]", "$", "++", "--"):
                found = re.compile(r"/(?:\[[^\]\n]*\]|\\.|[^/\n\\])*/?").match(text, at)
                at = found.end() if found else at + 1
                self.tokens.append(("pattern", ""))
                continue
            token = _AWK.match(text, at)
            at = token.end() if token else at + 1
            if token and token.lastgroup not in ("space", "comment"):
                body = unescaped(token[0][1:-1]) if token.lastgroup == "text" else token[0]
                self.tokens.append((token.lastgroup or "", body))

    def _at(self, at: int) -> tuple[str, str]:
        return self.tokens[at] if 0 <= at < len(self.tokens) else ("op", "")

    def read(self) -> None:
        printing = False
        for at, (kind, text) in enumerate(self.tokens):
            following = self._at(at + 1)[1]
            if kind == "name":
                printing = printing or text in ("print", "printf")
                self._name(at, text, following)
            elif kind == "op" and text in (";", "\n", "}"):
                printing = False
            elif kind == "op" and text in ("|", "|&"):
                if following == "getline":
                    shell(self.scene, self._before(at), {})
                elif printing:
                    self._fed(self._value(at + 1), at)
            elif kind == "op" and printing and text in (">", ">>") and self._at(at - 1)[1] != "(":
                self._file(at, Writes)
            elif kind == "op" and text == "<" and "getline" in (self._at(at - 1)[1], self._at(at - 2)[1]):
                self._file(at, Reads)

    def _name(self, at: int, name: str, following: str) -> None:
        if name == "system" and following == "(":
            shell(self.scene, self._value(at + 2), {})
        elif name in ("@include", "include") and self._at(at + 1)[0] == "text":
            self.scene.add(Reads(self.scene.at(following)))
        elif name in ("@load", "extension") or (name[:1] == "@" and following == "("):
            self.scene.unknown(name)
        elif name == "getline" and following == "<":
            return
        elif name == "ARGV" and following == "[" and self._at(at + 4)[1] == "=":
            self.scene.add(Reads(self.scene.at(self._value(at + 5))))
        elif name == "ENVIRON" and following == "[":
            self._environ(at)
        elif name == "ENVIRON":
            self.scene.add(Reveals("environment"))
        elif following == "=":
            value = self._value(at + 2)
            self.variables[name] = value if self.variables.get(name, value) == value else HOLE

    def _fed(self, command: str, at: int) -> None:
        """What is printed is the input of a command."""
        start = next((place for place in range(at, -1, -1) if self._at(place)[1] in ("print", "printf")), at)
        printed = HOLE if self._at(start)[1] == "printf" or start + 1 == at else self._value(start + 1)
        if certain(command) and _PLAIN.fullmatch(command):
            self.scene.add(Words(tuple(command.split()), self.scene.by, stdin=printed))
        else:
            shell(self.scene, command, {})

    def _environ(self, at: int) -> None:
        kind, name = self._at(at + 2)
        mark = self.scene.variable(name) if kind == "text" else ENVIRONMENT
        if mark == SECRET:
            self.scene.add(Reveals("variable", name))
        elif mark == ENVIRONMENT:
            self.scene.add(Reveals("environment"))

    def _value(self, at: int) -> str:
        """Texts and variables put together, up to what ends them."""
        found, depth = "", 0
        while (depth or self._at(at)[1] not in _AWK_ENDS or self._at(at)[0] == "text") and at < len(
            self.tokens
        ):
            kind, text = self._at(at)
            depth += (text == "(") - (text == ")") if kind == "op" else 0
            if kind == "text":
                found += text
            elif kind == "name":
                found += self.variables.get(text, HOLE)
                if self._at(at + 1)[1] == "[":
                    at += 3
            elif kind == "op" and text == "$":
                found += HOLE
                at += 1
            elif kind == "number":
                found += text
            at += 1
        return re.sub(f"{HOLE}+", HOLE, found) or HOLE

    def _before(self, at: int) -> str:
        start = at - 1
        while start >= 0 and (
            self._at(start)[0] in ("text", "name", "number") or self._at(start)[1] in "$[]()"
        ):
            if self._at(start)[1] in ("while", "if", "print", ";"):
                break
            start -= 1
        return self._value(start + 1)

    def _file(self, at: int, kind: type[Reads] | type[Writes]) -> None:
        path = self._value(at + 1)
        if path not in _SCREENS and self._at(at + 1)[0] != "number":
            self.scene.add(kind(self.scene.at(path)))


# editors, databases, debuggers


def _vim(text: str, scene: Scene) -> None:
    """Command lines of vim, ex and ed; `|` separates them except behind `!`."""
    for line in text.split("\n")[:2_000]:
        _vim_line(line, scene, 0)


def _vim_line(line: str, scene: Scene, depth: int) -> None:
    command = _RANGE.sub("", line, count=1)
    while (before := _VIM_BEFORE.match(command)) is not None and depth < 20:
        command, depth = _RANGE.sub("", command[before.end() :].strip("\"'"), count=1), depth + 1
    if command[:2] in ("g/", "v/", "g!"):
        command = command.rpartition("/")[2]
    for found in _VIM_CALLS.finditer(command):
        body = found[2] if found[2] is not None else found[3]
        if found[1] in ("delete", "writefile", "readfile", "rename"):
            deed = {"delete": "deep", "readfile": "read"}.get(found[1], "write")
            last = re.findall(r"['\"]([^'\"]*)['\"]\s*[),]", command[found.start() :])
            DEEDS[deed](scene, [body if deed != "write" else last[-1] if last else None], {})
        else:
            shell(scene, body if body is not None else HOLE, {})
    runs = _VIM_RUN.match(command)
    if runs is not None:
        shell(scene, runs[1], {})
        return
    first, bar, rest = command.partition("|")
    _vim_file(first.strip(), scene)
    if bar and depth < 20:
        _vim_line(rest, scene, depth + 1)


def _vim_file(command: str, scene: Scene) -> None:
    home = scene.call.ground.home
    for kind, pattern, group in ((Writes, _VIM_WRITE, 2), (Reads, _VIM_OTHER, 1)):
        found = pattern.match(command)
        if found is not None and found[group]:
            path = found[group].lstrip("> ").strip().replace("$HOME", home)
            scene.add(kind(scene.at(home + path[1:] if path[:2] == "~/" or path == "~" else path)))
    for begin, language in (("lua ", "lua"), ("py3 ", "python"), ("python3 ", "python"), ("py ", "python"),
                            ("perl ", "perl"), ("ruby ", "ruby")):  # fmt: skip
        if command.startswith(begin):
            _inner(language, command[len(begin) :], scene)


def _inner(language: str, text: str, scene: Scene) -> None:
    """Code of another language inside this one."""
    if language == "python":
        from donewhen.guard.programs.python_code import python

        python(text, scene)
    else:
        script(language, text, scene)


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
        shell(scene, found[1], {})
    DEEDS["sql"](scene, [text], {})


def writes_database(text: str) -> bool:
    return any(_SQL_WRITES.match(part) for part in text.split(";")[:5_000])


def _dot(line: str, scene: Scene) -> None:
    name, _, rest = line.partition(" ")
    rest = rest.strip()
    words = [word.strip("'\"") for word in rest.split() if not word.startswith("-")]
    if name in ("shell", "system", "sh", "sy", "sys", "she"):
        shell(scene, rest, {})
    elif rest.lstrip("'\"").startswith("|"):
        shell(scene, rest.strip("'\"")[1:], {})
    elif name in ("output", "once", "backup", "save", "clone", "log", "out", "trace") and words:
        if words[-1] not in ("stdout", "off", "stderr", "on"):
            scene.add(Writes(scene.at(words[-1])))
    elif name in ("read", "import", "open", "restore") and words:
        scene.add(Reads(scene.at(words[0] if name != "restore" else words[-1])))
    elif name == "load":
        scene.unknown(line)


def _gdb(text: str, scene: Scene) -> None:
    for line in text.split("\n")[:2_000]:
        command, _, rest = line.strip().partition(" ")
        if command == "shell" or command.startswith("!"):
            shell(scene, rest if command in ("shell", "!") else line.strip()[1:], {})
        elif command in ("python", "py", "python-interactive", "pi"):
            _inner("python", rest, scene)
        elif command in ("pipe", "|"):
            shell(scene, rest.partition("|")[2], {})
        elif command in ("source", "file", "core-file", "add-symbol-file"):
            scene.add(Reads(scene.at(rest)))
        elif command == "make":
            shell(scene, line.strip(), {})
        for found in _GDB_SYSTEM.finditer(line):
            shell(scene, unescaped(found[1]), {})


def _applescript(text: str, scene: Scene) -> None:
    for found in _SHELL_SCRIPT.finditer(text):
        body = found[1] if found[1] is not None else found[2]
        rest = text[found.end() : found.end() + 40].lstrip()
        if body is None:
            scene.unknown(text)
        else:
            shell(scene, unescaped(body) + (HOLE if rest.startswith("&") else ""), {})
    if "administrator privileges" in text.lower():
        scene.add(Raises("osascript"))
    if _FRIENDS.search(text) and ("delete" in text or "keystroke" in text or "empty" in text):
        scene.unknown(text)


def _m4(text: str, scene: Scene) -> None:
    for found in _M4.finditer(text):
        body = found[2] if found[2] is not None else found[3]
        if found[1].endswith("include"):
            scene.add(Reads(scene.at(body)))
        else:
            shell(scene, body if "$" not in body or found[2] is not None else HOLE, {})
    if "changequote" in text and "syscmd" in text:
        scene.unknown(text)


def _dc(text: str, scene: Scene) -> None:
    for found in _DC.finditer(text):
        shell(
            scene, found[1].rpartition("]")[0] if found[1].count("]") > found[1].count("[") else found[1], {}
        )


def _tcl(text: str, scene: Scene) -> None:
    """Commands that run, open, copy and delete; braces and variables are not followed."""
    for found in _TCL_RUNS.finditer(text):
        body = found[1].replace("{", "'").replace("}", "'").strip().removeprefix("--").strip()
        shell(scene, HOLE if body.startswith(("$", "[")) else re.sub(r"\$\{?\w+\}?|\[.*", HOLE, body), {})
    for found in _TCL_FILES.finditer(text):
        paths = [path.strip('"{}') for path in found[3].replace("--", "").split()]
        paths = [HOLE if "$" in path or "[" in path else path for path in paths]
        deed = {"delete": "deep", "mkdir": "make"}.get(found[1], "copy" if found[1] == "copy" else "move")
        DEEDS[deed](scene, list(paths), {})
    for found in _TCL_OPENS.finditer(text):
        path = HOLE if "$" in found[1] or "[" in found[1] else found[1]
        if path.startswith("|"):
            shell(scene, text[found.start(1) + 1 :].partition("}")[0].partition('"')[0], {})
        else:
            DEEDS["open"](scene, [path, found[2] or "r"], {})
    if re.search(r"\b(?:eval|uplevel|source|load)\s", text):
        scene.unknown(text)


# languages without a reader: literal texts, judged by the name that they are handed to

_TEXT = re.compile(r""""((?:[^"\\\n]|\\.){1,400})"|'([^'"\n`]{2,400})'""")
_BEFORE = re.compile(r"([A-Za-z_][\w.:/!?*-]{0,80})[\s(\[{~@$&]{0,8}[a-z]?$")
_AFTER = re.compile(r"[\s)\]]{0,4}[.:|>]{1,2}\s{0,4}([A-Za-z_]\w{0,60})")
_BETWEEN = re.compile(r"[\s,\[\];]{1,8}$")
_LIVE = re.compile(r"`([^`\n]{2,1000})`")
_BANG = re.compile(r"(?:^|[;\n])\s{0,20}!([^\n]{2,1000})")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WHOLE = re.compile(
    r"\b(?:get_?env|getenv|environment|getEnvironment)\s{0,3}\(\s{0,3}\)|\((?:ENV|environ)\)", re.IGNORECASE
)
_VERBS = {
    piece: deed
    for deed, pieces in {
        "run": "system shell cmd command execute exec spawn popen process sh proc",
        "delete": "delete remove rm rmdir unlink erase rmtree del trash",
        "write": "write spit save output create touch mkdir append truncate rename move symlink",
        "env": "env getenv environment",
    }.items()
    for piece in pieces.split()
}


def loose(text: str, scene: Scene) -> None:
    """`File.rm_rf!("/x")`, `(delete-file "/x")`, `file:delete("/x")`: a verb next to a text."""
    end, verbs = -1, frozenset[str]()
    texts: list[str] = []
    for found in islice(_TEXT.finditer(text), 200):
        if end < 0 or not _BETWEEN.fullmatch(text[end : found.start()]):
            _given(texts, verbs, scene)
            before = _BEFORE.search(text[max(0, found.start() - 100) : found.start()])
            verbs, texts = _verbs(before[1]) if before is not None else frozenset(), []
        after = _AFTER.match(text, found.end())
        verbs |= _verbs(after[1]) if after is not None else frozenset()
        end = found.end()
        texts.append(unescaped(found[1]) if found[1] is not None else found[2])
    _given(texts, verbs, scene)
    for name, pattern in ((("crystal", "gnuplot", "julia"), _LIVE), (("gnuplot", "octave"), _BANG)):
        for found in pattern.finditer(text) if scene.by in name else ():
            shell(scene, found[1], {})
    if _WHOLE.search(text):
        scene.add(Reveals("environment"))
    if re.search(r"\b(?:Code\.eval_string|eval|readProcess|callCommand|uiop:run-program)\b", text):
        scene.unknown(text)


def _verbs(name: str) -> frozenset[str]:
    return frozenset(_VERBS[piece.lower()] for piece in _PIECES.findall(name) if piece.lower() in _VERBS)


def _given(texts: list[str], verbs: frozenset[str], scene: Scene) -> None:
    if "run" in verbs and texts:
        DEEDS["list"](scene, list(texts), {})
    home = scene.call.ground.home
    for one in texts:
        if "env" in verbs and secret_name(one):
            scene.add(Reveals("variable", one))
        if certain(one) and "://" not in one and (" " not in one or "/" in one):
            path = scene.at(home + one[1:] if one == "~" or one.startswith("~/") else one)
            kind = (
                Deletes(path, True)
                if "delete" in verbs
                else Writes(path)
                if "write" in verbs
                else Reads(path)
            )
            scene.add(kind)


def _generators(read: Callable[..., Iterator[Effect | Nested]]) -> Callable[[str, Scene], None]:
    def found(text: str, scene: Scene) -> None:
        for effect in read(text, scene.call):
            scene.add(effect)

    return found


def _awk(text: str, scene: Scene) -> None:
    for effect in awk(text, scene.call, {}):
        scene.add(effect)


def _sed(text: str, scene: Scene) -> None:
    from donewhen.guard.programs.sed_code import sed

    _generators(sed)(text, scene)


def _make(text: str, scene: Scene) -> None:
    from donewhen.guard.programs.make_code import make

    _generators(make)(text, scene)


def _nothing(text: str, scene: Scene) -> None:
    """bc can neither run programs nor open files."""


_READ: Mapping[str, Callable[[str, Scene], None]] = {
    "applescript": _applescript,
    "tcl": _tcl,
    "vim": _vim,
    "ed": _vim,
    "sql": sqlite,
    "gdb": _gdb,
    "m4": _m4,
    "dc": _dc,
    "bc": _nothing,
    "awk": _awk,
    "sed": _sed,
    "make": _make,
    "lisp": loose,
    "loose": loose,
    "other": loose,
}
