"""Recipes of make and just that bring an environment of their own: they install, or call what installs.

In a fresh copy they fail or test something else, so a language's own command stands before them where there
is one. Only the words of a recipe and of what it depends on are looked at; nothing is expanded or run.
"""

import re

from donewhen.intake.project import Root

_OWN = re.compile(
    r"(?<![\w./-])(?:pip3?|easy_install|conda|mamba|pipenv|poetry|pdm|hatch|uv|tox|nox|virtualenv|docker"
    r"|docker-compose|podman|vagrant|apt-get|brew)(?![\w-])|bin/activate|-m[ \t]+(?:pip|venv|virtualenv)\b"
    r"|\bsetup\.py[ \t]+(?:develop|install)\b|(?:^|[\s@])/\S{1,100}/python[\d.]*(?=\s)"
)
_FIXED = re.compile(r"^[ \t]*(\w{1,40})[ \t]*[:?]?=[ \t]*(/\S{1,200}/python[\d.]*)[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"@?([A-Za-z0-9._-]{1,80})((?:[ \t]+[^\s:=]{1,80}){0,20})[ \t]*:(?!=)(.*)")
_DEEPEST = 4


def stands_back(root: Root, text: str, target: str) -> bool:
    """Whether a Python project's own test command is the better exam than this target."""
    from donewhen.intake.project_python import python

    return brings_environment(text, target) and any(c.role == "test" for c in python(root).commands)


def brings_environment(text: str, target: str) -> bool:
    """Whether the recipe of `target`, or of something it depends on, prepares what it runs in."""
    recipes = _recipes(text)
    fixed = {match[1] for match in _FIXED.finditer(text)}
    waiting, seen = [target], set[str]()
    for _ in range(_DEEPEST):
        below: list[str] = []
        for name in waiting:
            needs, body = recipes.get(name, ((), ""))
            if name in seen:
                continue
            seen.add(name)
            if _OWN.search(body) or any(f"({word})" in body or f"{{{word}}}" in body for word in fixed):
                return True
            below += needs
        waiting = below
    return False


def _recipes(text: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Each target with what it depends on and the lines of its recipe."""
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    names: list[str] = []
    for line in text.replace("\\\n", " ").splitlines()[:5000]:
        if line[:1] in ("\t", " "):
            for name in names:
                needs, body = found[name]
                found[name] = needs, f"{body}\n{line[:2000]}"
            continue
        head = _HEAD.match(line[:2000])
        if head:
            names = [head[1], *head[2].split()]
            needs = tuple(head[3].partition(";")[0].partition("#")[0].split()[:50])
            for name in names:
                before, body = found.get(name, ((), ""))
                found[name] = (*before, *needs), body
        elif line.strip() and not line.startswith("#"):
            names = []
    return found
