"""Parts of words to pieces: variables with their operators, substitutions, arithmetic.

Every part has alternatives, a few lists of pieces; what would be too many is one piece with a hole. Live code
is handed to `run`, once for each place where the shell would run it. Nothing is split or globbed here.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.tree import (
    Arithmetic,
    Part,
    Refused,
    Script,
    Simple,
    Statement,
    Substitution,
    Text,
    Variable,
    Word,
)
from donewhen.guard.expand import values
from donewhen.guard.expand.fields import BARE, BREAK, LOOSE, QUOTED, Pieces
from donewhen.guard.expand.numbers import Numbers
from donewhen.guard.expand.operators import change_of, unsplit, written
from donewhen.guard.expand.tilde import tilde
from donewhen.guard.marks import HOLE, RESTORED, STAR, anything, certain
from donewhen.guard.state import MAX_ALTERNATIVES, MAX_TEXT, State, merged, possible
from donewhen.shell import parse

Run = Callable[[Script, State], str]
_DEFAULTS = frozenset((":-", "-", ":=", "=", ":+", "+", ":?", "?"))
_QUOTES = frozenset("'\"\\")
_BLANKS = " \t\n"
_NAME = lazy(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]{1,5}|[@*#?$!-])(?:\[([^\[\]$`]*)\])?\Z")
# Between double quotes a single quote is a character, and `$a"b"` is `$ab`; the tree says otherwise.
_TAKEN_AWAY = lazy(r"""'|\$[A-Za-z_0-9]+"[A-Za-z_0-9]""")
_WHOLLY_QUOTED = lazy(r"""\$\{!?\w+:?[-=+?](?:"[^"'\\]*"|'[^'"\\]*')\}""")
_MAX_NESTED = 4
_END = "END_OF_VALUE"


class Many(NamedTuple):
    """The texts of `$@` or `${a[@]}`; `joined` for `$*` and `${a[*]}`."""

    texts: tuple[str, ...]
    joined: bool


Base = tuple[str | None, ...] | Many


class Parts:
    """Expands the parts of words of one command."""

    __slots__ = ("_numbers", "run", "source", "splitting", "state")

    def __init__(self, state: State, run: Run, splitting: bool) -> None:
        self.state = state
        self.run = run
        self.splitting = splitting  # into words; not so in assignments
        self.source = ""
        self._numbers = Numbers(state, self._part_text, self.run_value)

    def word(self, parts: Sequence[Part], source: str) -> list[Pieces]:
        """The alternatives of a word; `source` is how it was written, to tell what was quoted in it."""
        outer, self.source = self.source, source
        found = self._joined(parts)
        self.source = outer
        return found

    def _joined(self, parts: Sequence[Part]) -> list[Pieces]:
        found: list[Pieces] = [[]]
        size = 0
        for part in parts:
            choices = self.part(part)
            if len(choices) * len(found) > MAX_ALTERNATIVES:
                choices = [_one_of(choices)]
            size += sum(len(text) for choice in choices for text, _ in choice)
            if size > MAX_TEXT or not self.state.spend(1 + size // 16):
                return [[*found[0][:64], (HOLE, QUOTED)]]
            if len(choices) == 1:
                for pieces in found:
                    pieces += choices[0]
            else:
                found = [pieces + choice for pieces in found for choice in choices]
        return found

    def part(self, part: Part) -> list[Pieces]:
        if isinstance(part, Text):
            text = part.text if part.text.isascii() else part.text.translate(RESTORED)
            return [[(text, QUOTED if part.quoted else BARE)]]
        kind = QUOTED if part.quoted else LOOSE
        if isinstance(part, Variable):
            return self._variable(part, kind)
        if isinstance(part, Arithmetic):
            return [[(self._numbers.text(part.source, part.parts), kind)]]
        return [[(self._substituted(part), kind if part.kind == "$(" else QUOTED)]]

    def texts(self, parts: Sequence[Part], source: str) -> list[str]:
        """The alternatives as plain texts."""
        outer, self.splitting = self.splitting, False
        found = [unsplit(pieces) for pieces in self.word(parts, source)]
        self.splitting = outer
        return list(dict.fromkeys(found))

    def calculated(self, source: str, parts: tuple[Part, ...]) -> str:
        return self._numbers.text(source, parts)

    def key(self, name: str, key: Word) -> str:
        """The key of an array's item as it is kept: a number's text, or any text of an associative array."""
        value = self.state.variables.get(self.state.target(name))
        if value is not None and value.keyed:
            return key.text if key.known else merged(self.texts(key.parts, key.text))
        return self._numbers.text(key.text, () if key.known else key.parts)

    def _substituted(self, part: Substitution) -> str:
        text = self.run(part.script, self.state)
        if part.kind == "$(":
            return text.rstrip("\n")
        state = self.state
        path = f"/dev/fd/{63 - sum(name.startswith('/dev/fd/') for name in (*state.files, *state.sinks))}"
        if part.kind == "<(":
            state.files[path] = text
        else:
            state.sinks[path] = part.script
        return path

    def _part_text(self, part: Part) -> str:
        return merged(unsplit(pieces) for pieces in self.part(part))

    def run_value(self, text: str) -> str:
        """A value that the shell reads as text with live code in it; what comes out of that."""
        state = self.state
        if not certain(text) or state.nested >= _MAX_NESTED:
            self.run((Statement(Simple((Word("eval"), Word(text)))),), state)
            return HOLE
        tree = parse(f"cat <<{_END}\n{text}\n{_END}\n")
        if isinstance(tree, Refused) or len(tree) != 1 or not tree[0].redirects:
            self.run((Statement(Simple((Word("eval"), Word(HOLE)))),), state)
            return HOLE
        body = tree[0].redirects[0].body or Word("")
        state.nested += 1
        found = body.text if body.known else merged(self.texts(body.parts, body.text))
        state.nested -= 1
        return found.removesuffix("\n")

    # Variables

    def _variable(self, part: Variable, kind: int) -> list[Pieces]:
        operator = part.operator
        if operator == "#" and part.argument is None:
            return self._length(part, kind)
        if operator.startswith("!"):
            return self._indirect(part, kind)
        base = self._base(part.name, part.key)
        return self._applied(base, part, operator, kind)

    def _base(self, name: str, key: Word | None) -> Base:
        if name in ("@", "*"):
            return Many(self.state.positional, name == "*")
        if key is None:
            return self.state.values(name)
        if key.text in ("@", "*"):
            items = self.state.items(name)
            texts = (HOLE,) if items is None else tuple(text for _, text in items)
            return Many(texts, key.text == "*")
        return self._item(name, self.key(name, key))

    def _item(self, name: str, key: str) -> tuple[str | None, ...]:
        items = self.state.items(name)
        if items is None:
            known = merged(self.state.get(name))
            return (known if key == "0" or anything(known) else HOLE, None)
        if not certain(key):
            return (merged(text for _, text in items) if items else HOLE,)
        if key.startswith("-") and items:
            last = items[-1][0]
            key = str(int(last) + 1 + int(key)) if last.isdigit() and key[1:].isdigit() else key
        return (next((text for name, text in items if name == key), None),)

    def _length(self, part: Variable, kind: int) -> list[Pieces]:
        """`${#x}`, but the tree of `${x#}`, which takes nothing away, looks the same."""
        base = self._base(part.name, part.key)
        found = self._pieces(base, kind) if "#}" in self.source else []
        if "${#" not in self.source:
            return found
        if isinstance(base, Many):
            return [*found, [(STAR if HOLE in base.texts else str(len(base.texts)), kind)]]
        return _unique([*found, *_plain((values.length(text or "") for text in possible(base)), kind)])

    def _indirect(self, part: Variable, kind: int) -> list[Pieces]:
        operator = part.operator[1:]
        if part.key is not None and part.key.text in ("@", "*"):
            items = self.state.items(part.name)
            keys = (HOLE,) if items is None else tuple(key for key, _ in items)
            return self._pieces(Many(keys, part.key.text == "*"), kind)
        if operator in ("@", "*") and part.argument is None:
            set_here = sorted(name for name in self.state.variables if name.startswith(part.name))
            # the environment may hold more of them
            return [*self._pieces(Many(tuple(set_here), operator == "*"), kind), [(HOLE, kind)]]
        found: list[Pieces] = []
        base = self._base(part.name, part.key)
        names = self.state.references.get(part.name), *(() if isinstance(base, Many) else base)
        if names[0] is not None:
            return _plain(names[:1], kind)
        for name in names[1:]:
            found += self._named(name or "", part, operator, kind)
        return _unique(found) or [[(HOLE, kind)]]

    def _named(self, name: str, part: Variable, operator: str, kind: int) -> list[Pieces]:
        """The variable whose name is in another one."""
        known = _NAME.match(name)
        if known is None:
            live = "$(" in name or "`" in name
            return [[(self.run_value(name) and HOLE if live else HOLE, kind)]]
        base = self._base(known[1], None if known[2] is None else Word(known[2]))
        return self._applied(base, part._replace(name=known[1], key=None), operator, kind)

    def _applied(self, base: Base, part: Variable, operator: str, kind: int) -> list[Pieces]:
        if not operator:
            return self._pieces(base, kind)
        if operator in _DEFAULTS:
            return self._default(base, part, operator, kind)
        if operator == ":" and part.argument is not None:
            return self._slice(base, part, part.argument, kind)
        change = change_of(part, operator, self)
        if isinstance(base, Many):
            texts = [merged(change(text)) for text in base.texts]
            return self._pieces(Many(tuple(texts), base.joined), kind)
        changed = ([""] if text is None else change(text) for text in possible(base))
        return _plain((text for texts in changed for text in texts), kind)

    def _pieces(self, base: Base, kind: int) -> list[Pieces]:
        if not isinstance(base, Many):
            if len(base) == 1:
                return [[(base[0] or "", kind)]]
            return _plain(possible(base), kind)
        if base.joined and (kind == QUOTED or not self.splitting):
            glue = self.state.get("IFS")
            return [[((glue[0][:1] if len(glue) == 1 and certain(glue[0]) else HOLE).join(base.texts), kind)]]
        pieces: Pieces = []
        gap = "" if base.joined else " "
        for text in base.texts:
            pieces += ((text, kind), (gap, BREAK))
        return [pieces[:-1]]

    # Operators

    def _default(self, base: Base, part: Variable, operator: str, kind: int) -> list[Pieces]:
        colon, act = len(operator) == 2, operator[-1]
        if isinstance(base, Many):
            empty = not base.texts or (colon and not any(base.texts))
            kept = [] if empty else self._pieces(base, kind)
            maybe = HOLE in base.texts
        else:
            sure = [text for text in base if text is not None and (text or not colon)]
            kept = _plain(sure, kind) if sure else []
            empty = len(sure) < len(base)
            maybe = colon and any(map(values.maybe_empty, sure))
        if act == "+":
            nothing: list[Pieces] = [[("", kind)]] if empty or maybe else []
            return _unique([*(self._argument(part, kind) if kept else []), *nothing])
        if not (empty or maybe):
            return kept
        other = self._argument(part, kind)
        if act == "=":
            texts = [unsplit(pieces) for pieces in other]
            known = [] if isinstance(base, Many) else [text for text in base if text]
            self._assigned(part, [*known, *texts])
            other = _plain(texts, kind)
        elif act == "?":
            other = [[("", kind)]]  # the shell ends here with a message
        return _unique([*kept, *other])

    def _assigned(self, part: Variable, texts: list[str]) -> None:
        if part.key is not None:
            self.state.set_item(part.name, self.key(part.name, part.key), merged(texts))
        elif part.name[:1].isalpha() or part.name[:1] == "_":
            self.state.set_all(part.name, list(dict.fromkeys(texts)))

    def _argument(self, part: Variable, kind: int) -> list[Pieces]:
        """The word behind the operator; its own quotes count, bare text is split like a value."""
        word = part.argument
        if word is None:
            return [[("", kind)]]
        how_written = written(self, part.name)
        if kind == QUOTED and _TAKEN_AWAY.search(how_written):
            return [[(HOLE, kind)]]
        if word.known:
            return self._known_argument(word.text, kind, how_written)
        source = word.text if kind == LOOSE else self.source
        found = self.word(tilde(word.parts, self.state) if kind == LOOSE else word.parts, source)
        if any(how == BREAK for pieces in found for _, how in pieces) and self.state.get("IFS") != (_BLANKS,):
            found = [*found, [(HOLE, kind)]]  # bash joins `$@` here, and what it splits then has no rule
        return [_loosened(pieces) for pieces in found]

    def _known_argument(self, text: str, kind: int, how_written: str) -> list[Pieces]:
        text = text if text.isascii() else text.translate(RESTORED)
        if kind == QUOTED or not text:
            return [[(text, kind)]]
        if _QUOTES.isdisjoint(how_written):
            return [[(text, LOOSE)]]
        splits = sum(map(text.count, {*_BLANKS, *self.state.one("IFS")}))
        if not splits or _WHOLLY_QUOTED.fullmatch(how_written):
            return [[(text, QUOTED)]]
        # which blanks were quoted is not in the tree
        return [[(text, QUOTED)], [(text, LOOSE)], *([[(HOLE, LOOSE)]] if splits > 1 else [])]

    def _slice(self, base: Base, part: Variable, argument: Word, kind: int) -> list[Pieces]:
        offset, size, sized = self._numbers.bounds(argument)
        chosen = (
            []
            if _left_out(argument.text, self.source)
            else [self._sliced(base, part, offset, size, sized, kind)]
        )
        if not sized and f"::{argument.text}" in self.source:  # `${x::1}`: the tree has only the size
            chosen.append(self._sliced(base, part, 0, offset, True, kind))
        return _unique([pieces for choices in chosen for pieces in choices])

    def _sliced(
        self, base: Base, part: Variable, offset: int | None, size: int | None, sized: bool, kind: int
    ) -> list[Pieces]:
        if not isinstance(base, Many):
            return _plain((values.cut(text or "", offset, size, sized) for text in possible(base)), kind)
        texts = base.texts
        if part.name in ("@", "*"):
            texts = (self.state.name, *texts) if offset is not None and offset <= 0 else ("", *texts)
        if offset is None or (sized and size is None) or HOLE in texts or (size or 0) < 0:
            return [[(HOLE, kind)]]
        start = offset if offset >= 0 else len(texts) + offset
        chosen = texts[start:] if size is None else texts[start : start + size]
        return self._pieces(Many(chosen if start >= 0 else (), base.joined), kind)


def _plain(texts: Iterable[str | None], kind: int) -> list[Pieces]:
    found = list(dict.fromkeys(text or "" for text in texts))
    if len(found) > MAX_ALTERNATIVES:
        found = [merged(found)]
    return [[(text, kind)] for text in found]


def _unique(choices: list[Pieces]) -> list[Pieces]:
    if len(choices) < 2:
        return choices
    found = {tuple(pieces): pieces for pieces in choices}
    return list(found.values())[:MAX_ALTERNATIVES] if len(found) <= MAX_ALTERNATIVES else [_one_of(choices)]


def _one_of(choices: list[Pieces]) -> Pieces:
    """One list of pieces for several: what they share stays, the rest is a hole."""
    if all(len(pieces) == 1 for pieces in choices):
        kind = QUOTED if all(pieces[0][1] == QUOTED for pieces in choices) else LOOSE
        return [(merged(pieces[0][0] for pieces in choices), kind)]
    return [(merged(map(unsplit, choices)), LOOSE)]


def _left_out(argument: str, source: str) -> bool:
    """Is the argument of every `:` in the source a size, the offset left out?"""
    sizes = source.count(f"::{argument}")
    return sizes > 0 and sizes == len(re.findall(rf":\s*{re.escape(argument)}", source))


def _loosened(pieces: Pieces) -> Pieces:
    """A default's own text is split like a value; so is `$@` in it, where that is not quoted."""
    found: Pieces = []
    for text, kind in pieces:
        apart = kind == BREAK and (not text or found[-1][1] == QUOTED)
        found.append((text, kind if apart or kind == QUOTED else LOOSE))
    return found
