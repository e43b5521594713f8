"""What runs beside the tests: may it change what they test, by all that the project shows of it?

`core.commands` counts every script of the project as a change, because it sees names only. Here the scripts
are at hand: one that the change did not touch was there when the exam was made, and one that writes nothing,
or only what builds leave, is no harm. Nothing is run; what can't be told stays open.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.lines import invocations
from donewhen.core.commands.spoiling import CHANGED, may_remove, may_write
from donewhen.core.commands.tampering import tampers
from donewhen.core.integrity.roles import role_of
from donewhen.core.paths import relative
from donewhen.core.tree import Refused, Word
from donewhen.shell import parse
from donewhen.verify.behind_model import join

Harm = Literal["none", "open", "sure"]
Files = Mapping[str, bytes]  # files that the change added or edited, as they are now
_PROBE = "pytest"
_INTERPRETERS = re.compile(r"(?:node|nodejs|python|pypy|ruby|perl|php|tsx|ts-node|deno|bun|lua)[0-9.]*")
_LOOKS = frozenset(("--check", "-c", "-n", "--version", "-v", "--help", "-l", "-wc"))
_CODE = frozenset(("-e", "-p", "-c", "--eval", "--print", "-E", "-r"))
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".py", "/index.js", "/__main__.py")
_TURNING = frozenset("git hg svn jj bzr patch".split())  # another tree than the one that is shipped
_LARGEST = 64 * 1024
_MOST_CALLS = 100
_WRITES = re.compile(
    r"(?P<two>\b(?:copyFile|cp|rename|symlink|link|copy|copy2|copytree|copyfile|move|replace)(?:Sync)?\()"
    r"|(?P<one>\b(?:writeFile|appendFile|outputFile|writeJson|unlink|rm|rmdir|truncate|createWriteStream|open"
    r"|openSync|remove|rmtree|removedirs|File\.write|file_put_contents)(?:Sync)?\()"
    r"|(?P<path>\.(?:write_text|write_bytes|unlink|rename|symlink_to|rmdir|touch)\()"
    r"|(?P<any>child_process|subprocess|\bos\.(?:system|popen|exec)|\bexec(?:Sync|File\w*)?\(|\bspawn(?:Sync)?\("
    r"|\beval\(|\bFunction\(|__import__|ctypes)"
)
_READS = re.compile(
    r"open\(\s*[^,()]{0,200}(?:\([^()]{0,100}\)[^,()]{0,100})?(?:,\s*['\"]r[bt]?['\"]\s*)?"
    r"(?:,\s*(?:encoding|newline|errors)\s*=\s*['\"][\w-]{0,20}['\"]\s*){0,3}\)"
)
_FILES = re.compile(r"(?:\bos|\bfs|shutil|fse|Path\([^()]{0,60}\))\.$")
_SHELL = re.compile(r"#!.{0,60}\b(?:ba|da|z|k)?sh\b")
_QUOTED = re.compile(r"['\"`]([^'\"`\n]{1,200})['\"`]")
_NAME = re.compile(r"([A-Za-z_]\w{0,60})\s*$")
_REPLACING = re.compile(
    r"(?:^|[\s;&|(])(?:rm|cp|mv|ln|sed|perl|patch|git|install|truncate|rimraf|unlink|shx|tee)\s|>"
)


def harm(text: str, folder: str, files: Files) -> Harm:
    """What a line of its own does to the tests that come before or after it."""
    found = [harm_of(each, folder, files) for each in _tampering(text)]
    return max(found, key=_ORDER.index) if found else _redirected(text)


def spoils(text: str, folder: str, files: Files) -> Harm:
    """The same for a line that has the test in it, and of which it is known that something is changed."""
    calls = _tampering(text)
    found = [harm_of(each, folder, files) for each in calls]
    if any(each == "none" and not _is_code(call) for each, call in zip(found, calls, strict=True)):
        found.append("open")
    return max(found, key=_ORDER.index) if found and not _writes(text) else "sure"


_ORDER: tuple[Harm, ...] = ("none", "open", "sure")


def _tampering(text: str) -> list[Invocation]:
    tree = parse(text)
    calls = () if isinstance(tree, Refused) else invocations(tree)
    return [each for each in calls if each.reached and tampers(each.words)]


def _writes(text: str) -> bool:
    """Whether a redirection may be what changes something."""
    return ">" in re.sub(r"[0-9&]?>{1,2}\s*(?:&[0-9]|/dev/null)", "", text)


def _redirected(text: str) -> Harm:
    """No program in it writes: does a redirection?"""
    tree = parse(f"{text}\n{_PROBE}")
    last = None if isinstance(tree, Refused) else invocations(tree)[-1:]
    changed = last and last[0].spoiled == CHANGED and last[0].words[0].text == _PROBE
    return "sure" if changed and touches_exam(text) else "none"


def harm_of(call: Invocation, folder: str, files: Files) -> Harm:
    """One command of which `core.commands` says that it may change the project."""
    words = call.words
    at = join(folder, call.folder or "") or folder
    if _INTERPRETERS.fullmatch(_program(call)):
        return _interpreted(words[1:], at, files)
    if _is_code(call):
        return _script(words[0].text, at, files)
    if touches_exam(" ".join(word.text for word in words)):
        return "sure"
    return "open" if _program(call) in _TURNING else "none"


def _program(call: Invocation) -> str:
    return call.words[0].text.rpartition("/")[2]


def _is_code(call: Invocation) -> bool:
    """Whether it runs a script, and is no program that is known to write."""
    own = "/" in call.words[0].text and not _REPLACING.match(_program(call) + " ")
    return own or _INTERPRETERS.fullmatch(_program(call)) is not None


def _interpreted(words: Sequence[Word], folder: str, files: Files) -> Harm:
    for at, word in enumerate(words):
        following = words[at + 1].text if at + 1 < len(words) else ""
        if word.text in _CODE and re.search(r"[\s(;=]", following):
            return "none" if _is_tame(following) else "open"
        if word.text in _LOOKS and following:
            return "none"
        if not word.text.startswith("-"):
            return _script(word.text, folder, files)
    return "none"


def _script(path: str, folder: str, files: Files) -> Harm:
    places = dict.fromkeys((relative(f"{folder or '.'}/{path}") or "", relative(path) or ""))
    names = (place + ending for place in places for ending in _ENDINGS if place)
    name = next((name for name in names if name in files), None)
    if name is None:
        return "none"  # as it was when the exam was made
    data = files[name]
    text = data.decode(errors="replace")
    if len(data) > _LARGEST:
        return "open"
    if name.endswith((".sh", ".bash")) or _SHELL.match(text):
        return harm(text, folder, {path: each for path, each in files.items() if path != name})
    return "none" if _is_tame(text) else "open"


def _is_tame(code: str) -> bool:
    """Whether it writes nothing, or only what builds and reports leave."""
    calls = list(_WRITES.finditer(code))
    return len(calls) <= _MOST_CALLS and all(_is_build(code, call) for call in calls)


def _is_build(code: str, call: re.Match[str]) -> bool:
    if call["any"]:
        return False
    owner = code[max(0, call.start() - 80) : call.start()]
    if call[0] in ("replace(", "copy(") and not _FILES.search(owner):
        return True  # of a text, not of a file
    if call[0] == "open(" and _READS.match(code, call.start()):
        return True
    if call["path"]:
        written = code[: call.start()].rpartition("\n")[2][-300:]
    else:
        given = _arguments(code[call.end() : call.end() + 300])
        written = given[-1 if call["two"] else 0]
    parts = _QUOTED.findall(written) or _by_name(code, written)
    place = Word("/".join(part.strip("/") for part in parts if part not in ("..", ".")))
    return bool(parts) and (may_write(place) or may_remove(place))


def _arguments(text: str) -> list[str]:
    """Of a call, up to the second one, from behind its bracket; `text` may go on."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (sign == "," and depth == 0):
            found.append(text[start:at])
            start = at + 1
        if depth < 0 or len(found) == 2:
            break
    return found or [text]


def _by_name(code: str, written: str) -> list[str]:
    """`writeFileSync(target, …)`: what the name was given."""
    name = _NAME.search(written)
    given = re.search(rf"\b{name[1]}\s*=\s*([^\n]{{1,200}})", code) if name else None
    return _QUOTED.findall(given[1]) if given else []


def touches_exam(text: str) -> bool:
    """Does it write, move or remove tests, sources or installed packages? Unknown programs only run."""
    if not _REPLACING.search(text):
        return False
    words = [word.strip("\"';()").removeprefix("./") for word in text.replace("=", " ").split()]
    roles = {role_of(word) for word in words} | {
        role_of(f"{word.rstrip('/')}/x.py") for word in words[1:]
    } - {"source"}
    return bool(roles & {"test", "support", "source"}) or "node_modules/" in text or "site-packages" in text
