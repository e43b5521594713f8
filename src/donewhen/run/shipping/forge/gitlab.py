"""GitLab's REST API. A draft is one by its title; being ready is having another title."""

from typing import Any
from urllib.parse import quote, urlencode

from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.calling import Api, call
from donewhen.run.shipping.forge.model import Pull, Repo, Wanted, address, number_of

PUBLIC = "gitlab.com"
PUBLIC_API = "https://gitlab.com/api/v4"
TOKENS = ("GITLAB_TOKEN",)
HEADER = "PRIVATE-TOKEN"
_SHOWN = 10


class GitLab:
    name = "GitLab API"

    def __init__(self, repo: Repo, api: Api) -> None:
        self._api = api._replace(header=HEADER)
        self._at = f"/projects/{quote(repo.path, safe='')}/merge_requests"

    async def find(self, head: str) -> tuple[Pull, ...]:
        query = urlencode({"state": "opened", "source_branch": head, "per_page": _SHOWN})
        data = await call(self._api, "GET", f"{self._at}?{query}")
        if not isinstance(data, list):
            raise SetupError("forge.no_json", host=self._api.host)
        return of_list(data, head)

    async def create(self, wanted: Wanted) -> Pull:
        body = {
            "source_branch": wanted.head,
            "target_branch": wanted.base,
            "title": _title(wanted),
            "description": wanted.body,
        }
        made = read_pull(await call(self._api, "POST", self._at, body, once=True))
        if made is None:
            raise SetupError("forge.no_json", host=self._api.host)
        return made

    async def update(self, pull: Pull, wanted: Wanted) -> Pull:
        body = {"title": _title(wanted), "description": wanted.body}
        data = await call(self._api, "PUT", f"{self._at}/{pull.number}", body)
        return (read_pull(data) or pull)._replace(draft=wanted.draft)


def _title(wanted: Wanted) -> str:
    return f"Draft: {wanted.title}" if wanted.draft else wanted.title


def of_list(data: list[Any], head: str) -> tuple[Pull, ...]:
    """The open merge requests of a branch among what a forge listed."""
    entries = [each for each in data[:_SHOWN] if isinstance(each, dict)]
    ours = (
        each
        for each in entries
        if each.get("source_branch") == head and each.get("state", "opened") == "opened"
    )
    return tuple(pull for pull in map(read_pull, ours) if pull is not None)


def read_pull(data: Any) -> Pull | None:
    if not isinstance(data, dict):
        return None
    number, body = number_of(data.get("iid")), data.get("description")
    if not number:
        return None
    drafted = data.get("draft") is True or data.get("work_in_progress") is True
    return Pull(number, address(data.get("web_url")), body if isinstance(body, str) else "", drafted)
