"""Files whose edits can't change a test's result, proposed only where nothing hints that they are tested.

A README may be a doctest, and documents may be the source of a site. One hint is enough to propose nothing;
the proposal itself stays a comment until a person wants it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.project.folder import Folder

_CANDIDATES = (
    ("*.md", re.compile(r"(?:^|/)[^/]+\.md$", re.IGNORECASE)),
    ("docs/**", re.compile(r"^docs/.")),
    ("LICENSE*", re.compile(r"(?:^|/)LICENSE[^/]*$")),
    ("CHANGELOG*", re.compile(r"(?:^|/)CHANGELOG[^/]*$")),
)
# tools that run the examples of documents, or build a site from them
_TOOLS = re.compile(
    r"--doctest-glob|doctest_glob|--doctest-plus|--markdown-docs|--codeblocks|--nbval|\bsybil\b|mktestdocs|"
    r"pytest-markdown|pytest-examples|pytest-codeblocks|phmdoctest|markdown-exec|byexample|doc-comment|skeptic|"
    r"doctest_file|sphinx\.ext\.doctest|make doctest|-b doctest|rundoc|mdtest|docusaurus|vitepress|gatsby|"
    r"\"astro\"|eleventy|nextra|contentlayer|\"@?mdx|markdownlint|remark-cli"
)
_TOOL_FILES = (
    "pyproject.toml", "setup.cfg", "pytest.ini", ".pytest.ini", "tox.ini", "noxfile.py", "conftest.py",
    "Makefile", "justfile", "package.json", "Cargo.toml", "requirements-dev.txt", "requirements.txt",
    "mix.exs",
)  # fmt: skip
_SOURCE = re.compile(r"\.(?:py|js|jsx|ts|tsx|mjs|cjs|go|rs|java|kt|rb|php|cs|ex|exs|swift|dart)$")
_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|specs)/|(?:^|/)(?:test_|conftest)|[._-](?:test|spec|tests)\."
)
_NAMED = re.compile(r"README|\.md\b|\.rst\b|[\"'/]docs[\"'/]|LICENSE|CHANGELOG")
_INCLUDED = re.compile(r"include_str!\s{0,5}\(\s{0,5}\"[^\"\n]{0,200}\.md\"|embed [^\n]{0,100}\.md")
_MOST_READ = 400


class Documents(NamedTuple):
    patterns: tuple[str, ...] = ()
    tested_by: str = ""  # what hints that documents are tested, so that nothing is proposed


def documents(root: Folder, paths: Sequence[str]) -> Documents:
    hint = next(_hints(root, paths), "")
    if hint:
        return Documents(tested_by=hint)
    return Documents(tuple(glob for glob, form in _CANDIDATES if any(form.search(path) for path in paths)))


def _hints(root: Folder, paths: Sequence[str]) -> Iterator[str]:
    for file in _TOOL_FILES:
        found = _TOOLS.search(root.text(file))
        if found:
            yield f"{file}: {found[0].strip(chr(34))}"
    for conf in ("docs/conf.py", "doc/conf.py", "docs/source/conf.py"):
        if conf in paths and "sphinx.ext.doctest" in root.text(conf):
            yield f"{conf}: sphinx.ext.doctest"
    tests = [path for path in paths if _SOURCE.search(path) and _TEST.search(path)]
    embedding = [path for path in paths if path.endswith((".rs", ".go"))]
    for form, some in ((_NAMED, tests), (_INCLUDED, embedding)):
        for path in some[:_MOST_READ]:
            found = form.search(root.text(path))
            if found:
                yield f"{path}: {found[0]}"
        if len(some) > _MOST_READ:  # the others were not read
            yield f"{some[_MOST_READ]} …"
