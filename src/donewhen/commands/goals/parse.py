"""From a goal's text to what it requires: blocks, mentions, sentences, frames, references, result."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.commands.goals.blocks import Block, blocks
from donewhen.commands.goals.clean import SLOT, Clean, clean
from donewhen.commands.goals.codeblocks import code_mentions
from donewhen.commands.goals.datablocks import data_mentions, names_acceptance
from donewhen.commands.goals.files import Span, named_files
from donewhen.commands.goals.frames import (
    ACTS,
    Context,
    Framed,
    frame_of,
    heard,
    is_plain,
    lead_frame,
    orders_below,
)
from donewhen.commands.goals.mentions import prose_mentions
from donewhen.commands.goals.model import TAKEN, WEAK, Frame, Goal, GoalCommand, Ignored, Mention
from donewhen.commands.goals.references import demands, dismisses, dismisses_one, refers, turns_green
from donewhen.commands.goals.sentences import Sentence, sentences
from donewhen.commands.goals.work import asks_for_work, names_work
from donewhen.commands.words import pattern
from donewhen.core.lazy import lazy
from donewhen.core.texts import Language

MOST = 400  # commands that are looked at; more is no goal that a person wrote
MOST_BLOCKS = 3000
_TOO_MANY = Framed("too_many", strong=True)
_RUNS, _EXITS = pattern("goal_runs"), pattern("goal_exits")
_CHINESE = lazy(r"[\u4e00-\u9fff]")


class Seen(NamedTuple):
    mention: Mention
    framed: Framed
    cluster: tuple[int, int]  # mentions of one sentence, list or block of code


class Unit(NamedTuple):
    """A block with its mentions and sentences, and what frames it from outside."""

    block: Block
    mentions: tuple[Mention, ...]
    sentences: tuple[Sentence, ...]
    outer: tuple[str, ...]
    cluster: int


def parse_goal(text: str) -> Goal:
    cleaned = clean(text)
    read = blocks(cleaned.text)
    units = _units(cleaned.text, read[:MOST_BLOCKS])
    said = [sentence.text for unit in units for sentence in unit.sentences]
    work = asks_for_work(said)
    seen = _framed(cleaned.text, units)
    commands, ignored = _result(cleaned, seen, work)
    work = work or (len(commands) >= 2 and names_work(said))
    files, other = named_files(cleaned, _spans(units))
    language: Language = "zh" if _is_chinese(cleaned.text[:20000]) else "en"
    active = work and len(commands) >= 2
    unread = [_unread(cleaned, block) for block in read[MOST_BLOCKS : MOST_BLOCKS + 1]]
    return Goal(commands, active, files, (*ignored, *other, *unread), language, work)


def _is_chinese(text: str) -> bool:
    return not text.isascii() and len(_CHINESE.findall(text)) >= 4


def _unread(cleaned: Clean, block: Block) -> Ignored:
    text = cleaned.text[block.start : min(block.end, block.start + 80)]
    return Ignored(text, "command", cleaned.place(block.start), "goal.not_read")


def _spans(units: list[Unit]) -> Iterator[Span]:
    """Every sentence with what introduces it."""
    for unit in units:
        ends = [sentence.start for sentence in unit.sentences[1:]] + [unit.block.end]
        lead = unit.outer[0] if unit.outer else ""
        for sentence, end in zip(unit.sentences, ends, strict=False):
            yield Span(sentence.start, end, lead)


def _units(text: str, read: list[Block]) -> list[Unit]:
    units: list[Unit] = []
    headings: list[tuple[int, str]] = []
    leads: list[tuple[int, str]] = []  # (indent, text) of what may introduce a list
    cluster = 0
    before: Block | None = None
    for block in read:
        if block.kind == "code":
            mentions = data_mentions(text, block) if block.data else code_mentions(text, block)
            said = []
        else:
            mentions = prose_mentions(text, block.start, block.end)
            said = sentences(text, block.start, block.end, mentions)
        if not (before and before.kind == block.kind in ("item", "row")):
            cluster += 1
        if block.kind == "heading":
            headings = [h for h in headings if h[0] < block.level] + [
                (block.level, said[0].text if said else "")
            ]
            leads = []
        outer = (*_leads(block, leads, before), *(h for _, h in reversed(headings)))
        units.append(Unit(block, tuple(mentions), tuple(said), outer, cluster))
        leads = _next_leads(block, said, leads, before)
        before = block
    return units


def _leads(block: Block, leads: list[tuple[int, str]], before: Block | None) -> tuple[str, ...]:
    if block.kind == "item":
        return tuple(text for indent, text in reversed(leads) if indent < block.indent or indent < 0)
    if block.kind == "code":
        return tuple(text for _, text in reversed(leads))
    if block.kind == "row" or (before and before.kind == "heading"):
        return tuple(text for _, text in reversed(leads))
    last = leads[-1][1] if leads else ""
    return (last,) if last.endswith((":", "：")) and leads[-1][0] < 0 else ()


def _next_leads(
    block: Block, said: list[Sentence], leads: list[tuple[int, str]], before: Block | None
) -> list[tuple[int, str]]:
    if block.kind == "paragraph":
        if leads and all(not sentence.text.replace(SLOT, "").strip(" .,;") for sentence in said):
            return leads  # commands between blank lines: a list without marks
        return [(-1, said[-1].text)] if said else []
    if block.kind == "item":
        kept = [lead for lead in leads if lead[0] < block.indent]
        return [*kept, (block.indent, said[-1].text if said else "")]
    if block.kind == "row" and said and not said[0].mentions and not (before and before.kind == "row"):
        return [*leads, (-1, said[0].text)]
    return leads


def _code_frame(text: str, unit: Unit) -> Frame:
    """What introduces a block of code; a plain sentence does so when the block holds nothing but commands."""
    frame = next((f for f in map(lead_frame, unit.outer) if f), None)
    block = unit.block
    if frame or not unit.mentions:
        return frame or "mention"
    if block.data:
        return "list" if names_acceptance(text, block) else "mention"
    if unit.outer and orders_below(unit.outer[0]):
        return "ordered"
    return "stated" if is_plain(unit.outer) and _only_commands(text, unit) else "mention"


def _only_commands(text: str, unit: Unit) -> bool:
    at, rest = unit.block.start, ""
    for mention in unit.mentions:
        rest += text[at : mention.start]
        at = mention.end
    lines = (rest + text[at : unit.block.end]).split("\n")
    return len(unit.mentions) > 1 and all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _framed(text: str, units: list[Unit]) -> list[Seen]:
    seen: list[Seen] = []
    carried = False
    for unit in units:
        if unit.block.kind == "code":
            frame = _code_frame(text, unit)
            framed = Framed(frame, strong=frame == "list")
            seen += [Seen(mention, framed, (unit.cluster, 0)) for mention in unit.mentions]
            continue
        lead: tuple[str, ...] = ()
        for sentence in unit.sentences:
            carried = _sentence(sentence, unit, lead, carried, seen)
            if sentence.text.endswith((":", "：")) or _is_title(sentence):
                lead = (sentence.text,)
            elif not sentence.mentions:
                lead = ()
    return seen


def _sentence(sentence: Sentence, unit: Unit, lead: tuple[str, ...], carried: bool, seen: list[Seen]) -> bool:
    """Frame the sentence's commands, follow its references; is it an acceptance sentence?"""
    context = Context((*lead, *unit.outer), carried)
    cluster = (unit.cluster, 0 if unit.block.kind in ("item", "row") else sentence.start)
    taken = False
    whole = heard(sentence) if sentence.groups else None
    for number, segment in enumerate(sentence.segments):
        turned = turns_green(segment)
        if turned is not None:
            _lift(seen, turned, demands=True)
        for group in sentence.groups:
            if whole and group.segment == number:
                framed = frame_of(sentence, group, context, whole) if len(seen) < MOST else _TOO_MANY
                taken = taken or (framed.strong and framed.frame in TAKEN)
                context = Context(context.outer, framed.strong and framed.frame in TAKEN, framed.frame)
                mentions = sentence.mentions[group.first : group.last + 1]
                seen += [
                    Seen(mention, _sure(mention, framed, group.before, group.after), cluster)
                    for mention in mentions
                ]
        for clause in _clauses(segment):
            count = refers(clause)
            if dismisses(clause):
                _dismiss(seen, only_last=dismisses_one(clause))
            elif count is not None:
                _lift(seen, count, demands=demands(clause))
    return taken or any(whole.markers if whole else ())


def _is_title(sentence: Sentence) -> bool:
    """A short line of its own, such as "GATE"."""
    short = not sentence.mentions and len(sentence.text) < 60 and sentence.text[-1:] not in ".!?。！？,，"
    return short and lead_frame(sentence.text) == "list"


def _clauses(segment: str) -> list[str]:
    """A segment without commands as a whole; else what follows the last comma behind its commands."""
    if SLOT not in segment:
        return [segment]
    tail = segment[segment.rindex(SLOT) + 1 :]
    comma = re.search(r"[,，)）:：]", tail)
    return [tail[comma.end() :].strip()] if comma else []


def _dismiss(seen: list[Seen], *, only_last: bool) -> None:
    if only_last and seen and len({each.framed for each in seen if each.cluster == seen[-1].cluster}) > 1:
        seen[-1] = seen[-1]._replace(framed=Framed("waived", strong=True))
    elif seen and not (seen[-1].framed.strong and seen[-1].framed.frame not in TAKEN):
        cluster = seen[-1].cluster
        for i in range(len(seen) - 1, -1, -1):
            if seen[i].cluster != cluster:
                break
            seen[i] = seen[i]._replace(framed=Framed("waived", strong=True))


def _sure(mention: Mention, framed: Framed, before: str, after: str) -> Framed:
    """A program that we don't know is a command only where the words speak of running it."""
    if mention.known or framed.frame not in TAKEN:
        return framed
    lone = " " not in mention.parts[0].label
    runs, exits = _RUNS.search(before), _EXITS.match(after)
    bare = not before.strip(" ,;:：，([*-") and not after.strip(" ,;.。，、)]*")
    if not lone and framed.frame == "predicate" and not mention.parts[0].label.startswith(ACTS):
        return framed
    if runs or (
        not lone and (exits or bare or (framed.frame in ("list", "marker") and not after.strip(" |,.;。")))
    ):
        return framed
    return Framed("not_command", strong=True)


def _lift(seen: list[Seen], count: int, *, demands: bool) -> None:
    """The nearest commands before a reference, as many as it counts, are required; "both pass" is no demand
    where the sentence before told what happened."""
    cluster: tuple[int, int] | None = None
    labels: set[str] = set()
    for i in range(len(seen) - 1, max(-1, len(seen) - MOST), -1):
        each = seen[i]
        told = not demands and each.framed.frame in ("history", "report", "remark")
        if told or (each.framed.strong and each.framed.frame not in TAKEN):
            continue
        cluster = cluster or each.cluster
        if each.cluster != cluster and len(labels) >= count:
            return
        labels |= {part.label for part in each.mention.parts}
        if each.framed.frame not in TAKEN - WEAK and each.mention.known:
            seen[i] = each._replace(framed=Framed("reference", strong=True))


def _result(
    cleaned: Clean, seen: list[Seen], work: bool
) -> tuple[tuple[GoalCommand, ...], tuple[Ignored, ...]]:
    why: dict[str, Frame] = {}
    for each in seen:
        if each.framed.frame in TAKEN and (work or each.framed.frame not in WEAK):
            for part in each.mention.parts:
                why.setdefault(part.label, each.framed.frame)
    commands: dict[str, GoalCommand] = {}
    ignored: list[Ignored] = []
    for mention, framed, _ in seen:
        place = cleaned.place(mention.start)
        for part in mention.parts:
            if part.label not in why:
                reason = "mention" if framed.frame in TAKEN else framed.frame
                ignored.append(Ignored(part.label, "command", place, f"goal.not_{reason}"))
            elif part.label not in commands:
                commands[part.label] = GoalCommand(part.label, part.cwd, place, f"goal.why_{why[part.label]}")
    return tuple(commands.values()), tuple(ignored)
