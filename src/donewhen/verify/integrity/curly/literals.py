"""Literals of the three languages in the one form in which all readers write them.

Whatever is not wholly made of literals has no form: None, never a guess.
"""

import json
import re
from textwrap import dedent

from donewhen.verify.integrity.curly.grove import Twig
from donewhen.verify.integrity.curly.paths import arguments, base, dotted

_DEEPEST = 12
_LONGEST = 400  # entries of one list; larger ones are data, told by their elements alone
_SUFFIX = re.compile(r"(?:_?[iu](?:8|16|32|64|128|size)|_?f(?:32|64))$")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u+([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_RAW = re.compile(r'(?:b|c)?r?(#*)"(.*)"\1\Z', re.DOTALL)
_WRAPPERS = frozenset(("paren", "ref", "cast", "literal_element", "expression_list", "made", "composite"))


def number(text: str) -> str:
    """`1_000u32`, `0x1F`, `2L`, `1.50f` in shortest form; as it is written where it is nothing we know."""
    plain = text.replace("_", "").lower()
    if not plain.startswith("0x"):
        plain = plain.rstrip("ldf") if plain[-1:] in "ldf" else _SUFFIX.sub("", plain)
    else:
        plain = _SUFFIX.sub("", plain).rstrip("l")
    try:
        value = int(plain, 8 if re.fullmatch(r"0[0-7]+", plain) else 0)
    except ValueError:
        try:
            return real(float(plain))
        except ValueError:
            return text
    return str(value) if value.bit_length() < 4096 else text


def real(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)


def quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def string(text: str) -> str:
    """A string or character as JSON has it."""
    if text.startswith("`"):
        return quoted(text[1:-1])
    if text.startswith('"""'):
        return quoted(_unescaped(dedent(text[3:-3].removeprefix("\n"))))
    raw = _RAW.match(text)
    if raw and (raw.group(1) or text.startswith(("r", "br", "cr"))):
        return quoted(raw.group(2))
    return quoted(_unescaped(text.lstrip("bc")[1:-1]))


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        code = found.group(1) or found.group(2) or found.group(3)
        if code:
            value = int(code, 16)
            return chr(value) if value < 0x110000 else found.group(0)
        return _ESCAPES.get(found.group(4), found.group(4))

    return _ESCAPE.sub(one, text)


def scalar(twig: Twig) -> str | None:
    """A single value, negative numbers included."""
    while twig.kind in _WRAPPERS and len(twig.kids) == 1:
        twig = twig.kids[0]
    if twig.kind == "number":
        return number(twig.text)
    if twig.kind == "string":
        return string(twig.text)
    if twig.kind == "true":
        return twig.text
    if twig.kind in ("false", "null"):
        return twig.kind
    if twig.kind == "unary" and twig.operator() == "-" and twig.kids and twig.kids[0].kind == "number":
        plain = number(twig.kids[0].text)
        return "0" if plain == "0" else f"-{plain}"
    return None


def canonical(twig: Twig, makers: frozenset[str] = frozenset(), depth: int = 0) -> str | None:
    """Of a literal, or of a list or map made of nothing else."""
    if not makers or depth:
        return _canonical(twig, makers, depth)
    if twig.value is False:
        twig.value = _canonical(twig, makers, 0)
    return twig.value if isinstance(twig.value, str) else None


def _canonical(twig: Twig, makers: frozenset[str], depth: int) -> str | None:
    plain = scalar(twig)
    if plain is not None or depth > _DEEPEST:
        return plain
    if twig.kind in _WRAPPERS and twig.kids:
        return canonical(twig.kids[-1], makers, depth + 1)
    if twig.kids and (twig.kind == "cast_as" or (twig.kind == "unary" and twig.operator() == "&")):
        return canonical(twig.kids[0], makers, depth + 1)
    if twig.kind == "call":
        return _made(twig, makers, depth)
    if twig.kind not in ("list", "literal_value", "tokens"):
        return None
    entries = elements(twig)
    if entries is None or len(entries) > _LONGEST:
        return None
    parts = [_entry(key, value, makers, depth + 1) for key, value in entries]
    if any(part is None for part in parts):
        return None
    inside = ", ".join(part for part in parts if part is not None)
    return f"{{{inside}}}" if any(key is not None for key, _ in entries) else f"[{inside}]"


def _entry(key: Twig | None, value: Twig, makers: frozenset[str], depth: int) -> str | None:
    written = canonical(value, makers, depth)
    if written is None or key is None:
        return written
    name = canonical(key, makers, depth) or (
        quoted(key.text) if key.kind in ("ident", "literal_element") else None
    )
    return None if name is None else f"{name}: {written}"


def _made(twig: Twig, makers: frozenset[str], depth: int) -> str | None:
    """`List.of(1, 2)`, `String::from("x")`, `"x".to_string()`: calls that only dress a literal."""
    name = dotted(twig)
    tail = "." + name.rpartition(".")[2]
    if tail in makers:
        under = base(twig)
        return None if under is None else canonical(under, makers, depth + 1)
    if name not in makers:
        return None
    args = arguments(twig)
    if name in _SINGLE:
        return canonical(args[0], makers, depth + 1) if len(args) == 1 else None
    parts = [canonical(arg, makers, depth + 1) for arg in args[:_LONGEST]]
    if any(part is None for part in parts):
        return None
    written = [part for part in parts if part is not None]
    if name.startswith("Map."):
        pairs = zip(written[::2], written[1::2], strict=False)
        return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    return "[" + ", ".join(written) + "]"


_SINGLE = frozenset(
    ("String::from", "Some", "Ok", "Box::new", "Rc::new", "Arc::new", "HashMap::from", "BTreeMap::from",
     "HashSet::from", "BTreeSet::from", "Vec::from", "new", "BigDecimal.valueOf", "Optional.of",
     "Integer.valueOf",
     "Long.valueOf", "Double.valueOf", "BigInteger.valueOf", "errors.New")
)  # fmt: skip


def spelled(written: str) -> list[str]:
    """A canonical literal and what it is made of: `[1, 2]`, `1`, `2`."""
    if written[:1] not in "[{":
        return [written]
    try:
        waiting = [json.loads(written)]
    except ValueError:
        return [written]
    found: list[str] = []
    while waiting:
        here = waiting.pop()
        found.append(json.dumps(here, ensure_ascii=False))
        if isinstance(here, list):
            waiting.extend(reversed(here))
        elif isinstance(here, dict):
            waiting.extend(reversed(here.values()))
    found[0] = written
    return found


def elements(twig: Twig) -> list[tuple[Twig | None, Twig]] | None:
    """Entries of a list (no key) or map; None where it is neither."""
    while twig.kind in _WRAPPERS and twig.kids:
        twig = twig.kids[-1]
    if twig.kind not in ("list", "literal_value", "tokens"):
        return None
    found: list[tuple[Twig | None, Twig]] = []
    for kid in twig.kids:
        if kid.kind in ("keyed_element", "field_initializer") and len(kid.kids) >= 2:
            found.append((kid.kids[0], kid.kids[-1]))
        else:
            found.append((None, kid))
    return found


def evaluated(text: str) -> str:
    """A cell of a text table (`1, 'a b', true`) as a literal: a number or word as such, the rest a string."""
    cell = text.strip()
    if re.fullmatch(r"[+-]?[0-9][0-9_.eE+-]{0,40}", cell):
        return number(cell.lstrip("+")) if not cell.startswith("-") else f"-{number(cell[1:])}"
    if cell in ("true", "false"):
        return cell
    if len(cell) > 1 and cell[0] == cell[-1] == "'":
        return quoted(cell[1:-1])
    return quoted(cell)
