"""Effects in words: one short target for a reason, and a phrase for the list of what an action does."""

from donewhen.core.texts import Phrase
from donewhen.guard.effects import (
    Deletes,
    Destroys,
    Effect,
    Executes,
    Fetches,
    Loses,
    Pushes,
    Reads,
    Reveals,
    Rewrites,
    Sends,
    Signals,
    Unknown,
    Writes,
)
from donewhen.guard.marks import shown

LONGEST = 200
# The one field that a sentence names; of other effects all texts.
_NAMED: dict[type, str] = {
    Executes: "program",
    Reads: "path",
    Writes: "path",
    Deletes: "path",
    Pushes: "ref",
    Rewrites: "ref",
    Sends: "host",
    Fetches: "host",
    Destroys: "target",
    Signals: "name",
}
_HIDING = (
    *range(32),
    *range(0x7F, 0xA0),
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
    0xFEFF,
)
_CONTROL = dict.fromkeys(_HIDING, "\ufffd")


def target(effect: Effect) -> object:
    """What a rule's sentence names."""
    if isinstance(effect, Unknown):
        return Phrase(effect.what, {"detail": clean(effect.detail) or "…"})
    if isinstance(effect, Loses):
        return clean(effect.path) or Phrase(f"guard.loses_{effect.what}")
    if isinstance(effect, Reveals):
        return clean(effect.name) or Phrase(f"guard.reveals_{effect.what}")
    named = _NAMED.get(type(effect))
    texts = [getattr(effect, named)] if named else [value for value in effect if isinstance(value, str)]
    return clean(" ".join(text for text in texts if text)) or type(effect).__name__.lower()


def phrase(effect: Effect) -> Phrase:
    """The effect as one line."""
    kind = type(effect).__name__.lower()
    if isinstance(effect, Reads) and effect.names:
        kind = "names"
    elif isinstance(effect, Pushes):
        kind = "drops" if effect.delete else "forces" if effect.force else "pushes"
    elif isinstance(effect, Unknown):
        return Phrase("guard.effect_unknown", {"why": target(effect)})
    if isinstance(effect, Loses):
        return Phrase("guard.effect_loses", {"what": target(effect)})
    values = {name: clean(str(value)) for name, value in effect._asdict().items()}
    return Phrase(f"guard.effect_{kind}", values)


def data(effect: Effect) -> dict[str, object]:
    """The effect for machines; marks as they are shown to people."""
    fields = {
        name: shown(value) if isinstance(value, str) else value for name, value in effect._asdict().items()
    }
    return {"kind": type(effect).__name__.lower(), **fields}


def clean(text: str) -> str:
    """Short and harmless on a terminal."""
    plain = shown(text).translate(_CONTROL)
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}…"
