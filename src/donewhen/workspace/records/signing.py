"""Signatures of acceptance records by tools that people have: ssh-keygen or minisign.

No key is ever read here and none is made; the tool gets its path. A tool that would ask for a pass phrase
has nobody to ask, so it fails, and that is said. The signature lies beside the record.
"""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError, UserError
from donewhen.workspace.environment import command_environment
from donewhen.workspace.programs import outside_program

Tool = Literal["ssh", "minisign"]
NAMESPACE = "donewhen"
ENDINGS: dict[Tool, str] = {"ssh": ".sig", "minisign": ".minisig"}
_PROGRAMS: dict[Tool, str] = {"ssh": "ssh-keygen", "minisign": "minisign"}
_SECONDS = 30.0
_GOOD = re.compile(r"with (\S+ key \S+)")
_AGENT = ("SSH_AUTH_SOCK", "HOME")


class Signature(NamedTuple):
    """What is known of the signature beside a record; `by` is the key, or who it belongs to."""

    tool: Tool
    valid: bool
    known: bool = False  # checked against keys that the user named
    by: str = ""
    why: str = ""


def sign(record: Path, tool: Tool, key: str, env: Mapping[str, str]) -> Path:
    """Sign a file; where the signature lies."""
    made = record.with_name(record.name + ENDINGS[tool])
    made.unlink(missing_ok=True)
    path = Path(key).expanduser()
    if not path.is_file():
        raise UserError("record.no_key", key=key)
    words = {
        "ssh": ("-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(path), str(record)),
        "minisign": ("-S", "-s", str(path), "-x", str(made), "-m", str(record)),
    }[tool]
    ran = _run(tool, words, record, env, b"")
    if ran.returncode or not made.is_file():
        raise SetupError("record.not_signed", tool=_PROGRAMS[tool], why=_last(ran.stderr) or "no signature")
    return made


def check(record: Path, data: bytes, keys: str, env: Mapping[str, str]) -> Signature | None:
    """The signature beside a record; None where there is none.

    `keys`: a file of allowed signers (ssh) or a public key (minisign); empty: nobody says whose is right.
    """
    for tool, ending in ENDINGS.items():
        beside = record.with_name(record.name + ending)
        if beside.is_file():
            return _ssh(beside, data, keys, env) if tool == "ssh" else _minisign(beside, record, keys, env)
    return None


def _ssh(beside: Path, data: bytes, keys: str, env: Mapping[str, str]) -> Signature:
    if not keys:
        ran = _run("ssh", ("-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(beside)), beside, env, data)
        said = _GOOD.search(ran.stdout.decode(errors="replace"))
        return Signature("ssh", ran.returncode == 0, by=said[1] if said else "", why=_last(ran.stderr))
    whose = _run("ssh", ("-Y", "find-principals", "-s", str(beside), "-f", keys), beside, env, b"")
    name = whose.stdout.decode(errors="replace").partition("\n")[0].strip()
    if whose.returncode or not name:
        return Signature("ssh", False, True, why=_last(whose.stderr))
    words = ("-Y", "verify", "-n", NAMESPACE, "-I", name, "-f", keys, "-s", str(beside))
    ran = _run("ssh", words, beside, env, data)
    return Signature("ssh", ran.returncode == 0, True, name, _last(ran.stderr))


def _minisign(beside: Path, record: Path, keys: str, env: Mapping[str, str]) -> Signature:
    if not keys:
        return Signature("minisign", False, why="")
    words = ("-V", "-q", "-p", keys, "-x", str(beside), "-m", str(record))
    ran = _run("minisign", words, beside, env, b"")
    return Signature("minisign", ran.returncode == 0, True, keys, _last(ran.stderr))


def _run(
    tool: Tool, words: tuple[str, ...], about: Path, env: Mapping[str, str], stdin: bytes
) -> subprocess.CompletedProcess[bytes]:
    program = outside_program(_PROGRAMS[tool], about.parent, env)
    if not program:
        raise SetupError("record.no_tool", tool=_PROGRAMS[tool])
    kept = {name: env[name] for name in _AGENT if name in env}
    try:
        return subprocess.run(
            [program, *words],
            input=stdin,
            capture_output=True,
            timeout=_SECONDS,
            env={**command_environment(env), **kept, "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"},
            start_new_session=True,  # no terminal: a pass phrase is asked of nobody
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SetupError("record.not_signed", tool=_PROGRAMS[tool], why="timed out") from None


def _last(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
