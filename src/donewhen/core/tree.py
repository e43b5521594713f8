"""Shell syntax trees: what a command line says, as frozen data.

`shell` makes them from text; evidence matching and the guard read them. Nothing here interprets: a tree
says what is written, whoever reads it decides what that means.
"""

from typing import Literal, NamedTuple


class Text(NamedTuple):
    """Characters that stand for themselves; unquoted ones may still be a glob, brace or tilde pattern."""

    text: str
    quoted: bool = False


class Variable(NamedTuple):
    """`$name`, `${name}`, `${name:-argument}`, `${name[key]}`; `operator` is as written, empty for none."""

    name: str
    operator: str = ""
    argument: "Word | None" = None
    key: "Word | None" = None
    quoted: bool = False


class Substitution(NamedTuple):
    """`$(…)` and backticks, `<(…)`, `>(…)`."""

    script: "Script"
    kind: Literal["$(", "<(", ">("] = "$("
    quoted: bool = False


class Arithmetic(NamedTuple):
    """`$((…))`; `parts` are the expansions inside it, which are live."""

    source: str
    parts: tuple["Part", ...] = ()
    quoted: bool = False


Part = Text | Variable | Substitution | Arithmetic


class Word(NamedTuple):
    """One word. `text` is its value when `known`, else roughly its source.

    Known: no expansion can change it (no variable, substitution, glob, brace or tilde that is not quoted).
    A known word has no parts unless some of it was quoted and it matters where (`parts` may be empty).
    """

    text: str
    known: bool = True
    parts: tuple[Part, ...] = ()


class Redirect(NamedTuple):
    operator: str  # > >> < <> >| &> &>> >& <& << <<- <<<
    target: Word  # of a here-document: its delimiter
    fd: str = ""
    body: Word | None = None  # what a here-document or <<< feeds; known when its delimiter was quoted


class Assign(NamedTuple):
    name: str
    value: Word
    append: bool = False
    key: Word | None = None
    items: tuple[Word, ...] | None = None  # of an array


class Inner(NamedTuple):
    """What a command runs in its turn: `timeout 5 npm test` runs `npm test`."""

    by: str  # the wrapper's name without folder: env, sudo, timeout, xargs, bash, find, eval, ssh, …
    script: "Script | None"  # None: can't be known (a variable as command, unreadable text, a file)
    keeps_status: bool = True  # 0 from the wrapper means that it ran and returned 0
    elsewhere: bool = False  # on another machine, in another container or root folder
    folder: Word | None = None  # the folder it is run in, when the wrapper changes that
    assigns: tuple[Assign, ...] = ()  # variables that the wrapper sets for it
    own_shell: bool = False  # a shell of its own: its options, variables and `exit` stay inside
    errexit: bool = False  # that shell was started with -e, or with -o pipefail
    pipefail: bool = False
    file: Word | None = None  # the file whose text it runs (`bash FILE`, `. FILE`); `script` is None then


class Simple(NamedTuple):
    """Words after assignments; no words: the assignments stay in the shell."""

    words: tuple[Word, ...] = ()
    assigns: tuple[Assign, ...] = ()
    inner: tuple[Inner, ...] = ()


class Declare(NamedTuple):
    """`export`, `declare`, `local`, `readonly`, `typeset`, `nameref`: options as words, then names."""

    variant: str
    words: tuple[Word, ...] = ()
    assigns: tuple[Assign, ...] = ()  # a name without value has an empty, unknown word


class Pipeline(NamedTuple):
    parts: tuple["Statement", ...]
    with_stderr: bool = False


class AndOr(NamedTuple):
    """`first && a || b …`, read from left to right with equal rank."""

    first: "Statement"
    rest: tuple[tuple[Literal["&&", "||"], "Statement"], ...]


class Subshell(NamedTuple):
    body: "Script"


class Group(NamedTuple):
    body: "Script"


class If(NamedTuple):
    branches: tuple[tuple["Script", "Script"], ...]  # condition, body; the first is `if`, others `elif`
    otherwise: "Script | None" = None


class Loop(NamedTuple):
    kind: Literal["while", "until"]
    condition: "Script"
    body: "Script"


class For(NamedTuple):
    """`for`, `select` and the arithmetic `for ((…))`, whose text is in `source`."""

    name: str
    words: tuple[Word, ...] | None  # None: the positional parameters
    body: "Script"
    kind: Literal["for", "select", "arithmetic"] = "for"
    source: str = ""


class CaseItem(NamedTuple):
    patterns: tuple[Word, ...]
    body: "Script"
    operator: Literal[";;", ";&", ";;&"] = ";;"


class Case(NamedTuple):
    word: Word
    items: tuple[CaseItem, ...]


class Function(NamedTuple):
    name: str
    body: "Statement"


class Test(NamedTuple):
    """`[[ … ]]`: its words and operators in order of appearance."""

    words: tuple[Word, ...]


class Calculation(NamedTuple):
    """`((…))` and `let`."""

    source: str
    parts: tuple[Part, ...] = ()


class Coprocess(NamedTuple):
    name: str
    body: "Statement"


class Timed(NamedTuple):
    body: "Statement | None"


Command = (
    Simple
    | Declare
    | Pipeline
    | AndOr
    | Subshell
    | Group
    | If
    | Loop
    | For
    | Case
    | Function
    | Test
    | Calculation
    | Coprocess
    | Timed
)


class Statement(NamedTuple):
    command: Command
    negated: bool = False
    background: bool = False
    redirects: tuple[Redirect, ...] = ()


Script = tuple[Statement, ...]


class Refused(NamedTuple):
    """A text that was not read; `reason` is a key of the catalogue."""

    reason: str
    detail: str = ""


Tree = tuple[Statement, ...] | Refused
