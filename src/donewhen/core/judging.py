"""How each kind of check is judged: from evidence that is fresh, and from the tree as it is now."""

import re
from collections.abc import Callable, Mapping

from donewhen.core.checks import Check, scenarios_of
from donewhen.core.completion import has_visible_text
from donewhen.core.exam import Exam, Result
from donewhen.core.paths import relative
from donewhen.core.patterns import endless_repeats
from donewhen.core.shown import one_name
from donewhen.core.tally import Standing
from donewhen.core.target import check_target
from donewhen.core.texts import Phrase

_MOST_TEXT = 1 << 20  # characters of a file that a pattern is tried on
_MOST_LINES = 5000
_LONGEST_LINE = 1000
_SHORT = 8192

_Verdict = tuple[bool, Phrase, str]
_PASSED = Phrase("gate.passed")


def judge(check: Check, exam: Exam) -> Result:
    passed, reason, evidence = _KINDS[check.kind](check, exam)
    return Result(check.name, check.kind, check.target, passed, reason, evidence, check.required)


def _output(check: Check, exam: Exam) -> _Verdict:
    if has_visible_text(exam.answer):
        return True, _PASSED, ""
    return False, Phrase("gate.no_answer"), ""


def _change(check: Check, exam: Exam) -> _Verdict:
    if exam.view.changed:
        return True, _PASSED, f"file:{next(iter(exam.view.changed))}"
    return False, Phrase("gate.nothing_changed"), ""


def _command(check: Check, exam: Exam) -> _Verdict:
    standing = exam.evidence.standing(check_target(check, exam.parse), exam.view.relevant, exam.trust)
    return _stands(standing, f"command:{check.target}")


def _exists(check: Check, exam: Exam) -> _Verdict:
    path = relative(check.target) or ""
    text = exam.view.files.text(path)
    enough = text is not None and (bool(text.strip()) or check.params.get("nonempty") != "true")
    if enough or (text is None and exam.view.files.holds(path)):
        return True, _PASSED, f"file:{path}"
    return False, Phrase("gate.no_file" if text is None else "gate.empty_file", {"path": path}), ""


def _content(check: Check, exam: Exam) -> _Verdict:
    path = relative(check.target) or ""
    text = exam.view.files.text(path)
    if text is None:
        return False, Phrase("gate.no_file", {"path": path}), ""
    wanted = check.params.get("contains")
    if wanted in text if wanted is not None else matches(check.params["regex"], text):
        return True, _PASSED, f"content:{path}"
    named = wanted if wanted is not None else f"/{check.params['regex']}/"
    return False, Phrase("gate.no_content", {"path": path, "text": one_name(named)}), ""


def matches(pattern: str, text: str) -> bool:
    """Whether it is found; what could take long is tried line by line, and as a whole on a short text."""
    found = re.compile(pattern, re.MULTILINE)
    if not endless_repeats(pattern):
        return found.search(text[:_MOST_TEXT]) is not None
    if any(found.search(line[:_LONGEST_LINE]) for line in text[:_MOST_TEXT].splitlines()[:_MOST_LINES]):
        return True
    return found.search(text[: _SHORT if endless_repeats(pattern) == 1 else _LONGEST_LINE]) is not None


def _verifier(check: Check, exam: Exam) -> _Verdict:
    """`tool_fact` names the verifier in `params.tool`, `quality_gate` in its target."""
    name = check.verifier
    scope = check.params.get("scope")
    standing = exam.evidence.verdicts.standing(name, scope, exam.view.relevant)
    return _stands(standing, f"verification:{name}/{scope or ''}")


def _scenario(check: Check, exam: Exam) -> _Verdict:
    names = scenarios_of(check)
    verdicts, tree = exam.evidence.verdicts, exam.view.relevant
    missing = [name for name in names if not verdicts.standing("scenario", name, tree).passed]
    if not missing:
        return True, _PASSED, f"verification:scenario/{names[0]}"
    said = [verdicts.reason("scenario", name, tree) for name in missing]
    unsaid = ", ".join(name for name, why in zip(missing, said, strict=True) if not why)
    if unsaid:
        return False, Phrase("gate.scenarios_open", {"names": unsaid}), ""
    return False, Phrase("gate.scenarios_refused", {"reasons": "; ".join(said)}), ""


def _stands(standing: Standing, evidence: str) -> _Verdict:
    return standing.passed, standing.reason, evidence if standing.passed else ""


_KINDS: Mapping[str, Callable[[Check, Exam], _Verdict]] = {
    "output_only": _output,
    "workspace_change": _change,
    "command_success": _command,
    "file_exists": _exists,
    "content_contains": _content,
    "tool_fact": _verifier,
    "quality_gate": _verifier,
    "scenario": _scenario,
}
