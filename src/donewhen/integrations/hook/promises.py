"""What a session of a folder is told at its start, as the last one was: so that no client waits for it.

The first session of a folder finds out what has to be proven before it answers. A later one is told the same
at once, while the worker begins it; if that finds another promise, the first prompt says so.
"""

from contextlib import suppress

from donewhen.integrations.hook.places import private_folder, short

FOLDER = "promises"
TOLD = "told-start"  # in the folder of a session: what it was told before it had begun
_LARGEST = 64 * 1024


def promise_file(state: str, folder: str) -> str:
    return f"{state}/{FOLDER}/{short(folder)}"


def last_promise(state: str, folder: str) -> str:
    """The text of the last session in a folder; empty where there was none."""
    return read_text(promise_file(state, folder))


def read_text(path: str) -> str:
    with suppress(OSError, ValueError), open(path, encoding="utf-8") as file:  # noqa: PTH123 - no path objects here
        return file.read(_LARGEST)
    return ""


def note_told(session: str, text: str) -> None:
    private_folder(session)
    with open(f"{session}/{TOLD}", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(text)
