"""Deeds with files: deleting, writing, reading, opening, copying, linking, modes."""

from collections.abc import Sequence

from donewhen.guard.effects import (
    Deletes,
    Fetches,
    Raises,
    Reads,
    Writes,
)
from donewhen.guard.marks import HOLE, NETWORK, STAR, certain
from donewhen.guard.programs.code.deeds_network import do_connect
from donewhen.guard.programs.code.scene import (
    ADDRESS,
    Named,
    Scene,
    first,
    host_of,
    many,
    second,
    settings_of,
    shell,
)
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Opened,
    PathText,
    Seq,
    Table,
    Unsure,
    Value,
    alternatives,
    origin,
    text_of,
)


def do_delete(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    deep = settings_of(values, named).get("recursive", False) is not False
    return _delete(scene, values, named, deep)


def _delete(scene: Scene, values: Sequence[Value], named: Named, deep: bool) -> Value:
    given = list(many(values)) or [first((), named, "path", "name")]
    for value in given:
        for one in alternatives(value):
            if isinstance(one, Table | bool | int):
                continue
            scene.add(Deletes(scene.at(one), deep))
    return UNKNOWN


def do_delete_deep(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return _delete(scene, values[:1] or [first((), named, "path")], {}, True)


def do_delete_all(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return _delete(scene, values, named, True)


def do_write(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """To a path, some content (the second value)."""
    content = origin(Seq(tuple(values[1:])))
    for one in alternatives(first(values, named, "path", "file", "name")):
        for path in one.items if isinstance(one, Seq) else (one,):
            scene.add(Writes(scene.at(path)))
            if NETWORK in content:
                scene.add(Fetches(scene.host or HOLE, scene.at(path)))
    return UNKNOWN


def do_write_second(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return do_write(scene, (second(values), *values[:1]), named)


def do_write_given(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """A method that writes to a path if it gets one, and returns the text otherwise."""
    given = first(values, named, "path", "path_or_buf", "fname", "filename")
    return do_write(scene, [given], {}) if isinstance(given, str | PathText) else UNKNOWN


def do_edit(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """Files that are read, and written where that is asked for."""
    if named.get("inplace", False) is not False:
        do_write(scene, values[:1] or [first((), named, "files")], {})
    return do_read(scene, values, named)


def do_archive(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`make_archive(name, format, folder)`."""
    do_write(scene, values[:1], {"path": named["base_name"]} if "base_name" in named else {})
    folder = named.get("root_dir", values[2] if len(values) > 2 else None)
    return UNKNOWN if folder is None else do_read(scene, [folder], {})


def do_make(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for value in many(values) or [UNKNOWN]:
        if not isinstance(value, Table | bool | int):
            scene.add(Writes(scene.at(value)))
    return UNKNOWN


def do_read(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    given = first(values, named, "file", "path", "filename", "dotenv_path")
    if not values and given is UNKNOWN:
        given = ".env"  # only the loaders of that file are called without a path
    for one in alternatives(given):
        if isinstance(one, int) or NETWORK in origin(one):
            continue
        if isinstance(one, str) and one.startswith(ADDRESS):
            return do_connect(scene, [one, *values[1:]], named)
        for path in one.items if isinstance(one, Seq) else (one,):
            scene.add(Reads(scene.at(path)))
    return UNKNOWN


def do_names(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for one in alternatives(first(values, named, "path")):
        if isinstance(one, str) and certain(one):
            scene.add(Reads(scene.at(one), names=True))
    return UNKNOWN


def do_folder(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    do_names(scene, values, named)
    return Seq((STAR,))


def _mode(values: Sequence[Value], named: Named) -> str | None:
    given = named.get("mode", values[1] if len(values) > 1 else "r")
    return given if isinstance(given, str) and certain(given) else None


def do_open(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`open(path, mode)`: python, lua, ruby, php."""
    what = first(values, named, "file", "path", "filename")
    mode = _mode(values, named)
    result: Value = UNKNOWN
    for one in alternatives(what):
        if isinstance(one, int) and not isinstance(one, bool):
            continue
        text = text_of(one)
        if text.startswith("|"):
            shell(scene, text[1:])
        elif text.startswith(ADDRESS):
            result = do_connect(scene, [text], {})
        else:
            result = _opened(scene, text, mode)
    return result


def _opened(scene: Scene, text: str, mode: str | None) -> Value:
    if mode is None or any(letter in mode for letter in "wax+>c"):
        scene.add(Writes(scene.at(text)))
        return Opened(scene.at(text))
    scene.add(Reads(scene.at(text)))
    if text.endswith(STAR):  # any name of a folder: also the one that the code looks for
        for name in scene.hints:
            scene.add(Reads(scene.at(text[: -len(STAR)] + name)))
    return UNKNOWN


def do_database_file(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`shelve.open(path, flag)`, `dbm.open(path, flag)`: only the flag `r` leaves the file as it is."""
    flag = named.get("flag", second(values))
    return do_read(scene, values[:1], named) if flag == "r" else do_write(scene, values[:1], named)


def do_copy(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for source in alternatives(first(values, named, "src")):
        for one in source.items if isinstance(source, Seq) else (source,):
            if isinstance(one, str) and one.startswith(ADDRESS):
                scene.add(Fetches(host_of(one), scene.at(named.get("dst", second(values)))))
            elif not isinstance(one, Unsure | Opened):
                scene.add(Reads(scene.at(one)))
    target = named.get("dst", second(values))
    for one in alternatives(target):
        scene.add(Writes(scene.at(one)))
    return UNKNOWN


def do_move(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for source in alternatives(first(values, named, "src")):
        for one in source.items if isinstance(source, Seq) else (source,):
            scene.add(Deletes(scene.at(one), deep=True))
    return do_copy(scene, values, named)


def do_link(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Reads(scene.at(first(values, named, "src"))))
    scene.add(Writes(scene.at(named.get("dst", second(values))), "link"))
    return UNKNOWN


def do_mode(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    for value in many(values):
        if not isinstance(value, int | Table):
            scene.add(Writes(scene.at(value), "mode"))
    if any(isinstance(value, int) and value & 0o6000 for value in values):
        scene.add(Raises("setuid"))
    return UNKNOWN


def do_mode_first(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return do_mode(scene, [*values[:1], *(value for value in values[1:] if isinstance(value, int))], named)
