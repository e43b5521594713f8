"""Shell arithmetic on constants and variables: `$((1 + x * 2))`, array indexes, `((i++))`.

Signed 64 bit as the shell has it, bounded in length and depth. What is not simple has no value here (None);
expansions inside were put in before, and no code is run from here.
"""

from collections.abc import Callable

from donewhen.core.lazy import lazy

_TOKEN = lazy(
    r"\s*(?:(0[xX][0-9a-fA-F]+|[0-9]+#[0-9a-zA-Z@_]+|[0-9]+)(?![0-9a-zA-Z_#])|([A-Za-z_][A-Za-z0-9_]*)(?!\[)"
    r"|(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:,()]))"
)
_RANKS = {
    "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, ">": 9, "<=": 9, ">=": 9,
    "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 13,
}  # fmt: skip
_ASSIGNING = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())
_CONDITIONAL = frozenset(("&&", "||", "?"))
_MAX_TOKENS = 400
_DEEPEST = 24
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"

Look = Callable[[str, int], int | None]  # a variable's number, at this depth
Put = Callable[[str, int], None]


class _Unknown(Exception):
    """No value."""


def evaluate(text: str, look: Look, put: Put, depth: int = 0) -> int | None:
    """The value; None when it can't be told."""
    tokens = _tokens(text) if depth < _DEEPEST and len(text) <= 4096 else None
    if tokens is None:
        return None
    if not tokens:
        return 0
    assigns = any(token in _ASSIGNING or token in ("++", "--") for token in tokens)
    if assigns and not _CONDITIONAL.isdisjoint(tokens):
        return None  # which of them happen depends on the values
    reader = _Reader(tokens, look, put, depth)
    try:
        value = reader.comma()
        return value if reader.at == len(tokens) else None
    except _Unknown:
        return None


def _tokens(text: str) -> list[str] | None:
    text = text.rstrip()
    found: list[str] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(found) >= _MAX_TOKENS:
            return None
        found.append(token[token.lastindex or 0])
        at = token.end()
    return found


class _Reader:
    __slots__ = ("_deep", "_depth", "_look", "_put", "_tokens", "at")

    def __init__(self, tokens: list[str], look: Look, put: Put, depth: int) -> None:
        self._tokens = tokens
        self._look = look
        self._put = put
        self._depth = depth
        self._deep = 0
        self.at = 0

    def _next(self) -> str:
        return self._tokens[self.at] if self.at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self.at += 1
        return token

    def comma(self) -> int:
        value = self._assignment()
        while self._next() == ",":
            self._take()
            value = self._assignment()
        return value

    def _assignment(self) -> int:
        name = self._next()
        operator = self._tokens[self.at + 1] if self.at + 1 < len(self._tokens) else ""
        if not _is_name(name) or operator not in _ASSIGNING:
            return self._conditional()
        self.at += 2
        self._enter()
        value = self._assignment()
        self._deep -= 1
        if operator != "=":
            value = _calculated(operator[:-1], self._value(name), value)
        self._put(name, value)
        return value

    def _conditional(self) -> int:
        value = self._binary(3)
        if self._next() != "?":
            return value
        self._take()
        self._enter()
        first = self.comma()
        if self._take() != ":":
            raise _Unknown
        second = self._conditional()
        self._deep -= 1
        return first if value else second

    def _binary(self, lowest: int) -> int:
        self._enter()
        value = self._unary()
        while _RANKS.get(self._next(), 0) >= lowest:
            operator = self._take()
            rank = _RANKS[operator]
            value = _calculated(operator, value, self._binary(rank if operator == "**" else rank + 1))
        self._deep -= 1
        return value

    def _unary(self) -> int:
        token = self._take()
        if token in ("-", "+", "!", "~"):
            self._enter()
            value = self._unary()
            self._deep -= 1
            return _wrapped({"-": -value, "+": value, "!": int(not value), "~": ~value}[token])
        if token in ("++", "--"):
            name = self._take()
            return self._changed(name, 1 if token == "++" else -1)  # noqa: S105 (an operator)
        if token == "(":  # noqa: S105 (a bracket)
            self._enter()
            value = self.comma()
            self._deep -= 1
            if self._take() != ")":
                raise _Unknown
            return value
        return self._operand(token)

    def _operand(self, token: str) -> int:
        if _is_name(token):
            value = self._value(token)
            if self._next() in ("++", "--"):
                self._changed(token, 1 if self._take() == "++" else -1)
            return value
        return _number(token)

    def _changed(self, name: str, by: int) -> int:
        if not _is_name(name):
            raise _Unknown
        value = _wrapped(self._value(name) + by)
        self._put(name, value)
        return value

    def _value(self, name: str) -> int:
        value = self._look(name, self._depth + 1)
        if value is None:
            raise _Unknown
        return value

    def _enter(self) -> None:
        self._deep += 1
        if self._deep > 4 * _DEEPEST:
            raise _Unknown


def _is_name(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"


def _number(token: str) -> int:
    base, sharp, digits = token.partition("#")
    try:
        if not sharp:
            octal = len(token) > 1 and token[0] == "0" and token[1] not in "xX"
            return _wrapped(int(token, 8) if octal else int(token, 0))
        radix = int(base)
        places = [_DIGITS.index(digit.lower() if radix <= 36 else digit) for digit in digits]
    except ValueError:
        raise _Unknown from None
    if not 2 <= radix <= 64 or max(places) >= radix or len(places) > 64:
        raise _Unknown
    value = 0
    for place in places:
        value = value * radix + place
    return _wrapped(value)


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _divided(left: int, right: int) -> int:
    if right == 0:
        raise _Unknown
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _power(left: int, right: int) -> int:
    if right < 0:
        raise _Unknown
    return pow(left, right, 2**64)


_CALCULATE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b),
    "**": _power,
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
}


def _calculated(operator: str, left: int, right: int) -> int:
    return _wrapped(_CALCULATE[operator](left, right))
