"""Compressors of single files: they put a new file beside the old one, and most delete the old one."""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Effect, Reads, Writes
from donewhen.guard.marks import BELOW
from donewhen.guard.options import Options, options, read

Found = Iterator[Effect | Nested]

_LONG = (
    "stdout to-stdout decompress uncompress keep force list test recursive quiet verbose fast best rm ultra "
    "check no-name name compress single-stream no-sparse sparse"
)
_VALUED = (
    "suffix threads block-size memlimit format output output-dir-flat output-dir-mirror files filelist "
    "patch-from long-distance trace quality lgwin"
)
_PLAIN = options("cdfhklLnNqrRtvVz0123456789aseuHiKO", "SbpTMFoI", _LONG, _VALUED)
_KEEPING = options("cdfhklLnNqrRtvVzmZsCb0123456789", "oTDSMB", _LONG, _VALUED)
_BROTLI = options("cdfhjknstvVZ0123456789", "oqwDS", _LONG, _VALUED)
_ENDINGS = {
    "gzip": ".gz", "pigz": ".gz", "bzip2": ".bz2", "pbzip2": ".bz2", "lbzip2": ".bz2", "xz": ".xz",
    "lzma": ".lzma", "zstd": ".zst", "zstdmt": ".zst", "pzstd": ".zst",
    "lz4": ".lz4", "lzop": ".lzo", "lzip": ".lz",
    "compress": ".Z", "brotli": ".br",
}  # fmt: skip
_UNDOING = ("gunzip", "unpigz", "bunzip2", "unxz", "unlzma", "unzstd", "unlz4", "uncompress")
_KEEPERS = frozenset(("zstd", "zstdmt", "pzstd", "unzstd", "lz4", "unlz4", "lzop", "brotli"))


def _beside(path: str, ending: str, folder: str) -> str:
    """The new file's path; without an ending, that of the old one is dropped."""
    lead, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    return f"{folder or lead}/{name + ending if ending else stem or name}"


def _reader(name: str, table: Options, keeps: bool) -> Reader:
    undoing, ending = name in _UNDOING, _ENDINGS.get(name, "")

    def reader(call: Call) -> Found:
        given = read(call.argv[1:], table)
        if given.has("-r", "-R", "--recursive"):
            for operand in given.operands:
                yield Reads(call.at(operand))
                yield Writes(f"{call.at(operand).rstrip('/')}/{BELOW}")
            return
        shown = given.has("-c", "--stdout", "--to-stdout", "-t", "--test", "-l", "--list")
        undo = undoing or given.has("-d", "--decompress", "--uncompress")
        removes = given.has("--rm") if keeps else not given.has("-k", "--keep")
        output = given.value("-o", "--output")
        folder = given.value("--output-dir-flat", "--output-dir-mirror")
        for operand in given.operands:
            if not operand or operand == "-":
                continue
            path = call.at(operand)
            yield Reads(path)
            if shown:
                continue
            if output is None:
                yield Writes(_beside(path, "" if undo else ending, call.at(folder) if folder else ""))
            if removes:
                yield Writes(path)
        if output not in (None, "-", ""):
            yield Writes(call.at(output or ""))

    return reader


def _table(name: str) -> Options:
    if name == "brotli":
        return _BROTLI
    return _KEEPING if name in _KEEPERS else _PLAIN


COMPRESSORS: Mapping[str, Reader] = {
    name: _reader(name, _table(name), name in _KEEPERS) for name in (*_ENDINGS, *_UNDOING)
}
