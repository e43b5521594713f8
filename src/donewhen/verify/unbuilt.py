"""What a build seems to have made and no build makes: a hand-written `dist/` that git ignores.

Where folders of builds were written since the base, the exam is sat without them; an exam that builds for
itself passes. Else the project's own build is run first. Red after that too, green with them and red without
them again, they are hidden work. Where nobody knows how the project builds, or its build can't be run here,
they are believed.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from donewhen.config.files import read_regular
from donewhen.core.accept import Accept
from donewhen.core.errors import DonewhenError
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.verify.base_exam import ALONE
from donewhen.verify.ignored import Aside
from donewhen.verify.reports.frames import visible
from donewhen.verify.rerun import Again, Proper, sit_again

_UNBUILT = "alone-unbuilt"
_BUILT = "alone-built"
_SCRIPT = re.compile(
    r"(?:pre)?(?:build|compile|dist|bundle|prepare|prepack|transpile|tsc|generate)(?:[:\-_]\w+)*"
)
_TARGET = re.compile(r"^(build|all|dist|compile|out|bundle|generate)[ \t]{0,9}:(?!=)", re.MULTILINE)
_RULE = re.compile(r"^([^\s#:=$%][^\n#:=$%]{0,2000}?)[ \t]{0,9}&?:(?!=|:=)", re.MULTILINE)
_PLAIN = re.compile(r"[\w.][\w./+-]{0,300}")
_MOST_TARGETS = 40
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
# builders whose builds nobody starts here
_OTHERS = (
    "pyproject.toml", "setup.py", "CMakeLists.txt", "meson.build", "build.gradle", "build.gradle.kts",
    "pom.xml", "Cargo.toml", "go.mod", "build.sbt", "mix.exs", "dune-project", "binding.gyp",
    "Package.swift", "rebar.config", "tsconfig.json", "webpack.config.js", "vite.config.js",
    "vite.config.ts", "rollup.config.js", "gulpfile.js",
)  # fmt: skip
_LARGEST = 1024 * 1024
_MOST = 5_000  # files of which the time is looked at


async def unbuilt(proper: Proper, asides: Sequence[Aside], began: int) -> tuple[Finding, ...]:
    """To be asked after an exam that passed."""
    root = proper.looked.repository.root
    made = [each for each in asides if each.sort == "made" and each.folder and _is_young(root, each, began)]
    ways = [builds(root, each.path) for each in made]
    if not made or any(way is None for way in ways):
        return ()
    away = frozenset(each.path for each in made)
    if (await sit_again(proper, Again(proper.tree, _UNBUILT, without=away))).rerun.green:
        return ()
    first = tuple(dict.fromkeys(entry for way in ways for entry in way or ()))
    if first:
        built = await sit_again(proper, Again(proper.tree, _BUILT, use=False, without=away, first=first))
        if built.rerun.green or built.rerun.why is not None:
            return ()
    if not (await sit_again(proper, Again(proper.tree, ALONE, use=False))).rerun.green:
        return ()  # the room can't host this exam, with or without them
    if (await sit_again(proper, Again(proper.tree, _UNBUILT, use=False, without=away))).rerun.green:
        return ()  # it was luck, and not theirs
    shown = ", ".join(visible(each.path, 120) for each in made[:5])
    return (found("hidden-work", made[0].path, 1, now=shown),)


def builds(root: Path, path: str) -> tuple[Accept, ...] | None:
    """The command that makes the folder; none where the project has no build, None where nobody can say."""
    folder = path.rpartition("/")[0]
    place = root / folder
    scripts = _scripts(place)
    for name in scripts:
        if _SCRIPT.fullmatch(name):
            return (_entry(("npm", "run", "--silent", name), folder),)
    own = path.rpartition("/")[2]
    targets = [found[1] for text in _makefiles(place) for found in _TARGET.finditer(text)]
    inside = _rules_inside(place, own)
    if targets or inside:
        return (_entry(("make", *targets[:1], *inside), folder),)
    if folder and (inside := _rules_inside(root, path)):
        return (_entry(("make", *inside), ""),)
    said = [*scripts.values(), *_makefiles(place)]
    if any(re.search(rf"\b{re.escape(own)}\b", text) for text in said):
        return None  # something writes there, or only cleans
    return None if any((place / name).is_file() for name in _OTHERS) else ()


def _rules_inside(place: Path, folder: str) -> tuple[str, ...]:
    """Targets of make that lie in the folder and can be named: `build/words.txt: words.csv`."""
    rules = (found[1].split() for text in _makefiles(place) for found in _RULE.finditer(text))
    names = (name.removeprefix("./") for rule in rules for name in rule)
    inside = [name for name in names if name.startswith(f"{folder}/") and _PLAIN.fullmatch(name)]
    return tuple(dict.fromkeys(inside))[:_MOST_TARGETS]


def _entry(argv: tuple[str, ...], folder: str) -> Accept:
    text = " ".join(argv)
    return Accept(text, text, argv, folder)


def _scripts(place: Path) -> dict[str, str]:
    """The scripts of `package.json`, those called build first."""
    try:
        data = json.loads(_text(place / "package.json") or "{}")
    except (ValueError, RecursionError):
        return {}
    scripts = data.get("scripts") if isinstance(data, dict) else None
    if not isinstance(scripts, dict):
        return {}
    named = {name: text for name, text in scripts.items() if isinstance(text, str)}
    return dict(sorted(named.items(), key=lambda each: (each[0] != "build", each[0])))


def _makefiles(place: Path) -> list[str]:
    return [_text(place / name) for name in _MAKEFILES if (place / name).is_file()]


def _text(path: Path) -> str:
    try:
        found = read_regular(path, str(path), largest=_LARGEST, follow=False)
    except (DonewhenError, OSError):
        return ""
    return found.data.decode(errors="replace") if found else ""


def _is_young(root: Path, aside: Aside, began: int) -> bool:
    """Whether anything in the folder was written after the base; what can't be told is not."""
    return any(max(facts.st_mtime_ns, facts.st_ctime_ns) > began for facts in _inside(root / aside.path))


def _inside(folder: Path) -> Iterator[os.stat_result]:
    left = _MOST
    for place, _, files in os.walk(folder):
        for name in files:
            left -= 1
            if left < 0:
                return
            try:
                yield os.lstat(os.path.join(place, name))  # noqa: PTH118
            except OSError:
                continue
