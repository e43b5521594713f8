"""Words, variables and arithmetic out of the parser's JSON.

A node or a field that is not named here makes the whole text unreadable: what nobody looked at must not
pass as if it were not there.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from donewhen.core.tree import Arithmetic, Assign, Part, Redirect, Script, Substitution, Text, Variable, Word
from donewhen.shell.nest import Nest, Unreadable
from donewhen.shell.words import ansi, double_quoted, fed_word, in_document, make_word, unquoted

Node = dict[str, Any]
PLACES = frozenset(
    "Type Pos End ValuePos ValueEnd Position OpPos Left Right Lparen Rparen Lbrace Rbrace Lbrack Rbrack "
    "Semicolon Comments Last DoLast CondLast ThenLast".split()
)
_FIELDS = {
    "Word": "Parts",
    "Lit": "Value",
    "SglQuoted": "Value Dollar",
    "DblQuoted": "Parts Dollar",
    "ParamExp": "Dollar Short Excl Length Param Index Slice Repl Names Exp",
    "CmdSubst": "Stmts Backquotes TempFile ReplyVar",
    "ProcSubst": "Op Stmts",
    "ArithmExp": "Bracket X",
    "ExtGlob": "Op Pattern",
    "BinaryArithm": "Op X Y",
    "UnaryArithm": "Op Post X",
    "ParenArithm": "X",
    "BinaryTest": "Op X Y",
    "UnaryTest": "Op X",
    "ParenTest": "X",
    "Exp": "Op Word",
    "Slice": "Offset Length",
    "Repl": "All Orig With",
    "Assign": "Append Naked Name Index Value Array",
    "Array": "Elems",
    "Elem": "Index Value",
    "Redirect": "Op N Word Hdoc",
}
_ALLOWED = {kind: PLACES.union(names.split()) for kind, names in _FIELDS.items()}
_DELIMITER = re.compile(r"[\w.!%+,:@/=-]+")
_MAX_TABS = 64
_TABS = re.compile(r"(?m)^\t+")


def only(node: Node, kind: str, allowed: frozenset[str] | None = None) -> Node:
    """The node, once it is sure that it has no field that nobody reads."""
    extra = node.keys() - (allowed or _ALLOWED[kind])
    if extra:
        raise Unreadable("shell.unknown_syntax", f"{kind}.{min(extra)}")
    return node


class Words:
    """Reads words of one text; `script` reads the statements of a substitution."""

    def __init__(self, source: bytes, nest: Nest, script: Callable[[list[Node]], Script]) -> None:
        self._source = source
        self._nest = nest
        self._script = script

    def source(self, node: Node) -> str:
        return self._source[node["Pos"]["Offset"] : node["End"]["Offset"]].decode("utf-8", "replace")

    def word(self, node: Node, assigned: bool = False) -> Word:
        parts = self._parts(only(node, "Word").get("Parts", ()), False)
        return make_word(parts, self.source(node), assigned)

    def words(self, nodes: Iterable[Node]) -> tuple[Word, ...]:
        return tuple(self.word(node) for node in nodes)

    def _parts(self, nodes: Iterable[Node], quoted: bool) -> list[Part]:
        parts: list[Part] = []
        self._nest.enter()
        for node in nodes:
            parts.extend(self._part(node, quoted))
        self._nest.leave()
        return parts

    def _part(self, node: Node, quoted: bool) -> list[Part]:
        kind = node.get("Type", "")
        reader = _PARTS.get(kind)
        if reader is None:
            raise Unreadable("shell.unknown_syntax", kind)
        return reader(self, only(node, kind), quoted)

    def _literal(self, node: Node, quoted: bool) -> list[Part]:
        value = node.get("Value", "")
        return [Text(double_quoted(value), True)] if quoted else unquoted(value)

    def _single(self, node: Node, quoted: bool) -> list[Part]:
        value = node.get("Value", "")
        return [Text(ansi(value) if node.get("Dollar") else value, True)]

    def _double(self, node: Node, quoted: bool) -> list[Part]:
        return self._parts(node.get("Parts", ()), True) or [Text("", True)]

    def _glob(self, node: Node, quoted: bool) -> list[Part]:
        return [Text(self.source(node), quoted)]

    def _command(self, node: Node, quoted: bool) -> list[Part]:
        return [Substitution(self._script(node.get("Stmts", [])), "$(", quoted)]

    def _process(self, node: Node, quoted: bool) -> list[Part]:
        if node["Op"] not in ("<(", ">("):
            raise Unreadable("shell.unknown_syntax", str(node["Op"]))
        return [Substitution(self._script(node.get("Stmts", [])), node["Op"], quoted)]

    def _arithmetic(self, node: Node, quoted: bool) -> list[Part]:
        return [Arithmetic(self.source(node), self.live(node.get("X")), quoted)]

    def live(self, *nodes: Node | None) -> tuple[Part, ...]:
        """The expansions anywhere inside arithmetic."""
        found: list[Part] = []
        left = [node for node in reversed(nodes) if node]
        while left:
            node = left.pop()
            kind = node.get("Type", "")
            if kind == "Word":
                parts = self._parts(only(node, "Word").get("Parts", ()), False)
                found += [part for part in parts if not isinstance(part, Text)]
            elif kind in ("BinaryArithm", "UnaryArithm", "ParenArithm"):
                only(node, kind)
                left += [node[side] for side in ("Y", "X") if side in node]
            else:
                raise Unreadable("shell.unknown_syntax", kind)
        return tuple(found)

    def _expression(self, node: Node) -> Word:
        if node.get("Type") == "Word":
            return self.word(node)
        return Word(self.source(node), False, self.live(node) or (Text(self.source(node)),))

    def _variable(self, node: Node, quoted: bool) -> list[Part]:
        name = only(node["Param"], "Lit").get("Value", "")
        lead = "#" * bool(node.get("Length")) + "!" * bool(node.get("Excl"))
        operator, argument = self._operator(node, quoted)
        key = self._expression(node["Index"]) if "Index" in node else None
        return [Variable(name, lead + operator, argument, key, quoted)]

    def _operator(self, node: Node, quoted: bool) -> tuple[str, Word | None]:
        if "Names" in node:
            return node["Names"], None
        if "Exp" in node:
            exp = only(node["Exp"], "Exp")
            return exp["Op"], self._argument(exp["Word"], quoted) if "Word" in exp else None
        if "Slice" in node:
            only(node["Slice"], "Slice")
            bounds = [node["Slice"][side] for side in ("Offset", "Length") if side in node["Slice"]]
            source = ":".join(self.source(bound) for bound in bounds)
            return ":", Word(source, False, (Text(source), *self.live(*bounds)))
        if "Repl" in node:
            repl = only(node["Repl"], "Repl")
            sides = [self._argument(repl[side], quoted) for side in ("Orig", "With") if side in repl]
            parts = [
                part for side in sides for part in (Text("/"), *(side.parts or (Text(side.text, True),)))
            ]
            source = "/".join(side.text for side in sides)
            return "//" if repl.get("All") else "/", Word(source, False, tuple(parts[1:]))
        return "", None

    def _argument(self, node: Node, quoted: bool) -> Word:
        parts = self._parts(only(node, "Word").get("Parts", ()), quoted)
        return make_word(parts, self.source(node))

    def assign(self, node: Node) -> Assign:
        only(node, "Assign")
        name = only(node["Name"], "Lit").get("Value", "")
        key = self._expression(node["Index"]) if "Index" in node else None
        append = bool(node.get("Append"))
        if "Array" in node:
            items = tuple(self._item(elem) for elem in only(node["Array"], "Array").get("Elems", ()))
            return Assign(name, Word(self.source(node["Array"]), False), append, key, items)
        value = self.word(node["Value"], True) if "Value" in node else Word("", not node.get("Naked"))
        return Assign(name, value, append, key)

    def _item(self, node: Node) -> Word:
        """`[key]=value` as one word that is not known, so that an expansion in the key is not lost."""
        only(node, "Elem")
        value = self.word(node["Value"], True) if "Value" in node else Word("")
        if "Index" not in node:
            return value
        key = self._expression(node["Index"])
        parts = [part for word in (key, value) for part in word.parts or (Text(word.text, True),)]
        return Word(self.source(node), False, tuple(parts))

    def redirect(self, node: Node) -> Redirect:
        only(node, "Redirect")
        fd = only(node["N"], "Lit").get("Value", "") if "N" in node else ""
        operator, target = node["Op"], self.word(node["Word"])
        body = None
        if operator == "<<<":
            body = fed_word(self._parts(node["Word"].get("Parts", ()), False), target.text)
        elif operator in ("<<", "<<-"):
            body = self._document(node, target)
        return Redirect(operator, target, fd, body)

    def _document(self, node: Node, delimiter: Word) -> Word:
        """Its text; raw when any of the delimiter is quoted, whatever the parser made of it."""
        if not delimiter.known or not _DELIMITER.fullmatch(delimiter.text):
            raise Unreadable("shell.unclear_document", self.source(node["Word"])[:80])
        if "Hdoc" not in node:
            return Word("")
        document = only(node["Hdoc"], "Word")
        raw, dash = self.source(node["Word"]) != delimiter.text, node["Op"] == "<<-"
        start, end = document["Pos"]["Offset"], document["End"]["Offset"]
        ours = _document_end(self._source, start, delimiter.text.encode(), raw, dash)
        if ours is None or not 0 <= end - ours <= len(delimiter.text) + _MAX_TABS * dash:
            raise Unreadable("shell.unclear_document", delimiter.text[:80])
        source = self._source[start:ours].decode("utf-8", "replace")
        if raw:
            return Word(_TABS.sub("", source) if dash else source)
        return fed_word(self._document_parts(document.get("Parts", ()), dash), source)

    def _document_parts(self, nodes: Iterable[Node], dash: bool) -> list[Part]:
        parts: list[Part] = []
        line_start = True
        for node in nodes:
            if node.get("Type") != "Lit":
                parts.extend(self._part(node, True))
                line_start = False
                continue
            value = only(node, "Lit").get("Value", "")
            if dash:
                value = _TABS.sub("", value) if line_start else _TABS.sub("", "\0" + value)[1:]
            line_start = value.endswith("\n")
            parts.append(Text(in_document(value), True))
        return parts


def _document_end(source: bytes, start: int, delimiter: bytes, raw: bool, dash: bool) -> int | None:
    """Where a here-document ends by bash's rules, its last line left out; None without a last line."""
    at, joined = start, False
    while at < len(source):
        stop = source.find(b"\n", at)
        line = source[at : stop if stop >= 0 else len(source)]
        if not joined and (line.lstrip(b"\t") if dash else line) == delimiter:
            return at
        at += len(line) + 1
        joined = not raw and (len(line) - len(line.rstrip(b"\\"))) % 2 == 1
    return None


_PARTS: dict[str, Callable[[Words, Node, bool], list[Part]]] = {
    "Lit": Words._literal,
    "SglQuoted": Words._single,
    "DblQuoted": Words._double,
    "ExtGlob": Words._glob,
    "CmdSubst": Words._command,
    "ProcSubst": Words._process,
    "ArithmExp": Words._arithmetic,
    "ParamExp": Words._variable,
}
