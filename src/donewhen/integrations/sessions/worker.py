"""The worker: one verb for one session, what was asked as data, one JSON object on stdout, exit 0.

Anything else is a failure of ours, which the hook that forked it counts and tells by the `error` printed
then. The end of a session loads next to nothing: a client waits for it only a moment. What is loaded is
loaded inside `work`, so that a missing part of the installation can be told as that.
"""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]
Answer = dict[str, Any]


def work(verb: str, given: Data) -> int:
    try:
        return _work(verb, given)
    except (ImportError, SyntaxError) as error:
        return _failed(f"{type(error).__name__}: {error}", 1, broken=True)
    except KeyboardInterrupt:
        return 130


def _work(verb: str, given: Data) -> int:
    from donewhen.core.errors import DonewhenError
    from donewhen.core.texts import language_of

    try:
        if verb == "end":
            return _ended(given, given["client"], given["session_id"])
        return _asked(verb, given, (given["client"], given["session_id"], given["folder"]))
    except DonewhenError as error:
        return _failed(error.say(language_of(os.environ.get("DONEWHEN_LANGUAGE"))), error.exit_code)
    except OSError as error:  # the disk is full, a folder may not be written
        return _failed(str(error), 3)


def _asked(verb: str, given: Data, where: tuple[str, str, str]) -> int:
    from donewhen.integrations.sessions.folder import ENDED
    from donewhen.integrations.sessions.opening import open_session
    from donewhen.integrations.sessions.verbs import VERBS, is_late

    live = open_session(*where, os.environ, late=is_late(verb, given))
    (live.folder.path / ENDED).unlink(missing_ok=True)  # a client may take a session up again
    if not _heard(VERBS[verb](live, given)):
        return 1
    if verb == "stop":
        from donewhen.integrations.sessions.results import delivered

        delivered(live)
    return 0


def _ended(given: Data, client: str, session_id: str) -> int:
    from donewhen.integrations.sessions.ending import end

    payload = given.get("payload")
    reason = payload.get("reason") if isinstance(payload, dict) else None
    end(client, session_id, str(reason or "-")[:80])
    return 0 if _heard({}) else 1


def _failed(why: str, code: int, *, broken: bool = False) -> int:
    """Told twice: to the hook, whose user reads it, and in the log."""
    if not broken:
        from donewhen.secrets.redact import Redactor

        why = Redactor.from_environment(os.environ).text(why)
    sys.stderr.write(why + "\n")
    _heard({"error": why, "broken": broken})
    return code


def _heard(answer: Answer) -> bool:
    """Whether somebody still listens: a hook goes away at its deadline."""
    try:
        with open(sys.stdout.fileno(), "wb", closefd=False) as out:
            out.write(json.dumps(answer).encode() + b"\n")
    except BrokenPipeError:
        return False
    return True
