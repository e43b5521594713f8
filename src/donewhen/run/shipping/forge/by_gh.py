"""`gh`, where it is installed and logged in: the body goes by a file, all else as words of an argv."""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.model import Exists, Pull, Repo, Unsure, Wanted, address, harmless, number_of
from donewhen.run.shipping.forge.programs import Ran, installed, run

PROGRAM = "gh"
TIMEOUT = 60.0
_FIELDS = "number,url,body,isDraft,headRefName"
_URL = re.compile(r"https?://\S+/pull/([0-9]{1,12})\s*$", re.MULTILINE)


class Gh:
    name = PROGRAM

    def __init__(self, program: str, repo: Repo, folder: Path, env: Mapping[str, str]) -> None:
        self._program = program
        self._repo = repo
        self._folder = folder
        self._env = env

    async def find(self, head: str) -> tuple[Pull, ...]:
        ran = await self._run(["list", f"--head={head}", "--state=open", f"--json={_FIELDS}", "--limit=10"])
        try:
            data = json.loads(ran.out or "[]")
        except (ValueError, RecursionError):
            return ()  # it is asked once more by who creates: GitHub refuses a second one
        entries = data if isinstance(data, list) else []
        return tuple(pull for pull in (_pull(each, head) for each in entries[:10]) if pull is not None)

    async def create(self, wanted: Wanted) -> Pull:
        words = ["create", f"--title={wanted.title}", f"--head={wanted.head}", f"--base={wanted.base}"]
        ran = await self._with_body([*words, *(["--draft"] if wanted.draft else [])], wanted.body)
        said = _URL.findall(ran.out)
        if not said:
            raise Unsure("forge.program_unclear", program=PROGRAM)
        url = address(_URL.search(ran.out)[0].strip())  # type: ignore[index]
        return Pull(number_of(said[0]), url, wanted.body, wanted.draft)

    async def update(self, pull: Pull, wanted: Wanted) -> Pull:
        await self._with_body(["edit", str(pull.number), f"--title={wanted.title}"], wanted.body)
        if pull.draft and not wanted.draft:
            await self._run(["ready", str(pull.number)])
        return pull._replace(body=wanted.body, draft=wanted.draft)

    async def _with_body(self, words: Sequence[str], body: str) -> Ran:
        with tempfile.TemporaryDirectory(prefix="donewhen-pr-") as desk:
            file = Path(desk) / "body.md"
            file.write_text(body, encoding="utf-8")
            return await self._run([*words, f"--body-file={file}"])

    async def _run(self, words: Sequence[str]) -> Ran:
        argv = [self._program, "pr", words[0], *words[1:], f"--repo={self._repo.shown}"]
        return checked(PROGRAM, await run(argv, self._folder, self._env, TIMEOUT), self._repo.host)


async def logged_in(program: str, host: str, folder: Path, env: Mapping[str, str]) -> bool:
    """Whether `gh` or `glab` may act at a host."""
    ran = await run([program, "auth", "status", f"--hostname={host}"], folder, env, TIMEOUT)
    return ran.exit == 0


async def find_gh(repo: Repo, folder: Path, env: Mapping[str, str]) -> Gh | None:
    program = installed(PROGRAM, env, folder)
    if not program or not repo.host or not await logged_in(program, repo.host, folder, env):
        return None
    return Gh(program, repo, folder, env)


def checked(program: str, ran: Ran, host: str) -> Ran:
    """What a program did; the error that says how it went wrong."""
    if ran.exit == 0:
        return ran
    if ran.timed_out:
        raise Unsure("forge.program_slow", program=program, seconds=f"{TIMEOUT:g}")
    said = harmless(ran.err or ran.out) or f"exit {ran.exit}"
    if ran.exit is None:
        raise SetupError("forge.program_not_run", program=program, why=said)
    lower = said.lower()
    if "already exists" in lower:
        raise Exists("forge.exists", host=host)
    if re.search(r"http 5\d\d|http 429|rate limit|timeout|timed out|error connecting", lower):
        raise Unsure("forge.program_failed", program=program, exit=ran.exit, said=said)
    raise SetupError("forge.program_failed", program=program, exit=ran.exit, said=said)


def _pull(data: Any, head: str) -> Pull | None:
    if not isinstance(data, dict) or data.get("headRefName", head) != head:
        return None
    number, body = number_of(data.get("number")), data.get("body")
    if not number:
        return None
    text = body if isinstance(body, str) else ""
    return Pull(number, address(data.get("url")), text, data.get("isDraft") is True)
