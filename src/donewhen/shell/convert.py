"""Statements and commands out of the parser's JSON.

Chains of operators are taken apart in a loop; everything else recurses within the limits of the Nest. What
is not known by name is refused, never dropped.
"""

from collections.abc import Callable
from typing import Any

from donewhen.core import tree
from donewhen.core.tree import Command, Script, Simple, Statement, Word
from donewhen.shell.convert_words import PLACES, Node, Words, only
from donewhen.shell.feed import NOTHING, Feed, stdin_of
from donewhen.shell.nest import Nest, Unreadable

_FIELDS = {
    "File": "Name Stmts",
    "Stmt": "Cmd Negated Background Redirs",
    "CallExpr": "Assigns Args",
    "BinaryCmd": "Op X Y",
    "Subshell": "Stmts",
    "Block": "Stmts",
    "IfClause": "Cond Then Else ThenPos FiPos",
    "WhileClause": "Until Cond Do WhilePos DoPos DonePos",
    "ForClause": "Select Loop Do ForPos DoPos DonePos Braces",
    "WordIter": "Name Items InPos",
    "CStyleLoop": "Init Cond Post",
    "CaseClause": "Word Items Case In Esac Braces",
    "CaseItem": "Op Patterns Stmts",
    "FuncDecl": "RsrvWord Parens Name Body",
    "TestClause": "X",
    "ArithmCmd": "X Unsigned",
    "LetClause": "Let Exprs",
    "DeclClause": "Variant Args",
    "CoprocClause": "Coproc Name Stmt",
    "TimeClause": "Time PosixFormat Stmt",
}
_ALLOWED = {kind: PLACES.union(names.split()) for kind, names in _FIELDS.items()}
_LISTS = frozenset(("&&", "||"))
_PIPES = frozenset(("|", "|&"))
_COMPOUND = frozenset("Block Subshell IfClause WhileClause ForClause CaseClause TestClause ArithmCmd".split())


def convert(file: Node, source: bytes, nest: Nest) -> Script:
    """The script of a whole text."""
    try:
        return Converter(source, nest).script(_only(file, "File").get("Stmts") or [])
    except (KeyError, TypeError, AttributeError) as error:
        # A field that is missing or of another shape: a parser of another version.
        raise Unreadable("shell.unknown_syntax", str(error)[:80]) from None


def _only(node: Node, kind: str) -> Node:
    return only(node, kind, _ALLOWED[kind])


class Converter:
    def __init__(self, source: bytes, nest: Nest) -> None:
        self._nest = nest
        self._words = Words(source, nest, self.script)

    def script(self, nodes: list[Node], feed: Feed = NOTHING) -> Script:
        self._nest.enter()
        statements = tuple(self._statement(node, feed) for node in nodes)
        self._nest.leave()
        return statements

    def _statement(self, node: Node, around: Feed, before: Statement | None = None) -> Statement:
        _only(node, "Stmt")
        redirects = tuple(self._words.redirect(redirect) for redirect in node.get("Redirs", ()))
        feed = stdin_of(redirects, before, around)
        command = self._command(node["Cmd"], feed) if "Cmd" in node else Simple()
        return Statement(command, bool(node.get("Negated")), bool(node.get("Background")), redirects)

    def _command(self, node: Node, feed: Feed) -> Command:
        kind = node.get("Type", "")
        reader = _COMMANDS.get(kind)
        if reader is None:
            raise Unreadable("shell.unknown_syntax", kind)
        return reader(self, _only(node, kind), feed)

    def _simple(self, node: Node, feed: Feed) -> Command:
        words = self._words.words(node.get("Args", ()))
        assigns = tuple(self._words.assign(assign) for assign in node.get("Assigns", ()))
        return Simple(words, assigns, self._nest.unwrap(words, feed))

    def _binary(self, node: Node, feed: Feed) -> Command:
        family = _LISTS if node["Op"] in _LISTS else _PIPES
        if node["Op"] not in family:
            raise Unreadable("shell.unknown_syntax", str(node["Op"]))
        operators, sides = [node["Op"]], [node["Y"]]
        left = node["X"]
        while _goes_on(left, family):
            inner = _only(left["Cmd"], "BinaryCmd")
            operators.append(inner["Op"])
            sides.append(inner["Y"])
            left = inner["X"]
        sides = [left, *reversed(sides)]
        operators.reverse()
        if family is _PIPES:
            return tree.Pipeline(self._pipe(sides, feed), "|&" in operators)
        first, *rest = [self._statement(side, feed) for side in sides]
        return tree.AndOr(first, tuple(zip(operators, rest, strict=True)))

    def _pipe(self, sides: list[Node], feed: Feed) -> tuple[Statement, ...]:
        parts: list[Statement] = []
        for side in sides:
            before = parts[-1] if parts else None
            parts.append(self._statement(side, NOTHING if parts else feed, before))
        return tuple(parts)

    def _subshell(self, node: Node, feed: Feed) -> Command:
        return tree.Subshell(self.script(node.get("Stmts", []), feed))

    def _block(self, node: Node, feed: Feed) -> Command:
        return tree.Group(self.script(node.get("Stmts", []), feed))

    def _if(self, node: Node, feed: Feed) -> Command:
        branches = []
        clause: Node | None = node
        while clause is not None and "Cond" in clause:
            _only(clause, "IfClause")
            branches.append((self.script(clause["Cond"], feed), self.script(clause["Then"], feed)))
            clause = clause.get("Else")
        otherwise = None if clause is None else self.script(_only(clause, "IfClause")["Then"], feed)
        return tree.If(tuple(branches), otherwise)

    def _while(self, node: Node, feed: Feed) -> Command:
        kind: Any = "until" if node.get("Until") else "while"
        return tree.Loop(kind, self.script(node["Cond"], feed), self.script(node["Do"], feed))

    def _for(self, node: Node, feed: Feed) -> Command:
        loop, body = node["Loop"], self.script(node["Do"], feed)
        if loop["Type"] == "CStyleLoop":
            _only(loop, "CStyleLoop")
            source = self._words.source(loop)
            live = self._words.live(loop.get("Init"), loop.get("Cond"), loop.get("Post"))
            return tree.For("", (Word(source, False, live),) if live else (), body, "arithmetic", source)
        _only(loop, "WordIter")
        words = self._words.words(loop.get("Items", ())) if "InPos" in loop else None
        kind: Any = "select" if node.get("Select") else "for"
        return tree.For(loop["Name"]["Value"], words, body, kind)

    def _case(self, node: Node, feed: Feed) -> Command:
        items = tuple(self._case_item(item, feed) for item in node.get("Items", ()))
        return tree.Case(self._words.word(node["Word"]), items)

    def _case_item(self, node: Node, feed: Feed) -> tree.CaseItem:
        _only(node, "CaseItem")
        if node["Op"] not in (";;", ";&", ";;&"):
            raise Unreadable("shell.unknown_syntax", str(node["Op"]))
        body = self.script(node.get("Stmts", []), feed)
        return tree.CaseItem(self._words.words(node.get("Patterns", ())), body, node["Op"])

    def _function(self, node: Node, feed: Feed) -> Command:
        body = node["Body"]
        if _kind_of(body) == "BinaryCmd":
            return self._binary(_regrouped(node), feed)
        if _kind_of(body) not in _COMPOUND or body.get("Negated"):
            raise Unreadable("shell.unknown_syntax", "FuncDecl")
        return tree.Function(node["Name"]["Value"], self._nested(body, NOTHING))

    def _nested(self, node: Node, feed: Feed) -> Statement:
        self._nest.enter()
        statement = self._statement(node, feed)
        self._nest.leave()
        return statement

    def _test(self, node: Node, feed: Feed) -> Command:
        words: list[Word] = []
        left: list[Node | str] = [node["X"]]
        while left:
            part = left.pop()
            if isinstance(part, str):
                words.append(Word(part))
            elif part.get("Type") == "Word":
                words.append(self._words.word(part))
            else:
                left.extend(reversed(_test_parts(part)))
        return tree.Test(tuple(words))

    def _calculation(self, node: Node, feed: Feed) -> Command:
        exprs = [node["X"]] if "X" in node else node.get("Exprs", [])
        return tree.Calculation(self._words.source(node), self._words.live(*exprs))

    def _declare(self, node: Node, feed: Feed) -> Command:
        words, assigns = [], []
        for arg in node.get("Args", ()):
            if "Name" in arg:
                assigns.append(self._words.assign(arg))
            else:
                words.append(self._words.word(arg["Value"]))
        return tree.Declare(node["Variant"]["Value"], tuple(words), tuple(assigns))

    def _coprocess(self, node: Node, feed: Feed) -> Command:
        name = self._words.word(node["Name"]).text if "Name" in node else ""
        return tree.Coprocess(name, self._nested(node["Stmt"], NOTHING))

    def _timed(self, node: Node, feed: Feed) -> Command:
        return tree.Timed(self._nested(node["Stmt"], feed) if "Stmt" in node else None)


def _kind_of(statement: Node) -> str:
    return str(statement.get("Cmd", {}).get("Type", ""))


def _regrouped(function: Node) -> Node:
    """The list that a function definition begins.

    The parser takes what follows `f() { …; } && rm x` into the body, where it would only be defined; bash
    ends the body at the brace and runs the rest.
    """
    spine, inner = [], function["Body"]["Cmd"]
    while _kind_of(inner["X"]) == "BinaryCmd":
        spine.append(inner)
        inner = inner["X"]["Cmd"]
    whole = {**inner, "X": {"Cmd": {**function, "Body": inner["X"]}}}
    for outer in reversed(spine):
        whole = {**outer, "X": {**outer["X"], "Cmd": whole}}
    return whole


def _goes_on(statement: Node, family: frozenset[str]) -> bool:
    """Is the left side the same chain, with nothing of its own round it?"""
    command = statement.get("Cmd") or {}
    if command.get("Type") != "BinaryCmd" or command.get("Op") not in family:
        return False
    return statement.keys() <= _CHAINED


def _test_parts(node: Node) -> list[Node | str]:
    kind = node.get("Type", "")
    if kind == "BinaryTest":
        only(node, kind)
        return [node["X"], node["Op"], node["Y"]]
    if kind == "UnaryTest":
        only(node, kind)
        return [node["Op"], node["X"]]
    if kind == "ParenTest":
        only(node, kind)
        return ["(", node["X"], ")"]
    raise Unreadable("shell.unknown_syntax", kind)


_CHAINED = PLACES | {"Cmd"}
_COMMANDS: dict[str, Callable[[Converter, Node, Feed], Command]] = {
    "CallExpr": Converter._simple,
    "BinaryCmd": Converter._binary,
    "Subshell": Converter._subshell,
    "Block": Converter._block,
    "IfClause": Converter._if,
    "WhileClause": Converter._while,
    "ForClause": Converter._for,
    "CaseClause": Converter._case,
    "FuncDecl": Converter._function,
    "TestClause": Converter._test,
    "ArithmCmd": Converter._calculation,
    "LetClause": Converter._calculation,
    "DeclClause": Converter._declare,
    "CoprocClause": Converter._coprocess,
    "TimeClause": Converter._timed,
}
