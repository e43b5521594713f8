"""Files that belong to the exam though their names don't say so: by what they hold, or because it runs them.

`python3 checks.py` is an exam, and so is what a runner of the project's own loads. A product that a command
starts is not: only what asserts, or speaks of tests, counts.
"""

import re
from collections.abc import Collection

from donewhen.core.integrity.model import Role
from donewhen.core.integrity.roles import role_of

_MOST = 256 * 1024  # bytes that are looked at
_HOLDS_TESTS = {
    "py": re.compile(
        rb"^class \w{1,200}\([^)\n]{0,200}\bTestCase\)"
        rb"(?=[^\0]{0,200000}?^\s{1,20}(?:async )?def (?:test|runTest))",  # a base class alone asks nothing
        re.MULTILINE,
    ),
    "js": re.compile(rb"""["']node:test["']|^(?:describe|it|test)\(["'`]""", re.MULTILINE),
}
_ASSERTS = {
    "py": re.compile(rb"^\s{0,40}assert\b|\bunittest\.main\(|\bdoctest\.testmod\(", re.MULTILINE),
    "js": re.compile(rb"""(?:require\(|from )["'](?:node:)?assert(?:/strict)?["']|\bconsole\.assert\("""),
}
_RUNS_TESTS = re.compile(
    rb"""\bunittest\b|\bdoctest\b|\bpytest\b|["'`/](?:tests?|specs?|checks?)\b|[._-](?:test|spec)\.[cm]?[jt]s|\btest_|\bcheck_"""
)
_FOLDER = re.compile(r"(?:^|/)(?:checks?|selftests?|self_tests?|verification|acceptance|examples?_test)/")
_SHELL = (".sh", ".bash")
_CHECKS = re.compile(
    rb"^\s{0,20}(?:function )?(?:expect|assert|check|fail|ok|is|same)\w{0,40} ?(?:\(\)|\{)", re.MULTILINE
)
_TEST_NAME = re.compile(r"(?:^|[/._-])(?:tests?|checks?|specs?|asserts?|expect)(?:lib|ing|_\w+)?[^/]{0,40}$")
_ENDINGS = {"py": "py", "js": "js", "mjs": "js", "cjs": "js", "ts": "js", "mts": "js", "cts": "js"}


def role_in(path: str, before: bytes | None, after: bytes | None, named: Collection[str] = ()) -> Role:
    """The role of a changed file; `named` are those that the acceptance commands run.

    What it was at the base counts first: a test that no longer looks like one is still the exam's.
    """
    role = role_of(path)
    kind = _ENDINGS.get(path.rpartition(".")[2].lower(), "")
    if role == "source" and path in named and path.endswith(_SHELL):
        checks = _CHECKS.search((before or after or b"")[:_MOST]) or _TEST_NAME.search(path)
        return "config" if checks else role
    data = (before if before is not None else after or b"")[:_MOST]
    if role != "source" or not kind or not data:
        return role
    near = path in named or bool(_FOLDER.search(path))
    if _HOLDS_TESTS[kind].search(data) or (near and _ASSERTS[kind].search(data)):
        return "test"
    return "config" if path in named and _RUNS_TESTS.search(data) else role
