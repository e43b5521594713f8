"""Feedback: what a verifier found, in one form for all of them, so that every reader needs to know but one.

Data only. Nothing here decides what a finding means for a run, and nothing reads or shows a file.
"""

from typing import Any, Literal, NamedTuple

FeedbackStatus = Literal["pass", "fail", "warning", "skipped"]
Category = Literal["semantic", "quality", "security", "style", "integrity"]


class Feedback(NamedTuple):
    """One finding; `file` is relative to the workspace, lines and columns count from 1, 0 is not known."""

    status: FeedbackStatus
    category: Category
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    details: str = ""
    fixable: bool = False
    fix_suggestion: str = ""
    confidence: float = 1.0
    rule: str = ""

    def to_data(self) -> dict[str, Any]:
        """As JSON has it: a place only when one is known, nothing that is empty."""
        place = {"file": self.file, "line": self.line, "column": self.column}
        return {
            "status": self.status,
            "category": self.category,
            "location": {name: value for name, value in place.items() if value} or None,
            "message": self.message,
            "details": self.details,
            "fixable": self.fixable,
            "fix_suggestion": self.fix_suggestion or None,
            "confidence": min(1.0, max(0.0, self.confidence)),
            "rule": self.rule or None,
        }

    @property
    def place(self) -> str:
        """`file:line:column`, as far as it is known."""
        known = [str(each) for each in (self.line, self.column) if each]
        return ":".join((self.file, *known)) if self.file else ""
