"""`cleanup-worktree-on-fail`: asks for the workspace of a failed run to be removed, and says what was kept.

It removes nothing itself and decides nothing: whether work would be lost is the workspace room's judgement,
and a workspace that is kept is a note, never a failure.
"""

from donewhen.core.errors import DonewhenError
from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase, say
from donewhen.hooks.model import PASS, Answer, Ask, Kit
from donewhen.workspace.rooms.leaving import Kept

_MOST = 5


def make(kit: Kit) -> Ask:
    async def ask(occasion: Occasion) -> Answer:
        if kit.remove is None:  # the run works in the user's own folder
            return PASS
        try:
            left = await kit.remove()
        except (DonewhenError, OSError) as error:
            why = error.say(kit.language) if isinstance(error, DonewhenError) else str(error)
            return Answer(note=Phrase("hooks.kept", {"folder": kit.workspace, "why": why}))
        if not isinstance(left, Kept):
            return Answer(note=Phrase("hooks.removed", {"folder": left.folder}))
        why = "; ".join(say(each.key, kit.language, **each.values) for each in left.reasons[:_MOST])
        return Answer(note=Phrase("hooks.kept", {"folder": left.folder, "why": why}))

    return ask
