"""A guard rule added to the user's own file, by its text: comments, order and every other byte stay.

The new text must read as the old settings with exactly one rule more, hold every comment and load without a
problem before it replaces the old one, at once or not at all. Where that can't be had (flow style, anchors,
a file that is not in order), nothing is written and the user is told what to add by hand. A project's file
is never touched.
"""

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.comments import comments_of, lines_of
from donewhen.config.files import Read, locked, read_regular, write_whole
from donewhen.config.load import problems_in
from donewhen.config.paths import state_folder, user_file
from donewhen.config.places import ConfigError, Place, Remark, harmless
from donewhen.config.project import Source
from donewhen.config.yamltext import Item, decode, pairs_of, plain, read_yaml
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase

_WORD = re.compile(r"allow|ask|deny|[a-z]+-[0-9a-f]+")  # what no reader of YAML takes for anything else
_COMMENT_ONLY = "reason"  # says when the rule was given; two rules that differ in it alone are equal

Rule = Mapping[str, Any]


class _Unsafe(Exception):
    """The text can't be extended; why is a phrase of the catalogue."""

    def __init__(self, why: str, **values: object) -> None:
        super().__init__(why)
        self.phrase = Phrase(f"approvals.why_{why}", values)


class _Spot(NamedTuple):
    """Where lines go in, how far they are indented, and which keys must come before the rule."""

    at: int
    indent: int
    keys: tuple[str, ...]


def add_rule(rule: Rule, *, env: Mapping[str, str]) -> bool:
    """Add a rule to `guardrails.rules` of the user's file; False when an equal one is there."""
    path = user_file(env)
    target = Path(os.path.realpath(path))  # a file that is kept elsewhere and linked here stays linked
    try:
        with locked(state_folder(env) / "user-rules.lock"):
            found = read_regular(target, str(path))
            new = _extended(found.data if found else b"", path, rule)
            if new is None:
                return False
            _replace(target, found, new, path)
    except (_Unsafe, ConfigError) as error:  # one of ours: it is no file, or can't be read
        why = error.phrase if isinstance(error, _Unsafe) else _broken(error.problems[0])
        raise UserError("approvals.by_hand", place=_said(path), why=why, rule=one_line(rule)) from None
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise SetupError("approvals.unwritable", place=_said(path), why=cause, rule=one_line(rule)) from None
    return True


def _said(path: Path) -> str:
    return str(Place(str(path)))


def _broken(problem: Remark) -> Phrase:
    return Phrase("approvals.why_broken", {"problem": _phrase(problem)})


def one_line(rule: Rule) -> str:
    """The rule as one entry that can be pasted into the list."""
    return "- {" + ", ".join(f"{name}: {_value(value)}" for name, value in rule.items()) + "}"


def _replace(target: Path, found: Read | None, text: str, path: Path) -> None:
    now = read_regular(target, str(path))
    if (now.data if now else None) != (found.data if found else None):
        raise _Unsafe("meanwhile")
    mode = stat.S_IMODE(found.facts.st_mode) if found else 0o600
    if not mode & stat.S_IWUSR:  # replacing would pass by what its owner said
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    write_whole(target, text.encode(), mode)


def _extended(data: bytes, path: Path, rule: Rule) -> str | None:
    """The text with the rule in it; None when an equal rule is there."""
    try:
        text = decode(data, str(path))
        root = read_yaml(text, str(path))
        problems = problems_in(Source("config", str(path), data), path)
    except ConfigError as error:
        problems = list(error.problems)
    if problems:
        raise _Unsafe("broken", problem=_phrase(problems[0]))
    settings = plain(root) or {}
    rules = _rules_in(settings)
    for known in (each for each in rules if each.get("name") == rule["name"]):
        if _essence(known) != _essence(rule):
            raise _Unsafe("name", name=rule["name"])
        return None
    new = _spliced(text, _spot(text, root), rule)
    _prove(text, root, new, path, _with(settings, rules, rule))
    return new


def _phrase(problem: Remark) -> Phrase:
    values = {name: harmless(str(value), 400) for name, value in problem.values.items()}
    return Phrase(problem.key, {"place": str(problem.place), **values})


def _rules_in(settings: dict[str, Any]) -> list[dict[str, Any]]:
    rules = (settings.get("guardrails") or {}).get("rules") or []
    return [each for each in rules if isinstance(each, dict)]


def _with(settings: dict[str, Any], rules: Sequence[Rule], rule: Rule) -> dict[str, Any]:
    rails = settings.get("guardrails") or {}
    return {**settings, "guardrails": {**rails, "rules": [*rules, dict(rule)]}}


def _essence(rule: Rule) -> dict[str, Any]:
    return {name: value for name, value in rule.items() if name != _COMMENT_ONLY}


def _prove(old: str, root: Item | None, new: str, path: Path, expected: dict[str, Any]) -> None:
    """Nothing but the rule was added, and it loads."""
    try:
        tree = read_yaml(new, str(path))
        problems = problems_in(Source("config", str(path), new.encode()), path)
    except (ConfigError, UnicodeEncodeError):
        raise _Unsafe("shape") from None
    if problems:
        raise _Unsafe("refused", problem=_phrase(problems[0]))
    kept = Counter(comment.text for comment in comments_of(old, root))
    if plain(tree) != expected or Counter(comment.text for comment in comments_of(new, tree)) != kept:
        raise _Unsafe("shape")


def _spot(text: str, root: Item | None) -> _Spot:
    if root is None or (root.kind == "scalar" and not root.text):
        return _Spot(len(text), 0, ("guardrails", "rules"))
    if root.kind != "map":
        raise _Unsafe("shape")
    rails = _child(root, "guardrails")
    if rails is None:
        return _Spot(len(text), _column(text, root), ("guardrails", "rules"))
    if rails.kind == "scalar":
        return _below(text, root, "guardrails", ("rules",))
    rules = _child(_block(rails), "rules")
    if rules is None:
        return _Spot(_after(text, rails), _column(text, rails), ("rules",))
    if rules.kind == "scalar":
        return _below(text, rails, "rules", ())
    return _Spot(_after(text, _block(rules)), _column(text, rules), ())


def _child(parent: Item, name: str) -> Item | None:
    _block(parent)
    return next((pair.item for pair in pairs_of(parent) if pair.key == name), None)


def _block(item: Item) -> Item:
    if item.flow:
        raise _Unsafe("flow")
    return item


def _below(text: str, parent: Item, name: str, keys: tuple[str, ...]) -> _Spot:
    """Under a key that has no value yet."""
    pair = next(pair for pair in pairs_of(parent) if pair.key == name)
    if pair.item.text:
        raise _Unsafe("shape")
    return _Spot(lines_of(text).end(pair.key_item.end), _column(text, parent) + 2, keys)


def _column(text: str, item: Item) -> int:
    """How far the entries of a block are indented."""
    start = lines_of(text).start(item.start)
    before = text[start : item.start].lstrip("\ufeff")
    if before.strip(" "):
        raise _Unsafe("shape")
    return len(before)


def _after(text: str, item: Item) -> int:
    """Just after the last line of a block, without the blank lines that follow it."""
    end = item.start + len(text[item.start : item.end].rstrip())
    return lines_of(text).end(end)


def _spliced(text: str, spot: _Spot, rule: Rule) -> str:
    lines, indent = [], spot.indent
    for key in spot.keys:
        lines.append(f"{' ' * indent}{key}:")
        indent += 2
    lead = "- "
    for name, value in rule.items():
        lines.append(f"{' ' * indent}{lead}{name}: {_value(value)}")
        lead = "  "
    found = lines_of(text).break_of(0) if text else "\n"
    ending = found if found in ("\r\n", "\r") else "\n"  # not every reader takes the others for line ends
    before, after = text[: spot.at], text[spot.at :]
    gap = ending if before and not before.endswith(("\n", "\r")) else ""
    return before + gap + "".join(line + ending for line in lines) + after


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    text = str(value)
    return text if _WORD.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Double quotes with escapes as YAML has them; what is printable stays readable."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
