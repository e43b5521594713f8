"""Which reports there are, by the name that `--format` takes; a module loads when its report is asked for.

Also reads `--output`, which may name the form: `sarif=FILE`, or a file whose ending says it. Writes nothing.
"""

from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from donewhen.ui.reports.model import Report

REPORTS = MappingProxyType(
    {"sarif": "sarif", "junit": "junit", "md": "markdown", "github": "github", "html": "html"}
)
FORMATS = ("text", "json", *REPORTS)
_ENDINGS = {".sarif": "sarif", ".xml": "junit", ".md": "md", ".html": "html", ".json": "json"}


class Output(NamedTuple):
    """`form` is empty where neither a prefix nor the ending says it: then that of `--format` is meant."""

    form: str
    path: str


def output_of(given: str) -> Output:
    """What one `--output` asks for; a prefix that is no format is part of the file's name."""
    form, equals, path = given.partition("=")
    if equals and form in FORMATS:
        return Output(form, path)
    name = given.lower()
    if name.endswith(".sarif.json"):
        return Output("sarif", given)
    return Output(next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), ""), given)


def render(form: str, report: Report) -> str:
    """The report in the format `form`, one of REPORTS; it ends with a line end."""
    name = REPORTS[form]
    text: str = getattr(import_module(f"donewhen.ui.reports.{name}"), name)(report)
    return text
