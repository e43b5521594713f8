"""Script languages that look like C: their calls are found with the values of their arguments.

Not a parser of any of them: one tolerant reader of expressions, which follows names, constants and chains of
members, and takes whatever it does not understand as unknown. Statements are read in order; a name that is
set twice in code with loops or functions is unknown, because the order is then not the one of the text.
"""

from donewhen.guard.effects import RunsFetched
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK
from donewhen.guard.programs.code.scene import Scene, filtering, shell
from donewhen.guard.programs.code.script_calls import IMPLIED, called, member_of, name_of, nullary
from donewhen.guard.programs.code.script_functions import Functions
from donewhen.guard.programs.code.script_group import ENDS, Group, Part, ends_line
from donewhen.guard.programs.code.script_imports import imports, promised, unpack
from donewhen.guard.programs.code.script_tables import LANGUAGE_TABLES, Tongue
from donewhen.guard.programs.code.tokens import Scanner, Token
from donewhen.guard.programs.code.values import (
    ENVIRONMENTS,
    UNKNOWN,
    Choice,
    Member,
    Ref,
    Seq,
    Table,
    TooMuch,
    Unsure,
    Value,
    alternatives,
    bounded,
    choice,
    tainted,
    text_of,
)

STEPS = 40_000
DEEP = 40
_LOOPS = frozenset("while until loop for foreach forever".split())
_JUMPS = frozenset("function sub def => while until for foreach loop repeat -> proc lambda".split())
_SKIPPED = frozenset(
    "new await return typeof void my let const var local our async function sub def do begin then else "
    "elsif elif "
    "end try catch finally throw static public private yield delete unless export default not global "
    "echo case when ensure rescue ".split()
)


def script(language: str, text: str, scene: Scene) -> None:
    """Adds to the scene what the code would do."""
    tongue = LANGUAGE_TABLES[language]
    scene.filters = scene.filters or filtering(text)
    try:
        _Reading(scene, tongue).read(text)
    except (TooMuch, RecursionError):
        scene.unknown(text)


class _Reading:
    def __init__(self, scene: Scene, tongue: Tongue) -> None:
        self.scene = scene
        self.tongue = tongue
        self.names: dict[str, Value] = {}
        self.tokens: list[Token] = []
        self.at = 0
        self.steps = 0
        self.depth = 0
        self.jumps = False
        self.texts = 0
        self.own = Functions()

    def read(self, text: str) -> list[Value]:
        """A text of this language, from start to end; also what `eval` is given."""
        self.texts += 1
        if self.texts > 2_000:
            raise TooMuch
        before = (self.tokens, self.at)
        self.tokens, self.at = Scanner(text, self.tongue.syntax).tokens(), 0
        if self.tongue.name == "javascript":
            self.own.note(self.tokens)
        self.jumps = self.jumps or any(token.kind != "text" and token.text in _JUMPS for token in self.tokens)
        loops = any(token.kind == "name" and token.text in _LOOPS for token in self.tokens)
        self.scene.loops += loops
        values: list[Value] = []
        while self.at < len(self.tokens):
            values = self.sequence(frozenset()) or values
            self.at += 1  # a bracket that closes nothing
        if self.texts == 1:
            self.own.rest(self)
        self.scene.loops -= loops
        self.tokens, self.at = before
        return values

    def look(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else _END

    def is_op(self, *texts: str) -> bool:
        token = self.look()
        return token.kind == "op" and token.text in texts

    def sequence(self, stops: frozenset[str], one_line: bool = False) -> list[Value]:
        """Values between commas, up to a closing bracket; statements inside are read as well."""
        self.depth += 1
        if self.depth > DEEP:
            raise TooMuch
        group = Group(self, ")" in stops)
        while self.at < len(self.tokens):
            self.steps += 1
            if self.steps > STEPS:
                raise TooMuch
            token = self.look()
            if id(token) in self.own.starts:
                self.at += self.own.starts[id(token)]
                continue
            if token.kind == "op" and (token.text in stops or token.text in ")]}"):
                break
            if one_line and ends_line(token, group):
                break
            group.take(token)
        group.close()
        self.depth -= 1
        return group.values

    # operands

    def operand(self) -> Part | None:
        """A value with all that is applied to it; None for a word that is none."""
        token = self.look()
        self.at += 1
        if token.kind == "name":
            part = self._named(token)
            if part is None:
                return None
        elif token.kind in ("text", "shell"):
            part = Part(self._text(token))
        elif token.kind == "number":
            part = Part(_number(token.text))
        elif token.kind == "code":
            self.read(token.text)
            part = Part(UNKNOWN)
        elif token.text in ("(", "[", "{"):
            part = Part(self._bracket(token.text))
        else:
            return None
        part = self._applied(part)
        if self.tongue.bare and isinstance(part.value, Ref) and nullary(part.value.name):
            implied = part.value.name in IMPLIED and self.tongue.name == "perl"
            if implied or part.value.name not in IMPLIED:
                return Part(self._call(part.value, [self.names.get("$_", UNKNOWN)] if implied else []))
        return part

    def _text(self, token: Token) -> Value:
        whole: Value = token.text
        if token.parts:
            pieces = [text_of(self._piece(text)) if live else text for live, text in token.parts]
            whole = bounded("".join(pieces))
        if token.kind == "shell":
            shell(self.scene, whole)
            return UNKNOWN
        return whole

    def _piece(self, text: str) -> Value:
        if self.depth > DEEP - 8:
            raise TooMuch
        self.depth += 4
        values = self.read(text)
        self.depth -= 4
        value = values[-1] if values else UNKNOWN
        return value.values[0] if isinstance(value, Choice) else value

    def _named(self, token: Token) -> Part | None:
        name = token.text
        if name in _SKIPPED and not (
            (name in ("delete", "do") and (self.is_op("(") or self.look().kind == "text"))
            or (name == "echo" and self.tongue.name == "php")
        ):
            if name in ("const", "let", "var", "import") or name == "my":
                unpack(self)
            return None
        if name == "import" and self.tongue.name == "javascript" and not self.is_op("("):
            imports(self)
            return None
        if name in self.names:
            return Part(self.names[name], name)
        return Part(name_of(self.scene, self.tongue, name), name)

    def _bracket(self, opening: str) -> Value:
        closing = {"(": ")", "[": "]", "{": "}"}[opening]
        if opening == "{":
            return self._braces()
        values = self.sequence(frozenset((closing,)))
        self.at += 1
        if opening == "(" and len(values) == 1:
            return values[0]
        return Seq(tuple(values))

    def _braces(self) -> Value:
        """An object or a block: its pairs."""
        pairs: list[tuple[str, Value]] = []
        while self.at < len(self.tokens) and not self.is_op("}"):
            start = self.at
            token, after = self.look(), self.look(1)
            if token.kind in ("name", "text") and after.kind == "op" and after.text in (":", "=>", "="):
                keyed = after.text != "=" or self.tongue.name == "lua"
                if keyed:
                    self.at += 2
                    values = self.sequence(frozenset((",", "}", ";")), one_line=True)
                    pairs.append((token.text, values[-1] if values else UNKNOWN))
                    self.at += self.is_op(",", ";")
                    continue
            values = self.sequence(frozenset((",", "}")))
            if token.kind == "name" and self.at == start + 1 and values:
                pairs.append((token.text, values[0]))
            self.at += self.is_op(",") or (not self.is_op("}") and self.at == start)
        self.at += 1
        return Table(tuple(pairs))

    # what is applied to a value

    def _applied(self, part: Part) -> Part:
        value, name = part
        while self.at < len(self.tokens):
            self.steps += 1
            if self.steps > STEPS:
                raise TooMuch
            token = self.look()
            if token.kind == "op" and token.text in self.tongue.members and self.look(1).kind == "name":
                value, name = self._member(value, self.look(1).text), ""
            elif token.kind == "op" and token.text == "(":
                value, name = self._called(value), ""
            elif token.kind == "op" and token.text in ("[", "{") and self._subscripts(token.text, value):
                value, name = self._subscript(value), ""
            elif self._bare(value, token):
                value, name = self._call_bare(value), ""
            elif token.kind == "text" and isinstance(value, Ref) and self.tongue.tagged(value.name):
                value, name = self._tagged(value), ""
            elif token.kind == "op" and token.text == "->" and self.look(1).text in ("[", "{", "("):
                self.at += 1
            else:
                break
        return Part(value, name)

    def _subscripts(self, opening: str, value: Value) -> bool:
        if opening == "[":
            spaced = self.tongue.bare and self.look(-1).kind == "name" and isinstance(value, Ref)
            return not (spaced and self._known(value))
        return (
            self.tongue.name == "perl"
            and self.look(-1).kind in ("name", "op")
            and self.look(-1).text[:1] in "$]}>@-"
        )

    def _known(self, value: Value) -> bool:
        return isinstance(value, Ref) and self.tongue.deed(value.name) is not None

    def _member(self, value: Value, name: str) -> Value:
        self.at += 2
        found = choice(member_of(self.scene, self.tongue, one, name) for one in alternatives(value))
        if self.tongue.name == "ruby" and self.look().text in ("{", "do"):
            self._parameter(found)
        return found

    def _subscript(self, value: Value) -> Value:
        closing = "]" if self.is_op("[") else "}"
        self.at += 1
        bare = self.look()
        plain = (
            bare.kind == "name"
            and bare.text[0] not in "$@%"
            and self.look(1).text == closing
            and closing == "}"
        )
        if plain:
            self.at += 1
            key: Value = bare.text
        else:
            values = self.sequence(frozenset((closing,)))
            key = values[-1] if values else UNKNOWN
        self.at += 1
        return choice(self._item(one, key) for one in alternatives(value))

    def _item(self, value: Value, key: Value) -> Value:
        if isinstance(key, int) and isinstance(value, Seq):
            return value.items[key] if -len(value.items) <= key < len(value.items) else UNKNOWN
        if isinstance(key, str) and HOLE not in key:
            return member_of(self.scene, self.tongue, value, key)
        if isinstance(value, Ref) and value.name in ENVIRONMENTS:
            return ENVIRONMENT
        if isinstance(value, Ref) and value.name and isinstance(key, Unsure | str):
            return Unsure(opaque=self.tongue.name == "javascript")
        return tainted((value,))

    def _called(self, value: Value) -> Value:
        self.at += 1
        self._parameter(value)
        values = self.sequence(frozenset((")",)))
        self.at += 1
        return self._call(value, values)

    def _parameter(self, value: Value) -> None:
        """The parameter of a function that is handed to a method: an element of what the method belongs
        to, or what a promise brings."""
        if isinstance(value, Ref) and value.name.endswith(".then"):
            promised(self, Ref(value.name.removesuffix(".then")))
        if not isinstance(value, Member) or value.name not in _EACH:
            return
        ahead = 0
        while (
            self.look(ahead).text in ("(", "function", "async", "{", "do", "|")
            and self.look(ahead).kind != "text"
        ):
            ahead += 1
        name = self.look(ahead)
        if name.kind == "name":
            of = value.of
            self.names[name.text] = choice(of.items) if isinstance(of, Seq) and of.items else tainted((of,))

    def _bare(self, value: Value, token: Token) -> bool:
        """Is it a call without brackets?"""
        if not self.tongue.bare or not self._known(value):
            return False
        if token.kind in ("text", "shell", "number"):
            return True
        if token.kind == "name":
            return token.text not in ENDS
        if token.text == "<":
            return self.tongue.name == "perl"
        return token.text in ("[", "{", "-", "\\", "*") and self.tongue.bare

    def _call_bare(self, value: Value) -> Value:
        return self._call(value, self.sequence(frozenset((";", "}")), one_line=True))

    def _tagged(self, value: Value) -> Value:
        text = self._text(self.look())
        self.at += 1
        return self._call(value, [text])

    def _call(self, callee: Value, values: list[Value]) -> Value:
        results: list[Value] = []
        for one in alternatives(callee):
            own = one.name if isinstance(one, Ref) and one.name in self.own.named else ""
            results += [
                self.own.enter(self, own, given) if own else called(self, one, given)
                for given in _spread(values)
            ]
        return choice(results)

    def run(self, value: Value) -> Value:
        """Code in a text."""
        text = text_of(value)
        if NETWORK in text:
            self.scene.add(RunsFetched(self.scene.by))
        elif HOLE in text:
            self.scene.unknown(text)
        elif self.depth > DEEP - 12:
            raise TooMuch
        else:
            self.depth += 4
            values = self.read(text)
            self.depth -= 4
            return values[-1] if values else UNKNOWN
        return UNKNOWN

    def loop(self) -> None:
        """`for my $x (values)`: the name is one of the values; without a name it is `$_`."""
        ahead = 1 if self.look().text in ("my", "our") else 0
        name = self.look(ahead)
        named = name.kind == "name" and name.text.startswith("$") and self.look(ahead + 1).text == "("
        if self.tongue.name != "perl" or not (named or self.is_op("(")):
            return
        self.at += ahead + 2 if named else 1
        value = self._bracket("(")
        items = value.items if isinstance(value, Seq) else (value,)
        self.names[name.text if named else "$_"] = choice(items)

    def bind(self, name: str, value: Value) -> None:
        """A name is set; twice in code that jumps means that it may be either."""
        if self.jumps and name in self.names:
            value = choice((self.names[name], value))
        self.names[name] = value


def _number(text: str) -> Value:
    try:
        return int(text.replace("_", ""), 8 if text[0] == "0" and text.isdigit() and len(text) > 1 else 0)
    except ValueError:
        return UNKNOWN


def _spread(values: list[Value]) -> list[list[Value]]:
    """One list of arguments for each alternative of the first argument that has some."""
    for position, value in enumerate(values):
        if isinstance(value, Choice):
            return [[*values[:position], one, *values[position + 1 :]] for one in value.values]
    return [values]


_EACH = frozenset(
    "forEach map filter some every find flatMap each each_with_index select reject flat_map".split()
)
_END = Token("op", "")
