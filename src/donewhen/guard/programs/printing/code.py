"""One-liners that only print a literal: `python3 -c "print('…')"`, `awk 'BEGIN{print "…"}'`.

No code is evaluated. A string is read by its quotes; anything more than one literal is a hole.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.guard.call import Call
from donewhen.guard.marks import certain
from donewhen.guard.programs.printing.format import unescaped
from donewhen.guard.programs.printing.lines import bounded, content, given, some_of, unknown

_STRING = r"""(?P<quote>['"])(?P<text>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P=quote)"""


class _Language(NamedTuple):
    flag: re.Pattern[str]  # the option before the code
    code: re.Pattern[str]
    newline: bool
    raw: str = ""  # quotes in which a backslash is a backslash
    live: str = ""  # characters that begin an expansion inside double quotes


def _language(flag: str, code: str, newline: bool, raw: str = "", live: str = "") -> _Language:
    return _Language(re.compile(flag), lazy(rf"\s*{code}\s*;?\s*", re.DOTALL), newline, raw, live)


_PYTHON = _language(r"-[BEIsSu]*c", rf"print\s*\(\s*{_STRING}\s*\)", True)
_PERL = _language(r"-w?[eE]", rf"print\s*\(?\s*{_STRING}\s*\)?", False, "'", "$@")
_RUBY = _language(r"-e", rf"(?:puts|print)\s*\(?\s*{_STRING}\s*\)?", True, "'", "#")
_NODE = _language(r"-e|--eval", rf"console\.log\s*\(\s*{_STRING}\s*\)", True)
_PHP = _language(r"-r", rf"(?:echo|print)\s*\(?\s*{_STRING}\s*\)?", False, "'", "$")
_LANGUAGES: Mapping[str, _Language] = {
    "python": _PYTHON, "python2": _PYTHON, "python3": _PYTHON, "perl": _PERL, "ruby": _RUBY, "node": _NODE,
    "nodejs": _NODE, "php": _PHP,
}  # fmt: skip
_AWK_PRINT = lazy(rf"\s*BEGIN\s*\{{\s*print(?P<f>f?)\s*\(?\s*{_STRING}\s*\)?\s*;?\s*\}}\s*", re.DOTALL)
_AWK_SAME = frozenset(("1", "{print}", "{print $0}", "{ print }", "{ print $0 }"))
_AWK_SOME = frozenset(("NF", "!seen[$0]++", "!a[$0]++", "!x[$0]++", "NR>1", "NR==1"))
# Escapes that mean the same in all of them; `\x{72}`, `\L` and the like differ.
_COMMON = lazy(r"""(?:[^\\]|\\(?:[nt\\'"]|x[0-7][0-9a-fA-F](?![0-9a-fA-F])|[01][0-7]{2}))*+""", re.DOTALL)
_MOST = 8192


def printed(call: Call) -> str:
    """What an interpreter with code on its command line prints."""
    words = call.argv[1:]
    language = _LANGUAGES[call.name]
    if len(words) == 2 and language.flag.fullmatch(words[0]) and len(words[1]) <= _MOST and certain(words[1]):
        found = language.code.fullmatch(words[1])
        text = _text(found, language) if found else None
        if text is not None:
            return bounded(text + "\n" if language.newline else text)
    return unknown(given(call) if call.stdin is not None else "", *words)


def _text(found: re.Match[str], language: _Language) -> str | None:
    quote, text = found["quote"], found["text"]
    if quote == '"' and any(mark in text for mark in language.live):
        return None
    if quote in language.raw:
        return text.replace("\\" + quote, quote).replace("\\\\", "\\")
    return unescaped(text) if _COMMON.fullmatch(text) else None


def awk(call: Call) -> str:
    """`awk 'BEGIN{print "…"}'` and the programs that pass lines on."""
    words = call.argv[1:]
    if words and words[0] in _AWK_SAME:
        return content(call, words[1:])
    if words and words[0] in _AWK_SOME:
        return some_of(content(call, words[1:]))
    found = _AWK_PRINT.fullmatch(words[0]) if words and len(words[0]) <= _MOST and certain(words[0]) else None
    if (
        found is None
        or found["quote"] != '"'
        or not _COMMON.fullmatch(found["text"])
        or (found["f"] and "%" in found["text"])
    ):
        return unknown(given(call) if call.stdin is not None else "", *words)
    text = unescaped(found["text"])
    return bounded(text if found["f"] else text + "\n")
