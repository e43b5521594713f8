"""Settings of a project that decide what its checks do, changed through a package manager.

A test, lint, build or type-check script that is removed, or replaced by something that always succeeds, no
longer checks; a test script is not replaced at all by this way.
"""

from collections.abc import Iterator

from donewhen.guard.effects import Effect, Weakens
from donewhen.guard.marks import MARKED

_CHECKS = (
    "test",
    "lint",
    "build",
    "typecheck",
    "type-check",
    "check",
    "verify",
    "ci",
    "e2e",
    "validate",
    "tsc",
    "types",
)
_ALWAYS_TRUE = frozenset(
    ("", "true", ":", "exit 0", "exit", "/bin/true", "echo", "null", "noop", "{}", '""', "''")
)


def script_of(key: str) -> str | None:
    """The script's name in `scripts.test`, `scripts[test]`; the empty name: all scripts."""
    plain = key.replace("[", ".").replace("]", "").replace('"', "").replace("'", "")
    if plain == "scripts":
        return ""
    return plain[8:] if plain.startswith("scripts.") else None


def is_check(name: str) -> bool:
    return name.split(":")[0].split(".")[0].lower() in _CHECKS


def idle(command: str) -> bool:
    """Does it succeed whatever the project is like?"""
    text = command.strip().strip(";").strip()
    parts = [part.strip() for part in text.replace("&&", ";").split(";")]
    if text.endswith(("|| true", "|| :", "|| exit 0", "; true", "; exit 0", "|| echo")):
        return True
    return all(
        part in _ALWAYS_TRUE or part.startswith(("echo ", "printf ", "sleep ", 'node -e ""'))
        for part in parts
    )


def set_script(name: str, command: str) -> Iterator[Effect]:
    if name == "" or name.split(":")[0] == "test":
        yield Weakens(f"scripts.{name}".rstrip("."))
    elif is_check(name) and (idle(command) or MARKED.search(command)):
        yield Weakens(f"scripts.{name}")


def delete_script(name: str) -> Iterator[Effect]:
    if name == "" or is_check(name):
        yield Weakens(f"scripts.{name}".rstrip("."))
