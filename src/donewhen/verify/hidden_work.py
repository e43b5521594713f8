"""Hidden work: an exam that passes only thanks to files that would not be shipped.

The exam proper ran in the user's folder. Where files lie there that are ignored, younger than the base and
made by no tool that is known, it is sat once more without them; red there, green with them again and red
without them again, it is them. What the user had before the work began is his environment and always there.
Nothing is removed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import ALONE
from donewhen.verify.behind import behind
from donewhen.verify.ignored import Aside
from donewhen.verify.inspecting import GitTree
from donewhen.verify.installed import altered, hooks_at_home
from donewhen.verify.reports.frames import visible
from donewhen.verify.rerun import Again, Proper, Resat, is_old, sit_again
from donewhen.verify.runners import Ground, path_folders, planted
from donewhen.verify.stashed import stashed
from donewhen.verify.unbuilt import unbuilt
from donewhen.workspace.environment import command_environment

_WITH = "alone-with-leftovers"
_SHOWN = 5
_LONGEST = 120


async def leftovers(proper: Proper) -> tuple[Finding, ...]:
    """To be asked after an exam that passed."""
    began = proper.began()
    hidden = stashed(proper.looked.repository, began)
    if not began:
        return hidden
    if not proper.in_place:
        return (*hidden, *_planted(proper, (), began))
    asides = proper.asides()
    hidden += (
        *_planted(proper, asides, began),
        *_edited(proper, asides, began),
        *await unbuilt(proper, asides, began),
    )
    loose = [each for each in asides if each.sort == "file" and not is_old(each, began)]
    if not loose:
        return hidden
    tree = _without(proper, loose)
    alone = await sit_again(proper, Again(tree, ALONE))
    if alone.rerun.green:
        return hidden
    back = await sit_again(proper, Again(tree, _WITH, tuple(loose), use=False))
    if not back.rerun.green:  # the room can't host this exam, with or without them
        return hidden
    if (await sit_again(proper, Again(tree, ALONE, use=False))).rerun.green:  # it was luck, and not theirs
        return hidden
    needed = [visible(each.path, _LONGEST) for each in _likely(loose, alone)]
    shown = ", ".join(needed[:_SHOWN]) + (", …" if len(needed) > _SHOWN else "")
    return (*hidden, found("hidden-work", needed[0], 1, now=shown))


def _planted(proper: Proper, asides: Sequence[Aside], began: int) -> Iterator[Finding]:
    """Programs in the project that the exam's commands find, and that no installer made."""
    looked, place = proper.looked, proper.place
    root, tree = looked.repository.root, GitTree(looked.fingerprints, proper.tree)
    env = command_environment(proper.means.env, looked.rules.config.sandbox.env)
    lent = [root / each.path for each in asides if each.sort == "lent"]
    folders = path_folders(env.get("PATH", ""), place.prepared.path)
    folders += [each / (".bin" if each.name == "node_modules" else "bin") for each in lent]
    inside = [folder for folder in folders if folder.resolve().is_relative_to(root.resolve())]
    if not inside:
        return
    lines = [line.text for entry in proper.entries for line in behind(entry, root).lines]
    words = [word for entry in proper.entries for word in entry.argv] + " ".join(lines).split()
    used = frozenset(word.rpartition("/")[2] for word in words)
    ground = Ground(root, began, used, lambda path: path in tree.paths())
    for path in planted(ground, inside):
        shown = visible(str(path.relative_to(root.resolve())), _LONGEST)
        message = Phrase("baseexam.planted", {"file": shown})
        wanted = Phrase("baseexam.planted_wanted", {"file": shown})
        yield found("hidden-work", shown, 1, now=shown, message=message, wanted=wanted)


def _edited(proper: Proper, asides: Sequence[Aside], began: int) -> Iterator[Finding]:
    """Packages that were edited where they are installed, and what starts with every Python."""
    root = proper.looked.repository.root
    inside = [root / each.path for each in asides if each.sort == "lent"]
    used = [Path(folder).parent for folder in proper.place.prepared.path]
    for path in altered(root, dict.fromkeys((*inside, *used)), began):
        shown = visible(str(path.relative_to(root) if path.is_relative_to(root) else path), _LONGEST)
        message = Phrase("baseexam.edited", {"file": shown})
        wanted = Phrase("baseexam.edited_wanted", {"file": shown})
        yield found("hidden-work", shown, 1, now=shown, message=message, wanted=wanted)
    for path in hooks_at_home(proper.means.env.get("HOME", ""), began):
        shown = visible(str(path), _LONGEST)
        yield found("startup-hook", shown, 1, now=shown)


def _without(proper: Proper, loose: Sequence[Aside]) -> str:
    """The tree without what `info/exclude` hides: the harness sees it, nobody would add it."""
    fingerprints = proper.looked.fingerprints
    inside = [each.path for each in loose if proper.looked.change.changed.get(each.path) == "added"]
    return fingerprints.composed("", proper.tree, inside)


def _likely(loose: Sequence[Aside], alone: Resat) -> list[Aside]:
    """Those that the failure speaks of, else all."""
    said = "\n".join(each.sitting.tail for each in alone.told)
    named = [each for each in loose if _stem(each.path) in said]
    return named or list(loose)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.partition(".")[0] or name
