"""Deeds that lose data elsewhere, or take what a store of credentials holds."""

from collections.abc import Sequence

from donewhen.guard.effects import Destroys, Reads, Signals
from donewhen.guard.marks import SECRET
from donewhen.guard.programs.code.scene import Named, Scene, first, words
from donewhen.guard.programs.code.values import UNKNOWN, Value

# Methods that mean one thing only, whatever they belong to.
LOSING = (
    "flushall flushdb flushAll flushDb flushDB FLUSHALL FLUSHDB drop_database dropDatabase drop_collection "
    "dropCollection delete_all destroy_all drop_all dropAllTables drop_table dropTable dropIfExists "
    "delete_table"
)


def do_loses(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Destroys("database", scene.by, sure=False))
    return UNKNOWN


def do_containers(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.add(Destroys("container", scene.by, sure=False))
    return UNKNOWN


def do_kill_each(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """Every process of the machine, unless a condition picks some."""
    scene.add(Signals("named") if scene.loops else Signals("everything"))
    return UNKNOWN


def do_branch(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """GitPython: `repo.delete_head("main", force=True)`."""
    words(scene, ("git", "branch", "-D" if named.get("force", False) is not False else "-d", *values))
    return UNKNOWN


def do_credential(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    scene.secret = scene.secret or "keyring"
    return SECRET


def do_netrc(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    given = first(values, named, "file")
    scene.add(Reads(f"{scene.call.ground.home}/.netrc" if given is UNKNOWN else scene.at(given)))
    return SECRET
