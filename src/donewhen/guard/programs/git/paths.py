"""Paths in the arguments of git: pathspecs with their magic and globs, `revision:path`, files given by
options.

Git reads a file also from its object store: `git show HEAD:.env` prints what `cat .env` prints. A word that
may be a revision or a path is reported as the path; a revision that is no path harms nobody.
"""

from collections.abc import Iterator

from donewhen.guard.effects import Reads, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ANY, BELOW, STAR, WILD
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.git.frame import Found, Frame, commands

# options of the diff and log families; those that are not listed count as flags
DIFF = options(
    flags="puswbaRrzqtM", values="SGOLnl", attached="UBCDX",
    long_flags="patch no-patch cached staged stat name-only name-status numstat shortstat summary "
    "oneline graph all "
    "no-index ext-diff textconv no-ext-diff no-textconv follow raw exit-code quiet check color "
    "no-color word-diff "
    "no-merges merges reverse first-parent decorate full-diff merge-base patch-with-stat cc dd",
    long_values="output grep author committer since until after before max-count skip format pretty "
    "diff-filter "
    "output-directory signature-file",
    numbers=True,
)  # fmt: skip
GREP = options(
    flags="nilLcvwEFGPhHoqzaIprWx", values="efABCm", attached="O",
    long_flags="cached untracked no-index line-number ignore-case files-with-matches name-only count "
    "word-regexp "
    "extended-regexp fixed-strings perl-regexp recurse-submodules heading break and or not all-match quiet "
    "show-function function-context text textconv exclude-standard open-files-in-pager",
    long_values="max-depth max-count threads after-context before-context context",
)  # fmt: skip
_BLAME = options(
    flags="cbltfnswkep", values="LS", attached="MC", long_flags="root show-stats show-email porcelain "
    "line-porcelain "
    "incremental progress score-debug show-name show-number color-lines color-by-age minimal",
    long_values="contents date abbrev since ignore-rev ignore-revs-file",
)  # fmt: skip
_NONE = options()
_CONTENT_FLAGS = (
    "-p",
    "-u",
    "--patch",
    "-S",
    "-G",
    "-L",
    "-c",
    "--cc",
    "-U",
    "--patch-with-stat",
    "-W",
    "--textconv",
)
_NAMES_FLAGS = (
    "--stat",
    "--name-only",
    "--name-status",
    "--numstat",
    "--shortstat",
    "-s",
    "--no-patch",
    "--summary",
)
_WHOLE = (STAR, BELOW)
_GLOB = str.maketrans({"*": STAR, "?": ANY})


def paths_of(frame: Frame, word: str) -> Iterator[str]:
    """The absolute paths that one argument may name: a pathspec, or `revision:path`."""
    if word.startswith((":!", ":^", ":(exclude")):
        return
    if word.startswith(":("):
        magic, _, rest = word[2:].partition(")")
        yield _globbed(rest, frame.tree if "top" in magic else frame.folder)
    elif word.startswith(":/"):
        yield _globbed(word[2:], frame.tree)
    elif ":" in word:
        # such a path starts at the tree's root, with `./` here; the revision may hold colons itself
        for rest in {word.partition(":")[2], word.rpartition(":")[2]}:
            yield absolute(rest, frame.folder if rest.startswith("./") else frame.tree)
    else:
        yield _globbed(word, frame.folder)


def _globbed(spec: str, folder: str) -> str:
    """Git expands globs in a pathspec itself."""
    return absolute(
        spec.translate(_GLOB).replace("[", ANY) if any(c in spec for c in "*?[") else spec, folder
    )


def reads(frame: Frame, words: tuple[str, ...], names: bool = False) -> Found:
    """Reads of the arguments that are paths. All of the tree at once is ordinary and says nothing."""
    roots = (frame.folder, frame.tree)
    for word in words:
        for path in paths_of(frame, word):
            # a range, or a word of which nothing is known, is taken for revisions
            known = path[:1] not in WILD and (".." not in word or "../" in word)
            if known and path not in roots and not (path[-1:] in _WHOLE and path[:-2] in roots):
                yield Reads(path, names)


def output(frame: Frame, given: Given) -> Found:
    """`--output`, also abbreviated."""
    for name, value in given.options:
        if name.startswith("--out") and not name.startswith("--output-ind") and value:
            yield Writes(frame.at(value))


def outputs(frame: Frame) -> Found:
    """`--output` of every verb that can show differences, whichever they are."""
    words = frame.args[: frame.args.index("--")] if "--" in frame.args else frame.args
    for word, behind in zip(words, (*words[1:], ""), strict=False):
        name, equals, value = word.partition("=")
        target = value if equals else behind
        if len(name) > 4 and "--output".startswith(name) and target:
            yield Writes(frame.at(target))


def diff(frame: Frame) -> Found:
    """`diff`, `show` …: content is printed unless only names or numbers are asked for."""
    given = read(frame.args, DIFF)
    names = given.has(*_NAMES_FLAGS) and not given.has(*_CONTENT_FLAGS)
    yield from reads(frame, given.operands, names)
    yield from (Reads(frame.at(file)) for file in given.all("-O") if file)


def blame(frame: Frame) -> Found:
    given = read(frame.args, _BLAME)
    yield from reads(frame, given.operands)
    yield from (Reads(frame.at(file)) for file in given.all("-S", "--contents", "--ignore-revs-file") if file)


def log(frame: Frame) -> Found:
    """`log` and its kin: names and messages, content with `-p` and the like."""
    given = read(frame.args, DIFF)
    yield from reads(frame, given.operands, not given.has(*_CONTENT_FLAGS))
    for part in given.all("-L"):
        yield from reads(frame, (part.rpartition(":")[2],))


def grep(frame: Frame) -> Found:
    given = read(frame.args, GREP)
    yield from commands(frame, given, "-O", "--open-files-in-pager")
    yield from (Reads(frame.at(file)) for file in given.all("-f"))
    operands = given.operands if given.has("-e", "-f") else given.operands[1:]
    yield from reads(frame, operands)


def cat_file(frame: Frame) -> Found:
    given = read(frame.args, _NONE)
    names = given.has("-e", "-t", "-s")
    yield from reads(frame, given.operands, names)
    if any(name.startswith("--batch") for name, _ in given.options) and frame.call.stdin:
        lines = tuple(line.strip() for line in frame.call.stdin.splitlines() if ":" in line)
        yield from reads(frame, lines, given.has("--batch-check"))


def operands(frame: Frame) -> Found:
    """A verb that is given files to read."""
    yield from reads(frame, read(frame.args, _NONE).operands)


def listed(frame: Frame) -> Found:
    """A verb that tells names, states or ids only."""
    yield from reads(frame, read(frame.args, _NONE).operands, names=True)


def parsed(frame: Frame) -> Found:
    """rev-parse prints the id of an object, and whoever has that can read it."""
    named = tuple(word for word in read(frame.args, _NONE).operands if ":" in word)
    yield from reads(frame, named)


def quiet(frame: Frame) -> Found:
    """A verb that touches no path at all."""
    return iter(())


_QUIET = (
    "status help version var rev-list merge-base name-rev describe show-ref for-each-ref "
    "count-objects fsck "
    "verify-commit verify-tag verify-pack cherry shortlog show-branch patch-id stripspace check-ref-format "
    "check-mailmap column get-tar-commit-id show-index commit-graph multi-pack-index pack-refs repack rerere "
    "pack-redundant prune-packed merge-tree mktag mktree write-tree commit-tree fmt-merge-msg version "
    "unpack-objects "
    "upload-pack receive-pack upload-archive citool gui gitk hook survey refs backfill "
    "last-modified"
).split()  # fmt: skip
VERBS = {
    **dict.fromkeys(_QUIET, quiet),
    **dict.fromkeys("diff show diff-tree diff-files diff-index diff-pairs".split(), diff),
    **dict.fromkeys("log whatchanged range-diff".split(), log),
    **dict.fromkeys("ls-files ls-tree check-ignore check-attr merge-index merge-one-file".split(), listed),
    **dict.fromkeys("hash-object unpack-file".split(), operands),
    "rev-parse": parsed, "blame": blame, "annotate": blame, "grep": grep, "cat-file": cat_file,
}  # fmt: skip
