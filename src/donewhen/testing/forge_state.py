"""The pull requests of a fake forge, and its answers as GitHub and GitLab word them. No network is here."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from donewhen.testing.forge_model import Kind

_LONGEST_TITLE = {"github": 256, "gitlab": 255}
_LONGEST_BODY = {"github": 65_536, "gitlab": 1_048_576}
Answer = tuple[int, Any]


class Forge:
    def __init__(self, kind: Kind, path: str, remote: Path | None) -> None:
        self.pulls: list[dict[str, Any]] = []
        self._kind = kind
        self._path = path
        self._remote = remote

    def told(self, method: str, path: str, query: Mapping[str, str], body: Any) -> Answer:
        if self._kind == "github":
            return self._github(method, path, query, body)
        return self._gitlab(method, path, query, body)

    def _github(self, method: str, path: str, query: Mapping[str, str], body: Any) -> Answer:
        if path == "/graphql":
            return self._ready(body)
        at = f"/repos/{self._path}/pulls"
        if path == at and method == "GET":
            owner = self._path.partition("/")[0]
            wanted = query.get("head", "").removeprefix(f"{owner}:")
            return 200, [self._shown(each) for each in self._open(wanted)]
        if path == at and method == "POST":
            return self._create(body, body.get("head"), body.get("base"), body.get("body"))
        if path.startswith(f"{at}/") and method == "PATCH":
            return self._change(path.removeprefix(f"{at}/"), body.get("title"), body.get("body"))
        return 404, {"message": "Not Found"}

    def _gitlab(self, method: str, path: str, query: Mapping[str, str], body: Any) -> Answer:
        at = f"/projects/{self._path}/merge_requests"
        if path == at and method == "GET":
            return 200, [self._shown(each) for each in self._open(query.get("source_branch", ""))]
        if path == at and method == "POST":
            words = (body.get("source_branch"), body.get("target_branch"), body.get("description"))
            return self._create(body, *words)
        if path.startswith(f"{at}/") and method == "PUT":
            return self._change(path.removeprefix(f"{at}/"), body.get("title"), body.get("description"))
        return 404, {"message": "404 Project Not Found"}

    def _open(self, head: str) -> list[dict[str, Any]]:
        return [each for each in self.pulls if each["state"] == "open" and head in ("", each["head"])]

    def _create(self, given: Any, head: Any, base: Any, body: Any) -> Answer:
        title = given.get("title")
        if not all(isinstance(each, str) and each for each in (title, head, base)):
            return self._refused("Validation Failed")
        if len(title) > _LONGEST_TITLE[self._kind] or len(body or "") > _LONGEST_BODY[self._kind]:
            return self._refused("title or body is too long")
        for branch in (head, base):
            if not self._has(branch):
                return self._refused(f"branch {branch} is invalid")
        if any(each["base"] == base for each in self._open(head)):
            if self._kind == "gitlab":
                said = "Another open merge request already exists for this source branch: !1"
                return 409, {"message": [said]}
            return self._refused(f"A pull request already exists for {head}.")
        drafted = bool(given.get("draft")) if self._kind == "github" else title.startswith("Draft:")
        made = {
            "number": len(self.pulls) + 1,
            "title": title,
            "body": body or "",
            "head": head,
            "base": base,
            "draft": drafted,
            "state": "open",
        }
        self.pulls.append(made)
        return 201, self._shown(made)

    def _change(self, number: str, title: Any, body: Any) -> Answer:
        found = next((each for each in self.pulls if str(each["number"]) == number), None)
        if found is None:
            return 404, {"message": "Not Found"}
        if isinstance(title, str):
            found["title"] = title
            if self._kind == "gitlab":
                found["draft"] = title.startswith("Draft:")
        if isinstance(body, str):
            found["body"] = body
        return 200, self._shown(found)

    def _ready(self, body: Any) -> Answer:
        node = body.get("variables", {}).get("id") if isinstance(body, dict) else None
        found = next((each for each in self.pulls if f"PR_{each['number']}" == node), None)
        if found is None:
            return 200, {"errors": [{"message": "Could not resolve to a node"}]}
        found["draft"] = False
        return 200, {"data": {"markPullRequestReadyForReview": {"clientMutationId": None}}}

    def _shown(self, pull: Mapping[str, Any]) -> dict[str, Any]:
        number = pull["number"]
        if self._kind == "github":
            return {
                "number": number,
                "node_id": f"PR_{number}",
                "html_url": f"https://github.example/{self._path}/pull/{number}",
                "state": pull["state"],
                "draft": pull["draft"],
                "title": pull["title"],
                "body": pull["body"],
                "head": {"ref": pull["head"]},
                "base": {"ref": pull["base"]},
            }
        return {
            "iid": number,
            "web_url": f"https://gitlab.example/{self._path}/-/merge_requests/{number}",
            "state": "opened" if pull["state"] == "open" else "closed",
            "draft": pull["draft"],
            "title": pull["title"],
            "description": pull["body"],
            "source_branch": pull["head"],
            "target_branch": pull["base"],
        }

    def _refused(self, said: str) -> Answer:
        if self._kind == "gitlab":
            return 422, {"message": [said]}
        return 422, {"message": "Validation Failed", "errors": [{"resource": "PullRequest", "message": said}]}

    def _has(self, branch: str) -> bool:
        if self._remote is None:
            return True
        words = [
            "git",
            f"--git-dir={self._remote}",
            "rev-parse",
            "--verify",
            "--quiet",
            f"refs/heads/{branch}",
        ]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
