"""`/donewhen off` and the like, typed as a prompt: the user's own command, run for him, no model asked."""

import re
import shlex
import sys

from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.payload import Payload

_TYPED = re.compile(r"\s*/?donewhen\s+(off|on|pause|status|confirm|deny)\b([^\n]{0,400})\s*")
_LONGEST = 4000  # characters of an answer


def typed(course: Course, payload: Payload) -> str:
    """What the command says; empty for any other prompt."""
    found = _TYPED.fullmatch(payload.text("prompt"))
    if found is None:
        return ""
    import subprocess

    from donewhen.integrations.hook.ancestry import TYPED_VARIABLE, leave_note
    from donewhen.integrations.hook.places import state_folder

    try:
        words = shlex.split(found[2])
    except ValueError as error:
        return f"donewhen: {error}"
    verb = ["show", "last"] if found[1] == "status" else [found[1]]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "donewhen", *verb, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=payload.folder,
            env={**course.env, "PYTHONSAFEPATH": "1", TYPED_VARIABLE: leave_note(state_folder(course.env))},
            timeout=max(course.left - 1, 1),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"donewhen {found[1]}: no answer in time; type it in a terminal"
    text = done.stdout.decode(errors="replace").strip()
    return text[-_LONGEST:] or f"donewhen {found[1]}: exit {done.returncode}"
