"""A call back to words: the key under which a command is known. Reading them again gives the same key."""

from donewhen.commands.calls import Call, Setting, matters
from donewhen.commands.comparison import tidy
from donewhen.commands.grammar import grammar_of

_SHOWN: dict[str, tuple[str, ...]] = {"unittest": ("python", "-m", "unittest")}


def render(call: Call) -> tuple[str, ...]:
    if not call.grammar:
        return (*_runners(call), *((call.name,) if call.name else ()), *call.operands)
    grammar = grammar_of(call.grammar)
    first, *following = _name(call)
    if call.grammar == "npm" and following:  # what follows a script's name could be the script's
        words = [*_runners(call), first, *_settings(call, late=False), *following]
    else:
        words = [*_runners(call), first, *following, *_body(call)]
    if call.rest is not None and grammar.inner > 0:
        words += render(call.rest)
    elif call.rest is not None and (rest := _body(call.rest)):
        words += ["--", *rest]
    return tuple(words)


def _body(call: Call) -> list[str]:
    """Settings and operands; options that would swallow an operand come after it."""
    grammar = grammar_of(call.grammar)
    operands = list(call.trail or tidy(grammar.operands, call.operands))
    marks = ("-", "+")
    option_like = any(each[:1] in marks or (grammar.variables and "=" in each) for each in operands)
    if option_like and not call.trail and not grammar.after:
        operands.insert(0, "--")
    end = operands.index("--") if "--" in operands else len(operands)
    early, late = _settings(call, late=False), _settings(call, late=True)
    return [*early, *operands[:end], *late, *operands[end:]]


def _runners(call: Call) -> list[str]:
    words: list[str] = []
    for runner in call.runners:
        words += [*runner.name.split(), *_settings(runner, late=False), *_settings(runner, late=True)]
        words += ["-m"] if runner.name in ("python", "coverage run") and call.grammar else []
    return words


def _name(call: Call) -> tuple[str, ...]:
    verb = next(
        (each.name for each in call.settings if call.tool and each.name.startswith(f"{call.tool} ")), ""
    )
    if verb:
        return tuple(verb.split())
    if call.name.startswith("manage.py"):
        return ("python", *call.name.split())
    return _SHOWN.get(call.name, tuple(call.name.split()))


def _settings(call: Call, late: bool) -> list[str]:
    shown = (each for each in call.settings if matters(each) and not _shown_elsewhere(call, each))
    kept = (each for each in shown if _swallows(each) == late)
    glued = grammar_of(call.grammar).prefixes or "--"
    words: list[str] = []
    for each in sorted(kept, key=_order):
        if each.value is None:
            words.append(each.name)
        elif (
            not each.name.startswith(glued)
            and each.takes in ("=", "+", "*")
            and each.name[:2] != "--"
            and each.name[:1] == "-"
        ):
            words += [each.name, each.value]
        else:
            words.append(f"{each.name}={each.value}")
    return words


def _swallows(setting: Setting) -> bool:
    return setting.takes == "+" or (setting.takes in ("*", "#") and setting.value is None)


def _shown_elsewhere(call: Call, setting: Setting) -> bool:
    """In the name (`vitest list`), or among the operands in its place."""
    if call.tool and setting.name.startswith(f"{call.tool} "):
        return True
    return bool(call.trail) and setting.effect == "unknown" and setting.value is None


def _order(setting: Setting) -> tuple[bool, str]:
    return setting.effect == "unclear", "" if setting.effect == "unclear" else setting.name
