"""The worker: `python -m donewhen.integrations.sessions.worker VERB`, one JSON object in, one out, exit 0.

Anything else is a failure of ours, which the hook that started it counts and tells by the `error` printed
then. Paths in the input are absolute, since it stands in no folder of the project. The end of a session
loads next to nothing: a client waits for it only a moment. What is loaded is loaded inside `main`, so that a
missing part of the installation can be told as that.
"""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]
Answer = dict[str, Any]
_LARGEST = 16 * 1024 * 1024


def main(argv: list[str]) -> int:
    try:
        return _main(argv[0] if argv else "")
    except (ImportError, SyntaxError) as error:
        return _failed(f"{type(error).__name__}: {error}", 1, broken=True)
    except KeyboardInterrupt:
        return 130


def _main(verb: str) -> int:
    from donewhen.core.errors import DonewhenError
    from donewhen.core.texts import language_of

    try:
        given = _given(sys.stdin.buffer.read(_LARGEST + 1))
        where = _text(given, "client"), _text(given, "session_id"), _text(given, "folder")
        return _ended(given, *where[:2]) if verb == "end" else _asked(verb, given, where)
    except DonewhenError as error:
        return _failed(error.say(language_of(os.environ.get("DONEWHEN_LANGUAGE"))), error.exit_code)
    except OSError as error:  # the disk is full, a folder may not be written
        return _failed(str(error), 3)


def _asked(verb: str, given: Data, where: tuple[str, str, str]) -> int:
    from donewhen.integrations.sessions.folder import ENDED
    from donewhen.integrations.sessions.opening import open_session
    from donewhen.integrations.sessions.verbs import VERBS, is_late

    if verb not in VERBS:
        raise _bad_input("VERB")
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


def _given(data: bytes) -> Data:
    try:
        found = json.loads(data) if len(data) <= _LARGEST else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _bad_input("client")
    return found


def _bad_input(field: str) -> Exception:
    from donewhen.core.errors import UserError

    return UserError("sessions.bad_input", field=field)


def _text(given: Data, name: str) -> str:
    found = given.get(name)
    bad = not isinstance(found, str) or not found or "\0" in found
    if bad or (name == "folder" and not str(found).startswith("/")):
        raise _bad_input(name)
    return str(found)


def _exit(code: int) -> None:
    """Without a farewell where no exam was begun: closing the ledger would wait for the disk."""
    if "asyncio" in sys.modules:
        sys.exit(code)
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _exit(main(sys.argv[1:]))
