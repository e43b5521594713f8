"""What an agent's message claims that can be checked, by the patterns of `claims.toml`. Pure.

Tuned to miss: what is hedged, negated, conditional, planned, quoted or somebody else's claims nothing.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from donewhen.project.programs import MANIFESTS

Kind = Literal[
    "tests", "lint", "build", "made", "deleted", "committed", "pushed", "answers", "key", "dependency"
]
_LONGEST = 60_000  # characters of a message, from its end
_SENTENCE = 600  # characters of one sentence
_MOST = 40  # claims
_FENCE = re.compile(r"^ {0,8}(```|~~~).*?(?:^ {0,8}\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\([^)\n]{0,300}\)")
_QUOTE = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|(?<!\w)'[^'\n]{8,300}'(?!\w)"
)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*)$|^\s*\*\*([^*\n]{1,80})\*\*\s*[:：]?\s*$")
_LABEL = re.compile(r"^(?!\s*[-*+|] )([^|\n]{1,120})[:：]\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)、])\s+(.*)$")
_OPEN = re.compile(r"^\s*(?:[-*+]\s+)?\[ \]|[❌✗✘⚠⏳🔲☐🚫❓]")
_ENDS = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？；;])")
_URL = re.compile(
    r"https?://(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d{1,5})?(?:/[^\s`'\"<>)（），。；、|*]*)?",
    re.I,
)
_ANY_URL = re.compile(r"\w+://\S+")
_CODE = re.compile(r"(`{1,2})([^`\n]{1,300})\1")
_BARE = re.compile(
    r"(?<![\w/.@‹-])(?:[\w@.-]+/)*[\w.@-]*\.?[A-Za-z]\w*(?:\.\w+)+(?![\w/(])|(?<![\w/.@‹-])\.env(?:\.\w+)?(?!\w)",
    re.ASCII,
)
_KEY = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_NAME = re.compile(r"@?[A-Za-z][\w.-]*(?:/[\w.-]+)?(?:\[[\w,-]+\])?", re.ASCII)
_MARK = re.compile(r"‹([A-Z])(\d+)›")
_BREAK = r"[,，;；:：(（]|\s[—–-]+\s|——|但|不过|而且"
_CLAUSE_BEFORE = re.compile(
    rf"{_BREAK}|、|\b(?:but|so|while|whereas)\b|\band (?=the |all |it |there |no |everything )"
)
_CLAUSE_AFTER = re.compile(
    rf"{_BREAK}|\b(?:but|so|and|while|whereas|since|because|as (?=it|they|no))\b|并|和"
)
_COUNTED = r" ?(?:[a-z-]+ ){0,3}tests?\b| ?测试| passed| pass\b| passing| ?(?:全部|都)?通过"
_NUMBERS = "zero one two three four five six seven eight nine ten".split()
_COUNT = re.compile(
    rf"(?<![\w.])(\d{{1,6}}|{'|'.join(_NUMBERS[2:])})(?:/\d+)?(?= ?(?:个|项|条)?(?:{_COUNTED}))", re.I
)


class Claim(NamedTuple):
    kind: Kind
    subject: str = ""  # the path, address, key or package
    place: str = ""  # the file that is named with it
    said: str = ""  # the sentence
    partial: bool = False  # of a part of which the whole exam says nothing
    command: str = ""  # that the agent names
    tests: int | None = None  # how many it speaks of


class _Table:
    """The patterns of `claims.toml`, compiled."""

    def __init__(self) -> None:
        data = tomllib.loads(files(__package__).joinpath("claims.toml").read_text(encoding="utf-8"))
        marks = {"tests": "T", "lint": "L", "build": "B", "url": "U", "path": "P", "key": "K", "name": "[NK]"}
        words = {**data["words"], **{name: rf"‹{mark}\d+›" for name, mark in marks.items()}, "clean": "‹OK›"}
        for name in ("path", "key", "name"):
            joined = rf"(?:(?:, and| and|,|，|、|和|以及|及) ?{words[name]})*"
            words[f"{name}s"] = f"(?P<what>{words[name]}{joined})"

        def full(pattern: str) -> re.Pattern[str]:
            for _ in range(3):
                pattern = re.sub(r"\{([a-z_]+)\}", lambda found: words[found[1]], pattern)
            return re.compile(pattern, re.IGNORECASE)

        def both(entry: Mapping[str, Any]) -> re.Pattern[str]:
            english, chinese = "|".join(entry["english"]), "|".join(entry["chinese"])
            return re.compile(rf"(?<![\w'])(?:{english})(?![\w])|{chinese}", re.I)

        def listed(one: list[str]) -> re.Pattern[str]:
            return re.compile("|".join(rf"\b(?:{word})\b" if word.isascii() else word for word in one), re.I)

        self.data: Mapping[str, Any] = data
        self.claims = {kind: tuple(map(full, patterns)) for kind, patterns in data["claims"].items()}
        self.partial = tuple(map(full, data["partial"]["tests"]))
        self.clean = re.compile("|".join(data["clean"].values()), re.I)
        self.doubt, self.negation, self.limit = (
            both(data["doubt"]),
            both(data["negation"]),
            both(data["limit"]),
        )
        self.order = re.compile(rf"^\W*(?:{'|'.join(data['doubt']['start'])})\b(?!\s*[:：|])", re.I)
        self.elsewhere = listed(data["elsewhere"]["words"])
        self.admits = re.compile("|".join(data["admits"]["words"]), re.I)
        self.past = re.compile(data["admits"]["past"], re.I)
        self.undone = re.compile(data["undone"]["words"], re.I)
        self.headings = {name: listed(words) for name, words in data["headings"].items()}
        self.bare = re.compile(data["commands"]["bare"])
        self.commands = {
            kind: re.compile(rf"(?:{data['commands'][kind]})(?=$|\s)") for kind in ("tests", "lint", "build")
        }


_table = cache(_Table)


def read_claims(message: str) -> tuple[Claim, ...]:
    """What it claims, in its order, each thing once."""
    found: dict[tuple[str, str, str], Claim] = {}
    sentences = [_Sentence(*each) for each in _sentences(message)]
    admitted = any(one.admits for one in sentences)
    undone = any(_table().undone.search(one.text) for one in sentences)
    for sentence in sentences:
        for claim in sentence.claims():
            if claim.kind == "made" and undone:
                continue
            if claim.kind == "tests" and admitted:
                claim = claim._replace(partial=True)
            key = (claim.kind, claim.subject, claim.place)
            known = found.get(key)
            if known is None and len(found) < _MOST:
                found[key] = claim
            elif known is not None and claim.kind in ("tests", "lint", "build"):
                found[key] = _together(known, claim)
    gone = {("made", claim.subject) for claim in found.values() if claim.kind == "deleted"}
    placed = {(claim.kind, claim.subject) for claim in found.values() if claim.place}
    return tuple(
        claim
        for claim in found.values()
        if (claim.kind, claim.subject) not in gone
        and (claim.place or (claim.kind, claim.subject) not in placed)
    )


def claims_work(message: str) -> bool:
    """Whether it says that work is finished, in any of the ways of the table."""
    finished = _table().claims["finished"]
    sentences = [_Sentence(*each) for each in _sentences(message)]
    return any(any(one.matches(finished)) or any(one.claims()) for one in sentences)


def _together(known: Claim, claim: Claim) -> Claim:
    """The stronger of two about the same; none is stronger than what a whole one said."""
    first = claim if known.partial and not claim.partial else known
    counts = [one.tests for one in (known, claim) if one.tests is not None]
    return first._replace(tests=max(counts) if counts else None, command=known.command or claim.command)


def _sentences(message: str) -> Iterator[tuple[str, str]]:
    """Each sentence with what its heading makes of it; code blocks, quotes and open boxes are left out."""
    text = _LINK.sub(r"\1", _FENCE.sub("", message[-_LONGEST:])).replace("‹", "<").replace("›", ">")
    under, strong = "", False
    for line in text.splitlines():
        plain = line.strip()
        heading, label = _HEADING.match(line), _LABEL.match(line)
        if not plain or plain.startswith(">"):
            continue
        if heading or label:
            title = (heading[1] or heading[2]) if heading else label[1] if label else ""
            under, strong = _under(title, weak=label is not None and heading is None), heading is not None
            if heading:
                continue
        elif not strong and not _ITEM.match(line) and not plain.startswith("|"):
            under = ""
        if under == "void" or _OPEN.search(line):
            continue
        item = _ITEM.match(line)
        body = re.sub(r"^\[[xX]\]\s*", "", item[1] if item else plain)
        body = re.sub(r"\*\*|__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", body)
        if body.startswith("|"):
            body = " | ".join(cell.strip() for cell in body.strip("|").split("|"))
        for one in _ENDS.split(body):
            if one and one.strip():
                yield one.strip()[:_SENTENCE], under if item else ""


def _under(title: str, *, weak: bool) -> str:
    headings = _table().headings
    title = re.sub(r"[`*_]", "", title).strip(" :：")
    for name in ("made", "deleted"):
        if headings[name].fullmatch(title) or headings[name].fullmatch(re.sub(r"^\W+", "", title)):
            return name
    found = headings["void"].search(title)
    return "void" if found and (not weak or len(title.split()) <= 12) else ""


def _clean(text: str) -> str:
    """`no lint errors` becomes `lint ‹OK›`: what it denies is not what the sentence denies."""
    kinds = (("lint", r"\b(?:lint|type)"), ("build", r"\b(?:build|compil)"))

    def mark(found: re.Match[str]) -> str:
        return next((f"{kind} ‹OK›" for kind, word in kinds if re.search(word, found[0], re.I)), "‹OK›")

    return _table().clean.sub(mark, text)


class _Sentence:
    """One sentence, with marks for code, paths and addresses."""

    def __init__(self, text: str, under: str) -> None:
        self._marks: list[str] = []
        self._under = under
        text = _URL.sub(lambda found: self._mark("U", found[0].rstrip(".,;:!?")), text)
        text = _ANY_URL.sub("‹X›", text)
        text = _CODE.sub(lambda found: self._code(found[2].strip()), text)
        text = _QUOTE.sub(" ‹X› ", text)
        text = _table().bare.sub(lambda found: self._code(found[0].strip()) + " ", text)
        text = _BARE.sub(lambda found: self._bare(found[0]), text)
        text = _KEY.sub(lambda found: self._mark("K", found[0]), text)
        self.text = " ".join(text.split())
        self._plain = _clean(self.text)

    def claims(self) -> Iterator[Claim]:
        table = _table()
        said = self._said()
        if self._under in ("made", "deleted") and (first := re.match(r"^\W*‹P(\d+)›", self._plain)):
            yield Claim("made" if self._under == "made" else "deleted", self._marks[int(first[1])], said=said)
            return
        for kind, patterns in table.claims.items():
            for match in self.matches(patterns if kind != "finished" else ()):
                yield from self._about(kind, match, said)
        if self._here and not self.admits and any(self.matches(table.partial)):
            yield Claim("tests", said=said, partial=True, tests=self._count())

    def matches(self, patterns: tuple[re.Pattern[str], ...]) -> Iterator[re.Match[str]]:
        for pattern in patterns:
            yield from (match for match in pattern.finditer(self._plain) if self._is_meant(match))

    def _is_meant(self, match: re.Match[str]) -> bool:
        table, text = _table(), self._plain
        if text.rstrip("\"')*_ ").endswith(("?", "？")) or table.order.search(text):
            return False
        start = max((one.end() for one in _CLAUSE_BEFORE.finditer(text, 0, match.start())), default=0)
        behind = _CLAUSE_AFTER.search(text, match.end())
        end = behind.start() if behind else len(text)
        doubted = table.doubt.search(text[: match.start()]) or table.doubt.search(text[match.start() : end])
        return not (
            doubted or table.negation.search(text[start:end]) or table.limit.search(text[match.end() :])
        )

    def _about(self, kind: Any, match: re.Match[str], said: str) -> Iterator[Claim]:
        marks = self._marks_in(match[0])
        if kind in ("tests", "lint", "build"):
            if self._here:
                yield self._of_commands(kind, match[0], said)
        elif kind in ("committed", "pushed"):
            yield Claim(kind, said=said)
        elif kind == "answers":
            yield from (Claim(kind, text, said=said) for letter, text in marks if letter == "U")
        else:
            what = self._marks_in(match.groupdict().get("what") or match[0])
            place = next((text for letter, text in reversed(marks) if letter == "P"), "")
            if kind in ("made", "deleted"):
                yield from (Claim(kind, text, said=said) for letter, text in what if letter == "P")
            elif not place or is_manifest(place) == (kind == "dependency"):
                yield from (Claim(kind, text, place, said) for letter, text in what if letter in "NK")

    def _of_commands(self, kind: Any, matched: str, said: str) -> Claim:
        letter = kind[0].upper()
        named = next((text for each, text in self._marks_in(self._plain) if each == letter), "")
        tool = re.search(_table().data["words"]["lint_tool"], matched, re.I) if kind == "lint" else None
        named = named or (tool[0].lower() if tool and tool[0].isascii() else "")
        tests = self._count() if kind == "tests" else None
        return Claim(kind, said=said, partial="‹S" in self._plain, command=named, tests=tests)

    @property
    def admits(self) -> bool:
        """Whether it says that tests fail now."""
        return bool(_table().admits.search(self._plain)) and not _table().past.search(self._plain)

    @property
    def _here(self) -> bool:
        return not _table().elsewhere.search(self._plain)

    def _count(self) -> int | None:
        said = [found[1].lower() for found in _COUNT.finditer(self._plain)]
        counts = [_NUMBERS.index(one) if one in _NUMBERS else int(one) for one in said]
        return max(counts) if counts else None

    def _said(self) -> str:
        return _MARK.sub(lambda found: self._marks[int(found[2])], self.text).replace("‹X›", "…")

    def _marks_in(self, text: str) -> list[tuple[str, str]]:
        return [(letter, self._marks[int(number)]) for letter, number in _MARK.findall(text)]

    def _mark(self, letter: str, text: str) -> str:
        self._marks.append(text)
        return f"‹{letter}{len(self._marks) - 1}›"

    def _code(self, text: str) -> str:
        url = _URL.fullmatch(text)
        for kind, pattern in _table().commands.items():
            if found := pattern.match(text):
                rest = text[found.end() :].split()
                part = [word for word in rest if word not in _table().data["commands"]["quiet"]]
                return self._mark("S" if part and kind == "tests" else kind[0].upper(), text)
        if _MARK.fullmatch(text) or url:
            return text if not url else self._mark("U", text)
        if is_path(text):
            return self._mark("P", text)
        if _KEY.fullmatch(text.partition("=")[0]):
            return self._mark("K", text.partition("=")[0])
        return self._mark("N" if _NAME.fullmatch(text) else "C", text)

    def _bare(self, text: str) -> str:
        products = _table().data["files"]["products"]
        return self._mark("P", text) if is_path(text) and text.lower() not in products else text


def is_manifest(path: str) -> bool:
    """Whether it lists what a project depends on."""
    name = path.rpartition("/")[2]
    listed = any(name in names for names in MANIFESTS.values())
    return listed or (name.endswith(".txt") and "requirements" in path)


def is_path(text: str) -> bool:
    """Whether it looks like the path of a file: a known ending or name, and nothing that paths don't have."""
    known = _table().data["files"]
    if not re.fullmatch(r"[\w./@+\-\[\]~]{2,200}", text) or "://" in text or text.startswith(("-", "@")):
        return False
    name = text.rstrip("/").rpartition("/")[2]
    if name in known["names"] or name == ".env" or name.startswith(".env."):
        return True
    stem, dot, ending = name.rpartition(".")
    return bool(
        dot
        and (stem or "/" in text or ending in known["extensions"])
        and ending.lower() in known["extensions"]
    )


def lacks_surroundings(output: str) -> str:
    """The line of a command's output that says what it misses on this machine; empty where none does."""
    found = re.search(_table().data["surroundings"]["missing"], output)
    return "" if found is None else next(line.strip() for line in output.splitlines() if found[0] in line)
