"""Files in the answer of a model: one fenced block each, with its path. Strict, because they are written.

Pure. Words before the first block are passed over; any after it might be part of a file whose block ended
too early, so they make the whole answer void.
"""

import re
from collections.abc import Mapping, Sequence

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name

_OPENS = re.compile(r"(`{3,})[ \t]*(?:[\w+#.-]{1,40}[ \t]+)?path=(.{1,4096})")
_FENCE = re.compile(r"(`{3,})[ \t]*")


def generated_files(answer: str, wanted: Sequence[str]) -> Mapping[str, str]:
    """The content of each wanted file, in their order; AgentError when anything is wrong with the answer."""
    found = _blocks(answer.replace("\r\n", "\n").split("\n"))
    for path in found:
        if path not in wanted:
            raise AgentError("codegen.not_asked", path=one_name(path))
    missing = [path for path in wanted if path not in found]
    if missing:
        raise AgentError("codegen.missing", paths=", ".join(f"`{one_name(path)}`" for path in missing))
    return {path: found[path] for path in wanted}


def _blocks(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    fence, path, body = "", "", list[str]()
    for number, line in enumerate(lines, 1):
        if fence:
            closes = _FENCE.fullmatch(line)
            if closes and closes[1] == fence:
                found[path] = "".join(f"{each}\n" for each in body)
                fence = ""
            else:
                body.append(line)
            continue
        opens = _OPENS.fullmatch(line)
        if opens:
            fence, path, body = opens[1], opens[2].strip().strip("`\"'"), []
            if path in found:
                raise AgentError("codegen.given_twice", path=one_name(path))
        elif found and line.strip():
            raise AgentError("codegen.outside", line=number)
    if fence:
        raise AgentError("codegen.not_closed", path=one_name(path))
    if not found:
        raise AgentError("codegen.no_block")
    return found
