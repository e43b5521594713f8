"""Asking a person which model runs shall use; nobody is asked who does not sit at a terminal."""

import sys

from donewhen.core.errors import UserError
from donewhen.ui.finding import Found
from donewhen.ui.finding_names import full_name
from donewhen.ui.finding_text import why
from donewhen.ui.output import complain
from donewhen.ui.words import language, t

_TRIES = 3


def ask_for_model(found: Found, *, alone: bool) -> str:
    """The model that was chosen, empty for none; the first that can be used where nobody can be asked."""
    usable = [choice.name for choice in found.usable]
    if not usable:
        return ""
    if alone or sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return usable[0]
    for number, choice in enumerate(found.usable, 1):
        complain(f"  {number} {choice.name}  {why(choice)}")
    for _ in range(_TRIES):
        sys.stderr.write(t("models_found.ask"))
        sys.stderr.flush()
        answer = sys.stdin.readline()
        try:
            return _meant(answer.strip(), usable) if answer else ""
        except UserError as error:
            complain(error.say(language()))
    return ""


def _meant(answer: str, usable: list[str]) -> str:
    if answer in ("-", ""):
        return "" if answer else usable[0]
    if answer.isdecimal() and 1 <= int(answer[:4]) <= len(usable):
        return usable[int(answer[:4]) - 1]
    return full_name(answer)
