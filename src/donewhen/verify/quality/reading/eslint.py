"""eslint's `-f json`: a list of files, each with its messages. A file that the project has ignored is no
complaint; one that does not parse is.
"""

from collections.abc import Iterator

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import document, listed, needed, table
from donewhen.verify.quality.reading.values import at, first, number, placed, rows, said, word

_TOOL = "eslint"
_IGNORED = "File ignored"
_ERROR = 2


def read(text: str, folder: str) -> tuple[Violation, ...]:
    return first(_all(listed(document(text, _TOOL), _TOOL, "$"), folder))


def _all(files: list[object], folder: str) -> Iterator[Violation]:
    for index, data in enumerate(files):
        file = table(data, _TOOL, f"$[{index}]")
        where = placed(needed(file, "filePath", _TOOL, f"$[{index}]") and file["filePath"], folder)
        place = f"$[{index}].messages"
        for row in listed(file.get("messages"), _TOOL, place):
            one = _violation(table(row, _TOOL, f"{place}[…]"), f"{place}[…]", where)
            if one.rule != "syntax" or not one.message.startswith(_IGNORED):
                yield one


def _violation(row: dict[str, object], place: str, file: str) -> Violation:
    suggestions = rows(row.get("suggestions"))
    return Violation(
        word(row.get("ruleId")) or "syntax",
        needed(row, "message", _TOOL, place),
        file,
        number(row.get("line")),
        number(row.get("column")),
        "error" if row.get("severity") == _ERROR or row.get("fatal") else "warning",
        fixable=isinstance(row.get("fix"), dict),
        fix=said(at(suggestions[0], "desc")) if suggestions else "",
    )
