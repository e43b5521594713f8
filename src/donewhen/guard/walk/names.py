"""The command word: which program it starts, and characters that pretend to be others.

A name says what is judged, so a name in other letters, in another case or half unknown must not slip past
its reader. Nothing in here looks at a disk: a file may still have any name.
"""

from collections.abc import Iterator, Mapping, Sequence

from donewhen.guard.marks import could_be

# Programs that a glob in a command word is tried against.
MATTERING = tuple(
    "rm git curl wget sh bash zsh dash dd mkfs mkfs.ext4 sudo su doas chmod chown mv cp cat python3 python "
    "perl ruby node nc ncat ssh scp rsync kill killall pkill shutdown reboot halt poweroff find xargs env "
    "base64 shred truncate tee ln rmdir unlink head tail less more grep awk sed tar crontab docker kubectl "
    "npm npx eval source printenv gh psql mysql".split()
)
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u180e\u3164\u115f"
)
_BLANKS = frozenset(" \t\n")


def program(word: str, known: Mapping[str, object]) -> str:
    """The program's name: without folder; lower case and without `.exe` where only that is one we know."""
    name = word.rpartition("/")[2]
    if name in known:
        return name
    plain = name.lower().removesuffix(".exe")
    return plain if plain in known else name


def could_start(word: str) -> Iterator[str]:
    """The programs of importance that a marked command word may mean."""
    name = word.rpartition("/")[2]
    return (one for one in MATTERING if could_be(name, one))


def disguised(argv: Sequence[str]) -> Iterator[str]:
    """Words with characters that look like others or hide text, where that could mislead."""
    for at, word in enumerate(argv):
        if not word.isascii() and (_odd_name(word) if at == 0 else _odd_argument(word)):
            yield word


def _odd_name(word: str) -> bool:
    """A program's name is ASCII; the folder it lies in may have any letters."""
    return (
        not word.rpartition("/")[2].isascii()
        or not _OVERRIDES.isdisjoint(word)
        or not _INVISIBLE.isdisjoint(word)
    )


def _odd_argument(word: str) -> bool:
    if not _OVERRIDES.isdisjoint(word):
        return True
    if not _BLANKS.isdisjoint(word):
        return False  # text for people
    if word[0] in _DASHES:
        return word[1:2].isascii() and word[1:2].isalpha()
    if word[0] == "-":
        name = word.partition("=")[0]
        return not (name if word.startswith("--") else name[:2]).isascii()
    visible = "".join(letter for letter in word if letter not in _INVISIBLE)
    return visible != word and visible.isascii()
