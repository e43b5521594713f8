"""Variables that configuration sets for the exam: makefiles, tox, CI files, .env, .npmrc, pytest's list."""

import re
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.settings.exams import is_ci
from donewhen.verify.integrity.settings.formats import (
    read_ini,
    read_toml,
    read_variables,
    read_yaml_text,
    text_of,
)
from donewhen.verify.integrity.settings.model import ChangedFile, Leaf, Unread, spelt
from donewhen.verify.integrity.settings.switches import judge_variable

_MAKE = re.compile(
    r"(?:[\w. %-]{1,200}:\s*)?(?P<export>(?:override\s+)?export\s+)?(?:override\s+)?"
    r"(?P<name>\.?[A-Za-z_]\w{0,80})\s*(?:[:?+!]{0,3}=)\s*(?P<value>.*)"
)
_EXPORT = re.compile(r"export\s+(?P<names>[A-Za-z_][\w ]{0,400})")
_ALWAYS = frozenset(("SHELL", ".SHELLFLAGS", "MAKEFLAGS"))
_ENVIRONMENTS = frozenset(("env", "variables", "environment", "set_env", "setenv"))
_PAIR = re.compile(r"\s*(?:[DR]:)?(?P<name>[A-Za-z_]\w{0,80})\s*=\s*(?P<value>.*)")
Variables = dict[str, tuple[str, int]]


def compare_surroundings(files: Sequence[ChangedFile]) -> Iterator[Finding]:
    for each in files:
        if each.base == each.now or each.now is None:
            continue
        before, now = _variables(each.path, each.base), _variables(each.path, each.now)
        for name, (value, line) in now.items():
            had = before.get(name)
            rule = judge_variable(name, had[0] if had else None, value)
            if rule:
                message = Phrase("weakening.variable", {"name": name, "now": value[:120], "file": each.path})
                shown = f"{name}={value}"
                was = f"{name}={had[0]}" if had else ""
                yield found(rule, each.path, line, now=shown, before=was, message=message)


def _variables(path: str, data: bytes | None) -> Variables:
    text = text_of(data) if data is not None else None
    if text is None:
        return {}
    name = path.rpartition("/")[2].lower()
    if name in ("makefile", "gnumakefile") or name.endswith(".mk"):
        return _made(text)
    if re.fullmatch(r"\.env(?:\..{1,40})?|\.envrc|\.npmrc|\.yarnrc|gradle\.properties", name):
        return _plain(read_variables(text))
    if is_ci(path) or name in ("taskfile.yml", "taskfile.yaml", ".yarnrc.yml"):
        return _listed(read_yaml_text(text, path))
    if name in ("tox.ini", "setup.cfg", "pytest.ini", ".pytest.ini"):
        return _listed(read_ini(text))
    if name in ("pyproject.toml", "tox.toml", "config.toml", "hatch.toml"):
        return _listed(read_toml(text))
    return {}


def _made(text: str) -> Variables:
    found_here: Variables = {}
    exported = {
        word
        for line in text.split("\n")
        if (head := _EXPORT.fullmatch(line))
        for word in head["names"].split()
    }
    everything = re.search(r"^export\s*$", text, re.MULTILINE) is not None
    for at, line in enumerate(text.split("\n"), 1):
        match = _MAKE.fullmatch(line) if line[:1] != "\t" else None
        if match and (match["export"] or everything or match["name"] in exported or match["name"] in _ALWAYS):
            found_here[match["name"]] = (match["value"].split(" #")[0].strip(), at)
    return found_here


def _plain(leaves: Sequence[Leaf]) -> Variables:
    return {leaf.key[-1]: (spelt(leaf.value), leaf.line) for leaf in leaves}


def _listed(leaves: Sequence[Leaf] | Unread) -> Variables:
    """`env: {NAME: value}` as well as `setenv = NAME=value` on lines of their own."""
    found_here: Variables = {}
    for leaf in () if isinstance(leaves, Unread) else leaves:
        assert isinstance(leaf, Leaf)
        small = [part.lower() for part in leaf.key] or [""]
        if len(small) > 1 and small[-2] in _ENVIRONMENTS:
            found_here[leaf.key[-1]] = (spelt(leaf.value), leaf.line)
        elif small[-1] in _ENVIRONMENTS:
            lines = leaf.value if isinstance(leaf.value, tuple) else spelt(leaf.value).splitlines()
            pairs = (_PAIR.fullmatch(spelt(line)) for line in lines)
            found_here |= {pair["name"]: (pair["value"], leaf.line) for pair in pairs if pair}
        elif small[-1] in ("nodeoptions", "scriptshell"):
            found_here["NODE_OPTIONS" if small[-1][0] == "n" else "SHELL"] = (spelt(leaf.value), leaf.line)
    return found_here
