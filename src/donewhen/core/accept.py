"""Acceptance commands: the exam that a goal, a flag or a promise file names, as the harness would run it."""

from shlex import join, quote
from typing import NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.tree import AndOr, Assign, Refused, Script, Simple, Statement


class Accept(NamedTuple):
    """`argv` is run in `cwd` with `env`; `key` only names it, so that aliases are one."""

    key: str
    label: str
    argv: tuple[str, ...]
    cwd: str = ""
    env: tuple[tuple[str, str], ...] = ()
    source: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """Two entries with the same one are the same command in the same folder."""
        return self.argv, self.cwd, self.env

    @property
    def line(self) -> str:
        """The whole as one line, which reads back as this entry."""
        return f"cd {quote(self.cwd)} && {self.text}" if self.cwd else self.label

    @property
    def text(self) -> str:
        """What is matched: the command without the folder that it is run in."""
        return " ".join((*(f"{name}={quote(value)}" for name, value in self.env), join(self.argv)))


def read_accept(text: str, parse: Parse, source: str = "") -> tuple[Accept, ...]:
    """The commands of one declared line: a `&&` chain is one entry per part, a leading `cd` its folder."""
    label = text.strip()
    if not label:
        raise UserError("accept.empty", source=source or "--accept")
    tree = parse(label)
    if isinstance(tree, Refused) or len(tree) != 1:
        raise UserError("accept.unreadable", command=label, source=source or "--accept")
    parts = [_plain(part, label, source) for part in _chain(tree)]
    entries, cwd = [], ""
    for part in parts:
        words = tuple(word.text for word in part.words)
        if words[:1] == ("cd",):
            cwd = _enter(cwd, words, label, source)
            continue
        name = label if len(parts) == 1 else _text(part)
        env = tuple((assign.name, assign.value.text) for assign in part.assigns)
        key = parse.key((Statement(part),))
        if not key.strip():
            raise UserError("accept.empty", source=source or "--accept")
        entries.append(Accept(key, name, words, cwd, env, source))
    if not entries:
        raise UserError("accept.no_command", command=label, source=source or "--accept")
    return tuple(entries)


def _chain(script: Script) -> tuple[Statement, ...]:
    command = script[0].command
    if isinstance(command, AndOr) and not script[0].background and all(op == "&&" for op, _ in command.rest):
        return (command.first, *(part for _, part in command.rest))
    return script


def _plain(statement: Statement, label: str, source: str) -> Simple:
    command = statement.command
    if isinstance(command, Simple) and command.words and not command.words[0].text.strip():
        raise UserError("accept.empty", source=source or "--accept")
    plain = isinstance(command, Simple) and command.words and _fixed(command)
    if not plain or statement.negated or statement.background or statement.redirects:
        raise UserError("accept.not_plain", command=label, source=source or "--accept")
    assert isinstance(command, Simple)
    return command


def _fixed(command: Simple) -> bool:
    return all(word.known for word in command.words) and all(map(_settable, command.assigns))


def _settable(assign: Assign) -> bool:
    return assign.value.known and not assign.append and assign.items is None and assign.key is None


def _enter(cwd: str, words: tuple[str, ...], label: str, source: str) -> str:
    from donewhen.core.paths import relative

    folders = [word for word in words[1:] if word not in ("/d", "/D", "--")]
    folder = relative(f"{cwd or '.'}/{folders[0]}") if len(folders) == 1 else None
    if folder is None or (folders and folders[0].startswith(("/", "~"))):
        raise UserError("accept.folder_outside", command=label, source=source or "--accept")
    return "" if folder == "." else folder


def _text(part: Simple) -> str:
    env = "".join(f"{assign.name}={quote(assign.value.text)} " for assign in part.assigns)
    return env + join(word.text for word in part.words)
