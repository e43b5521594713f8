"""Settings of the runners: every one that matters, as it was and as it is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.settings.formats import text_of
from donewhen.verify.integrity.settings.hooks import weighed_hook
from donewhen.verify.integrity.settings.javascript import turns
from donewhen.verify.integrity.settings.judging import Change, doubtful, loaded, weaker
from donewhen.verify.integrity.settings.model import ChangedFile, Code, Leaf, Unread, Value, nearby, spelt
from donewhen.verify.integrity.settings.moves import Moves
from donewhen.verify.integrity.settings.rules import RULES_OF, Rule, squeezed
from donewhen.verify.integrity.settings.sections import Place, is_code, is_settings, places

_FIRST = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
_DEFAULTS = re.compile(
    r"\.\.\. ?\(?(?:configDefaults|coverageConfigDefaults|defaults|defaultExclude)\b[\w .]{0,80}"
)
_DYNAMIC = frozenset(("select", "exclude", "pattern", "bad", "options", "value", "hook"))
Group = tuple[str, str, str]  # runner, tool, folder


class _Setting(NamedTuple):
    leaf: Leaf
    path: str


class _Side(NamedTuple):
    groups: dict[Group, dict[str, _Setting]]
    files: dict[Group, str]  # one file of each group
    unread: dict[str, Unread]


def compare_values(files: Sequence[ChangedFile], moves: Moves) -> Iterator[Finding]:
    held = {each.path: each.now for each in files if each.now is not None}
    files = [each for each in files if is_settings(each.path)]
    if all(each.base == each.now for each in files):
        return
    files = nearby(files)
    base, now = _side(files, base=True), _side(files, base=False)
    changed = {each.path for each in files if each.base != each.now}
    for path, trouble in now.unread.items():
        if path in changed:
            yield not_compared(path, trouble.line, Phrase(trouble.why, {"line": trouble.line}))
    for group in dict.fromkeys((*base.groups, *now.groups)):
        yield from (_tamed(each, group, held) for each in _group(group, base, now, changed, moves))
    for each in files:
        if is_code(each.path, "js") and each.base is not None and each.now is not None:
            yield from _turned(each)


def _tamed(finding: Finding, group: Group, held: Mapping[str, bytes]) -> Finding:
    """A set-up file that can't reach into the exam is worth a look, no more."""
    if finding.rule != "startup-hook" or finding.message.key != "weakening.setting":
        return finding
    return weighed_hook(finding, str(finding.message.values["detail"]).split(", "), group[2], held)


def not_compared(path: str, line: int, why: Phrase) -> Finding:
    message = Phrase("weakening.not_compared", {"file": path, "why": why})
    return found("not-compared", path, line, message=message)


def _side(files: Sequence[ChangedFile], base: bool) -> _Side:
    side = _Side({}, {}, {})
    listed: dict[Group, list[Place]] = {}
    for each in files:
        data = each.base if base else each.now
        text = None if data is None else text_of(data)
        read = places(each.path, text) if text is not None else ()
        if isinstance(read, Unread):
            side.unread[each.path] = read
            continue
        for place in read:
            listed.setdefault((place.runner, place.tool, place.folder), []).append(place)
    for group, found_places in listed.items():
        chosen = _effective(found_places) if group[0] == "pytest" else found_places
        settings: dict[str, _Setting] = {}
        for place in chosen:
            for leaf in _keyed(place):
                settings.setdefault(squeezed(leaf.key), _Setting(leaf, place.path))
        side.groups[group] = settings
        side.files[group] = chosen[0].path
    return side


def _effective(found_places: list[Place]) -> list[Place]:
    """pytest reads one file only."""
    return sorted(found_places, key=lambda place: _FIRST.index(place.path.rpartition("/")[2].lower()))[:1]


def _keyed(place: Place) -> Iterator[Leaf]:
    """Entries of a list of tables go by their name, not by their number."""
    names: dict[tuple[str, ...], str] = {
        leaf.key[:2]: spelt(leaf.value)
        for leaf in place.leaves
        if len(leaf.key) == 3 and leaf.key[2] == "name"
    }
    for leaf in place.leaves:
        named = names.get(leaf.key[:2]) if leaf.key[1:2] and leaf.key[1].isdigit() else None
        yield leaf._replace(key=(leaf.key[0], named.replace(".", "_"), *leaf.key[2:])) if named else leaf


def _group(group: Group, base: _Side, now: _Side, changed: set[str], moves: Moves) -> Iterator[Finding]:
    before, after = base.groups.get(group, {}), now.groups.get(group, {})
    if group[0] == "lint" and group not in base.groups:
        return  # a checker that nobody had asks for more, whatever it lets pass
    for key in dict.fromkeys((*before, *after)):
        was, has = before.get(key), after.get(key)
        rule = next((each for each in RULES_OF[group[0]] if each.keys.fullmatch(key)), None)
        if rule is None or (was and has and was.leaf.value == has.leaf.value):
            continue
        if not changed & {each.path for each in (was, has) if each} and now.files.get(group) not in changed:
            continue
        if has is None and was is not None:
            file = now.files.get(group, was.path)
            has_now = file if file in changed else was.path
            yield from _judged(rule, was, _Setting(was.leaf._replace(value=None), has_now), moves)
        elif has is not None:
            yield from _judged(rule, was, has, moves)


def _judged(rule: Rule, was: _Setting | None, has: _Setting, moves: Moves) -> Iterator[Finding]:
    before = was.leaf.value if was else None
    now = has.leaf.value
    if _has_code(now) and (was is not None or rule.kind in _DYNAMIC) and spelt(before) != spelt(now):
        why = Phrase("weakening.computed", {"key": has.leaf.name})
        finding = not_compared(has.path, has.leaf.line, why)
        yield finding._replace(policy=rule.policy) if rule.policy else finding
        return
    if rule.kind == "options":
        for hook in loaded(rule.program, now):
            if hook not in loaded(rule.program, before):
                yield found("startup-hook", has.path, has.leaf.line, now=f"{has.leaf.name} = {spelt(now)}")
    change = Change(before, now, rule.default, rule.program, rule.lines, moves)
    detail = weaker(rule.kind, change)
    if not detail:
        return
    shown = f"{has.leaf.name} = {spelt(now)}" if now is not None else f"{has.leaf.name} -"
    had = f"{has.leaf.name} = {spelt(before)}" if before is not None else ""
    values = {"key": has.leaf.name, "now": _short(spelt(now)) or "-", "before": _short(spelt(before)) or "-"}
    message = Phrase("weakening.setting", {**values, "detail": _short(detail)})
    finding = found(rule.rule, has.path, has.leaf.line, now=shown, before=had, message=message)
    policy = rule.policy or ("ask" if doubtful(rule.kind, change, detail) else None)
    yield finding._replace(policy=policy) if policy else finding


def _has_code(value: Value) -> bool:
    parts = value if isinstance(value, tuple) and not isinstance(value, Code) else (value,)
    return any(isinstance(each, Code) and not _DEFAULTS.fullmatch(each.text) for each in parts)


def _turned(file: ChangedFile) -> Iterator[Finding]:
    """A configuration that begins to depend on what only running it tells."""
    suffix = file.path.rpartition(".")[2]
    before, now = (text_of(data or b"") for data in (file.base, file.now))
    if before is None or now is None:
        return
    known = turns(before, suffix)
    new = {
        text: line
        for text, line in turns(now, suffix).items()
        if text not in known and not _DEFAULTS.fullmatch(text)
    }
    if new:
        text, line = next(iter(new.items()))
        yield not_compared(file.path, line, Phrase("weakening.turn", {"now": _short(text)}))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else flat[:119] + "…"
