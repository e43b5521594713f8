"""Verbs of git that write the files they are told, by names in a patch or by options of their own."""

import re
from collections.abc import Iterator

from donewhen.guard.effects import Fetches, Reads, Unknown, Writes
from donewhen.guard.marks import NETWORK, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.git.frame import Found, Frame, touched

_APPLY = options(
    flags="3Rvzq", values="pC",
    long_flags="stat numstat summary check index cached reverse reject unsafe-paths 3way recount allow-empty",
    long_values="directory exclude include whitespace build-fake-ancestor",
)  # fmt: skip
_TRAILERS = options(
    long_flags="in-place trim-empty only-trailers only-input unfold parse no-divider",
    long_values="where if-exists if-missing trailer",
)
_MERGE_FILE = options(flags="pq", values="L", long_flags="stdout ours theirs union diff3 zdiff3 quiet",
                      long_values="marker-size diff-algorithm")  # fmt: skip
_EXPORT = options(long_values="export-marks import-marks import-marks-if-exists progress refspec")
_NAMED = re.compile(r"^(?:\+\+\+|---|rename to|copy to) ([^\t\n]+)", re.MULTILINE)
_ONLY_LOOKS = ("--stat", "--numstat", "--summary", "--check")


def apply(frame: Frame) -> Found:
    given = read(frame.args, _APPLY)
    yield from touched(frame)
    if given.has("--unsafe-paths"):
        yield Unknown("guard.unknown_path", "git apply --unsafe-paths")
    looks = given.has(*_ONLY_LOOKS) and not given.has("--apply")
    strip = given.value("-p") or "1"
    folder = given.value("--directory") or "."
    back = given.has("-R", "--reverse")  # a way to undo a change; where it leads to, the tree will show
    yield from patched(frame, given.operands, int(strip) if strip.isdigit() else 1, folder, looks, back)


def patched(
    frame: Frame, files: tuple[str, ...], strip: int = 1, folder: str = ".", looks: bool = False,
    back: bool = False,
) -> Found:  # fmt: skip
    """What applying patches does: to the files that they name, where the line or the disk shows them."""
    yield from (Reads(frame.at(file)) for file in files if file != "-")
    source = frame.call.stdin or ""
    known = (frame.call.ground.disk.text(frame.at(file)) for file in files if certain(file) and not back)
    shown = "\n".join((source, *(text for text in known if text)))
    if NETWORK in source:
        yield Fetches("", frame.folder)
    if looks:
        return
    if folder != ".":
        yield Writes(frame.at(folder))
    yield from (Writes(frame.at(f"{folder}/{path}")) for path in written(shown, strip))


def written(source: str, strip: int) -> Iterator[str]:
    """The files that a patch names, without so many of their folders."""
    for found in _NAMED.finditer(source):
        renamed = found[0].startswith(("rename", "copy"))
        path = "/".join(found[1].strip('" ').split("/")[0 if renamed else strip :])
        if path and found[1] != "/dev/null":
            yield path


def trailers(frame: Frame) -> Found:
    given = read(frame.args, _TRAILERS)
    for path in given.operands:
        yield Reads(frame.at(path))
        if given.has("--in-place"):
            yield Writes(frame.at(path))


def merge_file(frame: Frame) -> Found:
    given = read(frame.args, _MERGE_FILE)
    yield from (Reads(frame.at(path)) for path in given.operands)
    if not given.has("-p", "--stdout"):
        yield from (Writes(frame.at(path)) for path in given.operands[:1])


def fast_export(frame: Frame) -> Found:
    given = read(frame.args, _EXPORT)
    yield from (Writes(frame.at(path)) for path in given.all("--export-marks"))
    yield from (Reads(frame.at(path)) for path in given.all("--import-marks", "--import-marks-if-exists"))


def named_paths(frame: Frame, operands: tuple[str, ...], revision: bool) -> tuple[str, ...]:
    """Operands that are surely paths: behind `--`, else all but the first where that may be a revision."""
    if "--" in frame.args:
        return frame.args[frame.args.index("--") + 1 :]
    return operands[1:] if revision else operands


VERBS = {
    "apply": apply, "interpret-trailers": trailers, "merge-file": merge_file, "fast-export": fast_export,
}  # fmt: skip
