"""A tree that nobody has on disk: a change, with some of its paths as they stand in another tree.

Made in an index of its own and written to the objects of the harness alone; no working tree is looked at.
What the other tree says is checked against its name first: whoever works in a repository can write its
objects, and an exam that is put back must be the one that was there.
"""

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.adding import write_tree
from donewhen.workspace.fingerprint.contents import entries
from donewhen.workspace.fingerprint.kept_index import work_copy
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.fingerprint.tracked import id_length

_LINK = b"160000"
_PLAIN, _PROGRAM = b"100644", b"100755"


class _Entry(NamedTuple):
    mode: bytes
    id: bytes


def composed(
    own: Own, base: str, now: str, paths: Iterable[str], written: Mapping[str, bytes] | None = None
) -> str:
    """The id of `now` with these paths as `base` has them; one that `base` has not is removed.

    `written` are files that get a content of their own. `base` may be empty: then all the paths go.
    """
    own_content = {os.fsencode(path): data for path, data in (written or {}).items()}
    wanted = {os.fsencode(path) for path in paths} - own_content.keys()
    if not wanted and not own_content:
        return now
    found = _entries(own, base, wanted) if base and wanted else {}
    modes = _entries(own, now, set(own_content)) if own_content else {}
    with work_copy(own.home / "composing") as work:
        git = own.adding(own.home, work)
        own.reading(own.home, work).run("read-tree", now)
        for path, data in own_content.items():
            id = git.run("hash-object", "-w", "--stdin", stdin=data).strip()
            found[path] = _Entry(_PROGRAM if path in modes and modes[path].mode == _PROGRAM else _PLAIN, id)
        gone = b"0 " + b"0" * id_length(own.format)
        lines = [gone + b"\t" + path for path in sorted({*wanted, *own_content})]
        lines += [b"%s %s\t%s" % (*entry, path) for path, entry in sorted(found.items())]
        # what stands in the way (a file where a folder was) is replaced
        git.run("update-index", "-z", "--index-info", stdin=b"".join(line + b"\0" for line in lines))
        return write_tree(own, own.home, work)


def _entries(own: Own, tree: str, wanted: set[bytes]) -> dict[bytes, _Entry]:
    git = own.reading(own.home)
    checked = entries(git, tree, own.format)
    found: dict[bytes, _Entry] = {}
    for line in git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
        facts, _, path = line.partition(b"\t")
        if path not in wanted:
            continue
        mode, _, id = facts.split(b" ")
        known = checked.get(os.fsdecode(path))
        if mode != _LINK and (known is None or known.id.encode() != id):
            raise SetupError(
                "git.failed", command="ls-tree", why=f"the tree {tree} is not what its name says"
            )
        found[path] = _Entry(mode, id)
    return found
