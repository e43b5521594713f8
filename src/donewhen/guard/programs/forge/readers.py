"""Command line programs of forges: gh, glab, tea, hub.

One table says what each kind of thing and verb does; the programs differ in how they call the things.
Reading, and talking in issues and pull requests of the own repository, is ordinary. A verb that is not in
the table may be an alias or an extension: it is unknown.
"""

import shlex

from donewhen.guard.call import Call, Reader, Text, Words
from donewhen.guard.effects import (
    Alters,
    Connects,
    Destroys,
    Fetches,
    Installs,
    Publishes,
    Reads,
    Reveals,
    Rewrites,
    Sends,
    Unknown,
    Weakens,
    Writes,
)
from donewhen.guard.marks import HOLE, WILD, certain, shown
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.acts import credential
from donewhen.guard.programs.forge.api import forge_effects, request
from donewhen.guard.programs.forge.table import ALONE, GROUPS, TABLE
from donewhen.guard.programs.git.frame import Found, Frame, placed, touched
from donewhen.guard.programs.git.readers import VERBS, read_git

__all__ = ["READERS", "forge_effects"]

_HOSTS = {"gh": "github.com", "glab": "gitlab.com", "tea": "gitea.com", "hub": "github.com"}
_OPTIONS = options(
    flags="wcs",
    values="RFbtlaBHDOpnmfTLSeo",
    attached="d",
    long_flags="web admin show-token squash merge rebase delete-branch auto force yes draft shell paginate",
    long_values="repo body-file body title notes-file env-file dir output pattern input method field "
    "raw-field "
    "header hostname branch remote label assignee base head notes target reviewer env org template "
    "json jq limit",
)
_API = options(
    flags="i",
    values="XfFHqtp",
    long_flags="paginate silent include slurp verbose",
    long_values="method field raw-field header input jq template hostname cache preview",
)
_READ_FILES = ("-F", "--body-file", "--notes-file", "--env-file", "--input")


def read_forge(call: Call) -> Found:
    given = read(call.argv[1:], _OPTIONS)
    words = given.operands
    first = words[0] if words else ""
    group = GROUPS.get(first, first)
    verb = words[1] if len(words) > 1 else ""
    if not group or group in ALONE or call.argv[-1] in ("--help", "-h"):
        return
    if group == "api":
        yield from _api(call)
        return
    for word in (group, verb):
        if word[:1] in WILD:
            yield Unknown("guard.unknown_command", shown(" ".join(call.argv)))
            return
    yield Connects(_HOSTS[call.name])
    special = _SPECIAL.get((group, verb))
    if special is not None:
        yield from special(call, given)
    else:
        yield from _by_kind(call, given, group, verb)
    if group != "api":
        yield from (Reads(call.at(file)) for file in given.all(*_READ_FILES) if file and file != "-")


def _by_kind(call: Call, given: Given, group: str, verb: str) -> Found:
    kind = TABLE.get((group, verb)) or TABLE.get((group, "*"))
    what = f"{group} {verb}".strip()
    target = " ".join(given.operands[2:])
    if kind == "public":
        yield Publishes(call.name, what)
    elif kind == "altered":
        yield Alters(f"{call.name} {what}")
    elif kind in ("destroyed", "may destroy"):
        yield Destroys("remote", f"{what} {target}", kind == "destroyed")
    elif kind == "fetched":
        yield from _download(call, given, group)
    elif kind is None and verb:
        yield Unknown("guard.unknown_command", f"{call.name} {shown(what)}")
    elif kind is None and not any(key[0] == group for key in TABLE):
        yield Unknown("guard.unknown_command", f"{call.name} {shown(group)}")


def _download(call: Call, given: Given, group: str) -> Found:
    frame = Frame(call, call.folder)
    goal = given.value("-D", "--dir") or "."
    if group in ("repo", "gist"):
        goal = given.operands[3] if len(given.operands) > 3 else given.operands[-1].rpartition("/")[2]
    yield Fetches(_HOSTS[call.name], call.at(goal))
    yield from placed(frame, call.at(goal))
    yield from (Writes(call.at(file)) for file in given.all("-O", "--output") if file != "-")


def _checkout(call: Call, given: Given) -> Found:
    yield from touched(Frame(call, call.folder))


def _token(call: Call, given: Given) -> Found:
    yield Reveals("credential", f"{call.name} auth token")


def _auth_status(call: Call, given: Given) -> Found:
    if given.has("-t", "--show-token"):
        yield Reveals("credential", f"{call.name} auth status --show-token")


def _gist(call: Call, given: Given) -> Found:
    for file in given.operands[2:]:
        if file != "-":
            yield Reads(call.at(file))
    yield Sends("gist." + _HOSTS[call.name], "content")


def _disabled(call: Call, given: Given) -> Found:
    yield Weakens(f"{call.name} {' '.join(given.operands[:3])}")


def _stored_secret(call: Call, given: Given) -> Found:
    """Here `-f` names a file of variables."""
    yield from (Reads(call.at(file)) for file in given.all("-f") if file != "-")
    yield Alters(f"{call.name} {' '.join(given.operands[:3])}")


def _sync(call: Call, given: Given) -> Found:
    if given.has("--force"):
        yield Rewrites(given.value("-b", "--branch") or HOLE, "repo sync --force")
    yield Publishes(call.name, "repo sync")


def _extension(call: Call, given: Given) -> Found:
    yield Installs(call.name, "user", " ".join(given.operands[2:]))


def _alias(call: Call, given: Given) -> Found:
    """Judged when it is set: the line that uses it may come later."""
    value = given.operands[3] if len(given.operands) > 3 else HOLE
    if value.startswith("!") or given.has("-s", "--shell"):
        yield Text(value.removeprefix("!"), call.name)
        return
    try:
        words = shlex.split(value)
    except ValueError:
        words = [HOLE]
    yield Words((call.name, *words), call.name)


def _setting(call: Call, given: Given) -> Found:
    words = given.operands[2:]
    if len(words) > 1 and words[0] in ("editor", "pager", "browser"):
        yield Text(words[1], call.name)
    yield Alters(f"{call.name} config set")


def _read_setting(call: Call, given: Given) -> Found:
    for key in given.operands[2:]:
        if credential(key):
            yield Reveals("credential", f"{call.name} config get {key}")


def _variables(call: Call, given: Given) -> Found:
    """Of GitLab's variables many are credentials, and shown in the clear; GitHub keeps those as secrets."""
    if call.name == "glab":
        yield Reveals("credential", f"{call.name} {' '.join(given.operands[:3])}")


_SPECIAL = {
    ("config", "get"): _read_setting,
    **dict.fromkeys((("variable", verb) for verb in ("get", "list", "ls", "export")), _variables),
    ("auth", "token"): _token,
    ("auth", "status"): _auth_status,
    ("gist", "create"): _gist,
    ("gist", "new"): _gist,
    ("gist", "edit"): _gist,
    ("workflow", "disable"): _disabled,
    ("secret", "set"): _stored_secret,
    ("variable", "set"): _stored_secret,
    ("repo", "sync"): _sync,
    ("extension", "install"): _extension,
    ("alias", "set"): _alias,
    ("config", "set"): _setting,
    ("pr", "checkout"): _checkout,
    ("pr", "co"): _checkout,
}


def _api(call: Call) -> Found:
    words = call.argv[call.argv.index("api") + 1 :] if "api" in call.argv else call.argv[2:]
    given = read(words, _API)
    fields = given.all("-f", "-F", "--field", "--raw-field")
    files = given.all("--input") + [
        one.partition("=@")[2] for one in given.all("-F", "--field") if "=@" in one
    ]
    for file in files:
        if file != "-":
            yield Reads(call.at(file))
    data = "&".join(fields) + (HOLE if files else "")
    method = given.value("-X", "--method") or ("POST" if fields or given.has("--input") else "GET")
    if given.unsure or any(not certain(name) for name, _ in given.options):
        yield Unknown("guard.unknown_option", shown(" ".join(call.argv)))
    host = given.value("--hostname") or _HOSTS[call.name]
    path = given.operands[0] if given.operands else ""
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path
    yield Connects(host)
    yield from request(method, host, path.replace("{branch}", call.ground.branch or HOLE), data)


_HUB = {
    "pull-request": ("pr", "create"),
    "delete": ("repo", "delete"),
    "create": ("repo", "create"),
    "fork": ("repo", "fork"),
    "gist": ("gist",),
    "pr": ("pr",),
    "issue": ("issue",),
    "release": ("release",),
    "api": ("api",),
    "ci-status": ("status",),
    "browse": ("browse",),
    "compare": ("browse",),
    "sync": ("status",),
}


def read_hub(call: Call) -> Found:
    """hub is git with verbs of its own."""
    verb = call.argv[1] if len(call.argv) > 1 else ""
    if verb in _HUB and verb not in VERBS:
        yield from read_forge(call._replace(argv=(call.argv[0], *_HUB[verb], *call.argv[2:])))
    else:
        yield from read_git(call)


READERS: dict[str, Reader] = {"gh": read_forge, "glab": read_forge, "tea": read_forge, "hub": read_hub}
