"""`glab`, where it is installed and logged in. The description goes as a word, whose length is bounded."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from donewhen.run.shipping.forge.by_gh import TIMEOUT, checked, logged_in
from donewhen.run.shipping.forge.gitlab import of_list
from donewhen.run.shipping.forge.model import Pull, Repo, Unsure, Wanted, address, number_of
from donewhen.run.shipping.forge.programs import Ran, installed, run

PROGRAM = "glab"
_URL = re.compile(r"https?://\S+/merge_requests/([0-9]{1,12})\s*$", re.MULTILINE)


class Glab:
    name = PROGRAM

    def __init__(self, program: str, repo: Repo, folder: Path, env: Mapping[str, str]) -> None:
        self._program = program
        self._repo = repo
        self._folder = folder
        self._env = env

    async def find(self, head: str) -> tuple[Pull, ...]:
        ran = await self._run(["list", f"--source-branch={head}", "--output=json"])
        try:
            data = json.loads(ran.out or "[]")
        except (ValueError, RecursionError):
            return ()  # GitLab refuses a second one
        return of_list(data, head) if isinstance(data, list) else ()

    async def create(self, wanted: Wanted) -> Pull:
        words = [
            "create",
            f"--title={wanted.title}",
            f"--description={wanted.body}",
            f"--source-branch={wanted.head}",
            f"--target-branch={wanted.base}",
            "--yes",
        ]
        ran = await self._run([*words, *(["--draft"] if wanted.draft else [])])
        said = _URL.search(ran.out) or _URL.search(ran.err)
        if said is None:
            raise Unsure("forge.program_unclear", program=PROGRAM)
        return Pull(number_of(said[1]), address(said[0].strip()), wanted.body, wanted.draft)

    async def update(self, pull: Pull, wanted: Wanted) -> Pull:
        words = ["update", str(pull.number), f"--title={wanted.title}", f"--description={wanted.body}"]
        state = ["--draft"] if wanted.draft else ["--ready"] if pull.draft else []
        await self._run([*words, *state])
        return pull._replace(body=wanted.body, draft=wanted.draft)

    async def _run(self, words: Sequence[str]) -> Ran:
        argv = [self._program, "mr", words[0], *words[1:], f"--repo=https://{self._repo.shown}"]
        return checked(PROGRAM, await run(argv, self._folder, self._env, TIMEOUT), self._repo.host)


async def find_glab(repo: Repo, folder: Path, env: Mapping[str, str]) -> Glab | None:
    program = installed(PROGRAM, env, folder)
    if not program or not repo.host or not await logged_in(program, repo.host, folder, env):
        return None
    return Glab(program, repo, folder, env)
