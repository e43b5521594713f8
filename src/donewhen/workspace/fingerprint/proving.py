"""What git laid is checked against the ids that it was asked for.

git doesn't look whether an object is what its name says, and whoever works in a repository can write its
objects: a file, a link or a whole folder of a room could be another than the tree's. What differs is laid
again from bytes that were hashed here; where there are none, nothing is laid.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.adding import write_tree
from donewhen.workspace.fingerprint.indexfile import Entry
from donewhen.workspace.fingerprint.kept_index import put_bare, work_copy
from donewhen.workspace.fingerprint.own import Own, put
from donewhen.workspace.git.runner import Git

_LINK = 0o120000
_FILE = 0o100000
_TYPE = 0o170000
_AT_ONCE = 64  # objects that are held in memory


def prove(own: Own, git: Git, tree: str, index: Path, written: Sequence[Entry]) -> None:
    """Make sure that `index` is the tree and that the files just written are what it says.

    `git` is what laid them, with its settings; the entries of `written` are unread in the index.
    """
    with work_copy(index) as work:
        put_bare(index, work, own.format)
        if write_tree(own, git.folder, work) != tree:
            index.unlink()  # nothing that it says is true
            raise _damaged(tree)
    if not written:
        return
    wrong = [entry for entry in written if entry.mode & _TYPE == _LINK and not _is_link(own, git, entry)]
    if any(entry.mode & _TYPE == _FILE for entry in written):
        differing = _differing(git, index)
        wrong += [e for e in written if e.mode & _TYPE == _FILE and e.path in differing]
    if wrong:
        _mend(own, git, index, wrong)


def _is_link(own: Own, git: Git, entry: Entry) -> bool:
    """git compares a link with the object, so it is hashed here."""
    try:
        said = os.readlink(os.fsencode(git.folder) + b"/" + entry.path)  # noqa: PTH115 - bytes
    except OSError:
        return False
    return _id(own, said) == entry.id


def _differing(git: Git, index: Path) -> set[bytes]:
    """The files whose content, as git would add it, has another id than the index says."""
    with work_copy(index) as work:
        there = git._replace(more={**git.more, "GIT_INDEX_FILE": str(work)})
        there.attempt("update-index", "-q", "--refresh")
        return set(there.run("diff-files", "-z", "--name-only", "--ignore-submodules=all").split(b"\0"))


def _mend(own: Own, git: Git, index: Path, wrong: Sequence[Entry]) -> None:
    """Lay files again from objects of our own alone.

    Some differ though they are right: content that was committed before a filter or a line end was asked for.
    """
    ids = sorted({entry.id for entry in wrong})
    only_made = {**git.more, "GIT_OBJECT_DIRECTORY": str(own.made)}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        found = dict(_contents(own, git._replace(more=only_made), some))
        found |= dict(_contents(own, git, [id for id in some if id not in found]))
        for id in some:
            if id not in found:
                raise _damaged(id)
            _write(own, id, found[id])
    with work_copy(index) as work:
        there = git._replace(more={**only_made, "GIT_INDEX_FILE": str(work)})
        listed = b"".join(entry.path + b"\0" for entry in wrong)
        there.run("checkout-index", "--force", "-z", "--stdin", stdin=listed)


def _contents(own: Own, git: Git, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Those blobs that are what their names say."""
    for id in ids:
        ran = git.attempt("cat-file", "blob", id)
        if ran.exit == 0 and _id(own, ran.out) == id:
            yield id, ran.out


def _write(own: Own, id: str, content: bytes) -> None:
    file = own.made / id[:2] / id[2:]
    file.parent.mkdir(exist_ok=True)
    put(file, zlib.compress(b"blob %d\0" % len(content) + content, 1))


def _id(own: Own, content: bytes) -> str:
    return hashlib.new(own.format, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _damaged(id: str) -> SetupError:
    return SetupError("git.failed", command="read-tree", why=f"the object {id} is damaged, see `git fsck`")
