"""The interfaces of GitHub, GitLab and Gitea: what a request would do there.

A branch that is moved or deleted by a request counts like a push. Reading is ordinary; a request that
changes something and is not known here sends data, which is for a human to see.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from donewhen.guard.effects import Alters, Destroys, Effect, Publishes, Pushes, Reads, Sends, Weakens
from donewhen.guard.marks import BELOW, HOLE, anything, certain

_HOSTS = ("api.github.com", "uploads.github.com")
_ROOTS = ("/api/v3/", "/api/v4/", "/api/v1/", "/api/graphql")
_READING = frozenset(("GET", "HEAD", "OPTIONS", ""))
_BLANK = str.maketrans("", "", " \t\n\"'\\")
# what stands in the path of a request that weakens a check, changes accounts and access, or makes public
_GUARDS = (
    "/protection",
    "/rulesets",
    "/protected_branches",
    "/protected_tags",
    "/approval_rules",
    "/push_rule",
)
_ACCESS = (
    "/actions/secrets",
    "/actions/variables",
    "/hooks",
    "/keys",
    "/collaborators",
    "/deploy_keys",
    "/variables",
    "/members",
    "/environments",
    "/invitations",
    "/access_tokens",
    "/dependabot/secrets",
    "/actions/permissions",
    "/user/keys",
    "/user/gpg_keys",
    "/transfer",
)
_PUBLIC = (
    "/merge",
    "/merges",
    "/releases",
    "/dispatches",
    "/pages",
    "/forks",
    "/packages",
    "/deployments",
    "/gists",
)
_TALK = ("/issues", "/comments", "/pulls", "/merge_requests", "/notes", "/reactions", "/labels", "/reviews")


def forge_effects(method: str, url: str, data: str) -> list[Effect]:
    """What a request by address does at a forge; empty when the address is none of a forge's interface."""
    scheme, found, rest = url.partition("://")
    host, _, path = (rest if found else scheme).partition("/")
    host = host.rpartition("@")[2].partition(":")[0].lower()
    path = "/" + path
    if host in _HOSTS:
        return list(request(method, host, path, data))
    if path.startswith(_ROOTS):
        return list(request(method, host, path.removeprefix("/api")[3:] if path[5:6] == "v" else path, data))
    return []


def request(method: str, host: str, path: str, data: str) -> Iterator[Effect]:
    """What a request does; `path` as behind the root of the interface."""
    bare, _, query = unquote(path).partition("?")
    path = "/" + bare.strip("/")
    method = method.upper()
    if "graphql" in path[:14]:
        yield from _graphql(host, data)
    elif not certain(method):
        yield Sends(host, "data")
    elif method in _READING:
        name = path.partition("/contents/")[2] or path.partition("/repository/files/")[2].removesuffix("/raw")
        if name:
            yield Reads("/" + name)
    else:
        yield from _branches(method, host, path, f"{data}&{query}") or _changed(method, host, path)


def _branches(method: str, host: str, path: str, data: str) -> list[Effect]:
    """Requests that move or delete a branch or write to it."""
    ref = path.partition("/git/refs/")[2]
    if ref:
        name = ref.removeprefix("heads/") if ref.startswith("heads/") else f"refs/{ref}"
        return [Pushes(host, name, method != "DELETE" and _forced(data), method == "DELETE")]
    name = path.partition("/branches/")[2]
    if name and not any(part in path for part in _GUARDS):
        gone = method == "DELETE" or name.endswith("/rename")
        return [Pushes(host, name.removesuffix("/rename"), not gone and _forced(data), gone)]
    if "/repository/commits" in path or "/contents/" in path or "/repository/files/" in path:
        return [Pushes(host, field(data, "branch") or HOLE, _forced(data)), Publishes(host, path)]
    return []


def _changed(method: str, host: str, path: str) -> Iterator[Effect]:
    if any(part in path for part in _GUARDS) or path.endswith("/disable"):
        yield Weakens(path)
    elif any(part in path for part in _ACCESS):
        yield Alters(path)
    elif method == "DELETE":
        yield Destroys("remote", path, _is_whole(path) or "/releases/" in path)
    elif any(path.endswith(part) or part + "/" in path for part in _PUBLIC):
        yield Publishes(host, path)
    elif _is_whole(path):
        yield Destroys("remote", path, sure=False)
    elif not any(part in path for part in _TALK):
        yield Sends(host, "data")


def _is_whole(path: str) -> bool:
    """A repository itself, an organisation, a user's project."""
    parts = path.strip("/").split("/")
    return (parts[0] == "repos" and len(parts) <= 3) or (
        parts[0] in ("projects", "groups", "orgs") and len(parts) == 2
    )


def _graphql(host: str, data: str) -> Iterator[Effect]:
    """Names in it are ids of the forge, so that a branch can't be told."""
    if "mutation" not in data and not anything(data) and BELOW not in data:
        return
    if "deleteRepository" in data:
        yield Destroys("remote", "deleteRepository")
    elif "BranchProtectionRule" in data or "RepositoryRuleset" in data:
        yield Weakens("branch protection")
    else:
        yield Sends(host, "data")


def _forced(data: str) -> bool:
    """Is force asked for, in a form or in JSON? Data that is not known may ask for it."""
    bare = data.lower().translate(_BLANK)
    return anything(data) or any(
        text in bare for text in ("force=true", "force:true", "force=1", "force:1", "force:=true")
    )


def field(data: str, name: str) -> str:
    """The value of a field, in a form or in JSON."""
    bare = data.translate(_BLANK)
    for lead in (f"{name}=", f"{name}:"):
        before, found, rest = bare.partition(lead)
        if found and (not before or before[-1] in "&{,;"):
            return rest.partition("&")[0].partition(",")[0].rstrip("}")
    return ""
