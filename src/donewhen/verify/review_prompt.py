"""What a reviewer is given to read: promise, spec, diff, never what the author says about them; pure.

Everything that comes out of a repository stands between boundaries that it can't forge, because they are made
of a digest of itself, and is declared to be data. Bounded: a long diff is cut where it is longest, so that
whoever pads one file hides no other; what was left out is said and returned.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from donewhen.core.findings import Feedback
from donewhen.core.gitnames import unquoted
from donewhen.core.texts import LANGUAGES, Language, say
from donewhen.verify.review_model import LEAST_QUOTED, STAGES, Criterion, Open, Since, Stage

LONGEST_DIFF = 160_000  # characters
LONGEST_LINE = 2_000
_LEAST = 300  # characters of a file: less would say nothing
_CUT = "[…]"
_LONGEST_OBJECTIVE = 8_000
_LONGEST_CRITERIA = 60_000
_LONGEST_REQUIREMENTS = 40_000
_MOST_FILES = 500
_MOST_RANGES = 200

_CRITERIA_SHAPE = (
    '  "criteria": [{"criterion": "ID", "verdict": "met | unmet | unclear", "reason": "TEXT",\n'
    '    "confidence": 0.0, "quotes": [{"file": "PATH", "line": 1, "text": "TEXT OF THAT LINE"}]}],'
)
_FINDINGS_SHAPE = (
    '  "findings": [{"severity": "low | medium | high", "file": "PATH", "line": 1, "message": "TEXT",\n'
    '    "suggestion": "TEXT", "confidence": 0.0, "rule": "short-name"}]'
)


class Brief(NamedTuple):
    """What a review is about. `diff` from the base, as git prints it; `files` are those that it touches."""

    objective: str
    criteria: tuple[Criterion, ...]
    diff: str
    files: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()  # of the spec, with their scenarios


class LeftOut(NamedTuple):
    file: str
    lines: int


class Prompt(NamedTuple):
    text: str
    left_out: tuple[LeftOut, ...] = ()


def prompt_for(
    stage: Stage,
    brief: Brief,
    language: Language = "en",
    open_findings: Sequence[Open] = (),
    since: Since | None = None,
    longest: int = LONGEST_DIFF,
) -> Prompt:
    """`open_findings`: of earlier rounds, those of this stage are asked about; `since`: the last round."""
    asked = asked_about(stage, brief.criteria, open_findings)
    cut = cut_diff(tuple(diff_files(brief.diff)), longest)
    own = [each for each in asked if each not in brief.criteria]
    blocks = {**_promise(brief, own, since), "diff": cut.text, "left_out": _left(cut.left_out)}
    whole = "\0".join(blocks.values()).encode("utf-8", "surrogatepass")
    boundary = f"DATA-{hashlib.sha256(whole).hexdigest()[:32]}"
    head = [say("semantic.prompt_role", language, boundary=boundary)]
    head.append(say(f"semantic.prompt_{stage}", language))
    if own:
        head.append(say("semantic.prompt_open", language))
    if since is not None:
        head.append(say("semantic.prompt_since", language))
    fenced = (
        f"{say(f'semantic.block_{name}', language)}\n<<<{boundary}\n{text}\n{boundary}>>>"
        for name, text in blocks.items()
        if text
    )
    return Prompt(_sayable("\n\n".join((*head, *fenced, _reply(stage, asked, language)))), cut.left_out)


def asked_about(
    stage: Stage, criteria: Sequence[Criterion], open_findings: Sequence[Open]
) -> tuple[Criterion, ...]:
    """What a reply of this stage must answer: the promise in the first, and what is open of its own."""
    own = tuple(each.as_criterion() for each in open_findings if each.remark.stage == stage)
    return (*criteria, *own) if stage == "spec" else own


def stage_of(prompt: str) -> Stage | None:
    """Which stage a prompt of ours is for, in any language; what stands in its data makes no difference."""
    head = prompt.partition("\n<<<")[0]
    for stage in STAGES:
        if any(say(f"semantic.prompt_{stage}", language) in head for language in LANGUAGES):
            return stage
    return None


def asks_about(prompt: str, name: str) -> bool:
    """Whether a prompt of ours lists a criterion or a finding with this id, on a line of its own."""
    return f'\n{{"id": {json.dumps(name, ensure_ascii=False)}, ' in prompt


def again(prompt: str, problems: str, language: Language) -> str:
    """The same question to a reviewer whose reply was no review."""
    return "\n\n".join((prompt, say("semantic.prompt_again", language, problems=_sayable(problems))))


def _promise(brief: Brief, own: Sequence[Criterion], since: Since | None) -> dict[str, str]:
    room = max(200, _LONGEST_CRITERIA // max(1, len(brief.criteria) + len(own)))
    names = [json.dumps(file, ensure_ascii=False) for file in brief.files]
    blocks = {
        "objective": _cut(brief.objective, _LONGEST_OBJECTIVE),
        "criteria": "\n".join(_criterion(each, room) for each in brief.criteria),
        "open": "\n".join(_criterion(each, room) for each in own),
        "requirements": _cut("\n\n".join(brief.requirements), _LONGEST_REQUIREMENTS),
        "files": _listed(names),
    }
    return blocks if since is None else {**blocks, "changed": "\n".join(_ranges(since)) or "-"}


def _criterion(each: Criterion, room: int) -> str:
    told = {"id": each.id, "text": _cut(each.text, room), "required": each.required}
    return json.dumps(told, ensure_ascii=False)


def _ranges(since: Since) -> list[str]:
    """`"a.py": 3-7`, first ones first, no more than are read."""
    found: list[str] = []
    for file in sorted(since.lines):
        numbers = sorted(since.lines[file])
        starts = [n for n in numbers if n - 1 not in since.lines[file]]
        ends = [n for n in numbers if n + 1 not in since.lines[file]]
        name = json.dumps(file, ensure_ascii=False)
        found += [f"{name}: {first}-{last}" for first, last in zip(starts, ends, strict=True)]
    return found[:_MOST_RANGES]


def _reply(stage: Stage, asked: Sequence[Criterion], language: Language) -> str:
    shape = "\n".join(("{", *((_CRITERIA_SHAPE,) if asked else ()), _FINDINGS_SHAPE, "}"))
    told = [say("semantic.prompt_reply", language, shape=shape)]
    if asked:
        told.append(say(f"semantic.prompt_answer_{stage}", language))
        told.append(say("semantic.prompt_verdicts", language, least=LEAST_QUOTED))
    return "\n\n".join((*told, say("semantic.prompt_findings", language)))


def _left(left_out: Sequence[LeftOut]) -> str:
    return _listed([f"{json.dumps(each.file, ensure_ascii=False)}: {each.lines}" for each in left_out])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_FILES
    return "\n".join((*names[:_MOST_FILES], *([f"+ {more}"] if more > 0 else ())))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + " […]"


def _sayable(text: str) -> str:
    """Bytes that are no text are shown as escapes: a prompt goes out as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# A diff of git, file by file. After the first `@@` every line of a file has a sign before it, so nothing in a
# file can pass for a header. Lenient: a line whose number can't be told has 0.

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,[0-9]{1,9})? \+([0-9]{1,9})(?:,[0-9]{1,9})? @@")
_STARTS = ("diff --git ", "diff --cc ", "diff --combined ")
_NAMES = ("rename to ", "copy to ")


class DiffFile(NamedTuple):
    """What a diff says about one file; `added`: (number in the new file, text)."""

    file: str
    lines: tuple[str, ...]
    added: tuple[tuple[int, str], ...] = ()


def diff_files(diff: str) -> Iterator[DiffFile]:
    """The files in their order; what stands before the first one belongs to none and is left out."""
    section: list[str] = []
    for line in (*diff.split("\n"), _STARTS[0]):
        if line.startswith(_STARTS):
            if section:
                yield _diff_file(section)
            section = [line]
        elif section:
            section.append(line)


def _diff_file(section: list[str]) -> DiffFile:
    if not section[-1]:
        section = section[:-1]
    body = next((at for at, line in enumerate(section) if line.startswith("@@")), len(section))
    return DiffFile(_name(section[:body]), tuple(section), tuple(_added(section[body:])))


def _added(lines: list[str]) -> Iterator[tuple[int, str]]:
    number = step = 0
    columns = 1
    for line in lines:
        if line.startswith("@@"):
            head = _HUNK.match(line)
            number, step = (int(head[1]), 1) if head else (0, 0)
            columns = 1 if head else max(1, len(line) - len(line.lstrip("@")) - 1)
        elif "+" in line[:columns]:
            yield number, line[columns:].removesuffix("\r")
            number += step
        elif not line.startswith(("-", "\\")):
            number += step


def _name(header: list[str]) -> str:
    """The file's path now; that of before where it is gone."""
    found = ""
    for line in header:
        if line.startswith(_NAMES):
            found = unquoted(line.partition(" to ")[2])
        elif line.startswith(("--- ", "+++ ")):
            path = unquoted(line[4:]) if line.startswith('"', 4) else line[4:].partition("\t")[0]
            found = path[2:] if path[:2] in ("a/", "b/") else (found if path == "/dev/null" else path)
    return found or _from_first(header[0])


def _from_first(line: str) -> str:
    """`diff --git a/x b/x`, where nothing else names the file: an empty or a binary one."""
    names = line[len("diff --git ") :] if line.startswith("diff --git ") else line.partition(" ")[2]
    path = unquoted(names[len(names) // 2 + 1 :])
    return path[2:] if path[:2] in ("a/", "b/") else path


class CutDiff(NamedTuple):
    text: str
    left_out: tuple[LeftOut, ...]


def cut_diff(files: Sequence[DiffFile], longest: int = LONGEST_DIFF) -> CutDiff:
    """The files in their order, at most about `longest` characters in all; nothing is summarised."""
    shown = [tuple(map(_short, file.lines)) for file in files]
    rooms = _shares([sum(len(line) + 1 for line in lines) for lines in shown], longest)
    texts: list[str] = []
    left: list[LeftOut] = []
    for file, lines, room in zip(files, shown, rooms, strict=True):
        kept = _fitting(lines, room)
        if kept:
            texts += [*lines[:kept], *([_CUT] if kept < len(lines) else [])]
        long = sum(len(line) > LONGEST_LINE for line in file.lines[:kept])
        if kept < len(lines) or long:
            left.append(LeftOut(file.file, len(lines) - kept + long))
    return CutDiff("\n".join(texts), tuple(left))


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + _CUT


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many lines there is room for."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Room for each: the small get what they need, the long share the rest evenly."""
    shares = [0] * len(sizes)
    for done, at in enumerate(sorted(range(len(sizes)), key=lambda at: sizes[at])):
        share = min(sizes[at], room // (len(sizes) - done))
        shares[at] = share if share == sizes[at] or share >= _LEAST else 0
        room -= shares[at]
    return shares


# Text in a change that speaks to whoever judges it. Words only, so it points and never fails a change.

_MOST_PLEAS = 20
_LONGEST_PLEA = 160
_WHO = r"(?:reviewers?|judges?|graders?|evaluators?|approvers?|llms?|ai|claude|chatgpt|copilot|gemini)"
_ANSWER = r"(?:approve|accept|merge|pass|mark|rate|answer|respond|give|return)"
_PLEAS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "verdict",
            rf"(?<![\w.\"'/-]){_WHO}\b[^\w\n(){{}}=\"']?[^\n(){{}}=\"']{{0,40}}?"
            rf"\b(?:please|kindly|you (?:must|should|need to))\b[^\n]{{0,20}}?\b{_ANSWER}\b",
        ),
        ("verdict", rf"^\W{{0,6}}(?:ai |code ){{0,2}}{_WHO} ?[:,] ?{_ANSWER} (?:this|it|all|every|the)\b"),
        ("verdict", r"\bmark (?:all|every|each)\b[^\n]{0,20}\bcriteri(?:a|on) as (?:met|passed|done)\b"),
        (
            "override",
            r"\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|of) ){0,3}"
            r"(?:(?:previous|prior|above|earlier|system) (?:instructions?|prompts?)|instructions above)\b",
        ),
        ("verdict", r"(?:审查|评审|审核)(?:者|员|人|专家|AI).{0,30}?(?:请|必须|直接).{0,8}?(?:通过|批准)"),
        ("override", r"(?:忽略|无视|忘记).{0,6}?(?:之前|以上|上面|先前|系统).{0,6}?(?:指令|指示|提示词)"),
        # tags (but in flags), overrides of the direction, long runs of what has no width
        (
            "hidden",
            "(?<!\U0001f3f4)(?<![\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+|[\u202d\u202e]"
            "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,}",
        ),
    )
)  # fmt: skip


def pleas(diff: str, language: Language = "en") -> tuple[Feedback, ...]:
    """A warning for each line or new file name of the change that speaks to its reviewer, or hides text."""
    found: list[Feedback] = []
    for file in diff_files(diff):
        for number, text in ((0, _new_name(file)), *file.added):
            kind, said = next(
                ((kind, hit[0]) for kind, pattern in _PLEAS if (hit := pattern.search(text))), ("", "")
            )
            if kind and len(found) < _MOST_PLEAS:
                found.append(_plea(kind, said, file.file, number, language))
    return tuple(found)


def _new_name(file: DiffFile) -> str:
    header = takewhile(lambda line: not line.startswith("@@"), file.lines)
    named = any(line.startswith(("new file mode ", *_NAMES)) for line in header)
    return re.sub(r"[_./-]+", " ", file.file) if named else ""


def _plea(kind: str, said: str, file: str, line: int, language: Language) -> Feedback:
    shown = " ".join(f"U+{ord(each):04X}" for each in said[:4]) if kind == "hidden" else said[:_LONGEST_PLEA]
    return Feedback(
        "warning",
        "semantic",
        say(f"semantic.addressed_{kind}", language, text=shown),
        file,
        line,
        fixable=True,
        fix_suggestion=say("semantic.addressed_fix", language),
        rule="hidden-text" if kind == "hidden" else "reviewer-addressed",
    )
