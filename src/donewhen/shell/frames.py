"""Inner commands: the frame that a wrapper gives, and the words, text or input that goes into it.

When it is not sure where the inner command begins, there are two: the likely one, and one that is not
known; neither keeps the status then.
"""

from collections.abc import Sequence

from donewhen.core.tree import Assign, Inner, Simple, Statement, Text, Word
from donewhen.shell.feed import Feed
from donewhen.shell.nest import Nest
from donewhen.shell.options import Given, read_options
from donewhen.shell.words import prefix, splits
from donewhen.shell.wrappers import Wrapper


def wrapped(name: str, words: Sequence[Word], table: Wrapper, feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """The command behind a wrapper of the table."""
    given = read_options(words, table.options)
    if given.has(table.idle_with):
        return ()
    inner = _frame(name, given, table)
    texts = given.values(table.text)
    if texts:
        return nest.text(texts[-1], inner._replace(own_shell=True))
    sure = given.sure and not any(map(splits, given.rest[: table.operands]))
    if table.in_operand and given.rest:
        inner = inner._replace(folder=given.rest[0])
    rest: Sequence[Word] = given.rest[table.operands :]
    if table.operands and rest and rest[0].known and rest[0].text == "--":
        rest = rest[1:]
    if table.assigns:
        assigns, rest = leading_assigns(rest)
        inner = inner._replace(assigns=inner.assigns + assigns)
        sure = sure and not (rest and splits(rest[0]))
    if not rest and given.has(table.shell_with):
        return fed_shell(inner._replace(own_shell=True), feed, nest)
    if table.joined and not given.has(frozenset(("-x", "--exec"))):
        return joined(inner, rest, feed, nest)
    return behind(inner, rest, feed, nest, sure)


def _frame(name: str, given: Given, table: Wrapper) -> Inner:
    if not given.options:
        keeps = table.keeps and not table.keeps_with
        return Inner(name, None, keeps, table.elsewhere, own_shell=table.own_shell)
    keeps = table.keeps and not given.has(table.drops_with)
    if table.keeps_with:
        keeps = keeps and given.has(table.keeps_with)
    folders = [Word("~")] if given.has(table.home_with) else given.values(table.folder)
    set_here, _ = leading_assigns(given.values(table.sets))
    return Inner(
        name,
        None,
        keeps,
        table.elsewhere or given.has(table.elsewhere_with),
        folders[-1] if folders else None,
        set_here,
        table.own_shell,
    )


def behind(
    inner: Inner, words: Sequence[Word], feed: Feed, nest: Nest, sure: bool = True
) -> tuple[Inner, ...]:
    """`inner` with `words` as its command."""
    if not words:
        return (inner._replace(script=None),) if feed.open_end or not sure else ()
    found = tuple(words)
    command = Statement(Simple(found, inner=nest.unwrap(found, feed)))
    if sure:
        return (inner._replace(script=(command,)),)
    unsure = inner._replace(keeps_status=False)
    return (unsure._replace(script=(command,)), unsure)


def joined(inner: Inner, words: Sequence[Word], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """`inner` with all words as one text."""
    if not words:
        return (inner,) if feed.open_end else ()
    if feed.open_end:
        return (*nest.text(as_text(words), inner._replace(keeps_status=False)), inner)
    return nest.text(as_text(words), inner)


def as_text(words: Sequence[Word]) -> Word:
    """The words with blanks between them, as `eval` and ssh join them."""
    if len(words) == 1:
        return words[0]
    text = " ".join(word.text for word in words)
    if all(word.known for word in words):
        return Word(text)
    parts = [part for word in words for part in (*(word.parts or (Text(word.text, True),)), Text(" ", True))]
    return Word(text, False, tuple(parts[:-1]))


def fed_shell(inner: Inner, feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """A shell that runs what it reads."""
    if feed.stdin is None:
        return (inner,)
    if feed.stdin.body is not None:
        return nest.text(feed.stdin.body, inner)
    return (inner._replace(file=feed.stdin.target if feed.stdin.operator == "<" else None),)


def leading_assigns(words: Sequence[Word]) -> tuple[tuple[Assign, ...], Sequence[Word]]:
    """NAME=value words at the beginning, and what is left."""
    found = []
    for word in words:
        name, equals, value = prefix(word).partition("=")
        if not equals or not name or name.startswith("-"):
            break
        if word.known:
            found.append(Assign(name, Word(value)))
        else:
            first, *others = word.parts
            rest = (Text(value, isinstance(first, Text) and first.quoted),) if value else ()
            found.append(Assign(name, Word(word.text.partition("=")[2], False, (*rest, *others))))
    return tuple(found), words[len(found) :]


def after_dashes(words: Sequence[Word]) -> Sequence[Word] | None:
    """What follows the first `--`."""
    for at, word in enumerate(words):
        if word.known and word.text == "--":
            return words[at + 1 :]
    return None
