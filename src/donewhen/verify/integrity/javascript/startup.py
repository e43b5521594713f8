"""What code does to later starts of the runner: options of node, the search path, files of the exam."""

import re
from collections.abc import Iterator

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript.node import Node, arguments, bare, callee, dotted, walk
from donewhen.verify.integrity.javascript.sight import Sight

_LOADS = re.compile(r"--(?:require|import|loader|experimental-loader|test-\w+)|(?:^|[\s\"])-r\s")
_WRITES = frozenset(
    "writeFile writeFileSync appendFile appendFileSync rm rmSync unlink unlinkSync rename renameSync cp "
    "cpSync copyFile copyFileSync symlink symlinkSync".split()
)
_OWN_PLACE = frozenset(("__dirname", "import.meta", "cwd"))
_EXAM_FILE = re.compile(
    r"(?:^|[/\"])(?:tests?|__tests__|specs?)/|\.(?:test|spec)\.[cm]?[jt]sx?\b|node_modules/|(?:^|[/\"])package\.json\b"
)


def startups(sight: Sight) -> list[Mark]:
    return [*_environment(sight), *_written(sight)]


def _environment(sight: Sight) -> Iterator[Mark]:
    for kind in ("assignment_expression", "augmented_assignment_expression"):
        for one in sight.script.kinds.get(kind, ()):
            path = dotted(one.kids[0])
            if path == "process.env.NODE_OPTIONS" and bare(one.kids[-1]).value not in ('""', "undefined"):
                yield sight.mark("startup-hook", one)
            elif path == "process.env.PATH" and sight.role in ("source", "support"):
                yield sight.mark("path-trick", one)
    for pair in sight.script.kinds.get("pair", ()):
        if len(pair.kids) == 2 and pair.kids[0].text.strip('"') == "NODE_OPTIONS" and _loads(pair.kids[1]):
            yield sight.mark("startup-hook", pair)


def _loads(value: Node) -> bool:
    said = (one.value or one.text for one in walk(value))
    return any(_LOADS.search(one) for one in said)


def _written(sight: Sight) -> Iterator[Mark]:
    """Product code that writes where the exam lies."""
    if sight.role != "source" or sight.program():
        return
    for call in sight.calls():
        if dotted(callee(call)).rpartition(".")[2] not in _WRITES:
            continue
        near = [one for one in arguments(call) if one.value is not None or _from_here(sight, one)]
        said = (one.value for given in near for one in walk(given) if one.value is not None)
        if any(_EXAM_FILE.search(one) for one in said):
            yield sight.mark("exam-hook", call)


def _from_here(sight: Sight, node: Node) -> bool:
    """A path of this very project, not of one that the product makes or works on."""
    return bool(_OWN_PLACE.intersection(sight.script.tokens[node.start : node.end]))
