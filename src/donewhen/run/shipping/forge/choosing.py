"""Which door to the forge is at hand: `gh` or `glab` where somebody is logged in, else the API with a token.

A token of the environment goes to the public forge that it is for, or to the address that the user's own
configuration names; never to a host that only a repository names.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.forge import github, gitlab
from donewhen.run.shipping.forge.by_gh import find_gh
from donewhen.run.shipping.forge.by_glab import find_glab
from donewhen.run.shipping.forge.calling import Api, check_address
from donewhen.run.shipping.forge.github import GitHub
from donewhen.run.shipping.forge.gitlab import GitLab
from donewhen.run.shipping.forge.model import Door, Repo
from donewhen.run.shipping.forge.remotes import repo_of

if TYPE_CHECKING:
    from donewhen.config.schema import Ship


class NoDoor(NamedTuple):
    """Why no pull request can be opened from here."""

    why: Phrase


async def choose(ship: "Ship", urls: tuple[str, ...], folder: Path, env: Mapping[str, str]) -> Door | NoDoor:
    """The first door that opens; SetupError for a setting that can't be used."""
    if ship.forge == "none":
        return NoDoor(Phrase("forge.switched_off"))
    if not urls:
        return NoDoor(Phrase("forge.no_remote_set", {"remote": ship.remote}))
    repos = (repo_of(url, ship.forge, ship.api_url or "") for url in urls)
    repo = next((each for each in repos if each is not None), None)
    if repo is None:
        return NoDoor(Phrase("forge.unknown_forge", {"remote": ship.remote}))
    if ship.api_url is None:
        program = await (find_gh if repo.kind == "github" else find_glab)(repo, folder, env)
        if program is not None:
            return program
    return _by_token(ship, repo, env)


def _by_token(ship: "Ship", repo: Repo, env: Mapping[str, str]) -> Door | NoDoor:
    if not repo.host and not ship.api_url:
        return NoDoor(Phrase("forge.no_host", {"remote": ship.remote}))
    usual = github.TOKENS if repo.kind == "github" else gitlab.TOKENS
    names = (ship.token_env,) if ship.token_env else usual
    variable = next((name for name in names if env.get(name, "").strip()), "")
    program = "gh" if repo.kind == "github" else "glab"
    if not variable:
        values = {
            "program": program,
            "host": repo.host or _host(ship.api_url),
            "variables": " / ".join(names),
        }
        return NoDoor(Phrase("forge.no_login", values))
    token = env[variable].strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise SetupError("forge.odd_token", variable=variable)
    url = ship.api_url or _public(repo)
    if not url:
        return NoDoor(Phrase("forge.no_api_url", {"host": repo.host, "program": program}))
    api = Api(check_address(url), token, variable)
    return GitHub(repo, api) if repo.kind == "github" else GitLab(repo, api)


def _host(api_url: str | None) -> str:
    return urlsplit(check_address(api_url)).netloc if api_url else ""


def _public(repo: Repo) -> str:
    known = {github.PUBLIC: github.PUBLIC_API, gitlab.PUBLIC: gitlab.PUBLIC_API}
    return known.get(repo.host, "")
