"""What `donewhen doctor` and the summary say about the sandbox: what is active, what is missing, what to do.

Says only; a wish that can't be met is told, not raised.
"""

from typing import Literal

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.sandbox.confinement import Confinement
from donewhen.workspace.sandbox.plan import plan
from donewhen.workspace.sandbox.support import Support

Standing = Literal["ok", "warning", "missing"]


def describe(support: Support, wish: Confinement) -> list[tuple[Standing, Phrase]]:
    lines: list[tuple[Standing, Phrase]] = []
    try:
        chosen = plan(wish, support)
    except SetupError as error:
        lines.append(("missing", Phrase(error.key, error.values)))
    else:
        if chosen.confined:
            said = {"mechanism": chosen.mechanism, "network": wish.network}
            lines.append(("ok", Phrase("sandbox.active", said)))
        lines += [("warning", gap) for gap in chosen.gaps]
    if not support.bubblewrap and not support.seatbelt:
        key = "sandbox.bubblewrap_fails" if support.bubblewrap_why else "sandbox.bubblewrap_missing"
        lines.append(("warning", Phrase(key, {"why": support.bubblewrap_why})))
    if not support.bash:
        lines.append(("missing", Phrase("sandbox.no_bash")))
    return lines
