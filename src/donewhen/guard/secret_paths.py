"""Is a path that of a secret? By its name, the folder it lies in, or the patterns of the configuration.

Names only: no content is looked at, links are followed through `ground.disk`. Source and prose whose name
merely speaks of passwords is none. Globs count when they could be such a name and say enough of it.
"""

import re
from functools import lru_cache

from donewhen.core.lazy import lazy
from donewhen.guard.globs import literal, matches
from donewhen.guard.ground import Ground
from donewhen.guard.marks import BELOW, MARKED, STAR, anything
from donewhen.guard.secret_names import (
    CERTIFICATE,
    CLOUD,
    CREDENTIALS,
    ENDINGS,
    ENVIRONMENT,
    FOLDERS,
    HOLDERS,
    HOME,
    KEY,
    MAC_SUPPORT,
    NAMES,
    PAIRS,
    PLAIN_IN_SSH,
    PROSE,
    PUBLIC,
    PUBLIC_FOLDERS,
    TEMPLATES,
)

_FOLDERS = FOLDERS | CLOUD
_TOKENS = lazy(r"[._\-]+")
_KEYS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_WORDY = lazy(r"service[-_]?account|adminsdk|client_?secret|\.tfvars\.json$|\.tfstate\.")
_WORD = lazy(r"[\w\- ]+")
_GLOBBED_ENV = (".env", ".env.local", ".env.production")
_OPEN_NAMES = tuple(name for name in NAMES if not name.startswith("."))
# What a glob below a home folder is held against.
_AT_HOME: tuple[tuple[str, ...], ...] = tuple(
    tuple(one.split("/"))
    for one in (*HOME, *FOLDERS, *CLOUD, *PAIRS, *NAMES, *HOLDERS)
    if one.startswith(".")
)
_SYSTEM: tuple[tuple[str, ...], ...] = tuple(
    ("", *one.split("/")) for one, kind in PAIRS.items() if kind == "system secret"
)
_HOMES = lazy(r"/(?:home|users)/[^/]+(?:/|$)|/root(?:/|$)")
_DISKS = lazy(r"/dev/(?:[shv]d[a-z]|xvd|nvme\d|r?disk\d|mmcblk\d|mapper/|dm-\d|md\d)")
_SPECIFIC = 3
_LONGEST_KEPT = 512


def secret(path: str, ground: Ground) -> str:
    """The kind of secret that an absolute marked path is; empty for none."""
    found = _kind(path, ground)
    if found or not path.startswith("/") or anything(path):
        return found
    real = ground.disk.real(path)
    return _kind(real, ground) if real != path else ""


def holds_secrets(folder: str, ground: Ground) -> bool:
    """Would reading everything below this folder read secrets? Never said of the workspace itself."""
    low = folder.lower().rstrip("/")
    home = ground.home.lower()
    if low in ("", "/home", "/users", "/root", home) or home.startswith(f"{low}/"):
        return True
    if _inside(folder, ground):
        return bool(_folder(low.split("/"), True))
    rest = _below_home(low, ground)
    return rest is not None and (rest in HOLDERS or rest == "" or bool(secret(folder, ground)))


def secret_folder(path: str, ground: Ground) -> bool:
    """Is it a folder of keys or credentials itself, as ~/.ssh is?"""
    return path.rpartition("/")[2].lower() in _FOLDERS and bool(secret(path, ground))


def _inside(path: str, ground: Ground) -> bool:
    """In the workspace; where that holds the home folder, too, nothing is taken for the project's own."""
    root = ground.workspace
    if not path.startswith(root) or path[len(root) : len(root) + 1] not in ("", "/"):
        return False
    return not ground.home.startswith(root)


def _kind(path: str, ground: Ground) -> str:
    if len(path) > _LONGEST_KEPT:
        return _named(path, ground)
    return _remembered(path, ground.workspace, ground.home, ground.secret_patterns)


@lru_cache(maxsize=1024)
def _remembered(path: str, workspace: str, home: str, patterns: tuple[str, ...]) -> str:
    """Walker and rules ask for the same path in turn; by names alone the answer never changes."""
    return _named(path, Ground(workspace, workspace, home, secret_patterns=patterns))


def _named(path: str, ground: Ground) -> str:
    low = path.lower()
    parts = low.split("/")
    name = parts[-1]
    inside = _inside(path, ground)
    found = NAMES.get(name, "")
    ending = name.rpartition(".")[2]
    if found and ending in ("yaml", "yml") and parts[-2:-1] == ["templates"]:
        return ""  # of a chart: values come from elsewhere
    if not found:
        found = _shaped(name, ending, parts)
    if not found and not _FOLDERS.keys().isdisjoint(parts):
        found = _folder(parts, inside)
    if not found and len(parts) > 1:
        found = PAIRS.get(f"{parts[-2]}/{name}", "")
    if not found and not inside:
        found = _elsewhere(low, parts, ground)
    if not found and ground.secret_patterns:
        found = _configured(name, ending, parts, ground.secret_patterns)
    if found or MARKED.search(low) is None:
        return found
    return _globbed(low, parts, ground, inside)


def _shaped(name: str, ending: str, parts: list[str]) -> str:
    """By how the name begins or ends."""
    if ending in TEMPLATES:
        return ""
    if name.startswith(".env"):
        return "" if _opens_template(name[4:]) else ENVIRONMENT
    if name.startswith("id_"):
        return KEY if name.startswith(_KEYS) and ending != "pub" and ending not in PROSE else ""
    kind = ENDINGS.get(ending, "")
    if kind and name != "env":  # without a dot a folder or a script: src/env, ~/.cargo/env
        return "" if _harmless(name, ending, parts) else kind
    if ending == "asc":
        return KEY if "private" in name or "secret" in name else ""
    return CREDENTIALS if ending in ("json", "backup") and _WORDY.search(name) else ""


def _opens_template(rest: str) -> bool:
    """`.env.ex*`: a glob that leads to nothing but a template."""
    mark = MARKED.search(rest)
    begun = rest[: mark.start()].lstrip(".-_") if mark else ""
    return bool(begun) and any(one.startswith(begun) for one in TEMPLATES)


def _harmless(name: str, ending: str, parts: list[str]) -> bool:
    tokens = set(_TOKENS.split(name))
    if not PUBLIC.isdisjoint(tokens) or not TEMPLATES.isdisjoint(tokens):
        return True
    if ending not in ("pem", "jks", "keystore", "p12"):
        return False
    if not PUBLIC_FOLDERS.isdisjoint(parts):
        return True
    return not CERTIFICATE.isdisjoint(tokens) and "key" not in tokens and "priv" not in name


def _folder(parts: list[str], inside: bool) -> str:
    """By a folder above it that holds keys, or by being that folder."""
    for at, part in enumerate(parts):
        kind = FOLDERS.get(part) or ("" if inside else CLOUD.get(part, ""))
        if not kind:
            continue
        plain = part == ".ssh" and (parts[-1] in PLAIN_IN_SSH or parts[-1].endswith(".pub"))
        if at < len(parts) - 1 and (plain or parts[-1].rpartition(".")[2] in TEMPLATES):
            continue
        return kind
    return ""


def _below_home(low: str, ground: Ground) -> str | None:
    home = ground.home.lower()
    if low.startswith(home) and low[len(home) : len(home) + 1] in ("", "/"):
        return low[len(home) + 1 :]
    found = _HOMES.match(low)
    return low[found.end() :] if found else None


def _elsewhere(low: str, parts: list[str], ground: Ground) -> str:
    """Outside the workspace: home folders and the system's own."""
    if low.startswith(
        ("/proc/", "/run/secrets/", "/var/run/secrets/", "/etc/sudoers.d/", "/etc/ssl/private/")
    ):
        shown = low.startswith("/proc/") and not matches(parts[-1], "environ") and parts[-1] != "mem"
        return "" if shown else "system secret"
    if low.startswith("/dev/"):
        return "system secret" if _DISKS.match(low) else ""  # a disk holds every file's text
    rest = _below_home(low, ground)
    if not rest:
        return ""
    names = rest.split("/", 3)
    if names[:2] == ["library", "application support"]:
        return "browser profile" if len(names) > 2 and names[2] in MAC_SUPPORT else ""
    for size in range(1, min(len(names), 3) + 1):
        kind = HOME.get("/".join(names[:size]))
        if kind:
            return kind
    return ""


@lru_cache(maxsize=32)
def _compiled(patterns: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Each pattern, and whether it is a mere word."""
    return tuple((re.compile(one, re.IGNORECASE), _WORD.fullmatch(one) is not None) for one in patterns)


def _configured(name: str, ending: str, parts: list[str], patterns: tuple[str, ...]) -> str:
    if ending in TEMPLATES or (ending == "env" and not TEMPLATES.isdisjoint(_TOKENS.split(name))):
        return ""
    prose = ending in PROSE or ".github" in parts
    data = name.startswith(".") or "." in name
    for pattern, word in _compiled(patterns):
        if word and (prose or not data):
            if not prose and pattern.fullmatch(name):
                return CREDENTIALS
        elif pattern.search(name):
            return CREDENTIALS
    return ""


def _globbed(low: str, parts: list[str], ground: Ground, inside: bool) -> str:
    """A path with marks: could it be one that matters, and does it say enough?"""
    name = parts[-1]
    if BELOW in name and not literal(name):
        return CREDENTIALS if holds_secrets("/".join(parts[:-1]) or "/", ground) else ""
    if MARKED.search(name) and _globbed_name(name):
        return CREDENTIALS
    if not inside and any(_fitting(parts, one) for one in _SYSTEM):
        return "system secret"
    rest = None if inside else _below_home(low, ground)
    return CREDENTIALS if rest and _globbed_at_home(rest.split("/")) else ""


def _globbed_name(name: str) -> bool:
    known = literal(name)
    if name.startswith("."):
        enough = not anything(name) or len(known) >= _SPECIFIC
        return enough and any(matches(name, one) for one in _GLOBBED_ENV)
    if name[:1] == BELOW and len(known) >= _SPECIFIC and any(matches(name, one) for one in _GLOBBED_ENV):
        return True  # a star of find stands for a dot, too
    ending = name.rpartition(".")[2] if "." in name else ""
    if ending in PROSE or ending in TEMPLATES:
        return False
    stem = known.removesuffix(f".{ending}") if ending else known
    if len(stem) < _SPECIFIC:
        return False
    piece = max(MARKED.split(name), key=len)
    return any(piece in one and matches(name, one) for one in _OPEN_NAMES)


def _globbed_at_home(names: list[str]) -> bool:
    if not any(_telling(name) for name in names):
        return False
    for entry in _AT_HOME:
        if all(_fits(name, one) for name, one in zip(names, entry, strict=False)):
            return len(names) >= len(entry) or _telling(names[-1])
    return False


def _fitting(names: list[str], entry: tuple[str, ...]) -> bool:
    """Every name is that of the entry, or a glob that could be it."""
    return len(names) == len(entry) and all(map(_fits, names, entry)) and any(map(_telling, names))


def _telling(name: str) -> bool:
    """A glob that says something of the name."""
    known = literal(name)
    return known != name and len(known) >= (_SPECIFIC if anything(name) else 1)


def _fits(name: str, one: str) -> bool:
    return name == one or ((name == STAR or _telling(name)) and matches(name, one))
