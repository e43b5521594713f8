"""Tools that rewrite the files of a project: formatters, fixers, upgraders, and scripts that may do anything.

A check after one of them in the same line ran on another tree than the line started on. Each formatter has
the options with which it writes, or those with which it only looks.
"""

from collections.abc import Callable, Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Word

Words = Sequence[Word]
_RUNNERS = lazy(
    r"(?:(?:npx|bunx|pnpx|uvx)|(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|(?:uv|poetry|pdm|pipenv|rye|hatch) run"
    r"|pixi run|pipx run|bundle exec|python[0-9.]* -m|py -m|uv tool run)(?= )"
)
_SCRIPTS = lazy(
    r"(?:(?:npm|pnpm|yarn|bun)(?: run)?|make|just|task|rake|composer(?: run)?|nox -s|tox -e|invoke|poe) "
    r"(?=\S*(?:fix|format|fmt|prettify|codemod))(?!\S*(?:check|verify|test|ci\b|diff|dry))\S+"
)
_INTERPRETED = lazy(
    r"(?:python|pypy|node|ruby|perl|php|tsx|ts-node|Rscript|lua|deno run|bun run)[0-9.]*(?: -\S+)* "
    r"(?!\S*(?:manage\.py|setup\.py|node_modules/))\S+\.(?:py|[cm]?[jt]sx?|rb|pl|php|lua|R)\b"
)


def rewrites(words: Words) -> bool:
    """`words` are a whole command, program first, in its plain spelling."""
    text = " ".join(word.text for word in words[:_MOST])
    if _SCRIPTS.match(text) or _INTERPRETED.match(text):
        return True
    runner = _RUNNERS.match(text)
    bare = list(words[len(runner[0].split()) :] if runner else words)
    while runner and bare and bare[0].text.startswith("-"):
        bare = bare[1:]
    if not bare:
        return False
    name = bare[0].text.replace("\\", "/").rpartition("/")[2]
    judge = _WRITERS.get(name)
    return judge is not None and judge([word.text for word in bare[1:]])


_MOST = 64
Judge = Callable[[list[str]], bool]


def _with(pattern: str, verb: str = "") -> Judge:
    """It writes with one of these options."""
    writes = lazy(pattern)

    def judge(words: list[str]) -> bool:
        return (not verb or words[:1] == [verb]) and any(map(writes.fullmatch, words))

    return judge


def _without(pattern: str, verb: str = "") -> Judge:
    """It writes unless told only to look."""
    looks = lazy(pattern + r"|--help|--version|-h")

    def judge(words: list[str]) -> bool:
        return (not verb or words[:1] == [verb]) and not any(map(looks.fullmatch, words))

    return judge


def _any(*judges: Judge) -> Judge:
    return lambda words: any(judge(words) for judge in judges)


_WRITERS: dict[str, Judge] = {
    "black": _without("--check|--diff"),
    "isort": _without("--check(?:-only)?|-c|--diff|--show-settings"),
    "ruff": _any(_without("--check|--diff", "format"), _with("--fix(?:-only)?|--unsafe-fixes", "check")),
    "autopep8": _with("-[a-z]*i[a-z]*|--in-place"),
    "yapf": _with("-[a-z]*i[a-z]*|--in-place"),
    "autoflake": _with("-[a-z]*i[a-z]*|--in-place"),
    "pyupgrade": _without("-"),
    "prettier": _with("--write|-w"),
    "eslint": _with("--fix"),
    "stylelint": _with("--fix"),
    "standard": _with("--fix"),
    "xo": _with("--fix"),
    "biome": _with("--write|--fix|--apply|--apply-unsafe"),
    "dprint": _with("fmt"),
    "json": _with("-I|--in-place"),
    "ncu": _with("-u|--upgrade"),
    "npm-check-updates": _with("-u|--upgrade"),
    "sort-package-json": _without("--check|-c"),
    "jscodeshift": _without("--dry|-d"),
    "lint-staged": _without("-"),
    "gofmt": _with("-w"),
    "gofumpt": _with("-w"),
    "goimports": _with("-w"),
    "golangci-lint": _with("--fix|fmt"),
    "go": _without("-n", "fmt"),
    "cargo": _any(_without("--check", "fmt"), _with("--fix", "clippy"), _without("-", "fix")),
    "rustfmt": _without("--check"),
    "dotnet": _without("--verify-no-changes", "format"),
    "clang-format": _with("-i"),
    "shfmt": _with("-w|--write"),
    "terraform": _without("-check|--check", "fmt"),
    "rubocop": _with("-a|-A|--auto-?correct(?:-all)?|--fix-layout|-x"),
    "mix": _without("--check-formatted", "format"),
    "php-cs-fixer": _without("--dry-run", "fix"),
    "pint": _without("--test"),
    "ktlint": _with("-F|--format"),
    "gradle": _with("spotlessApply|ktlintFormat|:?\\S*:spotlessApply"),
    "gradlew": _with("spotlessApply|ktlintFormat|:?\\S*:spotlessApply"),
    "mvn": _with("spotless:apply|fmt:format"),
    "mvnw": _with("spotless:apply|fmt:format"),
    "rimraf": lambda words: not all(word in ("dist", "build", "coverage", "node_modules") for word in words),
    "gh": lambda words: words[:2] in (["pr", "checkout"], ["repo", "sync"]) or words[:1] == ["co"],
}
