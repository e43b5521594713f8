"""Code of script languages other than Python: a scanner of tokens that sees calls and what their "
"arguments are.

JavaScript, Perl, Ruby, PHP, Lua, R, Groovy and all that look alike. It follows assignments in order and puts
literal texts together; it decides no condition and enters no function: whatever is written may run.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.guard.call import File, Text, Words
from donewhen.guard.effects import Deletes, Exhausts, RunsFetched, Unknown, Writes
from donewhen.guard.marks import ANY, BELOW, ENVIRONMENT, HOLE, NETWORK, STAR, certain
from donewhen.guard.programs.deeds import (
    DEEDS,
    Either,
    Opened,
    Ref,
    Scene,
    TooMuch,
    Value,
    each,
    either,
    flat,
    literal,
    origin,
    rows,
    shell,
    text_of,
)

_STEPS = 30_000
_TOKEN = lazy(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<line>\n)"
    r"|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|\#(?![{!])[^\n]*|--(?=[ \[\t])[^\n]*)"
    r"|(?P<quoted>\bq[qxw]?\s*[{(\[<|/!].{0,1000}?[})\]>|/!]|%[xwqQWi]?[{(\[<].{0,1000}?[})\]>])"
    r"""|(?P<text>"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?)"""
    r"|(?P<name>(?:[$@%&\\:]{0,2}[A-Za-z_]|\$)[\w$]*"
    r"(?:(?:::|\?\.|->(?!\s*[\[{(])|\.(?=[A-Za-z_]))[A-Za-z_]\w*)*[?!]?(?!=>))"
    r"|(?P<number>-?\d[\w.]*)|(?P<op>=>|->|<<<?|>>|\|\||&&|==+|!==?|<=|>=|\.\.|=~|.)",
    re.DOTALL,
)
_COMMENTS = {
    **dict.fromkeys(("javascript", "groovy"), "//"),
    **dict.fromkeys(("perl", "raku", "ruby", "r"), "#"),
    "php": "//#",
    "lua": "--",
}
_BARE = frozenset(("perl", "raku", "ruby", "php", "lua", "groovy"))
_LIVE = frozenset(("perl", "raku", "ruby", "php"))  # backquotes run
_INTERPOLATED = lazy(
    r"\$\{([^{}]*)\}|\#\{([^{}]*)\}|\{?(\$\w+(?:\{[\"']?\w+[\"']?\}|\[[\"']?\w+[\"']?\])?)\}?|(@\w+)"
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


def _both(names: str, library: str = "fs") -> str:
    """Every name with its synchronous twin."""
    return " ".join(f"{library}.{name} {library}.{name}Sync" for name in names.split())


_JAVASCRIPT = rows(
    "text: exec child_process.exec child_process.execSync shelljs.exec zx.$ Bun.$ $ doShellScript execSync",
    "proc: child_process.spawn child_process.spawnSync Bun.spawn Bun.spawnSync cross-spawn "
    "execa.execaCommand "
    "Deno.Command spawnSync",
    "argv: child_process.execFile child_process.execFileSync child_process.fork execa execa.execa "
    "execa.sync execFileSync",
    f"delete: {_both('rm rmdir unlink remove')} Deno.remove Deno.removeSync rmSync unlinkSync rmdirSync",
    "deep: rimraf rimraf.sync rimraf.rimraf del shelljs.rm rimrafSync del.deleteSync",
    f"write: {_both('writeFile appendFile truncate outputFile writeJson outputJson')} "
    f"fs.createWriteStream Bun.write "
    "Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync writeFileSync "
    "appendFileSync "
    "createWriteStream",
    f"make: {_both('mkdir mkdtemp utimes ensureDir ensureFile emptyDir')} Deno.mkdir Deno.mkdirSync",
    f"read: {_both('readFile readJson readJSON')} fs.createReadStream Deno.readTextFile "
    f"Deno.readTextFileSync "
    "Deno.readFile Deno.readFileSync Bun.file process.loadEnvFile dotenv.config readFileSync "
    "createReadStream",
    f"open: {_both('open')} Deno.open",
    f"copy: {_both('copyFile cp copy')} Deno.copyFile copyFileSync cpSync",
    f"move: {_both('rename move')} Deno.rename Deno.renameSync renameSync",
    f"link: {_both('symlink link')} Deno.symlink",
    f"mode: {_both('chmod chown lchown')} Deno.chmod",
    f"names: {_both('exists stat lstat access readdir')} glob.sync glob.globSync",
    "connect: fetch http.get https.get http.request https.request axios axios.get got got.get undici.fetch "
    "undici.request node-fetch needle superagent.get",
    "post: axios.post axios.put axios.patch got.post got.put superagent.post",
    "socket: net.connect net.createConnection tls.connect WebSocket Deno.connect",
    "kill: process.kill Deno.kill",
    "print: console.log console.error console.info console.warn console.dir console.table "
    "process.stdout.write",
    "chdir: process.chdir Deno.chdir",
    "opaque: process.dlopen process.binding process._linkedBinding",
    "raise: process.setuid process.seteuid process.setgid",
    "eval: eval Function vm.runInNewContext vm.runInThisContext vm.runInContext vm.Script",
    "env: Deno.env.get Deno.env.toObject",
    "sql: $executeRawUnsafe $queryRawUnsafe",
)
_PERL = rows(
    "list: system exec IPC::Open3::open3 IPC::Open2::open2 open3 open2 shell run",
    "perl_open: open",
    "write_second: sysopen",
    "deep: unlink rmdir rmtree remove_tree File::Path::rmtree File::Path::remove_tree",
    "move: rename move mv File::Copy::move",
    "copy: copy cp File::Copy::copy",
    "make: mkdir mkpath make_path truncate utime",
    "given: push unshift",
    "mode: chmod chown",
    "link: symlink link",
    "kill: kill",
    "fork: fork",
    "eval: eval",
    "run_file: do require",
    "read: read_file opendir slurp",
    "write: write_file spurt",
    "print: print say printf warn die Dumper",
    "chdir: chdir",
    "fetch: getstore mirror LWP::Simple::getstore",
    "connect: get getprint head LWP::Simple::get HTTP::Tiny.get",
    "raise: setuid POSIX::setuid",
    "opaque: syscall",
)
_RUBY = rows(
    "list: system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec IO.popen "
    "Open3.capture2 "
    "Open3.capture2e Open3.capture3 Open3.popen3 Open3.popen2 PTY.spawn sh Kernel::system popen3 capture3 "
    "capture2e",
    "deep: File.delete File.unlink FileUtils.rm FileUtils.rm_rf FileUtils.rm_r FileUtils.rm_f "
    "FileUtils.remove "
    "FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rmtree "
    "FileUtils.rmdir "
    "Dir.rmdir Dir.delete Dir.unlink rm_rf rm_r rm_f rmtree",
    "write: File.write IO.write File.binwrite IO.binwrite",
    "open: File.open File.new open Kernel.open",
    "run_file: load require_relative",
    "read: File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread YAML.load_file "
    "JSON.load_file Dotenv.load CSV.read",
    "copy: FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.install IO.copy_stream",
    "move: FileUtils.mv FileUtils.move File.rename",
    "make: FileUtils.mkdir FileUtils.mkdir_p FileUtils.touch FileUtils.makedirs Dir.mkdir File.truncate",
    "mode: FileUtils.chmod FileUtils.chmod_R File.chmod",
    "link: FileUtils.ln FileUtils.ln_s FileUtils.ln_sf File.symlink File.link",
    "names: File.exist? File.file? File.directory? File.stat File.size",
    "connect: Net::HTTP.get Net::HTTP.get_response Net::HTTP.start URI.open HTTParty.get Faraday.get "
    "RestClient.get "
    "URI.parse",
    "post: Net::HTTP.post Net::HTTP.post_form HTTParty.post Faraday.post RestClient.post",
    "socket: TCPSocket.new TCPSocket.open",
    "kill: Process.kill",
    "fork: fork Process.fork Kernel.fork",
    "eval: eval instance_eval class_eval Kernel.eval",
    "print: puts print p pp printf $stdout.puts STDOUT.puts $stderr.puts warn",
    "chdir: Dir.chdir",
    "raise: Process::UID.change_privilege Process::Sys.setuid",
    "opaque: Marshal.load Fiddle.dlopen",
    "env: ENV.fetch ENV.values_at",
)
_PHP = rows(
    "text: system exec shell_exec passthru popen proc_open",
    "argv: pcntl_exec",
    "delete: unlink rmdir",
    "write: file_put_contents",
    "open: fopen",
    "run_file: include require include_once require_once",
    "reveals: phpinfo",
    "read: readfile file_get_contents file show_source highlight_file parse_ini_file",
    "copy: copy",
    "move: rename move_uploaded_file",
    "make: mkdir touch",
    "mode: chmod chown chgrp",
    "link: symlink link",
    "names: file_exists is_file is_dir stat filesize",
    "print: echo print print_r var_dump printf var_export",
    "env: getenv",
    "eval: eval assert create_function",
    "connect: curl_init get_headers",
    "socket: fsockopen pfsockopen stream_socket_client",
    "kill: posix_kill",
    "fork: pcntl_fork",
    "chdir: chdir",
    "raise: posix_setuid",
    "opaque: unserialize dl FFI::cdef call_user_func call_user_func_array",
)
_LUA = rows(
    "text: os.execute io.popen vim.fn.system",
    "delete: os.remove lfs.rmdir",
    "move: os.rename",
    "open: io.open",
    "write: io.output",
    "read: io.lines io.input",
    "run_file: dofile loadfile",
    "eval: load loadstring",
    "env: os.getenv",
    "print: print io.write",
    "make: lfs.mkdir lfs.touch",
    "chdir: lfs.chdir",
    "opaque: package.loadlib ffi.load",
)
_R = rows(
    "text: system shell system2 base::system",
    "deep: unlink file.remove fs::file_delete",
    "move: file.rename",
    "copy: file.copy",
    "write: sink pdf png dump file.create dir.create",
    "write_second: writeLines write write.csv write.table saveRDS write_csv",
    "read: readLines read.csv read.table readRDS scan read_csv load file",
    "run_file: source",
    "fetch: download.file utils::download.file",
    "env: Sys.getenv",
    "eval: eval parse",
    "print: print cat message",
    "chdir: setwd",
    "opaque: dyn.load",
)
_GROOVY = rows("run_file: evaluate", "print: println print printf", "env: System.getenv", "eval: Eval.me",
               "list: ProcessBuilder", "opaque: GroovyShell")  # fmt: skip
_TABLES: Mapping[str, Mapping[str, str]] = {
    "javascript": _JAVASCRIPT, "perl": _PERL, "raku": _PERL, "ruby": _RUBY, "php": _PHP, "lua": _LUA, "r": _R,
    "groovy": _GROOVY,
}  # fmt: skip
_LOSING = frozenset(
    "flushall flushdb flushAll flushDb flushDB FLUSHALL dropDatabase dropCollection delete_all "
    "destroy_all drop_all "
    "dropAllTables drop_table dropTable dropIfExists".split()
)
_QUERIES = frozenset("query execute statement raw exec_query unprepared".split())
_SAME = frozenset(
    "toString trim strip chomp to_s decode join resolve normalize promises default slice split filter "
    "sort map call "
    "then realpath bin_path chop lines text json read".split()
)
_SKIPPED = frozenset(
    "const let var my our local return await new if unless while until for foreach else elsif do then end "
    "case when typeof and or not in of".split()
)


class _Token(NamedTuple):
    kind: str
    text: str


def script(language: str, text: str, scene: Scene) -> None:
    """Adds to the scene what the code would do."""
    scene.loops = len(re.findall(r"\b(?:while|until|for|loop)\b", text[:20_000]))
    scene.tilde = language == "r"
    if language == "lua" and "]]" in text:
        text = re.sub(r"\[\[(.{0,2000}?)\]\]", lambda found: repr(found[1]), text, flags=re.DOTALL)
    scanning = _Scanning(language, text, scene)
    if language == "javascript":
        scanning.names.update(_parameters(text, scene))
    try:
        scanning.statements("")
    except (TooMuch, RecursionError):
        scene.unknown(text)
    plain = " ".join(one.text for one in scanning.tokens)
    if (
        "(?{" in text
        or "(??{" in text
        or (_DANGEROUS.search(plain) and not any(isinstance(one, _SEEN) for one in scene.found))
    ):
        scene.unknown(text)  # something that runs or deletes, in a form that was not understood


_DANGEROUS = re.compile(
    r"child_process|child_.{0,9}process|\b(?:execSync|spawnSync|rmSync|rmdirSync|unlinkSync|doShellScript|"
    r"mainModule|rimraf|eval|shell_exec|passthru|popen|proc_open|unlink|remove_tree|rmtree|rm_rf|rm_r|FileUtils|"
    r"exec_sync)\b|\bsystem\b(?=\s*[(\"'\[{])|->\s*remove|@ARGV\s*,"
)
_SEEN = (Text, Words, File, Deletes, Writes, RunsFetched, Exhausts, Unknown)
_DEFINED = re.compile(
    r"\bfunction\s+(\w+)\s*\(([^()]*)\)|\b(\w+)\s*=\s*(?:async\s*)?(?:\(([^()]*)\)|(\w+))\s*=>"
)


def _parameters(text: str, scene: Scene) -> dict[str, Value]:
    """What functions of the code are called with, where all that they are called with is written there."""
    found: dict[str, Value] = {}
    for one in islice(_DEFINED.finditer(text), 16):
        name = one[1] or one[3]
        places = [place.strip().partition("=")[0] for place in (one[2] or one[4] or one[5] or "").split(",")]
        calls = []
        for call in islice(re.finditer(rf"(?<!function )(?<![\w.]){re.escape(name)}\(", text), 12):
            scanning = _Scanning("javascript", text[call.end() : call.end() + 400], Scene(scene.call))
            calls.append(scanning.arguments())
        for at, place in enumerate(places):
            values = [values[at] if at < len(values) else None for values in calls]
            if values and all(isinstance(value, str) for value in values):
                found[place] = either(values)
    return found


class _Scanning:
    def __init__(self, language: str, text: str, scene: Scene, names: dict[str, Value] | None = None) -> None:
        self.language, self.scene = language, scene
        self.calls = _TABLES.get(language, {})
        self.names: dict[str, Value] = names if names is not None else {}
        self.tokens = list(self._tokens(text))
        self.at = self.steps = 0

    def _tokens(self, text: str) -> list[_Token]:
        found: list[_Token] = []
        at, comments = 0, _COMMENTS.get(self.language, "//#")
        while at < len(text):
            if (
                text[at] == "/"
                and self.language in ("javascript", "perl", "ruby")
                and _may_be_pattern(found, text, at)
            ):
                at = _pattern_end(text, at + 1)
                found.append(_Token("pattern", ""))
                continue
            token = _TOKEN.match(text, at)
            if token is None:
                at += 1
                continue
            kind, body = token.lastgroup or "", token[0]
            if kind == "comment" and body[:1] not in comments and body[:2] not in (comments, "/*"):
                kind, body = "op", body[:1]
            elif kind == "quoted" and self.language not in ("perl", "raku", "ruby"):
                kind, body = "op", body[:1]
                name = re.match(r"\w+", text[at:])
                kind, body = ("name", name[0]) if name else (kind, body)
            at += len(body)
            if kind not in ("space", "comment"):
                found.append(_Token(kind, body))
        return found

    def _look(self, ahead: int = 0) -> _Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else _Token("end", "")

    def _next(self) -> _Token:
        token = self._look()
        self.at += 1
        self.steps += 1
        if self.steps > _STEPS:
            raise TooMuch
        return token

    def _skip_lines(self) -> None:
        while self._look().kind == "line":
            self.at += 1

    def arguments(self) -> list[Value]:
        return self._list(")")

    def statements(self, closing: str) -> None:
        while self._look().kind != "end":
            if closing and self._look().text == closing and self._look().kind == "op":
                self.at += 1
                return
            before = self.at
            self.expression()
            if self.at == before or self._look().text in (",", ";", ")", "]", "}"):
                if closing and self._look().text == closing:
                    continue
                self.at += 1

    def expression(self, stops: str = ",;)]}") -> Value:
        """A value up to a comma, a bracket that closes, or the end of the line."""
        value: Value = None
        known, parts = True, 0
        while (token := self._look()).kind != "end":
            if token.kind == "op" and token.text in stops:
                break
            if token.kind == "line":
                if self._ends():
                    break
                self._skip_lines()
                continue
            if token.kind == "op" and token.text in ("+", ".", "..", "<<"):
                self._next()
                continue
            if token.kind == "op" and token.text in ("=", "=>", "~"):
                self._next()
                continue
            if token.kind == "name" and token.text in _SKIPPED - {"for", "foreach", "do"}:
                self._next()
                continue
            if token.kind == "op" and token.text in ("||", "?", ":", "&&", "|"):
                self._next()
                value = either([value, self.expression(stops)]) if parts else self.expression(stops)
                break
            one = self._primary()
            if token.kind == "op" and token.text not in "([{":
                known = known and token.text in "!-&*"
                continue
            value = one if parts == 0 else _added(value, one)
            parts += 1
        return value if known else (origin(value) or None)

    def _ends(self) -> bool:
        """Does the line end the expression? One that begins with a dot goes on."""
        ahead = 1
        while self._look(ahead).kind == "line" and ahead < 50:
            ahead += 1
        following = self._look(ahead)
        return following.text[:1] not in (".", "?") or following.kind == "text"

    def _primary(self) -> Value:
        token = self._next()
        if token.kind in ("text", "quoted"):
            return self._postfix(self._text(token))
        if token.kind == "number":
            return int(token.text) if token.text.lstrip("-").isdigit() else None
        if token.kind == "name":
            return self._named(token.text)
        if token.text == "(":
            values = self._list(")")
            return self._postfix(values[0] if len(values) == 1 else values)
        if token.text == "[":
            return self._postfix(self._list("]"))
        if token.text == "{":
            return self._renamed() or self._braced()
        return None

    def _list(self, closing: str) -> list[Value]:
        values: list[Value] = []
        while self._look().kind != "end" and self._look().text != closing:
            before = self.at
            self._skip_lines()
            if self._look().text == closing:
                break
            values.append(self.expression())
            if self._look().text in (",", ";") or self.at == before or self._look().text in ")]}":
                if self._look().text == closing:
                    break
                self.at += 1
        self.at += 1
        return values

    def _braced(self) -> Value:
        """A table where a key comes first, else a block."""
        ahead = 0
        while self._look(ahead).kind == "line":
            ahead += 1
        key, mark = self._look(ahead), self._look(ahead + 1).text
        if key.text == "}":
            self.at += ahead + 1
            return {}
        marks = (":", "=>", ",", "}") if self.language == "javascript" else (":", "=>")
        if key.kind not in ("name", "text", "number") or mark not in marks:
            self.statements("}")
            return None
        table: dict[str, Value] = {}
        while self._look().kind != "end" and self._look().text != "}":
            self._skip_lines()
            name = self._next()
            if name.text == "}":
                return table
            if self._look().text in (":", "=>"):
                self.at += 1
                table[name.text.strip("'\":")] = self.expression()
            elif name.kind == "name":
                table[name.text] = self.names.get(name.text)
            self._skip_lines()
            if self._look().text in (",", ";"):
                self.at += 1
        self.at += 1
        return table

    def _renamed(self) -> Value:
        """`const {a, b: c} = require('x')`: names for parts of a library."""
        end = next(
            (at for at in range(self.at, min(self.at + 40, len(self.tokens))) if self.tokens[at].text == "}"),
            0,
        )
        if not end or end + 1 >= len(self.tokens) or self.tokens[end + 1].text != "=":
            return None
        words = [one.text for one in self.tokens[self.at : end] if one.kind in ("name", "op")]
        self.at = end + 2
        value = self.expression()
        for at, word in enumerate(words):
            if word.isidentifier() and words[at + 1 : at + 2] != [":"]:
                source = words[at - 2] if at > 1 and words[at - 1] == ":" else word
                self.names[word] = Ref(f"{value.name}.{source}") if isinstance(value, Ref) else None
        return value or Ref("")

    def _text(self, token: _Token) -> Value:
        """A literal text with what is put into it; one that runs is run."""
        body = token.text
        if token.kind == "quoted":
            lead = re.match(r"%?[a-zA-Z]*\s*.", body)
            inner = body[lead.end() if lead else 1 : -1]
            if body[:2] in ("qx", "%x"):
                shell(self.scene, self._filled(inner), {})
                return None
            return inner.split() if body[:2] in ("qw", "%w", "%W", "%i") else inner
        quote, inner = body[0], body[1:-1] if len(body) > 1 and body[-1] == body[0] else body[1:]
        if quote == "`":
            if self.language in _LIVE or (self.tokens[self.at - 2 : self.at - 1] == [_Token("name", "$")]):
                shell(self.scene, self._filled(unescaped(inner)), {})
                return None
            return self._filled(unescaped(inner))
        if quote == "'" and self.language in ("perl", "ruby", "php"):
            return inner.replace("\\'", "'").replace("\\\\", "\\")
        plain = unescaped(inner)
        return (
            self._filled(plain) if quote == '"' and self.language not in ("javascript", "lua", "r") else plain
        )

    def _filled(self, text: str) -> Value:
        if not any(mark in text for mark in "$#@"):
            return text
        found: list[str] = [""]
        at = 0
        for hit in _INTERPOLATED.finditer(text):
            if hit[4] and self.language != "perl":
                continue
            inner = next(part for part in hit.groups() if part is not None)
            value = _Scanning(self.language, inner, self.scene, self.names).expression("") if inner else HOLE
            found = [lead + text[at : hit.start()] + text_of(one) for lead in found for one in each(value)][
                :8
            ]
            at = hit.end()
        return either(lead + text[at:] for lead in found)

    def _named(self, name: str) -> Value:
        """A variable, a call, an assignment."""
        if name in _SKIPPED or name in ("require", "import", "use", "from"):
            found = self._keyword(name)
            if found is not _NOTHING:
                return found
        if name[:1] == ":" and name[1:2] not in (":", "") and self.language == "ruby":
            return name[1:]
        if self._look().kind == "op" and (self._look().text == "=" or self._look(1).text == "="):
            assigned = self._assigned(name)
            if assigned is not _NOTHING:
                return assigned
        return self._used(name)

    def _keyword(self, name: str) -> Value:
        if name == "require" and self.language == "perl" and self._look().kind == "name":
            self.at += 1
            return None
        if name in ("do", "require") and self._look().kind == "text" and self.language != "javascript":
            path = self.expression()
            if self.language == "perl" or "/" in text_of(path):
                DEEDS["run_file"](self.scene, [path], {})
            return None
        if name in _SKIPPED:
            return self._loop() if name in ("for", "foreach") else None
        imported = self._imported(name) if self._look().kind in ("name", "text", "op") else None
        return imported if imported is not None else _NOTHING

    def _assigned(self, name: str) -> Value:
        if self._look().text == "." and name in self.names:
            self.at += 2
            self.names[name] = _added(self.names[name], self.expression())
            return self.names[name]
        if self._look().text != "=":
            return _NOTHING
        self.at += 1
        self._skip_lines()
        value = self.expression()
        self.names[name.lstrip("@%")] = value
        return value

    def _used(self, name: str) -> Value:
        full = self._full(name)
        if self._look().text == "(":
            self.at += 1
            held = self.names.get(name.lstrip("&"))
            if name.lstrip("&")[:1] == "$" and self.language in ("perl", "php"):
                full = held if isinstance(held, str) else "eval"  # a function that a variable names
            return self._postfix(self._called(full, name))
        if full.rpartition(".")[2] in _LOSING and "." in full:
            return DEEDS["loses"](self.scene, [], {})
        if self._look().kind == "text" and self._look().text[:1] == "`" and full in ("$", "zx.$", "Bun.$"):
            shell(self.scene, self._filled(unescaped(self._next().text.strip("`"))), {})
            return None
        if self.language in _BARE and self._bare(full):
            values = self._bare_list()
            return self._call(full, values)
        return self._postfix(self._variable(full, name))

    def _bare(self, full: str) -> bool:
        following = self._look()
        starts = following.kind in ("text", "name", "quoted", "number") or following.text in (
            "[",
            "{",
            "\\",
            "-",
            "<",
        )
        return full in self.calls and (starts or following.kind in ("end", "line") or following.text in ";})")

    def _bare_list(self) -> list[Value]:
        values: list[Value] = []
        while self._look().kind not in ("end", "line") and self._look().text not in (";", ")", "}", "]"):
            before = self.at
            values.append(self.expression())
            if self._look().text == ",":
                self.at += 1
                self._skip_lines()
            elif self.at == before:
                break
        return values

    def _loop(self) -> Value:
        """`for (const f of LIST)`, `foreach (LIST as $f)`, `foreach my $f (LIST)`."""
        names: list[str] = []
        ahead = self._look(1) if self._look().text == "my" else self._look()
        if ahead.kind == "name" and self._look(2 if self._look().text == "my" else 1).text == "(":
            names.append(ahead.text)
            self.at += 2 if self._look().text == "my" else 1
        if self._look().text != "(":
            return None
        self.at += 1
        while self._look().text in ("const", "let", "var"):
            self.at += 1
        if self._look().kind == "name" and self._look(1).text in ("of", "in"):
            names.append(self._look().text)
            self.at += 2
        value = self._primary() if not names else self.expression()
        if self._look().text == "as" and self._look(1).kind == "name":
            names.append(self._look(1).text)
            self.at += 2
        for name in names:
            self.names[name] = either(flat([value])) if value is not None else None
        return None

    def _imported(self, keyword: str) -> Value:
        """`require('x')`, `import x, {a as b} from 'y'`, `use File::Path qw(rmtree)`."""
        if keyword == "require" and self._look().text == "(":
            return None
        start = self.at
        words: list[_Token] = []
        while self._look().kind not in ("end", "line") and self._look().text != ";" and len(words) < 60:
            words.append(self._next())
        text = next((one.text.strip("'\"") for one in reversed(words) if one.kind == "text"), "")
        if keyword == "import" and text and any(one.text == "(" for one in words[:1]):
            self.at = start
            return None
        if keyword == "import" and text:
            library = _library(text)
            names = [one.text for one in words if one.kind == "name" and one.text not in ("from", "as")]
            braced = False
            for at, one in enumerate(words):
                braced = braced or one.text == "{"
                if one.kind == "name" and one.text in names:
                    source = words[at - 2].text if at > 1 and words[at - 1].text == "as" else one.text
                    self.names[one.text] = Ref(f"{library}.{source}") if braced else Ref(library)
            return Ref(library)
        if keyword in ("import", "from", "use") or not self.calls.get("require"):
            if "." in text and keyword in ("require",):
                literal(self.scene, [text])
            return Ref(_library(text))
        self.at = start
        return None

    def _full(self, name: str) -> str:
        """The name with what its first part is known to be."""
        name = (
            name.replace("?.", ".").replace("->", ".") if self.language != "perl" else name.replace("->", ".")
        )
        first, dot, rest = name.partition(".")
        value = self.names.get(first)
        if isinstance(value, Ref):
            name = f"{value.name}{dot}{rest}"
        for promised in (".promises.", "/promises."):
            name = name.replace(promised, ".")
        return name.removeprefix("CORE::").removeprefix("globalThis.").removeprefix("Kernel::")

    def _variable(self, full: str, name: str) -> Value:
        scene, bare = self.scene, name.lstrip("@%")
        if bare in self.names:
            return self.names[bare]
        first, dot, rest = name.partition(".")
        if dot and isinstance(self.names.get(first), str | list | Opened | Either):
            return self._member(self.names[first], rest)
        if full.startswith("process.env."):
            return scene.variable(full[12:])
        if full in ("process.env", "ENV", "$ENV", "$_ENV", "%ENV", "$_SERVER"):
            if self._look().text in ("[", "{") or (self._look().text == "." and self._look(1).kind == "name"):
                closing = {"[": "]", "{": "}"}.get(self._next().text, "")
                key = self._list(closing) if closing == "]" else [self._next().text.strip("'\"")]
                self.at += closing == "}"
                return scene.variable(text_of(key[0])) if key else ENVIRONMENT
            return ENVIRONMENT
        if full == "process.argv":
            return ["node", scene.script, *scene.arguments]
        if full.startswith("ENV."):
            return ENVIRONMENT
        if full in ("ARGV", "@ARGV", "$argv"):
            return list(scene.arguments) or None
        home = {
            "os.homedir": scene.call.ground.home,
            "Dir.home": scene.call.ground.home,
            "__dirname": scene.folder,
        }
        if full in home or full in ("Dir.pwd", "process.cwd"):
            return home.get(full, scene.folder)
        return Ref(full) if self.language == "javascript" else None

    def _member(self, value: Value, name: str) -> Value:
        if isinstance(value, str) and name in _OF_PATHS and "/" in value:
            return DEEDS[_OF_PATHS[name]](self.scene, [value], {})
        if isinstance(value, dict):
            return value.get(name)
        if name in ("each", "map", "select", "reject", "each_with_index") and self._look().text in (
            "{",
            "do",
        ):
            self._block_of(value)
        return value if name in _SAME or isinstance(value, list) else origin(value) or None

    def _block_of(self, value: Value) -> None:
        """`do |f| …`, `{ |f| …`: the parameter is an item of the list."""
        if self._look(1).text == "|" and self._look(2).kind == "name":
            self.names[self._look(2).text] = either(flat([value]))
            self.at += 4

    def _postfix(self, value: Value) -> Value:
        """Methods, indices and calls behind a value."""
        while True:
            token, following = self._look(), self._look(1)
            if token.kind == "line" and following.text in (".", "?.", "->"):
                self.at += 1
            elif token.text in (".", "?.", "->", "&.") and token.kind == "op" and following.kind == "name":
                self.at += 2
                value = self._method(value, following.text)
            elif token.kind == "name" and token.text.startswith((".", "->", "?.")):
                self.at += 1
                value = self._method(value, token.text.lstrip(".->?"))
            elif token.text == "[" and isinstance(value, list | dict):
                self.at += 1
                index = self._list("]")
                key = index[0] if index else None
                if isinstance(value, dict):
                    value = value.get(text_of(key))
                elif isinstance(key, int) and -len(value) <= key < len(value):
                    value = value[key]
                else:
                    value = either(value)
            elif token.text == "(" and isinstance(value, Ref):
                self.at += 1
                value = self._called(value.name, value.name)
            else:
                return value

    def _method(self, of: Value, name: str) -> Value:
        if isinstance(of, Ref):
            full = f"{of.name}.{name}".replace(".promises.", ".").replace(".default.", ".")
            if self._look().text == "(":
                self.at += 1
                return self._called(full, name)
            return self._variable(full, full)
        if self._look().text != "(":
            return self._member(of, name)
        self.at += 1
        if name in ("forEach", "map", "filter", "each") and isinstance(of, list):
            ahead = self._look(1) if self._look().text == "(" else self._look()
            if ahead.kind == "name":
                self.names[ahead.text] = either(flat([of]))
        values = self._list(")")
        if name in ("execute", "waitFor") and isinstance(of, str | list) and self.language == "groovy":
            shell(self.scene, of, {})
            return None
        if (
            name.rpartition(".")[2] in _METHODS_OF_FILES
            and isinstance(of, Opened | str)
            and self.language == "groovy"
        ):
            return DEEDS[_METHODS_OF_FILES[name.rpartition(".")[2]]](self.scene, [of, *values], {})
        return self._call_method(of, name.rpartition(".")[2], values)

    def _call_method(self, of: Value, name: str, values: list[Value]) -> Value:
        deed = self.calls.get(name)
        if name in ("replace", "replaceAll", "gsub", "sub", "concat", "push"):
            return of if certain(text_of(of)) is False else None if name != "push" else of
        if name in _QUERIES:
            DEEDS["sql"](self.scene, values, {})
        if isinstance(of, str) and name in _OF_PATHS and "/" in of:
            return DEEDS[_OF_PATHS[name]](self.scene, [of, *values], {})
        if name in _LOSING:
            return DEEDS["loses"](self.scene, values, {})
        if deed is not None and self.language == "javascript" and name.endswith("Sync"):
            return DEEDS[deed](self.scene, values, {})
        if name in _SAME:
            return of
        if NETWORK in origin(of) or origin([of, *values]):
            return origin([of, *values])
        literal(self.scene, values)
        return None

    def _called(self, full: str, name: str) -> Value:
        return self._call(full, self._list(")"))

    def _call(self, full: str, values: list[Value]) -> Value:
        scene, last = self.scene, re.split(r"::|\.|->", full)[-1]
        if full in ("require", "import") and self.language == "javascript":
            return self._required(values)
        known = _pure(full, last, values, scene)
        if known is not _NOTHING:
            return known
        if last in ("send", "public_send", "__send__", "call_user_func", "call_user_func_array") and values:
            return self._call(text_of(values[0]), flat(values[1:]))
        deed = self.calls.get(full) or (
            self.calls.get(last) if full.startswith(("FileUtils", "File::", "POSIX")) else None
        )
        if last in _QUERIES and full not in self.calls and values and isinstance(values[0], str):
            DEEDS["sql"](scene, values, {})
        if deed is None and last in _LOSING and last != full:
            deed = "loses"
        if deed == "eval":
            return self._evaluated(values)
        if deed == "perl_open":
            return self._perl_open(values)
        if deed is not None:
            return DEEDS[deed](scene, values, {})
        if full not in (
            "if",
            "while",
            "for",
            "function",
            "sub",
            "def",
            "catch",
            "switch",
            "return",
            "JSON.parse",
        ):
            literal(scene, values)
        return origin(values) or (Ref(full) if self.language == "javascript" else None)

    def _required(self, values: list[Value]) -> Value:
        name = text_of(values[0] if values else None)
        if not certain(name):
            self.scene.unknown(name)
        elif name.startswith((".", "/")):
            DEEDS["run_file"](self.scene, values, {})
        return Ref(_library(name))

    def _evaluated(self, values: Sequence[Value]) -> Value:
        for one in (one for value in values[-1:] for one in each(value)):
            if NETWORK in origin(one):
                self.scene.add(RunsFetched(self.scene.by))
            elif isinstance(one, str) and certain(one):
                _Scanning(self.language, one, self.scene, self.names).statements("")
            elif one is None or isinstance(one, str):
                self.scene.unknown()
        return None

    def _perl_open(self, values: list[Value]) -> Value:
        """`open(F, "cmd|")`, `open F, ">x"`, `open(F, "-|", "cmd", …)`."""
        texts = [value for value in values if isinstance(value, str)]
        if not texts:
            self.scene.add(Writes(HOLE))
            return None
        mode = texts[0].strip()
        if mode in ("-|", "|-"):
            DEEDS["list"](self.scene, values[values.index(texts[0]) + 1 :], {})
        elif mode.startswith("|") or mode.endswith("|"):
            command = mode.strip("|").split()
            if mode.startswith("|"):
                self.scene.add(Words(tuple(command), self.scene.by, stdin=HOLE))
            else:
                shell(self.scene, mode.strip("|"), {})
        elif len(texts) > 1 or mode in ("<", ">", ">>", "+<"):
            target = texts[1] if len(texts) > 1 else None
            DEEDS["read" if mode.startswith("<") else "write"](self.scene, [target], {})
        else:
            DEEDS["write" if mode.lstrip("+").startswith(">") else "read"](
                self.scene, [mode.lstrip("+<> ")], {}
            )
        return None


_OF_PATHS = rows("read: read slurp read_text", "deep: remove_tree rmtree unlink", "write: spew spurt")
_METHODS_OF_FILES = {
    "delete": "delete",
    "deleteDir": "deep",
    "write": "write",
    "text": "read",
    "append": "write",
}
_NOTHING = object()


def _pure(full: str, last: str, values: list[Value], scene: Scene) -> Value:
    """What functions return that only make texts."""
    home, text = scene.call.ground.home, text_of(values[0]) if values else HOLE
    if full in ("os.homedir", "Dir.home", "process.cwd", "Dir.pwd", "getcwd", "Dir.getwd"):
        return home if "home" in full else scene.folder
    if full in ("path.join", "path.resolve", "File.join", "file.path", "path.posix.join"):
        return posixpath.join(*map(text_of, flat(values))) if values else "."
    if full in _SAME_PATH:
        return home + text[1:] if text == "~" or text.startswith("~/") else text
    if full in _GLOBS:
        text = home + text[1:] if text.startswith("~/") else text if values else "*"
        return [text.replace("**/", BELOW + "/").replace("**", BELOW).replace("*", STAR).replace("?", ANY)]
    if last in ("readdirSync", "readdir"):
        return [STAR]
    if full in _DECODERS:
        from donewhen.guard.programs.python_code import decoded

        encoded = len(values) < 2 or "base64" in text_of(values[1]).lower()
        return decoded(values[0] if values else None) if encoded else values[0]
    if full in ("String.fromCharCode", "pack", "chr"):
        numbers = [value for value in flat(values) if isinstance(value, int)]
        return "".join(map(chr, numbers)) if numbers and len(numbers) == len(flat(values)) else HOLE
    return _passed(full, values)


def _passed(full: str, values: list[Value]) -> Value:
    if full == "paste0":
        return "".join(map(text_of, values))
    if full in ("c", "list"):
        return values
    if full in ("String", "promisify", "util.promisify", "Promise.resolve", "Array.from", "File"):
        return values[0] if values else None
    return _NOTHING


_SAME_PATH = frozenset(
    "File.expand_path path.expand Pathname.new path.normalize Pathname URL fileURLToPath".split()
)
_GLOBS = frozenset("glob Dir.glob Dir list.files fs.globSync glob.sync Dir.entries Dir.children".split())
_DECODERS = frozenset(
    "Buffer.from atob MIME::Base64::decode_base64 decode_base64 base64_decode Base64.decode64".split()
)


def _library(name: str) -> str:
    return name.removeprefix("node:").removesuffix("/promises").replace("fs-extra", "fs")


def _added(left: Value, right: Value) -> Value:
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    if isinstance(left, list | dict | Ref | Opened) or isinstance(right, list | dict | Ref):
        return origin([left, right]) or None
    return either(text_of(a) + text_of(b) for a in each(left) for b in each(right))


def unescaped(text: str) -> str:
    """A text with its escapes replaced."""

    def plain(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xu" and len(code) > 1:
            return chr(int(code[1:], 16))
        if code[0] in "01234567" and len(code) > 1:
            return chr(int(code, 8) & 0xFF)
        return _SIMPLE.get(code, code if code != "\n" else "")

    return _ESCAPE.sub(plain, text) if "\\" in text else text


def _may_be_pattern(found: list[_Token], text: str, at: int) -> bool:
    if text[at + 1 : at + 2] in ("/", "*", " "):
        return False
    last = next((one for one in reversed(found) if one.kind != "line"), None)
    return (
        last is None
        or (last.kind == "op" and last.text not in ")]}")
        or last.text in ("return", "if", "and", "split")
    )


def _pattern_end(text: str, at: int) -> int:
    inside = False
    while at < len(text) and text[at] != "\n" and (inside or text[at] != "/"):
        inside = {"[": True, "]": False}.get(text[at], inside)
        at += 2 if text[at] == "\\" else 1
    return at + 1
