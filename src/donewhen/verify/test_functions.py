"""The test functions of a file: where each stands, what it says, and how much it demands.

What a test is, a skip mark, an assertion or a parameter table is data: a tree-sitter query for each language
in `queries/`, and one table of the names of assertions there. Shell has no grammar and is read by its lines.

Captures: @test, @group (a class, `describe`, module) and @define (a helper, fixture or datum) with @name;
@hook, a set-up that counts towards every test of its group; @whole, a definition with its decorators;
@attached, an attribute above an item; @skip and @empty, what switches the test or group around it off; @table
with one row each child, or @row; @assert with @callee and @arguments, @expression or @condition; @try with
@handler, @swallowed, and @return in its @block make assertions weak.
"""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple
from warnings import catch_warnings, simplefilter

from donewhen.project.syntax import digest, parse, text, tokens, walk

if TYPE_CHECKING:
    from tree_sitter import Node, Query

_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    "tsx": "tsx", "go": "go", "rs": "rust", "java": "java",
    **dict.fromkeys(("sh", "bash", "bats"), "shell"),
}  # fmt: skip
_FAMILY = {"typescript": "javascript", "tsx": "javascript"}
_LARGEST = 2 * 2**20  # bytes of a file that is read
_MOST_ROWS = 10**6


class TestFunction(NamedTuple):
    name: str  # "test_inside", "OverlapTest.test_inside", "cart > adds", "TestSum/empty", "tests::adds"
    first: int  # lines from 1, with what is attached above it
    last: int
    digest: str  # of its tokens but its name, with the helpers, fixtures and data of the file that it uses
    strong: int  # assertions that compare with a value or expect an error, those of its helpers too
    asserts: int  # any, weak ones too
    rows: int  # of its parameter table; 1 without one
    disabled: str = ""  # the mark that switches it off
    names: frozenset[str] = frozenset()  # identifiers and string literals used in it
    truths: int = 0  # assertions that only ask whether something is true


def language_of(path: str) -> str:
    """As `syntax.parse` names it; "shell", or "" where nothing reads it."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "") if "." in path else ""


def read_test_functions(path: str, data: bytes) -> tuple[TestFunction, ...]:
    """In the order of the text; () for files of no known language."""
    language = language_of(path)
    if language == "shell" and len(data) <= _LARGEST:
        return tuple(_shell_functions(data.decode(errors="replace")))
    return tuple(_Reading(language, data).tests()) if _is_parsed(language, data) else ()


def read_script(path: str, data: bytes) -> tuple[TestFunction, ...]:
    """A file without test functions that asserts by itself, as one test of the file's name."""
    language, source = language_of(path), data.decode(errors="replace")
    if language == "shell" and len(data) <= _LARGEST:
        strong, truths = _shell_checks(source), 0
    elif _is_parsed(language, data):
        strong, truths = _Reading(language, data).outside()
    else:
        return ()
    if not strong + truths:
        return ()
    name, last = path.rpartition("/")[2], source.count("\n") + 1
    whole = syntax_digest(path, data)
    return (TestFunction(name, 1, last, whole, strong, strong + truths, 1, truths=truths),)


def read_definitions(path: str, data: bytes) -> dict[str, str]:
    """Helpers, fixtures, classes and data of a file by name, each as a digest of its tokens."""
    language = language_of(path)
    if not _is_parsed(language, data):
        return {}
    found: dict[str, list[str]] = {}
    for each in _Reading(language, data).things:
        if each.kind != "test":
            found.setdefault(each.name, []).append(each.digest)
    return {name: digest(*sorted(parts)) for name, parts in found.items()}


def syntax_digest(path: str, data: bytes) -> str:
    """Equal digests: only layout and comments differ. Of the bytes, where no grammar reads the file."""
    language = language_of(path)
    if language == "python":  # whose blocks are layout
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError), catch_warnings():
            simplefilter("ignore")
            return digest(ast.dump(ast.parse(data)))
    elif _is_parsed(language, data):
        root = parse(language, data).root_node
        if not root.has_error:
            return digest(*tokens(root))
    return digest(data.decode(errors="surrogateescape"))


def _is_parsed(language: str, data: bytes) -> bool:
    return language not in ("", "shell") and len(data) <= _LARGEST


class _Table(NamedTuple):
    """The names of assertions of one language."""

    between: str
    weak: re.Pattern[str]
    truth: re.Pattern[str]
    strong: re.Pattern[str]
    fails: re.Pattern[str]
    test: re.Pattern[str] | None


@lru_cache(maxsize=8)
def _table(family: str) -> _Table:
    data = tomllib.loads(files(__package__).joinpath("queries", "assertions.toml").read_text())[family]
    patterns = {name: re.compile(data[name]) for name in ("weak", "truth", "strong", "fails")}
    return _Table(data["between"], **patterns, test=re.compile(data["test"]) if "test" in data else None)


@lru_cache(maxsize=8)
def _query(language: str) -> "Query":
    from tree_sitter import Query

    family = _FAMILY.get(language, language)
    source = files(__package__).joinpath("queries", f"{family}.scm").read_text()
    tree = parse(language, b"").language
    assert tree is not None
    return Query(tree, source)


@dataclass(eq=False)
class _Thing:
    """A test, group, helper or hook with its place in the text."""

    kind: str
    name: str
    node: "Node"
    root: "Node"  # with its decorators
    named: tuple[int, int]  # where its name stands
    start: int  # with what is attached above it
    end: int
    attached: tuple[str, ...] = ()  # attributes above it
    value: "Node | None" = None
    around: "tuple[_Thing, ...]" = field(default=())  # what stands around it, the outermost first

    def holds(self, start: int, end: int) -> bool:
        return self.start <= start and end <= self.end

    @cached_property
    def words(self) -> Counter[str]:
        """Identifiers and strings in it, but its name."""
        return Counter(
            _plain(text(node)) if "string" in node.type or "char" in node.type else text(node)
            for node in _leaves(self.root)
            if _span(node) != self.named
            and (node.type.endswith("identifier") or node.type in _STRINGS or node.type == "constant")
        )

    @cached_property
    def digest(self) -> str:
        """Of its tokens but its name."""
        leaves = (node for node in _leaves(self.root) if _span(node) != self.named)
        return digest(*self.attached, *(word for node in leaves for word in tokens(node)))


_ORDER = ("test", "group", "hook", "define")  # what is several of these is the first
Captures = Mapping[str, "list[Node]"]


class _Reading:
    """One file, matched once."""

    def __init__(self, language: str, data: bytes) -> None:
        from tree_sitter import QueryCursor

        self.language = language
        self.table = _table(_FAMILY.get(language, language))
        self.data = data
        self.tree = parse(language, data)
        matches = [match for _, match in QueryCursor(_query(language)).matches(self.tree.root_node)]
        self.matches: Sequence[Captures] = matches
        self.things = self._things()
        self.defines: dict[str, list[_Thing]] = {}
        for each in self.things:
            if each.kind in ("define", "group") and all(one.kind == "group" for one in each.around):
                self.defines.setdefault(each.name, []).append(each)
        self._locals = [(text(m["local"][0]), m["value"][0]) for m in matches if "local" in m]
        self.demands = sorted(_demands(self))

    def tests(self) -> Iterator[TestFunction]:
        disabled: dict[int, str] = {}
        everywhere = ""
        for node in (*self.nodes("skip"), *self.nodes("empty")):
            mark = "return" if node.type == "return_statement" else " ".join(text(node).split())[:200]
            owner = self._owner(*_span(node))
            if owner is None:
                everywhere = mark
            elif owner.kind in ("test", "group"):
                disabled.setdefault(owner.start, mark)
        is_loose = self.language not in ("python", "java")  # tests may stand inside other functions
        for test in self.things:
            if test.kind != "test" or (not is_loose and any(each.kind == "define" for each in test.around)):
                continue
            chain = (*test.around, test)
            weights = self._weights(test, 3, set())
            yield TestFunction(
                name=self.table.between.join(each.name for each in chain if each.kind in ("test", "group")),
                first=self.data.count(b"\n", 0, test.start) + 1,
                last=test.node.end_point[0] + 1,
                digest=self._digest(test),
                strong=weights[2],
                asserts=sum(weights.values()),
                rows=self._rows(chain),
                disabled=next((disabled[each.start] for each in chain if each.start in disabled), everywhere),
                names=frozenset(test.words),
                truths=weights[1],
            )

    def outside(self) -> tuple[int, int]:
        """How many assertions outside of everything compare with a value, and how many ask for a truth."""
        weights = Counter(weight for start, end, weight in self.demands if self._owner(start, end) is None)
        return weights[2], weights[1]

    # Places

    def nodes(self, name: str) -> Iterator["Node"]:
        for match in self.matches:
            yield from match.get(name, ())

    def _things(self) -> list[_Thing]:
        attached = sorted(map(_span, self.nodes("attached")))
        whole = {_span(each.named_children[-1]): each for each in self.nodes("whole")}
        found: dict[tuple[int, int], _Thing] = {}
        for match in self.matches:
            for kind in _ORDER:
                for node in match.get(kind, ()):
                    thing = self._thing(kind, node, match, whole.get(_span(node), node), attached)
                    known = found.get((thing.start, thing.end))
                    if known is None or _ORDER.index(thing.kind) < _ORDER.index(known.kind):
                        found[thing.start, thing.end] = thing
        things = sorted(found.values(), key=lambda each: (each.start, -each.end))
        stack: list[_Thing] = []
        for each in things:
            while stack and stack[-1].end < each.end:
                stack.pop()
            each.around = tuple(stack)
            stack.append(each)
        return things

    def _thing(
        self, kind: str, node: "Node", match: Captures, root: "Node", attached: Sequence[tuple[int, int]]
    ) -> _Thing:
        start, marks = root.start_byte, list[str]()
        for first, last in reversed(attached):
            if last <= start and not self.data[last:start].strip():
                start = first
                marks.insert(0, self.data[first:last].decode(errors="replace"))
        if kind == "define" and self.table.test and any(map(self.table.test.match, marks)):
            kind = "test"
        named, value = match.get("name", [None])[0], match.get("value", [None])[0]
        title = _title(text(named), self.language) if named is not None else ""
        place = _span(named) if named is not None else (0, 0)
        return _Thing(kind, title, node, root, place, start, node.end_byte, tuple(marks), value)

    def _owner(self, start: int, end: int) -> _Thing | None:
        """The innermost thing around a place; data hold nothing."""
        held = [each for each in self.things if each.value is None and each.holds(start, end)]
        return held[-1] if held else None

    # What it says

    def _digest(self, test: _Thing) -> str:
        """With the heads of its groups, their hooks, and everything of the file that it reaches by name."""
        words = [*test.words]
        parts = [test.digest]
        for group in test.around:
            head = [word for node in self._head(group) for word in tokens(node)]
            parts.append(digest(*head))
            words += head
        for hook in self.things:
            if hook.kind == "hook" and (not hook.around or hook.around[-1] in test.around):
                parts.append(hook.digest)
                words += hook.words
        reached: list[_Thing] = []
        while words:
            for each in self.defines.get(words.pop(), ()):
                if each not in reached and not each.holds(test.start, test.end):
                    reached.append(each)
                    words += each.words
        return digest(*parts, *sorted(each.digest for each in reached))

    def _head(self, group: _Thing) -> Iterator["Node"]:
        """Of a class its decorators and bases; of `describe` nothing."""
        if self.language in ("python", "java"):
            around = group.root.named_children if group.root != group.node else ()
            yield from (node for node in around if node.type == "decorator")
            heads = ("argument_list", "modifiers", "superclass")
            yield from (part for part in group.node.children if part.type in heads)

    # What it demands

    def _weights(self, thing: _Thing, depth: int, seen: set[str]) -> Counter[int]:
        """How many assertions of which weight (see `_demands`); helpers count wherever they are used."""
        total = Counter(weight for start, end, weight in self.demands if thing.holds(start, end))
        for name, count in thing.words.items() if depth else ():
            for helper in self.defines.get(name, ())[:1]:
                apart = not helper.holds(thing.start, thing.end) and not thing.holds(helper.start, helper.end)
                if name not in seen and helper.kind != "group" and apart:
                    for weight, times in self._weights(helper, depth - 1, {*seen, name}).items():
                        total[weight] += times * count
        return total

    def _rows(self, chain: Sequence[_Thing]) -> int:
        rows = 1
        for group in chain:
            single = (node.start_byte for node in self.nodes("row"))
            rows *= max(1, sum(group.start <= start < group.node.start_byte for start in single))
            for node in {_span(node): node for node in self.nodes("table")}.values():
                inside = group.holds(*_span(node))
                if group is not chain[-1]:
                    head = node.start_byte < _body(group.node)
                    inside = inside and head and self._owner(*_span(node)) is group
                if inside:
                    rows *= max(1, self._children(node))
        return min(rows, _MOST_ROWS)

    def _children(self, node: "Node") -> int:
        if node.type.endswith("identifier"):
            found = self._value(node)
            return self._children(found) if found is not None and not found.type.endswith("identifier") else 1
        if node.type == "template_string":
            return text(node).strip("`\n ").count("\n")
        return sum("comment" not in kid.type for kid in node.named_children)

    def _value(self, name: "Node") -> "Node | None":
        """What a name stands for: what is written above it in the same function, or in the file."""
        written = text(name)
        functions = (each for each in self.things if each.kind in ("test", "define"))
        holder = next((each for each in functions if each.holds(*_span(name))), None)
        for local, value in reversed(self._locals):
            above = local == written and value.end_byte <= name.start_byte
            if above and holder is not None and holder.holds(*_span(value)):
                return value
        return next((each.value for each in self.defines.get(written, ()) if each.value), None)


def _body(node: "Node") -> int:
    body = node.child_by_field_name("body") or node.child_by_field_name("arguments")
    return body.start_byte if body is not None else node.end_byte


_STRINGS = frozenset(
    "string template_string string_literal interpreted_string_literal raw_string_literal".split()
)
_WHOLE = (_STRINGS | {"regex"}) - {"template_string"}


def _leaves(node: "Node") -> Iterator["Node"]:
    """Tokens; a string is one, a comment none."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if "comment" in here.type:
            continue
        if not here.child_count or here.type in _WHOLE:
            yield here
        else:
            waiting.extend(reversed(here.children))


def _span(node: "Node") -> tuple[int, int]:
    return node.start_byte, node.end_byte


def _plain(literal: str) -> str:
    return re.sub(r"^[A-Za-z]{0,2}#*(\"\"\"|'''|[\"'`])(.*?)\1?#*$", r"\2", literal, flags=re.DOTALL)


def _title(written: str, language: str) -> str:
    title = _plain(written) if written[:1] in "\"'`" else written
    return title.replace(" ", "_") if language == "go" else title


# Demands


def _demands(reading: _Reading) -> Iterator[tuple[int, int, int]]:
    """All assertions of a file with their weight: 0 weak, 1 true or not, 2 a value or an error.

    What can't fail its test is weak whatever it says.
    """
    dead = list(_dead(reading))
    judged: dict[tuple[int, int], int] = {}
    for match in reading.matches:
        for node in match.get("assert", ()):
            weight = _weight(reading, match)
            if weight is not None:
                judged[_span(node)] = max(weight, judged.get(_span(node), 0))
    for (start, end), weight in judged.items():
        is_dead = any(first <= start and end <= last for first, last in dead)
        yield start, end, 0 if is_dead else weight


def _dead(reading: _Reading) -> Iterator[tuple[int, int]]:
    """Where no assertion can fail its test."""
    yield from map(_span, reading.nodes("swallowed"))
    for match in reading.matches:
        for body in match.get("try", ()):
            if any(_swallows(text(each)) for each in match.get("handler", ())):
                yield _span(body)
        for block in match.get("block", ()):
            yield match["return"][0].end_byte, block.end_byte


_CATCHES = re.compile(r"(except\s*:|except\s[^:]*\b(Exception|BaseException|AssertionError)\b|catch\b)")
_TELLS = re.compile(r"\b(raise|fail\w*|throw|assert\w*|expect|exit|done|reject|t)\b")


def _swallows(handler: str) -> bool:
    """Whether it catches a failed assertion and does nothing about it."""
    return bool(_CATCHES.match(handler)) and not _TELLS.search(handler)


def _weight(reading: _Reading, match: Captures) -> int | None:
    """None where the call is no assertion."""
    if "expression" in match:
        return _truth(match["expression"][0])
    if "callee" not in match:
        return 2  # a mark that expects an error
    callee = " ".join(text(match["callee"][0]).split())[-2000:]
    if reading.language == "java":
        callee = callee.rpartition(".")[2]
    table = reading.table
    if "condition" in match:
        return _refusing(match["condition"][0]) if table.fails.fullmatch(callee) else None
    arguments = _arguments(reading, match)
    if table.weak.fullmatch(callee):
        return 0
    if table.truth.fullmatch(callee):
        return _truth(arguments[0]) if arguments else 1
    if not table.strong.fullmatch(callee):
        return None
    return _strong(callee, match["callee"][0], arguments)


def _strong(callee: str, function: "Node", arguments: Sequence["Node"]) -> int | None:
    words = [text(each) for each in arguments if each.type not in ("self", "comment")]
    subject = _subject(function)
    if callee.endswith((".expect", ".raises", ".throws", ".warns")):
        broad = words[:1] in (["Exception"], ["BaseException"])
        alone = callee.endswith(".expect") and bool(arguments) and "function" in arguments[0].type
        return None if alone else 1 if broad else 2
    compared = [*subject, *words]
    if len(compared) >= 2 and compared[0] == compared[1]:
        return 0
    if len(compared) >= 3 and compared[1] == compared[2] and compared[0] in ("t", "assert"):
        return 0
    negated = re.search(r"[nN]ot_?\w*$|\.not\.", callee)
    if negated and compared[1:2] and compared[1] in ("None", "null", "undefined", "nil"):
        return 0
    return 2


_SUBJECTS = ("expect", "assertThat", "should")


def _subject(function: "Node") -> list[str]:
    """What `expect(…)` was given, at the head of a chain."""
    here: Node | None = function
    while here is not None:
        inner = here.child_by_field_name("function") or here.child_by_field_name("name")
        arguments = here.child_by_field_name("arguments")
        if inner is not None and arguments is not None and text(inner) in _SUBJECTS:
            return [text(each) for each in arguments.named_children[:1]]
        here = here.child_by_field_name("object") or (inner if inner != here else None)
    return []


def _arguments(reading: _Reading, match: Captures) -> list["Node"]:
    listed = match["arguments"][0] if match.get("arguments") else None
    if listed is None:
        return []
    if listed.type == "token_tree":  # what a macro is given, read once more as a tuple
        inside = text(listed)[1:-1]
        root = parse("rust", f"fn f() {{ ({inside},); }}".encode()).root_node
        tuples = (node for node in walk(root) if node.type == "tuple_expression")
        listed = next(tuples, None)
    return [each for each in listed.named_children if "comment" not in each.type] if listed else []


_NOTHING = frozenset(("None", "null", "undefined", "nil"))
_TRUE = frozenset(("True", "False", "true", "false"))
_EXISTS = re.compile(
    r"(isinstance|callable|hasattr|issubclass|Array\.isArray|Number\.isInteger)\(|type\(|typeof\b"
    r"|.*\.(is_some|is_ok)\(\)$|.*\binstanceof\b",
    re.DOTALL,
)
_ROUND = frozenset(("parenthesized_expression", "not_operator", "unary_expression"))
_LITERALS = frozenset("true false boolean_literal integer string tuple list dictionary number none".split())
_COMPARES = frozenset(("comparison_operator", "binary_expression"))
_SIGNS = frozenset("== != === !== < > <= >= in is".split()) | {"not in", "is not", "instanceof"}


def _truth(node: "Node") -> int:
    """How much is demanded of something that has to be true."""
    while node.type in _ROUND and node.named_children:
        node = node.named_children[-1]
    if node.type in ("boolean_operator", "binary_expression"):
        sign = _sign(node)
        if sign in ("and", "or", "&&", "||"):
            sides = [_truth(each) for each in node.named_children if "comment" not in each.type]
            return (min if sign in ("or", "||") else max)(sides, default=1)
    if node.type in _LITERALS:
        return 0
    if node.type in _COMPARES:
        return _comparison(node)
    written = text(node)
    if _EXISTS.match(written):
        return 0
    inner = [_comparison(each) for each in walk(node) if each.type in _COMPARES and _sign(each) in _SIGNS]
    return max([1, *inner]) if "matches!" not in written else 2


def _comparison(node: "Node") -> int:
    sign = _sign(node)
    sides = [each for each in node.named_children if "comment" not in each.type]
    if sign not in _SIGNS or len(sides) < 2:
        return 1
    left, right = text(sides[0]), text(sides[1])
    is_negative = sign in ("!=", "!==", "is not", "not in")
    if left == right or (is_negative and {left, right} & _NOTHING) or sign == "instanceof":
        return 0
    if _EXISTS.match(left) and sign != "in":
        return 0
    if {left, right} & _TRUE or (sign in ("<", ">", "<=", ">=") and "0" in (left, right)):
        return 1
    return 2


def _sign(node: "Node") -> str:
    return " ".join(text(each) for each in node.children if not each.is_named)


def _refusing(condition: "Node") -> int:
    """Of Go's `if …` around a failure: what the test does not allow."""
    written = text(condition)
    if re.fullmatch(r"\w*(err|Err)\w*\s*!=\s*nil", written) or re.fullmatch(r"\S+\s*==\s*nil", written):
        return 2 if "err" in written.lower() and "==" in written else 1 if "err" in written.lower() else 0
    if re.fullmatch(r"[^&|]+[<>]=?\s*0", written):
        return 1
    sides = written.split("!=")
    return 0 if len(sides) == 2 and sides[0].strip() == sides[1].strip() else 2


# Shell

_SHELL_TEST = re.compile(
    r"^(?:@test\s+(?P<quote>['\"])(?P<title>.+?)(?P=quote)\s*\{|(?:function\s+)?(?P<name>\w+)\s*\(\)\s*\{?)"
)
_SHELL_STRONG = re.compile(
    r"(\[\[?\s|\btest\s).*(=|-eq|-ne|-lt|-gt|-le|-ge)\s|\b(assert_?(equal\w*|output|line|failure|eq\w*|regex)|diff|cmp|grep)\b"
)
_SHELL_ANY = re.compile(r"^\s*(\[\[?\s|test\s|assert\w*|refute\w*|diff\b|cmp\b|grep\b)")


def _shell_functions(source: str) -> Iterator[TestFunction]:
    """`@test "title" {` of bats, and functions whose name begins with test; each ends at a brace alone."""
    tests, helpers, _ = _shell_parts(source)
    for name, (first, body) in tests.items():
        lines = [line for line in body if line]
        words = frozenset(re.findall(r"[\w./-]+", "\n".join(lines)))
        used = [line for helper, inside in helpers.items() if helper in words for line in inside if line]
        yield TestFunction(
            name=name,
            first=first,
            last=first + len(body) + 1,
            digest=digest(*lines, *used),
            strong=sum(bool(_SHELL_STRONG.search(line)) for line in (*lines, *used)),
            asserts=sum(bool(_SHELL_ANY.search(line)) for line in (*lines, *used)),
            rows=1,
            disabled=next((line for line in lines[:1] if re.match(r"skip\b|return\b|exit\b", line)), ""),
            names=words,
        )


def _shell_parts(source: str) -> tuple[dict[str, tuple[int, list[str]]], dict[str, list[str]], list[str]]:
    """Tests with their first lines, helpers, and the lines outside of functions."""
    tests: dict[str, tuple[int, list[str]]] = {}
    helpers: dict[str, list[str]] = {}
    outside: list[str] = []
    name, first, lines, is_test = "", 0, [""], False
    for number, line in enumerate(source.splitlines(), 1):
        start = _SHELL_TEST.match(line) if not name else None
        said = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
        if start is not None:
            name, is_test = start["title"] or start["name"], bool(start["title"])
            first, lines = number, []
            if said.endswith("}"):
                lines.append(said.partition("{")[2])
        if name and (line.startswith("}") or (start is not None and lines)):
            if is_test or name.startswith("test"):
                tests[name] = (first, lines)
            else:
                helpers[name] = lines
            name = ""
        elif name and start is None:
            lines.append(said)
        elif not name and said:
            outside.append(said)
    return tests, helpers, outside


def _shell_checks(source: str) -> int:
    """Lines outside of functions that end or fail the script for what something is."""
    _, helpers, outside = _shell_parts(source)
    checking = {name for name, body in helpers.items() if any(map(_SHELL_STRONG.search, body))}
    return sum(
        line.partition(" ")[0] in checking or ("||" in line and bool(_SHELL_STRONG.search(line)))
        for line in outside
    )
