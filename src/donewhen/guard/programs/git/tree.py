"""Verbs of git that change the work tree or its index, and those that write files elsewhere.

Changes that stay in the workspace are the work itself and say nothing more than the paths; where the tree
is another one, `touched` says so.
"""

import re
from collections.abc import Sequence
from typing import Literal

from donewhen.guard.client_files import settings_in
from donewhen.guard.effects import Deletes, Destroys, Loses, Reads, SkipsHooks, Writes
from donewhen.guard.marks import STAR, certain, lead
from donewhen.guard.options import options, read
from donewhen.guard.programs.git import refs as git_refs
from donewhen.guard.programs.git.frame import Found, Frame, commands, doubts, placed, rewrites, touched
from donewhen.guard.programs.git.hidden import secrets_below
from donewhen.guard.programs.git.patches import named_paths, patched
from donewhen.guard.programs.git.paths import DIFF, diff, output, paths_of, reads

COMMIT = options(
    flags="apiovqsenz", values="mFcCt", attached="Su",
    long_flags="all patch interactive include only verbose quiet signoff edit no-edit no-verify verify "
    "amend dry-run "
    "short branch porcelain long null reset-author allow-empty allow-empty-message no-post-rewrite "
    "status no-status "
    "gpg-sign no-gpg-sign untracked-files no-signoff pathspec-file-nul ahead-behind",
    long_values="message file reuse-message reedit-message fixup squash author date template cleanup trailer "
    "pathspec-from-file",
)  # fmt: skip
_MERGE = options(
    flags="nqveS", values="msXF", attached="S",
    long_flags="no-verify verify no-commit commit no-ff ff ff-only squash no-squash abort continue "
    "quit stat no-stat "
    "edit no-edit allow-unrelated-histories signoff autostash no-autostash verify-signatures",
    long_values="message file strategy strategy-option into-name cleanup",
)  # fmt: skip
_AM = options(
    flags="3siqknuc", values="Cp", attached="S",
    long_flags="no-verify verify 3way signoff keep quiet continue skip abort quit resolved interactive "
    "reject "
    "scissors no-scissors allow-empty",
    long_values="directory exclude include patch-format whitespace",
)  # fmt: skip
_CLEAN = options(
    flags="dfnqxXi", values="e", long_flags="force dry-run quiet interactive", long_values="exclude"
)
_RM = options(
    flags="frnq", long_flags="force cached dry-run quiet ignore-unmatch sparse pathspec-file-nul",
    long_values="pathspec-from-file",
)  # fmt: skip
_ARCHIVE = options(
    flags="lv0123456789", values="o", long_flags="list verbose worktree-attributes",
    long_values="output prefix format remote exec add-file add-virtual-file mtime",
)  # fmt: skip
_STASH = options(
    flags="paukqSm", values="m", long_flags="patch all include-untracked keep-index staged quiet index",
    long_values="message pathspec-from-file",
)  # fmt: skip
_FORMAT_PATCH = DIFF._replace(
    values="SGOLlov",
    long_values=DIFF.long_values | {"output-directory", "subject-prefix", "to", "cc", "in-reply-to"},
)
_RESTORE = options(
    flags="WSpqm", values="s", long_flags="staged worktree patch ours theirs merge quiet overlay no-overlay",
    long_values="source conflict pathspec-from-file",
)  # fmt: skip
_MV = options(flags="fknv", long_flags="force dry-run verbose sparse")
_ADD = options(values="", long_values="chmod pathspec-from-file")
_BUNDLE = options(long_values="version")
_INDEX = options(flags="ufnaqz", long_values="prefix stage", long_flags="temp all force index")
_WRITTEN = options(long_values="index-output file message", values="Fm")
_REPORTS = options(values="o", long_values="output-directory suffix")
_FILES = options(values="o")
_EARLIER = re.compile(r"(?:HEAD|@)(?:[~^]\d{0,4}){1,8}")


def commit(frame: Frame) -> Found:
    given = read(frame.args, COMMIT)
    yield from doubts(frame, given)
    if given.has("-n", "--no-verify"):
        yield SkipsHooks("git commit --no-verify")
    if given.has("--dry-run"):
        return
    yield from touched(frame)
    for file in given.all("-F", "--file", "-t", "--template"):
        if file != "-":
            yield Reads(frame.at(file))
    yield from reads(frame, given.operands)
    if given.has("--amend"):
        yield from rewrites(frame, "HEAD", "amend", ("HEAD^!",))


def merge(frame: Frame) -> Found:
    given = read(frame.args, _MERGE)
    yield from touched(frame)
    if given.has("--no-verify"):
        yield SkipsHooks("git merge --no-verify")
    yield from (Reads(frame.at(file)) for file in given.all("-F", "--file"))


def am(frame: Frame) -> Found:
    given = read(frame.args, _AM)
    yield from touched(frame)
    if given.has("-n", "--no-verify"):
        yield SkipsHooks("git am --no-verify")
    yield from patched(frame, given.operands, folder=given.value("--directory") or ".")


def clean(frame: Frame) -> Found:
    given = read(frame.args, _CLEAN)
    dry = [name for name, _ in given.options if name in ("-n", "--dry-run")]
    forced = (
        given.has("-f", "--force", "-i", "--interactive") or frame.setting("clean.requireforce") is not None
    )
    if dry or not forced:
        return
    yield from doubts(frame, given)
    yield from touched(frame)
    if not given.has("-X"):  # which takes only what can be made again
        yield Loses("untracked")
    root = (frame.folder, frame.tree)
    for word in given.operands:
        for path in paths_of(frame, word):
            if path not in root:
                yield Deletes(path, True, unknown=not given.has("-x", "-X"))
    if given.has("-x", "-X"):  # nothing brings these back
        for folder in _folders(frame, given.operands, frame.folder):
            yield from (Destroys("disk", path, sure=False) for path in secrets_below(frame, folder))
            yield from _settings_lost(frame, folder, given.all("-e", "--exclude"))


def _settings_lost(frame: Frame, folder: str, spared: Sequence[str]) -> Found:
    """Of coding agents: these are often no part of the repository."""
    disk = frame.call.ground.disk
    for path in settings_in(folder, disk):
        inside = path.removeprefix(f"{frame.tree}/")
        kept = any(f"{inside}/".startswith(f"{one.strip('/')}/") for one in spared)
        if not kept and disk.tracked(frame.tree, inside) is not True:
            yield Deletes(path)


def rm(frame: Frame) -> Found:
    given = read(frame.args, _RM)
    if given.has("-n", "--dry-run"):
        return
    yield from touched(frame)
    for word in given.operands:
        for path in paths_of(frame, word):
            yield Reads(path, True) if given.has("--cached") else Deletes(path, given.has("-r"))


def mv(frame: Frame) -> Found:
    given = read(frame.args, _MV)
    if given.has("-n", "--dry-run") or len(given.operands) < 2:
        return
    yield from touched(frame)
    for source in given.operands[:-1]:
        yield Reads(frame.at(source))
        yield Deletes(frame.at(source), True, moved=True)
    yield Writes(frame.at(given.operands[-1]))


def add(frame: Frame) -> Found:
    """Staging copies a file into the object store: a secret is read, by force also one that is ignored."""
    given = read(frame.args, _ADD)
    dry = given.has("-n", "--dry-run")
    yield from touched(frame)
    yield from reads(frame, given.operands, dry)
    if given.has("-f", "--force"):
        for folder in _folders(frame, given.operands, frame.tree):
            yield from (Reads(path, dry) for path in secrets_below(frame, folder))


def _folders(frame: Frame, words: tuple[str, ...], otherwise: str) -> list[str]:
    """Where arguments begin; globs count as the folder they are in."""
    paths = [path for word in words for path in paths_of(frame, word)]
    return [one if certain(one) else lead(one).rpartition("/")[0] for one in paths] or [otherwise]


def checkout(frame: Frame) -> Found:
    yield from git_refs.checkout(frame)
    given = read(frame.args, git_refs.CHECKOUT)
    yield from reads(frame, given.operands)
    lone = named_paths(frame, given.operands, revision=True)
    source, words = _source(frame, given.operands, lone)
    theirs = given.has("--theirs", "-3", "-m", "--merge")
    yield from _taken_back(frame, words, "content" if theirs else _how(frame, source))
    roots = (frame.folder, frame.tree)
    whole = [word for word in given.operands if any(path in roots for path in paths_of(frame, word))]
    yield from _lost(frame, tuple(dict.fromkeys((*words, *whole))))


def _source(frame: Frame, operands: tuple[str, ...], behind: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The revision that files are taken from, empty for the index, and the files."""
    if len(behind) == len(operands):
        return "", behind
    first = operands[0] if operands else ""
    if "--" not in frame.args and _is_file(frame, first):
        return "", operands
    return first, behind


def _is_file(frame: Frame, word: str) -> bool:
    ground, path = frame.call.ground, frame.at(word)
    root = f"{ground.workspace}/"
    return path.startswith(root) and ground.disk.tracked(ground.workspace, path[len(root) :]) is True


def _how(frame: Frame, source: str) -> Literal["content", "back"]:
    """HEAD, or where it was before, brings back what was there; any other revision something else.

    A commit of the run's own may have put a bad state there, and an earlier one an old state: the check of
    the run's tree sees both.
    """
    here = frame.inside(frame.git_dir or frame.folder)
    own = source in ("", "HEAD", "@") or source == frame.branch or _EARLIER.fullmatch(source)
    return "back" if here and own else "content"


def _taken_back(frame: Frame, words: tuple[str, ...], how: Literal["content", "back"]) -> Found:
    """Files that get another content. All of the tree at once is ordinary and says nothing."""
    for effect in reads(frame, words):
        if isinstance(effect, Reads):
            yield Writes(effect.path, how)
    if frame.folder != frame.tree and any(frame.at(word) == frame.folder for word in words):
        yield Writes(frame.folder, how)


def restore(frame: Frame) -> Found:
    given = read(frame.args, _RESTORE)
    yield from touched(frame)
    unstaged = given.has("-S", "--staged") and not given.has("-W", "--worktree")
    yield from reads(frame, given.operands, unstaged)
    if not unstaged:
        source = "theirs" if given.has("--theirs", "-m", "--merge") else given.value("-s", "--source") or ""
        words = named_paths(frame, given.operands, revision=False)
        yield from _taken_back(frame, words, _how(frame, source))
        yield from _lost(frame, words)


def _lost(frame: Frame, words: tuple[str, ...]) -> Found:
    """Changes to the files that these pathspecs name."""
    for word in words:
        for path in paths_of(frame, word):
            whole = path in (frame.folder, frame.tree) or path == f"{frame.tree}/{STAR}"
            yield Loses("changes", "" if whole else path)


def stash(frame: Frame) -> Found:
    """The stash is one for all worktrees: clearing it takes away what others have put there."""
    verb, rest = (frame.args[0], frame.args[1:]) if frame.args else ("push", ())
    if verb == "show":
        yield from diff(frame._replace(args=rest))
    elif verb != "list":
        yield from touched(frame)
    if verb in ("clear", "drop"):
        yield Loses("stash")
    if verb == "clear":
        yield Destroys("disk", "stash", sure=False)
    elif verb == "push":
        yield from reads(frame, read(rest, _STASH).operands, names=True)
        yield from _taken_back(frame, read(rest, _STASH).operands, "back")


def archive(frame: Frame) -> Found:
    given = read(frame.args, _ARCHIVE)
    yield from (Writes(frame.at(file)) for file in given.all("-o", "--output"))
    yield from (Reads(frame.at(file)) for file in given.all("--add-file"))
    yield from commands(frame, given, "--exec")
    yield from reads(frame, given.operands[1:])
    yield from reads(frame, tuple(word for word in given.operands[:1] if ":" in word))


def bundle(frame: Frame) -> Found:
    words = read(frame.args, _BUNDLE).operands
    if len(words) > 1:
        yield Writes(frame.at(words[1])) if words[0] == "create" else Reads(frame.at(words[1]))


def format_patch(frame: Frame) -> Found:
    given = read(frame.args, _FORMAT_PATCH)
    folders = given.all("-o", "--output-directory")
    yield from output(frame, given._replace(options=tuple(o for o in given.options if o[0] == "--output")))
    for folder in folders:
        yield from placed(frame, frame.at(folder))
    if not folders and not given.has("--stdout", "--output"):
        yield from placed(frame, frame.folder)


def checkout_index(frame: Frame) -> Found:
    """The prefix is put before every name as it is."""
    given = read(frame.args, _INDEX)
    prefix = given.value("--prefix")
    if prefix is None:
        yield from touched(frame)
    else:
        yield from placed(frame, frame.at(prefix))
    yield from reads(frame, given.operands)


def written(frame: Frame) -> Found:
    """A verb that changes tree or index as a whole."""
    given = read(frame.args, _WRITTEN)
    yield from touched(frame)
    yield from (Writes(frame.at(file)) for file in given.all("--index-output"))
    yield from (Reads(frame.at(file)) for file in given.all("-F", "--file") if file != "-")


def reports(frame: Frame) -> Found:
    """Verbs with a folder for their output."""
    given = read(frame.args, _REPORTS)
    for folder in given.all("-o", "--output-directory"):
        yield from placed(frame, frame.at(folder))


def files_written(frame: Frame) -> Found:
    """Verbs whose operands are files that they write."""
    given = read(frame.args, _FILES)
    for word in (*given.operands, *given.all("-o")):
        yield Writes(frame.at(word))


VERBS = {
    "commit": commit, "merge": merge, "am": am, "clean": clean, "rm": rm, "mv": mv,
    "add": add, "stage": add, "checkout": checkout, "restore": restore, "stash": stash, "archive": archive,
    "bundle": bundle, "format-patch": format_patch, "checkout-index": checkout_index,
    **dict.fromkeys("bugreport diagnose mailsplit".split(), reports),
    **dict.fromkeys("mailinfo index-pack pack-objects".split(), files_written),
    **dict.fromkeys(
        "cherry-pick revert read-tree update-index notes sparse-checkout replace merge-recursive "
        "update-server-info quiltimport merge-octopus merge-ours merge-resolve "
        "merge-subtree".split(), written,
    ),
}  # fmt: skip
