"""What code does, whatever its language: the calls of libraries, told by a few kinds of deed, become effects.

A deed takes the values of its arguments. Languages differ in names and order only; their tables say which
function is which deed. What a deed is given and can't be told is a mark or `Unknown`, never dropped.
"""

from collections.abc import Mapping, Sequence

from donewhen.guard.call import File
from donewhen.guard.effects import (
    Destroys,
    Exhausts,
    Raises,
    Reveals,
    RunsFetched,
    Signals,
    Writes,
)
from donewhen.guard.marks import ENVIRONMENT, HOLE, STAR, certain
from donewhen.guard.programs.code.deeds_data import (
    do_branch,
    do_containers,
    do_credential,
    do_kill_each,
    do_loses,
    do_netrc,
)
from donewhen.guard.programs.code.deeds_files import (
    do_archive,
    do_copy,
    do_database_file,
    do_delete,
    do_delete_all,
    do_delete_deep,
    do_edit,
    do_folder,
    do_link,
    do_make,
    do_mode,
    do_mode_first,
    do_move,
    do_names,
    do_open,
    do_read,
    do_write,
    do_write_given,
    do_write_second,
)
from donewhen.guard.programs.code.deeds_network import (
    do_connect,
    do_connect_method,
    do_fetch,
    do_post,
    do_print,
    do_request,
    do_send,
    do_socket,
    do_urlopen,
)
from donewhen.guard.programs.code.deeds_output import printed
from donewhen.guard.programs.code.scene import (
    Deed,
    Named,
    Scene,
    env_of,
    fed,
    first,
    folder_of,
    many,
    second,
    settings_of,
    shell,
    sql,
    words,
)
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Opened,
    PathText,
    Ref,
    Seq,
    Table,
    Unsure,
    Value,
    alternatives,
    text_of,
)

CHILD = "subprocess.Popen()"  # a process that the code started


def _do_text(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    what = first(values, named, "cmd", "command", "args")
    if second(values) == "w" and isinstance(what, str):  # popen: the code writes to it
        fed(scene, what)
    else:
        shell(scene, what, folder_of(scene, values, named))
    return printed(scene, what, folder_of(scene, values, named))


def _do_list(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """One value is a shell text, several are a program's words (perl, ruby)."""
    flat = [value for value in values if not isinstance(value, Table)]
    if flat and isinstance(values[0], Table):  # ruby: system({"A" => "b"}, "cmd")
        named = {}
    if len(flat) == 1 and not isinstance(flat[0], Seq):
        shell(scene, flat[0], folder_of(scene, values, named))
    else:
        words(scene, many(flat), folder_of(scene, values, named))
    return UNKNOWN


def _do_proc(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """A program by its words or, with the option for it, a shell text (python's subprocess, node's spawn)."""
    what = first(values, named, "args", "cmd", "popenargs")
    settings = settings_of(values[1:], named)
    folder, env = folder_of(scene, values[1:], named), env_of(settings)
    given = settings.get("input")
    stdin = text_of(given) if given is not None and not isinstance(given, Unsure) else None
    if (given is not None and stdin is None) or settings.get("stdin") == Ref("subprocess.PIPE"):
        stdin = stdin or HOLE
    alone = what.items if isinstance(what, Seq) else (what,)
    if (
        stdin is None
        and len(alone) == 1
        and len(values) == 1
        and "stdio" not in settings
        and "stdin" not in settings
    ):
        stdin = HOLE if scene.by not in ("python", "python3") else None  # a pipe that the code may write to
    asks = settings.get("shell", False)
    more = values[1] if len(values) > 1 and isinstance(values[1], Seq) else settings.get("args")
    rest = more.items if isinstance(more, Seq) and more is not what else ()
    for one in _as_executable(what, settings):
        if isinstance(one, Seq):
            if asks is not False and one.items:
                shell(scene, one.items[0], folder, env)
            words(scene, one.items, folder, env, stdin)
        elif asks is not False:
            shell(scene, " ".join([text_of(one), *map(text_of, rest)]) if rest else one, folder, env)
        else:
            words(scene, (one, *rest), folder, env, stdin)
    return printed(scene, Seq((what, *rest)) if rest else what, folder)


def _as_executable(what: Value, settings: Named) -> Sequence[Value]:
    """The commands; a program that is named beside them is the one that is started."""
    own = settings.get("executable")
    found = list(alternatives(what))
    if isinstance(own, str) and settings.get("shell", False) is False:
        found += [Seq((own, *one.items[1:])) for one in found if isinstance(one, Seq)]
    return found


def _do_reveals(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Reveals("environment"))
    return UNKNOWN


def _do_destroys(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Destroys("cloud", scene.by, sure=False))
    return UNKNOWN


def _do_path(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return PathText(text_of(first(values, named, "path")))


def _do_argv(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    words(
        scene,
        many([value for value in values if not isinstance(value, Table)]),
        folder_of(scene, values, named),
    )
    flat = many([value for value in values if not isinstance(value, Table)])
    return printed(scene, Seq(tuple(flat)), folder_of(scene, values, named))


def _do_argv0(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """The program, then its words with its own name once more (execv)."""
    flat = many(values[1:])
    words(scene, (values[0] if values else UNKNOWN, *flat[1:]))
    return UNKNOWN


def _do_spawn0(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return _do_argv0(scene, values[1:], named)  # os.spawn*: a mode before it


def _do_kill(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    numbers = [value for value in many(values) if isinstance(value, int)]
    if -1 in numbers:
        scene.add(Signals("everything"))
    else:
        own = first(values, named, "pid") == Ref(f"{CHILD}.pid")
        scene.add(Signals("own" if own else "process", text_of(first(values, named, "pid"))))
    return UNKNOWN


def _do_fork(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    if scene.loops:
        scene.add(Exhausts("fork"))
    return UNKNOWN


def _do_raise(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Raises(scene.by))
    return UNKNOWN


def _do_opaque(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.unknown()
    return UNKNOWN


def _do_run_file(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(File(scene.at(first(values, named, "path_name")), scene.by))
    return UNKNOWN


_BY_NAME = frozenset(
    "system popen rmtree unlink remove execv execvp spawn run call Popen rmdir environ getenv modules".split()
)


def _do_by_name(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """A function that will be looked up by its name."""
    name = text_of(first(values, named))
    if "__" in name or HOLE in name or not _BY_NAME.isdisjoint(name.split(".")):
        scene.unknown(name)
    return UNKNOWN


def _do_redirected(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """A descriptor is put in place of another; with a connection at hand that is a shell for the other "
    "side."""
    if scene.listens:
        scene.add(RunsFetched(scene.by))
    return UNKNOWN


def _do_chdir(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.folder = scene.at(first(values, named, "path"))
    return UNKNOWN


def _do_env(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    name = first(values, named, "key", "name")
    if not values and not named:
        return ENVIRONMENT
    got = scene.variable(text_of(name))
    default = values[1] if len(values) > 1 else None
    return got if got != HOLE or not isinstance(default, str) else HOLE


def _do_sql(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for value in values[:1]:
        sql(scene, text_of(value), sure=False)
    return UNKNOWN


def _do_nothing(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return UNKNOWN


def _do_temporary(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """A new name that the code is given, in the folder and with the beginning that it asks for."""
    if len(values) > 1:  # by position, which differs between them
        return UNKNOWN
    folder = named.get("dir")
    prefix = text_of(named.get("prefix") or "tmp")
    path = scene.at(f"{text_of(folder or _TEMPORARY)}/{prefix}{STAR}")
    if folder is not None or not certain(prefix):
        scene.add(Writes(path))
    return path


def _do_temporary_file(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    path = _do_temporary(scene, values[1:], named)
    return Opened(path) if isinstance(path, str) else path


def _do_temporary_pair(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return Seq((UNKNOWN, _do_temporary(scene, values, named)))  # an open descriptor and its path


def _do_temporary_root(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return _TEMPORARY


_TEMPORARY = "/tmp"  # noqa: S108  what the code would see, not what is used here
DEEDS: Mapping[str, Deed] = {
    "text": _do_text, "list": _do_list, "proc": _do_proc, "argv": _do_argv, "argv0": _do_argv0,
    "spawn0": _do_spawn0, "delete": do_delete, "delete_deep": do_delete_deep, "delete_all": do_delete_all,
    "write": do_write, "write_second": do_write_second, "make": do_make, "read": do_read,
    "names": do_names, "folder": do_folder, "open": do_open, "copy": do_copy, "move": do_move,
    "link": do_link, "mode": do_mode, "mode_first": do_mode_first, "print": do_print,
    "connect": do_connect, "connect_method": do_connect_method, "post": do_post, "urlopen": do_urlopen,
    "socket": do_socket, "send": do_send, "fetch": do_fetch, "kill": _do_kill, "fork": _do_fork,
    "raise": _do_raise, "opaque": _do_opaque, "run_file": _do_run_file, "by_name": _do_by_name,
    "redirected": _do_redirected, "chdir": _do_chdir,
    "reveals": _do_reveals, "destroys": _do_destroys, "path": _do_path, "edit": do_edit,
    "archive": do_archive,
    "write_given": do_write_given,
    "env": _do_env, "sql": _do_sql, "nothing": _do_nothing, "temporary": _do_temporary,
    "temporary_file": _do_temporary_file, "temporary_pair": _do_temporary_pair,
    "temporary_root": _do_temporary_root, "loses": do_loses, "containers": do_containers,
    "kill_each": do_kill_each, "branch": do_branch, "credential": do_credential, "netrc": do_netrc,
    "database_file": do_database_file, "request": do_request,
}  # fmt: skip
