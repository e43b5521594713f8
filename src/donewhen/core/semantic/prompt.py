"""What a reviewer is given to read: promise, spec, diff; never what the author says about them.

Everything that comes out of a repository stands between boundaries that it can't forge, because they are made
of a digest of itself, and is declared to be data. Bounded; what was left out is said and returned.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.semantic.cutting import LONGEST_DIFF, LeftOut, cut_diff
from donewhen.core.semantic.diff import parts
from donewhen.core.semantic.model import STAGES, Criterion, Stage
from donewhen.core.semantic.quotes import LEAST
from donewhen.core.semantic.rounds import Open
from donewhen.core.semantic.since import Since
from donewhen.core.texts import LANGUAGES, Language, say

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


class Prompt(NamedTuple):
    text: str
    left_out: tuple[LeftOut, ...] = ()


class _Block(NamedTuple):
    name: str
    text: str


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
    cut = cut_diff(tuple(parts(brief.diff)), longest)
    own = [each for each in asked if each not in brief.criteria]
    blocks = [
        *_promise(brief, own, since),
        _Block("diff", cut.text),
        _Block("left_out", _left(cut.left_out)),
    ]
    boundary = _boundary([block.text for block in blocks])
    head = [
        say("semantic.prompt_role", language, boundary=boundary),
        say(f"semantic.prompt_{stage}", language),
    ]
    if own:
        head.append(say("semantic.prompt_open", language))
    if since is not None:
        head.append(say("semantic.prompt_since", language))
    fenced = [_fenced(block, boundary, language) for block in blocks if block.text]
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


def _promise(brief: Brief, own: Sequence[Criterion], since: Since | None) -> Iterator[_Block]:
    room = max(200, _LONGEST_CRITERIA // max(1, len(brief.criteria) + len(own)))
    yield _Block("objective", _cut(brief.objective, _LONGEST_OBJECTIVE))
    yield _Block("criteria", "\n".join(_criterion(each, room) for each in brief.criteria))
    yield _Block("open", "\n".join(_criterion(each, room) for each in own))
    yield _Block("requirements", _cut("\n\n".join(brief.requirements), _LONGEST_REQUIREMENTS))
    names = [json.dumps(file, ensure_ascii=False) for file in brief.files[:_MOST_FILES]]
    more = len(brief.files) - len(names)
    yield _Block("files", "\n".join((*names, *([f"+ {more}"] if more > 0 else ()))))
    if since is not None:
        yield _Block("changed", "\n".join(_ranges(since)) or "-")


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
        told.append(say("semantic.prompt_verdicts", language, least=LEAST))
    return "\n\n".join((*told, say("semantic.prompt_findings", language)))


def _boundary(texts: Sequence[str]) -> str:
    """A line that stands in none of the texts: to hold it, a text would have to hold its own digest."""
    whole = "\0".join(texts).encode("utf-8", "surrogatepass")
    return f"DATA-{hashlib.sha256(whole).hexdigest()[:32]}"


def _fenced(block: _Block, boundary: str, language: Language) -> str:
    title = say(f"semantic.block_{block.name}", language)
    return f"{title}\n<<<{boundary}\n{block.text}\n{boundary}>>>"


def _left(left_out: Sequence[LeftOut]) -> str:
    named = [f"{json.dumps(each.file, ensure_ascii=False)}: {each.lines}" for each in left_out[:_MOST_FILES]]
    more = len(left_out) - len(named)
    return "\n".join((*named, *([f"+ {more}"] if more > 0 else ())))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + " […]"


def _sayable(text: str) -> str:
    """Bytes that are no text are shown as escapes: a prompt goes out as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
