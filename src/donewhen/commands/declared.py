"""Which commands of a declared line are the check itself, and which only get there or show the outcome."""

from collections.abc import Sequence

from donewhen.commands.invocation import Invocation
from donewhen.commands.lines import invocations
from donewhen.commands.tampering import FUNCTION
from donewhen.commands.words import word_set
from donewhen.core.tree import Script, Word


def required(script: Script) -> tuple[Invocation, ...]:
    """The parts that an executed line must run; all that it runs when none stands out."""
    run = [
        each
        for each in invocations(script)
        if each.reached and not each.elsewhere and each.spoiled != FUNCTION and _has_name(each)
    ]
    kept = [each for each in run if not _is_way(each)]
    return tuple(kept or run[-1:])


def _has_name(each: Invocation) -> bool:
    return bool(each.words and (each.words[0].text.strip() or not each.words[0].known))


def _is_way(each: Invocation) -> bool:
    name = each.words[0].text.rpartition("/")[2]
    if name in ("test", "["):
        return not (each.proven and all(word.known for word in each.words))
    if name in word_set("way"):
        return True
    files = _operands(each.words[1:])
    return (name in word_set("shows") and (name == "tee" or not files)) or (
        name in word_set("filters") and len(files) <= 1
    )


def _operands(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words if not word.text.startswith(("-", "+")) and not word.text.isdigit()]
