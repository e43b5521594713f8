"""What reading points at: new product code that answers for the exam instead of doing the work.

It reads the base and the new version of the changed files, and the text of the exam; rules, names and
queries are data (suspicions.toml). Every finding is a question, never a refusal. What is computed, encoded
or fitted to the tests in a roundabout way is beyond it (SECURITY.md).
"""

import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from donewhen.project.roles import Role, role_of
from donewhen.project.syntax import line, parse, text, walk
from donewhen.verify.finding import Finding, found
from donewhen.verify.test_functions import language_of as by_suffix

if TYPE_CHECKING:
    from tree_sitter import Node, Query

_LARGEST = 256 * 1024  # bytes; what people write is far smaller
_LONGEST = 400  # characters of a line
_NEAR = 3  # lines of a test between an input and what is expected of it
_SPREAD = 10  # more of them for a list
_ANYWHERE = 10**9
_MOST_EXAM = 8 * 1024 * 1024  # bytes of exam files that are searched
_MOST_CELLS = 100  # of one table; a longer one is data
_MOST_LITERALS = 24  # of one place that answers
_MOST_LISTED = 200
_CALL = re.compile(r"\b(?!(?:if|elif|and|or|not|in|equals|startswith|endswith|startsWith|endsWith)\b)\w+\(")
_CALCULATES = re.compile(r"[-+*/%<>](?![\d.])|[<>]")
_CONTAINERS = frozenset(
    "dictionary object literal_value array array_expression array_initializer list tuple set".split()
)
_QUOTES = re.compile(r"^\w{0,2}(\"\"\"|\'\'\'|[\"'`])|(\"\"\"|\'\'\'|[\"'`])$")
_COMPARES = re.compile(r"[=!]=|\bin\b|\bis\b|equals|tarts_?[wW]ith|nds_?[wW]ith")


class Tree(Protocol):
    """The files of one tree."""

    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """What these files hold; those that are not there, or no files, are left out."""


class Rule(NamedTuple):
    name: str
    languages: frozenset[str]
    at: str  # code, comment, docstring, top, function
    pattern: re.Pattern[str]
    finds: tuple[str, ...]
    passes: tuple[str, ...]


class Cell(NamedTuple):
    """A place that answers by literals."""

    line: int
    group: int  # cells that belong together
    literals: tuple[str, ...]
    keys: int  # how many of them are asked; the others are answered
    text: str
    listed: bool = False  # a list of literals, without knowing which of them is asked


def find_suspicions(
    base: Tree,
    now: Tree,
    changed: Iterable[str],
    *,
    goal: str = "",
    role: Callable[[str], Role] = role_of,
) -> tuple[Finding, ...]:
    """`role`: the part that a file of the project has in its exam."""
    paths = sorted(changed)
    roles = {path: role(path) for path in paths}
    before, after = base.read(paths), now.read(paths)
    fresh: dict[str, bytes] = {}
    findings: list[Finding] = []
    for path, data in after.items():
        findings += _by_name(path, before, base, now)
        if roles[path] in ("test", "support") or len(data) > _LARGEST or b"\0" in data:
            continue
        findings += _by_line(path, before.get(path, b""), data, roles[path])
        if roles[path] != "config":
            fresh[path] = data
    known = [data.decode(errors="replace") for path, data in before.items() if roles[path] == "source"]
    findings += keyed_answers(before, fresh, "\n".join((goal, *known)), lambda: _exam_texts(now, role))
    return tuple({(each.rule, each.file, each.line): each for each in findings}.values())


@lru_cache(maxsize=1)
def tables() -> Mapping[str, Any]:
    return tomllib.loads(files("donewhen.verify").joinpath("suspicions.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            each["name"],
            frozenset(each["languages"]),
            each["at"],
            re.compile(each["pattern"].replace("\n", "")),
            tuple(each["finds"]),
            tuple(each["passes"]),
        )
        for each in tables()["rules"]
    )


# Names


def _by_name(path: str, before: Mapping[str, bytes], base: Tree, now: Tree) -> Iterator[Finding]:
    """A new file that interpreter, shell or runner would take before what was meant."""
    names, startup = tables()["shim"], tables()["startup"]
    folder, _, name = path.rpartition("/")
    if name in startup["names"].split() or name.endswith(tuple(startup["suffixes"])):
        yield found("startup-hook", path, 1, now=path)
    if path in before:
        return
    module = _module(path)
    if module and module[0] in ("", *names["roots"]) and f"{module[0]}/__init__.py" not in now.paths():
        if module[1] in sys.stdlib_module_names | set(names["runners"].split()):
            yield found("shim", path, 1, now=module[1])
    elif name.rpartition(".")[2] in ("so", "pyd", "pyc", "pyo") and _beside(path, base, now):
        yield found("shim", path, 1, now=_beside(path, base, now))
    elif name in names["programs"].split() and folder in names["program_folders"]:
        yield found("shim", path, 1, now=name)
    elif folder.startswith("node_modules/") and folder.split("/")[1] in names["node_packages"].split():
        yield found("shim", path, 1, now=folder.split("/")[1])


def _module(path: str) -> tuple[str, str] | None:
    """Folder and top-level name under which Python would import the file."""
    folder, _, name = path.rpartition("/")
    if name == "__init__.py" and folder:
        above, _, package = folder.rpartition("/")
        return above, package
    return (folder, name.removesuffix(".py")) if name.endswith(".py") else None


def _beside(path: str, base: Tree, now: Tree) -> str:
    """The source that is left aside for a compiled file."""
    source = str(PurePosixPath(path).with_name(f"{PurePosixPath(path).name.partition('.')[0]}.py"))
    return source if source in now.paths() or source in base.paths() else ""


# Lines and functions


def _by_line(path: str, before: bytes, after: bytes, role: Role) -> Iterator[Finding]:
    """New lines and functions that fit a rule; once for each rule."""
    language = language_of(path, after, role)
    mine = [rule for rule in rules() if language in rule.languages]
    if not mine:
        return
    had, page = read_page(language, before), read_page(language, after)
    for rule in mine:
        old = Counter(text.strip() for _, text in had.get(rule.at, ()))
        for number, written in page.get(rule.at, ()):
            if rule.pattern.search(written[:_LONGEST]) and not old[written.strip()]:
                yield found(rule.name, path, number, now=written.strip())
                break


def language_of(path: str, data: bytes, role: Role = "source") -> str:
    """Of the table; "settings" for what says how the exam is run, shell for start-up files and by shebang."""
    name = path.rpartition("/")[2]
    if known := by_suffix(name):
        return known
    if role == "config":
        return "settings"
    shell = name.startswith(".") or re.match(rb"#!.*\b(?:ba|da|z|k)?sh\b", data)
    return "shell" if shell and "." not in name[1:] else ""


def read_page(language: str, data: bytes) -> Mapping[str, tuple[tuple[int, str], ...]]:
    """A file as the rules see it: number and text of each line or function, by `Rule.at`."""
    if language in ("shell", "settings", ""):
        lines = enumerate(data.decode(errors="replace").splitlines(), 1)
        code = tuple((number, each) for number, each in lines if not each.lstrip().startswith("#"))
        return {"code": code}
    root = parse(language, data).root_node
    lines_of = [each.decode(errors="replace") for each in data.splitlines()]
    comments, functions, examples, hidden, inner = [], [], [], set[int](), set[int]()
    for node in walk(root):
        rows = range(node.start_point[0], node.end_point[0] + 1)
        if "comment" in node.type:
            comments.append((line(node), text(node)))
            row, column = node.start_point
            if len(rows) > 1 or not lines_of[row][:column].strip():
                hidden.update(rows)
            else:
                lines_of[row] = lines_of[row].encode()[:column].decode(errors="replace")
        elif node.type == "expression_statement" and [each.type for each in node.children] == ["string"]:
            hidden.update(rows)
            examples += [(row + 1, lines_of[row]) for row in rows]
        elif _is_function(node):
            functions.append((line(node), " ".join(text(node).split())))
            inner.update(rows)
        elif node.type in ("class_definition", "class_declaration") or _is_main(node):
            inner.update(rows)
    code = tuple((row + 1, each) for row, each in enumerate(lines_of) if row not in hidden)
    top = tuple((number, each) for number, each in code if number - 1 not in inner)
    found = {"comment": comments, "docstring": examples, "function": functions}
    return {"code": code, "top": top, **{at: tuple(each) for at, each in found.items()}}


def _is_function(node: "Node") -> bool:
    return node.is_named and node.type.startswith(
        ("function", "method_d", "arrow_function", "lambda", "func_literal")
    )


def _is_main(node: "Node") -> bool:
    return node.type == "if_statement" and bool(
        re.match(r"if\s*\(?(?:__name__|require\.main|import\.meta)", text(node))
    )


# Keyed answers


def keyed_answers(
    before: Mapping[str, bytes], after: Mapping[str, bytes], known: str, exam: Callable[[], Sequence[str]]
) -> Iterator[Finding]:
    """New branches, tables and lists whose literals stand together in the exam, and in nothing `known`."""
    places = {path: _new_cells(path, before.get(path, b""), data) for path, data in after.items()}
    if not any(places.values()):
        return
    texts = exam()
    for path, groups in places.items():
        for size, cells in groups:
            told = [cell for cell in cells if any(_stands_in(cell, text) for text in texts)]
            hits = [cell for cell in told if not _stands_in(cell, known, near=_ANYWHERE)]
            if _are_enough(hits, size):
                yield found("keyed-answer", path, hits[0].line, now="; ".join(cell.text for cell in hits[:3]))
                break


def _new_cells(path: str, before: bytes, after: bytes) -> list[tuple[int, list[Cell]]]:
    """The groups with something new: how many cells a group has, and the new ones of them."""
    groups = defaultdict[int, list[Cell]](list)
    for cell in _cells(path, after):
        groups[cell.group].append(cell)
    if not groups:
        return []
    had = {cell.literals for cell in _cells(path, before)}
    small = [group for group in groups.values() if len(group) <= _MOST_CELLS]
    return [(len(group), new) for group in small if (new := [c for c in group if c.literals not in had])]


def _are_enough(hits: Sequence[Cell], size: int) -> bool:
    """Two inputs at least, and most of what is written there; three where there are only digits."""
    if not any(_tells(each) for cell in hits for each in cell.literals):
        return 2 * len(hits) >= size and (len(hits) >= 3 or any(cell.keys >= 2 for cell in hits))
    return sum(cell.keys for cell in hits) >= 2 and 2 * len(hits) > size


def _cells(path: str, data: bytes) -> Iterator[Cell]:
    language = language_of(path, data)
    grammar = "javascript" if language in ("typescript", "tsx") else language
    if path.endswith((".json", ".csv", ".tsv")):
        yield from _rows(path, data)
    elif language == "shell":
        yield from _arms(data)
    elif grammar in tables()["keyed"]:
        query, root = _query(language), parse(language, data).root_node
        from tree_sitter import QueryCursor

        for _, captures in QueryCursor(query).matches(root):
            cell = _cell(captures)
            if cell is not None:
                yield cell


@lru_cache(maxsize=8)
def _query(language: str) -> "Query":
    from tree_sitter import Query

    grammar = "javascript" if language in ("typescript", "tsx") else language
    return Query(parse(language, b"").language, tables()["keyed"][grammar]["query"])


def _cell(captures: Mapping[str, list["Node"]]) -> Cell | None:
    if "all" in captures:
        return _list(captures["all"][0])
    node, asked = captures["cell"][0], (captures.get("key") or captures["test"])[0]
    if ("test" in captures and not _is_plain(asked)) or not all(map(_is_short, captures["answer"])):
        return None
    keys = _literals(asked)
    answers = tuple(each for answer in captures["answer"] for each in _literals(answer))
    group = _group(node) if keys and answers and len(keys + answers) <= _MOST_LITERALS else None
    if group is None:
        return None
    return Cell(line(node), group, keys + answers, len(keys), " ".join(text(node).split())[:80])


def _list(node: "Node") -> Cell | None:
    """A list of nothing but literals, unless they are plain words or digits, of which any may be true."""
    literals = _literals(node)
    plain = all(each.isidentifier() for each in literals) or max(map(_tells, literals), default=0) < 2
    inner = node.parent is not None and node.parent.type in _CONTAINERS
    known = frozenset[str]().union(*_types(), ("unary_operator",))
    if plain or inner or not 1 < len(literals) <= _MOST_LISTED:
        return None
    if not all(each.type in known for each in node.named_children):
        return None
    return Cell(line(node), node.id, literals, len(literals), text(node), listed=True)


def _group(node: "Node") -> int | None:
    """The table around an entry; else the function around a branch, 0 for the module. None: an example."""
    here, group = node.parent, 0
    if here is not None and here.type in _CONTAINERS:
        group = here.id
    while here is not None:
        if _is_main(here):
            return None
        group = group or (here.id if _is_function(here) else 0)
        here = here.parent
    return group


def _is_short(answer: "Node") -> bool:
    """One statement or value."""
    return answer.named_child_count <= 1 or not answer.type.endswith(("block", "statement_list"))


def _is_plain(condition: "Node") -> bool:
    """Whether something is compared with literals as it is: nothing is called or calculated."""
    written = re.sub(r"\"[^\"]*\"|'[^']*'", "''", text(condition))
    return bool(_COMPARES.search(written)) and not _CALL.search(written) and not _CALCULATES.search(written)


@lru_cache(maxsize=1)
def _types() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    table = tables()["literals"]
    strings, numbers, names = (frozenset(table[name].split()) for name in ("strings", "numbers", "names"))
    return strings, numbers, names


def _literals(node: "Node") -> tuple[str, ...]:
    """Strings without their quotes and by lines, numbers as they are written; a key may be a bare name."""
    strings, numbers, names = _types()
    kept, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if here.type in strings:
            kept += _QUOTES.sub("", text(here)).split("\\n")
        elif here.type in numbers or (here.type in names and here is node):
            kept.append(text(here))
        else:
            waiting.extend(reversed(here.children))
    return tuple(each for each in kept if each)


def _rows(path: str, data: bytes) -> Iterator[Cell]:
    """Lines of a table of data."""
    for number, row in enumerate(data.decode(errors="replace").splitlines(), 1):
        if path.endswith(".json"):
            pairs = re.findall(r"\"([^\"]+)\"\s*:\s*(?:\"([^\"]+)\"|(\d[\d.]*))", row)
            for key, string, digits in pairs:
                yield Cell(number, 0, (key, string or digits), 1, f"{key}: {string or digits}")
        elif words := tuple(word.strip(" \"'") for word in re.split(r"[,;\t]", row)):
            yield Cell(number, 0, tuple(filter(None, words)), 1, row)


def _arms(data: bytes) -> Iterator[Cell]:
    """Arms of a shell's `case` that only print."""
    arm = re.compile(r"^\s*\(?([^()|*]+)\)\s*(?:echo|printf(?:\s+'%s(?:\\n)?')?)\s+([^;$]+?)\s*;;")
    for number, row in enumerate(data.decode(errors="replace").splitlines(), 1):
        if match := arm.match(row):
            words = tuple(word.strip("\"' ") for word in match.groups())
            yield Cell(number, 0, words, 1, row.strip())


def _exam_texts(now: Tree, role: Callable[[str], Role]) -> list[str]:
    paths = [path for path in now.paths() if role(path) in ("test", "support")]
    texts, size = [], 0
    for data in now.read(paths).values():
        size += len(data)
        if size <= _MOST_EXAM and b"\0" not in data:
            texts.append(data.decode(errors="replace"))
    return texts


def _stands_in(cell: Cell, text: str, near: int = _NEAR) -> bool:
    """Whether all its literals stand near each other; where there are only digits, on one line."""
    literals = tuple(dict.fromkeys(cell.literals))
    if len(literals) < 2 or not all(each in text for each in literals):
        return False
    near = near if max(map(_tells, literals)) > 1 else 0
    near += _SPREAD if cell.listed else 0
    lines, rows = text.splitlines(), []
    for literal in literals:
        pattern = _pattern(literal)
        mine = [row for row, each in enumerate(lines) if literal in each and pattern.search(each)]
        if not mine:
            return False
        rows.append(mine)
    rarest = min(rows, key=len)
    return any(all(any(abs(row - at) <= near for row in mine) for mine in rows) for at in rarest)


def _tells(literal: str) -> int:
    """How much a literal says: 0 for one sign or digit, 1 for a number of two digits, 2 for the rest."""
    if re.fullmatch(r"[-+]?\d+", literal):
        return min(2, len(literal.strip("+-")) - 1)
    return 2 if len(literal) > 1 else 0


@lru_cache(maxsize=4_000)
def _pattern(literal: str) -> re.Pattern[str]:
    """The literal by itself: a word not within another, signs within their quotes."""
    before = r"(?<![\w.])" if re.match(r"\w", literal) else r"(?:(?<=[\"'`])|(?<=\s))"
    after = r"(?!\w|\.\d)" if re.search(r"\w$", literal) else r"(?=[\"'`\s]|$)"
    return re.compile(before + re.escape(literal) + after)
