"""The marks of a file: things that no exam should meet anew. Each kind of trick has its own module."""

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.javascript.detecting import detections
from donewhen.verify.integrity.javascript.equalities import equalities
from donewhen.verify.integrity.javascript.exits import exits
from donewhen.verify.integrity.javascript.hooks import hooks
from donewhen.verify.integrity.javascript.mocking import mocked
from donewhen.verify.integrity.javascript.ownrunner import own_runner
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.sight import Sight
from donewhen.verify.integrity.javascript.staged import staged
from donewhen.verify.integrity.javascript.startup import startups
from donewhen.verify.integrity.javascript.testing import Tested
from donewhen.verify.integrity.javascript.tree import Script


def marks(script: Script, scopes: Scopes, role: Role, path: str, tested: Tested) -> tuple[Mark, ...]:
    sight = Sight(script, scopes, role, path, tested)
    found = [*exits(sight), *hooks(sight), *equalities(sight), *startups(sight), *own_runner(sight)]
    if role == "source":
        found += [*detections(sight), *staged(sight)]
    if role in ("test", "support"):
        found += mocked(sight)
    return tuple(dict.fromkeys(sorted(found, key=lambda one: one.line)))
