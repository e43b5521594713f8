"""Makers of documentation that bring it to a branch of the repository: mkdocs, mike, ghp-import."""

from collections.abc import Callable, Iterator

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Effect, Publishes, Pushes
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.rows import program_of, read_row

_OPTIONS = options(
    "cqvpfnos", "bfdmrFtx", "force push clean dirty no-history ignore-version shell",
    "remote-branch branch remote-name remote config-file site-dir message theme deploy-prefix cname prefix",
)  # fmt: skip
_GHP = options("fnpoqs", "bmrcxl", "force push", "branch message remote cname prefix")
_BRANCH = ("-b", "--remote-branch", "--branch")


def _mkdocs(given: Given) -> bool:
    return given.operands[:1] == ("gh-deploy",)


def _pushed(given: Given) -> bool:
    return given.has("-p", "--push")


_WHEN: dict[str, Callable[[Given], bool]] = {"mkdocs": _mkdocs, "mike": _pushed, "ghp-import": _pushed}


def _pages(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _GHP if call.name == "ghp-import" else _OPTIONS)
    if _WHEN[call.name](given) and not given.has("--help"):
        forced = given.has("--force") or (call.name == "ghp-import" and given.has("-f"))
        remote = given.value("-r", "--remote-name", "--remote") or "origin"
        yield Publishes(call.name, " ".join(given.operands[:1]))
        yield Pushes(remote, given.value(*_BRANCH) or "gh-pages", forced)
    known = program_of(call.name)
    if known is not None:
        yield from read_row(call, known)


READERS: dict[str, Reader] = dict.fromkeys(_WHEN, _pages)
