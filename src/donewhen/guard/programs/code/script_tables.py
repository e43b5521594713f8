"""Which function of which script language is which deed (`code_deeds`).

A row is `deed: name name …`. Full names come first; names in `last` count whatever they are a member of, so
they are only those that mean nothing else.
"""

from typing import NamedTuple

from donewhen.guard.programs.code.deeds_data import LOSING
from donewhen.guard.programs.code.tokens import Syntax


class Tongue(NamedTuple):
    name: str
    syntax: Syntax
    calls: dict[str, str]
    last: dict[str, str]
    members: frozenset[str]  # operators that name a member
    bare: bool = False  # calls without brackets
    named: frozenset[str] = frozenset()  # what stands between an argument's name and its value

    def deed(self, name: str) -> str | None:
        found = self.calls.get(name) or self.calls.get(name.removeprefix("CORE::").removeprefix("POSIX::"))
        last = _last(name)
        return found or self.last.get(last) or (_LOSING.get(last) if last != name else None)

    def tagged(self, name: str) -> bool:
        return name in ("$", "zx.$", "Bun.$") and self.name == "javascript"


def _last(name: str) -> str:
    for mark in ("::", ".", "/"):
        name = name.rpartition(mark)[2]
    return name


def rows(*given: str) -> dict[str, str]:
    """`deed: name name …` as name -> deed."""
    return {name: deed for deed, _, names in (row.partition(": ") for row in given) for name in names.split()}


_LOSING = rows(f"loses: {LOSING}")


def _both(names: str, library: str = "fs") -> str:
    """Every name with its synchronous twin."""
    return " ".join(f"{library}.{name} {library}.{name}Sync" for name in names.split())


_JAVASCRIPT = rows(
    "text: exec child_process.exec child_process.execSync shelljs.exec $ zx.$ Bun.$ doShellScript",
    "proc: Deno.Command "
    "child_process.spawn child_process.spawnSync Bun.spawn Bun.spawnSync cross-spawn cross-spawn.sync "
    "execa.execaCommand",
    "argv: child_process.execFile child_process.execFileSync execa execa.execa execa.sync",
    "forks: child_process.fork cluster.fork",
    f"delete: {_both('rm rmdir unlink remove')} Deno.remove Deno.removeSync del.deleteSync",
    "delete_deep: rimraf rimraf.sync rimraf.rimraf del shelljs.rm",
    f"write: {_both('writeFile appendFile truncate outputFile writeJson outputJson')} fs.createWriteStream "
    f"Deno.writeTextFile "
    "Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write",
    f"make: {_both('mkdir mkdtemp utimes ensureDir ensureFile emptyDir')} Deno.mkdir Deno.mkdirSync",
    f"read: {_both('readFile readJson readJSON')} fs.createReadStream Deno.readTextFile "
    f"Deno.readTextFileSync Deno.readFile "
    "Deno.readFileSync Bun.file process.loadEnvFile dotenv.config",
    f"open: {_both('open')} Deno.open",
    f"copy: {_both('copyFile cp copy')} Deno.copyFile",
    f"move: {_both('rename move')} Deno.rename Deno.renameSync",
    f"link: {_both('symlink link')} Deno.symlink",
    f"mode_first: {_both('chmod chown lchown')} Deno.chmod",
    f"names: {_both('exists stat lstat access')}",
    f"folder: {_both('readdir')}",
    "connect: fetch http.get https.get http.request https.request axios axios.get got got.get undici.fetch "
    "undici.request "
    "node-fetch needle http2.connect superagent.get",
    "post: axios.post axios.put axios.patch got.post got.put superagent.post",
    "socket: net.connect net.createConnection net.Socket.connect tls.connect WebSocket Deno.connect",
    "kill: process.kill Deno.kill",
    "print: console.log console.error console.info console.warn console.debug console.dir console.table "
    "process.stdout.write process.stderr.write",
    "chdir: process.chdir Deno.chdir",
    "opaque: process.dlopen process.binding process._linkedBinding",
    "raise: process.setuid process.seteuid process.setgid",
    "eval: eval Function vm.runInNewContext vm.runInThisContext vm.runInContext vm.Script vm.compileFunction "
    "setTimeout setInterval setImmediate",
    "env: Deno.env.get Deno.env.toObject",
)
_JAVASCRIPT_LAST = rows(
    "text: execSync doShellScript",
    "proc: spawnSync",
    "argv: execFileSync execFile",
    "delete: rmSync unlinkSync rmdirSync",
    "write: writeFileSync appendFileSync createWriteStream",
    "read: readFileSync createReadStream",
    "move: renameSync",
    "copy: copyFileSync cpSync",
    "delete_deep: rimraf",
    "eval: runInNewContext runInThisContext",
    "sql: $executeRawUnsafe $queryRawUnsafe",
)
_PERL = rows(
    "list: system exec IPC::Open3::open3 IPC::Open2::open2 open3 open2",
    "perl_open: open",
    "write_second: sysopen",
    "delete_all: unlink rmdir rmtree remove_tree File::Path::rmtree File::Path::remove_tree",
    "move: rename move mv File::Copy::move File::Copy::mv",
    "copy: copy cp File::Copy::copy File::Copy::cp",
    "make: mkdir mkpath make_path File::Path::make_path truncate utime",
    "mode: chmod",
    "mode_owner: chown",
    "link: symlink link",
    "kill: kill",
    "fork: fork",
    "eval: eval",
    "run_file: do require",
    "read: read_file File::Slurp::read_file opendir",
    "path: path Path::Tiny::path io file dir",
    "push: push unshift",
    "write: write_file File::Slurp::write_file",
    "print: print say printf warn die Dumper",
    "chdir: chdir",
    "fetch: getstore mirror LWP::Simple::getstore LWP::Simple::mirror",
    "connect: get getprint head LWP::Simple::get HTTP::Tiny.get",
    "raise: setuid POSIX::setuid",
    "opaque: syscall",
)
_RAKU = {**_PERL, **rows("list: shell", "argv: run", "write: spurt", "read: slurp")}
_RUBY = rows(
    "list: system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec IO.popen "
    "Open3.capture2 "
    "Open3.capture2e Open3.capture3 Open3.popen3 Open3.popen2 Open3.popen2e PTY.spawn sh Kernel::system",
    "path: Pathname Pathname.new",
    "delete_all: File.delete File.unlink FileUtils.rm FileUtils.rm_rf FileUtils.rm_r FileUtils.rm_f "
    "FileUtils.remove "
    "FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rmtree "
    "FileUtils.rmdir "
    "FileUtils.remove_file Dir.rmdir Dir.delete Dir.unlink FileUtils.safe_unlink rm_rf rm_r rm_f "
    "FileUtils.rm_tree",
    "write: File.write IO.write File.binwrite IO.binwrite",
    "open: File.open File.new open Kernel.open IO.sysopen",
    "run_file: load require_relative",
    "read: File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread YAML.load_file "
    "JSON.load_file Dotenv.load CSV.read",
    "copy: FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.copy_file FileUtils.install IO.copy_stream",
    "move: FileUtils.mv FileUtils.move File.rename",
    "make: FileUtils.mkdir FileUtils.mkdir_p FileUtils.touch FileUtils.makedirs Dir.mkdir File.truncate",
    "mode: FileUtils.chmod FileUtils.chmod_R File.chmod",
    "link: FileUtils.ln FileUtils.ln_s FileUtils.ln_sf File.symlink File.link",
    "names: File.exist? File.file? File.directory? File.stat File.size",
    "connect: Net::HTTP.get Net::HTTP.get_response Net::HTTP.start URI.open HTTParty.get Faraday.get "
    "RestClient.get",
    "post: Net::HTTP.post Net::HTTP.post_form HTTParty.post Faraday.post RestClient.post",
    "socket: TCPSocket.new TCPSocket.open",
    "kill: Process.kill",
    "fork: fork Process.fork Kernel.fork",
    "eval: eval instance_eval class_eval Kernel.eval Object.instance_eval "
    "RubyVM::InstructionSequence.compile",
    "print: puts print p pp printf $stdout.puts STDOUT.puts $stderr.puts warn",
    "chdir: Dir.chdir",
    "raise: Process::UID.change_privilege Process::Sys.setuid",
    "opaque: Marshal.load Fiddle.dlopen",
    "env: ENV.fetch ENV.values_at",
)
_RUBY_LAST = rows("delete_all: rm_rf remove_entry_secure rmtree", "list: popen3 capture3 capture2e")
_PHP = rows(
    "text: system exec shell_exec passthru popen proc_open",
    "argv: pcntl_exec",
    "delete: unlink rmdir",
    "write: file_put_contents",
    "open: fopen",
    "run_file: include require include_once require_once",
    "reveals: phpinfo",
    "read: readfile file_get_contents file show_source "
    "highlight_file "
    "parse_ini_file php_strip_whitespace SplFileObject",
    "copy: copy",
    "move: rename move_uploaded_file",
    "make: mkdir touch",
    "mode_first: chmod chown chgrp",
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
    "raise: posix_setuid posix_seteuid",
    "opaque: unserialize dl FFI::cdef mail",
    "call: call_user_func call_user_func_array array_map usort",
)
_LUA = rows(
    "text: os.execute io.popen",
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
    "text_nvim: vim.fn.system",
)
_R = rows(
    "text: system shell system2 base::system",
    "delete_all: unlink file.remove fs::file_delete",
    "move: file.rename",
    "copy: file.copy",
    "write: sink pdf png dump file.create dir.create",
    "write_second: writeLines write write.csv write.table saveRDS readr::write_csv write_csv",
    "read: readLines read.csv read.table readRDS scan readr::read_csv read_csv load file",
    "run_file: source",
    "fetch: download.file utils::download.file",
    "env: Sys.getenv",
    "eval: eval parse",
    "print: print cat message",
    "chdir: setwd",
    "opaque: dyn.load",
)
_GROOVY = rows(
    "run_file: evaluate",
    "print: println print printf",
    "env: System.getenv",
    "eval: Eval.me",
    "list: ProcessBuilder",
    "opaque: GroovyShell",
)
_GROOVY_LAST = rows("text: exec")
_OTHER = rows(
    "opaque: system exec spawn popen shell run System.cmd System.shell System.halt Process process sh "
    "os.system "
    "unlink rm delete-file uiop:run-program run-program clojure.java.shell "
    "eval "
    "readProcess callCommand qx shell-command slurp open :os.cmd os.cmd Code.eval_string Port.open",
    "delete: File.rm File.rmdir",
    "delete_deep: File.rm_rf",
    "write: File.write File.touch File.mkdir File.mkdir_p",
    "open: File.open File.read File.stream Code.eval_file Code.require_file",
    "copy: File.cp File.cp_r",
    "move: File.rename",
    "env: System.get_env System.fetch_env",
    "print: IO.puts IO.inspect IO.write",
)
_C_LIKE = frozenset((".", "?."))
_PERL_TONGUE = Tongue(
    "perl",
    Syntax(("#",), None, '"', ("$",), True, "$@%&", perlish=True, heredocs=True, lines=False, scope=True),
    _PERL,
    rows("delete_all: rmtree remove_tree"),
    frozenset(("->",)),
    bare=True,
)
LANGUAGE_TABLES: dict[str, Tongue] = {
    "javascript": Tongue("javascript", Syntax(fill=("${",), sigils="$", live="`"), _JAVASCRIPT,
    _JAVASCRIPT_LAST, _C_LIKE),
    "perl": _PERL_TONGUE,
    "raku": _PERL_TONGUE._replace(calls=_RAKU),
    "ruby": Tongue(
        "ruby",
        Syntax(("#",), None, '"', ("#{",), True, "@$", percent=True, heredocs=True, scope=True),
        _RUBY, _RUBY_LAST, frozenset((".", "&.", "?.")), True, frozenset((":",)),
    ),
    "php": Tongue(
        "php", Syntax(("//", "#"), ("/*", "*/"), '"', ("$",), True, "$", regex=False, heredocs=True,
        lines=False, scope=True),
        _PHP, {}, frozenset(("->", "::")), bare=True,
    ),
    "lua": Tongue("lua", Syntax(("--",), None, "", (), False, "", long_brackets=True, regex=False), _LUA,
    {}, frozenset((".", ":")), True),
    "r": Tongue("r", Syntax(("#",), None, "", (), False, ".", regex=False, scope=True), _R, {},
    frozenset(("$", ".")), False, frozenset(("=",))),
    "groovy": Tongue("groovy", Syntax(fill=("${",), live='"'), _GROOVY, _GROOVY_LAST, _C_LIKE, True,
    frozenset((":",))),
    "other": Tongue("other", Syntax(("#", "//", "--", ";;"), None, '"', ("#{",), True, "", regex=False,
    loud=True), _OTHER, {}, frozenset((".", "::")), True),
}  # fmt: skip
