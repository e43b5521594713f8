"""Which forge a remote's address belongs to. Pure; a login in an address is dropped when it is read.

An address may be hostile: a host or a path that is not plainly one gives no repository, so that nothing of it
can become an option of a program or another path of an API.
"""

import re
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from donewhen.run.shipping.forge.model import Kind, Repo

Choice = Literal["auto", "github", "gitlab", "none"]
_SCP = re.compile(r"(?:[^@/:\s]+@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(?!//)(.+)")
_HOST = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])")
_PART = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.~-]*")
_WEB = ("https", "http")
_SCHEMES = (*_WEB, "ssh", "git", "git+ssh", "ssh+git")
_SAME = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "www.github.com": "github.com"}
_LONGEST = 2000


class Address(NamedTuple):
    host: str  # with the port of a web address; empty for a folder
    path: str


def read_address(url: str) -> Address | None:
    """Host and repository of a remote's address; None when it is no address that we can read."""
    if not url or len(url) > _LONGEST or not url.isprintable():
        return None
    if "://" in url:
        return _of_url(url)
    scp = _SCP.fullmatch(url)
    if scp and not url.startswith(("/", ".", "~")):
        return _address(scp[1], "", scp[2])
    return _address("", "", url) if url.startswith(("/", ".", "~")) else None


def repo_of(url: str, forge: Choice, api_url: str = "") -> Repo | None:
    """The repository at its forge; None when it can't be told or none is wanted."""
    found = read_address(url)
    if forge == "none" or found is None:
        return None
    kind = _kind(found.host, api_url) if forge == "auto" else forge
    if kind is None:
        return None
    parts = _parts(found.path)
    if not found.host:  # a folder on this machine, where somebody says whose it stands for
        parts = parts[-2:]
    enough = len(parts) == 2 or (kind == "gitlab" and len(parts) > 2)
    if not enough or not all(_PART.fullmatch(part) and part.strip(".") for part in parts):
        return None
    return Repo(kind, found.host, "/".join(parts))


def _of_url(url: str) -> Address | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme == "file":
        return _address("", "", unquote(parts.path))
    if parts.scheme not in _SCHEMES or not host or parts.query or parts.fragment:
        return None
    named = f"[{host}]" if ":" in host else host
    return _address(named, str(port) if port and parts.scheme in _WEB else "", unquote(parts.path))


def _address(host: str, port: str, path: str) -> Address | None:
    if host and not _HOST.fullmatch(host):
        return None
    name = _SAME.get(host.lower(), host.lower())
    return Address(f"{name}:{port}" if port else name, path)


def _parts(path: str) -> list[str]:
    plain = path.strip("/").removesuffix(".git").rstrip("/")
    return [part for part in plain.split("/") if part]


def _kind(host: str, api_url: str) -> Kind | None:
    """By the address of an API that somebody gave, else by the labels of the host."""
    shape = api_url.rstrip("/")
    if shape.endswith("/api/v4"):
        return "gitlab"
    if shape.endswith("/api/v3"):
        return "github"
    labels = re.split(r"[.:-]", host)
    known = [kind for kind in ("github", "gitlab") if kind in labels]
    return known[0] if len(known) == 1 else None  # type: ignore[return-value]
