"""What the modules that look for tricks are given: the file, its place, its tests."""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.javascript.node import Node
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.testing import Tested
from donewhen.verify.integrity.javascript.tree import Script, normal

_PROGRAM = re.compile(
    r"(?i)(?:^|/)(?:bin|scripts?|tools?|cli|cmd|commands?|examples?|benchmarks?)/|(?:^|/)(?:cli|main|run)\.\w+$"
)
_LONGEST = 240


class Sight(NamedTuple):
    script: Script
    scopes: Scopes
    role: Role
    path: str
    tested: Tested

    def mark(self, rule: str, node: Node) -> Mark:
        text = normal(self.script, node)
        return Mark(rule, node.line, text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")

    def program(self) -> bool:
        """A program of its own, which may exit as it likes."""
        shebang = bool(self.script.comments) and self.script.comments[0][1].startswith("#!")
        return shebang or bool(_PROGRAM.search(self.path))

    def calls(self) -> list[Node]:
        return self.script.kinds.get("call_expression", [])

    def assignments(self) -> list[Node]:
        return [one for one in self.script.kinds.get("assignment_expression", []) if len(one.kids) == 2]
