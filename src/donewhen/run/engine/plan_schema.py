"""What a model is told of the shape of todos and checks; what it sends is judged by the core's own readers.

The readers forgive nothing and say more than a schema could, so the types here stay open.
"""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from donewhen.core.checks import KINDS, MODES
from donewhen.core.todos import BLOCKED_REASONS, STATUSES

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_TODO = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "content": _TEXT,
        "status": {"type": "string", "enum": list(STATUSES)},
        "required": {"type": "boolean"},
        "dependencies": _TEXTS,
        "paths": _TEXTS,
        "artifacts": _TEXTS,
        "blocked_reason": {"type": "string", "enum": list(BLOCKED_REASONS)},
        "failure_reason": _TEXT,
    },
    "required": ["id"],
}
_CHECK = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "kind": {"type": "string", "enum": list(KINDS)},
        "target": _TEXT,
        "match": {"type": "string", "enum": list(MODES)},
        "required": {"type": "boolean"},
        "params": {"type": "object", "properties": {"contains": _TEXT, "regex": _TEXT}},
    },
    "required": ["kind"],
}
TodoEntry = Annotated[dict[str, Any], WithJsonSchema(_TODO)]
CheckEntry = Annotated[Any, WithJsonSchema(_CHECK)]
