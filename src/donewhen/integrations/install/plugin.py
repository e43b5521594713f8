"""OpenCode knows no hook commands, only plugins: a small one of ours in the state folder calls them."""

import json
from pathlib import Path

from donewhen.config.files import write_whole
from donewhen.core.errors import SetupError
from donewhen.integrations.hook.places import CLIENT_PROCESS, GAPS
from donewhen.integrations.install.files import content
from donewhen.integrations.install.lines import gone

_PROGRAM = '"@PROGRAM@"'


def file_of(state: Path) -> Path:
    return state / "opencode" / "donewhen.js"


def address(state: Path) -> str:
    return file_of(state).absolute().as_uri()


def place(state: Path, program: str) -> bool:
    """Write the plugin with the program that it calls; False when it stands there already."""
    data = source_of(program).encode()
    file = file_of(state)
    if content(file) == data:
        return False
    try:
        write_whole(file, data)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise SetupError("install.unwritable", file=file, why=why) from None
    return True


def source_of(program: str) -> str:
    """The plugin that calls this program."""
    return _source().replace(_PROGRAM, json.dumps(program), 1)


def program_of(state: Path) -> str:
    """The program that the plugin calls; empty when it is not the one that this version writes."""
    try:
        text = (content(file_of(state)) or b"").decode()
        head, tail = _source().split(_PROGRAM, 1)
        program = json.loads(text.removeprefix(head).removesuffix(tail))
    except ValueError:
        return ""
    return program if isinstance(program, str) and text == f"{head}{json.dumps(program)}{tail}" else ""


def _source() -> str:
    text = Path(__file__).with_name("opencode.js").read_text(encoding="utf-8")
    names = {"@GONE@": gone("opencode"), "@GAPS@": GAPS, "@CLIENT_PROCESS@": CLIENT_PROCESS}
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def drop(state: Path) -> None:
    file = file_of(state)
    file.unlink(missing_ok=True)
    try:
        file.parent.rmdir()
    except OSError:
        return
