"""SARIF 2.1.0: the findings for code scanning and for editors.

One run with one driver. A result has a place in the tree, as a percent-encoded address relative to SRCROOT,
because code scanning refuses others. What has none (a gate that could not run, a path that would leave the
tree) is a notification of the invocation, never silence. What passed or is permitted is neither.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from donewhen.core.findings import Feedback
from donewhen.core.texts import say
from donewhen.ui.reports.model import Report
from donewhen.ui.reports.plain import block, line
from donewhen.ui.reports.told import details, findings, proof_name, proofs, summary

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 5000  # what code scanning takes of one run
LARGEST_NUMBER = 2**31 - 1
_LEVELS = {"fail": "error", "warning": "warning", "skipped": "note"}
_NUMBERS = re.compile(r"[0-9]+")


def sarif(report: Report) -> str:
    """The log file, with a line end."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _run(report: Report) -> dict[str, Any]:
    told = [each for each in findings(report) if each.status != "pass"]
    results = [each for each in told if _is_result(each)]
    rules = {rule: at for at, rule in enumerate(sorted({_rule(each) for each in told}))}
    run: dict[str, Any] = {
        "tool": {"driver": _driver(report, rules, told)},
        "invocations": [_invocation(report, told, rules)],
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the working tree"}}},
        "columnKind": "unicodeCodePoints",
        "results": list(_results(results[:MOST_RESULTS], rules)),
        "properties": _properties(report, len(results)),
    }
    if report.run:
        run["automationDetails"] = {"id": f"donewhen/{quote(line(report.run), safe='')}"}
    return run


def _is_result(each: Feedback) -> bool:
    return each.status in ("fail", "warning") and bool(uri(each.file))


def _driver(report: Report, rules: Mapping[str, int], told: Iterable[Feedback]) -> dict[str, Any]:
    categories: dict[str, str] = {}
    for each in told:
        categories.setdefault(_rule(each), each.category)
    return {
        "name": "donewhen",
        "version": line(report.version),
        "rules": [_described(rule, categories[rule], report) for rule in rules],
    }


def _described(rule: str, category: str, report: Report) -> dict[str, Any]:
    told = say(f"reports.rule_{category}", report.language)
    return {
        "id": rule,
        "shortDescription": {"text": f"{category}: {rule}"},
        "fullDescription": {"text": told},
        "help": {"text": say("reports.rule_help", report.language, told=told)},
        "properties": {"tags": [category]},
    }


def _invocation(report: Report, told: Iterable[Feedback], rules: Mapping[str, int]) -> dict[str, Any]:
    """Successful means that everything required was judged, whatever came of it."""
    notified = [each for each in told if not _is_result(each)]
    return {
        "executionSuccessful": report.verdict != "could_not"
        and not any(gate.blocks and gate.verdict == "could_not_run" for gate in report.gates),
        "exitCode": report.exit_code,
        "toolExecutionNotifications": [_notification(each, rules) for each in notified[:MOST_RESULTS]],
    }


def _notification(each: Feedback, rules: Mapping[str, int]) -> dict[str, Any]:
    rule = _rule(each)
    place = f"{line(each.place)}: " if each.file else ""
    parts = (place + _message(each), line(each.fix_suggestion))
    return {
        "level": _LEVELS[each.status],
        "message": {"text": "; ".join(part for part in parts if part)},
        "associatedRule": {"id": rule, "index": rules[rule]},
    }


def _results(shown: Iterable[Feedback], rules: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for each in shown:
        rule = _rule(each)
        same = fingerprint(each)
        seen[same] += 1
        yield {
            "ruleId": rule,
            "ruleIndex": rules[rule],
            "level": _LEVELS[each.status],
            "message": {"text": _message(each)},
            "locations": [{"physicalLocation": _place(each)}],
            "partialFingerprints": {"donewhenFinding/v1": f"{same}:{seen[same]}"},
            "properties": _extra(each),
        }


def _rule(each: Feedback) -> str:
    return line(each.rule, 200) or each.category


def _message(each: Feedback) -> str:
    """Foreign text makes no links."""
    text = line(each.message) or _rule(each)
    return text.replace("](", "] (")


def fingerprint(each: Feedback) -> str:
    """The same finding on another line has the same one: of numbers in the message only the place counts."""
    words = (each.category, _rule(each), each.file, _NUMBERS.sub("#", each.message))
    text = "\0".join(words).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


def uri(path: str) -> str:
    """Relative and percent-encoded; empty for what is no place inside of the tree."""
    parts = path.split("/")
    if not path or path.startswith("/") or ".." in parts or "\0" in path:
        return ""
    raw = "/".join(part for part in parts if part not in ("", "."))
    return quote(raw.encode("utf-8", "surrogateescape" if _is_bytes(raw) else "replace"), safe="/")


def _is_bytes(text: str) -> bool:
    return not any("\ud800" <= char <= "\udc7f" or "\udd00" <= char <= "\udfff" for char in text)


def _place(each: Feedback) -> dict[str, Any]:
    """A finding about a whole file is at its first line: code scanning wants one."""
    region = {"startLine": each.line if 0 < each.line <= LARGEST_NUMBER else 1}
    if each.line > 0 and 0 < each.column <= LARGEST_NUMBER:
        region["startColumn"] = each.column
    return {"artifactLocation": {"uri": uri(each.file), "uriBaseId": "SRCROOT"}, "region": region}


def _extra(each: Feedback) -> dict[str, Any]:
    texts = {"details": block(each.details), "fix": line(each.fix_suggestion)}
    return {
        "category": each.category,
        "confidence": min(1.0, max(0.0, each.confidence)),
        "fixable": each.fixable,
        **{name: text for name, text in texts.items() if text},
    }


def _properties(report: Report, count: int) -> dict[str, Any]:
    """The decision itself: a tree that misses a proof may have no finding at all."""
    return {
        "decision": line(report.decision.get("status") or ""),
        "summary": summary(report),
        "missing": list(details(report)),
        "proofs": [{"name": proof_name(each), "passed": bool(each.get("passed"))} for each in proofs(report)],
        "tree": line(report.fingerprint),
        "findings": count,
    }
