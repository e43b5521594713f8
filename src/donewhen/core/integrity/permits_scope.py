"""What an order speaks of, and whether a finding is about that.

Removing "the XML export" lets the tests of the XML export go, not those of the CSV export beside them: what
tells a thing from its neighbours must be found in the finding itself.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.permits_reading import pattern

_PATH = re.compile(
    r"[\w.@+-]{0,80}(?:/[\w.@+-]{1,80}){1,20}/?(?:::[\w.:\[\]-]{1,120})?|"
    r"[\w-]{1,80}\.[a-z]{1,4}\b(?:::[\w.:]{1,120})?|[\w.-]{1,80}/(?=\s|$|[,.`'\"])"
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*(?:[.-][A-Za-z_]\w*)*(?:\(\))?|\d+(?:\.\d+)*|[\u4e00-\u9fff]+")
_QUOTED = re.compile(
    r"[\"“「『]([^\"”」』\n]{2,120})[\"”」』]|(?<!\w)'([^'\n]{2,120})'(?!\w)|`([^`\n]{2,120})`"
)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[\u4e00-\u9fff]+")
_TEST_NAME = re.compile(r"(?:test_\w+|Test[A-Z]\w*|test[A-Z]\w*|\w+_test|\w+Tests?)(?:\.\w+)?", re.ASCII)
_SHORTEST = 5
_TELLING = 4  # letters
_TESTED = re.compile(r"test|spec|snap|::", re.IGNORECASE)


class Target(NamedTuple):
    """One thing that is spoken of."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of tests, or titles in quotes
    firm: tuple[tuple[str, ...], ...] = ()  # identifiers and the like, as tokens
    strong: tuple[str, ...] = ()  # other telling words, in their order
    weak: tuple[str, ...] = ()
    tests: bool = False  # tests are spoken of
    everything: bool = False  # all tests
    titled: bool = False  # only tests that bear its name


def targets(text: str, raw: str = "") -> tuple[Target, ...]:
    """What `text`, the object of an order, speaks of; `raw` has the same words as they were written."""
    tests = pattern(words.TEST).search(text) is not None
    tail = pattern(words.TAIL).search(text)
    named = _PATH.findall(text) if tests else []
    body = text[: tail.start()] if tail and tail.start() else text
    spelt = {word.lower(): word for word in _WORD.findall(raw)}
    quoted = {"".join(found).lower() for found in _QUOTED.findall(raw)}
    parts = [part for part in pattern(words.JOINED).split(body) if part.strip()]
    found = [_target(part, spelt, quoted, tests) for part in parts]
    if named:
        found = [*_narrowed(found), Target(paths=tuple(named), tests=True)]
    return tuple(target for target in found if target != Target(tests=target.tests))


def _narrowed(found: Iterable[Target]) -> Iterator[Target]:
    """With a path, "the tests" are those of that path."""
    return (target for target in found if not target.everything)


def _target(part: str, spelt: dict[str, str], quoted: set[str], tests: bool) -> Target:
    paths = tuple(_PATH.findall(part))
    firm = [tuple(tokens(stem_of(path))) for path in paths if not _TESTED.search(path)]
    rest = pattern(words.NO_WORD_ZH).sub(" ", _PATH.sub(" ", part))
    names: list[str] = []
    strong: list[str] = []
    weak: list[str] = []
    for word in _WORD.findall(rest):
        written = spelt.get(word, word)
        if word in words.STOP:
            continue
        if _TEST_NAME.fullmatch(written):
            names.append(word)
        elif _is_firm(word, written):
            firm.append(tuple(tokens(written.rstrip("()"))))
        elif word in words.ADJECTIVE or word in words.GENERIC:
            weak.append(word)
        else:
            strong += _chinese(word) if word > "\u4e00" else [word]
    names += [title for title in quoted if title in part and " " in title]
    pointing = pattern(words.POINTING).search(part) is not None
    bare = not (paths or names or firm or strong or weak) and not pointing
    here = pattern(words.TEST).search(part) is not None
    return Target(paths, tuple(names), tuple(firm), tuple(strong), tuple(weak), tests, bare and here)


def _is_firm(word: str, written: str) -> bool:
    odd = "_" in word or "()" in word or any(letter.isdigit() for letter in word)
    camel = re.search(r"[a-z][A-Z]", written) is not None
    acronym = len(written) > 1 and written.isupper()
    return odd or camel or acronym or word in words.FORMATS


def _chinese(word: str) -> list[str]:
    """Known words in a run of Chinese, each by its English name."""
    return [english for chinese, english in words.WORDS_ZH.items() if chinese in word] + (
        [word] if len(word) <= 8 else []
    )


def tokens(text: str) -> list[str]:
    """The words that a name or a piece of code is made of, lower case."""
    return [piece.lower() for piece in _CAMEL.findall(text)]


def stem_of(path: str) -> str:
    return posixpath.basename(path.rstrip("/")).split(".")[0]


class Subject(NamedTuple):
    """What a finding is about."""

    file: str
    test: str
    own: frozenset[str]  # words of the test's name and of the code in question
    place: frozenset[str]  # words of the file's name
    text: str  # all of it, lower case


def subject(finding: Finding) -> Subject:
    values = finding.message.values
    said = " ".join((finding.test, finding.before, str(values.get("before", "")), str(values.get("now", ""))))
    ignored = words.STOP | {"it", "self", "assert", "equal", "expect", "to", "true", "false"}
    own = frozenset(tokens(said)) - ignored
    return Subject(
        finding.file, finding.test, own, frozenset(tokens(stem_of(finding.file))) - ignored, said.lower()
    )


def about(target: Target, what: Subject) -> bool:
    """Whether the target means the subject, told from its neighbours."""
    if target.everything or any(_is_path(path, what) for path in target.paths):
        return True
    if any(_is_name(name, what.test) for name in target.names):
        return True
    if target.firm:
        return any(_has_firm(parts, what) for parts in target.firm)
    if target.titled:
        what = what._replace(own=frozenset(tokens(what.test)), text=what.test.lower())
    telling = target.strong or target.weak
    if not telling:
        return False
    own = [word for word in telling if _has(word, what)]
    if not own and all(any(similar(word, each) for each in what.place) for word in telling):
        return True
    head_only = len(telling) > 1 and own == [telling[-1]]
    return 2 * len(own) >= len(telling) and bool(own) and not head_only


def mentions(target: Target, what: Subject) -> bool:
    """Whether anything telling of the target is in the subject: enough where it is only spoken of."""
    if about(target, what):
        return True
    near = what.own | what.place
    place = what._replace(own=near | {words.SHORT[each] for each in near if each in words.SHORT})
    return any(_has(words.SHORT.get(word, word), place) or _has(word, place) for word in target.strong)


def named_alike(target: Target, what: Subject) -> bool:
    """Whether the title of a test, of which no code is known, shares a telling word with a name."""
    title = frozenset(tokens(what.test)) - words.STOP - words.GENERIC
    parts = (part for name in target.firm for part in name if len(part) >= _TELLING)
    return any(similar(part, each) for part in parts if part not in words.GENERIC for each in title)


def _has_firm(parts: tuple[str, ...], what: Subject) -> bool:
    if len(parts) > 1 and ("".join(parts) in what.text or "_".join(parts) in what.text):
        return True
    return all(part in what.own or part in what.place for part in parts)


def _has(word: str, what: Subject) -> bool:
    if word > "\u4e00":
        return word in what.text
    return any(similar(piece, own) for piece in re.split(r"[.-]", word) for own in what.own if piece)


@lru_cache(maxsize=32_768)
def similar(one: str, two: str) -> bool:
    if one == two or stem(one) == stem(two):
        return True
    short, long = sorted((one, two), key=len)
    return len(short) >= _SHORTEST and long.startswith(short)


def stem(word: str) -> str:
    for ending, least in (("ies", 5), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word.removesuffix(ending).rstrip("e") + ("y" if ending == "ies" else "")
    return word.rstrip("e") if len(word) > _SHORTEST else word


def _is_path(path: str, what: Subject) -> bool:
    file, _, name = path.removeprefix("./").partition("::")
    if name and not _is_name(name.replace("::", "."), what.test):
        return False
    short = file.rstrip("/").lower()
    where = what.file.lower()
    return where == short or where.startswith(short + "/") or where.endswith("/" + short)


def _is_name(name: str, test: str) -> bool:
    """`test_a` means `Cases.test_a` and `test_a[1]`; `Cases` means all that it holds."""
    parts = [part.strip().lower() for part in re.split(r"::|[.>\[\]]", test)]
    wanted = name.lower().split(".")
    titled = " " in name and name in test.lower()
    return titled or all(part in parts for part in wanted)
