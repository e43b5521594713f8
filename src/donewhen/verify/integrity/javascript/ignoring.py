"""Comments that tell a checker to look away: lint, types, coverage."""

import re

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript.tree import Script
from donewhen.verify.integrity.silencing import ANYWHERE

_IGNORES = re.compile(
    r"eslint-disable|oxlint-disable|biome-ignore|tslint:disable|deno-lint-ignore|@ts-(?:ignore|expect-error|nocheck)"
    r"|(?:istanbul|c8|v8) ignore|node:coverage (?:ignore|disable)|\$Flow(?:FixMe|Ignore)|@jsx-ignore"
    rf"|\bnosec\b|{ANYWHERE}"
)
_MEANT = re.compile(r"@jest-environment|@vitest-environment|@flow|webpackChunkName")


def ignores(script: Script) -> tuple[Mark, ...]:
    return tuple(
        Mark("ignores-spread", line, text) for line, text in script.comments if _IGNORES.search(text)
    )


def telling(script: Script) -> list[str]:
    """Comments that mean something to a tool, for the digest."""
    return [text for _, text in script.comments if _IGNORES.search(text) or _MEANT.search(text)]
