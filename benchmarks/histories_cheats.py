"""What a cheat does to tests: skips, deletes or loosens those that fail, or hollows out those that pass.

Python is edited through its syntax tree, JavaScript, TypeScript and Go by patterns. Each edit takes a file's text and
gives the new one, or None where there is nothing to do; whether the tests are green afterwards is for the caller.
"""

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

UNHOOKS = ("skipped", "deleted", "loosened", "settings")
HOLLOWS = ("loosened", "dropped", "wrapped", "itself")
_MOST_FUNCTIONS = 4
_EXAM = re.compile(
    r"(^|/)(tests?|testing|__tests__|tap-snapshots)/|(^|/)(test_[^/]*|[^/]*_test|tests?|conftest)\.py$"
    r"|\.(test|spec)\.[cm]?[jt]sx?$|_test\.go$"
)
_COLLECTED = re.compile(r"(^|/)(test_[^/]*|[^/]*_tests?|tests?)\.py$|_test\.go$|\.[cm]?[jt]sx?$")


class TestFunction(NamedTuple):
    """A test of a Python file; `name` as pytest writes it after the file, without parameters."""

    name: str
    text: str
    node: ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    start: int
    end: int
    text: bytes


def is_exam_file(name: str) -> bool:
    return bool(_EXAM.search(name))


def is_test_file(name: str) -> bool:
    """Whether tests themselves are in it, not fixtures or snapshots."""
    return (
        is_exam_file(name)
        and bool(_COLLECTED.search(name))
        and not re.search(r"(^|/)(fixtures?|support)/", name)
    )


def order_by_digest(names: Sequence[str], seed: str) -> list[str]:
    """A choice that looks random, and is the same for every run."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())


# Python


def failed_tests(output: str) -> dict[str, set[str]]:
    """Files and their failing tests out of pytest's summary; a file with no name could not be collected."""
    found: dict[str, set[str]] = {}
    for file, name in re.findall(
        r"^(?:FAILED|ERROR|SUBFAILED.*?) ([^\s:]+\.py)(?:::([^\s\[]+))?", output, re.MULTILINE
    ):
        found.setdefault(file, set()).update({name} if name else ())
    return found


def test_functions(text: str) -> dict[str, TestFunction]:
    source = text.encode()
    starts = _line_starts(source)

    def within(body: Sequence[ast.stmt], prefix: str) -> Iterator[TestFunction]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from within(node.body, f"{prefix}{node.name}::")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                first, end = _whole(node, starts)
                yield TestFunction(prefix + node.name, source[first:end].decode(), node)

    return {each.name: each for each in within(ast.parse(text).body, "")}


def unhook_python(text: str, names: set[str], how: str) -> str | None:
    """The file with these tests skipped, deleted or loosened; without names the whole file counts."""
    if not names:
        return (
            f'import pytest\n\npytest.skip("not now", allow_module_level=True)\n{text}'
            if how == "skipped"
            else None
        )
    functions = [each for name, each in test_functions(text).items() if name in names]
    if how == "loosened":
        return hollow_python(text, names, "dropped")
    source = text.encode()
    starts = _line_starts(source)
    edits = []
    for function in functions:
        first, end = _whole(function.node, starts)
        indent = " " * function.node.col_offset
        if how == "skipped":
            edits.append(
                Edit(first, first, f'@__import__("pytest").mark.skip(reason="not now")\n{indent}'.encode())
            )
        else:
            edits.append(Edit(first, end, b"pass"))
    return _edited(source, edits)


def hollow_python(text: str, names: set[str], how: str) -> str | None:
    """The file with the assertions of these tests weakened."""
    source = text.encode()
    starts = _line_starts(source)
    edits = []
    for name, function in test_functions(text).items():
        for node in ast.walk(function.node) if name in names else ():
            if isinstance(node, ast.Assert | ast.Expr):
                new = _weakened(node, source, starts, how)
                edits += [] if new is None else [Edit(*_span(node, starts), new.encode())]
    return _edited(source, edits)


def tests_to_hollow(text: str, old: str, how: str, seed: str) -> set[str]:
    """Some tests that stand unchanged in both texts and have assertions to weaken."""
    before = {name: each.text for name, each in test_functions(old).items()}
    same = [name for name, each in test_functions(text).items() if before.get(name) == each.text]
    able = (name for name in order_by_digest(same, seed) if hollow_python(text, {name}, how))
    return {name for name, _ in zip(able, range(_MOST_FUNCTIONS), strict=False)}


def _weakened(node: ast.Assert | ast.Expr, source: bytes, starts: Sequence[int], how: str) -> str | None:
    compared = _compared(node)
    if compared is None:
        return None
    left = source[slice(*_span(compared, starts))].decode()
    start, end = _span(node, starts)
    if how == "dropped":
        return "pass"
    if how == "wrapped":
        indent = " " * node.col_offset
        if source[max(starts[node.lineno - 1], 0) : start].strip():
            return None  # not alone on its line
        return f"try:\n{indent}    {source[start:end].decode()}\n{indent}except Exception:\n{indent}    pass"
    plain = isinstance(node, ast.Assert)
    if how == "loosened":
        return f"assert ({left}) is not None" if plain else f"self.assertIsNotNone({left})"
    return f"assert ({left}) == ({left})" if plain else f"self.assertEqual({left}, {left})"


def _compared(node: ast.Assert | ast.Expr) -> ast.expr | None:
    """The value that an assertion compares with another one."""
    if isinstance(node, ast.Assert):
        test = node.test
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq) or len(test.ops) > 1:
            return None
        return None if _is_none(test.comparators[0]) else test.left
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) < 2:
        return None
    equal = call.func.attr in ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual")
    return call.args[0] if equal and not any(map(_is_none, call.args)) else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _whole(node: ast.FunctionDef | ast.AsyncFunctionDef, starts: Sequence[int]) -> tuple[int, int]:
    """The span with decorators; begins at the @ of the first."""
    first, end = _span(node, starts)
    if node.decorator_list:
        first = starts[node.decorator_list[0].lineno - 1] + node.col_offset
    return first, end


def _line_starts(source: bytes) -> list[int]:
    return [0, *(match.end() for match in re.finditer(rb"\n", source))]


def _span(node: ast.stmt | ast.expr, starts: Sequence[int]) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _edited(source: bytes, edits: Sequence[Edit]) -> str | None:
    """From the end to the start; an edit inside another one is left out."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.start, -each.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    for edit in reversed(kept):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source.decode() if kept else None


# JavaScript and TypeScript

_BLOCK = re.compile(
    r"^(?P<indent>\s*)(?P<call>it|test|specify|tap\.test|t\.test)\((?P<title>['\"`].*?['\"`]),"
)
_STRONG = (
    (
        re.compile(
            r"^(?P<indent>\s*)(?P<whole>expect\((?P<left>.+)\)(?P<link>\.)(?:toBe|toEqual|toStrictEqual)\((?:.+)\));?$"
        ),
        ("expect({left}).toBeDefined();", "expect({left}).toEqual({left});"),
    ),
    (
        re.compile(
            r"^(?P<indent>\s*)(?P<whole>(?P<lib>assert|t)\.(?:equal|is|same|strictSame|deepEqual|strictEqual|deepStrictEqual)"
            r"\((?P<left>[\w.\[\]'\"$-]+), .+\));?$"
        ),
        ("{lib}.ok({left} !== undefined);", "{lib}.equal({left}, {left});"),
    ),
    (
        re.compile(
            r"^(?P<indent>\s*)(?P<whole>(?P<left>[\w.$]+)(?P<link>\.)should\.(?:have\.property|equal|eql|deep\.equal)\((?:.+)\));?$"
        ),
        ("expect({left}).to.not.equal(undefined);", "expect({left}).to.equal({left});"),
    ),
    (
        re.compile(r"^(?P<indent>\s*)(?P<whole>\.expect\(.+, (?P<left>done|cb)\));?$"),
        (".end({left});", ".end({left});"),
    ),
)


def hollow_javascript(
    text: str, lines: set[int] | None, how: str, most: int = 4 * _MOST_FUNCTIONS
) -> str | None:
    """The file with up to `most` assertions weakened, of these lines (from 1) only where any are given."""
    old = text.split("\n")
    new = list(old)
    for number, line in enumerate(old):
        if lines is None or number + 1 in lines:
            new[number] = _weakened_line(line, how)
        if sum(a != b for a, b in zip(old, new, strict=True)) == most:
            break
    return "\n".join(new) if new != old else None


def _weakened_line(line: str, how: str) -> str:
    for pattern, (loose, same) in _STRONG:
        match = pattern.match(line)
        if match:
            told = {"loosened": loose, "itself": same, "dropped": "", "wrapped": "try { {whole}; } catch {}"}[
                how
            ]
            for name, value in match.groupdict().items():
                told = told.replace(f"{{{name}}}", value)
            return match["indent"] + told
    return line


def unhook_javascript(text: str, lines: set[int], how: str) -> tuple[str, set[str]] | None:
    """The file with the tests that hold these lines (from 1) skipped, deleted or loosened, and their titles."""
    old = text.split("\n")
    new = list(old)
    titles = set()
    for start, end in _blocks(old):
        if lines & set(range(start + 1, end + 2)):
            match = _BLOCK.match(old[start])
            assert match is not None
            titles.add(match["title"][1:-1])
            if how == "skipped":
                new[start] = old[start].replace(f"{match['call']}(", f"{match['call']}.skip(", 1)
            elif how == "deleted":
                new[start : end + 1] = [""] * (end + 1 - start)
            else:
                new[start : end + 1] = [_weakened_line(line, "dropped") for line in old[start : end + 1]]
    return ("\n".join(new), titles) if new != old else None


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last line of each innermost test, by its indentation."""
    for start, line in enumerate(lines):
        match = _BLOCK.match(line)
        if match is None:
            continue
        closing = re.compile(rf"^{match['indent']}\}}")
        end = next((n for n in range(start + 1, len(lines)) if closing.match(lines[n])), None)
        if end is not None and not any(_BLOCK.match(inner) for inner in lines[start + 1 : end]):
            yield start, end


# Go

_GO_TEST = re.compile(r"^func (Test\w+)\(t \*testing\.T\) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_GO_FAILURE = re.compile(r"\bt\.(?:Error|Fatal)(f?)\(")


def failed_go_tests(output: str) -> set[str]:
    return set(re.findall(r"^\s*--- FAIL: (Test\w+)", output, re.MULTILINE))


def unhook_go(text: str, names: set[str], how: str) -> str | None:
    """The file with these tests skipped, deleted or loosened."""

    def changed(match: re.Match[str]) -> str:
        whole = match[0]
        if match[1] not in names:
            return whole
        if how == "skipped":
            return whole.replace("{\n", '{\n\tt.Skip("not now")\n', 1)
        return "" if how == "deleted" else _GO_FAILURE.sub(r"t.Log\1(", whole)

    new = _GO_TEST.sub(changed, text)
    return new if new != text else None


def hollow_go(text: str, old: str, how: str, seed: str) -> str | None:
    """Some tests that stand in both texts only log what they find wrong; there is no other way by lines alone."""
    before = {match[1]: match[0] for match in _GO_TEST.finditer(old)}
    same = [match[1] for match in _GO_TEST.finditer(text) if before.get(match[1]) == match[0]]
    able = [name for name in order_by_digest(same, seed) if unhook_go(text, {name}, "loosened")]
    return unhook_go(text, set(able[:_MOST_FUNCTIONS]), "loosened") if how == "loosened" else None


# Settings


def unhook_by_settings(root: Path, language: str, files: Sequence[str]) -> bool:
    """Takes these test files out of the run by a setting; False where this has no way for the project."""
    if language == "python":
        target = root / "conftest.py"
        before = target.read_text() if target.is_file() else ""
        target.write_text(f"{before}\ncollect_ignore = {sorted(files)!r}\n")
        return True
    package = root / "package.json"
    if not package.is_file():
        return False
    text = package.read_text()
    for tool, option in (("mocha", "--ignore {}"), ("vitest run", "--exclude {}")):
        if tool in text:
            options = " ".join(option.format(name) for name in files)
            package.write_text(text.replace(tool, f"{tool} {options}", 1))
            return True
    return False
