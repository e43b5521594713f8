"""Finding code by a name or words: where it is defined, by syntax tree, then the lines that mention it.

Text is looked for first, as `grep` does; only files with a hit are parsed, and only the words found in them
are asked whether they name a definition.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ConfigDict, Field

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase
from donewhen.project.languages import language_of
from donewhen.project.syntax import parse
from donewhen.tools.files.content import WHOLE, read
from donewhen.tools.files.grep import Looked, files_to_search, looked_through, notes_of
from donewhen.tools.files.listing import answer, searched
from donewhen.tools.files.searching import Order
from donewhen.tools.files.working import Stop, aside
from donewhen.tools.model import MOST_SHOWN, Arguments, OwnTool, ToolContext, ToolResult

if TYPE_CHECKING:
    from tree_sitter import Node

_PARSED = ("python", "javascript", "typescript", "go", "rust", "java")
_DEFINES = re.compile(
    r"(function|generator_function|class|abstract_class|method|constructor|interface|type|type_alias|enum|record"
    r"|struct|trait|mod|macro|const|static|var|variable)_(?:definition|declaration|item|spec|declarator)"
)
_WORD = re.compile(r"[^\W_]+")
_MOST_HITS = 2000
_MOST_FILES = 300  # that are parsed
_MOST_LINES = 100  # that mention it


class SearchArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    query: str = Field(min_length=1, max_length=200, examples=["apply_discount"])
    path: str = Field(".", examples=["src"])
    glob: str | None = Field(None, examples=["*.py"])


class Symbol(NamedTuple):
    path: str
    line: int
    name: str
    kind: str


class CodeSearch(OwnTool):
    """Definitions of a name, and lines that mention it."""

    name = "code_search"
    arguments: type[Arguments] = SearchArguments
    scans = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _search(args, context, stop), context)


def _search(args: SearchArguments, context: ToolContext, stop: Stop) -> ToolResult:
    words = _WORD.findall(args.query)
    if not words:
        raise AgentError("toolbox.no_words", query=one_name(args.query))
    path = searched(args.path, context)
    paths, notes = files_to_search(path, args.glob, context, stop)
    secret = [each for each in paths if context.secret(each)]
    pattern = "".join(f"(?=.*{re.escape(word)})" for word in words)
    open_ones = [each for each in paths if each not in frozenset(secret)]
    order = Order(str(context.root), pattern, True, 0, _MOST_HITS, 16 * MOST_SHOWN, open_ones)
    looked = looked_through(order, stop)
    symbols = sorted(_symbols(looked, words, context, stop), key=lambda each: _rank(each, words))
    defined = {(each.path, each.line) for each in symbols}
    mentions = [
        f"{one_name(place, 4096)}:{line.number}: {line.text.strip()}"
        for place, lines in looked.found
        for line in lines
        if (place, line.number) not in defined
    ]
    if not looked.found:
        values = {"pattern": one_name(args.query), "path": one_name(path), "count": len(open_ones)}
        notes.append(Phrase("toolbox.no_lines", values))
    if len(mentions) > _MOST_LINES:
        notes.append(Phrase("toolbox.more_lines", {"count": len(mentions) - _MOST_LINES}))
    lines = [f"{one_name(each.path, 4096)}:{each.line}: {each.kind} {each.name}" for each in symbols]
    said = [*lines, *([""] if lines and mentions else []), *mentions[:_MOST_LINES]]
    notes += notes_of(secret, looked.counts)
    return answer(said, notes, context, path=path, symbols=len(symbols), mentions=len(mentions))


def _symbols(looked: Looked, words: list[str], context: ToolContext, stop: Stop) -> Iterator[Symbol]:
    """The definitions on lines with a hit whose name holds all words."""
    readable = [(path, lines) for path, lines in looked.found if language_of(path) in _PARSED]
    for path, lines in readable[:_MOST_FILES]:
        stop.check()
        try:
            data = read(context.root, path, WHOLE).data
        except AgentError:  # too large, or gone meanwhile
            continue
        language = "tsx" if path.endswith(".tsx") else language_of(path)
        root, texts, seen = parse(language, data).root_node, data.split(b"\n"), set[int]()
        for line in lines:
            row = line.number - 1
            for found in re.finditer(rb"\w+", texts[row] if row < len(texts) else b""):
                node = root.descendant_for_point_range((row, found.start()), (row, found.end()))
                kind = _kind(node) if node is not None and node.start_byte not in seen else ""
                name = (node.text or b"").decode(errors="replace") if node is not None else ""
                if node is not None and kind and all(word.lower() in name.lower() for word in words):
                    seen.add(node.start_byte)
                    yield Symbol(path, line.number, name, kind)


def _kind(node: "Node") -> str:
    """What the node is the name of; empty for a mention."""
    above = node.parent
    found = _DEFINES.fullmatch(above.type) if above is not None else None
    if above is None or found is None or above.child_by_field_name("name") != node:
        return ""
    return found[1].rpartition("_")[2]


def _rank(symbol: Symbol, words: list[str]) -> tuple[bool, int, str, int]:
    """The very name first, then shorter ones."""
    exact = [word.lower() for word in _WORD.findall(symbol.name)] == [word.lower() for word in words]
    return not exact, len(symbol.name), symbol.path, symbol.line
