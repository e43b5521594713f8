"""GitHub's REST API, also that of an Enterprise server. That a draft is ready only its other API can say."""

from typing import Any
from urllib.parse import quote, urlencode

from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.calling import Api, call
from donewhen.run.shipping.forge.model import Pull, Repo, Wanted, address, harmless, number_of

PUBLIC = "github.com"
PUBLIC_API = "https://api.github.com"
TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
_SHOWN = 10  # open ones of a branch that are looked at
_READY = (
    "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }"
)


class GitHub:
    name = "GitHub API"

    def __init__(self, repo: Repo, api: Api) -> None:
        self._repo = repo
        self._api = api
        self._at = "/repos/" + "/".join(quote(part, safe="") for part in repo.path.split("/"))

    async def find(self, head: str) -> tuple[Pull, ...]:
        query = urlencode({"state": "open", "head": f"{self._repo.owner}:{head}", "per_page": _SHOWN})
        data = await call(self._api, "GET", f"{self._at}/pulls?{query}")
        if not isinstance(data, list):
            raise SetupError("forge.no_json", host=self._api.host)
        ours = (each for each in data[:_SHOWN] if _is_of(each, head))
        return tuple(pull for pull in map(_pull, ours) if pull is not None)

    async def create(self, wanted: Wanted) -> Pull:
        try:
            return await self._create(wanted)
        except SetupError as error:
            if not wanted.draft or error.key != "forge.refused" or "draft" not in str(error.values).lower():
                raise
        # some repositories have no drafts: the title says it then
        return await self._create(wanted._replace(draft=False, title=f"Draft: {wanted.title}"))

    async def update(self, pull: Pull, wanted: Wanted) -> Pull:
        body = {"title": wanted.title, "body": wanted.body}
        data = await call(self._api, "PATCH", f"{self._at}/pulls/{pull.number}", body)
        now = _pull(data) or pull
        if now.draft and not wanted.draft:
            await self._make_ready(now)
        return now._replace(draft=wanted.draft)

    async def _create(self, wanted: Wanted) -> Pull:
        body = {
            "title": wanted.title,
            "body": wanted.body,
            "head": wanted.head,
            "base": wanted.base,
            "draft": wanted.draft,
        }
        made = _pull(await call(self._api, "POST", f"{self._at}/pulls", body, once=True))
        if made is None:
            raise SetupError("forge.no_json", host=self._api.host)
        return made

    async def _make_ready(self, pull: Pull) -> None:
        body = {"query": _READY, "variables": {"id": pull.node}}
        data = await call(self._api._replace(url=_graphql(self._api.url)), "POST", "", body)
        wrong = data.get("errors") if isinstance(data, dict) else "?"
        if wrong:
            said = harmless(str(wrong), (self._api.token,))
            raise SetupError("forge.not_ready", url=pull.url, said=said)


def _graphql(url: str) -> str:
    return f"{url.removesuffix('/v3')}/graphql" if url.endswith("/api/v3") else f"{url}/graphql"


def _pull(data: Any) -> Pull | None:
    if not isinstance(data, dict):
        return None
    number, url = number_of(data.get("number")), address(data.get("html_url"))
    body, node = data.get("body"), data.get("node_id")
    if not number:
        return None
    return Pull(
        number,
        url,
        body if isinstance(body, str) else "",
        data.get("draft") is True,
        node if isinstance(node, str) else "",
    )


def _is_of(entry: Any, head: str) -> bool:
    """A forge that does not know the filter answers with all that are open."""
    at = entry.get("head") if isinstance(entry, dict) else None
    ref = at.get("ref") if isinstance(at, dict) else None
    return ref == head and entry.get("state", "open") == "open"
