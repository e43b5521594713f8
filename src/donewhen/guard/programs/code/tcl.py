"""Tcl and expect: commands split into words, so that `exec`, `spawn`, `open` and `file` are seen with their
arguments.

Braced blocks are read as scripts as well, because that is what most commands do with them.
"""

from donewhen.guard.effects import Reads, Unknown, Writes
from donewhen.guard.marks import HOLE
from donewhen.guard.programs.code.deeds import DEEDS
from donewhen.guard.programs.code.scene import Scene, shell, words
from donewhen.guard.programs.code.tokens import unescape
from donewhen.guard.programs.code.values import TooMuch

_CLOSE = {"{": "}", "[": "]", '"': '"'}
_BLOCKS = frozenset(
    "if while for foreach proc catch try eval else elseif after expect switch namespace uplevel then".split()
)
_STEPS = 20_000


def tcl(text: str, scene: Scene) -> None:
    """Adds to the scene what the script would do."""
    _Script(scene).run(text, 0)


class _Script:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.variables: dict[str, str] = {}
        self.steps = 0

    def run(self, text: str, depth: int) -> None:
        if depth > 12:
            raise TooMuch
        for command in self._commands(text):
            self._command([self._word(word, depth) for word in command], command, depth)

    def _commands(self, text: str) -> list[list[str]]:
        """Commands as raw words."""
        found: list[list[str]] = [[]]
        at = 0
        while at < len(text):
            self.steps += 1
            if self.steps > _STEPS:
                raise TooMuch
            letter = text[at]
            if letter in ";\n":
                found.append([])
                at += 1
            elif letter in " \t\r":
                at += 1
            elif letter == "#" and not found[-1]:
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            else:
                end = _word_end(text, at)
                found[-1].append(text[at:end])
                at = end
        return [command for command in found if command]

    def _word(self, raw: str, depth: int) -> str:
        if raw[:1] == "{":
            return raw[1:-1]
        body = raw[1:-1] if raw[:1] == '"' else raw
        out: list[str] = []
        at = 0
        while at < len(body):
            if body[at] == "[":
                end = _closing(body, at)
                self.run(body[at + 1 : end - 1], depth + 1)
                out.append(HOLE)
                at = end
            elif body[at] == "$":
                part, at = self._variable(body, at + 1)
                out.append(part)
            else:
                step = 2 if body[at] == "\\" else 1
                out.append(unescape(body[at : at + step]))
                at += step
        return "".join(out)

    def _variable(self, body: str, at: int) -> tuple[str, int]:
        start = at
        if body[at : at + 1] == "{":
            end = body.find("}", at)
            end = len(body) if end < 0 else end
            return self.variables.get(body[at + 1 : end], HOLE), end + 1
        while at < len(body) and (body[at].isalnum() or body[at] in "_:"):
            at += 1
        name = body[start:at]
        if body[at : at + 1] == "(":
            end = body.find(")", at)
            end = len(body) if end < 0 else end
            key = body[at + 1 : end]
            return (self.scene.variable(key) if name == "env" else HOLE), end + 1
        return self.variables.get(name, HOLE), at

    def _command(self, given: list[str], raw: list[str], depth: int) -> None:
        scene, name, rest = self.scene, given[0].removeprefix("::"), given[1:]
        home = [
            scene.call.ground.home + word[1:] if word == "~" or word.startswith("~/") else word
            for word in rest
        ]
        if name == "set" and len(rest) > 1:
            self.variables[rest[0]] = rest[1]
        elif name in ("exec", "spawn"):
            words(scene, [word for word in home if word not in ("-noecho", "-ignorestderr", "--")])
        elif name == "system":
            shell(scene, " ".join(rest))
        elif name == "open" and rest:
            self._open(home)
        elif name == "file":
            self._file(home)
        elif name in ("puts", "send_user"):
            DEEDS["print"](scene, rest, {})
        elif name == "source" and rest:
            scene.add(Reads(scene.at(home[0])))
        elif name == "cd" and rest:
            scene.folder = scene.at(home[0])
        elif name == "load" or name.strip(HOLE) == "":
            scene.add(Unknown("guard.unknown_code", name))
        self._blocks(name, rest, raw, depth)

    def _blocks(self, name: str, rest: list[str], raw: list[str], depth: int) -> None:
        for word, source in zip(rest, raw[1:], strict=False):
            if source[:1] == "{" and name in _BLOCKS:
                self.run(word, depth + 1)
        if name in ("eval", "uplevel") and not any(word[:1] == "{" for word in raw[1:]):
            self.run(" ".join(rest), depth + 1)

    def _open(self, given: list[str]) -> None:
        if given[0].startswith("|"):
            shell(self.scene, given[0][1:])
        else:
            DEEDS["open"](self.scene, [given[0], given[1] if len(given) > 1 else "r"], {})

    def _file(self, given: list[str]) -> None:
        verb, paths = (given or [""])[0], [word for word in given[1:] if not word.startswith("-")]
        if verb == "delete":
            DEEDS["delete_all"](self.scene, paths, {})
        elif verb in ("copy", "rename") and len(paths) > 1:
            DEEDS["copy" if verb == "copy" else "move"](self.scene, [paths[0], paths[-1]], {})
        elif verb in ("mkdir", "link") and paths:
            self.scene.add(Writes(self.scene.at(paths[0])))


def _word_end(text: str, at: int) -> int:
    if text[at] in '{"':
        return _closing(text, at)
    while at < len(text) and text[at] not in " \t\n;":
        at = _closing(text, at) if text[at] == "[" else at + (2 if text[at] == "\\" else 1)
    return min(at, len(text))


def _closing(text: str, at: int) -> int:
    """Behind the bracket or quote that closes the one here."""
    opening = text[at]
    closing, depth = _CLOSE[opening], 0
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == closing and (depth == 1 or (opening == '"' and depth)):
            return at + 1
        elif letter == closing and opening != '"':
            depth -= 1
        elif letter == opening:
            depth += 1
        at += 1
    return len(text)
