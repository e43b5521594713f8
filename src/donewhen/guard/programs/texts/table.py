"""Which words of a text program are files: one row a program, as data.

Only options that take a value are named; whatever else begins with a dash is a flag.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.guard.options import Options, options


class Row(NamedTuple):
    table: Options
    skip: int = 0  # operands before the files
    reads: tuple[str, ...] = ()  # options whose value is a file to read
    writes: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()  # options whose value is a program
    texts: tuple[str, ...] = ()  # options whose value is a line for a shell
    names: bool = False  # looks at names only
    second: bool = False  # its second operand is written
    selects: bool = False  # prints a part of what it reads
    silent: bool = False  # prints nothing of what it reads
    plus: bool = False  # `+5` and `+!command` are no files
    folders: tuple[str, ...] = ()  # options whose value is a folder that files are put into


def _row(
    values: str = "", long_values: str = "", *, numbers: bool = False, skip: int = 0, reads: str = "",
    writes: str = "", runs: str = "", texts: str = "", names: bool = False, second: bool = False,
    selects: bool = False, silent: bool = False, plus: bool = False, folders: str = "",
) -> Row:  # fmt: skip
    table = options("", values, "", long_values, numbers=numbers)
    files = (tuple(reads.split()), tuple(writes.split()), tuple(runs.split()), tuple(texts.split()))
    return Row(table, skip, *files, names, second, selects, silent, plus, tuple(folders.split()))


_PLAIN = _row()
_NO_FILES = _row(skip=1 << 20)
_END = _row("ncs", "lines bytes sleep-interval pid", numbers=True, selects=True, plus=True)
_SUM = _row("al", "algorithm length", silent=True)
_DIFF = _row(
    "CDFIUWxXS",
    "label from-file to-file exclude exclude-from ignore-matching-lines width line-format old-line-format "
    "new-line-format unchanged-line-format starting-file ifdef show-function-line tabsize",
    reads="--from-file --to-file -X --exclude-from",
)
_LOOK = _row("IwT", "ignore width tabsize hide quoting-style block-size", names=True)
_DUMP = _row("efns", reads="-f")
_SORT = _row(
    "koStT",
    "key output buffer-size field-separator temporary-directory files0-from compress-program random-source "
    "parallel batch-size sort",
    reads="--files0-from --random-source",
    writes="-o --output",
    runs="--compress-program",
    folders="-T --temporary-directory",
)
_BAT = _row(
    "lmrH",
    "language file-name highlight-line theme style paging pager wrap color line-range map-syntax tabs "
    "terminal-width",
    texts="--pager",
)

ROWS: Mapping[str, Row] = {
    **dict.fromkeys(
        "cat gcat rev zless zmore bzless xzless most pg delta difft glow mdcat uuencode".split(), _PLAIN
    ),
    **dict.fromkeys("tr gtr seq basename dirname".split(), _NO_FILES),
    **dict.fromkeys("head tail ghead gtail".split(), _END),
    **dict.fromkeys("diff colordiff gdiff".split(), _DIFF),
    **dict.fromkeys("ls gls dir vdir exa eza lsd".split(), _LOOK),
    **dict.fromkeys("hexdump hd".split(), _DUMP),
    **dict.fromkeys("sort gsort".split(), _SORT),
    **dict.fromkeys(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum cksum md5".split(),
        _SUM,
    ),
    "less": _row(
        "bhjkoOpPtTxyzD#",
        "log-file LOG-FILE lesskey-file tag tag-file",
        reads="-k -T --lesskey-file --tag-file",
        writes="-o -O --log-file --LOG-FILE",
        plus=True,
    ),
    "more": _row("n", "lines", numbers=True, plus=True),
    "bat": _BAT,
    "batcat": _BAT,
    "man": Row(
        options(
            values="CLRmMSsepPrE",
            long_values="config-file locale recode systems manpath sections extension pager prompt "
            "preprocessor encoding html",
            attached="HTX",
        ),
        texts=("-P", "--pager", "-H", "--html"),
    ),
    "nl": _row("bdfhilnsvw"),
    "tac": _row("s", "separator"),
    "wc": _row("", "files0-from total", reads="--files0-from", silent=True),
    "uniq": _row(
        "fsw", "skip-fields skip-chars check-chars", second=True, selects=True, numbers=True, plus=True
    ),
    "cut": _row("bcdf", "bytes characters delimiter fields output-delimiter", selects=True),
    "paste": _row("d", "delimiters"),
    "join": _row("aejotv12"),
    "comm": _row("", "output-delimiter"),
    "diff3": _row("L", "diff-program label", runs="--diff-program"),
    "sdiff": _row(
        "oIw",
        "output ignore-matching-lines width diff-program",
        writes="-o --output",
        runs="--diff-program",
    ),
    "cmp": _row("in", "ignore-initial bytes", silent=True),
    "strings": _row("ntseTUd", "bytes radix encoding target"),
    "xxd": _row("cglosn", second=True),
    "od": _row("AjNStw", "address-radix skip-bytes read-bytes format endian"),
    "hexyl": _row("nsbc"),
    "base64": _row("wbo", "wrap break output input", reads="--input", writes="-o --output"),
    "base32": _row("w", "wrap"),
    "basenc": _row("w", "wrap"),
    "file": _row(
        "eFfmP", "magic-file files-from separator", names=True, reads="-f --files-from -m --magic-file"
    ),
    "fzf": _row("qfndm", "preview query filter nth delimiter bind", skip=1 << 20, texts="--preview"),
    "sk": _row(
        "qfndmc", "preview query filter nth delimiter bind cmd", skip=1 << 20, texts="--preview -c --cmd"
    ),
    "stat": _row("cf", "format printf cached", names=True),
    "tree": _row("HIoLPT", "filelimit charset timefmt sort gitfile infofile", names=True, writes="-o"),
    "du": _row(
        "dtBX",
        "max-depth threshold exclude exclude-from files0-from block-size",
        names=True,
        reads="-X --exclude-from --files0-from",
    ),
    "readlink": _row(names=True),
    "realpath": _row("", "relative-to relative-base", names=True),
    "column": _row("cdEHNoOprRsTW", "separator output-separator table-columns"),
    "fold": _row("w", "width", numbers=True),
    "fmt": _row("wpg", "width prefix goal", numbers=True),
    "pr": _row("DhlNoWw", "date-format header length indent width page-width", plus=True, numbers=True),
    "expand": _row("t", "tabs", numbers=True),
    "unexpand": _row("t", "tabs"),
    "look": _row("t", skip=1),
    "shuf": _row(
        "ino",
        "head-count input-range output random-source",
        writes="-o --output",
        reads="--random-source",
    ),
    "iconv": _row("fto", "from-code to-code output", writes="-o --output"),
    "source-highlight": _row(
        "sfiotc",
        "src-lang out-format input output style-file lang-def",
        reads="-i --input",
        writes="-o --output",
    ),
    "pygmentize": _row("lfOPFSaosx", writes="-o"),
    "highlight": _row("SOiod", reads="-i", writes="-o"),
    "zgrep": _row("e", skip=1, selects=True),
}
