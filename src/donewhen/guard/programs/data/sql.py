"""What a text for a database does: data that would be lost, commands and files that it reaches.

Strings and comments are no statements, but the code inside `DO` and `EXECUTE` is. Statements that only look
or add are nothing; nothing is said about whether the data matters.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from donewhen.core.lazy import lazy
from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Destroys, Effect, Reads, RunsFetched, Unknown, Writes
from donewhen.guard.marks import HOLE, NETWORK, anything

Found = Iterator[Effect | Nested]
# Projects keep these in files of their own: what happens there is asked about, and rows are theirs to change.
_LOCAL = frozenset("sqlite3 sqlite litecli duckdb".split())
_REST = r"|/\*!?\d*|\*/|`[^`]*`|\$(?:[A-Za-z_]\w*)?\$|[A-Za-z_][\w$]*|[;()=]|\d+"
_BACKSLASHED = r"'(?:[^'\\]|''|\\.)*+(?:'|\\?\Z)"
# Only MySQL takes backslashes in strings, wants a blank behind `--` and knows `#`.
_MYSQL = lazy(
    r"--(?=\s|\Z)[^\n]*|#[^\n]*|" + _BACKSLASHED + r'|"(?:[^"\\]|""|\\.)*+(?:"|\\?\Z)' + _REST, re.DOTALL
)
_STANDARD = lazy(
    r"--[^\n]*|[eE]" + _BACKSLASHED + r"""|'(?:[^']|'')*+(?:'|\Z)|"[^"]*(?:"|\Z)""" + _REST, re.DOTALL
)
_MYSQLS = frozenset("mysql mariadb mycli mysqlsh wp tidb".split())
_GONE = frozenset(
    "DATABASE TABLE SCHEMA KEYSPACE OWNED TABLESPACE MATERIALIZED COLLECTION "
    "MEASUREMENT SERIES "
    "SHARD BUCKET STREAM CATALOG DICTIONARY".split()
)
_PERHAPS = frozenset(
    "INDEX VIEW USER ROLE FUNCTION PROCEDURE TRIGGER TYPE SEQUENCE EXTENSION "
    "CONSTRAINT DOMAIN "
    "POLICY PUBLICATION SUBSCRIPTION SERVER EVENT LOGIN RULE AGGREGATE OPERATOR "
    "CAST".split()
)
_RIGHTS = frozenset("GRANT REVOKE SHUTDOWN PURGE KILL".split())
_HELD = frozenset("DO EXECUTE PREPARE EXEC CALL DECLARE BEGIN".split())
_MAX = 65_536
_DEPTH = 3


def sql_effects(text: str, program: str, target: str) -> Found:
    """What the statements lose or run; `target` names the database for people; paths are as written."""
    if NETWORK in text:
        yield RunsFetched(program)
    elif anything(text) or len(text) > _MAX:
        yield Unknown("guard.unknown_code", text[:200])
    yield from _run(text[:_MAX], program, target or program, 0)


def _run(text: str, program: str, target: str, depth: int) -> Found:
    for statement in _statements(text, _MYSQL if program in _MYSQLS else _STANDARD):
        words = [word.upper() for word in statement]
        loss = _loss(words, program in _LOCAL)
        if loss is not None:
            yield Destroys("database", target, sure=loss and program not in _LOCAL)
        yield from _reached(words, statement, program)
        if words and words[0] in _HELD and depth < _DEPTH:
            for one in statement:
                if one[0] in "'$" and len(one) > 6:
                    yield from _run(_inside(one), program, target, depth + 1)


def _statements(text: str, tokens: re.Pattern[str]) -> Iterator[list[str]]:
    """Tokens between semicolons; comments are left out, except those that MySQL runs."""
    one: list[str] = []
    at = 0
    while (found := tokens.search(text, at)) is not None:
        token = found[0]
        at = found.end()
        if found[0] == ";" or (token.upper() == "GO" and one):
            yield one
            one = []
        elif token.startswith(("--", "#")) or found[0] == "*/":
            continue
        elif token.startswith("/*"):
            end = text.find("*/", at)
            at = at if token.startswith("/*!") or end < 0 else end + 2
        elif token[0] == "$":
            end = text.find(token, at)
            end = len(text) if end < 0 else end
            one.append(f"${text[at:end]}$")
            at = end + len(token)
        else:
            one.append(token)
    if one:
        yield one


def _inside(token: str) -> str:
    return token[1:-1].replace("''", "'")


def _loss(words: Sequence[str], local: bool) -> bool | None:
    """True: lost for sure; False: perhaps; None: nothing."""
    pairs = list(zip(words, (*words[1:], ""), strict=False))
    first = words[0] if words else ""
    if first == "CREATE" and not {"FUNCTION", "PROCEDURE", "TRIGGER", "RULE", "EVENT"}.isdisjoint(words[:6]):
        return None
    if first in ("SHOW", "DESCRIBE", "DESC", "HELP", "COMMENT"):
        return None
    if any(word == "DROP" and after in _GONE for word, after in pairs) or first == "TRUNCATE":
        return True
    if "TRUNCATE" in words[:4] and first in _HELD | {"EXPLAIN", "WITH", "ALTER"}:
        return True
    if first == "ALTER" and "DROP" in words:
        kept = {after for word, after in pairs if word == "DROP"}
        return not kept <= {
            "NOT",
            "DEFAULT",
            "CONSTRAINT",
            "INDEX",
            "IDENTITY",
            "EXPRESSION",
            "FOREIGN",
            "PRIMARY",
            "KEY",
        }
    changed = _rows(words, pairs, local)
    if changed is not None:
        return changed
    rights = first in _RIGHTS or (first, words[1] if len(words) > 1 else "") in _ACCOUNTS
    dropped = any(word == "DROP" and after in _PERHAPS for word, after in pairs)
    return False if rights or dropped or "PG_TERMINATE_BACKEND" in words else None


_ACCOUNTS = frozenset(
    (
        ("ALTER", "USER"),
        ("ALTER", "ROLE"),
        ("ALTER", "SYSTEM"),
        ("SET", "GLOBAL"),
        ("RESET", "MASTER"),
        ("SET", "PERSIST"),
    )
)


def _rows(words: Sequence[str], pairs: Sequence[tuple[str, str]], local: bool) -> bool | None:
    """Rows that are deleted or overwritten: all, without a condition or with one that is always true."""
    deletes = any(word == "DELETE" and after == "FROM" for word, after in pairs) or words[:1] == ["DELETE"]
    updates = words[:1] == ["UPDATE"] or ("UPDATE" in words and words[:1] == ["WITH"])
    if not deletes and not updates:
        return None
    bounded = "WHERE" in words and not _always(words[words.index("WHERE") + 1 :])
    if deletes and not bounded:
        return True
    return None if local and bounded else False


def _always(condition: Sequence[str]) -> bool:
    rest = [word for word in condition if word not in "()"]
    return rest[:1] == ["TRUE"] or rest == ["1"] or (len(rest) >= 3 and rest[1] == "=" and rest[0] == rest[2])


def _reached(words: Sequence[str], tokens: Sequence[str], program: str) -> Found:
    """Commands and files of the machine that a statement names."""
    for at, word in enumerate(words[:-1]):
        following = tokens[at + 1]
        text = _inside(following) if following[0] in "'\"" else ""
        if not text:
            continue
        if word in ("PROGRAM", "XP_CMDSHELL"):
            yield Text(text, program)
        elif word in ("OUTFILE", "DUMPFILE") or (
            word == "TO" and words[0] in ("COPY", "EXPORT", "BACKUP", "ATTACH")
        ):
            yield Writes(text)
        elif word in ("INFILE", "FROM") and words[0] in ("COPY", "LOAD", "IMPORT", "SELECT"):
            yield from (Reads(text),) if following[0] == "'" and "/" in text else ()
        elif word == "INTO" and words[0] == "VACUUM":
            yield Writes(text)
    for at, word in enumerate(words[:-2]):
        if (
            word in ("LOAD_FILE", "PG_READ_FILE", "PG_READ_BINARY_FILE", "READFILE")
            and tokens[at + 2][0] == "'"
        ):
            yield Reads(_inside(tokens[at + 2]))


# Lines that a client takes for itself: shells, files, output.
_SHELL = ("\\!", "!!", ":!!", "system ", "\\system ")
_FILES = ("\\i ", "\\ir ", "\\include ", "source ", "\\. ", ":r ", ".read ")
_OUT = (
    "\\o ",
    "\\out ",
    "\\w ",
    "\\write ",
    "\\g ",
    "\\s ",
    "tee ",
    "\\T ",
    ":out ",
    "\\copy ",
    "pager ",
    "\\P ",
    "spool ",
)


# A result for a command or a file, behind its statement.
_SENT = re.compile(r"\\gx?(?:\s*+(?=\|)|\s++(?:\([^()\n]*\)\s*+)?)([|/~.\w].*)")
_VARIABLE = re.compile(r":(?:'(\w+)'|\"(\w+)\"|(\w+))")

_STARTS = re.compile(r";|(?:^|\n)[ \t]*+\\[^\n]*\n")  # where a statement begins: also behind a client's line
_NEAR = 400


def filled(text: str, variables: Mapping[str, str]) -> str:
    """A text of psql with the variables that the line sets; a statement of an unknown one is unknown."""

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[3]
        if found.start() and text[found.start() - 1] == ":":
            return found[0]
        before = text[max(0, found.start() - _NEAR) : found.start()]
        alone = found[3] and not _STARTS.split(before)[-1].strip()
        return variables.get(name, HOLE if alone else found[0])

    return _VARIABLE.sub(value, text)


def client_effects(call: Call, text: str) -> Found:
    """Commands to the client itself, one a line."""
    if "\\" not in text and not any(word in text for word in ("!", "system", "source", "pager", "tee", ":")):
        return
    for line in text[:_MAX].splitlines():
        line = line.strip().rstrip(";")
        low = line.lower()
        if low.startswith(_SHELL):
            yield Text(
                line[2:] if line[:1] in "\\!" and not low.startswith("\\sys") else line.partition(" ")[2],
                call.name,
            )
        elif low.startswith(_FILES):
            yield Reads(call.at(line.split(None, 1)[-1].strip("'\"")))
        elif low.startswith(_OUT):
            yield from _output(call, line)
        elif (sent := _SENT.search(line)) is not None:
            yield from _output(call, f"\\g {sent[1]}")
        elif "\\gexec" in low:
            yield Unknown("guard.unknown_code", line)
        if line.startswith("\\") and "`" in line:
            yield Text(line.split("`")[1], call.name)


def _output(call: Call, line: str) -> Found:
    command, _, rest = line.partition(" ")
    rest = rest.strip()
    if command.lower() == "\\copy":
        low = rest.lower()
        for word in (" to ", " from "):
            before, found, after = low.partition(word)
            if not found:
                continue
            place = rest[len(before) + len(word) :].strip()
            if after.lstrip().startswith("program"):
                yield Text(place[7:].strip().strip("'"), call.name)
            elif after.lstrip().split(" ")[0] not in ("stdin", "stdout", "pstdin", "pstdout"):
                path = call.at((place.split() or [""])[0].strip("'"))
                yield Writes(path) if word == " to " else Reads(path)
    elif rest.startswith("|") or command.lower() in ("pager", "\\p"):
        yield Text(rest.lstrip("|"), call.name)
    elif rest:
        yield Writes(call.at(rest.strip("'\"")))
