"""Examples in documentation comments, which `cargo test` runs like tests."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Comment, Grove

_DOC = re.compile(r"\s*//[/!] ?(.*)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_RUNS = frozenset(
    (
        "",
        "rust",
        "should_panic",
        "no_run",
        "ignore",
        "compile_fail",
        "edition2018",
        "edition2021",
        "edition2024",
    )
)
_OFF = frozenset(("ignore", "no_run", "compile_fail"))


class Example(NamedTuple):
    line: int
    start: int  # where its comment begins
    tags: tuple[str, ...]
    code: str

    @property
    def off(self) -> str:
        """The tag that keeps it from being run."""
        return next((tag for tag in self.tags if tag in _OFF or tag.startswith("ignore-")), "")


def examples(grove: Grove) -> Iterator[Example]:
    """Blocks of code that a documentation test would take."""
    inside: Comment | None = None
    tags: tuple[str, ...] = ()
    code: list[str] = []
    last = 0
    for comment in grove.comments:
        found = _DOC.match(comment.text)
        if found is None or comment.line > last + 1:
            inside = None
        if found is None:
            continue
        last = comment.line
        fence = _FENCE.match(found.group(1))
        if fence and inside is None:
            inside, code = comment, []
            tags = tuple(tag for tag in re.split(r"[,\s]+", fence.group(2).strip()) if tag)
        elif fence and inside is not None:
            if all(tag in _RUNS or tag.startswith("ignore-") for tag in tags):
                yield Example(inside.line, inside.start, tags, "\n".join(code))
            inside = None
        elif inside is not None:
            code.append(re.sub(r"^\s*# ?(?!\[)", "", found.group(1)))
