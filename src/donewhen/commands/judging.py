"""Lines whose shell logic is the check: `test -z "$(gofmt -l .)"`, `! grep -rn TODO src`, `gen | diff - x`.

Only such a line itself can prove it, word for word. Taken are searches that must find nothing, conditions on
what a command prints, and comparisons of what it prints; never a line that hides the status of a tool whose
status is its verdict (`npm test | grep passed`), and never one that can't fail (`npm test || true`).
"""

from collections.abc import Sequence

from donewhen.commands.invocation import Invocation
from donewhen.commands.programs import has_verdict
from donewhen.core.tree import AndOr, Command, Pipeline, Script, Simple, Statement, Substitution, Test, Word
from donewhen.shell.builtins import BUILTINS
from donewhen.shell.words import simples

_SEARCHES = frozenset("grep egrep fgrep rg ag ack".split())
_COMPARES = frozenset("diff cmp".split())
_CONDITIONS = frozenset(("test", "["))
_HARMLESS = frozenset("cd test [ echo printf true :".split())


def judges(script: Script) -> bool:
    """Is every part of the line, joined by `&&`, a verdict of its own, and one of them by shell logic?"""
    if len(script) != 1 or script[0].background or script[0].redirects:
        return False
    parts = _chain(script[0])
    return bool(parts) and all(_is_verdict(each) for each in parts) and any(map(_by_logic, parts))


def _chain(statement: Statement) -> list[Statement]:
    command = statement.command
    if not isinstance(command, AndOr):
        return [statement]
    if statement.negated or any(operator != "&&" for operator, _ in command.rest):
        return []
    return [command.first, *(each for _, each in command.rest)]


def _is_verdict(statement: Statement) -> bool:
    if statement.background:
        return False
    return _by_logic(statement) or (not statement.negated and _is_plain(statement.command))


def _is_plain(command: Command) -> bool:
    """A program of which nothing is hidden, or a way to get there; no builtin that ends or turns the line."""
    if not isinstance(command, Simple) or not command.words or not command.words[0].known:
        return False
    substituted = any(isinstance(part, Substitution) for word in command.words for part in word.parts)
    name = command.words[0].text
    return not command.inner and not substituted and (name in _HARMLESS or name not in BUILTINS)


def _by_logic(statement: Statement) -> bool:
    command = statement.command
    if isinstance(command, Pipeline):
        return _pipe(command, statement.negated)
    if isinstance(command, Test):
        return not statement.negated and _asks(command.words)
    if not isinstance(command, Simple) or not command.words or command.inner:
        return False
    name = _name(command.words)
    if statement.negated:
        return name in _SEARCHES and not _runs_tools(command.words)
    return name in _CONDITIONS and _asks(command.words)


def _pipe(command: Pipeline, negated: bool) -> bool:
    *before, last = command.parts
    if last.negated or not isinstance(last.command, Simple) or not last.command.words or last.command.inner:
        return False
    name = _name(last.command.words)
    asks = name in _SEARCHES or (name in _COMPARES and not negated)
    return asks and not _runs_tools(tuple(before)) and not _runs_tools(last.command.words)


def _asks(words: Sequence[Word]) -> bool:
    """Does the condition depend on what a command prints?"""
    printed = any(isinstance(part, Substitution) for word in words for part in word.parts)
    alone = not any(word.text in ("-o", "||", "!") for word in words)
    return printed and alone and not _runs_tools(words)


def _runs_tools(tree: object) -> bool:
    """Is there a command in it whose own status is a verdict, or one that nobody can know?"""
    return any(
        each.inner or not each.words[0].known or has_verdict(Invocation(each.words)) for each in simples(tree)
    )


def _name(words: Sequence[Word]) -> str:
    return words[0].text.rpartition("/")[2] if words[0].known else ""
