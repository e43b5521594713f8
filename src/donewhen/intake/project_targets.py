"""Targets of make and just that the project wrote itself; only those that can be called without arguments.

A target that only calls the package's test script, or is called by it, is no exam of its own: it would be the
same one twice.
"""

import re
from itertools import takewhile

from donewhen.core.lazy import lazy
from donewhen.intake.project import Finding, ProjectCommand, Role, Root

_ROLES: dict[Role, tuple[str, ...]] = {
    "test": ("test", "tests", "check"),
    "lint": ("lint",),
    "types": ("typecheck", "type-check", "types", "mypy"),
    "build": ("build",),
    "format": ("format-check", "fmt-check", "check-format"),
}
_MAKE_NAME = lazy(r"[A-Za-z0-9][\w./-]{0,80}$")
_RECIPE = lazy(r"@?([A-Za-z_][\w-]{0,80})((?:[ \t]+[^\s:=]+)*)[ \t]*:(?!=)")
_NO_RECIPE = ("set", "export", "import", "mod", "alias", "unexport")
_SCRIPT = lazy(r"@?[ \t]*(?:npm|pnpm|yarn|bun run)(?:[ \t]+run)?[ \t]+test[ \t]*")
_MOST = 500


def make(root: Root) -> Finding:
    file = root.first("GNUmakefile", "makefile", "Makefile")
    return _found(root, file, "make", _make_targets(root.text(file))) if file else Finding()


def just(root: Root) -> Finding:
    file = root.first("justfile", "Justfile", ".justfile")
    return _found(root, file, "just", _just_recipes(root.text(file))) if file else Finding()


def _found(root: Root, file: str, program: str, targets: list[str]) -> Finding:
    from donewhen.intake.project_recipes import stands_back

    commands = []
    text = root.text(file)
    for role, names in _ROLES.items():
        name = next((name for name in names if name in targets), "")
        is_test = role == "test"
        if name and is_test and (_is_the_script(root, text, program, name) or stands_back(root, text, name)):
            continue
        if name:
            commands.append(ProjectCommand(role, f"{program} {name}", f"{file} {name}", written=True))
    return Finding((), tuple(commands), tuple(targets), (file,))


def _is_the_script(root: Root, text: str, program: str, target: str) -> bool:
    """Whether the target and the test script of package.json are one and the same."""
    if "package.json" not in root.names:
        return False
    if re.search(rf'"test"\s*:\s*"{program} {re.escape(target)}"', root.text("package.json")):
        return True
    lines = text.splitlines()
    start = next((at + 1 for at, line in enumerate(lines) if line.startswith(f"{target}:")), len(lines))
    body = list(takewhile(lambda line: line[:1] in ("\t", " "), lines[start : start + 50]))
    return bool(body) and all(_SCRIPT.fullmatch(line.strip()) for line in body)


def _make_targets(text: str) -> list[str]:
    found: dict[str, None] = {}
    for line in text.replace("\\\n", " ").splitlines():
        head, colon, rest = line.partition(":")
        if not colon or line[:1] in ("\t", " ", "#", ".") or rest.startswith(("=", ":=")) or "=" in head:
            continue
        found.update((name, None) for name in head.split()[:20] if _MAKE_NAME.match(name))
    return list(found)[:_MOST]


def _just_recipes(text: str) -> list[str]:
    """Recipes whose parameters, if any, all have defaults."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        recipe = _RECIPE.match(line[:400]) if line[:1] not in (" ", "\t", "#", "_") else None
        if recipe and recipe[1] not in _NO_RECIPE and all(w.startswith("*") for w in recipe[2].split()):
            found[recipe[1]] = None
        elif not recipe and _with_defaults(line[:400]):
            found[line.split()[0].lstrip("@")] = None
    return list(found)[:_MOST]


def _with_defaults(line: str) -> bool:
    """`name one='x' two='y':`, a recipe that can be called without arguments."""
    words = line.partition(":")[0].split()
    if ":" not in line or ":=" in line or line[:1] in (" ", "\t", "#", "_") or len(words) < 2:
        return False
    return words[0] not in _NO_RECIPE and all("=" in word or word.startswith("*") for word in words[1:])
