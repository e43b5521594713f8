"""Calls in Python code: which function of which library is which deed.

The tables hold what can do harm or tells a path; a function that is in none of them is harmless by itself,
and the literal texts that it is given are taken as paths it may read.
"""

import posixpath

from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, STAR
from donewhen.guard.programs.code.deeds import CHILD, DEEDS
from donewhen.guard.programs.code.deeds_data import LOSING
from donewhen.guard.programs.code.python_folding import below, method
from donewhen.guard.programs.code.python_pure import PURE, Reading, home_path, walked, written
from donewhen.guard.programs.code.scene import ROUTED, Scene, literal, words
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Member,
    Opened,
    PathText,
    Ref,
    Seq,
    Unsure,
    Value,
    origin,
    tainted,
    text_of,
)


def _rows(*rows: str) -> dict[str, str]:
    """`deed: name name …` as name -> deed."""
    return {name: deed for deed, _, names in (row.partition(": ") for row in rows) for name in names.split()}


CALLS = _rows(
    "text: os.system os.popen os.popen2 os.popen3 popen2.popen2 popen2.popen3 subprocess.getoutput "
    "subprocess.getstatusoutput asyncio.create_subprocess_shell pexpect.run pexpect.spawn platform.popen "
    "invoke.run fabric.local plumbum.local sh.bash",
    "proc: subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen "
    "pty.spawn",
    "argv: asyncio.create_subprocess_exec",
    "argv0: os.execv os.execve os.execvp os.execvpe os.execl os.execle os.execlp os.execlpe os.posix_spawn "
    "os.posix_spawnp",
    "spawn0: os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe",
    "delete: os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash",
    "delete_deep: shutil.rmtree distutils.dir_util.remove_tree",
    "open: open io.open os.fdopen codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile "
    "io.FileIO tokenize.open fileinput.FileInput tempfile.open aiofiles.open",
    "read: os.listxattr json.tool linecache.getlines linecache.getline dotenv.dotenv_values "
    "dotenv.load_dotenv pandas.read_csv numpy.loadtxt numpy.load configparser.read",
    "run_file: runpy.run_path",
    "database_file: shelve.open dbm.open dbm.gnu.open dbm.ndbm.open dbm.dumb.open",
    "write_given: logging.basicConfig",
    "netrc: netrc.netrc",
    "credential: keyring.get_password keyring.get_credential",
    "kill_each: psutil.process.kill psutil.process.terminate psutil.process.send_signal",
    "containers: docker.client.volumes.prune docker.client.containers.prune docker.client.images.prune "
    "docker.client.networks.prune",
    "by_name: operator.methodcaller operator.attrgetter",
    "names: os.stat os.lstat os.path.exists os.path.isfile os.path.isdir os.path.getsize os.access "
    "os.path.islink "
    "os.path.getmtime",
    "edit: fileinput.input",
    "archive: shutil.make_archive",
    "write: logging.FileHandler logging.handlers.RotatingFileHandler venv.create "
    "sqlite3.connect os.mkdir os.makedirs os.mknod os.mkfifo os.truncate os.utime numpy.save "
    "numpy.savetxt",
    "copy: shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode shutil.copystat",
    "move: os.rename os.renames os.replace shutil.move",
    "link: os.symlink os.link",
    "mode_first: os.chmod os.lchmod os.chown os.lchown shutil.chown os.chflags",
    "print: print sys.stdout.write sys.stderr.write pprint.pprint pprint.pp logging.info logging.warning "
    "logging.error logging.debug logging.critical sys.exit os.write sys.stdout.buffer.write input",
    "connect: requests.get requests.head requests.options httpx.get httpx.head httpx.options httpx.stream "
    "http.client.HTTPConnection http.client.HTTPSConnection urllib3.request ftplib.FTP smtplib.SMTP "
    "smtplib.SMTP_SSL paramiko.connect telnetlib.Telnet websocket.create_connection urllib.request.Request "
    "xmlrpc.client.ServerProxy urllib.urlopen",
    "urlopen: urllib.request.urlopen",
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
    "code.interact cloudpickle.loads",
    "redirected: os.dup2",
    "chdir: os.chdir os.fchdir os.chroot",
    "env: os.getenv os.getenvb os.environ.get os.environ.pop os.environ.setdefault os.environ.__getitem__ "
    "decouple.config",
    "temporary: tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory",
    "temporary_file: tempfile.NamedTemporaryFile tempfile.TemporaryFile",
    "temporary_pair: tempfile.mkstemp",
    "temporary_root: tempfile.gettempdir",
)
_PROXY = "xmlrpc.client.proxy"
# What some functions return, as something that the tables know by name.
RESULTS: dict[str, Value] = {
    "subprocess.Popen": Ref(CHILD),
    "docker.from_env": Ref("docker.client"),
    "docker.DockerClient": Ref("docker.client"),
    "psutil.process_iter": Seq((Ref("psutil.process"),)),
    "xmlrpc.client.ServerProxy": Ref(_PROXY),
}
METHODS = _rows(
    "opaque: system popen Popen check_output check_call execv exec_command getoutput runsource runcode",
    "write_given: to_csv to_json to_excel to_parquet to_pickle to_html savefig",
    f"loses: {LOSING}",
    "branch: delete_head",
    "destroys: delete_bucket delete_db_instance terminate_instances delete_stack delete_objects "
    "delete_db_cluster delete_cluster",
    "delete_all: rmtree unlink",
    "socket: connect connect_ex",
    "send: sendall sendto sendmail send_message storbinary",
    "sql: execute executescript executemany",
    "print: info warning error debug critical exception",
)
_PATHS = _rows(
    "delete: unlink rmdir rmtree",
    "write: write_text write_bytes",
    "make: touch mkdir",
    "read: read_text read_bytes",
    "open: open",
    "move: rename replace move move_into",
    "copy: copy copy_into",
    "mode_first: chmod lchmod",
)
_QUIET = frozenset(
    "re json sys math datetime time random string itertools functools collections logging typing textwrap "
    "platform "
    "operator statistics decimal fractions enum dataclasses pprint unittest pytest argparse difflib hashlib "
    "inspect ast types warnings traceback struct uuid html calendar locale site sysconfig importlib doctest "
    "len str int repr isinstance hasattr sorted list dict set tuple sum min max print type range enumerate "
    "zip any "
    "all abs bool float round format super id hash callable issubclass iter next dir help ValueError "
    "Exception "
    "SystemExit RuntimeError TypeError AssertionError exit quit bytes bytearray ord chr hex bin setattr "
    "delattr".split()
)
_TEXT_METHODS = frozenset(
    "startswith endswith replace split rsplit join strip lstrip rstrip find index count get append extend "
    "insert "
    "remove pop setdefault update add discard search match findall sub finditer fullmatch encode decode "
    "write "
    "writelines format lower upper partition rpartition splitlines removeprefix removesuffix items keys "
    "values "
    "add_argument parse_args sort reverse group groups title print log".split()
)


def invoke(
    reading: Reading, callee: Value, values: tuple[Value, ...], given: dict[str, Value], handed: bool = False
) -> Value:
    """What the call does is added to the scene; the result is what it would return."""
    if isinstance(callee, Ref):
        return _library(reading, callee, values, given, handed)
    if isinstance(callee, Member):
        return _method(reading, callee, values, given)
    if isinstance(callee, Unsure) and callee.opaque:
        reading.scene.unknown()
    elif not handed:
        literal(reading.scene, (*values, *given.values()))
    return tainted((*values, *given.values()))


def _library(
    reading: Reading, callee: Ref, values: tuple[Value, ...], given: dict[str, Value], handed: bool
) -> Value:
    name, scene = callee.name, reading.scene
    pure = PURE.get(name)
    if pure is not None and not (handed and not values):
        return pure(reading, values, given)
    deed = CALLS.get(name)
    if deed is not None:
        if handed and not values:
            values = (UNKNOWN,)
        result = DEEDS[deed](scene, values, given)
        return RESULTS.get(name, result)
    if name in RESULTS:
        return RESULTS[name]
    first, _, last = name.rpartition(".")
    if first == _PROXY:  # every method of it is a call over the network
        return DEEDS["send"](scene, values, given)
    if first == "sh" and last:  # every program is a function of this module
        words(scene, (last.replace("_", "-"), *values))
        return UNKNOWN
    if first.startswith("os.environ"):
        return ENVIRONMENT
    if last in METHODS and name.partition(".")[0] not in _QUIET:
        return DEEDS[METHODS[last]](scene, values, given)
    if name.partition(".")[0] not in _QUIET and not handed:
        literal(scene, (*values, *given.values()), routes=last in ROUTED and bool(first))
    return tainted((*values, *given.values()))


def _method(reading: Reading, callee: Member, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    of, name, scene = callee.of, callee.name, reading.scene
    if isinstance(of, PathText):
        return _path_method(scene, of, name, values, given)
    if isinstance(of, Member) and of.name == "__class__":
        scene.unknown()
    if isinstance(of, Member) and of.name == "git":  # GitPython: repo.git.push("--force")
        words(scene, ("git", name.replace("_", "-"), *values, *(f"--{key}" for key in given)))
        return UNKNOWN
    result = method(of, name, values, given)
    if result is not None:
        return result
    if isinstance(of, Opened):
        written(scene, of, (*values, *given.values()))
        return UNKNOWN
    if isinstance(of, Unsure) and name in _UNSURE_PATHS and not (name == "replace" and len(values) != 1):
        return DEEDS[_PATHS[name]](scene, (UNKNOWN, *values), given)
    if name in METHODS and not (name == "connect" and values and isinstance(values[0], str)):
        return DEEDS[METHODS[name]](scene, values, given)
    if name in _OVER and NETWORK in origin(of):
        return DEEDS[_OVER[name]](scene, values, given)
    if name not in _TEXT_METHODS:
        literal(scene, (*values, *given.values()), routes=name in ROUTED)
    return tainted((of, *values, *given.values()))


_OVER = {"request": "request", "send": "send", "putrequest": "request"}  # methods of a connection
_UNSURE_PATHS = frozenset("unlink rmdir rmtree write_text write_bytes touch rename replace".split())


def _path_method(
    scene: Scene, of: PathText, name: str, values: tuple[Value, ...], given: dict[str, Value]
) -> Value:
    deed = _PATHS.get(name)
    if deed is not None:
        return DEEDS[deed](scene, (of, *values), given)
    if name in ("symlink_to", "hardlink_to", "link_to"):
        return DEEDS["link"](scene, (values[0] if values else UNKNOWN, of), {})
    if name in ("exists", "is_file", "is_dir", "stat", "lstat"):
        return DEEDS["names"](scene, (of.text,), {})
    return _path_value(scene, of.text, name, values)


def _path_value(scene: Scene, text: str, name: str, values: tuple[Value, ...]) -> Value:
    given = text_of(values[0]) if values else ""
    if name == "joinpath":
        return PathText(posixpath.join(text, *map(text_of, values)))
    if name == "expanduser":
        return PathText(home_path(scene, text))
    if name in ("iterdir", "walk"):
        return Seq((PathText(f"{text}/{STAR}"),)) if name == "iterdir" else walked(scene, text)
    if name in ("glob", "rglob"):
        return Seq((PathText(below(text, given if name == "glob" else f"**/{given}")),))
    if name in ("with_suffix", "with_name", "with_stem"):
        head = posixpath.dirname(text)
        new = posixpath.splitext(text)[0] + given if name == "with_suffix" else posixpath.join(head, given)
        return PathText(new)
    if name == "relative_to" and text.startswith(f"{given}/"):
        return PathText(text[len(given) + 1 :])
    if name in ("resolve", "absolute"):
        return PathText(scene.at(text))
    return text if name in ("as_posix", "__str__", "__fspath__") else PathText(HOLE)
