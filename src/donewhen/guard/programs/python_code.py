"""Python code by `ast`: calls with what their arguments are, as far as the text tells. Nothing is run.

Assignments are followed in order, branches are taken apart, loops over known values gone through, functions
entered where they are called. Past a budget, or with a syntax error, the code is unknown.
"""

import ast
import base64
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, STAR, anything, certain
from donewhen.guard.programs.deeds import (
    CHILD,
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
    send,
    text_of,
    words,
)
from donewhen.guard.secret_paths import secret

_HIDDEN = "\uf8e0"  # a hole, where Python's parser takes no null byte
_STEPS = 20_000
_LONGEST = 65_536
_CALLS = rows(
    "text: os.system os.popen popen2.popen2 subprocess.getoutput subprocess.getstatusoutput "
    "asyncio.create_subprocess_shell pexpect.run pexpect.spawn invoke.run fabric.local sh.bash",
    "proc: subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen "
    "pty.spawn",
    "argv: asyncio.create_subprocess_exec",
    "argv0: os.execv os.execve os.execvp os.execvpe os.execl os.execle os.execlp os.execlpe os.posix_spawn "
    "os.posix_spawnp",
    "spawn0: os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe",
    "delete: os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash",
    "deep: shutil.rmtree distutils.dir_util.remove_tree",
    "open: open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile io.FileIO "
    "aiofiles.open "
    "fileinput.FileInput",
    "read: os.listxattr linecache.getlines linecache.getline pandas.read_csv numpy.loadtxt numpy.load "
    "fileinput.input",
    "run_file: runpy.run_path",
    "write: shelve.open dbm.open logging.FileHandler logging.handlers.RotatingFileHandler venv.create "
    "sqlite3.connect "
    "os.truncate os.utime numpy.save numpy.savetxt shutil.make_archive",
    "make: os.mkdir os.makedirs os.mknod os.mkfifo",
    "write_given: logging.basicConfig",
    "netrc: netrc.netrc",
    "credential: keyring.get_password keyring.get_credential",
    "names: os.stat os.lstat os.path.exists os.path.isfile os.path.isdir os.path.getsize os.access "
    "os.path.getmtime",
    "copy: shutil.copy shutil.copy2 shutil.copyfile shutil.copytree",
    "move: os.rename os.renames os.replace shutil.move",
    "link: os.symlink os.link",
    "mode: os.chmod os.lchmod os.chown os.lchown shutil.chown",
    "print: print sys.stdout.write sys.stderr.write pprint.pprint pprint.pp logging.info logging.warning "
    "logging.error "
    "logging.debug sys.exit os.write sys.stdout.buffer.write input",
    "connect: requests.get requests.head httpx.get httpx.head httpx.stream http.client.HTTPConnection "
    "http.client.HTTPSConnection urllib3.request ftplib.FTP smtplib.SMTP smtplib.SMTP_SSL telnetlib.Telnet "
    "websocket.create_connection websockets.connect urllib.request.Request xmlrpc.client.ServerProxy",
    "urlopen: urllib.request.urlopen urllib.urlopen urllib2.urlopen",
    "post: requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch "
    "httpx.delete",
    "connect_method: requests.request httpx.request",
    "socket: socket.create_connection asyncio.open_connection",
    "fetch: urllib.request.urlretrieve urllib.urlretrieve wget.download",
    "kill: os.kill os.killpg",
    "fork: os.fork os.forkpty pty.fork multiprocessing.Process",
    "raise: os.setuid os.seteuid os.setreuid os.setgid os.setresuid",
    "opaque: ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL pickle.loads pickle.load marshal.loads "
    "dill.loads "
    "types.CodeType types.FunctionType importlib.util.spec_from_file_location imp.load_source cffi.FFI "
    "code.interact "
    "globals locals vars",
    "redirected: os.dup2",
    "chdir: os.chdir os.fchdir os.chroot",
    "env: os.getenv os.getenvb os.environ.get os.environ.pop os.environ.__getitem__ os.environ.setdefault "
    "decouple.config os.environ.copy os.environ.items os.environ.keys os.environ.values",
    "temporary: tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory",
    "temporary_file: tempfile.NamedTemporaryFile tempfile.TemporaryFile",
    "temporary_pair: tempfile.mkstemp",
    "temporary_root: tempfile.gettempdir",
    "containers: docker.from_env.volumes.prune docker.from_env.containers.prune docker.from_env.images.prune",
    "kill_each: psutil.process_iter.kill psutil.process_iter.terminate psutil.process_iter.send_signal",
    "write_second: cProfile.run profile.run",
)
_LOSING = (
    "flushall flushdb drop_database drop_collection delete_all destroy_all drop_all drop_table dropTable "
    "delete_table"
)
_METHODS = rows(
    "opaque: system popen Popen check_output check_call execv exec_command getoutput runsource runcode",
    "write_given: to_csv to_json to_excel to_parquet to_pickle to_html savefig write_parquet write_csv",
    f"loses: {_LOSING}",
    "branch: delete_head",
    "cloud: delete_bucket delete_db_instance terminate_instances delete_stack delete_objects delete_cluster",
    "socket: connect connect_ex",
    "send: sendall sendto sendmail send_message storbinary",
    "sql: execute executescript executemany",
    "print: info warning error debug critical exception",
    "deep: rmtree",
)
_PATHS = rows(
    "delete: unlink rmdir",
    "deep: rmtree",
    "write: write_text write_bytes",
    "make: touch mkdir",
    "read: read_text read_bytes",
    "move: rename move",
    "mode: chmod lchmod",
    "names: exists is_file is_dir stat lstat",
)
_SAME = frozenset(
    "expanduser resolve absolute decode encode strip rstrip lstrip read readline text json content lower "
    "upper as_posix "
    "splitlines readlines __enter__ __fspath__ casefold copy getvalue".split()
)
_QUIET = frozenset(
    "len str int repr isinstance hasattr sorted list dict set tuple sum min max type range enumerate zip "
    "any all abs "
    "bool float round format super id hash callable issubclass iter next dir help exit quit bytes "
    "bytearray ord chr "
    "hex bin setattr delattr map filter reversed re json sys math datetime time random string itertools "
    "functools "
    "collections logging typing textwrap platform statistics argparse hashlib struct unittest pytest".split()
)


_RESULTS = {"subprocess.Popen": CHILD, "xmlrpc.client.ServerProxy": "xmlrpc.client.proxy"}


class Method(NamedTuple):
    """A method of a value, not yet called."""

    of: Value
    name: str


class Function(NamedTuple):
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def python(text: str, scene: Scene) -> None:
    """Adds to the scene what the code would do."""
    try:
        tree = ast.parse(text.replace(HOLE, _HIDDEN))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        scene.unknown(text)
        return
    reading = _Reading(scene)
    try:
        reading.block(tree.body)
        for function in [one for one in reading.functions if one.node not in reading.entered]:
            reading.enter(function, [], {})
    except (TooMuch, RecursionError):
        scene.unknown(text)


class _Reading:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names: dict[str, Value] = {"__file__": scene.script or HOLE}
        self.functions: list[Function] = []
        self.entered: set[ast.AST] = set()
        self._inside: list[ast.AST] = []
        self._returned: list[Value] = []
        self._steps = 0

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _STEPS:
            raise TooMuch

    # statements

    def block(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            self._step()
            handler = _STATEMENTS.get(type(node))
            if handler is not None:
                handler(self, node)
            else:
                self._rest(node)

    def _rest(self, node: ast.AST) -> None:
        """What no handler knows: its expressions, then its statements."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.block([child])
            else:
                self._rest(child)

    def _imports(self, node: ast.Import | ast.ImportFrom) -> None:
        module = getattr(node, "module", None)
        for alias in node.names:
            name = f"{module or ''}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            if name.partition(".")[0] == "donewhen" or getattr(node, "level", False):
                self.scene.unknown(f"import {name}")  # code that uses donewhen could answer for it
            bound = alias.asname or (
                alias.name if isinstance(node, ast.ImportFrom) else name.partition(".")[0]
            )
            full = name if alias.asname or isinstance(node, ast.ImportFrom) else bound
            if bound == "*":
                self.names.update(
                    {one.rpartition(".")[2]: Ref(one) for one in _CALLS if one.startswith(f"{module}.")}
                )
            else:
                self.names[bound] = _library(full)

    def _assigns(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if node.value is None:
            return
        value = self.value(node.value)
        if isinstance(node, ast.AugAssign):
            value = _added(self.value(node.target), value)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._bind(target, value)

    def _bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            items = value if isinstance(value, list) and len(value) == len(target.elts) else None
            for at, one in enumerate(target.elts):
                self._bind(one, items[at] if items is not None else origin(value) or None)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value)
        elif isinstance(target, ast.Subscript | ast.Attribute):
            of = self.value(target.value)
            if isinstance(target, ast.Subscript) and isinstance(of, dict):
                key = self.value(target.slice)
                of[key if isinstance(key, str) else f"*{len(of)}"] = value
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self.names[f"{target.value.id}.{target.attr}"] = value

    def _branches(self, node: ast.If | ast.Try | ast.Match) -> None:
        bodies: list[list[ast.stmt]] = []
        self.scene.picks += isinstance(node, ast.If)
        if isinstance(node, ast.If):
            self.value(node.test)
            bodies = [node.body, node.orelse]
        elif isinstance(node, ast.Match):
            self.value(node.subject)
            bodies = [case.body for case in node.cases]
        else:
            self.block(node.body)
            bodies = [[], *(handler.body for handler in node.handlers), node.orelse]
        before, ends = self.names, []
        for body in bodies:
            self.names = dict(before)
            self.block(body)
            ends.append(self.names)
        self.names = {
            name: either(end[name] for end in ends if name in end)
            for name in dict.fromkeys(n for e in ends for n in e)
        }
        self._steps += len(self.names) // 10
        self.scene.picks -= isinstance(node, ast.If)
        if isinstance(node, ast.Try):
            self.block(node.finalbody)

    def _repeats(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if isinstance(node, ast.While):
            items: list[Value] = [None, None]
            self.value(node.test)
        else:
            items = self._items(self.value(node.iter))
        self.scene.loops += 1
        for item in items:
            if not isinstance(node, ast.While):
                self._bind(node.target, item)
            self.block(node.body)
        self.scene.loops -= 1
        self.block(node.orelse)

    def _items(self, value: Value) -> list[Value]:
        """What a loop meets; one stands for many."""
        found = [
            item for one in each(value) for item in (one if isinstance(one, list | dict) else [_part_of(one)])
        ]
        return found if len(found) <= 64 else [either(found)]

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value)
        self.block(node.body)

    def _defines(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
        self.names[node.name] = Function(node)
        self.functions.append(Function(node))

    def _returns(self, node: ast.Return | ast.Expr) -> None:
        value = self.value(node.value) if node.value is not None else None
        if isinstance(node, ast.Return):
            self._returned.append(value)

    def enter(self, function: Function, values: list[Value], given: Mapping[str, Value]) -> Value:
        """A function of the code itself is called."""
        node = function.node
        self._step()
        if node in self._inside or len(self._inside) > 6:
            return "".join(map(origin, [*values, *given.values()])) or []
        self.entered.add(node)
        self._inside.append(node)
        outside, returned, self._returned = self.names, self._returned, []
        self.names = dict(outside)
        places = [*node.args.posonlyargs, *node.args.args]
        defaults = [*[None] * (len(places) - len(node.args.defaults)), *node.args.defaults]
        for at, place in enumerate(places):
            default = defaults[at]
            fallback = self.value(default) if default is not None and values else None
            self.names[place.arg] = given.get(place.arg, values[at] if at < len(values) else fallback)
        for place in node.args.kwonlyargs:
            self.names[place.arg] = given.get(place.arg)
        if node.args.vararg:
            self.names[node.args.vararg.arg] = values[len(places) :] if values else None
        if isinstance(node, ast.Lambda):
            self._returned.append(self.value(node.body))
        else:
            self.block(node.body)
            for name in (n for part in node.body if isinstance(part, ast.Global) for n in part.names):
                outside[name] = self.names.get(name)
        result = either(self._returned) if self._returned else None
        self.names, self._returned = outside, returned
        self._inside.pop()
        return result

    # expressions

    def value(self, node: ast.expr) -> Value:
        self._step()
        handler = _EXPRESSIONS.get(type(node))
        if handler is not None:
            return handler(self, node)
        found = [self.value(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return origin(found) or None

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bytes):
            return node.value.decode("utf-8", "replace")
        return node.value.replace(_HIDDEN, HOLE) if isinstance(node.value, str) else node.value

    def _name(self, node: ast.Name) -> Value:
        return self.names[node.id] if node.id in self.names else Ref(node.id)

    def _attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and f"{node.value.id}.{node.attr}" in self.names:
            return self.names[f"{node.value.id}.{node.attr}"]
        return self._member(self.value(node.value), node.attr)

    def _member(self, of: Value, name: str) -> Value:
        if isinstance(of, Either):
            return either(self._member(one, name) for one in of.values)
        if isinstance(of, Ref):
            known = {
                "sys.argv": [self.scene.script, *self.scene.arguments],
                "os.sep": "/",
                "os.linesep": "\n",
            }
            known["sys.executable"] = "python3"
            full = f"{of.name}.{name}"
            return known.get(full, _library(full))
        if isinstance(of, str) and name in ("stdout", "text"):
            return of
        if isinstance(of, Opened) and name == "name":
            return of.path
        if isinstance(of, str) and name in ("parent", "parents"):
            return HOLE + origin(of) if anything(of) else posixpath.dirname(of.rstrip("/")) or "."
        if isinstance(of, str) and name in ("name", "stem", "suffix"):
            base = posixpath.basename(of.rstrip("/"))
            return base if certain(of) and name == "name" else STAR
        if name.startswith("__") and name not in (
            "__name__",
            "__file__",
            "__doc__",
            "__version__",
            "__dict__",
        ):
            self.scene.unknown(name)
        return Method(of, name)

    def _call(self, node: ast.Call) -> Value:
        callee = self.value(node.func)
        values: list[Value] = []
        for arg in node.args:
            one = self.value(arg.value if isinstance(arg, ast.Starred) else arg)
            values += one if isinstance(arg, ast.Starred) and isinstance(one, list) else [one]
        given = {word.arg or f"**{at}": self.value(word.value) for at, word in enumerate(node.keywords)}
        return either(self._called(one, values, given) for one in each(callee))

    def _called(self, callee: Value, values: list[Value], given: dict[str, Value]) -> Value:
        if isinstance(callee, Function):
            return self.enter(callee, values, given)
        for function in [one for one in values if isinstance(one, Function)]:
            self.enter(function, [], {})
        if isinstance(callee, Ref):
            return self._library(callee.name, values, given)
        if isinstance(callee, Method):
            return self._method(callee.of, callee.name, values, given)
        literal(self.scene, [*values, *given.values()])
        return origin([callee, *values, *given.values()]) or None

    def _library(self, name: str, values: list[Value], given: dict[str, Value]) -> Value:
        scene = self.scene
        pure = _PURE.get(name)
        if pure is not None:
            return pure(self, values)
        self._handed(name, values, given)
        if name in _CALLS:
            result = DEEDS[_CALLS[name]](scene, values, given)
            return Ref(_RESULTS[name]) if name in _RESULTS else result
        first, _, last = name.rpartition(".")
        if last and (first == "sh" or first.endswith(".git")):  # every program is a function of `sh`
            lead = ["git"] if first != "sh" else []
            words(scene, [*lead, last.replace("_", "-"), *values, *(f"--{key}" for key in given)], {})
            return None
        if first.startswith("os.environ"):
            return ENVIRONMENT
        quiet = name.partition(".")[0] in _QUIET
        if last in _METHODS and first and not quiet:
            return DEEDS[_METHODS[last]](scene, values, given)
        if first.startswith("xmlrpc"):
            return send(scene, values, given)
        if not quiet:
            literal(scene, [*values, *given.values()])
        marks = origin([*values, *given.values()])
        return marks or (Ref(name) if first else None)

    def _handed(self, name: str, values: list[Value], given: dict[str, Value]) -> None:
        """Functions that are given to others, and files that a few functions take beside their first."""
        later = name in (
            "threading.Thread",
            "multiprocessing.Process",
            "atexit.register",
            "functools.partial",
        )
        handed = [given["target"], *flat([given.get("args", [])])] if "target" in given else values
        for one in handed[:1] if later or name in ("map", "filter") else ():
            if isinstance(one, Ref) and one.name in _CALLS:
                items = self._items(values[1] if len(values) > 1 else None)
                for item in [handed[1:]] if later else [[item] for item in items]:
                    self._library(one.name, item, {})
        if name == "shutil.make_archive":
            literal(self.scene, [*values[2:], *given.values()])
        if name == "fileinput.input" and given.get("inplace"):
            DEEDS["write"](self.scene, values, {})

    def _method(self, of: Value, name: str, values: list[Value], given: dict[str, Value]) -> Value:
        scene = self.scene
        if isinstance(of, Method) and of.name == "git":  # GitPython: repo.git.push("--force")
            words(scene, ["git", name.replace("_", "-"), *values, *(f"--{key}" for key in given)], {})
            return None
        if isinstance(of, str):
            return self._of_text(of, name, values, given)
        if isinstance(of, Opened):
            if NETWORK in origin(values):
                DEEDS["write"](scene, [of.path, *values], {})
            return None
        if isinstance(of, dict | list) and name in _OF_ITEMS:
            return _of_items(of, name, values)
        if (
            of is None
            and name in _PATHS
            and name in ("unlink", "rmdir", "rmtree", "write_text", "write_bytes")
        ):
            return DEEDS[_PATHS[name]](scene, [None, *values], given)
        if name in _METHODS and not (name == "connect" and values and isinstance(values[0], str)):
            return DEEDS[_METHODS[name]](scene, values, given)
        literal(scene, [*values, *given.values()])
        return origin([of, *values, *given.values()]) or None

    def _of_text(self, of: str, name: str, values: list[Value], given: dict[str, Value]) -> Value:
        if NETWORK in of and name in _METHODS and name not in ("connect", "write_given", "deep"):
            return DEEDS[_METHODS[name]](self.scene, values, given)
        if name in _PATHS and not (name == "rename" and not values):
            return DEEDS[_PATHS[name]](self.scene, [of, *values], given)
        if name == "replace" and len(values) == 1:
            return DEEDS["move"](self.scene, [of, *values], given)
        if name == "open":
            return DEEDS["open"](self.scene, [of, *values], given)
        if name == "expanduser":
            return _expanded(self, [of])
        if name in ("symlink_to", "hardlink_to"):
            return DEEDS["link"](self.scene, [*values[:1], of], {})
        if name in ("request", "send", "putrequest") and NETWORK in of:
            return send(self.scene, values, given)
        return _text_method(of, name, values)

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            return _added(left, right)
        if isinstance(node.op, ast.Div) and (isinstance(left, str) or isinstance(right, str)):
            return either(posixpath.join(text_of(a), text_of(b)) for a in each(left) for b in each(right))
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _formatted(left, flat([right]))
        if isinstance(node.op, ast.Mult) and isinstance(left, str) and isinstance(right, int):
            return left * max(0, right) if len(left) * right < 4096 else None
        return origin([left, right]) or None

    def _joined(self, node: ast.JoinedStr) -> Value:
        parts: list[Value] = [""]
        for part in node.values:
            one = self.value(part.value if isinstance(part, ast.FormattedValue) else part)
            parts = [a + text_of(b) for a in parts for b in each(one)][:8]
        return either(parts)

    def _listed(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        found: list[Value] = []
        for part in node.elts:
            one = self.value(part.value if isinstance(part, ast.Starred) else part)
            found += one if isinstance(part, ast.Starred) and isinstance(one, list) else [one]
        return found

    def _table(self, node: ast.Dict) -> Value:
        keys = [self.value(key) if key is not None else None for key in node.keys]
        values = [self.value(value) for value in node.values]
        return {key if isinstance(key, str) else f"*{at}": values[at] for at, key in enumerate(keys)}

    def _subscript(self, node: ast.Subscript) -> Value:
        of = self.value(node.value)
        if isinstance(node.slice, ast.Slice) and isinstance(of, list):
            start = node.slice.lower.value if isinstance(node.slice.lower, ast.Constant) else 0
            return of[start:] if isinstance(start, int) else of
        index = self.value(node.slice)
        if isinstance(of, Ref) and of.name in ("os.environ", "os.environb"):
            return self.scene.variable(text_of(index))
        if isinstance(of, list) and isinstance(index, int) and -len(of) <= index < len(of):
            return of[index]
        if isinstance(of, dict) and isinstance(index, str):
            return of.get(index)
        if isinstance(of, Method) and of.name == "__dict__":
            self.scene.unknown("__dict__")
        if isinstance(of, Ref) and of.name == "sys.modules":
            return _library(text_of(index))
        return origin([of, index]) or (_part_of(of) if isinstance(of, str | list) and of else None)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        first = node.generators[0]
        found: list[Value] = []
        self.scene.loops += 1
        for item in self._items(self.value(first.iter)):
            self._bind(first.target, item)
            for more in node.generators[1:]:
                self._bind(more.target, either(self._items(self.value(more.iter))))
            tests = [test for generator in node.generators for test in generator.ifs]
            self.scene.picks += bool(tests)
            for test in tests:
                self.value(test)
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            found.append([self.value(part) for part in parts] if len(parts) > 1 else self.value(parts[0]))
            self.scene.picks -= bool(tests)
        self.scene.loops -= 1
        return found

    def _chosen(self, node: ast.IfExp | ast.BoolOp) -> Value:
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
        if isinstance(node, ast.IfExp):
            self.value(node.test)
        return either([self.value(part) for part in parts])

    def _lambda(self, node: ast.Lambda) -> Value:
        return Function(node)

    def _inner(self, node: ast.Await | ast.NamedExpr) -> Value:
        value = self.value(node.value)
        if isinstance(node, ast.NamedExpr):
            self._bind(node.target, value)
        return value

    def run(self, text: Value) -> Value:
        """`exec`, `eval`."""
        for one in each(text):
            if NETWORK in origin(one):
                from donewhen.guard.effects import RunsFetched

                self.scene.add(RunsFetched(self.scene.by))
            elif isinstance(one, str) and certain(one) and len(self._inside) < 6:
                self._inside.append(ast.Pass())
                python(one, self.scene)
                self._inside.pop()
            else:
                self.scene.unknown()
        return None


_OF_ITEMS = frozenset("items keys values get append add insert extend copy sort pop".split())


def _of_items(of: dict[str, Value] | list[Value], name: str, values: list[Value]) -> Value:
    """Methods of tables and lists."""
    if isinstance(of, dict):
        if name == "get":
            return of.get(values[0]) if values and isinstance(values[0], str) else None
        pairs = [[key, one] for key, one in of.items()]
        return pairs if name == "items" else [pair[name == "values"] for pair in pairs]
    if name in ("append", "add", "insert", "extend"):
        of += values[-1:] if name != "extend" else flat(values)
    return of if name in ("copy", "sort") else origin(of) or None


def _library(name: str) -> Value:
    """Something of a library; what it is when that is a text."""
    return Ref(name.removeprefix("builtins.").replace("os.path.os.", "os.").replace("posixpath.", "os.path."))


def _part_of(value: Value) -> Value:
    """One item of what is iterated: a line of a text, a name of a listing."""
    if isinstance(value, str):
        return value if not certain(value) else None
    return value if isinstance(value, Ref) else origin(value) or None


def _added(left: Value, right: Value) -> Value:
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    parts = [
        text_of(a) + text_of(b)
        for a in each(left)
        for b in each(right)
        if isinstance(a, str) or isinstance(b, str)
    ]
    short = [part if len(part) < _LONGEST else HOLE + origin(part) for part in parts[:9]]
    return either(short) if short else origin([left, right]) or None


_PLACE = re.compile(r"%[-#0 +]*[\d.]*[sdrfi]|\{[^{}]*\}")


def _formatted(text: str, values: list[Value]) -> Value:
    rest = iter(values)
    return _PLACE.sub(lambda found: text_of(next(rest, None)), text)


def _text_method(of: str, name: str, values: list[Value]) -> Value:
    given = values[0] if values else None
    if name in ("glob", "rglob", "iterdir", "walk"):
        return _globbed(of, text_of(given) if name.endswith("glob") else "*", deep=name in ("rglob", "walk"))
    if name in ("joinpath", "__truediv__"):
        return posixpath.join(of, *map(text_of, values))
    if name in ("with_suffix", "with_name", "with_stem"):
        return f"{posixpath.dirname(of) or '.'}/{STAR}"
    if name == "relative_to":
        return of.removeprefix(f"{text_of(given)}/")
    if name == "join":
        return of.join(map(text_of, values[0])) if isinstance(given, list) else HOLE + origin(values)
    if name == "format":
        return _formatted(of, values)
    if (
        name == "replace"
        and len(values) > 1
        and isinstance(given, str)
        and given
        and isinstance(values[1], str)
    ):
        return of.replace(given, values[1]) if certain(given) else HOLE + origin([of, *values])
    if name in ("split", "splitlines", "readlines") and not anything(of):
        return list(of.split(given) if isinstance(given, str) and given else of.split())
    if name == "removesuffix" or name == "removeprefix":
        return getattr(of, name)(given) if isinstance(given, str) else of
    return of if name in _SAME else origin([of, *values]) or None


def _globbed(folder: str, pattern: str, deep: bool) -> list[Value]:
    place = pattern.replace("**/", BELOW + "/").replace("**", BELOW).replace("*", STAR).replace("?", "\2")
    path = posixpath.join(folder, place) if folder not in ("", ".") else place
    head, _, tail = path.rpartition("/")
    return [path, *([f"{head or '.'}/{BELOW}/{tail}"] if deep or BELOW in place else [])]


def _joined_path(reading: _Reading, values: list[Value]) -> Value:
    parts: list[str] = [""]
    for value in values:
        parts = [posixpath.join(a, text_of(b)) for a in parts for b in each(value)][:8]
    return either(parts)


def _expanded(reading: _Reading, values: list[Value]) -> Value:
    home = reading.scene.call.ground.home
    found = []
    for one in map(text_of, each(values[0] if values else None)):
        path = home + one[1:] if one == "~" or one.startswith("~/") else one
        found.append(path.replace("${HOME}", home).replace("$HOME", home))
    return either(found)


def _path(reading: _Reading, values: list[Value]) -> Value:
    return _joined_path(reading, values) if values else "."


def _decoded(reading: _Reading, values: list[Value]) -> Value:
    return decoded(values[0] if values else None)


def decoded(given: Value) -> Value:
    """What base64 text stands for."""
    if not isinstance(given, str) or not certain(given):
        return HOLE + origin(given)
    try:
        return base64.b64decode(given + "=" * (-len(given) % 4)).decode("utf-8", "replace")
    except ValueError:
        return HOLE


def _unhexed(reading: _Reading, values: list[Value]) -> Value:
    try:
        return (
            bytes.fromhex(values[0]).decode("utf-8", "replace")
            if values and certain(text_of(values[0]))
            else HOLE
        )
    except (ValueError, TypeError):
        return HOLE


def _imported(reading: _Reading, values: list[Value]) -> Value:
    name = values[0] if values else None
    if isinstance(name, str) and certain(name):
        return _library(name)
    reading.scene.unknown()
    return None


_HIDING = frozenset(
    "system popen rmtree unlink remove execv execvp spawn run call Popen rmdir environ".split()
)


def _by_name(reading: _Reading, values: list[Value]) -> Value:
    """A function that will be looked up by its name."""
    name = text_of(values[0] if values else None)
    if "__" in name or not certain(name) or not _HIDING.isdisjoint(name.split(".")):
        reading.scene.unknown(name)
    return None


def _got(reading: _Reading, values: list[Value]) -> Value:
    """`getattr(os, "system")`: a name that is computed was hidden on purpose."""
    name = values[1] if len(values) > 1 else None
    if isinstance(name, str) and certain(name):
        return reading._member(values[0], name)
    if isinstance(values[0] if values else None, Ref):
        reading.scene.unknown()
    return None


def _based(reading: _Reading, values: list[Value]) -> Value:
    given = text_of(values[0]) if values else HOLE
    return posixpath.basename(given) if certain(given) else STAR


def _folder_of(reading: _Reading, values: list[Value]) -> Value:
    given = text_of(values[0]) if values else HOLE
    return posixpath.dirname(given) if certain(given) else HOLE + origin(given)


def _listing(reading: _Reading, values: list[Value]) -> Value:
    folder = values[0] if values and isinstance(values[0], str) else "."
    DEEDS["names"](reading.scene, [folder], {})
    return [STAR]


def _walked(reading: _Reading, values: list[Value]) -> Value:
    folder = text_of(values[0]) if values else "."
    return [[folder, [STAR], [STAR]], [f"{folder}/{BELOW}", [STAR], [STAR]]]


def _entries(reading: _Reading, values: list[Value]) -> Value:
    return [f"{text_of(values[0]) if values else '.'}/{STAR}"]


def _globs(reading: _Reading, values: list[Value]) -> Value:
    return [
        one for value in values[:1] for text in each(value) for one in _globbed("", text_of(text), deep=False)
    ]


def _dotenv(reading: _Reading, values: list[Value]) -> Value:
    return DEEDS["read"](reading.scene, values or [".env"], {})


def _same(reading: _Reading, values: list[Value]) -> Value:
    return values[0] if values else None


def _enumerated(reading: _Reading, values: list[Value]) -> Value:
    return [[None, one] for one in reading._items(values[0] if values else None)]


def _zipped(reading: _Reading, values: list[Value]) -> Value:
    columns = [reading._items(value) for value in values]
    return [list(row) for row in zip(*columns, strict=False)] if all(columns) else None


_PURE: Mapping[str, Callable[[_Reading, list[Value]], Value]] = {
    "exec": lambda reading, values: reading.run(values[0] if values else None),
    "eval": lambda reading, values: reading.run(values[0] if values else None),
    "timeit.timeit": lambda reading, values: reading.run(values[0] if values else None),
    "compile": _same,
    "str": _same,
    "os.fspath": _same,
    "sorted": _same,
    "list": _same,
    "set": _same,
    "tuple": _same,
    "reversed": _same,
    "bytes": _same,
    "io.StringIO": _same,
    "io.BytesIO": _same,
    "os.path.realpath": _same,
    "os.path.abspath": _same,
    "os.path.normpath": _same,
    "shlex.quote": _same,
    "textwrap.dedent": _same,
    "contextlib.closing": _same,
    "os.fsencode": _same,
    "os.fsdecode": _same,
    "codecs.decode": _same,
    "shlex.split": lambda reading, values: _text_method(text_of(values[0]), "split", []) if values else None,
    "pathlib.Path": _path,
    "pathlib.PosixPath": _path,
    "pathlib.PurePath": _path,
    "os.path.join": _joined_path,
    "pathlib.Path.home": lambda reading, values: reading.scene.call.ground.home,
    "pathlib.Path.cwd": lambda reading, values: reading.scene.folder,
    "os.getcwd": lambda reading, values: reading.scene.folder,
    "os.path.expanduser": _expanded,
    "os.path.expandvars": _expanded,
    "os.path.basename": _based,
    "os.path.dirname": _folder_of,
    "base64.b64decode": _decoded,
    "base64.standard_b64decode": _decoded,
    "base64.urlsafe_b64decode": _decoded,
    "bytes.fromhex": _unhexed,
    "binascii.unhexlify": _unhexed,
    "operator.attrgetter": _by_name,
    "operator.methodcaller": _by_name,
    "__import__": _imported,
    "importlib.import_module": _imported,
    "getattr": _got,
    "os.listdir": _listing,
    "os.scandir": _entries,
    "os.walk": _walked,
    "glob.glob": _globs,
    "glob.iglob": _globs,
    "enumerate": _enumerated,
    "zip": _zipped,
    "dotenv.load_dotenv": _dotenv,
    "dotenv.dotenv_values": _dotenv,
}
_STATEMENTS: Mapping[type, Callable[..., None]] = {
    ast.Import: _Reading._imports,
    ast.ImportFrom: _Reading._imports,
    ast.Assign: _Reading._assigns,
    ast.AnnAssign: _Reading._assigns,
    ast.AugAssign: _Reading._assigns,
    ast.If: _Reading._branches,
    ast.For: _Reading._repeats,
    ast.AsyncFor: _Reading._repeats,
    ast.While: _Reading._repeats,
    ast.Try: _Reading._branches,
    ast.Match: _Reading._branches,
    ast.With: _Reading._with,
    ast.AsyncWith: _Reading._with,
    ast.FunctionDef: _Reading._defines,
    ast.AsyncFunctionDef: _Reading._defines,
    ast.Return: _Reading._returns,
    ast.Expr: _Reading._returns,
}
_EXPRESSIONS: Mapping[type, Callable[..., Value]] = {
    ast.Constant: _Reading._constant,
    ast.Name: _Reading._name,
    ast.Attribute: _Reading._attribute,
    ast.Call: _Reading._call,
    ast.BinOp: _Reading._binary,
    ast.JoinedStr: _Reading._joined,
    ast.List: _Reading._listed,
    ast.Tuple: _Reading._listed,
    ast.Set: _Reading._listed,
    ast.Dict: _Reading._table,
    ast.Subscript: _Reading._subscript,
    ast.ListComp: _Reading._comprehension,
    ast.SetComp: _Reading._comprehension,
    ast.GeneratorExp: _Reading._comprehension,
    ast.DictComp: _Reading._comprehension,
    ast.IfExp: _Reading._chosen,
    ast.BoolOp: _Reading._chosen,
    ast.Lambda: _Reading._lambda,
    ast.Await: _Reading._inner,
    ast.NamedExpr: _Reading._inner,
}
_NAME = re.compile(r"""["'/]([\w.-]{3,40})["']""")
_LEFT_OUT = re.compile(r"(?:!=|\bnot\b)[^;\n\]]*$")  # the code passes over the name
_FILTERS = re.compile(r"""['"/_|(](?:KEY|TOKEN|SECRET|PASS|AWS|CRED)""", re.IGNORECASE)


def look_around(text: str, scene: Scene) -> None:
    """Names of secret files that the code mentions, and whether it looks for credentials among names."""
    text = text[:20_000]
    scene.filters = _FILTERS.search(text) is not None
    found = [one for one in _NAME.finditer(text) if not _LEFT_OUT.search(text[: one.start()][-40:])]
    names = dict.fromkeys(one[1] for one in found)
    scene.hints = tuple(name for name in names if secret(scene.at(name), scene.call.ground))[:8]
