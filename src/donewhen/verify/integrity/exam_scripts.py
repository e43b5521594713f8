"""Scripts that judge without `assert`: those that a command of the exam runs and that fail by their own will.

By name, or by what they held at the base. A product that a command starts is none: it is run with operands,
or the goal is about it. What an edit of such a script gained is told by sitting the base's version.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

_MOST = 256 * 1024  # characters
_INTERPRETERS = re.compile(r"(?:ba|da|z|k)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|tsx|ts-node|lua")
_GIVEN = re.compile(r"-[a-z]{0,5}[cmep]|--(?:eval|print|test)|-")  # the code is no file of its own
_SHELL_GIVEN = re.compile(r"-[a-z]{0,5}[cs]|-")
_NAME = re.compile(
    r"(?:^|[/._-])(?:smokes?|checks?|verify|verifier|validate|self[_-]?tests?|tests?|accept(?:ance)?|exam|asserts?|"
    r"e2e|ci|probe|judge|suites?)(?=[._-]|\d|$)",
    re.IGNORECASE,
)
_WILL = re.compile(
    r"\bsys\.exit\((?!\s*(?:0|None)?\s*\))|\braise SystemExit(?!\(\s*0?\s*\))|\bos\._exit\((?!\s*0)"
    r"|\bprocess\.exit\((?!\s*0?\s*\))|\bprocess\.exitCode\b|\bthrow new Error|\bDeno\.exit\((?!\s*0?\s*\))"
    r"|(?:^|[;&|{(\s])(?:exit|return) (?:[1-9]|\"?\$)|\braise (?:AssertionError|RuntimeError|Exception)\b"
    r"|\bdie\b|(?:^|[;{\s])set -\w{0,4}e",
    re.MULTILINE,
)
_JUDGING = re.compile(
    r"\bexit|\braise\b|\bthrow\b|\bfail|\bbad\b|\berr|==|!=|\bdiff\b|\bcmp\b|\bgrep\b|\btest\b|\[ "
)
_COMPARES = re.compile(
    r"!=|==|\bnot in\b| -(?:ne|eq) |\bdiff\b|\bcmp\b|\bgrep\b|\b(?:FAIL|PASS)(?:ED|URES?)?\b|\bnot ok\b"
)
_INPUT = re.compile(
    r"\bargv\b|\bargparse\b|\bstdin\b|\binput\(|\$[1@*]|\bclick\b|__name__"
)  # what a program takes
_WORKS = (
    r"(?:should|must|shall|needs? to|has to|can|may|will|does|doesn't|prints?|gives?|reads?|writes?|accepts?|"
    r"rejects?|crash\w{0,3}|returns?|ignores?|takes?|uses?|counts?|sorts?|is (?:too|wrong|broken|slow)|"
    r"mishandles?|loses?|forgets?|drops?|shows?|reports?|handles?)\b"
    r"(?! (?:all )?(?:pass|be green|succeed|stay|remain|exit 0|end with 0|go green|work|run\b))"
)
_EDITS = (
    r"(?:fix|change|rewrite|update|extend|edit|adapt|adjust|move|rename|port|clean up|refactor|repair|mend|"
    r"correct|simplify|speed up|implement|finish|complete|improve|replace|split|convert|make)"
)


_WORD = re.compile(r"[\w.-]{1,120}")
_ASKS = re.compile(r"^[ \t]{0,20}(?:! )?(?:test|\[\[?|diff|cmp|grep) ", re.MULTILINE)


class Started(NamedTuple):
    """One file that a command runs."""

    path: str
    operands: bool  # something is given to it
    nested: bool  # from within another script


def started(words: Sequence[str], folder: str, nested: bool) -> Started | None:
    """The file of the project that these words run, as far as they say; it need not be there."""
    if not words:
        return None
    program, rest = words[0], list(words[1:])
    if _INTERPRETERS.fullmatch(program.rpartition("/")[2]):
        given = _SHELL_GIVEN if program.endswith("sh") else _GIVEN
        while rest and rest[0].startswith("-"):
            if given.fullmatch(rest[0]):
                return None
            rest.pop(0)
        if not rest:
            return None
        program = rest.pop(0)
    elif "/" not in program:
        return None
    path = program.removeprefix("./")
    if path.startswith(("/", "~", "../")):
        return None
    return Started(f"{folder}/{path}".lstrip("/") if folder else path, bool(rest), nested)


def named_so(path: str) -> bool:
    """Whether the file's own name says that it judges."""
    return bool(_NAME.search(path.rpartition("/")[2].rpartition(".")[0] or path.rpartition("/")[2]))


def judges(text: str) -> bool:
    """Whether it can end with a failure because it decides to."""
    return bool(_WILL.search(text[:_MOST]))


def asks(path: str, text: str) -> bool:
    """Whether a case for a shell ends with the status of a question: `test "$(…)" = 3`."""
    return path.endswith((".sh", ".bash")) and _ASKS.search(text[:_MOST]) is not None


def is_exam_script(run: Started, before: str, after: str, goal: str, others: Collection[str]) -> bool:
    """Whether the script at the base was the exam's, so that its base version has to be satisfied.

    `others`: product code of the base beside it. A script that looks at none of it is the product itself.
    """
    if is_subject(run.path, goal) or not looks_at(before, run.path, others):
        return False
    if named_so(run.path):
        return not run.operands
    if run.nested or run.operands or not judges(before):
        return False
    return drops_judging(before, after) or (bool(_COMPARES.search(before)) and not _INPUT.search(before))


def looks_at(text: str, path: str, others: Collection[str]) -> bool:
    """Whether the script names other code: as a file, or as a module."""
    words = set(_WORD.findall(text[:_MOST]))
    for other in others:
        name = other.rpartition("/")[2]
        stem = name.rpartition(".")[0]
        if other != path and (name in words or other in words or (len(stem) > 1 and stem in words)):
            return True
    return False


def drops_judging(before: str, after: str) -> bool:
    """Whether a line that decides at the base is gone."""
    left = _lines(after)
    return any(line not in left and _JUDGING.search(line) for line in _lines(before))


def _lines(text: str) -> Collection[str]:
    return {" ".join(line.split()) for line in text[:_MOST].split("\n")}


def is_subject(path: str, goal: str) -> bool:
    """Whether the goal is about this very file: its subject, or what it orders to edit."""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0]
    forms = {re.escape(each) for each in (path, name, stem if len(stem) > 2 else "") if each}
    either = (
        rf"[`\"'“「]?(?:\./)?(?:{'|'.join(sorted(forms, key=len, reverse=True))})(?![\w/-]|\.\w)[`\"'”」]?"
    )
    part = r"(?:'s \w{1,30}| \w{1,30}\(\))?(?: (?:also|now|currently|still|only|itself))?"
    subject = rf"(?<![\w/.-]){either}{part} {_WORKS}"
    heading = rf"(?:^|[.;!\n] ?){either}\s?[:：](?!\s*(?:OK|ok|green)\b)"
    order = rf"\b{_EDITS}\b[^.;\n]{{0,40}}?(?<![\w/.-]){either}(?! (?:pass|green|succeed|happy))"
    chinese = rf"(?:修改|修复|改写|重写|更新|调整|扩展|完善|把|将|让|给)\s?{either}"
    chinese += rf"|{either}\s?(?:应该?|要|需要?|必须|会|不|没)(?!通过)"
    text = goal[:20_000]
    return any(re.search(each, text, re.IGNORECASE) for each in (subject, heading, order, chinese))
