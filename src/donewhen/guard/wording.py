"""Effects in words: one short target for a reason, and a phrase for the list of what an action does."""

from donewhen.core.texts import Phrase
from donewhen.guard.effects import Deletes, Effect, Executes, Pushes, Reads, Unknown, Writes
from donewhen.guard.marks import shown

LONGEST = 200
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
        return Phrase(effect.what, {"detail": clean(effect.detail)})
    if isinstance(effect, Reads | Writes | Deletes):
        return clean(effect.path)
    if isinstance(effect, Pushes):
        return clean(effect.ref)
    texts = [value for value in effect if isinstance(value, str) and value]
    return clean(" ".join(texts[:1] if isinstance(effect, Executes) else texts))


def phrase(effect: Effect) -> Phrase:
    """The effect as one line."""
    kind = type(effect).__name__.lower()
    if isinstance(effect, Reads) and effect.names:
        kind = "names"
    elif isinstance(effect, Pushes):
        kind = "drops" if effect.delete else "forces" if effect.force else "pushes"
    elif isinstance(effect, Unknown):
        return Phrase("guard.effect_unknown", {"why": target(effect)})
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
