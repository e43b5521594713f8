"""Words as a command would get them: every expansion of the shell, in its order, on marked text.

A word that is known costs nothing. For others there may be alternatives, at least one and at most eight;
beyond that what differs is a hole. No disk is read: globs become marks. Code inside words is judged by `run`.
"""

import re
from collections.abc import Sequence

from donewhen.core.tree import Assign, Part, Text, Word
from donewhen.guard.expand.braces import braced
from donewhen.guard.expand.fields import LOOSE, Pieces, fields, marked
from donewhen.guard.expand.operators import unsplit
from donewhen.guard.expand.params import Parts, Run
from donewhen.guard.expand.tilde import tilde
from donewhen.guard.marks import HOLE, certain
from donewhen.guard.state import MAX_ALTERNATIVES, MAX_ITEMS, State, Value, merged

__all__ = ["Run", "assign", "calculate", "expand", "expand_one", "expand_target", "run_value"]

_KEYED = re.compile(r"""([^\s"'$`\[\]\\]+|"[^"$`\\]*"|'[^']*')\](\+?)=""")
_CONFUSING = re.compile(r"\$\{[^}]*\{")  # bash then pairs the braces behind it in another way
_BLANKS = " \t\n"
Argv = tuple[str, ...]


def expand(words: Sequence[Word], state: State, run: Run) -> list[Argv]:
    """The arguments that these words become; alternatives where they are not sure."""
    for word in words:
        if not word.known:
            break
    else:
        return [tuple([word.text for word in words])]
    found: list[list[str]] = [[]]
    parts = Parts(state, run, True)
    total = 0
    for word in words:
        if word.known:
            for argv in found:
                argv.append(word.text)
            continue
        choices = _word(word, parts)
        total += max(map(len, choices))
        if total > MAX_ITEMS:
            choices = [[HOLE]]
        if len(choices) * len(found) > MAX_ALTERNATIVES:
            choices = [_collapsed(choices)]
        if len(choices) == 1:
            for argv in found:
                argv += choices[0]
        else:
            found = [argv + choice for argv in found for choice in choices]
    return list(dict.fromkeys(map(tuple, found)))


def expand_one(word: Word, state: State, run: Run, assigned: bool = False) -> list[str]:
    """The text of a word that is neither split nor globbed."""
    if word.known:
        return [word.text]
    if not word.parts:
        return [HOLE if word.text else ""]
    parts = Parts(state, run, False)
    found = parts.word(tilde(word.parts, state, assigned), word.text)
    return list(dict.fromkeys(map(unsplit, found)))


def expand_target(word: Word, state: State, run: Run) -> list[str]:
    """The file that a redirection names: globs and braces count, and what would be several words is none."""
    if word.known:
        return [word.text]
    found = [argv[0] if len(argv) == 1 else HOLE for argv in expand((word,), state, run)]
    return list(dict.fromkeys(found))


def assign(assign: Assign, state: State, run: Run) -> None:
    """`name=value` and its forms, as the shell would do it."""
    if assign.items is not None:
        _assign_array(assign.name, assign.items, assign.append, state, run)
        return
    if not assign.value.known and not assign.value.parts and not assign.value.text:
        return  # `declare x` gives no value
    texts = expand_one(assign.value, state, run, True)
    if assign.key is not None:
        key = Parts(state, run, False).key(assign.name, assign.key)
        state.set_item(assign.name, key, merged(texts), assign.append)
        return
    letters = state.attributes.get(assign.name, "")
    if ("a" in letters or "A" in letters) and any(text.startswith("(") for text in texts):
        state.variables[state.target(assign.name)] = Value((HOLE,))  # read as the items of an array
        return
    if "i" in letters:
        texts = [calculate(text, (), state, run) for text in texts]
    state.set_all(assign.name, texts, assign.append)


def calculate(source: str, parts: tuple[Part, ...], state: State, run: Run) -> str:
    """The number of `((…))`, `$((…))` or an expression; `let` and `for ((…))` set what they set."""
    numbers = Parts(state, run, False)
    if source.startswith("let ") or ";" in source:
        pieces = re.split(r"\s+|;", source.removeprefix("let ").removeprefix("((").removesuffix("))"))
        if parts:
            pieces = [source]
    else:
        pieces = [source]
    found = "0"
    for piece in pieces:
        bare = piece.strip("'\"") if len(pieces) > 1 else piece
        if bare:
            found = numbers.calculated(bare, parts)
    return found


def run_value(text: str, state: State, run: Run) -> None:
    """A value that the shell reads as text with live code in it."""
    Parts(state, run, False).run_value(text)


def _word(word: Word, parts: Parts) -> list[list[str]]:
    """The alternatives of one word, each with as many words as it becomes."""
    state = parts.state
    if not word.parts:
        return [[HOLE]]
    words = braced(word.parts, word.text)
    if len(words) == 1:
        return _one(words[0], word.text, parts)
    found: list[list[str]] = [[]]
    for one in words:
        if not state.spend(160 + len(one)):
            return [[HOLE]]
        choices = _one(one, word.text, parts)
        if len(choices) * len(found) > MAX_ALTERNATIVES:
            choices = [_collapsed(choices)]
        found = [argv + choice for argv in found for choice in choices]
    if _CONFUSING.search(word.text):
        whole = _one(word.parts, word.text, parts)
        if len(found) + len(whole) > MAX_ALTERNATIVES:
            found, whole = [_collapsed(found)], [_collapsed(whole)]
        found += whole
    return found


def _one(parts: tuple[Part, ...], source: str, expander: Parts) -> list[list[str]]:
    state = expander.state
    found: list[list[str]] = []
    for pieces in expander.word(tilde(parts, state), source):
        found += _split(pieces, state)
    if len(found) < 2:
        return found
    distinct = [list(argv) for argv in dict.fromkeys(map(tuple, found))]
    return distinct if len(distinct) <= MAX_ALTERNATIVES else [_collapsed(distinct)]


def _split(pieces: Pieces, state: State) -> list[list[str]]:
    ifs = state.variables.get("IFS")
    known = ifs.texts[0] if ifs is not None and len(ifs.texts) == 1 else HOLE
    blanks = _BLANKS if known is None else known
    if not certain(blanks):
        pieces = [(HOLE, kind) if kind == LOOSE and text else (text, kind) for text, kind in pieces]
        blanks = _BLANKS
    if not state.spend(3 * sum([len(text) for text, _ in pieces])):
        return [[HOLE]]
    split = fields(pieces, blanks)
    if len(split) > MAX_ITEMS:
        return [[HOLE]]
    found: list[list[str]] = [[]]
    for field in split:
        choices = marked(field, state.options)
        if len(choices) * len(found) > MAX_ALTERNATIVES:
            choices = [merged(choices)]
        if len(choices) == 1:
            for argv in found:
                argv.append(choices[0])
        else:
            found = [[*argv, choice] for argv in found for choice in choices]
    return found


def _collapsed(choices: list[list[str]]) -> list[str]:
    """One list of words for several."""
    if len(choices) == 1:
        return choices[0]
    if len(set(map(len, choices))) > 1:
        return [HOLE]
    return [merged(words) for words in zip(*choices, strict=True)]


def _assign_array(name: str, items: Sequence[Word], append: bool, state: State, run: Run) -> None:
    value = state.variables.get(state.target(name))
    keyed = (value is not None and value.keyed) or "A" in state.attributes.get(name, "")
    if not append:
        if keyed:
            state.set_keyed(name)
        else:
            state.set_array(name, ())
    plain: list[str] = []
    for item in items:
        if item.known:
            plain.append(item.text)
        elif "]=" not in item.text:
            argvs = expand((item,), state, run)
            plain += argvs[0] if len(argvs) == 1 else _collapsed(list(map(list, argvs)))
        else:
            if plain:
                state.set_array(name, plain, True)
                plain = []
            _assign_item(name, item, state, run)
    if plain:
        state.set_array(name, plain, True)


def _assign_item(name: str, item: Word, state: State, run: Run) -> None:
    """`[key]=value`; the tree has the parts of both in one word."""
    written = _KEYED.match(item.text)
    if written is None:
        expand_one(item, state, run)
        state.variables[state.target(name)] = Value((HOLE,))
        return
    first = item.parts[0]
    label = Word(first.text) if isinstance(first, Text) else Word("", False, (first,))
    key = Parts(state, run, False).key(name, label)
    texts = expand_one(Word("", False, item.parts[1:]), state, run, True)
    state.set_item(name, key, merged(texts), bool(written[2]))
